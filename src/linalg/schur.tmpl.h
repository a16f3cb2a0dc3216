/* ---- Schur's form of a Hessenberg matrix: Francis' double shifts ---- */

typedef struct FN(schur_run) {
  tsr_index n, step, low, high; /* low … high: what is iterated on */
  C *h, *zt;                    /* zt NULL: eigenvalues alone, of which only the block between first and last is kept */
} FN(schur_run);

/* Rows x, y, z (NULL: two of them) of H·(rows), where H = I - v·(t1, t2, t3) with v = (1, v2, v3). */
typedef struct FN(three) {
  C v2, v3, t1, t2, t3;
} FN(three);

static void FN(reflect_rows)(tsr_index n, const FN(three) * r, C *x, C *y, C *z) {
  const V v2 = ALL(r->v2), v3 = ALL(r->v3), t1 = ALL(-r->t1), t2 = ALL(-r->t2), t3 = ALL(-r->t3);
  tsr_index k = 0;
  for (; k + LANES <= n; k += LANES) {
    const V p = LOAD(x + k), q = LOAD(y + k), s = z != NULL ? LOAD(z + k) : ALL(0);
    const V sum = MADD(v3, s, MADD(v2, q, p));
    STORE(x + k, MADD(sum, t1, p));
    STORE(y + k, MADD(sum, t2, q));
    if (z != NULL) STORE(z + k, MADD(sum, t3, s));
  }
  for (; k < n; k++) {
    const C sum = x[k] + r->v2 * y[k] + (z != NULL ? r->v3 * z[k] : 0);
    x[k] -= sum * r->t1;
    y[k] -= sum * r->t2;
    if (z != NULL) z[k] -= sum * r->t3;
  }
}

static void FN(reflect_columns)(tsr_index rows, tsr_index step, const FN(three) * r, C *at, bool third) {
  for (tsr_index i = 0; i < rows; i++, at += step) {
    const C sum = at[0] + r->v2 * at[1] + (third ? r->v3 * at[2] : 0);
    at[0] -= sum * r->t1;
    at[1] -= sum * r->t2;
    if (third) at[2] -= sum * r->t3;
  }
}

/* v of three (third false: two) numbers becomes the reflection of them; returns what is left of the first. */
static C FN(reflection_of_three)(const C *x, bool third, FN(three) * r) {
  const C most = FN(more)(FN(size)(x[1]), third ? FN(size)(x[2]) : 0);
  *r = (FN(three)){0};
  if (most == 0) return x[0];
  const C all = FN(more)(most, FN(size)(x[0])), p = x[0] / all, q = x[1] / all, s = third ? x[2] / all : 0;
  const C norm = TSR__TYPE_SQRT(p * p + q * q + s * s), beta = p > 0 ? -norm : norm;
  r->t1 = (beta - p) / beta;
  r->v2 = q / (p - beta);
  r->v3 = s / (p - beta);
  r->t2 = r->t1 * r->v2;
  r->t3 = r->t1 * r->v3;
  return beta * all;
}

/* Whether the element below the diagonal in column k - 1 counts as 0, by its neighbours (Ahues and Tisseur). */
static bool FN(is_small)(const FN(schur_run) * s, tsr_index k) {
  const tsr_index step = s->step;
  const C *const at = s->h + k * step + k;
  const C below = FN(size)(at[-1]), above = FN(size)(at[-step]), here = FN(size)(at[0]),
          before = FN(size)(at[-step - 1]);
  if (below <= LEAST * LEAST) return true;
  C near = here + before;
  if (near == 0 && k - 2 >= s->low) near += FN(size)(at[-step - 2]);
  if (near == 0 && k + 1 <= s->high) near += FN(size)(at[step]);
  if (below > EPSILON * near) return false;
  const C apart = FN(size)(at[-step - 1] - at[0]), off = FN(more)(below, above), other = FN(less)(below, above);
  const C most = FN(more)(here, apart), least = FN(less)(here, apart), all = most + off;
  return other * (off / all) <= FN(more)(LEAST * LEAST, EPSILON * (least * (most / all)));
}

/* Two shifts, conjugated or both real. */
typedef struct FN(shift) {
  C re1, im1, re2, im2;
} FN(shift);

static FN(shift) FN(shifts_of)(C a, C b, C c, C d) {
  const C all = FN(size)(a) + FN(size)(b) + FN(size)(c) + FN(size)(d);
  if (all == 0) return (FN(shift)){0};
  a /= all, b /= all, c /= all, d /= all;
  const C middle = (a + d) / 2, det = (a - middle) * (d - middle) - b * c, root = TSR__TYPE_SQRT(FN(size)(det));
  if (det >= 0) return (FN(shift)){middle * all, root * all, middle * all, -root * all};
  const C one = middle + root, two = middle - root, near = FN(size)(one - d) <= FN(size)(two - d) ? one : two;
  return (FN(shift)){near * all, 0, near * all, 0};
}

static FN(shift) FN(choose_shifts)(const FN(schur_run) * s, tsr_index first, tsr_index last, int tries) {
  const tsr_index step = s->step;
  const C *const top = s->h + first * step + first, *const end = s->h + last * step + last;
  if (tries % 20 == 10) { /* something else, where it goes round in circles */
    const C size = FN(size)(top[step]) + FN(size)(top[2 * step + 1]), d = (C)0.75 * size + top[0];
    return FN(shifts_of)(d, (C)-0.4375 * size, size, d);
  }
  if (tries % 20 == 0 && tries > 0) {
    const C size = FN(size)(end[-1]) + FN(size)(end[-step - 2]), d = (C)0.75 * size + end[0];
    return FN(shifts_of)(d, (C)-0.4375 * size, size, d);
  }
  return FN(shifts_of)(end[-step - 1], end[-step], end[-1], end[0]);
}

/* The first column of (H - shift1)·(H - shift2), from the row on where two elements below the diagonal are small together. */
static tsr_index FN(begin_sweep)(const FN(schur_run) * s, tsr_index first, tsr_index last, const FN(shift) * w, C *v) {
  const tsr_index step = s->step;
  for (tsr_index m = last - 2;; m--) {
    const C *const at = s->h + m * step + m;
    const C all = FN(size)(at[0] - w->re2) + FN(size)(w->im2) + FN(size)(at[step]), below = at[step] / all;
    v[0] = below * at[1] + (at[0] - w->re1) * ((at[0] - w->re2) / all) - w->im1 * (w->im2 / all);
    v[1] = below * (at[0] + at[step + 1] - w->re1 - w->re2);
    v[2] = below * at[2 * step + 1];
    const C size = FN(size)(v[0]) + FN(size)(v[1]) + FN(size)(v[2]);
    for (int i = 0; i < 3; i++) v[i] /= size;
    if (m == first) return m;
    const C left = FN(size)(at[-1]) * (FN(size)(v[1]) + FN(size)(v[2]));
    if (left <= EPSILON * FN(size)(v[0]) * (FN(size)(at[-step - 1]) + FN(size)(at[0]) + FN(size)(at[step + 1])))
      return m;
  }
}

static void FN(sweep)(const FN(schur_run) * s, tsr_index first, tsr_index last, tsr_index from, C *v) {
  const tsr_index step = s->step, top = s->zt != NULL ? 0 : first, end = s->zt != NULL ? s->n : last + 1;
  for (tsr_index k = from; k < last; k++) {
    C *const h = s->h, *const at = h + k * step + k;
    const bool third = k + 2 <= last;
    FN(three) r;
    for (int i = 0; i < 3 && k > from; i++) v[i] = i < 2 || third ? at[i * step - 1] : 0;
    const C left = FN(reflection_of_three)(v, third, &r);
    if (k > from) {
      at[-1] = left;
      at[step - 1] = 0;
      if (third) at[2 * step - 1] = 0;
    } else if (from > first) { /* what is above was small and stays so */
      at[-1] *= 1 - r.t1;
    }
    if (r.t1 == 0) continue;
    FN(reflect_rows)(end - k, &r, at, at + step, third ? at + 2 * step : NULL);
    const tsr_index rows = (k + 3 < last ? k + 3 : last) + 1 - top;
    FN(reflect_columns)(rows, step, &r, h + top * step + k, third);
    if (s->zt == NULL) continue;
    C *const z = s->zt + k * s->n;
    FN(reflect_rows)(s->n, &r, z, z + s->n, third ? z + 2 * s->n : NULL);
  }
}

/* A block [a b; c d] by a rotation: triangular where its eigenvalues are real, else with equal numbers on its diagonal. */
typedef struct FN(block) {
  C a, b, c, d, cos, sin;
} FN(block);

static void FN(rotate_to_equal_diagonal)(FN(block) * m) {
  const C apart = m->a - m->d, sigma = m->b + m->c, tau = FN(length)(sigma, apart);
  m->cos = TSR__TYPE_SQRT((1 + FN(size)(sigma) / tau) / 2);
  m->sin = -(apart / 2 / (tau * m->cos)) * (sigma < 0 ? -1 : 1);
  const C a = m->a * m->cos + m->b * m->sin, b = m->b * m->cos - m->a * m->sin;
  const C c = m->c * m->cos + m->d * m->sin, d = m->d * m->cos - m->c * m->sin;
  const C middle = (a * m->cos + c * m->sin + (d * m->cos - b * m->sin)) / 2;
  m->b = b * m->cos + d * m->sin;
  m->c = c * m->cos - a * m->sin;
  m->a = m->d = middle;
  if (m->c == 0 || (m->b < 0) != (m->c < 0)) return;
  if (m->b == 0) {
    m->b = -m->c;
    m->c = 0;
    const C cos = m->cos;
    m->cos = -m->sin;
    m->sin = cos;
    return;
  }
  const C root_b = TSR__TYPE_SQRT(FN(size)(m->b)), root_c = TSR__TYPE_SQRT(FN(size)(m->c)); /* real ones after all */
  const C p = FN(with_sign)(root_b * root_c, m->c), by = 1 / TSR__TYPE_SQRT(FN(size)(m->b + m->c));
  const C cos = root_b * by, sin = root_c * by, old = m->cos;
  m->a = middle + p;
  m->d = middle - p;
  m->b -= m->c;
  m->c = 0;
  m->cos = old * cos - m->sin * sin;
  m->sin = old * sin + m->sin * cos;
}

static void FN(standardise)(FN(block) * m) {
  m->cos = 1;
  m->sin = 0;
  if (m->c == 0) return;
  if (m->b == 0) {
    const C d = m->d;
    *m = (FN(block)){d, -m->c, 0, m->a, 0, 1};
    return;
  }
  if (m->a == m->d && (m->b < 0) != (m->c < 0)) return;
  const C half = (m->a - m->d) / 2, most = FN(more)(FN(size)(m->b), FN(size)(m->c));
  const C least = FN(with_sign)(FN(less)(FN(size)(m->b), FN(size)(m->c)), (m->b < 0) == (m->c < 0) ? 1 : -1);
  const C all = FN(more)(FN(size)(half), most), z = half / all * half + most / all * least;
  if (z < 4 * EPSILON) {
    FN(rotate_to_equal_diagonal)(m);
    return;
  }
  const C far = half + FN(with_sign)(TSR__TYPE_SQRT(all) * TSR__TYPE_SQRT(z), half), tau = FN(length)(m->c, far);
  m->a = m->d + far;
  m->d -= most / far * least;
  m->cos = far / tau;
  m->sin = m->c / tau;
  m->b -= m->c;
  m->c = 0;
}

/* √|b·c|. */
static inline C FN(root_of_product)(C b, C c) {
  const C product = FN(size)(b * c);
  return product > LEAST ? TSR__TYPE_SQRT(product) : TSR__TYPE_SQRT(FN(size)(b)) * TSR__TYPE_SQRT(FN(size)(c));
}

/* The block that ends with k is done: its eigenvalues, and the rotation along its rows and columns. */
static void FN(split_pair)(const FN(schur_run) * s, tsr_index k, C *re, C *im) {
  const tsr_index step = s->step, n = s->n;
  C *const at = s->h + (k - 1) * step + k - 1;
  FN(block) m = {.a = at[0], .b = at[1], .c = at[step], .d = at[step + 1]};
  FN(standardise)(&m);
  at[0] = m.a, at[1] = m.b, at[step] = m.c, at[step + 1] = m.d;
  re[k - 1] = m.a;
  re[k] = m.d;
  im[k - 1] = m.c != 0 ? FN(root_of_product)(m.b, m.c) : 0;
  im[k] = -im[k - 1];
  if (s->zt == NULL) return;
  FN(rotate_rows)(n - k - 1, m.cos, -m.sin, at + 2, at + step + 2);
  for (tsr_index i = 0; i < k - 1; i++) {
    C *const row = s->h + i * step + k - 1;
    const C x = row[0], y = row[1];
    row[0] = m.cos * x + m.sin * y;
    row[1] = m.cos * y - m.sin * x;
  }
  FN(rotate_rows)(n, m.cos, -m.sin, s->zt + (k - 1) * n, s->zt + k * n);
}

/* Eigenvalues of the block that ends with last until one or two are found: how many, 0 where they are not. */
static int FN(find_last)(const FN(schur_run) * s, tsr_index last, C *re, C *im) {
  enum { TRIES = 120 };
  C *const h = s->h;
  tsr_index first = s->low;
  for (int tries = 0; tries < TRIES; tries++) {
    tsr_index k = last;
    while (k > first && !FN(is_small)(s, k)) k--;
    first = k;
    if (first > s->low) h[first * s->step + first - 1] = 0;
    if (first == last) {
      re[last] = h[last * s->step + last];
      im[last] = 0;
      return 1;
    }
    if (first == last - 1) {
      FN(split_pair)(s, last, re, im);
      return 2;
    }
    C v[3] = {0};
    const FN(shift) shift = FN(choose_shifts)(s, first, last, tries);
    const tsr_index from = FN(begin_sweep)(s, first, last, &shift, v);
    FN(sweep)(s, first, last, from, v);
  }
  return 0;
}

static tsr_index FN(schur)(tsr_index n, void *matrix, tsr_index step, const tsr__balance *b, void *real,
                           void *imaginary, void *product) {
  const FN(schur_run) s = {n, step, b->low, b->high, matrix, product};
  C *const re = real, *const im = imaginary;
  for (tsr_index i = 0; i < n; i++) {
    re[i] = s.h[i * step + i];
    im[i] = 0;
  }
  for (tsr_index last = b->high; last > b->low;) {
    const int found = FN(find_last)(&s, last, re, im);
    if (found == 0) return last + 1;
    last -= found;
  }
  if (im[b->low] == 0) re[b->low] = s.h[b->low * (step + 1)];
  return 0;
}
