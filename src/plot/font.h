/* Text as strokes: measured, and fitted to pixels. */
#ifndef TSR_PLOT_FONT_H
#define TSR_PLOT_FONT_H

#include "plot/path.h"

#if TSR_HAVE_PLOT

/* Parts of the size of a text. */
#define TSR__FONT_CAPITAL 0.72 /* height of a capital, the width of its strokes included */
#define TSR__FONT_SMALL 0.54
#define TSR__FONT_BELOW 0.22 /* what g and y have below the line */

/* How wide a pen is for a text of size 1. */
double tsr__font_weight(bool bold);

/* The next character of UTF-8 text, U+FFFD for what is none; *text is moved behind it. 0 at the end. */
uint32_t tsr__font_next(const char **text);

/* How far the next character is; how wide a text is, from where it begins to where the next one would. */
double tsr__font_advance(uint32_t code, double size, bool bold);
double tsr__font_width(const char *text, double size, bool bold);

/* How large a text is drawn, and how its heights are fitted. */
typedef struct tsr__font_fit {
  double unit; /* of a hundredth of a capital, across */
  double pen;  /* width of the strokes */
  bool pixels; /* stems stand on whole pixels */
  double foot, small,
      capital; /* heights of the middle of strokes: on the line, on top of small letters and of capitals */
} tsr__font_fit;

/* The fit for a size: whole pixels for the heights of letters where pixels, else as they are. */
tsr__font_fit tsr__font_fit_of(double size, bool bold, bool pixels);

/* Draws one character at x, y (y down, that of the line) into a path of pieces that are stroked by fit->pen with round ends, and dots, which
 * are filled. */
void tsr__font_draw(tsr__plot_memory *memory, const tsr__font_fit *fit, uint32_t code, double x, double y,
                    tsr__plot_path *strokes, tsr__plot_path *dots);

#endif

#endif
