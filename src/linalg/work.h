/* Memory of one worker, and products in it. */
#ifndef TSR_LINALG_WORK_H
#define TSR_LINALG_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <tessera/tensor.h>

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

/* A matrix or a part of one: steps in bytes, of any sign. at is NULL while memory is counted. */
typedef struct tsr__submatrix {
  char *at;
  ptrdiff_t row, col;
} tsr__submatrix;

static inline tsr__submatrix tsr__submatrix_at(tsr__submatrix b, tsr_index i, tsr_index j) {
  if (b.at != NULL) b.at += (ptrdiff_t)i * b.row + (ptrdiff_t)j * b.col;
  return b;
}
static inline tsr__submatrix tsr__submatrix_transposed(tsr__submatrix b) {
  return (tsr__submatrix){b.at, b.col, b.row};
}

/* Row-major, contiguous. */
static inline tsr__submatrix tsr__submatrix_of(const tsr__work *w, void *at, tsr_index cols) {
  const ptrdiff_t item = w->dtype == TSR_F64 ? 8 : 4;
  return (tsr__submatrix){at, (ptrdiff_t)cols * item, item};
}
static inline ptrdiff_t tsr__work_item(const tsr__work *w) { return w->dtype == TSR_F64 ? 8 : 4; }

/* One element. */
tsr_real tsr__submatrix_get(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j);
void tsr__submatrix_put(const tsr__work *w, tsr__submatrix b, tsr_index i, tsr_index j, tsr_real value);

/* c (m, n) += or -= a (m, k) · b (k, n); c's rows have no gaps. */
typedef enum tsr__times { TSR__SET, TSR__PLUS, TSR__MINUS } tsr__times_way;
void tsr__submatrix_multiply(tsr__work *w, tsr__times_way way, tsr_index m, tsr_index n, tsr_index k, tsr__submatrix a,
                             tsr__submatrix b, tsr__submatrix c);

/* to (rows, cols) = from; they do not overlap. */
void tsr__submatrix_copy(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix from, tsr__submatrix to);

/* Zeros, and value on the diagonal. */
void tsr__submatrix_diagonal(const tsr__work *w, tsr_index rows, tsr_index cols, tsr__submatrix to, tsr_real value);

#endif
