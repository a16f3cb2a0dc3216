/* Cumulative ops: what they share.
 *
 * The order of additions is fixed by the index along the axis, and by nothing else. 16 elements are a run, 1024 runs
 * a chunk.
 * Inside a run elements are added one after another, so are the runs of a chunk, and so are chunks:
 *   result = (chunks before + runs before) + the run so far.
 * Runs do not wait for each other, chunks can go to threads, and columns side by side do the same additions. */
#ifndef TSR_OPS_CUMULATIVE_CUMULATIVE_H
#define TSR_OPS_CUMULATIVE_CUMULATIVE_H

#include "core/call.h"
#include "cpu/isa.h"
#include "ops/elementwise/kernels.h"

#define TSR__CUMULATIVE_RUN 16
#define TSR__CUMULATIVE_CHUNK 16384
#define TSR__CUMULATIVE_FUSED 4 /* rows at a time, by columns; a part of a run */

/* Whether there are columns and threads, and memory for them. */
#define TSR__CUMULATIVE_FAST TSR_HAVE_MALLOC

/* One op on one compute type, for one instruction set. A value is an element of the compute type. */
typedef struct tsr__cumulative_kernel {
  /* n values that change no other. */
  void (*start)(tsr_index n, void *values);
  /* n values: earlier = earlier ∘ later. */
  void (*merge)(tsr_index n, void *earlier, const void *later);
  /* n elements of one chunk, from the start of a run on. base: the chunks before; *sum: the runs before, which grows.
   * out NULL: nothing but that. x and out are apart. */
  void (*row)(tsr_index n, const void *x, const void *base, void *sum, void *out);
  /* count ≤ TSR__CUMULATIVE_FUSED rows of width elements of one run: run is the run so far, before all before it.
   * NULL without TSR__CUMULATIVE_FAST. */
  void (*rows)(tsr_index width, int count, const char *const *x, void *run, const void *before, char *const *out);
} tsr__cumulative_kernel;

typedef const tsr__cumulative_kernel *const tsr__cumulative_table[TSR_DTYPE_COUNT]; /* by compute type; NULL: none */

TSR__DECLARE_FOR_ISAS(tsr__cumulative_table, tsr__cumsum)
TSR__DECLARE_FOR_ISAS(tsr__cumulative_table, tsr__cumprod)
TSR__DECLARE_FOR_ISAS(tsr__cumulative_table, tsr__cummin)
TSR__DECLARE_FOR_ISAS(tsr__cumulative_table, tsr__cummax)

/* One op: what its info has as its kernels. */
typedef struct tsr__cumulative_op {
  const tsr__cumulative_kernel *const *tables[TSR__ISA_COUNT];
  bool sums; /* the dtypes of tsr_sum; else those of tsr_max */
} tsr__cumulative_op;

/* In a frame: the op. */
tsr_status tsr__cumulative_call(tsr__call *call);

#endif
