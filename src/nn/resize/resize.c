/* What resizing asks of its arguments, where pixels lie, and the walk over the output. */
#include "nn/resize/resize.h"

#include "core/table.h"
#include "cpu/parallel.h"
#include "nn/resize/ops.h"
#include "ops/move/target.h"

enum { GRAIN = 16384 }; /* pixels that are worth a thread */

/* ---- where a pixel lies ---- */

/* At num / den; den > 0. */
static tsr__resize_place exactly(int64_t num, int64_t den, tsr_index in) {
  if (num <= 0) return (tsr__resize_place){0, 0, 0};
  const int64_t low = num / den, rest = num % den;
  if (low >= in - 1) return (tsr__resize_place){in - 1, in - 1, 0};
  return (tsr__resize_place){(tsr_index)low, (tsr_index)(low + (rest > 0)), (tsr_real)rest / (tsr_real)den};
}

static tsr__resize_place by_scale(tsr_real at, tsr_index in) {
  if (!(at > 0)) return (tsr__resize_place){0, 0, 0};
  if (at >= (tsr_real)(in - 1)) return (tsr__resize_place){in - 1, in - 1, 0};
  const tsr_index low = (tsr_index)at;
  const tsr_real rest = at - (tsr_real)low;
  return (tsr__resize_place){low, low + (rest > 0), rest};
}

/* The output is as long as the scale says, which need not be a whole number. */
static tsr__resize_place align_by_scale(const tsr__resize_axis *a, tsr_index i) {
  const tsr_real steps = (tsr_real)a->in * a->scale - 1;
  return steps != 0 ? by_scale((tsr_real)i * (tsr_real)(a->in - 1) / steps, a->in) : (tsr__resize_place){0, 0, 0};
}

static tsr__resize_place place_of(const tsr__resize_axis *a, tsr_index i) {
  const tsr_real half = (tsr_real)0.5;
  const int64_t in = a->in, out = a->out, at = i;
  if (a->coordinates == TSR_COORDINATES_ALIGN_CORNERS && a->scale > 0) return align_by_scale(a, i);
  if (a->coordinates == TSR_COORDINATES_ALIGN_CORNERS)
    return exactly(out > 1 ? at * (in - 1) : 0, out - (out > 1), a->in);
  if (a->coordinates == TSR_COORDINATES_PYTORCH_HALF_PIXEL && out == 1) return (tsr__resize_place){0, 0, 0};
  if (a->coordinates == TSR_COORDINATES_ASYMMETRIC)
    return a->scale > 0 ? by_scale((tsr_real)i / a->scale, a->in) : exactly(at * in, out, a->in);
  return a->scale > 0 ? by_scale(((tsr_real)i + half) / a->scale - half, a->in)
                      : exactly((2 * at + 1) * in - out, 2 * out, a->in);
}

/* ---- checks ---- */

static tsr_status check_resized_axis(const tsr__call *call, int number, tsr_index size, tsr__resize_axis *a) {
  tsr_ctx *const ctx = call->ctx;
  const tsr_tensor *const x = call->in[0];
  int64_t most;
  if (size < 1)
    return TSR__FAIL(ctx, TSR_EARG, call->op, "size", "is %l along axis %d of %t, which is not 1 or more",
                     (int64_t)size, number, x);
  if (!(a->scale >= 0 && a->scale - a->scale == 0))
    return TSR__FAIL(ctx, TSR_EARG, call->op, "scale",
                     "is %r along axis %d of %t, which is not a finite number above 0", &a->scale, number, x);
  if (a->in == 0) return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "x", "is %t: its axis %d has no pixels", x, number);
  a->out = size;
  if (__builtin_mul_overflow((int64_t)size, (int64_t)a->in, &most) || __builtin_mul_overflow(most, (int64_t)2, &most))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, call->op, "size", "is %l along axis %d of %t: too large", (int64_t)size,
                     number, x);
  return TSR_OK;
}

static tsr_status check_rules(const tsr__call *call, const tsr_resize_options *options) {
  if (options->coordinates > TSR_COORDINATES_PYTORCH_HALF_PIXEL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "coordinates", "is %d, which is none of tsr_coordinates",
                     (int)options->coordinates);
  if (options->nearest > TSR_NEAREST_CEIL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "nearest", "is %d, which is none of tsr_nearest",
                     (int)options->nearest);
  return tsr__check_reserved(call->ctx, call->op, TSR__ROOM(options));
}

tsr_status tsr__resize_init(const tsr__call *call, tsr__resize *r) {
  static const tsr_resize_options none = {.coordinates = TSR_COORDINATES_HALF_PIXEL};
  const tsr__resize_nearest_attrs *const given = call->attrs;
  const tsr_resize_options *const options = given->options != NULL ? given->options : &none;
  const tsr_tensor *const x = call->in[0];
  const int count = given->size_count;
  *r = (tsr__resize){.x = x, .nearest = options->nearest};
  tsr_status st = tsr__image_init(call->ctx, call->op, x, 1, 2, &r->image);
  if (st == TSR_OK) st = check_rules(call, options);
  if (st != TSR_OK) return st;
  if (given->size == NULL) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "size", "is NULL");
  if (count != r->image.spatial)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "size", "has %d axes, %t is resized along %d", count, x,
                     r->image.spatial);
  const bool two = count == 2;
  r->h = (tsr__resize_axis){r->image.shape[TSR__IMAGE_H], 1, two ? options->scale[0] : 0, options->coordinates};
  r->w = (tsr__resize_axis){r->image.shape[TSR__IMAGE_W], 1, options->scale[two], options->coordinates};
  if (two) st = check_resized_axis(call, r->image.axis[TSR__IMAGE_H], given->size[0], &r->h);
  if (st == TSR_OK) st = check_resized_axis(call, r->image.axis[TSR__IMAGE_W], given->size[two], &r->w);
  return st;
}

/* ---- the walk ---- */

typedef struct walk {
  const tsr__resize *r;
  const char *x;
  char *out;
} walk;

/* Rows (n, h) of the output, a span at a time. */
static void resize_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walk *const w = arg;
  const tsr__resize *const r = w->r;
  tsr__resize_place column[TSR__RESIZE_SPAN];
  (void)worker;
  for (tsr_index first = 0; first < r->w.out; first += TSR__RESIZE_SPAN) {
    const tsr_index left = r->w.out - first;
    tsr__resize_span span = {.column = column, .n = left < TSR__RESIZE_SPAN ? left : TSR__RESIZE_SPAN};
    for (tsr_index i = 0; i < span.n; i++) column[i] = place_of(&r->w, first + i);
    for (tsr_index task = begin; task < end; task++) {
      const ptrdiff_t n = (ptrdiff_t)(task / r->h.out), y = (ptrdiff_t)(task % r->h.out);
      span.row = place_of(&r->h, (tsr_index)y);
      span.x = w->x + r->xs[TSR__IMAGE_N] * n;
      span.out = w->out + r->os[TSR__IMAGE_N] * n + r->os[TSR__IMAGE_H] * y + r->os[TSR__IMAGE_W] * (ptrdiff_t)first;
      r->fn(r, &span);
    }
  }
}

tsr_status tsr__resize_run(tsr__call *call, tsr__resize *r) {
  const tsr_index *const in = r->image.shape;
  const tsr_index lengths[TSR__IMAGE_AXES] = {in[TSR__IMAGE_N], in[TSR__IMAGE_C], 1, r->h.out, r->w.out};
  tsr_index shape[4];
  tsr__target target;
  tsr__image_shape(&r->image, lengths, shape);
  const tsr__result result = {r->x->dtype, r->x->layout, r->x->ndim, shape, r->x};
  const tsr_status st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  tsr__image_steps(&r->image, r->x, r->xs);
  tsr__image_steps(&r->image, &target.view, r->os);
  walk w = {r, r->x->data, target.view.data};
  const tsr_index each = r->w.out * in[TSR__IMAGE_C];
  if (target.bytes > 0) tsr__parallel_for(call->ctx, lengths[0] * r->h.out, GRAIN / each + 1, resize_rows, &w);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}
