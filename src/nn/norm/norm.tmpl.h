/* One compute type. */
#define LANES (TSR__NORM_LANE_BYTES / (int)sizeof(C))
#define NEAR 16 /* elements whose mean is near that of all */
#define STEP 16 /* elements that are read before any of them is written: out may be x */
#define FMA FN(tsr__fma)

/* y = (x - pivot)·factor + add is x normalised. */
typedef struct FN(normal) {
  C pivot, factor, add;
} FN(normal);

static inline tsr_index FN(block_end)(tsr_index from, tsr_index n) {
  return n - from < TSR__NORM_BLOCK ? n : from + TSR__NORM_BLOCK;
}

/* ---- statistics ---- */

/* Sums of x - pivot and of its square over a block. */
static void FN(moments)(tsr_index n, const C *x, C pivot, tsr_real *sum, tsr_real *square) {
  C a[LANES], b[LANES];
  tsr_index i = 0;
  for (int l = 0; l < LANES; l++) a[l] = 0;
  for (int l = 0; l < LANES; l++) b[l] = 0;
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++) {
      const C d = x[i + l] - pivot;
      a[l] += d;
      b[l] = FMA(d, d, b[l]);
    }
  for (int l = 0; i < n; i++, l++) {
    const C d = x[i] - pivot;
    a[l] += d;
    b[l] = FMA(d, d, b[l]);
  }
  *sum += (tsr_real)FN(tsr__lanes_join)(LANES, a);
  *square += (tsr_real)FN(tsr__lanes_join)(LANES, b);
}

static C FN(first_pivot)(tsr_index n, const C *x) {
  C a[NEAR];
  if (n < NEAR) return x[0];
  for (int l = 0; l < NEAR; l++) a[l] = x[l];
  return FN(tsr__lanes_join)(NEAR, a) / NEAR;
}

/* Mean and variance around a pivot near the mean: what is lost by subtracting is at most a few units then. Where the
 * pivot turned out to be far from the mean, once more around the mean. */
static FN(normal) FN(statistics)(tsr_index n, const C *x, tsr_real eps) {
  C pivot = FN(first_pivot)(n, x);
  tsr_real rest = 0, variance = 0;
  for (int round = 0; round < 2; round++) {
    tsr_real sum = 0, square = 0;
    for (tsr_index i = 0, end; i < n; i = end) {
      end = FN(block_end)(i, n);
      FN(moments)(end - i, x + i, pivot, &sum, &square);
    }
    rest = sum / (tsr_real)n;
    variance = square / (tsr_real)n - rest * rest;
    if (rest * rest <= 4 * variance || round == 1) break;
    pivot = (C)((tsr_real)pivot + rest);
  }
  const tsr_real scale = 1 / root((variance < 0 ? 0 : variance) + eps);
  return (FN(normal)){pivot, (C)scale, (C)(-rest * scale)};
}

static C FN(mean_square)(tsr_index n, const C *x, tsr_real eps) {
  tsr_real sum = 0;
  for (tsr_index from = 0, end; from < n; from = end) {
    C a[LANES];
    tsr_index i = from;
    end = FN(block_end)(from, n);
    for (int l = 0; l < LANES; l++) a[l] = 0;
    for (; i + LANES <= end; i += LANES)
      for (int l = 0; l < LANES; l++) a[l] = FMA(x[i + l], x[i + l], a[l]);
    for (int l = 0; i < end; i++, l++) a[l] = FMA(x[i], x[i], a[l]);
    sum += (tsr_real)FN(tsr__lanes_join)(LANES, a);
  }
  return (C)(1 / root(sum / (tsr_real)n + eps));
}

/* ---- results ---- */

/* A loop over n elements in steps that read before they write. Where ahead is true the next row is sent for
 * meanwhile: its statistics read faster than the caches guess. */
#define WRITE(ahead, value)                                  \
  do {                                                       \
    tsr_index i = 0;                                         \
    for (; i + STEP <= n; i += STEP) {                       \
      C y[STEP];                                             \
      if (ahead) look_ahead(x, sizeof(C) * (size_t)(n + i)); \
      for (int l = 0; l < STEP; l++) {                       \
        const tsr_index j = i + l;                           \
        y[l] = (value);                                      \
      }                                                      \
      for (int l = 0; l < STEP; l++) out[i + l] = y[l];      \
    }                                                        \
    for (tsr_index j = i; j < n; j++) out[j] = (value);      \
  } while (0)

static void FN(scaled)(tsr_index n, const C *x, C pivot, C factor, C add, C *out) {
  WRITE(false, FMA(x[j] - pivot, factor, add));
}

static void FN(layer_norm)(tsr_index n, const void *row, const void *scales, const void *biases, tsr_real eps,
                           void *result) {
  const C *const x = row, *const scale = scales, *const bias = biases;
  C *const out = result;
  const FN(normal) s = FN(statistics)(n, x, eps);
  const C pivot = s.pivot, factor = s.factor, add = s.add;
  if (scale != NULL && bias != NULL)
    WRITE(true, FMA(FMA(x[j] - pivot, factor, add), scale[j], bias[j]));
  else if (scale != NULL)
    WRITE(true, FMA(x[j] - pivot, factor, add) * scale[j]);
  else if (bias != NULL)
    WRITE(true, FMA(x[j] - pivot, factor, add) + bias[j]);
  else
    FN(scaled)(n, x, pivot, factor, add, out);
}

static void FN(rms_norm)(tsr_index n, const void *row, const void *scales, const void *biases, tsr_real eps,
                         void *result) {
  const C *const x = row, *const scale = scales;
  C *const out = result;
  const C factor = FN(mean_square)(n, x, eps);
  (void)biases;
  if (scale != NULL)
    WRITE(true, x[j] * factor * scale[j]);
  else
    WRITE(true, x[j] * factor);
}

static void FN(group_norm)(tsr_index runs, tsr_index n, const void *row, const void *scales, const void *biases,
                           tsr_real eps, void *result) {
  const C *const x = row, *const scale = scales, *const bias = biases;
  C *const out = result;
  const FN(normal) s = FN(statistics)(runs * n, x, eps);
  for (tsr_index r = 0; r < runs; r++) {
    const C by = scale != NULL ? scale[r] : 1, plus = bias != NULL ? bias[r] : 0;
    FN(scaled)(n, x + r * n, s.pivot, s.factor * by, FMA(s.add, by, plus), out + r * n);
  }
}

/* ---- known statistics ---- */

static void FN(factors)(tsr_index n, const void *scales, const void *biases, const void *variances, tsr_real eps,
                        void *factors, void *added) {
  const C *const scale = scales, *const bias = biases, *const variance = variances;
  C *const factor = factors, *const add = added;
  for (tsr_index i = 0; i < n; i++) {
    factor[i] = (C)((scale != NULL ? (tsr_real)scale[i] : 1) / root((tsr_real)variance[i] + eps));
    add[i] = bias != NULL ? bias[i] : 0;
  }
}

static void FN(affine_row)(tsr_index n, const void *row, const void *mean, const void *factor, const void *bias,
                           void *out) {
  FN(scaled)(n, row, *(const C *)mean, *(const C *)factor, *(const C *)bias, out);
}

static void FN(affine_each)(tsr_index n, const void *row, const void *means, const void *factors, const void *biases,
                            void *result) {
  const C *const x = row, *const mean = means, *const factor = factors, *const bias = biases;
  C *const out = result;
  WRITE(false, FMA(x[j] - mean[j], factor[j], bias[j]));
}

static const tsr__norm_affine FN(affine) = {FN(factors), FN(affine_row), FN(affine_each)};

#undef WRITE

#if TSR__NORM_HAS_COLUMNS
#include "nn/norm/columns.tmpl.h"
#endif

#undef LANES
#undef NEAR
#undef STEP
#undef FMA
