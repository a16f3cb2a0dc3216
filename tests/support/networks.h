/* Activations of real networks as items of a memory plan, computed from their layer tables: what each op writes, when
 * it is read last, and which ops work in place. Batch norms are folded into their convolutions; weights take no part.
 *
 * Every op is one step. Inputs of the network are written by step 0. */
#ifndef TSR_TEST_NETWORKS_H
#define TSR_TEST_NETWORKS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tessera/plan.h>

enum { NETWORK_MAX_TENSORS = 640, NETWORK_NAME_BYTES = 32 };

typedef struct network {
  const char *title;
  int32_t count;
  int32_t step;     /* of the last op */
  size_t item_size; /* bytes of an element */
  tsr_plan_item items[NETWORK_MAX_TENSORS];
  char names[NETWORK_MAX_TENSORS][NETWORK_NAME_BYTES];
} network;

/* A tensor that step net->step writes, of this many elements. */
static inline int32_t network_tensor(network *net, const char *part, int number, const char *op, size_t elements) {
  const int32_t i = net->count++;
  net->items[i] = (tsr_plan_item){.bytes = elements * net->item_size, .first = net->step, .last = net->step};
  snprintf(net->names[i], NETWORK_NAME_BYTES, "%s%d.%s", part, number, op);
  return i;
}

static inline void network_init(network *net, const char *title, size_t item_size) {
  memset(net, 0, sizeof *net);
  net->title = title;
  net->item_size = item_size;
}

static inline void network_read(network *net, int32_t tensor) { net->items[tensor].last = net->step; }

/* An op of one or two inputs (b may be -1). */
static inline int32_t network_op(network *net, const char *part, int number, const char *op, int32_t a, int32_t b,
                                 size_t elements) {
  net->step++;
  network_read(net, a);
  if (b >= 0) network_read(net, b);
  return network_tensor(net, part, number, op, elements);
}

/* The same, for an op that may write over a: relu, softmax, the sum at the end of a shortcut. */
static inline int32_t network_in_place(network *net, const char *part, int number, const char *op, int32_t a,
                                       int32_t b) {
  const int32_t out = network_op(net, part, number, op, a, b, net->items[a].bytes / net->item_size);
  net->items[out].in_place = a + 1;
  return out;
}

static inline size_t network_plane(size_t batch, size_t channels, size_t side) {
  return batch * channels * side * side;
}

/* ---- ResNet-50, 224 x 224 ---- */

typedef struct network_stage {
  int blocks;
  size_t width; /* of the 3 x 3 convolution; the block's output has four times as many channels */
  size_t side;  /* of its output */
} network_stage;

/* One bottleneck: 1x1, 3x3 (with the stride), 1x1, and the shortcut, projected where a stage begins. */
static inline int32_t network_bottleneck(network *net, int number, size_t batch, const network_stage *stage,
                                         size_t side_in, bool projected, int32_t x) {
  const size_t out = network_plane(batch, 4 * stage->width, stage->side);
  int32_t y = network_op(net, "block", number, "conv1", x, -1, network_plane(batch, stage->width, side_in));
  y = network_in_place(net, "block", number, "relu1", y, -1);
  y = network_op(net, "block", number, "conv2", y, -1, network_plane(batch, stage->width, stage->side));
  y = network_in_place(net, "block", number, "relu2", y, -1);
  y = network_op(net, "block", number, "conv3", y, -1, out);
  const int32_t shortcut = projected ? network_op(net, "block", number, "project", x, -1, out) : x;
  y = network_in_place(net, "block", number, "add", y, shortcut);
  return network_in_place(net, "block", number, "relu3", y, -1);
}

static inline void network_resnet50(network *net, size_t batch) {
  static const network_stage stages[] = {{3, 64, 56}, {4, 128, 28}, {6, 256, 14}, {3, 512, 7}};
  network_init(net, "ResNet-50", sizeof(float));
  int32_t x = network_tensor(net, "input", 0, "image", network_plane(batch, 3, 224));
  x = network_op(net, "stem", 0, "conv", x, -1, network_plane(batch, 64, 112));
  x = network_in_place(net, "stem", 0, "relu", x, -1);
  x = network_op(net, "stem", 0, "maxpool", x, -1, network_plane(batch, 64, 56));
  int number = 0;
  size_t side = 56;
  for (size_t s = 0; s < sizeof stages / sizeof stages[0]; s++) {
    for (int b = 0; b < stages[s].blocks; b++, number++) {
      x = network_bottleneck(net, number, batch, &stages[s], side, b == 0, x);
      side = stages[s].side;
    }
  }
  x = network_op(net, "head", 0, "avgpool", x, -1, batch * 2048);
  x = network_op(net, "head", 0, "fc", x, -1, batch * 1000);
  (void)network_in_place(net, "head", 0, "softmax", x, -1);
}

/* ---- MobileNetV2, 224 x 224 ---- */

typedef struct network_inverted {
  size_t expand; /* t: how many times as many channels inside */
  size_t channels;
  int repeats;
  size_t stride; /* of the first of them */
} network_inverted;

/* One inverted residual: expand (unless t is 1), depthwise 3x3, project; a shortcut where shapes agree. */
static inline int32_t network_inverted_residual(network *net, int number, size_t batch, const network_inverted *row,
                                                size_t channels_in, size_t side_in, size_t side, int32_t x) {
  const size_t inside = channels_in * row->expand;
  int32_t y = x;
  if (row->expand != 1) {
    y = network_op(net, "block", number, "expand", y, -1, network_plane(batch, inside, side_in));
    y = network_in_place(net, "block", number, "relu6a", y, -1);
  }
  y = network_op(net, "block", number, "depthwise", y, -1, network_plane(batch, inside, side));
  y = network_in_place(net, "block", number, "relu6b", y, -1);
  y = network_op(net, "block", number, "project", y, -1, network_plane(batch, row->channels, side));
  if (side == side_in && row->channels == channels_in) y = network_in_place(net, "block", number, "add", y, x);
  return y;
}

static inline void network_mobilenet_v2(network *net, size_t batch) {
  static const network_inverted rows[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                          {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  network_init(net, "MobileNetV2", sizeof(float));
  int32_t x = network_tensor(net, "input", 0, "image", network_plane(batch, 3, 224));
  x = network_op(net, "stem", 0, "conv", x, -1, network_plane(batch, 32, 112));
  x = network_in_place(net, "stem", 0, "relu6", x, -1);
  size_t channels = 32, side = 112;
  int number = 0;
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    for (int i = 0; i < rows[r].repeats; i++, number++) {
      const size_t side_out = i == 0 ? side / rows[r].stride : side;
      x = network_inverted_residual(net, number, batch, &rows[r], channels, side, side_out, x);
      channels = rows[r].channels;
      side = side_out;
    }
  }
  x = network_op(net, "head", 0, "conv", x, -1, network_plane(batch, 1280, side));
  x = network_in_place(net, "head", 0, "relu6", x, -1);
  x = network_op(net, "head", 0, "avgpool", x, -1, batch * 1280);
  x = network_op(net, "head", 0, "fc", x, -1, batch * 1000);
  (void)network_in_place(net, "head", 0, "softmax", x, -1);
}

/* ---- transformers ---- */

typedef struct network_transformer_size {
  size_t batch, tokens, width, heads;
  int encoder_layers, decoder_layers;
} network_transformer_size;

/* Attention of x to memory (x itself, or the encoder's output), and the sum with x. */
static inline int32_t network_attention(network *net, const char *part, int number,
                                        const network_transformer_size *size, int32_t x, int32_t memory) {
  const size_t rows = size->batch * size->tokens, all = rows * size->width;
  const int32_t normed = network_op(net, part, number, "norm", x, -1, all);
  const int32_t source = memory == x ? normed : memory;
  const int32_t q = network_op(net, part, number, "q", normed, -1, all);
  const int32_t k = network_op(net, part, number, "k", source, -1, all);
  const int32_t v = network_op(net, part, number, "v", source, -1, all);
  int32_t scores = network_op(net, part, number, "scores", q, k, rows * size->heads * size->tokens);
  scores = network_in_place(net, part, number, "softmax", scores, -1);
  const int32_t mixed = network_op(net, part, number, "mix", scores, v, all);
  const int32_t out = network_op(net, part, number, "out", mixed, -1, all);
  return network_in_place(net, part, number, "add", out, x);
}

static inline int32_t network_feed_forward(network *net, const char *part, int number,
                                           const network_transformer_size *size, int32_t x) {
  const size_t all = size->batch * size->tokens * size->width;
  int32_t y = network_op(net, part, number, "norm", x, -1, all);
  y = network_op(net, part, number, "up", y, -1, 4 * all);
  y = network_in_place(net, part, number, "gelu", y, -1);
  y = network_op(net, part, number, "down", y, -1, all);
  return network_in_place(net, part, number, "add", y, x);
}

/* Pre-norm layers; every cross attention of the decoder reads the encoder's output. */
static inline void network_transformer(network *net, const char *title, const network_transformer_size *size) {
  const size_t all = size->batch * size->tokens * size->width;
  network_init(net, title, sizeof(float));
  int32_t x = network_tensor(net, "input", 0, "embedding", all);
  const int32_t target = size->decoder_layers > 0 ? network_tensor(net, "target", 0, "embedding", all) : -1;
  for (int layer = 0; layer < size->encoder_layers; layer++) {
    x = network_attention(net, "encoder", layer, size, x, x);
    x = network_feed_forward(net, "encoder_ff", layer, size, x);
  }
  const int32_t memory = x = network_op(net, "encoder", size->encoder_layers, "norm", x, -1, all);
  if (target >= 0) x = target;
  for (int layer = 0; layer < size->decoder_layers; layer++) {
    x = network_attention(net, "decoder", layer, size, x, x);
    x = network_attention(net, "cross", layer, size, x, memory);
    x = network_feed_forward(net, "decoder_ff", layer, size, x);
  }
  if (target >= 0) (void)network_op(net, "decoder", size->decoder_layers, "norm", x, -1, all);
}

/* Twelve layers, 768 wide, 512 tokens, 12 heads. */
static inline void network_encoder12(network *net, size_t batch) {
  const network_transformer_size size = {batch, 512, 768, 12, 12, 0};
  network_transformer(net, "transformer encoder 12", &size);
}

static inline void network_encoder_decoder12(network *net, size_t batch) {
  const network_transformer_size size = {batch, 512, 768, 12, 12, 12};
  network_transformer(net, "transformer 12 + 12", &size);
}

/* ---- random graphs ---- */

/* SplitMix: the same graphs everywhere. */
static inline uint32_t network_random(uint64_t *state, uint32_t below) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return (uint32_t)(((z & 0xFFFFFFFFu) * below) >> 32);
}

/* 1 KB to 1 MB, as many between 1 and 2 KB as between 512 KB and 1 MB. */
static inline size_t network_random_bytes(uint64_t *state) {
  const uint32_t octave = (uint32_t)1024 << network_random(state, 10);
  return octave + network_random(state, octave);
}

/* How far back a further input lies: mostly a branch nearby, sometimes a skip connection, seldom a long one. */
static inline int32_t network_random_distance(uint64_t *state) {
  const uint32_t kind = network_random(state, 10);
  const uint32_t reach = kind < 6 ? 4 : kind < 9 ? 30 : 200;
  return 2 + (int32_t)network_random(state, reach);
}

/* count ops; each reads the one before and up to two earlier ones, and one in five may work in place. */
static inline void network_random_graph(tsr_plan_item *items, int32_t count, uint64_t seed) {
  uint64_t state = seed;
  for (int32_t i = 0; i < count; i++) {
    items[i] = (tsr_plan_item){.bytes = network_random_bytes(&state), .first = i, .last = i};
    if (i == 0) continue;
    items[i - 1].last = i;
    if (network_random(&state, 5) == 0) {
      items[i].in_place = i;
      items[i].bytes = items[i - 1].bytes;
    }
    const uint32_t further = (network_random(&state, 3) == 0) + (uint32_t)(network_random(&state, 5) == 0);
    for (uint32_t k = 0; k < further; k++) {
      const int32_t input = i - network_random_distance(&state);
      if (input >= 0) items[input].last = i;
    }
  }
}

/* Graph number 0 … 99 of the sweep: 50 to 500 tensors. Returns how many. */
static inline int32_t network_sweep_graph(tsr_plan_item *items, int number) {
  uint64_t state = 0x7E55E7A0u + (uint64_t)number;
  const int32_t count = 50 + (int32_t)network_random(&state, 451);
  network_random_graph(items, count, state);
  return count;
}

#endif
