/* Areas and strokes as pixels, against areas that are computed otherwise. */
#include <math.h>
#include <stdlib.h>
#include <tessera/tessera.h>
#include "support/test.h"

#if TSR_HAVE_PLOT

#include "plot/stroke.h"

enum { SIDE = 64 };
static uint8_t pixels[SIDE * SIDE];
static tsr__plot_memory memory;
static tsr__plot_rings rings;
static tsr__plot_filler filler;

static void keep(void *user, int y, int x, int n, const uint8_t *cover) {
  (void)user;
  memcpy(pixels + y * SIDE + x, cover, (size_t)n);
}

static void start(void) {
  memory = (tsr__plot_memory){.allocator = tsr_allocator_system()};
  memset(pixels, 0, sizeof pixels);
}

static void fill(tsr__plot_pixels clip) {
  tsr__fill(&memory, &filler, &rings, &clip, keep, NULL);
  tsr__rings_clear(&rings);
}

static void end(void) {
  CHECK(!memory.failed);
  tsr__rings_release(&memory, &rings);
  tsr__filler_release(&memory, &filler);
}

static double total(void) {
  double sum = 0;
  for (int i = 0; i < SIDE * SIDE; i++) sum += pixels[i];
  return sum / 255;
}

static uint64_t seed = 1;
static double random_in(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

/* ---- the oracle: a convex polygon cut to a pixel, in doubles ---- */

typedef struct corner {
  double x, y;
} corner;

/* What of a polygon is on the side sign·(axis value - at) >= 0. */
static int cut_to(const corner *p, int n, int axis, double at, double sign, corner *out) {
  int m = 0;
  for (int i = 0; i < n; i++) {
    const corner a = p[i], b = p[(i + 1) % n];
    const double da = sign * ((axis == 0 ? a.x : a.y) - at), db = sign * ((axis == 0 ? b.x : b.y) - at);
    if (da >= 0) out[m++] = a;
    if ((da >= 0) != (db >= 0)) {
      const double t = da / (da - db);
      out[m++] = (corner){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    }
  }
  return m;
}

static double area_of(const corner *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i].x * p[(i + 1) % n].y - p[(i + 1) % n].x * p[i].y;
  return fabs(sum) / 2;
}

static double area_in(const corner *p, int n, int x, int y) {
  corner a[32], b[32];
  int m = cut_to(p, n, 0, x, 1, a);
  m = cut_to(a, m, 0, x + 1, -1, b);
  m = cut_to(b, m, 1, y, 1, a);
  m = cut_to(a, m, 1, y + 1, -1, b);
  return m >= 3 ? area_of(b, m) : 0;
}

static void add_polygon(const corner *p, int n) {
  tsr__rings_start(&memory, &rings);
  for (int i = 0; i < n; i++) tsr__rings_add(&memory, &rings, p[i].x, p[i].y);
}

/* Corners lie on 256ths, so that nothing but the crossings of an edge is rounded. */
static double on_grid(double v) { return floor(v * 256) / 256; }

TEST(covers_the_exact_area) {
  start();
  double worst = 0;
  for (int round = 0; round < 300; round++) {
    corner p[3];
    const double far = round % 3 == 0 ? 300 : 0; /* some reach far beyond the picture */
    for (int i = 0; i < 3; i++)
      p[i] = (corner){on_grid(random_in(-far, SIDE + far)), on_grid(random_in(-far, SIDE + far))};
    memset(pixels, 0, sizeof pixels);
    add_polygon(p, 3);
    fill((tsr__plot_pixels){0, 0, SIDE, SIDE});
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) worst = fmax(worst, fabs(pixels[y * SIDE + x] / 255.0 - area_in(p, 3, x, y)));
  }
  CHECK(worst < 2.1 / 255);
  end();
}

TEST(a_clip_cuts_and_changes_nothing_else) {
  start();
  static uint8_t all[SIDE * SIDE];
  for (int round = 0; round < 100; round++) {
    corner p[3];
    for (int i = 0; i < 3; i++) p[i] = (corner){random_in(-40, 104), random_in(-40, 104)};
    const int x = (int)random_in(0, 30), y = (int)random_in(0, 30), x1 = x + 1 + (int)random_in(0, 33),
              y1 = y + 1 + (int)random_in(0, 33);
    memset(pixels, 0, sizeof pixels);
    add_polygon(p, 3);
    fill((tsr__plot_pixels){0, 0, SIDE, SIDE});
    memcpy(all, pixels, sizeof all);
    memset(pixels, 0, sizeof pixels);
    add_polygon(p, 3);
    fill((tsr__plot_pixels){x, y, x1, y1});
    int wrong = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
      const bool inside = i % SIDE >= x && i % SIDE < x1 && i / SIDE >= y && i / SIDE < y1;
      wrong += abs(pixels[i] - (inside ? all[i] : 0)) > (inside ? 1 : 0);
    }
    CHECK(wrong == 0);
  }
  end();
}

TEST(what_is_covered_twice_counts_once) {
  start();
  const corner square[4] = {{10.5, 10.25}, {30.5, 10.25}, {30.5, 20.75}, {10.5, 20.75}};
  add_polygon(square, 4);
  add_polygon(square, 4);
  fill((tsr__plot_pixels){0, 0, SIDE, SIDE});
  CHECK(pixels[15 * SIDE + 20] == 255);
  memset(pixels, 0, sizeof pixels);
  add_polygon(square, 4);
  const corner hole[4] = {{15, 12}, {15, 18}, {25, 18}, {25, 12}}; /* the other way round */
  add_polygon(hole, 4);
  fill((tsr__plot_pixels){0, 0, SIDE, SIDE});
  CHECK(pixels[15 * SIDE + 20] == 0 && pixels[15 * SIDE + 12] == 255);
  CHECK(fabs(total() - (20 * 10.5 - 60)) < 0.5);
  end();
}

TEST(what_is_no_number_and_what_is_far_does_no_harm) {
  start();
  const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e300, 1e9, -1e9, 3, 40};
  enum { ODD = sizeof odd / sizeof odd[0] };
  for (int i = 0; i < ODD * ODD * ODD; i++) {
    tsr__rings_start(&memory, &rings);
    tsr__rings_add(&memory, &rings, odd[i % ODD], odd[i / ODD % ODD]);
    tsr__rings_add(&memory, &rings, odd[i / ODD % ODD], odd[i / ODD / ODD]);
    tsr__rings_add(&memory, &rings, odd[i / ODD / ODD], odd[i % ODD]);
    fill((tsr__plot_pixels){0, 0, SIDE, SIDE});
  }
  CHECK(!memory.failed);
  end();
}

/* ---- strokes ---- */

static void stroke(const tsr__plot_path *path, tsr__plot_pen pen) {
  const tsr__plot_outline o = {path->verbs.data, path->points.data, path->verbs.count};
  const tsr__plot_pixels all = {0, 0, SIDE, SIDE};
  tsr__stroke(&memory, &rings, &o, &pen, &all);
  fill(all);
}

TEST(strokes_have_the_area_of_their_width) {
  const double pi = 3.14159265358979;
  for (int round = 0; round < 60; round++) {
    tsr__plot_path path = {0};
    start();
    const double angle = random_in(0, 6.3), length = random_in(2, 25), width = random_in(0.5, 6);
    tsr__path_move(&memory, &path, 32, 32);
    tsr__path_line(&memory, &path, 32 + length * cos(angle), 32 + length * sin(angle));
    stroke(&path, (tsr__plot_pen){.width = width});
    CHECK(fabs(total() - length * width) < 0.01 * length * width + 0.1);
    memset(pixels, 0, sizeof pixels);
    stroke(&path, (tsr__plot_pen){.width = width, .round = true});
    CHECK(fabs(total() - length * width - pi * width * width / 4) < 0.02 * length * width + 0.15);
    memset(pixels, 0, sizeof pixels);
    const double dash[2] = {3, 3};
    stroke(&path, (tsr__plot_pen){.width = width, .dash = dash, .dashes = 2});
    const double whole = floor(length / 6), rest = fmin(length - 6 * whole, 3);
    CHECK(fabs(total() - (3 * whole + rest) * width) < 0.02 * length * width + 0.15);
    tsr__path_release(&memory, &path);
    end();
  }
}

TEST(a_closed_stroke_is_a_frame) {
  tsr__plot_path path = {0};
  start();
  tsr__path_rect(&memory, &path, 10, 10, 40, 30);
  stroke(&path, (tsr__plot_pen){.width = 2});
  CHECK(fabs(total() - (42 * 32 - 38 * 28)) < 0.5);
  CHECK(pixels[25 * SIDE + 30] == 0 && pixels[10 * SIDE + 30] == 255 && pixels[9 * SIDE + 9] == 255);
  tsr__path_clear(&path);
  memset(pixels, 0, sizeof pixels);
  tsr__path_circle(&memory, &path, 32, 32, 20);
  stroke(&path, (tsr__plot_pen){.width = 3});
  CHECK(fabs(total() - 2 * 3.14159265 * 20 * 3) < 1);
  tsr__path_release(&memory, &path);
  end();
}

TEST(lines_that_leave_the_picture_are_cut) {
  tsr__plot_path path = {0};
  start();
  tsr__path_move(&memory, &path, -1e6, 32);
  tsr__path_line(&memory, &path, 1e6, 32);
  tsr__path_line(&memory, &path, 1e6, -1e6);
  tsr__path_line(&memory, &path, 32, 1e6);
  stroke(&path, (tsr__plot_pen){.width = 2, .round = true});
  CHECK(rings.corners.capacity < 200);
  CHECK(pixels[31 * SIDE + 5] == 255 && pixels[32 * SIDE + 60] == 255 && pixels[10 * SIDE + 5] == 0);
  tsr__path_release(&memory, &path);
  end();
}

TEST_MAIN(RUN(covers_the_exact_area), RUN(a_clip_cuts_and_changes_nothing_else), RUN(what_is_covered_twice_counts_once),
          RUN(what_is_no_number_and_what_is_far_does_no_harm), RUN(strokes_have_the_area_of_their_width),
          RUN(a_closed_stroke_is_a_frame), RUN(lines_that_leave_the_picture_are_cut))

#else
TEST(fills) { SKIP("pictures are not configured"); }
TEST_MAIN(RUN(fills))
#endif
