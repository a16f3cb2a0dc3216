/* Tensors as bytes that MPI can take: contiguous, of the host. What is strided is packed by the library's own copy, which is what
 * docs/performance.md has against MPI's derived datatypes; what is on a device goes by way of memory that it reaches by itself. */
#include "mpi/comm.h"

#include <string.h>

/* The allocator of memory that x's device copies to and from. */
static const tsr_allocator *staging_allocator(const tsr_ctx *ctx, const tsr_tensor *x) {
  const tsr_allocator *pinned = NULL;
#if TSR_HAVE_OPS
  const tsr_device *const device = tsr_device_of(x);
  if (device != NULL && !device->is_host) pinned = tsr_device_host_allocator(device);
#endif
  return pinned != NULL ? pinned : ctx->allocator;
}

static bool is_direct(const tsr_tensor *x) {
  const tsr_device *const device = tsr_device_of(x);
  return (device == NULL || device->is_host) && tsr_is_contiguous(x, TSR_ROW_MAJOR);
}

/* A device that does not compute copies contiguous memory alone; one that does makes it so first. */
static tsr_status copy_to_host(tsr_ctx *inner, const tsr_tensor *x, tsr_tensor *host) {
  const tsr_device *const device = tsr_device_of(x);
  tsr_tensor plain = {0};
  tsr_status st = TSR_OK;
  if (device == NULL || device->is_host) return tsr_copy(inner, x, host);
  if (!tsr_is_contiguous(x, TSR_MEMORY)) st = tsr_contiguous(inner, x, &plain);
  if (st == TSR_OK && host->data == NULL) st = tsr_allocate(inner, NULL, TSR_HINT_DEFAULT, host);
  if (st == TSR_OK) st = tsr_copy(inner, plain.data != NULL ? &plain : x, host);
  tsr_release(&plain);
  return st;
}

static tsr_status copy_from_host(tsr_ctx *inner, const tsr_tensor *host, tsr_tensor *out) {
  const tsr_device *const device = tsr_device_of(out);
  tsr_tensor there = {0};
  if (device == NULL || device->is_host || tsr_is_contiguous(out, TSR_MEMORY)) return tsr_copy(inner, host, out);
  tsr_status st = tsr_to_device(inner, host, device, &there);
  if (st == TSR_OK) st = tsr_copy(inner, &there, out);
  tsr_release(&there);
  return st;
}

static tsr_status check_input(tsr__comm_call *call, const char *arg, const tsr_tensor *x, tsr_tensor *host) {
  tsr_ctx inner;
  *host = (tsr_tensor){0};
  if (x == NULL) return tsr__comm_fail(call->ctx, TSR_EARG, call->op, arg, "is NULL");
  if (tsr_is_none(x)) return tsr__comm_fail(call->ctx, TSR_ESTATE, call->op, arg, "has no elements: it is empty");
  tsr__comm_inner(call->ctx, &inner);
  const tsr_status st = tsr_view(&inner, x, host);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, arg, &inner);
  if (x->data == NULL && tsr_size(x) != 0)
    return tsr__comm_fail(call->ctx, TSR_ESTATE, call->op, arg, "has no elements: it is described");
  return TSR_OK;
}

static tsr_status stage(tsr__comm_call *call, const char *arg, const tsr_tensor *x, tsr_tensor *host) {
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  inner.allocator = staging_allocator(&inner, x);
  tsr_status st = tsr_desc_init(&inner, x->dtype, x->ndim, x->shape, host);
  if (st == TSR_OK) st = copy_to_host(&inner, x, host);
  if (st != TSR_OK) tsr_release(host);
  return st == TSR_OK ? st : tsr__comm_fail_as(call->ctx, st, call->op, arg, &inner);
}

tsr_status tsr__comm_on_host(tsr__comm_call *call, const char *arg, const tsr_tensor *x, tsr_tensor *host) {
  const tsr_status st = check_input(call, arg, x, host);
  if (st != TSR_OK) return st;
  const tsr_device *const device = tsr_device_of(x);
  return device == NULL || device->is_host ? TSR_OK : stage(call, arg, x, host);
}

tsr_status tsr__comm_stage_in(tsr__comm_call *call, const char *arg, const tsr_tensor *x, tsr_tensor *host) {
  const tsr_status st = check_input(call, arg, x, host);
  return st != TSR_OK || is_direct(x) ? st : stage(call, arg, x, host);
}

/* ---- parts ---- */

bool tsr__comm_parts_in_place(const tsr_tensor *x, int axis) {
  for (int i = 0; i < axis; i++)
    if (x->shape[i] != 1) return false;
  return tsr_is_contiguous(x, TSR_ROW_MAJOR);
}

static tsr_status copy_part(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, tsr_index first,
                            tsr_index length, char *bytes, bool pack) {
  tsr_ctx inner;
  tsr_tensor part = {0}, plain = {0};
  tsr__comm_inner(ctx, &inner);
  tsr_status st = tsr_narrow(&inner, x, axis, first, length, &part);
  if (st == TSR_OK && tsr_size(&part) == 0) return TSR_OK;
  if (st == TSR_OK) st = tsr_from_memory(&inner, bytes, part.dtype, part.ndim, part.shape, &plain);
  if (st == TSR_OK) st = pack ? tsr_copy(&inner, &part, &plain) : tsr_copy(&inner, &plain, &part);
  return st == TSR_OK ? st : tsr__comm_fail_as(ctx, st, op, NULL, &inner);
}

tsr_status tsr__comm_pack(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, tsr_index first,
                          tsr_index length, char *to) {
  return copy_part(ctx, op, x, axis, first, length, to, true);
}

tsr_status tsr__comm_unpack(tsr_ctx *ctx, const char *op, const char *from, int axis, tsr_index first, tsr_index length,
                            tsr_tensor *x) {
  union {
    const char *in;
    char *plain;
  } bytes = {from}; /* read, not written */
  return copy_part(ctx, op, x, axis, first, length, bytes.plain, false);
}

/* ---- outputs ---- */

/* Everything that a copy into out would refuse, without touching it. */
static tsr_status check_output(tsr__comm_call *call, const tsr_tensor *out, int dtype, int ndim,
                               const tsr_index *shape) {
  tsr_tensor result = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr_desc_init(&inner, dtype, ndim, shape, &result);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, "out", &inner);
  if (tsr_is_none(out)) return TSR_OK;
  char is[96], has[96];
  (void)tsr_desc_format(out, is, sizeof is);
  (void)tsr_desc_format(&result, has, sizeof has);
  if (out->dtype != dtype)
    return tsr__comm_fail(call->ctx, TSR_EDTYPE, call->op, "out", "is %s, the result %s", is, has);
  if (!tsr_same_shape(out, &result))
    return tsr__comm_fail(call->ctx, TSR_ESHAPE, call->op, "out", "is %s, the result %s", is, has);
  if ((out->flags & TSR_READONLY) != 0)
    return tsr__comm_fail(call->ctx, TSR_EREADONLY, call->op, "out", "is read-only");
  for (int i = 0; i < out->ndim; i++)
    if (out->shape[i] > 1 && out->stride[i] == 0)
      return tsr__comm_fail(call->ctx, TSR_EOVERLAP, call->op, "out", "repeats its elements along axis %d", i);
  return TSR_OK;
}

tsr_status tsr__comm_output_new(tsr__comm_call *call, tsr_tensor *out, int dtype, int ndim, const tsr_index *shape,
                                tsr__comm_output *output) {
  *output = (tsr__comm_output){.out = NULL};
  if (out == NULL) return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "out", "is NULL");
  tsr_status st = check_output(call, out, dtype, ndim, shape);
  if (st != TSR_OK) return st;
  *output = (tsr__comm_output){.out = out, .before = *out};
  if (tsr_is_none(out))
    st = tsr_empty(call->ctx, dtype, ndim, shape, out);
  else if (out->data == NULL && tsr_size(out) > 0)
    st = tsr_allocate(call->ctx, NULL, TSR_HINT_DEFAULT, out);
  output->made = st == TSR_OK && out->data != output->before.data;
  output->direct = st == TSR_OK && is_direct(out);
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  if (st == TSR_OK && output->direct) return tsr_view(call->ctx, out, &output->host);
  if (st == TSR_OK) {
    inner.allocator = staging_allocator(&inner, out);
    st = tsr_empty(&inner, dtype, ndim, shape, &output->host);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, "out", &inner);
  }
  if (st != TSR_OK) tsr__comm_output_undo(output);
  return st;
}

tsr_status tsr__comm_output_finish(tsr_ctx *ctx, const char *op, tsr__comm_output *output) {
  tsr_status st = TSR_OK;
  tsr_ctx inner;
  if (output->out == NULL) return TSR_OK;
  if (!output->direct) {
    tsr__comm_inner(ctx, &inner);
    st = copy_from_host(&inner, &output->host, output->out);
    if (st != TSR_OK) st = tsr__comm_fail_as(ctx, st, op, "out", &inner);
  }
  tsr_release(&output->host);
  output->out = NULL;
  return st;
}

void tsr__comm_output_undo(tsr__comm_output *output) {
  if (output->out == NULL) return;
  tsr_release(&output->host);
  if (output->made) {
    tsr_release(output->out);
    *output->out = output->before;
  }
  output->out = NULL;
}

static bool overlap(const tsr_tensor *a, const tsr_tensor *b) {
  if (a->storage != NULL && b->storage != NULL && a->storage != b->storage) return false;
  if (a->storage != NULL && a->storage == b->storage) return true;
  const char *const from = a->data, *const to = b->data; /* borrowed memory: both contiguous, or taken to overlap */
  return !tsr_is_contiguous(a, TSR_ROW_MAJOR) || (from < to + tsr_nbytes(b) && to < from + tsr_nbytes(a));
}

tsr_status tsr__comm_unalias(tsr__comm_call *call, tsr_comm_request *r) {
  tsr_tensor copy = {0};
  tsr_ctx inner;
  if ((r->input.flags & TSR_OWNS) != 0 || r->output.out == NULL || !r->output.direct ||
      !overlap(&r->input, &r->output.host))
    return TSR_OK;
  tsr__comm_inner(call->ctx, &inner);
  const tsr_status st = tsr_copy(&inner, &r->input, &copy);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, "x", &inner);
  r->input = tsr_move(&copy);
  return TSR_OK;
}
