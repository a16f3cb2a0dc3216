/* Resizing: where pixels lie, and spans of them to work on. */
#ifndef TSR_NN_RESIZE_RESIZE_H
#define TSR_NN_RESIZE_RESIZE_H

#include "core/call.h"
#include "nn/image.h"

#include <tessera/resize.h>

/* One axis: lengths of x and of the output. */
typedef struct tsr__resize_axis {
  tsr_index in, out;
  tsr_real scale; /* 0: out / in */
  int coordinates;
} tsr__resize_axis;

/* Between low and high, which are one where weight is 0. */
typedef struct tsr__resize_place {
  tsr_index low, high;
  tsr_real weight; /* of high; 0 ≤ weight < 1 */
} tsr__resize_place;

enum { TSR__RESIZE_SPAN = TSR_HAVE_MALLOC ? 64 : 8 }; /* places that lie on the stack */

typedef struct tsr__resize tsr__resize;

/* Some pixels of a row of the output, all channels. */
typedef struct tsr__resize_span {
  tsr__resize_place row;           /* of x */
  const tsr__resize_place *column; /* n of them */
  tsr_index n;
  const char *x; /* the sample */
  char *out;
} tsr__resize_span;

typedef void tsr__resize_fn(const tsr__resize *r, const tsr__resize_span *span);

struct tsr__resize {
  const tsr_tensor *x;
  tsr__image image;
  tsr__resize_axis h, w;
  int nearest;
  tsr__resize_fn *fn;
  ptrdiff_t xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES]; /* steps in bytes */
};

/* Checks everything but the dtype and the output. */
tsr_status tsr__resize_init(const tsr__call *call, tsr__resize *r);

/* The rest of the call: r->fn over all of the output. */
tsr_status tsr__resize_run(tsr__call *call, tsr__resize *r);

#endif
