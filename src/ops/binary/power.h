/* The loop of pow in f32 by vectors: those that are all in range (pow_f32.h), and others. What an element gives does
 * not depend on its neighbours. Included by kernel files. */
#ifndef TSR_OPS_BINARY_POWER_H
#define TSR_OPS_BINARY_POWER_H

#include "cpu/math/pow_f32.h"

#if TSR__WIDE

/* Vectors that take turns; false, and nothing written, where a number in one of them is out of range. */
TSR__INLINE bool tsr__pow_ways(int ways, const float *xs, const float *ys, float *zs) {
  tsr__vf32 x[TSR__POW_WAYS], y[TSR__POW_WAYS], z[TSR__POW_WAYS];
  TSR__POW_EACH(ways) {
    x[j] = tsr__vf32_load(xs + j * TSR__VF32_LANES);
    y[j] = tsr__vf32_load(ys + j * TSR__VF32_LANES);
  }
  if (__builtin_expect(!tsr__pow_in_range(ways, x, y, z), 0)) return false;
  TSR__POW_EACH(ways) tsr__vf32_store(zs + j * TSR__VF32_LANES, z[j]);
  return true;
}

/* n is a multiple of a vector's lanes. */
static void tsr__pow_any(tsr_index n, const float *xs, const float *ys, float *zs) {
  for (tsr_index i = 0; i < n; i += TSR__VF32_LANES)
    tsr__vf32_store(zs + i, tsr__pow_any_number(tsr__vf32_load(xs + i), tsr__vf32_load(ys + i)));
}

static void tsr__pow_vectors(tsr_index n, const float *xs, const float *ys, float *zs) {
  const tsr_index step = TSR__POW_WAYS * TSR__VF32_LANES;
  tsr_index i = 0;
  for (; i + step <= n; i += step)
    if (!tsr__pow_ways(TSR__POW_WAYS, xs + i, ys + i, zs + i)) tsr__pow_any(step, xs + i, ys + i, zs + i);
  tsr__pow_any(n - i, xs + i, ys + i, zs + i);
}

static void pow_run_f32(tsr_index n, const float *xs, const float *ys, float *zs) {
  const tsr_index whole = n - n % TSR__VF32_LANES, rest = n - whole;
  tsr__pow_vectors(whole, xs, ys, zs);
  if (rest == 0) return;
  float x[TSR__VF32_LANES], y[TSR__VF32_LANES];
  for (tsr_index i = 0; i < TSR__VF32_LANES; i++) {
    x[i] = xs[whole + (i < rest ? i : 0)];
    y[i] = ys[whole + (i < rest ? i : 0)];
  }
  tsr__pow_any(TSR__VF32_LANES, x, y, x);
  memcpy(zs + whole, x, (size_t)rest * sizeof(float));
}

#endif
#endif
