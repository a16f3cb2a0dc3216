/* Iris flowers by self-attention: (1, 4) becomes four tokens of eight numbers, (1, T, E), which attend to each other; their
 * mean decides. Weights and flowers lie in flash. */
#include <tessera/tessera.h>
#include "data/attention.h"
#include "data/flowers.h"
#include "report.h"

enum { TOKENS = 4, WIDTH = 8 };
static _Alignas(8) uint8_t memory[1024];
static _Alignas(
    8) uint8_t scratch[256]; /* its own: an op takes scratch before its output, and an arena frees the newest */

/* t (1, T, E) to its mean token (1, E). */
static tsr_status attend(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *mean) {
  tsr_tensor q = {0}, k = {0}, v = {0}, seen = {0};
  tsr_status st;
  TSR_TRY(st, tsr_dense(ctx, t, &attention_q_weight, &attention_q_bias, NULL, &q), done);
  TSR_TRY(st, tsr_dense(ctx, t, &attention_k_weight, &attention_k_bias, NULL, &k), done);
  TSR_TRY(st, tsr_dense(ctx, t, &attention_v_weight, &attention_v_bias, NULL, &v), done);
  TSR_TRY(st, tsr_attention(ctx, &q, &k, &v, NULL, NULL, &seen), done);
  TSR_TRY(st, tsr_set_layout(ctx, &seen, TSR_NLC, &seen), done);
  TSR_TRY(st, tsr_global_avg_pool(ctx, &seen, false, mean), done);
done:
  tsr_release(&seen);
  tsr_release(&v);
  tsr_release(&k);
  tsr_release(&q);
  return st;
}

static tsr_status classify(tsr_ctx *ctx, const tsr_tensor *x, int *class_out) {
  const tsr_activation relu = {.kind = TSR_RELU};
  tsr_tensor flat = {0}, tokens = {0}, mean = {0}, scores = {0}, best = {0};
  float mean_data[WIDTH], scores_data[3];
  int32_t found = 0;
  tsr_status st;
  TSR_TRY(st, tsr_from_memory(ctx, mean_data, TSR_F32, TSR_SHAPE(1, WIDTH), &mean), done);
  TSR_TRY(st, tsr_from_memory(ctx, scores_data, TSR_F32, TSR_SHAPE(1, 3), &scores), done);
  TSR_TRY(st, tsr_from_memory(ctx, &found, TSR_I32, 0, NULL, &best), done);
  TSR_TRY(st, tsr_dense(ctx, x, &attention_first_weight, &attention_first_bias, &relu, &flat), done); /* (1, 32) */
  TSR_TRY(st, tsr_reshape_view(ctx, &flat, TSR_SHAPE(1, TOKENS, WIDTH), &tokens), done);
  TSR_TRY(st, attend(ctx, &tokens, &mean), done);
  TSR_TRY(st, tsr_dense(ctx, &mean, &attention_third_weight, &attention_third_bias, NULL, &scores), done);
  TSR_TRY(st, tsr_softmax(ctx, &scores, -1, &scores), done); /* in place */
  TSR_TRY(st, tsr_argmax(ctx, &scores, TSR_ALL_AXES, false, &best), done);
  *class_out = (int)found;
done:
  tsr_release(&flat);
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
  TSR_TRY(st, tsr_context_set_scratch(&ctx, scratch, sizeof scratch), done);
  report_paint();
  for (int i = 0; i < flowers_x.shape[0]; i++) {
    TSR_TRY(st, tsr_narrow(&ctx, &flowers_x, 0, i, 1, &x), done); /* (1, 4) */
    if (i == 0) port_mark();
    TSR_TRY(st, classify(&ctx, &x, &found), done);
    if (i == 0) port_mark();
    right += found == TSR_AT(uint8_t, &flowers_y, i);
  }
  report("attention", right, (int)flowers_x.shape[0], arena.peak + sizeof scratch, report_stack());
done:
  if (st != TSR_OK) port_say(tsr_error(&ctx));
  return st;
}
