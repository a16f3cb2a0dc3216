#include "ops/mask/bits.h"

#include "cpu/isa.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/move/over.h"

#include <string.h>

enum { PIECE = TSR_HAVE_MALLOC ? 512 : 64, GRAIN = 16 }; /* elements that are converted at a time; chunks of a task */

tsr_status tsr__mask_check(const tsr__call *call, tsr_tensor *view) {
  const tsr_tensor *const in = call->in[0], *const mask = call->in[1];
  if (mask->dtype != TSR_BOOL)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "mask", "is %y, not bool; compare it with 0 first",
                     (int)mask->dtype);
  return tsr__over(call->ctx, call->op, "mask", mask, in->ndim, in->shape, view);
}

/* ---- from elements to bits ---- */

typedef struct packing {
  tsr__bits *bits;
  int isa;
} packing;

/* 8 bytes that are 0 or 1, as the bits of one: the product moves byte k to bit 56 + k. */
static inline uint64_t eight(const unsigned char *bytes, uint64_t *sums) {
  uint64_t word;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(&word, bytes, sizeof word);
#else
  word = 0;
  for (int k = 0; k < 8; k++) word |= (uint64_t)bytes[k] << 8 * k;
#endif
  word &= UINT64_C(0x0101010101010101);
  *sums += word;
  return word * UINT64_C(0x0102040810204080) >> 56;
}

/* Of at most 64 words of 8 bytes, each byte of sums being one of them: all together. */
static inline tsr_index add_bytes(uint64_t sums) {
  const uint64_t low = UINT64_C(0x00ff00ff00ff00ff);
  return (tsr_index)(((sums & low) + (sums >> 8 & low)) * UINT64_C(0x0001000100010001) >> 48);
}

/* n bools to words, at most PIECE of them; returns how many are true. */
static tsr_index pack(tsr_index n, const unsigned char *bools, uint64_t *words) {
  uint64_t sums = 0;
  tsr_index i = 0;
  for (; n - i >= 64; i += 64) {
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= eight(bools + i + 8 * k, &sums) << 8 * k;
    words[i / 64] = word;
  }
  tsr_index count = add_bytes(sums);
  if (i == n) return count;
  uint64_t word = 0;
  for (tsr_index k = i; k < n; k++) {
    word |= (uint64_t)(bools[k] & 1) << (k - i);
    count += bools[k] & 1;
  }
  words[i / 64] = word;
  return count;
}

static void pack_chunks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const packing *const p = arg;
  tsr__bits *const bits = p->bits;
  const int dtype = bits->contiguous->dtype;
  const ptrdiff_t item = tsr__item(bits->contiguous);
  unsigned char bools[PIECE];
  (void)worker;
  for (tsr_index chunk = begin; chunk < end; chunk++) {
    const tsr_index first = chunk * TSR__BITS_CHUNK, left = bits->n - first;
    const tsr_index stop = left < TSR__BITS_CHUNK ? bits->n : first + TSR__BITS_CHUNK;
    tsr_index count = 0;
    for (tsr_index i = first; i < stop; i += PIECE) {
      const tsr_index n = stop - i < PIECE ? stop - i : PIECE;
      const char *const x = (const char *)bits->contiguous->data + (ptrdiff_t)i * item;
      const unsigned char *row = (const unsigned char *)x;
      if (dtype != TSR_BOOL) {
        tsr__convert_row(p->isa, dtype, TSR_BOOL, n, x, item, (char *)bools, 1);
        row = bools;
      }
      count += pack(n, row, bits->words + i / 64);
    }
    bits->before[chunk] = count;
  }
}

/* ---- all of it ---- */

/* Counts to sums of those before. */
static void add_up(tsr__bits *bits) {
  for (tsr_index chunk = 0; chunk < bits->chunks; chunk++) {
    const tsr_index count = bits->before[chunk];
    bits->before[chunk] = bits->count;
    bits->count += count;
  }
}

tsr_status tsr__bits_new(tsr__call *call, const tsr_tensor *x, tsr__bits *bits) {
  void *memory;
  bits->n = tsr_size(x);
  bits->count = 0;
  bits->chunks = bits->n / TSR__BITS_CHUNK + (bits->n % TSR__BITS_CHUNK != 0);
  bits->contiguous = x;
  if (bits->n == 0) return TSR_OK;
  const size_t words = ((size_t)bits->n - 1) / 64 + 1;
  tsr_status st = tsr__call_scratch(call, 8 * words + sizeof(tsr_index) * (size_t)bits->chunks, &memory);
  if (st != TSR_OK) return st;
  bits->words = memory;
  bits->before = (tsr_index *)(void *)(bits->words + words);
  if (tsr_is_contiguous(x, TSR_ROW_MAJOR)) return TSR_OK;
  bits->contiguous = &bits->copy;
  return tsr__call_copy_as(call, x, TSR_BOOL, &bits->copy);
}

void tsr__bits_read(const tsr_ctx *ctx, const tsr_tensor *x, tsr__bits *bits) {
  packing p = {bits, tsr__isa_of(ctx)};
  if (bits->n == 0) return;
  if (bits->contiguous != x) tsr__copy_no_alias(ctx, x, &bits->copy);
  tsr__parallel_for(ctx, bits->chunks, GRAIN, pack_chunks, &p);
  add_up(bits);
}

typedef struct chunk_run {
  const tsr__bits *bits;
  tsr__chunk_fn *fn;
  const void *arg;
} chunk_run;

static void run_chunks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const chunk_run *const r = arg;
  (void)worker;
  for (tsr_index chunk = begin; chunk < end; chunk++) r->fn(r->arg, r->bits, chunk);
}

void tsr__bits_run(const tsr_ctx *ctx, const tsr__bits *bits, tsr__chunk_fn *fn, const void *arg) {
  chunk_run r = {bits, fn, arg};
  if (bits->count > 0) tsr__parallel_for(ctx, bits->chunks, GRAIN, run_chunks, &r);
}
