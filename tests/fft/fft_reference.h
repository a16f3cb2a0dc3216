/* Transforms by their definition, in long double, and what tests of transforms share. */
#ifndef TSR_TEST_FFT_REFERENCE_H
#define TSR_TEST_FFT_REFERENCE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/helpers.h"
#include "support/test.h"

typedef struct number {
  double re, im;
} number;

/* y[k] = Σ x[j]·exp(∓2πi·j·k/n), for n of any size that one has the time for. */
static inline void reference_line(tsr_index n, bool inverse, const number *x, number *y) {
  long double *const roots = malloc((size_t)(2 * n) * sizeof *roots);
  for (tsr_index k = 0; k < n; k++) {
    const long double angle = 2 * 3.14159265358979323846264338327950288L * (long double)k / (long double)n;
    roots[2 * k] = cosl(angle), roots[2 * k + 1] = inverse ? sinl(angle) : -sinl(angle);
  }
  for (tsr_index k = 0; k < n; k++) {
    long double re = 0, im = 0;
    for (tsr_index j = 0, at = 0; j < n; j++, at = (at + k) % n) {
      re += (long double)x[j].re * roots[2 * at] - (long double)x[j].im * roots[2 * at + 1];
      im += (long double)x[j].re * roots[2 * at + 1] + (long double)x[j].im * roots[2 * at];
    }
    y[k] = (number){(double)re, (double)im};
  }
  free(roots);
}

static inline double random_number(test_rng *rng) { return (double)(int32_t)test_random(rng) * 0x1p-31; }

/* Element i of contiguous memory. */
static inline number number_at(int dtype, const void *data, tsr_index i) {
  switch (dtype) {
    case TSR_F32: return (number){(double)((const float *)data)[i], 0};
    case TSR_F64: return (number){((const double *)data)[i], 0};
    case TSR_C64: return (number){(double)((const float *)data)[2 * i], (double)((const float *)data)[2 * i + 1]};
    default: return (number){((const double *)data)[2 * i], ((const double *)data)[2 * i + 1]};
  }
}

static inline void put_number(int dtype, void *data, tsr_index i, number x) {
  switch (dtype) {
    case TSR_F32: ((float *)data)[i] = (float)x.re; return;
    case TSR_F64: ((double *)data)[i] = x.re; return;
    case TSR_C64: ((float *)data)[2 * i] = (float)x.re, ((float *)data)[2 * i + 1] = (float)x.im; return;
    default: ((double *)data)[2 * i] = x.re, ((double *)data)[2 * i + 1] = x.im; return;
  }
}

/* A contiguous tensor of random numbers, which are also put to x. */
static inline tsr_tensor random_tensor(tsr_ctx *ctx, test_rng *rng, int dtype, int ndim, const tsr_index *shape,
                                       number *x) {
  tsr_tensor t = {0};
  OK(ctx, tsr_empty(ctx, dtype, ndim, shape, &t));
  const tsr_index size = test_product(ndim, shape);
  for (tsr_index i = 0; i < size; i++) {
    const number random = {random_number(rng), random_number(rng)};
    put_number(dtype, t.data, i, random);
    if (x != NULL) x[i] = number_at(dtype, t.data, i);
  }
  return t;
}

/* The error in the 2-norm over the norm of what was wanted. */
static inline double error_of(const tsr_tensor *got, tsr_index n, const number *wanted) {
  double error = 0, norm = 0;
  const bool real = got->dtype == TSR_F32 || got->dtype == TSR_F64;
  for (tsr_index i = 0; i < n; i++) {
    const number y = number_at(got->dtype, got->data, i);
    const double re = y.re - wanted[i].re, im = real ? 0 : y.im - wanted[i].im;
    error += re * re + im * im;
    norm += wanted[i].re * wanted[i].re + (real ? 0 : wanted[i].im * wanted[i].im);
  }
  return norm > 0 ? sqrt(error / norm) : sqrt(error);
}

/* c·u·√log₂ n, u being half an ULP of 1. */
static inline double bound_of(int dtype, tsr_index n) {
  const double unit = dtype == TSR_C64 || dtype == TSR_F32 ? 0x1p-24 : 0x1p-53;
  return 3 * unit * sqrt(1 + log2((double)n));
}

#endif
