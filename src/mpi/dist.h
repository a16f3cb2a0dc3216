/* Boxes of indices, and their way from rank to rank: what every call on distributed tensors is made of. */
#ifndef TSR_MPI_DIST_H
#define TSR_MPI_DIST_H

#include "mpi/comm.h"

#include <tessera/dist.h>

/* Indices [first, first + length) of each axis of a whole. */
typedef struct tsr__box {
  tsr_index first[TSR_MAX_DIMS], length[TSR_MAX_DIMS];
} tsr__box;

/* What a rank has or wants; empty where length is 0. */
typedef tsr__box tsr__box_fn(const void *arg, int rank);

/* Moves from, the part of a whole that a rank has (have), to to, of what it wants; both of the host, and to with memory. Where several ranks
 * have an index, everyone of them sends it to those who want it, unless copies is set: then all have all. */
typedef struct tsr__move {
  int ndim, dtype;
  bool copies;
  tsr__box_fn *have, *want;
  const void *have_arg, *want_arg;
} tsr__move;

/* After the ranks have agreed. The first part takes all memory, and is agreed on as well. */
tsr_status tsr__dist_move(tsr__comm_call *call, tsr_status st, const tsr__move *move, const tsr_tensor *from,
                          tsr_tensor *to);

/* A tensor's division, as an argument of the boxes below. */
typedef struct tsr__division {
  int ndim, size;
  tsr_index shape[TSR_MAX_DIMS];
  tsr_dist_layout layout;
} tsr__division;

tsr__box tsr__box_own(const void *division, int rank);   /* without halos */
tsr__box tsr__box_halos(const void *division, int rank); /* with those inside of the whole */
tsr__box tsr__box_all(const void *division, int rank);   /* the whole, for each */

/* Where a rank is in the grid. */
void tsr__dist_place(const tsr_dist_layout *layout, int ndim, int rank, int *at);
bool tsr__dist_is_copies(const tsr_dist_layout *layout, int ndim);

/* Begins a call on distributed tensors: what is to be agreed on is put into its header. */
tsr_status tsr__dist_begin(tsr_ctx *ctx, tsr_comm *comm, const char *op, tsr__comm_call *call);
void tsr__dist_note(tsr__comm_call *call, const void *bytes, size_t count);
void tsr__dist_note_dist(tsr__comm_call *call, const tsr_dist *x);
tsr_status tsr__dist_check(tsr__comm_call *call, const char *arg, const tsr_dist *x);

tsr__division tsr__dist_division(const tsr_dist *x);

/* Checks and completes a layout (NULL: the default one). */
tsr_status tsr__dist_divide(tsr__comm_call *call, int ndim, const tsr_index *shape, const tsr_dist_layout *layout,
                            tsr__division *division);

/* A part of it, zeros. *out must be empty: TSR_ESTATE. */
tsr_status tsr__dist_make(tsr__comm_call *call, int dtype, const tsr__division *division, tsr_dist *out);

/* x divided otherwise, by another function's call. */
tsr_status tsr__dist_bring(tsr__comm_call *call, tsr_status st, const tsr_dist *x, const tsr__division *division,
                           tsr_dist *out);

/* The part of local that a box is, both counted in the whole; local begins at first. */
tsr_status tsr__box_view(tsr_ctx *ctx, const tsr_tensor *local, const tsr_index *first, const tsr__box *box,
                         tsr_tensor *view);

/* [rows, length] of which each rank has, one after another, those columns: from where they lie to where starts has them. */
typedef struct tsr__columns {
  tsr_index rows;
  const tsr_index *starts; /* size + 1 of them */
} tsr__columns;
tsr__box tsr__box_columns(const void *columns, int rank);

#endif
