/* tsr_fill: every element of a given or described tensor, on any device. */
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/copy/ops.h"

static tsr_status fill_device(const tsr__call *call, const void *element) {
  const tsr_device *const device = call->home;
  const tsr_tensor *const out = call->out[0];
  tsr_status st =
      device->fill(device->self, tsr__first_byte(out), element, tsr_dtype_size(out->dtype), (size_t)tsr_size(out));
  if (st == TSR_OK) st = device->sync(device->self);
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(call->ctx, st, call->op, "out", "%t: %s failed to fill it", out, device->name);
}

tsr_status tsr__call_fill(tsr__call *call, const void *element) {
  const tsr_tensor *const out = call->out[0];
  const bool by_table = call->home != NULL && tsr_size(out) > 0;
  if (by_table && call->device == NULL && !tsr_is_contiguous(out, TSR_MEMORY))
    return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, "out", "%t on %s is not contiguous", out, call->home->name);
  const tsr_status st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  if (by_table) return fill_device(call, element);
  tsr__fill_host(call->ctx, out, element);
  return TSR_OK;
}

static tsr_status check_not_empty(tsr_ctx *ctx, const char *op, const tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (tsr_is_none(out)) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "is empty: it has no shape to fill");
  return TSR_OK;
}

static tsr_status fill_with(tsr__call *call, const void *element) {
  const tsr_tensor *const out = call->out[0];
  const tsr__result result = {out->dtype, out->layout, out->ndim, out->shape, NULL};
  const tsr_status st = tsr__call_result(call, &result);
  return st == TSR_OK ? tsr__call_fill(call, element) : st;
}

/* The usual tensor to fill, on the host: nothing else is to be asked. */
static inline bool is_usual(const tsr_ctx *ctx, const tsr_tensor *out) {
  return TSR__FAST_PATHS && tsr__is_plain_context(ctx) && tsr__writable_packed(out);
}

static tsr_status fill_usual(const tsr_ctx *ctx, tsr_status st, const void *element, const tsr_tensor *out) {
  if (st == TSR_OK) tsr__fill_host(ctx, out, element);
  return st;
}

static tsr_status fill(tsr__call *call) {
  const tsr__fill_attrs *const attrs = call->attrs;
  unsigned char element[16];
  tsr_status st = check_not_empty(call->ctx, call->op, call->out[0]);
  if (st == TSR_OK)
    st = tsr__scalar_from_real(call->ctx, call->op, "value", call->out[0]->dtype, attrs->value, element);
  return st == TSR_OK ? fill_with(call, element) : st;
}

TSR__OP(fill, fill, TSR__OP_ANY_DEVICE)
tsr_status tsr_fill(tsr_ctx *ctx, tsr_real value, tsr_tensor *out) {
  unsigned char element[16];
  if (!is_usual(ctx, out)) return TSR__CALL(fill, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .value = value);
  return fill_usual(ctx, tsr__scalar_from_real(ctx, "fill", "value", out->dtype, value, element), element, out);
}

static tsr_status fill_i64(tsr__call *call) {
  const tsr__fill_i64_attrs *const attrs = call->attrs;
  unsigned char element[16];
  tsr_status st = check_not_empty(call->ctx, call->op, call->out[0]);
  if (st == TSR_OK) st = tsr__scalar_from_i64(call->ctx, call->op, "value", call->out[0]->dtype, attrs->value, element);
  return st == TSR_OK ? fill_with(call, element) : st;
}

TSR__OP(fill_i64, fill_i64, TSR__OP_ANY_DEVICE)
tsr_status tsr_fill_i64(tsr_ctx *ctx, int64_t value, tsr_tensor *out) {
  unsigned char element[16];
  if (!is_usual(ctx, out)) return TSR__CALL(fill_i64, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .value = value);
  return fill_usual(ctx, tsr__scalar_from_i64(ctx, "fill_i64", "value", out->dtype, value, element), element, out);
}

static tsr_status fill_complex(tsr__call *call) {
  const tsr__fill_complex_attrs *const attrs = call->attrs;
  unsigned char element[16];
  tsr_status st = check_not_empty(call->ctx, call->op, call->out[0]);
  if (st == TSR_OK)
    st = tsr__scalar_from_complex(call->ctx, call->op, "value", call->out[0]->dtype, attrs->value, element);
  return st == TSR_OK ? fill_with(call, element) : st;
}

TSR__OP(fill_complex, fill_complex, TSR__OP_ANY_DEVICE)
tsr_status tsr_fill_complex(tsr_ctx *ctx, tsr_complex value, tsr_tensor *out) {
  return TSR__CALL(fill_complex, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .value = value);
}
