/* PNG images to files by their path. */
#include "io/file/file.h"

#if TSR_HAVE_STDIO

#include "io/image/png.h"

typedef struct contents {
  const tsr_tensor *image;
  const tsr_png_save_options *options;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr_png_write(ctx, c->image, c->options, sink);
}

tsr_status tsr_png_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image, const tsr_png_save_options *options) {
  static const char op[] = "png_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  contents c = {.image = image, .options = options};
  return tsr__file_save(ctx, op, path, 1, image, write_contents, &c);
}

#endif
