/* Pooling of quantised numbers: channels side by side, a few at a time. */
#include "nn/pool/pool.h"
#include "cpu/parallel.h"
#include "nn/image.h"
#include "nn/quant/ops.h"
#include "nn/quant/plain/window.h"
#include "nn/quant/quant.h"
#include "ops/move/target.h"

enum { CHANNELS = 16, GRAIN = 1 << 15 };

typedef struct walk {
  bool max;     /* else the mean */
  int32_t zero; /* what padding counts as in means */
  uint8_t dtype;
  tsr_index images;
  tsr__pool p; /* whose x is not looked at */
  const char *x;
  char *out;
  ptrdiff_t xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES];
  tsr_index channels;
} walk;

/* n channels of one element, folded into v. */
#define FOLD(type)                                             \
  for (int i = 0; i < n; i++, x += step) {                     \
    const int32_t value = *(const type *)(const void *)x;      \
    v[i] = max ? (value > v[i] ? value : v[i]) : v[i] + value; \
  }

__attribute__((noinline)) static void fold(int dtype, bool max, int n, const char *x, ptrdiff_t step, int32_t *v) {
  if (dtype == TSR_I8) {
    FOLD(int8_t)
  } else if (dtype == TSR_U8) {
    FOLD(uint8_t)
  } else {
    FOLD(int16_t)
  }
}

/* floor(sum / count + 1/2), or halves away from 0. */
static int32_t mean_of(int32_t sum, int32_t count) {
  const int32_t top = 2 * sum + count - (TSR__ROUND_TWICE && sum < 0), bottom = 2 * count, q = top / bottom;
  return q - (top % bottom < 0 ? 1 : 0);
}

__attribute__((noinline)) static void run_channels(const walk *k, const char *x, tsr_index y, tsr_index column,
                                                   char *out, int n) {
  const tsr__pool *const p = &k->p;
  const tsr_index y0 = tsr__pool_first(&p->row, y), x0 = tsr__pool_first(&p->column, column);
  const tsr__pool_taps rows = tsr__pool_inside(&p->row, y0), columns = tsr__pool_inside(&p->column, x0);
  const int dtype = k->dtype;
  const int32_t least = tsr__quant_low(dtype);
  int32_t v[CHANNELS];
  for (int i = 0; i < n; i++) v[i] = k->max ? least : 0;
  for (tsr_index r = rows.from; r < rows.to; r++)
    for (tsr_index c = columns.from; c < columns.to; c++)
      fold(dtype, k->max, n,
           x + (ptrdiff_t)(y0 + r * p->row.dilation) * k->xs[TSR__IMAGE_H] +
               (ptrdiff_t)(x0 + c * p->column.dilation) * k->xs[TSR__IMAGE_W],
           k->xs[TSR__IMAGE_C], v);
  const int32_t inside = (int32_t)((rows.to - rows.from) * (columns.to - columns.from));
  const int32_t count = (int32_t)(tsr__pool_count(p, &p->row, y0) * tsr__pool_count(p, &p->column, x0));
  for (int i = 0; i < n; i++, out += k->os[TSR__IMAGE_C]) {
    if (!k->max) v[i] = count > 0 ? mean_of(v[i] + (count - inside) * k->zero, count) : k->zero;
    tsr__quant_store(dtype, out, v[i]);
  }
}

/* One window, every channel. */
static void run_pixel(const walk *k, const char *x, tsr_index y, tsr_index column, char *out) {
  for (tsr_index c = 0; c < k->channels; c += CHANNELS)
    run_channels(k, x + (ptrdiff_t)c * k->xs[TSR__IMAGE_C], y, column, out + (ptrdiff_t)c * k->os[TSR__IMAGE_C],
                 (int)(k->channels - c < CHANNELS ? k->channels - c : CHANNELS));
}

#if TSR__Q_WINDOWS

/* Whether windows are bytes side by side, as kernels of microcontrollers take them. */
static bool in_windows(const walk *k) {
  const tsr__pool *const p = &k->p;
  const tsr_index most = TSR__Q_WINDOW_MOST;
  return k->dtype != TSR_I16 && k->xs[TSR__IMAGE_C] == 1 && k->os[TSR__IMAGE_C] == 1 &&
         k->channels >= TSR__Q_WINDOW_CHANNELS && p->row.kernel <= most && p->column.kernel <= most &&
         p->row.kernel * p->column.kernel <= most;
}

/* Row y of windows in an image. */
static void run_windows(const walk *k, const char *x, tsr_index y, char *out) {
  const tsr__pool *const p = &k->p;
  const tsr_index y0 = tsr__pool_first(&p->row, y);
  const tsr__pool_taps rows = tsr__pool_inside(&p->row, y0);
  const int32_t across = (int32_t)tsr__pool_count(p, &p->row, y0);
  tsr__q_window w = {.channels = k->channels, .rows = rows.to - rows.from, .sign = k->dtype == TSR_I8};
  int32_t count = 0;
  w.down = (ptrdiff_t)p->row.dilation * k->xs[TSR__IMAGE_H];
  w.right = (ptrdiff_t)p->column.dilation * k->xs[TSR__IMAGE_W];
  const char *const first = x + (ptrdiff_t)(y0 + rows.from * p->row.dilation) * k->xs[TSR__IMAGE_H];
  tsr_index x0 = -p->column.before;
  for (tsr_index column = 0; column < p->column.out; column++, x0 += p->column.stride, out += k->os[TSR__IMAGE_W]) {
    const tsr__pool_taps columns = tsr__pool_inside(&p->column, x0);
    const char *const at = first + (ptrdiff_t)(x0 + columns.from * p->column.dilation) * k->xs[TSR__IMAGE_W];
    w.columns = columns.to - columns.from;
    if (w.rows <= 0 || w.columns <= 0) {
      run_pixel(k, x, y, column, out);
    } else if (k->max) {
      tsr__q_window_max(&w, at, out);
    } else {
      const int32_t numbers = across * (int32_t)tsr__pool_count(p, &p->column, x0);
      const int32_t rest = (numbers - (int32_t)(w.rows * w.columns)) * k->zero;
      if (numbers != count || rest != w.rest) tsr__q_window_count(&w, numbers, rest);
      count = numbers;
      tsr__q_window_mean(&w, at, out);
    }
  }
}

#endif

/* Rows (n, y) of windows. */
static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walk *const k = arg;
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const ptrdiff_t n = (ptrdiff_t)(task / k->p.row.out), y = (ptrdiff_t)(task % k->p.row.out);
    const char *const x = k->x + n * k->xs[TSR__IMAGE_N];
    char *const out = k->out + n * k->os[TSR__IMAGE_N] + y * k->os[TSR__IMAGE_H];
#if TSR__Q_WINDOWS
    if (in_windows(k)) {
      run_windows(k, x, (tsr_index)y, out);
      continue;
    }
#endif
    for (tsr_index column = 0; column < k->p.column.out; column++)
      run_pixel(k, x, (tsr_index)y, column, out + (ptrdiff_t)column * k->os[TSR__IMAGE_W]);
  }
}

static tsr_status check_pool(const tsr__call *call, int32_t zero) {
  const tsr_tensor *const x = call->in[0];
  if (!tsr__quant_is_small(x->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %t; %s takes i8, u8 and i16", x, call->op);
  if (!tsr__quant_has(x->dtype, zero))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "zero", "%l is none of %y", (int64_t)zero, (int)x->dtype);
  return TSR_OK;
}

/* Twice the sums of a window fit 32 bits. */
static tsr_status check_size(const tsr__call *call, const tsr__pool *p) {
  const tsr_index most = (tsr_index)1 << (p->x->dtype == TSR_I16 ? 14 : 21);
  tsr_index size;
  if (tsr__mul_index(p->row.kernel, p->column.kernel, &size) && size <= most) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, "kernel", "has more than %l elements", (int64_t)most);
}

static void run_all(const tsr_ctx *ctx, const void *plan) {
  const walk *const k = plan;
  const tsr__pool *const p = &k->p;
  const tsr_index each = p->column.out * k->channels * p->row.kernel * p->column.kernel;
  tsr__parallel_for(ctx, k->images * p->row.out, GRAIN / (each + 1) + 1, run_rows, (void *)(uintptr_t)k);
}

static tsr_status run_qpool(tsr__call *call, bool max, int32_t zero, int count, const tsr_index *kernel,
                            const tsr_pool_options *options) {
  const tsr_tensor *const x = call->in[0];
  walk k;
  tsr__image image;
  tsr__target target;
  tsr_status st = check_pool(call, zero);
  if (st == TSR_OK) st = tsr__pool_geometry(call->ctx, call->op, x, count, kernel, options, &k.p);
  if (st == TSR_OK) st = check_size(call, &k.p);
  if (st == TSR_OK) st = tsr__image_init(call->ctx, call->op, x, 1, 2, &image);
  if (st != TSR_OK) return st;
  const tsr__result result = {x->dtype, x->layout, x->ndim, k.p.shape, x};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  k.max = max;
  k.zero = zero;
  k.dtype = x->dtype;
  k.images = x->shape[0];
  k.channels = x->shape[k.p.channel];
  k.x = x->data;
  k.out = target.view.data;
  tsr__image_steps(&image, x, k.xs);
  tsr__image_steps(&image, &target.view, k.os);
  if (tsr_size(x) == 0) { /* windows of padding alone: nothing is read, but pointers are made */
    k.x = k.out;
    for (int i = 0; i < TSR__IMAGE_AXES; i++) k.xs[i] = 0;
  }
  return tsr__target_finish(call, &target, run_all, &k, sizeof k);
}

static tsr_status qmax_pool(tsr__call *call) {
  const tsr__qmax_pool_attrs *const attrs = call->attrs;
  return run_qpool(call, true, 0, attrs->kernel_count, attrs->kernel, attrs->options);
}

static tsr_status qavg_pool(tsr__call *call) {
  const tsr__qavg_pool_attrs *const attrs = call->attrs;
  return run_qpool(call, false, attrs->zero, attrs->kernel_count, attrs->kernel, attrs->options);
}

TSR__OP(qmax_pool, qmax_pool, TSR__OP_PREPARES)
tsr_status tsr_qmax_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(qmax_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .kernel = kernel, .kernel_count = count,
                   .options = options);
}

TSR__OP(qavg_pool, qavg_pool, TSR__OP_PREPARES)
tsr_status tsr_qavg_pool(tsr_ctx *ctx, const tsr_tensor *x, int zero, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(qavg_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .zero = zero, .kernel = kernel,
                   .kernel_count = count, .options = options);
}
