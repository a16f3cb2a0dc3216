/* safetensors files by their path. */
#include "io/safetensors/safetensors.h"

#if TSR_HAVE_STDIO

#include "io/file/file.h"
#include "io/bytes/input.h"
#include "io/call/outputs.h"
#include "io/file/input.h"

static tsr_status open_and_read(tsr__st_file *file, const tsr_safetensors_options *options, tsr_storage *map,
                                tsr_bundle *out, tsr_metadata *metadata) {
  tsr_status st = tsr__st_open(file, options);
  if (st != TSR_OK) return st;
  st = tsr__st_read_all(file, map, out, metadata);
  tsr__st_close(file);
  return st;
}

typedef struct loading {
  const tsr_safetensors_options *options;
  tsr_bundle *out;
  tsr_metadata *metadata;
} loading;

static tsr_status load_input(void *user, const tsr__input *in, tsr_storage *map) {
  const loading *l = user;
  tsr__st_file file = {.in = *in};
  return open_and_read(&file, l->options, map, l->out, l->metadata);
}

tsr_status tsr_safetensors_load(tsr_ctx *ctx, const char *path, const tsr_safetensors_options *options, tsr_bundle *out,
                                tsr_metadata *metadata) {
  static const char op[] = "safetensors_load";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  const tsr_status st = tsr__outputs_check(ctx, op, out, metadata);
  if (st != TSR_OK) return st;
  loading l = {.options = options, .out = out, .metadata = metadata};
  return tsr__input_open(ctx, op, path, options != NULL ? options->access : TSR_ACCESS_READ, load_input, &l);
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
