/* Casts of permuted tensors, which turn blocks before they convert them, against the cast of a copy in order: every
 * instruction set, by plain and by non-temporal stores, one thread and several. */
#include "support/helpers.h"
#include "support/test.h"

#include "cpu/move.h"

#if TSR_HAVE_MALLOC

static tsr_ctx ctx;
static tsr_threads *pool;

static const int pairs[][2] = {{TSR_F32, TSR_F16},  {TSR_F16, TSR_F32},  {TSR_F32, TSR_U8},  {TSR_U8, TSR_F32},
                               {TSR_F64, TSR_F32},  {TSR_I16, TSR_I64},  {TSR_I64, TSR_I8},  {TSR_F64, TSR_BF16},
                               {TSR_C64, TSR_C128}, {TSR_F32, TSR_BOOL}, {TSR_U8, TSR_C128}, {TSR_C128, TSR_BOOL}};

/* Values from -100 to 100, and one that saturates; f32 first, because every dtype takes them from there. */
static void make_input(int dtype, int ndim, const tsr_index *shape, tsr_tensor *x) {
  tsr_tensor numbers = {0};
  OK(&ctx, tsr_zeros(&ctx, TSR_F32, ndim, shape, &numbers));
  for (tsr_index i = 0; i < tsr_size(&numbers); i++)
    ((float *)numbers.data)[i] = i % 101 == 7 ? 1e6f : (float)(i * 37 % 201 - 100) * 0.75f;
  OK(&ctx, tsr_cast(&ctx, &numbers, dtype, x));
  tsr_release(&numbers);
}

static void check_cast(const tsr_tensor *view, int to) {
  tsr_tensor ordered = {0}, want = {0}, got = {0};
  const size_t limit = tsr__stream_bytes;
  tsr__stream_bytes = SIZE_MAX; /* the reference stays in the caches */
  OK(&ctx, tsr_copy(&ctx, view, &ordered));
  OK(&ctx, tsr_cast(&ctx, &ordered, to, &want));
  tsr__stream_bytes = limit;
  OK(&ctx, tsr_full(&ctx, to, view->ndim, view->shape, 1, &got));
  OK(&ctx, tsr_copy(&ctx, view, &got));
  const bool right = memcmp(want.data, got.data, tsr_nbytes(&want)) == 0;
  CHECK(right);
  if (!right) printf("  %s to %s, isa %d\n", tsr_dtype_name(view->dtype), tsr_dtype_name(to), ctx.isa);
  tsr_release(&got);
  tsr_release(&want);
  tsr_release(&ordered);
}

static void check_matrix(const int *pair, tsr_index rows, tsr_index columns) {
  tsr_tensor x = {0}, view = {0};
  make_input(pair[0], TSR_SHAPE(rows, columns), &x);
  OK(&ctx, tsr_transpose(&ctx, &x, 0, 1, &view));
  check_cast(&view, pair[1]);
  OK(&ctx, tsr_flip(&ctx, &view, 0, &view)); /* backwards along each axis */
  check_cast(&view, pair[1]);
  OK(&ctx, tsr_flip(&ctx, &view, 1, &view));
  check_cast(&view, pair[1]);
  OK(&ctx, tsr_transpose(&ctx, &x, 0, 1, &view));
  OK(&ctx, tsr_slice(&ctx, &view, 1, 1, TSR_OMIT, 2, &view)); /* with gaps: rows of every other row */
  check_cast(&view, pair[1]);
  tsr_release(&x);
}

static void check_cube(const int *pair) {
  static const int orders[][3] = {{2, 1, 0}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}, {1, 0, 2}};
  tsr_tensor x = {0}, view = {0};
  make_input(pair[0], TSR_SHAPE(5, 33, 70), &x);
  for (int i = 0; i < COUNT_OF(orders); i++) {
    OK(&ctx, tsr_permute(&ctx, &x, orders[i], &view));
    check_cast(&view, pair[1]);
  }
  tsr_release(&x);
}

static void check_all(int isa, bool threads, bool stream) {
  static const tsr_index sizes[][2] = {{8, 8}, {7, 90}, {64, 64}, {65, 130}, {16, 1100}, {300, 9}, {129, 63}};
  if (tsr_context_init(&ctx, NULL) != TSR_OK) return;
  OK(&ctx, tsr_context_set_isa(&ctx, tsr_isa_name(isa)));
  ctx.parallel = threads ? tsr_threads_parallel(pool) : tsr_parallel_serial();
  tsr__stream_bytes = stream ? 0 : (size_t)32 << 20;
  for (int p = 0; p < COUNT_OF(pairs); p++) {
    if (!tsr_dtype_supported(pairs[p][0]) || !tsr_dtype_supported(pairs[p][1])) continue;
    for (int i = 0; i < COUNT_OF(sizes); i++) check_matrix(pairs[p], sizes[i][0], sizes[i][1]);
    check_cube(pairs[p]);
  }
  tsr__stream_bytes = (size_t)32 << 20;
}

TEST(every_way) {
  REQUIRE(tsr_threads_new(3, &pool) == TSR_OK);
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int stream = 0; stream < 2; stream++) check_all(isa, false, stream != 0);
  check_all(0, true, true);
  tsr_threads_release(pool);
}

TEST(large_enough_for_threads) {
  REQUIRE(tsr_threads_new(3, &pool) == TSR_OK);
  if (tsr_context_init(&ctx, NULL) != TSR_OK) return;
  ctx.parallel = tsr_threads_parallel(pool);
  for (int stream = 0; stream < 2; stream++) {
    tsr__stream_bytes = stream ? 0 : (size_t)32 << 20;
    check_matrix((const int[]){TSR_F32, TSR_F16}, 515, 1030);
    check_matrix((const int[]){TSR_U8, TSR_F32}, 1030, 515);
  }
  tsr__stream_bytes = (size_t)32 << 20;
  tsr_threads_release(pool);
}

TEST_MAIN(RUN(every_way), RUN(large_enough_for_threads))

#else

TEST(crossed) { SKIP("no malloc"); }
TEST_MAIN(RUN(crossed))

#endif
