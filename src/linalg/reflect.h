/* Reflections and rotations of one matrix, row-major: the unblocked parts of QR, eigenvalues and singular values. Steps are in
 * elements. Each table has f32, f64, c64 and c128. */
#ifndef TSR_LINALG_REFLECT_H
#define TSR_LINALG_REFLECT_H

#include <stdbool.h>
#include <tessera/tensor.h>
#include "cpu/isa.h"

typedef struct tsr__reflect_kernels {
  /* QR of a panel (m, n) in place: R above the diagonal, the reflections below it, whose first element is 1; tau[k]. */
  void (*panel)(tsr_index m, tsr_index n, void *a, tsr_index step, void *tau);
  /* T (n, n) with H0·H1·… = I - V·T·Vᵀ, from Vᵀ·V in t and tau. */
  void (*triangle)(tsr_index n, void *t, const void *tau);
  /* The largest |x| of n, NaN if there is one; and n times factor. Of real numbers alone. */
  double (*largest)(tsr_index n, const void *x);
  void (*scale)(tsr_index n, void *x, double factor);
} tsr__reflect_kernels;

typedef const tsr__reflect_kernels tsr__reflect_table[4];
TSR__DECLARE_FOR_ISAS(tsr__reflect_table, tsr__reflect)

#endif
