/** @file activation.h
 *  Activations that products and convolutions apply to their result before it is stored. */
#ifndef TESSERA_ACTIVATION_H
#define TESSERA_ACTIVATION_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One kind of activation, opaque: a program that names one links that one. */
typedef struct tsr_activation_kind tsr_activation_kind;

/** Name in C, name in messages. TSR_RELU is `&tsr_activation_relu`. The functions are those of unary.h; clip has no
 * other name here: min(max(x, alpha), beta). */
#define TSR_ACTIVATION_LIST(X)                                                                                   \
  X(relu)                                                                                                        \
  X(leaky_relu) X(elu) X(gelu) X(gelu_tanh) X(silu) X(sigmoid) X(hard_sigmoid) X(hard_swish) X(softplus) X(mish) \
      X(tanh) X(clip)

#define X(name) extern TSR_API const tsr_activation_kind tsr_activation_##name;
TSR_ACTIVATION_LIST(X)
#undef X

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
  tsr_real alpha, beta;
} tsr_activation;

/** "relu"; "none" for NULL. */
TSR_API const char *tsr_activation_name(const tsr_activation_kind *kind);

#ifdef __cplusplus
}
#endif

#endif
