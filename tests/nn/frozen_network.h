/* A network of every 8-bit layer that can be frozen, in odd shapes: recorded by freeze_test, run frozen by frozen_test. */
#ifndef TSR_TEST_FROZEN_NETWORK_H
#define TSR_TEST_FROZEN_NETWORK_H

#include "support/helpers.h"
#include "support/test.h"

#include <tessera/quant.h>

enum { FROZEN_LAYERS = 8, FROZEN_OUTPUTS = 5, FROZEN_MOST_CHANNELS = 12 };

typedef struct frozen_network {
  tsr_tensor w[FROZEN_LAYERS], bias;
  tsr_qlayer layer[FROZEN_LAYERS];
  float scales[FROZEN_MOST_CHANNELS];
} frozen_network;

static void frozen_fill(tsr_tensor *t, int step) {
  uint8_t *const bytes = t->data;
  for (size_t i = 0; i < tsr_nbytes(t); i++) bytes[i] = (uint8_t)(i * (size_t)step % 251);
}

/* Filters (O, I, KH, KW) with a layout, or the weights of a dense layer (O, I). */
static void frozen_pack(tsr_ctx *ctx, frozen_network *n, int i, int layout, int ndim, const tsr_index *shape,
                        const tsr_conv_options *options, const tsr_qscheme *scheme) {
  OK(ctx, tsr_zeros(ctx, scheme->w.dtype, ndim, shape, &n->w[i]));
  if (layout != TSR_PLAIN) OK(ctx, tsr_set_layout(ctx, &n->w[i], layout, &n->w[i]));
  frozen_fill(&n->w[i], 37 + 2 * i);
  if (ndim == 2)
    OK(ctx, tsr_qdense_pack(ctx, &n->w[i], NULL, scheme, &n->layer[i]));
  else
    OK(ctx, tsr_qconv_pack(ctx, &n->w[i], i == 0 ? &n->bias : NULL, options, scheme, &n->layer[i]));
}

static void frozen_make(tsr_ctx *ctx, frozen_network *n) {
  const tsr_quant image = {.dtype = TSR_U8, .scale = 0.04f, .zero = 17},
                  byte = {.dtype = TSR_I8, .scale = 0.6f, .zero = -9}, plain = {.dtype = TSR_I8, .scale = 0.02f},
                  odd = {.dtype = TSR_U8, .scale = 0.02f, .zero = 120}, wide = {.dtype = TSR_I16, .scale = 0.03f},
                  large = {.dtype = TSR_I8, .scale = 7, .zero = 5};
  const tsr_conv_options half = {.stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}};
  const tsr_conv_options each = {.pad_before = {1, 1}, .pad_after = {1, 1}, .groups = 8};
  const tsr_conv_options twice = {.pad_before = {0, 1}, .pad_after = {1, 0}, .groups = 8};
  const tsr_conv_options two = {.groups = 2}, apart = {.dilation = {2, 1}};
  *n = (frozen_network){0};
  for (int i = 0; i < 8; i++) n->scales[i] = 0.01f + 0.003f * (float)i;
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(8), &n->bias));
  for (int i = 0; i < 8; i++) ((int32_t *)n->bias.data)[i] = 300 * i - 1000;
  const tsr_quant channels = {.dtype = TSR_I8, .scales = n->scales, .count = 8, .axis = 0};
  frozen_pack(ctx, n, 0, TSR_OHWI, TSR_SHAPE(8, 3, 3, 4), &half,
              &(tsr_qscheme){.x = image, .w = channels, .out = byte, .activation = TSR_Q_RELU});
  frozen_pack(ctx, n, 1, TSR_HWIO, TSR_SHAPE(3, 3, 1, 8), &each, &(tsr_qscheme){.x = byte, .w = plain, .out = byte});
  frozen_pack(ctx, n, 2, TSR_PLAIN, TSR_SHAPE(16, 1, 2, 2), &twice, &(tsr_qscheme){.x = byte, .w = plain, .out = byte});
  frozen_pack(ctx, n, 3, TSR_OHWI, TSR_SHAPE(6, 1, 1, 4), &two, &(tsr_qscheme){.x = byte, .w = odd, .out = wide});
  frozen_pack(ctx, n, 4, TSR_PLAIN, TSR_SHAPE(5, 6, 2, 3), &apart, &(tsr_qscheme){.x = wide, .w = plain, .out = large});
  frozen_pack(ctx, n, 5, TSR_PLAIN, TSR_SHAPE(12, 8), NULL,
              &(tsr_qscheme){.x = byte, .w = plain, .out = byte, .activation = TSR_Q_RELU6});
  frozen_pack(ctx, n, 6, TSR_PLAIN, TSR_SHAPE(7, 160), NULL, &(tsr_qscheme){.x = byte, .w = odd, .out = large});
  frozen_pack(ctx, n, 7, TSR_OHWI, TSR_SHAPE(12, 1, 1, 8), NULL, &(tsr_qscheme){.x = byte, .w = plain, .out = byte});
}

static void frozen_release(frozen_network *n) {
  for (int i = 0; i < FROZEN_LAYERS; i++) {
    tsr_qlayer_release(&n->layer[i]);
    tsr_release(&n->w[i]);
  }
  tsr_release(&n->bias);
}

/* image u8 (1, 9, 7, 4), NHWC, to five outputs. */
static void frozen_calls(tsr_ctx *ctx, const frozen_network *n, const tsr_tensor *image, tsr_tensor *outputs) {
  const tsr_quant byte = {.dtype = TSR_I8, .scale = 0.6f, .zero = -9},
                  fine = {.dtype = TSR_I8, .scale = 0.35f, .zero = 4};
  const tsr_quant wide = {.dtype = TSR_I16, .scale = 0.002f, .zero = 1};
  const tsr_pool_options around = {
      .stride = {1, 1}, .pad_before = {1, 1}, .pad_after = {1, 1}, .count_include_pad = true};
  enum { CONV, EACH, TWICE, GROUPS, MAX, MEAN, SUM, ROWS, COUNT };
  tsr_tensor t[COUNT] = {{0}}, flat = {0};
  OK(ctx, tsr_qconv2d(ctx, image, &n->layer[0], &t[CONV]));                      /* (1, 5, 4, 8) */
  OK(ctx, tsr_qconv2d(ctx, &t[CONV], &n->layer[1], &t[EACH]));                   /* (1, 5, 4, 8) */
  OK(ctx, tsr_qconv2d(ctx, &t[EACH], &n->layer[2], &t[TWICE]));                  /* (1, 5, 4, 16) */
  OK(ctx, tsr_qconv2d(ctx, &t[EACH], &n->layer[3], &t[GROUPS]));                 /* (1, 5, 4, 6), i16 */
  OK(ctx, tsr_qconv2d(ctx, &t[GROUPS], &n->layer[4], &outputs[0]));              /* (1, 3, 2, 5) */
  OK(ctx, tsr_qmax_pool(ctx, &t[TWICE], TSR_SHAPE(3, 3), &around, &outputs[1])); /* (1, 5, 4, 16) */
  OK(ctx, tsr_qmax_pool(ctx, &t[EACH], TSR_SHAPE(3, 3), &around, &t[MAX]));      /* (1, 5, 4, 8) */
  OK(ctx, tsr_qavg_pool(ctx, &t[EACH], -9, TSR_SHAPE(3, 3), &around, &t[MEAN])); /* (1, 5, 4, 8) */
  OK(ctx, tsr_qadd(ctx, &t[MAX], &byte, &t[MEAN], &fine, &byte, &t[SUM]));       /* (1, 5, 4, 8) */
  OK(ctx, tsr_qadd(ctx, &t[SUM], &byte, &t[EACH], &byte, &wide, &outputs[2]));   /* i16 */
  OK(ctx, tsr_reshape_view(ctx, &t[SUM], TSR_SHAPE(20, 8), &flat));
  OK(ctx, tsr_qdense(ctx, &flat, &n->layer[5], &outputs[3])); /* (20, 12) */
  OK(ctx, tsr_qconv2d(ctx, &t[SUM], &n->layer[7], &t[ROWS])); /* (1, 5, 4, 12), to nobody */
  OK(ctx, tsr_reshape_view(ctx, &t[SUM], TSR_SHAPE(1, 160), &flat));
  OK(ctx, tsr_qdense(ctx, &flat, &n->layer[6], &outputs[4])); /* (1, 7) */
  for (int i = 0; i < COUNT; i++) tsr_release(&t[i]);
}

#endif
