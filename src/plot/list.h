/* A picture as a list of things to draw, in points from the top left: what is made into pixels, or into SVG. */
#ifndef TSR_PLOT_LIST_H
#define TSR_PLOT_LIST_H

#include "plot/path.h"

#include <tessera/plot.h>

#if TSR_HAVE_PLOT

typedef enum tsr__plot_kind {
  TSR__PLOT_FILL,   /* a path */
  TSR__PLOT_STROKE, /* a path */
  TSR__PLOT_TEXT,
  TSR__PLOT_MARKERS, /* one shape at many points */
  TSR__PLOT_CELLS,   /* colours in rows and columns, over a rectangle */
  TSR__PLOT_CLIP     /* to a rectangle, for what follows; a width of 0: no more */
} tsr__plot_kind;

enum {
  TSR__PLOT_SNAP = 1,   /* edges lie on whole pixels: frames, bars, ticks */
  TSR__PLOT_ROUND = 2,  /* ends and joins of a stroke */
  TSR__PLOT_BOLD = 4,   /* text */
  TSR__PLOT_SMOOTH = 8, /* cells that are an image: means of it where pixels are fewer */
};

typedef struct tsr__plot_item {
  uint8_t kind, flags, dash, marker;
  uint32_t color;              /* 0xAARRGGBB */
  double width;                /* of a stroke; the size of a text, a marker */
  double x, y, wide, high;     /* a rectangle; where a text stands on its line */
  double anchor, angle;        /* of a text: 0 begins at x, 0.5 is centred, 1 ends; degrees, counter-clockwise */
  size_t verbs, points, count; /* of the path: where in the list's; the number of verbs, or of markers */
  size_t text;                 /* where in texts */
  size_t colors;               /* where in colors: of each marker (or SIZE_MAX: one colour), of cells */
  int columns, rows;
} tsr__plot_item;

typedef struct tsr__plot_list {
  tsr__plot_memory memory;
  double width, height; /* points */
  double text_size;
  uint32_t paper;
  tsr__plot_path path;                  /* of all items */
  tsr__plot_array items, texts, colors; /* tsr__plot_item, char, uint32_t */
} tsr__plot_list;

void tsr__list_release(tsr__plot_list *list);

/* Begins a path: what is added to list->path from now on is that of the item that ends it. */
typedef struct tsr__plot_begun {
  size_t verbs, points;
} tsr__plot_begun;
tsr__plot_begun tsr__list_begin(const tsr__plot_list *list);
void tsr__list_fill(tsr__plot_list *list, tsr__plot_begun from, int flags, uint32_t color);
void tsr__list_stroke(tsr__plot_list *list, tsr__plot_begun from, int flags, int dash, double width, uint32_t color);

/* The common ones. */
void tsr__list_line(tsr__plot_list *list, double x0, double y0, double x1, double y1, double width, uint32_t color);
void tsr__list_rect(tsr__plot_list *list, double x, double y, double width, double height, int flags, uint32_t color);
void tsr__list_frame(tsr__plot_list *list, double x, double y, double width, double height, double pen, uint32_t color);

/* A text on its line; empty ones and NULL are nothing. */
typedef struct tsr__plot_label {
  const char *text;
  double x, y, size, anchor, angle;
  bool bold;
  uint32_t color;
} tsr__plot_label;
void tsr__list_text(tsr__plot_list *list, const tsr__plot_label *label);

/* The same, smaller where it is wider than that, and with an ellipsis where that is not enough. */
void tsr__list_text_within(tsr__plot_list *list, const tsr__plot_label *label, double width);

void tsr__list_clip(tsr__plot_list *list, double x, double y, double width, double height);
void tsr__list_unclip(tsr__plot_list *list);

/* Markers at the points that were added to list->path as moves since from; colors has one for each, or is NULL. */
void tsr__list_markers(tsr__plot_list *list, tsr__plot_begun from, int marker, double size, uint32_t color,
                       size_t colors);

/* A new item with a place for columns·rows colours, row by row; NULL when there is no memory. */
uint32_t *tsr__list_cells(tsr__plot_list *list, double x, double y, double width, double height, int columns, int rows,
                          int flags);

/* The shape of a marker around x, y. TSR_PLOT_CROSS is stroked, the others are filled. */
void tsr__list_shape(tsr__plot_memory *memory, tsr__plot_path *path, int marker, double x, double y, double size);

/* Lengths of strokes and gaps of a dash, for a pen of width 1; *count of them, 0 for a solid one. */
const double *tsr__list_dashes(int dash, int *count);

/* The path of a fill or stroke. */
tsr__plot_outline tsr__list_outline(const tsr__plot_list *list, const tsr__plot_item *item);

/* ---- what becomes of a list ---- */

/* Pixels of a list at a scale: width·height·3 bytes. TSR_ENOMEM. */
tsr_status tsr__list_paint(tsr_ctx *ctx, const char *op, const tsr__plot_list *list, double scale, int width,
                           int height, uint8_t *pixels);

/* The list as SVG. */
tsr_status tsr__list_svg(tsr_ctx *ctx, const char *op, const tsr__plot_list *list, const char *title,
                         const tsr_sink *sink);

#endif

#endif
