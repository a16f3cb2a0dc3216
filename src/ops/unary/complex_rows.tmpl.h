/* One complex dtype of the functions that are computed as pair: a kernel each. */
#define ROW(op, R, result)                                                                                 \
  static R FN(op##_value)(C x) {                                                                           \
    const pair value = {x.re, x.im};                                                                       \
    return result;                                                                                         \
  }                                                                                                        \
  void FN(tsr__row_##op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    (void)args;                                                                                            \
    for (tsr_index i = 0; i < n; i++)                                                                      \
      *(R *)(void *)(at[0] + (ptrdiff_t)i * step[0]) =                                                     \
          FN(op##_value)(*(const C *)(const void *)(at[1] + (ptrdiff_t)i * step[1]));                      \
  }
#define ROW_OWN(op)
#define ROW_VALUE(op)
#define ROW_SIZE(op)
#define ROW_FLOAT(op)
#define ROW_BITWISE(op)
#define ROW_FLOAT_TEST(op)
#define ROW_TEST(op)
#define ROW_FLOATING(op) ROW(op, C, FN(narrowed)(op##_of(value)))
#define ROW_ANGLE(op) ROW(op, P, (P)op##_of(value))
static C FN(narrowed)(pair z) { return (C){(P)z.re, (P)z.im}; }
#if P_BITS == 32 && TSR_HAVE_F64
#define sqrt_of narrow_sqrt_of
#define log_of narrow_log_of
#define log2_of narrow_log2_of
#define log10_of narrow_log10_of
#endif
#define UNARY_EACH(op, kind, weight) ROW_##kind(op)
#include "ops/unary/rows.def"
#undef ROW
#undef sqrt_of
#undef log_of
#undef log2_of
#undef log10_of
#undef ROW_OWN
#undef ROW_VALUE
#undef ROW_SIZE
#undef ROW_FLOAT
#undef ROW_BITWISE
#undef ROW_FLOAT_TEST
#undef ROW_TEST
#undef ROW_FLOATING
#undef ROW_ANGLE
