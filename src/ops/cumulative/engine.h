/* What the engine's parts share: an op that runs. */
#ifndef TSR_OPS_CUMULATIVE_ENGINE_H
#define TSR_OPS_CUMULATIVE_ENGINE_H

#include "core/dtype/wide.h"
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "ops/cumulative/cumulative.h"

typedef union tsr__cumulative_cell {
  int64_t i;
  float f;
#if TSR_HAVE_F64
  double d;
#endif
#if TSR_HAVE_C64
  tsr__wide_c64 c64;
#endif
#if TSR_HAVE_C128
  tsr__wide_c128 c128;
#endif
} tsr__cumulative_cell;

typedef struct tsr__cumulative {
  const tsr__cumulative_kernel *kernel;
  const tsr__move_kernels *move;
  int isa, in_dtype, out_dtype, compute;
  ptrdiff_t item;   /* bytes of a value */
  tsr_index length; /* along the axis */
  ptrdiff_t in_step, out_step;
  tsr__loop kept; /* the other axes; operand 0 is x, operand 1 the output */
#if TSR__CUMULATIVE_FAST
  bool sums; /* or products; else extremes */
#endif
  bool no_alias; /* x and the output share no byte */
  bool columns;
  tsr_index chunks; /* by rows: of a row, where they are tasks; else 0 */
  char *memory;     /* of chunks' totals, or of all workers */
  size_t bytes;     /* of one worker */
  tsr_index width;  /* by columns: of a tile */
  tsr_index tiles;  /* in a row of the other axes */
} tsr__cumulative;

/* Where row number of the other axes begins, of both operands; axis: the first that number counts along. */
static inline void tsr__cumulative_at(const tsr__cumulative *c, int axis, tsr_index number, const char **x,
                                      char **out) {
  ptrdiff_t in = 0, to = 0;
  for (; axis < c->kept.ndim; axis++) {
    const ptrdiff_t index = (ptrdiff_t)(number % c->kept.length[axis]);
    number /= c->kept.length[axis];
    in += c->kept.step[0][axis] * index;
    to += c->kept.step[1][axis] * index;
  }
  *x = c->kept.base[0] + in;
  *out = c->kept.base[1] + to;
}

/* n elements of x, step bytes apart, as contiguous values; and values to n elements of the output. */
void tsr__cumulative_fetch(const tsr__cumulative *c, tsr_index n, const char *x, ptrdiff_t step, char *values);
void tsr__cumulative_store(const tsr__cumulative *c, tsr_index n, const char *values, char *out, ptrdiff_t step);

/* The temporary bytes that the work needs; and the work, on the context's threads, with as many at c's memory. */
size_t tsr__cumulative_plan_rows(tsr__cumulative *c, int workers);
size_t tsr__cumulative_plan_columns(tsr__cumulative *c, int workers);
void tsr__cumulative_rows(const tsr_ctx *ctx, tsr__cumulative *c);
void tsr__cumulative_columns(const tsr_ctx *ctx, tsr__cumulative *c);

#endif
