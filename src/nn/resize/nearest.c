/* The nearest pixel: elements of one size, whatever they mean. */
#include "nn/resize/ops.h"
#include "nn/resize/resize.h"

#include "cpu/move.h"

#include <string.h>

static tsr_index nearest_of(int rule, const tsr__resize_place *p) {
  const tsr_real half = (tsr_real)0.5;
  switch (rule) {
    case TSR_NEAREST_FLOOR: return p->low;
    case TSR_NEAREST_CEIL: return p->high;
    case TSR_NEAREST_PREFER_CEIL: return p->weight >= half ? p->high : p->low;
    default: return p->weight > half ? p->high : p->low;
  }
}

#define PICK_EACH(bytes) \
  for (tsr_index i = 0; i < n; i++) memcpy(out + out_step * (ptrdiff_t)i, x + from[i], bytes)

/* One channel: n pixels from places in bytes. */
static void pick(size_t item, tsr_index n, const char *x, const ptrdiff_t *from, char *out, ptrdiff_t out_step) {
  switch (item) {
    case 1: PICK_EACH(1); break;
    case 2: PICK_EACH(2); break;
    case 4: PICK_EACH(4); break;
    case 8: PICK_EACH(8); break;
    default: PICK_EACH(16); break;
  }
}

static void nearest(const tsr__resize *r, const tsr__resize_span *s) {
  const size_t item = (size_t)tsr__item(r->x);
  const tsr_index channels = r->image.shape[TSR__IMAGE_C];
  const ptrdiff_t x_channel = r->xs[TSR__IMAGE_C], out_channel = r->os[TSR__IMAGE_C];
  const char *const row = s->x + r->xs[TSR__IMAGE_H] * (ptrdiff_t)nearest_of(r->nearest, &s->row);
  ptrdiff_t from[TSR__RESIZE_SPAN];
  for (tsr_index i = 0; i < s->n; i++) from[i] = r->xs[TSR__IMAGE_W] * (ptrdiff_t)nearest_of(r->nearest, &s->column[i]);
  if (r->image.last) {
    for (tsr_index i = 0; i < s->n; i++)
      tsr__move_row(item, channels, row + from[i], x_channel, s->out + r->os[TSR__IMAGE_W] * (ptrdiff_t)i, out_channel);
    return;
  }
  for (ptrdiff_t c = 0; c < (ptrdiff_t)channels; c++)
    pick(item, s->n, row + x_channel * c, from, s->out + out_channel * c, r->os[TSR__IMAGE_W]);
}

static tsr_status resize_nearest(tsr__call *call) {
  tsr__resize r;
  const tsr_status st = tsr__resize_init(call, &r);
  r.fn = nearest;
  return st == TSR_OK ? tsr__resize_run(call, &r) : st;
}

TSR__OP(resize_nearest, resize_nearest, 0)
tsr_status tsr_resize_nearest(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size,
                              const tsr_resize_options *options, tsr_tensor *out) {
  return TSR__CALL(resize_nearest, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .size = size, .size_count = count,
                   .options = options);
}
