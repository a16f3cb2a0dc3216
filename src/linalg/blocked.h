/* Factorisations of one matrix in blocks, on products: recursively, halves of the columns at a time, so that the products
 * are as deep as they can be. Every function may be called with blocks without an address to count memory. */
#ifndef TSR_LINALG_BLOCKED_H
#define TSR_LINALG_BLOCKED_H

#include "linalg/work.h"

/* How a triangle is read. */
typedef struct tsr__triangle_way {
  bool upper, transposed, unit;
} tsr__triangle_way;

/* X (n, cols) of op(T)·X = B, in place. */
void tsr__solve_left(tsr__work *w, tsr__triangle_way way, tsr_index n, tsr__submatrix t, tsr__submatrix b,
                     tsr_index cols);

/* X (rows, n) of X·Lᵀ = B, in place; L lower. */
void tsr__solve_right(tsr__work *w, tsr_index n, tsr__submatrix l, tsr__submatrix b, tsr_index rows);

/* The first 0 on the diagonal becomes *fault = 1 + its number. */
void tsr__find_zero(const tsr__work *w, tsr_index n, tsr__submatrix a, tsr_index *fault);

/* P·A = L·U (m, n) in place; pivots: min(m, n) numbers of the dtype, the rows that change places. The first pivot that is 0
 * becomes *fault = 1 + its number. */
void tsr__lu(tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix a, void *pivots, tsr_index *fault);

/* Rows of b (rows, cols) change places as those of the matrix did. A pivot that is no row below its own changes nothing. */
void tsr__swap_rows(const tsr__work *w, tsr_index count, const void *pivots, tsr_index rows, tsr__submatrix b,
                    tsr_index cols);

/* X (n, cols) of A·X = B in the place of b; a becomes its own factors. */
void tsr__solve_square(tsr__work *w, tsr_index n, tsr__submatrix a, tsr__submatrix b, tsr_index cols, tsr_index *fault);

/* A = L·Lᵀ in place, the lower triangle. */
void tsr__cholesky(tsr__work *w, tsr_index n, tsr__submatrix a, tsr_index *fault);

/* ---- QR, where there is memory ---- */

enum { TSR__REFLECTIONS = 32 };

/* What tsr__qr leaves: reflections below the diagonal of a, in blocks, each with its triangle. */
typedef struct tsr__reflections {
  bool keeps; /* set by the caller: Q is wanted too */
  tsr_index m, all;
  tsr__submatrix a, tau, t;
  void *v; /* room for those of one block */
} tsr__reflections;

/* A = Q·R (m, n) in place: R on the diagonal and above it. Its memory is the worker's. */
void tsr__qr(tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix a, tsr__reflections *r);

/* c (m, cols) = Q·c, or Qᵀ·c; and the first cols columns of Q, at least as many as there are reflections. */
void tsr__qr_apply(tsr__work *w, const tsr__reflections *r, bool transposed, tsr__submatrix c, tsr_index cols);
void tsr__qr_form(tsr__work *w, const tsr__reflections *r, tsr__submatrix q, tsr_index cols);

/* n numbers brought near 1 by a power of two where their squares would leave the range: what takes it back, NaN where one of them is not finite. */
double tsr__submatrix_scale_down(tsr__work *w, tsr_index n, void *numbers);
double tsr__submatrix_largest(const tsr__work *w, tsr_index n,
                              const void *numbers); /* by size; NaN where there is one */
void tsr__submatrix_scale_back(tsr__work *w, tsr_index n, void *numbers, double factor);

#endif
