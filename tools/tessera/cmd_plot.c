/* tessera plot: a tensor as a PNG picture. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "formats.h"
#include "image.h"
#include "magnitude.h"
#include "output.h"
#include "plot.h"
#include "report.h"
#include "source.h"
#include "text.h"

typedef struct kind {
  const char *name;
  bool (*draw)(const plot *p, canvas *out);
} kind;

static const kind kinds[] = {
    {"heat", plot_heat}, {"hist", plot_hist}, {"line", plot_line}, {"grid", plot_grid}, {"image", plot_image}};

/* By the shape: a vector is a line, a matrix a heat map, more are a grid of them; an image is one, unless a map of
 * colours was asked for. */
static const char *usual_kind(tsr_ctx *ctx, const tsr_tensor *t, const heat_options *colors) {
  double white;
  int axes = 0;
  if (!colors->chosen && image_is(ctx, t, &white)) return "image";
  for (int i = 0; i < t->ndim; i++) axes += t->shape[i] > 1;
  return axes <= 1 ? "line" : t->ndim <= 2 ? "heat" : "grid";
}

static const kind *find_kind(const char *name) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  report("--kind: '%s' is none of heat, hist, line, grid, image", name);
  return NULL;
}

/* The picture as a tensor [H,W,3] of bytes, in the library's hands. */
static bool save(tsr_ctx *ctx, const char *path, canvas *c) {
  tsr_bundle bundle;
  tsr_tensor image = {0};
  const int png = format_find("png");
  if (png == 0 || tsr_bundle_init(ctx, &bundle) != TSR_OK) return false;
  tsr_status st = tsr_from_memory(ctx, c->rgb, TSR_U8, TSR_SHAPE(c->height, c->width, 3), &image);
  if (st == TSR_OK) st = tsr_bundle_add(ctx, &bundle, "picture", &image);
  const bool ok =
      st == TSR_OK ? output_save(ctx, path, png, &(output){.bundle = &bundle}) : (report_failure(ctx, NULL), false);
  tsr_bundle_release(&bundle);
  return ok;
}

/* "name  f32 [2,3]"; |name| where magnitudes of complex numbers are drawn. */
enum { TITLE = 256 };
static void usual_title(const target *t, char title[TITLE]) {
  const char *bar = is_complex(&t->tensor) ? "|" : "";
  char name[160], shape[TEXT_SHAPE];
  (void)text_escape(target_label(t), TEXT_NAME, name, sizeof name);
  (void)snprintf(title, TITLE, "%s%s%s  %s %s", bar, name, bar, tsr_dtype_name(t->tensor.dtype),
                 text_shape(t->tensor.ndim, t->tensor.shape, shape));
}

static bool read_options(const arguments *args, plot *p) {
  long bins, width, height;
  if (!heat_options_read(args, &p->colors) || !args_integer(args, "bins", 1, 1000, 60, &bins)) return false;
  if (!args_integer(args, "width", 200, 16000, 0, &width)) return false;
  if (!args_integer(args, "height", 150, 16000, 0, &height)) return false;
  p->bins = (int)bins;
  p->width = (int)width;
  p->height = (int)height;
  return true;
}

static bool draw(tsr_ctx *ctx, const arguments *args, target *t, const char *path) {
  tsr_tensor numbers = {0};
  canvas c = {0};
  char title[TITLE];
  plot p = {.ctx = ctx, .tensor = &numbers};
  if (!read_options(args, &p)) return false;
  if (tsr_size(&t->tensor) == 0) return report("%s has no elements", target_label(t)), false;
  tsr_status st = target_fetch(ctx, t);
  if (st == TSR_OK) st = magnitudes_or_view(ctx, &t->tensor, &numbers);
  if (st != TSR_OK) return report_failure(ctx, target_label(t)), false;
  usual_title(t, title);
  p.title = args_value(args, "title", title);
  const kind *k = find_kind(args_value(args, "kind", usual_kind(ctx, &numbers, &p.colors)));
  const bool ok = k != NULL && k->draw(&p, &c) && save(ctx, path, &c);
  tsr_release(&numbers);
  canvas_release(&c);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const char *path = args_value(args, "output", NULL);
  source from;
  targets found;
  if (path == NULL) return report("say where the picture goes: -o out.png");
  if (!source_open(ctx, args->operands[0], &from, &found)) return FAILED;
  bool ok = found.count == 1;
  if (!ok) report("%s names %lld tensors: say which, as %s:NAME", args->operands[0], (long long)found.count, from.file);
  if (ok) ok = draw(ctx, args, &found.list[0], path);
  targets_release(&found);
  source_release(&from);
  return ok ? DONE : FAILED;
}

static const option options[] = {{"output", 'o', "FILE", "where the picture goes; - is standard output"},
                                 {"kind", 'k', "KIND", "heat, hist, line, grid, image; else by the shape"},
                                 {"map", 0, "NAME", "colours: dusk, gray, diverging"},
                                 {"min", 0, "NUMBER", "what the first colour stands for; else the least element"},
                                 {"max", 0, "NUMBER", "what the last colour stands for; else the greatest"},
                                 {"bins", 0, "COUNT", "bars of a histogram (60)"},
                                 {"width", 0, "PIXELS", "of the picture"},
                                 {"height", 0, "PIXELS", "of the picture"},
                                 {"title", 0, "TEXT", "else name, dtype and shape"},
                                 {0}};

const command plot_command = {
    .name = "plot",
    .summary = "draws a tensor as a PNG picture",
    .usage = "[OPTION]... -o FILE FILE[:NAME][SLICE]",
    .about =
        "heat: the last two axes, with a scale of colours. grid: all such matrices side by side, as the filters of a\n"
        "convolution. line: the last axis, one line for each of up to 8 rows, with a gap where a number is NaN or\n"
        "infinite. hist: how often which numbers are there. image: [H,W,3] or [H,W,4] of u8, u16 or floats from 0 to "
        "1\n"
        "in its own colours. Without --kind, a vector is drawn as a line, a matrix as a heat map, an image as one "
        "unless\n"
        "--map is given, more axes as a grid. Of complex numbers the magnitudes are drawn, and the title says |NAME|.",
    .examples =
        "  tessera plot model.safetensors:encoder.w -o w.png\n"
        "  tessera plot --kind hist 'model.safetensors:head.w' -o hist.png\n"
        "  tessera plot --map diverging conv1.npy -o filters.png\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
