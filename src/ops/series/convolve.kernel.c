#include "ops/series/convolve.h"

#include "ops/elementwise/kernels.h"

/* Eight taps at a time, so that a sum is loaded and stored once for them; no multiplication is fused with its addition,
 * so that every instruction set gives the same bits. */
#define CONVOLVE(type)                                                                                                \
  static void convolve_##type(tsr_index n, tsr_index taps, const void *line, const void *weights, void *sums,         \
                              bool add) {                                                                             \
    const type *restrict x = line, *restrict w = weights;                                                             \
    type *restrict const y = sums;                                                                                    \
    if (!add)                                                                                                         \
      for (tsr_index i = 0; i < n; i++) y[i] = 0;                                                                     \
    for (; taps >= 8; taps -= 8, x += 8, w += 8) {                                                                    \
      const type a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];                      \
      TSR__INDEPENDENT                                                                                                \
      for (tsr_index i = 0; i < n; i++)                                                                               \
        y[i] =                                                                                                        \
            (((((((y[i] + x[i] * a) + x[i + 1] * b) + x[i + 2] * c) + x[i + 3] * d) + x[i + 4] * e) + x[i + 5] * f) + \
             x[i + 6] * g) +                                                                                          \
            x[i + 7] * h;                                                                                             \
    }                                                                                                                 \
    for (; taps > 0; taps--, x++, w++) {                                                                              \
      const type a = w[0];                                                                                            \
      TSR__INDEPENDENT                                                                                                \
      for (tsr_index i = 0; i < n; i++) y[i] = y[i] + x[i] * a;                                                       \
    }                                                                                                                 \
  }

CONVOLVE(uint32_t)
CONVOLVE(uint64_t)
CONVOLVE(float)
#if TSR_HAVE_F64
CONVOLVE(double)
#endif

tsr__convolve_fn *const TSR__ISA_NAME(tsr__convolve)[TSR__CONVOLVE_TYPES] = {
    [TSR__CONVOLVE_I32] = convolve_uint32_t,
    [TSR__CONVOLVE_I64] = convolve_uint64_t,
    [TSR__CONVOLVE_F32] = convolve_float,
#if TSR_HAVE_F64
    [TSR__CONVOLVE_F64] = convolve_double,
#endif
};
