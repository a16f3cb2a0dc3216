/* The copy of an image that tiles read: with its padding, channels last, in the numbers that they take. */
#ifndef TSR_NN_QUANT_FAST_STAGE_H
#define TSR_NN_QUANT_FAST_STAGE_H

#include "nn/quant/fast/fast.h"

enum { TSR__Q_STAGE_PAST = 64 }; /* bytes past the copy that tiles read, for 0 times what is there */

typedef struct tsr__q_stage {
  const tsr__q_run *run;
  ptrdiff_t item, row, pixel; /* of the copy: bytes of a number, of a row, of a pixel */
  const char *from;           /* of the image; NULL: its channels do not lie side by side */
  char *to;
} tsr__q_stage;

/* Copies an image to s->to. */
void tsr__q_stage_image(const tsr_ctx *ctx, tsr__q_stage *s, const char *image);

#endif
