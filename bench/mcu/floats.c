/* What layers of f32 cost on a microcontroller, in the shapes of 16 x 16 images that others publish; lines as those of
 * ops.c. */
#include <tessera/prepare.h>
#include <tessera/tessera.h>
#include "naive_floats.h"
#include "row.h"

enum { SIDE = 16, MOST = SIDE * SIDE * 32 };
static _Alignas(8) float x_data[MOST], b_data[MOST], y_data[MOST];
static _Alignas(8) uint8_t scratch[4096], memory[4096], kept[1024];
static tsr_arena arena;
static tsr_ctx ctx;
static tsr_tensor x, w, y;
static tsr_status st;

static void tensor(float *data, int n, const tsr_index *shape, int layout, tsr_tensor *t) {
  *t = (tsr_tensor){0};
  if (st == TSR_OK) st = tsr_from_memory(&ctx, data, TSR_F32, n, shape, t);
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

static tsr_status nothing(void) { return TSR_OK; }

static void products(void) {
  tensor(x_data, TSR_SHAPE(32, 32), TSR_PLAIN, &x);
  tensor(b_data, TSR_SHAPE(32, 32), TSR_PLAIN, &w);
  tensor(y_data, TSR_SHAPE(32, 32), TSR_PLAIN, &y);
  BOTH("matmul", "32 x 32 x 32", 32768, "MAC", tsr_matmul(&ctx, &x, &w, &y),
       naive_matmul(32, 32, 32, x_data, b_data, y_data));
  tensor(x_data, TSR_SHAPE(1024), TSR_PLAIN, &x);
  tensor(b_data, TSR_SHAPE(1024), TSR_PLAIN, &w);
  tensor(y_data, 0, NULL, TSR_PLAIN, &y);
  BOTH("dot", "1024", 1024, "MAC", tsr_dot(&ctx, &x, &w, &y), y_data[0] = naive_dot(1024, x_data, b_data));
  tensor(x_data, TSR_SHAPE(1, 128), TSR_PLAIN, &x);
  tensor(b_data, TSR_SHAPE(64, 128), TSR_PLAIN, &w);
  tensor(y_data, TSR_SHAPE(1, 64), TSR_PLAIN, &y);
  BOTH("dense", "128 to 64", 128 * 64, "MAC", tsr_dense(&ctx, &x, &w, NULL, NULL, &y),
       naive_dense(128, 64, x_data, b_data, y_data));
  tensor(x_data, TSR_SHAPE(1, 100), TSR_PLAIN, &x);
  tensor(b_data, TSR_SHAPE(10, 100), TSR_PLAIN, &w);
  tensor(y_data, TSR_SHAPE(1, 10), TSR_PLAIN, &y);
  BOTH("dense", "100 to 10", 1000, "MAC", tsr_dense(&ctx, &x, &w, NULL, NULL, &y),
       naive_dense(100, 10, x_data, b_data, y_data));
}

static void conv(const char *shape, bool last, int c, int o, int k) {
  const tsr_conv_options options = {.pad_before = {k / 2, k / 2}, .pad_after = {k / 2, k / 2}};
  if (last) {
    tensor(x_data, TSR_SHAPE(1, SIDE, SIDE, c), TSR_NHWC, &x);
    tensor(b_data, TSR_SHAPE(o, k, k, c), TSR_OHWI, &w);
    tensor(y_data, TSR_SHAPE(1, SIDE, SIDE, o), TSR_NHWC, &y);
  } else {
    tensor(x_data, TSR_SHAPE(1, c, SIDE, SIDE), TSR_PLAIN, &x);
    tensor(b_data, TSR_SHAPE(o, c, k, k), TSR_PLAIN, &w);
    tensor(y_data, TSR_SHAPE(1, o, SIDE, SIDE), TSR_PLAIN, &y);
  }
  const long work = (long)SIDE * SIDE * c * o * k * k;
  if (last)
    BOTH("conv, channels last", shape, work, "MAC", tsr_conv2d(&ctx, &x, &w, NULL, &options, &y),
         naive_conv_last(SIDE, c, o, k, x_data, b_data, y_data));
  else
    BOTH("conv, channels first", shape, work, "MAC", tsr_conv2d(&ctx, &x, &w, NULL, &options, &y),
         naive_conv_first(SIDE, c, o, k, x_data, b_data, y_data));
}

static void pools(void) {
  const tsr_index two[2] = {2, 2};
  const tsr_pool_options options = {.stride = {2, 2}};
  tensor(x_data, TSR_SHAPE(1, SIDE, SIDE, 32), TSR_NHWC, &x);
  tensor(y_data, TSR_SHAPE(1, SIDE / 2, SIDE / 2, 32), TSR_NHWC, &y);
  BOTH("max-pool", "32, 2 x 2", MOST, "element", tsr_max_pool(&ctx, &x, 2, two, &options, &y),
       naive_max_pool(SIDE, 32, x_data, y_data));
  BOTH("average-pool", "32, 2 x 2", MOST, "element", tsr_avg_pool(&ctx, &x, 2, two, &options, &y),
       naive_avg_pool(SIDE, 32, x_data, y_data));
}

static void rows(void) {
  tensor(x_data, TSR_SHAPE(1000), TSR_PLAIN, &x);
  tensor(y_data, TSR_SHAPE(1000), TSR_PLAIN, &y);
  BOTH("softmax", "1000", 1000, "element", tsr_softmax(&ctx, &x, -1, &y), naive_softmax(1000, x_data, y_data));
  tensor(x_data, TSR_SHAPE(4096), TSR_PLAIN, &x);
  tensor(b_data, TSR_SHAPE(4096), TSR_PLAIN, &w);
  tensor(y_data, TSR_SHAPE(4096), TSR_PLAIN, &y);
  BOTH("add", "4096", 4096, "element", tsr_add(&ctx, &x, &w, &y), naive_add(4096, x_data, b_data, y_data));
  BOTH("relu", "4096", 4096, "element", tsr_relu(&ctx, &x, &y), naive_relu(4096, x_data, y_data));
}

int main(void) {
  st = tsr_arena_init(memory, sizeof memory, &arena);
  if (st == TSR_OK) st = tsr_context_init(&ctx, &arena.allocator);
  if (st == TSR_OK) st = tsr_context_set_scratch(&ctx, scratch, sizeof scratch);
  for (int i = 0; i < MOST; i++) {
    x_data[i] = (float)(i * 37 % 251 - 125) * 0.01f;
    b_data[i] = (float)(i * 53 % 241 - 120) * 0.01f;
  }
  ROW("nothing", "", 1, "call", nothing());
  products();
  conv("16 to 16, 3 x 3", true, 16, 16, 3);
  conv("16 to 16, 1 x 1", true, 16, 16, 1);
  conv("16 to 16, 3 x 3", false, 16, 16, 3);
  conv("16 to 16, 1 x 1", false, 16, 16, 1);
  pools();
  rows();
  if (st != TSR_OK) printf("failed: %s\n", tsr_error(&ctx));
  return st;
}
