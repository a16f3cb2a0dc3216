#include "ops/series/central_diff.h"

#include "ops/elementwise/kernels.h"

/* Contiguous rows have a loop of their own, which becomes vectors. */
#define QUOTIENTS(type)                                                                                          \
  static void quotients_##type(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    const tsr__central_diff_taps *const t = args->param;                                                         \
    const type distance = (type)t->distance;                                                                     \
    char *y = at[0];                                                                                             \
    const char *x = at[1], *second = at[1] + t->step;                                                            \
    const ptrdiff_t y_step = step[0], x_step = step[1];                                                          \
    if (y_step == (ptrdiff_t)sizeof(type) && x_step == (ptrdiff_t)sizeof(type)) {                                \
      type *const to = (type *)(void *)y;                                                                        \
      const type *const a = (const type *)(const void *)x, *const b = (const type *)(const void *)second;        \
      TSR__INDEPENDENT                                                                                           \
      for (tsr_index i = 0; i < n; i++) to[i] = (b[i] - a[i]) / distance;                                        \
      return;                                                                                                    \
    }                                                                                                            \
    for (; n > 0; n--, y += y_step, x += x_step, second += x_step)                                               \
      *(type *)(void *)y = (*(const type *)(const void *)second - *(const type *)(const void *)x) / distance;    \
  }

#define SUMS(type)                                                                                               \
  static void sums_##type(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {      \
    const tsr__central_diff_taps *const t = args->param;                                                         \
    const ptrdiff_t second = t->step, third = 2 * t->step, y_step = step[0], x_step = step[1], w_step = step[2]; \
    char *y = at[0];                                                                                             \
    const char *x = at[1], *w = at[2];                                                                           \
    for (; n > 0; n--, y += y_step, x += x_step, w += w_step) {                                                  \
      const type *const weights = (const type *)(const void *)w;                                                 \
      *(type *)(void *)y = weights[0] * *(const type *)(const void *)x +                                         \
                           weights[1] * *(const type *)(const void *)(x + second) +                              \
                           weights[2] * *(const type *)(const void *)(x + third);                                \
    }                                                                                                            \
  }

QUOTIENTS(float)
SUMS(float)
#if TSR_HAVE_F64
QUOTIENTS(double)
SUMS(double)
#endif

const tsr__central_diff_kernels TSR__ISA_NAME(tsr__central_diff)[2] = {
    {quotients_float, sums_float},
#if TSR_HAVE_F64
    {quotients_double, sums_double},
#endif
};
