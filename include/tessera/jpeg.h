/** @file jpeg.h
 *  JPEG images to and from u8 tensors: [H,W] grey, [H,W,3] colours. A build without libjpeg (TSR_HAVE_JPEG 0) has the
 *  functions, and each returns TSR_EUNSUPPORTED. */
#ifndef TESSERA_JPEG_H
#define TESSERA_JPEG_H

#include <tessera/io.h>
#include <tessera/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_jpeg_options {
  bool describe;  /**< the header alone, whatever the limits: *out, which must be empty, is described, without memory */
  bool as_stored; /**< pixels as they lie in the file; else turned and mirrored as its EXIF orientation says */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_jpeg_options;

/** How to write; 0 is the default of each. */
typedef struct tsr_jpeg_save_options {
  int quality;                   /**< 1 … 100; 0: 90 */
  bool full_color;               /**< colours at every pixel (4:4:4); else at every other one along both axes (4:2:0) */
  bool progressive;              /**< coarse to fine, and smaller */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_jpeg_save_options;

/** Reads one image from n bytes in memory. Grey images are [H,W], colours [H,W,3]; four inks become red, green and blue
 *  without a colour profile. 8 bits a channel, baseline and progressive; what is coded arithmetically is TSR_EUNSUPPORTED. A
 *  file that the decoder has a warning about, such as one that was cut, is TSR_EFORMAT. An empty *out is allocated; a
 *  given one takes the image when dtype and shape fit, and may be partly written when the file turns out broken midway.
 *  The decoder takes memory of its own from the system, for progressive files as much as twice the pixels. options may
 *  be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_jpeg_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                                const tsr_jpeg_options *options, tsr_tensor *out);

/** The same from a source, which is read to its end first. */
TSR_API TSR_MUST_USE tsr_status tsr_jpeg_read(tsr_ctx *ctx, const tsr_source *source, const tsr_jpeg_options *options,
                                              tsr_tensor *out);

/** Writes an image: u8, [H,W], [H,W,1] or [H,W,3], 1 to 65500 pixels along an axis; any strides. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_jpeg_write(tsr_ctx *ctx, const tsr_tensor *image,
                                               const tsr_jpeg_save_options *options, const tsr_sink *sink);

/** Reads a JPEG file. */
TSR_API TSR_MUST_USE tsr_status tsr_jpeg_load(tsr_ctx *ctx, const char *path, const tsr_jpeg_options *options,
                                              tsr_tensor *out);

/** Writes a JPEG file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_jpeg_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image,
                                              const tsr_jpeg_save_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
