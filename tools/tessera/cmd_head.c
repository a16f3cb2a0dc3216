/* tessera head, tessera tail: the first and the last rows. */
#include <stdio.h>

#include "args.h"
#include "each.h"
#include "put.h"
#include "report.h"

typedef struct part {
  tsr_ctx *ctx;
  terminal to;
  long rows;
  bool last;
} part;

static bool put_part(void *user, const source *from, target *t) {
  const part *p = user;
  const tsr_index most = (tsr_index)p->rows;
  const grid_options some = {.head = p->last ? 0 : most, .tail = p->last ? most : 0, .whole = !p->to.is_terminal};
  put_description(t, &p->to);
  if (grid_is(from, t)) return put_grid(p->ctx, from, t, &some, &p->to);
  target rows = *t;
  const tsr_index all = t->tensor.ndim > 0 ? t->tensor.shape[0] : 0, n = all < most ? all : most;
  if (t->tensor.ndim > 0 && tsr_narrow(p->ctx, &t->tensor, 0, p->last ? all - n : 0, n, &rows.tensor) != TSR_OK)
    return report_failure(p->ctx, target_label(t)), false;
  return put_all(p->ctx, from, &rows, &p->to);
}

static int put_parts(tsr_ctx *ctx, const arguments *args, bool last) {
  part p = {.ctx = ctx, .last = last};
  if (!terminal_init(&p.to, args_value(args, "color", "auto"))) return FAILED;
  if (!args_integer(args, "rows", 0, 1000000000, 10, &p.rows)) return FAILED;
  return each_target(ctx, args, true, put_part, &p);
}

static int run_head(tsr_ctx *ctx, const arguments *args) { return put_parts(ctx, args, false); }

static int run_tail(tsr_ctx *ctx, const arguments *args) { return put_parts(ctx, args, true); }

static const option options[] = {{"rows", 'n', "COUNT", "how many (10)"}, {0}};

const command head_command = {
    .name = "head",
    .summary = "prints the first rows of tensors",
    .usage = "[OPTION]... FILE[:NAME][SLICE]...",
    .about = "Rows are along the first axis. A scalar is printed as it is.",
    .examples =
        "  tessera head sensors.csv\n"
        "  tessera head -n 3 model.safetensors:encoder.w\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run_head,
};

const command tail_command = {
    .name = "tail",
    .summary = "prints the last rows of tensors",
    .usage = "[OPTION]... FILE[:NAME][SLICE]...",
    .about = "Rows are along the first axis, and counted from its start.",
    .examples =
        "  tessera tail sensors.csv\n"
        "  tessera tail -n 3 model.safetensors:encoder.w\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run_tail,
};
