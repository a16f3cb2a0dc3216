/* tsr_copy, tsr_cast, tsr_clone, tsr_to_device: what they check and what they give back. */
#include "core/device.h"
#include "core/normalise.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/copy/ops.h"

static bool on_host(const tsr_tensor *t) { return tsr_device_of(t)->is_host; }

static bool is_given(const tsr_tensor *out) { return out->data != NULL || (!tsr_is_none(out) && tsr_size(out) == 0); }

/* The input to the call's output, converted to dtype; like: whose order a fresh output takes, or NULL. */
static tsr_status copy_as(tsr__call *call, int dtype, const tsr_tensor *like) {
  const tsr_tensor *const in = call->in[0];
  const tsr__result result = {dtype, in->layout, in->ndim, in->shape, like};
  tsr_status st = tsr__check_cast(call->ctx, call->op, in->dtype, dtype);
  if (st == TSR_OK && tsr__call_tells(call, TSR__TELLS_COPY, &dtype)) return TSR__STOP;
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st != TSR_OK) return st;
  const bool by_tables = call->device == NULL && !(on_host(in) && on_host(call->out[0]));
  return by_tables ? tsr__call_copy_across(call) : tsr__call_copy(call, in);
}

/* ---- the fast path of small calls: on the host, an input whose strides are all in use ---- */

static bool is_normalised_view(const tsr_tensor *in) {
  tsr__extent extent;
  return in != NULL && in->data != NULL && in->dtype < TSR_DTYPE_COUNT && in->ndim <= TSR_MAX_DIMS &&
         !tsr__needs_normalising(in) && ((uintptr_t)in->data & ((uintptr_t)tsr__item(in) - 1)) == 0 &&
         tsr__extent_of(in->dtype, in->ndim, in->shape, in->stride, &extent);
}

static inline bool is_simple(const tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *out) {
  if (!TSR__FAST_PATHS || !tsr__is_plain_context(ctx) || out == NULL) return false;
  return (tsr__is_given_packed(in) || is_normalised_view(in)) && on_host(in) && on_host(out) &&
         (out->data == NULL || (out->ndim <= TSR_MAX_DIMS && !tsr__needs_normalising(out)));
}

static tsr_status copy_simple(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int dtype, const tsr_tensor *like,
                              tsr_tensor *out) {
  const tsr__result result = {dtype, in->layout, in->ndim, in->shape, like};
  tsr_status st = tsr__check_cast(ctx, op, in->dtype, dtype);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  return st == TSR_OK ? tsr__copy_host(ctx, op, in, out) : st;
}

/* ---- copy ---- */

/* Into an empty output of whoever makes the copy: a device that computes nothing leaves it to the host. */
static tsr_status copy(tsr__call *call) {
  const tsr_tensor *const out = call->out[0];
  if (out == NULL) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "out", "is NULL");
  if (call->device == NULL && !is_given(out)) call->home = NULL;
  return copy_as(call, tsr_is_none(out) ? call->in[0]->dtype : out->dtype, NULL);
}

TSR__OP(copy, copy, TSR__OP_ANY_DEVICE | TSR__OP_TELLS)
tsr_status tsr_copy(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  if (!is_simple(ctx, in, out)) return TSR__CALL(copy, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), );
  return copy_simple(ctx, "copy", in, tsr_is_none(out) ? in->dtype : out->dtype, NULL, out);
}

/* ---- cast ---- */

static tsr_status cast(tsr__call *call) {
  const tsr__cast_attrs *const attrs = call->attrs;
  const tsr_status st = tsr__check_dtype(call->ctx, call->op, "dtype", attrs->dtype);
  return st == TSR_OK ? copy_as(call, attrs->dtype, call->in[0]) : st;
}

TSR__OP(cast, cast, TSR__OP_TELLS)
tsr_status tsr_cast(tsr_ctx *ctx, const tsr_tensor *in, int dtype, tsr_tensor *out) {
  if (!is_simple(ctx, in, out) || tsr_dtype_size(dtype) == 0)
    return TSR__CALL(cast, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .dtype = dtype);
  return copy_simple(ctx, "cast", in, dtype, in, out);
}

/* ---- clone, and copies to a device ---- */

/* A copy on target (NULL: the host), in the order of like. */
static tsr_status copy_to(tsr__call *call, const tsr_device *target, const tsr_tensor *like) {
  const tsr_tensor *const out = call->out[0];
  if (out == NULL) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "out", "is NULL");
  if (out->data != NULL && tsr_device_of(out) != target && !(target == NULL && on_host(out)))
    return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, "out", "is on %s, not on %s", tsr_device_of(out)->name,
                     target != NULL ? target->name : tsr_device_cpu()->name);
  call->home = target;
  return copy_as(call, call->in[0]->dtype, tsr_is_none(out) ? like : NULL);
}

static tsr_status clone(tsr__call *call) {
  const tsr_tensor *const in = call->in[0];
  if (call->device != NULL) return copy_as(call, in->dtype, in);
  return copy_to(call, on_host(in) ? NULL : tsr_device_of(in), in);
}

TSR__OP_LIKE(clone, copy, clone, TSR__OP_ANY_DEVICE | TSR__OP_TELLS)
tsr_status tsr_clone(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  if (!is_simple(ctx, in, out)) return TSR__CALL(clone, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), );
  return copy_simple(ctx, "clone", in, in->dtype, in, out);
}

/* From one device to another elements stay in the order that they are in. */
static tsr_status copy_to_device(tsr__call *call) {
  const tsr_device *const target = *(const tsr_device *const *)call->attrs;
  call->device = NULL; /* a device is named: the copy is not the context's to compute */
  return copy_to(call, target, target == NULL || target->is_host || on_host(call->in[0]) ? NULL : call->in[0]);
}

tsr_status tsr_to_device(tsr_ctx *ctx, const tsr_tensor *in, const tsr_device *device, tsr_tensor *out) {
  static const tsr__op_info info = {.name = "to_device",
                                    .run = copy_to_device,
                                    .operands = tsr__copy_operands,
                                    .flags = TSR__OP_ANY_DEVICE,
                                    .inputs = 1,
                                    .outputs = 1};
  const tsr_device *const target = device != tsr_device_cpu() ? device : NULL;
  const bool within = target != NULL && in != NULL && tsr_device_of(in) == target;
  if (within && tsr__device_runs(target)) return tsr_clone(ctx, in, out);
  return tsr__call_op(ctx, &info, &target, TSR__INPUTS(in), TSR__OUTPUTS(out));
}
