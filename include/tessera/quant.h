/** @file quant.h
 *  Quantised numbers: small integers that stand for reals, and the layers that compute with them.
 *
 *  real = scale · (q - zero), q of i8, u8 or i16, with one scale and zero point for a tensor or one for each index of
 * an axis (weights: each output channel). Symmetric: the zero point is 0 (of u8: 128).
 *
 *  One arithmetic, with the same bits on every machine and instruction set, for any number of threads (class A):
 *
 *  - From reals: q = zero + x / scale, the quotient rounded to f32 and then to the nearest integer, halves to even;
 *    what does not fit saturates, NaN becomes the zero point.
 *  - Layers add up products of integers in i32, which is exact: a layer whose sums could leave i32 is refused when it
 *    is packed (TSR_EOVERFLOW).
 *  - From sums to results: y = zero + floor((sum · multiplier + 2^(shift-1)) / 2^shift) on a 64-bit product, which is
 *    rounding to nearest with halves up, once; then y is clamped to [low, high]. multiplier is 0 or 2^30 … 2^31 - 1,
 *    0 ≤ shift ≤ 62 (with shift 0 nothing is rounded). They are made when a layer is packed, by integers:
 *    multiplier / 2^shift is x's scale · w's scale / out's scale rounded once to 31 bits, halves to even. ONNX's
 *    QLinearConv and QLinearMatMul multiply in f32 there: results differ by at most 1.
 *  - Means round halves up.
 *
 *  A library that was built with TSR_QUANT_ROUNDING 2 rounds as TensorFlow Lite's reference kernels do instead: sums times multipliers to 31
 *  bits with halves up, then to the result with halves away from 0; means with halves away from 0; tsr_qadd by three multipliers and
 *  20 bits more (i16: 15). A layer whose sums could leave 30 bits is refused then.
 *
 *  Layouts as in conv.h and pool.h: NHWC or NCHW (PLAIN). Outputs as in ops.h: allocated or given, any strides,
 *  overlapping. Scratch comes from the context or its allocator; a layer allocates nothing when it runs but its scratch
 *  and an output that is empty. */
#ifndef TESSERA_QUANT_H
#define TESSERA_QUANT_H

#include <tessera/bundle.h>
#include <tessera/conv.h>
#include <tessera/pool.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the numbers of a tensor stand for reals. `{.dtype = TSR_I8, .scale = 0.05f, .zero = -3}`; for channels
 *  `{.dtype = TSR_I8, .scales = s, .count = 16, .axis = 0}`. */
typedef struct tsr_quant {
  float scale;          /**< positive and finite; not looked at where scales are given */
  int32_t zero;         /**< the q of 0, in the range of dtype; not looked at where zeros are given */
  const float *scales;  /**< count of them; NULL: scale is the whole tensor's */
  const int32_t *zeros; /**< count of them; NULL: zero everywhere */
  tsr_index count;      /**< with scales: the length of the axis */
  int8_t axis;          /**< with scales: the axis, negative from the end */
  uint8_t dtype;        /**< TSR_I8, TSR_U8, TSR_I16; where it says so TSR_I32 */
} tsr_quant;

/** Which zero point. */
typedef enum tsr_quant_kind {
  TSR_QUANT_AFFINE = 0,   /**< low is the dtype's least number, high its greatest */
  TSR_QUANT_SYMMETRIC = 1 /**< zero is 0 (u8: 128), ±127 or ±32767 of it reach to the larger of |low| and |high| */
} tsr_quant_kind;

/* ---- calibration ---- */

/** The scale and zero point for reals from low to high; 0 is always among them, and exact. *quant is for a whole
 *  tensor. A range of 0 alone has scale 1. TSR_EARG where low or high is not finite or high < low, TSR_EDTYPE. */
TSR_API TSR_MUST_USE tsr_status tsr_quant_init(tsr_ctx *ctx, int dtype, tsr_quant_kind kind, float low, float high,
                                               tsr_quant *quant);

/** The same for the least and the greatest number of x, a float tensor with elements. */
TSR_API TSR_MUST_USE tsr_status tsr_quant_params(tsr_ctx *ctx, const tsr_tensor *x, int dtype, tsr_quant_kind kind,
                                                 tsr_quant *quant);

/** The same for each index of an axis: x->shape[axis] numbers are written to scales and zeros, which *quant then points
 *  to. */
TSR_API TSR_MUST_USE tsr_status tsr_quant_params_axis(tsr_ctx *ctx, const tsr_tensor *x, int axis, int dtype,
                                                      tsr_quant_kind kind, float *scales, int32_t *zeros,
                                                      tsr_quant *quant);

/** The same without the outermost numbers of x, which then saturate: few large numbers no longer make all others coarse.
 *  0 < percent ≤ 100, usually 99 … 99.99; of the n numbers in order, n · (100 - percent) / 100 (the nearest integer, but
 *  at least one number is kept) are left out at each end, and low and high are the outermost of the rest. 100 is
 *  tsr_quant_params. x is sorted in scratch, 4 bytes a number (f64 is rounded to f32), and as much as tsr_sort needs
 *  besides. NaN is refused, infinities where they are not left out: TSR_EARG. */
TSR_API TSR_MUST_USE tsr_status tsr_quant_percentile(tsr_ctx *ctx, const tsr_tensor *x, float percent, int dtype,
                                                     tsr_quant_kind kind, tsr_quant *quant);

/* ---- between reals and quantised numbers ---- */

/** x, of any float dtype, as numbers of quant->dtype; f64 is rounded to f32 first. */
TSR_API TSR_MUST_USE tsr_status tsr_quantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *quant,
                                             tsr_tensor *out);

/** scale · (q - zero) in f32: (float)(q - zero) times the scale. x is of quant->dtype; i32 too, with zero points of 0.
 */
TSR_API TSR_MUST_USE tsr_status tsr_dequantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *quant,
                                               tsr_tensor *out);

/** x, quantised as from says, as to says: by a multiplier and a shift as layers have them. from may be i32 with zero
 *  points of 0. Where both have an axis it is the same. */
TSR_API TSR_MUST_USE tsr_status tsr_requantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *from,
                                               const tsr_quant *to, tsr_tensor *out);

/* ---- in files ---- */

/** The quantised tensor of that name in a bundle, and how it is to be read. By convention NAME, of i8, u8 or i16, has its scales
 *  beside it as NAME.scale (f32) and its zero points as NAME.zero_point (i32; may be missing: 0), each with one element, or
 *  with the rank of NAME, and length 1 but along one axis, so that NAME.scale * (NAME - NAME.zero_point) by broadcasting
 *  are the numbers; the command `tessera quantize` writes files so. *values and what *quant points to are the bundle's.
 *  TSR_ENAME where NAME or its scale is missing, TSR_EDTYPE and TSR_ESHAPE where they are otherwise, TSR_ERANGE where a
 *  scale is not positive and finite or a zero point is no number of the dtype. */
TSR_API TSR_MUST_USE tsr_status tsr_quant_get(tsr_ctx *ctx, const tsr_bundle *bundle, const char *name,
                                              const tsr_tensor **values, tsr_quant *quant);

/* ---- layers ---- */

/** What is done to a result besides: clamping, in the integers of the output. */
typedef enum tsr_qactivation {
  TSR_Q_NONE = 0, /**< to the range of the dtype */
  TSR_Q_RELU = 1, /**< to 0 and above */
  TSR_Q_RELU6 = 2 /**< to 0 … 6; 6 as out is quantised */
} tsr_qactivation;

/** How the numbers around a layer are quantised. */
typedef struct tsr_qscheme {
  tsr_quant x;        /**< i8, u8, i16; whole tensor */
  tsr_quant w;        /**< i8, u8; whole tensor, or by the axis of output channels */
  tsr_quant out;      /**< i8, u8, i16; whole tensor */
  uint8_t activation; /**< a tsr_qactivation */
} tsr_qscheme;

/** A dense or convolution layer, ready to run. A plain struct, so that it can lie in constant memory. The library fills
 *  it in (tsr_qconv_pack, tsr_qdense_pack), or a program that was generated: with panels empty, kernel 0, w of i8 in
 *  the order [O,F], [O,KH,KW,C/groups] (TSR_OHWI), or where each filter has one channel [KH,KW,1,O] (TSR_HWIO),
 *  contiguous. */
typedef struct tsr_qlayer {
  tsr_tensor w;      /**< the weights, borrowed: they outlive the layer. Read when it runs, unless there are panels */
  tsr_tensor table;  /**< i32 [4,O], contiguous: bias - x_zero · Σ(w - w_zero), multipliers, shifts, w_zero */
  tsr_tensor panels; /**< 1-D u8: the weights in the order that kernels read; empty: they read w */
  tsr_conv_options options; /**< of a convolution */
  int32_t x_zero;           /**< zero point of x */
  int32_t out_zero;         /**< zero point of the output */
  int32_t low;              /**< of the output */
  int32_t high;             /**< of the output */
  uint8_t x_dtype;          /**< TSR_I8, TSR_U8, TSR_I16 */
  uint8_t out_dtype;        /**< TSR_I8, TSR_U8, TSR_I16 */
  uint8_t kernel; /**< which kernel reads the weights, and how wide its vectors are: the library's own number; 0:
                             plain */
  uint8_t isa;    /**< of that kernel, a tsr_isa_id; one that is not here is refused with TSR_EUNSUPPORTED: pack
                             again. Plain kernels run everywhere: 0, not looked at */
} tsr_qlayer;

/** bias [O] of f32 as i32 in units of x's scale · w's scale: as tsr_quantize, zero point 0. */
TSR_API TSR_MUST_USE tsr_status tsr_qbias(tsr_ctx *ctx, const tsr_tensor *bias, const tsr_qscheme *scheme,
                                          tsr_tensor *out);

/** A convolution with filters w [O,C/groups,KH,KW] of i8 or u8 (or tagged TSR_OHWI, TSR_HWIO) and bias [O] of i32 or
 *  NULL. options may be NULL; they have no activation and no algorithm. *layer is empty, and its table and panels are
 *  allocated; or they are given: the table i32 [4,O], the panels 1-D u8 of tsr_qconv_pack_size bytes aligned to
 *  TSR_DATA_ALIGN (none where that is 0). */
TSR_API TSR_MUST_USE tsr_status tsr_qconv_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias,
                                               const tsr_conv_options *options, const tsr_qscheme *scheme,
                                               tsr_qlayer *layer);

/** A dense layer with weights w [O,F]; else the same. */
TSR_API TSR_MUST_USE tsr_status tsr_qdense_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias,
                                                const tsr_qscheme *scheme, tsr_qlayer *layer);

/** The bytes of the panels; 0: w is read where it lies. */
TSR_API TSR_MUST_USE tsr_status tsr_qconv_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_conv_options *options,
                                                    const tsr_qscheme *scheme, size_t *bytes);
/** The same for tsr_qdense_pack. */
TSR_API TSR_MUST_USE tsr_status tsr_qdense_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_qscheme *scheme,
                                                     size_t *bytes);

/** Gives the memory of table and panels back and leaves *layer empty. Fine on empty ones and NULL. */
TSR_API void tsr_qlayer_release(tsr_qlayer *layer);

/** The convolution of x [N,C,H,W] (or tagged TSR_NHWC); outside x everything is its zero point. */
TSR_API TSR_MUST_USE tsr_status tsr_qconv2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer,
                                            tsr_tensor *out);

/** x [..., F] gives [..., O]. */
TSR_API TSR_MUST_USE tsr_status tsr_qdense(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out);

/** [..., M, K] by [K,N] or [..., K, N], of i8 or u8: ONNX's QLinearMatMul. The axes before the last two broadcast.
 *  a_quant and out_quant are for whole tensors, b_quant too or by b's last axis. For weights that are used again and
 *  again, pack the transpose once: tsr_qdense_pack. */
TSR_API TSR_MUST_USE tsr_status tsr_qmatmul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant,
                                            const tsr_tensor *b, const tsr_quant *b_quant, const tsr_quant *out_quant,
                                            tsr_tensor *out);

/** a + b, which broadcast: zero + floor((a' · ma + b' · mb + 2^(shift-1)) / 2^shift), a' = a - its zero point, ma and
 * mb the ratios of the scales times 2^shift, the greater one of 31 bits; once rounded, in 64 bits. All whole tensors.
 */
TSR_API TSR_MUST_USE tsr_status tsr_qadd(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant,
                                         const tsr_tensor *b, const tsr_quant *b_quant, const tsr_quant *out_quant,
                                         tsr_tensor *out);

/* ---- pooling: the result is quantised as x ---- */

/** The greatest of each window, as tsr_max_pool, of i8, u8 or i16; a window without elements gives the dtype's least
 *  number. */
TSR_API TSR_MUST_USE tsr_status tsr_qmax_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                                              const tsr_pool_options *options, tsr_tensor *out);

/** The mean of each window, as tsr_avg_pool, rounded to the nearest number, halves up. Padding that counts is zero, the
 *  zero point of x, and so is a window without elements. */
TSR_API TSR_MUST_USE tsr_status tsr_qavg_pool(tsr_ctx *ctx, const tsr_tensor *x, int zero, int count,
                                              const tsr_index *kernel, const tsr_pool_options *options,
                                              tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
