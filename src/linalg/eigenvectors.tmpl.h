/* ---- eigenvectors of Schur's form, by substitution ---- */

typedef struct FN(complex) {
  C re, im;
} FN(complex);

static inline FN(complex) FN(times)(FN(complex) x, FN(complex) y) {
  return (FN(complex)){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static inline FN(complex) FN(minus)(FN(complex) x, FN(complex) y) { return (FN(complex)){x.re - y.re, x.im - y.im}; }
static inline C FN(larger_part)(FN(complex) x) { return FN(more)(FN(size)(x.re), FN(size)(x.im)); }

/* x / y by the larger part of y (Smith); y that counts as 0 beside least becomes that. */
static FN(complex) FN(quotient)(FN(complex) x, FN(complex) y, C least) {
  if (FN(larger_part)(y) < least) y = (FN(complex)){least, 0};
  if (FN(size)(y.re) >= FN(size)(y.im)) {
    const C ratio = y.im / y.re, all = y.re + y.im * ratio;
    return (FN(complex)){(x.re + x.im * ratio) / all, (x.im - x.re * ratio) / all};
  }
  const C ratio = y.re / y.im, all = y.im + y.re * ratio;
  return (FN(complex)){(x.re * ratio + x.im) / all, (x.im * ratio - x.re) / all};
}

/* A vector on its way: elements from some k on are known. */
typedef struct FN(vector) {
  C *re, *im; /* im NULL: real */
  tsr_index end;
  C most, least; /* the largest part so far; pivots below least become least */
} FN(vector);

/* A power of two brings the vector near 1 before it leaves the range. */
static void FN(keep_in_range)(FN(vector) * x) {
  if (!(x->most > (C_BITS == 32 ? (C)0x1p25 : (C)0x1p200))) return;
  const C by = FN(power_below)(x->most);
  for (tsr_index i = 0; i < x->end; i++) x->re[i] *= by;
  for (tsr_index i = 0; i < x->end && x->im != NULL; i++) x->im[i] *= by;
  x->most *= by;
}

static void FN(put)(FN(vector) * x, tsr_index k, FN(complex) value) {
  x->re[k] = value.re;
  if (x->im != NULL) x->im[k] = value.im;
  x->most = FN(more)(x->most, FN(larger_part)(value));
}

/* Minus the sum over known elements, from column from on. */
static FN(complex) FN(rest_of)(const FN(vector) * x, const C *row, tsr_index from) {
  const tsr_index n = x->end - from;
  return (FN(complex)){-FN(dot)(n, row + from, x->re + from),
                       x->im != NULL ? -FN(dot)(n, row + from, x->im + from) : 0};
}

/* Elements k - 1 and k, of a block of two rows, by elimination from its larger first element. */
static void FN(solve_two)(FN(vector) * x, const C *t, tsr_index step, tsr_index k, FN(complex) lambda) {
  const C *const at = t + (k - 1) * step + k - 1;
  FN(complex) p = FN(minus)((FN(complex)){at[0], 0}, lambda), q = {at[1], 0}, r = {at[step], 0};
  FN(complex) s = FN(minus)((FN(complex)){at[step + 1], 0}, lambda);
  FN(complex) y = FN(rest_of)(x, t + (k - 1) * step, k + 1), z = FN(rest_of)(x, t + k * step, k + 1);
  if (FN(larger_part)(p) < FN(larger_part)(r)) {
    FN(complex) other = p;
    p = r, r = other;
    other = q, q = s, s = other;
    other = y, y = z, z = other;
  }
  const FN(complex) f = FN(quotient)(r, p, x->least);
  const FN(complex) second = FN(quotient)(FN(minus)(z, FN(times)(f, y)), FN(minus)(s, FN(times)(f, q)), x->least);
  /* Before it is multiplied again: it may be large. */
  const C by = FN(larger_part)(second) > 1 ? FN(power_below)(FN(larger_part)(second)) : 1;
  if (by != 1) {
    for (tsr_index i = k + 1; i < x->end; i++) x->re[i] *= by;
    for (tsr_index i = k + 1; i < x->end && x->im != NULL; i++) x->im[i] *= by;
    x->most *= by;
  }
  const FN(complex) scaled = {second.re * by, second.im * by}, left = {y.re * by, y.im * by};
  FN(put)(x, k, scaled);
  FN(put)(x, k - 1, FN(quotient)(FN(minus)(left, FN(times)(q, scaled)), p, x->least));
}

/* (T - λ)·x = 0, from the elements that are given at the end of x upwards. */
static void FN(substitute)(FN(vector) * x, const C *t, tsr_index step, tsr_index k, FN(complex) lambda) {
  while (k >= 0) {
    FN(keep_in_range)(x);
    if (k > 0 && t[k * step + k - 1] != 0) {
      FN(solve_two)(x, t, step, k, lambda);
      k -= 2;
      continue;
    }
    const FN(complex) pivot = {t[k * step + k] - lambda.re, -lambda.im};
    FN(put)(x, k, FN(quotient)(FN(rest_of)(x, t + k * step, k + 1), pivot, x->least));
    k--;
  }
}

static void FN(vectors)(tsr_index n, const void *matrix, tsr_index step, const void *real, const void *imaginary,
                        void *to) {
  const C *const t = matrix, *const re = real, *const im = imaginary;
  C *const xt = to;
  for (tsr_index i = 0; i < n * n; i++) xt[i] = 0;
  for (tsr_index j = 0; j < n; j++) {
    const C least = FN(more)(LEAST, EPSILON * (FN(size)(re[j]) + FN(size)(im[j])));
    FN(vector) x = {xt + j * n, NULL, j + 1, 1, least};
    if (im[j] == 0) {
      x.re[j] = 1;
      FN(substitute)(&x, t, step, j - 1, (FN(complex)){re[j], 0});
      continue;
    }
    const C *const at = t + j * step + j;
    x.im = xt + (j + 1) * n;
    x.end = ++j + 1;
    if (FN(size)(at[1]) >= FN(size)(at[step])) {
      x.re[j - 1] = 1;
      x.im[j] = im[j - 1] / at[1];
    } else {
      x.re[j - 1] = -im[j - 1] / at[step];
      x.im[j] = 1;
    }
    x.most = FN(more)(FN(size)(x.re[j - 1]), FN(size)(x.im[j]));
    FN(substitute)(&x, t, step, j - 2, (FN(complex)){re[j - 1], im[j - 1]});
  }
}

/* ---- back to the matrix that was given ---- */

static void FN(unbalance)(tsr_index n, const tsr__balance *b, C *v) {
  const C *const scale = b->scale, *const place = b->place;
  for (tsr_index i = b->low; i <= b->high; i++) v[i] *= scale[i];
  for (tsr_index i = b->low; i-- > 0;) {
    const tsr_index k = (tsr_index)place[i];
    const C x = v[i];
    v[i] = v[k];
    v[k] = x;
  }
  for (tsr_index i = b->high + 1; i < n; i++) {
    const tsr_index k = (tsr_index)place[i];
    const C x = v[i];
    v[i] = v[k];
    v[k] = x;
  }
}

static C FN(largest_part)(tsr_index n, const C *x) {
  C most = 0;
  for (tsr_index i = 0; i < n; i++) most = FN(more)(most, FN(size)(x[i]));
  return most;
}

static void FN(scale_row)(tsr_index n, C by, C *x) {
  for (tsr_index i = 0; i < n; i++) x[i] *= by;
}

/* The largest element of x + i·y becomes real. */
static void FN(rotate_to_real)(tsr_index n, C *x, C *y) {
  tsr_index at = 0;
  C most = 0;
  for (tsr_index i = 0; i < n; i++) {
    const C size = x[i] * x[i] + y[i] * y[i];
    if (size > most) most = size, at = i;
  }
  const C length = FN(length)(x[at], y[at]);
  if (length == 0) return;
  FN(rotate_rows)(n, x[at] / length, -y[at] / length, x, y);
  y[at] = 0;
}

static void FN(finish)(tsr_index n, const tsr__balance *b, const void *imaginary, void *rows) {
  const C *const im = imaginary;
  C *const vt = rows;
  for (tsr_index j = 0; j < n; j++) {
    C *const x = vt + j * n, *const y = im[j] != 0 ? vt + ++j * n : NULL;
    FN(unbalance)(n, b, x);
    if (y != NULL) FN(unbalance)(n, b, y);
    const C most = FN(more)(FN(largest_part)(n, x), y != NULL ? FN(largest_part)(n, y) : 0);
    if (!(most > 0)) continue;
    const C by = FN(power_below)(most);
    FN(scale_row)(n, by, x);
    if (y != NULL) FN(scale_row)(n, by, y);
    const C square = FN(dot)(n, x, x) + (y != NULL ? FN(dot)(n, y, y) : 0), length = TSR__TYPE_SQRT(square);
    for (tsr_index i = 0; i < n; i++) x[i] /= length;
    for (tsr_index i = 0; i < n && y != NULL; i++) y[i] /= length;
    if (y != NULL) FN(rotate_to_real)(n, x, y);
  }
}
