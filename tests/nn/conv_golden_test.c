/* Convolutions of whole numbers, as PyTorch computed them: exact, by every algorithm, layout and instruction set. */
#include "support/helpers.h"
#include "support/test.h"

typedef struct golden {
  int rank;
  tsr_index x[4], w[4], stride[2], dilation[2], before[2], after[2], out[4], groups;
  int bias;
  const float *values; /* (n, o, oh, ow) */
} golden;

static const golden table[] = {
#include "golden/conv.inc"
};

enum { MOST = 16 * 16 * 9 };

static void numbers(float *to, tsr_index count, uint32_t seed) {
  for (tsr_index i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    to[i] = (float)((int)((seed >> 16) % 7u) - 3);
  }
}

/* Four axes, or without the third of them. */
static tsr_tensor over(float *data, int rank, const tsr_index *shape) {
  tsr_tensor t = {0};
  const tsr_index three[3] = {shape[0], shape[1], shape[3]};
  OK(NULL, tsr_from_memory(NULL, data, TSR_F32, rank, rank == 4 ? shape : three, &t));
  return t;
}

static void run(tsr_ctx *ctx, const golden *g, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                int algorithm) {
  const bool one = g->rank == 3;
  tsr_conv_options options = {.groups = g->groups, .algorithm = (uint8_t)algorithm};
  tsr_tensor out = {0}, first = {0}, want = over((float *)(uintptr_t)g->values, g->rank, g->out);
  for (int k = 0; k < (one ? 1 : 2); k++) {
    options.stride[k] = g->stride[k + one];
    options.dilation[k] = g->dilation[k + one];
    options.pad_before[k] = g->before[k + one];
    options.pad_after[k] = g->after[k + one];
  }
  OK(ctx, (one ? tsr_conv1d : tsr_conv2d)(ctx, x, w, bias, &options, &out));
  OK(ctx, tsr_to_layout_view(ctx, &out, one ? TSR_NCL : TSR_NCHW, &first));
  CHECK(tsr_same_shape(&first, &want));
  tsr_index index[4] = {0};
  int wrong = 0;
  if (tsr_same_shape(&first, &want)) {
    do {
      const double got = test_decode(TSR_F32, test_at(&first, index)),
                   golden_value = test_decode(TSR_F32, test_at(&want, index));
      /* Winograd rounds; all others are exact. */
      if (got != golden_value && !(g->w[1] == 16 && got - golden_value < 1e-3 && golden_value - got < 1e-3)) wrong++;
    } while (test_next_index(want.ndim, want.shape, index));
  }
  CHECK(wrong == 0);
  tsr_release(&out);
}

TEST(pytorch_agrees) {
  static float x_numbers[MOST], w_numbers[MOST], b_numbers[16];
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(table); i++)
      for (int way = 0; way < 6; way++) {
        const golden *const g = &table[i];
        tsr_ctx *const ctx = test_context();
        OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
        numbers(x_numbers, test_product(4, g->x), 1);
        numbers(w_numbers, test_product(4, g->w), 2);
        numbers(b_numbers, g->w[0], 3);
        tsr_tensor x = over(x_numbers, g->rank, g->x), w = over(w_numbers, g->rank, g->w), b = {0}, turned = {0};
        OK(ctx, tsr_from_memory(ctx, b_numbers, TSR_F32, 1, &g->w[0], &b));
        if (way % 2) {
          OK(ctx, tsr_to_layout(ctx, &x, g->rank == 3 ? TSR_NLC : TSR_NHWC, 0, &turned));
          x = turned;
        }
        run(ctx, g, &x, &w, g->bias ? &b : NULL, way / 2);
        tsr_release(&turned);
        CHECK(test_live() == 0);
      }
}

TEST_MAIN(RUN(pytorch_agrees))
