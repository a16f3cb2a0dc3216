/* Norms: against the definition in f64 for every dtype, layout and way to lie, and against PyTorch; large means;
 * outputs; threads; scratch; failures. */
#include "support/test.h"

#include "nn/nn_support.h"
#include "support/brief.h"
#include "support/scratch.h"

typedef enum op { LAYER, RMS, BATCH, GROUP, INSTANCE, OPS } op;

/* A call: x with its tag, [C] or trailing-shape parameters, each of which may be NULL. */
typedef struct call {
  op which;
  int attribute; /* axis, or groups */
  double eps;
  const tsr_tensor *x, *scale, *bias, *mean, *variance;
} call;

static tsr_status run(tsr_ctx *ctx, const call *c, tsr_tensor *out) {
  const tsr_real eps = (tsr_real)c->eps;
  switch (c->which) {
    case LAYER: return tsr_layer_norm(ctx, c->x, c->scale, c->bias, c->attribute, eps, out);
    case RMS: return tsr_rms_norm(ctx, c->x, c->scale, c->attribute, eps, out);
    case BATCH: return tsr_batch_norm(ctx, c->x, c->scale, c->bias, c->mean, c->variance, eps, out);
    case GROUP: return tsr_group_norm(ctx, c->x, c->scale, c->bias, c->attribute, eps, out);
    default: return tsr_instance_norm(ctx, c->x, c->scale, c->bias, eps, out);
  }
}

static int channel_of(const call *c) {
  return c->x->layout == TSR_NHWC || c->x->layout == TSR_NLC ? c->x->ndim - 1 : 1;
}

/* Whether two indices are normalised together. */
static bool together(const call *c, const tsr_index *a, const tsr_index *b) {
  if (c->which == LAYER || c->which == RMS) {
    for (int i = 0; i < c->attribute; i++)
      if (a[i] != b[i]) return false;
    return true;
  }
  const int channel = channel_of(c);
  const tsr_index each = c->which == GROUP ? c->x->shape[channel] / c->attribute : 1;
  return a[0] == b[0] && a[channel] / each == b[channel] / each;
}

/* The parameter's number for an index: of the trailing axes, or of the channel. */
static double param(tsr_ctx *ctx, const call *c, const tsr_tensor *t, const tsr_index *index, double otherwise) {
  if (t == NULL) return otherwise;
  if (c->which == LAYER || c->which == RMS) return nn_get(ctx, t, index + c->attribute);
  return nn_get(ctx, t, &index[channel_of(c)]);
}

static void statistics(tsr_ctx *ctx, const call *c, const tsr_index *at, double *mean, double *variance) {
  double count = 0, sum = 0, square = 0;
  for (int pass = 0; pass < 2; pass++) {
    tsr_index index[TSR_MAX_DIMS] = {0};
    do {
      if (!together(c, at, index)) continue;
      const double v = nn_get(ctx, c->x, index);
      count += pass == 0;
      sum += pass == 0 ? v : 0;
      square += pass == 0 ? 0 : c->which == RMS ? v * v : (v - sum / count) * (v - sum / count);
    } while (test_next_index(c->x->ndim, c->x->shape, index));
  }
  *mean = c->which == RMS ? 0 : sum / count;
  *variance = square / count;
}

static void compare(tsr_ctx *ctx, const call *c, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  const double unit = nn_unit(c->x->dtype), f32 = c->x->dtype == TSR_F64 ? unit : 0x1p-24;
  const int step = test_every(5);
  int seen = 0;
  if (tsr_size(c->x) == 0) return;
  do {
    if (seen++ % step != 0) continue;
    double mean = 0, variance = 0;
    if (c->which == BATCH) {
      mean = param(ctx, c, c->mean, index, 0);
      variance = param(ctx, c, c->variance, index, 1);
    } else {
      statistics(ctx, c, index, &mean, &variance);
    }
    const double scale = param(ctx, c, c->scale, index, 1),
                 bias = c->which == RMS ? 0 : param(ctx, c, c->bias, index, 0);
    const double x = nn_get(ctx, c->x, index), root = sqrt(variance + c->eps), y = (x - mean) / root;
    const double want = y * scale + bias, got = nn_get(ctx, out, index);
    const double allowed =
        unit * 2 * (fabs(want) + fabs(bias)) + 24 * f32 * ((fabs(y) + 1) * fabs(scale) + fabs(bias)) +
        (c->which == BATCH ? f32 * fabs(mean / root * scale) : 0) +
        (c->x->dtype == TSR_F64 ? 64 * unit * fabs(mean / root * scale) : 0); /* the reference's own */
    const bool close = nn_close(got, want, allowed + (c->x->dtype == TSR_F16 ? 0x1p-24 : 0));
    CHECK(close);
    if (!close && test_now.failures <= 20)
      printf("  op %d of %s, attribute %d: %.9g instead of %.9g\n", (int)c->which, tsr_dtype_name(c->x->dtype),
             c->attribute, got, want);
  } while (test_next_index(c->x->ndim, c->x->shape, index));
}

static void check_outputs(tsr_ctx *ctx, const call *c, int out_way) {
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  OK(ctx, run(ctx, c, &fresh));
  CHECK(fresh.dtype == c->x->dtype && tsr_same_shape(&fresh, c->x) && fresh.layout == c->x->layout);
  compare(ctx, c, &fresh);
  OK(ctx, nn_make(ctx, c->x->dtype, c->x->ndim, c->x->shape, out_way, &owner, &given));
  given.layout = c->x->layout;
  OK(ctx, run(ctx, c, &given));
  CHECK(test_same_elements(&given, &fresh));
  call inside = *c;
  inside.x = &given;
  OK(ctx, tsr_copy(ctx, c->x, &given));
  OK(ctx, run(ctx, &inside, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&fresh);
  tsr_release(&owner);
}

/* The parameters of a call: scale, bias, mean, variance. */
static void make_params(tsr_ctx *ctx, call *c, int dtype, int which, test_rng *rng, tsr_tensor *owners,
                        tsr_tensor *views) {
  const bool rows = c->which == LAYER || c->which == RMS;
  const tsr_index *shape = rows ? c->x->shape + c->attribute : &c->x->shape[channel_of(c)];
  const int ndim = rows ? c->x->ndim - c->attribute : 1;
  for (int i = 0; i < 4; i++) {
    OK(ctx, nn_make(ctx, i == 3 ? TSR_F32 : dtype, ndim, shape, (which + i) % NN_WAYS, &owners[i], &views[i]));
    nn_fill(ctx, &views[i], rng, i == 3 ? 2 : 0, i == 3 ? 1 : 2);
  }
  c->scale = (which & 1) != 0 ? &views[0] : NULL;
  c->bias = (which & 2) != 0 ? &views[1] : NULL;
  c->mean = &views[2];
  c->variance = &views[3];
}

typedef struct shape_row {
  int ndim;
  tsr_index shape[4];
  int layout;
} shape_row;

static const shape_row shapes[] = {
    {2, {3, 7, 0, 0}, TSR_PLAIN}, {2, {4, 70, 0, 0}, TSR_NC},   {3, {2, 4, 5, 0}, TSR_PLAIN},
    {3, {2, 5, 4, 0}, TSR_NLC},   {4, {2, 6, 3, 2}, TSR_NCHW},  {4, {2, 3, 3, 6}, TSR_NHWC},
    {4, {1, 2, 3, 18}, TSR_NHWC}, {3, {0, 4, 2, 0}, TSR_PLAIN}, {4, {2, 2, 0, 3}, TSR_PLAIN},
};

static void check_shape(int isa, int dtype, const shape_row *s, int way, test_rng *rng) {
  for (int which = 0; which < OPS; which++)
    for (int form = 0; form < 4; form++) {
      tsr_ctx *const ctx = nn_context(isa);
      tsr_tensor owner = {0}, x = {0}, owners[4] = {{0}}, views[4];
      call c = {.which = (op)which, .eps = form == 0 ? 0 : 1e-3};
      OK(ctx, nn_make(ctx, dtype, s->ndim, s->shape, way, &owner, &x));
      x.layout = (uint8_t)s->layout;
      c.x = &x;
      c.attribute = which == GROUP ? 2 : which == LAYER || which == RMS ? (form + 1) % s->ndim : 0;
      if (which == GROUP && x.shape[channel_of(&c)] % 2 != 0) c.attribute = 1;
      nn_fill(ctx, &x, rng, dtype == TSR_F16 || dtype == TSR_BF16 ? 1 : 30, 2);
      make_params(ctx, &c, form == 3 ? TSR_F32 : dtype, form, rng, owners, views);
      check_outputs(ctx, &c, (way + form) % NN_WAYS);
      for (int i = 0; i < 4; i++) tsr_release(&owners[i]);
      tsr_release(&owner);
      CHECK(test_live() == 0);
    }
}

TEST(every_op_dtype_layout_and_way_to_lie) {
  test_rng rng = {3};
  const bool all = TSR_HAVE_MALLOC && !test_brief(); /* one way each where doubles are slow */
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int d = 0; d < COUNT_OF(nn_dtypes); d++)
      for (int s = 0; s < COUNT_OF(shapes) && nn_has(nn_dtypes[d]); s++)
        for (int way = all ? 0 : (s + d) % NN_WAYS; way < NN_WAYS; way += all ? 1 : NN_WAYS)
          check_shape(isa, nn_dtypes[d], &shapes[s], way, &rng);
}

#if TSR_HAVE_MALLOC
/* A mean that is large beside the deviation, and a first element far from the mean, cost no digits. */
TEST(large_means_and_far_first_elements) {
  enum { N = 5000 };
  static float in[N];
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int kind = 0; kind < 3; kind++) {
      tsr_ctx *const ctx = nn_context(isa);
      tsr_tensor x = {0}, out = {0};
      double mean = 0, variance = 0;
      test_rng rng = {11};
      for (int i = 0; i < N; i++) in[i] = (kind == 0 ? 1e6f : 0) + (float)test_between(&rng, -1000, 1000) / 1000;
      for (int i = 0; i < 20 && kind == 1; i++) in[i] = 1e5f;
      for (int i = 0; i < N && kind == 2; i++) in[i] = 0.1f;
      for (int i = 0; i < N; i++) mean += (double)in[i] / N;
      for (int i = 0; i < N; i++) variance += ((double)in[i] - mean) * ((double)in[i] - mean) / N;
      OK(ctx, tsr_from_const_memory(ctx, in, TSR_F32, TSR_SHAPE(1, N), &x));
      OK(ctx, tsr_layer_norm(ctx, &x, NULL, NULL, 1, (tsr_real)1e-5, &out));
      bool good = true;
      for (int i = 0; i < N; i++) {
        const double want = ((double)in[i] - mean) / sqrt(variance + 1e-5), got = (double)((float *)out.data)[i];
        good = good && fabs(got - want) <= 3e-6 * (1 + fabs(want)); /* kind 2: 0.1 as mean is off by less than that */
      }
      CHECK(good);
      tsr_release(&out);
    }
}

TEST(same_bits_for_threads_strides_and_isas) {
  static const tsr_index shape[4] = {2, 6, 70, 61}, last[4] = {2, 70, 61, 6};
  tsr_threads *pool = NULL;
  OK(NULL, tsr_threads_new(4, &pool));
  for (int which = 0; which < OPS; which++)
    for (int layout = TSR_NCHW; layout <= TSR_NHWC; layout++) {
      tsr_tensor first = {0};
      for (int isa = 1; tsr_isa_name(isa) != NULL; isa++)
        for (int way = 0; way < NN_WAYS; way++) {
          tsr_ctx *const ctx = nn_context(isa);
          tsr_tensor owner = {0}, x = {0}, out = {0}, owners[4] = {{0}}, views[4];
          test_rng rng = {5};
          call c = {.which = (op)which, .eps = 1e-5, .x = &x, .attribute = 3};
          if (way % 2 != 0) ctx->parallel = tsr_threads_parallel(pool);
          OK(ctx, nn_make(ctx, TSR_F32, 4, layout == TSR_NHWC ? last : shape, way, &owner, &x));
          x.layout = (uint8_t)layout;
          nn_fill(ctx, &x, &rng, 3, 2);
          make_params(ctx, &c, TSR_F32, 3, &rng, owners, views);
          OK(ctx, run(ctx, &c, &out));
          if (first.dtype == TSR_NONE) OK(NULL, tsr_clone(NULL, &out, &first));
          /* batch norm picks its rows by stride, and rounds the same either way */
          CHECK(test_same_elements(&out, &first));
          for (int i = 0; i < 4; i++) tsr_release(&owners[i]);
          tsr_release(&out);
          tsr_release(&owner);
        }
      tsr_release(&first);
    }
  tsr_threads_release(pool);
}

typedef struct norm_call {
  const call *c;
  tsr_tensor *out;
} norm_call;

static tsr_status call_norm(tsr_ctx *ctx, void *arg) {
  const norm_call *const n = arg;
  return run(ctx, n->c, n->out);
}

TEST(scratch_is_enough_and_nothing_is_allocated) {
  static const tsr_index shape[4] = {2, 5, 3, 6};
  tsr_ctx *const ctx = test_context();
  for (int which = 0; which < OPS; which++)
    for (int d = 0; d < COUNT_OF(nn_dtypes); d++) {
      tsr_tensor owner = {0}, x = {0}, out = {0}, owners[4] = {{0}}, views[4];
      test_rng rng = {5};
      call c = {.which = (op)which, .eps = 1e-5, .x = &x, .attribute = 3};
      OK(ctx, nn_make(ctx, nn_dtypes[d], 4, shape, NN_PLAIN, &owner, &x));
      x.layout = TSR_NHWC;
      make_params(ctx, &c, nn_dtypes[d], 3, &rng, owners, views);
      OK(ctx, run(ctx, &c, &out));
      (void)test_scratch(ctx, call_norm, &(norm_call){&c, &out});
      (void)test_scratch(ctx, call_norm, &(norm_call){&c, &x});
      for (int i = 0; i < 4; i++) tsr_release(&owners[i]);
      tsr_release(&out);
      tsr_release(&owner);
    }
  CHECK(test_live() == 0);
}
#else
TEST(large_means_and_far_first_elements) { SKIP("needs f64"); }
TEST(same_bits_for_threads_strides_and_isas) { SKIP("no threads"); }
TEST(scratch_is_enough_and_nothing_is_allocated) { SKIP("no allocator that counts"); }
#endif

/* A row of as many axes as there can be, gathered. */
TEST(rows_of_every_axis) {
  tsr_ctx *const ctx = test_context();
  tsr_index shape[TSR_MAX_DIMS];
  test_rng rng = {8};
  tsr_tensor owner = {0}, x = {0}, out = {0};
  for (int i = 0; i < TSR_MAX_DIMS; i++) shape[i] = i < 5 ? 2 : 1 + i % 2;
  OK(ctx, nn_make(ctx, TSR_F32, TSR_MAX_DIMS, shape, NN_REVERSED, &owner, &x));
  nn_fill(ctx, &x, &rng, 1, 2);
  const call c = {.which = LAYER, .attribute = 0, .eps = 1e-3, .x = &x};
  OK(ctx, run(ctx, &c, &out));
  compare(ctx, &c, &out);
  tsr_release(&owner);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* Parameters that are part of the output are read before it is written. */
TEST(parameters_may_overlap_the_output) {
  tsr_ctx *const ctx = test_context();
  float memory[12];
  tsr_tensor x = {0}, scale = {0}, want = {0}, own = {0};
  for (int i = 0; i < 12; i++) memory[i] = (float)(i * i % 11) + 1;
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3, 4), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(4), &scale));
  OK(ctx, tsr_clone(ctx, &scale, &own));
  OK(ctx, tsr_layer_norm(ctx, &x, &own, &own, 1, (tsr_real)1e-5, &want));
  OK(ctx, tsr_layer_norm(ctx, &x, &scale, &scale, 1, (tsr_real)1e-5, &x));
  CHECK(test_same_elements(&x, &want));
  tsr_release(&want);
  tsr_release(&own);
  CHECK(test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[24];
  static int32_t numbers[24];
  tsr_tensor x = {0}, four = {0}, integers = {0}, blocked = {0}, flat = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 4), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(4), &four));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(6), &flat));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I32, TSR_SHAPE(4), &integers));
  blocked = x;
  blocked.layout = TSR_N;
  FAILS(ctx, TSR_ESHAPE, tsr_layer_norm(ctx, &x, &four, NULL, 1, 0, &out));
  MESSAGE_HAS(ctx, "layer_norm: scale is f32 [4], not [3,4]");
  FAILS(ctx, TSR_EDTYPE, tsr_layer_norm(ctx, &x, &four, &integers, 2, 0, &out));
  MESSAGE_HAS(ctx, "layer_norm: bias is i32 [4]; layer_norm takes floats");
  FAILS(ctx, TSR_EAXIS, tsr_rms_norm(ctx, &x, NULL, 3, 0, &out));
  MESSAGE_HAS(ctx, "rms_norm: axis 3 is out of range for rank 3");
  FAILS(ctx, TSR_EARG, tsr_rms_norm(ctx, &x, NULL, 2, (tsr_real)-0.5, &out));
  MESSAGE_HAS(ctx, "rms_norm: eps is -0.5, which is not a number of 0 or more");
  FAILS(ctx, TSR_EARG, tsr_group_norm(ctx, &x, NULL, NULL, 2, 0, &out));
  MESSAGE_HAS(ctx, "group_norm: groups is 2, which does not divide the 3 channels of f32 [2,3,4]");
  FAILS(ctx, TSR_EARG, tsr_group_norm(ctx, &x, NULL, NULL, 0, 0, &out));
  MESSAGE_HAS(ctx, "group_norm: groups is 0, which is not 1 or more");
  FAILS(ctx, TSR_ELAYOUT, tsr_instance_norm(ctx, &blocked, NULL, NULL, 0, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_instance_norm(ctx, &flat, NULL, NULL, 0, &out));
  MESSAGE_HAS(ctx, "instance_norm: x is f32 [6], which has no axis of channels");
  FAILS(ctx, TSR_EARG, tsr_batch_norm(ctx, &x, NULL, NULL, NULL, &four, 0, &out));
  MESSAGE_HAS(ctx, "batch_norm: mean is NULL");
  FAILS(ctx, TSR_ESHAPE, tsr_batch_norm(ctx, &x, NULL, NULL, &four, &four, 0, &out));
  MESSAGE_HAS(ctx, "batch_norm: mean is f32 [4], not [3]");
  CHECK(tsr_is_none(&out));
  CHECK(test_live() == 0);
}

/* ---- against PyTorch ---- */

#if TSR_HAVE_MALLOC
typedef struct golden {
  op which;
  bool last;
  int attribute;
  double eps;
  int ndim;
  tsr_index shape[4];
  _Alignas(8) double x[48];
  struct {
    _Alignas(8) double values[24];
    bool given;
  } params[4];
  double y[48];
} golden;

static const golden goldens[] = {
#include "golden/nn_norm.inc"
};

TEST(golden_values) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(goldens); i++) {
    const golden *const g = &goldens[i];
    tsr_tensor x, out = {0}, params[4] = {{0}};
    call c = {.which = g->which, .attribute = g->attribute, .eps = g->eps, .x = &x};
    OK(ctx, tsr_from_const_memory(ctx, g->x, TSR_F64, g->ndim, g->shape, &x));
    if (g->last) x.layout = g->ndim == 3 ? TSR_NLC : TSR_NHWC;
    const bool rows = g->which == LAYER || g->which == RMS;
    for (int k = 0; k < 4; k++)
      OK(ctx, tsr_from_const_memory(ctx, g->params[k].values, TSR_F64, rows ? g->ndim - g->attribute : 1,
                                    rows ? g->shape + g->attribute : &g->shape[channel_of(&c)], &params[k]));
    c.scale = g->params[0].given ? &params[0] : NULL;
    c.bias = g->params[1].given ? &params[1] : NULL;
    c.mean = &params[2];
    c.variance = &params[3];
    OK(ctx, run(ctx, &c, &out));
    for (tsr_index k = 0; k < tsr_size(&out); k++)
      CHECK(nn_close(((double *)out.data)[k], g->y[k], 1e-11 * (1 + fabs(g->y[k]))));
    tsr_release(&out);
  }
}
#else
TEST(golden_values) { SKIP("needs f64"); }
#endif

TEST_MAIN(RUN(every_op_dtype_layout_and_way_to_lie), RUN(large_means_and_far_first_elements),
          RUN(same_bits_for_threads_strides_and_isas), RUN(scratch_is_enough_and_nothing_is_allocated),
          RUN(rows_of_every_axis), RUN(parameters_may_overlap_the_output), RUN(bad_calls), RUN(golden_values))
