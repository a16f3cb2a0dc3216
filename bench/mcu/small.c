/* What calls of 8-bit layers take beside their work: layers of four numbers, as calls, prepared and frozen; lines as those of
 * ops.c. */
#include <tessera/frozen.h>
#include <tessera/prepare.h>
#include <tessera/quant.h>
#include <tessera/tessera.h>
#include "row.h"

static _Alignas(8) int8_t x_data[8], b_data[8], y_data[8];
static _Alignas(8) uint8_t scratch[256], kept[512], memory[256];
static const int8_t w_data[16] = {1, 2, 3, 4, 5, 6, 7, 8};
static const int32_t table[16] = {1, 2, 3, 4, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 36, 36, 36, 36};
static tsr_ctx ctx;
static tsr_status st;

static const tsr_tensor image = {
    .dtype = TSR_I8, .layout = TSR_NHWC, .ndim = 4, .shape = {1, 1, 1, 4}, .stride = {4, 4, 4, 1}, .data = x_data};
static tsr_tensor out_image = {
    .dtype = TSR_I8, .layout = TSR_NHWC, .ndim = 4, .shape = {1, 1, 1, 4}, .stride = {4, 4, 4, 1}, .data = y_data};
static const tsr_tensor row = {.dtype = TSR_I8, .ndim = 2, .shape = {1, 4}, .stride = {4, 1}, .data = x_data};
static const tsr_tensor other = {.dtype = TSR_I8, .ndim = 2, .shape = {1, 4}, .stride = {4, 1}, .data = b_data};
static tsr_tensor out_row = {.dtype = TSR_I8, .ndim = 2, .shape = {1, 4}, .stride = {4, 1}, .data = y_data};

#define LAYER                                                                                                    \
  .table = {.dtype = TSR_I32, .ndim = 2, .shape = {4, 4}, .stride = {4, 1}, .data = (void *)table}, .low = -128, \
  .high = 127, .x_dtype = TSR_I8, .out_dtype = TSR_I8
static const tsr_qlayer conv = {.w = {.dtype = TSR_I8,
                                      .layout = TSR_OHWI,
                                      .ndim = 4,
                                      .shape = {4, 1, 1, 4},
                                      .stride = {4, 4, 4, 1},
                                      .data = (void *)w_data},
                                LAYER};
static const tsr_qlayer dense = {
    .w = {.dtype = TSR_I8, .ndim = 2, .shape = {4, 4}, .stride = {4, 1}, .data = (void *)w_data}, LAYER};
static const tsr_quant q = {.dtype = TSR_I8, .scale = 0.5f};

/* As tsr_freeze_write writes them. */
static const tsr_frozen_layer frozen_layer = {{1, 0},
                                              {2, 0},
                                              {0, 0},
                                              64,
                                              w_data,
                                              table,
                                              {1, 4, 1, 1},
                                              {4, 4, 1, 1},
                                              {1, 1},
                                              {1, 1},
                                              {1, 1},
                                              {1, 1},
                                              {0, 0},
                                              1,
                                              {4, 1, 4, 4},
                                              {4, 1, 4, 4},
                                              0,
                                              0,
                                              -128,
                                              127,
                                              TSR_I8,
                                              TSR_I8,
                                              1,
                                              1,
                                              0};
static const tsr_frozen_pool frozen_pool = {
    {1, 0},          {2, 0},          1,      4, 0, {{1, 1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 1, 0, 0}},
    {0, 1, 0, 4, 4}, {0, 1, 0, 4, 4}, TSR_I8, 1, 0};
static const tsr_frozen_sum frozen_sum = {
    {1, 0}, {1, 4}, {2, 0}, 4, {0, 0, 0}, {1 << 30, 1 << 30, 30}, {0}, {TSR_I8, TSR_I8, TSR_I8}};

static const tsr_frozen_step steps[] = {{tsr_frozen_qconv2d, &frozen_layer},
                                        {tsr_frozen_qdense, &frozen_layer},
                                        {tsr_frozen_qmax_pool, &frozen_pool},
                                        {tsr_frozen_qadd, &frozen_sum}};

static tsr_status run_frozen(int step) {
  const tsr_frozen one = {1 | 1 << 8, sizeof memory, 1, 1, 1, steps + step};
  return tsr_frozen_run(&one, memory, (const void *const[]){x_data}, (void *const[]){y_data});
}

#define ALL(name, call, step)                                                  \
  do {                                                                         \
    tsr_prepared prepared;                                                     \
    ROW(name, "4", 1, "call", call);                                           \
    if (st == TSR_OK) st = tsr_prepared_init(kept, sizeof kept, &prepared);    \
    if (st == TSR_OK) st = tsr_prepared_begin(&ctx, &prepared);                \
    if (st == TSR_OK) st = (call);                                             \
    if (st == TSR_OK) st = tsr_prepared_end(&ctx, &prepared);                  \
    ROW(name ", prepared", "4", 1, "call", tsr_prepared_run(&ctx, &prepared)); \
    ROW(name ", frozen", "4", 1, "call", run_frozen(step));                    \
  } while (0)

static tsr_status nothing(void) { return TSR_OK; }

int main(void) {
  static const tsr_index one[2] = {1, 1};
  st = tsr_context_init(&ctx, NULL);
  if (st == TSR_OK) st = tsr_context_set_scratch(&ctx, scratch, sizeof scratch);
  ROW("nothing", "", 1, "call", nothing());
  ALL("conv", tsr_qconv2d(&ctx, &image, &conv, &out_image), 0);
  ALL("dense", tsr_qdense(&ctx, &row, &dense, &out_row), 1);
  ALL("max-pool", tsr_qmax_pool(&ctx, &image, 2, one, NULL, &out_image), 2);
  ALL("add", tsr_qadd(&ctx, &row, &q, &other, &q, &q, &out_row), 3);
  if (st != TSR_OK) printf("failed: %s\n", tsr_error(&ctx));
  return st;
}
