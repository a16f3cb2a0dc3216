/* The kernels of softmax and log_softmax: one row of n > 0 contiguous elements of a compute type; out may be x. Or
 * width such rows side by side, where neighbours in memory are of different rows: columns; they give the same bits.
 *
 * The order of additions is fixed by index: element i of a row is in block i / TSR__SOFTMAX_BLOCK and there in lane i %
 * 16; lanes are joined by halves, blocks one after another in the widest float. */
#ifndef TSR_NN_SOFTMAX_SOFTMAX_H
#define TSR_NN_SOFTMAX_SOFTMAX_H

#include "nn/rows.h"

#define TSR__SOFTMAX_LANES 16
#define TSR__SOFTMAX_BLOCK 4096

/* Columns need memory, lanes and two rows of it: not on microcontrollers. */
#define TSR__SOFTMAX_HAS_COLUMNS TSR_HAVE_MALLOC
#define TSR__SOFTMAX_COLUMN_BYTES(item) ((TSR__SOFTMAX_LANES + 1) * (item) + 8)

typedef void tsr__softmax_row(tsr_index n, const void *x, void *out);
typedef void tsr__softmax_columns(tsr_index n, tsr_index width, const void *x, ptrdiff_t x_step, void *out,
                                  ptrdiff_t out_step, void *memory);
typedef struct tsr__softmax_kernel {
  tsr__softmax_row *row;
  tsr__softmax_columns *columns;
} tsr__softmax_kernel;
typedef const tsr__softmax_kernel tsr__softmax_table[TSR_DTYPE_COUNT]; /* by compute type */

TSR__DECLARE_FOR_ISAS(tsr__softmax_table, tsr__softmax)
TSR__DECLARE_FOR_ISAS(tsr__softmax_table, tsr__log_softmax)

typedef struct tsr__softmax {
  tsr__softmax_kernel kernel;
  tsr_index n;
} tsr__softmax;

/* What a call tells: its kernels by instruction set and compute type, and the axis. */
typedef struct tsr__softmax_told {
  const tsr__softmax_kernel *const *tables;
  int axis;
} tsr__softmax_told;

/* Runs tsr_softmax and tsr_log_softmax, each with its own tables by instruction set as its kernels, so that one does
 * not link the other. */
tsr_status tsr__softmax_call(tsr__call *call);

#endif
