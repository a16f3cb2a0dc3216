/** @file plot.h
 *  Pictures of tensors: lines, points, bars, histograms, heat maps and images, in panels with axes, drawn into an image tensor or
 *  written as SVG. A build without them (TSR_HAVE_PLOT 0, as on the mcu profile) declares nothing here.
 *
 *      tsr_plot *plot = NULL;
 *      st = tsr_plot_new(ctx, NULL, &plot);
 *      st = tsr_plot_panel(ctx, plot, &(tsr_plot_axes){.title = "Power", .x_time = TSR_UNIT_SECOND, .y_label = "kW"});
 *      st = tsr_plot_line(ctx, plot, &when, &power, &(tsr_plot_style){.label = "north"});
 *      st = tsr_plot_save(ctx, plot, "power.svg");
 *      tsr_plot_release(plot);
 *
 *  A picture is drawn from one description, so that PNG and SVG show the same. Lengths are points, which are pixels at scale 1; texts
 *  are UTF-8, and what the font does not have is a box. Numbers may be of any real dtype. What is not finite is not drawn: a gap in
 *  a line, a colour of its own in a heat map. The same bits on every instruction set.
 *
 *  docs/plots.md shows each kind. */
#ifndef TESSERA_PLOT_H
#define TESSERA_PLOT_H

#include <tessera/calendar.h>
#include <tessera/print.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_PLOT

/** A picture in the making. Used by one thread at a time. */
typedef struct tsr_plot tsr_plot;

/** A colour that is not the default: 0xRRGGBB, and with alpha, 0 (nothing) … 255. */
#define TSR_COLOR(rgb) (0xff000000u | (uint32_t)(rgb))
#define TSR_COLOR_ALPHA(rgb, alpha) ((uint32_t)(alpha) << 24 | ((uint32_t)(rgb)&0xffffffu))

typedef enum tsr_plot_theme { TSR_PLOT_LIGHT = 0, TSR_PLOT_DARK = 1 } tsr_plot_theme;

/** Colours for numbers. Lightness rises evenly from one end to the other (diverging: from the ends to the middle, or in dark pictures
 *  the other way), and neighbouring steps look equally far apart: each is a path through Oklab, computed. */
typedef enum tsr_plot_map {
  TSR_PLOT_MAP_AUTO = 0, /**< diverging where numbers of both signs are shown and 0 is well inside, else dusk */
  TSR_PLOT_DUSK = 1,     /**< blue, violet, orange, yellow */
  TSR_PLOT_GRAY = 2,
  TSR_PLOT_DIVERGING = 3, /**< blue, neutral, red; 0 is in the middle */
  TSR_PLOT_LAGOON = 4,    /**< one hue family: navy, teal, light green */
  TSR_PLOT_PHASE = 5      /**< a closed circle of hues, for angles */
} tsr_plot_map;

/** Where the legend is. */
typedef enum tsr_plot_legend {
  TSR_PLOT_LEGEND_AUTO = 0, /**< in the corner that covers nothing; where there is none, to the right of the panel */
  TSR_PLOT_LEGEND_NONE = 1,
  TSR_PLOT_LEGEND_RIGHT = 2,
  TSR_PLOT_LEGEND_TOP_RIGHT = 3,
  TSR_PLOT_LEGEND_TOP_LEFT = 4,
  TSR_PLOT_LEGEND_BOTTOM_LEFT = 5,
  TSR_PLOT_LEGEND_BOTTOM_RIGHT = 6
} tsr_plot_legend;

typedef enum tsr_plot_marker {
  TSR_PLOT_NO_MARKER = 0,
  TSR_PLOT_CIRCLE = 1, /**< that of scatter, where none is given */
  TSR_PLOT_SQUARE = 2,
  TSR_PLOT_TRIANGLE = 3,
  TSR_PLOT_DIAMOND = 4,
  TSR_PLOT_CROSS = 5
} tsr_plot_marker;

typedef enum tsr_plot_dash { TSR_PLOT_SOLID = 0, TSR_PLOT_DASHED = 1, TSR_PLOT_DOTTED = 2 } tsr_plot_dash;

/** A picture; 0 is the default of each. */
typedef struct tsr_plot_options {
  double width,
      height;        /**< points; 0: 640 × 400 for each panel of a column and row, heat maps and images as they need */
  double scale;      /**< pixels of a point; 0: 1. SVG has none */
  double text_size;  /**< points; 0: 13 */
  int theme;         /**< TSR_PLOT_LIGHT … */
  int columns;       /**< of panels; 0: about as many as rows */
  const char *title; /**< of the whole; NULL: none. Copied, as all texts are */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_plot_options;

/** A panel with its axes; 0 is the default of each. */
typedef struct tsr_plot_axes {
  const char *title, *x_label, *y_label;
  const char *color_label; /**< beside the bar of colours */
  bool x_log, y_log;       /**< numbers that are not positive are left out, and the picture says how many */
  int x_time;          /**< TSR_UNIT_SECOND …: x is a time since 1970, as in columns of dates; TSR_NO_TIME is a gap */
  double x_min, x_max; /**< both 0: from the data, with a little air */
  double y_min, y_max; /**< the same */
  int legend;          /**< TSR_PLOT_LEGEND_AUTO … */
  int names;           /**< how many names there are */
  const char *const *x_names;    /**< of bars 0, 1, …; NULL: numbers */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_plot_axes;

/** How something is drawn; 0 is the default of each. */
typedef struct tsr_plot_style {
  const char *label; /**< in the legend; NULL: not there */
  uint32_t color;    /**< TSR_COLOR(0x2b6f93); 0: the next of eight that differ for colour-blind readers too */
  double width;      /**< of a line; 0: 1.5 points */
  double size;       /**< of markers; 0: 6 points, less where there are many */
  int marker;        /**< TSR_PLOT_CIRCLE …; lines have none by default */
  int dash;          /**< TSR_PLOT_SOLID … */
  int map;           /**< TSR_PLOT_MAP_AUTO …: of numbers as colours */
  double min, max;   /**< what the first and last colour stand for, or the ends of a histogram; both 0: from the data */
  int bins;          /**< of a histogram; 0: by the data */
  bool steps;        /**< a line goes across, then up */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_plot_style;

/** Limits: pixels of a picture, panels, things drawn in one panel, bytes of one text. More is TSR_ELIMIT. */
enum { TSR_PLOT_PIXELS = 1 << 28, TSR_PLOT_PANELS = 256, TSR_PLOT_SERIES = 1000, TSR_PLOT_TEXT = 1000 };

/** Begins a picture, with memory from the context's allocator, which must outlive it. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_new(tsr_ctx *ctx, const tsr_plot_options *options, tsr_plot **plot);

/** Begins the next panel: what follows is drawn in it. Panels fill rows from the left. Without this call there is one panel with
 *  the defaults. axes may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_panel(tsr_ctx *ctx, tsr_plot *plot, const tsr_plot_axes *axes);

/** Adds y against x, vectors of one length; x NULL: against 0, 1, …. A y of rank 2 is a line for each of its columns. Where x never falls,
 *  what is drawn of many points is bounded: the first, last, least and greatest of each column of pixels.
 *
 *  For this and all below: tensors are read when the picture is drawn. Those that count their storage are shared until the plot is
 *  released, others are copied now. TSR_EDTYPE: complex; TSR_ESHAPE: ranks and lengths that do not fit. style may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_line(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *x, const tsr_tensor *y,
                                              const tsr_plot_style *style);

/** Adds a marker at each (x, y); color (NULL: one colour) gives each a colour of the map, and the panel a bar of colours. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_scatter(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *x, const tsr_tensor *y,
                                                 const tsr_tensor *color, const tsr_plot_style *style);

/** Adds bars from 0 to y at x (NULL: 0, 1, …, with the panel's names). Several calls stand side by side. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_bars(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *x, const tsr_tensor *y,
                                              const tsr_plot_style *style);

/** Adds how often which numbers are in a tensor of any shape. Where tails are heavy, the axis ends at quantiles, and what is beyond is counted in
 *  a bar at each edge, in another colour; a line below the panel says so. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_hist(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *values,
                                              const tsr_plot_style *style);

/** Adds a matrix as colours, row 0 at the top, ticks at the middle of cells, a bar of colours. More axes: all matrices of the last
 *  two, side by side, without ticks. Of a matrix that is larger than its pixels, means are shown. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_heat(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *values,
                                              const tsr_plot_style *style);

/** Adds an image in its own colours: [H,W], [H,W,3] or [H,W,4], u8, u16, or floats from 0 to 1. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_image(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *image,
                                               const tsr_plot_style *style);

/** Draws it: u8 [height, width, 3]. An empty *image is allocated, a given one is written into. It can be drawn again, and with more in it. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_draw(tsr_ctx *ctx, const tsr_plot *plot, tsr_tensor *image);

/** Writes it as SVG: UTF-8 text without scripts or references to anything outside. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_write_svg(tsr_ctx *ctx, const tsr_plot *plot, const tsr_sink *sink);

#if TSR_HAVE_STDIO
/** Saves it by the end of the path: .svg, or .png (TSR_EUNSUPPORTED in a build without libpng). Another end is TSR_EARG. */
TSR_API TSR_MUST_USE tsr_status tsr_plot_save(tsr_ctx *ctx, const tsr_plot *plot, const char *path);
#endif

/** Color at of a map, 0 … 1: 0xffRRGGBB; what is beyond is cut off. NaN: the colour that stands for it. */
TSR_API uint32_t tsr_plot_color(int map, int theme, double at);

/** Ends it. NULL is fine. */
TSR_API void tsr_plot_release(tsr_plot *plot);

#endif

#ifdef __cplusplus
}
#endif

#endif
