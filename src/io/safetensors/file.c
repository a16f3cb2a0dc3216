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

static tsr_status write_contents(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr__st_write(ctx, what->bundle, what->metadata, what->options, what->producer, sink);
}

tsr_status tsr__st_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                        const tsr_safetensors_save_options *options, const tsr_producer *producer) {
  const tsr__saving what = {.op = "safetensors_save",
                            .path = path,
                            .write = write_contents,
                            .bundle = bundle,
                            .metadata = metadata,
                            .options = options,
                            .producer = producer};
  return tsr__file_save_bundle(ctx, &what);
}

tsr_status tsr_safetensors_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                                const tsr_safetensors_save_options *options) {
  return tsr__st_save(ctx, path, bundle, metadata, options, NULL);
}

#endif
