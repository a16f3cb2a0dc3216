/* Pooling: against windows gathered one by one in f64, over random shapes and attributes in every dtype, layout and way
 * to lie, and against PyTorch; NaN; empty windows; outputs; threads; scratch; failures. */
#include "support/test.h"

#include "nn/nn_support.h"
#include "support/scratch.h"

typedef tsr_status pool_fn(tsr_ctx *, const tsr_tensor *, int, const tsr_index *, const tsr_pool_options *,
                           tsr_tensor *);

/* One case: attributes as a caller gives them; spatial axes 0 and 1. */
typedef struct call {
  bool largest, last;
  int spatial;
  tsr_index kernel[2];
  tsr_pool_options o;
} call;

static tsr_index stride_of(const call *c, int i) { return c->o.stride[i] == 0 ? c->kernel[i] : c->o.stride[i]; }
static tsr_index dilation_of(const call *c, int i) { return c->o.dilation[i] == 0 ? 1 : c->o.dilation[i]; }

/* The number of windows by counting: the last one ends inside the padding, or with ceil_mode less than a stride behind
 * it, and then begins before the padding behind the input. */
static tsr_index windows(const call *c, int i, tsr_index length) {
  const tsr_index stride = stride_of(c, i), reach = (c->kernel[i] - 1) * dilation_of(c, i) + 1;
  const tsr_index whole = length + c->o.pad_before[i] + c->o.pad_after[i];
  tsr_index n = 0;
  for (tsr_index start = 0; start + reach < whole + (c->o.ceil_mode ? stride : 1); start += stride)
    if (!c->o.ceil_mode || start < length + c->o.pad_before[i]) n++;
  return n;
}

/* The result at one index: sums and greatest over the window, element by element. */
static double window(tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_index *index) {
  const int first = c->last ? 1 : 2;
  tsr_index at[4], k[2], taps[2] = {c->kernel[0], c->spatial == 2 ? c->kernel[1] : 1};
  double sum = 0, top = -(double)INFINITY, count = 0;
  bool nan = false;
  memcpy(at, index, sizeof at);
  for (k[0] = 0; k[0] < taps[0]; k[0]++)
    for (k[1] = 0; k[1] < taps[1]; k[1]++) {
      bool inside = true, counted = true;
      for (int i = 0; i < c->spatial; i++) {
        const tsr_index length = x->shape[first + i];
        at[first + i] = index[first + i] * stride_of(c, i) - c->o.pad_before[i] + k[i] * dilation_of(c, i);
        inside = inside && at[first + i] >= 0 && at[first + i] < length;
        counted = counted && at[first + i] < length + c->o.pad_after[i];
      }
      count += c->o.count_include_pad ? counted : inside;
      if (!inside) continue;
      const double v = nn_get(ctx, x, at);
      sum += v;
      top = v > top ? v : top;
      nan = nan || isnan(v);
    }
  if (nan) return (double)NAN;
  return c->largest ? top : count > 0 ? sum / count : 0;
}

static void compare(tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  const double unit = nn_unit(x->dtype), f32 = x->dtype == TSR_F64 ? unit : 0x1p-24;
  if (tsr_size(out) == 0) return;
  do {
    const double want = window(ctx, c, x, index), got = nn_get(ctx, out, index);
    const bool close = nn_close(got, want, c->largest ? 0 : 2 * unit * fabs(want) + 120 * f32);
    CHECK(close);
    if (!close && test_now.failures <= 20)
      printf("  %s of %s, kernel %d %d: %.9g instead of %.9g\n", c->largest ? "max" : "avg", tsr_dtype_name(x->dtype),
             (int)c->kernel[0], (int)c->kernel[1], got, want);
  } while (test_next_index(out->ndim, out->shape, index));
}

static call random_call(test_rng *rng) {
  call c = {.largest = test_between(rng, 0, 1) != 0, .last = test_between(rng, 0, 1) != 0};
  c.spatial = (int)test_between(rng, 1, 2);
  c.o.ceil_mode = test_between(rng, 0, 1) != 0;
  c.o.count_include_pad = test_between(rng, 0, 1) != 0;
  for (int i = 0; i < c.spatial; i++) {
    c.kernel[i] = test_between(rng, 1, 4);
    c.o.stride[i] = test_between(rng, 0, 4);
    c.o.dilation[i] = test_between(rng, 0, 3);
    const tsr_index reach = (c.kernel[i] - 1) * dilation_of(&c, i) + 1;
    c.o.pad_before[i] = test_between(rng, 0, 2) == 0 ? test_between(rng, 0, reach - 1) : 0;
    c.o.pad_after[i] = test_between(rng, 0, 2) == 0 ? test_between(rng, 0, reach - 1) : 0;
  }
  return c;
}

/* A shape for a call, [N, C, spatial …] in its layout; false where a kernel is larger than its axis. */
static bool random_shape(const call *c, test_rng *rng, tsr_index most, tsr_index *shape) {
  const int first = c->last ? 1 : 2;
  shape[0] = test_between(rng, 1, 2);
  shape[c->last ? c->spatial + 1 : 1] = test_between(rng, 1, c->last ? 2 * most : 3);
  for (int i = 0; i < c->spatial; i++) {
    shape[first + i] = test_between(rng, 1, most);
    if (windows(c, i, shape[first + i]) == 0) return false;
  }
  return true;
}

static int layout_of(const call *c, bool plain) {
  if (c->last) return c->spatial == 1 ? TSR_NLC : TSR_NHWC;
  return plain ? TSR_PLAIN : c->spatial == 1 ? TSR_NCL : TSR_NCHW;
}

static void check_call(tsr_ctx *ctx, const call *c, const tsr_tensor *x, int out_way) {
  pool_fn *const f = c->largest ? tsr_max_pool : tsr_avg_pool;
  tsr_tensor fresh = {0}, owner = {0}, given = {0};
  OK(ctx, f(ctx, x, c->spatial, c->kernel, &c->o, &fresh));
  CHECK(fresh.dtype == x->dtype && fresh.ndim == x->ndim && fresh.layout == x->layout);
  for (int i = 0; i < c->spatial; i++) {
    const int axis = (c->last ? 1 : 2) + i;
    CHECK(fresh.shape[axis] == windows(c, i, x->shape[axis]));
    if (fresh.shape[axis] != windows(c, i, x->shape[axis])) return;
  }
  compare(ctx, c, x, &fresh);
  OK(ctx, nn_make(ctx, x->dtype, x->ndim, fresh.shape, out_way, &owner, &given));
  OK(ctx, f(ctx, x, c->spatial, c->kernel, &c->o, &given));
  CHECK(test_same_elements(&given, &fresh));
  tsr_release(&owner);
  tsr_release(&fresh);
}

TEST(random_shapes_and_attributes) {
  test_rng rng = {9};
  const int rounds = TSR_HAVE_MALLOC ? 400 : 60;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int round = 0; round < rounds; round++) {
      tsr_ctx *const ctx = nn_context(isa);
      const call c = random_call(&rng);
      const int dtype = nn_dtypes[round % COUNT_OF(nn_dtypes)];
      tsr_index shape[4];
      tsr_tensor owner = {0}, x = {0};
      if (!nn_has(dtype) || !random_shape(&c, &rng, round % 10 == 0 && TSR_HAVE_MALLOC ? 40 : 9, shape)) continue;
      OK(ctx, nn_make(ctx, dtype, c.spatial + 2, shape, round / 4 % NN_WAYS, &owner, &x));
      x.layout = (uint8_t)layout_of(&c, round % 3 == 0);
      nn_fill(ctx, &x, &rng, 0, 3);
      check_call(ctx, &c, &x, (round / 16) % NN_WAYS);
      tsr_release(&owner);
      CHECK(test_live() == 0);
    }
}

/* A kernel longer than the kernels' lines, and lines of many pieces. */
TEST(long_lines_and_kernels) {
#if TSR_HAVE_MALLOC
  static const struct {
    tsr_index length, kernel, stride, dilation;
  } rows[] = {{3000, 3, 1, 1},    {3000, 3, 2, 1},      {3001, 5, 3, 2},
              {3000, 2500, 7, 1}, {2500, 2, 900, 1200}, {1500, 1500, 1, 1}};
  test_rng rng = {4};
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(rows); i++)
      for (int largest = 0; largest < 2; largest++) {
        tsr_ctx *const ctx = nn_context(isa);
        const call c = {.largest = largest != 0,
                        .spatial = 1,
                        .kernel = {rows[i].kernel, 0},
                        .o = {.stride = {rows[i].stride, 0},
                              .dilation = {rows[i].dilation, 0},
                              .pad_before = {rows[i].kernel > 1, 0}}};
        tsr_tensor x = {0};
        OK(ctx, tsr_zeros(ctx, TSR_F64, TSR_SHAPE(1, 2, rows[i].length), &x));
        nn_fill(ctx, &x, &rng, 0, 1);
        check_call(ctx, &c, &x, NN_PLAIN);
        tsr_release(&x);
      }
#else
  SKIP("needs more memory");
#endif
}

TEST(nan_anywhere_in_a_window) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int last = 0; last < 2; last++)
      for (tsr_index at = 0; at < 60; at++) {
        tsr_ctx *const ctx = nn_context(isa);
        const call c = {.largest = true, .last = last != 0, .spatial = 2, .kernel = {3, 2}, .o = {.stride = {1, 2}}};
        tsr_tensor x = {0};
        OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, last != 0 ? 3 : 1, last != 0 ? 20 : 3, last != 0 ? 1 : 20), &x));
        x.layout = last != 0 ? TSR_NHWC : TSR_NCHW;
        ((float *)x.data)[at] = at % 2 != 0 ? (float)NAN : -(float)NAN;
        check_call(ctx, &c, &x, NN_PLAIN);
        tsr_release(&x);
      }
}

/* By the definition, to the bit: of numbers that are equal the first stays, and no subnormal number is 0. */
TEST(zeros_of_both_signs_and_subnormal_numbers) {
  static const float kinds[] = {0.0f, -0.0f, 1e-40f, -1e-40f, 3e-40f, -3e-40f, 2.0f, -2.0f};
  tsr_ctx *const ctx = test_context();
  test_rng rng = {77};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 6, 6, 9), &x));
  OK(ctx, tsr_set_layout(ctx, &x, TSR_NHWC, &x));
  float *const at = x.data;
  for (int run = 0; run < 50; run++) {
    const int size = 2 + run % 2;
    for (int i = 0; i < 6 * 6 * 9; i++) at[i] = kinds[test_random(&rng) % (uint32_t)COUNT_OF(kinds)];
    OK(ctx, tsr_max_pool(ctx, &x, TSR_SHAPE(size, size), NULL, &out));
    for (int i = 0; i < 6 / size * (6 / size) * 9; i++) {
      const int c = i % 9, column = i / 9 % (6 / size) * size, row = i / 9 / (6 / size) * size;
      float want = at[(row * 6 + column) * 9 + c];
      for (int k = 1; k < size * size; k++) {
        const float v = at[((row + k % size) * 6 + column + k / size) * 9 + c];
        want = v > want ? v : want;
      }
      CHECK(memcmp(&want, (const float *)out.data + i, sizeof want) == 0);
    }
    tsr_release(&out);
  }
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* One NaN among many channels: its window's result is NaN, the others are not. */
TEST(nan_among_channels) {
  enum { CHANNELS = 13, ALL = 4 * 4 * CHANNELS };
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, most = {0}, mean = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 4, 4, CHANNELS), &x));
  OK(ctx, tsr_set_layout(ctx, &x, TSR_NHWC, &x));
  float *const at = x.data;
  for (int i = 0; i < ALL; i++) {
    for (int k = 0; k < ALL; k++) at[k] = (float)(k % 7 - 3);
    at[i] = i % 2 == 0 ? NAN : -NAN;
    OK(ctx, tsr_max_pool(ctx, &x, TSR_SHAPE(2, 2), NULL, &most));
    OK(ctx, tsr_avg_pool(ctx, &x, TSR_SHAPE(2, 2), NULL, &mean));
    const int c = i % CHANNELS, column = i / CHANNELS % 4 / 2, row = i / CHANNELS / 8;
    for (int k = 0; k < 4 * CHANNELS; k++) {
      const bool is_hit = k == (row * 2 + column) * CHANNELS + c;
      CHECK(isnan(((const float *)most.data)[k]) == is_hit && isnan(((const float *)mean.data)[k]) == is_hit);
    }
  }
  tsr_release(&most);
  tsr_release(&mean);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* Means, whose sums may be subnormal where no number is; rows of a column first, then the columns. */
TEST(means_of_subnormal_numbers) {
  static const float kinds[] = {0.0f, -0.0f, 1e-40f, -3e-40f, 1.2e-38f, -1.3e-38f, 1e-37f, -1e-37f, 4.0f};
  tsr_ctx *const ctx = test_context();
  test_rng rng = {78};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 6, 6, 11), &x));
  OK(ctx, tsr_set_layout(ctx, &x, TSR_NHWC, &x));
  float *const at = x.data;
  for (int run = 0; run < 60; run++) {
    const int size = 2 + run % 2, some = run % 3 == 0 ? 6 : 2;
    for (int i = 0; i < 6 * 6 * 11; i++)
      at[i] = (int)(test_random(&rng) % 100) < some ? kinds[test_random(&rng) % (uint32_t)COUNT_OF(kinds)]
                                                    : (float)(i % 19) * 0.3f;
    OK(ctx, tsr_avg_pool(ctx, &x, TSR_SHAPE(size, size), NULL, &out));
    for (int i = 0; i < 6 / size * (6 / size) * 11; i++) {
      const int c = i % 11, column = i / 11 % (6 / size) * size, row = i / 11 / (6 / size) * size;
      float want = 0;
      for (int k = 0; k < size; k++) {
        float sum = at[(row * 6 + column + k) * 11 + c];
        for (int r = 1; r < size; r++) sum += at[((row + r) * 6 + column + k) * 11 + c];
        want = k == 0 ? sum : want + sum;
      }
      want /= (float)(size * size);
      CHECK(memcmp(&want, (const float *)out.data + i, sizeof want) == 0);
    }
    tsr_release(&out);
  }
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST(windows_without_elements) {
  tsr_ctx *const ctx = test_context();
  static const float one[1] = {5};
  const tsr_pool_options o = {.stride = {1}, .dilation = {3}, .pad_before = {3}, .pad_after = {3}};
  tsr_tensor x = {0}, top = {0}, mean = {0};
  OK(ctx, tsr_from_const_memory(ctx, one, TSR_F32, TSR_SHAPE(1, 1, 1), &x));
  OK(ctx, tsr_max_pool(ctx, &x, TSR_SHAPE(2), &o, &top)); /* windows at -3 and 0, -2 and 1, -1 and 2, 0 and 3 */
  OK(ctx, tsr_avg_pool(ctx, &x, TSR_SHAPE(2), &o, &mean));
  CHECK(top.shape[2] == 4 && ((float *)top.data)[0] == 5 && ((float *)top.data)[1] == -INFINITY);
  CHECK(((float *)mean.data)[0] == 5 && ((float *)mean.data)[1] == 0 && ((float *)mean.data)[3] == 5);
  tsr_release(&top);
  tsr_release(&mean);
}

TEST(no_samples_and_no_channels) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 2, 4, 4), &x));
  OK(ctx, tsr_max_pool(ctx, &x, TSR_SHAPE(2, 2), NULL, &out));
  CHECK(out.shape[0] == 0 && out.shape[2] == 2);
  tsr_release(&out);
  tsr_release(&x);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 4, 4, 0), &x));
  x.layout = TSR_NHWC;
  OK(ctx, tsr_avg_pool(ctx, &x, TSR_SHAPE(2, 2), NULL, &out));
  CHECK(out.shape[1] == 2 && out.shape[3] == 0);
  tsr_release(&out);
  tsr_release(&x);
}

#if TSR_HAVE_MALLOC
TEST(same_bits_for_threads_strides_and_isas) {
  static const tsr_index shape[4] = {2, 5, 70, 61}, last[4] = {2, 70, 61, 5};
  tsr_threads *pool = NULL;
  OK(NULL, tsr_threads_new(4, &pool));
  for (int largest = 0; largest < 2; largest++)
    for (int layout = TSR_NCHW; layout <= TSR_NHWC; layout++) {
      tsr_tensor first = {0};
      for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
        for (int way = 0; way < NN_WAYS; way++) {
          tsr_ctx *const ctx = nn_context(isa);
          pool_fn *const f = largest != 0 ? tsr_max_pool : tsr_avg_pool;
          const tsr_pool_options o = {.stride = {2, 1}, .pad_before = {1, 1}, .pad_after = {0, 1}};
          tsr_tensor owner = {0}, x = {0}, out = {0};
          test_rng rng = {5};
          if (way % 2 != 0) ctx->parallel = tsr_threads_parallel(pool);
          OK(ctx, nn_make(ctx, TSR_F32, 4, layout == TSR_NHWC ? last : shape, way, &owner, &x));
          x.layout = (uint8_t)layout;
          nn_fill(ctx, &x, &rng, 0, 2);
          OK(ctx, f(ctx, &x, TSR_SHAPE(3, 4), &o, &out));
          if (first.dtype == TSR_NONE) OK(NULL, tsr_clone(NULL, &out, &first));
          CHECK(test_same_elements(&out, &first));
          tsr_release(&out);
          tsr_release(&owner);
        }
      tsr_release(&first);
    }
  tsr_threads_release(pool);
}

typedef struct pool_call {
  const tsr_tensor *x;
  tsr_tensor *out;
} pool_call;

static tsr_status call_max(tsr_ctx *ctx, void *arg) {
  const pool_call *const c = arg;
  return tsr_max_pool(ctx, c->x, TSR_SHAPE(3, 3), NULL, c->out);
}

static tsr_status call_avg(tsr_ctx *ctx, void *arg) {
  const pool_call *const c = arg;
  return tsr_avg_pool(ctx, c->x, TSR_SHAPE(3, 3), NULL, c->out);
}

TEST(scratch_is_enough_and_nothing_is_allocated) {
  tsr_ctx *const ctx = test_context();
  for (int layout = TSR_NCHW; layout <= TSR_NHWC; layout++) {
    tsr_tensor x = {0}, out = {0};
    pool_call pool = {&x, &out};
    OK(ctx, tsr_zeros(ctx, TSR_F16, TSR_SHAPE(2, 9, 8, 7), &x));
    x.layout = (uint8_t)layout;
    OK(ctx, tsr_max_pool(ctx, &x, TSR_SHAPE(3, 3), NULL, &out));
    CHECK(test_scratch(ctx, call_max, &pool) > 0 && test_scratch(ctx, call_avg, &pool) > 0);
    tsr_release(&x);
    tsr_release(&out);
  }
  CHECK(test_live() == 0);
}
#else
TEST(same_bits_for_threads_strides_and_isas) { SKIP("no threads"); }
TEST(scratch_is_enough_and_nothing_is_allocated) { SKIP("no allocator that counts"); }
#endif

TEST(overlap_is_as_if_copied) {
  tsr_ctx *const ctx = test_context();
  float memory[20];
  tsr_tensor x = {0}, part = {0}, want = {0};
  for (int i = 0; i < 20; i++) memory[i] = (float)(i * i % 13);
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 1, 20), &x));
  OK(ctx, tsr_narrow(ctx, &x, 2, 3, 10, &part));
  OK(ctx, tsr_max_pool(ctx, &x, TSR_SHAPE(2), NULL, &want));
  OK(ctx, tsr_max_pool(ctx, &x, TSR_SHAPE(2), NULL, &part));
  CHECK(test_same_elements(&part, &want));
  tsr_release(&want);
  CHECK(test_live() == 0);
}

TEST(global_pooling) {
  tsr_ctx *const ctx = test_context();
  float memory[24];
  tsr_tensor x = {0}, mean = {0}, top = {0};
  for (int i = 0; i < 24; i++) memory[i] = (float)i;
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 4), &x)); /* [B,T,F] */
  x.layout = TSR_NLC;
  OK(ctx, tsr_global_avg_pool(ctx, &x, false, &mean));
  CHECK(mean.ndim == 2 && mean.shape[0] == 2 && mean.shape[1] == 4);
  CHECK(((float *)mean.data)[0] == 4 && ((float *)mean.data)[7] == 19);
  tsr_release(&mean);
  x.layout = TSR_PLAIN;
  OK(ctx, tsr_global_avg_pool(ctx, &x, true, &mean));
  OK(ctx, tsr_global_max_pool(ctx, &x, true, &top));
  CHECK(mean.ndim == 3 && mean.shape[1] == 3 && mean.shape[2] == 1 && top.shape[2] == 1);
  CHECK(((float *)mean.data)[1] == 5.5f && ((float *)top.data)[1] == 7);
  tsr_release(&mean);
  tsr_release(&top);
  x.layout = TSR_N;
  FAILS(ctx, TSR_ELAYOUT, tsr_global_avg_pool(ctx, &x, false, &mean));
  MESSAGE_HAS(ctx, "global_avg_pool: x is f32 [2,3,4] with the layout N");
  FAILS(ctx, TSR_EARG, tsr_global_max_pool(ctx, NULL, false, &mean));
  CHECK(test_live() == 0);
}

/* ---- failures ---- */

typedef struct bad_row {
  int count;
  tsr_index kernel[2];
  tsr_pool_options o;
  tsr_status status;
  const char *message;
} bad_row;

static const bad_row bad_rows[] = {
    {1, {2, 0}, {.ceil_mode = false}, TSR_EARG, "kernel has 1 axes, f32 [1,2,4,5] is pooled along 2"},
    {2, {0, 2}, {.ceil_mode = false}, TSR_EARG, "kernel is 0 along axis 2"},
    {2, {2, -1}, {.ceil_mode = false}, TSR_EARG, "kernel is -1 along axis 3"},
    {2, {2, 2}, {.stride = {-1, 0}}, TSR_EARG, "stride is -1 along axis 2"},
    {2, {2, 2}, {.dilation = {0, -2}}, TSR_EARG, "dilation is -2 along axis 3"},
    {2, {2, 2}, {.dilation = {TSR_INDEX_MAX, 0}}, TSR_EARG, "dilation"},
    {2, {2, 2}, {.pad_before = {2, 0}}, TSR_EARG, "pad_before is 2 along axis 2"},
    {2, {2, 2}, {.pad_after = {0, -1}}, TSR_EARG, "pad_after is -1 along axis 3"},
    {2, {2, 2}, {.stride = {TSR_INDEX_MAX, 0}}, TSR_EOVERFLOW, "more elements than an index counts"},
    {2, {5, 2}, {.ceil_mode = false}, TSR_ESHAPE, "kernel reaches over 5 elements, axis 2 of f32 [1,2,4,5] has 4"},
    {2, {2, 3}, {.dilation = {0, 3}}, TSR_ESHAPE, "kernel reaches over 7 elements, axis 3"},
};

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  static float memory[40];
  tsr_tensor x = {0}, flat = {0}, tagged = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(1, 2, 4, 5), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(4, 5), &flat));
  for (int i = 0; i < COUNT_OF(bad_rows); i++) {
    const bad_row *const b = &bad_rows[i];
    FAILS(ctx, b->status, tsr_max_pool(ctx, &x, b->count, b->kernel, &b->o, &out));
    MESSAGE_HAS(ctx, b->message);
    FAILS(ctx, b->status, tsr_avg_pool(ctx, &x, b->count, b->kernel, &b->o, &out));
  }
  tagged = x;
  tagged.layout = TSR_OIHW;
  FAILS(ctx, TSR_ELAYOUT, tsr_max_pool(ctx, &tagged, TSR_SHAPE(2, 2), NULL, &out));
  MESSAGE_HAS(ctx, "max_pool: x is f32 [1,2,4,5] with the layout OIHW; max_pool takes NCL, NLC, NCHW and NHWC");
  FAILS(ctx, TSR_ESHAPE, tsr_avg_pool(ctx, &flat, TSR_SHAPE(2, 2), NULL, &out));
  MESSAGE_HAS(ctx, "avg_pool: x is f32 [4,5], which is neither [N,C,L] nor [N,C,H,W]");
  FAILS(ctx, TSR_EARG, tsr_max_pool(ctx, &x, 2, NULL, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_max_pool(ctx, &x, TSR_SHAPE(2, 2), NULL, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_max_pool(ctx, &x, TSR_SHAPE(2, 2), NULL, &x));
  CHECK(tsr_is_none(&out));
  CHECK(test_live() == 0);
}

/* ---- against PyTorch ---- */

#if TSR_HAVE_MALLOC
typedef struct golden {
  bool largest, ceil_mode, include;
  int ndim;
  tsr_index shape[4], kernel[2], stride[2], dilation[2], pad[2];
  double x[96];
  tsr_index out_shape[4];
  double y[192];
} golden;

static const golden goldens[] = {
#include "golden/nn_pool.inc"
};

TEST(golden_values) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(goldens); i++) {
    const golden *const g = &goldens[i];
    const tsr_pool_options o = {.stride = {g->stride[0], g->stride[1]},
                                .dilation = {g->dilation[0], g->dilation[1]},
                                .pad_before = {g->pad[0], g->pad[1]},
                                .pad_after = {g->pad[0], g->pad[1]},
                                .ceil_mode = g->ceil_mode,
                                .count_include_pad = g->include};
    tsr_tensor x = {0}, out = {0};
    OK(ctx, tsr_from_const_memory(ctx, g->x, TSR_F64, g->ndim, g->shape, &x));
    OK(ctx, (g->largest ? tsr_max_pool : tsr_avg_pool)(ctx, &x, g->ndim - 2, g->kernel, &o, &out));
    CHECK(out.ndim == g->ndim);
    for (int k = 0; k < g->ndim; k++) CHECK(out.shape[k] == g->out_shape[k]);
    for (tsr_index k = 0; k < tsr_size(&out); k++) {
      const bool close = nn_close(((double *)out.data)[k], g->y[k], 1e-14 * (1 + fabs(g->y[k])));
      CHECK(close);
      if (!close) printf("  row %d: %.17g instead of %.17g\n", i, ((double *)out.data)[k], g->y[k]);
    }
    tsr_release(&out);
  }
}
#else
TEST(golden_values) { SKIP("needs f64"); }
#endif

TEST_MAIN(RUN(random_shapes_and_attributes), RUN(long_lines_and_kernels), RUN(nan_anywhere_in_a_window),
          RUN(zeros_of_both_signs_and_subnormal_numbers), RUN(nan_among_channels), RUN(means_of_subnormal_numbers),
          RUN(windows_without_elements), RUN(no_samples_and_no_channels), RUN(same_bits_for_threads_strides_and_isas),
          RUN(scratch_is_enough_and_nothing_is_allocated), RUN(overlap_is_as_if_copied), RUN(global_pooling),
          RUN(bad_calls), RUN(golden_values))
