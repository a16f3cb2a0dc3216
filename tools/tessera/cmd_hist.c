/* tessera hist: how often which numbers are there. */
#include <stdio.h>

#include "args.h"
#include "each.h"
#include "hist.h"
#include "magnitude.h"
#include "put.h"
#include "report.h"

typedef struct drawing {
  tsr_ctx *ctx;
  terminal to;
  long bins;
} drawing;

static bool put_hist(void *user, const source *from, target *t) {
  const drawing *d = user;
  const char *label = target_label(t);
  tsr_tensor numbers = {0};
  (void)from;
  put_description(t, &d->to);
  if (magnitudes_or_view(d->ctx, &t->tensor, &numbers) != TSR_OK) return report_failure(d->ctx, label), false;
  if (is_complex(&t->tensor)) (void)puts("the magnitudes");
  const bool ok = hist_write(d->ctx, label, &numbers, (int)d->bins, &d->to);
  tsr_release(&numbers);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  drawing d = {.ctx = ctx};
  if (!terminal_init(&d.to, args_value(args, "color", "auto"))) return FAILED;
  if (!args_integer(args, "bins", 1, 1000, 20, &d.bins)) return FAILED;
  return each_target(ctx, args, false, put_hist, &d);
}

static const option options[] = {{"bins", 'b', "COUNT", "bars (20)"}, {0}};

const command hist_command = {
    .name = "hist",
    .summary = "draws histograms of tensors in the terminal",
    .usage = "[OPTION]... FILE[:NAME][SLICE]...",
    .about = "Bars of equal width from the least to the greatest finite element; of complex numbers, their magnitudes.",
    .examples =
        "  tessera hist sensors.csv:temperature\n"
        "  tessera hist --bins 40 model.safetensors:head.w\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
