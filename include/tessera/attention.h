/** @file attention.h
 *  Scaled dot-product attention, and multi-head attention with its projections.
 *
 *  Each query weighs the values by how well the keys fit it: out = softmax(scale·q·kᵀ + mask)·v. Shapes: q [B,H,T,D],
 *  k [B,Hkv,S,D], v [B,Hkv,S,Dv], out [B,H,T,Dv]. At rank 3 the axis B is left out ([H,T,D]; or [B,T,D], which is the
 *  same), at rank 2 H too. Where H is a multiple of Hkv, H / Hkv heads of q after one another share one of k and v
 *  (grouped-query attention).
 *
 *  Masks broadcast to [B,H,T,S] ([H,T,S], [T,S]). A bool mask says which keys take part (true) and which do not; a mask
 * of floats is added to the scores, -inf takes a key out. Causal attention lets key j take part for query i where j ≤ i
 * + causal_offset; with an offset of 0 that is the upper left triangle also where S is not T, as in PyTorch and ONNX;
 * for T queries at the end of S keys (a cache) it is S - T.
 *
 *  A query for which no key takes part (all masked, all scores -inf, or S = 0) gives zeros, as in PyTorch since 2.5. A
 * key that does not take part has weight 0: NaN or an infinity in its row of v still makes NaN. A NaN or +inf among a
 * query's scores makes its output NaN. With D = 0 all scores are 0.
 *
 *  Dtypes. q, k and v are floats of one dtype, and out has it. f32 and f64 are computed in themselves, f16, bf16 and f8
 * in f32, rounded once. Accuracy in f32: the scores are sums of D products, the weights within 4 ULP of their
 * exponentials, out a sum of S products; so |error| ≤ (S + 8)·2^-24·max|v| and what errors in the scores make of it.
 *
 *  Memory. The scores are never stored whole: each worker has a block of keys and values and a block of queries in
 * cache, of a size that D and Dv decide, and neither T nor S. Few queries (T up to some ten, as in a text that is
 * written word by word) read keys and values once and where they lie; besides, there is room for the output of each of
 * at most 32 parts of the keys. The same bits for any number of threads on one machine and instruction set (class C),
 * but few queries of many may differ in their last bits from all of them at once. Outputs as in ops.h: allocated,
 * given, any strides; one that overlaps an input works as if that had been copied first. */
#ifndef TESSERA_ATTENTION_H
#define TESSERA_ATTENTION_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Attributes; all zero is a scale of 1/√D, not causal. */
typedef struct tsr_attention_options {
  tsr_real scale;                /**< 0: 1/√D. Finite */
  tsr_index causal_offset;       /**< 0 unless causal */
  bool causal;                   /**< key j takes part for query i where j ≤ i + causal_offset */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_attention_options;

/** softmax(scale·q·kᵀ + mask)·v; mask and options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_attention(tsr_ctx *ctx, const tsr_tensor *q, const tsr_tensor *k,
                                              const tsr_tensor *v, const tsr_tensor *mask,
                                              const tsr_attention_options *options, tsr_tensor *out);

/* ---- with projections ---- */

/** The weights of multi-head attention, all in PyTorch's order, one row an output. E are the features of x. */
typedef struct tsr_attention_weights {
  const tsr_tensor *wq;                /**< [H·D,E] */
  const tsr_tensor *wk;                /**< [Hkv·D,E] */
  const tsr_tensor *wv;                /**< [Hkv·Dv,E] */
  const tsr_tensor *wo;                /**< [O,H·Dv] */
  const tsr_tensor *bq, *bk, *bv, *bo; /**< biases of their lengths; each may be NULL */
} tsr_attention_weights;

/** Multi-head attention of x [B,T,E] (or [T,E]) with itself: x times wq, wk and wv with their biases, attention over
 * heads of H·D, Hkv·D and Hkv·Dv features, times wo with its bias: [B,T,O]. D is wq's rows over heads, Hkv wk's rows
 * over D. mask broadcasts to [B,H,T,T] ([H,T,T]); it and options may be NULL. Everything has one dtype, and each of the
 * five steps rounds to it. The result may overlap any input. */
TSR_API TSR_MUST_USE tsr_status tsr_multi_head_attention(tsr_ctx *ctx, const tsr_tensor *x,
                                                         const tsr_attention_weights *weights, tsr_index heads,
                                                         const tsr_tensor *mask, const tsr_attention_options *options,
                                                         tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
