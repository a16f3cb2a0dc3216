/* A tour of Tessera in a minute: real data, views, dtypes, layouts, ownership, a memory plan, a failure and its message,
 * files. `make run` builds and runs it. */
#include <stdio.h>
#include <tessera/tessera.h>

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif

static void title(int number, const char *text) { printf("\n%d. %s\n", number, text); }

static void say(const char *what, const tsr_tensor *t) {
  char text[96];
  tsr_desc_format(t, text, sizeof text);
  printf("   %-34s %s\n", what, text);
}

/* ---- 1. A file becomes a tensor ---- */

static tsr_status load(tsr_ctx *ctx, tsr_tensor *x, tsr_tensor *y) {
  tsr_tensor head = {0};
  tsr_status st;
  title(1, "Load: 150 iris flowers, measured in 1936, from two .npy files");
  TSR_TRY(st, tsr_npy_load(ctx, TSR_SOURCE_DIR "/examples/data/iris_x.npy", x), done); /* (150, 4) */
  TSR_TRY(st, tsr_npy_load(ctx, TSR_SOURCE_DIR "/examples/data/iris_y.npy", y), done); /* (150) */
  say("measurements in cm", x);
  say("species 0, 1, 2", y);
  TSR_TRY(st, tsr_slice(ctx, x, 0, 0, 3, 1, &head), done);
  TSR_TRY(st, tsr_print(ctx, &head, &(tsr_print_options){.name = "x[:3]"}, stdout), done);
done:
  return st;
}

/* ---- 2. Views: other tensors over the same bytes ---- */

static tsr_status views(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor column = {0}, backwards = {0}, transposed = {0}, windows = {0}, wide = {0};
  tsr_status st;
  title(2, "Views: nothing is copied, nothing is allocated");
  TSR_TRY(st, tsr_select(ctx, x, 1, 2, &column), done);
  say("x[:, 2], the petal lengths", &column);
  TSR_TRY(st, tsr_slice(ctx, x, 0, TSR_OMIT, TSR_OMIT, -10, &backwards), done);
  say("x[::-10], backwards in tens", &backwards);
  TSR_TRY(st, tsr_transpose(ctx, x, 0, 1, &transposed), done);
  say("x.T", &transposed);
  TSR_TRY(st, tsr_sliding_window(ctx, &column, 0, 5, 1, &windows), done);
  say("windows of 5 petals", &windows);
  TSR_TRY(st, tsr_broadcast_to(ctx, &column, TSR_SHAPE(1000000000, 150), &wide), done);
  say("repeated a billion times", &wide);
  printf("   bytes behind all of these: %zu\n", tsr_storage_bytes(x->storage));
done:
  return st;
}

/* ---- 3. A real question ---- */

static void add_row(const float *row, tsr_tensor *sums, int species) { /* sums: (3, 4) */
  for (int j = 0; j < 4; j++) TSR_AT(float, sums, species, j) += row[j];
}

static int nearest(const float *row, const tsr_tensor *means) {
  int best = 0;
  float best_distance = 0;
  for (int k = 0; k < 3; k++) {
    float distance = 0;
    for (int j = 0; j < 4; j++) {
      const float d = row[j] - TSR_AT(float, means, k, j);
      distance += d * d;
    }
    if (k == 0 || distance < best_distance) {
      best = k;
      best_distance = distance;
    }
  }
  return best;
}

static tsr_status classify(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *y) {
  tsr_tensor means = {0};
  tsr_status st;
  int right = 0;
  title(3, "A question: which species is nearest to its mean flower? (rows at bare-array speed: TSR_ROW, TSR_AT)");
  TSR_TRY(st, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 4), &means), done);
  for (tsr_index i = 0; i < x->shape[0]; i++) add_row(TSR_ROW(float, x, i), &means, TSR_AT(uint8_t, y, i));
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 4; j++) TSR_AT(float, &means, k, j) /= 50;
  TSR_TRY(st, tsr_print(ctx, &means, &(tsr_print_options){.name = "mean flower", .precision = 2}, stdout), done);
  for (tsr_index i = 0; i < x->shape[0]; i++) right += nearest(TSR_ROW(float, x, i), &means) == TSR_AT(uint8_t, y, i);
  printf("   right for %d of %d flowers\n", right, (int)x->shape[0]);
done:
  tsr_release(&means);
  return st;
}

/* ---- 4. Every dtype, rounded once ---- */

static tsr_status dtypes(tsr_ctx *ctx, const tsr_tensor *x) {
  static const int narrow[] = {TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_U8};
  tsr_status st = TSR_OK;
  tsr_tensor row = {0};
  title(4, "Dtypes: the last flower in each");
  TSR_TRY(st, tsr_slice(ctx, x, 0, -1, TSR_OMIT, 1, &row), done);
  for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++) {
    char text[80];
    tsr_tensor converted = {0};
    TSR_TRY(st, tsr_cast(ctx, &row, narrow[i], &converted), done);
    st = tsr_print_text(ctx, &converted, NULL, text, sizeof text, NULL);
    printf("   %-8s %zu bytes  %s\n", tsr_dtype_name(narrow[i]), tsr_nbytes(&converted), text);
    tsr_release(&converted);
    if (st != TSR_OK) break;
  }
done:
  return st;
}

/* ---- 5. Layouts ---- */

static tsr_status layouts(tsr_ctx *ctx) {
  tsr_tensor image = {0}, nhwc = {0}, blocked = {0}, back = {0};
  bool same = false;
  tsr_status st;
  title(5, "Layouts: what the axes mean, and real memory in that order");
  TSR_TRY(st, tsr_arange(ctx, TSR_F32, 0, 1 * 6 * 4 * 4, 1, &image), done);
  TSR_TRY(st, tsr_reshape_view(ctx, &image, TSR_SHAPE(1, 6, 4, 4), &image), done);
  TSR_TRY(st, tsr_set_layout(ctx, &image, TSR_NCHW, &image), done);
  say("an image of 6 channels", &image);
  TSR_TRY(st, tsr_to_layout(ctx, &image, TSR_NHWC, 0, &nhwc), done);
  say("channels last", &nhwc);
  TSR_TRY(st, tsr_to_layout(ctx, &image, TSR_NC4HW, 0, &blocked), done);
  say("in blocks of 4 channels", &blocked);
  TSR_TRY(st, tsr_to_layout(ctx, &blocked, TSR_NCHW, 6, &back), done);
  TSR_TRY(st, tsr_equal(ctx, &image, &back, &same), done);
  printf("   back again, equal: %s\n", same ? "yes" : "no");
done:
  tsr_release(&image);
  tsr_release(&nhwc);
  tsr_release(&blocked);
  tsr_release(&back);
  return st;
}

/* ---- 6. Who owns the bytes ---- */

static tsr_status ownership(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor view = {0}, kept = {0};
  tsr_status st;
  title(6, "Ownership: a view borrows, a share counts");
  printf("   handles on the data: %d\n", tsr_refcount(x));
  TSR_TRY(st, tsr_slice(ctx, x, 0, 100, 150, 1, &view), done);
  printf("   with a view of the last species: %d\n", tsr_refcount(x));
  TSR_TRY(st, tsr_share(ctx, &view, &kept), done);
  printf("   with a share of that view: %d; it may outlive x\n", tsr_refcount(x));
done:
  tsr_release(&kept);
  return st;
}

/* ---- 7. A memory plan ---- */

static void draw(const char *name, const tsr_plan_item *item, size_t block) {
  enum { WIDTH = 48 };
  const size_t from = item->offset * WIDTH / block, to = (item->offset + item->bytes) * WIDTH / block;
  printf("   %-12s steps %d-%d  |", name, (int)item->first, (int)item->last);
  for (size_t i = 0; i < WIDTH; i++) putchar(i >= from && i < (to > from ? to : from + 1) ? '#' : '.');
  printf("|\n");
}

static tsr_status plan(tsr_ctx *ctx) {
  static const char *const names[] = {"image", "conv1", "relu1", "pool1", "conv2", "pool2", "dense"};
  /* bytes, first step, last step, in place of (1 + index) */
  tsr_plan_item items[] = {{1 * 64 * 64 * 4, 0, 1, 0, 0},
                           {16 * 64 * 64 * 4, 1, 2, 0, 0},
                           {16 * 64 * 64 * 4, 2, 3, 2, 0},
                           {16 * 32 * 32 * 4, 3, 4, 0, 0},
                           {32 * 32 * 32 * 4, 4, 5, 0, 0},
                           {32 * 16 * 16 * 4, 5, 6, 0, 0},
                           {10 * 4, 6, 7, 0, 0}};
  enum { COUNT = sizeof items / sizeof items[0] };
  tsr_plan_report report;
  tsr_status st;
  title(7, "A memory plan: tensors that are never alive together share bytes");
  TSR_TRY(st, tsr_plan(ctx, COUNT, items, 64, &report), done);
  for (int i = 0; i < COUNT; i++) draw(names[i], &items[i], report.planned);
  printf("   %zu KB instead of %zu KB; no plan can need less than %zu KB\n", report.planned / 1024,
         report.unshared / 1024, report.lower_bound / 1024);
done:
  return st;
}

/* ---- 8. Failure is a status and a sentence ---- */

static void failures(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor out = {0};
  tsr_status st;
  title(8, "Mistakes: a status, a message, nothing changed, nobody aborts");
  st = tsr_reshape_view(ctx, x, TSR_SHAPE(7, -1), &out);
  printf("   %-14s %s\n", tsr_status_name(st), tsr_error(ctx));
  st = tsr_select(ctx, x, 1, 4, &out);
  printf("   %-14s %s\n", tsr_status_name(st), tsr_error(ctx));
  st = tsr_full(ctx, TSR_U8, TSR_SHAPE(2, 2), 300, &out);
  printf("   %-14s %s\n", tsr_status_name(st), tsr_error(ctx));
  st = tsr_npy_load(ctx, TSR_SOURCE_DIR "/examples/tour.c", &out);
  printf("   %-14s %s\n", tsr_status_name(st), tsr_error(ctx));
}

/* ---- 9. And back to files ---- */

static tsr_status save(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor transposed = {0}, again = {0};
  bool same = false;
  tsr_status st;
  title(9, "Save: the transposed view, as NumPy would write it, and read again");
  TSR_TRY(st, tsr_transpose(ctx, x, 0, 1, &transposed), done);
  TSR_TRY(st, tsr_npy_save(ctx, "tour_x_transposed.npy", &transposed), done);
  TSR_TRY(st, tsr_npy_load(ctx, "tour_x_transposed.npy", &again), done);
  TSR_TRY(st, tsr_equal(ctx, &transposed, &again, &same), done);
  say("tour_x_transposed.npy", &again);
  printf("   equal: %s\n", same ? "yes" : "no");
done:
  tsr_release(&again);
  return st;
}

/* Adds a second handle of t to the bundle, which takes it over. */
static tsr_status add_shared(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, const tsr_tensor *t) {
  tsr_tensor handle = {0};
  tsr_status st;
  TSR_TRY(st, tsr_share(ctx, t, &handle), done);
  TSR_TRY(st, tsr_bundle_add(ctx, bundle, name, &handle), done);
done:
  tsr_release(&handle);
  return st;
}

/* Several named tensors in one file. Loading maps it: no byte is copied, pages are read when somebody looks at them. */
static tsr_status save_bundle(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *y) {
  static const char path[] = "tour_iris.safetensors";
  tsr_bundle made = {0}, loaded = {0};
  const tsr_tensor *mapped = NULL;
  bool same = false;
  tsr_status st;
  title(10, "Save everything under its name, and map it back: safetensors, as Python reads it");
  TSR_TRY(st, tsr_bundle_init(ctx, &made), done);
  TSR_TRY(st, tsr_bundle_init(ctx, &loaded), done);
  TSR_TRY(st, add_shared(ctx, &made, "measurements", x), done);
  TSR_TRY(st, add_shared(ctx, &made, "species", y), done);
  TSR_TRY(st, tsr_bundle_save(ctx, path, TSR_FORMAT_AUTO, &made, NULL), done);
  TSR_TRY(st, tsr_bundle_load(ctx, path, &loaded, NULL), done);
  TSR_TRY(st, tsr_bundle_get(ctx, &loaded, "measurements", &mapped), done);
  TSR_TRY(st, tsr_equal(ctx, x, mapped, &same), done);
  say("tour_iris.safetensors", mapped);
  printf("   equal: %s, in place in the file: %s\n", same ? "yes" : "no",
         (mapped->flags & TSR_READONLY) != 0 ? "yes" : "no");
done:
  tsr_bundle_release(&made);
  tsr_bundle_release(&loaded);
  return st;
}

int main(void) {
  tsr_ctx ctx;
  tsr_tensor x = {0}, y = {0};
  tsr_status st;
  printf("%s\n", tsr_build_info());
  TSR_TRY(st, tsr_context_init(&ctx, NULL), done);
  TSR_TRY(st, load(&ctx, &x, &y), done);
  TSR_TRY(st, views(&ctx, &x), done);
  TSR_TRY(st, classify(&ctx, &x, &y), done);
  TSR_TRY(st, dtypes(&ctx, &x), done);
  TSR_TRY(st, layouts(&ctx), done);
  TSR_TRY(st, ownership(&ctx, &x), done);
  TSR_TRY(st, plan(&ctx), done);
  failures(&ctx, &x);
  TSR_TRY(st, save(&ctx, &x), done);
  TSR_TRY(st, save_bundle(&ctx, &x, &y), done);
  printf("\nEverything above is examples/tour.c. Next: the README, then the headers in include/tessera.\n");
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(&ctx));
  tsr_release(&x);
  tsr_release(&y);
  return st == TSR_OK ? 0 : 1;
}
