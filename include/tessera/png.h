/** @file png.h
 *  PNG images to and from u8 and u16 tensors: [H,W] grey, [H,W,C] with 1 … 4 channels. A build without libpng
 *  (TSR_HAVE_PNG 0) has the functions, and each returns TSR_EUNSUPPORTED. */
#ifndef TESSERA_PNG_H
#define TESSERA_PNG_H

#include <tessera/io.h>
#include <tessera/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_png_options {
  bool describe; /**< the header alone, whatever the limits: *out, which must be empty, is described, without memory */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_png_options;

/** How to write; 0 is the default of each. */
typedef struct tsr_png_save_options {
  int level;                     /**< of compression, 1 (fast) … 9 (small); 0: 6; -1: none */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_png_save_options;

/** Reads one image from n bytes in memory. Grey images are [H,W], those with alpha [H,W,2], colours [H,W,3], with
 *  alpha [H,W,4]; u8, or u16 where the file has 16 bits. Palettes become colours, a transparent colour becomes alpha,
 *  1, 2 and 4 bits of grey become 8. Colour profiles, gamma and text are not looked at. An empty *out is allocated; a
 *  given one takes the image when dtype and shape fit, and may be partly written when the file turns out broken
 *  midway. Nothing is allocated that the bytes there could not fill. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_png_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                               const tsr_png_options *options, tsr_tensor *out);

/** The same from a source, which is read to its end first. */
TSR_API TSR_MUST_USE tsr_status tsr_png_read(tsr_ctx *ctx, const tsr_source *source, const tsr_png_options *options,
                                             tsr_tensor *out);

/** Writes an image: u8 or u16, [H,W] or [H,W,C], C 1 … 4, at least one pixel; any strides. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_png_write(tsr_ctx *ctx, const tsr_tensor *image,
                                              const tsr_png_save_options *options, const tsr_sink *sink);

/** Reads a PNG file. */
TSR_API TSR_MUST_USE tsr_status tsr_png_load(tsr_ctx *ctx, const char *path, const tsr_png_options *options,
                                             tsr_tensor *out);

/** Writes a PNG file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_png_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image,
                                             const tsr_png_save_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
