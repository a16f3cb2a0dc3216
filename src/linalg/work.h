/* Memory of one worker, and products in it. */
#ifndef TSR_LINALG_WORK_H
#define TSR_LINALG_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <tessera/tensor.h>

#include "core/dtype/wide.h"

/* Memory that is taken piece by piece and put back as a whole. Without a base it only counts. */
typedef struct tsr__work {
  tsr_ctx *ctx; /* whose threads products run on */
  const char *op;
  int isa, dtype;
  char *base;
  size_t used, most;
} tsr__work;

/* bytes, aligned; NULL where there is no base. */
void *tsr__work_take(tsr__work *w, size_t bytes);
static inline size_t tsr__work_mark(const tsr__work *w) { return w->used; }
static inline void tsr__work_release(tsr__work *w, size_t mark) { w->used = mark; }

/* Complex matrices: what is complex, and its parts. */
static inline bool tsr__work_is_complex(const tsr__work *w) { return w->dtype == TSR_C64 || w->dtype == TSR_C128; }

/* The place of a dtype in tables of kernels: f32, f64, c64, c128. */
enum { TSR__WORK_TYPES = 4 };
static inline int tsr__work_type(const tsr__work *w) {
  return (w->dtype == TSR_F64 || w->dtype == TSR_C128 ? 1 : 0) + (tsr__work_is_complex(w) ? 2 : 0);
}

/* For get, put and copies of real numbers beside complex ones: what is taken of it does not count. */
static inline tsr__work tsr__work_parts(const tsr__work *w) {
  tsr__work parts = *w;
  parts.dtype = w->dtype == TSR_C64 ? TSR_F32 : w->dtype == TSR_C128 ? TSR_F64 : w->dtype;
  return parts;
}

/* A matrix or a part of one: steps in bytes, of any sign. at is NULL while memory is counted. */
typedef struct tsr__submatrix {
  char *at;
  ptrdiff_t row, col;
  bool conj; /* complex numbers count as their conjugates: where they are read, in products and copies */
} tsr__submatrix;

static inline tsr__submatrix tsr__submatrix_at(tsr__submatrix b, tsr_index i, tsr_index j) {
  if (b.at != NULL) b.at += (ptrdiff_t)i * b.row + (ptrdiff_t)j * b.col;
  return b;
}
static inline tsr__submatrix tsr__submatrix_transposed(tsr__submatrix b) {
  return (tsr__submatrix){b.at, b.col, b.row, b.conj};
}
static inline tsr__submatrix tsr__submatrix_conj(tsr__submatrix b) {
  return (tsr__submatrix){b.at, b.row, b.col, !b.conj};
}
/* Transposed and conjugated. */
static inline tsr__submatrix tsr__submatrix_adjoint(tsr__submatrix b) {
  return (tsr__submatrix){b.at, b.col, b.row, !b.conj};
}

static inline ptrdiff_t tsr__work_item(const tsr__work *w) { return (ptrdiff_t)4 << (tsr__work_type(w) + 1) / 2; }

/* Row-major, contiguous. */
static inline tsr__submatrix tsr__submatrix_of(const tsr__work *w, void *at, tsr_index cols) {
  const ptrdiff_t item = tsr__work_item(w);
  return (tsr__submatrix){at, (ptrdiff_t)cols * item, item, false};
}

/* One element; of complex numbers the real part, and 0 is put for the other one. */
tsr_real tsr__submatrix_get(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j);
void tsr__submatrix_put(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j, tsr_real value);

/* The imaginary part (of real numbers 0), as it is stored; and both. */
tsr_real tsr__submatrix_imaginary(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j);
void tsr__submatrix_put_complex(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j, tsr_real re,
                                tsr_real im);

/* |x| of one element, in range where the number is. */
tsr_real tsr__submatrix_size(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j);

/* c (m, n) += or -= a (m, k) · b (k, n); c's rows have no gaps. */
typedef enum tsr__times { TSR__SET, TSR__PLUS, TSR__MINUS } tsr__times_way;
void tsr__submatrix_multiply(tsr__work *w, tsr__times_way way, tsr_index m, tsr_index n, tsr_index k, tsr__submatrix a,
                             tsr__submatrix b, tsr__submatrix c);

/* to (rows, cols) = from; they do not overlap. Where one of them is conjugated, so is what is stored. */
void tsr__submatrix_copy(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix from, tsr__submatrix to);

/* Each its conjugate, in place. */
void tsr__submatrix_conjugate(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix b);

/* Zeros, and value on the diagonal. */
void tsr__submatrix_diagonal(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix to, tsr_real value);

#endif
