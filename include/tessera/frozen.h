/** @file frozen.h
 *  Frozen programs: a recorded program of 8-bit layers as constants in C source, which tsr_freeze_write (<tessera/freeze.h>) writes on
 *  a host. Shapes, strides, scratch memory, multipliers and the choice of kernels are numbers in flash; what is linked is the loop
 *  over them and the kernels that they name, and nothing is checked, planned or allocated where they run.
 *
 *      #include "digits.h"                                    // written by tsr_freeze_write
 *      static _Alignas(8) uint8_t memory[digits_bytes];       // every tensor between input and output, and scratch
 *      const void *const in[] = {image};                      // digits_bytes_image bytes, as the program's input was described
 *      void *const out[] = {scores};
 *      st = tsr_frozen_run(&digits, memory, in, out);         // the same bits as the program's run on the host
 *
 *  The constants are trusted as code is: they are part of the program, written by the version of the library that runs them
 *  (another one refuses them with TSR_EUNSUPPORTED). The structs below are what is written; nobody else need look at them. */
#ifndef TESSERA_FROZEN_H
#define TESSERA_FROZEN_H

#include <stddef.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where numbers lie: bytes from a base, which is 0: the memory, 1 and on: the inputs, then the outputs. */
typedef struct tsr_frozen_place {
  uint32_t base;
  uint32_t offset;
} tsr_frozen_place;

/** Runs one call, whose numbers are in a struct of its own. */
typedef tsr_status tsr_frozen_fn(const void *call, char *const *bases);

/** A call: its function and its numbers. */
typedef struct tsr_frozen_step {
  tsr_frozen_fn *run;
  const void *call;
} tsr_frozen_step;

/** A frozen program. */
typedef struct tsr_frozen {
  uint32_t form;  /**< of these structs, and how results are rounded */
  uint32_t bytes; /**< of memory */
  uint16_t steps;
  uint16_t inputs, outputs;
  const tsr_frozen_step *step;
} tsr_frozen;

enum { TSR_FROZEN_PORTS = 8 }; /**< inputs and outputs of one program, at most */

/** Runs it. memory: frozen->bytes bytes, aligned to 8, whatever is in them; inputs and outputs: contiguous numbers of the
 *  program's dtypes and shapes, apart from each other and from the memory. TSR_EARG: something is NULL. TSR_EALIGN: memory is
 *  not aligned. TSR_EUNSUPPORTED: another version wrote it, or one that rounds otherwise (TSR_QUANT_ROUNDING). Nothing has been
 *  written then. TSR_ESCRATCH: this core's kernels take more scratch than was planned; calls before that one have run. No context:
 *  there is nothing to say, and any thread may run it with memory of its own. */
TSR_API TSR_MUST_USE tsr_status tsr_frozen_run(const tsr_frozen *frozen, void *memory, const void *const *inputs,
                                               void *const *outputs);

/* ---- what is written ---- */

/** A convolution or a dense layer (images of one pixel). Pairs are rows, columns; fours of steps are in bytes, in the order n,
 *  c, h, w. */
typedef struct tsr_frozen_layer {
  tsr_frozen_place x, out, scratch;
  uint32_t scratch_bytes;
  const int8_t *w;      /**< [O,KH,KW,I]; depthwise: [KH,KW,O] */
  const int32_t *table; /**< [4,O], as in tsr_qlayer */
  int32_t x_shape[4];   /**< n, c, h, w */
  int32_t filters[4];   /**< o, i, kh, kw */
  int32_t out_shape[2], read[2], stride[2], dilation[2], before[2];
  int32_t groups;
  int32_t x_step[4], out_step[4];
  int32_t x_zero, out_zero, low, high;
  uint8_t x_dtype, out_dtype;
  uint8_t high_shifts, short_ends, asymmetric; /**< what is known of the table */
} tsr_frozen_layer;

/** Max- and average-pooling. Axes are rows, columns: length, windows, kernel, stride, dilation, padding before, behind. Steps
 *  are of an image, a channel, a plane, a row, a column. */
typedef struct tsr_frozen_pool {
  tsr_frozen_place x, out;
  int32_t images, channels, zero;
  int32_t axis[2][7];
  int32_t x_step[5], out_step[5];
  uint8_t dtype, max, include_pad;
} tsr_frozen_pool;

/** A sum of two contiguous tensors of one shape. */
typedef struct tsr_frozen_sum {
  tsr_frozen_place a, b, out;
  int32_t count;
  int32_t zero[3];        /**< of a, b, out */
  int32_t ratio[3];       /**< multipliers of a and b, and one shift */
  int32_t ratio_twice[6]; /**< of two roundings: multiplier and shift of a, b, out */
  uint8_t dtype[3];
} tsr_frozen_sum;

TSR_API tsr_frozen_fn tsr_frozen_qconv2d;    /**< of a tsr_frozen_layer */
TSR_API tsr_frozen_fn tsr_frozen_qdepthwise; /**< of a tsr_frozen_layer whose filters have one channel each */
TSR_API tsr_frozen_fn tsr_frozen_qdense;     /**< of a tsr_frozen_layer of one pixel, one or two of them */
TSR_API tsr_frozen_fn tsr_frozen_qmax_pool;  /**< of a tsr_frozen_pool */
TSR_API tsr_frozen_fn tsr_frozen_qavg_pool;  /**< of a tsr_frozen_pool */
TSR_API tsr_frozen_fn tsr_frozen_qadd;       /**< of a tsr_frozen_sum */

#ifdef __cplusplus
}
#endif

#endif
