/* A divided axis as columns that begin where the library's blocks do. */
#include "mpi/dist_flat.h"

#include <stdlib.h>

tsr__box tsr__box_columns(const void *columns, int rank) {
  const tsr__columns *const c = columns;
  tsr__box box = {{0, c->starts[rank]}, {c->rows, c->starts[rank + 1] - c->starts[rank]}};
  return box;
}

/* Axes that are not in mask, then those that are, in order. */
static void order_axes(int ndim, uint32_t mask, int *order) {
  int n = 0;
  for (int i = 0; i < ndim; i++)
    if ((mask >> i & 1) == 0) order[n++] = i;
  for (int i = 0; i < ndim; i++)
    if ((mask >> i & 1) != 0) order[n++] = i;
}

static int first_of(const tsr_dist *x, uint32_t mask) {
  for (int i = 0; i < x->local.ndim; i++)
    if ((mask >> i & 1) != 0 && x->shape[i] > 1) return i;
  for (int i = 0; i < x->local.ndim; i++)
    if ((mask >> i & 1) != 0) return i;
  return 0;
}

/* The own part as (rows, columns) of a dtype, contiguous. */
static tsr_status flatten(tsr_ctx *ctx, const tsr_dist *x, uint32_t mask, int dtype, tsr_index rows, tsr_index columns,
                          tsr_tensor *out) {
  int order[TSR_MAX_DIMS];
  tsr_tensor own = {0}, wide = {0};
  order_axes(x->local.ndim, mask, order);
  tsr_status st = tsr_dist_own(ctx, x, &own);
  if (st == TSR_OK) st = tsr_permute(ctx, &own, order, &own);
  if (st == TSR_OK) st = tsr_cast(ctx, &own, dtype, &wide);
  if (st == TSR_OK) st = tsr_reshape(ctx, &wide, TSR_SHAPE(rows, columns), out);
  tsr_release(&wide);
  return st;
}

tsr_status tsr__flat_new(tsr__comm_call *call, const tsr_dist *x, uint32_t mask, int dtype, tsr_index block,
                         tsr__flat *f) {
  const int size = call->comm->size, axis = first_of(x, mask);
  tsr_dist brought = {.comm = NULL};
  tsr__division d = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  *f = (tsr__flat){.rows = 1, .length = 1, .dtype = dtype, .mask = mask};
  tsr_dist_layout layout = {.grid = {0}};
  layout.grid[axis] = size;
  tsr_index rest = 1;
  for (int i = 0; i < x->local.ndim; i++) {
    if ((mask >> i & 1) == 0) f->rows *= x->shape[i];
    if ((mask >> i & 1) != 0) f->length *= x->shape[i];
    if ((mask >> i & 1) != 0 && i != axis) rest *= x->shape[i];
  }
  tsr_status st = tsr__dist_divide(call, x->local.ndim, x->shape, &layout, &d);
  st = tsr__dist_bring(call, st, x, &d, &brought);
  if (st != TSR_OK) return st;
  f->from = calloc(2 * ((size_t)size + 1), sizeof *f->from);
  f->to = f->from != NULL ? f->from + size + 1 : NULL;
  if (f->from == NULL) st = tsr__comm_fail(call->ctx, TSR_ENOMEM, call->op, NULL, "no memory for starts");
  for (int r = 0; r < size && st == TSR_OK; r++) {
    tsr_index first;
    const tsr_index count = tsr_comm_part(x->shape[axis], size, r, &first);
    f->from[r] = first * rest;
    f->from[r + 1] = (first + count) * rest;
  }
  for (int r = 0; r <= size && st == TSR_OK; r++) {
    const tsr_index up = (f->from[r] + block - 1) / block * block;
    f->to[r] = r == size || up > f->length ? f->length : up;
  }
  const int rank = call->comm->rank;
  tsr_tensor part = {0};
  if (st == TSR_OK) st = flatten(&inner, &brought, mask, dtype, f->rows, f->from[rank + 1] - f->from[rank], &part);
  if (st == TSR_OK) st = tsr_empty(&inner, dtype, TSR_SHAPE(f->rows, f->to[rank + 1] - f->to[rank]), &f->part);
  if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  const tsr__columns from = {f->rows, f->from}, to = {f->rows, f->to};
  const tsr__move m = {.ndim = 2,
                       .dtype = dtype,
                       .have = tsr__box_columns,
                       .have_arg = &from,
                       .want = tsr__box_columns,
                       .want_arg = &to};
  st = tsr__dist_move(call, st, &m, &part, &f->part);
  tsr_release(&part);
  if (st == TSR_OK) f->axis = axis;
  tsr_dist_release(&brought);
  if (st != TSR_OK) tsr__flat_release(f);
  return st;
}

void tsr__flat_release(tsr__flat *f) {
  tsr_release(&f->part);
  free(f->from);
  f->from = f->to = NULL;
}

/* From columns back to a part that is divided along f->axis, whose other axes are as they were. */
tsr_status tsr__flat_back(tsr__comm_call *call, const tsr__flat *f, tsr_dist *out) {
  const int rank = call->comm->rank;
  tsr_tensor part = {0}, own = {0}, shaped = {0};
  tsr_ctx inner;
  int order[TSR_MAX_DIMS];
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr_empty(&inner, f->dtype, TSR_SHAPE(f->rows, f->from[rank + 1] - f->from[rank]), &part);
  if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  const tsr__columns from = {f->rows, f->to}, to = {f->rows, f->from};
  const tsr__move m = {.ndim = 2,
                       .dtype = f->dtype,
                       .have = tsr__box_columns,
                       .have_arg = &from,
                       .want = tsr__box_columns,
                       .want_arg = &to};
  st = tsr__dist_move(call, st, &m, &f->part, &part);
  if (st == TSR_OK) {
    order_axes(out->local.ndim, f->mask, order);
    st = tsr_dist_own(&inner, out, &own);
    if (st == TSR_OK) st = tsr_permute(&inner, &own, order, &own);
    if (st == TSR_OK) st = tsr_reshape_view(&inner, &part, own.ndim, own.shape, &shaped);
    if (st == TSR_OK) st = tsr_copy(&inner, &shaped, &own);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  }
  tsr_release(&part);
  return st;
}
