/* Local response normalisation: an element at a time, the channels around it from where they lie. */
#include "nn/norm/ops.h"

#include "core/dtypes.h"
#include "cpu/parallel.h"
#include "nn/check.h"
#include "nn/image.h"
#include "nn/power.h"
#include "ops/move/target.h"

enum { GRAIN = 2048 }; /* elements that are worth a thread */

typedef struct lrn lrn;
typedef void normalise_fn(const lrn *l, const char *x, tsr_index c, char *out);

struct lrn {
  tsr__image image;
  tsr_index size, channels, width;
  tsr_real alpha, beta, bias; /* alpha over size */
  normalise_fn *normalise;
  const char *x;
  char *out;
  ptrdiff_t xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES]; /* steps in bytes */
};

#define TEMPLATE "nn/norm/lrn.tmpl.h"
#include "nn/each_float.h"

static normalise_fn *const all[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(normalise)};

/* Rows (n, h); channels inside where they are last. */
static void lrn_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const lrn *const l = arg;
  const tsr_index height = l->image.shape[TSR__IMAGE_H];
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const ptrdiff_t n = (ptrdiff_t)(task / height), y = (ptrdiff_t)(task % height);
    const char *const x = l->x + l->xs[TSR__IMAGE_N] * n + l->xs[TSR__IMAGE_H] * y;
    char *const out = l->out + l->os[TSR__IMAGE_N] * n + l->os[TSR__IMAGE_H] * y;
    for (tsr_index i = 0; i < l->channels * l->width; i++) {
      const tsr_index c = l->image.last ? i % l->channels : i / l->width;
      const ptrdiff_t w = (ptrdiff_t)(l->image.last ? i / l->channels : i % l->width);
      l->normalise(l, x + l->xs[TSR__IMAGE_W] * w, c,
                   out + l->os[TSR__IMAGE_C] * (ptrdiff_t)c + l->os[TSR__IMAGE_W] * w);
    }
  }
}

static tsr_status check_lrn(tsr_ctx *ctx, const char *op, const tsr_tensor *x, lrn *l) {
  const tsr_real values[3] = {l->alpha, l->beta, l->bias};
  static const char *const names[3] = {"alpha", "beta", "bias"};
  tsr_status st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__image_init(ctx, op, x, 1, 2, &l->image);
  if (st != TSR_OK) return st;
  if (l->size < 1) return TSR__FAIL(ctx, TSR_EARG, op, "size", "is %l, which is not 1 or more", (int64_t)l->size);
  for (int i = 0; i < 3; i++)
    if (values[i] - values[i] != 0)
      return TSR__FAIL(ctx, TSR_EARG, op, names[i], "is %r, which is not finite", &values[i]);
  return TSR_OK;
}

static void bind_lrn(lrn *l, const tsr_tensor *x, const tsr_tensor *out) {
  l->alpha /= (tsr_real)l->size;
  l->channels = l->image.shape[TSR__IMAGE_C];
  l->width = l->image.shape[TSR__IMAGE_W];
  l->normalise = all[x->dtype];
  l->x = x->data;
  l->out = out->data;
  tsr__image_steps(&l->image, x, l->xs);
  tsr__image_steps(&l->image, out, l->os);
}

static tsr_status lrn_of(tsr__call *call) {
  const tsr__lrn_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  const tsr__result result = tsr__result_like(x);
  tsr__target target;
  lrn l = {.size = attrs->size, .alpha = attrs->alpha, .beta = attrs->beta, .bias = attrs->bias};
  tsr_status st = check_lrn(call->ctx, call->op, x, &l);
  if (st == TSR_OK) st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  bind_lrn(&l, x, &target.view);
  const tsr_index rows = l.image.shape[TSR__IMAGE_N] * l.image.shape[TSR__IMAGE_H];
  if (target.bytes > 0) tsr__parallel_for(call->ctx, rows, GRAIN / (l.channels * l.width) + 1, lrn_rows, &l);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(lrn, lrn_of, 0)
tsr_status tsr_lrn(tsr_ctx *ctx, const tsr_tensor *x, tsr_index size, tsr_real alpha, tsr_real beta, tsr_real bias,
                   tsr_tensor *out) {
  return TSR__CALL(lrn, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .size = size, .alpha = alpha, .beta = beta,
                   .bias = bias);
}
