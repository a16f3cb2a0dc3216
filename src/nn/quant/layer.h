/* Quantised layers inside: dense layers are convolutions of images of one pixel. */
#ifndef TSR_NN_QUANT_LAYER_H
#define TSR_NN_QUANT_LAYER_H

#include "core/call.h"
#include "nn/conv/conv.h"
#include "nn/quant/quant.h"

/* Which kernels read the weights; the numbers never change. */
typedef enum tsr__q_kernel {
  TSR__Q_KERNEL_PLAIN = 0, /* filters one after the other, [O,KH,KW,I]; depthwise ones by channels, [KH,KW,O] */
  TSR__Q_KERNEL_BYTES = 1, /* panels of groups of four, for the byte dots of AVX-512 */
  TSR__Q_KERNEL_PAIRS = 2, /* panels of pairs of i16 */
  TSR__Q_KERNELS
} tsr__q_kernel;

enum { TSR__Q_BIAS, TSR__Q_MULTIPLIER, TSR__Q_SHIFT, TSR__Q_W_ZERO, TSR__Q_TABLE_ROWS };

/* Weights as they were given: lengths and strides (in elements) in the order o, i, kh, kw. */
typedef struct tsr__q_filters {
  tsr_index o, i, kh, kw, groups;
  tsr_index stride[4];
  bool depthwise;       /* one channel in each filter, and more than one filter */
  bool contiguous_rows; /* what a row of a filter meets lies side by side in x */
} tsr__q_filters;

/* Of tensors [O,F], or of filters with four axes: TSR_ESHAPE, TSR_ELAYOUT. */
tsr_status tsr__q_filters_init(tsr_ctx *ctx, const char *op, const tsr_tensor *w, const tsr_conv_options *options,
                               tsr__q_filters *f);

/* A layer that is about to be made. */
typedef struct tsr__q_packing {
  const char *op;
  const tsr_tensor *w, *bias;
  const tsr_qscheme *scheme;
  const tsr_conv_options *options;
  tsr__q_filters f;
  bool asymmetric; /* some zero point of the weights is not 0 */
  tsr__q_kernel kernel;
  int isa;
  size_t bytes; /* of the panels */
} tsr__q_packing;

/* Bytes of the weights in the order of a kernel. */
size_t tsr__q_weight_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f);

/* Checks its inputs, and chooses the kernel. */
tsr_status tsr__q_plan(tsr_ctx *ctx, tsr__q_packing *p);

/* The table; NULL: only to see whether there is one. TSR_EOVERFLOW, TSR_ERANGE. */
tsr_status tsr__q_table(tsr_ctx *ctx, const tsr__q_packing *p, int32_t *table);

/* One weight as i8, the weights as the kernel reads them, and the rest of a layer. */
int32_t tsr__q_weight(const tsr__q_packing *p, tsr_index o, tsr_index i, tsr_index ky, tsr_index kx);
void tsr__q_weights(const tsr__q_packing *p, const int32_t *table, void *panels);
void tsr__q_set_layer(const tsr__q_packing *p, tsr_qlayer *layer);

/* Whether plain kernels can read weights of a dtype where they lie. */
bool tsr__q_layout_is_plain(const tsr__q_filters *f, int dtype);

/* A call that is about to run. Steps in bytes, in the order n, c, h, w. */
typedef struct tsr__q_run {
  const tsr_qlayer *layer;
  tsr__q_kernel kernel;
  int isa; /* of the kernel, where it is not plain */
  tsr__conv c;
  bool depthwise;
  bool high;       /* every shift is TSR__FIXED_HIGH or more */
  bool asymmetric; /* some zero point of the weights is not 0 */
  const char *x;
  ptrdiff_t xs[4];
  char *out;
  ptrdiff_t os[4];
  const int8_t *w; /* in the order of the kernel */
  const int32_t *table[TSR__Q_TABLE_ROWS];
  char *scratch;
  size_t shared, each; /* bytes for all, then for every worker */
} tsr__q_run;

/* The call of an op on x with a layer. */
tsr_status tsr__q_layer_call(tsr_ctx *ctx, const tsr__op_info *info, const tsr_tensor *x, const tsr_qlayer *layer,
                             tsr_tensor *out);

/* In such a call: whether the struct can be a layer, it may come from anywhere. Fills in what does not depend on x. */
tsr_status tsr__q_run_init(const tsr__call *call, tsr__q_filters *f, tsr__q_run *run);

/* The temporary memory of a run whose shape and steps are known, SIZE_MAX: too much; and the run. */
size_t tsr__q_scratch(const tsr_ctx *ctx, tsr__q_run *run);
void tsr__q_dispatch(const tsr_ctx *ctx, const tsr__q_run *run);

/* Plain loops. */
size_t tsr__q_plain_scratch(const tsr_ctx *ctx, tsr__q_run *run);
void tsr__q_run_plain(const tsr_ctx *ctx, const tsr__q_run *run);

/* The result of channel o. */
static inline int32_t tsr__q_result(const tsr__q_run *q, tsr_index o, int32_t sum) {
  const tsr__fixed f = {q->table[TSR__Q_MULTIPLIER][o], q->table[TSR__Q_SHIFT][o]};
  const tsr_qlayer *const l = q->layer;
  if (q->high) {
    const int32_t y = tsr__fixed_apply_high(sum, f) + l->out_zero; /* at most 2^30 + 2^15 in size */
    return y < l->low ? l->low : y > l->high ? l->high : y;
  }
  return tsr__clamp_i64(tsr__fixed_apply(sum, f) + l->out_zero, l->low, l->high);
}

static inline void tsr__q_store(int dtype, char *at, int32_t y) {
  if (dtype == TSR_I16)
    *(int16_t *)(void *)at = (int16_t)y;
  else
    *at = (char)y;
}

#endif
