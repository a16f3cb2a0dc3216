/* Paths. */
#include "plot/path.h"

#if TSR_HAVE_PLOT

#include <math.h>

/* Of a quarter of a circle as a cubic. */
#define KAPPA 0.5522847498307936

static void add(tsr__plot_memory *memory, tsr__plot_path *path, tsr__plot_verb verb, const tsr__plot_point *points) {
  const int n = tsr__path_points((int)verb);
  tsr__plot_point *const to = tsr__plot_push(memory, &path->points, sizeof *to, (size_t)n);
  if (to == NULL) return;
  for (int i = 0; i < n; i++) to[i] = points[i];
  uint8_t *const one = tsr__plot_push(memory, &path->verbs, sizeof *one, 1);
  if (one != NULL) *one = (uint8_t)verb;
}

void tsr__path_move(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y) {
  add(memory, path, TSR__PLOT_MOVE, &(tsr__plot_point){x, y});
}

void tsr__path_line(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y) {
  add(memory, path, TSR__PLOT_LINE, &(tsr__plot_point){x, y});
}

void tsr__path_curve(tsr__plot_memory *memory, tsr__plot_path *path, const tsr__plot_point *three) {
  add(memory, path, TSR__PLOT_CURVE, three);
}

void tsr__path_close(tsr__plot_memory *memory, tsr__plot_path *path) { add(memory, path, TSR__PLOT_CLOSE, NULL); }

void tsr__path_rect(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y, double width, double height) {
  tsr__path_move(memory, path, x, y);
  tsr__path_line(memory, path, x + width, y);
  tsr__path_line(memory, path, x + width, y + height);
  tsr__path_line(memory, path, x, y + height);
  tsr__path_close(memory, path);
}

void tsr__path_circle(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y, double radius) {
  static const double around[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  tsr__path_move(memory, path, x + radius, y);
  for (int i = 0; i < 4; i++) {
    const double *const a = around[i], *const b = around[i + 1];
    const tsr__plot_point three[3] = {{x + radius * (a[0] + KAPPA * b[0]), y + radius * (a[1] + KAPPA * b[1])},
                                      {x + radius * (b[0] + KAPPA * a[0]), y + radius * (b[1] + KAPPA * a[1])},
                                      {x + radius * b[0], y + radius * b[1]}};
    tsr__path_curve(memory, path, three);
  }
  tsr__path_close(memory, path);
}

void tsr__path_clear(tsr__plot_path *path) { path->verbs.count = path->points.count = 0; }

void tsr__path_release(const tsr__plot_memory *memory, tsr__plot_path *path) {
  tsr__plot_array_release(memory, &path->verbs, sizeof(uint8_t));
  tsr__plot_array_release(memory, &path->points, sizeof(tsr__plot_point));
}

tsr__plot_point tsr__path_cubic(tsr__plot_point a, const tsr__plot_point *three, double at) {
  const double u = 1 - at, p = u * u * u, q = 3 * u * u * at, r = 3 * u * at * at, s = at * at * at;
  return (tsr__plot_point){p * a.x + q * three[0].x + r * three[1].x + s * three[2].x,
                           p * a.y + q * three[0].y + r * three[1].y + s * three[2].y};
}

/* A cubic leaves its chord by an eighth of its second derivative at the most, a part of n by the n² part of that. */
int tsr__path_cubic_steps(tsr__plot_point a, const tsr__plot_point *three) {
  enum { MOST = 64 };
  const double x = fmax(fabs(a.x - 2 * three[0].x + three[1].x), fabs(three[0].x - 2 * three[1].x + three[2].x));
  const double y = fmax(fabs(a.y - 2 * three[0].y + three[1].y), fabs(three[0].y - 2 * three[1].y + three[2].y));
  const double n = ceil(sqrt(0.75 * (x + y) / 0.025));
  return n >= MOST ? MOST : n > 1 ? (int)n : 1; /* NaN: 1 */
}

#endif
