/* Complex numbers of one type of parts, C, and rows of them. Included once in a kernel file for each type; the including
 * template forgets PAIRS. */
#define PAIRS(v) TSR__VEC(V, _swapped)(v)

typedef struct FN(complex) {
  C re, im;
} FN(complex);

static inline FN(complex) FN(times)(FN(complex) x, FN(complex) y) {
  return (FN(complex)){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static inline FN(complex) FN(minus)(FN(complex) x, FN(complex) y) { return (FN(complex)){x.re - y.re, x.im - y.im}; }
static inline FN(complex) FN(plus)(FN(complex) x, FN(complex) y) { return (FN(complex)){x.re + y.re, x.im + y.im}; }
static inline FN(complex) FN(scaled)(C f, FN(complex) x) { return (FN(complex)){f * x.re, f * x.im}; }
static inline FN(complex) FN(conjugate)(FN(complex) x) { return (FN(complex)){x.re, -x.im}; }
static inline C FN(square_of)(FN(complex) x) { return x.re * x.re + x.im * x.im; }
static inline C FN(magnitude)(C x) { return x < 0 ? -x : x; }
/* |re| + |im|, as LAPACK compares sizes. */
static inline C FN(sum_of_sizes)(FN(complex) x) { return FN(magnitude)(x.re) + FN(magnitude)(x.im); }

/* √(|re|² + |im|²), whatever their size. */
static inline C FN(absolute)(FN(complex) x) {
  const C p = FN(magnitude)(x.re), q = FN(magnitude)(x.im), most = p > q ? p : q, least = p > q ? q : p;
  if (most == 0 || most - most != 0) return most + least;
  const C ratio = least / most;
  return most * TSR__TYPE_SQRT(1 + ratio * ratio);
}

/* x / y by the larger part of y (Smith). */
static inline FN(complex) FN(over)(FN(complex) x, FN(complex) y) {
  if (FN(magnitude)(y.re) >= FN(magnitude)(y.im)) {
    const C ratio = y.im / y.re, all = y.re + y.im * ratio;
    return (FN(complex)){(x.re + x.im * ratio) / all, (x.im - x.re * ratio) / all};
  }
  const C ratio = y.re / y.im, all = y.im + y.re * ratio;
  return (FN(complex)){(x.re * ratio + x.im) / all, (x.im * ratio - x.re) / all};
}

/* real in even lanes, imaginary in odd ones. */
static inline V FN(alternating)(C real, C imaginary) {
  V v = {0};
  TSR__UNROLL(16)
  for (int i = 0; i < LANES; i++) v[i] = i % 2 == 0 ? real : imaginary;
  return v;
}

/* y += f · x, or f times its conjugate. */
TSR__INLINE void FN(add_rotated)(tsr_index n, V as_is, V rotated, const FN(complex) * x, FN(complex) * y) {
  const C *const from = (const C *)x;
  C *const to = (C *)y;
  tsr_index k = 0;
  for (; k + LANES <= 2 * n; k += LANES) {
    const V v = LOAD(from + k);
    STORE(to + k, MADD(rotated, PAIRS(v), MADD(as_is, v, LOAD(to + k))));
  }
  if (k == 2 * n) return;
  const int left = (int)(2 * n - k);
  const V v = LOAD_PART(from + k, left);
  STORE_PART(to + k, MADD(rotated, PAIRS(v), MADD(as_is, v, LOAD_PART(to + k, left))), left);
}
static inline void FN(add_complex)(tsr_index n, FN(complex) f, const FN(complex) * x, FN(complex) * y) {
  FN(add_rotated)(n, ALL(f.re), FN(alternating)(-f.im, f.im), x, y);
}
static inline void FN(add_conjugate)(tsr_index n, FN(complex) f, const FN(complex) * x, FN(complex) * y) {
  FN(add_rotated)(n, FN(alternating)(f.re, -f.re), ALL(f.im), x, y);
}

/* Both sums of products of parts: of the same, [re·re, im·im], and of the other ones, [re·im, im·re]. */
typedef struct FN(sums) {
  C same[2], other[2];
} FN(sums);

static inline FN(sums) FN(sums_of)(tsr_index n, const FN(complex) * x, const FN(complex) * y) {
  const C *const p = (const C *)x, *const q = (const C *)y;
  V same[2] = {ALL(0), ALL(0)}, other[2] = {ALL(0), ALL(0)};
  FN(sums) s = {{0, 0}, {0, 0}};
  tsr_index k = 0;
  for (; k + 2 * LANES <= 2 * n; k += 2 * LANES) {
    TSR__UNROLL(2)
    for (int i = 0; i < 2; i++) {
      const V a = LOAD(p + k + i * LANES), b = LOAD(q + k + i * LANES);
      same[i] = MADD(a, b, same[i]);
      other[i] = MADD(a, PAIRS(b), other[i]);
    }
  }
  for (; k < 2 * n; k += LANES) {
    const int left = 2 * n - k < LANES ? (int)(2 * n - k) : LANES;
    const V a = LOAD_PART(p + k, left), b = LOAD_PART(q + k, left);
    same[0] = MADD(a, b, same[0]);
    other[0] = MADD(a, PAIRS(b), other[0]);
  }
  same[0] = same[0] + same[1];
  other[0] = other[0] + other[1];
  for (int l = 0; l < LANES; l++) s.same[l % 2] += same[0][l], s.other[l % 2] += other[0][l];
  return s;
}

/* Σ x·y, Σ conj(x)·y, Σ |x|². */
static inline FN(complex) FN(dot_complex)(tsr_index n, const FN(complex) * x, const FN(complex) * y) {
  const FN(sums) s = FN(sums_of)(n, x, y);
  return (FN(complex)){s.same[0] - s.same[1], s.other[0] + s.other[1]};
}
static inline FN(complex) FN(dot_conjugate)(tsr_index n, const FN(complex) * x, const FN(complex) * y) {
  const FN(sums) s = FN(sums_of)(n, x, y);
  return (FN(complex)){s.same[0] + s.same[1], s.other[0] - s.other[1]};
}

/* What reflects: of alpha and numbers whose squares are below in all, tau, and 1 / (alpha - beta), by which they are multiplied;
 * returns beta, which is real (LAPACK's zlarfg). H = I - tau·v·vᴴ, Hᴴ·x = beta. */
static inline C FN(reflector)(FN(complex) alpha, C below, FN(complex) * tau, FN(complex) * scale) {
  *tau = (FN(complex)){0, 0};
  *scale = (FN(complex)){1, 0};
  if (below == 0 && alpha.im == 0) return alpha.re;
  const C norm = TSR__TYPE_SQRT(FN(square_of)(alpha) + below), beta = alpha.re >= 0 ? -norm : norm;
  *tau = (FN(complex)){(beta - alpha.re) / beta, -alpha.im / beta};
  *scale = FN(over)((FN(complex)){1, 0}, (FN(complex)){alpha.re - beta, alpha.im});
  return beta;
}
