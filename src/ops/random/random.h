/* Random numbers: what the functions share.
 *
 * Position p of a generator is the number of an element since its seed. An element takes 32 bits: word p % 4 of
 * block p / 4; or 64: half p % 2 of block p / 2. The two kinds differ in the third word of the counter, and so do
 * second attempts, so that no random bit is used twice; the fourth word is the stream. */
#ifndef TSR_OPS_RANDOM_RANDOM_H
#define TSR_OPS_RANDOM_RANDOM_H

#include "core/call.h"
#include "cpu/isa.h"
#include "ops/random/philox.h"

#include <tessera/random.h>

typedef enum tsr__width { TSR__WORDS = 0, TSR__PAIRS = 1 } tsr__width; /* 32 and 64 bits an element */

/* What a block is made from; attempt counts those that were thrown away. */
static inline tsr__philox tsr__random_counter(uint32_t stream, tsr__width width, uint32_t attempt, uint64_t block) {
  return (tsr__philox){{(uint32_t)block, (uint32_t)(block >> 32), attempt << 1 | (uint32_t)width, stream}};
}

static inline tsr__philox tsr__random_block(const tsr_rng *rng, tsr__width width, uint32_t attempt, uint64_t block) {
  const tsr__philox counter = tsr__random_counter(rng->stream, width, attempt, block);
  return tsr__philox_block(counter, (uint32_t)rng->key, (uint32_t)(rng->key >> 32));
}

/* A number in [0, range), range > 0, for the element at position: every one as likely as the other. */
uint64_t tsr__random_below(const tsr_rng *rng, uint64_t position, uint64_t range);

/* ---- kernels, for each instruction set ---- */

/* count blocks from number first on, four words each. */
typedef void tsr__random_words_fn(uint64_t key, uint32_t stream, tsr__width width, uint64_t first, int count,
                                  uint32_t *words);

/* What random bits become: low + u·scale, at most most; or low + z·scale. */
typedef struct tsr__random_form {
  tsr_real low, scale, most;
} tsr__random_form;

/* n values, n even, from the words of n elements. */
typedef void tsr__random_form_fn(const tsr__random_form *form, int n, const uint32_t *words, void *values);

TSR__DECLARE_FOR_ISAS(tsr__random_words_fn, tsr__random_words)
TSR__DECLARE_FOR_ISAS(tsr__random_form_fn, tsr__uniform_f32)
TSR__DECLARE_FOR_ISAS(tsr__random_form_fn, tsr__uniform_f64)
TSR__DECLARE_FOR_ISAS(tsr__random_form_fn, tsr__normal_f32)
TSR__DECLARE_FOR_ISAS(tsr__random_form_fn, tsr__normal_f64)

/* ---- a tensor to fill ---- */

typedef struct tsr__draw tsr__draw;

/* n values of dtype made from the words of n elements, the first at position. */
typedef void tsr__draw_make(const tsr__draw *draw, uint64_t position, int n, const uint32_t *words, void *values);

struct tsr__draw {
  tsr_rng rng;
  tsr__width width;
  tsr__draw_make *make;
  int dtype; /* of values; the output's elements are converted from it */
  tsr__random_form_fn *kernel;
  tsr__random_form form;
  uint64_t range, threshold; /* of integers and bools */
  int64_t low;
};

/* The kernels of floats: f64 by its own, all others by f32. */
typedef struct tsr__random_kernels {
  tsr__random_form_fn *f32[TSR__ISA_COUNT];
#if TSR_HAVE_F64
  tsr__random_form_fn *f64[TSR__ISA_COUNT];
#endif
} tsr__random_kernels;
#if TSR_HAVE_F64
#define TSR__RANDOM_KERNELS(name) \
  { TSR__FOR_ISAS(tsr__##name##_f32), TSR__FOR_ISAS(tsr__##name##_f64) }
#else
#define TSR__RANDOM_KERNELS(name) \
  { TSR__FOR_ISAS(tsr__##name##_f32) }
#endif

/* A draw of floats, to be converted to dtype; its form is to be filled in. */
tsr__draw tsr__draw_floats(const tsr_ctx *ctx, const tsr__random_kernels *kernels, int dtype);

/* Fills the call's output, of dtype and shape, and advances *rng. */
tsr_status tsr__draw_run(tsr__call *call, tsr__draw *draw, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape);

/* Whether rng is there, and dtype a float that this build computes with. */
tsr_status tsr__draw_check(const tsr__call *call, const tsr_rng *rng);
tsr_status tsr__draw_check_float(const tsr__call *call, int dtype);

/* Elements at a time; their words and values lie on the stack. */
enum { TSR__DRAW_WORDS = TSR_HAVE_MALLOC ? 256 : 16 };

#endif
