#include "axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "font.h"

/* ---- where the numbers stand ---- */

typedef struct ticks {
  double first, step;
  int count;
} ticks;

static ticks ticks_apart(axis a, double step) {
  const double first = ceil(a.least / step - 1e-9) * step;
  return (ticks){.first = first, .step = step, .count = (int)floor((a.greatest - first) / step + 1e-9) + 1};
}

/* Numbers 1, 2 or 5 times a power of ten apart: as many as there are up to `most`; a few more where these would be
 * fewer than `least`. */
static ticks ticks_of(axis a, int least, int most) {
  static const double factors[] = {1, 2, 5};
  enum { CROWDED = 8 };
  const double span = a.greatest - a.least;
  ticks finer = {.first = a.least, .step = 1, .count = 1};
  if (!(span > 0) || !isfinite(span)) return finer;
  const double power = pow(10, floor(log10(span)) - 2);
  for (int i = 0; i < 12; i++) {
    const double step = power * pow(10, i / 3) * factors[i % 3];
    if (a.whole && step < 1) continue;
    const ticks t = ticks_apart(a, step);
    if (t.count <= most) return t.count < least && finer.count > t.count && finer.count < CROWDED ? finer : t;
    finer = t;
  }
  return finer;
}

/* As many digits as tell neighbours apart. */
static const char *label_of(const ticks *t, int i, char *text) {
  const double value = t->first + i * t->step, last = t->first + (t->count - 1) * t->step;
  const double largest = fmax(fabs(t->first), fabs(last));
  int digits = largest > 0 ? (int)(floor(log10(largest) + 1e-9) - floor(log10(t->step) + 1e-9)) + 1 : 1;
  digits = t->count < 2 || digits < 4 ? 4 : digits > 12 ? 12 : digits;
  (void)snprintf(text, 32, "%.*g", digits, fabs(value) < t->step * 1e-6 && t->count > 1 ? 0 : value);
  return text;
}

static double share_of(const ticks *t, int i, axis a) {
  return a.greatest > a.least ? (t->first + i * t->step - a.least) / (a.greatest - a.least) : 0.5;
}

static int widest(const ticks *t) {
  char text[32];
  int most = 0;
  for (int i = 0; i < t->count; i++) {
    const int width = canvas_text_width(LABEL, label_of(t, i, text));
    most = width > most ? width : most;
  }
  return most;
}

enum { NEAR = 12 /* pixels between a number and its axis */ };

/* As many numbers as stand side by side with a gap. */
static ticks ticks_below(axis a, int width) {
  int most = width / 90 > 1 ? width / 90 : 1;
  ticks t = ticks_of(a, 1, most);
  for (; most > 1 && t.count * (widest(&t) + NEAR) > width; t = ticks_of(a, 1, most)) most--;
  return t;
}

static ticks ticks_left(axis a, int height) { return ticks_of(a, 1, height / 50 > 1 ? height / 50 : 1); }

int axes_left_room(axis a, int height) {
  const ticks t = ticks_left(a, height);
  const int room = widest(&t) + 2 * NEAR;
  return room > LEFT_ROOM ? room : LEFT_ROOM;
}

/* ---- the scale of colours ---- */

enum { SCALE_GAP = 20, SCALE_WIDTH = 18, SCALE_NEAR = 10 };

static int scale_height(int height) { return height > SCALE_HEIGHT ? height : SCALE_HEIGHT; }

static ticks ticks_scale(axis a, int height) {
  return ticks_of(a, 3, height / 40 < 3 ? 3 : height / 40 > 7 ? 7 : height / 40);
}

int axes_scale_room(int height, double least, double greatest) {
  const ticks t = ticks_scale((axis){least, greatest, false}, scale_height(height));
  const int room = SCALE_GAP + SCALE_WIDTH + SCALE_NEAR + widest(&t) + SCALE_NEAR;
  return room > SCALE_ROOM ? room : SCALE_ROOM;
}

/* ---- drawing ---- */

void axes_below(canvas *c, box plot, axis a, bool grid) {
  const ticks t = ticks_below(a, plot.width);
  char text[32];
  for (int i = 0; i < t.count; i++) {
    const int x = plot.x + (int)lround(share_of(&t, i, a) * plot.width), y = plot.y + plot.height;
    if (grid) canvas_fill(c, (box){x, plot.y, 1, plot.height}, GRID);
    canvas_fill(c, (box){x, y, 1, 6}, INK);
    const int width = canvas_text_width(LABEL, label_of(&t, i, text));
    const int left = x - width / 2, most = c->width - width - LABEL; /* none is cut at the edges */
    canvas_text(c, left > most ? most : left < LABEL ? LABEL : left, y + NEAR, LABEL, INK, text);
  }
}

void axes_left(canvas *c, box plot, axis a, bool grid, bool downwards) {
  const ticks t = ticks_left(a, plot.height);
  char text[32];
  for (int i = 0; i < t.count; i++) {
    const double share = share_of(&t, i, a);
    const int y = plot.y + (int)lround((downwards ? share : 1 - share) * plot.height);
    if (grid) canvas_fill(c, (box){plot.x, y, plot.width, 1}, GRID);
    canvas_fill(c, (box){plot.x - 6, y, 6, 1}, INK);
    const int width = canvas_text_width(LABEL, label_of(&t, i, text));
    canvas_text(c, plot.x - NEAR - width, y - FONT_BASE * LABEL / 2, LABEL, INK, text);
  }
}

void axes_scale(canvas *c, box plot, const colormap *map, double least, double greatest) {
  const box bar = {plot.x + plot.width + SCALE_GAP, plot.y, SCALE_WIDTH, scale_height(plot.height)};
  const axis a = {least, greatest, false};
  const ticks t = ticks_scale(a, bar.height);
  char text[32];
  for (int y = 0; y < bar.height; y++) {
    const double at = bar.height > 1 ? 1 - (double)y / (bar.height - 1) : 0.5;
    canvas_fill(c, (box){bar.x, bar.y + y, bar.width, 1}, colormap_at(map, at));
  }
  canvas_frame(c, bar, INK);
  for (int i = 0; i < t.count; i++) {
    const int y = bar.y + (int)lround((1 - share_of(&t, i, a)) * (bar.height - 1));
    canvas_fill(c, (box){bar.x + bar.width, y, 5, 1}, INK);
    canvas_text(c, bar.x + bar.width + SCALE_NEAR, y - FONT_BASE * LABEL / 2, LABEL, INK, label_of(&t, i, text));
  }
}

void axes_title(canvas *c, const char *text) {
  char shown[256];
  const int room = (c->width - 2 * EDGE) / (FONT_STEP * LABEL);
  (void)snprintf(shown, sizeof shown, "%s", text);
  if (room > 3 && (size_t)room < strlen(shown)) (void)snprintf(shown + room - 2, 3, "..");
  canvas_text(c, EDGE, (TITLE_HEIGHT - FONT_BASE * LABEL) / 2, LABEL, INK, shown);
}
