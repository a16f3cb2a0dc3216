/* The digits network in 8 bits: layers, weights and images in flash, channels last. A pixel is a quantised number as it is.
 * examples/quantize_digits.c wrote the layers.
 *
 *   (1, 8, 8, 1) -> conv 3 x 3, 8 filters, ReLU -> conv 3 x 3, 16 filters, ReLU -> max-pool 2 x 2 -> dense 10 */
#include <tessera/quant.h>
#include <tessera/tessera.h>
#include "data/digits_int8.h"
#include "data/digits_test.h"
#include "report.h"

static _Alignas(8) int8_t a[8 * 8 * 16], b[8 * 8 * 8]; /* pooled and scores lie where their forerunners were */
static _Alignas(8) uint8_t scratch[1024];

static tsr_status channels_last(tsr_ctx *ctx, void *data, tsr_index side, tsr_index channels, tsr_tensor *t) {
  tsr_status st;
  TSR_TRY(st, tsr_from_memory(ctx, data, TSR_I8, TSR_SHAPE(1, side, side, channels), t), done);
  TSR_TRY(st, tsr_set_layout(ctx, t, TSR_NHWC, t), done);
done:
  return st;
}

static tsr_status classify(tsr_ctx *ctx, const tsr_tensor *pixels, int *class_out) { /* (8, 8), u8 */
  tsr_tensor image = {0}, conv1 = {0}, conv2 = {0}, pooled = {0}, features = {0}, scores = {0}, best = {0};
  int32_t found = 0;
  tsr_status st;
  TSR_TRY(st, tsr_reshape_view(ctx, pixels, TSR_SHAPE(1, 8, 8, 1), &image), done);
  TSR_TRY(st, tsr_set_layout(ctx, &image, TSR_NHWC, &image), done);
  TSR_TRY(st, channels_last(ctx, b, 8, 8, &conv1), done);
  TSR_TRY(st, channels_last(ctx, a, 8, 16, &conv2), done);
  TSR_TRY(st, channels_last(ctx, b, 4, 16, &pooled), done);
  TSR_TRY(st, tsr_from_memory(ctx, a, TSR_I8, TSR_SHAPE(1, 10), &scores), done);
  TSR_TRY(st, tsr_from_memory(ctx, &found, TSR_I32, 0, NULL, &best), done);
  TSR_TRY(st, tsr_qconv2d(ctx, &image, &digits_int8_conv1, &conv1), done);
  TSR_TRY(st, tsr_qconv2d(ctx, &conv1, &digits_int8_conv2, &conv2), done);
  TSR_TRY(st, tsr_qmax_pool(ctx, &conv2, TSR_SHAPE(2, 2), NULL, &pooled), done);
  TSR_TRY(st, tsr_reshape_view(ctx, &pooled, TSR_SHAPE(1, 256), &features), done);
  TSR_TRY(st, tsr_qdense(ctx, &features, &digits_int8_dense, &scores), done);
  TSR_TRY(st, tsr_argmax(ctx, &scores, TSR_ALL_AXES, false, &best), done);
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
  report_paint();
  for (int i = 0; i < digits_x.shape[0]; i++) {
    TSR_TRY(st, tsr_select(&ctx, &digits_x, 0, i, &pixels), done);
    if (i == 0) port_mark();
    TSR_TRY(st, classify(&ctx, &pixels, &found), done);
    if (i == 0) port_mark();
    right += found == TSR_AT(uint8_t, &digits_y, i);
  }
  report("digits, int8", right, (int)digits_x.shape[0], sizeof a + sizeof b + sizeof scratch, report_stack());
done:
  if (st != TSR_OK) port_say(tsr_error(&ctx));
  return st;
}
