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
  if (from.conj != to.conj) tsr__submatrix_conjugate(w, rows, cols, to);
}

void tsr__submatrix_conjugate(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix b) {
  if (b.at == NULL || !tsr__work_is_complex(w)) return;
  for (tsr_index i = 0; i < rows; i++)
    for (tsr_index j = 0; j < cols; j++) {
      char *const at = tsr__submatrix_at(b, i, j).at;
      if (w->dtype == TSR_C64) ((float *)(void *)at)[1] = -((float *)(void *)at)[1];
#if TSR_HAVE_C128
      if (w->dtype == TSR_C128) ((double *)(void *)at)[1] = -((double *)(void *)at)[1];
#endif
    }
}

tsr_real tsr__submatrix_get(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j) {
  const void *const at = tsr__submatrix_at(b, i, j).at;
#if TSR_HAVE_F64
  if (tsr__work_type(w) % 2 == 1) return *(const double *)at;
#endif
  (void)w;
  return *(const float *)at;
}

tsr_real tsr__submatrix_imaginary(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j) {
  if (!tsr__work_is_complex(w)) return 0;
  const void *const at = tsr__submatrix_at(b, i, j).at;
#if TSR_HAVE_C128
  if (w->dtype == TSR_C128) return ((const double *)at)[1];
#endif
  return ((const float *)at)[1];
}

tsr_real tsr__submatrix_size(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j) {
  const tsr_real re = tsr__submatrix_get(w, b, i, j), im = tsr__submatrix_imaginary(w, b, i, j);
  const tsr_real x = re < 0 ? -re : re, y = im < 0 ? -im : im, most = x > y || x != x ? x : y, least = x > y ? y : x;
  if (!tsr__work_is_complex(w) || least == 0 || !(most - most == 0)) return most;
  const tsr_real ratio = least / most;
#if TSR_HAVE_F64
  return most * __builtin_sqrt(1 + ratio * ratio);
#else
  return most * __builtin_sqrtf(1 + ratio * ratio);
#endif
}

void tsr__submatrix_put_complex(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j, tsr_real re,
                                tsr_real im) {
  void *const at = tsr__submatrix_at(b, i, j).at;
  const int parts = tsr__work_is_complex(w) ? 2 : 1;
  if (at == NULL) return;
  for (int part = 0; part < parts; part++) {
    const tsr_real value = part == 0 ? re : im;
    if (tsr__work_type(w) % 2 == 0) ((float *)at)[part] = (float)value;
#if TSR_HAVE_F64
    if (tsr__work_type(w) % 2 == 1) ((double *)at)[part] = (double)value;
#endif
  }
}

void tsr__submatrix_put(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j, tsr_real value) {
  tsr__submatrix_put_complex(w, b, i, j, value, 0);
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
  const tsr_index n = rows * cols * (tsr__work_is_complex(w) ? 2 : 1);
  if (tsr__work_type(w) % 2 == 0) {
    float *const x = (float *)(void *)to.at;
    for (tsr_index i = 0; i < n; i++) x[i] = -x[i];
  }
#if TSR_HAVE_F64
  if (tsr__work_type(w) % 2 == 1) {
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
                    .kernel = tsr__gemm_kernel_of(w->isa, tsr__work_parts(w).dtype),
                    .isa = w->isa,
                    .sum = tsr__work_parts(w).dtype,
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
                    .is_complex = tsr__work_is_complex(w),
                    .conj_a = a.conj,
                    .conj_b = b.conj,
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
