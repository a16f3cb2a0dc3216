/* Adaptive and lp pooling: against windows gathered one by one in f64, over random shapes and attributes in every float
 * dtype, layout, instruction set and way to lie; NaN; threads; outputs; failures. */
#include "support/test.h"

#include "nn/all_floats.h"

enum { MEAN, GREATEST, LP };

typedef struct call {
  int op, spatial;
  bool last;
  tsr_index size[2]; /* of the output; of the kernel for LP */
  double p;
  tsr_pool_options o;
} call;

static tsr_index stride_of(const call *c, int i) { return c->o.stride[i] == 0 ? c->size[i] : c->o.stride[i]; }
static tsr_index dilation_of(const call *c, int i) { return c->o.dilation[i] == 0 ? 1 : c->o.dilation[i]; }

/* Whether element e of an axis of length in is in window i: by the definition, of all elements. */
static bool is_inside(const call *c, int k, tsr_index in, tsr_index i, tsr_index e) {
  if (c->op != LP) { /* begins at i·in/n rounded down, ends before (i + 1)·in/n rounded up */
    const double n = (double)c->size[k], m = (double)in;
    return (double)e >= floor((double)i * m / n) && (double)e < ceil((double)(i + 1) * m / n);
  }
  const tsr_index first = i * stride_of(c, k) - c->o.pad_before[k];
  for (tsr_index t = 0; t < c->size[k]; t++)
    if (first + t * dilation_of(c, k) == e) return true;
  return false;
}

static double wanted(tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_index *index, double *size) {
  const int first = c->last ? 1 : 2;
  const tsr_index most[2] = {x->shape[first], c->spatial == 2 ? x->shape[first + 1] : 1};
  tsr_index at[4], e[2];
  double sum = 0, top = -(double)INFINITY, count = 0;
  bool nan = false;
  memcpy(at, index, sizeof at);
  for (e[0] = 0; e[0] < most[0]; e[0]++)
    for (e[1] = 0; e[1] < most[1]; e[1]++) {
      bool inside = true;
      for (int k = 0; k < c->spatial; k++) {
        inside = inside && is_inside(c, k, most[k], index[first + k], e[k]);
        at[first + k] = e[k];
      }
      if (!inside) continue;
      const double v = nn_get(ctx, x, at);
      sum += c->op == LP ? pow(fabs(v), c->p) : v;
      top = v > top ? v : top;
      nan = nan || isnan(v);
      count++;
    }
  *size = count * 3;
  if (nan) return (double)NAN;
  return c->op == LP ? pow(sum, 1 / c->p) : c->op == MEAN ? sum / count : top;
}

static tsr_status run(tsr_ctx *ctx, const call *c, const tsr_tensor *x, tsr_tensor *out) {
  if (c->op == LP) return tsr_lp_pool(ctx, x, c->spatial, c->size, (tsr_real)c->p, &c->o, out);
  return (c->op == MEAN ? tsr_adaptive_avg_pool : tsr_adaptive_max_pool)(ctx, x, c->spatial, c->size, out);
}

static void check_call(tsr_ctx *ctx, const call *c, const tsr_tensor *x, int way) {
  static const char *const names[] = {"adaptive_avg_pool", "adaptive_max_pool", "lp_pool"};
  tsr_tensor fresh = {0}, owner = {0}, given = {0}, mean = {0};
  tsr_index index[TSR_MAX_DIMS] = {0};
  OK(ctx, run(ctx, c, x, &fresh));
  REQUIRE(fresh.ndim == x->ndim && fresh.layout == x->layout && fresh.dtype == x->dtype);
  if (c->op == LP) { /* the shape is that of avg_pool, which has a test of its own */
    OK(ctx, tsr_avg_pool(ctx, x, c->spatial, c->size, &c->o, &mean));
    REQUIRE(tsr_same_shape(&mean, &fresh));
    tsr_release(&mean);
  } else {
    for (int k = 0; k < c->spatial; k++) REQUIRE(fresh.shape[(c->last ? 1 : 2) + k] == c->size[k]);
  }
  do {
    double size = 0;
    const double want = wanted(ctx, c, x, index, &size);
    const double steps = c->op == LP && TSR_REAL_BITS == 32 ? 60 : 3;
    float_check(names[c->op], x->dtype, nn_get(ctx, &fresh, index), want,
                c->op == GREATEST ? 0 : float_allowed(x->dtype, want, size + fabs(want), steps));
  } while (test_next_index(fresh.ndim, fresh.shape, index));
  OK(ctx, nn_make(ctx, x->dtype, x->ndim, fresh.shape, way, &owner, &given));
  OK(ctx, run(ctx, c, x, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&owner), tsr_release(&fresh);
}

static void random_call(test_rng *rng, const tsr_index *shape, call *c) {
  static const double ps[] = {1, 2, 3, 1.5};
  c->p = ps[test_between(rng, 0, 3)];
  c->o.ceil_mode = test_between(rng, 0, 1) != 0;
  for (int k = 0; k < c->spatial; k++) {
    const tsr_index length = shape[(c->last ? 1 : 2) + k];
    c->size[k] = test_between(rng, 1, c->op == LP ? (length < 4 ? length : 4) : 8);
    if (c->op != LP) continue;
    c->o.stride[k] = test_between(rng, 0, 3);
    c->o.dilation[k] = (c->size[k] - 1) * 2 < length ? test_between(rng, 0, 2) : 1;
    const tsr_index reach = (c->size[k] - 1) * dilation_of(c, k) + 1;
    c->o.pad_before[k] = test_between(rng, 0, reach - 1);
    c->o.pad_after[k] = test_between(rng, 0, reach - 1);
  }
}

static int layout_of(const call *c, bool plain) {
  if (c->last) return c->spatial == 1 ? TSR_NLC : TSR_NHWC;
  return plain ? TSR_PLAIN : c->spatial == 1 ? TSR_NCL : TSR_NCHW;
}

TEST(random_shapes_and_attributes) {
  test_rng rng = {61};
  const int rounds = TSR_HAVE_MALLOC ? 360 : 72;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < rounds; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      call c = {.op = round % 3, .last = round / 3 % 2 != 0, .spatial = 1 + round / 6 % 2};
      const int dtype = all_floats[round / 3 % COUNT_OF(all_floats)];
      tsr_index shape[4] = {1};
      tsr_tensor owner = {0}, x = {0};
      if (!nn_has(dtype)) continue;
      shape[0] = test_between(&rng, 1, 2);
      shape[c.last ? c.spatial + 1 : 1] = test_between(&rng, 1, 4);
      for (int k = 0; k < c.spatial; k++) shape[(c.last ? 1 : 2) + k] = test_between(&rng, 1, 9);
      random_call(&rng, shape, &c);
      OK(ctx, nn_make(ctx, dtype, c.spatial + 2, shape, round / 5 % NN_WAYS, &owner, &x));
      x.layout = (uint8_t)layout_of(&c, round % 2 == 0);
      nn_fill(ctx, &x, &rng, 0, 3);
      if (round % 10 == 0 && dtype == TSR_F32) ((float *)owner.data)[0] = (float)NAN;
      check_call(ctx, &c, &x, round / 7 % NN_WAYS);
      tsr_release(&owner);
      CHECK(test_live() == 0);
    }
}

static void make(tsr_ctx *ctx, int which, tsr_tensor *out) {
  const call c = {.op = which, .spatial = 2, .size = {3, 4}, .p = 2, .o = {.stride = {1, 1}}};
  tsr_tensor x = {0};
  float_random(ctx, TSR_SHAPE(40, 60, 13, 12), 7, &x);
  OK(ctx, run(ctx, &c, &x, out));
  tsr_release(&x);
}

TEST(same_bits_for_threads_and_isas) {
  for (int op = MEAN; op <= LP; op++) check_same_bits(make, op);
}

/* Overlapping: as if copied, and nothing changes when the copy cannot be made. Apart: no memory. */
TEST(outputs_and_memory) {
  for (int op = 0; op < 3; op++) {
    tsr_ctx *const ctx = test_context();
    float memory[20];
    const call c = {.op = op, .spatial = 2, .size = {2, 2}, .p = 2, .o = {.stride = {1, 2}}};
    tsr_tensor x = {0}, out = {0}, want = {0};
    for (int i = 0; i < 20; i++) memory[i] = (float)(i * i % 13);
    OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 1, 3, 4), &x));
    OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_F32, TSR_SHAPE(1, 1, 2, 2), &out));
    OK(ctx, run(ctx, &c, &x, &want));
    const size_t calls = test_failing()->calls;
    OK(ctx, run(ctx, &c, &x, &want));
    CHECK(test_failing()->calls == calls);
#if TSR_HAVE_MALLOC
    tsr_tensor none = {0};
    test_failing()->fail_at = test_failing()->calls;
    FAILS(ctx, TSR_ENOMEM, run(ctx, &c, &x, &out));
    test_failing()->fail_at = test_failing()->calls;
    FAILS(ctx, TSR_ENOMEM, run(ctx, &c, &x, &none));
    for (int i = 0; i < 20; i++) CHECK(memory[i] == (float)(i * i % 13));
    CHECK(tsr_is_none(&none));
#endif
    OK(ctx, run(ctx, &c, &x, &out));
    CHECK(test_same_elements(&out, &want));
    tsr_release(&want);
    CHECK(test_live() == 0);
  }
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[40];
  static int32_t integers[40];
  tsr_tensor x = {0}, flat = {0}, none = {0}, other = {0}, out = {0}, samples = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 4, 5), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(8, 5), &flat));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 4, 0), &none));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(0, 2, 4, 4), &samples));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(1, 2, 4, 5), &other));
  FAILS(ctx, TSR_EARG, tsr_adaptive_avg_pool(ctx, &x, TSR_SHAPE(2), &out));
  MESSAGE_HAS(ctx, "adaptive_avg_pool: size has 1 axes, f32 [1,2,4,5] is pooled along 2");
  FAILS(ctx, TSR_EARG, tsr_adaptive_max_pool(ctx, &x, TSR_SHAPE(2, 0), &out));
  MESSAGE_HAS(ctx, "adaptive_max_pool: size is 0 along axis 3 of f32 [1,2,4,5], which is not 1 or more");
  FAILS(ctx, TSR_EARG, tsr_adaptive_max_pool(ctx, &x, 2, NULL, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_adaptive_avg_pool(ctx, &none, TSR_SHAPE(2, 2), &out));
  MESSAGE_HAS(ctx, "adaptive_avg_pool: x is f32 [1,2,4,0]: its axis 3 has no elements");
  FAILS(ctx, TSR_ESHAPE, tsr_adaptive_avg_pool(ctx, &flat, TSR_SHAPE(2, 2), &out));
  MESSAGE_HAS(ctx, "adaptive_avg_pool: x is f32 [8,5]; adaptive_avg_pool takes [N,C,L] and [N,C,H,W]");
  FAILS(ctx, TSR_EDTYPE, tsr_adaptive_max_pool(ctx, &other, TSR_SHAPE(2, 2), &out));
#if TSR_INDEX_BITS == 64
  FAILS(ctx, TSR_EOVERFLOW, tsr_adaptive_max_pool(ctx, &x, TSR_SHAPE(TSR_INDEX_MAX, 2), &out));
#endif
  FAILS(ctx, TSR_EARG, tsr_adaptive_avg_pool(ctx, NULL, TSR_SHAPE(2, 2), &out));
  FAILS(ctx, TSR_EARG, tsr_adaptive_avg_pool(ctx, &x, TSR_SHAPE(2, 2), NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_adaptive_avg_pool(ctx, &x, TSR_SHAPE(2, 2), &flat));
  static const float ps[] = {0, -1, (float)INFINITY, (float)NAN};
  for (int i = 0; i < COUNT_OF(ps); i++)
    FAILS(ctx, TSR_EARG, tsr_lp_pool(ctx, &x, TSR_SHAPE(2, 2), (tsr_real)ps[i], NULL, &out));
  MESSAGE_HAS(ctx, "lp_pool: p is nan, which is not a finite number above 0");
  FAILS(ctx, TSR_EARG, tsr_lp_pool(ctx, &x, TSR_SHAPE(0, 2), 2, NULL, &out));
  MESSAGE_HAS(ctx, "lp_pool: kernel is 0 along axis 2");
  FAILS(ctx, TSR_EDTYPE, tsr_lp_pool(ctx, &other, TSR_SHAPE(2, 2), 2, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_lp_pool(ctx, &x, TSR_SHAPE(2, 2), 2, NULL, NULL));
  CHECK(tsr_is_none(&out));
  OK(ctx, tsr_adaptive_avg_pool(ctx, &samples, TSR_SHAPE(2, 2), &out));
  CHECK(out.shape[0] == 0 && out.shape[2] == 2);
  tsr_release(&out);
  const tsr_pool_options pads = {.pad_before = {0, 1}, .pad_after = {0, 1}};
  OK(ctx, tsr_lp_pool(ctx, &none, TSR_SHAPE(2, 2), 2, &pads, &out)); /* a window of padding alone */
  CHECK(out.shape[3] == 1 && ((float *)out.data)[0] == 0);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(random_shapes_and_attributes), RUN(same_bits_for_threads_and_isas), RUN(outputs_and_memory),
          RUN(bad_calls))
