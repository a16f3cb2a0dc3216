#include "result.h"

#include "args.h"
#include "formats.h"
#include "output.h"
#include "report.h"

bool result_save(tsr_ctx *ctx, const arguments *args, const source *from, const char *name, tsr_tensor *t) {
  const char *to = args_value(args, "to", NULL);
  const int format = to != NULL ? format_find(to) : TSR_FORMAT_AUTO;
  tsr_bundle bundle;
  if (to != NULL && format == 0) return false;
  if (tsr_bundle_init(ctx, &bundle) != TSR_OK || tsr_bundle_add(ctx, &bundle, name, t) != TSR_OK)
    return report_failure(ctx, NULL), false;
  const output what = {.bundle = &bundle, .metadata = &from->metadata};
  const bool ok = output_save(ctx, args_value(args, "output", "-"), format, &what);
  tsr_bundle_release(&bundle);
  return ok;
}
