/* Reductions the naive way: the elements of one output as a list, in logical order. */
#ifndef TSR_TEST_REDUCE_REFERENCE_H
#define TSR_TEST_REDUCE_REFERENCE_H

#include "support/helpers.h"

#include <math.h>
#include <string.h>

/* An element as a number, infinities and NaN of small floats included. */
static inline double number_of(int dtype, const void *element) {
  if (dtype == TSR_F32) { /* most of them, and naive sums spend their time here */
    float value;
    memcpy(&value, element, sizeof value);
    return (double)value;
  }
  uint16_t bits = *(const uint8_t *)element; /* an f8, whatever the byte order */
  if (tsr_dtype_size(dtype) >= 2) memcpy(&bits, element, 2);
  int mantissa = 0, width = 0;
  if (dtype == TSR_F16) mantissa = 10, width = 15;
  if (dtype == TSR_BF16) mantissa = 7, width = 15;
  if (dtype == TSR_F8_E5M2) mantissa = 2, width = 7;
  if (dtype == TSR_F8_E4M3) return (bits & 0x7fu) == 0x7fu ? (double)NAN : test_decode(dtype, element);
  const unsigned code = bits & ((1u << width) - 1), infinity = (1u << width) - (1u << mantissa);
  if (width == 0 || code < infinity) return test_decode(dtype, element);
  return code > infinity ? (double)NAN : ((unsigned)bits >> width & 1u) != 0 ? -(double)INFINITY : (double)INFINITY;
}

/* Axes as bits, and as a list; returns how many. */
static inline int axes_of(unsigned mask, int ndim, int *axes) {
  int n = 0;
  for (int i = 0; i < ndim; i++)
    if ((mask >> i & 1) != 0) axes[n++] = i;
  return n;
}

/* The shape of the result. */
static inline int result_shape(const tsr_tensor *x, unsigned mask, bool keepdims, tsr_index *shape) {
  int n = 0;
  for (int i = 0; i < x->ndim; i++) {
    const bool gone = (mask >> i & 1) != 0;
    if (!gone || keepdims) shape[n++] = gone ? 1 : x->shape[i];
  }
  return n;
}

static inline tsr_index reduced_count(const tsr_tensor *x, unsigned mask) {
  tsr_index n = 1;
  for (int i = 0; i < x->ndim; i++)
    if ((mask >> i & 1) != 0) n *= x->shape[i];
  return n;
}

/* The elements that go into the output at index at (an index of the result without the reduced axes), as numbers. */
static inline tsr_index elements_of(const tsr_tensor *x, unsigned mask, const tsr_index *at, double *list) {
  tsr_index index[TSR_MAX_DIMS] = {0}, shape[TSR_MAX_DIMS], inner[TSR_MAX_DIMS] = {0}, n = 0;
  int axes[TSR_MAX_DIMS], kept = 0;
  const int reduced = axes_of(mask, x->ndim, axes);
  for (int i = 0; i < x->ndim; i++)
    if ((mask >> i & 1) == 0) index[i] = at[kept++];
  for (int i = 0; i < reduced; i++) {
    shape[i] = x->shape[axes[i]];
    if (shape[i] == 0) return 0;
  }
  do {
    for (int i = 0; i < reduced; i++) index[axes[i]] = inner[i];
    list[n++] = number_of(x->dtype, test_at(x, index));
  } while (test_next_index(reduced, shape, inner));
  return n;
}

/* Fills 64 elements of a dtype with small numbers of both signs (quarters where it has them). */
static inline void fill_small(tsr_ctx *ctx, test_buffer *buffer, int dtype, test_rng *rng) {
  static float values[TEST_ELEMENTS];
  const int class_ = tsr_dtype_describe(dtype)->class_;
  const tsr_index shape[1] = {TEST_ELEMENTS};
  tsr_tensor from = {0}, to = {0};
  for (int i = 0; i < TEST_ELEMENTS; i++) {
    const int whole = (int)(test_random(rng) % 17) - 8;
    values[i] = class_ == TSR_CLASS_FLOAT  ? (float)whole / 4
                : class_ == TSR_CLASS_UINT ? (float)(whole + 8)
                                           : (float)whole;
    if (class_ == TSR_CLASS_BOOL) values[i] = (float)(whole > 0);
  }
  if (tsr_from_memory(ctx, values, TSR_F32, 1, shape, &from) != TSR_OK ||
      tsr_from_memory(ctx, buffer->bytes, dtype, 1, shape, &to) != TSR_OK || tsr_copy(ctx, &from, &to) != TSR_OK)
    __builtin_trap();
}

/* The dtypes that reductions take, as far as this build has them. */
static inline bool is_real(int dtype) {
  return tsr_dtype_supported(dtype) && tsr_dtype_describe(dtype)->class_ != TSR_CLASS_COMPLEX;
}

/* A large tensor of uniform numbers around 0, and views of it that need other ways through memory. */
enum { VIEWS = 4 };
static inline const char *view_name(int view) {
  static const char *const names[VIEWS] = {"contiguous", "transposed", "every second, backwards", "a part"};
  return names[view];
}

static inline tsr_status make_view(tsr_ctx *ctx, const tsr_tensor *x, int view, tsr_tensor *out) {
  tsr_status st = tsr_view(ctx, x, out);
  if (st == TSR_OK && view == 1 && x->ndim > 1) st = tsr_transpose(ctx, out, 0, x->ndim - 1, out);
  if (st == TSR_OK && view == 2)
    for (int i = 0; i < x->ndim && st == TSR_OK; i++) {
      st = tsr_slice(ctx, out, i, 0, x->shape[i], 2, out);
      if (st == TSR_OK) st = tsr_flip(ctx, out, i, out);
    }
  if (st == TSR_OK && view == 3) st = tsr_slice(ctx, out, x->ndim - 1, 1, x->shape[x->ndim - 1] - 1, 1, out);
  return st;
}

/* ---- the ops ---- */

typedef enum op {
  SUM,
  PROD,
  MEAN,
  VAR,
  STD,
  MIN,
  MAX,
  ANY,
  ALL,
  COUNT,
  NORM1,
  NORM2,
  NORM_INF,
  LOGSUMEXP,
  OPS,
  ARGMIN,
  ARGMAX
} op;

static const char *const op_names[OPS] = {"sum", "prod", "mean",          "var",   "std",   "min",      "max",
                                          "any", "all",  "count_nonzero", "norm1", "norm2", "norm_inf", "logsumexp"};

typedef tsr_status reduce_fn(tsr_ctx *, const tsr_tensor *, int, const int *, bool, tsr_tensor *);

static reduce_fn *const plain_fns[OPS] = {
    [SUM] = tsr_sum,     [PROD] = tsr_prod,   [MEAN] = tsr_mean,         [MIN] = tsr_min,
    [MAX] = tsr_max,     [ANY] = tsr_any,     [ALL] = tsr_all,           [COUNT] = tsr_count_nonzero,
    [NORM1] = tsr_norm1, [NORM2] = tsr_norm2, [NORM_INF] = tsr_norm_inf, [LOGSUMEXP] = tsr_logsumexp};

static inline tsr_status call(op which, tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                              int ddof, tsr_tensor *out) {
  if (which == VAR) return tsr_var(ctx, x, naxes, axes, keepdims, ddof, out);
  if (which == STD) return tsr_std(ctx, x, naxes, axes, keepdims, ddof, out);
  if (which == ARGMIN || which == ARGMAX) {
    const int axis = naxes == 1 ? axes[0] : TSR_ALL_AXES;
    return which == ARGMIN ? tsr_argmin(ctx, x, axis, keepdims, out) : tsr_argmax(ctx, x, axis, keepdims, out);
  }
  return plain_fns[which](ctx, x, naxes, axes, keepdims, out);
}

static inline int result_dtype(op which, int dtype) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  const bool is_float = info->class_ == TSR_CLASS_FLOAT;
  switch (which) {
    case SUM:
    case PROD: return is_float ? dtype : info->class_ == TSR_CLASS_UINT ? TSR_U64 : TSR_I64;
    case MIN:
    case MAX: return dtype;
    case ANY:
    case ALL: return TSR_BOOL;
    case COUNT: return TSR_I64;
    case ARGMIN:
    case ARGMAX: return TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32;
    default: return is_float ? dtype : info->bytes <= 2 || !TSR_HAVE_F64 ? TSR_F32 : TSR_F64;
  }
}

/* ---- the naive reference: the value, and how far from it a result may be in units of the dtype's precision ---- */

static inline double squares_around(const double *x, tsr_index n, double mean) {
  double sum = 0;
  for (tsr_index i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
  return sum;
}

static inline double spread_of(const double *x, tsr_index n, int ddof) {
  double sum = 0;
  for (tsr_index i = 0; i < n; i++) sum += x[i];
  return squares_around(x, n, sum / (double)n) / (double)(n > ddof ? n - ddof : 0);
}

static inline double log_sum(const double *x, tsr_index n) {
  double sum = 0;
  for (tsr_index i = 0; i < n; i++) sum += exp(x[i]);
  return log(sum);
}

static inline double expected(op which, const double *x, tsr_index n, int ddof, double *scale) {
  double sum = 0, product = 1, magnitude = 0, squares = 0, count = 0;
  double least = INFINITY, greatest = -INFINITY, farthest = 0;
  for (tsr_index i = 0; i < n; i++) {
    sum += x[i];
    product *= x[i];
    magnitude += fabs(x[i]);
    squares += x[i] * x[i];
    count += x[i] != 0;
    least = x[i] < least ? x[i] : least;
    greatest = x[i] > greatest ? x[i] : greatest;
    farthest = fabs(x[i]) > farthest ? fabs(x[i]) : farthest;
  }
  *scale = 0;
  switch (which) {
    case SUM: *scale = magnitude; return sum;
    case PROD: *scale = fabs(product) * (double)n; return product;
    case MEAN: *scale = magnitude / (double)n; return sum / (double)n;
    case VAR: *scale = 4 * spread_of(x, n, ddof) + 1e-6; return spread_of(x, n, ddof);
    case STD: *scale = 4 * sqrt(spread_of(x, n, ddof)) + 1e-3; return sqrt(spread_of(x, n, ddof));
    case MIN: return least;
    case MAX: return greatest;
    case ANY: return count > 0;
    case ALL: return count == (double)n;
    case COUNT: return count;
    case NORM1: *scale = magnitude; return magnitude;
    case NORM2: *scale = sqrt(squares); return sqrt(squares);
    case NORM_INF: *scale = farthest; return farthest;
    default: *scale = fabs(log_sum(x, n)) + 1; return log_sum(x, n);
  }
}

/* Products of integers wrap. */
static inline double wrapped_product(const double *x, tsr_index n, int dtype) {
  uint64_t product = 1;
  for (tsr_index i = 0; i < n; i++) product *= (uint64_t)(int64_t)x[i];
  return dtype == TSR_U64 ? (double)product : (double)(int64_t)product;
}

/* Half an ULP of 1. */
static inline double precision(int dtype) {
  switch (dtype) {
    case TSR_F16: return 0x1p-11;
    case TSR_BF16: return 0x1p-8;
    case TSR_F8_E4M3: return 0x1p-4;
    case TSR_F8_E5M2: return 0x1p-3;
    case TSR_F32: return 0x1p-23;
    case TSR_F64: return TSR_HAVE_F64 ? 0x1p-51 : 0x1p-23;
    default: return 0;
  }
}

/* The least step of a dtype around 0, and where it may overflow. */
static inline double smallest(int dtype) {
  return dtype == TSR_F8_E4M3 ? 0x1p-9 : dtype == TSR_F8_E5M2 ? 0x1p-16 : 0x1p-24;
}
static inline double largest(int dtype) { return dtype == TSR_F8_E4M3 ? 400 : dtype == TSR_F16 ? 60000 : 50000; }

static inline bool is_close(int dtype, double got, double want, double scale) {
  if (isnan(want) || (isinf(want) && dtype == TSR_F8_E4M3)) return isnan(got); /* which has no infinity */
  if (got == want) return true;
  if (precision(dtype) == 0 || isinf(want)) return false;
  if (tsr_dtype_size(dtype) <= 2 && dtype != TSR_BF16 && fabs(want) > largest(dtype)) return true;
  return fabs(got - want) <= precision(dtype) * scale + smallest(dtype) * (tsr_dtype_size(dtype) <= 2);
}

#endif
