/* One compute type of the family: a kernel an op. Plain C, and one macro that makes a kernel of a row. */
#if C_FLOAT && C_BITS == 32
#define MATH(name) name##f
#else
#define MATH(name) name
#endif

#include "ops/binary/divide.tmpl.h"
#include "ops/binary/numbers.tmpl.h"
#include "ops/binary/runs.tmpl.h"

#define R C
#define ROWS(part) FN(rows##part)
#include "ops/binary/rows.tmpl.h"
#define R uint8_t
#define ROWS(part) FN(tests##part)
#include "ops/binary/rows.tmpl.h"

#if C_FLOAT
#define LOOP_FLAGS TSR__FLOAT_LOOP_FLAGS
#else
#define LOOP_FLAGS
#endif
#define KERNEL(op, type, loop, lean, expression)                                                       \
  static inline type FN(op##_value)(C a, C b) { return (type)(expression); }                           \
  LIGHT_VECTORS LOOP_FLAGS static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, \
                                              const ptrdiff_t *step) {                                 \
    FN(loop)(lean, args, n, at, step, FN(op##_value));                                                 \
  }
#if C_FLOAT && C_BITS == 32 && defined(TSR__ROWS_IN_VECTORS)
/* Whether rows go by vectors, and are done. */
static bool FN(in_vectors)(tsr__vector_loop *vectors, tsr__vector_loop *singles, const tsr__row_args *args, tsr_index n,
                           char *const *at, const ptrdiff_t *step) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  const int on = (step[1] == item ? TSR__X_ON : 0) | (step[2] == item ? TSR__Y_ON : 0);
  if (n < 8 || step[0] != item || on == 0 || (step[1] != item && step[1] != 0) || (step[2] != item && step[2] != 0))
    return false;
  for (ptrdiff_t row = 0; row < (ptrdiff_t)args->count; row++)
    tsr__in_vectors(vectors, singles, on, n, (C *)(void *)(at[0] + args->next[0] * row),
                    (const C *)(const void *)(at[1] + args->next[1] * row),
                    (const C *)(const void *)(at[2] + args->next[2] * row));
  return true;
}
#define FLOAT_KERNEL(op, value)                                                                        \
  static inline C FN(op##_value)(C a, C b) { return (value); }                                         \
  TSR__VECTORS_LOOP(FN(op##_vectors), TSR__VECTORS_##op)                                               \
  static void FN(op##_singles)(int on, tsr_index n, C *z, const C *x, const C *y) {                    \
    FN(rows_run)(n, z, x, on & TSR__X_ON, y, on & TSR__Y_ON, FN(op##_value));                          \
  }                                                                                                    \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    if (!FN(in_vectors)(FN(op##_vectors), FN(op##_singles), args, n, at, step))                        \
      FN(rows_plain)(args, n, at, step, FN(op##_value));                                               \
  }
#else
#define FLOAT_KERNEL(op, value) KERNEL(op, C, rows, RARE, value)
#endif
#define FLOATS_MORE(op, rule, weight, value, more) FLOAT_KERNEL(op, value)
/* Integers that are neither bytes nor of 32 bits have one loop as well: few programs wait for them. */
#define RARE (!C_FLOAT && (C_BITS == 16 || C_BITS == 64))
#define LIGHT(op, rule, weight, value) KERNEL(op, C, rows, RARE, value)
#define LEAN(op, rule, weight, value) KERNEL(op, C, rows, true, value)
#define LIGHT_MORE(op, rule, weight, value, more) KERNEL(op, C, rows, RARE, value)
#define RUN_KERNEL(op)                                                                                 \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    (void)args;                                                                                        \
    FN(run_rows)(FN(op##_run), n, at, step);                                                           \
  }
#define RUN(op, rule, weight, value)                                    \
  static void FN(op##_run)(tsr_index n, const C *x, const C *y, C *z) { \
    TSR__INDEPENDENT                                                    \
    for (tsr_index i = 0; i < n; i++) {                                 \
      const C a = x[i], b = y[i];                                       \
      z[i] = (C)(value);                                                \
    }                                                                   \
  }                                                                     \
  RUN_KERNEL(op)
/* Blocks as if all quotients were in range, then those that are not: what an element gives does not depend on others.
 */
#define NEAR_RUN(op, rule, weight, name)                                                                      \
  static int FN(op##_in_range_run)(tsr_index n, const C *x, const C *y, C *z) {                               \
    int beyond = 0;                                                                                           \
    for (tsr_index i = 0; i < n; i++) {                                                                       \
      beyond |= FN(is_out_of_range)(x[i], y[i]);                                                              \
      z[i] = FN(name##_in_range)(x[i], y[i]);                                                                 \
    }                                                                                                         \
    return beyond;                                                                                            \
  }                                                                                                           \
  static void FN(op##_run)(tsr_index n, const C *x, const C *y, C *z) {                                       \
    C block[FN(RUN_BLOCK)];                                                                                   \
    for (tsr_index first = 0; first < n; first += FN(RUN_BLOCK)) {                                            \
      const tsr_index count = n - first < FN(RUN_BLOCK) ? n - first : FN(RUN_BLOCK);                          \
      const int beyond = FN(op##_in_range_run)(count, x + first, y + first, block);                           \
      for (tsr_index i = 0; i < count && beyond; i++)                                                         \
        if (FN(is_out_of_range)(x[first + i], y[first + i])) block[i] = FN(name)(x[first + i], y[first + i]); \
      memcpy(z + first, block, (size_t)count * sizeof(C));                                                    \
    }                                                                                                         \
  }                                                                                                           \
  RUN_KERNEL(op)
#define DIVISION(op, rule, weight, name) RUN(op, rule, weight, FN(name)(a, b))
#define FORMAT(op, rule, weight, value) \
  static inline C FN(op##_bits)(C a, C b, C largest) { return value; }
#define TEST(op, rule, weight, value) KERNEL(op, uint8_t, tests, true, value)
#define SWAPPED(op, rule, weight, other)                                                               \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    swapped(FN(other), args, n, at, step);                                                             \
  }

#if C_FLOAT && TSR__WIDE
RUN_KERNEL(pow) /* power.h, wide.h */
#else
#define BINARY_NUMBERS RUN
#endif
#if C_FLOAT && QUOTIENTS_BY_FMA
#define BINARY_DIVISIONS NEAR_RUN
#else
#define BINARY_DIVISIONS DIVISION
#endif
#define BINARY_LESS TEST
#define BINARY_GREATER SWAPPED
#if C_FLOAT
#define BINARY_WRAP FLOATS_MORE
#define BINARY_ORDER(op, rule, weight, value) FLOAT_KERNEL(op, value)
#define BINARY_ORDER_FLOATS FLOATS_MORE
#define BINARY_FLOATS LIGHT
#define BINARY_SAME TEST
#define BINARY_HEAVY_FLOATS RUN
#if C_BITS == 64 && TSR__WIDE
RUN_KERNEL(atan2) /* wide.h */
#else
#define BINARY_WIDE_FLOATS RUN
#endif
#else
#define BINARY_ORDER LIGHT
#define BINARY_SHIFT_DOWN LEAN
#if !C_SIGNED
#define BINARY_WRAP LIGHT_MORE
#define BINARY_BITS LIGHT
#define BINARY_SHIFT_UP LEAN
#define BINARY_FORMAT FORMAT
#define BINARY_SAME TEST
#endif
#endif
#include "ops/binary/rows.def"

#undef KERNEL
#undef FLOAT_KERNEL
#undef FLOATS_MORE
#undef LOOP_FLAGS
#undef LIGHT
#undef RARE
#undef LEAN
#undef LIGHT_MORE
#undef RUN_KERNEL
#undef RUN
#undef NEAR_RUN
#undef DIVISION
#undef TEST
#undef SWAPPED
#undef FORMAT
#undef MATH
