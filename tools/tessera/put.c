#include "put.h"

#include <stdio.h>

#include "report.h"
#include "text.h"

void put_description(const target *t, const terminal *to) {
  char text[TEXT_SHAPE + 128];
  (void)tsr_desc_format(&t->tensor, text, sizeof text);
  terminal_bold(to);
  (void)text_write(stdout, target_label(t), TEXT_NAME);
  terminal_reset(to);
  (void)printf(": %s\n", text);
}

static bool put_numbers(tsr_ctx *ctx, const target *t, const terminal *to) {
  const tsr_print_options options = {.line_width = to->width, .threshold = TSR_INDEX_MAX};
  if (tsr_print(ctx, &t->tensor, &options, stdout) == TSR_OK) return true;
  if (ferror(stdout) == 0) report_failure(ctx, target_label(t)); /* else the end of main says why */
  return false;
}

bool put_all(tsr_ctx *ctx, const source *from, const target *t, tsr_index first, const terminal *to) {
  const grid_options all = {.most = TSR_INDEX_MAX, .whole = !to->is_terminal, .from = first};
  grid g;
  if (!grid_is(from, t)) return put_numbers(ctx, t, to);
  if (!grid_init(ctx, from, t, &g)) return false;
  const bool ok = grid_write(ctx, &g, &all, to);
  grid_release(&g);
  return ok;
}
