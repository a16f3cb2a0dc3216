/* PNG: libpng behind what images need. */
#ifndef TSR_IO_IMAGE_PNG_H
#define TSR_IO_IMAGE_PNG_H

#include <tessera/png.h>
#include "io/image/image.h"

#if TSR_HAVE_STDIO

tsr_status tsr__png_decode(const tsr__image_call *call, const tsr__image_file *file);

/* Writes the pixels of the next row. */
typedef void tsr__png_row(void *user, void *row);
tsr_status tsr__png_encode(const tsr__image_call *call, const tsr__pixels *image, int level, tsr__png_row *fill,
                           void *user, const tsr_sink *sink);

#endif

#endif
