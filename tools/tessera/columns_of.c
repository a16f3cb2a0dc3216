#include "columns_of.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "report.h"
#include "spool.h"

static tsr_status mark_numbers(tsr_ctx *ctx, const tsr_tensor *values, bool *present) {
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < tsr_size(values) && st == TSR_OK; i++) {
    tsr_real value = 0;
    st = tsr_get(ctx, values, 1, &i, &value);
    present[i] = !isnan(value);
  }
  return st;
}

/* Which values there are: of text, dates and times those that are no mark of a missing one, of numbers those that are no NaN; of booleans, whose rows are all
 * there, what the table says. */
static tsr_status mark_present(tsr_ctx *ctx, const target *t, const tsr_column *old, const tsr_tensor *values,
                               const tsr_tensor *order, tsr_tensor *out) {
  const tsr_index n = tsr_size(values);
  if (old->missing == 0 || (old->kind == TSR_COLUMN_BOOL && t->label != NULL)) return TSR_OK;
  if (old->kind == TSR_COLUMN_BOOL)
    return order != NULL ? tsr_take(ctx, &old->present, order, 0, out) : tsr_clone(ctx, &old->present, out);
  const tsr_status st = tsr_zeros(ctx, TSR_BOOL, 1, &n, out);
  bool *present = out->data;
  const bool text = old->kind == TSR_COLUMN_TEXT;
  if (st == TSR_OK && old->kind == TSR_COLUMN_NUMBER) return mark_numbers(ctx, values, present);
  for (tsr_index i = 0; i < n && st == TSR_OK; i++)
    present[i] = text ? ((const int32_t *)values->data)[i] >= 0 : ((const int64_t *)values->data)[i] != TSR_NO_TIME;
  return st;
}

/* A column with the values of a target, which may be a slice. */
static tsr_status add(tsr_ctx *ctx, const source *from, const target *t, const tsr_tensor *order, tsr_table *out) {
  const tsr_column *old = target_column(from, t);
  tsr_tensor values = {0};
  tsr_column what = {.kind = TSR_COLUMN_NUMBER};
  if (old != NULL) {
    what = *old;
    what.missing = 0; /* it is counted */
  }
  tsr_tensor present = {0};
  tsr_status st = order != NULL ? tsr_take(ctx, &t->tensor, order, 0, &values) : tsr_clone(ctx, &t->tensor, &values);
  if (st == TSR_OK && old != NULL) st = mark_present(ctx, t, old, &values, order, &present);
  what.present = present;
  if (st == TSR_OK) st = tsr_table_add(ctx, out, t->name, &what, &values);
  tsr_release(&values);
  tsr_release(&present);
  return st;
}

bool columns_of(tsr_ctx *ctx, const source *from, const targets *found, const tsr_tensor *order, tsr_table *out) {
  tsr_status st = TSR_OK;
  *out = (tsr_table){0};
  for (tsr_index i = 0; i < found->count && st == TSR_OK; i++) st = add(ctx, from, &found->list[i], order, out);
  if (st == TSR_OK) return true;
  report_failure(ctx, NULL);
  tsr_table_release(out);
  return false;
}

static bool ends_in(const char *path, const char *end) {
  const size_t length = strlen(path), most = strlen(end);
  return length > most && strcmp(path + length - most, end) == 0;
}

static bool save_text(tsr_ctx *ctx, const char *path, bool tabs, const tsr_table *table) {
  const tsr_csv_options options = {.separator = tabs ? '\t' : ','};
  char spooled[SPOOL_PATH];
  if (strcmp(path, "-") != 0)
    return tsr_csv_table_save(ctx, path, table, &options) == TSR_OK || (report_failure(ctx, NULL), false);
  if (!spool_new("stdout", spooled)) return false;
  bool ok = tsr_csv_table_save(ctx, spooled, table, &options) == TSR_OK;
  if (!ok) report_failure(ctx, NULL);
  ok = ok && spool_to_stdout(spooled);
  spool_remove(spooled);
  return ok;
}

bool columns_save(tsr_ctx *ctx, const char *path, int format, const tsr_table *table) {
  tsr_bundle bundle = {0};
  tsr_metadata metadata = {0};
  const bool automatic = format == TSR_FORMAT_AUTO;
  if (format == TSR_FORMAT_CSV || (automatic && ends_in(path, ".csv"))) return save_text(ctx, path, false, table);
  if (format == TSR_FORMAT_TSV || (automatic && ends_in(path, ".tsv"))) return save_text(ctx, path, true, table);
  const tsr_status st = tsr_table_to_bundle(ctx, table, &bundle, &metadata);
  const output what = {.bundle = &bundle, .metadata = &metadata};
  const bool ok = st == TSR_OK ? output_save(ctx, path, format, &what) : (report_failure(ctx, NULL), false);
  tsr_bundle_release(&bundle);
  tsr_metadata_release(&metadata);
  return ok;
}
