/* tsr_equal and tsr_allclose. Both tensors are walked row by row, their elements brought to one of four kinds: exactly,
 * but for the integers that tsr_allclose compares with floats. */
#include "core/normalise.h"
#include "core/check.h"
#include "core/dtype/wide.h"
#include "core/float_to_int.h"
#include "cpu/isa.h"
#include "ops/cast/convert.h"
#include <tessera/ops.h>

#if TSR_HAVE_F64
typedef double widest;
#define WIDEST_DTYPE TSR_F64
#define COMPLEX_DTYPE TSR_C128
#define SQUARE_ROOT(x) __builtin_sqrt(x)
#else
typedef float widest;
#define WIDEST_DTYPE TSR_F32
#define COMPLEX_DTYPE TSR_C64
#define SQUARE_ROOT(x) __builtin_sqrtf(x)
#endif

typedef struct pair {
  widest re, im;
} pair;

/* Elements on the stack at a time, of each tensor. */
#if TSR_HAVE_MALLOC
#define BLOCK 64
#else
#define BLOCK 8
#endif

typedef union block {
  int64_t i[BLOCK];
  uint64_t u[BLOCK];
  widest f[BLOCK];
#if TSR_HAVE_COMPLEX
  pair c[BLOCK];
#endif
} block;

/* In this order: a comparison of kinds a ≤ b is all that equality needs. */
typedef enum kind { SIGNED, UNSIGNED, FLOAT, COMPLEX, KINDS } kind;

static const uint8_t kind_dtype[KINDS] = {TSR_I64, TSR_U64, WIDEST_DTYPE, COMPLEX_DTYPE};

static kind kind_of(int dtype) {
  if (dtype == TSR_U64) return UNSIGNED;
  const int class = tsr_dtype_describe(dtype)->class_;
  return class == TSR_CLASS_COMPLEX ? COMPLEX : class == TSR_CLASS_FLOAT ? FLOAT : SIGNED;
}

typedef struct tolerance {
  widest relative, absolute;
  bool nan_equal;
} tolerance;

/* Whether n pairs of elements all agree. */
typedef bool agree_fn(tsr_index n, const void *a, const void *b, const tolerance *within);

/* The loop around a condition on x of type A and y of type B: no other way in C to write it once. */
#define AGREE(name, A, B, condition)                                                     \
  static bool name(tsr_index n, const void *a, const void *b, const tolerance *within) { \
    const A *const xs = a;                                                               \
    const B *const ys = b;                                                               \
    bool all = true;                                                                     \
    (void)within;                                                                        \
    for (tsr_index i = 0; i < n; i++) {                                                  \
      const A x = xs[i];                                                                 \
      const B y = ys[i];                                                                 \
      all &= (condition);                                                                \
    }                                                                                    \
    return all;                                                                          \
  }

/* ---- equality ---- */

/* Exact: where the float is x rounded, it is x only if it converts back to x. */
static inline bool signed_is(int64_t x, widest y) {
  const widest end = (widest)((uint64_t)1 << 63);
  return (widest)x == y && y < end && TSR__I64_OF_WIDEST(y) == x;
}

static inline bool unsigned_is(uint64_t x, widest y) {
  const widest end = (widest)((uint64_t)1 << 63) * 2;
  return (widest)x == y && y < end && TSR__U64_OF_WIDEST(y) == x;
}

AGREE(signed_equal, int64_t, int64_t, x == y)
AGREE(unsigned_equal, uint64_t, uint64_t, x == y)
AGREE(float_equal, widest, widest, x == y)
AGREE(signed_unsigned_equal, int64_t, uint64_t, x >= 0 && (uint64_t)x == y)
AGREE(signed_float_equal, int64_t, widest, signed_is(x, y))
AGREE(unsigned_float_equal, uint64_t, widest, unsigned_is(x, y))
#if TSR_HAVE_COMPLEX
AGREE(complex_equal, pair, pair, x.re == y.re && x.im == y.im)
AGREE(signed_complex_equal, int64_t, pair, y.im == 0 && signed_is(x, y.re))
AGREE(unsigned_complex_equal, uint64_t, pair, y.im == 0 && unsigned_is(x, y.re))
AGREE(float_complex_equal, widest, pair, x == y.re && y.im == 0)
#endif

static agree_fn *const equal_fns[KINDS][KINDS] = {
    [SIGNED] = {[SIGNED] = signed_equal, [UNSIGNED] = signed_unsigned_equal, [FLOAT] = signed_float_equal},
    [UNSIGNED] = {[UNSIGNED] = unsigned_equal, [FLOAT] = unsigned_float_equal},
    [FLOAT] = {[FLOAT] = float_equal},
#if TSR_HAVE_COMPLEX
    [SIGNED][COMPLEX] = signed_complex_equal,
    [UNSIGNED][COMPLEX] = unsigned_complex_equal,
    [FLOAT][COMPLEX] = float_complex_equal,
    [COMPLEX][COMPLEX] = complex_equal,
#endif
};

/* ---- closeness ---- */

static inline widest magnitude(widest x) { return x < 0 ? -x : x; }
static inline bool is_finite(widest x) { return x - x == 0; }
static inline bool is_nan(widest x) { return x != x; }

/* Two statements, so that no compiler makes one fused operation of them. */
static inline bool is_within(widest distance, widest reference, const tolerance *within) {
  const widest relative = within->relative * reference;
  return distance <= within->absolute + relative;
}

static inline bool floats_close(widest x, widest y, const tolerance *within) {
  if (x == y) return true;
  if (is_nan(x) && is_nan(y)) return within->nan_equal;
  return is_finite(x) && is_finite(y) && is_within(magnitude(x - y), magnitude(y), within);
}

/* Exact differences of integers, for any two signs. */
static inline bool integers_close(bool x_negative, uint64_t x, bool y_negative, uint64_t y, const tolerance *within) {
  widest distance = (widest)(x > y ? x - y : y - x);
  if (x_negative != y_negative) distance = x + y >= x ? (widest)(x + y) : (widest)x + (widest)y;
  return distance == 0 || is_within(distance, (widest)y, within);
}

static inline uint64_t magnitude_i64(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

AGREE(float_close, widest, widest, floats_close(x, y, within))
AGREE(signed_close, int64_t, int64_t, integers_close(x < 0, magnitude_i64(x), y < 0, magnitude_i64(y), within))
AGREE(unsigned_close, uint64_t, uint64_t, integers_close(false, x, false, y, within))
AGREE(signed_unsigned_close, int64_t, uint64_t, integers_close(x < 0, magnitude_i64(x), false, y, within))
AGREE(unsigned_signed_close, uint64_t, int64_t, integers_close(false, x, y < 0, magnitude_i64(y), within))

#if TSR_HAVE_COMPLEX
/* |x|, scaled so that no square overflows or vanishes. */
static inline widest modulus(pair x) {
  const widest re = magnitude(x.re), im = magnitude(x.im);
  const widest larger = re > im ? re : im;
  if (larger == 0 || !is_finite(larger)) return larger;
  const widest a = re / larger, b = im / larger;
  const widest aa = a * a, bb = b * b;
  return larger * SQUARE_ROOT(aa + bb);
}

static inline bool pairs_close(pair x, pair y, const tolerance *within) {
  if (x.re == y.re && x.im == y.im) return true;
  if ((is_nan(x.re) || is_nan(x.im)) && (is_nan(y.re) || is_nan(y.im))) return within->nan_equal;
  const bool finite = is_finite(x.re) && is_finite(x.im) && is_finite(y.re) && is_finite(y.im);
  return finite && is_within(modulus((pair){x.re - y.re, x.im - y.im}), modulus(y), within);
}

AGREE(complex_close, pair, pair, pairs_close(x, y, within))
#endif

static agree_fn *const close_fns[KINDS][KINDS] = {
    [SIGNED] = {[SIGNED] = signed_close, [UNSIGNED] = signed_unsigned_close},
    [UNSIGNED] = {[SIGNED] = unsigned_signed_close, [UNSIGNED] = unsigned_close},
    [FLOAT] = {[FLOAT] = float_close},
#if TSR_HAVE_COMPLEX
    [COMPLEX] = {[COMPLEX] = complex_close},
#endif
};

/* ---- walking two tensors ---- */

typedef struct operand {
  const tsr_tensor *tensor;
  int dtype; /* to compare in */
  ptrdiff_t step[TSR_MAX_DIMS];
  ptrdiff_t row_step;
} operand;

typedef struct comparison {
  operand a, b;
  agree_fn *agree;
  tolerance within;
  int isa;
} comparison;

static operand operand_of(const tsr_tensor *t, kind as) {
  operand made = {.tensor = t, .dtype = kind_dtype[as]};
  for (int axis = 0; axis < t->ndim; axis++)
    made.step[axis] = (ptrdiff_t)t->stride[axis] * (ptrdiff_t)tsr_dtype_size(t->dtype);
  if (t->ndim > 0) made.row_step = made.step[t->ndim - 1];
  return made;
}

/* n elements at offset as a row of the operand's dtype: where they lie, or converted to room. */
static const void *staged(const operand *x, int isa, tsr_index n, ptrdiff_t offset, block *room) {
  const char *const at = (const char *)x->tensor->data + offset;
  const ptrdiff_t size = (ptrdiff_t)tsr_dtype_size(x->dtype);
  if (x->tensor->dtype == x->dtype && x->row_step == size) return at;
  tsr__convert_row(isa, x->tensor->dtype, x->dtype, n, at, x->row_step, (char *)room, size);
  return room;
}

static bool rows_agree(const comparison *c, ptrdiff_t a_offset, ptrdiff_t b_offset) {
  const tsr_tensor *const t = c->a.tensor;
  const tsr_index n = t->ndim > 0 ? t->shape[t->ndim - 1] : 1;
  block a_room, b_room;
  for (tsr_index begin = 0; begin < n; begin += BLOCK) {
    const tsr_index count = n - begin < BLOCK ? n - begin : BLOCK;
    const void *const a = staged(&c->a, c->isa, count, a_offset + (ptrdiff_t)begin * c->a.row_step, &a_room);
    const void *const b = staged(&c->b, c->isa, count, b_offset + (ptrdiff_t)begin * c->b.row_step, &b_room);
    if (!c->agree(count, a, b, &c->within)) return false;
  }
  return true;
}

/* The shapes are the same. */
static bool all_agree(const comparison *c) {
  const tsr_tensor *const t = c->a.tensor;
  tsr_index index[TSR_MAX_DIMS] = {0};
  ptrdiff_t a = 0, b = 0;
  if (tsr_size(t) == 0) return true;
  for (;;) {
    if (!rows_agree(c, a, b)) return false;
    int axis = t->ndim - 2;
    for (; axis >= 0; axis--) {
      a += c->a.step[axis];
      b += c->b.step[axis];
      if (++index[axis] < t->shape[axis]) break;
      a -= (ptrdiff_t)t->shape[axis] * c->a.step[axis];
      b -= (ptrdiff_t)t->shape[axis] * c->b.step[axis];
      index[axis] = 0;
    }
    if (axis < 0) return true;
  }
}

static tsr_status check_operand(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const tsr_status st = tsr__check_input(ctx, op, arg, t);
  if (st != TSR_OK || tsr_dtype_supported(t->dtype)) return st;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %y, which this build does not compute with", (int)t->dtype);
}

static tsr_status check_operands(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b) {
  const tsr_status st = check_operand(ctx, op, "a", a);
  return st != TSR_OK ? st : check_operand(ctx, op, "b", b);
}

/* ---- the public functions ---- */

tsr_status tsr_equal(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, bool *equal) {
  TSR__NORMALISE_ALL(a, b);
  if (equal == NULL) return TSR__FAIL(ctx, TSR_EARG, "equal", "equal", "is NULL");
  const tsr_status st = check_operands(ctx, "equal", a, b);
  if (st != TSR_OK) return st;
  if (!tsr_same_shape(a, b)) {
    *equal = false;
    return TSR_OK;
  }
  const bool in_order = kind_of(a->dtype) <= kind_of(b->dtype);
  const tsr_tensor *const low = in_order ? a : b, *const high = in_order ? b : a;
  const kind low_kind = kind_of(low->dtype), high_kind = kind_of(high->dtype);
  const comparison c = {.a = operand_of(low, low_kind),
                        .b = operand_of(high, high_kind),
                        .agree = equal_fns[low_kind][high_kind],
                        .isa = tsr__isa_of(ctx)};
  *equal = all_agree(&c);
  return TSR_OK;
}

tsr_status tsr_allclose(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol, tsr_real atol,
                        bool nan_equal, bool *close) {
  TSR__NORMALISE_ALL(a, b);
  if (close == NULL) return TSR__FAIL(ctx, TSR_EARG, "allclose", "close", "is NULL");
  const tsr_status st = check_operands(ctx, "allclose", a, b);
  if (st != TSR_OK) return st;
  if (!(rtol >= 0)) return TSR__FAIL(ctx, TSR_EARG, "allclose", "rtol", "is %r, which is not 0 or more", &rtol);
  if (!(atol >= 0)) return TSR__FAIL(ctx, TSR_EARG, "allclose", "atol", "is %r, which is not 0 or more", &atol);
  if (!tsr_same_shape(a, b)) {
    *close = false;
    return TSR_OK;
  }
  kind a_kind = kind_of(a->dtype), b_kind = kind_of(b->dtype);
  const kind higher = a_kind > b_kind ? a_kind : b_kind;
  if (higher >= FLOAT) a_kind = b_kind = higher; /* integers keep their own kinds: their differences are exact */
  const comparison c = {.a = operand_of(a, a_kind),
                        .b = operand_of(b, b_kind),
                        .agree = close_fns[a_kind][b_kind],
                        .within = {.relative = rtol, .absolute = atol, .nan_equal = nan_equal},
                        .isa = tsr__isa_of(ctx)};
  *close = all_agree(&c);
  return TSR_OK;
}
