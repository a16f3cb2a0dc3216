/* Dots of a patch of x with four filters at a time, for plain kernels: what is loaded of x serves four products.
 *
 * A patch holds the numbers of x that one output meets, in the order of a filter. Its numbers are i16; in groups of
 * four on processors that multiply pairs (smlad.h), where numbers 1 and 2 of a group have changed places: that is
 * how two instructions take four bytes apart. Where there are vectors of bytes (mve.h), patches of i8 stay bytes.
 */
#ifndef TSR_NN_QUANT_PLAIN_DOT_H
#define TSR_NN_QUANT_PLAIN_DOT_H

#include "cpu/dsp.h"
#include "nn/quant/quant.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tessera/index.h>

/* sums[0 … 3] += patch · (w, w + next, w + 2 · next, w + 3 · next). Numbers wrap: what they add up to in the end fits.
 */
void tsr__q_dots(const int16_t *patch, const int8_t *w, ptrdiff_t next, tsr_index k, int32_t *sums);

#if defined(TSR__MVE)
#include "nn/quant/plain/mve.h"
#elif defined(TSR__SMLAD)
#include "nn/quant/plain/smlad.h"
#endif

#endif
