/* Handwritten digits by a small convolutional network: the one of examples/digits.c, with its weights, the images and the
 * plan of its memory in flash. Nothing is allocated and nothing is planned here: each tensor lies where the table says.
 *
 *   (1, 1, 8, 8) -> conv 3 x 3, 8 filters, ReLU -> conv 3 x 3, 16 filters, ReLU -> max-pool 2 x 2 -> dense 10 */
#include <tessera/tessera.h>
#include "data/digits.h"
#include "data/digits_plan.h"
#include "data/digits_test.h"
#include "report.h"

static _Alignas(8) uint8_t block[DIGITS_PLAN_BYTES];
static _Alignas(8) uint8_t scratch[256];
static tsr_tensor at[DIGITS_PLAN_COUNT], image, features;

static tsr_status place(tsr_ctx *ctx, int which, int ndim, const tsr_index *shape) {
  return tsr_from_memory(ctx, block + digits_plan[which], TSR_F32, ndim, shape, &at[which]);
}

static tsr_status network_init(tsr_ctx *ctx) {
  tsr_status st;
  TSR_TRY(st, place(ctx, DIGITS_PLAN_IMAGE, TSR_SHAPE(1, 1, 8, 8)), done);
  TSR_TRY(st, place(ctx, DIGITS_PLAN_CONV1, TSR_SHAPE(1, 8, 8, 8)), done);
  TSR_TRY(st, place(ctx, DIGITS_PLAN_CONV2, TSR_SHAPE(1, 16, 8, 8)), done);
  TSR_TRY(st, place(ctx, DIGITS_PLAN_POOLED, TSR_SHAPE(1, 16, 4, 4)), done);
  TSR_TRY(st, place(ctx, DIGITS_PLAN_SCORES, TSR_SHAPE(1, 10)), done);
  TSR_TRY(st, tsr_reshape_view(ctx, &at[DIGITS_PLAN_IMAGE], TSR_SHAPE(8, 8), &image), done);
  TSR_TRY(st, tsr_reshape_view(ctx, &at[DIGITS_PLAN_POOLED], TSR_SHAPE(1, 256), &features), done);
done:
  return st;
}

static tsr_status classify(tsr_ctx *ctx, const tsr_tensor *pixels, int *class_out) { /* (8, 8), u8 */
  const tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}, .activation = {.kind = TSR_RELU}};
  tsr_tensor *const scores = &at[DIGITS_PLAN_SCORES];
  tsr_tensor best = {0};
  int32_t found = 0;
  tsr_status st;
  TSR_TRY(st, tsr_copy(ctx, pixels, &image), done); /* u8 to f32 */
  TSR_TRY(st, tsr_mul_scalar(ctx, &image, 1.0f / 16, &image), done);
  TSR_TRY(st,
          tsr_conv2d(ctx, &at[DIGITS_PLAN_IMAGE], &digits_conv1_w, &digits_conv1_b, &options, &at[DIGITS_PLAN_CONV1]),
          done);
  TSR_TRY(st,
          tsr_conv2d(ctx, &at[DIGITS_PLAN_CONV1], &digits_conv2_w, &digits_conv2_b, &options, &at[DIGITS_PLAN_CONV2]),
          done);
  TSR_TRY(st, tsr_max_pool(ctx, &at[DIGITS_PLAN_CONV2], TSR_SHAPE(2, 2), NULL, &at[DIGITS_PLAN_POOLED]), done);
  TSR_TRY(st, tsr_dense(ctx, &features, &digits_dense_w, &digits_dense_b, NULL, scores), done);
  TSR_TRY(st, tsr_softmax(ctx, scores, -1, scores), done);
  TSR_TRY(st, tsr_from_memory(ctx, &found, TSR_I32, 0, NULL, &best), done);
  TSR_TRY(st, tsr_argmax(ctx, scores, TSR_ALL_AXES, false, &best), done);
  *class_out = (int)found;
done:
  return st;
}

int main(void) {
  tsr_ctx ctx = {0};
  tsr_tensor pixels = {0};
  int right = 0, found = 0;
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, NULL), done);
  TSR_TRY(st, tsr_context_set_scratch(&ctx, scratch, sizeof scratch), done);
  TSR_TRY(st, network_init(&ctx), done);
  report_paint();
  for (int i = 0; i < digits_x.shape[0]; i++) {
    TSR_TRY(st, tsr_select(&ctx, &digits_x, 0, i, &pixels), done);
    if (i == 0) port_mark();
    TSR_TRY(st, classify(&ctx, &pixels, &found), done);
    if (i == 0) port_mark();
    right += found == TSR_AT(uint8_t, &digits_y, i);
  }
  report("digits", right, (int)digits_x.shape[0], sizeof block + sizeof scratch, report_stack());
done:
  if (st != TSR_OK) port_say(tsr_error(&ctx));
  return st;
}
