/* Collectives against what one process computes from the same elements. */
#include "mpi/ranks.h"

#include "support/mirror.h"

static const tsr_index shape3[] = {3, 4, 5};

static bool has(int dtype) { return dtype != TSR_NONE && tsr_dtype_describe(dtype) != NULL; }
static int class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }

/* What rank r has, on every rank. */
static void expected(int dtype, int ndim, const tsr_index *shape, int r, tsr_tensor *x) {
  *x = (tsr_tensor){0};
  OK(NULL, tsr_empty(NULL, dtype, ndim, shape, x));
  fill_random(x, 100u + (uint64_t)r);
}

static void strided(int kind, int dtype, int ndim, const tsr_index *shape, int r, tsr_tensor *memory,
                    tsr_tensor *view) {
  make_strided(kind, dtype, ndim, shape, memory, view);
  fill_random(view, 100u + (uint64_t)r);
}

/* ---- broadcast ---- */

static void broadcast_case(int dtype, int kind, int root, bool given) {
  tsr_tensor memory, x, want, empty = {0};
  expected(dtype, 3, shape3, root, &want);
  make_strided(kind, dtype, 3, shape3, &memory, &x);
  if (rank == root) fill_random(&x, 100u + (uint64_t)root);
  tsr_tensor *const target = given || rank == root ? &x : &empty;
  OK(NULL, tsr_comm_broadcast(NULL, world, root, target, NULL));
  CHECK(same_bits(target, &want));
  tsr_release(&want);
  tsr_release(&memory);
  tsr_release(&empty);
}

TEST(broadcast_takes_every_dtype_and_stride) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    if (has(dtype))
      for (int kind = 0; kind < 4; kind++) broadcast_case(dtype, kind, (dtype + kind) % size, (kind & 1) == 0);
}

/* ---- reductions ---- */

static bool reduces(int reduction, int dtype) {
  const int class_ = class_of(dtype);
  if (reduction >= TSR_COMM_ALL) return class_ == TSR_CLASS_BOOL;
  if (class_ == TSR_CLASS_BOOL) return false;
  return class_ != TSR_CLASS_COMPLEX || reduction == TSR_COMM_SUM;
}

static void fold_with(int reduction, tsr_tensor *a, const tsr_tensor *b) {
  switch (reduction) {
    case TSR_COMM_SUM: OK(NULL, tsr_add(NULL, a, b, a)); break;
    case TSR_COMM_PROD: OK(NULL, tsr_mul(NULL, a, b, a)); break;
    case TSR_COMM_MIN: OK(NULL, tsr_minimum(NULL, a, b, a)); break;
    case TSR_COMM_MAX: OK(NULL, tsr_maximum(NULL, a, b, a)); break;
    case TSR_COMM_ALL: OK(NULL, tsr_logical_and(NULL, a, b, a)); break;
    default: OK(NULL, tsr_logical_or(NULL, a, b, a));
  }
}

static void real_reduction(int reduction, const tsr_tensor *stack, tsr_tensor *want) {
  switch (reduction) {
    case TSR_COMM_SUM: OK(NULL, tsr_sum(NULL, stack, TSR_AXES(0), false, want)); break;
    case TSR_COMM_PROD: OK(NULL, tsr_prod(NULL, stack, TSR_AXES(0), false, want)); break;
    case TSR_COMM_MIN: OK(NULL, tsr_min(NULL, stack, TSR_AXES(0), false, want)); break;
    default: OK(NULL, tsr_max(NULL, stack, TSR_AXES(0), false, want));
  }
}

/* Of all ranks' elements, by the library's reductions over an axis of ranks; integers one after another. */
static void reduced(int reduction, int dtype, int ndim, const tsr_index *shape, tsr_tensor *want) {
  tsr_index stacked[TSR_MAX_DIMS] = {size};
  tsr_tensor stack = {0};
  for (int i = 0; i < ndim; i++) stacked[i + 1] = shape[i];
  *want = (tsr_tensor){0};
  OK(NULL, tsr_empty(NULL, dtype, ndim + 1, stacked, &stack));
  for (int r = 0; r < size; r++) {
    tsr_tensor at = {0};
    OK(NULL, tsr_select(NULL, &stack, 0, r, &at));
    fill_random(&at, 100u + (uint64_t)r);
  }
  if (class_of(dtype) == TSR_CLASS_FLOAT) {
    real_reduction(reduction, &stack, want);
  } else if (class_of(dtype) == TSR_CLASS_COMPLEX) {
    OK(NULL, tsr_empty(NULL, dtype, ndim, shape, want));
    for (int part = 0; part < 2; part++) {
      tsr_tensor from = {0}, to = {0};
      OK(NULL, tsr_complex_part(NULL, &stack, part, &from));
      OK(NULL, tsr_complex_part(NULL, want, part, &to));
      real_reduction(reduction, &from, &to);
    }
  } else {
    for (int r = 0; r < size; r++) {
      tsr_tensor at = {0};
      OK(NULL, tsr_select(NULL, &stack, 0, r, &at));
      if (r == 0)
        OK(NULL, tsr_copy(NULL, &at, want));
      else
        fold_with(reduction, want, &at);
    }
  }
  tsr_release(&stack);
}

static void reduction_case(tsr_comm_reduction reduction, int dtype, int kind, int ndim, const tsr_index *shape) {
  tsr_tensor memory, x, want, y = {0}, z = {0}, part = {0}, mine = {0};
  tsr_index first;
  const int root = (dtype + (int)reduction) % size, axis = kind % ndim;
  strided(kind, dtype, ndim, shape, rank, &memory, &x);
  reduced((int)reduction, dtype, ndim, shape, &want);
  OK(NULL, tsr_comm_allreduce(NULL, world, reduction, &x, &y, NULL));
  CHECK(same_bits(&y, &want));
  OK(NULL, tsr_comm_reduce(NULL, world, reduction, root, &x, rank == root ? &z : NULL, NULL));
  if (rank == root) CHECK(same_bits(&z, &want));
  const tsr_index length = tsr_comm_part(shape[axis], size, rank, &first);
  OK(NULL, tsr_comm_reduce_scatter(NULL, world, reduction, axis, &x, &part, NULL));
  OK(NULL, tsr_narrow(NULL, &want, axis, first, length, &mine));
  CHECK(same_bits(&part, &mine));
  OK(NULL, tsr_comm_allreduce(NULL, world, reduction, &x, &x, NULL)); /* in place */
  CHECK(same_bits(&x, &want));
  tsr_release(&memory);
  tsr_release(&want);
  tsr_release(&y);
  tsr_release(&z);
  tsr_release(&part);
}

TEST(reductions_are_those_of_one_process) {
  static const tsr_index longer[] = {7, 700};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int reduction = TSR_COMM_SUM; reduction <= TSR_COMM_ANY; reduction++)
      if (has(dtype) && reduces(reduction, dtype))
        reduction_case((tsr_comm_reduction)reduction, dtype, (dtype + reduction) % 4, 3, shape3);
  reduction_case(TSR_COMM_SUM, TSR_F32, 1, 2, longer); /* long enough to go in parts */
  reduction_case(TSR_COMM_SUM, TSR_F16, 0, 2, longer);
  reduction_case(TSR_COMM_MAX, TSR_F64, 3, 2, longer);
  reduction_case(TSR_COMM_SUM, TSR_C64, 2, 2, longer);
}

TEST(reductions_refuse_what_has_no_meaning) {
  tsr_tensor x = {0}, y = {0};
  OK(NULL, tsr_zeros(NULL, TSR_BOOL, TSR_SHAPE(3), &x));
  FAILS(NULL, TSR_EDTYPE, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &x, &y, NULL));
  MESSAGE_HAS(NULL, "comm_allreduce: x is bool: not for sum");
  FAILS(NULL, TSR_EARG, tsr_comm_allreduce(NULL, world, (tsr_comm_reduction)9, &x, &y, NULL));
  FAILS(NULL, TSR_EARG, tsr_comm_reduce(NULL, world, TSR_COMM_ANY, size, &x, &y, NULL));
  CHECK(tsr_is_none(&y));
  tsr_release(&x);
}

/* ---- what moves ---- */

/* Rank r's piece along axis is of r + 1 indices; the last rank's of none. */
static tsr_index piece(int r) { return r == size - 1 && size > 1 ? 0 : r + 1; }

static void gather_case(int dtype, int kind, int axis) {
  tsr_index shape[] = {3, 4, 5}, offset = 0;
  tsr_tensor memory, x, want = {0}, y = {0}, z = {0}, given = {0}, given_memory = {0};
  const int root = axis % size;
  shape[axis] = 0;
  for (int r = 0; r < size; r++) shape[axis] += piece(r);
  OK(NULL, tsr_empty(NULL, dtype, 3, shape, &want));
  make_strided((kind + 1) % 4, dtype, 3, shape, &given_memory, &given);
  for (int r = 0; r < size; r++) {
    tsr_tensor at = {0};
    OK(NULL, tsr_narrow(NULL, &want, axis, offset, piece(r), &at));
    fill_random(&at, 100u + (uint64_t)r);
    offset += piece(r);
  }
  shape[axis] = piece(rank);
  strided(kind, dtype, 3, shape, rank, &memory, &x);
  OK(NULL, tsr_comm_allgather(NULL, world, axis - 3, &x, &y, NULL));
  CHECK(same_bits(&y, &want));
  OK(NULL, tsr_comm_allgather(NULL, world, axis, &x, &given, NULL));
  CHECK(same_bits(&given, &want));
  OK(NULL, tsr_comm_gather(NULL, world, root, axis, &x, rank == root ? &z : NULL, NULL));
  if (rank == root) CHECK(same_bits(&z, &want));
  tsr_release(&memory);
  tsr_release(&given_memory);
  tsr_release(&want);
  tsr_release(&y);
  tsr_release(&z);
}

static void scatter_case(int dtype, int kind, int axis) {
  static const tsr_index shape[] = {6, 5, 9};
  tsr_tensor memory, x, want, mine = {0}, y = {0}, back = {0};
  tsr_index first;
  const int root = (axis + 1) % size, join = (axis + 1) % 3;
  expected(dtype, 3, shape, root, &want);
  strided(kind, dtype, 3, shape, root, &memory, &x);
  const tsr_index length = tsr_comm_part(shape[axis], size, rank, &first);
  OK(NULL, tsr_narrow(NULL, &want, axis, first, length, &mine));
  OK(NULL, tsr_comm_scatter(NULL, world, root, axis, rank == root ? &x : NULL, &y, NULL));
  CHECK(same_bits(&y, &mine));
  /* What was divided along axis is divided along join, and back. */
  tsr_tensor other = {0}, part = {0};
  OK(NULL, tsr_comm_alltoall(NULL, world, join, axis, &y, &other, NULL));
  const tsr_index rows = tsr_comm_part(shape[join], size, rank, &first);
  OK(NULL, tsr_narrow(NULL, &want, join, first, rows, &part));
  CHECK(same_bits(&other, &part));
  OK(NULL, tsr_comm_alltoall(NULL, world, axis, join, &other, &back, NULL));
  CHECK(same_bits(&back, &mine));
  tsr_release(&memory);
  tsr_release(&want);
  tsr_release(&y);
  tsr_release(&other);
  tsr_release(&back);
}

TEST(pieces_come_together_and_apart) {
  static const int dtypes[] = {TSR_U8, TSR_BF16, TSR_F32, TSR_C128};
  for (int d = 0; d < 4; d++)
    for (int axis = 0; axis < 3; axis++) {
      gather_case(dtypes[d], (d + axis) % 4, axis);
      scatter_case(dtypes[d], (d + axis) % 4, axis);
    }
}

TEST(more_than_one_message_holds) {
  const size_t chunk = tsr__comm_chunk;
  tsr__comm_chunk = 48;
  for (int axis = 0; axis < 3; axis++) {
    gather_case(TSR_F32, axis, axis);
    scatter_case(TSR_F64, axis, axis);
  }
  broadcast_case(TSR_I32, 0, 0, false);
  reduction_case(TSR_COMM_SUM, TSR_F32, 0, 3, shape3);
  reduction_case(TSR_COMM_MAX, TSR_I64, 1, 3, shape3);
  tsr__comm_chunk = chunk;
}

TEST(zero_and_one_element_are_tensors_too) {
  static const tsr_index none[] = {3, 0, 2};
  tsr_tensor x = {0}, y = {0}, z = {0}, one = {0}, sum = {0};
  OK(NULL, tsr_zeros(NULL, TSR_F32, 3, none, &x));
  OK(NULL, tsr_comm_allgather(NULL, world, 0, &x, &y, NULL));
  CHECK(y.shape[0] == 3 * size && tsr_size(&y) == 0);
  OK(NULL, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &x, &z, NULL));
  CHECK(tsr_size(&z) == 0);
  OK(NULL, tsr_full(NULL, TSR_F32, 0, NULL, (tsr_real)rank, &one));
  OK(NULL, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &one, &sum, NULL));
  CHECK(sum.ndim == 0 && TSR_AT(float, &sum) == (float)(size * (size - 1) / 2));
  tsr_release(&x), tsr_release(&y), tsr_release(&z), tsr_release(&one), tsr_release(&sum);
}

/* ---- requests ---- */

TEST(requests_end_in_any_order) {
  enum { COUNT = 6 };
  tsr_tensor x[COUNT] = {{0}}, y[COUNT] = {{0}}, want[COUNT] = {{0}};
  tsr_comm_request *request[COUNT] = {NULL};
  static const tsr_index shape[] = {9, 300};
  for (int i = 0; i < COUNT; i++) {
    expected(TSR_F32, 2, shape, rank, &x[i]);
    if (i % 3 == 2) {
      OK(NULL, tsr_comm_allgather(NULL, world, 1, &x[i], &y[i], &request[i]));
      OK(NULL, tsr_comm_allgather(NULL, world, 1, &x[i], &want[i], NULL));
    } else {
      OK(NULL, tsr_comm_allreduce(NULL, world, i % 2 == 0 ? TSR_COMM_SUM : TSR_COMM_MAX, &x[i], &y[i], &request[i]));
      reduced(i % 2 == 0 ? TSR_COMM_SUM : TSR_COMM_MAX, TSR_F32, 2, shape, &want[i]);
    }
  }
  bool done = false; /* one is asked for until it is there, the others are waited for, in another order on every rank */
  while (!done) OK(NULL, tsr_comm_test(NULL, &request[rank % COUNT], &done));
  for (int i = 0; i < COUNT; i++) OK(NULL, tsr_comm_wait(NULL, &request[(i + rank) % COUNT]));
  for (int i = 0; i < COUNT; i++) {
    CHECK(same_bits(&y[i], &want[i]));
    tsr_release(&x[i]), tsr_release(&y[i]), tsr_release(&want[i]);
  }
}

/* ---- mistakes ---- */

TEST(shapes_that_differ_are_an_error_everywhere) {
  tsr_tensor x = {0}, y = {0};
  if (size < 2) SKIP("one rank");
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3, rank == size - 1 ? 5 : 4), &x));
  FAILS(NULL, TSR_ESHAPE, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &x, &y, NULL));
  char text[128];
  (void)snprintf(text, sizeof text, "f32 [3,5] on rank %d", size - 1);
  MESSAGE_HAS(NULL, "comm_allreduce: x differs: f32 [3,4] on rank");
  MESSAGE_HAS(NULL, text);
  CHECK(tsr_is_none(&y));
  tsr_release(&x);
  OK(NULL, tsr_zeros(NULL, rank == 0 ? TSR_F64 : TSR_F32, TSR_SHAPE(2, 2), &x));
  FAILS(NULL, TSR_EDTYPE, tsr_comm_allgather(NULL, world, 0, &x, &y, NULL));
  MESSAGE_HAS(NULL, "f64 [2,2] on rank 0, f32 [2,2] on rank");
  FAILS(NULL, TSR_EDTYPE, tsr_comm_broadcast(NULL, world, 0, &x, NULL));
  FAILS(NULL, TSR_EARG, tsr_comm_broadcast(NULL, world, rank == 0, &x, NULL));
  MESSAGE_HAS(NULL, "comm_broadcast: root differs: 1 on rank 0, 0 on rank");
  /* One is in another call. */
  const tsr_status st = rank == 0 ? tsr_comm_barrier(NULL, world) : tsr_comm_allgather(NULL, world, 0, &x, &y, NULL);
  CHECK(st == TSR_ESTATE);
  MESSAGE_HAS(NULL, "the call differs: comm_barrier on rank 0, comm_allgather on rank");
  OK(NULL, tsr_comm_barrier(NULL, world)); /* and all go on in step */
  tsr_release(&x);
}

TEST(a_failure_of_one_rank_is_told_to_the_others) {
  tsr_tensor x = {0}, y = {0}, out = {0};
  if (size < 2) SKIP("one rank");
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3), &x));
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(rank == 1 ? 4 : 3), &out));
  FAILS(NULL, TSR_ESHAPE, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &x, &out, NULL));
  MESSAGE_HAS(NULL, rank == 1 ? "out is f32 [4], the result f32 [3]" : "rank 1 failed: shapes do not fit");
  FAILS(NULL, TSR_ESTATE, tsr_comm_allgather(NULL, world, 0, rank == 0 ? &y : &x, &y, NULL));
  MESSAGE_HAS(NULL, rank == 0 ? "x has no elements: it is empty" : "rank 0 failed");
  /* Memory that is missing after the first agreement. */
  for (size_t at = 0; at < 4; at++) {
    tsr_failing failing;
    tsr_ctx ctx;
    OK(NULL, tsr_failing_init(tsr_allocator_system(), at, true, &failing));
    OK(NULL, tsr_context_init(&ctx, rank == size - 1 ? &failing.allocator : NULL));
    const tsr_status st = tsr_comm_allgather(&ctx, world, 0, &x, &y, NULL);
    CHECK(st == TSR_ENOMEM || (st == TSR_OK && at > 0));
    CHECK((st == TSR_OK) == (y.data != NULL));
    tsr_release(&y);
  }
  OK(NULL, tsr_comm_barrier(NULL, world));
  tsr_release(&x), tsr_release(&out);
}

/* ---- one to another ---- */

TEST(messages_go_around) {
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  tsr_tensor memory, x, want, y = {0}, z = {0}, any = {0};
  tsr_comm_request *sent = NULL, *again = NULL, *arrived = NULL;
  strided(1, TSR_F16, 3, shape3, rank, &memory, &x);
  expected(TSR_F16, 3, shape3, from, &want);
  OK(NULL, tsr_comm_send(NULL, world, to, 3, &x, &sent));
  OK(NULL, tsr_comm_send(NULL, world, to, 3, &want, &again));
  OK(NULL, tsr_comm_receive(NULL, world, from, 3, &y, &arrived));
  OK(NULL, tsr_comm_receive(NULL, world, size > 1 && rank == 0 ? TSR_COMM_ANY_RANK : from, 3, &z, NULL));
  OK(NULL, tsr_comm_wait(NULL, &arrived));
  OK(NULL, tsr_comm_wait(NULL, &again));
  OK(NULL, tsr_comm_wait(NULL, &sent));
  if (size > 1 && rank != 0) CHECK(same_bits(&y, &want));
  CHECK(y.data != NULL && z.data != NULL);
  tsr_release(&memory), tsr_release(&want), tsr_release(&y), tsr_release(&z), tsr_release(&any);
}

TEST(a_collective_goes_on_with_what_was_sent) {
  tsr_tensor x = {0}, y = {0};
  tsr_comm_request *sent = NULL;
  OK(NULL, tsr_ones(NULL, TSR_F32, TSR_SHAPE(100000), &x));
  if (rank == 0 && size > 1) OK(NULL, tsr_comm_send(NULL, world, 1, 0, &x, &sent));
  if (rank == 1) OK(NULL, tsr_comm_receive(NULL, world, 0, 0, &y, NULL)); /* before the others' barrier */
  OK(NULL, tsr_comm_barrier(NULL, world));
  OK(NULL, tsr_comm_wait(NULL, &sent));
  if (rank == 1) CHECK(same_bits(&x, &y));
  tsr_release(&x), tsr_release(&y);
}

TEST(a_message_that_does_not_fit_is_an_error_on_both_sides) {
  tsr_tensor x = {0}, y = {0};
  tsr_comm_request *sent = NULL;
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3), &x));
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(4), &y));
  OK(NULL, tsr_comm_send(NULL, world, to, 0, &x, &sent));
  FAILS(NULL, TSR_ESHAPE, tsr_comm_receive(NULL, world, from, 0, &y, NULL));
  FAILS(NULL, TSR_ESHAPE, tsr_comm_wait(NULL, &sent));
  MESSAGE_HAS(NULL, "could not take it: shapes do not fit");
  FAILS(NULL, TSR_EARG, tsr_comm_send(NULL, world, size, 0, &x, NULL));
  FAILS(NULL, TSR_EARG, tsr_comm_send(NULL, world, 0, 16384, &x, NULL));
  tsr_release(&x), tsr_release(&y);
}

/* ---- communicators, devices, settings ---- */

TEST(a_communicator_is_split_and_given) {
  tsr_comm *half = NULL, *none = NULL;
  tsr_tensor one = {0}, sum = {0};
  OK(NULL, tsr_comm_split(NULL, world, rank % 2, -rank, &half));
  CHECK(tsr_comm_size(half) == (size + 1 - rank % 2) / 2);
  OK(NULL, tsr_full(NULL, TSR_I32, 0, NULL, (tsr_real)rank, &one));
  OK(NULL, tsr_comm_allreduce(NULL, half, TSR_COMM_SUM, &one, &sum, NULL));
  int want = 0;
  for (int r = rank % 2; r < size; r += 2) want += r;
  CHECK(TSR_AT(int32_t, &sum) == want);
  OK(NULL, tsr_comm_split(NULL, world, rank == 0 ? 0 : -1, 0, &none));
  CHECK((none != NULL) == (rank == 0));
  tsr_comm_release(none);
  tsr_comm_release(half);
  const MPI_Comm self = MPI_COMM_SELF;
  OK(NULL, tsr_comm_new(NULL, &self, &half));
  CHECK(tsr_comm_size(half) == 1);
  tsr_comm_release(half);
  tsr_release(&one), tsr_release(&sum);
}

#if TEST_HAVE_MIRROR
TEST(tensors_of_a_device_go_by_way_of_the_host) {
  mirror *const m = mirror_new("mirror", false);
  const tsr_device *const device = mirror_device(m);
  tsr_tensor x = {0}, there = {0}, given = {0}, back = {0}, want, flipped = {0};
  expected(TSR_F32, 3, shape3, rank, &x);
  reduced(TSR_COMM_SUM, TSR_F32, 3, shape3, &want);
  OK(NULL, tsr_to_device(NULL, &x, device, &there));
  OK(NULL, tsr_to_device(NULL, &x, device, &given));
  OK(NULL, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &there, &given, NULL));
  OK(NULL, tsr_to_device(NULL, &given, NULL, &back));
  CHECK(tsr_device_of(&given) == device && same_bits(&back, &want));
  tsr_release(&back);
  OK(NULL, tsr_transpose(NULL, &there, 0, 2, &flipped));
  OK(NULL, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &flipped, &back, NULL));
  OK(NULL, tsr_transpose(NULL, &want, 0, 2, &flipped));
  CHECK(same_bits(&back, &flipped));
  tsr_release(&x), tsr_release(&there), tsr_release(&given), tsr_release(&back), tsr_release(&want);
  mirror_free(m);
}
#else
TEST(tensors_of_a_device_go_by_way_of_the_host) { SKIP("no mirror device here"); }
#endif

TEST(checks_and_order_can_be_switched) {
  tsr_tensor x = {0}, y = {0}, want;
  static const tsr_index shape[] = {40, 100};
  tsr_difference d;
  expected(TSR_F64, 2, shape, rank, &x);
  reduced(TSR_COMM_SUM, TSR_F64, 2, shape, &want);
  OK(NULL, tsr_comm_set_any_order(NULL, world, true));
  OK(NULL, tsr_comm_set_checks(NULL, world, false));
  OK(NULL, tsr_comm_allreduce(NULL, world, TSR_COMM_SUM, &x, &y, NULL));
  OK(NULL, tsr_compare(NULL, &y, &want, 0, 1e-13, &d));
  CHECK(d.unequal == 0);
  OK(NULL, tsr_comm_set_checks(NULL, world, true));
  OK(NULL, tsr_comm_set_any_order(NULL, world, false));
  if (size > 1) FAILS(NULL, TSR_EARG, tsr_comm_set_checks(NULL, world, rank == 0));
  tsr_release(&x), tsr_release(&y), tsr_release(&want);
}

static int late;
static void note_late(void *user, const char *text) {
  (void)user;
  late += strstr(text, "comm_barrier: rank 0 of") != NULL && strstr(text, "waits for other ranks since 0.05 s") != NULL;
}

TEST(who_waits_too_long_is_told) {
  if (size < 2) SKIP("one rank");
  OK(NULL, tsr_comm_barrier(NULL, world));
  if (rank == 0) OK(NULL, tsr_comm_set_timeout(NULL, world, 0.05, note_late, NULL));
  if (rank != 0) usleep(400000);
  OK(NULL, tsr_comm_barrier(NULL, world));
  if (rank == 0) CHECK(late == 1);
  CHECK(true);
  OK(NULL, tsr_comm_set_timeout(NULL, world, 300, NULL, NULL));
}

RANKS_MAIN(RUN(broadcast_takes_every_dtype_and_stride), RUN(reductions_are_those_of_one_process),
           RUN(reductions_refuse_what_has_no_meaning), RUN(pieces_come_together_and_apart),
           RUN(more_than_one_message_holds), RUN(zero_and_one_element_are_tensors_too), RUN(requests_end_in_any_order),
           RUN(shapes_that_differ_are_an_error_everywhere), RUN(a_failure_of_one_rank_is_told_to_the_others),
           RUN(messages_go_around), RUN(a_collective_goes_on_with_what_was_sent),
           RUN(a_message_that_does_not_fit_is_an_error_on_both_sides), RUN(a_communicator_is_split_and_given),
           RUN(tensors_of_a_device_go_by_way_of_the_host), RUN(checks_and_order_can_be_switched),
           RUN(who_waits_too_long_is_told))
