/* One complex type of the unary ops that are a few instructions: a kernel each, R of C. */
#define COMPLEX_KERNEL(op, R, value)                                                                   \
  static inline R FN(op##_value)(C x) { return (value); }                                              \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    (void)args;                                                                                        \
    if (step[0] == (ptrdiff_t)sizeof(R) && step[1] == (ptrdiff_t)sizeof(C)) {                          \
      R *const z = (R *)(void *)at[0];                                                                 \
      const C *const xs = (const C *)(const void *)at[1];                                              \
      TSR__INDEPENDENT                                                                                 \
      for (tsr_index i = 0; i < n; i++) z[i] = FN(op##_value)(xs[i]);                                  \
      return;                                                                                          \
    }                                                                                                  \
    for (tsr_index i = 0; i < n; i++)                                                                  \
      *(R *)(void *)(at[0] + (ptrdiff_t)i * step[0]) =                                                 \
          FN(op##_value)(*(const C *)(const void *)(at[1] + (ptrdiff_t)i * step[1]));                  \
  }
static inline C FN(rounded)(C x) { return (C){PART(tsr__round)(x.re), PART(tsr__round)(x.im)}; }

COMPLEX_KERNEL(abs, P, FN(tsr__abs)(x))
COMPLEX_KERNEL(neg, C, FN(tsr__neg)(x))
COMPLEX_KERNEL(sign, C, FN(tsr__sign)(x))
COMPLEX_KERNEL(square, C, FN(tsr__square)(x))
COMPLEX_KERNEL(conj, C, FN(tsr__conj)(x))
COMPLEX_KERNEL(round, C, FN(rounded)(x))
COMPLEX_KERNEL(isnan, uint8_t, FN(tsr__is_nan)(x))
COMPLEX_KERNEL(isinf, uint8_t, FN(tsr__is_inf)(x))
COMPLEX_KERNEL(isfinite, uint8_t, FN(tsr__is_finite)(x))
COMPLEX_KERNEL(logical_not, uint8_t, (x.re == 0) & (x.im == 0))
#undef COMPLEX_KERNEL
