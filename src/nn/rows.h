/* Ops that work on whole rows: softmax over an axis, norms over some of them. A row is any set of axes; a kernel sees
 * it as contiguous elements of the compute type. Rows that lie so are used where they are; others (another dtype,
 * another axis than the innermost) are gathered into temporary memory, a tile of neighbours at a time, and written back
 * from there, or, where the op can, streamed side by side; so are rows of few elements, transposed in a tile. A row's elements come in one order whatever its strides, so
 * that a transposed tensor gives the bits of its copy. */
#ifndef TSR_NN_ROWS_H
#define TSR_NN_ROWS_H

#include "cpu/isa.h"
#include "nn/check.h"
#include "nn/unalias.h"

/* Part of an axis of x: index i of it is index i·factor of the axis. */
typedef struct tsr__rows_axis {
  int axis;
  tsr_index length, factor;
} tsr__rows_axis;

/* One row: x and out have row elements each and may be the same. number: of the row, counted row-major over the outer
 * axes. */
typedef void tsr__row_op(const void *arg, tsr_index number, const void *x, void *out);

/* width rows side by side: neighbours in memory, x and out at the first element of each, their next ones steps of
 * bytes on. memory has column_bytes for each of them. What comes out has the bits of tsr__row_op. */
typedef void tsr__columns_op(const void *arg, tsr_index width, const void *x, ptrdiff_t x_step, void *out,
                             ptrdiff_t out_step, void *memory);

/* Elements of a row that are few. */
#define TSR__ROWS_SHORT 128

typedef struct tsr__rows {
  const tsr_tensor *x;
  int outer, inner;                      /* how many axes count rows, and how many are in one */
  tsr__rows_axis axes[TSR_MAX_DIMS + 1]; /* the outer ones first */
  tsr__row_op *run;
  tsr__columns_op *columns; /* NULL: such rows are gathered */
  size_t column_bytes;
  const void *arg;
} tsr__rows;

/* Appends all of axis, as one more that counts rows (inner false: before any inner one) or is in them. */
void tsr__rows_add(tsr__rows *rows, bool inner, int axis, tsr_index length, tsr_index factor);

tsr_index tsr__rows_length(const tsr__rows *rows); /* elements of a row */

/* ---- running ---- */

/* The outer axes, those of length 1 gone, those that are mergeable one. */
typedef struct tsr__outer_axes {
  int ndim;
  tsr_index length[TSR_MAX_DIMS];
  ptrdiff_t x[TSR_MAX_DIMS], out[TSR_MAX_DIMS]; /* steps in bytes */
  tsr_index number[TSR_MAX_DIMS];               /* rows from one index to the next */
} tsr__outer_axes;

/* How a call goes over its rows: nothing for others to look at. */
typedef struct tsr__rows_plan {
  const tsr_ctx *ctx;
  const tsr__rows *rows;
  tsr__unaliased x;
  char *out;
  tsr__outer_axes outer;
  tsr_index count, length; /* rows, and elements of one */
  bool direct, columns;    /* how rows are used where they lie */
  bool transposed;         /* tiles have rows side by side */
  /* else tiles: some indices of the outer axis along, each with a row */
  int along;
  tsr_index width, tiles; /* of a tile; and how many are along that axis */
  tsr_tensor x_tile, out_tile, tile;
  void *memory;
  size_t bytes;         /* of one worker */
  size_t column_offset; /* where what columns need begins, behind a tile that is transposed */
  size_t dense_bytes;   /* of the rows of such a tile one after another, at the end of all */
} tsr__rows_plan;

/* After tsr__call_outputs for an output that is as x: takes the temporary memory. x and the output may overlap. */
tsr_status tsr__rows_prepare(tsr__call *call, const tsr__rows *rows, tsr__rows_plan *plan);

/* After tsr__call_start: every row. rows->arg may have been set since. */
void tsr__rows_run(tsr__rows_plan *plan);

#endif
