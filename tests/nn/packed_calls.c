/* A build whose calls take packed operands alone (TSR_PACKED_CALLS): layers of 8 bits give the bytes of the frozen ones, and everything
 * else is refused before a byte is written. */
#include "nn/data/frozen_layers.h"
#include "support/helpers.h"
#include "support/test.h"

#include <tessera/prepare.h>
#include <tessera/quant.h>

enum { STEPS = COUNT_OF(layers_steps), MOST = layers_bytes_out2 + layers_bytes };

static _Alignas(8) unsigned char memory[layers_bytes], out[5][layers_bytes_out2], other[MOST], kept[512], scratch[4096];
static _Alignas(8) unsigned char image[layers_bytes_image];
static char *const bases[] = {(char *)memory, (char *)image,  (char *)out[0], (char *)out[1],
                              (char *)out[2], (char *)out[3], (char *)out[4]};

static void *at(tsr_frozen_place p) { return bases[p.base] + p.offset; }

static tsr_tensor tensor(int dtype, int layout, int ndim, const tsr_index *shape, const void *data) {
  tsr_tensor t = {
      .dtype = (uint8_t)dtype, .layout = (uint8_t)layout, .ndim = (uint8_t)ndim, .data = (void *)(uintptr_t)data};
  tsr_index step = 1;
  for (int i = ndim - 1; i >= 0; i--) {
    t.shape[i] = shape[i];
    t.stride[i] = step;
    step *= shape[i];
  }
  return t;
}

/* The pads behind that make n windows of an axis. */
static int32_t behind(int32_t n, int32_t stride, int32_t kernel, int32_t dilation, int32_t before, int32_t length) {
  const int32_t more = (n - 1) * stride + (kernel - 1) * dilation + 1 - before - length;
  return more > 0 ? more : 0;
}

static tsr_qlayer layer_of(const tsr_frozen_layer *f, bool depthwise, bool dense) {
  const int32_t o = f->filters[0], i = f->filters[1], kh = f->filters[2], kw = f->filters[3];
  tsr_qlayer layer = {.x_zero = f->x_zero,
                      .out_zero = f->out_zero,
                      .low = f->low,
                      .high = f->high,
                      .x_dtype = f->x_dtype,
                      .out_dtype = f->out_dtype};
  layer.table = tensor(TSR_I32, TSR_PLAIN, 2, (const tsr_index[]){4, o}, f->table);
  if (dense) {
    layer.w = tensor(TSR_I8, TSR_PLAIN, 2, (const tsr_index[]){o, i}, f->w);
    return layer;
  }
  layer.w = depthwise ? tensor(TSR_I8, TSR_HWIO, 4, (const tsr_index[]){kh, kw, 1, o}, f->w)
                      : tensor(TSR_I8, TSR_OHWI, 4, (const tsr_index[]){o, kh, kw, i}, f->w);
  for (int k = 0; k < 2; k++) {
    layer.options.stride[k] = f->stride[k];
    layer.options.dilation[k] = f->dilation[k];
    layer.options.pad_before[k] = f->before[k];
    layer.options.pad_after[k] =
        behind(f->out_shape[k], f->stride[k], f->filters[2 + k], f->dilation[k], f->before[k], f->x_shape[2 + k]);
  }
  layer.options.groups = depthwise ? f->x_shape[1] : f->groups;
  return layer;
}

static size_t convolve(tsr_ctx *ctx, const tsr_frozen_layer *f, bool depthwise) {
  const tsr_qlayer layer = layer_of(f, depthwise, false);
  const tsr_index shape[] = {f->x_shape[0], f->x_shape[2], f->x_shape[3], f->x_shape[1]};
  const tsr_index result[] = {f->x_shape[0], f->out_shape[0], f->out_shape[1], f->filters[0]};
  const tsr_tensor x = tensor(f->x_dtype, TSR_NHWC, 4, shape, at(f->x));
  tsr_tensor y = tensor(f->out_dtype, TSR_NHWC, 4, result, other);
  OK(ctx, tsr_qconv2d(ctx, &x, &layer, &y));
  return tsr_nbytes(&y);
}

static size_t multiply(tsr_ctx *ctx, const tsr_frozen_layer *f) {
  const tsr_qlayer layer = layer_of(f, false, true);
  const tsr_tensor x = tensor(f->x_dtype, TSR_PLAIN, 2, (const tsr_index[]){f->x_shape[0], f->filters[1]}, at(f->x));
  tsr_tensor y = tensor(f->out_dtype, TSR_PLAIN, 2, (const tsr_index[]){f->x_shape[0], f->filters[0]}, other);
  OK(ctx, tsr_qdense(ctx, &x, &layer, &y));
  return tsr_nbytes(&y);
}

static size_t pool(tsr_ctx *ctx, const tsr_frozen_pool *f) {
  const int32_t *const h = f->axis[0], *const w = f->axis[1];
  const tsr_tensor x = tensor(f->dtype, TSR_NHWC, 4, (const tsr_index[]){f->images, h[0], w[0], f->channels}, at(f->x));
  tsr_tensor y = tensor(f->dtype, TSR_NHWC, 4, (const tsr_index[]){f->images, h[1], w[1], f->channels}, other);
  const tsr_pool_options options = {.stride = {h[3], w[3]},
                                    .dilation = {h[4], w[4]},
                                    .pad_before = {h[5], w[5]},
                                    .pad_after = {h[6], w[6]},
                                    .count_include_pad = f->include_pad != 0};
  if (f->max != 0)
    OK(ctx, tsr_qmax_pool(ctx, &x, TSR_SHAPE(h[2], w[2]), &options, &y));
  else
    OK(ctx, tsr_qavg_pool(ctx, &x, f->zero, TSR_SHAPE(h[2], w[2]), &options, &y));
  return tsr_nbytes(&y);
}

/* The scales are those of tests/nn/frozen_network.h. */
static size_t add(tsr_ctx *ctx, const tsr_frozen_sum *f) {
  const bool first = f->dtype[2] == TSR_I8;
  const tsr_quant byte = {.dtype = TSR_I8, .scale = 0.6f, .zero = -9},
                  fine = {.dtype = TSR_I8, .scale = 0.35f, .zero = 4},
                  wide = {.dtype = TSR_I16, .scale = 0.002f, .zero = 1};
  const tsr_tensor a = tensor(f->dtype[0], TSR_PLAIN, 1, (const tsr_index[]){f->count}, at(f->a));
  const tsr_tensor b = tensor(f->dtype[1], TSR_PLAIN, 1, (const tsr_index[]){f->count}, at(f->b));
  tsr_tensor y = tensor(f->dtype[2], TSR_PLAIN, 1, (const tsr_index[]){f->count}, other);
  OK(ctx, tsr_qadd(ctx, &a, &byte, &b, first ? &fine : &byte, first ? &byte : &wide, &y));
  return tsr_nbytes(&y);
}

/* What a step writes by a call; *to: where it writes frozen. */
static size_t call_step(tsr_ctx *ctx, const tsr_frozen_step *s, const void **to) {
  if (s->run == tsr_frozen_qadd) {
    const tsr_frozen_sum *const f = s->call;
    *to = at(f->out);
    return add(ctx, f);
  }
  if (s->run == tsr_frozen_qmax_pool || s->run == tsr_frozen_qavg_pool) {
    const tsr_frozen_pool *const f = s->call;
    *to = at(f->out);
    return pool(ctx, f);
  }
  const tsr_frozen_layer *const f = s->call;
  *to = at(f->out);
  if (s->run == tsr_frozen_qdense) return multiply(ctx, f);
  return convolve(ctx, f, s->run == tsr_frozen_qdepthwise);
}

static tsr_ctx *context(void) {
  tsr_ctx *const ctx = test_context();
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  return ctx;
}

TEST(layers_give_the_bytes_of_the_frozen_ones) {
  tsr_ctx *const ctx = context();
  for (int round = 0; round < 3; round++) {
    for (size_t i = 0; i < sizeof image; i++) image[i] = (unsigned char)(i * (size_t)(53 + 2 * round) % 251);
    for (int i = 0; i < (int)STEPS; i++) {
      const void *frozen = NULL;
      const size_t bytes = call_step(ctx, &layers_steps[i], &frozen);
      CHECK(layers_steps[i].run(layers_steps[i].call, bases) == TSR_OK);
      CHECK(bytes > 0 && memcmp(frozen, other, bytes) == 0);
    }
  }
}

static int8_t a_data[32], b_data[32], y_data[32];
static const tsr_quant half = {.dtype = TSR_I8, .scale = 0.5f};

TEST(what_is_not_packed_or_not_given_is_refused) {
  tsr_ctx *const ctx = context();
  const tsr_index shape[] = {4, 8};
  const tsr_tensor a = tensor(TSR_I8, TSR_PLAIN, 2, shape, a_data), b = tensor(TSR_I8, TSR_PLAIN, 2, shape, b_data);
  tsr_tensor y = tensor(TSR_I8, TSR_PLAIN, 2, shape, y_data), odd, none = {0};
  memset(y_data, 7, sizeof y_data);
  OK(ctx, tsr_transpose(ctx, &a, 0, 1, &odd));
  FAILS(ctx, TSR_ESTRIDE, tsr_qadd(ctx, &odd, &half, &odd, &half, &half, &y));
  FAILS(ctx, TSR_EARG, tsr_qadd(ctx, NULL, &half, &b, &half, &half, &y));
  FAILS(ctx, TSR_EARG, tsr_qadd(ctx, &a, &half, &b, &half, &half, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_qadd(ctx, &none, &half, &b, &half, &half, &y));
  FAILS(ctx, TSR_ESTATE, tsr_qadd(ctx, &a, &half, &b, &half, &half, &none));
  CHECK(none.data == NULL && none.dtype == TSR_NONE);
  odd = y;
  odd.flags = TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_qadd(ctx, &a, &half, &b, &half, &half, &odd));
  odd = y;
  odd.shape[0] = 2;
  FAILS(ctx, TSR_ESHAPE, tsr_qadd(ctx, &a, &half, &b, &half, &half, &odd));
  odd = b;
  odd.shape[0] = 1;
  FAILS(ctx, TSR_ESHAPE, tsr_qadd(ctx, &a, &half, &odd, &half, &half, &y)); /* no broadcasting */
  odd = tensor(TSR_U8, TSR_PLAIN, 2, shape, y_data);
  FAILS(ctx, TSR_EDTYPE, tsr_qadd(ctx, &a, &half, &b, &half, &half, &odd));
  odd = tensor(TSR_I8, TSR_PLAIN, 2, (const tsr_index[]){2, 8}, a_data + 4);
  FAILS(ctx, TSR_EOVERLAP,
        tsr_qadd(ctx, &(tsr_tensor){.dtype = TSR_I8, .ndim = 2, .shape = {2, 8}, .stride = {8, 1}, .data = a_data},
                 &half, &(tsr_tensor){.dtype = TSR_I8, .ndim = 2, .shape = {2, 8}, .stride = {8, 1}, .data = b_data},
                 &half, &half, &odd));
  for (size_t i = 0; i < sizeof y_data; i++) CHECK(y_data[i] == 7);
  OK(ctx, tsr_qadd(ctx, &a, &half, &b, &half, &half,
                   &(tsr_tensor){
                       .dtype = TSR_I8, .ndim = 2, .shape = {4, 8}, .stride = {8, 1}, .data = a_data})); /* in place */
}

TEST(layers_refuse_outputs_over_their_inputs) {
  tsr_ctx *const ctx = context();
  const tsr_frozen_layer *const f = &layers_11;
  const tsr_qlayer layer = layer_of(f, false, true);
  const tsr_index rows = f->x_shape[0];
  const tsr_tensor x = tensor(f->x_dtype, TSR_PLAIN, 2, (const tsr_index[]){rows, f->filters[1]}, other);
  tsr_tensor y = tensor(f->out_dtype, TSR_PLAIN, 2, (const tsr_index[]){rows, f->filters[0]}, other);
  FAILS(ctx, TSR_EOVERLAP, tsr_qdense(ctx, &x, &layer, &y));
  const tsr_tensor picture = tensor(TSR_I8, TSR_NHWC, 4, (const tsr_index[]){1, 2, 2, 8}, a_data);
  tsr_tensor small = tensor(TSR_I8, TSR_NHWC, 4, (const tsr_index[]){1, 1, 1, 8}, a_data + 8);
  FAILS(ctx, TSR_EOVERLAP, tsr_qmax_pool(ctx, &picture, TSR_SHAPE(2, 2), NULL, &small));
}

TEST(prepared_calls_run_again) {
  tsr_ctx *const ctx = context();
  tsr_prepared prepared;
  const tsr_index shape[] = {32};
  const tsr_tensor a = tensor(TSR_I8, TSR_PLAIN, 1, shape, a_data), b = tensor(TSR_I8, TSR_PLAIN, 1, shape, b_data);
  tsr_tensor y = tensor(TSR_I8, TSR_PLAIN, 1, shape, y_data);
  OK(ctx, tsr_prepared_init(kept, sizeof kept, &prepared));
  OK(ctx, tsr_prepared_begin(ctx, &prepared));
  OK(ctx, tsr_qadd(ctx, &a, &half, &b, &half, &half, &y));
  OK(ctx, tsr_qmul(ctx, &a, &half, &b, &half, &half, &y));
  OK(ctx, tsr_prepared_end(ctx, &prepared));
  for (int round = 1; round < 4; round++) {
    for (int i = 0; i < 32; i++) {
      a_data[i] = (int8_t)(i - 16);
      b_data[i] = (int8_t)(2 * round);
    }
    OK(ctx, tsr_prepared_run(ctx, &prepared));
    for (int i = 0; i < 32; i++) CHECK(y_data[i] == a_data[i] * b_data[i] / 2); /* the product, last */
  }
}

TEST_MAIN(RUN(layers_give_the_bytes_of_the_frozen_ones), RUN(what_is_not_packed_or_not_given_is_refused),
          RUN(layers_refuse_outputs_over_their_inputs), RUN(prepared_calls_run_again))
