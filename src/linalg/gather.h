/* Small matrices into lanes and back: element (i, j) of matrix l is lane l of vector i·cols + j. */
#ifndef TSR_LINALG_GATHER_H
#define TSR_LINALG_GATHER_H

#include <tessera/tensor.h>
#include "cpu/isa.h"

/* Microcontrollers have no vectors to fill. */
#define TSR__HAVE_LANES TSR_HAVE_MALLOC

/* at[l]: element (0, 0) of a matrix; row and col in bytes. Lanes from used on hold anything, and are not written back. */
typedef void tsr__gather_in(tsr_index rows, tsr_index cols, int used, char *const *at, ptrdiff_t row, ptrdiff_t col,
                            void *lanes);
typedef void tsr__gather_out(tsr_index rows, tsr_index cols, int used, char *const *at, ptrdiff_t row, ptrdiff_t col,
                             const void *lanes);

typedef struct tsr__gather {
  int bytes; /* of a vector */
  tsr__gather_in *in[2];
  tsr__gather_out *out[2]; /* f32, f64 */
} tsr__gather;

TSR__DECLARE_FOR_ISAS(const tsr__gather, tsr__gather_lanes)
const tsr__gather *tsr__gather_of(int isa);

#endif
