/* What an instruction set is: a name, an id that stored weights hold, and the features of a processor that it needs.
 * Not for kernels, which know what they are compiled for. */
#ifndef TSR_CPU_ISA_TABLE_H
#define TSR_CPU_ISA_TABLE_H

#include "cpu/isa.h"

#include <tessera/isa.h>

/* Features of processors, a bit each. */
enum {
  TSR__CPU_AVX2 = 1 << 0,
  TSR__CPU_FMA = 1 << 1,
  TSR__CPU_F16C = 1 << 2,
  TSR__CPU_AVX512F = 1 << 3,
  TSR__CPU_AVX512BW = 1 << 4,
  TSR__CPU_AVX512VL = 1 << 5,
  TSR__CPU_AVX512DQ = 1 << 6,
  TSR__CPU_AVX512_BF16 = 1 << 7,
  TSR__CPU_AVX512_VNNI = 1 << 8,
  TSR__CPU_ARM_DOTPROD = 1 << 9,
  TSR__CPU_ARM_I8MM = 1 << 10,
  TSR__CPU_ARM_BF16 = 1 << 11
};

/* Those of this machine, found once. 0 where nobody needs to know: base is all that is compiled, and takes no instruction besides. */
uint32_t tsr__cpu_features(void);

typedef struct tsr__isa_row {
  const char *name;
  uint8_t id; /* a tsr_isa_id */
  uint32_t needs;
} tsr__isa_row;

/* Those compiled in, by their number. Each needs what the one before it needs: those that a machine has come first. */
extern const tsr__isa_row tsr__isa_rows[TSR__ISA_COUNT];

/* Whether this machine has number isa, which is compiled in. */
bool tsr__isa_runs(int isa);

/* The number of an id; -1: this build or machine does not have it. */
int tsr__isa_with_id(int id);

/* The same of weights: arg is what holds the id. TSR_EUNSUPPORTED with the names of both. */
tsr_status tsr__isa_find(tsr_ctx *ctx, const char *op, const char *arg, int id, int *isa);

/* How packed weights lie, as a struct stores it in a byte beside the id: the number of a kernel, under 16, and the
 * width of its panels, a power of two. Two widths can take as many bytes, so that the size alone would not tell them
 * apart. */
static inline uint8_t tsr__layout_number(int kernel, int width) {
  int log = 0;
  while (width >> (log + 1) != 0) log++;
  return (uint8_t)(kernel | log << 4);
}
static inline int tsr__layout_kernel(uint8_t number) { return number & 15; }

#endif
