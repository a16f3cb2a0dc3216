/* tsr_nonzero: the bits' numbers as indices. */
#include "ops/mask/bits.h"
#include "ops/mask/ops.h"

#define INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)

typedef struct places {
  const tsr_tensor *x;
  tsr_index *data;
  tsr_index stride, along; /* between rows, and between the columns of one */
} places;

/* Of a vector: the numbers themselves. */
static void fill_vector(const void *arg, const tsr__bits *bits, tsr_index chunk) {
  const places *const p = arg;
  const tsr_index end = tsr__bits_end(bits, chunk), step = p->stride;
  tsr_index *at = p->data + bits->before[chunk] * step;
  for (tsr_index w = chunk * (TSR__BITS_CHUNK / 64); w < end; w++)
    for (uint64_t word = bits->words[w]; word != 0; word &= word - 1, at += step) *at = w * 64 + tsr__lowest(word);
}

static void fill_indices(const void *arg, const tsr__bits *bits, tsr_index chunk) {
  const places *const p = arg;
  const int last = p->x->ndim - 1;
  const tsr_index end = tsr__bits_end(bits, chunk);
  tsr_index *at = p->data + bits->before[chunk] * p->stride;
  tsr__bit_place place = {0};
  for (tsr_index w = chunk * (TSR__BITS_CHUNK / 64); w < end; w++)
    for (uint64_t word = bits->words[w]; word != 0; word &= word - 1, at += p->stride) {
      const tsr_index i = w * 64 + tsr__lowest(word);
      if (i >= place.end) tsr__bit_place_seek(&place, p->x->ndim, p->x->shape, i);
      for (int k = 0; k < last; k++) at[k * p->along] = place.index[k];
      if (last >= 0) at[last * p->along] = i - place.first;
    }
}

void tsr__bits_to_places(const tsr_ctx *ctx, const tsr__bits *bits, const tsr_tensor *x, const tsr_tensor *out) {
  const places p = {x, out->data, out->stride[0], out->stride[1]};
  if (x->ndim > 0) tsr__bits_run(ctx, bits, x->ndim == 1 ? fill_vector : fill_indices, &p);
}

static tsr_status nonzero(tsr__call *call) {
  const tsr_tensor *const x = call->in[0];
  tsr__bits bits;
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %y, which this build does not compute with",
                     (int)x->dtype);
  tsr_status st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__bits_new(call, x, &bits);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__bits_read(call->ctx, x, &bits);
  const tsr_index shape[2] = {bits.count, x->ndim};
  const tsr__result result = {INDEX_DTYPE, TSR_PLAIN, 2, shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK && bits.count > 0) tsr__bits_to_places(call->ctx, &bits, x, call->out[0]);
  return st;
}

TSR__OP(nonzero, nonzero, TSR__OP_DATA_SIZED)
tsr_status tsr_nonzero(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return TSR__CALL(nonzero, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), );
}
