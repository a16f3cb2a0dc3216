/* What transforms of frames and the way back have in common: how frames lie in a signal, and their window. */
#ifndef TSR_FFT_FRAMES_H
#define TSR_FFT_FRAMES_H

#include "fft/transform.h"

typedef struct tsr__frames {
  tsr_index n, hop, count; /* elements of a frame, from one to the next, frames */
  tsr_index edge;          /* elements before the signal, and behind it */
  int dtype;               /* of a part: f32, f64 */
  bool is_real;            /* the signal */
  double scale;
  const tsr_tensor *window; /* NULL: every weight is 1 */
  void *weights;            /* of a frame, in temporary memory; NULL where there is no window */
} tsr__frames;

/* n and hop as the call has them, where 0 is what follows from length (0: from the window) and a quarter of a frame; the window, an
 * optional vector of at most n real weights. TSR_EARG, TSR_ESHAPE, TSR_EDTYPE. */
tsr_status tsr__check_frames(const tsr__call *call, tsr_index length, bool center, tsr__frames *f);

/* Temporary memory for the weights, and the weights, once the call may read: those of a shorter window in the middle, zeros around them. */
tsr_status tsr__plan_weights(tsr__call *call, tsr__frames *f);
void tsr__fill_weights(const tsr_ctx *ctx, const tsr__frames *f);

/* Temporary memory for a row-major tensor whose shape and dtype are set: TSR_EOVERFLOW. */
tsr_status tsr__plan_tensor(tsr__call *call, const char *arg, tsr_tensor *t);

#endif
