#include "nn/image.h"

#include <tessera/layout.h>

/* By spatial axes. */
static const uint8_t first_tags[4] = {TSR_PLAIN, TSR_NCL, TSR_NCHW, TSR_NCDHW};
static const uint8_t last_tags[4] = {TSR_PLAIN, TSR_NLC, TSR_NHWC, TSR_NDHWC};
static const char *const shapes[4] = {"[N,C]", "[N,C,L]", "[N,C,H,W]", "[N,C,D,H,W]"};

static void find_axes(tsr__image *image, const tsr_tensor *x) {
  const int first = image->last ? 1 : 2;
  image->axis[TSR__IMAGE_N] = 0;
  image->axis[TSR__IMAGE_C] = image->last ? x->ndim - 1 : 1;
  for (int i = 0; i < 3; i++) {
    const int own = i - (3 - image->spatial);
    image->axis[TSR__IMAGE_D + i] = own >= 0 ? first + own : -1;
  }
  for (int i = 0; i < TSR__IMAGE_AXES; i++) image->shape[i] = image->axis[i] >= 0 ? x->shape[image->axis[i]] : 1;
}

tsr_status tsr__image_init(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int least, int most, tsr__image *image) {
  const int spatial = x->ndim - 2, layout = x->layout;
  if (spatial < least || spatial > most)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "is %t; %s takes %s%s%s", x, op, shapes[least],
                     most > least ? " and " : "", most > least ? shapes[most] : "");
  if (layout != TSR_PLAIN && layout != first_tags[spatial] && layout != last_tags[spatial])
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "x", "is %t with the layout %s; %s takes %s and %s", x,
                     tsr_layout_name(layout), op, tsr_layout_name(first_tags[spatial]),
                     tsr_layout_name(last_tags[spatial]));
  image->spatial = spatial;
  image->last = layout == last_tags[spatial];
  find_axes(image, x);
  return TSR_OK;
}

void tsr__image_steps(const tsr__image *image, const tsr_tensor *t, ptrdiff_t *steps) {
  for (int i = 0; i < TSR__IMAGE_AXES; i++) {
    const int axis = image->axis[i];
    /* of length 1 the stride may be anything */
    steps[i] = axis >= 0 && t->shape[axis] > 1 ? (ptrdiff_t)t->stride[axis] * tsr__item(t) : 0;
  }
}

void tsr__image_shape(const tsr__image *image, const tsr_index *lengths, tsr_index *shape) {
  for (int i = 0; i < TSR__IMAGE_AXES; i++)
    if (image->axis[i] >= 0) shape[image->axis[i]] = lengths[i];
}
