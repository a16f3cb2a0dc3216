/* tessera plot: tensors and columns as pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "formats.h"
#include "magnitude.h"
#include "output.h"
#include "plot.h"
#include "report.h"
#include "source.h"
#include "text.h"

#if TSR_HAVE_PLOT

/* ---- options ---- */

static bool read_map(const arguments *args, drawing *d) {
  static const char *const maps[] = {"dusk", "gray", "diverging", "lagoon", "phase"};
  const char *name = args_value(args, "map", NULL);
  d->map_chosen = name != NULL;
  for (int i = 0; i < 5 && name != NULL; i++)
    if (strcmp(name, maps[i]) == 0) d->style.map = TSR_PLOT_DUSK + i;
  return name == NULL || d->style.map != TSR_PLOT_MAP_AUTO ||
         (report("--map: '%s' is none of dusk, gray, diverging, lagoon, phase", name), false);
}

static bool read_theme(const arguments *args, tsr_plot_options *o) {
  const char *theme = args_value(args, "theme", "light");
  o->theme = strcmp(theme, "dark") == 0 ? TSR_PLOT_DARK : TSR_PLOT_LIGHT;
  return o->theme == TSR_PLOT_DARK || strcmp(theme, "light") == 0 ||
         (report("--theme: '%s' is neither light nor dark", theme), false);
}

enum { NARROWEST = 200, LOWEST = 150, LARGEST = 16000 };

/* --size 640x400, or --width and --height. */
static bool read_size(const arguments *args, tsr_plot_options *o) {
  long width, height;
  char *end = NULL;
  const char *size = args_value(args, "size", NULL);
  if (!args_integer(args, "width", NARROWEST, LARGEST, 0, &width)) return false;
  if (!args_integer(args, "height", LOWEST, LARGEST, 0, &height)) return false;
  if (size != NULL) {
    width = strtol(size, &end, 10);
    height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end != '\0' || width < NARROWEST || width > LARGEST || height < LOWEST || height > LARGEST)
      return report("--size: '%s' is not %dx%d to %dx%d", size, NARROWEST, LOWEST, LARGEST, LARGEST), false;
  }
  o->width = (double)width;
  o->height = (double)height;
  return true;
}

static bool read_options(const arguments *args, drawing *d, tsr_plot_options *o) {
  long bins;
  if (!read_map(args, d) || !read_theme(args, o) || !read_size(args, o)) return false;
  if (!args_real(args, "min", (double)NAN, &d->colors.least)) return false;
  if (!args_real(args, "max", (double)NAN, &d->colors.greatest)) return false;
  if (!isnan(d->colors.least) && !isnan(d->colors.greatest) && d->colors.least >= d->colors.greatest)
    return report("--min %g is not below --max %g", d->colors.least, d->colors.greatest), false;
  if (!args_integer(args, "bins", 1, 1000, 0, &bins)) return false;
  if (!args_real(args, "scale", 1, &o->scale)) return false;
  if (o->scale < 0.25 || o->scale > 16) return report("--scale: from 0.25 to 16"), false;
  d->colors.map = colormap_find(d->style.map == TSR_PLOT_DIVERGING ? "diverging" : NULL);
  d->style.bins = (int)bins;
  d->axes.x_log = args_has(args, "log-x");
  d->axes.y_log = args_has(args, "log-y");
  d->axes.x_label = args_value(args, "x-label", NULL);
  d->axes.y_label = args_value(args, "y-label", NULL);
  return true;
}

/* ---- what is written ---- */

static bool is_svg(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".svg") == 0;
}

static bool save(tsr_ctx *ctx, const char *path, const tsr_plot *plot) {
  tsr_bundle bundle;
  tsr_tensor image = {0};
  const int png = format_find("png");
  if (is_svg(path)) return tsr_plot_save(ctx, plot, path) == TSR_OK || (report_failure(ctx, NULL), false);
  if (png == 0 || tsr_bundle_init(ctx, &bundle) != TSR_OK) return false;
  tsr_status st = tsr_plot_draw(ctx, plot, &image);
  if (st == TSR_OK) st = tsr_bundle_add(ctx, &bundle, "picture", &image);
  const bool ok =
      st == TSR_OK ? output_save(ctx, path, png, &(output){.bundle = &bundle}) : (report_failure(ctx, NULL), false);
  tsr_bundle_release(&bundle);
  tsr_release(&image);
  return ok;
}

/* ---- all of it ---- */

/* "name  f32 [2,3]"; |name| where magnitudes of complex numbers are drawn. */
enum { TITLE = 256 };
static void usual_title(const target *t, char title[TITLE]) {
  const char *bar = is_complex(&t->tensor) ? "|" : "";
  char name[160], shape[TEXT_SHAPE];
  (void)text_escape(target_label(t), TEXT_NAME, name, sizeof name);
  (void)snprintf(title, TITLE, "%s%s%s  %s %s", bar, name, bar, tsr_dtype_name(t->tensor.dtype),
                 text_shape(t->tensor.ndim, t->tensor.shape, shape));
}

static bool draw_target(drawing *d, target *t, const char *kind) {
  tsr_tensor numbers = {0};
  char title[TITLE];
  if (tsr_size(&t->tensor) == 0) return report("%s has no elements", target_label(t)), false;
  tsr_status st = target_fetch(d->ctx, t);
  if (st == TSR_OK) st = magnitudes_or_view(d->ctx, &t->tensor, &numbers);
  if (st != TSR_OK) return report_failure(d->ctx, target_label(t)), false;
  usual_title(t, title);
  d->axes.title = args_value(d->args, "title", title);
  const bool ok = plot_tensor(d, &numbers, kind);
  tsr_release(&numbers);
  return ok;
}

static bool draw_file(drawing *d, const char *operand, const char *kind) {
  source from;
  targets found;
  if (!source_open(d->ctx, operand, &from, &found)) return false;
  bool ok = found.count == 1;
  if (!ok) report("%s names %lld tensors: say which, as %s:NAME", operand, (long long)found.count, from.file);
  ok = ok && draw_target(d, &found.list[0], kind);
  targets_release(&found);
  source_release(&from);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const char *path = args_value(args, "output", NULL), *kind = args_value(args, "kind", NULL);
  drawing d = {.ctx = ctx, .args = args};
  tsr_plot_options options = {0};
  if (path == NULL) return report("say where the picture goes: -o out.png");
  if (!read_options(args, &d, &options) || (kind != NULL && !plot_is_kind(kind))) return FAILED;
  if (tsr_plot_new(ctx, &options, &d.plot) != TSR_OK) return report_failure(ctx, NULL);
  bool ok;
  if (plot_wants_columns(ctx, args)) {
    d.axes.title = args_value(args, "title", NULL);
    ok = plot_columns(&d, args->operands[0], kind);
  } else {
    ok = draw_file(&d, args->operands[0], kind);
  }
  ok = ok && save(ctx, path, d.plot);
  tsr_plot_release(d.plot);
  return ok ? DONE : FAILED;
}

#else

static int run(tsr_ctx *ctx, const arguments *args) {
  (void)ctx, (void)args;
  return report("this build draws no pictures");
}

#endif

static const option options[] = {
    {"output", 'o', "FILE", "where the picture goes, .png or .svg; - is standard output, as PNG"},
    {"kind", 'k', "KIND", "heat, hist, line, grid, image, scatter, bars; else by the shape"},
    {"x", 'x', "COLUMN", "what lines, points and bars stand over; else the first column of dates"},
    {"y", 'y', "COLUMNS", "what is drawn, up to 8, as a,b; else all columns of numbers"},
    {"log-x", 0, NULL, "the axis below is logarithmic"},
    {"log-y", 0, NULL, "the axis on the left is logarithmic"},
    {"map", 0, "NAME", "colours: dusk, gray, diverging, lagoon, phase; else dusk, or diverging around 0"},
    {"min", 0, "NUMBER", "what the first colour, or the axis, begins with; else the least element"},
    {"max", 0, "NUMBER", "what the last colour, or the axis, ends with; else the greatest"},
    {"bins", 0, "COUNT", "bars of a histogram; else by the data"},
    {"theme", 0, "NAME", "light, dark"},
    {"title", 0, "TEXT", "else name, dtype and shape"},
    {"x-label", 0, "TEXT", "below; else the column's name"},
    {"y-label", 0, "TEXT", "on the left; else the column's name"},
    {"size", 0, "SIZE", "of the picture in points, as 640x400"},
    {"width", 0, "POINTS", "of the picture alone"},
    {"height", 0, "POINTS", "of the picture alone"},
    {"scale", 0, "NUMBER", "pixels of a point (1); 2 for screens of high resolution"},
    {0}};

const command plot_command = {
    .name = "plot",
    .summary = "draws tensors and columns as PNG or SVG pictures",
    .usage = "[OPTION]... -o FILE FILE[:NAME][SLICE]",
    .about =
        "heat: the last two axes, with a scale of colours. grid: all such matrices side by side, as the filters of a\n"
        "convolution. line: the last axis, one line for each of up to 8 rows, with a gap where a number is NaN or\n"
        "infinite. bars: the same as bars. hist: how often which numbers are there; where tails are heavy, the rest "
        "is\n"
        "counted at the edges. scatter: [N,2], or [N,3] with a colour. image: [H,W,3] or [H,W,4] of u8, u16 or floats\n"
        "from 0 to 1 in its own colours. Without --kind, a vector is drawn as a line, a matrix as a heat map, an "
        "image\n"
        "as one unless --map is given, more axes as a grid. Of complex numbers the magnitudes are drawn, and the "
        "title\n"
        "says |NAME|.\n"
        "Tables with named columns, dates or text are drawn by columns; so are the vectors of other files, with --x "
        "and\n"
        "--y. With --x and one column they are points unless x is a date; --color COLUMN colours points by its\n"
        "numbers, and draws a line or points for each of its texts.",
    .examples =
        "  tessera plot model.safetensors:encoder.w -o w.png\n"
        "  tessera plot --kind hist 'model.safetensors:head.w' -o hist.svg\n"
        "  tessera plot --map diverging conv1.npy -o filters.png\n"
        "  tessera plot sensors.csv --y temperature,wind --theme dark -o sensors.svg\n"
        "  tessera plot sensors.csv --x temperature --y wind --color state -o points.png --scale 2\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
