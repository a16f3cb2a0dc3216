/* What a transform is made of, once for each instruction set.
 *
 * A block is as many transforms as a vector has lanes, side by side: for each element a vector of real parts and one of imaginary
 * parts. All arithmetic is done on blocks, without a shuffle; what brings elements into blocks and out of them is named first and
 * last where a pass does it on its way. */
#ifndef TSR_FFT_KERNEL_H
#define TSR_FFT_KERNEL_H

#include <stdbool.h>
#include <tessera/tensor.h>
#include "cpu/isa.h"

/* One pass of Stockham's algorithm with a radix r over r·m·s elements x[q + s·(p + m·k)], k < r, p < m, q < s:
 *   y[q + s·(r·p + j)] = w^(p·j) · Σ over k of x[…] · exp(-2πi·j·k/r), where w = exp(-2πi/(r·m)). */
typedef struct tsr__fft_pass {
  tsr_index radix, m, s;
  const void *from;
  void *to;
  tsr_index step;       /* of a first or last pass: from one element to the next, in complex numbers */
  const void *twiddles; /* (m, radix - 1) complex numbers; not read where m is 1 */
  const void *roots;    /* of an odd radix without a kernel: (h, h) complex numbers, h = (radix - 1) / 2 */
  double scale;         /* of a last pass */
} tsr__fft_pass;

typedef void tsr__fft_pass_fn(const tsr__fft_pass *pass);

/* Radices that have kernels, and which of them can be a first or a last pass. */
#define TSR__FFT_RADIX_LIST(X) X(2) X(3) X(4) X(5) X(7) X(8) X(11) X(16)
#define TSR__FFT_ENDS_LIST(X) X(4) X(8) X(16)
enum { TSR__FFT_RADICES = 8, TSR__FFT_ENDS = 3, TSR__FFT_ODD_MAX = 31 };

/* A part of a block of n elements: lanes of it count. Elsewhere a line of complex numbers lies at at + lane·lane_step, and its
 * element i at i·step from there, in complex numbers; one of the two steps is 1. */
typedef struct tsr__fft_tile {
  void *block;
  tsr_index n;
  int lanes;
  bool inverse; /* real and imaginary parts change places */
  const void *from;
  void *to;
  tsr_index step, lane_step;
  double scale;
} tsr__fft_tile;

/* Rows row … row + lanes of the columns of a matrix (n1, n2), which lie in blocks of n1 elements, times their twiddles, which lie
 * alike, become a block of n2 elements. */
typedef struct tsr__fft_cross {
  const void *columns, *twiddles;
  void *block;
  tsr_index n1, n2, row;
  void *to; /* of rows that are one radix, as many as lanes: where row 0 of the result goes, n1 apart */
  bool inverse;
  double scale;
} tsr__fft_cross;

/* Between a complex line z of h elements and the half h + 1 of the spectrum of 2·h real ones; twiddles: (h/2 + 1) of
 * exp(-2πi·k/(2·h)). Either may be done in place. */
typedef struct tsr__fft_real {
  tsr_index h;
  const void *from;
  void *to;
  const void *twiddles;
  double scale;
} tsr__fft_real;

typedef struct tsr__fft_kernels {
  int lanes;
  tsr__fft_pass_fn *inner[2][TSR__FFT_RADICES]; /* without twiddles, with them; block to block */
  tsr__fft_pass_fn *first[2][2][TSR__FFT_ENDS]; /* forward, inverse; without twiddles, with them; s = 1 */
  tsr__fft_pass_fn *last[2][TSR__FFT_ENDS];     /* forward, inverse; m = 1 */
  tsr__fft_pass_fn *odd;                        /* any odd radix to TSR__FFT_ODD_MAX; block to block */
  void (*load)(const tsr__fft_tile *tile);      /* lane_step 1: to the block */
  void (*store)(const tsr__fft_tile *tile);
  void (*gather)(const tsr__fft_tile *tile); /* step 1: to the block */
  void (*scatter)(const tsr__fft_tile *tile);
  void (*cross)(const tsr__fft_cross *cross);
  void (*cross_last)(const tsr__fft_cross *cross); /* and the rows to complex numbers */
  void (*unfold)(const tsr__fft_real *real);       /* of z the spectrum */
  void (*fold)(const tsr__fft_real *real);         /* of the spectrum z */
  void (*multiply)(tsr_index n, const void *a, const void *b, void *out, bool swap_in, bool swap_out, double scale);
} tsr__fft_kernels;

typedef const tsr__fft_kernels tsr__fft_table[2]; /* f32, f64 */
TSR__DECLARE_FOR_ISAS(tsr__fft_table, tsr__fft)

#endif
