/* What ops cost on a microcontroller. Each row runs once between two marks; the first row is empty, what it takes is
 * taken off the others. A line for each: name|shape|work|unit. scripts/mcu-bench makes a table of them. */
#include <tessera/quant.h>
#include <tessera/tessera.h>
#include "naive.h"
#include "row.h"

enum { MOST = 4096 };
static float numbers[4][MOST]; /* x, w, y, bias */
static _Alignas(8) uint8_t scratch[8192], memory[2048];
static tsr_arena arena;
static tsr_ctx ctx;
static tsr_tensor x, w, y, b;
static tsr_status st;

/* Shapes of x, filters, y. */
static void tensors(int xn, const tsr_index *xs, int wn, const tsr_index *ws, int yn, const tsr_index *ys) {
  const tsr_index outputs = wn > 0 ? ws[0] : 1;
  x = w = y = b = (tsr_tensor){0};
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[0], TSR_F32, xn, xs, &x);
  if (st == TSR_OK && wn > 0) st = tsr_from_memory(&ctx, numbers[1], TSR_F32, wn, ws, &w);
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[2], TSR_F32, yn, ys, &y);
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[3], TSR_F32, 1, &outputs, &b);
}

static tsr_status nothing(void) { return TSR_OK; }

static tsr_status naive(const naive_conv *s) {
  naive_conv_f32(s, numbers[0], numbers[1], numbers[3], numbers[2]);
  return TSR_OK;
}

static tsr_status naive_dense(int n, int o) {
  naive_dense_f32(n, o, numbers[0], numbers[1], numbers[3], numbers[2]);
  return TSR_OK;
}

/* Taps that lie inside x, for each output of a row or column. */
static long inside(int length, int k, int pad) {
  long taps = 0;
  for (int at = -pad; at + k <= length + pad; at++)
    for (int t = 0; t < k; t++) taps += at + t >= 0 && at + t < length;
  return taps;
}

static void conv(const char *shape, int c, int side, int o, int k) {
  const int pad = k / 2;
  const naive_conv s = {c, side, side, o, k, pad};
  const tsr_conv_options options = {.pad_before = {pad, pad}, .pad_after = {pad, pad}};
  const long macs = inside(side, k, pad) * inside(side, k, pad) * c * o;
  tensors(TSR_SHAPE(1, c, side, side), TSR_SHAPE(o, c, k, k), TSR_SHAPE(1, o, side, side));
  ROW("conv2d", shape, macs, "MAC", tsr_conv2d(&ctx, &x, &w, &b, &options, &y));
  ROW("conv2d, plain C", shape, macs, "MAC", naive(&s));
}

static void depthwise(int c, int side) {
  const tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}, .groups = c};
  tensors(TSR_SHAPE(1, c, side, side), TSR_SHAPE(c, 1, 3, 3), TSR_SHAPE(1, c, side, side));
  ROW("conv2d, depthwise", "16 x 8 x 8, 3 x 3", inside(side, 3, 1) * inside(side, 3, 1) * c, "MAC",
      tsr_conv2d(&ctx, &x, &w, &b, &options, &y));
}

static tsr_status naive_quantised(const naive_conv *s) {
  naive_conv_i8(s, (const int8_t *)numbers[0], (const int8_t *)numbers[1], (const int32_t *)(const void *)numbers[3],
                1 << 24, (int8_t *)numbers[2]);
  return TSR_OK;
}

static const tsr_quant symmetric = {.dtype = TSR_I8, .scale = 0.05f};
static const tsr_qscheme scheme = {.x = {.dtype = TSR_I8, .scale = 0.05f},
                                   .w = {.dtype = TSR_I8, .scale = 0.05f},
                                   .out = {.dtype = TSR_I8, .scale = 0.5f}};

/* Numbers of i8 in these shapes. */
static void bytes(const tsr_index *xs, const tsr_index *ws, int w_layout, const tsr_index *ys) {
  x = w = y = (tsr_tensor){0};
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[0], TSR_I8, 4, xs, &x);
  if (st == TSR_OK) st = tsr_set_layout(&ctx, &x, TSR_NHWC, &x);
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[1], TSR_I8, 4, ws, &w);
  if (st == TSR_OK) st = tsr_set_layout(&ctx, &w, w_layout, &w);
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[2], TSR_I8, 4, ys, &y);
  if (st == TSR_OK) st = tsr_set_layout(&ctx, &y, TSR_NHWC, &y);
}

/* Channels last, symmetric. */
static void quantised_conv(const char *shape, int c, int side, int o, int k) {
  const int pad = k / 2;
  const naive_conv s = {c, side, side, o, k, pad};
  const tsr_conv_options options = {.pad_before = {pad, pad}, .pad_after = {pad, pad}};
  const long macs = inside(side, k, pad) * inside(side, k, pad) * c * o;
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  bytes((tsr_index[]){1, side, side, c}, (tsr_index[]){o, k, k, c}, TSR_OHWI, (tsr_index[]){1, side, side, o});
  if (st == TSR_OK) st = tsr_qconv_pack(&ctx, &w, NULL, &options, &scheme, &layer);
  ROW("qconv2d, i8", shape, macs, "MAC", tsr_qconv2d(&ctx, &x, &layer, &y));
  ROW("qconv2d, i8, plain C", shape, macs, "MAC", naive_quantised(&s));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

static void quantised_depthwise(const char *shape, int c, int side) {
  const tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}, .groups = c};
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  bytes((tsr_index[]){1, side, side, c}, (tsr_index[]){3, 3, 1, c}, TSR_HWIO, (tsr_index[]){1, side, side, c});
  if (st == TSR_OK) st = tsr_qconv_pack(&ctx, &w, NULL, &options, &scheme, &layer);
  ROW("qconv2d, i8, depthwise", shape, inside(side, 3, 1) * inside(side, 3, 1) * c, "MAC",
      tsr_qconv2d(&ctx, &x, &layer, &y));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

static void quantised_dense(const char *shape, int rows, int f, int o) {
  const size_t mark = tsr_arena_mark(&arena);
  tsr_qlayer layer = {0};
  x = w = y = (tsr_tensor){0};
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[0], TSR_I8, TSR_SHAPE(rows, f), &x);
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[1], TSR_I8, TSR_SHAPE(o, f), &w);
  if (st == TSR_OK) st = tsr_from_memory(&ctx, numbers[2], TSR_I8, TSR_SHAPE(rows, o), &y);
  if (st == TSR_OK) st = tsr_qdense_pack(&ctx, &w, NULL, &scheme, &layer);
  ROW("qdense, i8", shape, (long)rows * f * o, "MAC", tsr_qdense(&ctx, &x, &layer, &y));
  tsr_qlayer_release(&layer);
  if (st == TSR_OK) st = tsr_arena_rewind(&arena, mark);
}

static void quantised_pool(void) {
  bytes((tsr_index[]){1, 8, 8, 16}, (tsr_index[]){1, 1, 1, 1}, TSR_OHWI, (tsr_index[]){1, 4, 4, 16});
  ROW("qmax_pool, i8", "16 x 8 x 8, 2 x 2", 1024, "element", tsr_qmax_pool(&ctx, &x, TSR_SHAPE(2, 2), NULL, &y));
  ROW("qavg_pool, i8", "16 x 8 x 8, 2 x 2", 1024, "element",
      tsr_qavg_pool(&ctx, &x, symmetric.zero, TSR_SHAPE(2, 2), NULL, &y));
}

static void dense(void) {
  tensors(TSR_SHAPE(1, 256), TSR_SHAPE(10, 256), TSR_SHAPE(1, 10));
  ROW("dense", "256 to 10", 2560, "MAC", tsr_dense(&ctx, &x, &w, &b, NULL, &y));
  ROW("dense, plain C", "256 to 10", 2560, "MAC", naive_dense(256, 10));
  tensors(TSR_SHAPE(16, 32), TSR_SHAPE(32, 16), TSR_SHAPE(16, 16));
  ROW("matmul", "16 x 32 by 32 x 16", 16 * 32 * 16, "MAC", tsr_matmul(&ctx, &x, &w, &y));
}

static void elementwise(void) {
  tensors(TSR_SHAPE(1024), TSR_SHAPE(1024), TSR_SHAPE(1024));
  ROW("add", "1024", 1024, "element", tsr_add(&ctx, &x, &w, &y));
  ROW("mul", "1024", 1024, "element", tsr_mul(&ctx, &x, &w, &y));
  ROW("div", "1024", 1024, "element", tsr_div(&ctx, &x, &w, &y));
  ROW("relu", "1024", 1024, "element", tsr_relu(&ctx, &x, &y));
  ROW("exp", "1024", 1024, "element", tsr_exp(&ctx, &x, &y));
  ROW("tanh", "1024", 1024, "element", tsr_tanh(&ctx, &x, &y));
  ROW("sigmoid", "1024", 1024, "element", tsr_sigmoid(&ctx, &x, &y));
  ROW("copy", "1024", 1024, "element", tsr_copy(&ctx, &x, &y));
  tensors(TSR_SHAPE(3, 1), TSR_SHAPE(1, 4), TSR_SHAPE(3, 4));
  ROW("add", "3 x 1 and 1 x 4", 12, "element", tsr_add(&ctx, &x, &w, &y));
}

static void along_axes(void) {
  tensors(TSR_SHAPE(32, 32), 0, NULL, TSR_SHAPE(32));
  ROW("sum", "32 x 32, last axis", 1024, "element", tsr_sum(&ctx, &x, 1, (const int[]){1}, false, &y));
  tensors(TSR_SHAPE(32, 32), TSR_SHAPE(32), TSR_SHAPE(32, 32));
  ROW("softmax", "32 x 32", 1024, "element", tsr_softmax(&ctx, &x, -1, &y));
  ROW("layer_norm", "32 x 32", 1024, "element", tsr_layer_norm(&ctx, &x, &w, &w, 1, 1e-5f, &y));
  tensors(TSR_SHAPE(1, 16, 8, 8), 0, NULL, TSR_SHAPE(1, 16, 4, 4));
  ROW("max_pool", "16 x 8 x 8, 2 x 2", 1024, "element", tsr_max_pool(&ctx, &x, TSR_SHAPE(2, 2), NULL, &y));
  ROW("avg_pool", "16 x 8 x 8, 2 x 2", 1024, "element", tsr_avg_pool(&ctx, &x, TSR_SHAPE(2, 2), NULL, &y));
  tensors(TSR_SHAPE(1, 16, 16), 0, NULL, TSR_SHAPE(1, 16, 16));
  ROW("attention", "16 tokens of 16", 2 * 16 * 16 * 16, "MAC", tsr_attention(&ctx, &x, &x, &x, NULL, NULL, &y));
}

int main(void) {
  st = tsr_arena_init(memory, sizeof memory, &arena);
  if (st == TSR_OK) st = tsr_context_init(&ctx, &arena.allocator);
  if (st == TSR_OK) st = tsr_context_set_scratch(&ctx, scratch, sizeof scratch);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < MOST; i++) numbers[k][i] = (float)((i * 37 + k * 11) % 101) / 50.0f + 0.01f;
  ROW("nothing", "", 1, "call", nothing());
  conv("16 x 8 x 8 to 16, 3 x 3", 16, 8, 16, 3);
  conv("32 x 8 x 8 to 8, 3 x 3", 32, 8, 8, 3);
  conv("16 x 12 x 12 to 16, 1 x 1", 16, 12, 16, 1);
  conv("16 x 8 x 8 to 4, 5 x 5", 16, 8, 4, 5);
  conv("16 x 12 x 12 to 4, 5 x 5", 16, 12, 4, 5);
  conv("1 x 8 x 8 to 8, 3 x 3", 1, 8, 8, 3);
  depthwise(16, 8);
  quantised_conv("16 x 8 x 8 to 16, 3 x 3", 16, 8, 16, 3);
  quantised_conv("32 x 8 x 8 to 32, 3 x 3", 32, 8, 32, 3);
  quantised_conv("16 x 12 x 12 to 16, 1 x 1", 16, 12, 16, 1);
  quantised_conv("32 x 12 x 12 to 32, 1 x 1", 32, 12, 32, 1);
  quantised_depthwise("16 x 8 x 8, 3 x 3", 16, 8);
  quantised_depthwise("32 x 12 x 12, 3 x 3", 32, 12);
  quantised_dense("256 to 10", 1, 256, 10);
  quantised_dense("16 rows of 64 to 32", 16, 64, 32);
  quantised_pool();
  dense();
  elementwise();
  along_axes();
  if (st != TSR_OK) printf("failed: %s\n", tsr_error(&ctx));
  return st;
}
