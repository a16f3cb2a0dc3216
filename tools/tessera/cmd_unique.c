/* tessera unique: the different numbers of a tensor, and how often there is each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "each.h"
#include "put.h"
#include "report.h"
#include "table.h"
#include "text.h"

enum { CELL = 80 };

typedef struct counting {
  tsr_ctx *ctx;
  terminal to;
  long most; /* lines */
  bool often;
  const tsr_column *what; /* of the column that is counted */
} counting;

/* A number as short as it reads back; integers whole. */
static tsr_status text_at(tsr_ctx *ctx, const tsr_column *what, const tsr_tensor *t, tsr_index i, char *text) {
  double value = 0;
  int64_t whole = 0;
  if (tsr_dtype_describe(t->dtype)->class_ < TSR_CLASS_FLOAT && t->dtype != TSR_U64) {
    const tsr_status st = tsr_get_i64(ctx, t, 1, &i, &whole);
    if (what != NULL && what->kind != TSR_COLUMN_NUMBER) {
      rows_text(what, whole, text, CELL);
      return st;
    }
    (void)snprintf(text, 32, "%lld", (long long)whole);
    return st;
  }
  const tsr_status st = tsr_get(ctx, t, 1, &i, &value);
  for (int digits = 6; digits <= 17; digits++) {
    (void)snprintf(text, 32, "%.*g", digits, value);
    double back = strtod(text, NULL);
    if (t->dtype != TSR_F64) back = (double)(float)back;
    if (!(back < value || back > value)) break;
  }
  return st;
}

static tsr_status fill(const counting *c, const tsr_tensor *values, const tsr_tensor *counts, const tsr_tensor *order,
                       table *t) {
  const tsr_index all = tsr_size(values), lines = all < c->most ? all : (tsr_index)c->most;
  tsr_status st = TSR_OK;
  for (tsr_index line = 0; line < lines && st == TSR_OK; line++) {
    char text[CELL];
    int64_t count = 0, at = line;
    if (c->often) st = tsr_get_i64(c->ctx, order, 1, &line, &at);
    const tsr_index i = (tsr_index)at;
    if (st == TSR_OK) st = text_at(c->ctx, c->what, values, i, text);
    if (st != TSR_OK) break;
    table_cell(t, text);
    st = tsr_get_i64(c->ctx, counts, 1, &i, &count);
    table_cell(t, text_count(count, text));
  }
  return st;
}

static bool put_counts(const counting *c, const target *of, const tsr_tensor *values, const tsr_tensor *counts,
                       const tsr_tensor *order) {
  table t = {0};
  char all[32], more[32];
  table_column(&t, "value", true);
  table_column(&t, "count", true);
  const tsr_status st = fill(c, values, counts, order, &t);
  bool ok = st == TSR_OK || (report_failure(c->ctx, target_label(of)), false);
  if (ok) put_description(of, &c->to);
  if (ok) ok = table_write(&t, &c->to);
  table_release(&t);
  if (!ok) return false;
  const tsr_index n = tsr_size(values);
  (void)printf("%s different %s", text_count(n, all), n == 1 ? "value" : "values");
  if (n > c->most) (void)printf(", and %s of them not shown: -n all", text_count(n - c->most, more));
  (void)putchar('\n');
  return true;
}

static bool put_unique(void *user, const source *from, target *t) {
  counting *c = user;
  tsr_tensor values = {0}, counts = {0}, order = {0};
  c->what = target_column(from, t);
  tsr_status st = tsr_unique(c->ctx, &t->tensor, &values, NULL, NULL, &counts);
  if (st == TSR_OK && c->often) st = tsr_argsort(c->ctx, &counts, 0, true, &order);
  bool ok = st == TSR_OK || (report_failure(c->ctx, target_label(t)), false);
  if (ok) ok = put_counts(c, t, &values, &counts, &order);
  tsr_release(&values);
  tsr_release(&counts);
  tsr_release(&order);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  counting c = {.ctx = ctx, .often = args_has(args, "often"), .most = 1000000000};
  if (!terminal_init(&c.to, args_value(args, "color", "auto"))) return FAILED;
  if (strcmp(args_value(args, "rows", ""), "all") != 0 && !args_integer(args, "rows", 1, 1000000000, 20, &c.most))
    return FAILED;
  return each_target(ctx, args, false, put_unique, &c);
}

static const option options[] = {{"often", 'c', NULL, "the most frequent first; else the least number"},
                                 {"rows", 'n', "COUNT", "lines, or all (20)"},
                                 {0}};

const command unique_command = {
    .name = "unique",
    .summary = "counts the different numbers of tensors",
    .usage = "[OPTION]... FILE[:NAME][SLICE]...",
    .about = "All NaN count as one. Needs memory for a sorted copy of the tensor.",
    .examples =
        "  tessera unique labels.npy\n"
        "  tessera unique --often -n 5 sensors.csv:state\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
