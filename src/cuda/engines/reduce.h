/* The engine of reductions: how a result is made of elements, as text; and passes over any axes. */
#ifndef TSR_CUDA_ENGINES_REDUCE_H
#define TSR_CUDA_ENGINES_REDUCE_H

#include "cuda/engines/made.h"

/* One pass: what kernels/reduce.cuh wants to know, in kernel text. */
typedef struct tsr__cuda_fold {
  const char *name;         /* with the dtypes it says what the rest is */
  const char *lane, *value; /* types */
  const char *neutral;      /* of a lane */
  const char *step;         /* of a (a lane), x (an element of C), p (the param) and r (its number) */
  const char *merge;        /* of a and b (values) */
  const char *finish;       /* of v (a value) and p; s.count, s.over and s.power are numbers of the call */
  const char *needs;        /* text before it, for its C; NULL: nothing */
  const char *result;       /* of v: a number of value_dtype */
  int value_dtype;
  size_t value_bytes;
  bool any_order; /* lanes are values, and their order does not show */
} tsr__cuda_fold;

/* The folds that there are. Integers are added in 64 bits, which wrap; floats in their own type, or from TOTAL on in f64. */
typedef enum tsr__cuda_fold_kind {
  TSR__FOLD_SUM,
  TSR__FOLD_PROD,
  TSR__FOLD_MIN,
  TSR__FOLD_MAX,
  TSR__FOLD_ANY,
  TSR__FOLD_ALL,
  TSR__FOLD_COUNT,
  TSR__FOLD_TOTAL,
  TSR__FOLD_MEAN,
  TSR__FOLD_DEVIATION,
  TSR__FOLD_DEVIATION_ROOT,
  TSR__FOLD_MAGNITUDE,
  TSR__FOLD_SQUARE, /* the root of the sum of squares */
  TSR__FOLD_SQUARES,
  TSR__FOLD_MAX_ABS,
  TSR__FOLD_MIN_ABS,
  TSR__FOLD_POWER,
  TSR__FOLD_PEAK,
  TSR__FOLD_EXPONENTIAL,
  TSR__FOLD_ARGMIN,
  TSR__FOLD_ARGMAX,
  TSR__FOLD_KINDS
} tsr__cuda_fold_kind;
/* Text: extremes with NaN, and sums of exponentials. */
extern const char tsr__cuda_exponentials[];
tsr__cuda_fold tsr__cuda_fold_of(tsr__cuda_fold_kind kind, int compute);

/* A reduction of x over the axes of a mask. */
typedef struct tsr__cuda_reduction {
  const tsr__cuda_fold *fold;
  const tsr__cuda_fold
      *second; /* a pass after it, whose params are its results; NULL: none. A fold of what that needs serves both */
  tsr__cuda_ref firsts; /* where the first pass's results go too, as f64, row-major: with_firsts */
  bool with_firsts;
  int compute; /* the dtype that elements become */
  tsr__cuda_view x;
  const tsr__cuda_made *made; /* what its elements are made of, where it has no memory; else NULL */
  uint32_t axes;              /* bit d: axis d is reduced */
  tsr__cuda_view out;         /* with the reduced axes as axes of length 1, or without them */
  tsr__cuda_ref param;        /* one value of each output, row-major */
  bool with_param;
  bool raw; /* out is of the fold's value, row-major, without conversion */
  double count, over, power;
  const void *initial; /* a value that is merged into every result, or NULL */
} tsr__cuda_reduction;

/* Whether both passes of r fit one kernel; else they are planned one by one. */
bool tsr__cuda_is_staged(const tsr__cuda *gpu, const tsr__cuda_reduction *r);

tsr_status tsr__cuda_plan_reduction(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_reduction *r, tsr__cuda_plan *plan);

/* The places of least or greatest elements along the axes of a mask, into i64. */
tsr_status tsr__cuda_plan_place(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *x, uint32_t axes, bool is_least,
                                const tsr__cuda_view *out, tsr__cuda_plan *plan);

/* Sums along the axes of a mask; truth: of bool, whether any is there; of complex numbers those of their parts. out does not lie over x. */
tsr_status tsr__cuda_plan_sum(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *x, uint32_t axes, bool truth,
                              const tsr__cuda_view *out, tsr__cuda_plan *plan);

#endif
