/** @file dropout.h
 *  Dropout, seeded. */
#ifndef TESSERA_DROPOUT_H
#define TESSERA_DROPOUT_H

#include <tessera/random.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Elements of x, each set to 0 with probability rate, the others divided by 1 - rate so that means stay (multiplied by
 *  the quotient, as PyTorch does). Rate 0 gives x, rate 1 zeros; what is dropped is +0 also where x is NaN or infinite.
 *  Floats of any dtype; f16, bf16 and f8 are computed in f32 and rounded once.
 *
 *  Which elements stay depends on the generator and on an element's number in row-major order alone: the mask is
 *  tsr_rand_bernoulli's for p = 1 - rate and the same generator, on every instruction set, for any number of threads
 *  and any strides (class A). The generator advances by the elements of x; a call that fails draws nothing.
 *
 *  out may be x; temporary memory is needed only where it overlaps x otherwise. A rate that is not in 0 … 1:
 *  TSR_EARG. */
TSR_API TSR_MUST_USE tsr_status tsr_dropout(tsr_ctx *ctx, tsr_rng *rng, const tsr_tensor *x, tsr_real rate,
                                            tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
