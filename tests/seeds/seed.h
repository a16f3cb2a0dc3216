/* Memory for the seed tests: one context that counts, over the default allocator, or over a static array where there is
 * no malloc. Every test begins with seed_begin and ends with seed_end, which checks that nothing was left behind. */
#ifndef TSR_TEST_SEED_H
#define TSR_TEST_SEED_H

#include <stdint.h>
#include <tessera/tessera.h>

#include "support/test.h"

#if TSR_HAVE_MALLOC
static const tsr_allocator *seed_upstream(void) { return tsr_allocator_default(); }
#else
static uint8_t seed_bytes[64 * 1024];
static tsr_arena seed_arena;
static const tsr_allocator *seed_upstream(void) {
  CHECK(tsr_arena_init(seed_bytes, sizeof seed_bytes, &seed_arena) == TSR_OK);
  return &seed_arena.allocator;
}
#endif

static tsr_failing seed_count; /* refuses nothing: it counts what is alive */
static tsr_ctx seed_context;

static inline tsr_ctx *seed_begin(void) {
  CHECK(tsr_failing_init(seed_upstream(), SIZE_MAX, false, &seed_count) == TSR_OK);
  CHECK(tsr_context_init(&seed_context, &seed_count.allocator) == TSR_OK);
  return &seed_context;
}

#define seed_end() CHECK(seed_count.live == 0)

/* 0, 1, 2 … in row-major order; f32. */
static inline tsr_status seed_counted(tsr_ctx *ctx, int ndim, const tsr_index *shape, tsr_tensor *out) {
  tsr_status st = tsr_zeros(ctx, TSR_F32, ndim, shape, out);
  for (tsr_index i = 0; st == TSR_OK && i < tsr_size(out); i++)
    st = tsr_set_flat(ctx, out, i, TSR_ROW_MAJOR, (tsr_real)i);
  return st;
}

static inline int seed_shape_is(const tsr_tensor *t, int ndim, const tsr_index *shape) {
  if (t->ndim != ndim) return 0;
  for (int i = 0; i < TSR_MAX_DIMS; i++)
    if (t->shape[i] != (i < ndim ? shape[i] : 1)) return 0;
  return 1;
}

static inline int seed_strides_are(const tsr_tensor *t, int n, const tsr_index *stride) {
  if (t->ndim != n) return 0;
  for (int i = 0; i < n; i++)
    if (t->stride[i] != stride[i]) return 0;
  return 1;
}

#define SHAPE_IS(t, ...) CHECK(seed_shape_is(t, TSR_SHAPE(__VA_ARGS__)))
#define STRIDES_ARE(t, ...) CHECK(seed_strides_are(t, TSR_SHAPE(__VA_ARGS__)))

/* The element at an index, as a number; a failure counts as one. */
static inline tsr_real seed_at(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index) {
  tsr_real value = (tsr_real)-12345;
  OK(ctx, tsr_get(ctx, t, n, index, &value));
  return value;
}
#define AT(ctx, t, ...) seed_at(ctx, t, TSR_INDEX(__VA_ARGS__))

#endif
