#include "nn/pool/plain.h"

#include "cpu/parallel.h"
#include "ops/move/target.h"

enum { GRAIN = 4096 }; /* windows that are worth a thread */

typedef struct walk {
  const tsr__windows *w;
  const char *x;
  char *out;
} walk;

static void fold_window(const tsr__windows *w, const char *x, tsr__window rows, ptrdiff_t c, tsr_index i, char *out) {
  w->fold(w, x + w->xs[TSR__IMAGE_C] * c, rows, w->window(w, false, i),
          out + w->os[TSR__IMAGE_C] * c + w->os[TSR__IMAGE_W] * (ptrdiff_t)i);
}

/* Rows (n, h) of windows; channels inside where they are last. */
static void fold_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walk *const k = arg;
  const tsr__windows *const w = k->w;
  const tsr_index channels = w->image.shape[TSR__IMAGE_C], width = w->size[1];
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const ptrdiff_t n = (ptrdiff_t)(task / w->size[0]), y = (ptrdiff_t)(task % w->size[0]);
    const tsr__window rows = w->window(w, true, (tsr_index)y);
    const char *const x = k->x + w->xs[TSR__IMAGE_N] * n;
    char *const out = k->out + w->os[TSR__IMAGE_N] * n + w->os[TSR__IMAGE_H] * y;
    for (tsr_index i = 0; i < channels * width; i++) {
      const tsr_index c = w->image.last ? i % channels : i / width, column = w->image.last ? i / channels : i % width;
      fold_window(w, x, rows, (ptrdiff_t)c, column, out);
    }
  }
}

tsr_status tsr__windows_run(tsr__call *call, tsr__windows *w) {
  const tsr_index *const in = w->image.shape;
  const tsr_index lengths[TSR__IMAGE_AXES] = {in[TSR__IMAGE_N], in[TSR__IMAGE_C], 1, w->size[0], w->size[1]};
  tsr_index shape[4];
  tsr__target target;
  tsr__image_shape(&w->image, lengths, shape);
  const tsr__result result = {w->x->dtype, w->x->layout, w->x->ndim, shape, w->x};
  const tsr_status st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  tsr__image_steps(&w->image, w->x, w->xs);
  tsr__image_steps(&w->image, &target.view, w->os);
  walk k = {w, w->x->data, target.view.data};
  if (tsr_size(w->x) == 0) { /* windows of padding alone: nothing is read, but pointers are made */
    k.x = target.view.data;
    for (int i = 0; i < TSR__IMAGE_AXES; i++) w->xs[i] = 0;
  }
  const tsr_index each = w->size[1] * in[TSR__IMAGE_C];
  if (target.bytes > 0) tsr__parallel_for(call->ctx, lengths[0] * w->size[0], GRAIN / each + 1, fold_rows, &k);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}
