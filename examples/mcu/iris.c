/* Iris flowers by a network of three dense layers, 4-16-8-3. Weights and flowers lie in flash, the rest in one array. */
#include <tessera/tessera.h>
#include "data/flowers.h"
#include "data/iris.h"
#include "report.h"

static _Alignas(8) uint8_t memory[1024];

/* x (4) to the likeliest class. What it allocates, it gives back. */
static tsr_status classify(tsr_ctx *ctx, const tsr_tensor *x, int *class_out) {
  const tsr_activation relu = {.kind = TSR_RELU};
  tsr_tensor a = {0}, b = {0}, best = {0};
  int32_t found = 0;
  tsr_status st;
  TSR_TRY(st, tsr_dense(ctx, x, &iris_first_weight, &iris_first_bias, &relu, &a), done);    /* (16) */
  TSR_TRY(st, tsr_dense(ctx, &a, &iris_second_weight, &iris_second_bias, &relu, &b), done); /* (8) */
  tsr_release(&a);
  TSR_TRY(st, tsr_dense(ctx, &b, &iris_third_weight, &iris_third_bias, NULL, &a), done); /* (3) */
  TSR_TRY(st, tsr_from_memory(ctx, &found, TSR_I32, 0, NULL, &best), done);
  TSR_TRY(st, tsr_argmax(ctx, &a, TSR_ALL_AXES, false, &best), done);
  *class_out = (int)found;
done:
  tsr_release(&a);
  tsr_release(&b);
  return st;
}

int main(void) {
  tsr_arena arena;
  tsr_ctx ctx = {0};
  tsr_tensor x = {0};
  int right = 0, found = 0;
  tsr_status st;
  TSR_TRY(st, tsr_arena_init(memory, sizeof memory, &arena), done);
  TSR_TRY(st, tsr_context_init(&ctx, &arena.allocator), done);
  report_paint();
  for (int i = 0; i < flowers_x.shape[0]; i++) {
    const size_t mark = tsr_arena_mark(&arena);
    TSR_TRY(st, tsr_select(&ctx, &flowers_x, 0, i, &x), done);
    if (i == 0) port_mark();
    TSR_TRY(st, classify(&ctx, &x, &found), done);
    if (i == 0) port_mark();
    TSR_TRY(st, tsr_arena_rewind(&arena, mark), done);
    right += found == TSR_AT(uint8_t, &flowers_y, i);
  }
  report("iris", right, (int)flowers_x.shape[0], arena.peak, report_stack());
done:
  if (st != TSR_OK) port_say(tsr_error(&ctx));
  return st;
}
