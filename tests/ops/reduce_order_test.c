/* The order of additions in reductions: as documented, bit by bit, and the same on every instruction set, thread
 * count and layout. */
#include "support/test.h"

#include "ops/reduce_reference.h"
#include "support/brief.h"

/* ---- the documented order of additions, bit by bit ---- */

static float pairwise(const float *x, tsr_index n) {
  tsr_index half = 1;
  if (n == 1) return x[0];
  while (2 * half < n) half *= 2;
  return pairwise(x, half) + pairwise(x + half, n - half);
}

static float block_sum(const float *x, tsr_index n) {
  float lanes[16];
  for (tsr_index i = 0; i < n; i++) lanes[i % 16] = i < 16 ? x[i] : lanes[i % 16] + x[i];
  return pairwise(lanes, n < 16 ? n : 16);
}

enum { MOST_BLOCKS = 400 };

static float ordered_sum(const float *x, tsr_index n) {
  static float blocks[MOST_BLOCKS];
  tsr_index count = 0;
  for (tsr_index i = 0; i < n; i += 1024) blocks[count++] = block_sum(x + i, n - i < 1024 ? n - i : 1024);
  return pairwise(blocks, count);
}

static const struct {
  int ndim;
  tsr_index shape[3];
} large_shapes[] = {
#if TSR_HAVE_MALLOC
    {1, {200003}},     {2, {260, 301}},    {2, {70001, 3}}, {2, {3, 70001}},
    {3, {37, 41, 43}}, {3, {1100, 2, 33}}, {2, {20, 3}},    {2, {2050, 70}},
#else
    {1, {1500}},
    {2, {30, 41}},
    {2, {500, 3}},
    {3, {9, 11, 13}},
#endif
};

static tsr_status make_large(tsr_ctx *ctx, int number, int dtype, tsr_tensor *out) {
  tsr_rng rng = tsr_rng_seed((uint64_t)number);
  return tsr_rand_uniform(ctx, &rng, dtype, large_shapes[number].ndim, large_shapes[number].shape, -1, 1, out);
}

static void check_order(tsr_ctx *ctx, const tsr_tensor *x, unsigned mask, const char *view, double *list,
                        float *floats) {
  tsr_index shape[TSR_MAX_DIMS], kept[TSR_MAX_DIMS] = {0};
  int axes[TSR_MAX_DIMS], wrong = 0;
  tsr_tensor out = {0};
  const int naxes = axes_of(mask, x->ndim, axes), ndim = result_shape(x, mask, false, shape);
  OK(ctx, tsr_sum(ctx, x, naxes, axes, false, &out));
  do {
    const tsr_index n = elements_of(x, mask, kept, list);
    for (tsr_index i = 0; i < n; i++) floats[i] = (float)list[i];
    const float want = ordered_sum(floats, n);
    wrong += memcmp(&want, test_at(&out, kept), sizeof want) != 0;
  } while (test_next_index(ndim, shape, kept));
  CHECK(wrong == 0);
  if (wrong != 0) printf("  %d sums of shape %d, %s, axes %x\n", wrong, (int)x->shape[0], view, mask);
  tsr_release(&out);
}

TEST(sums_follow_the_documented_order) {
  tsr_ctx *const ctx = test_context();
  for (int number = 0; number < COUNT_OF(large_shapes); number++) {
    tsr_tensor x = {0}, view = {0}, room = {0}, doubles = {0};
    OK(ctx, make_large(ctx, number, TSR_F32, &x));
    OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(tsr_size(&x)), &room));
    OK(ctx, tsr_empty(ctx, TSR_I64, TSR_SHAPE(tsr_size(&x)), &doubles)); /* a double has its size, dtype or not */
    for (int v = 0; v < VIEWS; v++) {
      OK(ctx, make_view(ctx, &x, v, &view));
      for (unsigned mask = 1; mask < 1u << x.ndim; mask++)
        check_order(ctx, &view, mask, view_name(v), doubles.data, room.data);
    }
    tsr_release(&doubles);
    tsr_release(&room);
    tsr_release(&x);
  }
  CHECK(test_live() == 0);
}

/* ---- the same bits everywhere ---- */

#if TSR_HAVE_THREADS
static void check_same(tsr_ctx *ctx, tsr_ctx *other, op which, const tsr_tensor *x, unsigned mask) {
  int axes[TSR_MAX_DIMS];
  tsr_tensor a = {0}, b = {0};
  const int naxes = axes_of(mask, x->ndim, axes);
  OK(ctx, call(which, ctx, x, naxes, axes, false, 1, &a));
  OK(other, call(which, other, x, naxes, axes, false, 1, &b));
  const bool same = test_same_elements(&a, &b);
  CHECK(same);
  if (!same) printf("  %s of %s, axes %x\n", op_names[which], tsr_dtype_name(x->dtype), mask);
  tsr_release(&a);
  tsr_release(&b);
}

static void check_all_same(tsr_ctx *ctx, tsr_ctx *other, int number, int dtype, int views) {
  tsr_tensor x = {0}, view = {0};
  OK(ctx, make_large(ctx, number, TSR_F32, &x));
  if (dtype != TSR_F32) {
    tsr_tensor scaled = {0};
    OK(ctx, tsr_cast(ctx, &x, dtype, &scaled));
    tsr_release(&x);
    x = tsr_move(&scaled);
  }
  for (int v = 0; v < views; v++) {
    OK(ctx, make_view(ctx, &x, v, &view));
    for (int which = 0; which < OPS; which++)
      for (unsigned mask = 1; mask < 1u << x.ndim; mask++)
        if (number == 4 || which == SUM || which == VAR || which == MAX) check_same(ctx, other, (op)which, &view, mask);
  }
  tsr_release(&x);
}
#endif

TEST(same_bits_on_every_instruction_set) {
#if TSR_HAVE_THREADS
  tsr_ctx *const ctx = test_context();
  tsr_ctx other = *ctx;
  OK(ctx, tsr_context_set_isa(ctx, "base"));
  for (int isa = 1; tsr_isa_name(isa) != NULL; isa++) {
    OK(&other, tsr_context_set_isa(&other, tsr_isa_name(isa)));
    for (int number = 0; number < COUNT_OF(large_shapes); number++) check_all_same(ctx, &other, number, TSR_F32, 2);
    check_all_same(ctx, &other, 4, TSR_F64, 1);
    check_all_same(ctx, &other, 4, TSR_F16, 1);
    check_all_same(ctx, &other, 4, TSR_BF16, 2);
  }
#else
  SKIP("one instruction set");
#endif
}

TEST(same_bits_on_every_thread_count) {
#if TSR_HAVE_THREADS
  tsr_ctx *const ctx = test_context();
  ctx->parallel = tsr_parallel_serial();
  for (int count = 2; count <= 8; count += test_every(3)) {
    tsr_ctx other = *ctx;
    tsr_threads *const pool = test_with_threads(&other, count);
    for (int number = 0; number < COUNT_OF(large_shapes); number++)
      if ((number + count) % 2 == 0) check_all_same(ctx, &other, number, number == 5 ? TSR_F16 : TSR_F32, 2);
    tsr_threads_release(pool);
  }
  CHECK(test_live() == 0);
#else
  SKIP("no threads");
#endif
}

/* A long reduction in few outputs is cut into pieces on threads: several of them, and a ragged end. */
TEST(same_bits_in_pieces) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  static const tsr_index lengths[] = {65536, 65537, 131072, 200000, 300001, 65536 * 5};
  tsr_ctx *const ctx = test_context();
  tsr_ctx other = *ctx;
  const int first[1] = {0};
  ctx->parallel = tsr_parallel_serial();
  tsr_threads *const pool = test_with_threads(&other, 3);
  for (int i = 0; i < COUNT_OF(lengths); i++) {
    tsr_rng rng = tsr_rng_seed(5);
    tsr_tensor x = {0}, a = {0}, b = {0};
    OK(ctx, tsr_rand_normal(ctx, &rng, TSR_F32, TSR_SHAPE(lengths[i], 2), &x));
    OK(ctx, tsr_sum(ctx, &x, 1, first, true, &a));
    OK(&other, tsr_sum(&other, &x, 1, first, true, &b));
    CHECK(test_same_elements(&a, &b));
    OK(ctx, tsr_std(ctx, &x, 1, first, true, 1, &a));
    OK(&other, tsr_std(&other, &x, 1, first, true, 1, &b));
    CHECK(test_same_elements(&a, &b));
    tsr_release(&a);
    tsr_release(&b);
    tsr_release(&x);
  }
  tsr_threads_release(pool);
}

TEST_MAIN(RUN(sums_follow_the_documented_order), RUN(same_bits_on_every_instruction_set),
          RUN(same_bits_on_every_thread_count), RUN(same_bits_in_pieces))
