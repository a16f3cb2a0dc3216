/* tsr_cross: vectors of 3 or 2 along one axis. */
#include "core/dtype/wide.h"
#include "core/view.h"
#include "ops/einsum/ops.h"
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
  static void name(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    const vectors v = *(const vectors *)args->param;                                                 \
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
    case TSR_F32: return cross_f32;
#if TSR_HAVE_F64
    case TSR_F64: return cross_f64;
#endif
#if TSR_HAVE_C64
    case TSR_C64: return cross_c64;
#endif
#if TSR_HAVE_C128
    case TSR_C128: return cross_c128;
#endif
    default: break;
  }
  const size_t item = tsr_dtype_size(dtype);
  return item == 1 ? cross_1 : item == 2 ? cross_2 : item == 4 ? cross_4 : cross_8;
}

/* ---- the call ---- */

typedef struct factors {
  tsr_tensor rest[2]; /* a and b without the vectors' axis */
  tsr_index step[2];  /* along it, in elements */
  int axis;           /* of the result */
  int length;
  int ndim; /* of what they broadcast to */
  tsr_index shape[TSR_MAX_DIMS];
} factors;

static const char *const names[] = {"a", "b"};

static tsr_status check_vectors(const tsr__call *call, int k, int *axis) {
  const tsr_tensor *const t = call->in[k];
  const tsr_status st = tsr__call_axis(call, "axis", t->ndim, axis);
  if (st != TSR_OK || t->shape[*axis] == 2 || t->shape[*axis] == 3) return st;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, names[k], "%S has %l along axis %d: vectors of 3 or of 2 are taken",
                   (int)t->ndim, t->shape, (int64_t)t->shape[*axis], *axis);
}

/* Operand k of another dtype or place than the call's, but of its shape. */
static void bind_vectors(const tsr_tensor *t, int k, int axis, factors *f) {
  tsr_tensor *const rest = &f->rest[k];
  (void)tsr__resolve_axis(&axis, t->ndim);
  *rest = *t;
  f->step[k] = t->stride[axis];
  rest->flags = 0;
  tsr__view_drop_axis(rest, axis);
  rest->layout = TSR_PLAIN;
}

static tsr_status check_factors(const tsr__call *call, int axis, factors *f) {
  const tsr_tensor *const a = call->in[0], *const b = call->in[1];
  int own[2] = {axis, axis};
  tsr_status st = check_vectors(call, 0, &own[0]);
  if (st == TSR_OK) st = check_vectors(call, 1, &own[1]);
  if (st != TSR_OK) return st;
  f->length = (int)a->shape[own[0]];
  if (f->length != (int)b->shape[own[1]])
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, NULL, "a %S has vectors of %d and b %S has vectors of %d",
                     (int)a->ndim, a->shape, f->length, (int)b->ndim, b->shape, (int)b->shape[own[1]]);
  bind_vectors(a, 0, axis, f);
  bind_vectors(b, 1, axis, f);
  const tsr_tensor *const rest[] = {&f->rest[0], &f->rest[1]};
  f->axis = axis;
  st = tsr__broadcast_shape(call->ctx, call->op, 2, rest, names, &f->ndim, f->shape);
  return st == TSR_OK ? tsr__call_axis(call, "axis", f->ndim + 1, &f->axis) : st;
}

/* An operand without the vectors' axis, repeated over the shape. */
static tsr_tensor broadcast_view(const factors *f, const tsr_tensor *t) {
  tsr_tensor view = *t;
  for (int i = 0; i < f->ndim; i++) {
    const int own = i - (f->ndim - t->ndim);
    view.shape[i] = f->shape[i];
    view.stride[i] = own >= 0 && t->shape[own] == f->shape[i] ? t->stride[own] : 0;
  }
  view.ndim = (uint8_t)f->ndim;
  return view;
}

static void multiply_vectors(const tsr_ctx *ctx, const factors *f, const tsr_tensor *out) {
  const ptrdiff_t item = tsr__item(out);
  vectors v = {{0, (ptrdiff_t)f->step[0] * item, (ptrdiff_t)f->step[1] * item}, f->length};
  const tsr_tensor a = broadcast_view(f, &f->rest[0]), b = broadcast_view(f, &f->rest[1]);
  tsr_tensor y = *out;
  if (f->length == 3) {
    v.step[0] = (ptrdiff_t)out->stride[f->axis] * item;
    tsr__view_drop_axis(&y, f->axis);
  }
  const tsr_tensor *const operands[] = {&y, &a, &b};
  tsr__loop loop;
  tsr__loop_init(&loop, 3, operands);
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_LIGHT / 4, kernel_of(out->dtype), &v);
}

static int result_shape(const factors *f, tsr_index *shape) {
  int n = 0;
  for (int i = 0; i <= f->ndim; i++) {
    if (i == f->axis && f->length == 3) shape[n++] = 3;
    if (i < f->ndim) shape[n++] = f->shape[i];
  }
  return n;
}

/* For operand k as dtype. */
static tsr_status make_room(tsr__call *call, int k, int dtype, tsr_tensor *wide) {
  tsr_tensor described = *call->in[k];
  described.dtype = (uint8_t)dtype;
  return tsr__call_copy_of(call, &described, wide);
}

static tsr_status cross(tsr__call *call) {
  const tsr__cross_attrs *const attrs = call->attrs;
  factors f;
  tsr_index shape[TSR_MAX_DIMS + 1];
  tsr_tensor wide[2];
  tsr__target target;
  int dtype = TSR_NONE;
  tsr_status st = check_factors(call, attrs->axis, &f);
  if (st == TSR_OK) st = tsr__promote_numbers(call->ctx, call->op, false, 2, call->in, names, &dtype);
  if (st != TSR_OK) return st;
  const int compute = tsr__compute_of(dtype);
  const tsr__result result = {dtype, TSR_PLAIN, result_shape(&f, shape), shape, NULL};
  for (int k = 0; k < 2 && st == TSR_OK; k++)
    if (call->in[k]->dtype != compute) st = make_room(call, k, compute, &wide[k]);
  if (st == TSR_OK) st = tsr__call_target_as(call, &result, compute, false, &target);
  if (st != TSR_OK) return st;
  for (int k = 0; k < 2; k++) {
    if (call->in[k]->dtype == compute) continue;
    tsr__copy_no_alias(call->ctx, call->in[k], &wide[k]);
    bind_vectors(&wide[k], k, attrs->axis, &f);
  }
  if (target.bytes > 0) multiply_vectors(call->ctx, &f, &target.view);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(cross, cross, 0)
tsr_status tsr_cross(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, int axis, tsr_tensor *out) {
  return TSR__CALL(cross, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .axis = axis);
}
