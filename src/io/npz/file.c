/* .npz files by their path. */
#include "io/npz/npz.h"

#if TSR_HAVE_STDIO

#include "io/bytes/text.h"
#include "io/file/file.h"
#include "io/call/outputs.h"
#include "io/file/input.h"

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

typedef struct contents {
  const tsr_bundle *bundle;
  const tsr_npz_save_options *options;
  tsr__npz_source source;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr__npz_write(ctx, c->bundle, c->options, &c->source, sink);
}

static tsr_status check_saving(tsr_ctx *ctx, const char *op, const char *path, const tsr_bundle *bundle) {
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  return TSR_OK;
}

tsr_status tsr__npz_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_npz_save_options *options,
                         const tsr_producer *producer) {
  static const char op[] = "npz_save";
  const tsr_status st = check_saving(ctx, op, path, bundle);
  if (st != TSR_OK) return st;
  contents c = {.bundle = bundle, .options = options, .source.producer = producer};
  return tsr__file_save(ctx, op, path, bundle->count, bundle->tensors, write_contents, &c);
}

tsr_status tsr_npz_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_npz_save_options *options) {
  return tsr__npz_save(ctx, path, bundle, options, NULL);
}

/* ---- growing ---- */

typedef struct growing {
  const char *path;
  contents c;
} growing;

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

static tsr_status grow(void *user, const tsr__input *in, tsr_storage *map) {
  growing *g = user;
  const tsr_bundle *bundle = g->c.bundle;
  tsr__zip zip = {.in = *in};
  (void)map;
  tsr_status st = tsr__zip_open(&zip, NULL);
  if (st != TSR_OK) return st;
  st = check_new(&zip, bundle);
  g->c.source.old = &zip;
  if (st == TSR_OK)
    st = tsr__file_save(in->ctx, in->op, g->path, bundle->count, bundle->tensors, write_contents, &g->c);
  g->c.source.old = NULL; /* it ends here */
  tsr__zip_close(&zip);
  return st;
}

static bool is_there(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return errno != ENOENT;
  (void)fclose(f);
  return true;
}

tsr_status tsr_npz_append(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                          const tsr_npz_save_options *options) {
  static const char op[] = "npz_append";
  const tsr_status st = check_saving(ctx, op, path, bundle);
  if (st != TSR_OK) return st;
  if (!is_there(path)) return tsr_npz_save(ctx, path, bundle, options);
  growing g = {.path = path, .c = {.bundle = bundle, .options = options}};
  return tsr__input_open(ctx, op, path, TSR_ACCESS_READ, grow, &g);
}

#endif
