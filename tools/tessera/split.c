#include "split.h"

#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "report.h"

static bool take_column(tsr_ctx *ctx, const grid *g, tsr_index i, target *out) {
  out->held = strdup(g->columns[i].title);
  out->label = strdup(g->columns[i].title);
  out->name = out->held;
  if (out->held == NULL || out->label == NULL) return report("out of memory"), false;
  return tsr_view(ctx, &g->columns[i].values, &out->tensor) == TSR_OK || (report_failure(ctx, NULL), false);
}

bool split_columns(tsr_ctx *ctx, const source *s, targets *found) {
  grid g;
  if (found->count != 1 || found->list[0].tensor.ndim != 2 || !grid_is(s, &found->list[0])) return true;
  if (!grid_init(ctx, s, &found->list[0], &g)) return false;
  target *list = calloc((size_t)g.count + 1, sizeof *list);
  bool ok = list != NULL || (report("out of memory"), false);
  for (tsr_index i = 0; i < g.count && ok; i++) ok = take_column(ctx, &g, i, &list[i]);
  const targets columns = {.list = list, .count = list != NULL ? g.count : 0};
  if (ok && g.count > 0) { /* the first keeps what the table has: its copy, where it is one */
    list[0].own = found->list[0].own;
    found->list[0].own = (tsr_tensor){0};
  }
  targets done = ok ? *found : columns;
  if (ok) *found = columns;
  targets_release(&done);
  grid_release(&g);
  return ok;
}
