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

/* The variant is the separator. */
static bool probe(const tsr__file_format *format, const uint8_t *start, size_t n) {
  bool tabs;
  return is_table(start, n, &tabs) && tabs == (format->variant == '\t');
}

/* ---- loading, saving ---- */

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *out,
                       tsr_metadata *metadata) {
  (void)format; /* what separates fields is found */
  return tsr_csv_load(ctx, path, NULL, out, metadata);
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  const tsr_csv_options options = {.separator = format->variant};
  (void)producer;
  for (tsr_index i = 0; metadata != NULL && i < metadata->count; i++)
    if (strncmp(metadata->pairs[i].key, "column.", 7) != 0)
      return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "bundle_save", "metadata",
                       "%s files have room for the names of columns, not for %s",
                       tsr_format_name((tsr_format)format->id), metadata->pairs[i].key);
  return tsr_csv_save(ctx, path, t, metadata, &options);
}

#define ROW(id_, extension_, separator)                                                                           \
  {                                                                                                               \
    .id = id_, .extension = extension_, .metadata = true, .variant = separator, .probe = probe, .load_one = load, \
    .save_one = save                                                                                              \
  }
const tsr__file_format tsr__format_csv = ROW(TSR_FORMAT_CSV, ".csv", ',');
const tsr__file_format tsr__format_tsv = ROW(TSR_FORMAT_TSV, ".tsv", '\t');

#endif
