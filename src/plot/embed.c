/* PNG images as text. Up to 256 colours are a palette. */
#include "plot/embed.h"

#if TSR_HAVE_PLOT

#include <string.h>

/* ---- text ---- */

void tsr__writer_flush(tsr__plot_writer *w) {
  if (w->status == TSR_OK && w->used > 0) w->status = w->sink->write(w->sink->self, w->buffer, (size_t)w->used);
  w->used = 0;
}

void tsr__writer_char(tsr__plot_writer *w, char c) {
  if (w->used == (int)sizeof w->buffer) tsr__writer_flush(w);
  w->buffer[w->used++] = c;
}

void tsr__writer_text(tsr__plot_writer *w, const char *text) {
  while (*text != '\0') tsr__writer_char(w, *text++);
}

/* ---- base64 ---- */

typedef struct png_text {
  tsr__plot_writer *w;
  uint32_t bits;
  int held;                /* bytes in bits */
  uint32_t crc, low, high; /* of the present chunk; low and high are Adler's sums */
} png_text;

static void put_quad(png_text *p, int characters) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < 4; i++) tsr__writer_char(p->w, i < characters ? digits[p->bits >> (18 - 6 * i) & 63] : '=');
  p->bits = 0;
  p->held = 0;
}

static void put_raw(png_text *p, uint32_t byte) {
  p->bits |= byte << (16 - 8 * p->held);
  if (++p->held == 3) put_quad(p, 4);
}

/* ---- chunks ---- */

static void put(png_text *p, uint32_t byte) {
  byte &= 255;
  p->crc ^= byte;
  for (int i = 0; i < 8; i++) p->crc = p->crc >> 1 ^ (0xedb88320u & (0u - (p->crc & 1)));
  put_raw(p, byte);
}

static void put_four(png_text *p, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) put(p, value >> shift);
}

static void begin_chunk(png_text *p, uint32_t bytes, const char *type) {
  put_four(p, bytes);
  p->crc = 0xffffffffu;
  for (int i = 0; i < 4; i++) put(p, (uint32_t)type[i]);
}

static void end_chunk(png_text *p) { put_four(p, p->crc ^ 0xffffffffu); }

/* ---- colours ---- */

/* The colours of an image where they are few. */
enum { PALETTE = 256, SLOTS = 1024 };
typedef struct palette {
  uint32_t color[PALETTE];
  int16_t slot[SLOTS]; /* by a hash: the number of a colour; -1 */
  int count;
} palette;

/* The number of a colour, which is added when it is new; -1 when there is no room. */
static int find_color(palette *p, uint32_t color) {
  uint32_t at = color * 2654435761u >> 22;
  while (p->slot[at] >= 0 && p->color[p->slot[at]] != color) at = (at + 1) % SLOTS;
  if (p->slot[at] >= 0) return p->slot[at];
  if (p->count == PALETTE) return -1;
  p->color[p->count] = color;
  p->slot[at] = (int16_t)p->count;
  return p->count++;
}

static bool collect(palette *p, const uint32_t *colors, size_t n) {
  memset(p->slot, 0xff, sizeof p->slot);
  p->count = 0;
  for (size_t i = 0; i < n; i++)
    if (find_color(p, colors[i]) < 0) return false;
  return true;
}

static void put_palette(png_text *png, const palette *p) {
  begin_chunk(png, 3 * (uint32_t)p->count, "PLTE");
  for (int i = 0; i < p->count; i++)
    for (int shift = 16; shift >= 0; shift -= 8) put(png, p->color[i] >> shift);
  end_chunk(png);
  begin_chunk(png, (uint32_t)p->count, "tRNS");
  for (int i = 0; i < p->count; i++) put(png, p->color[i] >> 24);
  end_chunk(png);
}

/* ---- rows ---- */

static void put_data(png_text *p, uint32_t byte) {
  p->low = (p->low + (byte & 255)) % 65521;
  p->high = (p->high + p->low) % 65521;
  put(p, byte);
}

/* A stored block for each row: five bytes of its length, then a filter of none, then the pixels. */
static void put_row(png_text *png, palette *p, const uint32_t *row, int columns, bool last) {
  static const int order[4] = {16, 8, 0, 24};
  const uint32_t bytes = 1 + (uint32_t)columns * (p != NULL ? 1 : 4);
  put(png, last);
  put(png, bytes);
  put(png, bytes >> 8);
  put(png, ~bytes);
  put(png, ~bytes >> 8);
  put_data(png, 0);
  for (int i = 0; i < columns; i++) {
    if (p != NULL) put_data(png, (uint32_t)find_color(p, row[i]));
    for (int k = 0; k < 4 && p == NULL; k++) put_data(png, row[i] >> order[k]);
  }
}

void tsr__embed_png(tsr__plot_writer *w, const uint32_t *colors, int columns, int rows) {
  static const uint8_t head[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  png_text png = {.w = w, .low = 1};
  palette few;
  const bool indexed = collect(&few, colors, (size_t)columns * (size_t)rows);
  for (int i = 0; i < 8; i++) put_raw(&png, head[i]);
  begin_chunk(&png, 13, "IHDR");
  put_four(&png, (uint32_t)columns);
  put_four(&png, (uint32_t)rows);
  put_four(&png, indexed ? 0x08030000u : 0x08060000u); /* bits, kind of colour, then two zeros */
  put(&png, 0);
  end_chunk(&png);
  if (indexed) put_palette(&png, &few);
  begin_chunk(&png, 2 + (uint32_t)rows * (6 + (uint32_t)columns * (indexed ? 1 : 4)) + 4, "IDAT");
  put(&png, 0x78);
  put(&png, 0x01);
  for (int y = 0; y < rows; y++)
    put_row(&png, indexed ? &few : NULL, colors + (size_t)y * (size_t)columns, columns, y + 1 == rows);
  put_four(&png, png.high << 16 | png.low);
  end_chunk(&png);
  begin_chunk(&png, 0, "IEND");
  end_chunk(&png);
  if (png.held > 0) put_quad(&png, png.held + 1);
}

#endif
