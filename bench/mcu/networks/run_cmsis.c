/* The frozen network of run_i8.c with CMSIS-NN in place of Tessera's kernels: the same constants, made its parameters before
 * the marks. Its functions are called as its releases up to 7.0 declare them. A line as that of run_i8.c; right counts
 * results that are off by 1 at most, which is what its rounding and sums of tensors make of a network of this depth. */
#include HEADER

#include "../../../examples/mcu/report.h"

#include <arm_nnfunctions.h>

#define JOIN(a, b) a##b
#define NAME(part) NAMED(NETWORK, part)
#define NAMED(network, part) JOIN(network, part)
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

enum { RESULTS = sizeof NAME(_expected), CALLS = 32, CHANNELS = 6400, BUFFER = 24576 };

static _Alignas(8) uint8_t memory[NAME(_bytes)], buffer[BUFFER];
static int8_t results[RESULTS];
static int32_t bias[CHANNELS], shift[CHANNELS]; /* of all layers */
static int first_channel[CALLS];

static char *at(tsr_frozen_place place) {
  char *const bases[] = {(char *)memory, (char *)(uintptr_t)NAME(_input), (char *)results};
  return bases[place.base] + place.offset;
}

static int is_layer(const tsr_frozen_step *s) {
  return s->run == tsr_frozen_qconv2d || s->run == tsr_frozen_qdepthwise || s->run == tsr_frozen_qdense;
}

/* Biases without the zero point of x, which CMSIS-NN adds to every number, and shifts to the left after 31 bits. */
static void convert(const tsr_frozen_layer *l, int depthwise, int first) {
  const int o = l->filters[0], each = l->filters[1] * l->filters[2] * l->filters[3];
  for (int c = 0; c < o; c++) {
    int32_t sum = 0;
    for (int k = 0; k < each; k++) sum += depthwise ? l->w[k * o + c] : l->w[c * each + k];
    bias[first + c] = l->table[c] + l->x_zero * sum;
    shift[first + c] = 31 - l->table[2 * o + c];
  }
}

static int run_layer(const tsr_frozen_layer *l, int depthwise, int first) {
  const int32_t *const x = l->x_shape, *const f = l->filters;
  const cmsis_nn_context context = {buffer, sizeof buffer};
  const cmsis_nn_per_channel_quant_params quant = {(int32_t *)(uintptr_t)l->table + f[0], shift + first};
  const cmsis_nn_dims in = {x[0], x[2], x[3], x[1]}, out = {x[0], l->out_shape[0], l->out_shape[1], f[0]},
                      of_bias = {f[0], 1, 1, 1};
  const int8_t *const from = (const int8_t *)at(l->x);
  int8_t *const to = (int8_t *)at(l->out);
  if (depthwise) {
    const cmsis_nn_dims filter = {1, f[2], f[3], f[0]};
    const cmsis_nn_dw_conv_params p = {.input_offset = -l->x_zero,
                                       .output_offset = l->out_zero,
                                       .ch_mult = 1,
                                       .stride = {l->stride[1], l->stride[0]},
                                       .padding = {l->before[1], l->before[0]},
                                       .dilation = {1, 1},
                                       .activation = {l->low, l->high}};
    return arm_depthwise_conv_wrapper_s8(&context, &p, &quant, &in, from, &filter, l->w, &of_bias, bias + first, &out,
                                         to);
  }
  const cmsis_nn_dims filter = {f[0], f[2], f[3], f[1]};
  const cmsis_nn_conv_params p = {.input_offset = -l->x_zero,
                                  .output_offset = l->out_zero,
                                  .stride = {l->stride[1], l->stride[0]},
                                  .padding = {l->before[1], l->before[0]},
                                  .dilation = {1, 1},
                                  .activation = {l->low, l->high}};
  return arm_convolve_wrapper_s8(&context, &p, &quant, &in, from, &filter, l->w, &of_bias, bias + first, &out, to);
}

/* CMSIS-NN's dense layers have one scale in all its releases up to 7.0; those of many go as convolutions of one pixel. */

static int run_pool(const tsr_frozen_pool *k) {
  const cmsis_nn_context context = {buffer, sizeof buffer};
  const int32_t *const rows = k->axis[0], *const columns = k->axis[1];
  const cmsis_nn_pool_params p = {
      .stride = {columns[3], rows[3]}, .padding = {columns[5], rows[5]}, .activation = {-128, 127}};
  const cmsis_nn_dims in = {k->images, rows[0], columns[0], k->channels}, window = {1, rows[2], columns[2], 1},
                      out = {k->images, rows[1], columns[1], k->channels};
  return (k->max ? arm_max_pool_s8 : arm_avgpool_s8)(&context, &p, &in, (const int8_t *)at(k->x), &window, &out,
                                                     (int8_t *)at(k->out));
}

/* Ratios of 2^shift as multipliers of 31 bits and shifts, to twice the larger and back, as TensorFlow Lite makes them. */
static int run_sum(const tsr_frozen_sum *s) {
  const int32_t a = s->ratio[0], b = s->ratio[1], left = 20;
  const int32_t larger = a > b ? a : b;
  const int32_t of_a = (int32_t)(((int64_t)a << 30) / larger), of_b = (int32_t)(((int64_t)b << 30) / larger);
  return arm_elementwise_add_s8((const int8_t *)at(s->a), (const int8_t *)at(s->b), -s->zero[0], of_a, 0, -s->zero[1],
                                of_b, 0, left, (int8_t *)at(s->out), s->zero[2], larger, 31 + 1 - s->ratio[2] - left,
                                -128, 127, (int32_t)s->count);
}

static int run_step(int i) {
  const tsr_frozen_step *const s = &NETWORK.step[i];
  if (is_layer(s)) return run_layer(s->call, s->run == tsr_frozen_qdepthwise, first_channel[i]);
  return s->run == tsr_frozen_qadd ? run_sum(s->call) : run_pool(s->call);
}

int main(void) {
  int next = 0, failed = 0;
  for (int i = 0; i < NETWORK.steps; i++) {
    const tsr_frozen_step *const s = &NETWORK.step[i];
    first_channel[i] = next;
    if (!is_layer(s)) continue;
    convert(s->call, s->run == tsr_frozen_qdepthwise, next);
    next += ((const tsr_frozen_layer *)s->call)->filters[0];
  }
  report_paint();
  port_mark();
  for (int i = 0; i < NETWORK.steps && failed == 0; i++) failed = run_step(i);
  port_mark();
  const long stack = report_stack();
  int right = 0;
  for (int i = 0; i < RESULTS; i++) {
    const int off = results[i] - NAME(_expected)[i];
    right += off >= -1 && off <= 1;
  }
  port_say(TEXT(NETWORK));
  port_say("|");
  report_number(failed == 0 ? right : 0, "|");
  report_number(RESULTS, "|");
  report_number(sizeof memory + sizeof buffer, "|");
  report_number(stack, "|");
  report_number(NAME(_weights), "\n");
  return failed;
}
