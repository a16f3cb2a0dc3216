/* The elements of a tensor as doubles, whatever its dtype and strides. */
#ifndef TESSERA_NUMBERS_H
#define TESSERA_NUMBERS_H

#include <stdbool.h>
#include <tessera/tessera.h>

/* Is shown all elements in row-major order, n at a time. */
typedef void numbers_fn(void *user, const double *values, tsr_index n);

/* Shows the elements of a tensor of real numbers to fn. */
tsr_status numbers_visit(tsr_ctx *ctx, const tsr_tensor *t, numbers_fn *fn, void *user);

/* The last two axes as a matrix: those before at index 0; rank 1 is one row. index (room for 8 numbers each, may be
 * NULL) is written as "[0, 0]" where axes were left out, else "". */
tsr_status numbers_matrix(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out, char *index, size_t capacity);

/* A matrix as a picture of width × height pixels, row by row: means of the finite elements that fall into a pixel, NaN
 * where there are none. */
tsr_status numbers_pixels(tsr_ctx *ctx, const tsr_tensor *matrix, int width, int height, double *pixels);

#endif
