/* Which iris is it? A network of three dense layers, weights in flash, answers over the serial line.
 * Not run on a board by its authors yet. */
#include <tessera.h>
#include "iris_weights.h"

alignas(8) static uint8_t memory[1024];
static tsr_arena arena;
static tsr_ctx   ctx;

static tsr_status classify(const float *centimetres, int32_t *kind) {
  tsr_activation relu = {};
  tsr_tensor x = {}, a = {}, b = {}, scores = {}, best = {};
  const tsr_index four[1] = {4};
  relu.kind = TSR_RELU;
  const size_t mark = tsr_arena_mark(&arena);
  tsr_status st = tsr_from_const_memory(&ctx, centimetres, TSR_F32, 1, four, &x);
  if (st == TSR_OK) st = tsr_dense(&ctx, &x, iris_weights[0], iris_weights[1], &relu, &a);
  if (st == TSR_OK) st = tsr_dense(&ctx, &a, iris_weights[2], iris_weights[3], &relu, &b);
  if (st == TSR_OK) st = tsr_dense(&ctx, &b, iris_weights[4], iris_weights[5], NULL, &scores);
  if (st == TSR_OK) st = tsr_from_memory(&ctx, kind, TSR_I32, 0, NULL, &best);
  if (st == TSR_OK) st = tsr_argmax(&ctx, &scores, TSR_ALL_AXES, false, &best);
  tsr_release(&scores);
  tsr_release(&b);
  tsr_release(&a);
  const tsr_status rewound = tsr_arena_rewind(&arena, mark);
  return st != TSR_OK ? st : rewound;
}

void setup() {
  Serial.begin(115200);
  if (tsr_arena_init(memory, sizeof memory, &arena) != TSR_OK) return;
  if (tsr_context_init(&ctx, &arena.allocator) != TSR_OK) return;
}

void loop() {
  static const char *const names[3] = {"setosa", "versicolor", "virginica"};
  const float flower[4] = {5.1f, 3.5f, 1.4f, 0.2f};
  int32_t kind = 0;
  if (classify(flower, &kind) == TSR_OK) Serial.println(names[kind]);
  else Serial.println(tsr_error(&ctx));
  delay(1000);
}
