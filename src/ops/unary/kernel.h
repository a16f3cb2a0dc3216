/* The loop of one op and one compute type, and its kernel: the only way in C to write them once for a list of ops. */
#ifndef TSR_OPS_UNARY_KERNEL_H
#define TSR_OPS_UNARY_KERNEL_H

#include "ops/unary/rows.h"
#include "ops/unary/unary.h"

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

#define TSR__UNARY_KERNEL(op) TSR__UNARY_KERNEL_AS(TSR__FLOAT_LOOP_FLAGS, op, FN(tsr__##op)(x))

/* Tables: f32 and f64 of one op. */
#if TSR_HAVE_F64
#define TSR__UNARY_FLOAT_SLOTS(op) [TSR_F32] = op##_f32, [TSR_F64] = op##_f64
#else
#define TSR__UNARY_FLOAT_SLOTS(op) [TSR_F32] = op##_f32
#endif

#define TSR__UNARY_FLOAT_TABLE(op) TSR__KERNELS(op) = {TSR__UNARY_FLOAT_SLOTS(op)};

#endif
