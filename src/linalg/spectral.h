/* Eigenvalues and singular values of one matrix, row-major and contiguous. Each table has f32, f64,
 * c64 and c128. Of complex ones d, e and sigma are real, symmetric means that a matrix is its adjoint, and orthogonal that of
 * complex vectors. */
#ifndef TSR_LINALG_SPECTRAL_H
#define TSR_LINALG_SPECTRAL_H

#include <stdbool.h>
#include <tessera/tensor.h>
#include "cpu/isa.h"

typedef struct tsr__spectral_kernels {
  /* A symmetric matrix, both triangles of it, becomes tridiagonal: d (n) and e (n - 1) beside it. Row k of a holds what
   * reflects from column k + 1 on, tau[k] its length. room: n numbers. */
  void (*tridiagonal)(tsr_index n, void *a, void *d, void *e, void *tau, void *room);
  /* The product of these reflections, transposed (and not conjugated), in q (n, n). */
  void (*form)(tsr_index n, const void *a, const void *tau, void *q);
  /* d becomes the eigenvalues, in no order, by implicit shifts; rows of q (NULL: none), len real numbers each, rotate along. 0, or
   * 1 + the number of one that does not converge. */
  tsr_index (*shifts)(tsr_index n, void *d, void *e, void *q, tsr_index len);
  /* Bidiagonal, of (m, n), m ≥ n: d (n) on the diagonal and e (n - 1) above it; signs are any. room: m + n numbers. */
  void (*bidiagonal)(tsr_index m, tsr_index n, void *a, void *d, void *e, void *room);
  /* Rows of g (count, len) rotate until they are orthogonal, those of j (count, count; NULL: none) along with them; sigma: their
   * lengths. What rows were is jᴴ by what they are. 0, or 1 if that does not end. */
  tsr_index (*rotate)(tsr_index count, tsr_index len, void *g, void *j, void *sigma);
  /* Rows of unit length: those of length 0 and, up to row all, new ones, are made orthogonal to those before them. */
  void (*normalise)(tsr_index count, tsr_index all, tsr_index len, void *g, const void *sigma);
} tsr__spectral_kernels;

typedef const tsr__spectral_kernels tsr__spectral_table[4];
TSR__DECLARE_FOR_ISAS(tsr__spectral_table, tsr__spectral)

#endif
