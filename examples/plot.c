/* A picture: two lines over time, points with colours, a histogram, a heat map; the same as PNG and as SVG.
 * Run it with a folder to write to: plot out */
#include <math.h>
#include <stdio.h>
#include <tessera/tessera.h>

#if TSR_HAVE_PLOT && TSR_HAVE_PNG

enum { HOURS = 24 * 21, POINTS = 400 };

typedef struct day {
  tsr_tensor when, north, south; /* (HOURS) */
  tsr_tensor points;             /* (POINTS, 3) */
  tsr_tensor spread;             /* (20000): mostly small, some huge */
  tsr_tensor map;                /* (48, 64) */
} day;

/* Something to draw. */
static tsr_status measure(tsr_ctx *ctx, day *d) {
  tsr_rng rng = tsr_rng_seed(7);
  tsr_tensor noise = {0}, t = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arange(ctx, TSR_I64, 1709251200, 1709251200 + 3600 * (tsr_real)HOURS, 3600, &d->when), done);
  TSR_TRY(st, tsr_arange(ctx, TSR_F64, 0, HOURS, 1, &t), done);
  TSR_TRY(st, tsr_rand_normal(ctx, &rng, TSR_F64, TSR_SHAPE(2, HOURS), &noise), done);
  TSR_TRY(st,
          tsr_eval(ctx, "9 + 5*sin(t/24*6.2831853) + 3*sin(t/120) + 0.4*e[0]", TSR_NAMED({"t", &t}, {"e", &noise}),
                   &d->north),
          done);
  TSR_TRY(st,
          tsr_eval(ctx, "14 + 7*sin(t/24*6.2831853) + 3*sin(t/120) + 0.4*e[1]", TSR_NAMED({"t", &t}, {"e", &noise}),
                   &d->south),
          done);
  for (int i = 200; i < 260; i++) TSR_AT(double, &d->south, i) = (double)NAN; /* the sensor was off */
  TSR_TRY(st, tsr_rand_normal(ctx, &rng, TSR_F64, TSR_SHAPE(POINTS, 3), &d->points), done);
  for (int i = 0; i < POINTS; i++) {
    TSR_AT(double, &d->points, i, 1) = 0.8 * TSR_AT(double, &d->points, i, 0) + 0.5 * TSR_AT(double, &d->points, i, 1);
    TSR_AT(double, &d->points, i, 2) = TSR_AT(double, &d->points, i, 0) + TSR_AT(double, &d->points, i, 1);
  }
  TSR_TRY(st, tsr_rand_normal(ctx, &rng, TSR_F64, TSR_SHAPE(20000), &d->spread), done);
  for (int i = 0; i < 20000; i += 97) TSR_AT(double, &d->spread, i) = 1.0 / (i % 89 - 44.5) * 500;
  TSR_TRY(st, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(48, 64), &d->map), done);
  for (int y = 0; y < 48; y++)
    for (int x = 0; x < 64; x++) {
      const double a = (x - 20) * 0.12, b = (y - 18) * 0.12, c = (x - 44) * 0.1, e = (y - 30) * 0.1;
      TSR_AT(float, &d->map, y, x) = (float)(exp(-a * a - b * b) - 0.8 * exp(-c * c - e * e));
    }
done:
  tsr_release(&noise);
  tsr_release(&t);
  return st;
}

static void release(day *d) {
  tsr_release(&d->when);
  tsr_release(&d->north);
  tsr_release(&d->south);
  tsr_release(&d->points);
  tsr_release(&d->spread);
  tsr_release(&d->map);
}

static tsr_status save(tsr_ctx *ctx, const tsr_plot *plot, const char *folder, const char *name, const char *end) {
  char path[512];
  (void)snprintf(path, sizeof path, "%s/%s%s", folder, name, end);
  return tsr_plot_save(ctx, plot, path);
}

/* Lines over dates: the tensors of a table's columns go the same way. */
static tsr_status draw_lines(tsr_ctx *ctx, const day *d, int theme, const char *folder, const char *name) {
  const tsr_plot_axes axes = {.title = "Temperature at the wall", .x_time = TSR_UNIT_SECOND, .y_label = "°C"};
  tsr_plot *plot = NULL;
  tsr_status st;
  TSR_TRY(st, tsr_plot_new(ctx, &(tsr_plot_options){.theme = theme, .scale = 2}, &plot), done);
  TSR_TRY(st, tsr_plot_panel(ctx, plot, &axes), done);
  TSR_TRY(st, tsr_plot_line(ctx, plot, &d->when, &d->south, &(tsr_plot_style){.label = "south"}), done);
  TSR_TRY(st, tsr_plot_line(ctx, plot, &d->when, &d->north, &(tsr_plot_style){.label = "north"}), done);
  TSR_TRY(st, save(ctx, plot, folder, name, ".png"), done);
  TSR_TRY(st, save(ctx, plot, folder, name, ".svg"), done);
done:
  tsr_plot_release(plot);
  return st;
}

/* Four panels of one picture. */
static tsr_status draw_panels(tsr_ctx *ctx, const day *d, const char *folder) {
  static const char *const kernels[] = {"add", "gelu", "softmax", "layer norm", "attention"};
  double gigabytes[] = {18.2, 15.9, 12.4, 14.1, 9.7}, before[] = {17.8, 11.2, 10.9, 9.5, 7.3};
  tsr_plot *plot = NULL;
  tsr_tensor x = {0}, y = {0}, color = {0}, now = {0}, then = {0};
  tsr_status st;
  TSR_TRY(st, tsr_select(ctx, &d->points, 1, 0, &x), done);
  TSR_TRY(st, tsr_select(ctx, &d->points, 1, 1, &y), done);
  TSR_TRY(st, tsr_select(ctx, &d->points, 1, 2, &color), done);
  TSR_TRY(st, tsr_from_memory(ctx, gigabytes, TSR_F64, TSR_SHAPE(5), &now), done);
  TSR_TRY(st, tsr_from_memory(ctx, before, TSR_F64, TSR_SHAPE(5), &then), done);
  TSR_TRY(st, tsr_plot_new(ctx, &(tsr_plot_options){.scale = 2}, &plot), done);

  TSR_TRY(st,
          tsr_plot_panel(ctx, plot,
                         &(tsr_plot_axes){.title = "Points, a third column as colour",
                                          .x_label = "length (µm)",
                                          .y_label = "width (µm)",
                                          .color_label = "sum"}),
          done);
  TSR_TRY(st, tsr_plot_scatter(ctx, plot, &x, &y, &color, NULL), done);

  TSR_TRY(
      st,
      tsr_plot_panel(ctx, plot, &(tsr_plot_axes){.title = "Bars", .y_label = "GB/s", .names = 5, .x_names = kernels}),
      done);
  TSR_TRY(st, tsr_plot_bars(ctx, plot, NULL, &now, &(tsr_plot_style){.label = "now"}), done);
  TSR_TRY(st, tsr_plot_bars(ctx, plot, NULL, &then, &(tsr_plot_style){.label = "before"}), done);

  TSR_TRY(st,
          tsr_plot_panel(
              ctx, plot,
              &(tsr_plot_axes){.title = "A histogram with heavy tails", .x_label = "weight", .y_label = "count"}),
          done);
  TSR_TRY(st, tsr_plot_hist(ctx, plot, &d->spread, NULL), done);

  TSR_TRY(st, tsr_plot_panel(ctx, plot, &(tsr_plot_axes){.title = "A heat map around 0"}), done);
  TSR_TRY(st, tsr_plot_heat(ctx, plot, &d->map, NULL), done);
  TSR_TRY(st, save(ctx, plot, folder, "panels", ".png"), done);
done:
  tsr_plot_release(plot);
  return st;
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : ".";
  tsr_ctx ctx;
  day d = {0};
  tsr_status st = tsr_context_init(&ctx, NULL);
  if (st == TSR_OK) st = measure(&ctx, &d);
  if (st == TSR_OK) st = draw_lines(&ctx, &d, TSR_PLOT_LIGHT, folder, "lines");
  if (st == TSR_OK) st = draw_lines(&ctx, &d, TSR_PLOT_DARK, folder, "lines-dark");
  if (st == TSR_OK) st = draw_panels(&ctx, &d, folder);
  if (st != TSR_OK) printf("%s\n", tsr_error(&ctx));
  release(&d);
  return st;
}

#else

int main(void) {
  printf("this build draws no pictures\n");
  return 0;
}

#endif
