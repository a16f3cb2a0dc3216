#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

const screen_look look_plain = {SCREEN_PLAIN, SCREEN_PLAIN, 0}, look_bold = {SCREEN_PLAIN, SCREEN_PLAIN, SCREEN_BOLD},
                  look_dim = {SCREEN_PLAIN, SCREEN_PLAIN, SCREEN_DIM},
                  look_marked = {SCREEN_PLAIN, SCREEN_PLAIN, SCREEN_REVERSE};

void screen_clear(screen *s) {
  for (int i = 0; i < s->width * s->height; i++) s->now[i] = (screen_cell){.point = ' ', .look = look_plain};
}

bool screen_resize(screen *s, int width, int height) {
  const size_t cells = (size_t)width * (size_t)height;
  screen_cell *now = calloc(cells + 1, sizeof *now), *shown = calloc(cells + 1, sizeof *shown);
  if (now == NULL || shown == NULL) return free(now), free(shown), false;
  screen_release(s);
  s->now = now;
  s->shown = shown;
  s->width = width;
  s->height = height;
  s->stale = true;
  screen_clear(s);
  return true;
}

void screen_release(screen *s) {
  free(s->now);
  free(s->shown);
  s->now = s->shown = NULL;
  s->width = s->height = 0;
}

/* ---- putting ---- */

/* Characters that take two places, by the blocks that have them. */
static bool is_wide(uint32_t p) {
  return p >= 0x1100 && (p <= 0x115f || (p >= 0x2e80 && p <= 0xa4cf) || (p >= 0xac00 && p <= 0xd7a3) ||
                         (p >= 0xf900 && p <= 0xfaff) || (p >= 0xfe30 && p <= 0xfe6f) || (p >= 0xff00 && p <= 0xff60) ||
                         (p >= 0xffe0 && p <= 0xffe6) || (p >= 0x1f300 && p <= 0x1faff) || p >= 0x20000);
}

/* Marks that stand on the character before them have no place of their own, and are left out. */
static bool is_mark(uint32_t p) { return (p >= 0x300 && p <= 0x36f) || (p >= 0xfe00 && p <= 0xfe0f); }

void screen_put(screen *s, int x, int y, uint32_t point, screen_look look) {
  if (x < 0 || y < 0 || x >= s->width || y >= s->height) return;
  if (!s->color) look.color = look.ground = SCREEN_PLAIN;
  s->now[y * s->width + x] = (screen_cell){.point = point < 0x80 || s->utf8 || point == 0 ? point : '?', .look = look};
}

static int put_point(screen *s, int x, int y, int end, uint32_t point, screen_look look) {
  if (is_mark(point)) return x;
  if (!is_wide(point) || !s->utf8) return screen_put(s, x, y, point, look), x + 1;
  if (x + 2 > end) return screen_put(s, x, y, ' ', look), end;
  screen_put(s, x, y, point, look);
  screen_put(s, x + 1, y, 0, look);
  return x + 2;
}

int screen_text(screen *s, int x, int y, int end, const char *text, screen_look look) {
  char safe[1024];
  if (end > s->width) end = s->width;
  (void)text_escape(text, TEXT_LINE, safe, sizeof safe);
  for (const char *at = safe; *at != '\0' && x < end;) {
    int bytes;
    bool unsafe;
    const uint32_t point = text_decode(at, &bytes, &unsafe);
    x = put_point(s, x, y, end, unsafe ? '?' : point, look);
    at += bytes > 0 ? bytes : 1;
  }
  return x;
}

void screen_right(screen *s, int x, int y, int end, const char *text, screen_look look) {
  const int width = (int)text_width(text, TEXT_LINE), from = end - width;
  (void)screen_text(s, from > x ? from : x, y, end, text, look);
}

/* ---- showing ---- */

static bool is_same_look(screen_look a, screen_look b) {
  return a.color == b.color && a.ground == b.ground && a.marks == b.marks;
}

static bool is_same(const screen_cell *a, const screen_cell *b) {
  return a->point == b->point && is_same_look(a->look, b->look);
}

static void put_color(int plane, int32_t color) {
  if (color >= 0)
    (void)printf(";%d;2;%d;%d;%d", plane, (int)(color >> 16 & 255), (int)(color >> 8 & 255), (int)(color & 255));
}

static void put_look(screen_look look) {
  (void)fputs("\x1b[0", stdout);
  if ((look.marks & SCREEN_BOLD) != 0) (void)fputs(";1", stdout);
  if ((look.marks & SCREEN_DIM) != 0) (void)fputs(";2", stdout);
  if ((look.marks & SCREEN_REVERSE) != 0) (void)fputs(";7", stdout);
  put_color(38, look.color);
  put_color(48, look.ground);
  (void)putchar('m');
}

static void put_utf8(uint32_t p) {
  if (p < 0x80) {
    (void)putchar((int)p);
  } else if (p < 0x800) {
    (void)putchar((int)(0xc0 | p >> 6));
    (void)putchar((int)(0x80 | (p & 63)));
  } else {
    if (p >= 0x10000) (void)putchar((int)(0xf0 | p >> 18));
    (void)putchar((int)(p >= 0x10000 ? 0x80 | (p >> 12 & 63) : 0xe0 | p >> 12));
    (void)putchar((int)(0x80 | (p >> 6 & 63)));
    (void)putchar((int)(0x80 | (p & 63)));
  }
}

/* The cursor is moved where cells were passed over, and the look said where it changes. */
static void show_row(const screen *s, int y, screen_look *look) {
  int at = -1;
  for (int x = 0; x < s->width; x++) {
    const screen_cell *cell = &s->now[y * s->width + x];
    if (!s->stale && is_same(cell, &s->shown[y * s->width + x])) continue;
    if (cell->point == 0) continue; /* it came with the one before */
    if (at != x) (void)printf("\x1b[%d;%dH", y + 1, x + 1);
    if (!is_same_look(*look, cell->look)) put_look(cell->look);
    *look = cell->look;
    put_utf8(cell->point);
    at = x + (is_wide(cell->point) ? 2 : 1);
  }
}

void screen_show(screen *s) {
  screen_look look = look_plain;
  if (s->stale) (void)fputs("\x1b[0m\x1b[2J", stdout);
  for (int y = 0; y < s->height; y++) show_row(s, y, &look);
  (void)fputs("\x1b[0m", stdout);
  (void)fflush(stdout);
  memcpy(s->shown, s->now, (size_t)s->width * (size_t)s->height * sizeof *s->now);
  s->stale = false;
}
