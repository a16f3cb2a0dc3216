/* Reductions: integers by MPI's own, in any order; floats by the library's reductions over an axis of ranks, so that the order is fixed
 * and every dtype has the arithmetic that it has elsewhere. Each rank gets everybody's elements of its part, reduces them, and
 * hands the result on: the bytes are those of the best allreduce there is, (p - 1)/p of x twice. */
#include "mpi/comm.h"

#include <string.h>
#include <tessera/binary.h>
#include <tessera/ops.h>
#include <tessera/reduce.h>

/* Elements in fewer bytes go to all at once. */
enum { SMALL = 8192 };

/* ---- which ---- */

static int class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }

static const char *const names[] = {"sum", "prod", "min", "max", "all", "any"};

static bool takes(int reduction, int dtype) {
  const int class_ = class_of(dtype);
  if (reduction >= TSR_COMM_ALL) return class_ == TSR_CLASS_BOOL;
  if (class_ == TSR_CLASS_BOOL || !tsr_dtype_supported(dtype)) return false;
  return class_ != TSR_CLASS_COMPLEX || reduction == TSR_COMM_SUM;
}

static tsr_status check(tsr__comm_call *call, int reduction, int dtype) {
  if (reduction < TSR_COMM_SUM || reduction > TSR_COMM_ANY)
    return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "reduction", "%d is none", reduction);
  if (takes(reduction, dtype)) return TSR_OK;
  return tsr__comm_fail(call->ctx, TSR_EDTYPE, call->op, "x", "is %s: not for %s", tsr_dtype_name(dtype),
                        names[reduction]);
}

/* MPI's type for which its arithmetic is exact; unsigned where bits wrap. MPI_DATATYPE_NULL: none. Sums of 8 and 16 bits saturate in
 * Open MPI 4.1, where vectors add them. */
static MPI_Datatype native_type(int reduction, int dtype, bool any_order) {
  const bool order = reduction == TSR_COMM_MIN || reduction == TSR_COMM_MAX;
  switch (dtype) {
    case TSR_BOOL: return MPI_UINT8_T;
    case TSR_I8: return order ? MPI_INT8_T : MPI_DATATYPE_NULL;
    case TSR_I16: return order ? MPI_INT16_T : MPI_DATATYPE_NULL;
    case TSR_I32: return order ? MPI_INT32_T : MPI_UINT32_T;
    case TSR_I64: return order ? MPI_INT64_T : MPI_UINT64_T;
    case TSR_U8: return order ? MPI_UINT8_T : MPI_DATATYPE_NULL;
    case TSR_U16: return order ? MPI_UINT16_T : MPI_DATATYPE_NULL;
    case TSR_U32: return MPI_UINT32_T;
    case TSR_U64: return MPI_UINT64_T;
    case TSR_F32: return any_order && !order ? MPI_FLOAT : MPI_DATATYPE_NULL;
    case TSR_F64: return any_order && !order ? MPI_DOUBLE : MPI_DATATYPE_NULL;
    default: return MPI_DATATYPE_NULL;
  }
}

static MPI_Op native_op(int reduction) {
  switch (reduction) {
    case TSR_COMM_SUM: return MPI_SUM;
    case TSR_COMM_PROD: return MPI_PROD;
    case TSR_COMM_MIN:
    case TSR_COMM_ALL: return MPI_MIN;
    default: return MPI_MAX;
  }
}

/* ---- one rank's part ---- */

/* parts (P, N) of all ranks, one after another, to n elements at to. */
static tsr_status fold_integers(tsr_ctx *ctx, int reduction, int ranks, tsr_tensor *parts, tsr_tensor *to) {
  tsr_tensor row = {0};
  tsr_status st = tsr_select(ctx, parts, 0, 0, &row);
  if (st == TSR_OK) st = tsr_copy(ctx, &row, to);
  for (int r = 1; r < ranks && st == TSR_OK; r++) {
    st = tsr_select(ctx, parts, 0, r, &row);
    if (st != TSR_OK) break;
    switch (reduction) {
      case TSR_COMM_SUM: st = tsr_add(ctx, to, &row, to); break;
      case TSR_COMM_PROD: st = tsr_mul(ctx, to, &row, to); break;
      case TSR_COMM_MIN: st = tsr_minimum(ctx, to, &row, to); break;
      case TSR_COMM_MAX: st = tsr_maximum(ctx, to, &row, to); break;
      case TSR_COMM_ALL: st = tsr_logical_and(ctx, to, &row, to); break;
      default: st = tsr_logical_or(ctx, to, &row, to);
    }
  }
  return st;
}

static tsr_status fold_floats(tsr_ctx *ctx, int reduction, const tsr_tensor *parts, tsr_tensor *to) {
  static const int ranks[] = {0};
  switch (reduction) {
    case TSR_COMM_SUM: return tsr_sum(ctx, parts, 1, ranks, false, to);
    case TSR_COMM_PROD: return tsr_prod(ctx, parts, 1, ranks, false, to);
    case TSR_COMM_MIN: return tsr_min(ctx, parts, 1, ranks, false, to);
    default: return tsr_max(ctx, parts, 1, ranks, false, to);
  }
}

static tsr_status fold(tsr_ctx *ctx, const tsr_comm_request *r, int dtype, tsr_index n, char *from, char *at) {
  const int ranks = r->comm->size;
  const bool is_complex = class_of(dtype) == TSR_CLASS_COMPLEX;
  const int real = dtype == TSR_C64 ? TSR_F32 : TSR_F64;
  tsr_tensor parts = {0}, to = {0};
  tsr_ctx inner;
  if (n == 0) return TSR_OK;
  if (is_complex) dtype = real, n *= 2;
  tsr__comm_inner(ctx, &inner);
  tsr_status st = tsr_from_memory(&inner, from, dtype, TSR_SHAPE(ranks, n), &parts);
  if (st == TSR_OK && tsr_size(&r->scratch) > 0)
    st = tsr_context_set_scratch(&inner, r->scratch.data, tsr_nbytes(&r->scratch));
  if (st == TSR_OK) st = tsr_from_memory(&inner, at, dtype, TSR_SHAPE(n), &to);
  if (st == TSR_OK && class_of(dtype) == TSR_CLASS_FLOAT)
    st = fold_floats(&inner, r->reduction, &parts, &to);
  else if (st == TSR_OK)
    st = fold_integers(&inner, r->reduction, ranks, &parts, &to);
  return st == TSR_OK ? st : tsr__comm_fail_as(ctx, st, r->op, "x", &inner);
}

/* What that takes beside its operands, before anything moves: a rank that fails later leaves the others waiting. */
static tsr_status take_scratch(tsr__comm_call *call, tsr_comm_request *r, int dtype, tsr_index n) {
  tsr_tensor parts = {0}, to = {0};
  tsr_ctx inner, dry;
  tsr__comm_inner(call->ctx, &inner);
  if (class_of(dtype) == TSR_CLASS_COMPLEX) dtype = dtype == TSR_C64 ? TSR_F32 : TSR_F64, n *= 2;
  if (n == 0 || class_of(dtype) != TSR_CLASS_FLOAT) return TSR_OK;
  tsr_status st = tsr_context_init_dry(&inner, &dry);
  if (st == TSR_OK) st = tsr_empty(&dry, dtype, TSR_SHAPE(call->comm->size, n), &parts);
  if (st == TSR_OK) st = fold_floats(&dry, r->reduction, &parts, &to);
  tsr_release(&parts), tsr_release(&to);
  if (st == TSR_OK) st = tsr_empty(&inner, TSR_U8, TSR_SHAPE((tsr_index)dry.scratch_needed), &r->scratch);
  return st == TSR_OK ? st : tsr__comm_fail(call->ctx, st, call->op, NULL, "no memory to add what ranks have");
}

/* ---- the two ways ---- */

typedef struct reduction_call {
  tsr_index count; /* elements of x */
  size_t item;
  int dtype;
} reduction_call;

static reduction_call what(const tsr_comm_request *r) {
  return (reduction_call){tsr_size(&r->input), tsr_dtype_size(r->input.dtype), r->input.dtype};
}

/* Everything is there, of every rank. */
static tsr_status fold_all(tsr_ctx *ctx, tsr_comm_request *r) {
  const reduction_call c = what(r);
  if (r->output.out == NULL) return TSR_OK;
  return fold(ctx, r, c.dtype, c.count, r->parts.data, r->output.host.data);
}

static tsr_status start_small(tsr_ctx *ctx, tsr_comm_request *r) {
  const reduction_call c = what(r);
  const size_t bytes = (size_t)c.count * c.item;
  const bool receives = r->root < 0 || r->root == r->comm->rank;
  for (int i = 0; i < r->comm->size; i++)
    r->pieces[i] = (tsr__comm_piece){r->input.data, receives ? (char *)r->parts.data + (size_t)i * bytes : NULL,
                                     r->root < 0 || i == r->root ? bytes : 0, receives ? bytes : 0};
  r->next = fold_all;
  return tsr__comm_move(ctx, r->comm, r->op, r->root < 0 ? TSR__ALL_GATHER : TSR__GATHER, r->root, r->pieces,
                        bytes * (size_t)r->comm->size, r->blocking ? NULL : r);
}

/* The rank's part is there, of every rank: reduced into the output, or into the first of the parts and from there to the root. */
static tsr_status hand_on(tsr_ctx *ctx, tsr_comm_request *r) {
  const reduction_call c = what(r);
  const int size = r->comm->size, rank = r->comm->rank;
  const bool receives = r->root < 0 || r->root == rank;
  tsr_index first;
  const tsr_index n = tsr_comm_part(c.count, size, rank, &first);
  const size_t mine = (size_t)n * c.item;
  char *const to =
      receives ? (char *)r->output.host.data + (size_t)first * c.item : (char *)r->parts.data + mine * (size_t)size;
  const tsr_status st = fold(ctx, r, c.dtype, n, r->parts.data, to);
  if (st != TSR_OK) return st; /* for want of memory: the others end by the clock */
  for (int i = 0; i < size; i++) {
    const tsr_index length = tsr_comm_part(c.count, size, i, &first);
    r->pieces[i] = (tsr__comm_piece){to, receives ? (char *)r->output.host.data + (size_t)first * c.item : NULL,
                                     r->root < 0 || i == r->root ? mine : 0, receives ? (size_t)length * c.item : 0};
  }
  return tsr__comm_move(ctx, r->comm, r->op, r->root < 0 ? TSR__ALL_GATHER : TSR__GATHER, r->root, r->pieces,
                        (size_t)c.count * c.item, r->blocking ? NULL : r);
}

static tsr_status start_parts(tsr_ctx *ctx, tsr_comm_request *r) {
  const reduction_call c = what(r);
  const int size = r->comm->size;
  const size_t mine = (size_t)tsr_comm_part(c.count, size, r->comm->rank, NULL) * c.item;
  for (int i = 0; i < size; i++) {
    tsr_index first;
    const tsr_index length = tsr_comm_part(c.count, size, i, &first);
    r->pieces[i] = (tsr__comm_piece){(char *)r->input.data + (size_t)first * c.item,
                                     (char *)r->parts.data + (size_t)i * mine, (size_t)length * c.item, mine};
  }
  r->next = hand_on;
  return tsr__comm_move(ctx, r->comm, r->op, TSR__ALL_TO_ALL, -1, r->pieces,
                        2 * c.item * ((size_t)c.count + (size_t)size), r->blocking ? NULL : r);
}

/* ---- calls ---- */

static tsr_status ended(tsr_comm_request *r, tsr_status st) {
  tsr__comm_request_free(r);
  return st;
}

static bool is_small(const tsr_comm_request *r) {
  return r->comm->size <= 2 || tsr_nbytes(&r->input) <= SMALL || tsr_size(&r->input) < r->comm->size;
}

static tsr_status make_room(tsr__comm_call *call, tsr_comm_request *r, MPI_Datatype native) {
  const reduction_call c = what(r);
  tsr_ctx inner;
  if (native != MPI_DATATYPE_NULL) return TSR_OK;
  tsr__comm_inner(call->ctx, &inner);
  const size_t mine = (size_t)(c.count / call->comm->size + 1) * c.item;
  const size_t bytes =
      is_small(r) ? (size_t)c.count * c.item * (size_t)call->comm->size : mine * ((size_t)call->comm->size + 1);
  const tsr_status st = tsr_empty(&inner, TSR_U8, TSR_SHAPE((tsr_index)bytes), &r->parts);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  return take_scratch(call, r, c.dtype,
                      is_small(r) ? c.count : tsr_comm_part(c.count, call->comm->size, call->comm->rank, NULL));
}

static tsr_status reduce(tsr_ctx *ctx, tsr_comm *comm, const char *op, int number, int reduction, int root,
                         const tsr_tensor *x, tsr_tensor *out, tsr_comm_request **request) {
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  tsr_status st = tsr__comm_begin(ctx, comm, op, number, &call);
  if (st != TSR_OK) return st;
  const bool receives = number == TSR__CALL_ALLREDUCE || comm->rank == root;
  call.header.numbers[0] = root;
  call.header.numbers[1] = reduction;
  if (number == TSR__CALL_REDUCE && (root < 0 || root >= comm->size))
    st = tsr__comm_fail(ctx, TSR_EARG, op, "root", "is %d: there are %d ranks", root, comm->size);
  if (st == TSR_OK) st = tsr__comm_request_new(&call, &r);
  if (st == TSR_OK) st = tsr__comm_stage_in(&call, "x", x, &r->input);
  if (st == TSR_OK) st = check(&call, reduction, x->dtype);
  if (st == TSR_OK) tsr__comm_describe(&call, x, -1);
  const MPI_Datatype native = st == TSR_OK ? native_type(reduction, x->dtype, comm->any_order) : MPI_DATATYPE_NULL;
  if (st == TSR_OK && receives) st = tsr__comm_output_new(&call, out, x->dtype, x->ndim, x->shape, &r->output);
  if (st == TSR_OK && receives && r->input.data != r->output.host.data) st = tsr__comm_unalias(&call, r);
  if (st == TSR_OK) r->reduction = reduction;
  if (st == TSR_OK) st = make_room(&call, r, native);
  st = tsr__comm_agree(&call, st);
  if (st != TSR_OK) return ended(r, st);
  r->root = number == TSR__CALL_ALLREDUCE ? -1 : root;
  tsr_comm_request *const started = tsr__comm_started(r, request);
  if (native != MPI_DATATYPE_NULL)
    st = tsr__comm_native_reduce(ctx, comm, op, r->root, native, native_op(reduction), r->input.data,
                                 receives ? r->output.host.data : NULL, tsr_size(x), tsr_dtype_size(x->dtype), started);
  else
    st = is_small(r) ? start_small(ctx, r) : start_parts(ctx, r);
  return st == TSR_OK ? tsr__comm_run(ctx, r, request) : ended(r, st);
}

tsr_status tsr_comm_reduce(tsr_ctx *ctx, tsr_comm *comm, tsr_comm_reduction reduction, int root, const tsr_tensor *x,
                           tsr_tensor *out, tsr_comm_request **request) {
  return reduce(ctx, comm, "comm_reduce", TSR__CALL_REDUCE, (int)reduction, root, x, out, request);
}

tsr_status tsr_comm_allreduce(tsr_ctx *ctx, tsr_comm *comm, tsr_comm_reduction reduction, const tsr_tensor *x,
                              tsr_tensor *out, tsr_comm_request **request) {
  return reduce(ctx, comm, "comm_allreduce", TSR__CALL_ALLREDUCE, (int)reduction, -1, x, out, request);
}

/* ---- reduce_scatter: parts along an axis, each reduced where it belongs ---- */

static tsr_status fold_own(tsr_ctx *ctx, tsr_comm_request *r) {
  const tsr_tensor *const to = &r->output.host;
  return fold(ctx, r, to->dtype, tsr_size(to), r->parts.data, to->data);
}

static tsr_status pack_parts(tsr__comm_call *call, tsr_comm_request *r, const tsr_tensor *x, int axis,
                             const tsr_index *shape) {
  const int size = call->comm->size;
  const bool in_place = tsr__comm_parts_in_place(x, axis);
  size_t mine = tsr_dtype_size(x->dtype), slab = mine;
  tsr_ctx inner;
  for (int i = 0; i < x->ndim; i++) {
    mine *= (size_t)shape[i];
    if (i != axis) slab *= (size_t)shape[i];
  }
  tsr__comm_inner(call->ctx, &inner);
  const size_t all = tsr_nbytes(x);
  tsr_status st =
      tsr_empty(&inner, TSR_U8, TSR_SHAPE((tsr_index)(mine * (size_t)size + (in_place ? 0 : all))), &r->parts);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  char *at = in_place ? x->data : (char *)r->parts.data + mine * (size_t)size;
  for (int i = 0; i < size && st == TSR_OK; i++) {
    tsr_index first;
    const tsr_index length = tsr_comm_part(x->shape[axis], size, i, &first);
    const size_t bytes = slab * (size_t)length;
    if (!in_place) st = tsr__comm_pack(call->ctx, call->op, x, axis, first, length, at);
    r->pieces[i] = (tsr__comm_piece){at, (char *)r->parts.data + (size_t)i * mine, bytes, mine};
    if (bytes > 0) at += bytes;
  }
  return st;
}

tsr_status tsr_comm_reduce_scatter(tsr_ctx *ctx, tsr_comm *comm, tsr_comm_reduction reduction, int axis,
                                   const tsr_tensor *x, tsr_tensor *out, tsr_comm_request **request) {
  static const char op[] = "comm_reduce_scatter";
  tsr__comm_call call;
  tsr_comm_request *r = NULL;
  tsr_index shape[TSR_MAX_DIMS] = {0};
  tsr_status st = tsr__comm_begin(ctx, comm, op, TSR__CALL_REDUCE_SCATTER, &call);
  if (st != TSR_OK) return st;
  st = tsr__comm_request_new(&call, &r);
  if (st == TSR_OK) st = tsr__comm_on_host(&call, "x", x, &r->input);
  if (st == TSR_OK) st = check(&call, (int)reduction, x->dtype);
  if (st == TSR_OK && axis < 0) axis += x->ndim;
  if (st == TSR_OK && (axis < 0 || axis >= x->ndim))
    st = tsr__comm_fail(ctx, TSR_EAXIS, op, "axis", "%d is out of range for rank %d", axis, x->ndim);
  call.header.numbers[0] = axis;
  call.header.numbers[1] = (int)reduction;
  if (st == TSR_OK) {
    tsr__comm_describe(&call, x, -1);
    for (int i = 0; i < x->ndim; i++) shape[i] = x->shape[i];
    shape[axis] = tsr_comm_part(x->shape[axis], comm->size, comm->rank, NULL);
    st = tsr__comm_output_new(&call, out, x->dtype, x->ndim, shape, &r->output);
  }
  if (st == TSR_OK) st = pack_parts(&call, r, &r->input, axis, shape);
  if (r != NULL) r->reduction = (int)reduction;
  if (st == TSR_OK) st = take_scratch(&call, r, x->dtype, tsr_size(&r->output.host));
  st = tsr__comm_agree(&call, st);
  if (st != TSR_OK) return ended(r, st);
  r->next = fold_own;
  st = tsr__comm_move(ctx, comm, op, TSR__ALL_TO_ALL, -1, r->pieces, 2 * tsr_nbytes(x) * (size_t)comm->size,
                      tsr__comm_started(r, request));
  return st == TSR_OK ? tsr__comm_run(ctx, r, request) : ended(r, st);
}
