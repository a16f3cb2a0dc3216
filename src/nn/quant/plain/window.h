/* Windows of bytes with channels side by side, as microcontrollers pool them: four channels in a register, or sixteen, or
 * * four numbers of a window at a time. */
#ifndef TSR_NN_QUANT_PLAIN_WINDOW_H
#define TSR_NN_QUANT_PLAIN_WINDOW_H

#include "nn/quant/plain/dot.h"

/* Hosts have other loops. */
#define TSR__Q_WINDOWS (!TSR_HAVE_MALLOC)
#if defined(TSR__SMLAD)
enum { TSR__Q_WINDOW_CHANNELS = 4 }; /* the fewest */
#else
enum { TSR__Q_WINDOW_CHANNELS = 1 };
#endif

/* Numbers in a window: sums of so many bytes fit 16 bits, and the reciprocal of so many is exact. */
enum { TSR__Q_WINDOW_MOST = 256 };

typedef struct tsr__q_window {
  tsr_index channels;
  tsr_index rows, columns; /* of x that are there, 1 or more */
  ptrdiff_t down, right;   /* from one to the next, in bytes */
  bool sign;               /* i8, else u8 */
  int32_t rest;            /* of means: what numbers that are not there add up to */
  int32_t offset, reciprocal;
} tsr__q_window;

/* For a mean of count numbers, of which those that are not there add up to rest. */
static inline void tsr__q_window_count(tsr__q_window *w, int32_t count, int32_t rest) {
  const int32_t low = w->sign ? -128 : 0, half = (int32_t)1 << 30;
  w->rest = rest;
  w->offset = 2 * (rest - low * count) + count;
  w->reciprocal = half / count + (half % count != 0);
}

/* The maximum of each channel, and the mean: x is the first number of the window. */
void tsr__q_window_max(const tsr__q_window *w, const char *x, char *out);
void tsr__q_window_mean(const tsr__q_window *w, const char *x, char *out);

#endif
