/* tsr_cross: vectors of 3 or 2 along one axis. */
#include "core/operand.h"
#include "core/dtype/wide.h"
#include "core/view.h"
#include "ops/einsum/einsum.h"
#include "ops/elementwise/elementwise.h"
#include "ops/move/target.h"
#include "ops/promote.h"

/* Bytes from component to component: of the output, of a, of b. */
typedef struct vectors {
  ptrdiff_t step[3];
  int length;
} vectors;

/* ---- one type: w·x - y·z, and rows of vectors ---- */

#define NUMBERS(name, type, wide)                                   \
  static inline type name##_minus(type w, type x, type y, type z) { \
    return (type)((wide)w * (wide)x - (wide)y * (wide)z);           \
  }                                                                 \
  VECTORS(name, type)

#define COMPLEX(name, type)                                                   \
  static inline type name##_minus(type w, type x, type y, type z) {           \
    return (type){(w.re * x.re - w.im * x.im) - (y.re * z.re - y.im * z.im),  \
                  (w.re * x.im + w.im * x.re) - (y.re * z.im + y.im * z.re)}; \
  }                                                                           \
  VECTORS(name, type)

#define AT(type, base, c) (*(type *)(void *)((base) + (c)))
#define VECTORS(name, type)                                                                          \
  static void name(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {                 \
    const vectors v = *(const vectors *)arg;                                                         \
    const ptrdiff_t y_step = step[0], a_step = step[1], b_step = step[2];                            \
    const ptrdiff_t y1 = v.step[0], y2 = 2 * y1, p = v.step[1], q = v.step[2];                       \
    char *y = at[0], *a = at[1], *b = at[2];                                                         \
    for (; n > 0; n--, y += y_step, a += a_step, b += b_step) {                                      \
      const type a0 = AT(type, a, 0), a1 = AT(type, a, p), b0 = AT(type, b, 0), b1 = AT(type, b, q); \
      const type last = name##_minus(a0, b1, a1, b0);                                                \
      if (v.length == 2) {                                                                           \
        AT(type, y, 0) = last;                                                                       \
        continue;                                                                                    \
      }                                                                                              \
      const type a2 = AT(type, a, 2 * p), b2 = AT(type, b, 2 * q);                                   \
      AT(type, y, 0) = name##_minus(a1, b2, a2, b1);                                                 \
      AT(type, y, y1) = name##_minus(a2, b0, a0, b2);                                                \
      AT(type, y, y2) = last;                                                                        \
    }                                                                                                \
  }

NUMBERS(cross_1, uint8_t, uint32_t)
NUMBERS(cross_2, uint16_t, uint32_t)
NUMBERS(cross_4, uint32_t, uint32_t)
NUMBERS(cross_8, uint64_t, uint64_t)
NUMBERS(cross_f32, float, float)
#if TSR_HAVE_F64
NUMBERS(cross_f64, double, double)
#endif
#if TSR_HAVE_C64
COMPLEX(cross_c64, tsr__wide_c64)
#endif
#if TSR_HAVE_C128
COMPLEX(cross_c128, tsr__wide_c128)
#endif

/* The kernel of a dtype that is computed in: integers of one size share one, because their bits agree. */
static tsr__row_fn *kernel_of(int dtype) {
  switch (dtype) {
    case TSR_F32:
      return cross_f32;
#if TSR_HAVE_F64
    case TSR_F64:
      return cross_f64;
#endif
#if TSR_HAVE_C64
    case TSR_C64:
      return cross_c64;
#endif
#if TSR_HAVE_C128
    case TSR_C128:
      return cross_c128;
#endif
    default:
      break;
  }
  const size_t item = tsr_dtype_size(dtype);
  return item == 1 ? cross_1 : item == 2 ? cross_2 : item == 4 ? cross_4 : cross_8;
}

/* ---- the call ---- */

typedef struct call {
  tsr_tensor a, b;   /* without the vectors' axis */
  tsr_index step[2]; /* along it, in elements */
  int axis;          /* of the result */
  int length;
  int ndim; /* of what they broadcast to */
  tsr_index shape[TSR_MAX_DIMS];
} call;

static tsr_status take_axis(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, int axis,
                            tsr_tensor *rest, tsr_index *step, int *length) {
  tsr_status st = tsr__check_input(ctx, op, arg, t);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, t->ndim, &axis);
  if (st != TSR_OK) return st;
  if (t->shape[axis] != 2 && t->shape[axis] != 3)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "%S has %l along axis %d: vectors of 3 or of 2 are taken", (int)t->ndim,
                     t->shape, (int64_t)t->shape[axis], axis);
  *rest = *t;
  *step = t->stride[axis];
  *length = (int)t->shape[axis];
  rest->flags = 0;
  tsr__view_drop_axis(rest, axis);
  rest->layout = TSR_PLAIN;
  return TSR_OK;
}

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b, int axis, call *c) {
  static const char *const names[] = {"a", "b"};
  int other = 0;
  tsr_status st = take_axis(ctx, op, "a", a, axis, &c->a, &c->step[0], &c->length);
  if (st == TSR_OK) st = take_axis(ctx, op, "b", b, axis, &c->b, &c->step[1], &other);
  if (st != TSR_OK) return st;
  if (c->length != other)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S has vectors of %d and b %S has vectors of %d", (int)a->ndim,
                     a->shape, c->length, (int)b->ndim, b->shape, other);
  const tsr_tensor *const rest[] = {&c->a, &c->b};
  st = tsr__broadcast_shape(ctx, op, 2, rest, names, &c->ndim, c->shape);
  return st == TSR_OK ? tsr__check_axis(ctx, op, "axis", axis, c->ndim + 1, &c->axis) : st;
}

/* An operand without the vectors' axis, repeated over the shape. */
static tsr_tensor spread(const call *c, const tsr_tensor *t) {
  tsr_tensor view = *t;
  for (int i = 0; i < c->ndim; i++) {
    const int own = i - (c->ndim - t->ndim);
    view.shape[i] = c->shape[i];
    view.stride[i] = own >= 0 && t->shape[own] == c->shape[i] ? t->stride[own] : 0;
  }
  view.ndim = (uint8_t)c->ndim;
  return view;
}

static void run(tsr_ctx *ctx, const call *c, const tsr_tensor *out) {
  const ptrdiff_t item = tsr__item(out);
  vectors v = {{0, (ptrdiff_t)c->step[0] * item, (ptrdiff_t)c->step[1] * item}, c->length};
  const tsr_tensor a = spread(c, &c->a), b = spread(c, &c->b);
  tsr_tensor y = *out;
  if (c->length == 3) {
    v.step[0] = (ptrdiff_t)out->stride[c->axis] * item;
    tsr__view_drop_axis(&y, c->axis);
  }
  const tsr_tensor *const operands[] = {&y, &a, &b};
  tsr__loop loop;
  tsr__loop_init(&loop, 3, operands);
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_LIGHT / 4, kernel_of(out->dtype), &v);
}

tsr_status tsr_cross(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, int axis, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  static const char op[] = "cross";
  static const char *const names[] = {"a", "b"};
  call c;
  tsr_status st = check(ctx, op, a, b, axis, &c);
  if (st != TSR_OK) return st;
  const tsr_tensor *const in[] = {a, b};
  int dtype = TSR_NONE;
  st = tsr__promote_numbers(ctx, op, false, 2, in, names, &dtype);
  if (st != TSR_OK) return st;
  const int compute = tsr__compute_of(dtype);
  tsr_index shape[TSR_MAX_DIMS];
  int n = 0;
  for (int i = 0; i <= c.ndim; i++) {
    if (i == c.axis && c.length == 3) shape[n++] = 3;
    if (i < c.ndim) shape[n++] = c.shape[i];
  }
  const tsr__result result = {dtype, TSR_PLAIN, n, shape, NULL};
  tsr__scratch scratch[2] = {{0}};
  tsr_tensor wide[2] = {{0}};
  tsr__target target;
  st = tsr__output_check(ctx, op, &result, out);
  for (int k = 0; k < 2 && st == TSR_OK; k++) st = tsr__as_dtype(ctx, op, in[k], compute, &scratch[k], &wide[k]);
  if (st == TSR_OK) st = check(ctx, op, &wide[0], &wide[1], axis, &c);
  const tsr_tensor *const read[] = {&wide[0], &wide[1]};
  if (st == TSR_OK) st = tsr__target_begin_as(ctx, op, &result, compute, 2, read, out, &target);
  if (st == TSR_OK) {
    if (target.bytes > 0) run(ctx, &c, &target.view);
    tsr__target_end(ctx, out, &target);
  }
  for (int k = 1; k >= 0; k--) tsr__scratch_put(&scratch[k]);
  return st;
}
