/* Any bytes as a scene: texts, sizes, axes, numbers of any bits. Whatever is taken is drawn, both ways, without a fault, and what is written
 * is closed; what is not taken is refused. */
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

#include "promise.h"

#if TSR_HAVE_PLOT

typedef struct input {
  const uint8_t *at;
  size_t n;
} input;

static uint32_t byte(input *in) {
  if (in->n == 0) return 0;
  in->n--;
  return *in->at++;
}

/* A number of any bits, or a small one. */
static double number(input *in) {
  double value = 0;
  if (byte(in) % 4 != 0) return (double)(int8_t)byte(in) / 4;
  uint8_t bits[8];
  for (int i = 0; i < 8; i++) bits[i] = (uint8_t)byte(in);
  memcpy(&value, bits, 8);
  return value;
}

static const char *text(input *in, char to[24]) {
  const uint32_t n = byte(in) % 24;
  for (uint32_t i = 0; i < n; i++) to[i] = (char)byte(in);
  to[n] = '\0';
  return n == 23 ? NULL : to;
}

typedef struct ending {
  char last[8];
  size_t n;
} ending;

static tsr_status keep_end(void *self, const void *bytes, size_t n) {
  ending *e = self;
  const char *p = bytes;
  for (size_t i = 0; i < n; i++) {
    memmove(e->last, e->last + 1, 7);
    e->last[7] = p[i];
  }
  e->n += n;
  return TSR_OK;
}

static tsr_status add(tsr_plot *plot, input *in) {
  double a[64], b[64], c[64];
  char label[24];
  tsr_tensor x = {0}, y = {0}, color = {0}, m = {0};
  const tsr_index n = byte(in) % 64, columns = byte(in) % 5 + 1;
  const uint32_t kind = byte(in) % 7;
  for (int i = 0; i < 64; i++) a[i] = number(in), b[i] = number(in), c[i] = number(in);
  const tsr_plot_style style = {.label = text(in, label),
                                .color = byte(in) << 24 | byte(in),
                                .width = number(in),
                                .size = number(in),
                                .marker = (int)byte(in) % 7,
                                .dash = (int)byte(in) % 4,
                                .map = (int)byte(in) % 7,
                                .min = number(in),
                                .max = number(in),
                                .bins = (int)byte(in) * 8,
                                .steps = byte(in) % 2 == 0};
  const tsr_plot_style plain = {.label = label};
  const tsr_plot_style *const s = byte(in) % 2 == 0 ? &style : &plain;
  must(tsr_from_memory(NULL, a, TSR_F64, 1, &n, &x) == TSR_OK &&
       tsr_from_memory(NULL, b, TSR_F64, 1, &n, &y) == TSR_OK);
  must(tsr_from_memory(NULL, c, TSR_F64, 1, &n, &color) == TSR_OK);
  must(tsr_from_memory(NULL, b, TSR_F64, 2, (tsr_index[]){n / columns, columns}, &m) == TSR_OK);
  switch (kind) {
    case 0: return tsr_plot_line(NULL, plot, &x, &y, s);
    case 1: return tsr_plot_line(NULL, plot, NULL, &m, s);
    case 2: return tsr_plot_scatter(NULL, plot, &x, &y, byte(in) % 2 == 0 ? &color : NULL, s);
    case 3: return tsr_plot_bars(NULL, plot, byte(in) % 2 == 0 ? &x : NULL, &y, s);
    case 4: return tsr_plot_hist(NULL, plot, &y, s);
    case 5: return tsr_plot_heat(NULL, plot, &m, s);
    default: return tsr_plot_image(NULL, plot, &m, s);
  }
}

static tsr_status panel(tsr_plot *plot, input *in) {
  char texts[4][24], names[3][24];
  const char *list[3];
  for (int i = 0; i < 3; i++) list[i] = text(in, names[i]);
  const tsr_plot_axes axes = {.title = text(in, texts[0]),
                              .x_label = text(in, texts[1]),
                              .y_label = text(in, texts[2]),
                              .color_label = text(in, texts[3]),
                              .x_log = byte(in) % 4 == 0,
                              .y_log = byte(in) % 4 == 0,
                              .x_time = (int)byte(in) % 12 > 6 ? (int)byte(in) % 7 : 0,
                              .x_min = byte(in) % 4 == 0 ? number(in) : 0,
                              .x_max = byte(in) % 4 == 0 ? number(in) : 0,
                              .y_min = byte(in) % 4 == 0 ? number(in) : 0,
                              .y_max = byte(in) % 4 == 0 ? number(in) : 0,
                              .legend = (int)byte(in) % 8,
                              .names = byte(in) % 4 == 0 ? 3 : 0,
                              .x_names = list};
  return tsr_plot_panel(NULL, plot, &axes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  input in = {bytes, n};
  char title[24];
  tsr_plot *plot = NULL;
  const tsr_plot_options options = {.width = byte(&in) * 2.0,
                                    .height = byte(&in) * 1.5,
                                    .scale = byte(&in) / 64.0,
                                    .text_size = byte(&in) % 4 == 0 ? number(&in) : 0,
                                    .theme = (int)byte(&in) % 3,
                                    .columns = (int)byte(&in) % 5,
                                    .title = text(&in, title)};
  if (tsr_plot_new(NULL, &options, &plot) != TSR_OK) return 0;
  for (int i = 0; i < 6 && in.n > 0; i++) {
    const tsr_status st = byte(&in) % 3 == 0 ? panel(plot, &in) : add(plot, &in);
    must(st == TSR_OK || tsr_error(NULL)[0] != '\0');
  }
  tsr_tensor image = {0};
  ending end = {.n = 0};
  const tsr_sink sink = {.size = sizeof sink, .write = keep_end, .self = &end};
  const tsr_status drawn = tsr_plot_draw(NULL, plot, &image);
  must(drawn == TSR_OK || drawn == TSR_ELIMIT || drawn == TSR_ENOMEM);
  must(tsr_plot_write_svg(NULL, plot, &sink) == TSR_OK && memcmp(end.last + 1, "</svg>\n", 7) == 0);
  tsr_release(&image);
  tsr_plot_release(plot);
  return 0;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  (void)bytes, (void)n;
  return 0;
}

#endif
