/* JPEG: libjpeg behind what images need. */
#ifndef TSR_IO_IMAGE_JPEG_H
#define TSR_IO_IMAGE_JPEG_H

#include <tessera/jpeg.h>
#include "io/image/image.h"

#if TSR_HAVE_STDIO

/* as_stored: whatever its orientation. */
tsr_status tsr__jpeg_decode(const tsr__image_call *call, const tsr__image_file *file);
tsr_status tsr__jpeg_decode_as_stored(const tsr__image_call *call, const tsr__image_file *file);

/* Writes the pixels of the next row. */
typedef void tsr__jpeg_row(void *user, void *row);
tsr_status tsr__jpeg_encode(const tsr__image_call *call, const tsr__pixels *image, const tsr_jpeg_save_options *options,
                            tsr__jpeg_row *fill, void *user, const tsr_sink *sink);

/* The orientation that a block of EXIF says, 1 … 8; 1 where it says none, or is broken. */
int tsr__exif_orientation(const uint8_t *bytes, size_t n);

#endif

#endif
