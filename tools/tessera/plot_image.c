/* Images in their own colours. */
#include <math.h>
#include <stdlib.h>

#include "axes.h"
#include "image.h"
#include "plot.h"
#include "report.h"

static void put_pixels(const plot *p, const double *pixels, double white, box area, canvas *out) {
  const size_t plane = (size_t)area.width * (size_t)area.height;
  const double least = isnan(p->colors.least) ? 0 : p->colors.least;
  const double greatest = isnan(p->colors.greatest) ? white : p->colors.greatest;
  for (size_t i = 0; i < plane; i++) {
    double share[3];
    for (int k = 0; k < 3; k++) share[k] = heat_place(pixels[(size_t)k * plane + i], least, greatest);
    const int x = (int)(i % (size_t)area.width), y = (int)(i / (size_t)area.width);
    canvas_fill(out, (box){area.x + x, area.y + y, 1, 1}, image_color(share));
  }
}

static bool draw(const plot *p, double white, box area, canvas *out) {
  double *pixels = malloc(3 * (size_t)area.width * (size_t)area.height * sizeof *pixels);
  if (pixels == NULL) return report("out of memory"), false;
  const tsr_status st = image_planes(p->ctx, p->tensor, area.width, area.height, pixels);
  if (st == TSR_OK) put_pixels(p, pixels, white, area, out);
  free(pixels);
  return st == TSR_OK || (report_failure(p->ctx, NULL), false);
}

bool plot_image(const plot *p, canvas *out) {
  double white;
  if (!image_is(p->ctx, p->tensor, &white))
    return report("--kind image: an image is [H,W,3] or [H,W,4] of u8, u16 or floats from 0 to 1"), false;
  const tsr_index rows = p->tensor->shape[0], columns = p->tensor->shape[1];
  box area = {LEFT_ROOM, TITLE_HEIGHT, 0, 0};
  plot_fit(p, rows, columns, LEFT_ROOM + EDGE, &area);
  if (!canvas_init(out, LEFT_ROOM + area.width + EDGE, TITLE_HEIGHT + area.height + BOTTOM_ROOM)) return false;
  axes_title(out, p->title);
  const bool ok = draw(p, white, area, out);
  canvas_frame(out, area, INK);
  axes_below(out, area, (axis){0, (double)columns, true}, false);
  axes_left(out, area, (axis){0, (double)rows, true}, false, true);
  if (!ok) canvas_release(out);
  return ok;
}
