/* One compute type of the family. */
#define A C
#define ROWS FN(rows)
#define ROWS_PLAIN FN(rows_plain)
#include "ops/ternary/rows.tmpl.h"
#undef A
#undef ROWS
#undef ROWS_PLAIN

/* NaN in any of the three gives NaN: a comparison with it is false, and keeps x; a bound that is NaN is asked for. */
static inline C FN(clamped)(C x, C lo, C hi) {
  const C above = lo > x ? lo : x;
  C inside = hi < above ? hi : above;
#if C_FLOAT
  inside = lo != lo ? lo : inside;
  inside = hi != hi ? hi : inside;
#endif
  return inside;
}

#if C_FLOAT
#if C_BITS == 32
static inline C FN(product_and_sum)(C a, C b, C c) { return fmaf(a, b, c); }
#else
static inline C FN(product_and_sum)(C a, C b, C c) { return fma(a, b, c); }
#endif

/* Each step rounded, as PyTorch does it. */
static inline C FN(with_product)(C x, C a, C b, C value) { return x + value * a * b; }

/* From the nearer end, so that both ends are exact. */
static inline C FN(between)(C a, C b, C weight) {
  const C from_a = a + weight * (b - a), from_b = b - (1 - weight) * (b - a);
  return weight < (C)0.5 ? from_a : from_b;
}
#elif !C_SIGNED
static inline C FN(product_and_sum)(C a, C b, C c) { return (C)(a * b + c); }
static inline C FN(with_product)(C x, C a, C b, C value) { return (C)(x + value * a * b); }

/* where: bits of this size. */
#define A uint8_t
#define ROWS FN(choices)
#define ROWS_PLAIN FN(choices_plain)
#include "ops/ternary/rows.tmpl.h"
#undef A
#undef ROWS
#undef ROWS_PLAIN
#endif

/* arg is the op's number, an element of C, or NULL. */
#define KERNEL(op, first, loop, expression)                                                            \
  static inline C FN(op##_value)(first a, C b, C c, C p) {                                             \
    (void)p;                                                                                           \
    return (C)(expression);                                                                            \
  }                                                                                                    \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    FN(loop)(n, at, step, args->param != NULL ? *(const C *)args->param : (C)0, FN(op##_value));       \
  }
#define COMPUTE(op, rule, weight, value) KERNEL(op, C, rows, value)
#define CHOOSE(op, rule, weight, value) KERNEL(op, uint8_t, choices, value)

#define TERNARY_ORDER COMPUTE
#if C_FLOAT
#define TERNARY_WRAP COMPUTE
#define TERNARY_FLOATS COMPUTE
#elif !C_SIGNED
#define TERNARY_WRAP COMPUTE
#define TERNARY_MOVE CHOOSE
#endif
#include "ops/ternary/rows.def"

#undef KERNEL
#undef COMPUTE
#undef CHOOSE
