/* What layers of 8 bits cost on a microcontroller, in the shapes of 16 x 16 images that others publish; lines as those of
 * ops.c. */
#include <tessera/prepare.h>
#include <tessera/quant.h>
#include <tessera/tessera.h>
#include "naive_layers.h"
#include "row.h"

enum { SIDE = 16, MOST = SIDE * SIDE * 32 };
static _Alignas(8) int8_t x_data[MOST], b_data[MOST], y_data[MOST];
static _Alignas(4) const int8_t w_data[784 * 128] = {3, -5, 7};
static _Alignas(8) uint8_t scratch[8192], memory[16384], kept[768];
static tsr_arena arena;
static tsr_ctx ctx;
static tsr_tensor x, w, y;
static tsr_status st;

static const tsr_quant of_a = {.dtype = TSR_I8, .scale = 0.05f, .zero = 3}, of_b = {.dtype = TSR_I8, .scale = 0.031f},
                       of_y = {.dtype = TSR_I8, .scale = 0.11f, .zero = -7};
static const tsr_qscheme scheme = {.x = {.dtype = TSR_I8, .scale = 0.05f, .zero = 3},
                                   .w = {.dtype = TSR_I8, .scale = 0.05f},
                                   .out = {.dtype = TSR_I8, .scale = 0.5f}};

static void tensor(const void *data, int n, const tsr_index *shape, int layout, tsr_tensor *t) {
  *t = (tsr_tensor){0};
  if (st == TSR_OK) st = tsr_from_memory(&ctx, (void *)(uintptr_t)data, TSR_I8, n, shape, t);
  if (st == TSR_OK && layout != TSR_PLAIN) st = tsr_set_layout(&ctx, t, layout, t);
}

/* A call, the same one prepared, and a loop that was written for it alone. */
#define BOTH(name, shape, work, unit, call, naive)                                \
  do {                                                                            \
    tsr_prepared prepared;                                                        \
    ROW(name, shape, work, unit, call);                                           \
    if (st == TSR_OK) st = tsr_prepared_init(kept, sizeof kept, &prepared);       \
    if (st == TSR_OK) st = tsr_prepared_begin(&ctx, &prepared);                   \
    if (st == TSR_OK) st = (call);                                                \
    if (st == TSR_OK) st = tsr_prepared_end(&ctx, &prepared);                     \
    ROW(name ", prepared", shape, work, unit, tsr_prepared_run(&ctx, &prepared)); \
    ROW(name ", plain C", shape, work, unit, (naive, TSR_OK));                    \
  } while (0)

static naive_layer naive_of(const tsr_qlayer *layer, int c, int o, int k) {
  const int32_t *const table = layer->table.data;
  return (naive_layer){SIDE, c, o, k, of_a.zero, table + o, table + 2 * o};
}

static tsr_status nothing(void) { return TSR_OK; }

/* Images with channels last; their weights are packed before. */
static void images(int c, int side, int o, int out_side) {
  tensor(x_data, TSR_SHAPE(1, side, side, c), TSR_NHWC, &x);
  tensor(y_data, TSR_SHAPE(1, out_side, out_side, o), TSR_NHWC, &y);
}

static void conv(const char *shape, int c, int o, int k) {
  const tsr_conv_options options = {.pad_before = {k / 2, k / 2}, .pad_after = {k / 2, k / 2}};
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  images(c, SIDE, o, SIDE);
  tensor(w_data, TSR_SHAPE(o, k, k, c), TSR_OHWI, &w);
  if (st == TSR_OK) st = tsr_qconv_pack(&ctx, &w, NULL, &options, &scheme, &layer);
  const naive_layer naive = naive_of(&layer, c, o, k);
  BOTH("conv", shape, (long)SIDE * SIDE * c * o * k * k, "MAC", tsr_qconv2d(&ctx, &x, &layer, &y),
       naive_qconv(&naive, x_data, w_data, y_data));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

static void depthwise(void) {
  const tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}, .groups = 32};
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  images(32, SIDE, 32, SIDE);
  tensor(w_data, TSR_SHAPE(3, 3, 1, 32), TSR_HWIO, &w);
  if (st == TSR_OK) st = tsr_qconv_pack(&ctx, &w, NULL, &options, &scheme, &layer);
  const naive_layer naive = naive_of(&layer, 32, 32, 3);
  BOTH("depthwise", "32, 3 x 3", (long)SIDE * SIDE * 32 * 9, "MAC", tsr_qconv2d(&ctx, &x, &layer, &y),
       naive_qdepthwise(&naive, x_data, w_data, y_data));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

static void dense(const char *shape, int f, int o) {
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  tensor(x_data, TSR_SHAPE(1, f), TSR_PLAIN, &x);
  tensor(w_data, TSR_SHAPE(o, f), TSR_PLAIN, &w);
  tensor(y_data, TSR_SHAPE(1, o), TSR_PLAIN, &y);
  if (st == TSR_OK) st = tsr_qdense_pack(&ctx, &w, NULL, &scheme, &layer);
  const naive_layer naive = naive_of(&layer, f, o, 1);
  BOTH("dense", shape, (long)f * o, "MAC", tsr_qdense(&ctx, &x, &layer, &y),
       naive_qdense(&naive, x_data, w_data, y_data));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

/* Images twice as high and as wide. */
static void transposed(void) {
  const tsr_conv_transpose_options options = {.stride = {2, 2}, .pad_before = {1, 1}, .pad_after = {1, 1}};
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  images(16, SIDE / 2, 16, SIDE);
  tensor(w_data, TSR_SHAPE(16, 4, 4, 16), TSR_OHWI, &w);
  if (st == TSR_OK) st = tsr_qconv_transpose_pack(&ctx, &w, NULL, &options, &scheme, &layer);
  const naive_layer naive = naive_of(&layer, 16, 16, 4);
  BOTH("transposed conv", "16 to 16, 4 x 4", (long)SIDE * SIDE * 16 * 16 * 4, "MAC",
       tsr_qconv_transpose2d(&ctx, &x, &layer, &y), naive_qconv_transpose(&naive, x_data, w_data, y_data));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

/* Weights of 4 bits. */
static void nibbles(void) {
  const tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}};
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  images(16, SIDE, 16, SIDE);
  tensor(w_data, TSR_SHAPE(16, 3, 3, 16), TSR_OHWI, &w);
  if (st == TSR_OK) st = tsr_qconv_i4_pack(&ctx, &w, NULL, &options, &scheme, &layer);
  const naive_layer conv = naive_of(&layer, 16, 16, 3);
  BOTH("conv, 4 bits", "16 to 16, 3 x 3", (long)SIDE * SIDE * 16 * 16 * 9, "MAC", tsr_qconv2d_i4(&ctx, &x, &layer, &y),
       naive_qconv_i4(&conv, x_data, (const uint8_t *)w_data, y_data));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
  tensor(x_data, TSR_SHAPE(1, 256), TSR_PLAIN, &x);
  tensor(w_data, TSR_SHAPE(64, 256), TSR_PLAIN, &w);
  tensor(y_data, TSR_SHAPE(1, 64), TSR_PLAIN, &y);
  if (st == TSR_OK) st = tsr_qdense_i4_pack(&ctx, &w, NULL, &scheme, &layer);
  const naive_layer dense = naive_of(&layer, 256, 64, 1);
  BOTH("dense, 4 bits", "256 to 64", 256 * 64, "MAC", tsr_qdense_i4(&ctx, &x, &layer, &y),
       naive_qdense_i4(&dense, x_data, (const uint8_t *)w_data, y_data));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

/* Activations of 16 bits. */
static void wide(void) {
  static const tsr_qscheme words = {.x = {.dtype = TSR_I16, .scale = 0.0005f},
                                    .w = {.dtype = TSR_I8, .scale = 0.05f},
                                    .out = {.dtype = TSR_I16, .scale = 0.005f}};
  const tsr_conv_options one = {.pad_before = {1, 1}, .pad_after = {1, 1}};
  const tsr_conv_options each = {.pad_before = {1, 1}, .pad_after = {1, 1}, .groups = 16};
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  for (int k = 0; k < 3; k++) {
    images(16, SIDE, 16, SIDE);
    if (k == 0) tensor(w_data, TSR_SHAPE(16, 3, 3, 16), TSR_OHWI, &w);
    if (k == 1) tensor(w_data, TSR_SHAPE(3, 3, 1, 16), TSR_HWIO, &w);
    if (k == 2) {
      tensor(x_data, TSR_SHAPE(1, 256), TSR_PLAIN, &x);
      tensor(w_data, TSR_SHAPE(64, 256), TSR_PLAIN, &w);
      tensor(y_data, TSR_SHAPE(1, 64), TSR_PLAIN, &y);
    }
    x.dtype = y.dtype = TSR_I16;
    if (st == TSR_OK)
      st = k == 2 ? tsr_qdense_pack(&ctx, &w, NULL, &words, &layer)
                  : tsr_qconv_pack(&ctx, &w, NULL, k == 0 ? &one : &each, &words, &layer);
    const naive_layer naive = naive_of(&layer, k == 2 ? 256 : 16, k == 2 ? 64 : 16, 3);
    const int16_t *const from = (const int16_t *)(const void *)x_data;
    int16_t *const to = (int16_t *)(void *)y_data;
    if (k == 0)
      BOTH("conv, i16", "16 to 16, 3 x 3", (long)SIDE * SIDE * 16 * 16 * 9, "MAC", tsr_qconv2d(&ctx, &x, &layer, &y),
           naive_wconv(&naive, from, w_data, to));
    else if (k == 1)
      BOTH("depthwise, i16", "16, 3 x 3", (long)SIDE * SIDE * 16 * 9, "MAC", tsr_qconv2d(&ctx, &x, &layer, &y),
           naive_wdepthwise(&naive, from, w_data, to));
    else
      BOTH("dense, i16", "256 to 64", 256 * 64, "MAC", tsr_qdense(&ctx, &x, &layer, &y),
           naive_wdense(&naive, from, w_data, to));
    tsr_qlayer_release(&layer);
    if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
  }
}

/* Layers with a memory: 64 filters of rank 2 over 16 steps; a cell of 32. */
static void memories(void) {
  static const tsr_quant of_state = {.dtype = TSR_I16, .scale = 0.001f}, of_w = {.dtype = TSR_I8, .scale = 0.01f};
  static int16_t state_data[64 * 16], gates[128];
  tsr_tensor state, bias;
  tensor(gates, TSR_SHAPE(1, 64), TSR_PLAIN, &x);
  tensor(w_data, TSR_SHAPE(64, 16), TSR_PLAIN, &w);
  tensor(b_data, TSR_SHAPE(32), TSR_PLAIN, &bias);
  tensor(state_data, TSR_SHAPE(1, 64, 16), TSR_PLAIN, &state);
  tensor(y_data, TSR_SHAPE(1, 32), TSR_PLAIN, &y);
  x.dtype = state.dtype = TSR_I16;
  bias.dtype = TSR_I32;
  BOTH("SVDF, in time", "64 of rank 2, 16 steps", 64 * 16, "MAC",
       tsr_qsvdf(&ctx, &x, &of_state, &w, &of_w, &bias, 2, &of_y, &state, &y),
       naive_qsvdf(64, 16, gates, w_data, (const int32_t *)(const void *)b_data, state_data, y_data));
  for (int i = 0; i < 128; i++) gates[i] = (int16_t)(i * 517 % 16384 - 8192);
  tensor(gates, TSR_SHAPE(1, 128), TSR_PLAIN, &x);
  tensor(state_data, TSR_SHAPE(1, 32), TSR_PLAIN, &state);
  x.dtype = state.dtype = TSR_I16;
  BOTH("LSTM, its cell", "32", 32, "element", tsr_qlstm(&ctx, &x, NULL, 11, &of_y, &state, &y),
       naive_qlstm(32, gates, state_data, y_data));
}

static void pools(void) {
  images(32, SIDE, 32, SIDE / 2);
  const naive_layer naive = {.side = SIDE, .c = 32};
  const tsr_index two[2] = {2, 2};
  BOTH("max-pool", "32, 2 x 2", MOST, "element", tsr_qmax_pool(&ctx, &x, 2, two, NULL, &y),
       naive_qmax_pool(&naive, x_data, y_data));
  BOTH("average-pool", "32, 2 x 2", MOST, "element", tsr_qavg_pool(&ctx, &x, 3, 2, two, NULL, &y),
       naive_qavg_pool(&naive, x_data, y_data));
}

static void elements(void) {
  tsr_tensor b;
  tensor(x_data, TSR_SHAPE(4096), TSR_PLAIN, &x);
  tensor(b_data, TSR_SHAPE(4096), TSR_PLAIN, &b);
  tensor(y_data, TSR_SHAPE(4096), TSR_PLAIN, &y);
  BOTH("add", "4096", 4096, "element", tsr_qadd(&ctx, &x, &of_a, &b, &of_b, &of_y, &y),
       naive_qadd(4096, x_data, b_data, y_data));
  BOTH("mul", "4096", 4096, "element", tsr_qmul(&ctx, &x, &of_a, &b, &of_b, &of_y, &y),
       naive_qmul(4096, x_data, b_data, y_data));
}

static void rows(void) {
  images(32, SIDE, 32, 1);
  tensor(y_data, TSR_SHAPE(1, 32), TSR_PLAIN, &y);
  BOTH("mean", "16 x 16 x 32 to 32", MOST, "element", tsr_qmean(&ctx, &x, &of_a, TSR_AXES(1, 2), false, &of_y, &y),
       naive_qmean(256, 32, x_data, y_data));
  tensor(x_data, TSR_SHAPE(64, 128), TSR_PLAIN, &x);
  tensor(y_data, TSR_SHAPE(64), TSR_PLAIN, &y);
  BOTH("mean", "64 x 128 to 64", MOST, "element", tsr_qmean(&ctx, &x, &of_a, TSR_AXES(1), false, &of_y, &y),
       naive_qmean_rows(64, 128, x_data, y_data));
  tensor(x_data, TSR_SHAPE(10), TSR_PLAIN, &x);
  tensor(y_data, TSR_SHAPE(10), TSR_PLAIN, &y);
  BOTH("softmax", "10", 10, "element", tsr_qsoftmax(&ctx, &x, &of_a, -1, &y), naive_qsoftmax(10, x_data, y_data));
  tensor(x_data, TSR_SHAPE(1000), TSR_PLAIN, &x);
  tensor(y_data, TSR_SHAPE(1000), TSR_PLAIN, &y);
  BOTH("softmax", "1000", 1000, "element", tsr_qsoftmax(&ctx, &x, &of_a, -1, &y), naive_qsoftmax(1000, x_data, y_data));
}

int main(void) {
  st = tsr_arena_init(memory, sizeof memory, &arena);
  if (st == TSR_OK) st = tsr_context_init(&ctx, &arena.allocator);
  if (st == TSR_OK) st = tsr_context_set_scratch(&ctx, scratch, sizeof scratch);
  for (int i = 0; i < MOST; i++) {
    x_data[i] = (int8_t)(i * 37 % 251 - 125);
    b_data[i] = (int8_t)(i * 53 % 241 - 120);
  }
  ROW("nothing", "", 1, "call", nothing());
  conv("16 to 16, 3 x 3", 16, 16, 3);
  conv("32 to 32, 3 x 3", 32, 32, 3);
  conv("32 to 32, 1 x 1", 32, 32, 1);
  conv("16 to 16, 1 x 1", 16, 16, 1);
  conv("8 to 8, 1 x 1", 8, 8, 1);
  depthwise();
  dense("256 to 64", 256, 64);
  dense("784 to 128", 784, 128);
  dense("100 to 10", 100, 10);
  transposed();
  nibbles();
  wide();
  pools();
  elements();
  rows();
  memories();
  if (st != TSR_OK) printf("failed: %s\n", tsr_error(&ctx));
  return st;
}
