/* .npz files by their path. */
#include "io/npz.h"

#if TSR_HAVE_STDIO

#include "io/file.h"

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
  const tsr_status st = tsr__npz_check_output(ctx, op, out);
  if (st != TSR_OK) return st;
  loading l = {.options = options, .out = out};
  return tsr__input_open(ctx, op, path, options != NULL ? options->access : TSR_ACCESS_READ, load_input, &l);
}

/* ---- saving ---- */

typedef struct contents {
  const tsr_bundle *bundle;
  const tsr_npz_save_options *options;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr_npz_write(ctx, c->bundle, c->options, sink);
}

tsr_status tsr_npz_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_npz_save_options *options) {
  static const char op[] = "npz_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  contents c = {.bundle = bundle, .options = options};
  return tsr__file_save(ctx, op, path, bundle->count, bundle->tensors, write_contents, &c);
}

#endif
