/* The loop of pow in f32 by vectors of f64: those whose bases are all positive, and others. What an element gives does
 * not depend on its neighbours. Included by kernel files. */
#ifndef TSR_OPS_BINARY_POWER_H
#define TSR_OPS_BINARY_POWER_H

#include "cpu/math/pow_f32.h"

#if TSR__WIDE

/* As many f32 as a vector has f64. */
typedef float tsr__vf32_few __attribute__((vector_size(TSR__VEC_BYTES / 2)));
typedef float tsr__vf32_few_any __attribute__((vector_size(TSR__VEC_BYTES / 2), aligned(1), may_alias));

TSR__INLINE tsr__vf64 tsr__vf64_of_few(const float *at) {
  return __builtin_convertvector((tsr__vf32_few) * (const tsr__vf32_few_any *)(const void *)at, tsr__vf64);
}
TSR__INLINE void tsr__vf64_to_few(tsr__vf64 v, float *at) {
  *(tsr__vf32_few_any *)(void *)at = __builtin_convertvector(v, tsr__vf32_few);
}

/* Vectors that take turns; false, and nothing written, where one of them is not near. */
TSR__INLINE bool tsr__pow_ways(int ways, const float *xs, const float *ys, float *zs) {
  const double most = 0x1.fffffep127;
  tsr__vf64 x[TSR__POW_WAYS], y[TSR__POW_WAYS], z[TSR__POW_WAYS];
  bool near = true;
  TSR__POW_EACH(ways) {
    x[j] = tsr__vf64_of_few(xs + j * TSR__LANES_F64);
    y[j] = tsr__vf64_of_few(ys + j * TSR__LANES_F64);
    near = near & tsr__vf64_between(x[j], 0x1p-149, most) & tsr__vf64_between(y[j], -most, most);
  }
  if (__builtin_expect(!near, 0)) return false;
  tsr__pow_near_vf64(ways, x, y, z);
  TSR__POW_EACH(ways) tsr__vf64_to_few(z[j], zs + j * TSR__LANES_F64);
  return true;
}

/* n is a multiple of a vector's lanes. */
static void tsr__pow_any(tsr_index n, const float *xs, const float *ys, float *zs) {
  for (tsr_index i = 0; i < n; i += TSR__LANES_F64)
    tsr__vf64_to_few(tsr__pow_any_vf64(tsr__vf64_of_few(xs + i), tsr__vf64_of_few(ys + i)), zs + i);
}

static void tsr__pow_vectors(tsr_index n, const float *xs, const float *ys, float *zs) {
  const tsr_index step = TSR__POW_WAYS * TSR__LANES_F64;
  tsr_index i = 0;
  for (; i + step <= n; i += step)
    if (!tsr__pow_ways(TSR__POW_WAYS, xs + i, ys + i, zs + i)) tsr__pow_any(step, xs + i, ys + i, zs + i);
  tsr__pow_any(n - i, xs + i, ys + i, zs + i);
}

static void pow_run_f32(tsr_index n, const float *xs, const float *ys, float *zs) {
  const tsr_index whole = n - n % TSR__LANES_F64, rest = n - whole;
  tsr__pow_vectors(whole, xs, ys, zs);
  if (rest == 0) return;
  float x[TSR__LANES_F64], y[TSR__LANES_F64];
  for (tsr_index i = 0; i < TSR__LANES_F64; i++) {
    x[i] = xs[whole + (i < rest ? i : 0)];
    y[i] = ys[whole + (i < rest ? i : 0)];
  }
  tsr__pow_vectors(TSR__LANES_F64, x, y, x);
  memcpy(zs + whole, x, (size_t)rest * sizeof(float));
}

#endif
#endif
