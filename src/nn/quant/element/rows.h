/* Rows of quantised numbers: the kernels of what works element by element. */
#ifndef TSR_NN_QUANT_ELEMENT_ROWS_H
#define TSR_NN_QUANT_ELEMENT_ROWS_H

#include "cpu/isa.h"
#include "cpu/iterate.h"
#include "nn/quant/quant.h"

/* What belongs to one channel; an operand of the loops, in which it repeats along the other axes. */
typedef struct tsr__quant_channel {
  float scale;
  int32_t zero;     /* of the quantised side; of requantize: of its input */
  int32_t out_zero; /* of requantize */
  tsr__fixed fixed; /* of requantize */
} tsr__quant_channel;

/* The arg of a row; at[0] is the output, at[1] x, at[2] a tsr__quant_channel (or b of qadd). */
typedef struct tsr__quant_row {
  int x_dtype, b_dtype, out_dtype;
  int32_t x_zero, b_zero, out_zero; /* of qadd */
  int32_t x_multiplier, b_multiplier;
  int shift;
#if TSR__ROUND_TWICE
  tsr__fixed x_ratio, b_ratio, out_ratio; /* of operands that were shifted by shift, and of their sum */
#endif
} tsr__quant_row;

/* Sums of i8 by products of 32 bits, on microcontrollers: y = (a · a_high + b · b_high + high + (a · a_low + b · b_low + low
 * >> 16)) >> shift, the multipliers in two parts, what is constant in high and low. */
#define TSR__QADD_BYTES (!TSR_HAVE_MALLOC && !TSR__ROUND_TWICE)
#if TSR__QADD_BYTES
typedef struct tsr__quant_sum {
  int32_t a_high, a_low, b_high, b_low, high, low;
  int shift;
  tsr__quant_row row; /* what it is made of */
} tsr__quant_sum;

/* false: these are none. */
bool tsr__qadd_bytes_init(const tsr__quant_row *row, tsr__quant_sum *sum);
extern tsr__row_fn tsr__qadd_bytes_row; /* whose arg is a tsr__quant_sum */
#endif

/* Products of i8 on microcontrollers; the arg is a tsr__quant_row whose shift is TSR__FIXED_HIGH or more. */
#define TSR__QMUL_BYTES (!TSR_HAVE_MALLOC)
#if TSR__QMUL_BYTES
extern tsr__row_fn tsr__qmul_bytes_row;
#endif

#define X(isa)                                                                                      \
  extern tsr__row_fn tsr__quantize_row_##isa, tsr__dequantize_row_##isa, tsr__requantize_row_##isa, \
      tsr__qadd_row_##isa, tsr__qmul_row_##isa;
TSR_ISA_LIST(X)
#undef X

#endif
