/* safetensors files by their path. */
#include "io/safetensors/safetensors.h"

#if TSR_HAVE_STDIO

#include "io/file/file.h"
#include "io/bytes/input.h"
#include "io/call/outputs.h"

/* ---- loading ---- */

static int access_of(const tsr_safetensors_options *options) {
  return options != NULL ? options->access : TSR_ACCESS_READ;
}

static tsr_status read_file(tsr_ctx *ctx, const char *op, const tsr_safetensors_options *options, tsr__input_file *from,
                            tsr_bundle *out, tsr_metadata *metadata) {
  tsr_safetensors_file file = {.from = from};
  tsr_status st = tsr__st_open(ctx, op, options, &file);
  if (st != TSR_OK) return st;
  st = tsr__st_read_all(ctx, op, &file, out, metadata);
  tsr__st_close(&file);
  return st;
}

tsr_status tsr_safetensors_load(tsr_ctx *ctx, const char *path, const tsr_safetensors_options *options, tsr_bundle *out,
                                tsr_metadata *metadata) {
  static const char op[] = "safetensors_load";
  tsr__input_file from;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  tsr_status st = tsr__outputs_check(ctx, op, out, metadata);
  if (st == TSR_OK) st = tsr__input_file_open(ctx, op, path, access_of(options), &from);
  if (st != TSR_OK) return st;
  st = read_file(ctx, op, options, &from, out, metadata);
  tsr__input_file_close(&from);
  return st;
}

/* ---- saving ---- */

typedef struct contents {
  const tsr_bundle *bundle;
  const tsr_metadata *metadata;
  const tsr_safetensors_save_options *options;
  const tsr_producer *producer;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr__st_write(ctx, c->bundle, c->metadata, c->options, c->producer, sink);
}

tsr_status tsr__st_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                        const tsr_safetensors_save_options *options, const tsr_producer *producer) {
  static const char op[] = "safetensors_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  contents c = {.bundle = bundle, .metadata = metadata, .options = options, .producer = producer};
  return tsr__file_save(ctx, op, path, bundle->count, bundle->tensors, write_contents, &c);
}

tsr_status tsr_safetensors_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                                const tsr_safetensors_save_options *options) {
  return tsr__st_save(ctx, path, bundle, metadata, options, NULL);
}

#endif
