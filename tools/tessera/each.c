#include "each.h"

#include "report.h"

static bool do_target(tsr_ctx *ctx, const source *from, target *t, each_fn *fn, void *user) {
  if (target_fetch(ctx, t) != TSR_OK) return report_failure(ctx, target_label(t)), false;
  const bool ok = fn(user, from, t);
  target_drop(t);
  return ok;
}

/* Several columns of a table of text, all still vectors. */
static bool is_group(const source *from, const targets *found) {
  bool all = from->rows.values.count > 0 && found->count > 1;
  for (tsr_index i = 0; i < found->count && all; i++) all = found->list[i].tensor.ndim == 1;
  return all;
}

int each_target(tsr_ctx *ctx, const arguments *args, bool tables, each_fn *fn, void *user) {
  int code = DONE;
  for (int i = 0; i < args->operand_count; i++) {
    source from;
    targets found;
    if (!source_open(ctx, args->operands[i], &from, &found)) {
      code = FAILED;
      continue;
    }
    target group = {.name = source_shown(from.file), .group = &found};
    const bool as_one = tables && is_group(&from, &found);
    if (as_one && !fn(user, &from, &group)) code = FAILED;
    for (tsr_index k = 0; k < found.count && !as_one; k++)
      if (!do_target(ctx, &from, &found.list[k], fn, user)) code = FAILED;
    targets_release(&found);
    source_release(&from);
  }
  return code;
}
