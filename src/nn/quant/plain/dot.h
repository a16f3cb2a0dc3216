/* Dots of a patch of x with four filters at a time, for plain kernels: what is loaded of x serves four products.
 *
 * A patch holds the numbers of x that one output meets, in the order of a filter. Its numbers are i16; in groups of
 * four on processors that multiply pairs (smlad.h), where numbers 1 and 2 of a group have changed places: that is
 * how two instructions take four bytes apart. Where there are vectors of bytes (mve.h), patches of i8 stay bytes.
 */
#ifndef TSR_NN_QUANT_PLAIN_DOT_H
#define TSR_NN_QUANT_PLAIN_DOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tessera/index.h>

/* sums[0 … 3] += patch · (w, w + next, w + 2 · next, w + 3 · next). Numbers wrap: what they add up to in the end fits.
 */
void tsr__q_dots(const int16_t *patch, const int8_t *w, ptrdiff_t next, tsr_index k, int32_t *sums);

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1)
#define TSR__MVE 1
#include "nn/quant/plain/mve.h"
#elif defined(__ARM_FEATURE_SIMD32) && defined(__ARM_FEATURE_UNALIGNED) && defined(__thumb2__) && \
    !defined(__ARM_BIG_ENDIAN) && !defined(__aarch64__)
#define TSR__SMLAD 1
#include "nn/quant/plain/smlad.h"
#endif

#endif
