#include "linalg/blocked.h"

#include "linalg/leaf.h"

/* Where a matrix of n is cut: a whole number of panels, about a half. */
static tsr_index cut(tsr_index n, tsr_index unit) { return (n / 2 + unit - 1) / unit * unit; }

static tsr_index in_elements(const tsr__work *w, ptrdiff_t step) { return (tsr_index)(step / tsr__work_item(w)); }

static void *element(const tsr__work *w, void *numbers, tsr_index i) {
  return numbers != NULL ? (char *)numbers + (ptrdiff_t)i * tsr__work_item(w) : NULL;
}

/* ---- triangles ---- */

static tsr__triangle triangle_of(const tsr__work *w, tsr_index n, bool unit, tsr__submatrix t) {
  return (tsr__triangle){n, t.at, in_elements(w, t.row), in_elements(w, t.col), unit, t.conj};
}

static void solve_lower(tsr__work *w, tsr_index n, bool unit, tsr__submatrix t, tsr__submatrix b, tsr_index cols) {
  static tsr__substitute_fn *const *const leaves[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__substitute);
  if (!TSR_HAVE_MALLOC || n <= TSR__LEAF) {
    const tsr__triangle leaf = triangle_of(w, n, unit, t);
    if (w->base != NULL) leaves[w->isa][tsr__work_type(w)](&leaf, b.at, in_elements(w, b.row), cols);
    return;
  }
  const tsr_index half = cut(n, TSR__LEAF / 2), rest = n - half;
  const tsr__submatrix below = tsr__submatrix_at(b, half, 0);
  solve_lower(w, half, unit, t, b, cols);
  tsr__submatrix_multiply(w, TSR__MINUS, rest, cols, half, tsr__submatrix_at(t, half, 0), b, below);
  solve_lower(w, rest, unit, tsr__submatrix_at(t, half, half), below, cols);
}

void tsr__solve_left(tsr__work *w, tsr__triangle_way way, tsr_index n, tsr__submatrix t, tsr__submatrix b,
                     tsr_index cols) {
  if (n == 0 || cols == 0) return;
  if (way.transposed) t = tsr__submatrix_transposed(t);
  if (way.upper != way.transposed) { /* from the end it is a lower one */
    t = tsr__submatrix_at(t, n - 1, n - 1);
    b = tsr__submatrix_at(b, n - 1, 0);
    t.row = -t.row;
    t.col = -t.col;
    b.row = -b.row;
  }
  solve_lower(w, n, way.unit, t, b, cols);
}

void tsr__solve_right(tsr__work *w, tsr_index n, tsr__submatrix l, tsr__submatrix b, tsr_index rows) {
  static tsr__substitute_fn *const *const leaves[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__substitute_right);
  if (n <= TSR__LEAF) {
    const tsr__triangle leaf = triangle_of(w, n, false, tsr__submatrix_conj(l));
    if (w->base != NULL) leaves[w->isa][tsr__work_type(w)](&leaf, b.at, in_elements(w, b.row), rows);
    return;
  }
  const tsr_index half = cut(n, TSR__LEAF / 2), rest = n - half;
  const tsr__submatrix right = tsr__submatrix_at(b, 0, half);
  tsr__solve_right(w, half, l, b, rows);
  tsr__submatrix_multiply(w, TSR__MINUS, rows, rest, half, b, tsr__submatrix_adjoint(tsr__submatrix_at(l, half, 0)),
                          right);
  tsr__solve_right(w, rest, tsr__submatrix_at(l, half, half), right, rows);
}

void tsr__find_zero(const tsr__work *w, tsr_index n, tsr__submatrix a, tsr_index *fault) {
  for (tsr_index i = 0; i < n && w->base != NULL && *fault == 0; i++)
    if (tsr__submatrix_get(w, a, i, i) == 0 && tsr__submatrix_imaginary(w, a, i, i) == 0) *fault = i + 1;
}

/* ---- LU ---- */

static tsr_index place_of(const tsr__work *w, const void *pivots, tsr_index i) {
#if TSR_HAVE_F64
  if (tsr__work_type(w) % 2 == 1) return (tsr_index)((const double *)pivots)[i];
#endif
  (void)w;
  return (tsr_index)((const float *)pivots)[i];
}

static void move_places(const tsr__work *w, void *pivots, tsr_index count, tsr_index by) {
  for (tsr_index i = 0; i < count && w->base != NULL; i++) {
    if (tsr__work_type(w) % 2 == 0) ((float *)pivots)[i] += (float)by;
#if TSR_HAVE_F64
    if (tsr__work_type(w) % 2 == 1) ((double *)pivots)[i] += (double)by;
#endif
  }
}

static void swap_bytes(size_t n, char *x, char *y) {
  for (size_t i = 0; i < n; i += 4) {
    uint32_t *const a = (uint32_t *)(void *)(x + i), *const b = (uint32_t *)(void *)(y + i);
    const uint32_t t = *a;
    *a = *b;
    *b = t;
  }
}

void tsr__swap_rows(const tsr__work *w, tsr_index count, const void *pivots, tsr_index rows, tsr__submatrix b,
                    tsr_index cols) {
  const size_t bytes = (size_t)cols * (size_t)tsr__work_item(w);
  if (w->base == NULL) return;
  for (tsr_index k = 0; k < count; k++) {
    const tsr_index other = place_of(w, pivots, k);
    if (other > k && other < rows) swap_bytes(bytes, tsr__submatrix_at(b, k, 0).at, tsr__submatrix_at(b, other, 0).at);
  }
}

/* Columns of a large matrix are factored in a contiguous copy: rows that are far apart push each other out of the caches. */
enum { COMPACT = 64 };

static bool is_far(const tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix a) {
  return TSR_HAVE_MALLOC && n <= COMPACT && n > TSR__PANEL && m > 2 * COMPACT &&
         a.row > 2 * COMPACT * tsr__work_item(w);
}

static void lu_compact(tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix a, void *pivots, tsr_index *fault) {
  const size_t mark = tsr__work_mark(w);
  const tsr_index width = n + 8;
  const tsr__submatrix copy =
      tsr__submatrix_of(w, tsr__work_take(w, (size_t)(m * width) * (size_t)tsr__work_item(w)), width);
  tsr__submatrix_copy(w, m, n, a, copy);
  tsr__lu(w, m, n, copy, pivots, fault);
  tsr__submatrix_copy(w, m, n, copy, a);
  tsr__work_release(w, mark);
}

void tsr__lu(tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix a, void *pivots, tsr_index *fault) {
  static tsr__lu_panel_fn *const *const panels[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__lu_panel);
  if (!TSR_HAVE_MALLOC || n <= TSR__PANEL || m <= TSR__PANEL) {
    if (w->base != NULL) panels[w->isa][tsr__work_type(w)](m, n, a.at, in_elements(w, a.row), pivots, fault);
    return;
  }
  if (is_far(w, m, n, a)) {
    lu_compact(w, m, n, a, pivots, fault);
    return;
  }
  const tsr_index all = m < n ? m : n, half = cut(all, TSR__PANEL), right = n - half, rest = all - half;
  const tsr__submatrix upper = tsr__submatrix_at(a, 0, half), lower = tsr__submatrix_at(a, half, 0),
                       last = tsr__submatrix_at(a, half, half);
  const tsr__work parts = tsr__work_parts(w);
  void *const behind = element(&parts, pivots, half);
  tsr_index later = 0;
  tsr__lu(w, m, half, a, pivots, fault);
  tsr__swap_rows(w, half, pivots, m, upper, right);
  solve_lower(w, half, true, a, upper, right);
  tsr__submatrix_multiply(w, TSR__MINUS, m - half, right, half, lower, upper, last);
  tsr__lu(w, m - half, right, last, behind, &later);
  tsr__swap_rows(w, rest, behind, m - half, lower, half);
  move_places(w, behind, rest, half);
  if (w->base != NULL && *fault == 0 && later != 0) *fault = later + half;
}

void tsr__solve_square(tsr__work *w, tsr_index n, tsr__submatrix a, tsr__submatrix b, tsr_index cols,
                       tsr_index *fault) {
  void *const pivots = tsr__work_take(w, (size_t)n * (size_t)tsr__work_item(w));
  tsr__lu(w, n, n, a, pivots, fault);
  tsr__swap_rows(w, n, pivots, n, b, cols);
  tsr__solve_left(w, (tsr__triangle_way){.unit = true}, n, a, b, cols);
  tsr__solve_left(w, (tsr__triangle_way){.upper = true}, n, a, b, cols);
}

/* ---- Cholesky ---- */

/* The lower triangle of C (n, n) -= A·Aᴴ (n, k). Above the diagonal of its last blocks there are numbers that nobody reads. */
static void subtract_square(tsr__work *w, tsr_index n, tsr_index k, tsr__submatrix a, tsr__submatrix c) {
  enum { WHOLE = 64 };
  if (n <= WHOLE) {
    tsr__submatrix_multiply(w, TSR__MINUS, n, n, k, a, tsr__submatrix_adjoint(a), c);
    return;
  }
  const tsr_index half = cut(n, WHOLE / 2), rest = n - half;
  const tsr__submatrix below = tsr__submatrix_at(a, half, 0);
  subtract_square(w, half, k, a, c);
  tsr__submatrix_multiply(w, TSR__MINUS, rest, half, k, below, tsr__submatrix_adjoint(a),
                          tsr__submatrix_at(c, half, 0));
  subtract_square(w, rest, k, below, tsr__submatrix_at(c, half, half));
}

void tsr__cholesky(tsr__work *w, tsr_index n, tsr__submatrix a, tsr_index *fault) {
  static tsr__cholesky_leaf_fn *const *const leaves[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__cholesky_leaf);
  if (!TSR_HAVE_MALLOC || n <= TSR__LEAF) {
    if (w->base != NULL) leaves[w->isa][tsr__work_type(w)](n, a.at, in_elements(w, a.row), fault);
    return;
  }
  const tsr_index half = cut(n, TSR__LEAF / 2), rest = n - half;
  const tsr__submatrix below = tsr__submatrix_at(a, half, 0), last = tsr__submatrix_at(a, half, half);
  tsr_index later = 0;
  tsr__cholesky(w, half, a, fault);
  tsr__solve_right(w, half, a, below, rest);
  subtract_square(w, rest, half, below, last);
  tsr__cholesky(w, rest, last, &later);
  if (w->base != NULL && *fault == 0 && later != 0) *fault = later + half;
}
