/* Writes a network of networks.h for microcontrollers, from a host: NAME_i8.h, the frozen program, its input and what has to come
 * out; NAME_f32.h and NAME_f32.bin, where tensors lie, weights, and the same of f32.
 *
 *   bench_networks_write FOLDER */
#include "networks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/tessera.h>

static tsr_ctx ctx;
static tsr_status st;
static int layers;
static net_value values[NET_MOST + 1];
static const network *net;
static const char *folder;

static FILE *create(const char *suffix) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s_%s", folder, net->name, suffix);
  FILE *const file = fopen(path, "wb");
  if (file == NULL) {
    fprintf(stderr, "bench_networks_write: %s cannot be written\n", path);
    exit(1);
  }
  return file;
}

static void numbers(FILE *file, const char *type, const char *name, int count, const void *data, bool bytes) {
  fprintf(file, "\nTSR_CONSTANT(8) %s %s_%s[%d] = {", type, net->name, name, count);
  for (int i = 0; i < count; i++) {
    fprintf(file, i % 20 == 0 ? "\n  " : " ");
    if (bytes)
      fprintf(file, "%d,", ((const int8_t *)data)[i]);
    else
      fprintf(file, "0x%08xu,", ((const uint32_t *)data)[i]);
  }
  fprintf(file, "};\n");
}

/* The scale of random weights, -128 … 127, of filters with so many: activations are about 2 in every layer, of which relu leaves
 * half. */
static float weight_scale(const net_layer *l, int each) {
  return (l->from == 0 ? 0.7f : 1.45f) / (sqrtf((float)each) * 74);
}

/* ---- 8 bits ---- */

typedef struct quantised {
  tsr_tensor w[NET_MOST], bias[NET_MOST];
  float scales[NET_MOST][256];
  tsr_qlayer layer[NET_MOST];
} quantised;

static tsr_quant activation(bool relu) {
  return (tsr_quant){.dtype = TSR_I8, .scale = relu ? 0.03f : 0.06f, .zero = relu ? -128 : 3};
}
static bool has_relu(int value) { return value > 0 && net->layer[value - 1].relu; }
/* Means are quantised as what they are of. */
static tsr_quant quant_of(int value) {
  while (value > 0 && net->layer[value - 1].kind == NET_MEAN) value = net->layer[value - 1].from;
  return activation(has_relu(value));
}

static void shape_of_weights(const net_layer *l, tsr_index *shape, int *ndim, int *layout) {
  const net_value *const x = &values[l->from];
  const bool each = l->kind == NET_DEPTHWISE, dense = l->kind == NET_DENSE;
  const tsr_index four[] = {each ? l->kh : l->o, each ? l->kw : l->kh, each ? 1 : l->kw, x->c};
  memcpy(shape, four, sizeof four);
  *ndim = dense ? 2 : 4;
  *layout = dense ? TSR_PLAIN : each ? TSR_HWIO : TSR_OHWI;
  if (dense) shape[1] = net_size(x);
}

static tsr_conv_options options_of(const net_layer *l) {
  tsr_conv_options options = {.stride = {l->step, l->step}, .padding = TSR_PADDING_SAME};
  if (l->kind == NET_DEPTHWISE) options.groups = values[l->from].c;
  return options;
}

static void pack(quantised *q, int i) {
  const net_layer *const l = &net->layer[i];
  const net_value *const x = &values[l->from];
  const int filters = net_filters(l, x), each = net_filter(l, x);
  const tsr_conv_options options = options_of(l);
  unsigned state = (unsigned)i + 1;
  tsr_index shape[4];
  int ndim, layout;
  shape_of_weights(l, shape, &ndim, &layout);
  for (int o = 0; o < filters; o++) q->scales[i][o] = weight_scale(l, each) * (1 + (float)net_random(&state) / 640);
  const tsr_qscheme scheme = {.x = quant_of(l->from),
                              .w = {.dtype = TSR_I8,
                                    .scales = q->scales[i],
                                    .count = filters,
                                    .axis = (int8_t)(l->kind == NET_DEPTHWISE ? 3 : 0)},
                              .out = quant_of(i + 1),
                              .activation = l->relu ? TSR_Q_RELU : TSR_Q_NONE};
  TSR_TRY(st, tsr_empty(&ctx, TSR_I8, ndim, shape, &q->w[i]), done);
  TSR_TRY(st, tsr_empty(&ctx, TSR_I32, TSR_SHAPE(filters), &q->bias[i]), done);
  if (layout != TSR_PLAIN) TSR_TRY(st, tsr_set_layout(&ctx, &q->w[i], layout, &q->w[i]), done);
  for (int k = 0; k < filters * each; k++) ((int8_t *)q->w[i].data)[k] = (int8_t)net_random(&state);
  for (int o = 0; o < filters; o++) ((int32_t *)q->bias[i].data)[o] = net_random(&state) * 8;
  if (l->kind == NET_DENSE)
    TSR_TRY(st, tsr_qdense_pack(&ctx, &q->w[i], &q->bias[i], &scheme, &q->layer[i]), done);
  else
    TSR_TRY(st, tsr_qconv_pack(&ctx, &q->w[i], &q->bias[i], &options, &scheme, &q->layer[i]), done);
done:
  return;
}

static void run_layer(const quantised *q, int i, tsr_tensor *t) {
  const net_layer *const l = &net->layer[i];
  const tsr_tensor *const x = &t[l->from];
  const tsr_quant a = quant_of(l->from), b = quant_of(l->with), out = quant_of(i + 1);
  tsr_tensor row = {0};
  if (l->kind == NET_DENSE) {
    TSR_TRY(st, tsr_reshape_view(&ctx, x, TSR_SHAPE(1, -1), &row), done);
    TSR_TRY(st, tsr_qdense(&ctx, &row, &q->layer[i], &t[i + 1]), done);
  } else if (l->kind == NET_MEAN) {
    TSR_TRY(st, tsr_qavg_pool(&ctx, x, (int)a.zero, TSR_SHAPE(l->kh, l->kw), NULL, &t[i + 1]), done);
  } else if (l->kind == NET_ADD) {
    TSR_TRY(st, tsr_qadd(&ctx, x, &a, &t[l->with], &b, &out, &t[i + 1]), done);
  } else {
    TSR_TRY(st, tsr_qconv2d(&ctx, x, &q->layer[i], &t[i + 1]), done);
  }
done:
  return;
}

static void describe_input(int dtype, tsr_tensor *x) {
  const bool row = net->layer[0].kind == NET_DENSE;
  if (row)
    st = tsr_desc_init(&ctx, dtype, TSR_SHAPE(1, net->c), x);
  else
    st = tsr_desc_init(&ctx, dtype, TSR_SHAPE(1, net->h, net->w, net->c), x);
  if (st == TSR_OK && !row) st = tsr_set_layout(&ctx, x, TSR_NHWC, x);
}

static void write_frozen(const quantised *q, FILE *file, tsr_freeze_report *report) {
  tsr_tensor like = {0}, t[NET_MOST + 1] = {{0}};
  tsr_program *program = NULL;
  const tsr_sink sink = tsr_sink_stdio(file);
  describe_input(TSR_I8, &like);
  TSR_TRY(st, st, done);
  TSR_TRY(st, tsr_program_new(&ctx, &program), done);
  TSR_TRY(st, tsr_program_begin(&ctx, program), done);
  TSR_TRY(st, tsr_program_input(&ctx, program, "x", &like, &t[0]), done);
  for (int i = 0; i < layers && st == TSR_OK; i++) run_layer(q, i, t);
  TSR_TRY(st, st, done);
  TSR_TRY(st, tsr_program_output(&ctx, program, "y", &t[layers]), done);
  TSR_TRY(st, tsr_program_end(&ctx, program), done);
  TSR_TRY(st, tsr_freeze_write(&ctx, program, net->name, &sink, report), done);
done:
  for (int i = 0; i <= layers; i++) tsr_release(&t[i]);
  tsr_program_free(program);
}

static void write_bytes(void) {
  static quantised q;
  tsr_tensor t[NET_MOST + 1] = {{0}};
  tsr_freeze_report report = {0};
  FILE *const file = create("i8.h");
  unsigned state = 77;
  q = (quantised){0};
  for (int i = 0; i < layers && st == TSR_OK; i++)
    if (net_has_weights(&net->layer[i])) pack(&q, i);
  if (st == TSR_OK) write_frozen(&q, file, &report);
  if (st == TSR_OK) describe_input(TSR_I8, &t[0]);
  if (st == TSR_OK) st = tsr_allocate(&ctx, NULL, TSR_HINT_DEFAULT, &t[0]);
  for (int i = 0; i < net_size(&values[0]) && st == TSR_OK; i++) ((int8_t *)t[0].data)[i] = (int8_t)net_random(&state);
  for (int i = 0; i < layers && st == TSR_OK; i++) run_layer(&q, i, t);
  if (st == TSR_OK) {
    numbers(file, "int8_t", "input", net_size(&values[0]), t[0].data, true);
    numbers(file, "int8_t", "expected", net_size(&values[layers]), t[layers].data, true);
    fprintf(file, "\nenum { %s_weights = %zu };\n", net->name, report.weights);
  }
  fclose(file);
  for (int i = 0; i <= layers; i++) tsr_release(&t[i]);
  for (int i = 0; i < layers; i++) {
    tsr_qlayer_release(&q.layer[i]);
    tsr_release(&q.w[i]);
    tsr_release(&q.bias[i]);
  }
}

/* ---- f32 ---- */

static void run_float(int i, const tsr_tensor *w, const tsr_tensor *bias, tsr_tensor *t) {
  const net_layer *const l = &net->layer[i];
  const tsr_activation relu = {.kind = l->relu ? TSR_RELU : NULL};
  tsr_conv_options options = options_of(l);
  tsr_tensor row = {0};
  options.activation = relu;
  options.algorithm = TSR_CONV_DIRECT;
  if (l->kind == NET_DENSE) {
    TSR_TRY(st, tsr_reshape_view(&ctx, &t[l->from], TSR_SHAPE(1, -1), &row), done);
    TSR_TRY(st, tsr_dense(&ctx, &row, w, bias, &relu, &t[i + 1]), done);
  } else if (l->kind == NET_MEAN) {
    TSR_TRY(st, tsr_avg_pool(&ctx, &t[l->from], TSR_SHAPE(l->kh, l->kw), NULL, &t[i + 1]), done);
  } else if (l->kind == NET_ADD) {
    TSR_TRY(st, tsr_add(&ctx, &t[l->from], &t[l->with], &t[i + 1]), done);
    if (l->relu) TSR_TRY(st, tsr_relu(&ctx, &t[i + 1], &t[i + 1]), done);
  } else {
    TSR_TRY(st, tsr_conv2d(&ctx, &t[l->from], w, bias, &options, &t[i + 1]), done);
  }
done:
  return;
}

/* Where each value lies in one block, and its bytes. The input is a constant. */
static void write_plan(FILE *file) {
  tsr_plan_item items[NET_MOST + 1];
  tsr_plan_report report;
  for (int v = 1; v <= layers; v++)
    items[v - 1] = (tsr_plan_item){.bytes = 4 * (size_t)net_size(&values[v]), .first = v - 1, .last = v - 1};
  for (int i = 0; i < layers; i++) {
    const net_layer *const l = &net->layer[i];
    if (l->from > 0) items[l->from - 1].last = i;
    if (l->kind == NET_ADD && l->with > 0) items[l->with - 1].last = i;
  }
  st = tsr_plan(&ctx, layers, items, 8, &report);
  fprintf(file, "/* Written by bench_networks_write. */\n#include <stdint.h>\n#include <tessera/tensor.h>\n\n");
  fprintf(file, "enum { %s_bytes = %zu };\nstatic const uint32_t %s_offset[] = {0", net->name, report.planned,
          net->name);
  for (int i = 0; i < layers; i++) fprintf(file, ", %zu", items[i].offset);
  fprintf(file, "};\n");
}

/* Weights, then biases of each layer, as run_f32.c finds them. */
static void make_floats(int i, tsr_tensor *w, tsr_tensor *bias, FILE *weights) {
  const net_layer *const l = &net->layer[i];
  const net_value *const x = &values[l->from];
  const int filters = net_filters(l, x), each = net_filter(l, x);
  const float scale = weight_scale(l, each);
  unsigned state = (unsigned)i + 1;
  tsr_index shape[4];
  int ndim, layout;
  shape_of_weights(l, shape, &ndim, &layout);
  TSR_TRY(st, tsr_empty(&ctx, TSR_F32, ndim, shape, w), done);
  TSR_TRY(st, tsr_empty(&ctx, TSR_F32, TSR_SHAPE(filters), bias), done);
  if (layout != TSR_PLAIN) TSR_TRY(st, tsr_set_layout(&ctx, w, layout, w), done);
  for (int k = 0; k < filters * each; k++) ((float *)w->data)[k] = scale * (float)net_random(&state);
  for (int o = 0; o < filters; o++) ((float *)bias->data)[o] = (float)net_random(&state) / 512;
  fwrite(w->data, 4, (size_t)(filters * each), weights);
  fwrite(bias->data, 4, (size_t)filters, weights);
done:
  return;
}

static void write_floats(void) {
  tsr_tensor t[NET_MOST + 1] = {{0}}, w[NET_MOST] = {{0}}, bias[NET_MOST] = {{0}};
  FILE *const file = create("f32.h"), *const weights = create("f32.bin");
  unsigned state = 77;
  write_plan(file);
  if (st == TSR_OK) describe_input(TSR_F32, &t[0]);
  if (st == TSR_OK) st = tsr_allocate(&ctx, NULL, TSR_HINT_DEFAULT, &t[0]);
  for (int i = 0; i < net_size(&values[0]) && st == TSR_OK; i++)
    ((float *)t[0].data)[i] = (float)net_random(&state) / 16;
  for (int i = 0; i < layers && st == TSR_OK; i++) {
    if (net_has_weights(&net->layer[i])) make_floats(i, &w[i], &bias[i], weights);
    if (st == TSR_OK) run_float(i, &w[i], &bias[i], t);
  }
  if (st == TSR_OK) {
    numbers(file, "uint32_t", "input", net_size(&values[0]), t[0].data, false);
    numbers(file, "uint32_t", "expected", net_size(&values[layers]), t[layers].data, false);
    fprintf(file, "\nenum { %s_weights = %ld };\n", net->name, ftell(weights));
  }
  fclose(file);
  fclose(weights);
  for (int i = 0; i <= layers; i++) tsr_release(&t[i]);
  for (int i = 0; i < layers; i++) {
    tsr_release(&w[i]);
    tsr_release(&bias[i]);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: bench_networks_write FOLDER\n");
    return 2;
  }
  folder = argv[1];
  st = tsr_context_init(&ctx, NULL);
  for (size_t i = 0; i < sizeof networks / sizeof networks[0] && st == TSR_OK; i++) {
    net = &networks[i];
    layers = net_shapes(net, values);
    write_bytes();
    if (st == TSR_OK) write_floats();
  }
  if (st != TSR_OK) fprintf(stderr, "bench_networks_write: %s: %s\n", net->name, tsr_error(&ctx));
  return st;
}
