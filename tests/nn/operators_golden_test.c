/* Operators of ONNX, as ONNX Runtime and PyTorch computed them, with attributes of every kind, channels first and last
 * where an operation takes both, on every instruction set. */
#include "support/test.h"

#include "nn/nn_support.h"

enum {
  ONNX_Conv,
  ONNX_ConvTranspose,
  ONNX_MaxPool,
  ONNX_AveragePool,
  ONNX_LpPool,
  ONNX_GlobalAveragePool,
  ONNX_GlobalMaxPool,
  ONNX_LRN,
  ONNX_Resize,
  ONNX_DepthToSpace,
  ONNX_SpaceToDepth,
  TORCH_AdaptiveAvg,
  TORCH_AdaptiveMax,
  ONNX_RotaryEmbedding,
  ONNX_Softmax,
  ONNX_LogSoftmax,
  ONNX_LayerNormalization,
  ONNX_BatchNormalization,
  ONNX_InstanceNormalization,
  ONNX_GroupNormalization,
  ONNX_Gemm,
  ONNX_MatMul,
  OPS
};

typedef struct shape {
  int ndim;
  tsr_index of[5];
} shape;

/* What the fields mean depends on the operator; scripts/golden_onnx.py writes them. */
typedef struct golden {
  int op, inputs;
  shape in[5];
  tsr_index stride[3], dilation[3], before[3], after[3], kernel[3], extra[3], groups;
  int ceil, include, axis;
  double real[3];
  shape out;
  const float *y;
} golden;

static const golden onnx[] = {
#include "golden/onnx.inc"
};

static const golden torch[] = {
#include "golden/torch_nn.inc"
};

enum { MOST = 512 };

/* The numbers of the script; the last input of a batch norm is a variance. */
static void numbers(float *to, tsr_index count, uint32_t seed, bool positive) {
  for (tsr_index i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    const float value = (float)((int)((seed >> 16) % 201u) - 100) / 32;
    to[i] = positive ? fabsf(value) + 0.5f : value;
  }
}

static void copy3(tsr_index *to, const tsr_index *from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];
}

static tsr_status convolve(tsr_ctx *ctx, const golden *g, const tsr_tensor *in, tsr_tensor *out) {
  const int n = in[0].ndim - 2;
  const tsr_tensor *const bias = g->inputs == 3 ? &in[2] : NULL;
  if (g->op == ONNX_ConvTranspose) {
    tsr_conv_transpose_options a = {.groups = g->groups};
    copy3(a.stride, g->stride, n), copy3(a.dilation, g->dilation, n), copy3(a.pad_before, g->before, n);
    copy3(a.pad_after, g->after, n), copy3(a.output_padding, g->extra, n);
    return (n == 1 ? tsr_conv_transpose1d : tsr_conv_transpose2d)(ctx, &in[0], &in[1], bias, &a, out);
  }
  if (n == 3) {
    tsr_conv3d_options a = {.groups = g->groups};
    copy3(a.stride, g->stride, n), copy3(a.dilation, g->dilation, n);
    copy3(a.pad_before, g->before, n), copy3(a.pad_after, g->after, n);
    return tsr_conv3d(ctx, &in[0], &in[1], bias, &a, out);
  }
  tsr_conv_options a = {.groups = g->groups};
  copy3(a.stride, g->stride, n), copy3(a.dilation, g->dilation, n);
  copy3(a.pad_before, g->before, n), copy3(a.pad_after, g->after, n);
  return (n == 1 ? tsr_conv1d : tsr_conv2d)(ctx, &in[0], &in[1], bias, &a, out);
}

static tsr_status pool(tsr_ctx *ctx, const golden *g, const tsr_tensor *x, tsr_tensor *out) {
  const int n = x->ndim - 2;
  tsr_pool_options o = {.ceil_mode = g->ceil != 0, .count_include_pad = g->include != 0};
  copy3(o.stride, g->stride, n), copy3(o.dilation, g->dilation, n);
  copy3(o.pad_before, g->before, n), copy3(o.pad_after, g->after, n);
  if (g->op == ONNX_LpPool) return tsr_lp_pool(ctx, x, n, g->kernel, (tsr_real)g->real[0], &o, out);
  return (g->op == ONNX_MaxPool ? tsr_max_pool : tsr_avg_pool)(ctx, x, n, g->kernel, &o, out);
}

static tsr_status resize(tsr_ctx *ctx, const golden *g, const tsr_tensor *x, tsr_tensor *out) {
  const tsr_resize_options a = {.scale = {(tsr_real)g->real[0], (tsr_real)g->real[1]},
                                .coordinates = (uint8_t)g->groups,
                                .nearest = (uint8_t)g->ceil};
  return (g->include != 0 ? tsr_resize_linear : tsr_resize_nearest)(ctx, x, 2, g->kernel, &a, out);
}

static tsr_status rotate(tsr_ctx *ctx, const golden *g, const tsr_tensor *in, tsr_tensor *out) {
  int32_t numbers_of[6];
  tsr_tensor positions = {0};
  for (int i = 0; i < 3; i++) numbers_of[i] = (int32_t)g->kernel[i], numbers_of[3 + i] = (int32_t)g->extra[i];
  OK(ctx, tsr_from_memory(ctx, numbers_of, TSR_I32, TSR_SHAPE(2, 3), &positions));
  return tsr_rotary(ctx, &in[0], &in[1], &in[2], &positions, (tsr_rotary_form)g->include, out);
}

static tsr_status multiply(tsr_ctx *ctx, const golden *g, const tsr_tensor *in, tsr_tensor *out) {
  tsr_tensor a = in[0], b = in[1];
  if (g->include != 0) OK(ctx, tsr_transpose(ctx, &a, 0, 1, &a));
  if (g->ceil != 0) OK(ctx, tsr_transpose(ctx, &b, 0, 1, &b));
  const tsr_real alpha = (tsr_real)g->real[0], beta = g->inputs == 3 ? (tsr_real)g->real[1] : 0;
  return tsr_gemm(ctx, alpha, &a, &b, beta, beta != 0 ? &in[2] : NULL, NULL, out);
}

static tsr_status call(tsr_ctx *ctx, const golden *g, const tsr_tensor *in, tsr_tensor *out) {
  const tsr_real eps = (tsr_real)g->real[0];
  const tsr_tensor *const bias = g->inputs >= 3 ? &in[2] : NULL;
  switch (g->op) {
    case ONNX_Conv:
    case ONNX_ConvTranspose: return convolve(ctx, g, in, out);
    case ONNX_MaxPool:
    case ONNX_AveragePool:
    case ONNX_LpPool: return pool(ctx, g, in, out);
    case ONNX_GlobalAveragePool: return tsr_global_avg_pool(ctx, in, true, out);
    case ONNX_GlobalMaxPool: return tsr_global_max_pool(ctx, in, true, out);
    case ONNX_LRN: return tsr_lrn(ctx, in, g->groups, eps, (tsr_real)g->real[1], (tsr_real)g->real[2], out);
    case ONNX_Resize: return resize(ctx, g, in, out);
    case ONNX_DepthToSpace: return tsr_pixel_shuffle(ctx, in, g->groups, (tsr_pixel_order)g->include, out);
    case ONNX_SpaceToDepth: return tsr_pixel_unshuffle(ctx, in, g->groups, (tsr_pixel_order)g->include, out);
    case TORCH_AdaptiveAvg: return tsr_adaptive_avg_pool(ctx, in, in->ndim - 2, g->kernel, out);
    case TORCH_AdaptiveMax: return tsr_adaptive_max_pool(ctx, in, in->ndim - 2, g->kernel, out);
    case ONNX_RotaryEmbedding: return rotate(ctx, g, in, out);
    case ONNX_Softmax: return tsr_softmax(ctx, in, g->axis, out);
    case ONNX_LogSoftmax: return tsr_log_softmax(ctx, in, g->axis, out);
    case ONNX_LayerNormalization: return tsr_layer_norm(ctx, in, &in[1], bias, g->axis, eps, out);
    case ONNX_BatchNormalization: return tsr_batch_norm(ctx, in, &in[1], bias, &in[3], &in[4], eps, out);
    case ONNX_InstanceNormalization: return tsr_instance_norm(ctx, in, &in[1], bias, eps, out);
    case ONNX_GroupNormalization: return tsr_group_norm(ctx, in, &in[1], bias, (int)g->groups, eps, out);
    case ONNX_Gemm: return multiply(ctx, g, in, out);
    default: return tsr_matmul(ctx, in, &in[1], out);
  }
}

/* Whether x has channels that can be last. */
static bool has_channels(const golden *g) {
  if (g->in[0].ndim < 3) return false;
  return g->op < ONNX_RotaryEmbedding || (g->op >= ONNX_BatchNormalization && g->op <= ONNX_GroupNormalization);
}

/* Sums and products of these inputs are exact; what divides or calls functions is not. */
static double allowed(const golden *g, double want) {
  const bool exact = g->op <= ONNX_MaxPool || (g->op == ONNX_LpPool && g->real[0] == 1) || g->op == ONNX_DepthToSpace ||
                     g->op == ONNX_SpaceToDepth || g->op == TORCH_AdaptiveMax || g->op >= ONNX_Gemm ||
                     (g->op == ONNX_Resize && g->include == 0);
  return exact ? 0 : 3e-6 * (1 + fabs(want));
}

static void compare(tsr_ctx *ctx, const golden *g, const tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0}, k = 0;
  REQUIRE(out->ndim == g->out.ndim);
  for (int i = 0; i < out->ndim; i++) REQUIRE(out->shape[i] == g->out.of[i]);
  do {
    const double got = nn_get(ctx, out, index), want = (double)g->y[k];
    const bool close = nn_close(got, want, allowed(g, want));
    CHECK(close);
    if (!close && test_now.failures <= 20)
      printf("  operator %d, element %d: %.9g instead of %.9g\n", g->op, (int)k, got, want);
    k++;
  } while (test_next_index(out->ndim, out->shape, index));
}

static void run(tsr_ctx *ctx, const golden *g, bool last) {
  static const int first_tags[] = {TSR_NCL, TSR_NCHW, TSR_NCDHW}, last_tags[] = {TSR_NLC, TSR_NHWC, TSR_NDHWC};
  static float values[5][MOST];
  tsr_tensor in[5] = {{0}}, turned = {0}, out = {0}, first = {0};
  for (int i = 0; i < g->inputs; i++) {
    REQUIRE(test_product(g->in[i].ndim, g->in[i].of) <= MOST);
    numbers(values[i], test_product(g->in[i].ndim, g->in[i].of), (uint32_t)i + 1, i == 4);
    OK(ctx, tsr_from_memory(ctx, values[i], TSR_F32, g->in[i].ndim, g->in[i].of, &in[i]));
  }
  if (last) {
    OK(ctx, tsr_to_layout(ctx, &in[0], last_tags[in[0].ndim - 3], 0, &turned));
    in[0] = turned;
  }
  OK(ctx, call(ctx, g, in, &out));
  first = out;
  first.flags = 0;
  if (last) OK(ctx, tsr_to_layout_view(ctx, &out, first_tags[in[0].ndim - 3], &first));
  compare(ctx, g, &first);
  tsr_release(&out), tsr_release(&turned);
  CHECK(test_live() == 0);
}

static void run_all(int count, const golden *table, bool *seen) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < count; i++) {
      if (table[i].in[0].ndim > TSR_MAX_DIMS) continue;
      run(nn_context(isa), &table[i], false);
      if (has_channels(&table[i])) run(nn_context(isa), &table[i], true);
      seen[table[i].op] = true;
    }
}

TEST(onnx_runtime_agrees) {
  bool seen[OPS] = {0};
  run_all(COUNT_OF(onnx), onnx, seen);
  for (int op = 0; op < OPS; op++) CHECK(seen[op] || op == TORCH_AdaptiveAvg || op == TORCH_AdaptiveMax);
}

TEST(pytorch_agrees) {
  bool seen[OPS] = {0};
  run_all(COUNT_OF(torch), torch, seen);
  CHECK(seen[TORCH_AdaptiveAvg] && seen[TORCH_AdaptiveMax] && seen[ONNX_ConvTranspose] && seen[ONNX_Resize]);
}

TEST_MAIN(RUN(onnx_runtime_agrees), RUN(pytorch_agrees))
