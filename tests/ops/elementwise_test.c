/* What elementwise ops share: broadcasting, outputs, overlap, memory, threads, and calls that are refused. */
#include "support/helpers.h"
#include "support/test.h"

#include "cpu/move.h"
#include "ops/binary_reference.h"

/* ---- broadcasting ---- */

enum { MOST = 3000 };
static int32_t a_values[MOST], b_values[MOST];

/* A random input for a result's shape: leading axes left out, some of length 1, axes permuted in memory. */
static tsr_tensor random_input(test_rng *rng, int ndim, const tsr_index *shape, int32_t *values) {
  tsr_tensor t = {.dtype = TSR_I32};
  const int left_out = (int)test_between(rng, 0, ndim);
  t.ndim = (uint8_t)(ndim - left_out);
  for (int i = 0; i < t.ndim; i++) t.shape[i] = test_random(rng) % 3 == 0 ? 1 : shape[left_out + i];
  tsr_index next = 1, first = 0;
  bool done[TSR_MAX_DIMS] = {false};
  for (int i = 0; i < t.ndim; i++) {
    int axis = (int)test_between(rng, 0, t.ndim - 1);
    while (done[axis]) axis = (axis + 1) % t.ndim;
    done[axis] = true;
    const bool flip = test_random(rng) % 4 == 0;
    t.stride[axis] = flip ? -next : next;
    if (flip) first += (t.shape[axis] - 1) * next;
    next *= t.shape[axis];
  }
  t.data = values + first;
  return t;
}

static int32_t value_at(const tsr_tensor *t, int ndim, const tsr_index *index) {
  tsr_index at = 0;
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] != 1) at += index[ndim - t->ndim + i] * t->stride[i];
  return ((const int32_t *)t->data)[at];
}

TEST(any_shapes_broadcast_as_the_definition_says) {
  test_rng rng = {1};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < MOST; i++) a_values[i] = i, b_values[i] = 10000 * i;
  for (int round = 0; round < 400; round++) {
    const int ndim = (int)test_between(&rng, 0, TSR_MAX_DIMS);
    tsr_index shape[TSR_MAX_DIMS], index[TSR_MAX_DIMS] = {0}, result[TSR_MAX_DIMS];
    for (int i = 0; i < ndim; i++) shape[i] = test_between(&rng, 1, ndim > 5 ? 2 : ndim > 3 ? 3 : 9);
    const tsr_tensor a = random_input(&rng, ndim, shape, a_values), b = random_input(&rng, ndim, shape, b_values);
    tsr_tensor out = {0};
    OK(ctx, tsr_add(ctx, &a, &b, &out));
    const int rank = a.ndim > b.ndim ? a.ndim : b.ndim;
    REQUIRE(out.ndim == rank);
    for (int i = 0; i < rank; i++) {
      const int x = i - (rank - a.ndim), y = i - (rank - b.ndim);
      const tsr_index p = x >= 0 ? a.shape[x] : 1, q = y >= 0 ? b.shape[y] : 1;
      result[i] = p > q ? p : q;
      REQUIRE(out.shape[i] == result[i]);
    }
    bool same = true;
    do {
      same = same && *(int32_t *)test_at(&out, index) == value_at(&a, rank, index) + value_at(&b, rank, index);
    } while (test_next_index(rank, result, index));
    CHECK(same);
    tsr_release(&out);
  }
  CHECK(test_live() == 0);
}

/* A dense input that repeats along the axes of repeated, one bit an axis. */
static tsr_tensor repeating_input(const tsr_index *shape, unsigned repeated, int32_t *values) {
  tsr_tensor t = {.dtype = TSR_I32, .ndim = 4, .data = values};
  tsr_index next = 1;
  for (int i = 3; i >= 0; i--) {
    t.shape[i] = (repeated >> i & 1) != 0 ? 1 : shape[i];
    t.stride[i] = next;
    next *= t.shape[i];
  }
  return t;
}

/* The short way of small calls: contiguous inputs that repeat along any axes, outputs fresh and given. */
TEST(dense_inputs_repeat_along_any_axes) {
  static int32_t given[MOST];
  const tsr_index shape[] = {3, 2, 4, 5};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < MOST; i++) a_values[i] = i, b_values[i] = 10000 * i;
  for (unsigned pair = 0; pair < 256; pair++) {
    const tsr_tensor a = repeating_input(shape, pair & 15, a_values), b = repeating_input(shape, pair >> 4, b_values);
    tsr_tensor out = {0}, into = repeating_input(shape, pair & pair >> 4 & 15, given);
    OK(ctx, tsr_sub(ctx, &a, &b, &out));
    OK(ctx, tsr_sub(ctx, &a, &b, &into));
    REQUIRE(tsr_same_shape(&out, &into));
    tsr_index index[4];
    for (tsr_index i = 0; i < tsr_size(&out); i++) {
      tsr_index rest = i;
      for (int axis = 3; axis >= 0; axis--) {
        index[axis] = rest % out.shape[axis];
        rest /= out.shape[axis];
      }
      const int32_t want = value_at(&a, 4, index) - value_at(&b, 4, index);
      REQUIRE(((const int32_t *)out.data)[i] == want && given[i] == want);
    }
    tsr_release(&out);
  }
}

/* As many bytes as the input, but not its elements. */
TEST(an_output_on_an_input_that_repeats) {
  tsr_ctx *const ctx = test_context();
  int32_t memory[4] = {1, 2, 3, 4}, limits[4] = {4, 3, 2, 1};
  tsr_tensor a = {.dtype = TSR_I32, .ndim = 2, .shape = {1, 4}, .stride = {4, 1}, .data = memory};
  tsr_tensor b = {.dtype = TSR_I32, .ndim = 2, .shape = {4, 1}, .stride = {1, 1}, .data = limits};
  tsr_tensor out = {.dtype = TSR_BOOL, .ndim = 2, .shape = {4, 4}, .stride = {4, 1}, .data = memory};
  OK(ctx, tsr_lt(ctx, &a, &b, &out));
  for (int i = 0; i < 16; i++) CHECK(((const uint8_t *)memory)[i] == (1 + i % 4 < 4 - i / 4));
}

TEST(zero_size_broadcasts_and_computes_nothing) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor none = {0}, row = {0}, out = {0}, given = {0};
  OK(ctx, tsr_empty(ctx, TSR_I32, TSR_SHAPE(0, 3), &none));
  OK(ctx, tsr_from_memory(ctx, a_values, TSR_I32, TSR_SHAPE(3), &row));
  OK(ctx, tsr_add(ctx, &none, &row, &out));
  CHECK(out.ndim == 2 && out.shape[0] == 0 && out.shape[1] == 3);
  OK(ctx, tsr_empty(ctx, TSR_BOOL, TSR_SHAPE(0, 3), &given));
  OK(ctx, tsr_lt(ctx, &none, &none, &given));
  OK(ctx, tsr_add_scalar(ctx, &none, 2, &none));
  tsr_release(&none);
  tsr_release(&out);
  tsr_release(&given);
}

TEST(rank_0_gives_rank_0) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, y = {0}, out = {0};
  a_values[0] = 3, b_values[0] = 4;
  OK(ctx, tsr_from_memory(ctx, a_values, TSR_I32, TEST_SCALAR, &x));
  OK(ctx, tsr_from_memory(ctx, b_values, TSR_I32, TEST_SCALAR, &y));
  OK(ctx, tsr_mul(ctx, &x, &y, &out));
  CHECK(out.ndim == 0 && *(int32_t *)out.data == 12);
  OK(ctx, tsr_mul(ctx, &x, &y, &x));
  CHECK(a_values[0] == 12);
  tsr_release(&out);
}

/* ---- outputs ---- */

TEST(fresh_outputs_take_the_order_and_tag_of_an_input) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, columns = {0}, number = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, a_values, TSR_I32, TSR_SHAPE(3, 4), &x));
  OK(ctx, tsr_transpose(ctx, &x, 0, 1, &columns));
  OK(ctx, tsr_from_memory(ctx, b_values, TSR_I32, TEST_SCALAR, &number));
  OK(ctx, tsr_add(ctx, &columns, &number, &out));
  CHECK(out.stride[0] == 1 && out.stride[1] == 4);
  tsr_release(&out);
  OK(ctx, tsr_add(ctx, &number, &columns, &out));
  CHECK(out.stride[0] == 1 && out.stride[1] == 4);
  tsr_release(&out);

  tsr_tensor image = {0};
  OK(ctx, tsr_from_memory(ctx, a_values, TSR_I32, TSR_SHAPE(1, 2, 2, 3), &image));
  image.layout = TSR_NHWC;
  OK(ctx, tsr_add(ctx, &image, &image, &out));
  CHECK(out.layout == TSR_NHWC);
  tsr_release(&out);
  OK(ctx, tsr_scalar_sub(ctx, 1, &image, &out));
  CHECK(out.layout == TSR_NHWC);
  tsr_release(&out);
  OK(ctx, tsr_add(ctx, &number, &image, &out));
  CHECK(out.layout == TSR_NHWC);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(described_outputs_are_made_as_described) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  for (int i = 0; i < 12; i++) a_values[i] = i;
  OK(ctx, tsr_from_memory(ctx, a_values, TSR_I32, TSR_SHAPE(3, 4), &x));
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, TSR_SHAPE(3, 4), TSR_FORTRAN, &out));
  OK(ctx, tsr_add(ctx, &x, &x, &out));
  CHECK(out.stride[0] == 1 && out.stride[1] == 3 && ((int32_t *)out.data)[1] == 8);
  tsr_release(&out);
  OK(ctx, tsr_desc_init(ctx, TSR_I32, TSR_SHAPE(4, 3), &out));
  FAILS(ctx, TSR_ESHAPE, tsr_add(ctx, &x, &x, &out));
  CHECK(test_live() == 0);
}

/* ---- refused calls: every op, and a message that names what is wrong ---- */

typedef struct bad_call {
  const char *text; /* in the message, after the op's name */
  tsr_status status;
  tsr_tensor *a, *b, *out;
} bad_call;

TEST(bad_calls_of_every_op_say_what_is_wrong) {
  static test_device device;
  static _Alignas(16) unsigned char bytes[4][256];
  tsr_ctx *const ctx = test_context();
  test_device_init(&device, "odd:0", 0);
  for (int op = 0; op < OP_COUNT; op++) {
    const int dtype = ref_accepts(op, TSR_F32) ? TSR_F32 : TSR_I32, result = ref_result(op, dtype);
    const int wrong = result == TSR_I16 ? TSR_I8 : TSR_I16;
    tsr_tensor x = {0}, y = {0}, row5 = {0}, away = {0}, empty = {0}, described = {0}, out = {0}, fixed = {0};
    tsr_tensor small = {0}, other = {0}, crooked = {0}, out_away = {0};
    OK(ctx, tsr_from_memory(ctx, bytes[0], dtype, TSR_SHAPE(3, 4), &x));
    OK(ctx, tsr_from_memory(ctx, bytes[1], dtype, TSR_SHAPE(3, 4), &y));
    OK(ctx, tsr_from_memory(ctx, bytes[1], dtype, TSR_SHAPE(5), &row5));
    OK(ctx, tsr_to_device(ctx, &x, &device.device, &away));
    OK(ctx, tsr_desc_init(ctx, dtype, TSR_SHAPE(3, 4), &described));
    OK(ctx, tsr_from_memory(ctx, bytes[2], result, TSR_SHAPE(3, 4), &out));
    OK(ctx, tsr_from_const_memory(ctx, bytes[2], result, TSR_SHAPE(3, 4), &fixed));
    OK(ctx, tsr_from_memory(ctx, bytes[2], result, TSR_SHAPE(4, 3), &small));
    OK(ctx, tsr_from_memory(ctx, bytes[2], wrong, TSR_SHAPE(3, 4), &other));
    crooked = x;
    crooked.data = bytes[0] + 1;
    tsr_tensor repeated = out, host_out = out;
    repeated.stride[0] = 0;
    OK(ctx, tsr_to_device(ctx, &host_out, &device.device, &out_away));
    const bad_call calls[] = {
        {"a is NULL", TSR_EARG, NULL, &y, &out},
        {"b is NULL", TSR_EARG, &x, NULL, &out},
        {"out is NULL", TSR_EARG, &x, &y, NULL},
        {"a is empty", TSR_ESTATE, &empty, &y, &out},
        {"has no data", TSR_ESTATE, &x, &described, &out},
        {"a [3,4] and b [5] do not broadcast: axis 1 is 4 against 5", TSR_ESHAPE, &x, &row5, &out},
        {"a [5] and b [3,4] do not broadcast: axis 1 is 5 against 4", TSR_ESHAPE, &row5, &x, &out},
        {"is on odd:0", TSR_EDEVICE, &away, &y, &out},
        {"is on odd:0", TSR_EDEVICE, &x, &away, &out},
        {"is on odd:0", TSR_EDEVICE, &x, &y, &out_away},
        {"not aligned", TSR_EALIGN, &crooked, &y, &out},
        {"the result is", TSR_ESHAPE, &x, &y, &small},
        {"the result is", TSR_EDTYPE, &x, &y, &other},
        {"is read-only", TSR_EREADONLY, &x, &y, &fixed},
        {"two indices on one address", TSR_EOVERLAP, &x, &y, &repeated},
    };
    for (int i = 0; i < COUNT_OF(calls); i++) {
      char before[sizeof bytes];
      memcpy(before, bytes, sizeof bytes);
      tsr_error_clear(ctx);
      FAILS(ctx, calls[i].status, ref_ops[op].call(ctx, calls[i].a, calls[i].b, calls[i].out));
      MESSAGE_HAS(ctx, ref_ops[op].name);
      if (TSR_TEXT_BYTES > 200) MESSAGE_HAS(ctx, calls[i].text);
      CHECK(memcmp(before, bytes, sizeof bytes) == 0);
    }
    tsr_release(&away);
    tsr_release(&out_away);
  }
}

TEST(ranks_and_sizes_beyond_bounds_are_refused) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {.dtype = TSR_I32, .ndim = TSR_MAX_DIMS + 1, .data = a_values}, y = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, a_values, TSR_I32, TSR_SHAPE(1), &y));
  FAILS(ctx, TSR_ESHAPE, tsr_add(ctx, &x, &y, &out));
  x.ndim = 1;
  x.shape[0] = -3;
  FAILS(ctx, TSR_ESHAPE, tsr_add(ctx, &x, &x, &out));
  x.dtype = 200;
  FAILS(ctx, TSR_EDTYPE, tsr_add(ctx, &x, &x, &out));
  const tsr_index huge = TSR_INDEX_MAX / 2; /* two repeated axes make more elements than can be counted */
  const tsr_tensor tall = {.dtype = TSR_I32, .ndim = 2, .shape = {huge, 1}, .data = a_values};
  const tsr_tensor wide = {.dtype = TSR_I32, .ndim = 1, .shape = {huge}, .data = a_values};
  FAILS(ctx, TSR_EOVERFLOW, tsr_add(ctx, &tall, &wide, &out));
  CHECK(tsr_is_none(&out));
}

/* ---- memory ---- */

TEST(no_memory_is_a_status_and_nothing_has_changed) {
  int32_t values[16], before[16];
  for (int i = 0; i < 16; i++) values[i] = before[i] = i;
  for (int which = 0; which < 3; which++) {
    tsr_ctx *const ctx = test_context();
    tsr_tensor x = {0}, overlapping = {0}, fresh = {0}, row = {0};
    OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(3, 4), &x));
    OK(ctx, tsr_from_memory(ctx, values + 1, TSR_I32, TSR_SHAPE(3, 4), &overlapping));
    OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(4), &row));
    test_failing()->fail_at = test_failing()->calls;
    tsr_tensor *const out = which == 2 ? &overlapping : &fresh;
    FAILS(ctx, TSR_ENOMEM, which == 0 ? tsr_add(ctx, &x, &x, out) : tsr_add(ctx, &x, which == 1 ? &row : &x, out));
    CHECK(tsr_is_none(&fresh) && test_live() == 0);
    CHECK(memcmp(values, before, sizeof values) == 0);
  }
}

TEST(overlap_takes_its_copy_from_the_scratch) {
  static _Alignas(64) unsigned char scratch[1024];
  int32_t values[16];
  for (int i = 0; i < 16; i++) values[i] = i;
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, overlapping = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(12), &x));
  OK(ctx, tsr_from_memory(ctx, values + 1, TSR_I32, TSR_SHAPE(12), &overlapping));
  OK(ctx, tsr_context_set_scratch(ctx, scratch, 8));
  FAILS(ctx, TSR_ESCRATCH, tsr_add(ctx, &x, &x, &overlapping));
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  OK(ctx, tsr_add(ctx, &x, &x, &overlapping));
  for (int i = 0; i < 12; i++) CHECK(values[i + 1] == 2 * i);
  CHECK(ctx->scratch_used == 0);
}

/* ---- caches: larger tensors, whose loops are reordered, turned and streamed ---- */

#if TSR_HAVE_MALLOC
/* A tensor of shape whose axes lie in memory in any order, each element its own number; sometimes repeated along
 * axes. */
static void random_order(test_rng *rng, tsr_ctx *ctx, int dtype, const tsr_index *shape, bool repeats, tsr_tensor *t) {
  int axes[3] = {0, 1, 2};
  tsr_index own[3];
  for (int i = 2; i > 0; i--) {
    const int other = (int)test_between(rng, 0, i), axis = axes[i];
    axes[i] = axes[other];
    axes[other] = axis;
  }
  for (int i = 0; i < 3; i++) own[i] = repeats && test_random(rng) % 3 == 0 ? 1 : shape[i];
  tsr_tensor range = {0};
  const tsr_index size = own[0] * own[1] * own[2];
  OK(ctx, tsr_arange(ctx, TSR_I32, 0, (tsr_real)size, 1, &range));
  OK(ctx, tsr_remainder_scalar(ctx, &range, 251, &range));
  OK(ctx, tsr_desc_init_permuted(ctx, dtype, 3, own, axes, t));
  OK(ctx, tsr_reshape(ctx, &range, 3, own, &range));
  OK(ctx, tsr_copy(ctx, &range, t));
  tsr_release(&range);
}

static double number_at(const tsr_tensor *t, const tsr_index *index) {
  tsr_index own[3];
  for (int i = 0; i < 3; i++) own[i] = t->shape[i] == 1 ? 0 : index[i];
  return test_decode(t->dtype, test_at(t, own));
}

/* One sum, comparison and choice of large tensors in random orders. */
static void check_large(test_rng *rng, tsr_ctx *ctx, int dtype) {
  const tsr_index shape[3] = {test_between(rng, 1, 40), test_between(rng, 1, 70), test_between(rng, 1, 90)};
  tsr_tensor a = {0}, b = {0}, sum = {0}, less = {0}, chosen = {0}, extent = {0};
  random_order(rng, ctx, dtype, shape, true, &a);
  random_order(rng, ctx, dtype, shape, true, &b);
  OK(ctx, tsr_add(ctx, &a, &b, &extent));
  random_order(rng, ctx, dtype, extent.shape, false, &sum);
  random_order(rng, ctx, TSR_BOOL, extent.shape, false, &less);
  random_order(rng, ctx, dtype, extent.shape, false, &chosen);
  OK(ctx, tsr_add(ctx, &a, &b, &sum));
  OK(ctx, tsr_lt(ctx, &a, &b, &less));
  OK(ctx, tsr_where(ctx, &less, &a, &b, &chosen));
  tsr_index index[3] = {0};
  bool same = true;
  do {
    const double x = number_at(&a, index), y = number_at(&b, index);
    same = same && number_at(&sum, index) == x + y && number_at(&extent, index) == x + y;
    same = same && (number_at(&less, index) != 0) == (x < y) && number_at(&chosen, index) == (x < y ? x : y);
  } while (test_next_index(3, extent.shape, index));
  CHECK(same);
  OK(ctx, tsr_add(ctx, &sum, &sum, &sum));
  memset(index, 0, sizeof index);
  CHECK(number_at(&sum, index) == 2 * number_at(&extent, index));
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&sum);
  tsr_release(&less);
  tsr_release(&chosen);
  tsr_release(&extent);
}
#endif

TEST(large_tensors_in_any_order_of_axes) {
#if TSR_HAVE_MALLOC
  static const int dtypes[] = {TSR_F32, TSR_I16, TSR_I64};
  const size_t beyond = tsr__stream_bytes;
  test_rng rng = {23};
  tsr_ctx *const ctx = test_context();
  for (int round = 0; round < 36; round++) {
    tsr__stream_bytes = round % 2 == 0 ? beyond : 4096; /* every second time, as if caches were small */
    ctx->isa = (uint8_t)(round % 3 + 1);
    if (tsr_isa_name(round % 3) == NULL) ctx->isa = 1;
    check_large(&rng, ctx, dtypes[round % COUNT_OF(dtypes)]);
  }
  tsr__stream_bytes = beyond;
  CHECK(test_live() == 0);
#else
  SKIP("no caches to order loops for");
#endif
}

/* Two outer axes along which one input each repeats: the loops are cut so that rows are used again. */
/* ---- lengths of rows ---- */

enum { LONGEST = 150 };

/* a op b of n elements by every instruction set; either may repeat, and the output may be a. */
static bool is_right_for_length(tsr_ctx *ctx, int op, int dtype, tsr_index n, int way) {
  static unsigned char a[8 * LONGEST], b[8 * LONGEST], z[8 * LONGEST + 8], right[8 * LONGEST];
  const size_t item = tsr_dtype_size(dtype), out_item = tsr_dtype_size(ref_result(op, dtype));
  bool good = true;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    for (size_t i = 0; i < sizeof a; i++) a[i] = (unsigned char)(i * 37 % 61), b[i] = (unsigned char)(i * 11 % 59);
    for (tsr_index i = 0; i < n; i++)
      ref_binary(op, dtype, a + (way == 1 ? 0 : (size_t)i * item), b + (way == 2 ? 0 : (size_t)i * item),
                 right + (size_t)i * out_item);
    memset(z, 99, sizeof z);
    unsigned char *const to = way == 3 ? a : z;
    tsr_tensor x = {.dtype = (uint8_t)dtype, .ndim = 1, .shape = {way == 1 ? 1 : n}, .stride = {1}, .data = a};
    tsr_tensor y = {.dtype = (uint8_t)dtype, .ndim = 1, .shape = {way == 2 ? 1 : n}, .stride = {1}, .data = b};
    tsr_tensor out = {.dtype = (uint8_t)ref_result(op, dtype), .ndim = 1, .shape = {n}, .stride = {1}, .data = to};
    ctx->isa = (uint8_t)(isa + 1);
    good = good && ref_ops[op].call(ctx, &x, &y, &out) == TSR_OK;
    for (tsr_index i = 0; i < n; i++)
      good = good && ref_same(out.dtype, to + (size_t)i * out_item, right + (size_t)i * out_item);
    good = good && (way == 3 || z[(size_t)n * out_item] == 99); /* nothing behind the row */
  }
  return good;
}

TEST(rows_of_every_length_are_right) {
  static const int ops[] = {OP_add, OP_maximum, OP_lt};
  static const int dtypes[] = {TSR_U8, TSR_I16, TSR_F32, TSR_I32, TSR_I64, TSR_F64};
  tsr_ctx *const ctx = test_context();
  for (int o = 0; o < COUNT_OF(ops); o++)
    for (int d = 0; d < COUNT_OF(dtypes) && tsr_dtype_supported(dtypes[d]); d++)
      for (int way = 0; way < (ref_result(ops[o], dtypes[d]) == dtypes[d] ? 4 : 3); way++)
        for (tsr_index n = 1; n <= LONGEST; n++) CHECK(is_right_for_length(ctx, ops[o], dtypes[d], n, way));
}

TEST(inputs_that_repeat_along_two_axes) {
#if TSR_HAVE_MALLOC
  enum { DEEP = 6, TALL = 60, WIDE = 129 };
  tsr_ctx *const ctx = test_context();
  tsr_tensor range = {0}, a = {0}, b = {0}, out = {0};
  OK(ctx, tsr_arange(ctx, TSR_I32, 0, TALL * WIDE, 1, &range));
  OK(ctx, tsr_reshape_view(ctx, &range, TSR_SHAPE(1, TALL, WIDE), &b));
  OK(ctx, tsr_mul_scalar(ctx, &range, 100000, &a));
  a = (tsr_tensor){.dtype = TSR_I32,
                   .ndim = 3,
                   .shape = {DEEP, 1, WIDE},
                   .stride = {WIDE, 0, 1},
                   .data = a.data,
                   .storage = a.storage,
                   .flags = a.flags};
  OK(ctx, tsr_add(ctx, &a, &b, &out));
  for (int i = 0; i < DEEP * TALL * WIDE; i++) {
    const int wide = i % WIDE, tall = i / WIDE % TALL, deep = i / WIDE / TALL;
    CHECK(((const int32_t *)out.data)[i] == (deep * WIDE + wide) * 100000 + tall * WIDE + wide);
  }
  tsr_release(&out);
  tsr_release(&a);
  tsr_release(&range);
  CHECK(test_live() == 0);
#else
  SKIP("no caches to order loops for");
#endif
}

/* ---- threads ---- */

/* Large enough for every worker, with rows of odd length, and one input that repeats. */
TEST(every_number_of_threads_gives_the_same_bits) {
  if (!TSR_HAVE_THREADS) SKIP("no threads in this configuration");
  static const int ops[] = {OP_add, OP_sub, OP_mul, OP_div, OP_remainder, OP_pow, OP_lt, OP_hypot};
  static const int dtypes[] = {TSR_F32, TSR_I16, TSR_F16, TSR_F64};
  enum { TALL = 211, WIDE = 997 };
  tsr_ctx ctx;
  int isas = 0;
  while (tsr_isa_name(isas) != NULL) isas++;
  OK(NULL, tsr_context_init(&ctx, NULL));
  for (int d = 0; d < COUNT_OF(dtypes); d++) {
    tsr_tensor range = {0}, a = {0}, b = {0}, row = {0};
    ctx.parallel = tsr_parallel_serial();
    OK(&ctx, tsr_arange(&ctx, TSR_I32, 0, TALL * WIDE, 1, &range));
    OK(&ctx, tsr_remainder_scalar(&ctx, &range, 509, &range));
    OK(&ctx, tsr_cast(&ctx, &range, dtypes[d], &a));
    OK(&ctx, tsr_reshape(&ctx, &a, TSR_SHAPE(TALL, WIDE), &a));
    OK(&ctx, tsr_select(&ctx, &a, 0, 7, &row));
    OK(&ctx, tsr_add_scalar(&ctx, &row, 1, &b));
    for (int i = 0; i < COUNT_OF(ops); i++) {
      const bool anywhere = ops[i] != OP_pow && ops[i] != OP_hypot; /* the same by every instruction set */
      tsr_tensor want = {0};
      ctx.parallel = tsr_parallel_serial();
      ctx.isa = 0;
      OK(&ctx, ref_ops[ops[i]].call(&ctx, &a, &b, &want));
      for (int count = 1; count <= 8; count++) {
        tsr_tensor got = {0};
        ctx.isa = (uint8_t)(anywhere ? count % isas + 1 : 0);
        tsr_threads *const pool = test_with_threads(&ctx, count);
        OK(&ctx, ref_ops[ops[i]].call(&ctx, &a, &b, &got));
        CHECK(memcmp(want.data, got.data, tsr_nbytes(&want)) == 0);
        tsr_release(&got);
        tsr_threads_release(pool);
      }
      tsr_release(&want);
    }
    tsr_release(&range);
    tsr_release(&a);
    tsr_release(&b);
  }
}

TEST_MAIN(RUN(any_shapes_broadcast_as_the_definition_says), RUN(dense_inputs_repeat_along_any_axes),
          RUN(an_output_on_an_input_that_repeats), RUN(zero_size_broadcasts_and_computes_nothing),
          RUN(rank_0_gives_rank_0), RUN(fresh_outputs_take_the_order_and_tag_of_an_input),
          RUN(described_outputs_are_made_as_described), RUN(bad_calls_of_every_op_say_what_is_wrong),
          RUN(ranks_and_sizes_beyond_bounds_are_refused), RUN(no_memory_is_a_status_and_nothing_has_changed),
          RUN(overlap_takes_its_copy_from_the_scratch), RUN(large_tensors_in_any_order_of_axes),
          RUN(rows_of_every_length_are_right), RUN(inputs_that_repeat_along_two_axes),
          RUN(every_number_of_threads_gives_the_same_bits))
