/* Unblocked kernels of one matrix, row-major, for matrices of some dozens of rows and for the panels of larger ones. Steps
 * are in elements. Each table has f32, f64, c64 and c128, where there are such. */
#ifndef TSR_LINALG_LEAF_H
#define TSR_LINALG_LEAF_H

#include <stdbool.h>
#include <tessera/tensor.h>
#include "cpu/isa.h"

enum { TSR__LEAF = 32, TSR__PANEL = 8 };

/* A triangle, read as a lower one: element (i, k), k ≤ i < n, at t[i·row + k·col]. An upper one is a lower one from its last
 * element backwards. unit: its diagonal is 1 and not read. */
typedef struct tsr__triangle {
  tsr_index n;
  const void *t;
  tsr_index row, col;
  bool unit;
  bool conj; /* its conjugate is meant */
} tsr__triangle;

/* X (n, cols) of T·X = B, in place: rows step apart, of any sign. */
typedef void tsr__substitute_fn(const tsr__triangle *t, void *b, tsr_index step, tsr_index cols);
typedef tsr__substitute_fn *const tsr__substitute_table[4];
TSR__DECLARE_FOR_ISAS(tsr__substitute_table, tsr__substitute)

/* X (rows, n) of X·Tᵀ = B, in place; n ≤ TSR__LEAF. Of complex numbers Tᵀ means that of t->conj. */
TSR__DECLARE_FOR_ISAS(tsr__substitute_table, tsr__substitute_right)

/* P·A = L·U of a panel (m, n), m ≥ n where n ≤ TSR__PANEL, in place: pivots[k] is the row that changed places with row k. The
 * first pivot that is 0 becomes *fault = 1 + its number, where that is 0. */
typedef void tsr__lu_panel_fn(tsr_index m, tsr_index n, void *a, tsr_index step, void *pivots, tsr_index *fault);
typedef tsr__lu_panel_fn *const tsr__lu_panel_table[4];
TSR__DECLARE_FOR_ISAS(tsr__lu_panel_table, tsr__lu_panel)

/* A = L·Lᵀ (complex: L·Lᴴ), the lower triangle in place. */
typedef void tsr__cholesky_leaf_fn(tsr_index n, void *a, tsr_index step, tsr_index *fault);
typedef tsr__cholesky_leaf_fn *const tsr__cholesky_leaf_table[4];
TSR__DECLARE_FOR_ISAS(tsr__cholesky_leaf_table, tsr__cholesky_leaf)

#endif
