/* Tensors to PGM and PPM images. */
#include "io/file/file.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/bytes/swap.h"
#include "io/bytes/walk.h"
#include "io/image/image.h"
#include "ops/print/printer.h"

#include <tessera/pnm.h>

enum { LINE = 11 /* numbers of five digits: a line has at most 70 letters */ };

static const char op[] = "pnm_write";

static void put_header(const tsr__pixels *what, bool ascii, tsr__printer *out) {
  const bool grey = what->channels == 1;
  tsr__print_string(out, ascii ? (grey ? "P2\n" : "P3\n") : grey ? "P5\n" : "P6\n");
  tsr__print_u64(out, what->width);
  tsr__print_char(out, ' ');
  tsr__print_u64(out, what->height);
  tsr__print_string(out, what->bits == 8 ? "\n255\n" : "\n65535\n");
}

/* Two bytes: the higher first. */
static tsr_status put_bytes(const tsr_sink *sink, int dtype, void *block, size_t bytes) {
  if (TSR__LITTLE_HOST) tsr__swap_bytes(dtype, block, bytes);
  return sink->write(sink->self, block, bytes);
}

static void put_text(tsr__printer *out, const void *block, int dtype, size_t n, size_t before) {
  for (size_t i = 0; i < n; i++) {
    if (before + i > 0) tsr__print_char(out, (before + i) % LINE == 0 ? '\n' : ' ');
    tsr__print_u64(out, dtype == TSR_U8 ? ((const uint8_t *)block)[i] : ((const uint16_t *)block)[i]);
  }
}

static tsr_status put_pixels(const tsr_tensor *image, bool ascii, tsr__printer *out) {
  _Alignas(16) char block[TSR__ELEMENT_BLOCK];
  const size_t all = (size_t)tsr_size(image), most = sizeof block / tsr_dtype_size(image->dtype);
  tsr_status st = tsr__printer_finish(out); /* the header */
  tsr__element_walk walk;
  tsr__element_walk_init(&walk, image, false);
  for (size_t done = 0; done < all && st == TSR_OK;) {
    const size_t n = all - done < most ? all - done : most;
    tsr__element_gather(&walk, n, block);
    if (ascii)
      put_text(out, block, image->dtype, n, done);
    else
      st = put_bytes(out->sink, image->dtype, block, n * walk.item);
    if (ascii) st = out->status;
    done += n;
  }
  if (ascii) tsr__print_char(out, '\n');
  return st == TSR_OK ? tsr__printer_finish(out) : st;
}

tsr_status tsr_pnm_write(tsr_ctx *ctx, const tsr_tensor *image, const tsr_pnm_save_options *options,
                         const tsr_sink *sink) {
  tsr__pixels what;
  tsr__printer out;
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = tsr__image_check(ctx, op, "PNM", image, &what);
  if (st != TSR_OK) return st;
  if (what.channels != 1 && what.channels != 3)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: PGM has one channel, PPM three", image);
  const bool ascii = options != NULL && options->ascii;
  tsr__printer_init(&out, sink);
  put_header(&what, ascii, &out);
  st = put_pixels(image, ascii, &out);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, op, NULL, "the sink failed");
}

static tsr_status write_image(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_pnm_write(ctx, what->tensor, what->options, sink);
}

tsr_status tsr_pnm_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image, const tsr_pnm_save_options *options) {
  const tsr__saving what = {.op = "pnm_save", .path = path, .write = write_image, .tensor = image, .options = options};
  return tsr__file_save(ctx, &what);
}

#endif
