/* tsr_nonzero_within, tsr_masked_select_within: outputs of a given length, so that no size depends on data. */
#include "ops/copy/copy.h"
#include "ops/mask/bits.h"
#include "ops/mask/ops.h"
#include "ops/sort/lines.h"

#include <string.h>

#define INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)

/* The first most of the set bits stay. */
static void trim(tsr__bits *bits, tsr_index most) {
  if (bits->count <= most) return;
  for (tsr_index chunk = 0; chunk < bits->chunks; chunk++) {
    tsr_index left = bits->before[chunk] < most ? most - bits->before[chunk] : 0;
    for (tsr_index w = chunk * (TSR__BITS_CHUNK / 64); w < tsr__bits_end(bits, chunk); w++) {
      uint64_t word = bits->words[w], kept = 0;
      for (; word != 0 && left > 0; word &= word - 1, left--) kept |= word & (~word + 1);
      bits->words[w] = kept;
    }
  }
  bits->count = most;
}

static tsr_status check_capacity(const tsr__call *call, tsr_index capacity) {
  if (capacity >= 0) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_EARG, call->op, "capacity", "is %l", (int64_t)capacity);
}

/* Both outputs. */
static tsr_status make_outputs(tsr__call *call, const tsr__result *out) {
  static const tsr__result count = {INDEX_DTYPE, TSR_PLAIN, 0, NULL, NULL};
  tsr_status st = tsr__call_output(call, 0, out);
  if (st == TSR_OK) st = tsr__call_output(call, 1, &count);
  if (st == TSR_OK) st = tsr__check_outputs_no_alias(call);
  return st == TSR_OK ? tsr__call_outputs(call) : st;
}

static void store_count(const tsr__call *call, tsr_index count) {
  if (call->out[1] != NULL) *(tsr_index *)call->out[1]->data = count;
}

static tsr_status nonzero_within(tsr__call *call) {
  const tsr__nonzero_within_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  const tsr_index shape[2] = {attrs->capacity, x->ndim};
  const tsr__result result = {INDEX_DTYPE, TSR_PLAIN, 2, shape, NULL};
  tsr__bits bits;
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %y, which this build does not compute with",
                     (int)x->dtype);
  tsr_status st = check_capacity(call, attrs->capacity);
  if (st == TSR_OK) st = make_outputs(call, &result);
  if (st == TSR_OK) st = tsr__bits_new(call, x, &bits);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const tsr_tensor *const out = call->out[0];
  tsr__bits_read(call->ctx, x, &bits);
  const tsr_index found = bits.count;
  trim(&bits, attrs->capacity);
  if (bits.count > 0) tsr__bits_to_places(call->ctx, &bits, x, out);
  for (tsr_index i = bits.count; i < attrs->capacity; i++)
    for (tsr_index k = 0; k < x->ndim; k++) ((tsr_index *)out->data)[i * out->stride[0] + k * out->stride[1]] = -1;
  store_count(call, found);
  return TSR_OK;
}

TSR__OP(nonzero_within, nonzero_within, 0)
tsr_status tsr_nonzero_within(tsr_ctx *ctx, const tsr_tensor *x, tsr_index capacity, tsr_tensor *out,
                              tsr_tensor *count) {
  return TSR__CALL(nonzero_within, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out, count), .capacity = capacity);
}

static tsr_status masked_select_within(tsr__call *call) {
  const tsr__masked_select_within_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const size_t item = tsr_dtype_size(in->dtype);
  const tsr__result result = {in->dtype, TSR_PLAIN, 1, &attrs->capacity, NULL};
  tsr__bits bits;
  tsr_tensor view, masked;
  tsr_status st = tsr__mask_check(call, &view);
  if (st == TSR_OK) st = check_capacity(call, attrs->capacity);
  if (st == TSR_OK) st = make_outputs(call, &result);
  if (st == TSR_OK) st = tsr__bits_new(call, &view, &bits);
  if (st == TSR_OK) st = tsr__call_contiguous(call, in, &masked);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const tsr_tensor *const out = call->out[0];
  tsr__bits_read(call->ctx, &view, &bits);
  const tsr_index found = bits.count;
  trim(&bits, attrs->capacity);
  if (tsr_size(in) > 0) tsr__fill_unaliased(call->ctx, in, &masked);
  if (bits.count > 0) tsr__bits_to_elements(call->ctx, &bits, &masked, out);
  for (tsr_index i = bits.count; i < attrs->capacity; i++)
    memset((char *)out->data + (ptrdiff_t)(i * out->stride[0]) * (ptrdiff_t)item, 0, item);
  store_count(call, found);
  return TSR_OK;
}

TSR__OP(masked_select_within, masked_select_within, 0)
tsr_status tsr_masked_select_within(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask, tsr_index capacity,
                                    tsr_tensor *out, tsr_tensor *count) {
  return TSR__CALL(masked_select_within, ctx, TSR__INPUTS(in, mask), TSR__OUTPUTS(out, count), .capacity = capacity);
}
