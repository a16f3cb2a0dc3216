/* A small bitmap font for labels: ASCII, five by nine. */
#ifndef TESSERA_FONT_H
#define TESSERA_FONT_H

#include <stdint.h>

enum { FONT_WIDTH = 5, FONT_HEIGHT = 9, FONT_STEP = 6, FONT_BASE = 7 /* rows above the base line */ };

/* Rows of a character, the highest bit of five on the left; a box for what is not ASCII. */
const uint8_t *font_rows(char c);

#endif
