/* One compute type of the family: a kernel an op. Plain C, and one macro that makes a kernel of a row. */
#if C_FLOAT && C_BITS == 32
#define MATH(name) name##f
#else
#define MATH(name) name
#endif

#include "ops/binary/numbers.tmpl.h"

#define R C
#define ROWS FN(rows)
#define ROWS_PLAIN FN(rows_plain)
#define ROWS_RUN FN(rows_run)
#define ROWS_ENDS FN(rows_ends)
#define ROWS_DENSE FN(rows_dense)
#define ROWS_STREAM FN(rows_stream)
#include "ops/binary/rows.tmpl.h"
#undef R
#undef ROWS
#undef ROWS_PLAIN
#undef ROWS_RUN
#undef ROWS_ENDS
#undef ROWS_DENSE
#undef ROWS_STREAM
#define R uint8_t
#define ROWS FN(tests)
#define ROWS_PLAIN FN(tests_plain)
#define ROWS_RUN FN(tests_run)
#define ROWS_ENDS FN(tests_ends)
#define ROWS_DENSE FN(tests_dense)
#define ROWS_STREAM FN(tests_stream)
#include "ops/binary/rows.tmpl.h"
#undef R
#undef ROWS
#undef ROWS_PLAIN
#undef ROWS_RUN
#undef ROWS_ENDS
#undef ROWS_DENSE
#undef ROWS_STREAM

#define KERNEL(op, type, loop, expression)                                                        \
  static inline type FN(op##_value)(C a, C b) { return (type)(expression); }                      \
  static void FN(op)(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {            \
    FN(loop)(arg, n, at, step, FN(op##_value));                                                   \
  }
#define LIGHT(op, rule, weight, value) KERNEL(op, C, rows, value)
#define LIGHT_MORE(op, rule, weight, value, more) KERNEL(op, C, rows, value)
#define PLAIN(op, rule, weight, value) KERNEL(op, C, rows_plain, value)
#define TEST(op, rule, weight, value) KERNEL(op, uint8_t, tests, value)

TSR__BINARY_NUMBERS(PLAIN)
TSR__BINARY_ORDER(LIGHT)
TSR__BINARY_LESS(TEST)
#if C_FLOAT
TSR__BINARY_WRAP(LIGHT_MORE)
TSR__BINARY_ORDER_FLOATS(LIGHT_MORE)
TSR__BINARY_FLOATS(LIGHT)
TSR__BINARY_LIBM(PLAIN)
TSR__BINARY_SAME(TEST)
#else
TSR__BINARY_SHIFT_DOWN(LIGHT)
#if !C_SIGNED
TSR__BINARY_WRAP(LIGHT_MORE)
TSR__BINARY_BITS(LIGHT)
TSR__BINARY_SHIFT_UP(LIGHT)
TSR__BINARY_SAME(TEST)
#endif
#endif

#undef KERNEL
#undef LIGHT
#undef LIGHT_MORE
#undef PLAIN
#undef TEST
#undef MATH
