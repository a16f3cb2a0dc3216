/* Loops of f64 functions of two numbers that are written as vectors (cpu/math): numbers in range by these, others one
 * by one by the C library. What a number gives does not depend on its neighbours. Included by kernel files. */
#ifndef TSR_OPS_BINARY_WIDE_H
#define TSR_OPS_BINARY_WIDE_H

#include "cpu/math/arc_f64.h"
#include "cpu/math/libm_f64.h"
#include "cpu/math/pow_f64.h"

#if TSR__WIDE

/* A lane of in_range is 0 where the result means nothing. */
typedef tsr__vf64 tsr__wide_in_range_fn(tsr__vf64 x, tsr__vf64 y, tsr__vi64 *in_range);
typedef double tsr__wide_out_of_range_fn(double x, double y);

static __attribute__((noinline)) void tsr__wide_out_of_range_pairs(const double *x, const double *y,
                                                                   const int64_t *in_range, double *z,
                                                                   tsr__wide_out_of_range_fn *out_of_range) {
  for (int i = 0; i < TSR__VF64_LANES; i++)
    if (in_range[i] == 0) z[i] = out_of_range(x[i], y[i]);
}

/* One vector. */
TSR__INLINE void tsr__wide_pair(tsr__wide_in_range_fn *by_vectors, tsr__wide_out_of_range_fn *out_of_range,
                                const double *xs, const double *ys, double *zs) {
  const tsr__vf64 x = tsr__vf64_load(xs), y = tsr__vf64_load(ys);
  tsr__vi64 in_range;
  tsr__vf64_store(zs, by_vectors(x, y, &in_range));
  if (__builtin_expect(tsr__vi64_all_set(in_range), 1)) return;
  double kept_x[TSR__VF64_LANES], kept_y[TSR__VF64_LANES];
  int64_t kept_in_range[TSR__VF64_LANES];
  tsr__vf64_store(kept_x, x);
  tsr__vf64_store(kept_y, y);
  tsr__vi64_store(kept_in_range, in_range);
  tsr__wide_out_of_range_pairs(kept_x, kept_y, kept_in_range, zs, out_of_range);
}

/* What does not fill a vector repeats the first of it. */
TSR__INLINE void tsr__wide_pairs(tsr__wide_in_range_fn *by_vectors, tsr__wide_out_of_range_fn *out_of_range,
                                 tsr_index n, const double *xs, const double *ys, double *zs) {
  double x[TSR__VF64_LANES], y[TSR__VF64_LANES];
  const tsr_index whole = n - n % TSR__VF64_LANES, rest = n - whole;
  for (tsr_index i = 0; i < whole; i += TSR__VF64_LANES)
    tsr__wide_pair(by_vectors, out_of_range, xs + i, ys + i, zs + i);
  if (rest == 0) return;
  for (tsr_index i = 0; i < TSR__VF64_LANES; i++) {
    x[i] = xs[whole + (i < rest ? i : 0)];
    y[i] = ys[whole + (i < rest ? i : 0)];
  }
  tsr__wide_pair(by_vectors, out_of_range, x, y, x);
  memcpy(zs + whole, x, (size_t)rest * sizeof(double));
}

static void pow_run_f64(tsr_index n, const double *xs, const double *ys, double *zs) {
  tsr__wide_pairs(tsr__pow_in_range_vf64, tsr__pow_f64, n, xs, ys, zs);
}

static void atan2_run_f64(tsr_index n, const double *xs, const double *ys, double *zs) {
  tsr__wide_pairs(tsr__atan2_in_range_vf64, tsr__atan2_f64, n, xs, ys, zs);
}

#endif
#endif
