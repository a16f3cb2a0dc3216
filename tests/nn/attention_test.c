/* Attention against the definition: random shapes, masks, groups and attributes, every float, instruction set and way
 * to lie; threads, scratch, edges. */
#include "nn/attention_reference.h"
#include "support/scratch.h"

#if TSR_HAVE_MALLOC
enum { CASES = 600, MOST_T = 80, MOST_S = 150, MOST_D = 40 };
#else
enum { CASES = 60, MOST_T = 5, MOST_S = 7, MOST_D = 6 };
#endif

static int random_float(test_rng *rng) {
  for (;;) {
    const int dtype = (int)test_between(rng, 1, TSR_DTYPE_COUNT - 1);
    if (tsr_dtype_supported(dtype) && tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT) return dtype;
  }
}

static lying random_lying(test_rng *rng, int count) {
  return test_random(rng) % 2 ? DENSE : (lying)(test_random(rng) % (uint32_t)count);
}

static void random_mask(test_rng *rng, attention_case *c) {
  const tsr_index whole[4] = {c->b, c->h, c->t, c->s};
  c->mask_dtype = test_random(rng) % 2 ? TSR_BOOL : test_random(rng) % 2 ? TSR_F32 : random_float(rng);
  c->mask_rank = (int)test_between(rng, 1, c->rank);
  for (int i = 0; i < 4; i++) c->mask_shape[i] = i < 4 - c->mask_rank || test_random(rng) % 3 == 0 ? 1 : whole[i];
}

static attention_case random_case(test_rng *rng) {
  attention_case c = {.dtype = test_random(rng) % 2 ? TSR_F32 : random_float(rng),
                      .rank = (int)test_between(rng, 2, 4)};
  const bool large = test_random(rng) % 8 == 0;
  c.b = c.rank == 4 ? test_between(rng, 1, 2) : 1;
  c.hkv = c.rank >= 3 ? test_between(rng, 1, 2) : 1;
  c.h = c.rank >= 3 ? c.hkv * test_between(rng, 1, 3) : 1;
  c.t = test_between(rng, 0, large ? MOST_T : MOST_T / 5);
  c.s = test_between(rng, 0, large ? MOST_S : MOST_S / 5);
  c.d = test_between(rng, 0, large ? MOST_D : MOST_D / 3);
  c.dv = test_between(rng, 0, large ? MOST_D : MOST_D / 3);
  for (int i = 0; i < 5; i++) c.lies[i] = random_lying(rng, i < 4 ? LYINGS : REPEATED);
  if (test_random(rng) % 2) random_mask(rng, &c);
  c.options.causal = test_random(rng) % 3 == 0;
  if (c.options.causal && test_random(rng) % 2) c.options.causal_offset = test_between(rng, -c.t - 1, c.s + 1);
  if (test_random(rng) % 3 == 0) c.options.scale = (tsr_real)test_between(rng, -6, 12) / 4;
  return c;
}

static void set_random_isa(tsr_ctx *ctx, test_rng *rng) {
  int isas = 0;
  while (tsr_isa_name(isas) != NULL) isas++;
  OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name((int)(test_random(rng) % (uint32_t)isas))));
}

static void run_case(tsr_ctx *ctx, test_rng *rng, attention_case *c) {
  const int before = test_now.failures;
  att_setup(ctx, rng, c);
  OK(ctx, att_run(ctx, c));
  if (test_now.failures == before) CHECK(att_check(c));
  if (test_now.failures != before) att_print(c);
  att_release(c);
  CHECK(test_live() == 0);
}

TEST(random_attentions_are_what_the_definition_says) {
  test_rng rng = {40};
  for (int i = 0; i < CASES && test_now.failures < 10; i++) {
    tsr_ctx *const ctx = test_context();
    attention_case c = random_case(&rng);
    set_random_isa(ctx, &rng);
    run_case(ctx, &rng, &c);
  }
}

/* More keys than a block has, so that sums are scaled on the way, and more columns than a tile. */
TEST(many_keys) {
  test_rng rng = {41};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops only");
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int way = test_brief() ? isa % 2 : 0; way < 6; way += test_every(2)) {
      tsr_ctx *const ctx = test_context();
      attention_case c = {.dtype = way == 5 ? TSR_F64 : TSR_F32,
                          .rank = 4,
                          .b = 1,
                          .h = 2,
                          .hkv = way % 2 ? 1 : 2,
                          .t = 70,
                          .s = 1100,
                          .d = 70,
                          .dv = 100,
                          .options = {.scale = (tsr_real)1.5, .causal = way % 3 == 1}};
      if (c.options.causal) c.options.causal_offset = c.s - c.t;
      if (way % 3 == 2) {
        c.mask_dtype = way == 2 ? TSR_BOOL : TSR_F32;
        c.mask_rank = 2;
        c.mask_shape[0] = c.mask_shape[1] = 1;
        c.mask_shape[2] = c.t;
        c.mask_shape[3] = c.s;
      }
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      run_case(ctx, &rng, &c);
    }
}

/* Few queries at the end of a long cache: any number of them to a head of k and v, more keys than are weighed at once
 * and than one part has, columns that fill no vector. */
static attention_case random_decode(test_rng *rng) {
  attention_case c = {.dtype = test_random(rng) % 2 ? TSR_F32 : random_float(rng), .rank = 4, .b = 1};
  c.hkv = test_between(rng, 1, 2);
  c.h = c.hkv * test_between(rng, 1, 5);
  c.t = test_random(rng) % 2 ? 1 : test_between(rng, 2, 9);
  c.s = test_random(rng) % 4 == 0 ? test_between(rng, 500, 1100) : test_between(rng, 1, 90);
  c.d = test_between(rng, 1, c.s > 100 ? 20 : 140);
  c.dv = test_between(rng, 1, c.s > 100 ? 20 : 140);
  for (int i = 0; i < 5; i++) c.lies[i] = random_lying(rng, i < 4 ? LYINGS : REPEATED);
  if (test_random(rng) % 2) random_mask(rng, &c);
  c.options.causal = test_random(rng) % 2;
  if (c.options.causal) c.options.causal_offset = test_random(rng) % 2 ? c.s - c.t : test_between(rng, -c.t, c.s);
  if (test_random(rng) % 3 == 0) c.options.scale = (tsr_real)test_between(rng, -6, 12) / 4;
  return c;
}

TEST(few_queries_and_many_keys) {
  test_rng rng = {42};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops only");
  for (int i = 0; i < 40 && test_now.failures < 10; i++) {
    tsr_ctx *const ctx = test_context();
    attention_case c = random_decode(&rng);
    set_random_isa(ctx, &rng);
    run_case(ctx, &rng, &c);
  }
}

/* ---- the same bits ---- */

TEST(any_number_of_threads_gives_the_same_bits) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  for (int way = 0; way < 4; way++) {
    const tsr_index t = way == 3 ? 2 : 150, s = way == 3 ? 1100 : 300; /* few queries: keys are cut into parts */
    tsr_tensor first = {0};
    for (int threads = 1; threads <= 8; threads += test_every(3)) {
      tsr_ctx *const ctx = test_context();
      test_rng rng = {50};
      attention_case c = {.dtype = TSR_F32,
                          .rank = 4,
                          .b = 2,
                          .h = 4,
                          .hkv = 2,
                          .t = t,
                          .s = s,
                          .d = 33,
                          .dv = 20,
                          .options = {.causal = way == 1},
                          .mask_dtype = way == 2 ? TSR_BOOL : 0,
                          .mask_rank = 4,
                          .mask_shape = {2, 4, 150, 300}};
      tsr_threads *const pool = test_with_threads(ctx, threads);
      att_setup(ctx, &rng, &c);
      OK(ctx, att_run(ctx, &c));
      if (threads == 1) OK(NULL, tsr_clone(NULL, &c.out, &first));
      CHECK(test_same_elements(&first, &c.out));
      att_release(&c);
      tsr_threads_release(pool);
    }
    tsr_release(&first);
  }
}

/* A part of the queries gives what all of them give. */
TEST(queries_do_not_depend_on_each_other) {
  test_rng rng = {51};
  tsr_ctx *const ctx = test_context();
  attention_case c = {.dtype = TSR_F32,
                      .rank = 3,
                      .b = 1,
                      .h = 2,
                      .hkv = 2,
                      .t = TSR_HAVE_MALLOC ? 70 : 6,
                      .s = TSR_HAVE_MALLOC ? 90 : 5,
                      .d = 9,
                      .dv = 7};
  tsr_tensor some = {0}, want = {0}, out = {0};
  att_setup(ctx, &rng, &c);
  OK(ctx, att_run(ctx, &c));
  OK(ctx, tsr_slice(ctx, &c.q, 1, 3, c.t - 1, 1, &some));
  OK(ctx, tsr_slice(ctx, &c.out, 1, 3, c.t - 1, 1, &want));
  OK(ctx, tsr_attention(ctx, &some, &c.k, &c.v, NULL, NULL, &out));
  CHECK(test_same_elements(&out, &want));
  tsr_release(&out);
  att_release(&c);
}

/* ---- edges ---- */

static float q_room[4] = {1, 2, 3, 4}, k_room[6] = {1, 0, 0, 1, 1, 1}, v_room[6] = {1, 2, 3, 4, 5, 6};

static void set_up_small(tsr_ctx *ctx, tsr_tensor *q, tsr_tensor *k, tsr_tensor *v) {
  memset(q, 0, sizeof *q);
  memset(k, 0, sizeof *k);
  memset(v, 0, sizeof *v);
  OK(ctx, tsr_from_memory(ctx, q_room, TSR_F32, 2, (tsr_index[]){2, 2}, q));
  OK(ctx, tsr_from_memory(ctx, k_room, TSR_F32, 2, (tsr_index[]){3, 2}, k));
  OK(ctx, tsr_from_memory(ctx, v_room, TSR_F32, 2, (tsr_index[]){3, 2}, v));
}

TEST(queries_without_keys_give_zeros) {
  tsr_ctx *const ctx = test_context();
  bool part[6] = {true, false, true, false, false, false};
  float added[6] = {0, 0, 0, -INFINITY, -INFINITY, -INFINITY};
  const tsr_attention_options late = {.causal = 1, .causal_offset = -1};
  tsr_tensor q = {0}, k = {0}, v = {0}, mask = {0}, out = {0};
  set_up_small(ctx, &q, &k, &v);
  OK(ctx, tsr_from_memory(ctx, part, TSR_BOOL, 2, (tsr_index[]){2, 3}, &mask));
  OK(ctx, tsr_attention(ctx, &q, &k, &v, &mask, NULL, &out));
  CHECK(((float *)out.data)[0] > 1 && ((float *)out.data)[2] == 0 && ((float *)out.data)[3] == 0);
  OK(ctx, tsr_from_memory(ctx, added, TSR_F32, 2, (tsr_index[]){2, 3}, &mask));
  OK(ctx, tsr_attention(ctx, &q, &k, &v, &mask, NULL, &out));
  CHECK(((float *)out.data)[0] > 1 && ((float *)out.data)[2] == 0 && ((float *)out.data)[3] == 0);
  OK(ctx, tsr_attention(ctx, &q, &k, &v, NULL, &late, &out));
  CHECK(((float *)out.data)[0] == 0 && ((float *)out.data)[1] == 0);
  CHECK(((float *)out.data)[2] == 1 && ((float *)out.data)[3] == 2); /* the first key alone */
  OK(ctx, tsr_slice(ctx, &k, 0, 0, 0, 1, &k));
  OK(ctx, tsr_slice(ctx, &v, 0, 0, 0, 1, &v));
  OK(ctx, tsr_attention(ctx, &q, &k, &v, NULL, NULL, &out));
  for (int i = 0; i < 4; i++) CHECK(((float *)out.data)[i] == 0);
  tsr_release(&out);
}

TEST(nan_and_infinity_stay_in_their_rows) {
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < 3; i++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor q = {0}, k = {0}, v = {0}, out = {0};
      set_up_small(ctx, &q, &k, &v);
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      q_room[0] = bad[i];
      OK(ctx, tsr_attention(ctx, &q, &k, &v, NULL, NULL, &out));
      CHECK(isnan(((float *)out.data)[0]) && isnan(((float *)out.data)[1]));
      CHECK(((float *)out.data)[2] > 1 && ((float *)out.data)[3] > 2);
      q_room[0] = 1;
      tsr_release(&out);
    }
}

TEST(large_scores_do_not_overflow) {
  const tsr_attention_options options = {.scale = 1000};
  tsr_ctx *const ctx = test_context();
  tsr_tensor q = {0}, k = {0}, v = {0}, out = {0};
  set_up_small(ctx, &q, &k, &v);
  OK(ctx, tsr_attention(ctx, &q, &k, &v, NULL, &options, &out));
  CHECK(((float *)out.data)[0] == 5 && ((float *)out.data)[3] == 6);
  tsr_release(&out);
}

TEST(an_output_may_be_an_input) {
  test_rng rng = {52};
  tsr_ctx *const ctx = test_context();
  for (int which = 0; which < 3; which++) {
    attention_case c = {.dtype = TSR_F32, .rank = 2, .b = 1, .h = 1, .hkv = 1, .t = 6, .s = 6, .d = 5, .dv = 5};
    att_setup(ctx, &rng, &c);
    OK(ctx, att_run(ctx, &c));
    tsr_tensor *const in = which == 0 ? &c.q : which == 1 ? &c.k : &c.v;
    tsr_tensor out = {0};
    OK(ctx, tsr_view(ctx, in, &out));
    OK(ctx, tsr_attention(ctx, &c.q, &c.k, &c.v, NULL, NULL, &out));
    CHECK(test_same_elements(&out, &c.out));
    att_release(&c);
  }
}

/* ---- memory ---- */

static tsr_status call_attention(tsr_ctx *ctx, void *arg) { return att_run(ctx, arg); }

TEST(scratch_of_the_size_that_was_said_is_enough) {
  test_rng rng = {53};
  for (int i = 0; i < 40; i++) {
    tsr_ctx *const ctx = test_context();
    attention_case c = random_case(&rng);
    if (c.lies[4] == DENSE) c.lies[4] = TURNED; /* given */
    att_setup(ctx, &rng, &c);
    ctx->parallel = tsr_parallel_serial();
    const size_t before = test_live();
    (void)test_scratch(ctx, call_attention, &c);
    CHECK(test_live() == before && att_check(&c));
    att_release(&c);
  }
}

TEST(every_allocation_may_fail) {
  test_rng rng = {54};
  tsr_ctx *const ctx = test_context();
  attention_case c = {.dtype = TSR_F32, .rank = 2, .b = 1, .h = 1, .hkv = 1, .t = 6, .s = 6, .d = 5, .dv = 5};
  if (!TSR_HAVE_MALLOC) SKIP("an arena");
  att_setup(ctx, &rng, &c);
  for (int which = 0; which < 2; which++) {
    const size_t before = test_live();
    int fails = 0;
    tsr_tensor out = {0};
    if (which == 1) OK(ctx, tsr_view(ctx, &c.q, &out)); /* overlaps: copied */
    for (;; fails++) {
      test_failing()->fail_at = test_failing()->calls + (size_t)fails;
      const tsr_status st = tsr_attention(ctx, &c.q, &c.k, &c.v, NULL, NULL, &out);
      test_failing()->fail_at = SIZE_MAX;
      if (st == TSR_OK) break;
      CHECK(st == TSR_ENOMEM && test_live() == before);
      CHECK(which == 1 || tsr_is_none(&out));
    }
    CHECK(fails == 2);
    tsr_release(&out);
  }
  att_release(&c);
}

TEST_MAIN(RUN(random_attentions_are_what_the_definition_says), RUN(many_keys), RUN(few_queries_and_many_keys),
          RUN(any_number_of_threads_gives_the_same_bits), RUN(queries_do_not_depend_on_each_other),
          RUN(queries_without_keys_give_zeros), RUN(nan_and_infinity_stay_in_their_rows),
          RUN(large_scores_do_not_overflow), RUN(an_output_may_be_an_input),
          RUN(scratch_of_the_size_that_was_said_is_enough), RUN(every_allocation_may_fail))
