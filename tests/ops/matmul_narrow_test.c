/* f32 by narrower weights: against naive sums and against the bits of the same weights as f32, whichever way they lie; packed;
 * every number of each dtype; scales of columns. */
#include "support/scratch.h"
#include "support/test.h"

#include "ops/matmul_reference.h"

#define EACH_ISA(ctx)                                            \
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)            \
    for (tsr_ctx *ctx = test_context(); ctx != NULL; ctx = NULL) \
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) == TSR_OK)

static const int narrow[] = {TSR_BF16, TSR_F16, TSR_I8};

#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS

/* The same numbers as f32, lying the same way. */
static operand widened(tsr_ctx *ctx, const operand *w, int lie, int ndim, const tsr_index *shape, test_rng *rng) {
  operand o = make_operand(ctx, TSR_F32, ndim, shape, lie, rng);
  if (tsr_copy(ctx, &w->owner, &o.owner) != TSR_OK) __builtin_trap();
  return o;
}

static bool is_right(const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *out) {
  tsr_index at[TSR_MAX_DIMS] = {0};
  if (tsr_size(out) == 0) return true;
  do {
    const int n = out->ndim;
    const expected_sum e = naive(a, b, n - 2, at, at[n - 2], at[n - 1]);
    if (!matches(out, test_at(out, at), &e, a->shape[a->ndim - 1], TSR_F32)) return false;
  } while (test_next_index(out->ndim, out->shape, at));
  return true;
}

/* Weights on either side. */
static void check_pair(tsr_ctx *ctx, int dtype, tsr_index m, tsr_index k, tsr_index n, int lie, bool left, bool sums,
                       test_rng *rng) {
  const tsr_index sa[2] = {m, k}, sb[2] = {k, n};
  const tsr_index *const sx = left ? sb : sa, *const sw = left ? sa : sb;
  operand x = make_operand(ctx, TSR_F32, 2, sx, (int)(m + n) % 3, rng), w = make_operand(ctx, dtype, 2, sw, lie, rng);
  operand wide = widened(ctx, &w, lie, 2, sw, rng);
  tsr_tensor out = {0}, want = {0};
  OK(ctx, tsr_matmul(ctx, left ? &w.view : &x.view, left ? &x.view : &w.view, &out));
  OK(ctx, tsr_matmul(ctx, left ? &wide.view : &x.view, left ? &x.view : &wide.view, &want));
  const bool same = out.dtype == TSR_F32 && test_same_elements(&out, &want);
  CHECK(same);
  const bool right = !sums || is_right(left ? &w.view : &x.view, left ? &x.view : &w.view, &out);
  CHECK(right);
  if (!same || !right)
    printf("  %s [%d,%d] by [%d,%d], lying %d, %s, %s: %s\n", tsr_dtype_name(dtype), (int)m, (int)k, (int)k, (int)n,
           lie, left ? "left" : "right", tsr_isa_name(ctx->isa - 1), right ? "other bits" : "wrong");
  tsr_release(&out), tsr_release(&want);
  tsr_release(&x.owner), tsr_release(&w.owner), tsr_release(&wide.owner);
}

#endif

TEST(every_way_to_lie_gives_the_bits_of_f32) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  static const tsr_index sizes[][3] = {{1, 37, 70}, {2, 37, 131}, {3, 9, 300}, {5, 40, 33}, {13, 70, 65},
                                       {70, 33, 3}, {70, 20, 1},  {1, 1, 40},  {1, 0, 5},   {130, 25, 40}};
  test_rng rng = {21};
  EACH_ISA(ctx) {
    for (int d = 0; d < COUNT_OF(narrow); d++)
      for (int i = 0; i < COUNT_OF(sizes); i++)
        for (int lie = 0; lie < LIES; lie++)
          if ((d + i + lie) % test_every(3) == 0)
            for (int left = 0; left < 2; left++)
              check_pair(ctx, narrow[d], sizes[i][0], sizes[i][1], sizes[i][2], lie, left == 1, true, &rng);
    CHECK(test_live() == 0);
  }
#else
  SKIP("no such dtypes, or plain loops");
#endif
}

TEST(several_blocks_and_threads) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS && !defined(TSR_EMULATED)
  static const tsr_index sizes[][3] = {{1, 1300, 900},  {2, 2500, 600}, {3, 1100, 1200}, {40, 1300, 700},
                                       {300, 70, 1100}, {900, 700, 2},  {700, 1500, 1}};
  test_rng rng = {22};
  for (int threads = 1; threads <= (TSR_HAVE_THREADS ? 3 : 1); threads += 2) {
    tsr_threads *pool = NULL;
    REQUIRE(tsr_threads_new(threads, &pool) == TSR_OK);
    EACH_ISA(ctx) {
      ctx->parallel = tsr_threads_parallel(pool);
      for (int i = 0; i < COUNT_OF(sizes); i++)
        for (int lie = 0; lie < 3; lie++)
          check_pair(ctx, narrow[(i + lie) % 3], sizes[i][0], sizes[i][1], sizes[i][2], lie, i > 4, false, &rng);
      ctx->parallel = tsr_parallel_default();
      CHECK(test_live() == 0);
    }
    tsr_threads_release(pool);
  }
#else
  SKIP("too much for this target");
#endif
}

TEST(batches) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  test_rng rng = {23};
  EACH_ISA(ctx) {
    for (int d = 0; d < COUNT_OF(narrow); d++)
      for (int shared = 0; shared < 2; shared++) {
        const tsr_index sx[3] = {3, 4, 20}, sw[3] = {3, 20, 45};
        operand x = make_operand(ctx, TSR_F32, 3, sx, ROWS_PLAIN, &rng);
        operand w = make_operand(ctx, narrow[d], 3 - shared, sw + shared, d % 2, &rng);
        tsr_tensor out = {0};
        OK(ctx, tsr_matmul(ctx, &x.view, &w.view, &out));
        CHECK(out.ndim == 3 && is_right(&x.view, &w.view, &out));
        tsr_release(&out), tsr_release(&x.owner), tsr_release(&w.owner);
      }
    CHECK(test_live() == 0);
  }
#else
  SKIP("no such dtypes, or plain loops");
#endif
}

/* 1 by every number there is, as a row and as a column, for each way that numbers are read. */
TEST(every_number_becomes_itself) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  EACH_ISA(ctx) {
    for (int d = 0; d < COUNT_OF(narrow); d++)
      for (int how = 0; how < 4; how++) { /* a dot each; columns added up; a tile of two rows; panels */
        const tsr_index count = narrow[d] == TSR_I8 ? 256 : 65536;
        tsr_tensor all = {0}, x = {0}, want = {0}, out = {0}, seen = {0};
        tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
        OK(ctx, tsr_empty(ctx, narrow[d], TSR_SHAPE(1, count), &all));
        for (tsr_index i = 0; i < count; i++) {
          const uint16_t bits = (uint16_t)i;
          if (narrow[d] == TSR_I8)
            ((int8_t *)all.data)[i] = (int8_t)(i - 128);
          else
            memcpy((char *)all.data + 2 * i, &bits, 2);
        }
        OK(ctx, tsr_cast(ctx, &all, TSR_F32, &want));
        OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(how < 2 ? 1 : 2, 1), &x));
        OK(ctx, tsr_transpose(ctx, &all, 0, 1, &seen));
        if (how == 3) OK(ctx, tsr_pack(ctx, &all, TSR_F32, &packed));
        if (how == 0) OK(ctx, tsr_matmul(ctx, &seen, &x, &out));
        if (how == 1 || how == 2) OK(ctx, tsr_matmul(ctx, &x, &all, &out));
        if (how == 3) OK(ctx, tsr_matmul_packed(ctx, &x, &packed, NULL, &out));
        int wrong = 0;
        for (tsr_index i = 0; i < count && tsr_size(&out) >= count; i++) {
          const float got = ((const float *)out.data)[i], is = ((const float *)want.data)[i];
          wrong += isnan(is) ? !isnan(got) : got != is;
        }
        CHECK(wrong == 0 && tsr_size(&out) >= count);
        tsr_packed_release(&packed);
        tsr_release(&all), tsr_release(&x), tsr_release(&want), tsr_release(&out);
      }
    CHECK(test_live() == 0);
  }
#else
  SKIP("no such dtypes, or plain loops");
#endif
}

TEST(packed_weights_are_narrow_and_give_the_bits_of_f32) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  static const tsr_index sizes[][3] = {{1, 40, 300}, {2, 1100, 140}, {3, 30, 257},
                                       {4, 9, 64},   {14, 2100, 40}, {50, 31, 33}};
  test_rng rng = {24};
  EACH_ISA(ctx) {
    for (int d = 0; d < COUNT_OF(narrow); d++)
      for (int i = 0; i < COUNT_OF(sizes); i++)
        for (int lie = i % test_every(2); lie < LIES; lie += test_every(2)) {
          const tsr_index sx[2] = {sizes[i][0], sizes[i][1]}, sw[2] = {sizes[i][1], sizes[i][2]};
          operand x = make_operand(ctx, TSR_F32, 2, sx, i % 2, &rng),
                  w = make_operand(ctx, narrow[d], 2, sw, lie, &rng);
          operand wide = widened(ctx, &w, lie, 2, sw, &rng);
          tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0}, of_f32 = {{0}, 0, 0, 0, 0, 0, 0};
          tsr_tensor out = {0}, want = {0}, once = {0};
          OK(ctx, tsr_pack(ctx, &w.view, TSR_F32, &packed));
          OK(ctx, tsr_pack(ctx, &wide.view, TSR_F32, &of_f32));
          CHECK((size_t)tsr_size(&packed.panels) * 4 == (size_t)tsr_size(&of_f32.panels) * tsr_dtype_size(narrow[d]));
          OK(ctx, tsr_matmul_packed(ctx, &x.view, &packed, NULL, &out));
          OK(ctx, tsr_matmul_packed(ctx, &x.view, &of_f32, NULL, &want));
          OK(ctx, tsr_matmul(ctx, &x.view, &w.view, &once));
          CHECK(test_same_elements(&out, &want));
          CHECK(is_right(&x.view, &w.view, &out) && is_right(&x.view, &w.view, &once));
          OK(ctx, tsr_gemm_packed(ctx, 1, &x.view, &packed, 1, &out, NULL, &out)); /* added to what is there */
          OK(ctx, tsr_gemm_packed(ctx, 1, &x.view, &of_f32, 1, &want, NULL, &want));
          CHECK(test_same_elements(&out, &want));
          tsr_packed wrong = packed;
          wrong.kernel = of_f32.kernel;
          FAILS(ctx, TSR_ESTATE, tsr_matmul_packed(ctx, &x.view, &wrong, NULL, &once));
          tsr_packed_release(&packed), tsr_packed_release(&of_f32);
          tsr_release(&out), tsr_release(&want), tsr_release(&once);
          tsr_release(&x.owner), tsr_release(&w.owner), tsr_release(&wide.owner);
        }
    CHECK(test_live() == 0);
  }
#else
  SKIP("no such dtypes, or no packing");
#endif
}

#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS

/* Scales of columns, of rows, one for all, one for each; f16 and f64, f32 by every narrow dtype and by f32. */
static void check_scale(tsr_ctx *ctx, int dtype, tsr_index m, tsr_index n, int form, int scale_dtype, bool packs,
                        test_rng *rng) {
  enum { K = 21 };
  const tsr_index sx[2] = {m, K}, sw[2] = {K, n},
                  shape[2] = {form == 1 || form == 3 ? m : 1, form == 1   ? 1
                                                              : form == 2 ? 1
                                                                          : n};
  operand x = make_operand(ctx, TSR_F32, 2, sx, ROWS_PLAIN, rng), w = make_operand(ctx, dtype, 2, sw, form % 2, rng);
  tsr_tensor scale = {0}, bias = {0}, c = {0}, out = {0};
  tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
  const int skip = form == 0; /* [n] */
  OK(ctx, tsr_empty(ctx, scale_dtype, 2 - skip, shape + skip, &scale));
  OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(n), &bias));
  OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(m, n), &c));
  fill_random(&scale, rng), fill_random(&bias, rng), fill_random(&c, rng);
  const tsr_gemm_options options = {.bias = &bias, .scale = &scale, .activation = {.kind = TSR_RELU}};
  if (packs) {
    OK(ctx, tsr_pack(ctx, &w.view, TSR_F32, &packed));
    OK(ctx, tsr_gemm_packed(ctx, 2, &x.view, &packed, 3, &c, &options, &out));
  } else {
    OK(ctx, tsr_gemm(ctx, 2, &x.view, &w.view, 3, &c, &options, &out));
  }
  int wrong = 0;
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) {
      const tsr_index at[2] = {i, j}, in[2] = {shape[0] == 1 ? 0 : i, shape[1] == 1 ? 0 : j};
      const expected_sum e = naive(&x.view, &w.view, 0, NULL, i, j);
      const double by = number_of(scale_dtype, test_at(&scale, in + skip));
      const double add = 3 * number_of(TSR_F32, test_at(&c, at)) + number_of(TSR_F32, test_at(&bias, &j));
      const double want = by * 2 * e.sum + add, got = number_of(TSR_F32, test_at(&out, at));
      const double bound = 0x1p-23 * ((K + 4) * 2 * fabs(by) * e.size + 3 * fabs(add) + 3);
      wrong += !(fabs(got - (want > 0 ? want : 0)) <= bound);
    }
  CHECK(wrong == 0);
  if (wrong != 0)
    printf("  %d wrong: %s, [%d,%d], form %d of %s, %s, %s\n", wrong, tsr_dtype_name(dtype), (int)m, (int)n, form,
           tsr_dtype_name(scale_dtype), packs ? "packed" : "plain", tsr_isa_name(ctx->isa - 1));
  tsr_packed_release(&packed);
  tsr_release(&x.owner), tsr_release(&w.owner);
  tsr_release(&scale), tsr_release(&bias), tsr_release(&c), tsr_release(&out);
}

#endif

TEST(scales_multiply_sums) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  static const int dtypes[] = {TSR_I8, TSR_BF16, TSR_F16, TSR_F32}, of[] = {TSR_F32, TSR_F16, TSR_F64};
  static const tsr_index sizes[][2] = {{1, 70}, {9, 1}, {5, 40}, {40, 130}, {60, 3}};
  test_rng rng = {25};
  EACH_ISA(ctx) {
    for (int i = 0; i < COUNT_OF(sizes); i++)
      for (int d = 0; d < COUNT_OF(dtypes); d++)
        for (int form = 0; form < 4; form++)
          for (int packs = 0; packs < 2; packs++)
            check_scale(ctx, dtypes[d], sizes[i][0], sizes[i][1], form, of[(i + d + form) % 3], packs == 1, &rng);
    CHECK(test_live() == 0);
  }
#else
  SKIP("no scales here");
#endif
}

TEST(scales_in_the_output_and_of_batches) {
#if TSR_HAVE_MALLOC
  test_rng rng = {26};
  EACH_ISA(ctx) {
    const tsr_index sx[3] = {3, 4, 5}, sw[3] = {3, 5, 6}, ss[3] = {3, 1, 6};
    operand x = make_operand(ctx, TSR_F32, 3, sx, ROWS_PLAIN, &rng),
            w = make_operand(ctx, TSR_F32, 3, sw, ROWS_TURNED, &rng);
    tsr_tensor plain = {0}, want = {0}, out = {0}, scale = {0}, row = {0};
    OK(ctx, tsr_empty(ctx, TSR_F32, 3, ss, &scale));
    fill_random(&scale, &rng);
    OK(ctx, tsr_matmul(ctx, &x.view, &w.view, &plain));
    OK(ctx, tsr_mul(ctx, &plain, &scale, &want));
    OK(ctx, tsr_gemm(ctx, 1, &x.view, &w.view, 0, NULL, &(tsr_gemm_options){.scale = &scale}, &out));
    CHECK(test_same_elements(&out, &want));
    OK(ctx, tsr_slice(ctx, &out, 1, 0, 1, 1, &row)); /* a part of the output, as it was before */
    OK(ctx, tsr_mul(ctx, &plain, &row, &want));
    OK(ctx, tsr_gemm(ctx, 1, &x.view, &w.view, 0, NULL, &(tsr_gemm_options){.scale = &row}, &out));
    CHECK(test_same_elements(&out, &want));
    tsr_release(&x.owner), tsr_release(&w.owner);
    tsr_release(&plain), tsr_release(&want), tsr_release(&out), tsr_release(&scale);
    CHECK(test_live() == 0);
  }
#else
  SKIP("no scales here");
#endif
}

TEST(dense_layers_take_narrow_weights) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  test_rng rng = {27};
  EACH_ISA(ctx) {
    for (int d = 0; d < COUNT_OF(narrow); d++)
      for (tsr_index m = 1; m <= 20; m += 6) {
        const tsr_index sx[2] = {m, 50}, sw[2] = {70, 50};
        operand x = make_operand(ctx, TSR_F32, 2, sx, ROWS_PLAIN, &rng);
        operand w = make_operand(ctx, narrow[d], 2, sw, ROWS_PLAIN, &rng);
        operand wide = widened(ctx, &w, ROWS_PLAIN, 2, sw, &rng);
        tsr_tensor bias = {0}, out = {0}, want = {0};
        OK(ctx, tsr_linspace(ctx, TSR_F32, -1, 1, 70, &bias));
        OK(ctx, tsr_dense(ctx, &x.view, &w.view, &bias, NULL, &out));
        OK(ctx, tsr_dense(ctx, &x.view, &wide.view, &bias, NULL, &want));
        CHECK(test_same_elements(&out, &want));
        tsr_release(&x.owner), tsr_release(&w.owner), tsr_release(&wide.owner);
        tsr_release(&bias), tsr_release(&out), tsr_release(&want);
      }
    CHECK(test_live() == 0);
  }
#else
  SKIP("no such dtypes, or plain loops");
#endif
}

TEST(bad_calls) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, w = {0}, half = {0}, bytes = {0}, three = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(4, 4), &x));
  OK(ctx, tsr_ones(ctx, TSR_I8, TSR_SHAPE(4, 4), &w));
  OK(ctx, tsr_ones(ctx, TSR_F16, TSR_SHAPE(4, 4), &half));
  OK(ctx, tsr_ones(ctx, TSR_U8, TSR_SHAPE(4, 4), &bytes));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3), &three));
  FAILS(ctx, TSR_EDTYPE, tsr_gemm(ctx, 1, &w, &w, 0, NULL, &(tsr_gemm_options){.scale = &x}, &out));
  MESSAGE_HAS(ctx, "gemm: scale takes products of floats, and the result is i8");
  FAILS(ctx, TSR_ESHAPE, tsr_gemm(ctx, 1, &x, &w, 0, NULL, &(tsr_gemm_options){.scale = &three}, &out));
  MESSAGE_HAS(ctx, "gemm: scale [3] does not broadcast to the result [4,4]");
  FAILS(ctx, TSR_EDTYPE, tsr_dense(ctx, &half, &w, NULL, NULL, &out));
  MESSAGE_HAS(ctx, "dense: w is i8 [4,4], x is f16 [4,4]: they have one dtype, or f32 takes f16, bf16 or i8");
  FAILS(ctx, TSR_EDTYPE, tsr_dense(ctx, &x, &bytes, NULL, NULL, &out));
  CHECK(tsr_is_none(&out));
  tsr_release(&x), tsr_release(&w), tsr_release(&half), tsr_release(&bytes), tsr_release(&three);
  CHECK(test_live() == 0);
#else
  SKIP("no scales here");
#endif
}

#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
typedef struct one_call {
  const tsr_tensor *x, *w;
  tsr_tensor *out;
} one_call;
static tsr_status call_one(tsr_ctx *ctx, void *arg) {
  const one_call *const c = arg;
  return tsr_matmul(ctx, c->x, c->w, c->out);
}
#endif

TEST(scratch_is_what_was_asked_for_and_memory_may_fail) {
#if TSR_HAVE_MALLOC && TSR_HAVE_SMALL_FLOATS
  static const tsr_index sizes[][3] = {{1, 300, 200}, {2, 300, 200}, {40, 90, 130}, {130, 90, 5}};
  test_rng rng = {28};
  for (int i = 0; i < COUNT_OF(sizes) * COUNT_OF(narrow) * 3; i++) {
    tsr_ctx *const ctx = test_context();
    const tsr_index *const s = sizes[i % COUNT_OF(sizes)];
    const int dtype = narrow[i / COUNT_OF(sizes) % COUNT_OF(narrow)];
    const bool left = s[2] == 5;
    operand x = make_operand(ctx, left ? dtype : TSR_F32, 2, s, ROWS_PLAIN, &rng),
            w = make_operand(ctx, left ? TSR_F32 : dtype, 2, s + 1, i % LIES, &rng);
    const tsr_index so[2] = {s[0], s[2]};
    operand o = make_operand(ctx, TSR_F32, 2, so, i % 3 == 2 ? ROWS_GAPS : ROWS_PLAIN, &rng);
    one_call call = {&x.view, &w.view, &o.view};
    (void)test_scratch(ctx, call_one, &call);
    const size_t live = test_live();
    for (size_t after = 0, done = 0; after < 10 && !done; after++) {
      tsr_packed packed = {{0}, 0, 0, 0, 0, 0, 0};
      tsr_tensor out = {0};
      test_failing()->fail_at = test_failing()->calls + after;
      tsr_status st = tsr_pack(ctx, &w.view, left ? TSR_NONE : TSR_F32, &packed);
      if (st == TSR_OK) st = tsr_matmul(ctx, &x.view, &w.view, &out);
      CHECK(st == TSR_OK || st == TSR_ENOMEM);
      done = st == TSR_OK;
      test_failing()->fail_at = SIZE_MAX;
      tsr_packed_release(&packed), tsr_release(&out);
      CHECK(test_live() == live);
    }
    tsr_release(&x.owner), tsr_release(&w.owner), tsr_release(&o.owner);
  }
#else
  SKIP("takes none here");
#endif
}

TEST_MAIN(RUN(every_way_to_lie_gives_the_bits_of_f32), RUN(several_blocks_and_threads), RUN(batches),
          RUN(every_number_becomes_itself), RUN(packed_weights_are_narrow_and_give_the_bits_of_f32),
          RUN(scales_multiply_sums), RUN(scales_in_the_output_and_of_batches), RUN(dense_layers_take_narrow_weights),
          RUN(bad_calls), RUN(scratch_is_what_was_asked_for_and_memory_may_fail))
