/* Axes with numbers at them. */
#ifndef TESSERA_AXES_H
#define TESSERA_AXES_H

#include "canvas.h"
#include "colormap.h"

/* The font's size in labels, and the room that they take. */
enum { LABEL = 2, LABEL_HEIGHT = 18, TITLE_HEIGHT = 40, LEFT_ROOM = 96, BOTTOM_ROOM = 44, EDGE = 24 };

/* What an axis shows: numbers from least to greatest; whole ones only, where it counts. */
typedef struct axis {
  double least, greatest;
  bool whole;
} axis;

/* Numbers below, and on the left, of a plot; lines across it where grid is set. The upright axis grows upwards, or
 * downwards as the rows of a matrix do. */
void axes_below(canvas *c, box plot, axis a, bool grid);
void axes_left(canvas *c, box plot, axis a, bool grid, bool downwards);

/* The pixels that the numbers on the left of a plot of that height need: LEFT_ROOM, or more for long ones. */
int axes_left_room(axis a, int height);

/* A scale of colours on the right of a plot, with 3 to 7 numbers; it may be higher than the plot, but not lower than
 * its numbers need. */
enum { SCALE_ROOM = 130, SCALE_HEIGHT = 120 };
void axes_scale(canvas *c, box plot, const colormap *map, double least, double greatest);

/* The pixels that it needs on the right of a plot of that height: SCALE_ROOM, or more for long numbers. */
int axes_scale_room(int height, double least, double greatest);

/* The title of a picture, shortened to its width. */
void axes_title(canvas *c, const char *text);

#endif
