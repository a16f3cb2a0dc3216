/* Tensors that are images: [H,W,3], or [H,W,4] with alpha, of u8, u16 or floats from 0 to 1. */
#ifndef TESSERA_COMMAND_IMAGE_H
#define TESSERA_COMMAND_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <tessera/tessera.h>

/* Whether a tensor is one, and the number that is white. */
bool image_is(tsr_ctx *ctx, const tsr_tensor *t, double *white);

/* Red, green and blue of an image as width × height pixels each, one behind the other. */
tsr_status image_planes(tsr_ctx *ctx, const tsr_tensor *t, int width, int height, double *pixels);

/* The colour of three shares from 0 to 1; what is beyond is cut off, and NaN has a colour of its own. */
uint32_t image_color(const double share[3]);

/* Floats from 0 to 1 as u8 from 0 to 255, which needs tsr_release; *out stays empty where t holds anything else. */
tsr_status image_from_floats(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out);

#endif
