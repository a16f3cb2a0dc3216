/* Images of one, two or three axes with channels first or last, as (n, c, d, h, w): the axes that one does not have are
 * of length 1, d first. */
#ifndef TSR_NN_IMAGE_H
#define TSR_NN_IMAGE_H

#include "core/check.h"

enum { TSR__IMAGE_N, TSR__IMAGE_C, TSR__IMAGE_D, TSR__IMAGE_H, TSR__IMAGE_W, TSR__IMAGE_AXES };

typedef struct tsr__image {
  int axis[TSR__IMAGE_AXES]; /* where each is in the tensor; -1: nowhere */
  tsr_index shape[TSR__IMAGE_AXES];
  int spatial; /* how many axes besides n and c */
  bool last;   /* channels last */
} tsr__image;

/* The axes of x, a checked input, by tag and rank; x has least … most spatial ones: TSR_ESHAPE, TSR_ELAYOUT. */
tsr_status tsr__image_init(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int least, int most, tsr__image *image);

/* From one index to the next, in bytes and in the image's order, of a tensor with the same axes. */
void tsr__image_steps(const tsr__image *image, const tsr_tensor *t, ptrdiff_t *steps);

/* Lengths in the image's order as the shape of such a tensor. */
void tsr__image_shape(const tsr__image *image, const tsr_index *lengths, tsr_index *shape);

#endif
