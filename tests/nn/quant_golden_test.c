/* Quantised nodes as ONNX Runtime computed them, on every instruction set: quantizing is the same, products and
 * convolutions, which it scales in f32, differ by at most 1. */
#include "nn/quant_reference.h"
#include "support/test.h"

enum { QUANTIZE, PRODUCT, CONVOLUTION };

typedef struct golden {
  int kind, x_dtype, out_dtype, x_zero, out_zero;
  tsr_index x[4], w[4], out[4];
  tsr_index groups, stride[2], dilation[2], before[2], after[2];
  const int16_t *y;
} golden;

static const golden cases[] = {
#include "golden/quant.inc"
};

static float scales[64];

static tsr_quant quant_of(int dtype, float scale, int zero) {
  return (tsr_quant){.dtype = (uint8_t)dtype, .scale = scale, .zero = zero};
}

/* The numbers that the script makes. */
static void fill(const tsr_tensor *t, uint32_t seed) {
  uint8_t *const at = t->data;
  for (tsr_index i = 0; i < tsr_size(t); i++) {
    seed = seed * 1664525u + 1013904223u;
    at[i] = (uint8_t)(seed >> 24);
  }
}

/* The largest difference, and how many differ. */
static int compare(const tsr_tensor *t, const int16_t *y, int *differ) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  int most = 0;
  *differ = 0;
  do {
    const int off = (int)q_get(t, index) - *y++, size = off < 0 ? -off : off;
    most = size > most ? size : most;
    *differ += size > 0;
  } while (test_next_index(t->ndim, t->shape, index));
  return most;
}

static void quantize(tsr_ctx *ctx, const golden *g) {
  tsr_tensor x = {0}, y = {0};
  int differ;
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(g->out[0]), &x));
  for (tsr_index i = 0; i < g->out[0]; i++) ((float *)x.data)[i] = (float)(i - 700) / 4 * 0.125f;
  const tsr_quant q = quant_of(g->out_dtype, 0.125f, g->out_zero);
  OK(ctx, tsr_quantize(ctx, &x, &q, &y));
  CHECK(compare(&y, g->y, &differ) == 0);
  tsr_release(&x);
  tsr_release(&y);
}

static void multiply(tsr_ctx *ctx, const golden *g) {
  tsr_tensor a = {0}, b = {0}, y = {0};
  int differ;
  OK(ctx, tsr_zeros(ctx, g->x_dtype, 2, g->x, &a));
  OK(ctx, tsr_zeros(ctx, TSR_I8, 2, g->w, &b));
  fill(&a, 1);
  fill(&b, 2);
  const tsr_quant of_a = quant_of(g->x_dtype, 1.0f / 64, g->x_zero), to = quant_of(g->out_dtype, 0.75f, g->out_zero);
  const tsr_quant of_b = {.dtype = TSR_I8, .scales = scales, .count = g->w[1], .axis = 1};
  OK(ctx, tsr_qmatmul(ctx, &a, &of_a, &b, &of_b, &to, &y));
  CHECK(compare(&y, g->y, &differ) <= 1 && differ <= 2);
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&y);
}

static void convolve(tsr_ctx *ctx, const golden *g) {
  tsr_tensor x = {0}, w = {0}, bias = {0}, y = {0};
  tsr_qlayer layer = {0};
  int differ;
  tsr_conv_options options = {.groups = g->groups};
  for (int i = 0; i < 2; i++) {
    options.stride[i] = g->stride[i];
    options.dilation[i] = g->dilation[i];
    options.pad_before[i] = g->before[i];
    options.pad_after[i] = g->after[i];
  }
  OK(ctx, tsr_zeros(ctx, g->x_dtype, 4, g->x, &x));
  OK(ctx, tsr_zeros(ctx, TSR_I8, 4, g->w, &w));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(g->w[0]), &bias));
  fill(&x, 1);
  fill(&w, 2);
  uint32_t seed = 3;
  for (tsr_index o = 0; o < g->w[0]; o++) {
    seed = seed * 1664525u + 1013904223u;
    ((int32_t *)bias.data)[o] = (int8_t)(uint8_t)(seed >> 24) * 37;
  }
  const tsr_qscheme scheme = {.x = quant_of(g->x_dtype, 1.0f / 64, g->x_zero),
                              .w = {.dtype = TSR_I8, .scales = scales, .count = g->w[0], .axis = 0},
                              .out = quant_of(g->out_dtype, 0.75f, g->out_zero)};
  OK(ctx, tsr_qconv_pack(ctx, &w, &bias, &options, &scheme, &layer));
  OK(ctx, tsr_qconv2d(ctx, &x, &layer, &y));
  CHECK(compare(&y, g->y, &differ) <= 1 && differ <= 2);
  tsr_qlayer_release(&layer);
  tsr_release(&x);
  tsr_release(&w);
  tsr_release(&bias);
  tsr_release(&y);
}

TEST(onnx_runtime_agrees) {
  for (int i = 0; i < 64; i++) scales[i] = (float)(i % 5 + 3) / 1024;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(cases); i++) {
      tsr_ctx *const ctx = test_context();
      (void)q_isa(ctx, isa);
      (cases[i].kind == QUANTIZE ? quantize : cases[i].kind == PRODUCT ? multiply : convolve)(ctx, &cases[i]);
      CHECK(test_live() == 0);
    }
}

TEST_MAIN(RUN(onnx_runtime_agrees))
