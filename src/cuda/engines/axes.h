/* Axes of two operands that are gone through together, as kernels/axes.cuh takes them. */
#ifndef TSR_CUDA_ENGINES_AXES_H
#define TSR_CUDA_ENGINES_AXES_H

#include <tessera/tensor.h>

enum { TSR__CUDA_AXES = 8 };
_Static_assert(TSR_MAX_DIMS <= TSR__CUDA_AXES, "kernels have room for every rank");

/* Fastest first; steps are in elements. Without axes there is one of length 1. */
typedef struct tsr__cuda_axes {
  int64_t length[TSR__CUDA_AXES], step[2][TSR__CUDA_AXES];
  int32_t rank;
} tsr__cuda_axes;

/* The axes of a and b, which have one shape, but for number without (-1: all of them), in row-major order; those that run on from
 * one another are one. b NULL: a alone. by_step: in the order of a's steps, where it does not matter which element has which number. */
tsr__cuda_axes tsr__cuda_axes_of(const tsr_tensor *a, const tsr_tensor *b, int without, bool by_step);

#endif
