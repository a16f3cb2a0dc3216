/* QR of one matrix: panels of reflections, and what is right of them by products. */
#include "linalg/blocked.h"
#include "linalg/leaf.h"
#include "linalg/reflect.h"

#if TSR_HAVE_MALLOC

static const tsr__reflect_kernels *kernels_of(const tsr__work *w) {
  static const tsr__reflect_kernels *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__reflect);
  return &tables[w->isa][tsr__work_type(w)];
}

static size_t bytes_of(const tsr__work *w, tsr_index rows, tsr_index cols) {
  return (size_t)rows * (size_t)cols * (size_t)tsr__work_item(w);
}

/* The reflections of a panel (m, n) as a matrix of their own: 1 on the diagonal, 0 above it. */
static void show_reflections(const tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix v) {
  for (tsr_index i = 0; i < n && i < m && w->base != NULL; i++) {
    tsr__submatrix_put(w, v, i, i, 1);
    for (tsr_index j = i + 1; j < n; j++) tsr__submatrix_put(w, v, i, j, 0);
  }
}

/* c (m, cols) = (I - V·op(T)·Vᴴ)·c. */
static void reflect(tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix v, tsr__submatrix t, tsr__submatrix c,
                    tsr_index cols) {
  const size_t mark = tsr__work_mark(w);
  const tsr__submatrix x = tsr__submatrix_of(w, tsr__work_take(w, bytes_of(w, n, cols)), cols);
  const tsr__submatrix y = tsr__submatrix_of(w, tsr__work_take(w, bytes_of(w, n, cols)), cols);
  tsr__submatrix_multiply(w, TSR__SET, n, cols, m, tsr__submatrix_adjoint(v), c, x);
  tsr__submatrix_multiply(w, TSR__SET, n, cols, n, t, x, y);
  tsr__submatrix_multiply(w, TSR__MINUS, m, cols, n, v, y, c);
  tsr__work_release(w, mark);
}

static tsr_index width_at(tsr_index all, tsr_index k) {
  return all - k < TSR__REFLECTIONS ? all - k : TSR__REFLECTIONS;
}

void tsr__qr(tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix a, tsr__reflections *r) {
  const tsr_index all = m < n ? m : n;
  r->m = m;
  r->all = all;
  r->a = a;
  r->tau = tsr__submatrix_of(w, tsr__work_take(w, bytes_of(w, 1, all + 1)), all);
  r->t = tsr__submatrix_of(w, tsr__work_take(w, bytes_of(w, all + 1, TSR__REFLECTIONS)), TSR__REFLECTIONS);
  r->v = tsr__work_take(w, bytes_of(w, m, TSR__REFLECTIONS));
  for (tsr_index k = 0; k < all; k += TSR__REFLECTIONS) {
    const tsr_index wide = width_at(all, k), rows = m - k;
    const tsr__submatrix here = tsr__submatrix_at(a, k, k), v = tsr__submatrix_of(w, r->v, wide);
    tsr__submatrix t = tsr__submatrix_at(r->t, k, 0);
    t.row = (ptrdiff_t)wide * t.col;
    tsr__submatrix_copy(w, rows, wide, here, v); /* contiguous: rows of a large matrix lie far apart */
    if (w->base != NULL) kernels_of(w)->panel(rows, wide, v.at, wide, tsr__submatrix_at(r->tau, 0, k).at);
    tsr__submatrix_copy(w, rows, wide, v, here);
    if (!r->keeps && k + wide >= n) return;
    show_reflections(w, rows, wide, v);
    tsr__submatrix_multiply(w, TSR__SET, wide, wide, rows, tsr__submatrix_adjoint(v), v, t);
    if (w->base != NULL) kernels_of(w)->triangle(wide, t.at, tsr__submatrix_at(r->tau, 0, k).at);
    if (k + wide < n)
      reflect(w, rows, wide, v, tsr__submatrix_adjoint(t), tsr__submatrix_at(a, k, k + wide), n - k - wide);
  }
}

/* One block of reflections on rows k and below of c. */
static void reflect_at(tsr__work *w, const tsr__reflections *r, bool transposed, tsr_index k, tsr__submatrix c,
                       tsr_index cols) {
  const tsr_index wide = width_at(r->all, k), rows = r->m - k;
  const tsr__submatrix v = tsr__submatrix_of(w, r->v, wide);
  tsr__submatrix t = tsr__submatrix_at(r->t, k, 0);
  t.row = (ptrdiff_t)wide * t.col;
  tsr__submatrix_copy(w, rows, wide, tsr__submatrix_at(r->a, k, k), v);
  show_reflections(w, rows, wide, v);
  reflect(w, rows, wide, v, transposed ? tsr__submatrix_adjoint(t) : t, tsr__submatrix_at(c, k, 0), cols);
}

void tsr__qr_apply(tsr__work *w, const tsr__reflections *r, bool transposed, tsr__submatrix c, tsr_index cols) {
  const tsr_index blocks = (r->all + TSR__REFLECTIONS - 1) / TSR__REFLECTIONS;
  for (tsr_index i = 0; i < blocks; i++)
    reflect_at(w, r, transposed, (transposed ? i : blocks - 1 - i) * TSR__REFLECTIONS, c, cols);
}

void tsr__qr_form(tsr__work *w, const tsr__reflections *r, tsr__submatrix q, tsr_index cols) {
  const tsr_index blocks = (r->all + TSR__REFLECTIONS - 1) / TSR__REFLECTIONS;
  tsr__submatrix_diagonal(w, r->m, cols, q, 1);
  for (tsr_index i = blocks; i-- > 0;) { /* columns before k are still those of the identity there */
    const tsr_index k = i * TSR__REFLECTIONS;
    reflect_at(w, r, false, k, tsr__submatrix_at(q, 0, k), cols - k);
  }
}

/* The same numbers as real ones. */
static tsr_index parts_of(const tsr__work *w, tsr_index n) { return tsr__work_is_complex(w) ? 2 * n : n; }
static const tsr__reflect_kernels *real_kernels_of(const tsr__work *w) {
  const tsr__work parts = tsr__work_parts(w);
  return kernels_of(&parts);
}

double tsr__submatrix_largest(const tsr__work *w, tsr_index n, const void *numbers) {
  return real_kernels_of(w)->largest(parts_of(w, n), numbers);
}

double tsr__submatrix_scale_down(tsr__work *w, tsr_index n, void *numbers) {
  if (w->base == NULL) return 1;
  const double most = tsr__submatrix_largest(w, n, numbers), limit = tsr__work_type(w) % 2 == 1 ? 0x1p400 : 0x1p40;
  if (most - most != 0) return most - most; /* NaN */
  if (most == 0) return 1;
  if (most < limit && most > 1 / limit) return 1;
  int exponent = 0;
  (void)__builtin_frexp(most, &exponent);
  if (exponent < -1020) exponent = -1020;
  tsr__submatrix_scale_back(w, n, numbers, __builtin_ldexp(1, -exponent));
  return __builtin_ldexp(1, exponent);
}

void tsr__submatrix_scale_back(tsr__work *w, tsr_index n, void *numbers, double factor) {
  if (w->base != NULL && factor != 1) real_kernels_of(w)->scale(parts_of(w, n), numbers, factor);
}

#endif
