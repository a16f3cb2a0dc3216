#include "losses.h"

#include "args.h"
#include "loss.h"
#include "report.h"
#include "rules.h"

enum { SHOWN = 8 }; /* tensors that are named */

/* How many tensors would lose numbers, each reported; -1: it could not be found out, which is reported too. */
static int64_t count_losses(tsr_ctx *ctx, const arguments *args, const targets *found, const char *note) {
  int64_t losing = 0;
  for (tsr_index i = 0; i < found->count; i++) {
    target *t = &found->list[i];
    const int dtype = rules_dtype(args, &t->tensor);
    char text[LOSS_TEXT];
    loss l;
    if (!rules_select(args, t->name)) continue;
    if (loss_count(ctx, t, dtype, &l) != TSR_OK) return report_failure(ctx, t->name), -1;
    if (loss_changed(&l) == 0) continue;
    if (losing++ < SHOWN) report("%s%s: %s", note, target_label(t), loss_text(&l, t->tensor.dtype, dtype, text));
  }
  if (losing > SHOWN) report("%sand so in %lld tensors more", note, (long long)(losing - SHOWN));
  return losing;
}

bool losses_accepted(tsr_ctx *ctx, const arguments *args, const targets *found, bool picture) {
  const bool lossy = args_has(args, "lossy");
  const int64_t losing = count_losses(ctx, args, found, lossy ? "note: " : "");
  if (losing == 0 || (losing > 0 && lossy)) return true;
  if (losing > 0)
    report("nothing was written: %s--lossy converts all the same",
           picture ? "without --dtype, floats from 0 to 1 become 0 to 255; " : "");
  return false;
}
