/* PNG: what tensors need of an image, and libpng behind it. */
#ifndef TSR_IO_PNG_H
#define TSR_IO_PNG_H

#include <tessera/png.h>
#include "core/check.h"

#if TSR_HAVE_STDIO

typedef struct tsr__png_image {
  uint32_t width, height;
  int channels; /* 1 … 4 */
  int bits;     /* 8 or 16 */
} tsr__png_image;

/* A call, for messages. where begins them: "" or "x.png: ". */
typedef struct tsr__png_call {
  tsr_ctx *ctx;
  const char *op, *where;
} tsr__png_call;

/* Gives memory for the pixels of an image, row after row without gaps, in the host's byte order. */
typedef tsr_status tsr__png_place(void *user, const tsr__png_image *image, void **pixels);

/* Decodes n bytes. place is called once the header is known and bears out what it says. */
tsr_status tsr__png_decode(const tsr__png_call *call, const uint8_t *bytes, size_t n, uint64_t max_pixels,
                           tsr__png_place *place, void *user);

/* Writes the pixels of the next row. */
typedef void tsr__png_row(void *user, void *row);
tsr_status tsr__png_encode(const tsr__png_call *call, const tsr__png_image *image, int level, tsr__png_row *fill,
                           void *user, const tsr_sink *sink);

/* The public decode under another name. path may be NULL. */
tsr_status tsr__png_into(tsr_ctx *ctx, const char *op, const char *path, const uint8_t *bytes, size_t n,
                         const tsr_png_options *options, tsr_tensor *out);

#endif

#endif
