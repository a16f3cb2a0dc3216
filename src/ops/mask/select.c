/* tsr_masked_select and tsr_masked_scatter: elements between their places under a mask and one after another. */
#include "cpu/move.h"
#include "ops/copy/copy.h"
#include "ops/mask/bits.h"
#include "ops/mask/ops.h"

#include <string.h>

/* The masked elements and the row of them. */
typedef struct moving {
  tsr_tensor masked; /* of the mask's shape */
  char *row;
  ptrdiff_t row_step;
  size_t item;
} moving;

/* ---- select: the masked elements are contiguous ---- */

#define SELECT_EACH(bytes)                                                             \
  for (uint64_t word = bits->words[w]; word != 0; word &= word - 1, at += m->row_step) \
  memcpy(at, from + (ptrdiff_t)bytes * (ptrdiff_t)tsr__lowest(word), bytes)

#define SELECT(bytes)                                                                    \
  static void select_##bytes(const void *arg, const tsr__bits *bits, tsr_index chunk) {  \
    const moving *const m = arg;                                                         \
    const tsr_index end = tsr__bits_end(bits, chunk);                                    \
    char *at = m->row + (ptrdiff_t)bits->before[chunk] * m->row_step;                    \
    for (tsr_index w = chunk * (TSR__BITS_CHUNK / 64); w < end; w++) {                   \
      const char *const from = (const char *)m->masked.data + (ptrdiff_t)w * 64 * bytes; \
      if (bits->words[w] == UINT64_MAX) {                                                \
        tsr__move_row(bytes, 64, from, bytes, at, m->row_step);                          \
        at += 64 * m->row_step;                                                          \
      } else {                                                                           \
        SELECT_EACH(bytes);                                                              \
      }                                                                                  \
    }                                                                                    \
  }
SELECT(1)
SELECT(2)
SELECT(4)
SELECT(8)
SELECT(16)

static tsr__chunk_fn *select_of(size_t item) {
  switch (item) {
    case 1: return select_1;
    case 2: return select_2;
    case 4: return select_4;
    case 8: return select_8;
    default: return select_16;
  }
}

tsr_status tsr__call_contiguous(tsr__call *call, const tsr_tensor *t, tsr_tensor *contiguous) {
  *contiguous = *t;
  if (tsr_size(t) == 0) return TSR_OK;
  return tsr_is_contiguous(t, TSR_ROW_MAJOR) ? tsr__call_unaliased(call, t, contiguous)
                                             : tsr__call_copy_of(call, t, contiguous);
}

void tsr__bits_to_elements(const tsr_ctx *ctx, const tsr__bits *bits, const tsr_tensor *masked, const tsr_tensor *out) {
  const size_t item = tsr_dtype_size(masked->dtype);
  const moving m = {*masked, out->data, (ptrdiff_t)out->stride[0] * (ptrdiff_t)item, item};
  tsr__bits_run(ctx, bits, select_of(item), &m);
}

static tsr_status masked_select(tsr__call *call) {
  const tsr_tensor *const in = call->in[0];
  tsr__bits bits;
  tsr_tensor view, masked;
  tsr_status st = tsr__mask_check(call, &view);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__bits_new(call, &view, &bits);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__bits_read(call->ctx, &view, &bits);
  const tsr__result result = {in->dtype, TSR_PLAIN, 1, &bits.count, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_contiguous(call, in, &masked);
  if (st != TSR_OK || bits.count == 0) return st;
  tsr__fill_unaliased(call->ctx, in, &masked);
  tsr__bits_to_elements(call->ctx, &bits, &masked, call->out[0]);
  return TSR_OK;
}

TSR__OP(masked_select, masked_select, TSR__OP_DATA_SIZED)
tsr_status tsr_masked_select(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask, tsr_tensor *out) {
  return TSR__CALL(masked_select, ctx, TSR__INPUTS(in, mask), TSR__OUTPUTS(out), );
}

/* ---- scatter: the row is contiguous ---- */

static char *place_of(const moving *m, const tsr__bit_place *place, tsr_index i) {
  const tsr_tensor *const t = &m->masked;
  tsr_index offset = t->ndim > 0 ? (i - place->first) * t->stride[t->ndim - 1] : 0;
  for (int k = 0; k < t->ndim - 1; k++) offset += place->index[k] * t->stride[k];
  return (char *)t->data + (ptrdiff_t)offset * (ptrdiff_t)m->item;
}

static void scatter_chunk(const void *arg, const tsr__bits *bits, tsr_index chunk) {
  const moving *const m = arg;
  const tsr_index end = tsr__bits_end(bits, chunk);
  const char *from = m->row + (ptrdiff_t)bits->before[chunk] * m->row_step;
  tsr__bit_place place = {0};
  for (tsr_index w = chunk * (TSR__BITS_CHUNK / 64); w < end; w++)
    for (uint64_t word = bits->words[w]; word != 0; word &= word - 1, from += m->row_step) {
      const tsr_index i = w * 64 + tsr__lowest(word);
      if (i >= place.end) tsr__bit_place_seek(&place, m->masked.ndim, m->masked.shape, i);
      memcpy(place_of(m, &place, i), from, m->item);
    }
}

static tsr_status check_enough(const tsr__call *call, tsr_index count) {
  const tsr_tensor *const mask = call->in[1], *const src = call->in[2];
  if (tsr_size(src) >= count) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "src", "is %t: fewer than the %l places that mask %t has", src,
                   (int64_t)count, mask);
}

/* The bits of the mask, the elements of src one after another, and those of in: all memory beside the output. */
static tsr_status plan_masked_scatter(tsr__call *call, const tsr_tensor *view, tsr__bits *bits, tsr_tensor *row,
                                      tsr_tensor *base) {
  tsr_status st = tsr__bits_new(call, view, bits);
  if (st == TSR_OK) st = tsr__call_contiguous(call, call->in[2], row);
  if (st == TSR_OK) st = tsr__call_copy_under(call, call->in[0], base);
  return st == TSR_OK ? tsr__call_start(call) : st;
}

static tsr_status masked_scatter(tsr__call *call) {
  const tsr_tensor *const in = call->in[0], *const src = call->in[2];
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  const size_t item = tsr_dtype_size(in->dtype);
  tsr__bits bits;
  tsr_tensor view, row, base;
  tsr_status st = tsr__mask_check(call, &view);
  if (st != TSR_OK) return st;
  if (src->dtype != in->dtype)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "src", "is %t and in is %t: the dtypes differ", src, in);
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = plan_masked_scatter(call, &view, &bits, &row, &base);
  if (st != TSR_OK) return st;
  tsr__bits_read(call->ctx, &view, &bits);
  st = check_enough(call, bits.count);
  if (st != TSR_OK) return st;
  tsr__fill_unaliased(call->ctx, src, &row);
  tsr__copy_under(call->ctx, in, &base, call->out[0]);
  const moving m = {*call->out[0], row.data, (ptrdiff_t)item, item};
  tsr__bits_run(call->ctx, &bits, scatter_chunk, &m);
  return TSR_OK;
}

TSR__OP(masked_scatter, masked_scatter, 0)
tsr_status tsr_masked_scatter(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask, const tsr_tensor *src,
                              tsr_tensor *out) {
  return TSR__CALL(masked_scatter, ctx, TSR__INPUTS(in, mask, src), TSR__OUTPUTS(out), );
}
