/* Cumulative sums: chunks begin where one process has them, and each knows the totals of those before. */
#include "mpi/dist_flat.h"
#include "mpi/order.h"

#include <tessera/cumulative.h>

static int sum_dtype(int dtype) {
  switch (tsr_dtype_describe(dtype)->class_) {
    case TSR_CLASS_BOOL:
    case TSR_CLASS_INT: return TSR_I64;
    case TSR_CLASS_UINT: return TSR_U64;
    default: return dtype;
  }
}

static tsr_status run_own(tsr__comm_call *call, const tsr_dist *x, int axis, tsr_dist *out) {
  tsr_tensor own = {0}, to = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr_dist_own(&inner, x, &own);
  if (st == TSR_OK) st = tsr_dist_own(&inner, out, &to);
  if (st == TSR_OK) st = tsr_cumsum(&inner, &own, axis, &to);
  if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  return tsr__comm_agree_status(call, st);
}

/* Along another axis, which is long enough, and back. */
static tsr_status run_brought(tsr__comm_call *call, const tsr_dist *x, int axis, int other, tsr_dist *out) {
  tsr_dist brought = {.comm = NULL}, sums = {.comm = NULL}, back = {.comm = NULL};
  tsr__division d = {0};
  tsr_dist_layout layout = {.grid = {0}};
  layout.grid[other] = call->comm->size;
  const tsr__division there = tsr__dist_division(out);
  tsr_status st = tsr__dist_divide(call, x->local.ndim, x->shape, &layout, &d);
  st = tsr__dist_bring(call, st, x, &d, &brought);
  if (st == TSR_OK) st = tsr__comm_agree_status(call, tsr__dist_make(call, out->local.dtype, &d, &sums));
  if (st == TSR_OK) st = run_own(call, &brought, axis, &sums);
  if (st == TSR_OK) st = tsr__dist_bring(call, st, &sums, &there, &back);
  if (st == TSR_OK) {
    tsr_release(&out->local);
    out->local = tsr_move(&back.local);
  }
  tsr_dist_release(&brought);
  tsr_dist_release(&sums);
  tsr_dist_release(&back);
  return st;
}

static tsr_status run_chunks(tsr__comm_call *call, const tsr_dist *x, int axis, tsr_dist *out) {
  const int dtype = tsr_dtype_describe(x->local.dtype)->class_ != TSR_CLASS_FLOAT ? TSR_I64
                    : x->local.dtype == TSR_F64                                   ? TSR_F64
                                                                                  : TSR_F32;
  tsr_tensor totals = {0}, all = {0};
  tsr__flat f;
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr__flat_new(call, x, (uint32_t)1 << axis, dtype, SCAN_CHUNK, &f);
  if (st != TSR_OK) return st;
  const tsr_index length = f.part.shape[1], chunks = (length + SCAN_CHUNK - 1) / SCAN_CHUNK;
  const size_t item = tsr_dtype_size(dtype);
  st = tsr_empty(&inner, dtype, TSR_SHAPE(chunks, f.rows), &totals);
  if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  st = tsr__comm_agree_status(call, st);
  for (tsr_index row = 0; row < f.rows && st == TSR_OK; row++)
    tsr__order_totals(dtype, length, (char *)f.part.data + (size_t)(row * length) * item,
                      (char *)totals.data + (size_t)row * item, f.rows);
  if (st == TSR_OK) st = tsr_comm_allgather(call->ctx, call->comm, 0, &totals, &all, NULL);
  const tsr_index before = (f.to[call->comm->rank] + SCAN_CHUNK - 1) / SCAN_CHUNK;
  for (tsr_index row = 0; row < f.rows && length > 0 && st == TSR_OK; row++) {
    char *const at = (char *)f.part.data + (size_t)(row * length) * item;
    tsr__order_sums(dtype, length, at, (char *)all.data + (size_t)row * item, before, f.rows, at);
  }
  /* To where x is divided along the axis alone, and from there to where out is. */
  tsr_dist flat = {.comm = NULL}, back = {.comm = NULL};
  tsr__division d = {0};
  tsr_dist_layout layout = {.grid = {0}};
  layout.grid[f.axis] = call->comm->size;
  const tsr__division there = tsr__dist_division(out);
  if (st == TSR_OK) st = tsr__dist_divide(call, x->local.ndim, x->shape, &layout, &d);
  if (st == TSR_OK) st = tsr__comm_agree_status(call, tsr__dist_make(call, out->local.dtype, &d, &flat));
  if (st == TSR_OK) st = tsr__flat_back(call, &f, &flat);
  if (st == TSR_OK) st = tsr__dist_bring(call, st, &flat, &there, &back);
  if (st == TSR_OK) {
    tsr_release(&out->local);
    out->local = tsr_move(&back.local);
  }
  tsr_dist_release(&flat);
  tsr_dist_release(&back);
  tsr_release(&totals);
  tsr_release(&all);
  tsr__flat_release(&f);
  return st;
}

tsr_status tsr_dist_cumsum(tsr_ctx *ctx, const tsr_dist *x, int axis, tsr_dist *out) {
  static const char op[] = "dist_cumsum";
  tsr__comm_call call;
  if (x == NULL || x->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, op, "x", "is empty");
  const int ndim = x->local.ndim, size = tsr_comm_size(x->comm);
  tsr_status st = tsr__dist_begin(ctx, x->comm, op, &call);
  if (st == TSR_OK) st = tsr__dist_check(&call, "x", x);
  axis += axis < 0 ? ndim : 0;
  if (st == TSR_OK && (axis < 0 || axis >= ndim))
    st = tsr__comm_fail(ctx, TSR_EAXIS, op, "axis", "%d is out of range for rank %d", axis, ndim);
  if (st == TSR_OK && tsr_dtype_describe(x->local.dtype)->class_ == TSR_CLASS_COMPLEX)
    st = tsr__comm_fail(ctx, TSR_EDTYPE, op, "x", "is %s: not for complex numbers", tsr_dtype_name(x->local.dtype));
  tsr__dist_note(&call, &axis, sizeof axis);
  const tsr__division d = tsr__dist_division(x);
  bool made = false;
  if (st == TSR_OK) st = tsr__dist_make(&call, sum_dtype(x->local.dtype), &d, out), made = st == TSR_OK;
  st = tsr__comm_agree(&call, st);
  if (st == TSR_OK) {
    int other = -1;
    for (int i = 0; i < ndim; i++)
      if (i != axis && x->shape[i] >= size && (other < 0 || x->shape[i] > x->shape[other])) other = i;
    st = x->layout.grid[axis] == 1 ? run_own(&call, x, axis, out)
         : other >= 0              ? run_brought(&call, x, axis, other, out)
                                   : run_chunks(&call, x, axis, out);
  }
  if (st != TSR_OK && made) tsr_dist_release(out);
  return st;
}
