/* Distributed tensors against the same of one process. Every rank has the whole too, and compares what it has of it. */
#include "mpi/ranks.h"

#include <tessera/dist.h>

/* The numbers of a test: the same on all ranks. */
static uint64_t state = 1;
static int number(int n) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((state >> 33) % (uint64_t)n);
}

/* The part of whole that x has is what x has. */
static bool is_part(const tsr_dist *x, const tsr_tensor *whole) {
  tsr_tensor own = {0}, part = {0};
  if (x->local.dtype != whole->dtype || x->local.ndim != whole->ndim) return false;
  for (int i = 0; i < whole->ndim; i++)
    if (x->shape[i] != whole->shape[i]) return false;
  bool same = tsr_dist_own(NULL, x, &own) == TSR_OK && tsr_view(NULL, whole, &part) == TSR_OK;
  for (int i = 0; i < whole->ndim && same; i++)
    same = tsr_narrow(NULL, &part, i, x->first[i], own.shape[i], &part) == TSR_OK;
  return same && same_bits(&own, &part);
}

static void divide(const tsr_tensor *whole, const tsr_dist_layout *layout, tsr_dist *x) {
  *x = (tsr_dist){.comm = NULL};
  OK(NULL, tsr_dist_scatter(NULL, world, size / 2, rank == size / 2 ? whole : NULL, layout, x));
}

static void make_whole(int dtype, int ndim, const tsr_index *shape, uint64_t seed, tsr_tensor *whole) {
  *whole = (tsr_tensor){0};
  OK(NULL, tsr_empty(NULL, dtype, ndim, shape, whole));
  fill_random(whole, seed);
}

/* Ranks along one axis or two, or copies. */
static tsr_dist_layout random_layout(int ndim) {
  tsr_dist_layout layout = {.grid = {0}};
  const int kind = number(8), axis = number(ndim);
  if (kind == 0) return layout.grid[0] = 1, layout;
  int parts = 1;
  for (int i = 2; i <= size && kind > 4; i++)
    if (size % i == 0 && number(2) == 0) parts = i;
  layout.grid[axis] = size / parts;
  const int other = (axis + 1) % ndim;
  if (other != axis)
    layout.grid[other] = parts;
  else
    layout.grid[axis] = size;
  return layout;
}

/* ---- redistribution ---- */

static void check_halos(const tsr_dist *x, const tsr_tensor *whole) {
  tsr_iter it;
  long bad = 0;
  for (tsr_status st = tsr_iter_init(NULL, &x->local, TSR_ROW_MAJOR, &it); st == TSR_OK && tsr_iter_next(&it);) {
    tsr_index at[TSR_MAX_DIMS];
    tsr_real want = 0;
    bool inside = true;
    for (int i = 0; i < whole->ndim; i++) {
      at[i] = x->first[i] - x->layout.halo[i] + it.index[i];
      inside = inside && at[i] >= 0 && at[i] < whole->shape[i];
    }
    if (inside && tsr_get(NULL, whole, whole->ndim, at, &want) != TSR_OK) bad++;
    bad += *(const float *)it.data != (float)want;
  }
  CHECK(bad == 0);
}

TEST(any_layout_becomes_any_other) {
  for (int round = 0; round < 200; round++) {
    const int ndim = 1 + number(4), dtype = number(3) == 0 ? TSR_BF16 : TSR_F32;
    tsr_index shape[TSR_MAX_DIMS];
    tsr_tensor whole;
    tsr_dist x, y = TSR_DIST_EMPTY;
    for (int i = 0; i < ndim; i++) shape[i] = number(10) == 0 ? number(2) : 1 + number(ndim > 2 ? 9 : 40);
    make_whole(dtype, ndim, shape, (uint64_t)round, &whole);
    tsr_dist_layout from = random_layout(ndim), to = random_layout(ndim);
    if (dtype == TSR_F32 && number(2) == 0) {
      const int axis = number(ndim);
      if (shape[axis] / (to.grid[axis] > 1 ? to.grid[axis] : 1) >= 1) to.halo[axis] = 1;
    }
    divide(&whole, &from, &x);
    CHECK(is_part(&x, &whole));
    OK(NULL, tsr_dist_redistribute(NULL, &x, &to, &y));
    CHECK(is_part(&y, &whole));
    if (dtype == TSR_F32) check_halos(&y, &whole);
    tsr_dist_release(&x), tsr_dist_release(&y), tsr_release(&whole);
  }
}

TEST(the_whole_comes_back) {
  static const tsr_index shape[] = {10, 7, 3};
  tsr_tensor whole, one = {0}, all = {0}, swapped = {0};
  tsr_dist x, y = TSR_DIST_EMPTY;
  make_whole(TSR_F64, 3, shape, 3, &whole);
  divide(&whole, NULL, &x);
  OK(NULL, tsr_dist_gather(NULL, &x, 0, rank == 0 ? &one : NULL));
  if (rank == 0) CHECK(same_bits(&one, &whole));
  OK(NULL, tsr_dist_gather(NULL, &x, -1, &all));
  CHECK(same_bits(&all, &whole));
  OK(NULL, tsr_dist_transpose(NULL, &x, 0, -1, NULL, &y));
  OK(NULL, tsr_transpose(NULL, &whole, 0, 2, &swapped));
  CHECK(y.layout.grid[2] == size && is_part(&y, &swapped));
  tsr_dist_release(&y);
  const tsr_dist_layout rows = {.grid = {1, size}};
  OK(NULL, tsr_dist_transpose(NULL, &x, 0, 1, &rows, &y));
  OK(NULL, tsr_transpose(NULL, &whole, 0, 1, &swapped));
  CHECK(is_part(&y, &swapped));
  tsr_dist_release(&x), tsr_dist_release(&y), tsr_release(&whole), tsr_release(&one), tsr_release(&all);
}

/* ---- halos ---- */

static void stencil_case(const tsr_dist_layout *layout, bool periodic, bool with_request) {
  static const tsr_index shape[] = {21, 16};
  tsr_tensor whole, own = {0}, wrapped = {0}, part = {0};
  tsr_dist plain, x = TSR_DIST_EMPTY;
  tsr_comm_request *request = NULL;
  make_whole(TSR_F32, 2, shape, 5, &whole);
  divide(&whole, NULL, &plain);
  tsr_dist_layout bare = *layout;
  bare.halo[0] = bare.halo[1] = 0;
  OK(NULL, tsr_dist_zeros(NULL, world, TSR_F32, 2, shape, layout, &x));
  tsr_dist moved = TSR_DIST_EMPTY;
  OK(NULL, tsr_dist_redistribute(NULL, &plain, &bare, &moved));
  OK(NULL, tsr_dist_own(NULL, &x, &own));
  OK(NULL, tsr_copy(NULL, &moved.local, &own));
  OK(NULL, tsr_dist_exchange(NULL, &x, periodic, with_request ? &request : NULL));
  OK(NULL, tsr_comm_wait(NULL, &request));
  if (!periodic) {
    check_halos(&x, &whole);
  } else { /* the whole, with its ends around it */
    const tsr_index big[] = {shape[0] + 2 * layout->halo[0], shape[1] + 2 * layout->halo[1]};
    OK(NULL, tsr_empty(NULL, TSR_F32, 2, big, &wrapped));
    for (tsr_index i = 0; i < big[0]; i++)
      for (tsr_index j = 0; j < big[1]; j++)
        TSR_AT(float, &wrapped, i, j) = TSR_AT(float, &whole, (i - layout->halo[0] + shape[0]) % shape[0],
                                               (j - layout->halo[1] + shape[1]) % shape[1]);
    OK(NULL, tsr_narrow(NULL, &wrapped, 0, x.first[0], x.local.shape[0], &part));
    OK(NULL, tsr_narrow(NULL, &part, 1, x.first[1], x.local.shape[1], &part));
    CHECK(same_bits(&x.local, &part));
  }
  tsr_release(&whole), tsr_release(&wrapped);
  tsr_dist_release(&plain), tsr_dist_release(&x), tsr_dist_release(&moved);
}

TEST(halos_are_the_neighbours) {
  const tsr_dist_layout rows = {.grid = {size}, .halo = {2}}, columns = {.grid = {1, size}, .halo = {0, 1}};
  const tsr_dist_layout corners = {.grid = {size}, .halo = {1, 1}}, square = {.grid = {2, size / 2}, .halo = {2, 1}};
  for (int kind = 0; kind < 4; kind++) {
    stencil_case(&rows, (kind & 1) != 0, (kind & 2) != 0);
    stencil_case(&columns, (kind & 1) != 0, (kind & 2) != 0);
    stencil_case(&corners, (kind & 1) != 0, (kind & 2) != 0);
    if (size % 2 == 0) stencil_case(&square, (kind & 1) != 0, (kind & 2) != 0);
  }
}

/* ---- reductions, sums ---- */

static void reduce_case(const char *op, int dtype, int ndim, const tsr_index *shape, uint32_t mask,
                        const tsr_dist_layout *layout) {
  tsr_tensor whole, want = {0}, *out = &want;
  tsr_dist x, y = TSR_DIST_EMPTY;
  tsr_index list[TSR_MAX_DIMS];
  int axes[TSR_MAX_DIMS], count = 0;
  const bool keepdims = mask % 3 == 1;
  for (int i = 0; i < ndim; i++)
    if ((mask >> i & 1) != 0) list[count] = axes[count] = i, count++;
  make_whole(dtype, ndim, shape, mask, &whole);
  divide(&whole, layout, &x);
  const tsr_attr attrs[] = {tsr_attr_ints("axes", count, list), tsr_attr_bool("keepdims", keepdims)};
  const tsr_tensor *const in = &whole;
  OK(NULL, tsr_op_call(NULL, tsr_op_find(op), 1, &in, 2, attrs, 1, &out));
  OK(NULL, tsr_dist_reduce(NULL, op, &x, count, axes, keepdims, &y));
  if (!is_part(&y, &want)) printf("%s of %s, axes %u\n", op, tsr_dtype_name(dtype), (unsigned)mask);
  CHECK(is_part(&y, &want));
  tsr_dist_release(&x), tsr_dist_release(&y), tsr_release(&whole), tsr_release(&want);
}

TEST(reductions_have_the_bits_of_one_process) {
  static const char *const ops[] = {"sum", "mean", "min", "max", "var", "norm2", "count_nonzero", "prod"};
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_BF16, TSR_I32, TSR_U8};
  static const tsr_index shape[] = {11, 6, 9}, flat[] = {12345}, wide[] = {2, 7001}, tall[] = {7001, 2}, few[] = {2};
  const tsr_dist_layout columns = {.grid = {1, size}};
  for (int o = 0; o < 8; o++)
    for (int d = 0; d < 5; d++) {
      const uint32_t mask = 1u + (uint32_t)(o + 3 * d) % 7u;
      const tsr_dist_layout layout = random_layout(3);
      reduce_case(ops[o], dtypes[d], 3, shape, mask, &layout);
      reduce_case(ops[o], dtypes[d], 1, flat, 1, NULL);
    }
  for (int d = 0; d < 5; d++) {
    reduce_case("sum", dtypes[d], 2, wide, 2, &columns);
    reduce_case("mean", dtypes[d], 2, wide, 3, &columns);
    reduce_case("sum", dtypes[d], 2, tall, 1, NULL);
    reduce_case("mean", dtypes[d], 2, tall, 3, NULL);
    reduce_case("max", dtypes[d], 1, few, 1, NULL);
  }
  reduce_case("any", TSR_BOOL, 3, shape, 5, NULL);
  reduce_case("all", TSR_BOOL, 1, flat, 1, NULL);
}

static void cumsum_case(int dtype, int ndim, const tsr_index *shape, int axis, const tsr_dist_layout *layout) {
  tsr_tensor whole, want = {0};
  tsr_dist x, y = TSR_DIST_EMPTY;
  make_whole(dtype, ndim, shape, 9, &whole);
  divide(&whole, layout, &x);
  OK(NULL, tsr_cumsum(NULL, &whole, axis, &want));
  OK(NULL, tsr_dist_cumsum(NULL, &x, axis, &y));
  CHECK(is_part(&y, &want));
  tsr_dist_release(&x), tsr_dist_release(&y), tsr_release(&whole), tsr_release(&want);
}

TEST(cumulative_sums_have_the_bits_of_one_process) {
  static const tsr_index flat[] = {100003}, cube[] = {13, 9, 8}, wide[] = {1, 40000, 1};
  const tsr_dist_layout middle = {.grid = {1, size}};
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_I16, TSR_U64, TSR_BOOL};
  for (int d = 0; d < 6; d++) {
    cumsum_case(dtypes[d], 1, flat, 0, NULL);
    cumsum_case(dtypes[d], 3, cube, d % 3, NULL);
    cumsum_case(dtypes[d], 3, wide, 1, &middle);
  }
}

/* ---- products ---- */

static void product_case(int dtype, const tsr_dist_layout *la, const tsr_dist_layout *lb, const tsr_dist_layout *out) {
  static const tsr_index a_shape[] = {37, 51}, b_shape[] = {51, 29};
  tsr_tensor a, b, want = {0}, all = {0};
  tsr_dist x, y, z = TSR_DIST_EMPTY;
  tsr_difference d;
  make_whole(dtype, 2, a_shape, 21, &a);
  make_whole(dtype, 2, b_shape, 22, &b);
  divide(&a, la, &x);
  divide(&b, lb, &y);
  OK(NULL, tsr_matmul(NULL, &a, &b, &want));
  OK(NULL, tsr_dist_matmul(NULL, &x, &y, out, &z));
  OK(NULL, tsr_dist_gather(NULL, &z, -1, &all));
  OK(NULL, tsr_compare(NULL, &all, &want, 0, dtype == TSR_F32 ? 2e-4 : 1e-12, &d));
  CHECK(d.unequal == 0 && d.count == 37 * 29);
  tsr_release(&a), tsr_release(&b), tsr_release(&want), tsr_release(&all);
  tsr_dist_release(&x), tsr_dist_release(&y), tsr_dist_release(&z);
}

TEST(products_of_parts_are_the_product) {
  const tsr_dist_layout rows = {.grid = {size}}, columns = {.grid = {1, size}}, copies = {.grid = {1}};
  const tsr_dist_layout square = {.grid = {size % 2 == 0 ? 2 : size, size % 2 == 0 ? size / 2 : 1}};
  for (int dtype = TSR_F32; dtype <= TSR_F64; dtype++) {
    product_case(dtype, &rows, &rows, NULL);
    product_case(dtype, &rows, &copies, NULL);
    product_case(dtype, &copies, &columns, NULL);
    product_case(dtype, &columns, &rows, NULL); /* added */
    product_case(dtype, &columns, &rows, &copies);
    product_case(dtype, &square, &square, &square);
  }
}

/* ---- expressions, random numbers ---- */

TEST(expressions_have_the_bits_of_one_process) {
  static const tsr_index shape[] = {23, 10}, row[] = {10};
  tsr_tensor a, b, bias, want = {0};
  tsr_dist x, y, z = TSR_DIST_EMPTY;
  make_whole(TSR_F32, 2, shape, 31, &a);
  make_whole(TSR_F32, 2, shape, 32, &b);
  make_whole(TSR_F32, 1, row, 33, &bias);
  const tsr_dist_layout columns = {.grid = {1, size}};
  divide(&a, NULL, &x);
  divide(&b, &columns, &y);
  const char *const texts[] = {"gelu(a*b + c) - exp(a)", "softmax(a, axis=1) * b", "a @ b.T"};
  for (int t = 0; t < 3; t++) {
    OK(NULL, tsr_eval(NULL, texts[t], TSR_NAMED({"a", &a}, {"b", &b}, {"c", &bias}), &want));
    const tsr_dist_named named[] = {{"a", &x, NULL}, {"b", &y, NULL}, {"c", NULL, &bias}};
    const tsr_status st = tsr_dist_eval(NULL, texts[t], 3, named, NULL, &z);
    if (t < 2) OK(NULL, st);
    if (t < 2) CHECK(is_part(&z, &want));
    if (t == 2) CHECK(st == TSR_OK || st == TSR_EUNSUPPORTED);
    tsr_dist_release(&z), tsr_release(&want);
  }
  const tsr_dist_named named[] = {{"a", &x, NULL}};
  FAILS(NULL, TSR_ENAME, tsr_dist_eval(NULL, "a + q", 1, named, NULL, &z));
  if (size > 1) FAILS(NULL, TSR_EUNSUPPORTED, tsr_dist_eval(NULL, "cumsum(a, axis=0)", 1, named, NULL, &z));
  tsr_release(&a), tsr_release(&b), tsr_release(&bias);
  tsr_dist_release(&x), tsr_dist_release(&y);
}

TEST(random_numbers_do_not_depend_on_the_ranks) {
  static const tsr_index shape[] = {9, 14, 5};
  for (int round = 0; round < 6; round++) {
    tsr_rng one = tsr_rng_seed(5), many = tsr_rng_seed(5);
    tsr_tensor whole = {0};
    tsr_dist x = TSR_DIST_EMPTY;
    const tsr_dist_layout layout = random_layout(3);
    if (round % 2 == 0) {
      OK(NULL, tsr_rand_normal(NULL, &one, TSR_F32, 3, shape, &whole));
      OK(NULL, tsr_dist_rand_normal(NULL, world, &many, TSR_F32, 3, shape, &layout, &x));
    } else {
      OK(NULL, tsr_rand_uniform(NULL, &one, TSR_F64, 3, shape, -1, 2, &whole));
      OK(NULL, tsr_dist_rand_uniform(NULL, world, &many, TSR_F64, 3, shape, -1, 2, &layout, &x));
    }
    CHECK(is_part(&x, &whole));
    CHECK(one.counter == many.counter);
    tsr_release(&whole), tsr_dist_release(&x);
  }
}

/* Calls that allocate, with the memory of one rank running out at each of its allocations: all ranks fail alike, or none does. */
static tsr_status call_number(tsr_ctx *ctx, int number_, tsr_dist *x, tsr_dist *flat, tsr_dist *y, tsr_tensor *t) {
  const tsr_dist_layout columns = {.grid = {1, size}};
  const tsr_dist_named named[] = {{"a", x, NULL}};
  tsr_rng rng = tsr_rng_seed(1);
  switch (number_) {
    case 0: return tsr_dist_redistribute(ctx, x, &columns, y);
    case 1: return tsr_dist_reduce(ctx, "sum", x, TSR_AXES(0), false, y);
    case 2: return tsr_dist_reduce(ctx, "mean", flat, 0, NULL, false, y);
    case 3: return tsr_dist_reduce(ctx, "var", flat, 0, NULL, false, y);
    case 4: return tsr_dist_reduce(ctx, "max", flat, 0, NULL, false, y);
    case 5: return tsr_dist_cumsum(ctx, flat, 0, y);
    case 6: return tsr_dist_cumsum(ctx, x, 0, y);
    case 7: return tsr_dist_matmul(ctx, x, x, NULL, y);
    case 8: return tsr_dist_eval(ctx, "a * 2 + exp(a)", 1, named, &columns, y);
    case 9: return tsr_dist_transpose(ctx, x, 0, 1, NULL, y);
    case 10: return tsr_dist_rand_normal(ctx, world, &rng, TSR_F32, 2, x->shape, &columns, y);
    case 11: return tsr_dist_gather(ctx, x, -1, t);
    case 12: return tsr_comm_allreduce(ctx, world, TSR_COMM_SUM, &x->local, t, NULL);
    case 13: return tsr_comm_alltoall(ctx, world, 1, 0, &x->local, t, NULL);
    default: return tsr_comm_reduce_scatter(ctx, world, TSR_COMM_SUM, 1, &x->local, t, NULL);
  }
}

static bool fails_alike(int number_, size_t at, tsr_dist *x, tsr_dist *flat) {
  tsr_failing failing;
  tsr_dist y = TSR_DIST_EMPTY;
  tsr_tensor t = {0};
  tsr_ctx ctx;
  OK(NULL, tsr_failing_init(tsr_allocator_system(), rank == size - 1 ? at : SIZE_MAX, true, &failing));
  OK(NULL, tsr_context_init(&ctx, &failing.allocator));
  int ok = call_number(&ctx, number_, x, flat, &y, &t) == TSR_OK, all = 0;
  (void)MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(all == 0 || all == size);
  CHECK(ok || (y.comm == NULL && t.data == NULL));
  tsr_dist_release(&y);
  tsr_release(&t);
  if (failing.live != 0) printf("call %d, allocation %zu: %zu are left\n", number_, at, failing.live);
  CHECK(failing.live == 0);
  return all == size;
}

TEST(memory_that_one_rank_has_not_fails_all) {
  const tsr_index square[] = {4 * size, 4 * size}, line[] = {20000};
  tsr_tensor a, b;
  tsr_dist x, flat;
  make_whole(TSR_F32, 2, square, 1, &a);
  make_whole(TSR_F32, 1, line, 2, &b);
  divide(&a, NULL, &x);
  divide(&b, NULL, &flat);
  for (int call = 0; call < 15; call++) {
    size_t at = 0;
    while (at < 200 && !fails_alike(call, at, &x, &flat)) at++;
    CHECK(at < 200);
  }
  tsr_release(&a), tsr_release(&b), tsr_dist_release(&x), tsr_dist_release(&flat);
}

TEST(mistakes_are_told_on_every_rank) {
  static const tsr_index shape[] = {8, 8};
  tsr_dist x = TSR_DIST_EMPTY, y = TSR_DIST_EMPTY;
  const tsr_dist_layout wrong = {.grid = {size + 1}}, deep = {.grid = {size}, .halo = {9}};
  FAILS(NULL, TSR_ESHAPE, tsr_dist_zeros(NULL, world, TSR_F32, 2, shape, &wrong, &x));
  MESSAGE_HAS(NULL, "dist_zeros: layout has a grid that is not for");
  FAILS(NULL, TSR_ESHAPE, tsr_dist_zeros(NULL, world, TSR_F32, 2, shape, &deep, &x));
  MESSAGE_HAS(NULL, "halo of 9 along axis 0");
  OK(NULL, tsr_dist_zeros(NULL, world, TSR_F32, 2, shape, NULL, &x));
  FAILS(NULL, TSR_ESTATE, tsr_dist_zeros(NULL, world, TSR_F32, 2, shape, NULL, &x));
  FAILS(NULL, TSR_ENAME, tsr_dist_reduce(NULL, "softmax", &x, 0, NULL, false, &y));
  FAILS(NULL, TSR_ESTATE, tsr_dist_reduce(NULL, "sum", &y, 0, NULL, false, &y));
  if (size > 1) {
    FAILS(NULL, TSR_EARG, tsr_dist_reduce(NULL, rank == 0 ? "sum" : "max", &x, 0, NULL, false, &y));
    FAILS(NULL, TSR_EAXIS, tsr_dist_cumsum(NULL, &x, rank == 1 ? 5 : 0, &y));
    MESSAGE_HAS(NULL, rank == 1 ? "axis 5 is out of range" : "rank 1 failed");
  }
  CHECK(y.comm == NULL);
  tsr_dist_release(&x);
}

RANKS_MAIN(RUN(any_layout_becomes_any_other), RUN(the_whole_comes_back), RUN(halos_are_the_neighbours),
           RUN(reductions_have_the_bits_of_one_process), RUN(cumulative_sums_have_the_bits_of_one_process),
           RUN(products_of_parts_are_the_product), RUN(expressions_have_the_bits_of_one_process),
           RUN(random_numbers_do_not_depend_on_the_ranks), RUN(memory_that_one_rank_has_not_fails_all),
           RUN(mistakes_are_told_on_every_rank))
