/* Every float dtype, and what the tests of plain operations compare with. */
#ifndef TSR_TEST_ALL_FLOATS_H
#define TSR_TEST_ALL_FLOATS_H

#include "nn/nn_support.h"

static const int all_floats[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2};

/* Half a unit in the last place of 1: what rounding once may cost. */
static inline double float_unit(int dtype) {
  return dtype == TSR_F8_E4M3 ? 0x1p-4 : dtype == TSR_F8_E5M2 ? 0x1p-3 : nn_unit(dtype);
}

/* The same of the dtype that is computed in. */
static inline double compute_unit(int dtype) { return dtype == TSR_F64 ? 0x1p-53 : 0x1p-24; }

/* How far a result may be from want: rounded once, steps of size at most `size` before, and what is below the least
 * normal number of an f8. */
static inline double float_allowed(int dtype, double want, double size, double steps) {
  const double tiny = dtype == TSR_F8_E4M3 ? 0x1p-10 : dtype == TSR_F8_E5M2 ? 0x1p-17 : 0x1p-25;
  const double below = dtype == TSR_F64 ? 0 : tiny;
  return float_unit(dtype) * fabs(want) + 2 * steps * compute_unit(dtype) * size + below;
}

/* Says where a result is wrong; only the first few. */
static inline void float_check(const char *what, int dtype, double got, double want, double allowed) {
  const bool close = nn_close(got, want, allowed);
  CHECK(close);
  if (!close && test_now.failures <= 20)
    printf("  %s of %s: %.9g instead of %.9g (%.3g allowed)\n", what, tsr_dtype_name(dtype), got, want, allowed);
}

/* An operation on inputs that are always the same. */
typedef void float_make(tsr_ctx *ctx, int which, tsr_tensor *out);

/* Whether it gives the same bits on every instruction set, on one thread and on four. */
static inline void check_same_bits(float_make *make, int which) {
#if TSR_HAVE_MALLOC
  tsr_threads *pool = NULL;
  tsr_tensor first = {0};
  OK(NULL, tsr_threads_new(4, &pool));
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int threads = 0; threads < 2; threads++) {
      tsr_ctx *const ctx = nn_context(isa);
      tsr_tensor out = {0};
      if (threads != 0) ctx->parallel = tsr_threads_parallel(pool);
      make(ctx, which, &out);
      if (first.dtype == TSR_NONE) OK(NULL, tsr_clone(NULL, &out, &first));
      CHECK(tsr_size(&out) > 0 && test_same_elements(&out, &first));
      tsr_release(&out);
      CHECK(test_live() == 0);
    }
  tsr_release(&first);
  tsr_threads_release(pool);
#else
  (void)make, (void)which;
  SKIP("one thread, one instruction set");
#endif
}

/* Random numbers around 0 in a new tensor of f32. */
static inline void float_random(tsr_ctx *ctx, int ndim, const tsr_index *shape, uint64_t seed, tsr_tensor *t) {
  test_rng rng = {seed};
  OK(ctx, tsr_zeros(ctx, TSR_F32, ndim, shape, t));
  nn_fill(ctx, t, &rng, 0, 1);
}

#endif
