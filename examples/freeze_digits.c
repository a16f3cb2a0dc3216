/* The digits network in 8 bits as a frozen program: its calls are recorded, and what a microcontroller runs is written as
 * constants. The layers are those that quantize_digits wrote.
 *
 *   freeze_digits >examples/mcu/data/digits_frozen.h */
#include <stdio.h>
#include <tessera/quant.h>
#include <tessera/tessera.h>
#include "mcu/data/digits_int8.h"

static tsr_status channels_last(tsr_ctx *ctx, int dtype, tsr_index side, tsr_index channels, tsr_tensor *t) {
  tsr_status st;
  TSR_TRY(st, tsr_desc_init(ctx, dtype, TSR_SHAPE(1, side, side, channels), t), done);
  TSR_TRY(st, tsr_set_layout(ctx, t, TSR_NHWC, t), done);
done:
  return st;
}

static tsr_status network(tsr_ctx *ctx, const tsr_tensor *image, tsr_tensor *scores) {
  tsr_tensor conv1 = {0}, conv2 = {0}, pooled = {0}, features = {0};
  tsr_status st;
  TSR_TRY(st, tsr_qconv2d(ctx, image, &digits_int8_conv1, &conv1), done);
  TSR_TRY(st, tsr_qconv2d(ctx, &conv1, &digits_int8_conv2, &conv2), done);
  TSR_TRY(st, tsr_qmax_pool(ctx, &conv2, TSR_SHAPE(2, 2), NULL, &pooled), done);
  TSR_TRY(st, tsr_reshape_view(ctx, &pooled, TSR_SHAPE(1, 256), &features), done);
  TSR_TRY(st, tsr_qdense(ctx, &features, &digits_int8_dense, scores), done);
done:
  tsr_release(&conv1);
  tsr_release(&conv2);
  tsr_release(&pooled);
  return st;
}

static tsr_status record(tsr_ctx *ctx, tsr_program *program) {
  tsr_tensor like = {0}, image = {0}, scores = {0};
  tsr_status st;
  TSR_TRY(st, channels_last(ctx, TSR_U8, 8, 1, &like), done);
  TSR_TRY(st, tsr_program_begin(ctx, program), done);
  TSR_TRY(st, tsr_program_input(ctx, program, "image", &like, &image), done);
  TSR_TRY(st, network(ctx, &image, &scores), done);
  TSR_TRY(st, tsr_program_output(ctx, program, "scores", &scores), done);
  TSR_TRY(st, tsr_program_end(ctx, program), done);
done:
  tsr_release(&image);
  tsr_release(&scores);
  return st;
}

int main(void) {
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_freeze_report report;
  const tsr_sink sink = tsr_sink_stdio(stdout);
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, NULL), failed);
  TSR_TRY(st, tsr_program_new(&ctx, &program), done);
  TSR_TRY(st, record(&ctx, program), done);
  TSR_TRY(st, tsr_freeze_write(&ctx, program, "digits", &sink, &report), done);
  fprintf(stderr, "%zu calls, %zu bytes of memory (%zu of them scratch), %zu of weights\n", report.calls, report.memory,
          report.scratch, report.weights);
done:
  if (st != TSR_OK) fprintf(stderr, "freeze_digits: %s\n", tsr_error(&ctx));
  tsr_program_free(program);
failed:
  return st;
}
