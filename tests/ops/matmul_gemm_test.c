/* Products with attributes, packed weights, threads, scratch memory, failures. */
#include "support/test.h"
#include "support/scratch.h"

#include "ops/matmul_reference.h"

#define EACH_ISA(ctx)                                            \
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)            \
    for (tsr_ctx *ctx = test_context(); ctx != NULL; ctx = NULL) \
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) == TSR_OK)

static double relu(double x) { return x > 0 ? x : 0; }
static double clip(double x) { return x < -0.5 ? -0.5 : x > 0.75 ? 0.75 : x; }
static double silu(double x) { return x / (1 + exp(-x)); }
static double leaky(double x) { return x < 0 ? 0.01 * x : x; }
static double same(double x) { return x; }

/* What a product is given besides its matrices; alpha 0: 1. */
typedef struct terms {
  tsr_real alpha, beta;
  const tsr_tensor *c;
  tsr_gemm_options with;
} terms;

static tsr_status run_gemm(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const terms *t, tsr_tensor *out) {
  return tsr_gemm(ctx, t->alpha != 0 ? t->alpha : 1, a, b, t->beta, t->c, &t->with, out);
}

typedef struct act {
  const tsr_activation_kind *kind;
  tsr_real alpha, beta;
  double (*value)(double);
} act;

/* The element of a tensor that broadcasts to (m, n), as a number. */
static double spread(const tsr_tensor *t, tsr_index i, tsr_index j) {
  tsr_index at[2] = {0, 0};
  if (t == NULL) return 0;
  if (t->ndim == 2) at[0] = t->shape[0] == 1 ? 0 : i;
  if (t->ndim > 0) at[t->ndim - 1] = t->shape[t->ndim - 1] == 1 ? 0 : j;
  return number_of(t->dtype, test_at(t, at));
}

/* out = f(alpha·a·b + beta·c + bias), for what c held before; one element of seven where tests are brief. */
static void check_gemm(const tsr_tensor *a, const tsr_tensor *b, const terms *options, const tsr_tensor *c,
                       double (*value)(double), const tsr_tensor *out) {
  const double alpha = options->alpha != 0 ? (double)options->alpha : 1;
  const tsr_index step = test_every(7);
  int wrong = 0;
  for (tsr_index i = 0; i < out->shape[0]; i++)
    for (tsr_index j = i % step; j < out->shape[1]; j += step) {
      const tsr_index at[2] = {i, j};
      const expected_sum e = naive(a, b, 0, NULL, i, j);
      const double add =
          (options->beta != 0 ? (double)options->beta * spread(c, i, j) : 0) + spread(options->with.bias, i, j);
      const double want = value(alpha * e.sum + add), got = number_of(out->dtype, test_at(out, at));
      const double bound = 0x1p-23 * (double)(a->shape[1] + 4) * (e.size * fabs(alpha) + fabs(add)) + 4e-7 * fabs(want);
      const double rounding =
          tsr_dtype_size(out->dtype) <= 2 ? precision(out->dtype) * fabs(want) + smallest(out->dtype) : 0;
      if (is_whole(out->dtype) ? got != want : !(fabs(got - want) <= bound + rounding)) wrong++;
    }
  CHECK(wrong == 0);
}

TEST(attributes_together) {
#if TSR_HAVE_MALLOC
  enum { BIGGEST = 40 };
#else
  enum { BIGGEST = 6 };
#endif
  static const act acts[] = {{NULL, 0, 0, same},
                             {TSR_RELU, 0, 0, relu},
                             {TSR_CLIP, (tsr_real)-0.5, (tsr_real)0.75, clip},
                             {TSR_SILU, 0, 0, silu},
                             {TSR_LEAKY_RELU, 0, 0, leaky}};
  test_rng rng = {11};
  EACH_ISA(ctx) {
    for (int round = 0; round < (TSR_HAVE_MALLOC ? 160 : 40); round++) {
      RENEW(ctx);
      const int dtype = round % 3 == 1 ? TSR_BF16 : TSR_F32, out_dtype = round % 5 == 0 ? TSR_F32 : dtype;
      const tsr_index m = test_between(&rng, 1, BIGGEST), n = test_between(&rng, 1, BIGGEST),
                      k = test_between(&rng, 1, BIGGEST);
      const tsr_index sa[2] = {m, k}, sb[2] = {k, n}, so[2] = {m, n};
      const tsr_index bias_shape[2] = {round % 2 == 0 ? 1 : m, round % 2 == 0 ? n : 1};
      const act *const f = &acts[round % COUNT_OF(acts)];
      operand a = make_operand(ctx, dtype, 2, sa, round % LIES, &rng),
              b = make_operand(ctx, dtype, 2, sb, round / 2 % LIES, &rng);
      operand o = make_operand(ctx, out_dtype, 2, so, round % ROWS_REPEATED, &rng);
      operand c = make_operand(ctx, round % 4 == 0 ? TSR_F32 : out_dtype, 2, so, round / 3 % LIES, &rng);
      operand bias = make_operand(ctx, round % 7 == 0 ? TSR_F16 : TSR_F32, 2, bias_shape, ROWS_PLAIN, &rng);
      terms options = {.with.activation = {f->kind, f->alpha, f->beta},
                       .with.dtype = (uint8_t)(out_dtype != dtype ? out_dtype : 0)};
      tsr_tensor before = {0};
      if (round % 3 == 0) options.alpha = (tsr_real)0.5;
      if (round % 4 < 3) options.beta = round % 4 == 0 ? 1 : (tsr_real)-0.75;
      if (round % 4 == 1) options.c = &c.view;
      if (round % 8 < 5) options.with.bias = &bias.view;
      OK(ctx, tsr_clone(ctx, options.c != NULL ? &c.view : &o.view, &before));
      OK(ctx, run_gemm(ctx, &a.view, &b.view, &options, &o.view));
      check_gemm(&a.view, &b.view, &options, &before, f->value, &o.view);
      tsr_release(&before);
      tsr_release(&a.owner);
      tsr_release(&b.owner);
      tsr_release(&c.owner);
      tsr_release(&o.owner);
      tsr_release(&bias.owner);
    }
    CHECK(test_live() == 0);
  }
}

/* beta = 0 does not read c, nor what out holds. */
TEST(beta_zero_ignores_nan) {
  EACH_ISA(ctx) {
    tsr_tensor a = {0}, b = {0}, out = {0};
    OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &a));
    OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(4, 5), &b));
    OK(ctx, tsr_full(ctx, TSR_F32, TSR_SHAPE(3, 5), (tsr_real)NAN, &out));
    tsr_tensor c = out;
    c.flags = 0;
    const terms options = {.alpha = 2, .c = &c};
    OK(ctx, run_gemm(ctx, &a, &b, &options, &out));
    for (int i = 0; i < 15; i++) CHECK(((float *)out.data)[i] == 8);
    const terms more = {.beta = 1};
    OK(ctx, run_gemm(ctx, &a, &b, &more, &out)); /* adds */
    for (int i = 0; i < 15; i++) CHECK(((float *)out.data)[i] == 12);
    tsr_release(&a);
    tsr_release(&b);
    tsr_release(&out);
  }
}

TEST(bytes_give_i32) {
  test_rng rng = {12};
  static const int pairs[][2] = {{TSR_I8, TSR_I8}, {TSR_U8, TSR_I8}, {TSR_I8, TSR_U8}, {TSR_U8, TSR_U8}};
  EACH_ISA(ctx) {
    for (int i = 0; i < COUNT_OF(pairs); i++)
      for (int lie = 0; lie < LIES * LIES; lie++) {
        RENEW(ctx);
        const tsr_index k = TSR_HAVE_MALLOC ? 1 + 37 * (lie % 7) : 1 + lie % 7;
        const tsr_index sa[2] = {1 + lie % 15, k}, sb[2] = {k, 1 + lie % 35};
        operand a = make_operand(ctx, pairs[i][0], 2, sa, lie % LIES, &rng),
                b = make_operand(ctx, pairs[i][1], 2, sb, lie / LIES, &rng);
        tsr_tensor out = {0}, bias = {0};
        const terms options = {.with.dtype = TSR_I32,
                               .with.bias = lie % 2 == 0 ? &bias : NULL,
                               .with.activation = {lie % 3 == 0 ? TSR_RELU : NULL, 0, 0}};
        OK(ctx, tsr_full(ctx, TSR_I32, TSR_SHAPE(sb[1]), -1000, &bias));
        OK(ctx, run_gemm(ctx, &a.view, &b.view, &options, &out));
        CHECK(out.dtype == TSR_I32);
        check_gemm(&a.view, &b.view, &options, NULL, lie % 3 == 0 ? relu : same, &out);
        tsr_release(&bias);
        tsr_release(&out);
        tsr_release(&a.owner);
        tsr_release(&b.owner);
      }
    CHECK(test_live() == 0);
  }
}

/* No sum on the way may saturate; i16 wraps in the result alone. */
TEST(extremes_of_small_integers_are_exact) {
  static const struct {
    int a, b, sum;
    int64_t x, y;
  } table[] = {{TSR_U8, TSR_I8, TSR_I32, 255, -128},  {TSR_U8, TSR_U8, TSR_I32, 255, 255},
               {TSR_I8, TSR_I8, TSR_I32, -128, -128}, {TSR_I8, TSR_U8, TSR_I32, -128, 255},
               {TSR_I16, TSR_I16, 0, -32768, -32767}, {TSR_I16, TSR_I16, 0, -32768, -32768}};
  const tsr_index k = TSR_HAVE_MALLOC ? 1501 : 9;
  EACH_ISA(ctx) {
    for (int i = 0; i < COUNT_OF(table); i++) {
      RENEW(ctx);
      tsr_tensor a = {0}, b = {0}, out = {0};
      const terms options = {.with.dtype = (uint8_t)table[i].sum};
      const int64_t all = table[i].x * table[i].y * (int64_t)k;
      const tsr_real want = (tsr_real)(table[i].sum != 0 ? all : (int16_t)(uint16_t)(uint64_t)all);
      OK(ctx, tsr_full(ctx, table[i].a, TSR_SHAPE(2, k), (tsr_real)table[i].x, &a));
      OK(ctx, tsr_full(ctx, table[i].b, TSR_SHAPE(k, 3), (tsr_real)table[i].y, &b));
      OK(ctx, run_gemm(ctx, &a, &b, &options, &out));
      for (tsr_index j = 0; j < 6; j++) {
        tsr_real got = 0;
        OK(ctx, tsr_get(ctx, &out, 2, (tsr_index[]){j / 3, j % 3}, &got));
        CHECK(got == want);
      }
      tsr_release(&a);
      tsr_release(&b);
      tsr_release(&out);
    }
  }
}

/* ---- packed weights ---- */

TEST(packed_weights_give_the_same_bits) {
#if TSR_HAVE_MALLOC
  test_rng rng = {13};
  static const int pairs[][2] = {{TSR_F32, TSR_F32}, {TSR_F64, TSR_F64}, {TSR_BF16, TSR_BF16}, {TSR_F16, TSR_F16},
                                 {TSR_I8, TSR_I8},   {TSR_U8, TSR_I8},   {TSR_F32, TSR_F16},   {TSR_I64, TSR_I64},
                                 {TSR_F32, TSR_I8},  {TSR_I16, TSR_I16}, {TSR_U8, TSR_I16}};
  EACH_ISA(ctx) {
    for (int i = 0; i < COUNT_OF(pairs); i++)
      for (int lie = 0; lie < LIES; lie++) {
        const tsr_index m = test_between(&rng, 13, 50), k = lie == 5 ? 2500 : test_between(&rng, 1, 90),
                        n = test_between(&rng, 40, 90);
        const tsr_index sa[3] = {2, m, k}, sb[2] = {k, n};
        operand a = make_operand(ctx, pairs[i][0], 3, sa, ROWS_PLAIN, &rng),
                b = make_operand(ctx, pairs[i][1], 2, sb, lie, &rng);
        tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
        tsr_tensor out = {0}, want = {0};
        const terms options = {.with.activation = {TSR_RELU, 0, 0}};
        OK(ctx, tsr_pack(ctx, &b.view, pairs[i][0], &packed));
        OK(ctx, tsr_matmul_packed(ctx, &a.view, &packed, &options.with, &out));
        OK(ctx, run_gemm(ctx, &a.view, &b.view, &options, &want));
        CHECK(test_same_elements(&out, &want));
        OK(ctx, tsr_gemm_packed(ctx, 1, &a.view, &packed, 1, &out, NULL, &out));
        OK(ctx, tsr_gemm(ctx, 1, &a.view, &b.view, 1, &want, NULL, &want));
        CHECK(test_same_elements(&out, &want));
        tsr_packed_release(&packed);
        CHECK(tsr_is_none(&packed.panels) && packed.dtype == TSR_NONE);
        tsr_release(&out);
        tsr_release(&want);
        tsr_release(&a.owner);
        tsr_release(&b.owner);
      }
    CHECK(test_live() == 0);
  }
#else
  tsr_ctx *const ctx = test_context();
  tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
  tsr_tensor b = {0};
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_pack(ctx, &b, TSR_F32, &packed));
  MESSAGE_HAS(ctx, "without packing");
#endif
}

/* Panels of no rows have no bytes, not even those for sums of columns. */
TEST(packed_weights_without_rows) {
#if TSR_HAVE_MALLOC
  static const int dtypes[] = {TSR_I8, TSR_U8, TSR_I16, TSR_F32, TSR_BF16};
  EACH_ISA(ctx) {
    for (int i = 0; i < COUNT_OF(dtypes); i++) {
      tsr_tensor a = {0}, b = {0}, bias = {0}, out = {0};
      tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
      OK(ctx, tsr_ones(ctx, dtypes[i], TSR_SHAPE(34, 0), &a));
      OK(ctx, tsr_ones(ctx, dtypes[i], TSR_SHAPE(0, 62), &b));
      OK(ctx, tsr_ones(ctx, dtypes[i], TSR_SHAPE(62), &bias));
      OK(ctx, tsr_pack(ctx, &b, TSR_NONE, &packed));
      OK(ctx, tsr_matmul_packed(ctx, &a, &packed, &(tsr_gemm_options){.bias = &bias}, &out));
      for (int row = 0; row < 34; row++) {
        tsr_tensor line = {0};
        OK(ctx, tsr_select(ctx, &out, 0, row, &line));
        CHECK(test_same_elements(&line, &bias));
      }
      tsr_packed_release(&packed);
      tsr_release(&a), tsr_release(&b), tsr_release(&bias), tsr_release(&out);
    }
    CHECK(test_live() == 0);
  }
#else
  SKIP("without packing");
#endif
}

TEST(packed_weights_in_given_memory) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  static _Alignas(64) uint8_t memory[1 << 14];
  tsr_tensor a = {0}, b = {0}, out = {0};
  size_t bytes = 0;
  tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 7), &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(7, 5), &b));
  OK(ctx, tsr_pack_size(ctx, &b, TSR_NONE, &bytes));
  REQUIRE(bytes > 0 && bytes < sizeof memory);
  OK(ctx, tsr_from_memory(ctx, memory, TSR_U8, TSR_SHAPE((tsr_index)bytes), &packed.panels));
  OK(ctx, tsr_pack(ctx, &b, TSR_NONE, &packed));
  packed.panels.flags |= TSR_READONLY; /* as if it lay in flash */
  OK(ctx, tsr_matmul_packed(ctx, &a, &packed, NULL, &out));
  CHECK(((float *)out.data)[14] == 7);
  packed.a_dtype = TSR_F64;
  FAILS(ctx, TSR_EDTYPE, tsr_matmul_packed(ctx, &a, &packed, NULL, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_gemm_packed(ctx, 1, &a, &packed, 0, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "gemm_packed: a is f32, b was packed for f64");
  FAILS(ctx, TSR_EARG, tsr_gemm_packed(ctx, 1, &a, NULL, 0, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "gemm_packed: b is NULL");
  packed.a_dtype = TSR_F32;
  packed.cols = 500;
  FAILS(ctx, TSR_ESTATE, tsr_matmul_packed(ctx, &a, &packed, NULL, &out));
  packed.cols = TSR_INDEX_MAX;
  FAILS(ctx, TSR_EOVERFLOW, tsr_matmul_packed(ctx, &a, &packed, NULL, &out));
  packed.cols = 5;
  const uint8_t own = packed.isa;
  packed.isa = 100;
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_matmul_packed(ctx, &a, &packed, NULL, &out));
  MESSAGE_HAS(ctx, "matmul_packed: b was packed for instruction set 100, which is none; this machine has ");
  packed.isa = own;
  packed.dtype = 0;
  FAILS(ctx, TSR_ESTATE, tsr_matmul_packed(ctx, &a, &packed, NULL, &out));
  MESSAGE_HAS(ctx, "b is empty");
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_U8, TSR_SHAPE((tsr_index)bytes), &packed.panels));
  size_t untouched = 7;
  FAILS(ctx, TSR_EARG, tsr_pack_size(ctx, NULL, TSR_NONE, &untouched));
  FAILS(ctx, TSR_EARG, tsr_pack_size(ctx, &b, TSR_NONE, NULL));
  CHECK(untouched == 7);
  FAILS(ctx, TSR_EALIGN, tsr_pack(ctx, &b, TSR_NONE, &packed));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_U8, TSR_SHAPE((tsr_index)bytes - 1), &packed.panels));
  FAILS(ctx, TSR_ESHAPE, tsr_pack(ctx, &b, TSR_NONE, &packed));
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&out);
  CHECK(test_live() == 0);
#else
  SKIP("no packing here");
#endif
}

/* ---- threads: the same bits ---- */

TEST(any_number_of_threads_gives_the_same_bits) {
#if TSR_HAVE_THREADS && !defined(TSR_EMULATED)
  static const tsr_index table[][4] = {{1, 200, 150, 300}, {1, 1, 700, 900},   {1, 900, 700, 1},   {40, 30, 20, 50},
                                       {3, 130, 90, 140},  {1, 20, 2500, 500}, {1, 150, 256, 256}, {1, 100, 256, 512}};
  static const int dtypes[] = {TSR_F32, TSR_BF16, TSR_I8};
  test_rng rng = {14};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(table) * COUNT_OF(dtypes); i++) {
    if (test_brief() && i % 3 != i / 3 % 3) continue; /* each size with one dtype */
    const tsr_index *const s = table[i / COUNT_OF(dtypes)];
    const tsr_index sa[3] = {s[0], s[1], s[2]}, sb[3] = {s[0], s[2], s[3]};
    operand a = make_operand(ctx, dtypes[i % COUNT_OF(dtypes)], 3, sa, ROWS_PLAIN, &rng);
    operand b = make_operand(ctx, dtypes[i % COUNT_OF(dtypes)], 3, sb, i % 2, &rng);
    tsr_tensor want = {0};
    ctx->parallel = tsr_parallel_serial();
    OK(ctx, tsr_matmul(ctx, &a.view, &b.view, &want));
    for (int threads = 2; threads <= 8; threads += test_every(3)) {
      tsr_tensor out = {0};
      tsr_threads *const pool = test_with_threads(ctx, threads);
      OK(ctx, tsr_matmul(ctx, &a.view, &b.view, &out));
      CHECK(test_same_elements(&out, &want));
      tsr_release(&out);
      tsr_threads_release(pool);
    }
    ctx->parallel = tsr_parallel_serial();
    tsr_release(&want);
    tsr_release(&a.owner);
    tsr_release(&b.owner);
  }
  CHECK(test_live() == 0);
#else
  SKIP("no threads here");
#endif
}

/* ---- scratch memory ---- */

#if TSR_HAVE_MALLOC
typedef struct gemm_call {
  const tsr_tensor *a, *b;
  const terms *options;
  tsr_tensor *out;
} gemm_call;

static tsr_status call_gemm(tsr_ctx *ctx, void *arg) {
  const gemm_call *const c = arg;
  return run_gemm(ctx, c->a, c->b, c->options, c->out);
}

#endif

TEST(scratch_is_enough_and_no_more_is_taken) {
#if TSR_HAVE_MALLOC
  static const tsr_index table[][3] = {{200, 150, 300}, {1, 700, 900}, {64, 64, 64},
                                       {20, 1500, 50},  {600, 30, 3},  {150, 256, 256}};
  static const int dtypes[] = {TSR_F32, TSR_BF16, TSR_I8, TSR_F16};
  test_rng rng = {15};
  for (int i = 0; i < COUNT_OF(table) * COUNT_OF(dtypes) * 3; i++) {
    tsr_ctx *const ctx = test_context();
    const tsr_index *const s = table[i % COUNT_OF(table)];
    const int dtype = dtypes[i / COUNT_OF(table) % COUNT_OF(dtypes)], how = i / COUNT_OF(table) / COUNT_OF(dtypes);
    const tsr_index sa[2] = {s[0], s[1]}, sb[2] = {s[1], s[2]}, so[2] = {s[0], s[2]};
    operand a = make_operand(ctx, dtype, 2, sa, i % 2, &rng), b = make_operand(ctx, dtype, 2, sb, i / 2 % 2, &rng);
    operand o = make_operand(ctx, dtype, 2, so, how == 2 ? ROWS_GAPS : ROWS_PLAIN, &rng);
    const terms options = {.beta = how == 1 ? 1 : 0};
    gemm_call call = {&a.view, &b.view, &options, &o.view};
    (void)test_scratch(ctx, call_gemm, &call);
    tsr_release(&a.owner);
    tsr_release(&b.owner);
    tsr_release(&o.owner);
  }
#else
  SKIP("takes none here");
#endif
}

/* ---- failures ---- */

/* Products that are made of others fail in their own name. */
TEST(products_of_vectors_name_themselves) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, v = {0}, u = {0}, out = {0}, given = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(4), &v));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2), &u));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(5), &given));
  FAILS(ctx, TSR_ESHAPE, tsr_dot(ctx, &v, &u, &out));
  MESSAGE_HAS(ctx, "dot: a [4] and b [2] do not fit");
  FAILS(ctx, TSR_ESHAPE, tsr_matvec(ctx, &a, &u, &out));
  MESSAGE_HAS(ctx, "matvec: a [3,4] and x [2] do not fit: 4 columns against 2 numbers");
  FAILS(ctx, TSR_ESHAPE, tsr_matvec(ctx, &a, &v, &given));
  MESSAGE_HAS(ctx, "matvec: out is f32 [5], the result is f32 [3]");
  FAILS(ctx, TSR_ESHAPE, tsr_outer(ctx, &v, &u, &given));
  MESSAGE_HAS(ctx, "outer: out is f32 [5], the result is f32 [4,2]");
  tsr_tensor *const all[] = {&a, &v, &u, &given};
  for (int i = 0; i < 4; i++) tsr_release(all[i]);
}

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, b = {0}, v = {0}, scalar = {0}, out = {0}, flags = {0}, c = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(5, 2), &b));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(4), &v));
  OK(ctx, tsr_ones(ctx, TSR_F32, TEST_SCALAR, &scalar));
  OK(ctx, tsr_ones(ctx, TSR_BOOL, TSR_SHAPE(4, 4), &flags));
  FAILS(ctx, TSR_ESHAPE, tsr_matmul(ctx, &a, &b, &out));
  MESSAGE_HAS(ctx, "matmul: a [3,4] and b [5,2] do not fit: 4 columns against 5 rows");
  FAILS(ctx, TSR_ESHAPE, tsr_matmul(ctx, &a, &scalar, &out));
  MESSAGE_HAS(ctx, "matmul: b has rank 0");
  FAILS(ctx, TSR_EDTYPE, tsr_matmul(ctx, &flags, &flags, &out));
  MESSAGE_HAS(ctx, "bool");
  FAILS(ctx, TSR_EARG, tsr_matmul(ctx, NULL, &b, &out));
  FAILS(ctx, TSR_EARG, tsr_matmul(ctx, &a, &v, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_matmul(ctx, &a, &out, &c));
  CHECK(tsr_is_none(&out));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 3), &c));
  FAILS(ctx, TSR_ESHAPE, tsr_matmul(ctx, &a, &v, &c));
  terms options = {.beta = 1};
  FAILS(ctx, TSR_ESTATE, run_gemm(ctx, &a, &v, &options, &out));
  MESSAGE_HAS(ctx, "gemm: out has no data, and beta asks for what it holds");
  options = (terms){.with.bias = &b};
  FAILS(ctx, TSR_ESHAPE, run_gemm(ctx, &a, &v, &options, &out));
  MESSAGE_HAS(ctx, "gemm: bias [5,2] does not broadcast to the result [3]");
  options = (terms){.with.dtype = TSR_I32};
  FAILS(ctx, TSR_EDTYPE, run_gemm(ctx, &a, &v, &options, &out));
  MESSAGE_HAS(ctx, "gemm: dtype is i32: f32 by f32 gives floats");
  options = (terms){.with.activation = {TSR_CLIP, 2, 1}};
  FAILS(ctx, TSR_EARG, run_gemm(ctx, &a, &v, &options, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_dot(ctx, &a, &v, &out));
  MESSAGE_HAS(ctx, "dot: a [3,4] is no vector");
  FAILS(ctx, TSR_ESHAPE, tsr_outer(ctx, &v, &a, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_matvec(ctx, &v, &v, &out));
  CHECK(tsr_is_none(&out));
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&v);
  tsr_release(&c);
  tsr_release(&scalar);
  tsr_release(&flags);
  CHECK(test_live() == 0);
}

TEST(integers_take_no_fractions) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_I16, TSR_SHAPE(3, 3), &a));
  terms options = {.alpha = (tsr_real)0.5};
  FAILS(ctx, TSR_EARG, run_gemm(ctx, &a, &a, &options, &out));
  MESSAGE_HAS(ctx, "gemm: alpha is 0.5: integers take 1 only");
  options = (terms){.with.activation = {TSR_SILU, 0, 0}};
  FAILS(ctx, TSR_EDTYPE, run_gemm(ctx, &a, &a, &options, &out));
  MESSAGE_HAS(ctx, "gemm: activation silu is not for i32");
  CHECK(tsr_is_none(&out));
  tsr_release(&a);
}

TEST(failing_memory_leaves_everything_as_it_was) {
#if TSR_HAVE_MALLOC
  test_rng rng = {16};
  tsr_ctx *const ctx = test_context();
  const tsr_index sa[2] = {150, 90}, sb[2] = {90, 130};
  operand a = make_operand(ctx, TSR_BF16, 2, sa, ROWS_PLAIN, &rng),
          b = make_operand(ctx, TSR_BF16, 2, sb, ROWS_TURNED, &rng);
  const size_t live = test_live();
  bool done = false;
  for (size_t after = 0; after < 10 && !done; after++) {
    tsr_tensor out = {0};
    tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
    test_failing()->fail_at = test_failing()->calls + after;
    tsr_status st = tsr_matmul(ctx, &a.view, &b.view, &out);
    if (st == TSR_OK) st = tsr_pack(ctx, &b.view, TSR_NONE, &packed);
    CHECK(st == TSR_OK || st == TSR_ENOMEM);
    done = st == TSR_OK;
    test_failing()->fail_at = SIZE_MAX;
    tsr_packed_release(&packed);
    tsr_release(&out);
    CHECK(test_live() == live);
  }
  CHECK(done);
  tsr_release(&a.owner);
  tsr_release(&b.owner);
#else
  SKIP("takes none here");
#endif
}

/* ---- vectors ---- */

TEST(dot_outer_matvec) {
  test_rng rng = {17};
  EACH_ISA(ctx) {
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (!is_real_number(dtype)) continue;
      RENEW(ctx);
      const tsr_index n[1] = {6}, m[1] = {4}, sm[3] = {2, 4, 6}, sx[2] = {2, 6};
      operand x = make_operand(ctx, dtype, 1, n, ROWS_GAPS, &rng),
              y = make_operand(ctx, dtype, 1, n, ROWS_BACKWARDS, &rng);
      operand z = make_operand(ctx, dtype, 1, m, ROWS_PLAIN, &rng),
              a = make_operand(ctx, dtype, 3, sm, ROWS_TURNED, &rng);
      operand xs = make_operand(ctx, dtype, 2, sx, ROWS_PLAIN, &rng);
      tsr_tensor out = {0}, given = {0};
      OK(ctx, tsr_dot(ctx, &x.view, &y.view, &out));
      expected_sum e = naive(&x.view, &y.view, 0, NULL, 0, 0);
      CHECK(out.ndim == 0 && matches(&out, out.data, &e, 6, dtype == TSR_F64 ? TSR_F64 : TSR_F32));
      tsr_release(&out);
      OK(ctx, tsr_outer(ctx, &z.view, &x.view, &out));
      CHECK(out.ndim == 2 && out.shape[0] == 4 && out.shape[1] == 6);
      tsr_release(&out);
      OK(ctx, tsr_matvec(ctx, &a.view, &xs.view, &out));
      CHECK(out.ndim == 2 && out.shape[0] == 2 && out.shape[1] == 4);
      for (tsr_index i = 0; i < 8; i++) {
        tsr_tensor one = {0}, vector = {0};
        const tsr_index at[2] = {i / 4, i % 4};
        OK(ctx, tsr_select(ctx, &a.view, 0, i / 4, &one));
        OK(ctx, tsr_select(ctx, &xs.view, 0, i / 4, &vector));
        e = naive(&one, &vector, 0, NULL, i % 4, 0);
        CHECK(matches(&out, test_at(&out, at), &e, 6, dtype == TSR_F64 ? TSR_F64 : TSR_F32));
      }
      OK(ctx, tsr_empty_like(ctx, &out, &given));
      OK(ctx, tsr_matvec(ctx, &a.view, &xs.view, &given));
      CHECK(test_same_elements(&out, &given));
      tsr_release(&out);
      tsr_release(&given);
      tsr_release(&x.owner);
      tsr_release(&y.owner);
      tsr_release(&z.owner);
      tsr_release(&a.owner);
      tsr_release(&xs.owner);
    }
    CHECK(test_live() == 0);
  }
}

TEST_MAIN(RUN(attributes_together), RUN(beta_zero_ignores_nan), RUN(bytes_give_i32),
          RUN(extremes_of_small_integers_are_exact), RUN(packed_weights_give_the_same_bits),
          RUN(packed_weights_without_rows), RUN(packed_weights_in_given_memory),
          RUN(any_number_of_threads_gives_the_same_bits), RUN(scratch_is_enough_and_no_more_is_taken),
          RUN(bad_calls_say_what_is_wrong), RUN(products_of_vectors_name_themselves), RUN(integers_take_no_fractions),
          RUN(failing_memory_leaves_everything_as_it_was), RUN(dot_outer_matvec))
