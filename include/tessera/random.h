/** @file random.h
 *  Random numbers: counter-based, so that every element is a function of the seed and of its place alone.
 *
 *  The generator is Philox4x32-10. Element i of a tensor, in row-major order, depends on the generator's key, its
 *  stream and counter + i: the numbers are the same on every instruction set and thread count, and whatever the
 *  output's strides. A call advances the counter by the elements drawn, so that two calls in a row give what one call
 *  for both would have given, up to the 2^64 elements that a stream has.
 *
 *  A tensor that fails to be made draws nothing. Not for secrets. */
#ifndef TESSERA_RANDOM_H
#define TESSERA_RANDOM_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A generator is a value: copies go on alike. */
typedef struct tsr_rng {
  uint64_t key;     /**< the seed */
  uint64_t counter; /**< elements drawn so far */
  uint32_t stream;  /**< streams of one seed are independent of each other */
} tsr_rng;

/** The generator of a seed, stream 0. */
TSR_API tsr_rng tsr_rng_seed(uint64_t seed);

/** One of 2^32 streams of a seed: one for each task, so that they may run in any order. */
TSR_API tsr_rng tsr_rng_stream(uint64_t seed, uint32_t stream);

/** Numbers in [low, high), evenly; low < high, both finite: TSR_EARG. Float dtypes. 24 random bits an element (f64:
 *  53), then rounded to the dtype: a number that would round to high is the next one below it, and low is what the
 *  dtype has for it, which may be less. */
TSR_API TSR_MUST_USE tsr_status tsr_rand_uniform(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim,
                                                 const tsr_index *shape, tsr_real low, tsr_real high, tsr_tensor *out);

/** Numbers of the normal distribution with mean 0 and standard deviation 1. Float dtypes. Box-Muller on fixed
 *  polynomials; at most 6.7 from 0 in f32, 8.7 in f64. */
TSR_API TSR_MUST_USE tsr_status tsr_rand_normal(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape,
                                                tsr_tensor *out);

/** Numbers of the normal distribution with mean and standard deviation; both finite, std ≥ 0: TSR_EARG. */
TSR_API TSR_MUST_USE tsr_status tsr_rand_normal_scaled(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim,
                                                       const tsr_index *shape, tsr_real mean, tsr_real std,
                                                       tsr_tensor *out);

/** Integers in [low, high), each as likely as the other, exactly. Integer dtypes; low < high (TSR_EARG), both ends
 *  in the dtype's range (TSR_ERANGE; high may be one past it). u64 beyond 2^63 cannot be asked for. */
TSR_API TSR_MUST_USE tsr_status tsr_rand_integers(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim,
                                                  const tsr_index *shape, int64_t low, int64_t high, tsr_tensor *out);

/** Bools that are true with probability p, 0 ≤ p ≤ 1 (TSR_EARG), in steps of 2^-32. */
TSR_API TSR_MUST_USE tsr_status tsr_rand_bernoulli(tsr_ctx *ctx, tsr_rng *rng, tsr_real p, int ndim,
                                                   const tsr_index *shape, tsr_tensor *out);

/** The numbers 0 … n - 1 in random order, every order as likely; rank 1, i64, or i32 where tsr_index has 32 bits. */
TSR_API TSR_MUST_USE tsr_status tsr_rand_permutation(tsr_ctx *ctx, tsr_rng *rng, tsr_index n, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
