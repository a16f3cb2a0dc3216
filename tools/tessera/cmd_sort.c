/* tessera sort: the rows of a table by one of its columns, a tensor along an axis. */
#include <stdio.h>

#include "args.h"
#include "columns.h"
#include "put.h"
#include "report.h"
#include "result.h"

typedef struct sorting {
  tsr_ctx *ctx;
  const arguments *args;
  bool reverse;
  long axis;
} sorting;

/* The rows in the order of a column. */
static tsr_status sort_rows(const sorting *s, const tsr_tensor *x, tsr_index column, tsr_tensor *out) {
  tsr_tensor key = {0}, order = {0};
  tsr_status st = tsr_select(s->ctx, x, 1, column, &key);
  if (st == TSR_OK) st = tsr_argsort(s->ctx, &key, 0, s->reverse, &order);
  if (st == TSR_OK) st = tsr_take(s->ctx, x, &order, 0, out);
  tsr_release(&order);
  return st;
}

static bool sort_target(const sorting *s, const source *from, const target *t, tsr_tensor *out) {
  const char *by = args_value(s->args, "by", NULL);
  const tsr_tensor *x = &t->tensor;
  tsr_index column = 0;
  tsr_status st;
  if (x->ndim == 0) return report("%s: one number has no order", target_label(t)), false;
  if (by != NULL && x->ndim != 2) return report("--by: %s has no columns", target_label(t)), false;
  if (by != NULL && !columns_find(&from->metadata, x->shape[1], by, &column))
    return report("--by: %s has no column '%s'", source_shown(from->file), by), false;
  if (by != NULL || (grid_is(from, t) && x->ndim == 2 && x->shape[1] > 0 && !args_has(s->args, "axis"))) {
    st = sort_rows(s, x, column, out);
  } else {
    st = tsr_sort(s->ctx, x, (int)s->axis, s->reverse, out);
  }
  return st == TSR_OK || (report_failure(s->ctx, target_label(t)), false);
}

static bool sort_and_put(const sorting *s, const source *from, target *t) {
  terminal to;
  target made = {.name = t->name, .label = t->label};
  if (!terminal_init(&to, args_value(s->args, "color", "auto"))) return false;
  if (!sort_target(s, from, t, &made.tensor)) return false;
  bool ok = true;
  if (args_has(s->args, "output")) {
    ok = result_save(s->ctx, s->args, from, t->name, &made.tensor);
  } else {
    put_description(&made, &to);
    ok = put_all(s->ctx, from, &made, 0, &to);
  }
  tsr_release(&made.tensor);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  sorting s = {.ctx = ctx, .args = args, .reverse = args_has(args, "reverse")};
  source from;
  targets found;
  if (!args_integer(args, "axis", -TSR_MAX_DIMS, TSR_MAX_DIMS - 1, -1, &s.axis)) return FAILED;
  if (!source_open(ctx, args->operands[0], &from, &found)) return FAILED;
  bool ok = found.count == 1;
  if (!ok) report("%s has %lld tensors; take one, as FILE:NAME", from.file, (long long)found.count);
  if (ok) ok = target_fetch(ctx, &found.list[0]) == TSR_OK || (report_failure(ctx, found.list[0].name), false);
  if (ok) ok = sort_and_put(&s, &from, &found.list[0]);
  targets_release(&found);
  source_release(&from);
  return ok ? DONE : FAILED;
}

static const option options[] = {
    {"by", 'b', "COLUMN", "the rows of a table or a matrix, by this column; else its first"},
    {"reverse", 'r', NULL, "the greatest first"},
    {"axis", 'x', "AXIS", "the elements along an axis (-1), rows not kept together"},
    {"output", 'o', "FILE", "writes the result to FILE; else it is printed"},
    {"to", 't', "FORMAT", "the format of FILE; else the end of its name says it"},
    {0}};

const command sort_command = {
    .name = "sort",
    .summary = "sorts the rows of a table, or a tensor",
    .usage = "[OPTION]... FILE[:NAME][SLICE]",
    .about =
        "A table is sorted by one of its columns, and its rows stay whole. Any other tensor is sorted along an axis.\n"
        "Equal ones stay in their order; NaN comes last.",
    .examples =
        "  tessera sort --by temperature --reverse sensors.csv\n"
        "  tessera sort --by time sensors.csv -o sorted.csv\n"
        "  tessera sort sensors.csv:temperature\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
