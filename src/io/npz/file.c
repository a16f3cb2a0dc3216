/* .npz files by their path. */
#include "io/npz/npz.h"

#if TSR_HAVE_STDIO

#include "io/bytes/text.h"
#include "io/file/file.h"
#include "io/call/outputs.h"
#include "io/file/input.h"
#include "io/file/system.h"

#include <errno.h>

typedef struct loading {
  const tsr_npz_options *options;
  tsr_bundle *out;
} loading;

static tsr_status load_input(void *user, const tsr__input *in, tsr_storage *map) {
  const loading *l = user;
  tsr__zip zip = {.in = *in};
  return tsr__npz_open_and_read(&zip, l->options, map, l->out);
}

tsr_status tsr_npz_load(tsr_ctx *ctx, const char *path, const tsr_npz_options *options, tsr_bundle *out) {
  static const char op[] = "npz_load";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  const tsr_status st = tsr__outputs_check(ctx, op, out, NULL);
  if (st != TSR_OK) return st;
  loading l = {.options = options, .out = out};
  return tsr__input_open(ctx, op, path, options != NULL ? options->access : TSR_ACCESS_READ, load_input, &l);
}

/* ---- saving ---- */

static tsr_status write_archive(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  const tsr__npz_source source = {.producer = what->producer, .old = what->old};
  return tsr__npz_write(ctx, what->bundle, what->options, &source, sink);
}

tsr_status tsr__npz_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_npz_save_options *options,
                         const tsr_producer *producer) {
  const tsr__saving what = {.op = "npz_save",
                            .path = path,
                            .write = write_archive,
                            .bundle = bundle,
                            .options = options,
                            .producer = producer};
  return tsr__file_save_bundle(ctx, &what);
}

tsr_status tsr_npz_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_npz_save_options *options) {
  return tsr__npz_save(ctx, path, bundle, options, NULL);
}

/* ---- growing ---- */

static tsr_status check_new(const tsr__zip *zip, const tsr_bundle *bundle) {
  char shown[TSR__SHOWN];
  for (size_t i = 0; i < zip->count; i++) {
    if (tsr_bundle_find(bundle, zip->member[i].name) == NULL) continue;
    tsr__show_text(zip->member[i].name, shown);
    return TSR__FAIL(zip->in.ctx, TSR_ENAME, zip->in.op, NULL, "%s'%s' is in the archive already", zip->in.where,
                     shown);
  }
  return TSR_OK;
}

static tsr_status grow(const tsr__input *in, const tsr__saving *saving) {
  tsr__saving what = *saving;
  tsr__zip zip = {.in = *in};
  tsr_status st = tsr__zip_open(&zip, NULL);
  if (st != TSR_OK) return st;
  what.old = &zip;
  st = check_new(&zip, what.bundle);
  if (st == TSR_OK) st = tsr__file_save_bundle(in->ctx, &what);
  tsr__zip_close(&zip);
  return st;
}

static bool is_there(const char *path) {
  FILE *f = tsr__system_open(path, "rb");
  if (f == NULL) return errno != ENOENT;
  (void)fclose(f);
  return true;
}

tsr_status tsr_npz_append(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                          const tsr_npz_save_options *options) {
  tsr__saving what = {.op = "npz_append", .path = path, .write = write_archive, .bundle = bundle, .options = options};
  if (path == NULL || bundle == NULL || !is_there(path)) return tsr__file_save_bundle(ctx, &what);
  tsr__input_file file;
  tsr__input_call call;
  tsr_status st = tsr__input_file_open(ctx, what.op, path, TSR_ACCESS_READ, &file);
  if (st != TSR_OK) return st;
  what.source = &file;
  st = tsr__input_call_start(ctx, what.op, &file, &call);
  if (st == TSR_OK) st = tsr__input_call_end(&call, grow(&call.in, &what));
  tsr__input_file_close(&file);
  return st;
}

#endif
