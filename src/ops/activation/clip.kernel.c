/* min(max(x, low), high), NaN stays: the kernel behind TSR_CLIP. */
#include "ops/elementwise/kernels.h"

#define CLIP(name, type)                                                                              \
  static void name(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {  \
    const tsr_real *const bounds = args->param;                                                       \
    const type low = (type)bounds[0], high = (type)bounds[1];                                         \
    const type *const x = (const type *)(const void *)at[1];                                          \
    type *const z = (type *)(void *)at[0];                                                            \
    const ptrdiff_t from = step[1] / (ptrdiff_t)sizeof(type), to = step[0] / (ptrdiff_t)sizeof(type); \
    TSR__INDEPENDENT                                                                                  \
    for (tsr_index i = 0; i < n; i++) {                                                               \
      const type v = x[i * from];                                                                     \
      const type least = v < low ? low : v;                                                           \
      z[i * to] = least > high ? high : least;                                                        \
    }                                                                                                 \
  }

CLIP(clip_f32, float)
#if TSR_HAVE_F64
CLIP(clip_f64, double)
TSR__KERNELS(clip_between) = {[TSR_F32] = clip_f32, [TSR_F64] = clip_f64};
#else
TSR__KERNELS(clip_between) = {[TSR_F32] = clip_f32};
#endif
