/* The table of algorithms, and the choice of one: by the shape alone. */
#include "nn/conv/algorithm.h"

#if TSR__CONV_FAST

/* The first one that can and pays is taken. */
static const tsr__conv_algorithm *const algorithms[] = {
    &tsr__conv_winograd, &tsr__conv_depthwise, &tsr__conv_igemm_nhwc, &tsr__conv_igemm_nchw, &tsr__conv_loops,
};
enum { COUNT = sizeof algorithms / sizeof algorithms[0] };

const tsr__conv_algorithm *tsr__conv_numbered(int number) {
  for (int k = 0; k < COUNT; k++)
    if (algorithms[k]->pack != NULL && algorithms[k]->number == number) return algorithms[k];
  return NULL;
}

static tsr_status refuse(tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_algorithm *a) {
  const tsr_index sizes[4] = {c->kh, c->kw, c->sh, c->sw};
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, c->op, "algorithm",
                   "%s is for %s in small floats and f32; filter and stride are %S, x is %y", a->name, a->only, 4,
                   sizes, c->dtype);
}

tsr_status tsr__conv_choose(tsr_ctx *ctx, const tsr_conv_options *options, tsr__conv *c) {
  const int asked = options != NULL ? options->algorithm : TSR_CONV_AUTO;
  for (int k = 0; k < COUNT; k++) {
    const tsr__conv_algorithm *const a = algorithms[k];
    if ((a->options >> asked & 1) == 0) continue;
    const bool able = tsr__conv_is_able(a, c), named = asked != TSR_CONV_AUTO;
    if (named && !able && a->only != NULL) return refuse(ctx, c, a);
    if (!able || !(named || a->pays == NULL || a->pays(c))) continue;
    c->algorithm = a;
    break;
  }
  return TSR_OK;
}

#else

tsr_status tsr__conv_choose(tsr_ctx *ctx, const tsr_conv_options *options, tsr__conv *c) {
  if (options == NULL || options->algorithm != TSR_CONV_WINOGRAD) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, c->op, "algorithm", "winograd is not in this build");
}

#endif
