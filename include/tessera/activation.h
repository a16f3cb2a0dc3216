/** @file activation.h
 *  Activations that products and convolutions apply to their result before it is stored.
 *
 *      tsr_dense(ctx, &x, &w, &bias, &(tsr_activation){.kind = TSR_RELU}, &y);
 *      tsr_dense(ctx, &x, &w, &bias, &(tsr_activation){.kind = TSR_LEAKY_RELU, .alpha = 0.1}, &y);
 *      tsr_gemm(ctx, 1, &a, &b, 0, NULL, &(tsr_gemm_options){.bias = &bias, .activation = {.kind = TSR_GELU}}, &y);
 *
 *  In C++ give the struct a name first: `tsr_activation relu = {TSR_RELU, 0, 0};`. */
#ifndef TESSERA_ACTIVATION_H
#define TESSERA_ACTIVATION_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One kind of activation, opaque: a program that names one links that one. */
typedef struct tsr_activation_kind tsr_activation_kind;

extern TSR_API const tsr_activation_kind tsr_activation_relu;         /**< see TSR_RELU */
extern TSR_API const tsr_activation_kind tsr_activation_leaky_relu;   /**< see TSR_LEAKY_RELU */
extern TSR_API const tsr_activation_kind tsr_activation_elu;          /**< see TSR_ELU */
extern TSR_API const tsr_activation_kind tsr_activation_gelu;         /**< see TSR_GELU */
extern TSR_API const tsr_activation_kind tsr_activation_gelu_tanh;    /**< see TSR_GELU_TANH */
extern TSR_API const tsr_activation_kind tsr_activation_silu;         /**< see TSR_SILU */
extern TSR_API const tsr_activation_kind tsr_activation_sigmoid;      /**< see TSR_SIGMOID */
extern TSR_API const tsr_activation_kind tsr_activation_hard_sigmoid; /**< see TSR_HARD_SIGMOID */
extern TSR_API const tsr_activation_kind tsr_activation_hard_swish;   /**< see TSR_HARD_SWISH */
extern TSR_API const tsr_activation_kind tsr_activation_softplus;     /**< see TSR_SOFTPLUS */
extern TSR_API const tsr_activation_kind tsr_activation_mish;         /**< see TSR_MISH */
extern TSR_API const tsr_activation_kind tsr_activation_tanh;         /**< see TSR_TANH */
extern TSR_API const tsr_activation_kind tsr_activation_clip;         /**< see TSR_CLIP */

/* The kinds, as an attribute takes them. The functions are those of unary.h; clip is min(max(x, alpha), beta). */
#define TSR_RELU (&tsr_activation_relu)                 /**< tsr_relu; integers too */
#define TSR_LEAKY_RELU (&tsr_activation_leaky_relu)     /**< tsr_leaky_relu; alpha is the slope, 0: 0.01 */
#define TSR_ELU (&tsr_activation_elu)                   /**< tsr_elu; alpha, 0: 1 */
#define TSR_GELU (&tsr_activation_gelu)                 /**< tsr_gelu */
#define TSR_GELU_TANH (&tsr_activation_gelu_tanh)       /**< tsr_gelu_tanh */
#define TSR_SILU (&tsr_activation_silu)                 /**< tsr_silu */
#define TSR_SIGMOID (&tsr_activation_sigmoid)           /**< tsr_sigmoid */
#define TSR_HARD_SIGMOID (&tsr_activation_hard_sigmoid) /**< tsr_hard_sigmoid */
#define TSR_HARD_SWISH (&tsr_activation_hard_swish)     /**< tsr_hard_swish */
#define TSR_SOFTPLUS (&tsr_activation_softplus)         /**< tsr_softplus */
#define TSR_MISH (&tsr_activation_mish)                 /**< tsr_mish */
#define TSR_TANH (&tsr_activation_tanh)                 /**< tsr_tanh */
#define TSR_CLIP (&tsr_activation_clip)                 /**< from alpha to beta; relu6 is {TSR_CLIP, 0, 6}. NaN stays */

/** An activation as an attribute: all zero is none. */
typedef struct tsr_activation {
  const tsr_activation_kind *kind; /**< NULL: none */
  tsr_real alpha;                  /**< what the kind makes of it */
  tsr_real beta;                   /**< the same; only TSR_CLIP has one */
} tsr_activation;

/** "relu"; "none" for NULL. */
TSR_API const char *tsr_activation_name(const tsr_activation_kind *kind);

#ifdef __cplusplus
}
#endif

#endif
