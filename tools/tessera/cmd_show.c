/* tessera show: the numbers of a tensor, as text, colours or a histogram. */
#include <stdio.h>

#include "args.h"
#include "each.h"
#include "grid.h"
#include "heat.h"
#include "hist.h"
#include "magnitude.h"
#include "put.h"
#include "report.h"
#include "terminal.h"

typedef struct show {
  tsr_ctx *ctx;
  terminal to;
  tsr_print_options print;
  grid_options grid;
  bool heat, hist, plain;
  heat_options colors;
  int bins;
} show;

static bool put_numbers(const show *s, const target *t) {
  if (tsr_print(s->ctx, &t->tensor, &s->print, stdout) == TSR_OK) return true;
  if (ferror(stdout) == 0) report_failure(s->ctx, target_label(t)); /* else the end of main says why */
  return false;
}

static bool put_pictures(const show *s, const target *t) {
  const char *label = target_label(t);
  tsr_tensor numbers = {0};
  if (magnitudes_or_view(s->ctx, &t->tensor, &numbers) != TSR_OK) return report_failure(s->ctx, label), false;
  if (is_complex(&t->tensor)) (void)puts("the magnitudes");
  bool ok = !s->heat || heat_write(s->ctx, label, &numbers, &s->colors, &s->to);
  if (ok && s->hist) ok = hist_write(s->ctx, label, &numbers, s->bins, &s->to);
  tsr_release(&numbers);
  return ok;
}

static bool put_fetched(void *user, const source *from, target *t) {
  const show *s = user;
  put_description(t, &s->to);
  if ((s->heat || s->hist) && t->group == NULL) return put_pictures(s, t);
  if (s->plain && t->group == NULL) return put_numbers(s, t);
  return grid_is(from, t) ? put_grid(s->ctx, from, t, &s->grid, &s->to) : put_numbers(s, t);
}

static bool read_options(const arguments *args, show *s) {
  long precision, width, bins;
  if (!terminal_init(&s->to, args_value(args, "color", "auto"))) return false;
  if (!args_integer(args, "precision", 0, 20, 8, &precision)) return false;
  if (!args_integer(args, "width", 20, 10000, s->to.width, &width)) return false;
  if (!args_integer(args, "bins", 1, 1000, 20, &bins)) return false;
  if (!heat_options_read(args, &s->colors)) return false;
  s->to.width = (int)width;
  s->bins = (int)bins;
  enum { FIRST = 10, LAST = 10, MOST = 40 /* rows of a table that is shown whole */ };
  s->grid = (grid_options){.head = FIRST, .tail = LAST, .whole = !s->to.is_terminal && !args_has(args, "width")};
  if (args_has(args, "precision")) s->grid.digits = (int)(precision > 0 ? precision : 1);
  if (args_has(args, "all")) s->grid.head = TSR_INDEX_MAX / 2;
  s->grid.most = MOST;
  s->plain = args_has(args, "plain");
  s->heat = args_has(args, "heat");
  s->hist = args_has(args, "hist");
  s->print = (tsr_print_options){.precision = precision == 0 ? -1 : (int)precision,
                                 .line_width = (int)width,
                                 .threshold = args_has(args, "all") ? TSR_INDEX_MAX : 0};
  return true;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  show s = {.ctx = ctx};
  return read_options(args, &s) ? each_target(ctx, args, true, put_fetched, &s) : FAILED;
}

static const option options[] = {{"all", 'a', NULL, "every element, however many"},
                                 {"precision", 'p', "DIGITS", "digits behind the point, at the most (8)"},
                                 {"width", 'w', "COLUMNS", "characters of a line; else COLUMNS, or the terminal's"},
                                 {"plain", 0, NULL, "a table as a matrix"},
                                 {"heat", 0, NULL, "a heat map: each pair of rows a line of coloured blocks"},
                                 {"map", 0, "NAME", "its colours: dusk, gray, diverging"},
                                 {"min", 0, "NUMBER", "what the first colour stands for; else the least element"},
                                 {"max", 0, "NUMBER", "what the last colour stands for; else the greatest"},
                                 {"hist", 0, NULL, "a histogram"},
                                 {"bins", 0, "COUNT", "its bars (20)"},
                                 {0}};

const command show_command = {
    .name = "show",
    .summary = "prints a tensor: numbers, a heat map, a histogram",
    .usage = "[OPTION]... FILE[:NAME][SLICE]...",
    .about =
        "Numbers are printed as NumPy prints them; long axes are shortened, unless --all is given. Tables, CSV and "
        "what\n"
        "was made of it, are printed with the names of their columns. A heat map\n"
        "shows the last two axes, those before at index 0: give a slice to see others. An image,\n"
        "[H,W,3] of u8, u16 or floats from 0 to 1, is shown in its own colours, unless --map is given. Where\n"
        "colours are off, it is drawn with characters. Maps and histograms of complex numbers show their magnitudes.",
    .examples =
        "  tessera show 'weights.safetensors:encoder.w[0, :, ::2]'\n"
        "  tessera show --heat 'digits.npy[7]'\n"
        "  tessera show --heat photo.png\n"
        "  tessera show sensors.csv:time,temperature\n"
        "  tessera show --hist --bins 40 weights.safetensors:head.w\n"
        "  curl -s https://example.org/x.npy | tessera show -\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
