#include "put.h"

#include <stdio.h>

#include "report.h"
#include "text.h"

void put_description(const target *t, const terminal *to) {
  char text[TEXT_SHAPE + 128], rows[32];
  if (t->group != NULL) {
    (void)snprintf(text, sizeof text, "%s rows, %lld columns", text_count(t->group->list[0].tensor.shape[0], rows),
                   (long long)t->group->count);
  } else {
    (void)tsr_desc_format(&t->tensor, text, sizeof text);
  }
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

bool put_grid(tsr_ctx *ctx, const source *from, const target *t, const grid_options *o, const terminal *to) {
  grid g;
  if (!grid_init(ctx, from, t, &g)) return false;
  const bool ok = grid_write(ctx, &g, o, to);
  grid_release(&g);
  return ok;
}

bool put_all(tsr_ctx *ctx, const source *from, const target *t, const terminal *to) {
  const grid_options all = {.most = TSR_INDEX_MAX, .whole = !to->is_terminal};
  return grid_is(from, t) ? put_grid(ctx, from, t, &all, to) : put_numbers(ctx, t, to);
}
