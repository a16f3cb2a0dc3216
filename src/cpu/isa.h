/* Instruction sets: which there are, and which to use. */
#ifndef TSR_CPU_ISA_H
#define TSR_CPU_ISA_H

#include <stdbool.h>
#include <tessera/context.h>

/* Written by the build: TSR_ISA_EACH(M, ...) M(base, __VA_ARGS__) M(avx2, __VA_ARGS__) …, TSR_WITH_avx2 … */
#include "tsr_isa_config.h"
#define TSR__ISA_LIST_ROW(isa, X) X(isa)
#define TSR_ISA_LIST(X) TSR_ISA_EACH(TSR__ISA_LIST_ROW, X)

typedef enum tsr__isa {
#define X(isa) TSR__ISA_##isa,
  TSR_ISA_LIST(X)
#undef X
      TSR__ISA_COUNT
} tsr__isa;

/* name_<isa>, where TSR_ISA is a flag of every kernel object. */
#define TSR__ISA_CAT_(a, b) a##_##b
#define TSR__ISA_CAT(a, b) TSR__ISA_CAT_(a, b)
#define TSR__ISA_NAME(name) TSR__ISA_CAT(name, TSR_ISA)

/* What kernel files define as TSR__ISA_NAME(name): declares it for every instruction set, and lists all, or the addresses of all,
 * as an initialiser of [TSR__ISA_COUNT]. */
#define TSR__ISA_DECLARE(isa, type, name) extern type name##_##isa;
#define TSR__ISA_ITEM(isa, name) name##_##isa,
#define TSR__ISA_ADDRESS(isa, name) &name##_##isa,
#define TSR__DECLARE_FOR_ISAS(type, name) TSR_ISA_EACH(TSR__ISA_DECLARE, type, name)
#define TSR__FOR_ISAS(name) \
  { TSR_ISA_EACH(TSR__ISA_ITEM, name) }
#define TSR__AT_FOR_ISAS(name) \
  { TSR_ISA_EACH(TSR__ISA_ADDRESS, name) }

/* The best one that this machine can run, and the one to use when nobody asks for another (TSR_ISA in the environment). */
int tsr__isa_best(void);
int tsr__isa_default(void);

/* What a machine may have besides AVX-512, or besides NEON: dot products of bf16 and of bytes, and products of small matrices of
 * bytes (with bf16's, NEON has those of bf16 too). */
bool tsr__isa_has_bf16_dots(void);
bool tsr__isa_has_byte_dots(void);
bool tsr__isa_has_byte_tiles(void);

/* The one that a call with this context uses. With a single one compiled in, a constant. */
static inline int tsr__isa_of(const tsr_ctx *ctx) {
  if (TSR__ISA_COUNT == 1) return 0;
  return ctx != NULL && ctx->isa != 0 ? ctx->isa - 1 : tsr__isa_default();
}

#endif
