/* Dense layers and multi-head attention: against the definition, PyTorch's numbers, and themselves step by step. */
#include "nn/attention_reference.h"
#include "support/scratch.h"

#include "golden/attention.inc"

#include <tessera/tessera.h>

/* ---- PyTorch's numbers ---- */

static float number(tsr_index i, int seed) { return (float)((i * 37 + seed * 11) % 65 - 32) / 16.0f; }

/* The same formula as in scripts/golden_attention.py. */
static void make(tsr_ctx *ctx, int seed, float over, int ndim, const tsr_index *shape, tsr_tensor *t) {
  memset(t, 0, sizeof *t);
  OK(ctx, tsr_zeros(ctx, TSR_F32, ndim, shape, t));
  for (tsr_index i = 0; i < test_product(ndim, shape); i++) ((float *)t->data)[i] = number(i, seed) / over;
}
#define MAKE(seed, over, t, ...) make(ctx, seed, over, TSR_SHAPE(__VA_ARGS__), t)

static void check_golden(const char *name, const tsr_tensor *t, const double *want, int count) {
  CHECK(tsr_size(t) == count);
  for (int i = 0; i < count && tsr_size(t) == count; i++) {
    const double got = ((const float *)t->data)[i];
    if (fabs(got - want[i]) <= 2e-6 * (1 + fabs(want[i]))) continue;
    printf("  %s: element %d is %.9g, not %.9g\n", name, i, got, want[i]);
    CHECK(false);
    return;
  }
}
#define GOLDEN(name, t) check_golden(#name, t, golden_##name, COUNT_OF(golden_##name))

TEST(attention_gives_the_numbers_of_pytorch) {
  const tsr_attention_options causal = {.causal = 1}, scaled = {.scale = (tsr_real)0.75};
  tsr_ctx *const ctx = test_context();
  tsr_tensor q = {0}, k = {0}, v = {0}, mask = {0}, few_k = {0}, few_v = {0}, part = {0}, out = {0};
  bool takes_part[15];
  MAKE(1, 1, &q, 1, 4, 3, 4);
  MAKE(2, 1, &k, 1, 4, 5, 4);
  MAKE(3, 1, &v, 1, 4, 5, 3);
  MAKE(5, 1, &mask, 4, 1, 5);
  OK(ctx, tsr_attention(ctx, &q, &k, &v, NULL, NULL, &out));
  GOLDEN(plain, &out);
  OK(ctx, tsr_attention(ctx, &q, &k, &v, NULL, &causal, &out));
  GOLDEN(causal, &out);
  OK(ctx, tsr_attention(ctx, &q, &k, &v, &mask, &scaled, &out));
  GOLDEN(added, &out);
  for (int i = 0; i < 15; i++) takes_part[i] = number(i, 4) < 1;
  OK(ctx, tsr_from_memory(ctx, takes_part, TSR_BOOL, TSR_SHAPE(3, 5), &part));
  OK(ctx, tsr_attention(ctx, &q, &k, &v, &part, NULL, &out));
  GOLDEN(bool, &out);
  OK(ctx, tsr_slice(ctx, &k, 1, 0, 2, 1, &few_k));
  OK(ctx, tsr_slice(ctx, &v, 1, 0, 2, 1, &few_v));
  OK(ctx, tsr_attention(ctx, &q, &few_k, &few_v, NULL, NULL, &out));
  GOLDEN(grouped, &out);
  tsr_release(&q), tsr_release(&k), tsr_release(&v), tsr_release(&mask), tsr_release(&out);
  CHECK(test_live() == 0);
}

typedef struct weights {
  tsr_tensor x, w[4], b[4];
  tsr_attention_weights all;
} weights;

static void set_up(tsr_ctx *ctx, weights *w) {
  MAKE(6, 1, &w->x, 2, 5, 6);
  for (int i = 0; i < 4; i++) {
    MAKE(7 + i, 4, &w->w[i], 6, 6);
    MAKE(11 + i, 1, &w->b[i], 6);
  }
  w->all = (tsr_attention_weights){&w->w[0], &w->w[1], &w->w[2], &w->w[3], &w->b[0], &w->b[1], &w->b[2], &w->b[3]};
}

static void put_back(weights *w) {
  tsr_release(&w->x);
  for (int i = 0; i < 4; i++) {
    tsr_release(&w->w[i]);
    tsr_release(&w->b[i]);
  }
}

TEST(multi_head_attention_gives_the_numbers_of_pytorch) {
  tsr_ctx *const ctx = test_context();
  const tsr_activation gelu = {TSR_GELU, 0, 0};
  weights w;
  tsr_tensor out = {0}, one = {0}, first = {0};
  set_up(ctx, &w);
  OK(ctx, tsr_multi_head_attention(ctx, &w.x, &w.all, 3, NULL, NULL, &out));
  GOLDEN(multi_head, &out);
  OK(ctx, tsr_select(ctx, &w.x, 0, 1, &one)); /* [T,E] */
  OK(ctx, tsr_multi_head_attention(ctx, &one, &w.all, 3, NULL, NULL, &first));
  check_golden("one", &first, golden_multi_head + 30, 30);
  OK(ctx, tsr_multi_head_attention(ctx, &w.x, &w.all, 3, NULL, NULL, &w.x)); /* in place */
  CHECK(test_same_elements(&w.x, &out));
  tsr_release(&out);
  tsr_release(&w.x);
  MAKE(6, 1, &w.x, 2, 5, 6);
  OK(ctx, tsr_dense(ctx, &w.x, &w.w[0], &w.b[0], &gelu, &out));
  GOLDEN(linear, &out);
  tsr_release(&out);
  tsr_release(&first);
  put_back(&w);
  CHECK(test_live() == 0);
}

/* ---- heads, groups, masks: what the steps give one by one ---- */

static void permuted(tsr_ctx *ctx, tsr_tensor *rows, tsr_index heads, tsr_index columns, tsr_tensor *t) {
  memset(t, 0, sizeof *t);
  OK(ctx, tsr_reshape_view(ctx, rows, TSR_SHAPE(2, 5, heads, columns), t));
  OK(ctx, tsr_permute(ctx, t, (const int[]){0, 2, 1, 3}, t));
}

TEST(groups_and_masks_are_those_of_attention) {
  const tsr_attention_options options = {.scale = (tsr_real)0.3, .causal = 1};
  tsr_ctx *const ctx = test_context();
  tsr_tensor x, wq, wk, wv, wo, mask, rows[4] = {{0}, {0}, {0}, {0}}, heads[4], want = {0}, got = {0};
  MAKE(1, 1, &x, 2, 5, 6);
  MAKE(2, 3, &wq, 8, 6); /* 4 heads of 2 */
  MAKE(3, 3, &wk, 4, 6); /* 2 heads of 2 */
  MAKE(4, 3, &wv, 6, 6); /* 2 heads of 3 */
  MAKE(5, 3, &wo, 7, 12);
  MAKE(6, 1, &mask, 4, 5, 5);
  const tsr_attention_weights w = {.wq = &wq, .wk = &wk, .wv = &wv, .wo = &wo};
  OK(ctx, tsr_dense(ctx, &x, &wq, NULL, NULL, &rows[0]));
  OK(ctx, tsr_dense(ctx, &x, &wk, NULL, NULL, &rows[1]));
  OK(ctx, tsr_dense(ctx, &x, &wv, NULL, NULL, &rows[2]));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 5, 12), &rows[3]));
  permuted(ctx, &rows[0], 4, 2, &heads[0]);
  permuted(ctx, &rows[1], 2, 2, &heads[1]);
  permuted(ctx, &rows[2], 2, 3, &heads[2]);
  permuted(ctx, &rows[3], 4, 3, &heads[3]);
  OK(ctx, tsr_attention(ctx, &heads[0], &heads[1], &heads[2], &mask, &options, &heads[3]));
  OK(ctx, tsr_dense(ctx, &rows[3], &wo, NULL, NULL, &want));
  OK(ctx, tsr_multi_head_attention(ctx, &x, &w, 4, &mask, &options, &got));
  CHECK(test_same_elements(&want, &got));
  for (int i = 0; i < 4; i++) tsr_release(&rows[i]);
  tsr_release(&x), tsr_release(&wq), tsr_release(&wk), tsr_release(&wv), tsr_release(&wo), tsr_release(&mask);
  tsr_release(&want), tsr_release(&got);
  CHECK(test_live() == 0);
}

/* ---- dense ---- */

TEST(dense_layers_are_what_the_definition_says) {
  test_rng rng = {60};
  for (int i = 0; i < 60; i++) {
    tsr_ctx *const ctx = test_context();
    const int rank = (int)test_between(&rng, 1, 3), dtype = i % 3 == 0 ? TSR_I32 : i % 3 == 1 ? TSR_F32 : TSR_F16;
    const tsr_index f = test_between(&rng, 0, 9), o = test_between(&rng, 0, 9);
    const tsr_index lead[2] = {test_between(&rng, 0, 3), test_between(&rng, 1, 4)};
    const tsr_index shape[3] = {lead[0], lead[1], f};
    tsr_tensor owners[3], x, w, b, out = {0};
    if (!tsr_dtype_supported(dtype)) continue;
    ref_make(ctx, dtype, rank, shape + 3 - rank, (lying)(test_random(&rng) % LYINGS), &owners[0], &x);
    ref_make(ctx, dtype, 2, (const tsr_index[]){o, f}, (lying)(test_random(&rng) % LYINGS), &owners[1], &w);
    ref_make(ctx, dtype, 1, &o, (lying)(test_random(&rng) % LYINGS), &owners[2], &b);
    ref_fill(ctx, &rng, &x);
    ref_fill(ctx, &rng, &w);
    ref_fill(ctx, &rng, &b);
    const bool biased = test_random(&rng) % 2, relu = test_random(&rng) % 2;
    const tsr_activation activation = {TSR_RELU, 0, 0};
    OK(ctx, tsr_dense(ctx, &x, &w, biased ? &b : NULL, relu ? &activation : NULL, &out));
    CHECK(out.ndim == rank && out.shape[rank - 1] == o);
    tsr_index index[3] = {0};
    if (tsr_size(&out) > 0) do {
        double sum = biased ? test_decode(dtype, test_at(&b, &index[rank - 1])) : 0, size = fabs(sum);
        tsr_index at[3] = {index[0], index[1], index[2]};
        for (tsr_index k = 0; k < f; k++) {
          at[rank - 1] = k;
          const double p = test_decode(dtype, test_at(&x, at)) *
                           test_decode(dtype, test_at(&w, (const tsr_index[]){index[rank - 1], k}));
          sum += p;
          size += fabs(p);
        }
        if (relu && sum < 0) sum = 0;
        const double slack =
            dtype == TSR_I32 ? 0 : 16 * 0x1p-24 * size + (dtype == TSR_F16 ? 0x1p-11 * fabs(sum) + 0x1p-25 : 0);
        CHECK(fabs(test_decode(dtype, test_at(&out, index)) - sum) <= slack);
      } while (test_next_index(rank, out.shape, index));
    tsr_release(&out);
    for (int k = 0; k < 3; k++) tsr_release(&owners[k]);
    CHECK(test_live() == 0);
  }
}

/* The packed form that dense.h names. */
TEST(packed_weights_are_the_same_layer) {
  tsr_ctx *const ctx = test_context();
  weights w;
  tsr_tensor turned = {0}, want = {0}, got = {0};
  tsr_packed packed = {0};
  if (!TSR_HAVE_MALLOC) SKIP("no packed weights");
  set_up(ctx, &w);
  const tsr_gemm_options options = {.bias = &w.b[0], .activation = {TSR_RELU, 0, 0}};
  OK(ctx, tsr_transpose(ctx, &w.w[0], 0, 1, &turned));
  OK(ctx, tsr_pack(ctx, &turned, TSR_NONE, &packed));
  OK(ctx, tsr_dense(ctx, &w.x, &w.w[0], &w.b[0], &options.activation, &want));
  OK(ctx, tsr_matmul_packed(ctx, &w.x, &packed, &options, &got));
  CHECK(tsr_same_shape(&want, &got));
  for (int i = 0; i < 60; i++) CHECK(fabsf(((float *)want.data)[i] - ((float *)got.data)[i]) < 1e-5f);
  tsr_packed_release(&packed);
  tsr_release(&want), tsr_release(&got);
  put_back(&w);
}

/* ---- memory ---- */

typedef struct mha_call {
  const weights *w;
  tsr_tensor *out;
} mha_call;

static tsr_status call_mha(tsr_ctx *ctx, void *arg) {
  const mha_call *const c = arg;
  return tsr_multi_head_attention(ctx, &c->w->x, &c->w->all, 2, NULL, NULL, c->out);
}

TEST(scratch_of_the_size_that_was_said_is_enough) {
  tsr_ctx *const ctx = test_context();
  weights w;
  tsr_tensor out = {0}, want = {0};
  mha_call call = {&w, &out};
  set_up(ctx, &w);
  ctx->parallel = tsr_parallel_serial();
  OK(ctx, tsr_multi_head_attention(ctx, &w.x, &w.all, 2, NULL, NULL, &want));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 5, 6), &out));
  CHECK(test_scratch(ctx, call_mha, &call) > 0 && test_same_elements(&out, &want));
  tsr_release(&out), tsr_release(&want);
  put_back(&w);
}

TEST(every_allocation_may_fail) {
  tsr_ctx *const ctx = test_context();
  weights w;
  tsr_tensor out = {0};
  size_t fails = 0;
  if (!TSR_HAVE_MALLOC) SKIP("an arena");
  set_up(ctx, &w);
  const size_t before = test_live();
  for (;; fails++) {
    test_failing()->fail_at = test_failing()->calls + fails;
    const tsr_status st = tsr_multi_head_attention(ctx, &w.x, &w.all, 2, NULL, NULL, &out);
    test_failing()->fail_at = SIZE_MAX;
    if (st == TSR_OK) break;
    CHECK(st == TSR_ENOMEM && test_live() == before && tsr_is_none(&out));
    if (fails > 50) break;
  }
  CHECK(fails >= 6 && fails < 50); /* four parts, the attention's block, the output */
  tsr_release(&out);
  put_back(&w);
}

/* ---- calls that mean nothing ---- */

TEST(bad_calls_are_named) {
  tsr_ctx *const ctx = test_context();
  weights w;
  tsr_tensor out = {0}, other = {0};
  set_up(ctx, &w);
  FAILS(ctx, TSR_EARG, tsr_multi_head_attention(ctx, &w.x, NULL, 2, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "multi_head_attention: weights is NULL");
  FAILS(ctx, TSR_EARG, tsr_multi_head_attention(ctx, &w.x, &w.all, 0, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "heads is 0");
  FAILS(ctx, TSR_ESHAPE, tsr_multi_head_attention(ctx, &w.x, &w.all, 4, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "wq [6,6]: its rows are no multiple of 4 heads");
  FAILS(ctx, TSR_ESHAPE, tsr_multi_head_attention(ctx, &w.b[0], &w.all, 2, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "x is f32 [6]: it takes [B,T,E] or [T,E]");
  MAKE(1, 1, &other, 4, 6);
  tsr_attention_weights odd = w.all;
  odd.wk = &other;
  odd.bk = NULL;
  FAILS(ctx, TSR_ESHAPE, tsr_multi_head_attention(ctx, &w.x, &odd, 2, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "wk [4,6]: its rows are not those of some heads of 3");
  odd = w.all;
  odd.wo = &other;
  odd.bo = NULL;
  FAILS(ctx, TSR_ESHAPE, tsr_dense(ctx, &w.x, &w.w[0], &w.x, NULL, &out));
  MESSAGE_HAS(ctx, "dense: bias is f32 [2,5,6], w has 6 outputs");
  odd.bq = &other;
  FAILS(ctx, TSR_ESHAPE, tsr_multi_head_attention(ctx, &w.x, &odd, 2, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "bq is f32 [4,6]");
  FAILS(ctx, TSR_ESHAPE, tsr_multi_head_attention(ctx, &w.x, &w.all, 2, &other, NULL, &out));
  MESSAGE_HAS(ctx, "attention: mask [4,6] does not broadcast to [2,2,5,5]");
  CHECK(tsr_is_none(&out));
  tsr_release(&other);
  put_back(&w);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(attention_gives_the_numbers_of_pytorch), RUN(multi_head_attention_gives_the_numbers_of_pytorch),
          RUN(groups_and_masks_are_those_of_attention), RUN(dense_layers_are_what_the_definition_says),
          RUN(packed_weights_are_the_same_layer), RUN(scratch_of_the_size_that_was_said_is_enough),
          RUN(every_allocation_may_fail), RUN(bad_calls_are_named))
