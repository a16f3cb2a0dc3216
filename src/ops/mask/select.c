/* tsr_masked_select and tsr_masked_scatter: elements between their places under a mask and one after another. */
#include "core/operand.h"
#include "cpu/move.h"
#include "ops/copy/copy.h"
#include "ops/mask/bits.h"

#include <string.h>
#include <tessera/mask.h>

/* The masked elements and the row of them. */
typedef struct moving {
  tsr_tensor masked; /* of the mask's shape */
  char      *row;
  ptrdiff_t  row_step;
  size_t     item;
} moving;

/* ---- select: the masked elements are contiguous ---- */

#define SELECT_EACH(bytes)                                                                                     \
  for (uint64_t word = bits->words[w]; word != 0; word &= word - 1, at += m->row_step)                         \
    memcpy(at, from + (ptrdiff_t)bytes * (ptrdiff_t)tsr__lowest(word), bytes)

#define SELECT(bytes)                                                                                          \
  static void select_##bytes(const void *arg, const tsr__bits *bits, tsr_index chunk) {                        \
    const moving *const m = arg;                                                                               \
    const tsr_index     end = tsr__bits_end(bits, chunk);                                                      \
    char               *at = m->row + (ptrdiff_t)bits->before[chunk] * m->row_step;                            \
    for (tsr_index w = chunk * (TSR__BITS_CHUNK / 64); w < end; w++) {                                         \
      const char *const from = (const char *)m->masked.data + (ptrdiff_t)w * 64 * bytes;                       \
      if (bits->words[w] == UINT64_MAX) {                                                                      \
        tsr__move_row(bytes, 64, from, bytes, at, m->row_step);                                                \
        at += 64 * m->row_step;                                                                                \
      } else {                                                                                                 \
        SELECT_EACH(bytes);                                                                                    \
      }                                                                                                        \
    }                                                                                                          \
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

static bool overlaps(const tsr_tensor *a, const tsr_tensor *out) {
  return out->data != NULL && tsr_size(a) > 0 && tsr_size(out) > 0 && tsr__overlap(a, out);
}

/* t contiguous and apart from out: itself or a copy. */
static tsr_status make_apart(tsr_ctx *ctx, const char *op, const tsr_tensor *t, const tsr_tensor *out,
                             tsr__scratch *scratch, tsr_tensor *copy) {
  *copy = *t;
  if (tsr_size(t) == 0 || (tsr_is_contiguous(t, TSR_ROW_MAJOR) && !overlaps(t, out))) return TSR_OK;
  return tsr__copy_to_scratch(ctx, op, t, scratch, copy);
}

tsr_status tsr_masked_select(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask, tsr_tensor *out) {
  TSR__OPERANDS(in, mask, out);
  static const char op[] = "masked_select";
  tsr__scratch      scratch = {0};
  tsr__bits         bits;
  tsr_tensor        view;
  moving            m;
  tsr_status        st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__mask_check(ctx, op, in, mask, &view);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  st = tsr__bits_of(ctx, op, &view, &bits);
  const tsr__result result = {in->dtype, TSR_PLAIN, 1, &bits.count, NULL};
  if (st == TSR_OK) st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK) st = make_apart(ctx, op, in, out, &scratch, &m.masked);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK && bits.count > 0) {
    m.item = tsr_dtype_size(out->dtype);
    m.row = out->data;
    m.row_step = (ptrdiff_t)out->stride[0] * (ptrdiff_t)m.item;
    tsr__bits_run(ctx, &bits, select_of(m.item), &m);
  }
  tsr__scratch_put(&scratch);
  tsr__scratch_put(&bits.scratch);
  return st;
}

/* ---- scatter: the row is contiguous ---- */

static char *place_of(const moving *m, const tsr__bit_place *place, tsr_index i) {
  const tsr_tensor *const t = &m->masked;
  tsr_index               offset = t->ndim > 0 ? (i - place->first) * t->stride[t->ndim - 1] : 0;
  for (int k = 0; k < t->ndim - 1; k++) offset += place->index[k] * t->stride[k];
  return (char *)t->data + (ptrdiff_t)offset * (ptrdiff_t)m->item;
}

static void scatter_chunk(const void *arg, const tsr__bits *bits, tsr_index chunk) {
  const moving *const m = arg;
  const tsr_index     end = tsr__bits_end(bits, chunk);
  const char         *from = m->row + (ptrdiff_t)bits->before[chunk] * m->row_step;
  tsr__bit_place          place = {0};
  for (tsr_index w = chunk * (TSR__BITS_CHUNK / 64); w < end; w++)
    for (uint64_t word = bits->words[w]; word != 0; word &= word - 1, from += m->row_step) {
      const tsr_index i = w * 64 + tsr__lowest(word);
      if (i >= place.end) tsr__place_go(&place, m->masked.ndim, m->masked.shape, i);
      memcpy(place_of(m, &place, i), from, m->item);
    }
}

static tsr_status check_scatter(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *mask,
                                const tsr_tensor *src, tsr_tensor *view) {
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__mask_check(ctx, op, in, mask, view);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "src", src);
  if (st == TSR_OK && src->dtype != in->dtype)
    st = TSR__FAIL(ctx, TSR_EDTYPE, op, "src", "is %t and in is %t: the dtypes differ", src, in);
  return st;
}

static tsr_status check_enough(tsr_ctx *ctx, const char *op, const tsr_tensor *mask, const tsr_tensor *src,
                               tsr_index count) {
  if (tsr_size(src) >= count) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "src", "is %t: fewer than the %l places that mask %t has", src, (int64_t)count,
                   mask);
}

tsr_status tsr_masked_scatter(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *mask, const tsr_tensor *src,
                              tsr_tensor *out) {
  TSR__OPERANDS(in, mask, src, out);
  static const char op[] = "masked_scatter";
  tsr__scratch      scratch = {0};
  tsr__bits         bits;
  tsr_tensor        view, row;
  tsr_status        st = check_scatter(ctx, op, in, mask, src, &view);
  if (st != TSR_OK) return st;
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  st = tsr__output_check(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  st = tsr__bits_of(ctx, op, &view, &bits);
  if (st == TSR_OK) st = check_enough(ctx, op, mask, src, bits.count);
  if (st == TSR_OK) st = make_apart(ctx, op, src, out, &scratch, &row);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK && tsr_size(in) > 0 && !tsr__same_view(in, out)) st = tsr__copy_host(ctx, op, in, out);
  if (st == TSR_OK) {
    const size_t item = tsr_dtype_size(out->dtype);
    const moving m = {*out, row.data, (ptrdiff_t)item, item};
    tsr__bits_run(ctx, &bits, scatter_chunk, &m);
  }
  tsr__scratch_put(&scratch);
  tsr__scratch_put(&bits.scratch);
  return st;
}
