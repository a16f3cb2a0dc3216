/* Eigenvalues of one complex matrix, of one type of parts. Its largest element is near 1, so that LEAST counts as nothing. */
#include "linalg/complex.tmpl.h"

#define EPSILON (C_BITS == 32 ? (C)0x1p-23 : (C)0x1p-52)
#define LEAST (C_BITS == 32 ? (C)0x1p-60 : (C)0x1p-500)

static inline C FN(more)(C x, C y) { return x > y ? x : y; }
static inline C FN(less)(C x, C y) { return x < y ? x : y; }
static inline bool FN(is_nothing)(FN(complex) x) { return x.re == 0 && x.im == 0; }

/* A power of two near 1/x, x > 0 and normal. */
static inline C FN(power_below)(C x) {
  int exponent = 0;
  (void)__builtin_frexp((double)x, &exponent);
  return (C)__builtin_ldexp(1, -exponent);
}

static FN(complex) FN(root)(FN(complex) x) {
  const C size = FN(absolute)(x);
  if (size == 0) return (FN(complex)){0, 0};
  const C far = TSR__TYPE_SQRT((size + FN(magnitude)(x.re)) / 2), near = FN(magnitude)(x.im) / (2 * far);
  const C re = x.re >= 0 ? far : near, im = x.re >= 0 ? near : far;
  return (FN(complex)){re, x.im < 0 ? -im : im};
}

/* ---- balancing: as for real matrices ---- */

static void FN(exchange)(tsr_index n, FN(complex) * a, tsr_index step, tsr_index i, tsr_index k) {
  if (i == k) return;
  for (tsr_index j = 0; j < n; j++) {
    const FN(complex) x = a[j * step + i];
    a[j * step + i] = a[j * step + k];
    a[j * step + k] = x;
  }
  for (tsr_index j = 0; j < n; j++) {
    const FN(complex) x = a[i * step + j];
    a[i * step + j] = a[k * step + j];
    a[k * step + j] = x;
  }
}

static bool FN(stands_alone)(const FN(complex) * a, tsr_index along, tsr_index across, tsr_index i,
                             const tsr__balance *b) {
  for (tsr_index j = b->low; j <= b->high; j++)
    if (j != i && !FN(is_nothing)(a[i * along + j * across])) return false;
  return true;
}

static bool FN(move_out)(tsr_index n, FN(complex) * a, tsr_index step, tsr__balance *b) {
  C *const place = b->place;
  for (tsr_index i = b->high; i >= b->low; i--)
    if (FN(stands_alone)(a, step, 1, i, b)) {
      place[b->high] = (C)i;
      FN(exchange)(n, a, step, i, b->high--);
      return true;
    }
  for (tsr_index i = b->low; i <= b->high; i++)
    if (FN(stands_alone)(a, 1, step, i, b)) {
      place[b->low] = (C)i;
      FN(exchange)(n, a, step, i, b->low++);
      return true;
    }
  return false;
}

static C FN(factor_for)(const FN(complex) * a, tsr_index step, tsr_index i, const tsr__balance *b) {
  const C most = C_BITS == 32 ? (C)0x1p30 : (C)0x1p250;
  C column = 0, row = 0, factor = 1;
  for (tsr_index j = b->low; j <= b->high; j++)
    column = FN(absolute)((FN(complex)){column, FN(absolute)(a[j * step + i])});
  for (tsr_index j = b->low; j <= b->high; j++) row = FN(absolute)((FN(complex)){row, FN(absolute)(a[i * step + j])});
  if (column == 0 || row == 0) return 1;
  const C before = column + row;
  while (column < row / 2 && factor < most) factor *= 2, column *= 2, row /= 2;
  while (column >= 2 * row && factor > 1 / most) factor /= 2, column /= 2, row *= 2;
  return column + row < (C)0.95 * before ? factor : 1;
}

static void FN(balance)(tsr_index n, void *matrix, tsr_index step, tsr__balance *b) {
  enum { SWEEPS = 100 };
  FN(complex) *const a = matrix;
  C *const scale = b->scale;
  const C most = C_BITS == 32 ? (C)0x1p60 : (C)0x1p500;
  b->low = 0;
  b->high = n - 1;
  for (tsr_index i = 0; i < n; i++) scale[i] = 1;
  while (b->low < b->high && FN(move_out)(n, a, step, b)) {
  }
  bool scaled = true;
  for (int sweep = 0; sweep < SWEEPS && scaled; sweep++) {
    scaled = false;
    for (tsr_index i = b->low; i <= b->high; i++) {
      const C factor = FN(factor_for)(a, step, i, b);
      if (factor == 1 || scale[i] * factor > most || scale[i] * factor < 1 / most) continue;
      scale[i] *= factor;
      scaled = true;
      for (tsr_index j = 0; j < n; j++) a[i * step + j] = FN(scaled)(1 / factor, a[i * step + j]);
      for (tsr_index j = 0; j < n; j++) a[j * step + i] = FN(scaled)(factor, a[j * step + i]);
    }
  }
}

/* ---- Hessenberg's form ---- */

/* n numbers, step apart, as v, whose first element is 1, and tau; returns what Hᴴ leaves of them. */
static C FN(reflection_of)(tsr_index n, const FN(complex) * x, tsr_index step, FN(complex) * v, FN(complex) * tau) {
  FN(complex) scale;
  C most = LEAST;
  for (tsr_index i = 0; i < n; i++) most = FN(more)(most, FN(sum_of_sizes)(x[i * step]));
  const C by = FN(power_below)(most);
  for (tsr_index i = 0; i < n; i++) v[i] = FN(scaled)(by, x[i * step]);
  const C beta = FN(reflector)(v[0], FN(dot_conjugate)(n - 1, v + 1, v + 1).re, tau, &scale);
  v[0] = (FN(complex)){1, 0};
  for (tsr_index i = 1; i < n; i++) v[i] = FN(times)(v[i], scale);
  return beta / by;
}

/* A = Hᴴ·A·H, H of rows k + 1 … high. */
static void FN(reflect_both)(tsr_index n, FN(complex) * a, tsr_index step, tsr_index k, tsr_index high,
                             const FN(complex) * v, FN(complex) tau, FN(complex) * w) {
  const tsr_index m = high - k, right = n - k - 1;
  const FN(complex) by = FN(scaled)(-1, FN(conjugate)(tau));
  for (tsr_index j = 0; j < right; j++) w[j] = (FN(complex)){0, 0};
  for (tsr_index i = 0; i <= high; i++) {
    FN(complex) *const row = a + i * step + k + 1;
    const FN(complex) along = FN(times)(tau, FN(dot_complex)(m, row, v));
    FN(add_conjugate)(m, FN(scaled)(-1, along), v, row);
    if (i > k) FN(add_complex)(right, FN(conjugate)(v[i - k - 1]), row, w);
  }
  for (tsr_index i = k + 1; i <= high; i++)
    FN(add_complex)(right, FN(times)(by, v[i - k - 1]), w, a + i * step + k + 1);
}

/* zt = zt·Hᵀ, of which row and column k + 1 and later are no longer those of the identity. */
static void FN(form_along)(tsr_index n, FN(complex) * zt, tsr_index k, tsr_index high, const FN(complex) * v,
                           FN(complex) tau) {
  for (tsr_index i = k + 1; i <= high && !FN(is_nothing)(tau); i++) {
    FN(complex) *const row = zt + i * n + k + 1;
    const FN(complex) along = FN(times)(tau, FN(dot_conjugate)(high - k, v, row));
    FN(add_complex)(high - k, FN(scaled)(-1, along), v, row);
  }
}

static void FN(hessenberg)(tsr_index n, void *matrix, tsr_index step, const tsr__balance *b, void *product,
                           void *room) {
  FN(complex) *const a = matrix, *const zt = product, *const v = room, *const w = v + n, *const tau = w + n;
  for (tsr_index k = b->low; k + 1 < b->high; k++) {
    FN(complex) *const below = a + (k + 1) * step + k;
    const C left = FN(reflection_of)(b->high - k, below, step, v, &tau[k]);
    if (!FN(is_nothing)(tau[k])) FN(reflect_both)(n, a, step, k, b->high, v, tau[k], w);
    below[0] = (FN(complex)){left, 0};
    for (tsr_index i = 1; i < b->high - k; i++) below[i * step] = FN(is_nothing)(tau[k]) ? (FN(complex)){0, 0} : v[i];
  }
  if (zt != NULL) {
    for (tsr_index i = 0; i < n * n; i++) zt[i] = (FN(complex)){i % (n + 1) == 0, 0};
    for (tsr_index k = b->high - 1; k-- > b->low;) {
      v[0] = (FN(complex)){1, 0};
      for (tsr_index i = 1; i < b->high - k; i++) v[i] = a[(k + 1 + i) * step + k];
      FN(form_along)(n, zt, k, b->high, v, tau[k]);
    }
  }
  for (tsr_index i = 2; i < n; i++)
    for (tsr_index j = 0; j + 1 < i; j++) a[i * step + j] = (FN(complex)){0, 0};
}

/* ---- Schur's form: single shifts, by rotations ---- */

typedef struct FN(schur_run) {
  tsr_index n, step, low, high;
  FN(complex) * h, *zt; /* zt NULL: eigenvalues alone, of which only the block between first and last is kept */
} FN(schur_run);

/* [c s; -conj(s) c]·[x; y] = [r; 0]. */
typedef struct FN(rotation) {
  C c;
  FN(complex) s, r;
} FN(rotation);

static FN(rotation) FN(rotation_of)(FN(complex) x, FN(complex) y) {
  const C p = FN(absolute)(x), q = FN(absolute)(y), most = FN(more)(p, q);
  if (q == 0) return (FN(rotation)){1, {0, 0}, x};
  if (p == 0) return (FN(rotation)){0, {y.re / q, -y.im / q}, {q, 0}};
  const C f = p / most, g = q / most, norm = TSR__TYPE_SQRT(f * f + g * g);
  const FN(complex) direction = {x.re / p, x.im / p}, other = {y.re / q, -y.im / q};
  return (FN(rotation)){f / norm, FN(scaled)(g / norm, FN(times)(direction, other)),
                        FN(scaled)(most * norm, direction)};
}

/* Rows x, y = c·x + s·y, c·y - conj(s)·x. */
static void FN(rotate_complex_rows)(tsr_index n, C c, FN(complex) s, FN(complex) * x, FN(complex) * y) {
  const V vc = ALL(c), as_is = ALL(s.re), rotated = FN(alternating)(-s.im, s.im), back = FN(alternating)(-s.im, s.im);
  C *const p = (C *)x, *const q = (C *)y;
  tsr_index k = 0;
  for (; k < 2 * n; k += LANES) {
    const int left = 2 * n - k < LANES ? (int)(2 * n - k) : LANES;
    const V a = left == LANES ? LOAD(p + k) : LOAD_PART(p + k, left);
    const V b = left == LANES ? LOAD(q + k) : LOAD_PART(q + k, left);
    const V first = MADD(rotated, PAIRS(b), MADD(as_is, b, vc * a));
    const V second = MADD(back, PAIRS(a), MADD(-as_is, a, vc * b));
    if (left == LANES) {
      STORE(p + k, first);
      STORE(q + k, second);
    } else {
      STORE_PART(p + k, first, left);
      STORE_PART(q + k, second, left);
    }
  }
}

/* Columns of rows, two numbers beside each other. */
static void FN(rotate_complex_columns)(tsr_index rows, tsr_index step, C c, FN(complex) s, FN(complex) * at) {
  for (tsr_index i = 0; i < rows; i++, at += step) {
    const FN(complex) x = at[0], y = at[1];
    at[0] = (FN(complex)){c * x.re + s.re * y.re + s.im * y.im, c * x.im + s.re * y.im - s.im * y.re};
    at[1] = (FN(complex)){c * y.re - s.re * x.re + s.im * x.im, c * y.im - s.re * x.im - s.im * x.re};
  }
}

/* As for real matrices (schur.tmpl.h). */
static bool FN(is_small)(const FN(schur_run) * s, tsr_index k) {
  const tsr_index step = s->step;
  const FN(complex) *const at = s->h + k * step + k;
  const C below = FN(sum_of_sizes)(at[-1]), above = FN(sum_of_sizes)(at[-step]), here = FN(sum_of_sizes)(at[0]),
          before = FN(sum_of_sizes)(at[-step - 1]);
  if (below <= LEAST * LEAST) return true;
  C near = here + before;
  if (near == 0 && k - 2 >= s->low) near += FN(sum_of_sizes)(at[-step - 2]);
  if (near == 0 && k + 1 <= s->high) near += FN(sum_of_sizes)(at[step]);
  if (below > EPSILON * near) return false;
  const C apart = FN(sum_of_sizes)(FN(minus)(at[-step - 1], at[0]));
  const C off = FN(more)(below, above), other = FN(less)(below, above);
  const C most = FN(more)(here, apart), least = FN(less)(here, apart), all = most + off;
  return other * (off / all) <= FN(more)(LEAST * LEAST, EPSILON * (least * (most / all)));
}

/* The eigenvalue of the last two rows that is nearer to the last element (Wilkinson). */
static FN(complex) FN(shift_of)(const FN(schur_run) * s, tsr_index first, tsr_index last, int tries) {
  const tsr_index step = s->step;
  const FN(complex) *const end = s->h + last * step + last, *const top = s->h + first * step + first;
  if (tries % 20 == 10) return (FN(complex)){top[0].re + (C)0.75 * FN(sum_of_sizes)(top[step]), top[0].im};
  if (tries % 20 == 0 && tries > 0) return (FN(complex)){end[0].re + (C)0.75 * FN(sum_of_sizes)(end[-1]), end[0].im};
  const FN(complex) u = FN(times)(FN(root)(end[-step]), FN(root)(end[-1]));
  if (FN(sum_of_sizes)(u) == 0) return end[0];
  const FN(complex) x = FN(scaled)((C)0.5, FN(minus)(end[-step - 1], end[0]));
  const C size = FN(more)(FN(sum_of_sizes)(u), FN(sum_of_sizes)(x));
  const FN(complex) p = {x.re / size, x.im / size}, q = {u.re / size, u.im / size};
  FN(complex) y = FN(scaled)(size, FN(root)(FN(plus)(FN(times)(p, p), FN(times)(q, q))));
  if (x.re * y.re + x.im * y.im < 0) y = FN(scaled)(-1, y);
  return FN(minus)(end[0], FN(times)(u, FN(over)(u, FN(plus)(x, y))));
}

/* The row from which two elements below the diagonal are small together. */
static tsr_index FN(begin_sweep)(const FN(schur_run) * s, tsr_index first, tsr_index last, FN(complex) shift) {
  const tsr_index step = s->step;
  for (tsr_index m = last - 1; m > first; m--) {
    const FN(complex) *const at = s->h + m * step + m;
    const C apart = FN(sum_of_sizes)(FN(minus)(at[0], shift)), below = FN(sum_of_sizes)(at[step]), all = apart + below;
    if (all == 0) return m;
    const C near = FN(sum_of_sizes)(at[0]) + FN(sum_of_sizes)(at[step + 1]);
    if (FN(sum_of_sizes)(at[-1]) * (below / all) <= EPSILON * (apart / all * near)) return m;
  }
  return first;
}

static void FN(sweep)(const FN(schur_run) * s, tsr_index first, tsr_index last, FN(complex) shift) {
  const tsr_index step = s->step, top = s->zt != NULL ? 0 : first, end = s->zt != NULL ? s->n : last + 1;
  const tsr_index from = FN(begin_sweep)(s, first, last, shift);
  for (tsr_index k = from; k < last; k++) {
    FN(complex) *const at = s->h + k * step + k;
    const FN(rotation) t =
        k > from ? FN(rotation_of)(at[-1], at[step - 1]) : FN(rotation_of)(FN(minus)(at[0], shift), at[step]);
    if (k > from) {
      at[-1] = t.r;
      at[step - 1] = (FN(complex)){0, 0};
    } else if (from > first) { /* what is below it was small and stays so */
      at[-1] = FN(scaled)(t.c, at[-1]);
    }
    FN(rotate_complex_rows)(end - k, t.c, t.s, at, at + step);
    const tsr_index rows = (k + 2 < last ? k + 2 : last) + 1 - top;
    FN(rotate_complex_columns)(rows, step, t.c, t.s, s->h + top * step + k);
    if (s->zt != NULL) FN(rotate_complex_rows)(s->n, t.c, FN(conjugate)(t.s), s->zt + k * s->n, s->zt + (k + 1) * s->n);
  }
}

static tsr_index FN(schur)(tsr_index n, void *matrix, tsr_index step, const tsr__balance *b, void *numbers,
                           void *product) {
  enum { TRIES = 120 };
  const FN(schur_run) s = {n, step, b->low, b->high, matrix, product};
  FN(complex) *const values = numbers;
  for (tsr_index last = b->high; last > b->low; last--) {
    tsr_index first = b->low;
    int tries = 0;
    for (;; tries++) {
      tsr_index k = last;
      while (k > first && !FN(is_small)(&s, k)) k--;
      first = k;
      if (first > b->low) s.h[first * step + first - 1] = (FN(complex)){0, 0};
      if (first == last) break;
      if (tries == TRIES) return last + 1;
      FN(sweep)(&s, first, last, FN(shift_of)(&s, first, last, tries));
    }
  }
  for (tsr_index i = 0; i < n; i++) values[i] = s.h[i * step + i];
  return 0;
}

/* ---- eigenvectors ---- */

static void FN(vectors)(tsr_index n, const void *matrix, tsr_index step, void *rows) {
  const FN(complex) *const t = matrix;
  FN(complex) *const xt = rows;
  const C large = C_BITS == 32 ? (C)0x1p25 : (C)0x1p200;
  for (tsr_index i = 0; i < n * n; i++) xt[i] = (FN(complex)){0, 0};
  for (tsr_index j = 0; j < n; j++) {
    FN(complex) *const x = xt + j * n;
    const FN(complex) lambda = t[j * step + j];
    const C least = FN(more)(LEAST, EPSILON * FN(sum_of_sizes)(lambda));
    C most = 1;
    x[j] = (FN(complex)){1, 0};
    for (tsr_index i = j; i-- > 0;) {
      if (most > large) { /* a power of two brings it near 1 before it leaves the range */
        const C by = FN(power_below)(most);
        for (tsr_index k = i + 1; k <= j; k++) x[k] = FN(scaled)(by, x[k]);
        most *= by;
      }
      FN(complex) pivot = FN(minus)(t[i * step + i], lambda);
      if (FN(sum_of_sizes)(pivot) < least) pivot = (FN(complex)){least, 0};
      const FN(complex) rest = FN(dot_complex)(j - i, t + i * step + i + 1, x + i + 1);
      x[i] = FN(over)(FN(scaled)(-1, rest), pivot);
      most = FN(more)(most, FN(sum_of_sizes)(x[i]));
    }
  }
}

static void FN(unbalance)(tsr_index n, const tsr__balance *b, FN(complex) * v) {
  const C *const scale = b->scale, *const place = b->place;
  for (tsr_index i = b->low; i <= b->high; i++) v[i] = FN(scaled)(scale[i], v[i]);
  for (tsr_index step = 0; step < b->low + n - b->high - 1; step++) {
    const tsr_index i = step < b->low ? b->low - 1 - step : b->high + 1 + step - b->low, k = (tsr_index)place[i];
    const FN(complex) x = v[i];
    v[i] = v[k];
    v[k] = x;
  }
}

/* Length 1, and the largest element real. */
static void FN(finish)(tsr_index n, const tsr__balance *b, void *rows) {
  for (tsr_index j = 0; j < n; j++) {
    FN(complex) *const x = (FN(complex) *)rows + j * n;
    tsr_index at = 0;
    C most = 0, square = 0;
    FN(unbalance)(n, b, x);
    for (tsr_index i = 0; i < n; i++) most = FN(more)(most, FN(sum_of_sizes)(x[i]));
    if (!(most > 0)) continue;
    const C by = FN(power_below)(most);
    most = 0;
    for (tsr_index i = 0; i < n; i++) {
      x[i] = FN(scaled)(by, x[i]);
      const C size = FN(square_of)(x[i]);
      square += size;
      if (size > most) most = size, at = i;
    }
    const C length = TSR__TYPE_SQRT(square), size = FN(absolute)(x[at]);
    const FN(complex) phase = {x[at].re / size / length, -x[at].im / size / length};
    for (tsr_index i = 0; i < n; i++) x[i] = FN(times)(phase, x[i]);
    x[at].im = 0;
  }
}

#undef PAIRS
#undef EPSILON
#undef LEAST
