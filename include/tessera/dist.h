/** @file dist.h
 *  Distributed tensors: one tensor of which every rank of a communicator has a part. Part of libtessera_mpi, see <tessera/mpi.h>.
 *
 *      tsr_dist x = TSR_DIST_EMPTY, y = TSR_DIST_EMPTY, mean = TSR_DIST_EMPTY;
 *      st = tsr_dist_load(ctx, world, "huge.npy", NULL, NULL, &x);             // each rank maps its rows
 *      st = tsr_dist_eval(ctx, "(x - 1) * 2", 1, &(tsr_dist_named){"x", &x, NULL}, NULL, &y);
 *      st = tsr_dist_reduce(ctx, "mean", &y, TSR_AXES(0), false, &mean);       // the bits of one process
 *      tsr_dist_release(&x), tsr_dist_release(&y), tsr_dist_release(&mean);
 *
 *  A part is an ordinary tensor, `local`: whatever the library has may be done with it. Axis i of the whole is divided into grid[i] parts
 *  (tsr_comm_part: as equal as they can be), and the ranks count through the grid in row-major order. With halos a part has so many
 *  indices of its neighbours at both ends of an axis, which tsr_dist_exchange fetches; those outside of the whole are zeros.
 *
 *  All calls are collective: every rank makes the same ones in the same order, and gets the same status, as in <tessera/mpi.h>. Outputs are
 *  empty (TSR_DIST_EMPTY) and made. What is not said to be within a bound has the bits that one process computes of the whole. */
#ifndef TESSERA_DIST_H
#define TESSERA_DIST_H

#include <tessera/formats.h>
#include <tessera/mpi.h>
#include <tessera/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a tensor is divided. */
typedef struct tsr_dist_layout {
  int grid
      [TSR_MAX_DIMS]; /**< parts of each axis, 0 is 1; together as many as there are ranks, or 1: every rank has all of it */
  tsr_index halo[TSR_MAX_DIMS]; /**< indices beyond its part that a rank keeps at both ends of an axis */
} tsr_dist_layout;

/** A rank's part of a tensor, and what the whole is. */
typedef struct tsr_dist {
  tsr_comm *comm;                /**< NULL: empty */
  tsr_dist_layout layout;        /**< as it is: no zeros in the grid */
  tsr_index shape[TSR_MAX_DIMS]; /**< of the whole; its dtype and rank are local's */
  tsr_index first[TSR_MAX_DIMS]; /**< the first own index of each axis, counted in the whole */
  tsr_tensor local;              /**< the part, with its halos */
} tsr_dist;

/** What an empty one is initialised with. */
#define TSR_DIST_EMPTY TSR_EMPTY

/** A name of an expression: a distributed tensor, or one that every rank has. */
typedef struct tsr_dist_named {
  const char *name;
  const tsr_dist *dist; /**< NULL: tensor */
  const tsr_tensor *tensor;
} tsr_dist_named;

/* ---- making and ending them; layout NULL: axis 0 in as many parts as there are ranks (rank 0 tensors: all on every rank) ---- */

/** Zeros. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_zeros(tsr_ctx *ctx, tsr_comm *comm, int dtype, int ndim,
                                               const tsr_index *shape, const tsr_dist_layout *layout, tsr_dist *out);

/** Gives the part's memory back, and leaves *x empty. NULL is fine. Not collective. */
TSR_API void tsr_dist_release(tsr_dist *x);

/** A view of the part without its halos. Not collective. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_own(tsr_ctx *ctx, const tsr_dist *x, tsr_tensor *out);

/** Of a tensor that rank root has (NULL elsewhere). */
TSR_API TSR_MUST_USE tsr_status tsr_dist_scatter(tsr_ctx *ctx, tsr_comm *comm, int root, const tsr_tensor *x,
                                                 const tsr_dist_layout *layout, tsr_dist *out);

/** The whole on rank root, or on all (root -1). out is given or empty; on other ranks it may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_gather(tsr_ctx *ctx, const tsr_dist *x, int root, tsr_tensor *out);

/** The same tensor divided otherwise, halos filled from what is there: one all-to-all, whatever the two layouts. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_redistribute(tsr_ctx *ctx, const tsr_dist *x, const tsr_dist_layout *layout,
                                                      tsr_dist *out);

/** Two axes of the whole swapped; layout NULL: the grid's two as well. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_transpose(tsr_ctx *ctx, const tsr_dist *x, int axis0, int axis1,
                                                   const tsr_dist_layout *layout, tsr_dist *out);

/** Fetches the halos from the neighbours, corners too. periodic: the ends of an axis are neighbours; else what is outside of the whole stays
 *  as it is. The request as in <tessera/mpi.h>: compute what needs no halo meanwhile. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_exchange(tsr_ctx *ctx, tsr_dist *x, bool periodic, tsr_comm_request **request);

/* ---- computing ---- */

/** An expression (<tessera/expr.h>) over distributed tensors, and tensors that every rank has, of whole shapes: elementwise, or whatever else can
 *  be computed part by part along the axes that layout (NULL: that of the first distributed name of the result's rank) divides:
 *  TSR_EUNSUPPORTED. Operands that are divided otherwise are redistributed. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_eval(tsr_ctx *ctx, const char *text, int names, const tsr_dist_named *named,
                                              const tsr_dist_layout *layout, tsr_dist *out);

/** A reduction over axes (`0, NULL`: all), by the name of its op: "sum", "mean", "max", "norm2" and whatever takes axes and keepdims. The
 *  result is divided as x along what is left of its axes, or along its longest axis, or all of it on every rank.
 *
 *  The bits are those of one process, because the order of a sum is a matter of indices alone (<tessera/reduce.h>): blocks of 1024 are added
 *  where they lie, and the tree over them by all. Where an axis that is left is long enough, x is divided along that one first;
 *  other reductions of everything (variances, norms) bring the whole to every rank. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_reduce(tsr_ctx *ctx, const char *op, const tsr_dist *x, int naxes,
                                                const int *axes, bool keepdims, tsr_dist *out);

/** Cumulative sums along axis, divided as x. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_cumsum(tsr_ctx *ctx, const tsr_dist *x, int axis, tsr_dist *out);

/** The product of two matrices. layout NULL: that of a where its rows are divided, else that of b where its columns are, else rows.
 *  Every rank multiplies the rows and columns that its part needs, whole: the bits are those of one process as far as kernels do not
 *  depend on the number of rows and columns; else within the bound of matmul.
 *
 *  Where both are divided along the axis that is summed over, and there is more of it than of the result, ranks multiply what they have, and
 *  the products are added in the order of the ranks: within (K + ranks)·u·|a|·|b|, not the bits of another number of ranks. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_matmul(tsr_ctx *ctx, const tsr_dist *a, const tsr_dist *b,
                                                const tsr_dist_layout *layout, tsr_dist *out);

/** Random numbers as tsr_rand_uniform and tsr_rand_normal have them for the whole: the same for every number of ranks. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_rand_uniform(tsr_ctx *ctx, tsr_comm *comm, tsr_rng *rng, int dtype, int ndim,
                                                      const tsr_index *shape, tsr_real low, tsr_real high,
                                                      const tsr_dist_layout *layout, tsr_dist *out);
TSR_API TSR_MUST_USE tsr_status tsr_dist_rand_normal(tsr_ctx *ctx, tsr_comm *comm, tsr_rng *rng, int dtype, int ndim,
                                                     const tsr_index *shape, const tsr_dist_layout *layout,
                                                     tsr_dist *out);

/* ---- files ---- */

/** A tensor of a file that every rank can open, of any format (<tessera/formats.h>). name NULL: the only one. Formats that are mapped are
 *  read where a rank's part is: where that lies in one piece and has no halos the part is the file itself, TSR_READONLY. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_load(tsr_ctx *ctx, tsr_comm *comm, const char *path, const char *name,
                                              const tsr_dist_layout *layout, tsr_dist *out);

/** Tensors as one file, .npy (one) or .safetensors, which all ranks write at once by MPI-IO: byte for byte what one process writes. As with every
 *  _save, to a temporary name that then replaces the file, so that a failure leaves the old one. The file is of format
 *  (TSR_FORMAT_AUTO: by its name); metadata may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_dist_save(tsr_ctx *ctx, const char *path, tsr_format format, int count,
                                              const tsr_dist_named *named, const tsr_metadata *metadata);

/** tsr_bundle_save_from by all ranks at once: each has the same bundle, and makes and writes a part of the elements of each tensor: the
 *  producer is not asked for all of them, and first is not 0 where it begins. Tensors with data are row-major. producer and metadata may
 *  be NULL. TSR_EUNSUPPORTED: another format, or another order of elements; one process writes such files. */
TSR_API TSR_MUST_USE tsr_status tsr_comm_save_from(tsr_ctx *ctx, tsr_comm *comm, const char *path, tsr_format format,
                                                   const tsr_bundle *bundle, const tsr_metadata *metadata,
                                                   const tsr_producer *producer);

#ifdef __cplusplus
}
#endif

#endif
