/* Reads handwritten digits: a small convolutional network on 8 x 8 images, with all its memory planned.
 *
 *   (1, 1, 8, 8) -> conv 3 x 3, 8 filters, ReLU -> conv 3 x 3, 16 filters, ReLU -> max-pool 2 x 2 -> dense 10
 *
 * examples/train_digits.py made the weights from four fifths of the images; the others are read here. */
#include <stdio.h>
#include <time.h>
#include <tessera/tessera.h>

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif
#define DATA TSR_SOURCE_DIR "/examples/data/digits_"

enum { CLASSES = 10, SIDE = 8, FIFTH = 4, SHOWN = 6, SCRATCH_BYTES = 64 << 10 };

/* ---- the network ---- */

/* What flows through it, in the order of the steps: step i writes tensor i and reads tensor i - 1. */
enum { IMAGE, CONV1, CONV2, POOLED, SCORES, TENSORS };
static const struct {
  const char *name;
  int ndim;
  tsr_index shape[4];
} flow[TENSORS] = {
    [IMAGE] = {"image", 4, {1, 1, 8, 8}},  [CONV1] = {"conv1", 4, {1, 8, 8, 8}},
    [CONV2] = {"conv2", 4, {1, 16, 8, 8}}, [POOLED] = {"pooled", 4, {1, 16, 4, 4}},
    [SCORES] = {"scores", 2, {1, 10}},
};

typedef struct network {
  tsr_conv_packed conv1, conv2;
  tsr_packed dense; /* (256, 10) */
  tsr_tensor dense_bias;
  tsr_bundle memory;                /* the tensors of flow, in one block */
  tsr_tensor at[TENSORS], features; /* views of them; features is pooled as (1, 256) */
  tsr_plan_report plan;
} network;

static tsr_status load_conv(tsr_ctx *ctx, const char *w_path, const char *b_path, int input, tsr_conv_packed *packed) {
  const tsr_conv_options options = {.pad_before = {1, 1}, .pad_after = {1, 1}, .activation = {.kind = TSR_RELU}};
  tsr_tensor w = {0}, b = {0}, like = {0};
  tsr_status st;
  TSR_TRY(st, tsr_npy_load(ctx, w_path, &w), done);
  TSR_TRY(st, tsr_npy_load(ctx, b_path, &b), done);
  TSR_TRY(st, tsr_desc_init(ctx, TSR_F32, flow[input].ndim, flow[input].shape, &like), done);
  TSR_TRY(st, tsr_conv_pack(ctx, &w, &b, &options, &like, packed), done);
done:
  tsr_release(&w);
  tsr_release(&b);
  return st;
}

static tsr_status load_dense(tsr_ctx *ctx, network *net) {
  tsr_tensor w = {0}, transposed = {0}; /* (10, 256), (256, 10) */
  tsr_status st;
  TSR_TRY(st, tsr_npy_load(ctx, DATA "dense_w.npy", &w), done);
  TSR_TRY(st, tsr_npy_load(ctx, DATA "dense_b.npy", &net->dense_bias), done);
  TSR_TRY(st, tsr_transpose(ctx, &w, 0, 1, &transposed), done);
  TSR_TRY(st, tsr_pack(ctx, &transposed, TSR_F32, &net->dense), done);
done:
  tsr_release(&w);
  return st;
}

/* One block for everything that flows: what is never needed at the same time shares bytes. */
static tsr_status plan_memory(tsr_ctx *ctx, network *net) {
  tsr_plan_item items[TENSORS];
  tsr_status st = TSR_OK;
  for (int i = 0; i < TENSORS; i++) {
    tsr_tensor t = {0};
    TSR_TRY(st, tsr_desc_init(ctx, TSR_F32, flow[i].ndim, flow[i].shape, &t), done);
    items[i] = (tsr_plan_item){.bytes = tsr_nbytes(&t), .first = i, .last = i + 1};
    TSR_TRY(st, tsr_bundle_add(ctx, &net->memory, flow[i].name, &t), done);
  }
  TSR_TRY(st, tsr_plan(ctx, TENSORS, items, 0, &net->plan), done);
  TSR_TRY(st, tsr_bundle_bind(ctx, &net->memory, TENSORS, items, net->plan.planned, NULL), done);
  for (int i = 0; i < TENSORS; i++)
    TSR_TRY(st, tsr_view(ctx, tsr_bundle_find(&net->memory, flow[i].name), &net->at[i]), done);
  TSR_TRY(st, tsr_reshape_view(ctx, &net->at[POOLED], TSR_SHAPE(1, -1), &net->features), done);
done:
  return st;
}

static tsr_status network_load(tsr_ctx *ctx, network *net) {
  tsr_status st;
  TSR_TRY(st, tsr_bundle_init(ctx, &net->memory), done);
  TSR_TRY(st, load_conv(ctx, DATA "conv1_w.npy", DATA "conv1_b.npy", IMAGE, &net->conv1), done);
  TSR_TRY(st, load_conv(ctx, DATA "conv2_w.npy", DATA "conv2_b.npy", CONV1, &net->conv2), done);
  TSR_TRY(st, load_dense(ctx, net), done);
  TSR_TRY(st, plan_memory(ctx, net), done);
done:
  return st;
}

static void network_release(network *net) {
  tsr_conv_packed_release(&net->conv1);
  tsr_conv_packed_release(&net->conv2);
  tsr_packed_release(&net->dense);
  tsr_release(&net->dense_bias);
  tsr_bundle_release(&net->memory);
}

/* Every output is given: nothing is allocated. */
static tsr_status classify(tsr_ctx *ctx, network *net, const tsr_tensor *pixels, int *class_out) { /* (8, 8) */
  const tsr_gemm_options with_bias = {.bias = &net->dense_bias};
  tsr_tensor image = {0}, best = {0};
  int64_t found = 0;
  tsr_status st;
  TSR_TRY(st, tsr_reshape_view(ctx, &net->at[IMAGE], TSR_SHAPE(SIDE, SIDE), &image), done);
  TSR_TRY(st, tsr_copy(ctx, pixels, &image), done); /* u8 to f32 */
  TSR_TRY(st, tsr_mul_scalar(ctx, &image, 1.0 / 16, &image), done);
  TSR_TRY(st, tsr_conv2d_packed(ctx, &net->at[IMAGE], &net->conv1, &net->at[CONV1]), done);
  TSR_TRY(st, tsr_conv2d_packed(ctx, &net->at[CONV1], &net->conv2, &net->at[CONV2]), done);
  TSR_TRY(st, tsr_max_pool(ctx, &net->at[CONV2], TSR_SHAPE(2, 2), NULL, &net->at[POOLED]), done);
  TSR_TRY(st, tsr_matmul_packed(ctx, &net->features, &net->dense, &with_bias, &net->at[SCORES]), done);
  TSR_TRY(st, tsr_softmax(ctx, &net->at[SCORES], -1, &net->at[SCORES]), done); /* in place */
  TSR_TRY(st, tsr_from_memory(ctx, &found, TSR_I64, 0, NULL, &best), done);
  TSR_TRY(st, tsr_argmax(ctx, &net->at[SCORES], TSR_ALL_AXES, false, &best), done);
  *class_out = (int)found;
done:
  return st;
}

/* ---- the digits ---- */

typedef struct digits {
  tsr_tensor x, y; /* (1797, 8, 8), (1797), u8 */
} digits;

typedef struct outcome {
  int images, right;
  tsr_tensor is, as; /* what each image is (a view of the digits), what it was read as; (359), u8 */
  double seconds;
  int shown[SHOWN], read[SHOWN], shown_count; /* the first wrong ones, else the first */
} outcome;

static double now(void) {
  struct timespec t;
#ifdef TIME_UTC
  timespec_get(&t, TIME_UTC);
#else
  clock_gettime(CLOCK_REALTIME, &t); /* C libraries of Windows have POSIX's function alone */
#endif
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of what is drawn, half may be right. */
static void remember(outcome *o, int index, int read, bool right) {
  if (o->shown_count == SHOWN || (right && o->shown_count >= SHOWN / 2)) return;
  o->shown[o->shown_count] = index;
  o->read[o->shown_count++] = read;
}

/* Room for what will be read. */
static tsr_status outcome_init(tsr_ctx *ctx, const digits *d, outcome *o) {
  tsr_status st;
  TSR_TRY(st, tsr_slice(ctx, &d->y, 0, FIFTH, TSR_OMIT, 5, &o->is), done);
  TSR_TRY(st, tsr_empty_like(ctx, &o->is, &o->as), done);
done:
  return st;
}

static tsr_status read_all(tsr_ctx *ctx, network *net, const digits *d, outcome *o) {
  tsr_status st = TSR_OK;
  for (int i = FIFTH; i < d->x.shape[0]; i += 5) {
    const int is = TSR_AT(uint8_t, &d->y, i);
    tsr_tensor pixels = {0};
    int read = 0;
    TSR_TRY(st, tsr_select(ctx, &d->x, 0, i, &pixels), done);
    const double start = now();
    TSR_TRY(st, classify(ctx, net, &pixels, &read), done);
    o->seconds += now() - start;
    TSR_AT(uint8_t, &o->as, o->images) = (uint8_t)read;
    o->images++;
    o->right += is == read;
    remember(o, i, read, is == read);
  }
done:
  return st;
}

/* ---- telling ---- */

static void draw(const digits *d, const outcome *o) {
  static const char *const shades[] = {"  ", "..", "::", "++", "##"};
  printf("\n");
  for (int k = 0; k < o->shown_count; k++)
    printf("  %d read as %d%*s", TSR_AT(uint8_t, &d->y, o->shown[k]), o->read[k], 7, "");
  printf("\n");
  for (int row = 0; row < SIDE; row++) {
    for (int k = 0; k < o->shown_count; k++) {
      printf("  ");
      for (int col = 0; col < SIDE; col++)
        printf("%s", shades[(TSR_AT(uint8_t, &d->x, o->shown[k], row, col) + 3) / 4]);
    }
    printf("\n");
  }
}

static void tell(const network *net, const digits *d, const outcome *o, const tsr_tensor *confusion,
                 size_t allocations) {
  printf("Handwritten digits that the network has not seen: %d of %d read right, %.1f %%.\n\n", o->right, o->images,
         100.0 * o->right / o->images);
  printf("  is \\ read");
  for (int j = 0; j < CLASSES; j++) printf("%4d", j);
  printf("\n");
  for (int i = 0; i < CLASSES; i++) {
    printf("  %9d", i);
    for (int j = 0; j < CLASSES; j++) {
      const int times = (int)TSR_AT(tsr_index, confusion, i, j);
      if (times > 0)
        printf("%4d", times);
      else
        printf("   .");
    }
    printf("\n");
  }
  draw(d, o);
  printf(
      "\n%.1f microseconds an image. Memory that flows through: %zu bytes planned, %zu unshared. "
      "Allocations while it ran: %zu.\n",
      1e6 * o->seconds / o->images, net->plan.planned, net->plan.unshared, allocations);
}

int main(void) {
  static _Alignas(64) unsigned char scratch[SCRATCH_BYTES];
  static outcome o;
  network net = {0};
  digits d = {0};
  tsr_tensor confusion = {0}; /* (10, 10): what it is, what was read */
  tsr_counting counting;
  tsr_ctx ctx;
  tsr_status st;
  TSR_TRY(st, tsr_counting_init(NULL, 0, 0, &counting), failed);
  TSR_TRY(st, tsr_context_init(&ctx, &counting.allocator), failed);
  ctx.parallel = tsr_parallel_serial(); /* an image is too small to share, and each thread would want scratch memory */
  TSR_TRY(st, tsr_npy_load(&ctx, DATA "x.npy", &d.x), done);
  TSR_TRY(st, tsr_npy_load(&ctx, DATA "y.npy", &d.y), done);
  TSR_TRY(st, network_load(&ctx, &net), done);
  TSR_TRY(st, outcome_init(&ctx, &d, &o), done);
  TSR_TRY(st, tsr_context_set_scratch(&ctx, scratch, sizeof scratch), done);
  const size_t before = counting.stats.calls;
  TSR_TRY(st, read_all(&ctx, &net, &d, &o), done);
  const size_t allocations = counting.stats.calls - before;
  TSR_TRY(st, tsr_confusion_matrix(&ctx, &o.is, &o.as, CLASSES, &confusion), done);
  tell(&net, &d, &o, &confusion, allocations);
done:
  if (st != TSR_OK) fprintf(stderr, "digits: %s\n", tsr_error(&ctx));
  network_release(&net);
  tsr_release(&confusion);
  tsr_release(&o.as);
  tsr_release(&d.x);
  tsr_release(&d.y);
failed:
  return st == TSR_OK ? 0 : 1;
}
