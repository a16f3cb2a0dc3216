/* A program: the calls of a small network recorded once, then replayed for every image, in memory that is planned.
 *
 *   (1, 1, 8, 8) -> conv 3 x 3, 8 filters, ReLU -> conv 3 x 3, 16 filters, ReLU -> max-pool 2 x 2 -> dense 10 -> softmax
 *
 * The weights are those of examples/digits.c. */
#include <stdio.h>
#include <tessera/tessera.h>

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif
#define DATA TSR_SOURCE_DIR "/examples/data/digits_"

enum { FILES = 6, READ = 200 };
static const char *const files[FILES] = {DATA "conv1_w.npy", DATA "conv1_b.npy", DATA "conv2_w.npy",
                                         DATA "conv2_b.npy", DATA "dense_w.npy", DATA "dense_b.npy"};

/* Plain calls: with a context that records, they become a program. */
static tsr_status network(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *image, tsr_tensor *scores) {
  const tsr_conv_options same = {.pad_before = {1, 1}, .pad_after = {1, 1}, .activation = {.kind = TSR_RELU}};
  tsr_tensor a = {0}, b = {0}, pooled = {0}, flat = {0}, logits = {0};
  tsr_status st;
  TSR_TRY(st, tsr_conv2d(ctx, image, &w[0], &w[1], &same, &a), done);       /* (1, 8, 8, 8) */
  TSR_TRY(st, tsr_conv2d(ctx, &a, &w[2], &w[3], &same, &b), done);          /* (1, 16, 8, 8) */
  TSR_TRY(st, tsr_max_pool(ctx, &b, TSR_SHAPE(2, 2), NULL, &pooled), done); /* (1, 16, 4, 4) */
  TSR_TRY(st, tsr_reshape_view(ctx, &pooled, TSR_SHAPE(1, -1), &flat), done);
  TSR_TRY(st, tsr_dense(ctx, &flat, &w[4], &w[5], NULL, &logits), done); /* (1, 10) */
  TSR_TRY(st, tsr_softmax(ctx, &logits, -1, scores), done);
done:
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&pooled);
  tsr_release(&logits);
  return st;
}

static tsr_status record(tsr_ctx *ctx, const tsr_tensor *weights, tsr_program *program) {
  tsr_tensor like = {0}, image = {0}, scores = {0};
  tsr_status st;
  TSR_TRY(st, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(1, 1, 8, 8), &like), done);
  TSR_TRY(st, tsr_program_begin(ctx, program), done);
  TSR_TRY(st, tsr_program_input(ctx, program, "image", &like, &image), done);
  TSR_TRY(st, network(ctx, weights, &image, &scores), done);
  TSR_TRY(st, tsr_program_output(ctx, program, "scores", &scores), done);
  TSR_TRY(st, tsr_program_end(ctx, program), done);
done:
  tsr_release(&image);
  tsr_release(&scores);
  return st;
}

/* How many of the first images are read as what they are, and whether replays have the bits of the calls. */
static tsr_status read_images(tsr_ctx *ctx, tsr_program *program, const tsr_tensor *weights, int *right, bool *same) {
  tsr_tensor images = {0}, labels = {0}, image = {0}, scores = {0}, direct = {0}, best = {0};
  tsr_real label = 0, found = 0;
  bool equal;
  tsr_status st;
  TSR_TRY(st, tsr_npy_load(ctx, DATA "x.npy", &images), done); /* (1797, 8, 8), u8 */
  TSR_TRY(st, tsr_npy_load(ctx, DATA "y.npy", &labels), done);
  TSR_TRY(st, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 1, 8, 8), &image), done);
  TSR_TRY(st, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 10), &scores), done);
  for (int i = 0; i < READ; i++) {
    tsr_tensor pixels = {0}, square = {0};
    TSR_TRY(st, tsr_select(ctx, &images, 0, i, &pixels), done);
    TSR_TRY(st, tsr_reshape_view(ctx, &image, TSR_SHAPE(8, 8), &square), done);
    TSR_TRY(st, tsr_copy(ctx, &pixels, &square), done);
    TSR_TRY(st, tsr_mul_scalar(ctx, &square, 1.0 / 16, &square), done);
    TSR_TRY(st, tsr_program_run(ctx, program, 1, (const tsr_tensor *[]){&image}, 1, (tsr_tensor *[]){&scores}), done);
    TSR_TRY(st, network(ctx, weights, &image, &direct), done);
    TSR_TRY(st, tsr_equal(ctx, &scores, &direct, &equal), done);
    *same = *same && equal;
    tsr_release(&direct);
    TSR_TRY(st, tsr_argmax(ctx, &scores, TSR_ALL_AXES, false, &best), done);
    TSR_TRY(st, tsr_get(ctx, &best, 0, NULL, &found), done);
    TSR_TRY(st, tsr_get(ctx, &labels, TSR_INDEX(i), &label), done);
    *right += found == label;
  }
done:
  tsr_release(&images);
  tsr_release(&labels);
  tsr_release(&image);
  tsr_release(&scores);
  tsr_release(&direct);
  tsr_release(&best);
  return st;
}

int main(void) {
  tsr_tensor weights[FILES] = {{0}};
  tsr_program *program = NULL;
  char text[1024];
  int right = 0;
  bool same = true;
  tsr_ctx ctx;
  tsr_status st = tsr_context_init(&ctx, NULL);
  for (int i = 0; i < FILES && st == TSR_OK; i++) st = tsr_npy_load(&ctx, files[i], &weights[i]);
  if (st == TSR_OK) st = tsr_program_new(&ctx, &program);
  if (st == TSR_OK) st = record(&ctx, weights, program);
  if (st == TSR_OK) {
    const tsr_plan_report plan = tsr_program_memory(program);
    tsr_program_format(program, text, sizeof text);
    printf("%s%d calls in %zu bytes (unshared %zu)\n", text, tsr_program_calls(program), plan.planned, plan.unshared);
    st = read_images(&ctx, program, weights, &right, &same);
  }
  if (st == TSR_OK)
    printf("%d of %d digits right, %s bits as the calls themselves\n", right, READ, same ? "the same" : "other");
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(&ctx));
  for (int i = 0; i < FILES; i++) tsr_release(&weights[i]);
  tsr_program_free(program);
  return st != TSR_OK || !same;
}
