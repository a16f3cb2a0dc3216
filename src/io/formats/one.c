/* Formats whose files hold one tensor. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <string.h>

/* The file's name without folder and extension; its whole last part where nothing else is left. */
static size_t stem(const char *path, const char *extension, const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash != NULL ? slash + 1 : path;
  const size_t length = strlen(*name), end = strlen(extension);
  return length > end && strcmp(*name + length - end, extension) == 0 ? length - end : length;
}

static tsr_status add_named(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *t,
                            tsr_bundle *out) {
  const char *from;
  size_t length = stem(path, format->extension, &from);
  if (format->other != NULL && from[length] == '\0') length = stem(path, format->other, &from);
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(ctx, "bundle_load", length + 1, &scratch);
  if (st != TSR_OK) return st;
  char *name = scratch.data;
  memcpy(name, from, length);
  name[length] = '\0';
  st = tsr_bundle_add(ctx, out, name, t);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr__format_load_one(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_bundle *out,
                                tsr_metadata *metadata) {
  tsr_tensor t = {0};
  tsr_status st = format->load_one(ctx, path, format, &t, metadata);
  if (st == TSR_OK) st = add_named(ctx, path, format, &t, out);
  if (st != TSR_OK && metadata != NULL) tsr_metadata_release(metadata);
  tsr_release(&t);
  return st;
}

tsr_status tsr__format_save_one(tsr_ctx *ctx, const char *path, const tsr__file_format *format,
                                const tsr_bundle *bundle, const tsr_metadata *metadata, const tsr_producer *producer) {
  if (bundle->count != 1)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "bundle_save", "bundle", "holds %l tensors, a %s file one",
                     (int64_t)bundle->count, format->extension);
  return format->save_one(ctx, path, format, &bundle->tensors[0], metadata, producer);
}

#endif
