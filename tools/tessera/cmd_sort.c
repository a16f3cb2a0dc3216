/* tessera sort: the rows of a table by one of its columns, a tensor along an axis. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "columns.h"
#include "columns_of.h"
#include "formats.h"
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
    ok = put_all(s->ctx, from, &made, &to);
  }
  tsr_release(&made.tensor);
  return ok;
}

/* ---- tables of text ---- */

/* The strings of a column in their order: which place each has. */
static tsr_status rank_strings(tsr_ctx *ctx, const tsr_column *what, const tsr_tensor *codes, tsr_tensor *out) {
  const tsr_index n = what->string_count;
  int32_t *rank = calloc((size_t)n + 1, sizeof *rank);
  if (rank == NULL) return TSR_ENOMEM;
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index k = 0; k < n; k++) rank[i] += strcmp(what->strings[k], what->strings[i]) < 0;
  tsr_status st = tsr_clone(ctx, codes, out);
  int32_t *values = out->data;
  for (tsr_index i = 0; i < tsr_size(codes) && st == TSR_OK; i++) {
    const int32_t code = values[i];
    values[i] = code >= 0 && code < n ? rank[code] : INT32_MAX; /* missing ones last */
  }
  free(rank);
  return st;
}

static bool order_rows(const sorting *s, const source *from, const targets *found, tsr_tensor *order) {
  const char *by = args_value(s->args, "by", found->list[0].name);
  const target *key = NULL;
  tsr_tensor ranks = {0};
  for (tsr_index i = 0; i < found->count; i++)
    if (strcmp(found->list[i].name, by) == 0) key = &found->list[i];
  if (key == NULL) return report("--by: %s has no column '%s'", source_shown(from->file), by), false;
  const tsr_column *what = target_column(from, key);
  tsr_status st = TSR_OK;
  if (what != NULL && what->kind == TSR_COLUMN_TEXT) st = rank_strings(s->ctx, what, &key->tensor, &ranks);
  if (st == TSR_OK) st = tsr_argsort(s->ctx, ranks.data != NULL ? &ranks : &key->tensor, 0, s->reverse, order);
  tsr_release(&ranks);
  return st == TSR_OK || (report_failure(s->ctx, by), false);
}

/* The columns in that order, as targets that view the table. */
static bool put_sorted(const sorting *s, const source *from, const targets *found, const tsr_table *table) {
  terminal to;
  targets rows = {.list = calloc((size_t)found->count + 1, sizeof *rows.list), .count = found->count};
  if (rows.list == NULL) return report("out of memory"), false;
  bool ok = terminal_init(&to, args_value(s->args, "color", "auto"));
  for (tsr_index i = 0; i < found->count && ok; i++) {
    rows.list[i].name = found->list[i].name;
    ok = tsr_view(s->ctx, &table->values.tensors[i], &rows.list[i].tensor) == TSR_OK;
  }
  const target group = {.name = source_shown(from->file), .group = &rows};
  if (ok) put_description(&group, &to);
  if (ok) ok = put_all(s->ctx, from, &group, &to);
  free(rows.list);
  return ok;
}

static bool sort_table(const sorting *s, const source *from, const targets *found) {
  const char *to = args_value(s->args, "to", NULL);
  const int format = to != NULL ? format_find(to) : TSR_FORMAT_AUTO;
  tsr_tensor order = {0};
  tsr_table table = {0};
  if (to != NULL && format == 0) return false;
  bool ok = order_rows(s, from, found, &order) && columns_of(s->ctx, from, found, &order, &table);
  if (ok && args_has(s->args, "output")) {
    ok = columns_save(s->ctx, args_value(s->args, "output", "-"), format, &table);
  } else if (ok) {
    ok = put_sorted(s, from, found, &table);
  }
  tsr_release(&order);
  tsr_table_release(&table);
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  sorting s = {.ctx = ctx, .args = args, .reverse = args_has(args, "reverse")};
  source from;
  targets found;
  if (!args_integer(args, "axis", -TSR_MAX_DIMS, TSR_MAX_DIMS - 1, -1, &s.axis)) return FAILED;
  if (!source_open(ctx, args->operands[0], &from, &found)) return FAILED;
  const bool table = from.rows.values.count > 0 && found.count > 1 && found.list[0].tensor.ndim == 1;
  bool ok = found.count == 1 || table;
  if (table) {
    ok = sort_table(&s, &from, &found);
    targets_release(&found);
    source_release(&from);
    return ok ? DONE : FAILED;
  }
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
