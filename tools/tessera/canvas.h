/* A picture in memory, and what is drawn on it. */
#ifndef TESSERA_CANVAS_H
#define TESSERA_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct canvas {
  int width, height;
  uint8_t *rgb; /* three bytes a pixel, row by row; owned */
} canvas;

typedef struct box {
  int x, y, width, height;
} box;

/* Colours of pictures, 0xRRGGBB. */
enum { INK = 0x222222, PAPER = 0xffffff, GRID = 0xe3e3e3, ACCENT = 0x2b6f93 };

/* White; false when there is no memory: reported. */
bool canvas_init(canvas *c, int width, int height);
void canvas_release(canvas *c);

/* What lies outside is left out. */
void canvas_fill(canvas *c, box b, uint32_t color);
void canvas_frame(canvas *c, box b, uint32_t color);

/* A line of that thickness, smooth. */
void canvas_line(canvas *c, double x0, double y0, double x1, double y1, double thickness, uint32_t color);

/* Text whose first character's upper left corner is at x, y; scale pixels a dot. */
void canvas_text(canvas *c, int x, int y, int scale, uint32_t color, const char *text);
int canvas_text_width(int scale, const char *text);

#endif
