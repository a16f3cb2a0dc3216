/* Quantised convolutions, dense layers and products against sums in 64 bits: random shapes, attributes, dtypes, zero
 * points and layouts, on every instruction set. */
#include "nn/quant_reference.h"
#include "support/test.h"

enum { CASES = TSR_HAVE_MALLOC ? 160 : 40, CHANNELS = 80 };

typedef struct layer_case {
  tsr_index n, c, h, w, o, kh, kw;
  bool last;
  int w_layout; /* 0: OIHW, 1: OHWI, 2: HWIO */
  int x_way, out_way;
  tsr_conv_options options;
  tsr_qscheme scheme;
  float scales[CHANNELS];
  int32_t zeros[CHANNELS];
  bool per_channel, biased;
  tsr_tensor x, x_owner, filters, w_owner, bias, out, out_owner;
  tsr_qlayer layer;
} layer_case;

static int32_t zero_of(test_rng *rng, int dtype) {
  const int32_t low = (int32_t)q_least(dtype), high = (int32_t)q_most(dtype);
  switch (test_random(rng) % 4) {
    case 0: return low;
    case 1: return high;
    case 2: return (int32_t)test_between(rng, low, high);
    default: return dtype == TSR_U8 ? 128 : 0;
  }
}

static void choose_scheme(layer_case *k, test_rng *rng) {
  static const int dtypes[] = {TSR_I8, TSR_U8, TSR_I8, TSR_U8, TSR_I16};
  tsr_qscheme *const s = &k->scheme;
  s->x = (tsr_quant){.dtype = (uint8_t)dtypes[test_random(rng) % 5],
                     .scale = test_random(rng) % 3 == 0 ? 0.1f : 0.0123f}; /* with the larger one results reach 6 */
  s->x.zero = zero_of(rng, s->x.dtype);
  s->w = (tsr_quant){.dtype = test_random(rng) % 3 == 0 ? TSR_U8 : TSR_I8, .scale = 0.004f};
  s->w.zero = s->w.dtype == TSR_U8 ? 128 : 0;
  if (test_random(rng) % 4 == 0) s->w.zero = zero_of(rng, s->w.dtype);
  s->out = (tsr_quant){.dtype = (uint8_t)dtypes[test_random(rng) % 5]};
  s->out.zero = zero_of(rng, s->out.dtype);
  s->out.scale = s->out.dtype == TSR_I16 ? 0.0003f : test_random(rng) % 8 == 0 ? 0.00001f : 0.07f;
  s->activation = (uint8_t)(test_random(rng) % 3);
  k->per_channel = test_random(rng) % 2 == 0;
  k->biased = test_random(rng) % 4 != 0;
  for (tsr_index o = 0; o < k->o; o++) {
    k->scales[o] = 0.001f + (float)(test_random(rng) % 1000) * 0.00001f;
    k->zeros[o] = s->w.zero;
  }
  if (!k->per_channel) return;
  s->w.scales = k->scales;
  s->w.zeros = test_random(rng) % 2 == 0 ? k->zeros : NULL;
  s->w.count = k->o;
  s->w.axis = (int8_t)(k->w_layout == 2 ? 3 : 0);
}

static void choose(layer_case *out, test_rng *rng) {
  layer_case k = {.n = test_between(rng, 1, 2), .h = test_between(rng, 1, 9), .w = test_between(rng, 1, 11)};
  const uint32_t kind = test_random(rng) % 4; /* depthwise, groups, plain, plain with many channels */
  k.options.groups = kind == 0   ? test_between(rng, 2, TSR_HAVE_MALLOC ? 70 : 18)
                     : kind == 1 ? test_between(rng, 2, 3)
                                 : 0;
  const tsr_index groups = k.options.groups == 0 ? 1 : k.options.groups;
  k.c = kind == 0 ? groups : groups * test_between(rng, 1, kind == 3 ? TSR_HAVE_MALLOC ? 40 : 16 : 7);
  k.o = groups *
        (kind == 0 ? test_random(rng) % 8 == 0 && groups < 20 ? 2 : 1 : test_between(rng, 1, kind == 3 ? 70 : 9));
  if (!TSR_HAVE_MALLOC && k.o > 20) k.o = 20 / groups * groups;
  k.kh = test_between(rng, 1, 3);
  k.kw = test_between(rng, 1, 3);
  if (test_random(rng) % 3 == 0) k.kh = k.kw = 3;
  for (int i = 0; i < 2; i++) {
    k.options.stride[i] = test_between(rng, 0, 2);
    k.options.dilation[i] = test_random(rng) % 4 == 0 ? 2 : 0;
    k.options.pad_before[i] = test_between(rng, 0, 2);
    k.options.pad_after[i] = test_between(rng, 0, 2);
  }
  if (test_random(rng) % 3 == 0) {
    k.options.padding = TSR_PADDING_SAME;
    for (int i = 0; i < 2; i++) k.options.pad_before[i] = k.options.pad_after[i] = 0;
  }
  k.h += 4;
  k.w += 4;
  k.last = test_random(rng) % 3 != 0;
  k.w_layout = (int)(test_random(rng) % 3);
  k.x_way = test_random(rng) % 4 == 0 ? (int)(test_random(rng) % NN_WAYS) : NN_PLAIN;
  k.out_way = test_random(rng) % 4 == 0 ? (int)(test_random(rng) % NN_WAYS) : -1;
  *out = k;
  choose_scheme(out, rng); /* which points into it */
}

static void make(tsr_ctx *ctx, layer_case *k, test_rng *rng) {
  const tsr_index groups = k->options.groups == 0 ? 1 : k->options.groups, i = k->c / groups;
  const tsr_index x_shape[4] = {k->n, k->last ? k->h : k->c, k->last ? k->w : k->h, k->last ? k->c : k->w};
  const tsr_index w_shapes[3][4] = {{k->o, i, k->kh, k->kw}, {k->o, k->kh, k->kw, i}, {k->kh, k->kw, i, k->o}};
  static const uint8_t layouts[3] = {TSR_OIHW, TSR_OHWI, TSR_HWIO};
  OK(ctx, nn_make(ctx, k->scheme.x.dtype, 4, x_shape, k->x_way, &k->x_owner, &k->x));
  OK(ctx, nn_make(ctx, k->scheme.w.dtype, 4, w_shapes[k->w_layout], NN_PLAIN, &k->w_owner, &k->filters));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(k->o), &k->bias));
  k->x.layout = k->last ? TSR_NHWC : TSR_NCHW;
  k->filters.layout = layouts[k->w_layout];
  const int64_t reach = k->scheme.x.dtype == TSR_I16 ? 30 : 128;
  q_fill(&k->x, rng, q_least(k->x.dtype), q_most(k->x.dtype));
  q_fill(&k->filters, rng, k->filters.dtype == TSR_U8 ? 128 - reach : -reach,
         k->filters.dtype == TSR_U8 ? 127 + reach : reach - 1);
  q_fill(&k->bias, rng, -100000, 100000);
}

static void drop(layer_case *k) {
  tsr_qlayer_release(&k->layer);
  tsr_release(&k->x_owner);
  tsr_release(&k->w_owner);
  tsr_release(&k->bias);
  tsr_release(k->out_way >= 0 ? &k->out_owner : &k->out);
}

static int64_t weight(const layer_case *k, tsr_index o, tsr_index i, tsr_index ky, tsr_index kx) {
  const tsr_index at[3][4] = {{o, i, ky, kx}, {o, ky, kx, i}, {ky, kx, i, o}};
  return q_get(&k->filters, at[k->w_layout]);
}

static int64_t pixel(const layer_case *k, tsr_index n, tsr_index c, tsr_index y, tsr_index x) {
  const tsr_index last[4] = {n, y, x, c}, first[4] = {n, c, y, x};
  return q_get(&k->x, k->last ? last : first);
}

static int64_t sum_at(const layer_case *k, tsr_index n, tsr_index o, tsr_index y, tsr_index x,
                      const tsr_index *before) {
  const tsr_index groups = k->options.groups == 0 ? 1 : k->options.groups, each = k->c / groups,
                  group = o / (k->o / groups);
  const int64_t w_zero = k->scheme.w.zeros != NULL ? k->zeros[o] : k->scheme.w.zero;
  int64_t sum = k->biased ? q_get(&k->bias, &o) : 0;
  for (tsr_index ky = 0; ky < k->kh; ky++)
    for (tsr_index kx = 0; kx < k->kw; kx++) {
      const tsr_index iy = y * (k->options.stride[0] + (k->options.stride[0] == 0)) - before[0] +
                           ky * (k->options.dilation[0] + (k->options.dilation[0] == 0));
      const tsr_index ix = x * (k->options.stride[1] + (k->options.stride[1] == 0)) - before[1] +
                           kx * (k->options.dilation[1] + (k->options.dilation[1] == 0));
      if (iy < 0 || iy >= k->h || ix < 0 || ix >= k->w) continue;
      for (tsr_index i = 0; i < each; i++)
        sum += (pixel(k, n, group * each + i, iy, ix) - k->scheme.x.zero) * (weight(k, o, i, ky, kx) - w_zero);
    }
  return sum;
}

/* Padding above and to the left. */
static void pads(const layer_case *k, tsr_index oh, tsr_index ow, tsr_index *before) {
  const tsr_index in[2] = {k->h, k->w}, out[2] = {oh, ow}, filter[2] = {k->kh, k->kw};
  for (int i = 0; i < 2; i++) {
    const tsr_index stride = k->options.stride[i] + (k->options.stride[i] == 0);
    const tsr_index dilation = k->options.dilation[i] + (k->options.dilation[i] == 0);
    const tsr_index pad = (out[i] - 1) * stride + dilation * (filter[i] - 1) + 1 - in[i];
    before[i] = k->options.padding == TSR_PADDING_SAME ? (pad > 0 ? pad / 2 : 0) : k->options.pad_before[i];
  }
}

static int mistakes(const layer_case *k) {
  const tsr_tensor *const t = &k->out;
  const tsr_index oh = t->shape[k->last ? 1 : 2], ow = t->shape[k->last ? 2 : 3];
  const tsr_qscheme *const s = &k->scheme;
  const int32_t *const table = k->layer.table.data;
  tsr_index before[2];
  int wrong = 0;
  pads(k, oh, ow, before);
  const int64_t six = s->out.zero + (int64_t)lrintf(6 / s->out.scale);
  const int64_t low = s->activation == TSR_Q_NONE ? q_least(s->out.dtype) : s->out.zero;
  const int64_t high = s->activation == TSR_Q_RELU6 && six < q_most(s->out.dtype) ? six : q_most(s->out.dtype);
  for (tsr_index n = 0; n < k->n; n++)
    for (tsr_index o = 0; o < k->o; o++)
      for (tsr_index y = 0; y < oh; y++)
        for (tsr_index x = 0; x < ow; x++) {
          const tsr_index last[4] = {n, y, x, o}, first[4] = {n, o, y, x};
          const int64_t want = q_result(sum_at(k, n, o, y, x, before), table[k->o + o], (int)table[2 * k->o + o],
                                        s->out.zero, low, high);
          wrong += q_get(t, k->last ? last : first) != want;
        }
  return wrong;
}

/* A given output that lies in some way. */
static void give_output(tsr_ctx *ctx, layer_case *k) {
  tsr_tensor first = {0};
  if (k->out_way < 0) return;
  OK(ctx, tsr_qconv2d(ctx, &k->x, &k->layer, &first));
  OK(ctx, nn_make(ctx, first.dtype, 4, first.shape, k->out_way, &k->out_owner, &k->out));
  k->out.layout = first.layout;
  tsr_release(&first);
}

/* Case number i, with which the instruction sets take turns. */
static void run_case(layer_case *k, test_rng *rng, int i) {
  tsr_ctx *const ctx = test_context();
  int isas = 0;
  while (tsr_isa_name(isas) != NULL) isas++;
  (void)q_isa(ctx, i % isas);
  make(ctx, k, rng);
  OK(ctx, tsr_qconv_pack(ctx, &k->filters, k->biased ? &k->bias : NULL, &k->options, &k->scheme, &k->layer));
  if (k->layer.table.data != NULL) {
    give_output(ctx, k);
    OK(ctx, tsr_qconv2d(ctx, &k->x, &k->layer, &k->out));
    CHECK(k->out.layout == k->x.layout && mistakes(k) == 0);
  }
  drop(k);
  CHECK(test_live() == 0);
}

TEST(convolutions_are_exact) {
  test_rng rng = {11};
  for (int i = 0; i < CASES; i++) {
    layer_case k;
    choose(&k, &rng);
    run_case(&k, &rng, i);
  }
}

/* Channels last and as many as kernels take at once, any number of outputs (blocks of four that are not full, rows that
 * end within a block), every kind of bounds, and scales so that shifts lie on both sides of what kernels can take. */
TEST(blocks_of_outputs_are_exact) {
  static const float scales[] = {0.07f, 0.00001f, 3000.0f, 1e9f};
  static const tsr_index channels[] = {16, 32, 4, 12, 7, 48};
  test_rng rng = {13};
  for (int i = 0; i < CASES; i++) {
    const int c = (int)channels[i % 6], kernel = i % 4 == 0 ? 3 : i % 4 == 1 ? 2 : 1;
    layer_case k = {.n = 1 + i % 2, .c = c, .h = 1 + i % 3 + kernel, .w = 1 + i % 7 + kernel, .last = true};
    k.o = test_between(&rng, 1, 18);
    k.kh = k.kw = kernel;
    k.w_layout = 1;
    k.out_way = -1;
    k.options.stride[0] = k.options.stride[1] = i % 5 == 0 ? 2 : 1;
    if (kernel == 3) k.options.padding = TSR_PADDING_SAME;
    choose_scheme(&k, &rng);
    k.scheme.w.zero = k.scheme.w.dtype == TSR_U8 ? 128 : 0;
    k.scheme.w.zeros = NULL;
    k.scheme.x.dtype = i % 3 == 0 ? TSR_U8 : TSR_I8;
    k.scheme.x.zero = zero_of(&rng, k.scheme.x.dtype);
    k.scheme.out = (tsr_quant){.dtype = i % 5 == 1 ? TSR_U8 : TSR_I8, .scale = scales[i % 9 < 6 ? 0 : i % 9 - 5]};
    k.scheme.out.zero = zero_of(&rng, k.scheme.out.dtype);
    run_case(&k, &rng, i);
  }
}

/* Depthwise filters whose numbers lie side by side: bytes of either kind, channels that are no multiple of anything. */
TEST(depthwise_bytes_are_exact) {
  test_rng rng = {14};
  for (int i = 0; i < CASES; i++) {
    const int kernel = 1 + i % 6; /* 6 × 6 has more taps than are gathered */
    layer_case k = {.n = 1, .h = 5, .w = 4 + i % 3, .last = true, .w_layout = 2, .out_way = -1};
    k.c = k.o = k.options.groups = test_between(&rng, 2, 21);
    k.kh = k.kw = kernel;
    k.options.padding = TSR_PADDING_SAME;
    choose_scheme(&k, &rng);
    k.scheme.w.zero = k.scheme.w.dtype == TSR_U8 ? 128 : 0;
    k.scheme.w.zeros = NULL;
    k.scheme.x.dtype = i % 3 == 0 ? TSR_U8 : TSR_I8;
    k.scheme.x.zero = zero_of(&rng, k.scheme.x.dtype);
    run_case(&k, &rng, i);
  }
}

/* ---- dense layers and products ---- */

typedef struct dense_case {
  tsr_index rows[2], f, o;
  tsr_qscheme scheme;
  tsr_tensor x, w, x_owner, w_owner, bias;
} dense_case;

static int dense_mistakes(const dense_case *k, const tsr_tensor *out, const int32_t *table) {
  int wrong = 0;
  for (tsr_index r = 0; r < k->rows[0] * k->rows[1]; r++)
    for (tsr_index o = 0; o < k->o; o++) {
      int64_t sum = q_get(&k->bias, &o);
      const tsr_index at[3] = {r / k->rows[1], r % k->rows[1], o};
      for (tsr_index f = 0; f < k->f; f++)
        sum += (q_get(&k->x, (tsr_index[]){at[0], at[1], f}) - k->scheme.x.zero) *
               (q_get(&k->w, (tsr_index[]){o, f}) - k->scheme.w.zero);
      wrong += q_get(out, at) != q_result(sum, table[k->o + o], (int)table[2 * k->o + o], k->scheme.out.zero,
                                          q_least(k->scheme.out.dtype), q_most(k->scheme.out.dtype));
    }
  return wrong;
}

static void make_dense(tsr_ctx *ctx, dense_case *k, test_rng *rng) {
  static const int bytes[] = {TSR_I8, TSR_U8};
  *k = (dense_case){.rows = {test_between(rng, 1, 3), test_between(rng, 1, 9)}};
  k->f = test_between(rng, 1, TSR_HAVE_MALLOC ? 150 : 40);
  k->o = test_between(rng, 1, TSR_HAVE_MALLOC ? 150 : 20);
  k->scheme.x = (tsr_quant){.dtype = (uint8_t)bytes[test_random(rng) % 2], .scale = 0.02f};
  k->scheme.w = (tsr_quant){.dtype = (uint8_t)bytes[test_random(rng) % 2], .scale = 0.01f};
  k->scheme.out = (tsr_quant){.dtype = (uint8_t)bytes[test_random(rng) % 2], .scale = 0.1f};
  k->scheme.x.zero = zero_of(rng, k->scheme.x.dtype);
  k->scheme.w.zero = test_random(rng) % 2 == 0     ? zero_of(rng, k->scheme.w.dtype)
                     : k->scheme.w.dtype == TSR_U8 ? 128
                                                   : 0;
  k->scheme.out.zero = zero_of(rng, k->scheme.out.dtype);
  const int way = (int)(test_random(rng) % NN_WAYS);
  OK(ctx, nn_make(ctx, k->scheme.x.dtype, TSR_SHAPE(k->rows[0], k->rows[1], k->f), way, &k->x_owner, &k->x));
  OK(ctx, nn_make(ctx, k->scheme.w.dtype, TSR_SHAPE(k->o, k->f), (int)(test_random(rng) % 2), &k->w_owner, &k->w));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(k->o), &k->bias));
  q_fill(&k->x, rng, q_least(k->x.dtype), q_most(k->x.dtype));
  q_fill(&k->w, rng, q_least(k->w.dtype), q_most(k->w.dtype));
}

TEST(dense_layers_and_products_are_exact) {
  test_rng rng = {12};
  for (int i = 0; i < CASES / 2; i++) {
    tsr_ctx *const ctx = test_context();
    dense_case k;
    tsr_tensor out = {0}, owner = {0}, given = {0}, product = {0}, turned = {0};
    tsr_qlayer layer = {0};
    int isas = 0;
    while (tsr_isa_name(isas) != NULL) isas++;
    (void)q_isa(ctx, i % isas);
    make_dense(ctx, &k, &rng);
    OK(ctx, tsr_transpose(ctx, &k.w, 0, 1, &turned));
    OK(ctx, tsr_qmatmul(ctx, &k.x, &k.scheme.x, &turned, &k.scheme.w, &k.scheme.out, &product));
    OK(ctx, tsr_qdense_pack(ctx, &k.w, NULL, &k.scheme, &layer));
    CHECK(dense_mistakes(&k, &product, layer.table.data) == 0);
    tsr_qlayer_release(&layer);
    q_fill(&k.bias, &rng, -20000, 20000);
    OK(ctx, tsr_qdense_pack(ctx, &k.w, &k.bias, &k.scheme, &layer));
    OK(ctx, tsr_qdense(ctx, &k.x, &layer, &out));
    CHECK(dense_mistakes(&k, &out, layer.table.data) == 0);
    OK(ctx, nn_make(ctx, out.dtype, 3, out.shape, (int)(test_random(&rng) % NN_WAYS), &owner, &given));
    OK(ctx, tsr_qdense(ctx, &k.x, &layer, &given));
    CHECK(test_same_elements(&given, &out));
    tsr_release(&owner);
    tsr_release(&product);
    tsr_release(&out);
    tsr_release(&k.x_owner);
    tsr_release(&k.w_owner);
    tsr_release(&k.bias);
    tsr_qlayer_release(&layer);
    CHECK(test_live() == 0);
  }
}

TEST_MAIN(RUN(convolutions_are_exact), RUN(blocks_of_outputs_are_exact), RUN(depthwise_bytes_are_exact),
          RUN(dense_layers_and_products_are_exact))
