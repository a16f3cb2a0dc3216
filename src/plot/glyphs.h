/* The letters of pictures, drawn for this project: strokes of one width, as a pen with a round tip makes them.
 *
 * A row is a letter's number in Unicode, its width, the room left and right of it, and its strokes. Units: 100 is the height of a capital, from
 * the middle of the stroke at its foot (0) to that at its top; small letters are 70 high. In strokes,
 *   M x y  begins,  L x y  is a line,  C x y x y x y  a cubic,  Z closes,  D x y  is a dot,
 *   H x y  is a quarter of an oval that leaves horizontally,  V x y  one that leaves vertically.
 * Rows are in order. */
#ifndef TSR_PLOT_GLYPHS_H
#define TSR_PLOT_GLYPHS_H

#include <stdint.h>

typedef struct tsr__plot_glyph {
  uint32_t code;
  uint8_t width;
  int8_t left, right;
  const char *strokes;
} tsr__plot_glyph;

/* A letter with a mark; or another's strokes, raised, lowered, or as they are. */
typedef struct tsr__plot_composed {
  uint16_t code, base;
  uint8_t mark; /* TSR__MARK_... */
} tsr__plot_composed;

enum {
  TSR__MARK_NONE,
  TSR__MARK_GRAVE,
  TSR__MARK_ACUTE,
  TSR__MARK_CIRCUMFLEX,
  TSR__MARK_TILDE,
  TSR__MARK_DIAERESIS,
  TSR__MARK_RING,
  TSR__MARK_CARON,
  TSR__MARK_MACRON,
  TSR__MARK_BREVE,
  TSR__MARK_DOT,
  TSR__MARK_DOUBLE_ACUTE,
  TSR__MARK_CEDILLA,
  TSR__MARK_OGONEK,
  TSR__MARK_COMMA, /* behind the letter */
  TSR__MARK_STROKE,
  TSR__MARKS,
  TSR__MARK_SUPER = 100,
  TSR__MARK_SUB = 101
};

extern const tsr__plot_glyph tsr__plot_glyphs[];
extern const int tsr__plot_glyph_count;
extern const tsr__plot_composed tsr__plot_composeds[];
extern const int tsr__plot_composed_count;
extern const char *const tsr__plot_marks[TSR__MARKS]; /* around x = 0, above a small letter */

#endif
