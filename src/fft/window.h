/* The weights of a window, in f64. */
#ifndef TSR_FFT_WINDOW_H
#define TSR_FFT_WINDOW_H

#include "fft/ops.h"

/* attrs are checked; attrs->n numbers. */
void tsr__window_weights(const tsr__window_attrs *attrs, double *weights);

#endif
