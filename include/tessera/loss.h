/** @file loss.h
 *  Losses, accuracy, and the confusion matrix.
 *
 *  Floats of any dtype and any strides; x and target have one dtype and one shape, nothing is broadcast. Everything is
 *  computed in tsr_real and rounded once; sums are compensated and run in row-major order, so that the bits do not
 *  depend on strides or threads. Values, NaN and infinities come out as PyTorch 1.13's.
 *
 *  A reduction is the mean of all elements (of none: NaN), their sum (of none: 0), or none at all: one loss each. The
 *  first two give a tensor of rank 0 with x's dtype.
 *
 *  Classes are integers of any dtype, one for each row of x [N,C,...]: their shape is [N,...], the class axis is 1. One
 *  that is neither in 0 ... C-1 nor ignored is refused with TSR_EINDEX, and the message names the first.
 *
 *  Outputs may be inputs. Temporary memory is needed only where an output overlaps an input otherwise than in place. */
#ifndef TESSERA_LOSS_H
#define TESSERA_LOSS_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of the losses of all elements. */
typedef enum tsr_reduction { TSR_REDUCE_MEAN, TSR_REDUCE_SUM, TSR_REDUCE_NONE } tsr_reduction;

/** The class that usually marks a row to leave out. Where nothing is ignored, any negative number does. */
#define TSR_IGNORE_INDEX (-100)

/** (x - target)². */
TSR_API TSR_MUST_USE tsr_status tsr_mse_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target,
                                             tsr_reduction reduction, tsr_tensor *out);

/** |x - target|. */
TSR_API TSR_MUST_USE tsr_status tsr_mae_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target,
                                             tsr_reduction reduction, tsr_tensor *out);

/** d²/2 where d = |x - target| is at most delta, else delta·(d - delta/2). delta is finite and above 0. */
TSR_API TSR_MUST_USE tsr_status tsr_huber_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target,
                                               tsr_real delta, tsr_reduction reduction, tsr_tensor *out);

/** -(t·log x + (1 - t)·log(1 - x)) of probabilities x. Logarithms are cut at -100, so that x = 0 and x = 1 give at
 *  most 100. An x that is not in [0, 1], NaN too: TSR_ERANGE, and the message names the first. The target is not
 *  checked. */
TSR_API TSR_MUST_USE tsr_status tsr_bce_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target,
                                             tsr_reduction reduction, tsr_tensor *out);

/** tsr_bce_loss of sigmoid(x), without the overflow and the cut: (1 - t)·x + log(1 + e^-x). An infinite x gives NaN,
 *  but +inf with t < 1 gives +inf. */
TSR_API TSR_MUST_USE tsr_status tsr_bce_logits_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target,
                                                    tsr_reduction reduction, tsr_tensor *out);

/** The Kullback-Leibler divergence t·(log t - x) of log-probabilities x; with log_target the target holds logarithms
 *  too: e^t·(t - x). t = 0 gives 0 for a finite x and NaN for an infinite one; t < 0 gives NaN. The mean is that of
 *  all elements; for the mean over a batch divide the sum. */
TSR_API TSR_MUST_USE tsr_status tsr_kl_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target,
                                            bool log_target, tsr_reduction reduction, tsr_tensor *out);

/** -x of each row's class, for log-probabilities x [N,C,...]. Rows of the class ignore_index give 0 and do not count
 *  in the mean, which is NaN when none is left. */
TSR_API TSR_MUST_USE tsr_status tsr_nll_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *classes,
                                             int64_t ignore_index, tsr_reduction reduction, tsr_tensor *out);

/** tsr_nll_loss of log_softmax(x) along axis 1. smoothing, in [0, 1], is the part of the target that is spread evenly
 *  over all classes. A row with NaN or +inf, and one of nothing but -inf, gives NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_cross_entropy(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *classes,
                                                  int64_t ignore_index, tsr_real smoothing, tsr_reduction reduction,
                                                  tsr_tensor *out);

/** The fraction of the rows of scores [N,C] whose greatest element is at the row's class [N]: rank 0, f32. The first
 *  one of several counts as the greatest, and the first NaN when there is one, as for tsr_argmax. Of no rows: NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_accuracy(tsr_ctx *ctx, const tsr_tensor *scores, const tsr_tensor *classes,
                                             tsr_tensor *out);

/** How often class i (target [N]) was predicted as class j (predicted [N]): [classes,classes], i64, or i32 where
 *  tsr_index has 32 bits. */
TSR_API TSR_MUST_USE tsr_status tsr_confusion_matrix(tsr_ctx *ctx, const tsr_tensor *target,
                                                     const tsr_tensor *predicted, tsr_index classes, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
