/* The ops of the family. */
#ifndef TSR_FFT_OPS_H
#define TSR_FFT_OPS_H

#include <tessera/fft.h>

#include "tsr_ops/fft.h" /* written by the build from ops.def */

#endif
