/* Packed filters, threads, scratch and memory that runs out. */
#include "nn/conv_reference.h"
#include "support/scratch.h"

static conv_case case_number(int i) {
  static const struct {
    tsr_index c, o, size, filter, stride, groups;
  } table[] = {{20, 30, 12, 3, 1, 1},  {3, 70, 17, 7, 2, 1},  {40, 90, 9, 1, 1, 1},   {24, 24, 19, 3, 1, 24},
               {18, 36, 20, 5, 2, 18}, {12, 18, 10, 3, 2, 3}, {17, 17, 40, 3, 2, 17}, {2, 5, 6, 4, 1, 1}};
  conv_case k = {.dtype = TSR_F32,
                 .rank = 4,
                 .n = 3,
                 .c = table[i / 2].c,
                 .h = table[i / 2].size,
                 .w = table[i / 2].size + 1,
                 .o = table[i / 2].o,
                 .kh = table[i / 2].filter,
                 .kw = table[i / 2].filter,
                 .bias = true};
  k.x_layout = i % 2 ? TSR_NHWC : TSR_NCHW;
  k.options = (tsr_conv_options){
      .stride = {table[i / 2].stride, table[i / 2].stride}, .groups = table[i / 2].groups, .padding = TSR_PADDING_SAME};
  return k;
}
enum { CASES = 16 };

static bool same_bits(const tsr_tensor *a, const tsr_tensor *b) { return test_same_elements(a, b); }

TEST(packed_filters_give_the_same_bits) {
  test_rng rng = {30};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops only");
  for (int i = 0; i < CASES; i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = case_number(i);
    tsr_conv_packed packed = {0}, given = {0};
    tsr_tensor out = {0}, again = {0};
    tsr_index count = 0;
    ref_setup(ctx, &rng, &k);
    OK(ctx, ref_run(ctx, &k));
    OK(ctx, tsr_conv_pack(ctx, &k.filters, &k.b, &k.options, &k.x, &packed));
    OK(ctx, tsr_conv2d_packed(ctx, &k.x, &packed, &out));
    CHECK(same_bits(&k.out, &out));
    OK(ctx, tsr_conv_pack_size(ctx, &k.filters, &k.options, &k.x, &count));
    CHECK(count == tsr_size(&packed.panels));
    OK(ctx, tsr_empty(ctx, TSR_F32, 1, &count, &given.panels));
    void *const data = given.panels.data;
    OK(ctx, tsr_conv_pack(ctx, &k.filters, &k.b, &k.options, &k.x, &given));
    CHECK(given.panels.data == data);
    OK(ctx, tsr_conv2d_packed(ctx, &k.x, &given, &again));
    CHECK(same_bits(&k.out, &again));
    tsr_conv_packed_release(&given);
    tsr_conv_packed_release(&packed);
    CHECK(tsr_is_none(&packed.panels));
    tsr_conv_packed_release(&packed);
    tsr_conv_packed_release(NULL);
    tsr_release(&out);
    tsr_release(&again);
    ref_release(&k);
    CHECK(test_live() == 0);
  }
}

/* Other batches and sizes than packed for, smaller floats, one axis. */
/* They are in files: an algorithm keeps its number, and does not take filters that another one packed, nor a shape that
 * it is never chosen for. */
TEST(packed_filters_keep_the_number_of_their_algorithm) {
  static const struct {
    int layout, number;
    tsr_index c, o, filter, groups;
  } table[] = {{TSR_NHWC, 1, 5, 6, 1, 1},   {TSR_NCHW, 2, 5, 6, 2, 1}, {TSR_NCHW, 3, 20, 20, 3, 1},
               {TSR_NHWC, 3, 20, 20, 3, 1}, {TSR_NHWC, 4, 9, 9, 3, 9}, {TSR_NCHW, 2, 1, 7, 2, 1}};
  test_rng rng = {31};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops only");
  for (int i = 0; i < COUNT_OF(table); i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = {.dtype = TSR_F32, .rank = 4, .n = 1, .c = table[i].c, .h = 8, .w = 8, .o = table[i].o};
    k.kh = k.kw = table[i].filter;
    k.x_layout = table[i].layout;
    k.options.groups = table[i].groups;
    tsr_conv_packed packed = {0};
    ref_setup(ctx, &rng, &k);
    OK(ctx, tsr_conv_pack(ctx, &k.filters, NULL, &k.options, &k.x, &packed));
    CHECK((packed.kernel & 15) == table[i].number);
    const int width = packed.kernel & ~15;
    for (int number = 0; number < 16; number++) {
      tsr_tensor out = {0};
      packed.kernel = (uint8_t)(width | number);
      if (number == table[i].number)
        OK(ctx, tsr_conv2d_packed(ctx, &k.x, &packed, &out));
      else
        FAILS(ctx, TSR_EARG, tsr_conv2d_packed(ctx, &k.x, &packed, &out));
      tsr_release(&out);
    }
    tsr_conv_packed_release(&packed);
    ref_release(&k);
    CHECK(test_live() == 0);
  }
}

TEST(packed_filters_take_any_size) {
  test_rng rng = {31};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops only");
  for (int i = 0; i < 24; i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = {.dtype = i % 3 == 0 ? TSR_BF16 : TSR_F32, .rank = i % 2 ? 4 : 3, .bias = i % 5 != 0};
    tsr_conv_packed packed = {0};
    tsr_tensor like = {0};
    k.x_layout = k.rank == 4 ? (i % 4 > 1 ? TSR_NHWC : TSR_NCHW) : i % 4 > 1 ? TSR_NLC : TSR_NCL;
    k.n = test_between(&rng, 1, 4);
    k.c = test_between(&rng, 16, 33);
    k.o = test_between(&rng, 16, 33);
    k.h = k.rank == 4 ? test_between(&rng, 3, 9) : 1;
    k.w = test_between(&rng, 3, 9);
    k.kh = k.rank == 4 ? 3 : 1;
    k.kw = 3;
    k.options.padding = TSR_PADDING_SAME;
    ref_setup(ctx, &rng, &k);
    OK(ctx, tsr_view(ctx, &k.x, &like));
    like.data = NULL; /* described only */
    like.shape[0] = 1;
    OK(ctx, tsr_conv_pack(ctx, &k.filters, k.bias ? &k.b : NULL, &k.options, &like, &packed));
    OK(ctx, (k.rank == 4 ? tsr_conv2d_packed : tsr_conv1d_packed)(ctx, &k.x, &packed, &k.out));
    CHECK(ref_check(&k, 4e-6));
    tsr_conv_packed_release(&packed);
    ref_release(&k);
  }
}

TEST(threads_do_not_change_a_bit) {
  test_rng rng = {32};
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < CASES; i++) {
      tsr_ctx *const ctx = test_context();
      conv_case k = case_number(i);
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      ctx->parallel = tsr_parallel_serial();
      ref_setup(ctx, &rng, &k);
      OK(ctx, ref_run(ctx, &k));
      for (int threads = 2; threads <= 8; threads++) {
        tsr_tensor out = {0};
        tsr_threads *const pool = test_with_threads(ctx, threads);
        OK(ctx, tsr_conv2d(ctx, &k.x, &k.filters, &k.b, &k.options, &out));
        CHECK(same_bits(&k.out, &out));
        tsr_release(&out);
        tsr_threads_release(pool);
      }
      ref_release(&k);
    }
}

static tsr_status call_conv(tsr_ctx *ctx, void *arg) { return ref_run(ctx, arg); }

typedef struct packed_call {
  const conv_case *k;
  const tsr_conv_packed *packed;
  tsr_tensor out;
} packed_call;

static tsr_status call_packed(tsr_ctx *ctx, void *arg) {
  packed_call *const c = arg;
  return tsr_conv2d_packed(ctx, &c->k->x, c->packed, &c->out);
}

TEST(scratch_of_the_promised_size_is_enough_and_one_byte_less_is_not) {
  test_rng rng = {33};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops take none");
  for (int i = 0; i < CASES; i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = case_number(i);
    tsr_conv_packed packed = {0};
    ctx->parallel = tsr_parallel_serial();
    ref_setup(ctx, &rng, &k);
    OK(ctx, tsr_conv_pack(ctx, &k.filters, &k.b, &k.options, &k.x, &packed));
    OK(ctx, ref_run(ctx, &k));
    const size_t bytes = test_scratch(ctx, call_conv, &k);
    CHECK(ref_check(&k, 4e-6));
    const size_t less = test_scratch(ctx, call_packed, &(packed_call){&k, &packed, k.out});
    CHECK(less < bytes && ref_check(&k, 4e-6));
    tsr_conv_packed_release(&packed);
    ref_release(&k);
  }
}

TEST(memory_that_runs_out_changes_nothing) {
  test_rng rng = {34};
  for (int i = 0; i < CASES; i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = case_number(i);
    if (!TSR_HAVE_MALLOC) {
      k.n = 1;
      k.c = k.o = k.options.groups > 1 ? 4 : 2;
      k.options.groups = k.options.groups > 1 ? 4 : 1;
      k.h = k.w = 5;
    }
    ref_setup(ctx, &rng, &k);
    const size_t live = test_live();
    int failed = 0;
    for (;;) {
      tsr_failing *const failing = test_failing();
      failing->fail_at = failing->calls + (size_t)failed;
      const tsr_status st = ref_run(ctx, &k);
      failing->fail_at = SIZE_MAX;
      if (st == TSR_OK) break;
      CHECK(st == TSR_ENOMEM);
      CHECK(tsr_is_none(&k.out) && test_live() == live);
      if (++failed > 10) break;
    }
    CHECK(failed >= 1 && failed <= 10);
    tsr_conv_packed packed = {0};
    for (failed = 0; failed < 10 && TSR_HAVE_MALLOC; failed++) {
      tsr_failing *const failing = test_failing();
      failing->fail_at = failing->calls + (size_t)failed;
      const tsr_status st = tsr_conv_pack(ctx, &k.filters, &k.b, &k.options, &k.x, &packed);
      failing->fail_at = SIZE_MAX;
      if (st == TSR_OK) break;
      CHECK(st == TSR_ENOMEM && tsr_is_none(&packed.panels) && packed.rank == 0);
    }
    CHECK(failed < 10);
    tsr_conv_packed_release(&packed);
    ref_release(&k);
    CHECK(test_live() == 0);
  }
}

TEST_MAIN(RUN(packed_filters_give_the_same_bits), RUN(packed_filters_keep_the_number_of_their_algorithm),
          RUN(packed_filters_take_any_size), RUN(threads_do_not_change_a_bit),
          RUN(scratch_of_the_promised_size_is_enough_and_one_byte_less_is_not),
          RUN(memory_that_runs_out_changes_nothing))
