/* Products of matrices: the rows and columns that a part of the result needs are brought to it whole; or, where more is summed over than comes
 * out, each rank multiplies what it has, and the products are added. */
#include "mpi/dist.h"

#include <tessera/matmul.h>

/* Rows of a, or columns of b, that a rank's part of the result needs. */
typedef struct factor {
  const tsr__division *result;
  int axis; /* 0: rows of a; 1: columns of b */
  tsr_index shape[2];
} factor;

static tsr__box box_factor(const void *arg, int rank) {
  const factor *const f = arg;
  const tsr__box own = tsr__box_own(f->result, rank);
  tsr__box box = {{0}, {f->shape[0], f->shape[1]}};
  box.first[f->axis] = own.first[f->axis];
  box.length[f->axis] = own.length[f->axis];
  return box;
}

static tsr_status bring(tsr__comm_call *call, const tsr_dist *x, const factor *f, tsr_tensor *part) {
  const tsr__division has = tsr__dist_division(x);
  const tsr__box box = box_factor(f, call->comm->rank);
  tsr_tensor own = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr_dist_own(call->ctx, x, &own);
  if (st == TSR_OK) st = tsr_empty(&inner, x->local.dtype, 2, box.length, part);
  const tsr__move m = {.ndim = 2,
                       .dtype = x->local.dtype,
                       .copies = tsr__dist_is_copies(&has.layout, 2),
                       .have = tsr__box_own,
                       .have_arg = &has,
                       .want = box_factor,
                       .want_arg = f};
  return tsr__dist_move(call, st, &m, &own, part);
}

static bool is_rows(const tsr_dist *x, int axis, int size) { return size > 1 && x->layout.grid[axis] == size; }

/* Each rank has a part of the sums of every element. */
static tsr_status add_products(tsr__comm_call *call, const tsr_dist *a, const tsr_dist *b, const tsr__division *d,
                               tsr_dist *out) {
  tsr_tensor x = {0}, y = {0}, product = {0}, sum = {0}, own = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr_dist_own(&inner, a, &x);
  if (st == TSR_OK) st = tsr_dist_own(&inner, b, &y);
  if (st == TSR_OK) st = tsr_matmul(&inner, &x, &y, &product);
  if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  st = tsr__comm_agree_status(call, st);
  if (st == TSR_OK) st = tsr_comm_allreduce(call->ctx, call->comm, TSR_COMM_SUM, &product, &sum, NULL);
  const tsr__box box = tsr__box_own(d, call->comm->rank);
  const tsr_index origin[TSR_MAX_DIMS] = {0};
  tsr_tensor part = {0};
  if (st == TSR_OK) st = tsr_dist_own(call->ctx, out, &own);
  if (st == TSR_OK) st = tsr__box_view(call->ctx, &sum, origin, &box, &part);
  if (st == TSR_OK) st = tsr_copy(call->ctx, &part, &own);
  tsr_release(&product);
  tsr_release(&sum);
  return st;
}

static tsr_status multiply(tsr__comm_call *call, const tsr_dist *a, const tsr_dist *b, const tsr__division *d,
                           tsr_dist *out) {
  const factor rows = {d, 0, {a->shape[0], a->shape[1]}}, columns = {d, 1, {b->shape[0], b->shape[1]}};
  tsr_tensor x = {0}, y = {0}, own = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = bring(call, a, &rows, &x);
  if (st == TSR_OK) st = bring(call, b, &columns, &y);
  if (st == TSR_OK) {
    st = tsr_dist_own(&inner, out, &own);
    if (st == TSR_OK) st = tsr_matmul(&inner, &x, &y, &own);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
    st = tsr__comm_agree_status(call, st);
  }
  tsr_release(&x);
  tsr_release(&y);
  return st;
}

static tsr_status check(tsr__comm_call *call, const tsr_dist *a, const tsr_dist *b, int *dtype) {
  tsr_tensor x = {0}, y = {0}, z = {0};
  tsr_ctx inner, dry;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr__dist_check(call, "a", a);
  if (st == TSR_OK) st = tsr__dist_check(call, "b", b);
  if (st != TSR_OK) return st;
  if (a->local.ndim != 2 || b->local.ndim != 2)
    return tsr__comm_fail(call->ctx, TSR_ESHAPE, call->op, NULL, "a and b are matrices here");
  st = tsr_context_init_dry(&inner, &dry);
  if (st == TSR_OK) st = tsr_empty(&dry, a->local.dtype, 2, a->shape, &x);
  if (st == TSR_OK) st = tsr_empty(&dry, b->local.dtype, 2, b->shape, &y);
  if (st == TSR_OK) st = tsr_matmul(&dry, &x, &y, &z);
  *dtype = z.dtype;
  tsr_release(&x), tsr_release(&y), tsr_release(&z);
  return st == TSR_OK ? st : tsr__comm_fail_as(call->ctx, st, call->op, NULL, &dry);
}

tsr_status tsr_dist_matmul(tsr_ctx *ctx, const tsr_dist *a, const tsr_dist *b, const tsr_dist_layout *layout,
                           tsr_dist *out) {
  static const char op[] = "dist_matmul";
  tsr__comm_call call;
  tsr__division d = {0};
  int dtype = TSR_NONE;
  if (a == NULL || a->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, op, "a", "is empty");
  const int size = tsr_comm_size(a->comm);
  tsr_status st = tsr__dist_begin(ctx, a->comm, op, &call);
  if (st == TSR_OK) st = check(&call, a, b, &dtype);
  tsr_dist_layout chosen = {.grid = {size, 1}};
  if (st == TSR_OK && a->layout.grid[0] == 1 && b->layout.grid[1] > 1) chosen = (tsr_dist_layout){.grid = {1, size}};
  if (st == TSR_OK && a->layout.grid[0] > 1 && a->layout.grid[0] != size)
    chosen = (tsr_dist_layout){.grid = {a->layout.grid[0], size / a->layout.grid[0]}};
  const tsr_index shape[] = {st == TSR_OK ? a->shape[0] : 0, st == TSR_OK ? b->shape[1] : 0};
  if (st == TSR_OK) st = tsr__dist_divide(&call, 2, shape, layout != NULL ? layout : &chosen, &d);
  tsr__dist_note(&call, &d.layout, sizeof d.layout);
  bool made = false;
  if (st == TSR_OK) st = tsr__dist_make(&call, dtype, &d, out), made = st == TSR_OK;
  st = tsr__comm_agree(&call, st);
  if (st != TSR_OK) {
    if (made) tsr_dist_release(out);
    return st;
  }
  const bool adds = is_rows(a, 1, size) && is_rows(b, 0, size) &&
                    (double)a->shape[1] * (double)(shape[0] + shape[1]) > 2.0 * (double)shape[0] * (double)shape[1];
  st = adds ? add_products(&call, a, b, &d, out) : multiply(&call, a, b, &d, out);
  if (st != TSR_OK) tsr_dist_release(out);
  return st;
}
