/* A full screen of text: what is to be seen is put together in memory, and only what has changed is sent. */
#ifndef TESSERA_SCREEN_H
#define TESSERA_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

/* How a character looks. Colours are 0xRRGGBB; SCREEN_PLAIN is the terminal's own. */
enum { SCREEN_PLAIN = -1, SCREEN_BOLD = 1, SCREEN_DIM = 2, SCREEN_REVERSE = 4 };

typedef struct screen_look {
  int32_t color, ground;
  uint8_t marks; /* SCREEN_BOLD and others */
} screen_look;

extern const screen_look look_plain, look_bold, look_dim, look_marked;

typedef struct screen_cell {
  uint32_t point; /* 0: the right half of the character before it */
  screen_look look;
} screen_cell;

typedef struct screen {
  int width, height;
  bool color;               /* else colours are left out */
  bool utf8;                /* else characters beyond ASCII become '?' */
  screen_cell *now, *shown; /* owned */
  bool stale;               /* nothing is known of what is shown */
} screen;

/* Takes the size; false when there is no memory. What is on it is blank. */
bool screen_resize(screen *s, int width, int height);
void screen_release(screen *s);

/* Blanks all of it. */
void screen_clear(screen *s);

/* Text from a place on, escaped, cut at the edge `end`; returns the column behind it. */
int screen_text(screen *s, int x, int y, int end, const char *text, screen_look look);

/* The same, set to the right of `end`, and cut at x. */
void screen_right(screen *s, int x, int y, int end, const char *text, screen_look look);

/* One character. */
void screen_put(screen *s, int x, int y, uint32_t point, screen_look look);

/* Sends what has changed to stdout. */
void screen_show(screen *s);

#endif
