/* Grids of coordinates: every vector as a view that repeats along the axes of the others. */
#include "core/view.h"

#include <tessera/ops.h>

static tsr_status check_vectors(tsr_ctx *ctx, const char *op, int n, const tsr_tensor *const *in,
                                const tsr_tensor *out) {
  if (n < 1 || n > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d: from 1 vector to %d", n, TSR_MAX_DIMS);
  if (in == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "in", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  for (int i = 0; i < n; i++) {
    if (in[i] == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "in", "[%d] is NULL", i);
    const tsr_status st = tsr__view_check(ctx, op, in[i], &out[i]);
    if (st != TSR_OK) return st;
    if (in[i]->ndim > 1) return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "[%d] is %t: a vector or a number", i, in[i]);
  }
  return TSR_OK;
}

/* A vector, or a number, along one axis of a shape. */
static tsr_tensor along_axis(const tsr_tensor *vector, int ndim, const tsr_index *shape, int axis) {
  tsr_tensor grid = *vector;
  const tsr_index stride = vector->ndim == 1 ? vector->stride[0] : 0;
  grid.ndim = (uint8_t)ndim;
  grid.layout = TSR_PLAIN;
  grid.name = NULL;
  for (int k = 0; k < ndim; k++) {
    grid.shape[k] = shape[k];
    grid.stride[k] = k == axis ? stride : 0;
  }
  (void)tsr__view_pad(&grid);
  return grid;
}

tsr_status tsr_meshgrid(tsr_ctx *ctx, int n, const tsr_tensor *const *in, tsr_indexing indexing, tsr_tensor *out) {
  static const char op[] = "meshgrid";
  tsr_tensor grid[TSR_MAX_DIMS]; /* all of them before the first output changes: it may be a later one's input */
  tsr_index shape[TSR_MAX_DIMS];
  tsr_status st = check_vectors(ctx, op, n, in, out);
  if (st != TSR_OK) return st;
  if (indexing != TSR_INDEXING_IJ && indexing != TSR_INDEXING_XY)
    return TSR__FAIL(ctx, TSR_EARG, op, "indexing", "%d is neither ij nor xy", (int)indexing);
  const int flip = indexing == TSR_INDEXING_XY && n > 1; /* the first two axes change places */
  for (int i = 0; i < n; i++) shape[flip && i < 2 ? 1 - i : i] = in[i]->ndim == 1 ? in[i]->shape[0] : 1;
  st = tsr__check_shape(ctx, op, "in", n, shape, NULL);
  if (st != TSR_OK) return st;
  for (int i = 0; i < n; i++) {
    grid[i] = along_axis(in[i], n, shape, flip && i < 2 ? 1 - i : i);
    if (&out[i] != in[i]) grid[i].flags &= (uint8_t)~TSR_OWNS;
  }
  for (int i = 0; i < n; i++) out[i] = grid[i];
  return TSR_OK;
}
