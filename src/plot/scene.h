/* What a plot holds, and what drawing it finds out. */
#ifndef TSR_PLOT_SCENE_H
#define TSR_PLOT_SCENE_H

#include "core/check.h"
#include "plot/color.h"
#include "plot/list.h"
#include "plot/ticks.h"

#if TSR_HAVE_PLOT

typedef enum tsr__series_kind {
  TSR__SERIES_LINE,
  TSR__SERIES_SCATTER,
  TSR__SERIES_BARS,
  TSR__SERIES_HIST,
  TSR__SERIES_HEAT,
  TSR__SERIES_IMAGE
} tsr__series_kind;

/* Something that is drawn: its tensors are its own. */
typedef struct tsr__plot_series {
  int kind;
  tsr_tensor x, y, color; /* empty: none */
  tsr_plot_style style;   /* its label is the plot's copy */
} tsr__plot_series;

typedef struct tsr__plot_panel {
  tsr_plot_axes axes;  /* texts are the plot's copies */
  size_t first, count; /* of its series */
} tsr__plot_panel;

struct tsr_plot {
  tsr__plot_memory memory;
  tsr_plot_options options;
  tsr__plot_array panels, series; /* tsr__plot_panel, tsr__plot_series */
  tsr__plot_array texts;          /* tsr__plot_block: copies of texts */
};

typedef struct tsr__plot_block {
  void *data;
  size_t bytes;
} tsr__plot_block;

/* ---- drawing ---- */

typedef struct tsr__plot_range {
  double min, max; /* of finite numbers; NaN: there is none */
} tsr__plot_range;

typedef struct tsr__plot_hist {
  double min, max; /* where the axis ends */
  int bins;
  tsr__plot_array counts; /* int64_t: bins of them */
  int64_t below, above;   /* beyond the ends */
  int64_t most;
} tsr__plot_hist;

/* What a series is, once its numbers were seen. */
typedef struct tsr__plot_seen {
  tsr__plot_range x, y, color;
  bool sorted;          /* x never falls */
  bool whole;           /* x has whole numbers alone, and by its dtype */
  int64_t count, drawn; /* elements, and those that are finite */
  int64_t left_out;     /* finite, but not positive on a logarithmic axis */
  uint32_t paint;       /* its colour */
  tsr__plot_hist hist;
  int bar, bars;                  /* which of how many bars beside each other */
  double bar_width;               /* in units of x: from one bar to the next */
  tsr_index rows, columns, tiles; /* of heat maps and images */
  int across;                     /* tiles beside each other */
} tsr__plot_seen;

/* A panel on its way: sizes in points. */
typedef struct tsr__plot_frame {
  const tsr__plot_panel *panel;
  const tsr__plot_series *series;
  tsr__plot_seen *seen;            /* a row for each */
  double x, y, width, height;      /* of the axes' area */
  double left, right, top, bottom; /* what is around it */
  tsr__plot_scale xs, ys, cs;
  tsr__plot_ticks xt, yt, ct;
  tsr__plot_shades shades;
  bool bar;                  /* of colours */
  bool cells;                /* heat maps and images: rows from the top, framed */
  bool bare;                 /* no axes at all: tiles */
  int64_t missing, infinite; /* of cells */
  int map;
  double names_angle; /* of the names of bars */
  double aspect;      /* width to height that is wanted; 0: any */
  int legend;         /* where it is; TSR_PLOT_LEGEND_NONE */
  double legend_width, legend_height;
  char note[3][160]; /* what is said below */
  int notes;
} tsr__plot_frame;

enum { TSR__PLOT_BLOCK = 4096 };

typedef struct tsr__plot_draw {
  tsr_ctx *ctx;
  const char *op;
  const tsr_plot *plot;
  const tsr__plot_theme *theme;
  double size;   /* of text */
  double detail; /* parts of a point that can be told apart: pixels */
  tsr__plot_list list;
  double *block; /* 3 · TSR__PLOT_BLOCK numbers */
} tsr__plot_draw;

/* Called with parts of x, y and color (NULL where there is none), in order. */
typedef void tsr__pairs_fn(void *user, tsr_index n, const double *x, const double *y, const double *color);
tsr_status tsr__pairs_visit(tsr__plot_draw *d, const tsr__plot_frame *f, const tsr__plot_series *s, tsr__pairs_fn *fn,
                            void *user);

/* The same for all elements of a tensor in row-major order; x and color are NULL. */
tsr_status tsr__elements_visit(tsr__plot_draw *d, const tsr_tensor *t, tsr__pairs_fn *fn, void *user);

/* Numbers at 0 and at NULL, and their range so far. */
static inline void tsr__range_add(tsr__plot_range *range, double value) {
  if (!(range->min <= value)) range->min = value; /* where it is NaN, too */
  if (!(range->max >= value)) range->max = value;
}

/* Where numbers of a panel are in the picture. */
static inline double tsr__frame_x(const tsr__plot_frame *f, double v) {
  return f->x + tsr__scale_place(&f->xs, v) * f->width;
}
static inline double tsr__frame_y(const tsr__plot_frame *f, double v) {
  return f->y + (1 - tsr__scale_place(&f->ys, v)) * f->height;
}

/* Each kind looks at its numbers, then draws them; axes are drawn between. */
tsr_status tsr__xy_see(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);
tsr_status tsr__hist_see(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);
tsr_status tsr__cells_see(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);
tsr_status tsr__line_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);
tsr_status tsr__scatter_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);
tsr_status tsr__bars_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);
tsr_status tsr__hist_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);
tsr_status tsr__cells_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i);

/* ---- panels ---- */

/* Looks at all numbers and chooses what the axes go over. */
tsr_status tsr__frame_see(tsr__plot_draw *d, tsr__plot_frame *f);

/* Chooses ticks for an area of that size, and what is needed around it. */
void tsr__frame_measure(const tsr__plot_draw *d, tsr__plot_frame *f, double width, double height);

tsr_status tsr__frame_draw(tsr__plot_draw *d, tsr__plot_frame *f);

void tsr__legend_measure(const tsr__plot_draw *d, tsr__plot_frame *f);
void tsr__legend_draw(tsr__plot_draw *d, tsr__plot_frame *f, int corner);

/* Adds a line to what is said below a panel: text, then a count, then text. */
void tsr__frame_note(tsr__plot_frame *f, const char *text);

/* The whole picture as a list; *width and *height in points. list needs tsr__list_release either way. */
tsr_status tsr__plot_compose(tsr_ctx *ctx, const char *op, const tsr_plot *plot, double detail, tsr__plot_list *list);

#endif

#endif
