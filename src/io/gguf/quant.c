/* Quantised blocks to numbers. */
#include "io/gguf/gguf.h"

#if TSR_HAVE_STDIO

#include "core/dtypes.h"
#include "cpu/parallel.h"

#include <tessera/ops.h>
#include <tessera/view.h>

enum { BLOCK = 32, ROUND = 32 /* blocks of one step: 4 KB of numbers */, GRAIN = 4096 /* blocks of one thread */ };

static const char op[] = "gguf_dequantize";

/* ---- blocks ---- */

static void unpack_q8_0(const uint8_t *at, float *to) {
  const float d = f16_load((f16_mem)tsr__le16(at));
  for (int i = 0; i < BLOCK; i++) to[i] = d * (float)(int8_t)at[2 + i];
}

/* The low halves of the bytes come first. */
static void unpack_q4_0(const uint8_t *at, float *to) {
  const float d = f16_load((f16_mem)tsr__le16(at));
  for (int i = 0; i < BLOCK / 2; i++) {
    to[i] = d * (float)((int)(at[2 + i] & 15) - 8);
    to[i + BLOCK / 2] = d * (float)((int)(at[2 + i] >> 4) - 8);
  }
}

/* count blocks to count·32 numbers. */
static void unpack_blocks(uint32_t type, const uint8_t *blocks, size_t count, float *to) {
  const size_t bytes = tsr__gguf_type_of(type)->bytes;
  for (size_t i = 0; i < count; i++) {
    if (type == TSR_GGUF_Q8_0)
      unpack_q8_0(blocks + i * bytes, to + i * BLOCK);
    else
      unpack_q4_0(blocks + i * bytes, to + i * BLOCK);
  }
}

/* ---- contiguous tensors, to f32 ---- */

typedef struct flat {
  const uint8_t *blocks;
  float *to;
  uint32_t type;
  size_t bytes;
} flat;

static void unpack_range(void *arg, tsr_index begin, tsr_index end, int worker) {
  const flat *f = arg;
  (void)worker;
  unpack_blocks(f->type, f->blocks + (size_t)begin * f->bytes, (size_t)(end - begin), f->to + begin * BLOCK);
}

/* ---- rows that lie anywhere, to any dtype ---- */

/* n blocks to the elements from `to` on, step apart. */
static tsr_status unpack_some(tsr_ctx *ctx, uint32_t type, const uint8_t *blocks, tsr_index n, int dtype, char *to,
                              tsr_index step) {
  _Alignas(64) float numbers[ROUND * BLOCK];
  const tsr_index count = n * BLOCK;
  tsr_tensor from = {0}, part = {0};
  unpack_blocks(type, blocks, (size_t)n, numbers);
  tsr_status st = tsr_from_memory(ctx, numbers, TSR_F32, 1, &count, &from);
  if (st == TSR_OK) st = tsr_from_memory(ctx, to, dtype, 1, &count, &part);
  part.stride[0] = step;
  return st == TSR_OK ? tsr_cast(ctx, &from, dtype, &part) : st;
}

static tsr_status unpack_row(tsr_ctx *ctx, uint32_t type, const uint8_t *blocks, tsr_index count, char *to,
                             const tsr_tensor *out) {
  const ptrdiff_t item = tsr__item(out), bytes = tsr__gguf_type_of(type)->bytes;
  const tsr_index step = out->stride[out->ndim - 1];
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; st == TSR_OK && i < count; i += ROUND) {
    const tsr_index n = count - i < ROUND ? count - i : ROUND;
    st = unpack_some(ctx, type, blocks + i * bytes, n, out->dtype, to + i * BLOCK * step * item, step);
  }
  return st;
}

/* Row after row: the leading axes are counted like digits. */
static tsr_status unpack_rows(tsr_ctx *ctx, const tsr_tensor *blocks, uint32_t type, const tsr_tensor *out) {
  const int last = out->ndim - 1;
  const tsr_index count = out->shape[last] / BLOCK, rows = tsr_size(out) / out->shape[last];
  tsr_index index[TSR_MAX_DIMS] = {0};
  tsr_status st = TSR_OK;
  for (tsr_index r = 0; st == TSR_OK && r < rows; r++) {
    ptrdiff_t from = 0, to = 0;
    for (int i = 0; i < last; i++) {
      from += (ptrdiff_t)(index[i] * blocks->stride[i]);
      to += (ptrdiff_t)(index[i] * out->stride[i]) * tsr__item(out);
    }
    st = unpack_row(ctx, type, (const uint8_t *)blocks->data + from, count, (char *)out->data + to, out);
    for (int i = last - 1; i >= 0 && ++index[i] == out->shape[i]; i--) index[i] = 0;
  }
  return st;
}

/* ---- public ---- */

static tsr_status check_blocks(tsr_ctx *ctx, const tsr_tensor *blocks, int type, const tsr_tensor *out,
                               tsr_index *shape) {
  const tsr_status st = tsr__check_input(ctx, op, "blocks", blocks);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const char *name = tsr_gguf_type_name(type);
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "type", "%d is none", type);
  if (!tsr__gguf_decodes((uint32_t)type))
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "type", "%s is not decoded", name);
  if (blocks->dtype != TSR_U8) return TSR__FAIL(ctx, TSR_EDTYPE, op, "blocks", "%t: blocks are u8", blocks);
  const int last = blocks->ndim - 1, bytes = tsr__gguf_type_of((uint32_t)type)->bytes;
  if (last < 0 || blocks->shape[last] % bytes != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "blocks", "%t: the last axis holds no whole blocks of %d bytes", blocks,
                     bytes);
  if (blocks->shape[last] > 1 && blocks->stride[last] != 1)
    return TSR__FAIL(ctx, TSR_ESTRIDE, op, "blocks", "%t: the bytes of a block lie apart", blocks);
  for (int i = 0; i < last; i++) shape[i] = blocks->shape[i];
  if (!tsr__mul_index(blocks->shape[last] / bytes, BLOCK, &shape[last]))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "blocks", "%t has more elements than can be counted", blocks);
  if (!tsr_is_none(out) && tsr_dtype_describe(out->dtype) != NULL &&
      tsr_dtype_describe(out->dtype)->class_ != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "out", "%t: quantised numbers are floats", out);
  return TSR_OK;
}

static tsr_status unpack_all(tsr_ctx *ctx, const tsr_tensor *blocks, uint32_t type, const tsr_tensor *out) {
  if (tsr_size(out) == 0) return TSR_OK;
  if (out->dtype != TSR_F32 || !tsr_is_contiguous(out, TSR_ROW_MAJOR) || !tsr_is_contiguous(blocks, TSR_ROW_MAJOR))
    return unpack_rows(ctx, blocks, type, out);
  flat f = {.blocks = blocks->data, .to = out->data, .type = type, .bytes = tsr__gguf_type_of(type)->bytes};
  tsr__parallel_for(ctx, tsr_size(out) / BLOCK, GRAIN, unpack_range, &f);
  return TSR_OK;
}

tsr_status tsr_gguf_dequantize(tsr_ctx *ctx, const tsr_tensor *blocks, int type, tsr_tensor *out) {
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor own = {0};
  tsr_status st = check_blocks(ctx, blocks, type, out, shape);
  if (st != TSR_OK) return st;
  const tsr__result result = {.dtype = tsr_is_none(out) ? TSR_F32 : out->dtype,
                              .layout = tsr_is_none(out) ? TSR_PLAIN : out->layout,
                              .ndim = blocks->ndim,
                              .shape = shape};
  st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK && out->data != NULL && tsr__overlap(blocks, out)) { /* as if they had been copied first */
    st = tsr_clone(ctx, blocks, &own);
    blocks = &own;
  }
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK) st = unpack_all(ctx, blocks, (uint32_t)type, out);
  tsr_release(&own);
  return st;
}

#endif
