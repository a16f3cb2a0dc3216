/* Rows of quantised numbers, through blocks of i32; compiled once per instruction set. */
#include "nn/quant/element/rows.h"

enum { BLOCK = TSR_HAVE_MALLOC ? 256 : 32 };

static int block_of(tsr_index n, ptrdiff_t first) { return n - first < BLOCK ? (int)(n - first) : BLOCK; }

/* Operand k of a block that begins at number first, and its step. */
#define AT(k) at[k] + first *step[k], step[k]

/* n numbers as i32. Contiguous ones in a loop of their own, which becomes vectors. */
#define LOAD(type)                                                           \
  if (step == (ptrdiff_t)sizeof(type))                                       \
    for (int i = 0; i < n; i++) to[i] = ((const type *)(const void *)at)[i]; \
  else                                                                       \
    for (int i = 0; i < n; i++) to[i] = *(const type *)(const void *)(at + i * step);

__attribute__((noinline)) static void load(int dtype, int n, const char *at, ptrdiff_t step, int32_t *to) {
  if (dtype == TSR_I8) {
    LOAD(int8_t)
  } else if (dtype == TSR_U8) {
    LOAD(uint8_t)
  } else if (dtype == TSR_I16) {
    LOAD(int16_t)
  } else {
    LOAD(int32_t)
  }
}

#define STORE(type)                                                      \
  if (step == (ptrdiff_t)sizeof(type))                                   \
    for (int i = 0; i < n; i++) ((type *)(void *)at)[i] = (type)from[i]; \
  else                                                                   \
    for (int i = 0; i < n; i++) *(type *)(void *)(at + i * step) = (type)from[i];

__attribute__((noinline)) static void store(int dtype, int n, const int32_t *from, char *at, ptrdiff_t step) {
  if (dtype == TSR_I8) {
    STORE(int8_t)
  } else if (dtype == TSR_U8) {
    STORE(uint8_t)
  } else if (dtype == TSR_I16) {
    STORE(int16_t)
  } else {
    STORE(int32_t)
  }
}

/* zero + the nearest integer to x / scale, halves to even: bounds are whole numbers of at most 17 bits, so that
 * clamping first changes nothing, and adding 1.5 · 2^23 rounds. */
static inline int32_t quantize_one(float x, float scale, float low, float high, int32_t zero) {
  const float magic = 0x1.8p23f;
  float v = x / scale;
  v = v == v ? v : 0;
  v = v < low ? low : v;
  v = v > high ? high : v;
  const float sum = v + magic;
  return (int32_t)(sum - magic) + zero;
}

static void quantize_block(const tsr__quant_row *r, int n, const char *x, ptrdiff_t step, const char *channel,
                           ptrdiff_t next, int32_t *to) {
  const int32_t least = tsr__quant_low(r->out_dtype), most = tsr__quant_high(r->out_dtype);
  const tsr__quant_channel one = *(const tsr__quant_channel *)(const void *)channel;
  if (next == 0 && step == (ptrdiff_t)sizeof(float)) {
    const float low = (float)(least - one.zero), high = (float)(most - one.zero);
    for (int i = 0; i < n; i++)
      to[i] = quantize_one(((const float *)(const void *)x)[i], one.scale, low, high, one.zero);
    return;
  }
  for (int i = 0; i < n; i++) {
    const tsr__quant_channel *const c = (const tsr__quant_channel *)(const void *)(channel + i * next);
    to[i] = quantize_one(*(const float *)(const void *)(x + i * step), c->scale, (float)(least - c->zero),
                         (float)(most - c->zero), c->zero);
  }
}

void TSR__ISA_NAME(tsr__quantize_row)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const tsr__quant_row *const r = args->param;
  int32_t block[BLOCK];
  for (ptrdiff_t first = 0; first < n; first += BLOCK) {
    const int here = block_of(n, first);
    quantize_block(r, here, AT(1), AT(2), block);
    store(r->out_dtype, here, block, AT(0));
  }
}

static void dequantize_block(int n, const int32_t *q, const char *channel, ptrdiff_t next, char *out, ptrdiff_t step) {
  const tsr__quant_channel one = *(const tsr__quant_channel *)(const void *)channel;
  if (next == 0 && step == (ptrdiff_t)sizeof(float)) {
    for (int i = 0; i < n; i++) ((float *)(void *)out)[i] = (float)(q[i] - one.zero) * one.scale;
    return;
  }
  for (int i = 0; i < n; i++) {
    const tsr__quant_channel *const c = (const tsr__quant_channel *)(const void *)(channel + i * next);
    *(float *)(void *)(out + i * step) = (float)(q[i] - c->zero) * c->scale;
  }
}

void TSR__ISA_NAME(tsr__dequantize_row)(const tsr__row_args *args, tsr_index n, char *const *at,
                                        const ptrdiff_t *step) {
  const tsr__quant_row *const r = args->param;
  int32_t block[BLOCK];
  for (ptrdiff_t first = 0; first < n; first += BLOCK) {
    const int here = block_of(n, first);
    load(r->x_dtype, here, AT(1), block);
    dequantize_block(here, block, AT(2), AT(0));
  }
}

/* In place. */
static void requantize_block(int dtype, int n, int32_t *q, const char *channel, ptrdiff_t next) {
  const int32_t least = tsr__quant_low(dtype), most = tsr__quant_high(dtype);
  const tsr__quant_channel one = *(const tsr__quant_channel *)(const void *)channel;
  if (next == 0) {
    for (int i = 0; i < n; i++)
      q[i] = tsr__quant_clamp(tsr__fixed_apply(q[i] - one.zero, one.fixed) + one.out_zero, least, most);
    return;
  }
  for (int i = 0; i < n; i++) {
    const tsr__quant_channel *const c = (const tsr__quant_channel *)(const void *)(channel + i * next);
    q[i] = tsr__quant_clamp(tsr__fixed_apply(q[i] - c->zero, c->fixed) + c->out_zero, least, most);
  }
}

void TSR__ISA_NAME(tsr__requantize_row)(const tsr__row_args *args, tsr_index n, char *const *at,
                                        const ptrdiff_t *step) {
  const tsr__quant_row *const r = args->param;
  int32_t block[BLOCK];
  for (ptrdiff_t first = 0; first < n; first += BLOCK) {
    const int here = block_of(n, first);
    load(r->x_dtype, here, AT(1), block);
    requantize_block(r->out_dtype, here, block, AT(2));
    store(r->out_dtype, here, block, AT(0));
  }
}

#if TSR__ROUND_TWICE

/* Both operands with more bits, by a ratio to twice the larger scale each; their sum by another. */
static void add_block(const tsr__quant_row *r, int n, int32_t *a, const int32_t *b) {
  const int32_t least = tsr__quant_low(r->out_dtype), most = tsr__quant_high(r->out_dtype),
                unit = (int32_t)1 << r->shift;
  for (int i = 0; i < n; i++) {
    const int64_t x = tsr__fixed_apply((a[i] - r->x_zero) * unit, r->x_ratio);
    const int64_t y = tsr__fixed_apply((b[i] - r->b_zero) * unit, r->b_ratio);
    a[i] = tsr__quant_clamp(tsr__fixed_apply((int32_t)(x + y), r->out_ratio) + r->out_zero, least, most);
  }
}

#else

static void add_block(const tsr__quant_row *r, int n, int32_t *a, const int32_t *b) {
  const int32_t least = tsr__quant_low(r->out_dtype), most = tsr__quant_high(r->out_dtype);
  const int64_t half = ((int64_t)1 << r->shift) >> 1;
  for (int i = 0; i < n; i++) {
    const int64_t sum = (int64_t)(a[i] - r->x_zero) * r->x_multiplier + (int64_t)(b[i] - r->b_zero) * r->b_multiplier;
    a[i] = tsr__quant_clamp(((sum + half) >> r->shift) + r->out_zero, least, most);
  }
}

#endif

void TSR__ISA_NAME(tsr__qadd_row)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const tsr__quant_row *const r = args->param;
  int32_t a[BLOCK], b[BLOCK];
  for (ptrdiff_t first = 0; first < n; first += BLOCK) {
    const int here = block_of(n, first);
    load(r->x_dtype, here, AT(1), a);
    load(r->b_dtype, here, AT(2), b);
    add_block(r, here, a, b);
    store(r->out_dtype, here, a, AT(0));
  }
}

/* Products, which fit 31 bits, by one ratio of scales. */
static void mul_block(const tsr__quant_row *r, int n, int32_t *a, const int32_t *b) {
  const int32_t least = tsr__quant_low(r->out_dtype), most = tsr__quant_high(r->out_dtype);
  const tsr__fixed f = {r->x_multiplier, r->shift};
  const int32_t x_zero = r->x_zero, b_zero = r->b_zero, zero = r->out_zero;
  for (int i = 0; i < n; i++)
    a[i] = tsr__quant_clamp(tsr__fixed_apply((a[i] - x_zero) * (b[i] - b_zero), f) + zero, least, most);
}

void TSR__ISA_NAME(tsr__qmul_row)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const tsr__quant_row *const r = args->param;
  int32_t a[BLOCK], b[BLOCK];
  for (ptrdiff_t first = 0; first < n; first += BLOCK) {
    const int here = block_of(n, first);
    load(r->x_dtype, here, AT(1), a);
    load(r->b_dtype, here, AT(2), b);
    mul_block(r, here, a, b);
    store(r->out_dtype, here, a, AT(0));
  }
}
