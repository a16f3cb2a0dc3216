/* Fourier transforms by cuFFT, opened when the first one wants it. */
#ifndef TSR_CUDA_FOURIER_H
#define TSR_CUDA_FOURIER_H

#include "cuda/cuda.h"

/* Lines of n numbers, one after another: complex ones of c64 or c128, from one place to another or to the same one; or real ones, of which
 * n / 2 + 1 complex numbers come. */
typedef struct tsr__cuda_lines_of {
  int dtype; /* of the complex numbers */
  bool real;
  bool inverse; /* the other sign in the exponent; nothing is divided */
  int64_t n, lines;
  tsr__cuda_ref from, to; /* at multiples of 16 bytes */
} tsr__cuda_lines_of;

/* Plans the transform of all lines. *done: it was planned; where there is no such library, or it does not take this one,
 * nothing is done. */
tsr_status tsr__cuda_plan_fourier(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, const tsr__cuda_lines_of *f, bool *done,
                                  tsr__cuda_plan *plan);

#endif
