#include "linalg/work.h"

#include <string.h>

#include "ops/copy/copy.h"
#include "ops/matmul/product.h"

void *tsr__work_take(tsr__work *w, size_t bytes) {
  const size_t at = w->used,
               whole = bytes > SIZE_MAX - TSR_DATA_ALIGN ? SIZE_MAX : tsr__align_up(bytes, TSR_DATA_ALIGN);
  w->used = whole > SIZE_MAX - at ? SIZE_MAX : at + whole;
  if (w->used > w->most) w->most = w->used;
  return w->base != NULL ? w->base + at : NULL;
}

static tsr_tensor tensor_of(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix b) {
  const ptrdiff_t item = tsr__work_item(w);
  return (tsr_tensor){.dtype = (uint8_t)w->dtype,
                      .ndim = 2,
                      .shape = {rows, cols},
                      .stride = {(tsr_index)(b.row / item), (tsr_index)(b.col / item)},
                      .data = b.at};
}

void tsr__submatrix_copy(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix from, tsr__submatrix to) {
  if (to.at == NULL || from.at == to.at || rows == 0 || cols == 0) return;
  const tsr_tensor src = tensor_of(w, rows, cols, from), dst = tensor_of(w, rows, cols, to);
  tsr__move_no_alias(w->ctx, &src, &dst);
}

tsr_real tsr__submatrix_get(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j) {
  const void *const at = tsr__submatrix_at(b, i, j).at;
#if TSR_HAVE_F64
  if (w->dtype == TSR_F64) return *(const double *)at;
#endif
  (void)w;
  return *(const float *)at;
}

void tsr__submatrix_put(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j, tsr_real value) {
  void *const at = tsr__submatrix_at(b, i, j).at;
  if (at == NULL) return;
  if (w->dtype == TSR_F32) *(float *)at = (float)value;
#if TSR_HAVE_F64
  if (w->dtype == TSR_F64) *(double *)at = (double)value;
#endif
}

void tsr__submatrix_diagonal(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix to, tsr_real value) {
  if (to.at == NULL) return;
  for (tsr_index i = 0; i < rows; i++) {
    memset(tsr__submatrix_at(to, i, 0).at, 0, (size_t)cols * (size_t)tsr__work_item(w));
    if (i < cols) tsr__submatrix_put(w, to, i, i, value);
  }
}

/* ---- products ---- */

static tsr__mat mat_of(const tsr__work *w, tsr__submatrix b) {
  return (tsr__mat){.data = b.at, .dtype = w->dtype, .row = b.row, .col = b.col};
}

/* A copy with the other sign, row-major. */
static tsr__submatrix negated(tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix b) {
  const tsr__submatrix to =
      tsr__submatrix_of(w, tsr__work_take(w, (size_t)rows * (size_t)cols * (size_t)tsr__work_item(w)), cols);
  if (to.at == NULL) return to;
  tsr__submatrix_copy(w, rows, cols, b, to);
  const tsr_index n = rows * cols;
  if (w->dtype == TSR_F32) {
    float *const x = (float *)(void *)to.at;
    for (tsr_index i = 0; i < n; i++) x[i] = -x[i];
  }
#if TSR_HAVE_F64
  if (w->dtype == TSR_F64) {
    double *const x = (double *)(void *)to.at;
    for (tsr_index i = 0; i < n; i++) x[i] = -x[i];
  }
#endif
  return to;
}

/* The same matrix, or both seen from the last row or column on, so that steps of c and b are positive. */
static void face_up(tsr_index rows, tsr__submatrix *outer, tsr__submatrix *inner) {
  if (outer->row >= 0) return;
  *outer = tsr__submatrix_at(*outer, rows - 1, 0);
  *inner = tsr__submatrix_at(*inner, rows - 1, 0);
  outer->row = -outer->row;
  inner->row = -inner->row;
}

void tsr__submatrix_multiply(tsr__work *w, tsr__times_way way, tsr_index m, tsr_index n, tsr_index k, tsr__submatrix a,
                             tsr__submatrix b, tsr__submatrix c) {
  const size_t mark = tsr__work_mark(w);
  if (m == 0 || n == 0) return;
  face_up(m, &c, &a);
  tsr__submatrix across = tsr__submatrix_transposed(a);
  face_up(k, &b, &across);
  a = tsr__submatrix_transposed(across);
  if (way == TSR__MINUS && m <= n)
    a = negated(w, m, k, a);
  else if (way == TSR__MINUS)
    b = negated(w, k, n, b);
  tsr__product p = {.op = w->op,
                    .ctx = w->ctx,
                    .kernel = tsr__gemm_kernel_of(w->isa, w->dtype),
                    .isa = w->isa,
                    .sum = w->dtype,
                    .m = m,
                    .n = n,
                    .k = k,
                    .batches = 1,
                    .a = mat_of(w, a),
                    .b = mat_of(w, b),
                    .out = mat_of(w, c),
                    .alpha = 1,
                    .beta = way == TSR__SET ? 0 : 1,
                    .adds = TSR_HAVE_MALLOC && way != TSR__SET,
                    .in_place = true};
#if !TSR_HAVE_MALLOC /* plain loops add what out holds at the end */
  if (way != TSR__SET) {
    p.c = p.out;
    p.has_epilogue = true;
    p.in_place = false;
  }
#endif
  char *const scratch = tsr__work_take(w, tsr__product_scratch(&p));
  if (c.at != NULL) tsr__product_run(&p, scratch);
  tsr__work_release(w, mark);
}
