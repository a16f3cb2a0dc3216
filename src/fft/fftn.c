/* Transforms along several axes, one after another: from the input to the output along the last of them, then in place. To real numbers it is
 * the other way round: along the last axis at the end, from temporary memory. */
#include "fft/ops.h"
#include "fft/transform.h"
#include "ops/copy/copy.h"
#include "ops/move/target.h"
#include "ops/parts.h"

typedef struct axes {
  tsr__fft_form form;
  int count, dtype;
  tsr__fft_axis axis[TSR_MAX_DIMS]; /* in the order that they are transformed in */
  tsr_index inside[TSR_MAX_DIMS];   /* the shape while complex numbers are transformed */
  tsr_index shape[TSR_MAX_DIMS];    /* of the result */
} axes;

/* ---- checks ---- */

static tsr_status check_count(const tsr__call *call, const tsr__fft_axes_attrs *attrs) {
  const tsr_tensor *const x = call->in[0];
  const int count = attrs->axes == NULL ? x->ndim : attrs->axes_count;
  uint32_t mask;
  const tsr_status st = tsr__check_axes(call->ctx, call->op, x, attrs->axes_count, attrs->axes, &mask);
  if (st != TSR_OK) return st;
  if (count == 0) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "axes", "are none: nothing to transform");
  for (int i = 0; i < x->ndim && attrs->n != NULL; i++)
    if (attrs->n[i] < 0 || (attrs->n[i] != 0 && (mask >> i & 1) == 0))
      return TSR__FAIL(call->ctx, TSR_EARG, call->op, "n", "is %l for axis %d%s", (int64_t)attrs->n[i], i,
                       attrs->n[i] < 0 ? "" : ", which is not transformed");
  return tsr__fft_check_norm(call, (int)attrs->norm);
}

/* The length of axis i; the last of the axes may be a real one. */
static tsr_status set_axis(const tsr__call *call, const tsr__fft_axes_attrs *attrs, int i, bool real,
                           tsr__fft_axis *a) {
  const tsr_tensor *const x = call->in[0];
  const bool to_real = real && a->form.kind == TSR__FFT_TO_REAL;
  const tsr_index length = x->shape[i], given = attrs->n != NULL ? attrs->n[i] : 0;
  if (!real) a->form.kind = TSR__FFT_COMPLEX;
  a->axis = i;
  a->n = given != 0 ? given : !to_real ? length : length > TSR_INDEX_MAX / 2 ? 0 : 2 * (length - 1);
  a->scale = a->n > 0 ? tsr__fft_scale(a->form, attrs->norm, a->n) : 1;
  if (a->n >= 1) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "%S has %l elements along axis %d: nothing to transform",
                   (int)x->ndim, x->shape, (int64_t)length, i);
}

static tsr_status check_axes(const tsr__call *call, axes *all) {
  const tsr__fft_axes_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  tsr_status st = tsr__fft_dtype(call, all->form.kind == TSR__FFT_TO_HALF, &all->dtype);
  if (st == TSR_OK) st = check_count(call, attrs);
  if (st != TSR_OK) return st;
  all->count = attrs->axes == NULL ? x->ndim : attrs->axes_count;
  for (int i = 0; i < x->ndim; i++) all->inside[i] = all->shape[i] = x->shape[i];
  const bool real_last = all->form.kind == TSR__FFT_TO_REAL;
  for (int k = 0; k < all->count && st == TSR_OK; k++) {
    const int which = all->count - 1 - k, place = real_last ? (k == 0 ? all->count - 1 : k - 1) : k;
    int i = attrs->axes == NULL ? which : attrs->axes[which];
    tsr__fft_axis *const a = &all->axis[place];
    if (i < 0) i += x->ndim;
    *a = (tsr__fft_axis){.form = all->form, .dtype = all->dtype};
    st = set_axis(call, attrs, i, k == 0, a);
    if (st != TSR_OK) return st;
    all->shape[i] = tsr__fft_length(a);
    all->inside[i] = a->form.kind == TSR__FFT_COMPLEX ? a->n : tsr__fft_half(a->n);
  }
  return st;
}

/* ---- memory ---- */

typedef struct memory {
  tsr_tensor x;       /* the input, in the dtype that is computed in */
  tsr_tensor between; /* complex numbers on the way to real ones */
  tsr__target target;
  void *scratch;
} memory;

static tsr_status make_between(tsr__call *call, const axes *all, memory *m) {
  if (all->form.kind != TSR__FFT_TO_REAL || all->count == 1) return TSR_OK;
  m->between = (tsr_tensor){.dtype = (uint8_t)tsr__fft_complex(all->dtype), .ndim = call->in[0]->ndim};
  tsr_index size = 1;
  bool fits = true;
  for (int i = 0; i < m->between.ndim; i++) {
    m->between.shape[i] = all->inside[i];
    fits = fits && tsr__mul_index(size, all->inside[i], &size);
  }
  if (!fits || (uint64_t)size > PTRDIFF_MAX / 16)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "n", "does not fit the address space");
  tsr__strides_for(m->between.ndim, m->between.shape, TSR_ROW_MAJOR, m->between.stride);
  return tsr__call_scratch(call, (size_t)size * tsr_dtype_size(m->between.dtype), &m->between.data);
}

static tsr_status make_memory(tsr__call *call, const axes *all, int dtype, memory *m) {
  const tsr_tensor *const in = call->in[0];
  size_t bytes = 0;
  tsr_status st = TSR_OK;
  m->x = *in;
  m->x.flags = 0;
  m->x.layout = TSR_PLAIN;
  if (tsr__part_dtype(in->dtype) != all->dtype) st = tsr__call_copy_as(call, in, all->dtype, &m->x);
  for (int k = 0; k < all->count && st == TSR_OK; k++) st = tsr__fft_axis_scratch(call, &all->axis[k], &bytes);
  if (st == TSR_OK) st = tsr__call_scratch(call, bytes, &m->scratch);
  if (st == TSR_OK) st = make_between(call, all, m);
  if (st != TSR_OK) return st;
  const bool apart =
      m->x.data != in->data || m->between.data != NULL || (in->dtype == dtype && tsr__same_view(in, call->out[0]));
  return tsr__call_target_of(call, dtype, !apart && tsr__call_overlaps(call), &m->target);
}

static tsr_status get_plans(const tsr__call *call, axes *all) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < all->count && st == TSR_OK; k++) st = tsr__fft_axis_plan(call, &all->axis[k]);
  return st;
}

static void put_plans(axes *all) {
  for (int k = 0; k < all->count; k++) tsr__fft_axis_done(&all->axis[k]);
}

/* ---- the elements ---- */

/* The first axis, from x to inside: what x has besides is cropped, what it has not is 0. */
static void run_first(const tsr_ctx *ctx, const tsr__fft_axis *a, const tsr_tensor *x, const tsr_tensor *inside,
                      void *scratch) {
  tsr_tensor from = *x, to = *inside;
  bool is_short = false;
  for (int i = 0; i < x->ndim; i++) {
    if (i == a->axis) continue;
    is_short = is_short || x->shape[i] < inside->shape[i];
    from.shape[i] = to.shape[i] = x->shape[i] < inside->shape[i] ? x->shape[i] : inside->shape[i];
  }
  if (is_short) tsr__fill_host(ctx, inside, (const double[2]){0, 0});
  if (tsr_size(&to) > 0) tsr__fft_transform(ctx, a, &from, &to, scratch);
}

static void run_axes(const tsr_ctx *ctx, const axes *all, const memory *m) {
  const bool by_way = m->between.data != NULL;
  const tsr_tensor *const inside = by_way ? &m->between : &m->target.view;
  const int last = all->count - (by_way ? 1 : 0);
  run_first(ctx, &all->axis[0], &m->x, inside, m->scratch);
  for (int k = 1; k < last; k++) tsr__fft_transform(ctx, &all->axis[k], inside, inside, m->scratch);
  if (by_way) tsr__fft_transform(ctx, &all->axis[last], inside, &m->target.view, m->scratch);
}

static tsr_status transform_axes(tsr__call *call) {
  const tsr_tensor *const in = call->in[0];
  axes all = {.form = *(const tsr__fft_form *)call->info->kernels};
  memory m = {.scratch = NULL};
  tsr_status st = check_axes(call, &all);
  if (st != TSR_OK) return st;
  const int dtype = all.form.kind == TSR__FFT_TO_REAL ? all.dtype : tsr__fft_complex(all.dtype);
  const tsr__result result = {dtype, TSR_PLAIN, in->ndim, all.shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = make_memory(call, &all, dtype, &m);
  if (st != TSR_OK || m.target.bytes == 0) return st;
  st = get_plans(call, &all);
  if (st == TSR_OK) {
    if (m.x.data != in->data) tsr__copy_no_alias(call->ctx, in, &m.x);
    run_axes(call->ctx, &all, &m);
    tsr__target_end(call->ctx, call->out[0], &m.target);
  }
  put_plans(&all);
  return st;
}

#define AXES(name, kind, inverse)                                                                           \
  static const tsr__fft_form name##_form = {kind, inverse, false};                                          \
  TSR__OP_ROW(name, fft_axes, transform_axes, &name##_form, 0)                                              \
  tsr_status tsr_##name(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes_, const tsr_index *n, \
                        tsr_fft_norm norm, tsr_tensor *out) {                                               \
    const tsr__fft_axes_attrs attrs = {                                                                     \
        .axes_count = naxes, .axes = axes_, .n_count = x != NULL ? x->ndim : 0, .n = n, .norm = norm};      \
    return tsr__call_op(ctx, &tsr__op_##name, &attrs, TSR__INPUTS(x), TSR__OUTPUTS(out));                   \
  }
AXES(fftn, TSR__FFT_COMPLEX, false)  /* tsr_fftn */
AXES(ifftn, TSR__FFT_COMPLEX, true)  /* tsr_ifftn */
AXES(rfftn, TSR__FFT_TO_HALF, false) /* tsr_rfftn */
AXES(irfftn, TSR__FFT_TO_REAL, true) /* tsr_irfftn */
