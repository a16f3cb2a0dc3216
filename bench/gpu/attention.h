/* The rows of attention. Their operands are the first elements of the matrices. */
#ifndef BENCH_GPU_ATTENTION_H
#define BENCH_GPU_ATTENTION_H

#include "bench.h"

/* Elements of t from number first on, as (b, h, s, d). */
static inline tsr_status heads_of(bench *b, const tsr_tensor *t, tsr_index first, const tsr_index *shape,
                                  tsr_tensor *x) {
  tsr_status st = tsr_reshape_view(&b->ctx, t, TSR_SHAPE(b->side * b->side), x);
  if (st == TSR_OK) st = tsr_narrow(&b->ctx, x, 0, first, shape[0] * shape[1] * shape[2] * shape[3], x);
  return st == TSR_OK ? tsr_reshape_view(&b->ctx, x, 4, shape, x) : st;
}

/* (4, 16, 4096, columns): as many elements as a sixteenth of a matrix, of 64 columns. */
static inline tsr_status attend(bench *b, const tsr_tensor *t, tsr_index columns, bool causal) {
  const tsr_index all = b->side * b->side / 16, h = b->tiny ? 1 : 1024 / columns, n = b->tiny ? 1 : 4;
  const tsr_index d = b->tiny ? 16 : columns, shape[4] = {n, h, all / (n * h * d), d};
  const tsr_attention_options options = {.causal = causal};
  tsr_tensor x[3] = {{0}};
  tsr_status st = TSR_OK;
  for (int i = 0; i < 3 && st == TSR_OK; i++) st = heads_of(b, t, i * all, shape, &x[i]);
  return st == TSR_OK ? tsr_attention(&b->ctx, &x[0], &x[1], &x[2], NULL, &options, &b->out) : st;
}

/* A query of each of n · heads · group heads, over all elements of two matrices in f16 as keys and values of 128 columns. */
static inline tsr_status decode(bench *b, tsr_index n, tsr_index heads, tsr_index group) {
  const tsr_index d = b->tiny ? 16 : 128, batch = b->tiny ? 1 : n, h = b->tiny ? 2 : heads;
  const tsr_index cache[4] = {batch, h, b->side * b->side / (batch * h * d), d}, query[4] = {batch, h * group, 1, d};
  tsr_tensor q = {0}, k = {0}, v = {0};
  tsr_status st = heads_of(b, &b->half[1], 0, query, &q);
  if (st == TSR_OK) st = heads_of(b, &b->half[0], 0, cache, &k);
  if (st == TSR_OK) st = heads_of(b, &b->half[1], 0, cache, &v);
  return st == TSR_OK ? tsr_attention(&b->ctx, &q, &k, &v, NULL, NULL, &b->out) : st;
}

static inline tsr_status row_attention_f32(bench *b) { return attend(b, &b->a, 64, false); }
static inline tsr_status row_attention_f16(bench *b) { return attend(b, &b->half[0], 64, false); }
static inline tsr_status row_attention_bf16(bench *b) { return attend(b, &b->half[2], 64, false); }
static inline tsr_status row_attention_causal(bench *b) { return attend(b, &b->half[2], 64, true); }
static inline tsr_status row_attention_128(bench *b) { return attend(b, &b->half[2], 128, false); }
static inline tsr_status row_decode(bench *b) { return decode(b, 8, 32, 1); }
static inline tsr_status row_decode_grouped(bench *b) { return decode(b, 1, 8, 4); }

#endif
