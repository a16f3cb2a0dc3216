/* Eigenvalues of one matrix that need not be symmetric, row-major, rows step apart. Each table has f32 and f64. The matrix has its largest
 * element near 1. */
#ifndef TSR_LINALG_EIG_H
#define TSR_LINALG_EIG_H

#include <tessera/tensor.h>
#include "cpu/isa.h"

/* How a matrix was balanced. Rows and columns low … high are those that the iteration works on: beyond them the matrix is triangular. */
typedef struct tsr__balance {
  tsr_index low, high;
  void *scale,
      *place; /* n numbers each: what row i was divided by, and, beyond low … high, with which one it changed places */
} tsr__balance;

typedef struct tsr__eig_kernels {
  /* D⁻¹·Pᵀ·A·P·D: rows and columns of about the same size, and those that are triangular already at the ends. */
  void (*balance)(tsr_index n, void *a, tsr_index step, tsr__balance *b);
  /* Hessenberg's form in place, and zt (n, n; NULL: none), the transposed product of the reflections. room: 3·n numbers. */
  void (*hessenberg)(tsr_index n, void *a, tsr_index step, const tsr__balance *b, void *zt, void *room);
  /* Schur's form T in place, rows of zt along with it, where there is zt; without it eigenvalues alone. re, im: the eigenvalues, pairs
   * with the positive imaginary part first. 0, or 1 + the number of one that does not converge. */
  tsr_index (*schur)(tsr_index n, void *a, tsr_index step, const tsr__balance *b, void *re, void *im, void *zt);
  /* Rows of xt (n, n): the eigenvectors of T; of a pair the real parts and, in the next row, the imaginary ones. */
  void (*vectors)(tsr_index n, const void *t, tsr_index step, const void *re, const void *im, void *xt);
  /* Rows of vt are those of the balanced matrix: back, to length 1, and the largest element of a pair's real. */
  void (*finish)(tsr_index n, const tsr__balance *b, const void *im, void *vt);
} tsr__eig_kernels;

/* The same of complex matrices: values are the eigenvalues, a row of xt or vt is a vector. c64 and c128. */
typedef struct tsr__complex_eig_kernels {
  void (*balance)(tsr_index n, void *a, tsr_index step, tsr__balance *b);
  void (*hessenberg)(tsr_index n, void *a, tsr_index step, const tsr__balance *b, void *zt, void *room);
  tsr_index (*schur)(tsr_index n, void *a, tsr_index step, const tsr__balance *b, void *values, void *zt);
  void (*vectors)(tsr_index n, const void *t, tsr_index step, void *xt);
  void (*finish)(tsr_index n, const tsr__balance *b, void *vt);
} tsr__complex_eig_kernels;

typedef const tsr__complex_eig_kernels tsr__complex_eig_table[2];
TSR__DECLARE_FOR_ISAS(tsr__complex_eig_table, tsr__complex_eig)

typedef const tsr__eig_kernels tsr__eig_table[2];
TSR__DECLARE_FOR_ISAS(tsr__eig_table, tsr__eig)

#endif
