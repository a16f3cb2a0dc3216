#include "ops/einsum/complex.h"

#include "core/dtype/wide.h"

/* One of the two complex dtypes: (a + bi)(c + di), each part rounded as it is written. */
#define MULTIPLY(name, type, part)                                                                              \
  static void name(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {            \
    const tsr__conjugates *const c = args->param;                                                               \
    const part a_sign = c->a ? -1 : 1, b_sign = c->b ? -1 : 1;                                                  \
    for (tsr_index i = 0; i < n; i++) {                                                                         \
      const type x = *(const type *)(const void *)(at[1] + (ptrdiff_t)i * step[1]);                             \
      const type y = *(const type *)(const void *)(at[2] + (ptrdiff_t)i * step[2]);                             \
      const part xi = a_sign * x.im, yi = b_sign * y.im;                                                        \
      *(type *)(void *)(at[0] + (ptrdiff_t)i * step[0]) = (type){x.re * y.re - xi * yi, x.re * yi + xi * y.re}; \
    }                                                                                                           \
  }

#if TSR_HAVE_C64
MULTIPLY(multiply_c64, tsr__wide_c64, float)
#endif
#if TSR_HAVE_C128
MULTIPLY(multiply_c128, tsr__wide_c128, double)
#endif

tsr__row_fn *tsr__complex_multiply(int dtype) {
#if TSR_HAVE_C128
  if (dtype == TSR_C128) return multiply_c128;
#endif
#if TSR_HAVE_C64
  if (dtype == TSR_C64) return multiply_c64;
#endif
  (void)dtype;
  return NULL;
}
