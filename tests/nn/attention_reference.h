/* An attention to test: random shapes, masks and attributes, tensors that lie in any way, and what the definition says.
 */
#ifndef TSR_TEST_ATTENTION_REFERENCE_H
#define TSR_TEST_ATTENTION_REFERENCE_H

#include "nn/conv_reference.h"

typedef struct attention_case {
  int dtype, rank, mask_dtype; /* mask_dtype 0: no mask */
  tsr_index b, h, hkv, t, s, d, dv;
  tsr_index mask_shape[4]; /* each the axis' length or 1 */
  int mask_rank;
  lying lies[5];
  tsr_attention_options options;
  tsr_tensor q, k, v, mask, out, owners[5];
} attention_case;

/* The last axes of a shape. */
static inline const tsr_index *att_tail(const tsr_index *four, int rank) { return four + 4 - rank; }

static inline void att_fill_mask(tsr_ctx *ctx, test_rng *rng, tsr_tensor *mask) {
  const bool infinite = mask->dtype != TSR_F8_E4M3; /* the one float that has none */
  tsr_index index[4] = {0};
  if (tsr_size(mask) == 0) return;
  do {
    const tsr_real value = mask->dtype == TSR_BOOL                 ? (tsr_real)(test_random(rng) % 3 != 0)
                           : infinite && test_random(rng) % 4 == 0 ? -(tsr_real)INFINITY
                                                                   : (tsr_real)test_between(rng, -8, 8) / 4;
    OK(ctx, tsr_set(ctx, mask, mask->ndim, index, value));
  } while (test_next_index(mask->ndim, mask->shape, index));
}

static inline void att_setup(tsr_ctx *ctx, test_rng *rng, attention_case *c) {
  const tsr_index q[4] = {c->b, c->h, c->t, c->d}, k[4] = {c->b, c->hkv, c->s, c->d},
                  v[4] = {c->b, c->hkv, c->s, c->dv};
  const tsr_index out[4] = {c->b, c->h, c->t, c->dv};
  ref_make(ctx, c->dtype, c->rank, att_tail(q, c->rank), c->lies[0], &c->owners[0], &c->q);
  ref_make(ctx, c->dtype, c->rank, att_tail(k, c->rank), c->lies[1], &c->owners[1], &c->k);
  ref_make(ctx, c->dtype, c->rank, att_tail(v, c->rank), c->lies[2], &c->owners[2], &c->v);
  ref_fill(ctx, rng, &c->q);
  ref_fill(ctx, rng, &c->k);
  ref_fill(ctx, rng, &c->v);
  if (c->mask_dtype != 0) {
    ref_make(ctx, c->mask_dtype, c->mask_rank, att_tail(c->mask_shape, c->mask_rank), c->lies[3], &c->owners[3],
             &c->mask);
    att_fill_mask(ctx, rng, &c->mask);
  }
  if (c->lies[4] != DENSE) ref_make(ctx, c->dtype, c->rank, att_tail(out, c->rank), c->lies[4], &c->owners[4], &c->out);
}

static inline void att_release(attention_case *c) {
  for (int i = 0; i < 5; i++) tsr_release(&c->owners[i]);
  if (c->lies[4] == DENSE) tsr_release(&c->out);
}

static inline tsr_status att_run(tsr_ctx *ctx, attention_case *c) {
  return tsr_attention(ctx, &c->q, &c->k, &c->v, c->mask_dtype != 0 ? &c->mask : NULL, &c->options, &c->out);
}

static inline double att_number(const tsr_tensor *t, tsr_index b, tsr_index h, tsr_index row, tsr_index column) {
  const tsr_index four[4] = {b, h, row, column};
  return test_decode(t->dtype, test_at(t, att_tail(four, t->ndim)));
}

/* The score of a key, -inf where it does not take part. */
static inline double att_score(const attention_case *c, tsr_index b, tsr_index h, tsr_index t, tsr_index s) {
  const double scale = c->options.scale != 0 ? (double)c->options.scale : c->d > 0 ? 1 / sqrt((double)c->d) : 1;
  double sum = 0;
  if (c->options.causal && s - c->options.causal_offset > t) return -INFINITY;
  for (tsr_index i = 0; i < c->d; i++)
    sum += att_number(&c->q, b, h, t, i) * att_number(&c->k, b, h / (c->h / c->hkv), s, i);
  sum *= scale;
  if (c->mask_dtype == 0) return sum;
  const tsr_index *const m = c->mask_shape;
  const double mask = att_number(&c->mask, m[0] > 1 ? b : 0, m[1] > 1 ? h : 0, m[2] > 1 ? t : 0, m[3] > 1 ? s : 0);
  if (c->mask_dtype != TSR_BOOL) return mask < -1000 ? -INFINITY : sum + mask; /* test_decode knows no infinity */
  return mask != 0 ? sum : -INFINITY;
}

enum { ATT_KEYS = 1200 };

/* One row of the output, from the definition. */
static inline bool att_check_row(const attention_case *c, tsr_index b, tsr_index h, tsr_index t) {
  static double weight[ATT_KEYS];
  double top = -INFINITY, sum = 0;
  const double unit = ref_unit(c->dtype) > 0x1p-24 ? 0x1p-24 : ref_unit(c->dtype);
  for (tsr_index s = 0; s < c->s; s++) top = fmax(top, weight[s] = att_score(c, b, h, t, s));
  for (tsr_index s = 0; s < c->s; s++) sum += weight[s] = weight[s] == -INFINITY ? 0 : exp(weight[s] - top);
  for (tsr_index i = 0; i < c->dv; i++) {
    double want = 0, size = 0;
    for (tsr_index s = 0; s < c->s; s++) {
      const double p = sum > 0 ? weight[s] / sum * att_number(&c->v, b, h / (c->h / c->hkv), s, i) : 0;
      want += p;
      size += fabs(p);
    }
    const double got = att_number(&c->out, b, h, t, i);
    const double slack =
        (double)(2 * c->d + c->s + 40) * unit * size * 2 + ref_unit(c->dtype) * fabs(want) * 1.01 + ref_least(c->dtype);
    if (!(fabs(got - want) <= slack)) {
      printf("  output (%d,%d,%d,%d) is %.9g, not %.9g\n", (int)b, (int)h, (int)t, (int)i, got, want);
      return false;
    }
  }
  return true;
}

/* Every row, or one of seven where tests are brief. */
static inline bool att_check(const attention_case *c) {
  const tsr_index step = test_every(7);
  tsr_index seen = 0;
  const tsr_index want[4] = {c->b, c->h, c->t, c->dv};
  for (int i = 0; i < c->rank; i++)
    if (c->out.ndim != c->rank || c->out.shape[i] != att_tail(want, c->rank)[i]) return false;
  for (tsr_index b = 0; b < c->b; b++)
    for (tsr_index h = 0; h < c->h; h++)
      for (tsr_index t = 0; t < c->t; t++)
        if (seen++ % step == 0 && !att_check_row(c, b, h, t)) return false;
  return true;
}

static inline void att_print(const attention_case *c) {
  printf(
      "  %s rank %d b %d h %d/%d t %d s %d d %d dv %d mask %s %d,%d,%d,%d lies %d,%d,%d,%d,%d causal %d%+d scale %g\n",
      tsr_dtype_name(c->dtype), c->rank, (int)c->b, (int)c->h, (int)c->hkv, (int)c->t, (int)c->s, (int)c->d, (int)c->dv,
      c->mask_dtype != 0 ? tsr_dtype_name(c->mask_dtype) : "none", (int)c->mask_shape[0], (int)c->mask_shape[1],
      (int)c->mask_shape[2], (int)c->mask_shape[3], c->lies[0], c->lies[1], c->lies[2], c->lies[3], c->lies[4],
      c->options.causal, (int)c->options.causal_offset, (double)c->options.scale);
}

#endif
