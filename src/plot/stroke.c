/* Strokes: a polyline becomes a ring that runs along its left side, around its end, and back along its other side. On the inner side of a
 * corner the ring goes to where the two sides meet, or by the corner itself where the lines are too short for that: the area is that of a
 * quadrilateral for each line, and nothing is left open. */
#include "plot/stroke.h"

#if TSR_HAVE_PLOT

#include <math.h>

/* One polyline, without two equal points in a row. */
typedef struct stroker {
  tsr__plot_memory *memory;
  tsr__plot_rings *rings;
  const tsr__plot_pen *pen;
  tsr__plot_pixels near;
  double half;
  tsr__plot_array flat; /* tsr__plot_point: the piece that is being drawn */
  tsr__plot_array part; /* of it: what is in the picture, or between two gaps of a dash */
} stroker;

static void put(const stroker *s, double x, double y) { tsr__rings_add(s->memory, s->rings, x, y); }

/* The vector of half the width, to the left of the line from a to b. */
static tsr__plot_point side(const stroker *s, tsr__plot_point a, tsr__plot_point b) {
  const double x = b.x - a.x, y = b.y - a.y, length = sqrt(x * x + y * y);
  return (tsr__plot_point){y / length * s->half, -x / length * s->half};
}

/* Points of the arc around p from p + a to p + b, clockwise in a picture's coordinates, both ends left out. */
static void put_arc(const stroker *s, tsr__plot_point p, tsr__plot_point a, tsr__plot_point b, bool half_circle) {
  const double cross = a.x * b.y - a.y * b.x, dot = a.x * b.x + a.y * b.y;
  const double angle = half_circle ? 3.14159265358979323846 : atan2(cross, dot);
  const int steps = (int)ceil(fabs(angle) / (2 * acos(1 - fmin(0.015 / fmax(s->half, 0.015), 1))));
  for (int i = 1; i < steps; i++) {
    const double at = angle * i / steps, c = cos(at), d = sin(at);
    put(s, p.x + a.x * c - a.y * d, p.y + a.x * d + a.y * c);
  }
}

static double distance(tsr__plot_point a, tsr__plot_point b) {
  return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

/* The corner at p between two others, on the left side. */
static void put_join(const stroker *s, tsr__plot_point before, tsr__plot_point p, tsr__plot_point next) {
  const tsr__plot_point a = side(s, before, p), b = side(s, p, next);
  const double cross = a.x * b.y - a.y * b.x, dot = a.x * b.x + a.y * b.y, half2 = s->half * s->half;
  const double scale = half2 / (half2 + dot); /* a + b times this is where the two sides meet */
  if (cross < 0) {                            /* the inner side */
    const double back = s->half * -cross / (half2 + dot);
    if (half2 + dot > 0 && back < distance(before, p) && back < distance(p, next)) {
      put(s, p.x + (a.x + b.x) * scale, p.y + (a.y + b.y) * scale);
      return;
    }
  }
  put(s, p.x + a.x, p.y + a.y);
  if (cross < 0) put(s, p.x, p.y);
  if (cross >= 0 && s->pen->round) put_arc(s, p, a, b, false);
  if (cross >= 0 && !s->pen->round && half2 + dot > 0.2 * half2) /* a point that is not too long */
    put(s, p.x + (a.x + b.x) * scale, p.y + (a.y + b.y) * scale);
  put(s, p.x + b.x, p.y + b.y);
}

static void put_end(const stroker *s, tsr__plot_point p, tsr__plot_point a) {
  put(s, p.x + a.x, p.y + a.y);
  if (s->pen->round) put_arc(s, p, a, (tsr__plot_point){-a.x, -a.y}, true);
  put(s, p.x - a.x, p.y - a.y);
}

static void put_dot(const stroker *s, tsr__plot_point p) {
  const tsr__plot_point a = {s->half, 0};
  if (!s->pen->round) return;
  tsr__rings_start(s->memory, s->rings);
  put_end(s, p, a);
  put_arc(s, p, (tsr__plot_point){-a.x, 0}, a, true);
}

static tsr__plot_point opposite(tsr__plot_point p) { return (tsr__plot_point){-p.x, -p.y}; }

/* Along one side and back along the other. */
static void put_open(const stroker *s, const tsr__plot_point *p, size_t n) {
  if (n == 1) put_dot(s, p[0]);
  if (n < 2) return;
  tsr__rings_start(s->memory, s->rings);
  for (size_t i = 1; i + 1 < n; i++) put_join(s, p[i - 1], p[i], p[i + 1]);
  put_end(s, p[n - 1], side(s, p[n - 2], p[n - 1]));
  for (size_t i = n - 2; i > 0; i--) put_join(s, p[i + 1], p[i], p[i - 1]);
  put_end(s, p[0], opposite(side(s, p[0], p[1])));
}

/* A closed piece has no ends: two rings that run in opposite directions. */
static void put_closed(const stroker *s, const tsr__plot_point *p, size_t n) {
  if (n < 3) {
    put_open(s, p, n);
    return;
  }
  tsr__rings_start(s->memory, s->rings);
  for (size_t i = 0; i < n; i++) {
    const tsr__plot_point before = p[i > 0 ? i - 1 : n - 1], next = p[i + 1 < n ? i + 1 : 0];
    put_join(s, before, p[i], next);
  }
  tsr__rings_start(s->memory, s->rings);
  for (size_t i = n; i-- > 0;) {
    const tsr__plot_point before = p[i + 1 < n ? i + 1 : 0], next = p[i > 0 ? i - 1 : n - 1];
    put_join(s, before, p[i], next);
  }
}

/* ---- what is in the picture ---- */

static void add_point(const stroker *s, tsr__plot_array *to, tsr__plot_point p) {
  const tsr__plot_point *const points = to->data;
  if (to->count > 0) {
    const double x = p.x - points[to->count - 1].x, y = p.y - points[to->count - 1].y;
    if (x * x + y * y < 1e-6) return; /* a thousandth of a pixel: it has no direction to speak of */
  }
  tsr__plot_point *const new = tsr__plot_push(s->memory, to, sizeof *new, 1);
  if (new != NULL) *new = p;
}

/* Cuts the line from *a to *b; false when nothing of it is near. */
static bool cut(const tsr__plot_pixels *near, tsr__plot_point *a, tsr__plot_point *b) {
  const tsr__plot_point from = *a, d = {b->x - a->x, b->y - a->y};
  const double step[4] = {-d.x, d.x, -d.y, d.y};
  const double room[4] = {from.x - near->x, near->x1 - from.x, from.y - near->y, near->y1 - from.y};
  double first = 0, last = 1;
  for (int i = 0; i < 4; i++) {
    if (step[i] == 0 && room[i] < 0) return false;
    if (step[i] < 0) first = fmax(first, room[i] / step[i]);
    if (step[i] > 0) last = fmin(last, room[i] / step[i]);
  }
  if (!(first <= last)) return false; /* NaN too */
  if (last < 1) *b = (tsr__plot_point){from.x + d.x * last, from.y + d.y * last};
  if (first > 0) *a = (tsr__plot_point){from.x + d.x * first, from.y + d.y * first};
  return true;
}

static void end_part(stroker *s) {
  put_open(s, s->part.data, s->part.count);
  s->part.count = 0;
}

/* ---- dashes ---- */

static void put_dashed(stroker *s) {
  const tsr__plot_point *const p = s->flat.data;
  int phase = 0;
  double left = s->pen->dash[0];
  add_point(s, &s->part, p[0]);
  for (size_t i = 1; i < s->flat.count; i++) {
    tsr__plot_point a = p[i - 1];
    double length = sqrt((p[i].x - a.x) * (p[i].x - a.x) + (p[i].y - a.y) * (p[i].y - a.y));
    while (length > left && !s->memory->failed) {
      a.x += (p[i].x - a.x) * left / length;
      a.y += (p[i].y - a.y) * left / length;
      length -= left;
      phase = (phase + 1) % s->pen->dashes;
      left = s->pen->dash[phase];
      if (phase % 2 != 0) {
        add_point(s, &s->part, a);
        end_part(s);
      } else {
        add_point(s, &s->part, a);
      }
    }
    left -= length;
    if (phase % 2 == 0) add_point(s, &s->part, p[i]);
  }
  end_part(s);
}

/* A part of a piece that is in the picture. */
static void put_near(stroker *s) {
  if (s->flat.count == 0) return;
  if (s->pen->dash != NULL)
    put_dashed(s);
  else
    put_open(s, s->flat.data, s->flat.count);
  s->flat.count = 0;
}

/* ---- paths ---- */

static bool is_near(const stroker *s, tsr__plot_point p) {
  return p.x >= s->near.x && p.x <= s->near.x1 && p.y >= s->near.y && p.y <= s->near.y1;
}

static void line_to(stroker *s, tsr__plot_point a, tsr__plot_point b) {
  const tsr__plot_point end = b;
  if (!cut(&s->near, &a, &b)) {
    put_near(s);
    return;
  }
  if (s->flat.count == 0) add_point(s, &s->flat, a);
  add_point(s, &s->flat, b);
  if (b.x != end.x || b.y != end.y) put_near(s); /* it leaves the picture */
}

/* Closed pieces are small: markers, frames, letters. They are drawn whole. */
static void put_piece(stroker *s, const tsr__plot_point *p, size_t n, bool closed) {
  if (n == 0) return;
  s->flat.count = s->part.count = 0;
  if (closed && s->pen->dash == NULL) {
    for (size_t i = 0; i < n; i++) add_point(s, &s->flat, p[i]);
    const tsr__plot_point *const q = s->flat.data;
    if (s->memory->failed) return;
    const double x = q[0].x - q[s->flat.count - 1].x, y = q[0].y - q[s->flat.count - 1].y;
    if (s->flat.count > 1 && x * x + y * y < 1e-6) s->flat.count--;
    put_closed(s, q, s->flat.count);
    return;
  }
  if (n == 1 && is_near(s, p[0])) put_dot(s, p[0]);
  for (size_t i = 1; i < n; i++) line_to(s, p[i - 1], p[i]);
  if (closed) line_to(s, p[n - 1], p[0]);
  put_near(s);
}

static void stroke_all(stroker *s, const tsr__plot_outline *path, tsr__plot_array *piece) {
  const tsr__plot_point *p = path->points;
  for (size_t i = 0; i < path->count; i++) {
    const int verb = path->verbs[i], steps = verb == TSR__PLOT_CURVE ? tsr__path_cubic_steps(p[-1], p) : 1;
    if (verb == TSR__PLOT_MOVE || verb == TSR__PLOT_CLOSE) {
      put_piece(s, piece->data, piece->count, verb == TSR__PLOT_CLOSE);
      piece->count = 0;
    }
    if (verb == TSR__PLOT_CLOSE) continue;
    tsr__plot_point *const to = tsr__plot_push(s->memory, piece, sizeof *to, (size_t)steps);
    if (to == NULL) return;
    for (int k = 1; k < steps; k++) to[k - 1] = tsr__path_cubic(p[-1], p, (double)k / steps);
    p += tsr__path_points(verb);
    to[steps - 1] = p[-1];
  }
  put_piece(s, piece->data, piece->count, false);
}

void tsr__stroke(tsr__plot_memory *memory, tsr__plot_rings *rings, const tsr__plot_outline *path,
                 const tsr__plot_pen *pen, const tsr__plot_pixels *near) {
  tsr__plot_array piece = {0};
  stroker s = {.memory = memory, .rings = rings, .pen = pen, .half = pen->width / 2, .near = *near};
  const int room = (int)fmin(pen->width * 4 + 2, 1e6);
  s.near = (tsr__plot_pixels){near->x - room, near->y - room, near->x1 + room, near->y1 + room};
  if (pen->width > 0) stroke_all(&s, path, &piece);
  tsr__plot_array_release(memory, &piece, sizeof(tsr__plot_point));
  tsr__plot_array_release(memory, &s.flat, sizeof(tsr__plot_point));
  tsr__plot_array_release(memory, &s.part, sizeof(tsr__plot_point));
}

#endif
