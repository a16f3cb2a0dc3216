/* Quantised layers as kernels see them: filters, weights that are about to be packed, a call that is about to run. Dense
 * layers are convolutions of images of one pixel. */
#ifndef TSR_NN_QUANT_RUN_H
#define TSR_NN_QUANT_RUN_H

#include "nn/conv/conv.h"
#include "nn/quant/quant.h"

/* Which kernels read the weights; the numbers never change. */
typedef enum tsr__q_kernel {
  TSR__Q_KERNEL_PLAIN = 0, /* filters one after the other, [O,KH,KW,I]; depthwise ones by channels, [KH,KW,O] */
  TSR__Q_KERNEL_BYTES = 1, /* panels of groups of four, for byte dots */
  TSR__Q_KERNEL_PAIRS = 2, /* panels of pairs of i16 */
  TSR__Q_KERNELS,
  /* what only an op of its own reads */
  TSR__Q_KERNEL_PHASES = 8, /* of a transposed convolution: the filters of each phase, plain */
  TSR__Q_KERNEL_NIBBLES = 9 /* two numbers in a byte, filter by filter */
} tsr__q_kernel;

/* Rows of the table of what follows a sum: a number for each output. */
enum { TSR__Q_BIAS, TSR__Q_MULTIPLIER, TSR__Q_SHIFT, TSR__Q_W_ZERO, TSR__Q_TABLE_ROWS };

/* ---- weights ---- */

/* As they were given: lengths and strides (in elements) in the order o, i, kh, kw. */
typedef struct tsr__q_filters {
  tsr_index o, i, kh, kw, groups;
  tsr_index stride[4];
  bool depthwise;       /* one channel in each filter, and more than one filter */
  bool contiguous_rows; /* what a row of a filter meets lies side by side in x */
} tsr__q_filters;

/* Of tensors [O,F], or of filters with four axes: TSR_ESHAPE, TSR_ELAYOUT. */
tsr_status tsr__q_filters_init(tsr_ctx *ctx, const char *op, const tsr_tensor *w, const tsr_conv_options *options,
                               tsr__q_filters *f);

/* Whether plain kernels can read weights of a dtype where they lie. */
bool tsr__q_filters_are_plain(const tsr__q_filters *f, int dtype);

/* A layer that is about to be made. */
typedef struct tsr__q_packing tsr__q_packing;
struct tsr__q_packing {
  const char *op;
  const tsr_tensor *w, *bias;
  const tsr_qscheme *scheme;
  const tsr_conv_options *options;
  tsr__q_filters f;
  bool asymmetric; /* some zero point of the weights is not 0 */
  tsr__q_kernel kernel;
  int isa;
  size_t bytes; /* of the panels */
  /* Of a layer that an op of its own reads; NULL: of none. Whether it can be, its bytes; four rows of table for each of so many tables
   * (NULL: to see whether there are); the weights. */
  tsr_status (*plan)(tsr_ctx *ctx, tsr__q_packing *p);
  tsr_status (*fill)(tsr_ctx *ctx, const tsr__q_packing *p, int32_t *table, void *panels);
  tsr_index tables;
  uint8_t number; /* of its kernel */
};

/* One weight as i8. */
static inline int32_t tsr__q_weight(const tsr__q_packing *p, tsr_index o, tsr_index i, tsr_index ky, tsr_index kx) {
  const tsr_index *const s = p->f.stride;
  const char *const at = (const char *)p->w->data + (ptrdiff_t)(o * s[0] + i * s[1] + ky * s[2] + kx * s[3]);
  return p->w->dtype == TSR_U8 ? (int32_t) * (const uint8_t *)at - 128 : *(const int8_t *)at;
}

/* ---- a run ---- */

/* Up to this shift a zero point can be added before it, where the high word of a product is. */
enum { TSR__Q_SHORT_SHIFT = 53 };

/* Steps in bytes, in the order n, c, h, w. */
typedef struct tsr__q_run {
  const tsr_qlayer *layer;
  tsr__q_kernel kernel;
  int isa; /* of the kernel, where it is not plain */
  tsr__conv c;
  bool depthwise;
  bool high;       /* every shift is TSR__FIXED_HIGH or more */
  bool short_ends; /* and TSR__Q_SHORT_SHIFT or less, and results are bytes */
  bool asymmetric; /* some zero point of the weights is not 0 */
  const char *x;
  ptrdiff_t xs[4];
  char *out;
  ptrdiff_t os[4];
  const int8_t *w; /* in the order of the kernel */
  const int32_t *table[TSR__Q_TABLE_ROWS];
  char *scratch;
  size_t each; /* bytes of it for every worker */
} tsr__q_run;

#endif
