/* Images as tensors: what the formats of pictures share. */
#ifndef TSR_IO_IMAGE_IMAGE_H
#define TSR_IO_IMAGE_IMAGE_H

#include <tessera/io.h>
#include "core/check.h"
#include "io/call/limits.h"

#if TSR_HAVE_STDIO

typedef struct tsr__pixels {
  uint32_t width, height;
  int channels; /* 1 … 4 */
  int bits;     /* 8 or 16 */
} tsr__pixels;

/* A call, for messages. where begins them: "" or "x.png: ". */
typedef struct tsr__image_call {
  tsr_ctx *ctx;
  const char *op, *where;
} tsr__image_call;

/* Says whether an image may be read, once its header is known and the bytes there bear out what it says: TSR_ELIMIT.
 * Decoders call it before they take memory that goes with the image. */
typedef tsr_status tsr__image_allow(void *user, const tsr__pixels *image);

/* Gives memory for the pixels of an image, contiguous, in the host's byte order; NULL when the header
 * is all that is wanted. */
typedef tsr_status tsr__image_place(void *user, const tsr__pixels *image, void **pixels);

/* What a decoder reads: n bytes in memory, of a file of size. */
typedef struct tsr__image_file {
  const uint8_t *bytes;
  size_t n;
  uint64_t size;
  tsr__image_allow *allow;
  tsr__image_place *place;
  void *user; /* of both */
} tsr__image_file;

/* A format: allow, then place, then the pixels. */
typedef tsr_status tsr__image_decoder(const tsr__image_call *call, const tsr__image_file *file);

/* What a reader does. */
typedef struct tsr__image_reader {
  tsr__image_decoder *decode;
  bool inflates;          /* pixels are compressed in the file */
  bool describe;          /* the header alone: the output is described, and takes no memory */
  const size_t *reserved; /* of the options; NULL: none were given */
  size_t words;           /* of it */
} tsr__image_reader;

/* A reader with the options of its format, which may be NULL. */
#define TSR__IMAGE_READER(options, ...)                                                   \
  (&(const tsr__image_reader){.describe = (options) != NULL && (options)->describe,       \
                              .reserved = (options) != NULL ? (options)->reserved : NULL, \
                              .words = sizeof((options)->reserved) / sizeof(size_t),      \
                              __VA_ARGS__})

/* The public functions of a format, under its names. */
tsr_status tsr__image_decode(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const void *bytes, size_t n,
                             tsr_tensor *out);
tsr_status tsr__image_read(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const tsr_source *source,
                           tsr_tensor *out);
tsr_status tsr__image_load(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const char *path,
                           tsr_tensor *out);

/* Whether a tensor is an image to be written, and which. format is its name for messages. */
tsr_status tsr__image_check(tsr_ctx *ctx, const char *op, const char *format, const tsr_tensor *image,
                            tsr__pixels *out);

#endif

#endif
