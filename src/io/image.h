/* Images as tensors: what the formats of pictures share. */
#ifndef TSR_IO_IMAGE_H
#define TSR_IO_IMAGE_H

#include <tessera/io.h>
#include "core/check.h"

#if TSR_HAVE_STDIO

typedef struct tsr__image {
  uint32_t width, height;
  int channels; /* 1 … 4 */
  int bits;     /* 8 or 16 */
} tsr__image;

/* A call, for messages. where begins them: "" or "x.png: ". */
typedef struct tsr__image_call {
  tsr_ctx *ctx;
  const char *op, *where;
} tsr__image_call;

/* Gives memory for the pixels of an image, row after row without gaps, in the host's byte order. */
typedef tsr_status tsr__image_place(void *user, const tsr__image *image, void **pixels);

/* A format: decodes n bytes. place is called once the header is known and the bytes there bear out what it says. */
typedef tsr_status tsr__image_decoder(const tsr__image_call *call, const uint8_t *bytes, size_t n, uint64_t max_pixels,
                                      tsr__image_place *place, void *user);

/* What a reader does: limits, 0 is the default of each. */
typedef struct tsr__image_reader {
  tsr__image_decoder *decode;
  uint64_t max_pixels;
  size_t max_bytes;
} tsr__image_reader;

/* The public functions of a format, under its names. */
tsr_status tsr__image_decode(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const void *bytes, size_t n,
                             tsr_tensor *out);
tsr_status tsr__image_read(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const tsr_source *source,
                           tsr_tensor *out);
tsr_status tsr__image_load(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const char *path,
                           tsr_tensor *out);

/* Whether a tensor is an image to be written, and which. format is its name for messages. */
tsr_status tsr__image_check(tsr_ctx *ctx, const char *op, const char *format, const tsr_tensor *image, tsr__image *out);

#endif

#endif
