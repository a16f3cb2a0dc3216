/* Quantiles of sorted rows: the elements around a place, and what lies between them, in f64 as on the host (ops/sort/quantile.c). T: of
 * the elements, RESULT: of the results; SAME: they are of one dtype. */
#include "cuda/kernels/keys.cuh"

struct quantile_args {
  const U *sorted;
  RESULT *out; /* (quantiles, rows) */
  key_args keys;
  uint64_t rows, length, count;
  double q[16];
  int mode, skip_nan; /* mode: tsr_interpolation */
};

enum { LINEAR, LOWER, HIGHER, MIDPOINT, NEAREST };

/* NaN are the last of a row. */
static inline uint64_t numbers_of(const U *row, const quantile_args &s) {
  uint64_t low = 0, high = s.length;
#if FLOATS
  if (key_of(row[high - 1], s.keys) != ONES) return high;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (key_of(row[middle], s.keys) < ONES)
      low = middle + 1;
    else
      high = middle;
  }
#else
  (void)row, (void)low;
#endif
  return high;
}

static inline uint64_t place_of(double q, uint64_t n, int mode, double *part) {
  const double exact = q * (double)(n - 1), below = floor(exact);
  uint64_t at = (uint64_t)below;
  *part = exact - below;
  if (mode == HIGHER) at += *part > 0;
  if (mode == NEAREST) at = (uint64_t)__builtin_rint(exact);
  if (mode == MIDPOINT) *part = *part > 0 ? 0.5 : 0;
  if (mode == LOWER || mode == HIGHER || mode == NEAREST) *part = 0;
  if (at >= n - 1) {
    at = n - 1;
    *part = 0;
  }
  return at;
}

static inline bool is_infinite(double x) { return x == __builtin_inf() || x == -__builtin_inf(); }

static inline double between(double a, double b, double part) {
  if (a == b) return a;
  if (is_infinite(a) || is_infinite(b)) return a + b;
  const double step = b - a;
  return part < 0.5 ? a + step * part : b - step * (1 - part);
}

/* As its key has it: zeros are +0. */
static inline T element_at(const U *row, uint64_t at, const quantile_args &s) {
  union {
    U bits;
    T element;
  } both;
  both.bits = element_of(key_of(row[at], s.keys), s.keys);
  return both.element;
}

extern "C" __global__ void __launch_bounds__(128) tsr_quantile(const quantile_args s) {
  const uint64_t i = (uint64_t)blockIdx.x * 128 + threadIdx.x;
  if (i >= s.rows * s.count) return;
  const uint64_t which = i / s.rows;
  const U *const row = s.sorted + (i - which * s.rows) * s.length;
  const uint64_t n = numbers_of(row, s);
  if (n == 0 || (n < s.length && s.skip_nan == 0)) {
    s.out[i] = stored(__builtin_nan(""));
    return;
  }
  double part, q = 0;
  TSR__UNROLL(16) for (uint64_t k = 0; k < 16; k++) q = k == which ? s.q[k] : q;
  const uint64_t at = place_of(q, n, s.mode, &part);
  const T low = element_at(row, at, s);
#if SAME
  if (part == 0) {
    s.out[i] = low;
    return;
  }
#endif
  const double a = loaded(low);
  s.out[i] = stored(part == 0 ? a : between(a, loaded(element_at(row, at + 1, s)), part));
}
