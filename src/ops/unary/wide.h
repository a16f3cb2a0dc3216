/* Kernels of f64 functions that are written as vectors (cpu/math): numbers in range by these, others one by one by the
 * C library. What a number gives does not depend on its neighbours. Included by kernel files. */
#ifndef TSR_OPS_UNARY_WIDE_H
#define TSR_OPS_UNARY_WIDE_H

#include "cpu/math/libm_f64.h"
#include "cpu/vec/polynomial.h"

#if TSR__WIDE

/* n is a multiple of a vector's lanes. */
typedef void tsr__wide_fn(tsr_index n, const double *xs, double *zs);

/* Elements that do not fill a vector, in one that repeats the first of them. */
static void tsr__wide_rest(tsr__wide_fn *run, tsr_index n, const double *xs, double *zs) {
  double last[TSR__VF64_LANES];
  for (tsr_index i = 0; i < TSR__VF64_LANES; i++) last[i] = xs[i < n ? i : 0];
  run(TSR__VF64_LANES, last, last);
  memcpy(zs, last, (size_t)n * sizeof(double));
}

static void tsr__wide_run(tsr__wide_fn *run, tsr_index n, const double *xs, double *zs) {
  const tsr_index whole = n - n % TSR__VF64_LANES;
  run(whole, xs, zs);
  if (whole < n) tsr__wide_rest(run, n - whole, xs + whole, zs + whole);
}

/* The lanes of one vector, x, that are not within low … high. */
static __attribute__((noinline)) void tsr__wide_out_of_range(const double *x, double *z, double low, double high,
                                                             double (*function)(double)) {
  for (int i = 0; i < TSR__VF64_LANES; i++)
    if (!(x[i] >= low && x[i] <= high)) z[i] = function(x[i]);
}

#define TSR__WIDE_KERNEL(op, low, high)                                                                  \
  static void op##_wide(tsr_index n, const double *xs, double *zs) {                                     \
    for (tsr_index i = 0; i < n; i += TSR__VF64_LANES) {                                                 \
      const tsr__vf64 x = tsr__vf64_load(xs + i);                                                        \
      tsr__vf64_store(zs + i, tsr__##op##_in_range_vf64(x));                                             \
      if (__builtin_expect(tsr__vf64_between(x, low, high), 1)) continue;                                \
      double kept[TSR__VF64_LANES];                                                                      \
      tsr__vf64_store(kept, x);                                                                          \
      tsr__wide_out_of_range(kept, zs + i, low, high, tsr__##op##_f64);                                  \
    }                                                                                                    \
  }                                                                                                      \
  static void op##_run_f64(const tsr_real *attribute, tsr_index n, const double *xs, double *zs) {       \
    (void)attribute;                                                                                     \
    tsr__wide_run(op##_wide, n, xs, zs);                                                                 \
  }                                                                                                      \
  static void op##_f64(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    run_rows_f64(op##_run_f64, args, n, at, step);                                                       \
  }

#endif
#endif
