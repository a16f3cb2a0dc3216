/* The digits network in 8 bits, as constants: reads its weights, watches what flows through it on images that it was trained
 * with, and writes layers that a microcontroller runs from flash.
 *
 *   quantize_digits >examples/mcu/data/digits_int8.h
 *
 * Weights are i8 with a scale for each output channel, activations i8; a pixel, 0 … 16, is a u8 with the scale 1/16 as it
 * is. Channels are last. */
#include <stdio.h>
#include <tessera/quant.h>
#include <tessera/tessera.h>

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif
#define DATA TSR_SOURCE_DIR "/examples/data/digits_"

enum { CONV1, CONV2, DENSE, LAYERS, MOST_CHANNELS = 16 };
static const char *const names[LAYERS] = {"conv1", "conv2", "dense"};
static const tsr_conv_options same = {.pad_before = {1, 1}, .pad_after = {1, 1}, .activation = {.kind = TSR_RELU}};

typedef struct network {
  tsr_tensor w[LAYERS], bias[LAYERS]; /* f32; filters (O, I, KH, KW), the dense layer (10, 256) */
  float high[LAYERS], low[LAYERS];    /* what came out of each layer */
} network;

static tsr_status load(tsr_ctx *ctx, network *net) {
  tsr_status st = TSR_OK;
  char path[256];
  for (int i = 0; i < LAYERS; i++) {
    snprintf(path, sizeof path, DATA "%s_w.npy", names[i]);
    TSR_TRY(st, tsr_npy_load(ctx, path, &net->w[i]), done);
    snprintf(path, sizeof path, DATA "%s_b.npy", names[i]);
    TSR_TRY(st, tsr_npy_load(ctx, path, &net->bias[i]), done);
  }
done:
  return st;
}

static tsr_status watch(tsr_ctx *ctx, const tsr_tensor *out, network *net, int layer) {
  tsr_tensor min = {0}, max = {0};
  tsr_status st;
  TSR_TRY(st, tsr_min(ctx, out, 0, NULL, false, &min), done);
  TSR_TRY(st, tsr_max(ctx, out, 0, NULL, false, &max), done);
  net->low[layer] = *(const float *)min.data;
  net->high[layer] = *(const float *)max.data;
done:
  tsr_release(&min);
  tsr_release(&max);
  return st;
}

/* The images of four fifths, all at once. */
static tsr_status calibrate(tsr_ctx *ctx, network *net) {
  tsr_tensor all = {0}, some = {0}, x = {0}, image = {0}, a = {0}, b = {0}, pooled = {0}, flat = {0}, scores = {0};
  tsr_status st;
  TSR_TRY(st, tsr_npy_load(ctx, DATA "x.npy", &all), done);          /* (1797, 8, 8), u8 */
  TSR_TRY(st, tsr_slice(ctx, &all, 0, 0, TSR_OMIT, 5, &some), done); /* a fifth of them: none that is tested with */
  TSR_TRY(st, tsr_cast(ctx, &some, TSR_F32, &x), done);
  TSR_TRY(st, tsr_mul_scalar(ctx, &x, 1.0 / 16, &x), done);
  TSR_TRY(st, tsr_unsqueeze(ctx, &x, 1, &image), done); /* (N, 1, 8, 8) */
  TSR_TRY(st, tsr_conv2d(ctx, &image, &net->w[CONV1], &net->bias[CONV1], &same, &a), done);
  TSR_TRY(st, watch(ctx, &a, net, CONV1), done);
  TSR_TRY(st, tsr_conv2d(ctx, &a, &net->w[CONV2], &net->bias[CONV2], &same, &b), done);
  TSR_TRY(st, watch(ctx, &b, net, CONV2), done);
  TSR_TRY(st, tsr_max_pool(ctx, &b, TSR_SHAPE(2, 2), NULL, &pooled), done);
  TSR_TRY(st, tsr_reshape_view(ctx, &pooled, TSR_SHAPE(-1, 256), &flat), done);
  TSR_TRY(st, tsr_dense(ctx, &flat, &net->w[DENSE], &net->bias[DENSE], NULL, &scores), done);
  TSR_TRY(st, watch(ctx, &scores, net, DENSE), done);
done:
  tsr_release(&all);
  tsr_release(&x);
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&pooled);
  tsr_release(&scores);
  return st;
}

/* ---- writing ---- */

static void print_numbers(const char *type, const char *layer, const char *what, const tsr_tensor *t, bool wide) {
  const tsr_index n = tsr_size(t);
  printf("static const _Alignas(8) %s digits_int8_%s_%s[%d] = {", type, layer, what, (int)n);
  for (tsr_index i = 0; i < n; i++)
    printf("%s%d,", i % 20 == 0 ? "\n  " : " ",
           wide ? (int)((const int32_t *)t->data)[i] : ((const int8_t *)t->data)[i]);
  printf("};\n");
}

static void print_tensor(const char *field, const char *layer, const char *what, const tsr_tensor *t) {
  printf("  .%s = {.dtype = %d, .layout = %d, .ndim = %d, .flags = TSR_READONLY,\n    .shape = {", field, t->dtype,
         t->layout, t->ndim);
  for (int i = 0; i < t->ndim; i++) printf("%s%d", i > 0 ? ", " : "", (int)t->shape[i]);
  printf("}, .stride = {");
  for (int i = 0; i < t->ndim; i++) printf("%s%d", i > 0 ? ", " : "", (int)t->stride[i]);
  printf("}, .data = (void *)digits_int8_%s_%s},\n", layer, what);
}

static void print_layer(const char *name, const tsr_tensor *w, const tsr_qlayer *layer) {
  print_numbers("int8_t", name, "w", w, false);
  print_numbers("int32_t", name, "table", &layer->table, true);
  printf("static const tsr_qlayer digits_int8_%s = {\n", name);
  print_tensor("w", name, "w", w);
  print_tensor("table", name, "table", &layer->table);
  if (w->ndim == 4) printf("  .options = {.pad_before = {1, 1}, .pad_after = {1, 1}},\n");
  printf("  .x_zero = %d, .out_zero = %d, .low = %d, .high = %d, .x_dtype = %d, .out_dtype = %d};\n\n",
         (int)layer->x_zero, (int)layer->out_zero, (int)layer->low, (int)layer->high, layer->x_dtype, layer->out_dtype);
}

/* ---- a layer ---- */

/* The weights with channels last, as i8. */
static tsr_status quantize_weights(tsr_ctx *ctx, const network *net, int i, tsr_quant *quant, float *scales,
                                   int32_t *zeros, tsr_tensor *q) {
  tsr_tensor w = {0}, last = {0}, dense = {0};
  tsr_status st;
  if (i == DENSE)
    TSR_TRY(st, tsr_reshape_view(ctx, &net->w[i], TSR_SHAPE(10, 16, 4, 4), &w), done);
  else
    TSR_TRY(st, tsr_view(ctx, &net->w[i], &w), done);
  TSR_TRY(st, tsr_permute(ctx, &w, (const int[]){0, 2, 3, 1}, &last), done); /* (O, KH, KW, I) */
  TSR_TRY(st, tsr_empty(ctx, TSR_F32, last.ndim, last.shape, &dense), done);
  TSR_TRY(st, tsr_copy(ctx, &last, &dense), done);
  TSR_TRY(st, tsr_quant_params_axis(ctx, &dense, 0, TSR_I8, TSR_QUANT_SYMMETRIC, scales, zeros, quant), done);
  TSR_TRY(st, tsr_quantize(ctx, &dense, quant, q), done);
  if (i == DENSE)
    TSR_TRY(st, tsr_reshape_view(ctx, q, TSR_SHAPE(10, 256), q), done);
  else
    TSR_TRY(st, tsr_set_layout(ctx, q, TSR_OHWI, q), done);
done:
  tsr_release(&dense);
  return st;
}

static tsr_status write_layer(tsr_ctx *ctx, const network *net, int i, const tsr_quant *x, tsr_quant *out) {
  tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}};
  tsr_qscheme scheme = {.x = *x, .activation = i == DENSE ? TSR_Q_NONE : TSR_Q_RELU};
  tsr_qlayer layer = {0};
  tsr_tensor q = {0}, bias = {0};
  float scales[MOST_CHANNELS];
  int32_t zeros[MOST_CHANNELS];
  tsr_status st;
  TSR_TRY(st, tsr_quant_init(ctx, TSR_I8, TSR_QUANT_AFFINE, net->low[i], net->high[i], &scheme.out), done);
  TSR_TRY(st, quantize_weights(ctx, net, i, &scheme.w, scales, zeros, &q), done);
  TSR_TRY(st, tsr_qbias(ctx, &net->bias[i], &scheme, &bias), done);
  if (i == DENSE)
    TSR_TRY(st, tsr_qdense_pack(ctx, &q, &bias, &scheme, &layer), done);
  else
    TSR_TRY(st, tsr_qconv_pack(ctx, &q, &bias, &options, &scheme, &layer), done);
  print_layer(names[i], &q, &layer);
  *out = scheme.out;
done:
  tsr_qlayer_release(&layer);
  tsr_release(&q);
  tsr_release(&bias);
  return st;
}

int main(void) {
  network net = {0};
  tsr_ctx ctx;
  tsr_quant quant[LAYERS + 1] = {{.dtype = TSR_U8, .scale = 1.0f / 16}};
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, NULL), failed);
  TSR_TRY(st, load(&ctx, &net), done);
  TSR_TRY(st, calibrate(&ctx, &net), done);
  printf("/* Written by quantize_digits: layers as constants. */\n#include <stdint.h>\n#include <tessera/quant.h>\n\n");
  for (int i = 0; i < LAYERS; i++) TSR_TRY(st, write_layer(&ctx, &net, i, &quant[i], &quant[i + 1]), done);
done:
  if (st != TSR_OK) fprintf(stderr, "quantize_digits: %s\n", tsr_error(&ctx));
  for (int i = 0; i < LAYERS; i++) {
    tsr_release(&net.w[i]);
    tsr_release(&net.bias[i]);
  }
failed:
  return st;
}
