/** @file pnm.h
 *  PGM and PPM images to and from u8 and u16 tensors: [H,W] grey, [H,W,3] colours. Needs no library. */
#ifndef TESSERA_PNM_H
#define TESSERA_PNM_H

#include <tessera/io.h>
#include <tessera/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_pnm_options {
  bool describe; /**< the header alone, whatever the limits: *out, which must be empty, is described, without memory */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_pnm_options;

/** How to write; 0 is the default of each. */
typedef struct tsr_pnm_save_options {
  bool ascii;                    /**< numbers as text (P2, P3), not as bytes (P5, P6) */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_pnm_save_options;

/** Reads the first image of n bytes in memory: P2 and P5 are [H,W], P3 and P6 [H,W,3]; u8, or u16 where the greatest
 *  number that the file allows is over 255. Numbers stay as they are in the file. Comments are passed over; what
 *  follows the image is not looked at. An empty *out is allocated; a given one takes the image when dtype and shape
 *  fit, and may be partly written when the file turns out broken midway. Nothing is allocated that the bytes there
 *  could not fill. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_pnm_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                               const tsr_pnm_options *options, tsr_tensor *out);

/** The same from a source, which is read to its end first. */
TSR_API TSR_MUST_USE tsr_status tsr_pnm_read(tsr_ctx *ctx, const tsr_source *source, const tsr_pnm_options *options,
                                             tsr_tensor *out);

/** Writes an image: u8 or u16, [H,W] or [H,W,1] as PGM, [H,W,3] as PPM, at least one pixel; any strides. The greatest
 *  number allowed is 255 or 65535. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_pnm_write(tsr_ctx *ctx, const tsr_tensor *image,
                                              const tsr_pnm_save_options *options, const tsr_sink *sink);

/** Reads a file. */
TSR_API TSR_MUST_USE tsr_status tsr_pnm_load(tsr_ctx *ctx, const char *path, const tsr_pnm_options *options,
                                             tsr_tensor *out);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_pnm_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image,
                                             const tsr_pnm_save_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
