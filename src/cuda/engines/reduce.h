/* The engine of reductions: how a result is made of elements, as text; and passes over any axes. */
#ifndef TSR_CUDA_ENGINES_REDUCE_H
#define TSR_CUDA_ENGINES_REDUCE_H

#include "cuda/engines/elements.h"

/* One pass: what kernels/reduce.cuh wants to know, in kernel text. */
typedef struct tsr__cuda_fold {
  const char *name;              /* with the dtypes it says what the rest is */
  const char *lane, *value;      /* types */
  const char *neutral;           /* of a lane */
  const char *step;              /* of a (a lane), x (an element of C), p (the param) and r (its number) */
  const char *merge;             /* of a and b (values) */
  const char *finish;            /* of v (a value) and p; s.count, s.over and s.power are numbers of the call */
  const char *needs;             /* text before it, for its C; NULL: nothing */
  const char *result;            /* of v: a number of value_dtype */
  int value_dtype;
  size_t value_bytes;
} tsr__cuda_fold;

/* A reduction of x over the axes of a mask. */
typedef struct tsr__cuda_reduction {
  const tsr__cuda_fold *fold;
  const tsr__cuda_fold *second; /* a pass after it, whose params are its results; NULL: none. Both of one type of value, f64 */
  int compute;           /* the dtype that elements become */
  tsr__cuda_view x;
  uint32_t axes;         /* bit d: axis d is reduced */
  tsr__cuda_view out;    /* with the reduced axes as axes of length 1, or without them */
  tsr__cuda_ref param;   /* one value of each output, row-major */
  bool with_param;
  bool raw;              /* out is of the fold's value, row-major, without conversion */
  double count, over, power;
  const void *initial;   /* a value that is merged into every result, or NULL */
} tsr__cuda_reduction;

/* Whether both passes of r fit one kernel; else they are planned one by one. */
bool tsr__cuda_is_staged(const tsr__cuda *gpu, const tsr__cuda_reduction *r);

tsr_status tsr__cuda_plan_reduction(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_reduction *r, tsr__cuda_plan *plan);

#endif
