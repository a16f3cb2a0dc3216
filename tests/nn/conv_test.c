/* Convolutions against the definition: random shapes and attributes, every dtype, layout, instruction set and way to
 * lie. */
#include "nn/conv_reference.h"

#if TSR_HAVE_MALLOC
enum { CASES = 700, MOST = 9, CHANNELS = 20 };
#else
enum { CASES = 60, MOST = 5, CHANNELS = 3 };
#endif

/* A dtype of this build that convolutions take. */
static int random_dtype(test_rng *rng) {
  for (;;) {
    const int dtype = (int)test_between(rng, 1, TSR_DTYPE_COUNT - 1), class_ = tsr_dtype_describe(dtype)->class_;
    if (tsr_dtype_supported(dtype) && class_ != TSR_CLASS_BOOL && class_ != TSR_CLASS_COMPLEX) return dtype;
  }
}

static void random_channels(test_rng *rng, conv_case *k) {
  const tsr_index groups = test_random(rng) % 3 == 0 ? test_between(rng, 1, 5) : 1;
  k->options.groups = groups == 1 && test_random(rng) % 2 ? 0 : groups;
  k->c = groups * test_between(rng, 1, groups > 1 ? 4 : CHANNELS);
  k->o = groups * test_between(rng, 1, groups > 1 ? 4 : CHANNELS);
  if (test_random(rng) % 5 == 0) { /* depthwise, sometimes with a multiplier */
    k->options.groups = k->c = test_between(rng, 2, CHANNELS);
    k->o = k->c * test_between(rng, 1, 2);
  }
}

static void random_axis(test_rng *rng, conv_case *k, int axis, tsr_index filter, tsr_index *in) {
  tsr_conv_options *const a = &k->options;
  a->stride[axis] = test_between(rng, 0, 3);
  a->dilation[axis] = test_between(rng, 0, 2);
  if (a->padding == TSR_PADDING_EXPLICIT) {
    a->pad_before[axis] = test_between(rng, 0, 3);
    a->pad_after[axis] = test_between(rng, 0, 3);
  }
  const tsr_index span = (a->dilation[axis] > 1 ? 2 : 1) * (filter - 1) + 1;
  const tsr_index pads = a->pad_before[axis] + a->pad_after[axis];
  const tsr_index least = a->padding >= TSR_PADDING_SAME ? 1 : span > pads ? span - pads : 0;
  *in = least + test_between(rng, 0, MOST);
}

static conv_case random_case(test_rng *rng) {
  static const int four[] = {TSR_PLAIN, TSR_NCHW, TSR_NHWC, TSR_NHWC}, three[] = {TSR_PLAIN, TSR_NCL, TSR_NLC, TSR_NLC};
  static const int filters[] = {TSR_PLAIN, TSR_OIHW, TSR_OHWI, TSR_HWIO};
  static const int filters3[] = {TSR_PLAIN, TSR_NCL, TSR_NLC, TSR_PLAIN};
  conv_case k = {.dtype = test_random(rng) % 2 ? TSR_F32 : random_dtype(rng)};
  k.rank = test_random(rng) % 4 == 0 ? 3 : 4;
  k.x_layout = (k.rank == 4 ? four : three)[test_random(rng) % 4];
  k.w_layout = (k.rank == 4 ? filters : filters3)[test_random(rng) % 4];
  k.x_lies = test_random(rng) % 2 ? DENSE : (lying)(test_random(rng) % LYINGS);
  k.w_lies = test_random(rng) % 2 ? DENSE : (lying)(test_random(rng) % LYINGS);
  k.out_lies = test_random(rng) % 2 ? DENSE : (lying)(test_random(rng) % REPEATED);
  k.n = test_between(rng, 0, 3);
  k.bias = test_random(rng) % 2;
  k.options.padding = (uint8_t)(test_random(rng) % 2 ? 0 : test_random(rng) % 4);
  k.kh = k.rank == 4 ? test_between(rng, 1, 5) : 1;
  k.kw = test_between(rng, 1, 5);
  random_channels(rng, &k);
  k.h = 1;
  if (k.rank == 4) random_axis(rng, &k, 0, k.kh, &k.h);
  random_axis(rng, &k, k.rank == 4 ? 1 : 0, k.kw, &k.w);
  k.options.algorithm = (uint8_t)(test_random(rng) % 3);
  if (test_random(rng) % 3 == 0) k.options.activation.kind = TSR_RELU;
  return k;
}

/* Sometimes into an output that is given and lies otherwise. */
static void give_output(tsr_ctx *ctx, conv_case *k) {
  if (k->out_lies == DENSE) return;
  const ref_axis ax = ref_axis_of(k, k->rank == 4 ? 1 : 0, k->w, k->kw);
  const ref_axis ay = k->rank == 4 ? ref_axis_of(k, 0, k->h, k->kh) : (ref_axis){1, 1, 0, 1};
  const tsr_index nchw[4] = {k->n, k->o, ay.out, ax.out};
  tsr_index shape[4];
  ref_shape(k->rank, ref_last(k), nchw, shape);
  ref_make(ctx, k->dtype, k->rank, shape, k->out_lies, &k->owners[3], &k->out);
}

static void run_case(tsr_ctx *ctx, test_rng *rng, conv_case *k, double slack) {
  const int before = test_now.failures;
  ref_setup(ctx, rng, k);
  give_output(ctx, k);
  OK(ctx, ref_run(ctx, k));
  if (test_now.failures == before) CHECK(ref_check(k, slack));
  if (test_now.failures != before) ref_print(k);
  ref_release(k);
  CHECK(test_live() == 0);
}

TEST(random_convolutions_are_what_the_definition_says) {
  test_rng rng = {20};
  for (int i = 0; i < CASES / test_every(2) && test_now.failures < 10; i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = random_case(&rng);
    int isas = 0;
    while (tsr_isa_name(isas) != NULL) isas++;
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name((int)(test_random(&rng) % (uint32_t)isas))));
    run_case(ctx, &rng, &k, 0);
  }
}

/* With the channels last and many of them padding is not copied: filters over every edge, and over two at once. */
TEST(many_channels_at_every_edge) {
#if TSR_HAVE_MALLOC
  test_rng rng = {24};
  for (int i = 0; i < 60 && test_now.failures < 10; i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = random_case(&rng);
    const tsr_index groups = i % 4 == 0 ? 2 : 1;
    k.dtype = TSR_F32;
    k.x_layout = k.rank == 4 ? TSR_NHWC : TSR_NLC;
    k.n = test_between(&rng, 1, 2);
    k.c = groups * test_between(&rng, 46, 52);
    k.o = groups * test_between(&rng, 1, 20);
    k.options.groups = groups;
    k.options.algorithm = TSR_CONV_AUTO;
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(tsr_isa_name(i % 3) != NULL ? i % 3 : 0)));
    run_case(ctx, &rng, &k, 0);
  }
#else
  SKIP("plain loops only");
#endif
}

TEST(integers_of_every_size_wrap) {
  test_rng rng = {21};
  for (int dtype = TSR_I8; dtype <= TSR_U64; dtype++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = {.dtype = dtype, .rank = 4, .n = 1, .c = 5, .h = 4, .w = 4, .o = 3, .kh = 3, .kw = 3, .bias = true};
    k.options.activation.kind = TSR_RELU;
    run_case(ctx, &rng, &k, 0);
  }
}

TEST(every_activation_follows_the_sum) {
  test_rng rng = {22};
  const tsr_activation kinds[] = {{TSR_RELU, 0, 0},
                                  {TSR_LEAKY_RELU, (tsr_real)0.25, 0},
                                  {TSR_TANH, 0, 0},
                                  {TSR_CLIP, (tsr_real)-0.5, (tsr_real)0.75}};
  for (int i = 0; i < COUNT_OF(kinds); i++)
    for (int algorithm = 0; algorithm < 4; algorithm++)
      for (int last = 0; last < 2; last++) {
        tsr_ctx *const ctx = test_context();
        conv_case k = {
            .dtype = TSR_F32, .rank = 4, .n = 1, .c = 4, .h = 6, .w = 5, .o = 3, .kh = 3, .kw = 3, .bias = true};
        if (algorithm == TSR_CONV_WINOGRAD && !TSR_HAVE_MALLOC) continue;
        k.x_layout = last ? TSR_NHWC : TSR_NCHW;
        k.options.algorithm = (uint8_t)algorithm;
        k.options.activation = kinds[i];
        run_case(ctx, &rng, &k, algorithm == TSR_CONV_WINOGRAD ? 4e-6 : 0);
      }
}

/* ---- nothing to do, and nothing to read ---- */

TEST(sizes_of_zero) {
  static const struct {
    tsr_index n, c, h, w, o;
    int pad;
  } table[] = {{0, 2, 4, 4, 3, 0}, {2, 0, 4, 4, 3, 0}, {2, 2, 4, 4, 0, 0}, {1, 2, 0, 4, 3, 2},
               {1, 2, 4, 0, 3, 2}, {0, 0, 0, 0, 0, 2}, {1, 0, 0, 0, 2, 3}};
  test_rng rng = {23};
  for (int i = 0; i < COUNT_OF(table); i++)
    for (int way = 0; way < 6; way++) {
      tsr_ctx *const ctx = test_context();
      const tsr_index pad = table[i].pad;
      conv_case k = {.dtype = TSR_F32,
                     .rank = 4,
                     .n = table[i].n,
                     .c = table[i].c,
                     .h = table[i].h,
                     .w = table[i].w,
                     .o = table[i].o,
                     .kh = 3,
                     .kw = 3,
                     .bias = true,
                     .x_layout = way % 2 ? TSR_NHWC : TSR_PLAIN,
                     .options = {.pad_before = {pad, pad}, .pad_after = {pad, pad}, .algorithm = (uint8_t)(way / 2)}};
      run_case(ctx, &rng, &k, 0);
    }
}

/* ---- Winograd ---- */

TEST(winograd_at_every_edge) {
  test_rng rng = {24};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops only");
  for (int i = 0; i < 200 / test_every(4) && test_now.failures < 10; i++) {
    tsr_ctx *const ctx = test_context();
    conv_case k = {.dtype = test_random(&rng) % 4 ? TSR_F32 : TSR_F16, .rank = 4, .kh = 3, .kw = 3};
    int isas = 0;
    while (tsr_isa_name(isas) != NULL) isas++;
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name((int)(test_random(&rng) % (uint32_t)isas))));
    k.n = test_between(&rng, 1, 3);
    k.c = test_between(&rng, 1, 40);
    k.o = test_between(&rng, 1, 90);
    k.h = test_between(&rng, 3, 12);
    k.w = test_between(&rng, 3, 12);
    k.bias = test_random(&rng) % 2;
    k.x_layout = test_random(&rng) % 2 ? TSR_NHWC : TSR_NCHW;
    k.x_lies = (lying)(test_random(&rng) % LYINGS);
    k.out_lies = (lying)(test_random(&rng) % REPEATED);
    for (int axis = 0; axis < 2; axis++) {
      k.options.pad_before[axis] = test_between(&rng, 0, 2);
      k.options.pad_after[axis] = test_between(&rng, 0, 2);
    }
    k.options.algorithm = TSR_CONV_WINOGRAD;
    run_case(ctx, &rng, &k, 4e-6);
  }
}

/* 64 and 256 channels: at most 1e-5 of the largest output from the sum in double. */
TEST(winograd_is_as_good_as_promised) {
  test_rng rng = {25};
  if (!TSR_HAVE_MALLOC) SKIP("plain loops only");
  for (int last = 0; last < 2; last++)
    for (tsr_index c = 64; c <= 256; c *= 4) {
      tsr_ctx *const ctx = test_context();
      conv_case k = {.dtype = TSR_F32,
                     .rank = 4,
                     .n = 1,
                     .c = c,
                     .h = 14,
                     .w = 14,
                     .o = 16,
                     .kh = 3,
                     .kw = 3,
                     .x_layout = last ? TSR_NHWC : TSR_NCHW,
                     .options = {.padding = TSR_PADDING_SAME}};
      const tsr_index shape[4] = {1, 16, 14, 14};
      const ref_axis axis = {1, 1, 1, 14};
      tsr_index index[4] = {0};
      double error = 0, largest = 0;
      ref_setup(ctx, &rng, &k);
      OK(ctx, ref_run(ctx, &k));
      do {
        const double want = ref_output(&k, &axis, &axis, index[0], index[1], index[2], index[3]).value;
        const double got = test_decode(TSR_F32, ref_at(&k.out, 4, last, index));
        error = fmax(error, fabs(got - want));
        largest = fmax(largest, fabs(want));
      } while (test_next_index(4, shape, index));
      CHECK(error <= 1e-5 * largest);
      CHECK(error > 0); /* random numbers: some sum was rounded */
      ref_release(&k);
    }
}

TEST_MAIN(RUN(random_convolutions_are_what_the_definition_says), RUN(many_channels_at_every_edge),
          RUN(integers_of_every_size_wrap), RUN(every_activation_follows_the_sum), RUN(sizes_of_zero),
          RUN(winograd_at_every_edge), RUN(winograd_is_as_good_as_promised))
