/* Plots: each kind drawn and written, data that is odd, failures on the way, the same picture everywhere. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* mkdtemp */
#endif
#include <math.h>
#include <stdlib.h>
#include <tessera/tessera.h>
#include "support/test.h"

#if TSR_HAVE_PLOT

static uint64_t seed = 5;
static double random_in(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

/* ---- text that is written ---- */

typedef struct svg_text {
  char *at;
  size_t n, capacity, fail_at;
} svg_text;

static tsr_status add(void *self, const void *bytes, size_t n) {
  svg_text *t = self;
  if (t->n + n > t->fail_at) return TSR_EIO;
  if (t->n + n + 1 > t->capacity) {
    t->capacity = 2 * (t->n + n + 1);
    t->at = realloc(t->at, t->capacity);
    if (t->at == NULL) return TSR_ENOMEM;
  }
  memcpy(t->at + t->n, bytes, n);
  t->n += n;
  t->at[t->n] = '\0';
  return TSR_OK;
}

static tsr_status write_svg(tsr_ctx *ctx, const tsr_plot *plot, svg_text *t) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = t};
  t->n = 0;
  return tsr_plot_write_svg(ctx, plot, &sink);
}

/* Whether a text is well-formed: elements that nest, attributes in quotes, no stray < or &, numbers that are some. */
static bool is_xml(const char *p) {
  const char *open[64];
  int depth = 0;
  bool root = false;
  if (strncmp(p, "<?xml", 5) != 0) return false;
  p = strstr(p, "?>") + 2;
  while (*p != '\0') {
    if (*p == '&') {
      const char *end = strchr(p, ';');
      if (end == NULL || end - p > 6) return false;
    }
    if (*p != '<') {
      p++;
      continue;
    }
    const bool closing = p[1] == '/';
    const char *name = p + 1 + closing;
    const size_t length = strcspn(name, " \n/>");
    for (p = name + length; *p != '>' && *p != '\0'; p++)
      if (*p == '"') {
        const char *value = p + 1;
        for (p = value; *p != '"'; p++)
          if (*p == '\0' || *p == '<') return false;
        if (memchr(value, 'n', (size_t)(p - value)) != NULL && strncmp(value, "nan", 3) == 0) return false;
      }
    if (*p == '\0') return false;
    if (closing) {
      if (depth == 0 || strncmp(open[--depth], name, length) != 0) return false;
    } else if (p[-1] != '/') {
      if (depth == 64) return false;
      open[depth++] = name;
    }
    root = true;
    p++;
  }
  return root && depth == 0;
}

/* ---- pictures with everything in them ---- */

static double *vector(tsr_tensor *t, tsr_index n) {
  OK(NULL, tsr_zeros(NULL, TSR_F64, TSR_SHAPE(n), t));
  return t->data;
}

enum { KINDS = 8 };

/* One thing of a kind, of vectors. */
static tsr_status add_kind(tsr_ctx *ctx, tsr_plot *plot, int kind, const tsr_tensor *x, const tsr_tensor *y,
                           const tsr_plot_style *style) {
  tsr_tensor m = {0};
  switch (kind) {
    case 0: return tsr_plot_line(ctx, plot, x, y, style);
    case 1: return tsr_plot_scatter(ctx, plot, x, y, NULL, style);
    case 2: return tsr_plot_scatter(ctx, plot, x, y, y, style);
    case 3: return tsr_plot_bars(ctx, plot, x, y, style);
    case 4: return tsr_plot_hist(ctx, plot, y, style);
    case 5: return tsr_plot_line(ctx, plot, NULL, y, style);
    default: break;
  }
  tsr_status st = tsr_reshape(ctx, y, TSR_SHAPE(y->shape[0] == 0 ? 0 : -1, y->shape[0] % 4 == 0 ? 4 : 1), &m);
  if (st == TSR_OK) st = kind == 6 ? tsr_plot_heat(ctx, plot, &m, style) : tsr_plot_image(ctx, plot, &m, style);
  tsr_release(&m);
  return st;
}

static tsr_status draw_both(tsr_ctx *ctx, const tsr_plot *plot) {
  tsr_tensor image = {0};
  svg_text t = {.fail_at = SIZE_MAX};
  tsr_status st = tsr_plot_draw(ctx, plot, &image);
  if (st == TSR_OK) CHECK(image.dtype == TSR_U8 && image.ndim == 3 && image.shape[2] == 3);
  if (st == TSR_OK) st = write_svg(ctx, plot, &t);
  if (st == TSR_OK) CHECK(is_xml(t.at));
  free(t.at);
  tsr_release(&image);
  return st;
}

static void draw_kinds(const tsr_tensor *x, const tsr_tensor *y, const tsr_plot_axes *axes) {
  for (int kind = 0; kind < KINDS; kind++) {
    tsr_plot *plot = NULL;
    OK(NULL, tsr_plot_new(NULL, &(tsr_plot_options){.width = 300, .height = 200}, &plot));
    OK(NULL, tsr_plot_panel(NULL, plot, axes));
    OK(NULL, add_kind(NULL, plot, kind, x, y, &(tsr_plot_style){.label = "a & b < \"c\""}));
    OK(NULL, draw_both(NULL, plot));
    tsr_plot_release(plot);
  }
}

TEST(every_kind_is_drawn_of_any_data) {
  static const double odd[] = {0,        1,      -1,  (double)NAN, (double)INFINITY, -(double)INFINITY, 1e308, -1e308,
                               4.9e-324, 1e-300, 3.5, 1e9};
  enum { ODD = sizeof odd / sizeof odd[0], N = 24 };
  for (int round = 0; round < 40; round++) {
    tsr_tensor x = {0}, y = {0};
    const tsr_index n = round < 4 ? round : N;
    double *a = vector(&x, n), *b = vector(&y, n);
    for (tsr_index i = 0; i < n; i++) {
      a[i] = round % 4 == 0 ? odd[(int)random_in(0, ODD)] : (double)i;
      b[i] = round % 4 == 1 ? odd[round / 4 % ODD] : odd[(int)random_in(0, ODD)];
    }
    draw_kinds(&x, &y, &(tsr_plot_axes){.title = "τίτλος", .x_log = round % 3 == 1, .y_log = round % 3 == 2});
    draw_kinds(&x, &y, &(tsr_plot_axes){.x_time = TSR_UNIT_DAY + round % 5, .y_min = -1, .y_max = 1});
    tsr_release(&x);
    tsr_release(&y);
  }
}

TEST(every_dtype_and_layout_gives_the_same_picture) {
  static const int dtypes[] = {TSR_U8,  TSR_I8,  TSR_I16, TSR_U16,  TSR_I32, TSR_U32,
                               TSR_I64, TSR_U64, TSR_F16, TSR_BF16, TSR_F32};
  tsr_tensor y = {0}, first = {0};
  double *b = vector(&y, 40);
  for (int i = 0; i < 40; i++) b[i] = i * 7 % 11 + (i > 20 ? 20 : 0);
  for (int k = -2; k < (int)(sizeof dtypes / sizeof dtypes[0]); k++) {
    tsr_tensor other = {0}, view = {0}, image = {0};
    tsr_plot *plot = NULL;
    if (k >= 0) {
      OK(NULL, tsr_cast(NULL, &y, dtypes[k], &other));
    } else if (k == -1) { /* every second of twice as many, backwards twice */
      OK(NULL, tsr_repeat(NULL, &y, 2, 0, &other));
      OK(NULL, tsr_slice(NULL, &other, 0, 0, 80, 2, &view));
    } else {
      OK(NULL, tsr_clone(NULL, &y, &other));
    }
    OK(NULL, tsr_plot_new(NULL, NULL, &plot));
    OK(NULL, tsr_plot_line(NULL, plot, NULL, k == -1 ? &view : &other, NULL));
    OK(NULL, tsr_plot_hist(NULL, plot, k == -1 ? &view : &other, NULL));
    tsr_release(&other); /* the plot has its own count */
    OK(NULL, tsr_plot_draw(NULL, plot, &image));
    if (first.dtype == TSR_NONE)
      first = tsr_move(&image);
    else
      CHECK(memcmp(first.data, image.data, tsr_nbytes(&first)) == 0);
    tsr_release(&image);
    tsr_plot_release(plot);
  }
  tsr_release(&first);
  tsr_release(&y);
}

/* ---- what is seen ---- */

static const uint8_t *pixel(const tsr_tensor *image, tsr_index y, tsr_index x) {
  return (const uint8_t *)image->data + (y * image->shape[1] + x) * 3;
}

/* How many pixels of a part are of a colour. */
static int count_of(const tsr_tensor *image, tsr_index x0, tsr_index x1, uint32_t rgb) {
  int n = 0;
  for (tsr_index y = 0; y < image->shape[0]; y++)
    for (tsr_index x = x0; x < x1; x++) {
      const uint8_t *p = pixel(image, y, x);
      n += ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) == rgb;
    }
  return n;
}

static void draw_line(const tsr_tensor *y, tsr_tensor *image) {
  tsr_plot *plot = NULL;
  OK(NULL, tsr_plot_new(NULL, NULL, &plot));
  OK(NULL, tsr_plot_line(NULL, plot, NULL, y, &(tsr_plot_style){.color = TSR_COLOR(0xff0000), .width = 3}));
  OK(NULL, tsr_plot_draw(NULL, plot, image));
  tsr_plot_release(plot);
}

TEST(lines_have_gaps) {
  tsr_tensor y = {0}, image = {0};
  double *b = vector(&y, 100);
  for (int i = 0; i < 100; i++) b[i] = i > 40 && i < 60 ? (double)NAN : 1 + i % 2;
  draw_line(&y, &image);
  CHECK(image.shape[0] == 400 && image.shape[1] == 640);
  CHECK(count_of(&image, 310, 370, 0xff0000) == 0 && count_of(&image, 100, 200, 0xff0000) > 500);
  tsr_release(&image);
  for (int i = 0; i < 100; i++) b[i] = i == 50 ? 1 : (double)NAN;
  draw_line(&y, &image); /* a number between gaps is a dot */
  CHECK(count_of(&image, 0, 640, 0xff0000) > 8);
  tsr_release(&image);
  tsr_release(&y);
}

TEST(one_spike_of_a_million_points_is_seen_and_svg_stays_small) {
  enum { N = 1000000 };
  tsr_tensor y = {0}, image = {0};
  tsr_plot *plot = NULL;
  svg_text t = {.fail_at = SIZE_MAX};
  double *b = vector(&y, N);
  for (int i = 0; i < N; i++) b[i] = sin(i * 0.37);
  b[654321] = 50;
  draw_line(&y, &image);
  int high = 0;
  for (tsr_index row = 30; row < 200; row++)
    for (tsr_index x = 0; x < 640; x++) {
      const uint8_t *p = pixel(&image, row, x);
      high += p[0] > 200 && p[1] < 120;
    }
  CHECK(high > 150);
  OK(NULL, tsr_plot_new(NULL, NULL, &plot));
  OK(NULL, tsr_plot_line(NULL, plot, NULL, &y, NULL));
  OK(NULL, write_svg(NULL, plot, &t));
  CHECK(t.n < 400000);
  free(t.at);
  tsr_plot_release(plot);
  tsr_release(&image);
  tsr_release(&y);
}

TEST(bars_and_cells_are_where_they_should_be) {
  tsr_tensor y = {0}, m = {0}, image = {0};
  tsr_plot *plot = NULL;
  double *b = vector(&y, 4);
  for (int i = 0; i < 4; i++) b[i] = i + 1;
  OK(NULL, tsr_plot_new(NULL, NULL, &plot));
  OK(NULL, tsr_plot_bars(NULL, plot, NULL, &y, &(tsr_plot_style){.color = TSR_COLOR(0x00ff00)}));
  OK(NULL, tsr_plot_draw(NULL, plot, &image));
  const int all = count_of(&image, 0, 640, 0x00ff00);
  const int last = count_of(&image, 475, 640, 0x00ff00);
  CHECK(all > 40000 && fabs(last / (double)all - 0.4) < 0.02); /* 4 of 1 + 2 + 3 + 4 */
  tsr_plot_release(plot);
  tsr_release(&image);
  OK(NULL, tsr_reshape(NULL, &y, TSR_SHAPE(2, 2), &m));
  OK(NULL, tsr_plot_new(NULL, &(tsr_plot_options){.scale = 2}, &plot));
  OK(NULL, tsr_plot_heat(NULL, plot, &m, &(tsr_plot_style){.map = TSR_PLOT_GRAY}));
  OK(NULL, tsr_plot_draw(NULL, plot, &image));
  const uint32_t first = tsr_plot_color(TSR_PLOT_GRAY, 0, 0) & 0xffffffu,
                 top = tsr_plot_color(TSR_PLOT_GRAY, 0, 1) & 0xffffffu;
  const int dark = count_of(&image, 0, image.shape[1], first), light = count_of(&image, 0, image.shape[1], top);
  CHECK(dark > 150000 && abs(dark - light) < 1000);
  tsr_plot_release(plot);
  tsr_release(&image);
  tsr_release(&m);
  tsr_release(&y);
}

/* A picture has twice the pixels at scale 2, and SVG the same size, whatever is in it. */
TEST(scales_show_the_same) {
  tsr_tensor x = {0}, y = {0};
  double *a = vector(&x, 36), *b = vector(&y, 36);
  for (int i = 0; i < 36; i++) a[i] = i, b[i] = sin(i);
  for (int kind = 0; kind < KINDS; kind++) {
    tsr_index shape[2][2];
    for (int scale = 1; scale <= 2; scale++) {
      tsr_plot *plot = NULL;
      tsr_tensor image = {0};
      svg_text t = {.fail_at = SIZE_MAX};
      char size[64];
      OK(NULL, tsr_plot_new(NULL, &(tsr_plot_options){.scale = scale}, &plot));
      OK(NULL, add_kind(NULL, plot, kind, &x, &y, NULL));
      OK(NULL, tsr_plot_draw(NULL, plot, &image));
      OK(NULL, write_svg(NULL, plot, &t));
      shape[scale - 1][0] = image.shape[0], shape[scale - 1][1] = image.shape[1];
      (void)snprintf(size, sizeof size, " width=\"%lld\" height=\"%lld\"", (long long)shape[0][1],
                     (long long)shape[0][0]);
      CHECK(strstr(t.at, size) != NULL);
      free(t.at);
      tsr_release(&image);
      tsr_plot_release(plot);
    }
    CHECK(shape[1][0] == 2 * shape[0][0] && shape[1][1] == 2 * shape[0][1]);
  }
  tsr_release(&x);
  tsr_release(&y);
}

/* As another program draws the SVG: nearly the same pixels, for the kinds whose edges are few. */
TEST(another_program_draws_the_svg_alike) {
#if TSR_HAVE_PNG && defined(__linux__)
  char folder[] = "/tmp/tessera-svg-XXXXXX", command[256], path[64];
  tsr_tensor x = {0}, y = {0};
  if (system("rsvg-convert --version >/dev/null 2>&1") != 0) SKIP("no rsvg-convert");
  REQUIRE(mkdtemp(folder) != NULL);
  double *a = vector(&x, 36), *b = vector(&y, 36);
  for (int i = 0; i < 36; i++) a[i] = i, b[i] = sin(i);
  for (int kind = 0; kind < KINDS; kind++) {
    tsr_plot *plot = NULL;
    tsr_tensor ours = {0}, theirs = {0};
    double sum = 0;
    OK(NULL, tsr_plot_new(NULL, NULL, &plot));
    OK(NULL, tsr_plot_panel(NULL, plot, &(tsr_plot_axes){.title = "title", .x_label = "x", .y_label = "y"}));
    OK(NULL, add_kind(NULL, plot, kind, &x, &y, &(tsr_plot_style){.label = "label"}));
    OK(NULL, tsr_plot_draw(NULL, plot, &ours));
    (void)snprintf(path, sizeof path, "%s/a.svg", folder);
    OK(NULL, tsr_plot_save(NULL, plot, path));
    (void)snprintf(command, sizeof command, "rsvg-convert %s/a.svg -o %s/a.png", folder, folder);
    CHECK(system(command) == 0);
    (void)snprintf(path, sizeof path, "%s/a.png", folder);
    OK(NULL, tsr_png_load(NULL, path, NULL, &theirs));
    const tsr_index channels = theirs.shape[2], n = ours.shape[0] * ours.shape[1];
    CHECK(theirs.shape[0] == ours.shape[0] && theirs.shape[1] == ours.shape[1]);
    for (tsr_index i = 0; i < n && channels >= 3; i++)
      for (int k = 0; k < 3; k++)
        sum += abs(((uint8_t *)ours.data)[3 * i + k] - ((uint8_t *)theirs.data)[channels * i + k]);
    CHECK(sum / (double)(3 * n) < 4);
    if (sum / (double)(3 * n) >= 4) printf("  kind %d: %g of 255\n", kind, sum / (double)(3 * n));
    tsr_release(&ours), tsr_release(&theirs);
    tsr_plot_release(plot);
  }
  (void)snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  tsr_release(&x), tsr_release(&y);
#else
  SKIP("no PNG");
#endif
}

TEST(heavy_tails_do_not_hide_the_rest) {
  enum { N = 10000 };
  tsr_tensor y = {0};
  tsr_plot *plot = NULL;
  svg_text t = {.fail_at = SIZE_MAX};
  double *b = vector(&y, N);
  for (int i = 0; i < N; i++) b[i] = tan(3.14159265 * (random_in(0, 1) - 0.5)); /* Cauchy's */
  OK(NULL, tsr_plot_new(NULL, NULL, &plot));
  OK(NULL, tsr_plot_hist(NULL, plot, &y, NULL));
  OK(NULL, write_svg(NULL, plot, &t));
  CHECK(strstr(t.at, ": in the bar at the edge") != NULL);
  const char *bars = strstr(t.at, "<path d=\"m"), *p = t.at;
  int most = 0;
  for (; (bars = strstr(p, " d=\"")) != NULL; p = bars + 4) { /* the path with the most rectangles is the bars */
    int n = 0;
    for (const char *q = bars + 4; *q != '"'; q++) n += *q == 'z';
    most = n > most ? n : most;
  }
  CHECK(most >= 30);
  tsr_plot_release(plot);
  free(t.at);
  tsr_release(&y);
}

/* ---- contracts ---- */

static tsr_plot *everything(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *y, tsr_status *st) {
  static const char *const names[] = {"one", "two", "three", NULL};
  tsr_plot *plot = NULL;
  *st = tsr_plot_new(
      ctx, &(tsr_plot_options){.title = "everything", .theme = TSR_PLOT_DARK, .width = 500, .height = 400}, &plot);
  for (int kind = 0; kind < KINDS && *st == TSR_OK; kind++) {
    const tsr_plot_axes axes = {
        .title = "a", .x_label = "b", .y_label = "c", .color_label = "d", .names = 4, .x_names = names};
    *st = tsr_plot_panel(ctx, plot, &axes);
    if (*st == TSR_OK)
      *st = add_kind(ctx, plot, kind, x, y, &(tsr_plot_style){.label = "e", .marker = kind % 6, .dash = kind % 3});
  }
  return plot;
}

TEST(any_allocation_may_fail) {
  tsr_tensor x = {0}, y = {0};
  double *a = vector(&x, 16), *b = vector(&y, 16);
  for (int i = 0; i < 16; i++) a[i] = i, b[i] = 1.0 / (i + 1);
  for (size_t fail = 0;; fail++) {
    tsr_failing failing;
    tsr_ctx ctx;
    tsr_status st = TSR_OK;
    svg_text t = {.fail_at = SIZE_MAX};
    tsr_tensor image = {0};
    OK(NULL, tsr_failing_init(NULL, fail, fail % 2 == 0, &failing));
    OK(NULL, tsr_context_init(&ctx, &failing.allocator));
    tsr_plot *plot = everything(&ctx, &x, &y, &st);
    if (st == TSR_OK) st = tsr_plot_draw(&ctx, plot, &image);
    if (st == TSR_OK) st = write_svg(&ctx, plot, &t);
    tsr_plot_release(plot);
    tsr_release(&image);
    free(t.at);
    CHECK(failing.live == 0);
    if (failing.calls <= fail) {
      CHECK(st == TSR_OK);
      break;
    }
    CHECK(st == TSR_ENOMEM);
    if (st != TSR_ENOMEM) break;
    CHECK(strlen(tsr_error(&ctx)) > 0);
  }
  tsr_release(&x);
  tsr_release(&y);
}

TEST(the_picture_is_the_same_on_every_instruction_set_and_thread_count) {
  tsr_tensor x = {0}, y = {0}, first = {0};
  double *a = vector(&x, 64), *b = vector(&y, 64);
  tsr_status st;
  for (int i = 0; i < 64; i++) a[i] = i * 0.37, b[i] = sin(i * 0.3) * 1e5;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    tsr_ctx ctx;
    tsr_tensor image = {0};
    OK(NULL, tsr_context_init(&ctx, NULL));
    OK(&ctx, tsr_context_set_isa(&ctx, tsr_isa_name(isa)));
    tsr_plot *plot = everything(&ctx, &x, &y, &st);
    OK(&ctx, tsr_plot_draw(&ctx, plot, &image));
    if (isa == 0)
      first = tsr_move(&image);
    else
      CHECK(memcmp(first.data, image.data, tsr_nbytes(&first)) == 0);
    tsr_release(&image);
    tsr_plot_release(plot);
  }
  tsr_release(&first);
  tsr_release(&x);
  tsr_release(&y);
}

TEST(a_given_image_is_written_into) {
  tsr_tensor x = {0}, y = {0}, image = {0}, flipped = {0}, wide = {0}, part = {0};
  tsr_status st;
  double *b = vector(&y, 16);
  (void)vector(&x, 16);
  for (int i = 0; i < 16; i++) b[i] = i;
  tsr_plot *plot = everything(NULL, &x, &y, &st);
  OK(NULL, tsr_plot_draw(NULL, plot, &image));
  CHECK(image.shape[0] == 400 && image.shape[1] == 500);
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(400, 500, 4), &wide));
  OK(NULL, tsr_slice(NULL, &wide, 2, 0, 3, 1, &part));
  OK(NULL, tsr_plot_draw(NULL, plot, &part));
  OK(NULL, tsr_contiguous(NULL, &part, &flipped));
  CHECK(memcmp(flipped.data, image.data, tsr_nbytes(&image)) == 0 && ((uint8_t *)wide.data)[3] == 0);
  tsr_release(&wide);
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(400, 501, 3), &wide));
  FAILS(NULL, TSR_ESHAPE, tsr_plot_draw(NULL, plot, &wide));
  MESSAGE_HAS(NULL, "plot_draw");
  CHECK(((uint8_t *)wide.data)[0] == 0);
  tsr_release(&wide);
  tsr_release(&flipped);
  tsr_release(&image);
  tsr_release(&x);
  tsr_release(&y);
  tsr_plot_release(plot);
}

static void fails_of_size(double width, double height, double scale, tsr_status want) {
  tsr_plot *plot = NULL;
  tsr_tensor image = {0};
  OK(NULL, tsr_plot_new(NULL, &(tsr_plot_options){.width = width, .height = height, .scale = scale}, &plot));
  FAILS(NULL, want, tsr_plot_draw(NULL, plot, &image));
  CHECK(image.data == NULL);
  tsr_plot_release(plot);
}

TEST(what_is_wrong_is_said) {
  tsr_plot *plot = NULL;
  tsr_tensor x = {0}, y = {0}, z = {0}, m = {0};
  static char large[TSR_PLOT_TEXT + 2];
  (void)vector(&x, 3), (void)vector(&y, 4);
  fails_of_size(65536, 32768, 1, TSR_ELIMIT); /* 2^31 pixels */
  fails_of_size(1000, 1000, 100, TSR_ELIMIT);
  FAILS(NULL, TSR_EARG, tsr_plot_new(NULL, &(tsr_plot_options){.width = -1}, &plot));
  FAILS(NULL, TSR_EARG, tsr_plot_new(NULL, &(tsr_plot_options){.scale = (double)NAN}, &plot));
  FAILS(NULL, TSR_EARG, tsr_plot_new(NULL, &(tsr_plot_options){.theme = 7}, &plot));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_plot_new(NULL, &(tsr_plot_options){.reserved = {1}}, &plot));
  FAILS(NULL, TSR_EARG, tsr_plot_line(NULL, NULL, NULL, &y, NULL));
  OK(NULL, tsr_plot_new(NULL, NULL, &plot));
  FAILS(NULL, TSR_ESHAPE, tsr_plot_line(NULL, plot, &x, &y, NULL));
  MESSAGE_HAS(NULL, "plot_line: x is f64 [3], y is f64 [4]");
  FAILS(NULL, TSR_ESHAPE, tsr_plot_scatter(NULL, plot, &y, &y, &x, NULL));
  FAILS(NULL, TSR_ESHAPE, tsr_plot_heat(NULL, plot, &y, NULL));
  OK(NULL, tsr_zeros(NULL, TSR_C64, TSR_SHAPE(4), &z));
  FAILS(NULL, TSR_EDTYPE, tsr_plot_hist(NULL, plot, &z, NULL));
  OK(NULL, tsr_zeros(NULL, TSR_I32, TSR_SHAPE(4, 4, 3), &m));
  FAILS(NULL, TSR_EDTYPE, tsr_plot_image(NULL, plot, &m, NULL));
  FAILS(NULL, TSR_EARG, tsr_plot_line(NULL, plot, NULL, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_plot_line(NULL, plot, NULL, &y, &(tsr_plot_style){.marker = 99}));
  FAILS(NULL, TSR_EARG, tsr_plot_hist(NULL, plot, &y, &(tsr_plot_style){.min = 2, .max = 1}));
  FAILS(NULL, TSR_EARG, tsr_plot_panel(NULL, plot, &(tsr_plot_axes){.y_log = true, .y_min = -1, .y_max = 1}));
  FAILS(NULL, TSR_EARG, tsr_plot_panel(NULL, plot, &(tsr_plot_axes){.x_time = 9}));
  FAILS(NULL, TSR_EARG, tsr_plot_panel(NULL, plot, &(tsr_plot_axes){.names = 3}));
  FAILS(NULL, TSR_EARG, tsr_plot_panel(NULL, plot, &(tsr_plot_axes){.x_min = (double)NAN, .x_max = 1}));
  memset(large, 'x', TSR_PLOT_TEXT + 1);
  FAILS(NULL, TSR_ELIMIT, tsr_plot_panel(NULL, plot, &(tsr_plot_axes){.title = large}));
  FAILS(NULL, TSR_EARG, tsr_plot_save(NULL, plot, "x.gif"));
  MESSAGE_HAS(NULL, "x.gif: ends neither in .png nor in .svg");
  FAILS(NULL, TSR_EIO, tsr_plot_save(NULL, plot, "/nowhere/x.svg"));
  FAILS(NULL, TSR_EARG, tsr_plot_write_svg(NULL, plot, NULL));
  OK(NULL, draw_both(NULL, plot)); /* nothing of all that is in it */
  for (size_t fail_at = 0; fail_at < 200; fail_at += 50) {
    svg_text t = {.fail_at = fail_at};
    FAILS(NULL, TSR_EIO, write_svg(NULL, plot, &t));
    free(t.at);
  }
  tsr_plot_release(plot);
  tsr_plot_release(NULL);
  tsr_release(&x), tsr_release(&y), tsr_release(&z), tsr_release(&m);
}

TEST(memory_of_the_caller_may_go) {
  tsr_tensor y = {0}, first = {0}, second = {0};
  double numbers[8] = {1, 2, 3, 4, 3, 2, 1, 0};
  const tsr_index n = 8;
  tsr_plot *plot = NULL;
  OK(NULL, tsr_from_memory(NULL, numbers, TSR_F64, 1, &n, &y));
  OK(NULL, tsr_plot_new(NULL, NULL, &plot));
  OK(NULL, tsr_plot_line(NULL, plot, NULL, &y, NULL));
  OK(NULL, tsr_plot_draw(NULL, plot, &first));
  memset(numbers, 0, sizeof numbers);
  OK(NULL, tsr_plot_draw(NULL, plot, &second));
  CHECK(memcmp(first.data, second.data, tsr_nbytes(&first)) == 0);
  tsr_release(&first), tsr_release(&second);
  tsr_plot_release(plot);
}

/* Bytes for texts, numbers for everything: nothing of it may do harm. */
TEST(random_scenes) {
  const int rounds = getenv("TSR_ROUNDS") != NULL ? atoi(getenv("TSR_ROUNDS")) : 60;
  for (int round = 0; round < rounds; round++) {
    char text[3][40];
    tsr_plot *plot = NULL;
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 39; i++) text[k][i] = (char)(random_in(0, 1) < 0.7 ? random_in(32, 127) : random_in(1, 256));
      text[k][39] = '\0';
    }
    const tsr_plot_options o = {.width = random_in(0, 1) < 0.3 ? 0 : pow(10, random_in(0, 3)),
                                .height = random_in(0, 1) < 0.3 ? 0 : pow(10, random_in(0, 3)),
                                .scale = random_in(0.1, 2),
                                .text_size = random_in(0, 1) < 0.5 ? 0 : pow(10, random_in(-1, 2)),
                                .theme = (int)random_in(0, 2),
                                .columns = (int)random_in(0, 4),
                                .title = text[0]};
    OK(NULL, tsr_plot_new(NULL, &o, &plot));
    const int panels = (int)random_in(1, 5);
    for (int p = 0; p < panels; p++) {
      const tsr_plot_axes axes = {.title = text[0],
                                  .x_label = text[1],
                                  .y_label = text[2],
                                  .color_label = text[1],
                                  .x_log = random_in(0, 1) < 0.3,
                                  .y_log = random_in(0, 1) < 0.3,
                                  .legend = (int)random_in(0, 7)};
      OK(NULL, tsr_plot_panel(NULL, plot, &axes));
      for (int s = (int)random_in(0, 4); s > 0; s--) {
        tsr_tensor x = {0}, y = {0};
        const tsr_index n = (tsr_index)pow(10, random_in(0, 3));
        double *a = vector(&x, n), *b = vector(&y, n);
        const double size = pow(10, random_in(-308, 308));
        for (tsr_index i = 0; i < n; i++) {
          a[i] = random_in(0, 1) < 0.02 ? (double)NAN : random_in(-1, 1) * size;
          b[i] =
              random_in(0, 1) < 0.02 ? (double)INFINITY : pow(10, random_in(-5, 5)) * (random_in(0, 1) < 0.5 ? -1 : 1);
        }
        const tsr_plot_style style = {.label = text[2],
                                      .color = (uint32_t)random_in(0, 4e9),
                                      .width = random_in(0, 1) < 0.7 ? 0 : random_in(0, 50),
                                      .size = random_in(0, 1) < 0.7 ? 0 : random_in(0, 300),
                                      .marker = (int)random_in(0, 6),
                                      .dash = (int)random_in(0, 3),
                                      .map = (int)random_in(0, 6),
                                      .bins = random_in(0, 1) < 0.5 ? 0 : (int)random_in(1, 500),
                                      .steps = random_in(0, 1) < 0.2};
        OK(NULL, add_kind(NULL, plot, (int)random_in(0, KINDS), &x, &y, &style));
        tsr_release(&x);
        tsr_release(&y);
      }
    }
    OK(NULL, draw_both(NULL, plot));
    tsr_plot_release(plot);
  }
}

TEST_MAIN(RUN(every_kind_is_drawn_of_any_data), RUN(every_dtype_and_layout_gives_the_same_picture),
          RUN(lines_have_gaps), RUN(one_spike_of_a_million_points_is_seen_and_svg_stays_small),
          RUN(bars_and_cells_are_where_they_should_be), RUN(heavy_tails_do_not_hide_the_rest),
          RUN(scales_show_the_same), RUN(another_program_draws_the_svg_alike), RUN(any_allocation_may_fail),
          RUN(the_picture_is_the_same_on_every_instruction_set_and_thread_count), RUN(a_given_image_is_written_into),
          RUN(what_is_wrong_is_said), RUN(memory_of_the_caller_may_go), RUN(random_scenes))

#else
TEST(plots) { SKIP("pictures are not configured"); }
TEST_MAIN(RUN(plots))
#endif
