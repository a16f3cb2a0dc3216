/* A network of f32 by prepared calls, in memory that was planned on the host. Compiled once for each network (NETWORK, HEADER,
 * WEIGHTS). The same line as run_i8.c. */
#include HEADER

#include "../../../examples/mcu/report.h"
#include "networks.h"

#include <math.h>
#include <tessera/prepare.h>
#include <tessera/tessera.h>

#define JOIN(a, b) a##b
#define NAME(part) NAMED(NETWORK, part)
#define NAMED(network, part) JOIN(network, part)
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

__asm__(".section .weights, \"a\"\n .balign 8\n network_weights:\n .incbin \"" WEIGHTS "\"\n .text\n");
extern const float network_weights[];

enum { RESULTS = sizeof NAME(_expected) / 4, KEPT = 12288, SCRATCH = 4096 };

static _Alignas(8) uint8_t memory[NAME(_bytes)], kept[KEPT], scratch[SCRATCH];
static tsr_prepared prepared;
static tsr_ctx ctx;
static net_value values[NET_MOST + 1];

static const network *find(const char *name) {
  const network *n = networks;
  while (strcmp(n->name, name) != 0) n++;
  return n;
}

/* A tensor of a layer's x or result: a row where the layer is dense, which reads an image as one. */
static tsr_status tensor(const void *data, const net_value *v, bool row, tsr_tensor *t) {
  tsr_status st;
  void *const at = (void *)(uintptr_t)data;
  if (row) return tsr_from_memory(&ctx, at, TSR_F32, TSR_SHAPE(1, net_size(v)), t);
  st = tsr_from_memory(&ctx, at, TSR_F32, TSR_SHAPE(1, v->h, v->w, v->c), t);
  return st == TSR_OK ? tsr_set_layout(&ctx, t, TSR_NHWC, t) : st;
}

static const void *place(int value) { return value == 0 ? (const void *)NAME(_input) : memory + NAME(_offset)[value]; }

static tsr_status weights(const net_layer *l, const net_value *x, const float **at, tsr_tensor *w, tsr_tensor *bias) {
  const int filters = net_filters(l, x), each = net_filter(l, x);
  void *const of_w = (void *)(uintptr_t)*at, *const of_bias = (void *)(uintptr_t)(*at + filters * each);
  tsr_status st = tsr_from_memory(&ctx, of_bias, TSR_F32, TSR_SHAPE(filters), bias);
  *at += filters * each + filters;
  if (st != TSR_OK) return st;
  if (l->kind == NET_DENSE) return tsr_from_memory(&ctx, of_w, TSR_F32, TSR_SHAPE(filters, each), w);
  if (l->kind == NET_CONV)
    st = tsr_from_memory(&ctx, of_w, TSR_F32, TSR_SHAPE(filters, l->kh, l->kw, x->c), w);
  else
    st = tsr_from_memory(&ctx, of_w, TSR_F32, TSR_SHAPE(l->kh, l->kw, 1, filters), w);
  return st == TSR_OK ? tsr_set_layout(&ctx, w, l->kind == NET_CONV ? TSR_OHWI : TSR_HWIO, w) : st;
}

static tsr_status prepare_layer(const network *n, int i, const float **at) {
  const net_layer *const l = &n->layer[i];
  const net_value *const v = &values[l->from];
  const tsr_activation relu = {.kind = l->relu ? TSR_RELU : NULL};
  const tsr_conv_options options = {.stride = {l->step, l->step},
                                    .padding = TSR_PADDING_SAME,
                                    .groups = l->kind == NET_DEPTHWISE ? v->c : 0,
                                    .activation = relu};
  tsr_tensor x = {0}, y = {0}, w = {0}, bias = {0};
  tsr_status st = tensor(place(l->from), v, l->kind == NET_DENSE, &x);
  if (st == TSR_OK) st = tensor(place(i + 1), &values[i + 1], l->kind == NET_DENSE, &y);
  if (st != TSR_OK) return st;
  if (l->kind == NET_MEAN) return tsr_avg_pool(&ctx, &x, TSR_SHAPE(l->kh, l->kw), NULL, &y);
  if (l->kind == NET_ADD) {
    st = tensor(place(l->with), &values[l->with], false, &w);
    if (st == TSR_OK) st = tsr_add(&ctx, &x, &w, &y);
    return st == TSR_OK && l->relu ? tsr_relu(&ctx, &y, &y) : st;
  }
  st = weights(l, v, at, &w, &bias);
  if (st != TSR_OK) return st;
  if (l->kind == NET_DENSE) return tsr_dense(&ctx, &x, &w, &bias, &relu, &y);
  return tsr_conv2d(&ctx, &x, &w, &bias, &options, &y);
}

static tsr_status prepare_all(const network *n, int layers) {
  const float *at = network_weights;
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, NULL), done);
  TSR_TRY(st, tsr_context_set_scratch(&ctx, scratch, sizeof scratch), done);
  TSR_TRY(st, tsr_prepared_init(kept, sizeof kept, &prepared), done);
  TSR_TRY(st, tsr_prepared_begin(&ctx, &prepared), done);
  for (int i = 0; i < layers; i++) TSR_TRY(st, prepare_layer(n, i, &at), done);
  TSR_TRY(st, tsr_prepared_end(&ctx, &prepared), done);
done:
  return st;
}

/* How many results are the host's, but for 10^-5 of the greatest: hosts add in another order. */
static int near(const float *results) {
  const float *const expected = (const void *)NAME(_expected);
  float most = 0;
  int right = 0;
  for (int i = 0; i < RESULTS; i++) most = fabsf(expected[i]) > most ? fabsf(expected[i]) : most;
  for (int i = 0; i < RESULTS; i++) right += fabsf(results[i] - expected[i]) <= 1e-5f * most;
  return right;
}

int main(void) {
  const network *const n = find(TEXT(NETWORK));
  const int layers = net_shapes(n, values);
  report_paint();
  tsr_status st = prepare_all(n, layers);
  port_mark();
  if (st == TSR_OK) st = tsr_prepared_run(&ctx, &prepared);
  port_mark();
  const long stack = report_stack();
  const int right = near(place(layers));
  if (st != TSR_OK) port_say(tsr_error(&ctx));
  port_say(TEXT(NETWORK));
  port_say("|");
  report_number(st == TSR_OK ? right : 0, "|");
  report_number(RESULTS, "|");
  report_number((long)(sizeof memory + prepared.used + sizeof ctx), "|");
  report_number(stack, "|");
  report_number(NAME(_weights), "\n");
  return st;
}
