#include "each.h"

#include "report.h"

static bool do_target(tsr_ctx *ctx, const source *from, target *t, each_fn *fn, void *user) {
  if (target_fetch(ctx, t) != TSR_OK) return report_failure(ctx, target_label(t)), false;
  const bool ok = fn(user, from, t);
  target_drop(t);
  return ok;
}

int each_target(tsr_ctx *ctx, const arguments *args, int first, each_fn *fn, void *user) {
  int code = DONE;
  for (int i = first; i < args->operand_count; i++) {
    source from;
    targets found;
    if (!source_open(ctx, args->operands[i], &from, &found)) {
      code = FAILED;
      continue;
    }
    for (tsr_index k = 0; k < found.count; k++)
      if (!do_target(ctx, &from, &found.list[k], fn, user)) code = FAILED;
    targets_release(&found);
    source_release(&from);
  }
  return code;
}
