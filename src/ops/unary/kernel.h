/* The loop of one op and one compute type, and its kernel: the only way in C to write them once for a list of ops. */
#ifndef TSR_OPS_UNARY_KERNEL_H
#define TSR_OPS_UNARY_KERNEL_H

#include "ops/unary/complex.h"
#include "ops/unary/rows.h"
#include "ops/unary/unary.h"
#include "ops/elementwise/vectors.h"

/* z = value; C, FN and the rows come from the template around it. */
#define TSR__UNARY_KERNEL_OF(op, value) TSR__UNARY_KERNEL_AS(, op, value)
#define TSR__UNARY_KERNEL_AS(how, op, value)                                                           \
  how static void FN(op##_run)(const tsr_real *attribute, tsr_index n, const C *xs, C *zs) {           \
    (void)attribute;                                                                                   \
    TSR__INDEPENDENT                                                                                   \
    for (tsr_index i = 0; i < n; i++) {                                                                \
      const C x = xs[i];                                                                               \
      zs[i] = (value);                                                                                 \
    }                                                                                                  \
  }                                                                                                    \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    FN(run_rows)(FN(op##_run), args, n, at, step);                                                     \
  }

/* The same for a condition: z is bool. */
#define TSR__UNARY_TEST_OF(op, condition)                                                              \
  static void FN(op##_run)(tsr_index n, const C *xs, uint8_t *zs) {                                    \
    TSR__INDEPENDENT                                                                                   \
    for (tsr_index i = 0; i < n; i++) {                                                                \
      const C x = xs[i];                                                                               \
      zs[i] = (condition) ? 1 : 0;                                                                     \
    }                                                                                                  \
  }                                                                                                    \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    (void)args;                                                                                        \
    FN(test_rows)(FN(op##_run), n, at, step);                                                          \
  }

/* The same for a value that is an instruction or two: by four (TSR__LOOPS_BY_FOUR), or of f32 by vectors. */
#if defined(TSR__ROWS_IN_VECTORS)
#define TSR__UNARY_KERNEL_OF_FEW(op)                                                                   \
  TSR__VECTORS_LOOP(FN(op##_vectors), TSR__VECTORS_##op)                                               \
  static void FN(op##_singles)(int on, tsr_index n, C *zs, const C *xs, const C *ys) {                 \
    (void)on;                                                                                          \
    (void)ys;                                                                                          \
    for (tsr_index i = 0; i < n; i++) zs[i] = FN(tsr__##op)(xs[i]);                                    \
  }                                                                                                    \
  static void FN(op##_run)(const tsr_real *attribute, tsr_index n, const C *xs, C *zs) {               \
    const C none = 0;                                                                                  \
    (void)attribute;                                                                                   \
    tsr__in_vectors(FN(op##_vectors), FN(op##_singles), TSR__X_ON, n, zs, xs, &none);                  \
  }                                                                                                    \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    FN(run_rows)(FN(op##_run), args, n, at, step);                                                     \
  }
#elif TSR__LOOPS_BY_FOUR
#define TSR__UNARY_KERNEL_OF_FEW(op)                                                                           \
  TSR__FLOAT_LOOP_FLAGS static void FN(op##_run)(const tsr_real *attribute, tsr_index n, const C *xs, C *zs) { \
    (void)attribute;                                                                                           \
    for (; n >= 4; n -= 4, xs += 4, zs += 4) {                                                                 \
      zs[0] = FN(tsr__##op)(xs[0]);                                                                            \
      zs[1] = FN(tsr__##op)(xs[1]);                                                                            \
      zs[2] = FN(tsr__##op)(xs[2]);                                                                            \
      zs[3] = FN(tsr__##op)(xs[3]);                                                                            \
    }                                                                                                          \
    for (tsr_index i = 0; i < n; i++) zs[i] = FN(tsr__##op)(xs[i]);                                            \
  }                                                                                                            \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {         \
    FN(run_rows)(FN(op##_run), args, n, at, step);                                                             \
  }
#else
#define TSR__UNARY_KERNEL_OF_FEW(op) TSR__UNARY_KERNEL(op)
#endif

#define TSR__UNARY_KERNEL(op) TSR__UNARY_KERNEL_AS(TSR__FLOAT_LOOP_FLAGS, op, FN(tsr__##op)(x))

/* Tables: f32 and f64 of one op. */
#if TSR_HAVE_F64
#define TSR__UNARY_FLOAT_SLOTS(op) [TSR_F32] = op##_f32, [TSR_F64] = op##_f64
#else
#define TSR__UNARY_FLOAT_SLOTS(op) [TSR_F32] = op##_f32
#endif

#define TSR__UNARY_FLOAT_TABLE(op) TSR__KERNELS(op) = {TSR__UNARY_FLOAT_SLOTS(op)};

/* The same with the complex kernels that its kind has: of this file, or of complex.c. */
#define TSR__UNARY_TABLE(op, kind) TSR__KERNELS(op) = {TSR__UNARY_FLOAT_SLOTS(op) TSR__UNARY_COMPLEX_##kind(op)};
#define TSR__UNARY_COMPLEX_OWN(op)
#define TSR__UNARY_COMPLEX_VALUE TSR__OF_COMPLEX
#define TSR__UNARY_COMPLEX_SIZE TSR__OF_COMPLEX
#define TSR__UNARY_COMPLEX_FLOAT(op)
#define TSR__UNARY_COMPLEX_FLOATING(op) TSR__OF_COMPLEX(tsr__row_##op)
#define TSR__UNARY_COMPLEX_ANGLE(op) TSR__OF_COMPLEX(tsr__row_##op)
#define TSR__UNARY_COMPLEX_FLOAT_TEST TSR__OF_COMPLEX
#define TSR__UNARY_COMPLEX_TEST TSR__OF_COMPLEX

#endif
