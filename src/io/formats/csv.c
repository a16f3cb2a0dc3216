/* Tables as formats of bundles: one tensor, named as its file, the names of its columns as metadata. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <string.h>
#include <tessera/csv.h>

/* ---- knowing one ---- */

static bool is_text(uint8_t c) { return c >= ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool begins_number(const uint8_t *at, size_t n) {
  if (n > 0 && (*at == '"' || *at == '+' || *at == '-')) at++, n--;
  if (n > 0 && *at == '.') at++, n--;
  return n > 0 && *at >= '0' && *at <= '9';
}

/* Whether a line of the start begins with a number, and whether the first such has a tab. */
static bool is_table(const uint8_t *start, size_t n, bool *tabs) {
  bool found = false;
  size_t from = n;
  for (size_t i = 0; i < n; i++) {
    if (!is_text(start[i])) return false;
    if (!found && (i == 0 || start[i - 1] == '\n') && begins_number(start + i, n - i)) found = true, from = i;
  }
  *tabs = false;
  for (size_t i = from; i < n && start[i] != '\n' && !*tabs; i++) *tabs = start[i] == '\t';
  return found;
}

static bool probe_csv(const uint8_t *start, size_t n, uint64_t size) {
  bool tabs;
  (void)size;
  return is_table(start, n, &tabs) && !tabs;
}

static bool probe_tsv(const uint8_t *start, size_t n, uint64_t size) {
  bool tabs;
  (void)size;
  return is_table(start, n, &tabs) && tabs;
}

/* ---- loading, saving ---- */

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, char separator, tsr_bundle *out,
                       tsr_metadata *metadata) {
  const tsr_csv_options options = {.separator = separator};
  tsr_tensor t = {0};
  tsr_status st = tsr_csv_load(ctx, path, &options, &t, metadata);
  if (st == TSR_OK) st = tsr__format_add_named(ctx, path, format, &t, out);
  if (st != TSR_OK && metadata != NULL) tsr_metadata_release(metadata);
  tsr_release(&t);
  return st;
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, char separator,
                       const tsr_bundle *bundle, const tsr_metadata *metadata) {
  const tsr_csv_options options = {.separator = separator};
  const tsr_tensor *t = NULL;
  const tsr_status st = tsr__format_only(ctx, format, bundle, &t);
  if (st != TSR_OK) return st;
  for (tsr_index i = 0; metadata != NULL && i < metadata->count; i++)
    if (strncmp(metadata->pairs[i].key, "column.", 7) != 0)
      return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "bundle_save", "metadata",
                       "%s files have room for the names of columns, not for %s",
                       tsr_format_name((tsr_format)format->id), metadata->pairs[i].key);
  return tsr_csv_save(ctx, path, t, metadata, &options);
}

static tsr_status load_csv(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  return load(ctx, path, &tsr__format_csv, ',', out, metadata);
}
static tsr_status load_tsv(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  return load(ctx, path, &tsr__format_tsv, '\t', out, metadata);
}
static tsr_status save_csv(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                           const tsr_producer *producer) {
  (void)producer;
  return save(ctx, path, &tsr__format_csv, ',', bundle, metadata);
}
static tsr_status save_tsv(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                           const tsr_producer *producer) {
  (void)producer;
  return save(ctx, path, &tsr__format_tsv, '\t', bundle, metadata);
}

const tsr__file_format tsr__format_csv = {.id = TSR_FORMAT_CSV,
                                          .extension = ".csv",
                                          .metadata = true,
                                          .probe = probe_csv,
                                          .load = load_csv,
                                          .save = save_csv};
const tsr__file_format tsr__format_tsv = {.id = TSR_FORMAT_TSV,
                                          .extension = ".tsv",
                                          .metadata = true,
                                          .probe = probe_tsv,
                                          .load = load_tsv,
                                          .save = save_tsv};

#endif
