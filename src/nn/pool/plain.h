/* Pooling in plain loops: any windows, any reduction of one. */
#ifndef TSR_NN_POOL_PLAIN_H
#define TSR_NN_POOL_PLAIN_H

#include "core/call.h"
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
  const tsr_tensor *x;
  tsr__image image;
  tsr_index size[2]; /* of the output: height, width */
  tsr__window_fn *window;
  const void *arg; /* of window */
  tsr__window_fold *fold;
  tsr_real p;                                         /* of lp_pool */
  ptrdiff_t xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES]; /* filled in by the run: steps in bytes */
};

/* The rest of a call whose windows are known. */
tsr_status tsr__windows_run(tsr__call *call, tsr__windows *w);

/* Adaptive pooling: the op's folds by dtype are its kernels. */
tsr_status tsr__adaptive_pool(tsr__call *call);

#endif
