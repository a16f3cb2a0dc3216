/* Pooling of quantised numbers: channels side by side, a few at a time. */
#include "nn/quant/plain/pools.h"

#include "core/clear.h"

#include "cpu/parallel.h"
#include "nn/quant/plain/window.h"
#include "nn/quant/quant.h"

enum { CHANNELS = 16, GRAIN = 1 << 15 };

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

__attribute__((noinline)) static void run_channels(const tsr__q_pool *k, const char *x, tsr_index y, tsr_index column,
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
static void run_pixel(const tsr__q_pool *k, const char *x, tsr_index y, tsr_index column, char *out) {
  for (tsr_index c = 0; c < k->channels; c += CHANNELS)
    run_channels(k, x + (ptrdiff_t)c * k->xs[TSR__IMAGE_C], y, column, out + (ptrdiff_t)c * k->os[TSR__IMAGE_C],
                 (int)(k->channels - c < CHANNELS ? k->channels - c : CHANNELS));
}

#if TSR__Q_WINDOWS

/* Whether windows are bytes side by side, as kernels of microcontrollers take them. */
static bool in_windows(const tsr__q_pool *k) {
  const tsr__pool *const p = &k->p;
  const tsr_index most = TSR__Q_WINDOW_MOST;
  return k->dtype != TSR_I16 && k->xs[TSR__IMAGE_C] == 1 && k->os[TSR__IMAGE_C] == 1 &&
         k->channels >= TSR__Q_WINDOW_CHANNELS && p->row.kernel <= most && p->column.kernel <= most &&
         p->row.kernel * p->column.kernel <= most;
}

/* Row y of windows in an image. */
static void run_windows(const tsr__q_pool *k, const char *x, tsr_index y, char *out) {
  const tsr__pool *const p = &k->p;
  const tsr_index y0 = tsr__pool_first(&p->row, y);
  const tsr__pool_taps rows = tsr__pool_inside(&p->row, y0);
  const int32_t across = (int32_t)tsr__pool_count(p, &p->row, y0);
  tsr__q_window w;
  int32_t count = 0;
  tsr__clear(&w, sizeof w);
  w.channels = k->channels;
  w.rows = rows.to - rows.from;
  w.sign = k->dtype == TSR_I8;
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
  const tsr__q_pool *const k = arg;
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

void tsr__q_pool_run(const tsr_ctx *ctx, const void *plan) {
  const tsr__q_pool *const k = plan;
  const tsr__pool *const p = &k->p;
  const tsr_index each = p->column.out * k->channels * p->row.kernel * p->column.kernel;
  tsr__parallel_for(ctx, k->images * p->row.out, GRAIN / (each + 1) + 1, run_rows, (void *)(uintptr_t)k);
}
