/* Paths: lines and curves, as pens draw them. */
#ifndef TSR_PLOT_PATH_H
#define TSR_PLOT_PATH_H

#include "plot/array.h"

#if TSR_HAVE_PLOT

typedef enum tsr__plot_verb {
  TSR__PLOT_MOVE,  /* to 1 point: a new piece */
  TSR__PLOT_LINE,  /* to 1 point */
  TSR__PLOT_CURVE, /* a cubic: 3 points */
  TSR__PLOT_CLOSE  /* back to where the piece began */
} tsr__plot_verb;

typedef struct tsr__plot_point {
  double x, y;
} tsr__plot_point;

typedef struct tsr__plot_path {
  tsr__plot_array verbs;  /* uint8_t */
  tsr__plot_array points; /* tsr__plot_point */
} tsr__plot_path;

void tsr__path_move(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y);
void tsr__path_line(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y);
void tsr__path_curve(tsr__plot_memory *memory, tsr__plot_path *path, const tsr__plot_point *three);
void tsr__path_close(tsr__plot_memory *memory, tsr__plot_path *path);
void tsr__path_rect(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y, double width, double height);
void tsr__path_circle(tsr__plot_memory *memory, tsr__plot_path *path, double x, double y, double radius);
void tsr__path_clear(tsr__plot_path *path); /* keeps its memory */
void tsr__path_release(const tsr__plot_memory *memory, tsr__plot_path *path);

/* A part of a path: so many verbs, and their points. */
typedef struct tsr__plot_outline {
  const uint8_t *verbs;
  const tsr__plot_point *points;
  size_t count;
} tsr__plot_outline;

/* How many points a verb has. */
static inline int tsr__path_points(int verb) { return verb == TSR__PLOT_CURVE ? 3 : verb == TSR__PLOT_CLOSE ? 0 : 1; }

/* Point at of a cubic from a through b and c to d. */
tsr__plot_point tsr__path_cubic(tsr__plot_point a, const tsr__plot_point *three, double at);

/* Into how many lines a cubic goes so that none is more than a fortieth of a pixel off. */
int tsr__path_cubic_steps(tsr__plot_point a, const tsr__plot_point *three);

#endif

#endif
