/* Pooling in plain loops: any windows, any reduction of one. */
#ifndef TSR_NN_POOL_PLAIN_H
#define TSR_NN_POOL_PLAIN_H

#include "nn/image.h"

/* Elements first, first + step, … of an axis. */
typedef struct tsr__window {
  tsr_index first, count, step;
} tsr__window;

typedef struct tsr__windows tsr__windows;

/* Window number i of the height or the width. */
typedef tsr__window tsr__window_fn(const tsr__windows *w, bool height, tsr_index i);

/* One window of one channel: x is its row 0 and column 0. */
typedef void tsr__window_fold(const tsr__windows *w, const char *x, tsr__window rows, tsr__window columns, char *out);

struct tsr__windows {
  const char       *op;
  const tsr_tensor *x;
  tsr__image        image;
  tsr_index         size[2]; /* of the output: height, width */
  tsr__window_fn   *window;
  const void       *arg; /* of window */
  tsr__window_fold *fold;
  tsr_real          p;                                        /* of lp_pool */
  ptrdiff_t         xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES]; /* filled in by the run: steps in bytes */
};

tsr_status tsr__windows_run(tsr_ctx *ctx, tsr__windows *w, tsr_tensor *out);

/* Checks x and size, and describes their windows. */
tsr_status tsr__adaptive_begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int count, const tsr_index *size,
                               tsr__windows *w);

#endif
