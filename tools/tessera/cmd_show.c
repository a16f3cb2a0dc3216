/* tessera show: the numbers of a tensor, as text, colours or a histogram. */
#include <stdio.h>

#include "args.h"
#include "heat.h"
#include "hist.h"
#include "magnitude.h"
#include "report.h"
#include "source.h"
#include "terminal.h"
#include "text.h"

typedef struct show {
  tsr_ctx *ctx;
  terminal to;
  tsr_print_options print;
  bool heat, hist;
  heat_options colors;
  int bins;
} show;

static void put_header(const show *s, const target *t) {
  char text[TEXT_SHAPE + 128];
  (void)tsr_desc_format(&t->tensor, text, sizeof text);
  terminal_bold(&s->to);
  (void)text_write(stdout, target_label(t), TEXT_NAME);
  terminal_reset(&s->to);
  (void)printf(": %s\n", text);
}

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

static bool put_fetched(const show *s, const target *t) {
  put_header(s, t);
  return s->heat || s->hist ? put_pictures(s, t) : put_numbers(s, t);
}

static bool put_target(const show *s, target *t) {
  if (target_fetch(s->ctx, t) != TSR_OK) return report_failure(s->ctx, target_label(t)), false;
  const bool ok = put_fetched(s, t);
  target_drop(t);
  return ok;
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
  s->heat = args_has(args, "heat");
  s->hist = args_has(args, "hist");
  s->print = (tsr_print_options){.precision = precision == 0 ? -1 : (int)precision,
                                 .line_width = (int)width,
                                 .threshold = args_has(args, "all") ? TSR_INDEX_MAX : 0};
  return true;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  show s = {.ctx = ctx};
  int code = DONE;
  if (!read_options(args, &s)) return FAILED;
  for (int i = 0; i < args->operand_count; i++) {
    source from;
    targets found;
    if (!source_open(ctx, args->operands[i], &from, &found)) {
      code = FAILED;
      continue;
    }
    for (tsr_index k = 0; k < found.count; k++)
      if (!put_target(&s, &found.list[k])) code = FAILED;
    targets_release(&found);
    source_release(&from);
  }
  return code;
}

static const option options[] = {{"all", 'a', NULL, "every element, however many"},
                                 {"precision", 'p', "DIGITS", "digits behind the point, at the most (8)"},
                                 {"width", 'w', "COLUMNS", "characters of a line; else COLUMNS, or the terminal's"},
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
        "Numbers are printed as NumPy prints them; long axes are shortened, unless --all is given. A heat map\n"
        "shows the last two axes, those before at index 0: give a slice to see others. An image,\n"
        "[H,W,3] of u8, u16 or floats from 0 to 1, is shown in its own colours, unless --map is given. Where\n"
        "colours are off, it is drawn with characters. Maps and histograms of complex numbers show their magnitudes.",
    .examples =
        "  tessera show 'weights.safetensors:encoder.w[0, :, ::2]'\n"
        "  tessera show --heat 'digits.npy[7]'\n"
        "  tessera show --heat photo.png\n"
        "  tessera show --hist --bins 40 weights.safetensors:head.w\n"
        "  curl -s https://example.org/x.npy | tessera show -\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
