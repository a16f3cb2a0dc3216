/* Bundles from and to files: the format is found by content, and chosen by name or by extension. */
#include "io/formats/formats.h"

const char *tsr_format_name(tsr_format format) {
  static const char *const names[] = {"none", "npy", "npz", "safetensors", "png",    "csv",  "tsv", "c",
                                      "gguf", "pgm", "ppm", "raw",         "shards", "jpeg", "wav"};
  const size_t number = (size_t)format;
  return number < sizeof names / sizeof names[0] ? names[number] : "none";
}

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/file/file.h"
#include "io/call/outputs.h"

#include <string.h>
#include <tessera/view.h>

/* In the order of the probes: the surest first. A new format is a line here and a row of its own. */
static const tsr__file_format *const formats[] = {
    &tsr__format_npy,  &tsr__format_npz,         &tsr__format_png, &tsr__format_wav, &tsr__format_jpeg,
    &tsr__format_gguf, &tsr__format_safetensors, &tsr__format_pgm, &tsr__format_ppm, &tsr__format_shards,
    &tsr__format_csv,  &tsr__format_tsv,         &tsr__format_c,   &tsr__format_raw};

enum { FORMATS = (int)(sizeof formats / sizeof formats[0]) };

/* ---- finding ---- */

static bool may_be(const tsr__file_format *format, const uint8_t *start, size_t n) {
  if (format->probe != NULL) return format->probe(format, start, n);
  const size_t length = format->magic != NULL ? strlen(format->magic) : 0;
  return length > 0 && n >= length && memcmp(start, format->magic, length) == 0;
}

static const tsr__file_format *by_content(const uint8_t *start, size_t n) {
  for (int i = 0; i < FORMATS; i++)
    if (may_be(formats[i], start, n)) return formats[i];
  return NULL;
}

static const tsr__file_format *by_id(int id) {
  for (int i = 0; i < FORMATS; i++)
    if (formats[i]->id == id) return formats[i];
  return NULL;
}

static const tsr__file_format *by_extension(const char *path) {
  const size_t length = strlen(path);
  for (int i = 0; i < FORMATS; i++) {
    const char *const both[] = {formats[i]->extension, formats[i]->other};
    for (int k = 0; k < 2 && both[k] != NULL; k++) {
      const size_t extension = strlen(both[k]);
      if (length > extension && strcmp(path + (length - extension), both[k]) == 0) return formats[i];
    }
  }
  return NULL;
}

static tsr_status detect(tsr_ctx *ctx, const char *op, const char *path, const tsr__file_format **format) {
  uint8_t start[TSR__PROBE_BYTES];
  size_t n = 0;
  tsr__file_source f;
  tsr_status st = tsr__file_source_open(ctx, op, path, &f);
  if (st != TSR_OK) return st;
  st = tsr__file_source_close(&f, f.bounded ? tsr__file_read(&f.file, start, sizeof start, &n) : TSR_OK);
  if (st != TSR_OK) return st;
  if (!f.bounded)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "%s: not a plain file: say its format", tsr__file_short(path));
  *format = by_content(start, n);
  if (*format != NULL) return TSR_OK;
  if (n == 0) return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "%s: the file is empty", tsr__file_short(path));
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "%s: not a file type that Tessera knows", tsr__file_short(path));
}

tsr_status tsr_format_detect(tsr_ctx *ctx, const char *path, int *format) {
  const tsr__file_format *found = NULL;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, "format_detect", "path", "is NULL");
  if (format == NULL) return TSR__FAIL(ctx, TSR_EARG, "format_detect", "format", "is NULL");
  const tsr_status st = detect(ctx, "format_detect", path, &found);
  if (st == TSR_OK) *format = found->id;
  return st;
}

/* ---- bundles ---- */

tsr_status tsr_bundle_load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata) {
  static const char op[] = "bundle_load";
  const tsr__file_format *format = NULL;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  tsr_status st = tsr__outputs_check(ctx, op, out, metadata);
  if (st == TSR_OK) st = detect(ctx, op, path, &format);
  if (st != TSR_OK) return st;
  return format->load_one != NULL ? tsr__format_load_one(ctx, path, format, out, metadata)
                                  : format->load(ctx, path, out, metadata);
}

/* ---- saving ---- */

/* The elements of all tensors in memory: with those that have them already as they are. */
static tsr_status produce_all(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_producer *producer, tsr_bundle *out) {
  tsr_status st = tsr_bundle_init(ctx, out);
  for (tsr_index i = 0; st == TSR_OK && i < bundle->count; i++) {
    const tsr_tensor *from = &bundle->tensors[i];
    tsr_tensor t = {0};
    if (from->data != NULL || tsr_size(from) == 0) {
      st = tsr_view(ctx, from, &t);
    } else {
      st = tsr_desc_init(ctx, from->dtype, from->ndim, from->shape, &t);
      if (st == TSR_OK) st = tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &t);
      if (st == TSR_OK) t.layout = from->layout;
      if (st == TSR_OK) st = producer->produce(producer->self, from, 0, tsr_size(from), t.data);
    }
    if (st == TSR_OK) st = tsr_bundle_add(ctx, out, from->name, &t);
    tsr_release(&t);
  }
  return st;
}

static tsr_status save_as(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_bundle *bundle,
                          const tsr_metadata *metadata, const tsr_producer *producer) {
  return format->save_one != NULL ? tsr__format_save_one(ctx, path, format, bundle, metadata, producer)
                                  : format->save(ctx, path, bundle, metadata, producer);
}

static tsr_status save(tsr_ctx *ctx, const char *path, tsr_format format, const tsr_bundle *bundle,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  static const char op[] = "bundle_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  const tsr__file_format *found = format == TSR_FORMAT_AUTO ? by_extension(path) : by_id((int)format);
  if (found == NULL && format == TSR_FORMAT_AUTO)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "path", "%s: its extension is no format: say one",
                     tsr__file_short(path));
  if (found == NULL) return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "format", "%d is not in this build", format);
  if (found->save == NULL && found->save_one == NULL)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "%s files are read, not written",
                     tsr_format_name((tsr_format)found->id));
  if (metadata != NULL && metadata->count == 0) metadata = NULL;
  if (metadata != NULL && !found->metadata)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "metadata", "%s files have no room for it",
                     tsr_format_name((tsr_format)found->id));
  if (producer == NULL || found->streams) return save_as(ctx, path, found, bundle, metadata, producer);
  tsr_bundle all = {0};
  tsr_status st = produce_all(ctx, bundle, producer, &all);
  if (st == TSR_OK) st = save_as(ctx, path, found, &all, metadata, NULL);
  tsr_bundle_release(&all);
  return st;
}

tsr_status tsr_bundle_save(tsr_ctx *ctx, const char *path, tsr_format format, const tsr_bundle *bundle,
                           const tsr_metadata *metadata) {
  return save(ctx, path, format, bundle, metadata, NULL);
}

tsr_status tsr_bundle_save_from(tsr_ctx *ctx, const char *path, tsr_format format, const tsr_bundle *bundle,
                                const tsr_metadata *metadata, const tsr_producer *producer) {
  const tsr_status st = tsr__check_producer(ctx, "bundle_save_from", producer);
  return st == TSR_OK ? save(ctx, path, format, bundle, metadata, producer) : st;
}

#endif
