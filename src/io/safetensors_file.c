/* safetensors files by their path. */
#include "io/safetensors.h"

#if TSR_HAVE_STDIO

#include "io/file.h"
#include "io/map.h"

#include <errno.h>

static tsr_status open_and_read(tsr__st_file *file, const tsr_safetensors_options *options, tsr_storage *map,
                                tsr_bundle *out, tsr_metadata *metadata) {
  tsr_status st = tsr__st_open(file, options);
  if (st != TSR_OK) return st;
  st = tsr__st_read_all(file, map, out, metadata);
  tsr__st_close(file);
  return st;
}

#if TSR_HAVE_MMAP
static tsr_status load_mapped(tsr__st_file *file, const char *path, const tsr_safetensors_options *options,
                              tsr_bundle *out, tsr_metadata *metadata) {
  static const uint8_t nothing[1] = {0};
  tsr_storage *map = NULL;
  tsr_status st = tsr__map_open(file->ctx, file->op, path, options != NULL ? options->access : TSR_ACCESS_READ, &map);
  if (st != TSR_OK) return st;
  file->size = tsr_storage_bytes(map);
  file->bytes = file->size > 0 ? tsr_storage_data(map) : nothing;
  st = open_and_read(file, options, map, out, metadata);
  tsr_storage_release(map);
  return st;
}
#endif

static tsr_status load_stream(tsr__st_file *file, const char *path, const tsr_safetensors_options *options,
                              tsr_bundle *out, tsr_metadata *metadata) {
  tsr__file f = {.stream = fopen(path, "rb"), .ctx = file->ctx, .plain = true};
  if (f.stream == NULL) return tsr__file_fail(file->ctx, file->op, path, "cannot be opened", errno);
  tsr_reader reader = {.read = tsr__file_read_at, .self = &f};
  tsr_status st;
  if (tsr__file_size(f.stream, &reader.bytes)) {
    file->reader = &reader;
    file->size = reader.bytes;
    st = open_and_read(file, options, NULL, out, metadata);
    file->reader = NULL; /* it ends here */
    if (f.error != 0) st = tsr__file_fail(file->ctx, file->op, path, "reading failed", f.error);
  } else {
    st = TSR__FAIL(file->ctx, TSR_EUNSUPPORTED, file->op, NULL, "%s: not a plain file: it cannot be read in any order",
                   tsr__file_short(path));
  }
  (void)fclose(f.stream);
  return st;
}

tsr_status tsr_safetensors_load(tsr_ctx *ctx, const char *path, const tsr_safetensors_options *options, tsr_bundle *out,
                                tsr_metadata *metadata) {
  static const char op[] = "safetensors_load";
  char where[TSR_TEXT_BYTES];
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  const tsr_status st = tsr__st_check_outputs(ctx, op, out, metadata);
  if (st != TSR_OK) return st;
  tsr__st_file file = {.ctx = ctx, .op = op, .where = where};
  tsr__file_where(path, where);
#if TSR_HAVE_MMAP
  const int access = options != NULL ? options->access : TSR_ACCESS_READ;
  const tsr_status known = tsr__map_check_access(ctx, op, access, true);
  if (known != TSR_OK) return known;
  if (access != TSR_ACCESS_COPY) return load_mapped(&file, path, options, out, metadata);
#endif
  return load_stream(&file, path, options, out, metadata);
}

/* ---- saving ---- */

typedef struct contents {
  const tsr_bundle *bundle;
  const tsr_metadata *metadata;
  const tsr_safetensors_save_options *options;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr_safetensors_write(ctx, c->bundle, c->metadata, c->options, sink);
}

tsr_status tsr_safetensors_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                                const tsr_safetensors_save_options *options) {
  static const char op[] = "safetensors_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  const tsr_status st = tsr__map_check_all(ctx, op, bundle->count, bundle->tensors);
  if (st != TSR_OK) return st;
  contents c = {.bundle = bundle, .metadata = metadata, .options = options};
  return tsr__file_save(ctx, op, path, write_contents, &c);
}

#endif
