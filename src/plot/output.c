/* Pictures as tensors and files. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <string.h>

#include "io/file/file.h"

#include <tessera/png.h>

#include "core/table.h"

static tsr_status check_plot(tsr_ctx *ctx, const char *op, const tsr_plot *plot) {
  return plot != NULL ? TSR_OK : TSR__FAIL(ctx, TSR_EARG, op, "plot", "is NULL");
}

/* Pixels of a list at a scale: TSR_ELIMIT. */
static tsr_status size_of(tsr_ctx *ctx, const char *op, const tsr__plot_list *list, double scale, tsr_index *shape) {
  const double width = fmax(floor(list->width * scale + 0.5), 1), height = fmax(floor(list->height * scale + 0.5), 1);
  if (!(width * height <= TSR_PLOT_PIXELS))
    return TSR__FAIL(ctx, TSR_ELIMIT, op, NULL, "%l x %l pixels are more than %d", (int64_t)fmin(width, 1e15),
                     (int64_t)fmin(height, 1e15), TSR_PLOT_PIXELS);
  shape[0] = (tsr_index)height;
  shape[1] = (tsr_index)width;
  shape[2] = 3;
  return TSR_OK;
}

/* Into a given output of any strides. */
static void copy_pixels(const uint8_t *pixels, const tsr_tensor *to) {
  for (tsr_index y = 0; y < to->shape[0]; y++)
    for (tsr_index x = 0; x < to->shape[1]; x++)
      for (tsr_index k = 0; k < 3; k++)
        ((uint8_t *)to->data)[y * to->stride[0] + x * to->stride[1] + k * to->stride[2]] = *pixels++;
}

/* The picture is drawn elsewhere first, so that an output is as it was when memory ends on the way. */
static tsr_status draw(tsr_ctx *ctx, const char *op, const tsr_plot *plot, tsr_tensor *image) {
  const double scale = plot->options.scale > 0 ? plot->options.scale : 1;
  tsr_index shape[3] = {0};
  tsr__scratch pixels = {0};
  tsr__plot_list list = {0};
  /* What is given is looked at before anything is drawn, as far as it is known. */
  tsr_status st = TSR_OK;
  if (plot->options.width > 0 && plot->options.height > 0)
    st =
        size_of(ctx, op, &(tsr__plot_list){.width = plot->options.width, .height = plot->options.height}, scale, shape);
  if (st == TSR_OK) st = tsr__plot_compose(ctx, op, plot, scale, &list);
  if (st == TSR_OK) st = size_of(ctx, op, &list, scale, shape);
  const tsr__result result = {TSR_U8, TSR_PLAIN, 3, shape, NULL};
  if (st == TSR_OK) st = tsr__output_check(ctx, op, &result, image);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, (size_t)(shape[0] * shape[1]) * 3, &pixels);
  if (st == TSR_OK) st = tsr__list_paint(ctx, op, &list, scale, (int)shape[1], (int)shape[0], pixels.data);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, image);
  if (st == TSR_OK) copy_pixels(pixels.data, image);
  tsr__scratch_put(&pixels);
  tsr__list_release(&list);
  return st == TSR_OK ? st : tsr__fail_as(ctx, st, op);
}

tsr_status tsr_plot_draw(tsr_ctx *ctx, const tsr_plot *plot, tsr_tensor *image) {
  static const char op[] = "plot_draw";
  const tsr_status st = check_plot(ctx, op, plot);
  return st == TSR_OK ? draw(ctx, op, plot, image) : st;
}

static tsr_status write_svg(tsr_ctx *ctx, const char *op, const tsr_plot *plot, const tsr_sink *sink) {
  enum { DETAIL = 4 }; /* parts of a point that are kept apart in lines of many points */
  tsr__plot_list list = {0};
  tsr_status st = tsr__plot_compose(ctx, op, plot, DETAIL, &list);
  if (st == TSR_OK) st = tsr__list_svg(ctx, op, &list, plot->options.title, sink);
  tsr__list_release(&list);
  return st == TSR_OK ? st : tsr__fail_as(ctx, st, op);
}

tsr_status tsr_plot_write_svg(tsr_ctx *ctx, const tsr_plot *plot, const tsr_sink *sink) {
  static const char op[] = "plot_write_svg";
  tsr_status st = check_plot(ctx, op, plot);
  if (st == TSR_OK) st = tsr__check_sink(ctx, op, sink);
  return st == TSR_OK ? write_svg(ctx, op, plot, sink) : st;
}

#if TSR_HAVE_STDIO
static tsr_status save_svg(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return write_svg(ctx, what->op, what->options, sink);
}

static bool ends_in(const char *path, const char *end) {
  const size_t n = strlen(path), m = strlen(end);
  return n > m && strcmp(path + n - m, end) == 0;
}

tsr_status tsr_plot_save(tsr_ctx *ctx, const tsr_plot *plot, const char *path) {
  static const char op[] = "plot_save";
  tsr_tensor image = {0};
  tsr_status st = check_plot(ctx, op, plot);
  if (st != TSR_OK) return st;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (ends_in(path, ".svg"))
    return tsr__file_save(ctx, &(tsr__saving){.op = op, .path = path, .write = save_svg, .options = plot});
  if (!ends_in(path, ".png"))
    return TSR__FAIL(ctx, TSR_EARG, op, "path", "%s: ends neither in .png nor in .svg", tsr__file_short(path));
  st = draw(ctx, op, plot, &image);
  if (st == TSR_OK) st = tsr__fail_as(ctx, tsr_png_save(ctx, path, &image, NULL), op);
  tsr_release(&image);
  return st;
}
#endif

#endif
