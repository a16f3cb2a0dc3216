#include "canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "font.h"
#include "report.h"

bool canvas_init(canvas *c, int width, int height) {
  const size_t bytes = (size_t)width * (size_t)height * 3;
  *c = (canvas){.width = width, .height = height, .rgb = malloc(bytes)};
  if (c->rgb == NULL) return report("out of memory"), false;
  memset(c->rgb, 255, bytes);
  return true;
}

void canvas_release(canvas *c) {
  free(c->rgb);
  *c = (canvas){0};
}

static void put(canvas *c, int x, int y, uint32_t color) {
  if (x < 0 || y < 0 || x >= c->width || y >= c->height) return;
  uint8_t *p = c->rgb + ((size_t)y * (size_t)c->width + (size_t)x) * 3;
  p[0] = (uint8_t)(color >> 16);
  p[1] = (uint8_t)(color >> 8);
  p[2] = (uint8_t)color;
}

void canvas_fill(canvas *c, box b, uint32_t color) {
  for (int y = b.y; y < b.y + b.height; y++)
    for (int x = b.x; x < b.x + b.width; x++) put(c, x, y, color);
}

void canvas_frame(canvas *c, box b, uint32_t color) {
  canvas_fill(c, (box){b.x - 1, b.y - 1, b.width + 2, 1}, color);
  canvas_fill(c, (box){b.x - 1, b.y + b.height, b.width + 2, 1}, color);
  canvas_fill(c, (box){b.x - 1, b.y, 1, b.height}, color);
  canvas_fill(c, (box){b.x + b.width, b.y, 1, b.height}, color);
}

/* Mixes a share of color into what is there. */
static void blend(canvas *c, int x, int y, uint32_t color, double share) {
  if (x < 0 || y < 0 || x >= c->width || y >= c->height || share <= 0) return;
  uint8_t *p = c->rgb + ((size_t)y * (size_t)c->width + (size_t)x) * 3;
  for (int i = 0; i < 3; i++) {
    const double to = (double)(color >> (16 - 8 * i) & 255);
    p[i] = (uint8_t)lround(p[i] + (to - p[i]) * fmin(share, 1));
  }
}

/* How far a point lies from a stretch. */
static double away(double x, double y, double x0, double y0, double dx, double dy) {
  const double length = dx * dx + dy * dy;
  const double at = length > 0 ? fmin(fmax(((x - x0) * dx + (y - y0) * dy) / length, 0), 1) : 0;
  return hypot(x - x0 - at * dx, y - y0 - at * dy);
}

/* A pixel is covered as far as its middle lies inside the line, half a pixel around its edge being the slope. */
void canvas_line(canvas *c, double x0, double y0, double x1, double y1, double thickness, uint32_t color) {
  const double around = thickness / 2 + 1;
  const int left = (int)floor(fmin(x0, x1) - around), right = (int)ceil(fmax(x0, x1) + around);
  const int top = (int)floor(fmin(y0, y1) - around), bottom = (int)ceil(fmax(y0, y1) + around);
  for (int y = top; y <= bottom; y++)
    for (int x = left; x <= right; x++)
      blend(c, x, y, color, thickness / 2 + 0.5 - away(x + 0.5, y + 0.5, x0, y0, x1 - x0, y1 - y0));
}

static void put_glyph(canvas *c, int x, int y, int scale, uint32_t color, const uint8_t *rows) {
  for (int row = 0; row < FONT_HEIGHT; row++)
    for (int column = 0; column < FONT_WIDTH; column++)
      if (rows[row] >> (FONT_WIDTH - 1 - column) & 1)
        canvas_fill(c, (box){x + column * scale, y + row * scale, scale, scale}, color);
}

void canvas_text(canvas *c, int x, int y, int scale, uint32_t color, const char *text) {
  for (; *text != '\0'; text++, x += FONT_STEP * scale) put_glyph(c, x, y, scale, color, font_rows(*text));
}

int canvas_text_width(int scale, const char *text) { return (int)strlen(text) * FONT_STEP * scale - scale; }
