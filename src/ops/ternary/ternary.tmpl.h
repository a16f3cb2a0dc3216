/* One compute type of the family. */
#define A C
#define ROWS FN(rows)
#define ROWS_PLAIN FN(rows_plain)
#include "ops/ternary/rows.tmpl.h"
#undef A
#undef ROWS
#undef ROWS_PLAIN

#include "ops/ternary/numbers.tmpl.h"

#if !C_FLOAT && !C_SIGNED
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
