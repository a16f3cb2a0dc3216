/* Tensors that are all one value, or none yet. */
#include "core/device.h"
#include "core/tensor.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/create/ops.h"

static const unsigned char zero_pattern[16];

/* ---- in a frame ---- */

/* The output, with the bytes at pattern in every element. */
static tsr_status create_filled(tsr__call *call, const tsr__result *result, const void *pattern) {
  const tsr_status st = tsr__call_result(call, result);
  return st == TSR_OK ? tsr__call_fill(call, pattern) : st;
}

/* Memory alone, for which no device has to compute. */
static tsr_status create_empty(tsr__call *call, const tsr__result *result) {
  if (!tsr__is_dry(call->device)) call->device = NULL;
  const tsr_status st = tsr__call_result(call, result);
  return st == TSR_OK ? tsr__call_start(call) : st;
}

static tsr_status create_ones(tsr__call *call, const tsr__result *result) {
  unsigned char one[16];
  const tsr_status st = tsr__scalar_from_i64(call->ctx, call->op, "value", result->dtype, 1, one);
  return st == TSR_OK ? create_filled(call, result, one) : st;
}

static tsr_status create_full(tsr__call *call, const tsr__result *result, tsr_real value) {
  unsigned char element[16];
  const tsr_status st = tsr__scalar_from_real(call->ctx, call->op, "value", result->dtype, value, element);
  return st == TSR_OK ? create_filled(call, result, element) : st;
}

/* What a function that is given a shape will write; the layout is the output's own. */
static tsr__result result_of(int dtype, int ndim, const tsr_index *shape) {
  return (tsr__result){dtype, TSR_PLAIN, ndim, shape, NULL};
}

static tsr__result result_shaped(const tsr__call *call) {
  const tsr__empty_attrs *const attrs = call->attrs;
  return result_of(attrs->dtype, attrs->shape_count, attrs->shape);
}

/* What a function that is given a tensor to resemble will write. */
static tsr__result result_like(const tsr_tensor *like) {
  return (tsr__result){like->dtype, like->layout, like->ndim, like->shape, like};
}

/* ---- without one: small tensors are made often, and of the host alone ---- */

static inline bool is_simple(const tsr_ctx *ctx, const tsr_tensor *out) {
  return TSR__FAST_PATHS && tsr__is_plain_context(ctx) && out != NULL &&
         (out->storage == NULL || tsr_device_of(out)->is_host);
}

/* An output that is empty is nearly every one. */
static inline bool is_fresh(const tsr_ctx *ctx, const tsr_tensor *out) {
  return TSR__FAST_PATHS && tsr__is_plain_context(ctx) && out != NULL && out->dtype == TSR_NONE && out->data == NULL;
}

static inline bool is_simple_like(const tsr_ctx *ctx, const tsr_tensor *like, const tsr_tensor *out) {
  return is_simple(ctx, out) && tsr__is_given_packed(like) && tsr_device_of(like)->is_host;
}

/* The output, with the bytes at pattern (NULL: as they are) in every element. */
static tsr_status create_simple(tsr_ctx *ctx, const char *op, const tsr__result *result, const void *pattern,
                                tsr_tensor *out) {
  const tsr_status st = tsr__output(ctx, op, result, out);
  if (st == TSR_OK && pattern != NULL) tsr__fill_host(ctx, out, pattern);
  return st;
}

/* ---- of a shape ---- */

/* Apart, so that the fast path has nothing to save for it. */
static TSR__COLD tsr_status call_shaped(tsr_ctx *ctx, const tsr__op_info *info, const tsr__result *result,
                                        tsr_tensor *out) {
  const tsr__empty_attrs attrs = {.dtype = result->dtype, .shape = result->shape, .shape_count = result->ndim};
  return tsr__call_op(ctx, info, &attrs, TSR__NO_INPUT, TSR__OUTPUTS(out));
}

static tsr_status empty(tsr__call *call) {
  const tsr__result result = result_shaped(call);
  return create_empty(call, &result);
}

TSR__OP(empty, empty, TSR__OP_ANY_DEVICE)
tsr_status tsr_empty(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  const tsr__result result = result_of(dtype, ndim, shape);
  if (is_fresh(ctx, out)) return tsr__output_fresh(ctx, "empty", &result, out);
  return is_simple(ctx, out) ? create_simple(ctx, "empty", &result, NULL, out)
                             : call_shaped(ctx, &tsr__op_empty, &result, out);
}

static tsr_status zeros(tsr__call *call) {
  const tsr__result result = result_shaped(call);
  return create_filled(call, &result, zero_pattern);
}

TSR__OP_LIKE(zeros, empty, zeros, TSR__OP_ANY_DEVICE)
tsr_status tsr_zeros(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  const tsr__result result = result_of(dtype, ndim, shape);
  if (is_fresh(ctx, out)) {
    const tsr_status st = tsr__output_fresh(ctx, "zeros", &result, out);
    if (st == TSR_OK) tsr__fill_host(ctx, out, zero_pattern);
    return st;
  }
  return is_simple(ctx, out) ? create_simple(ctx, "zeros", &result, zero_pattern, out)
                             : call_shaped(ctx, &tsr__op_zeros, &result, out);
}

static tsr_status zeros_ordered(tsr__call *call) {
  const tsr__zeros_ordered_attrs *const attrs = call->attrs;
  tsr_tensor described;
  const tsr_status st =
      tsr__desc_ordered(call->ctx, call->op, attrs->dtype, attrs->shape_count, attrs->shape, attrs->order, &described);
  if (st != TSR_OK) return st;
  const tsr__result result = result_like(&described);
  return create_filled(call, &result, zero_pattern);
}

TSR__OP(zeros_ordered, zeros_ordered, TSR__OP_ANY_DEVICE)
tsr_status tsr_zeros_ordered(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_order order,
                             tsr_tensor *out) {
  if (out != NULL && !tsr_is_none(out))
    return TSR__FAIL(ctx, TSR_ESTATE, "zeros_ordered", "out", "is %t: it has an order of its own", out);
  return TSR__CALL(zeros_ordered, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .shape = shape,
                   .shape_count = ndim, .order = order);
}

static tsr_status ones(tsr__call *call) {
  const tsr__result result = result_shaped(call);
  return create_ones(call, &result);
}

TSR__OP_LIKE(ones, empty, ones, TSR__OP_ANY_DEVICE)
tsr_status tsr_ones(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  unsigned char one[16];
  const tsr__result result = result_of(dtype, ndim, shape);
  if (!is_simple(ctx, out)) return call_shaped(ctx, &tsr__op_ones, &result, out);
  const tsr_status st = tsr__scalar_from_i64(ctx, "ones", "value", dtype, 1, one);
  return st == TSR_OK ? create_simple(ctx, "ones", &result, one, out) : st;
}

static tsr_status full(tsr__call *call) {
  const tsr__full_attrs *const attrs = call->attrs;
  const tsr__result result = result_of(attrs->dtype, attrs->shape_count, attrs->shape);
  return create_full(call, &result, attrs->value);
}

TSR__OP(full, full, TSR__OP_ANY_DEVICE)
static TSR__COLD tsr_status call_full(tsr_ctx *ctx, const tsr__result *result, tsr_real value, tsr_tensor *out) {
  return TSR__CALL(full, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = result->dtype, .shape = result->shape,
                   .shape_count = result->ndim, .value = value);
}

tsr_status tsr_full(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_real value, tsr_tensor *out) {
  unsigned char element[16];
  const tsr__result result = result_of(dtype, ndim, shape);
  if (!is_simple(ctx, out)) return call_full(ctx, &result, value, out);
  const tsr_status st = tsr__scalar_from_real(ctx, "full", "value", dtype, value, element);
  return st == TSR_OK ? create_simple(ctx, "full", &result, element, out) : st;
}

static tsr_status full_complex(tsr__call *call) {
  const tsr__full_complex_attrs *const attrs = call->attrs;
  const tsr__result result = result_of(attrs->dtype, attrs->shape_count, attrs->shape);
  unsigned char element[16];
  const tsr_status st = tsr__scalar_from_complex(call->ctx, call->op, "value", attrs->dtype, attrs->value, element);
  return st == TSR_OK ? create_filled(call, &result, element) : st;
}

TSR__OP(full_complex, full_complex, TSR__OP_ANY_DEVICE)
tsr_status tsr_full_complex(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_complex value,
                            tsr_tensor *out) {
  return TSR__CALL(full_complex, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .shape = shape,
                   .shape_count = ndim, .value = value);
}

/* ---- as another tensor ---- */

enum { LIKE_FLAGS = TSR__OP_ANY_DEVICE | TSR__OP_DESCRIBED };

static TSR__COLD tsr_status call_like(tsr_ctx *ctx, const tsr__op_info *info, const tsr_tensor *like, tsr_tensor *out) {
  return tsr__call_op(ctx, info, &(tsr__empty_like_attrs){0}, TSR__INPUTS(like), TSR__OUTPUTS(out));
}

static tsr_status empty_like(tsr__call *call) {
  const tsr__result result = result_like(call->in[0]);
  return create_empty(call, &result);
}

TSR__OP(empty_like, empty_like, LIKE_FLAGS)
tsr_status tsr_empty_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out) {
  if (!is_simple_like(ctx, like, out)) return call_like(ctx, &tsr__op_empty_like, like, out);
  const tsr__result result = result_like(like);
  return create_simple(ctx, "empty_like", &result, NULL, out);
}

static tsr_status zeros_like(tsr__call *call) {
  const tsr__result result = result_like(call->in[0]);
  return create_filled(call, &result, zero_pattern);
}

TSR__OP_LIKE(zeros_like, empty_like, zeros_like, LIKE_FLAGS)
tsr_status tsr_zeros_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out) {
  if (!is_simple_like(ctx, like, out)) return call_like(ctx, &tsr__op_zeros_like, like, out);
  const tsr__result result = result_like(like);
  return create_simple(ctx, "zeros_like", &result, zero_pattern, out);
}

static tsr_status ones_like(tsr__call *call) {
  const tsr__result result = result_like(call->in[0]);
  return create_ones(call, &result);
}

TSR__OP_LIKE(ones_like, empty_like, ones_like, LIKE_FLAGS)
tsr_status tsr_ones_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out) {
  unsigned char one[16];
  if (!is_simple_like(ctx, like, out)) return call_like(ctx, &tsr__op_ones_like, like, out);
  const tsr__result result = result_like(like);
  const tsr_status st = tsr__scalar_from_i64(ctx, "ones_like", "value", like->dtype, 1, one);
  return st == TSR_OK ? create_simple(ctx, "ones_like", &result, one, out) : st;
}

static tsr_status full_like(tsr__call *call) {
  const tsr__full_like_attrs *const attrs = call->attrs;
  const tsr__result result = result_like(call->in[0]);
  return create_full(call, &result, attrs->value);
}

TSR__OP(full_like, full_like, LIKE_FLAGS)
static TSR__COLD tsr_status call_full_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_real value, tsr_tensor *out) {
  return TSR__CALL(full_like, ctx, TSR__INPUTS(like), TSR__OUTPUTS(out), .value = value);
}

tsr_status tsr_full_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_real value, tsr_tensor *out) {
  unsigned char element[16];
  if (!is_simple_like(ctx, like, out)) return call_full_like(ctx, like, value, out);
  const tsr__result result = result_like(like);
  const tsr_status st = tsr__scalar_from_real(ctx, "full_like", "value", like->dtype, value, element);
  return st == TSR_OK ? create_simple(ctx, "full_like", &result, element, out) : st;
}
