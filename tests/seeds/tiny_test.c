/* What tiny::Tensor does, row by row: a float tensor of up to four dimensions for microcontrollers. T15 and T16 are in
 * tiny_layers_test.c. */
#include <string.h>

#include "seeds/seed.h"

/* 1-D to 4-D, row-major, unused dimensions 1, size the product; here any dtype and up to TSR_MAX_DIMS. */
TEST(T1_row_major_any_dtype_any_rank) {
  tsr_ctx *ctx = seed_begin();
  static const tsr_index shape[] = {2, 3, 4, 5, 1, 2, 1, 1};
  for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT; dtype++) {
    for (int ndim = 0; ndim <= TSR_MAX_DIMS; ndim++) {
      tsr_tensor t = {0};
      tsr_index size = 1;
      for (int i = 0; i < ndim; i++) size *= shape[i];
      OK(ctx, tsr_zeros(ctx, dtype, ndim, shape, &t));
      CHECK(t.dtype == dtype && t.ndim == ndim && seed_shape_is(&t, ndim, shape));
      CHECK(tsr_size(&t) == size && tsr_nbytes(&t) == (size_t)size * tsr_dtype_size(dtype));
      CHECK(tsr_is_contiguous(&t, TSR_ROW_MAJOR));
      tsr_release(&t);
    }
  }
  tsr_tensor x = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3, 4, 5), &x));
  const float *const base = x.data;
  for (tsr_index i = 0; i < 2; i++)
    for (tsr_index j = 0; j < 3; j++)
      for (tsr_index k = 0; k < 4; k++)
        for (tsr_index l = 0; l < 5; l++) CHECK(&TSR_AT(float, &x, i, j, k, l) - base == ((i * 3 + j) * 4 + k) * 5 + l);
  tsr_tensor more = {0};
  FAILS(ctx, TSR_ESHAPE,
        tsr_zeros(ctx, TSR_F32, TSR_MAX_DIMS + 1, (const tsr_index[9]){1, 1, 1, 1, 1, 1, 1, 1, 1}, &more));
  CHECK(tsr_is_none(&more));
  tsr_release(&x);
  seed_end();
}

/* Constructors of each rank, zero-filled even in memory that was used before; an empty tensor takes none. */
TEST(T2_constructors_and_empty) {
  tsr_ctx *ctx = seed_begin();
  static const tsr_index shape[4] = {4, 3, 2, 5};
  for (int ndim = 1; ndim <= 4; ndim++) {
    tsr_tensor dirty = {0}, t = {0};
    OK(ctx, tsr_empty(ctx, TSR_F32, ndim, shape, &dirty));
    memset(dirty.data, 0xff, tsr_nbytes(&dirty));
    tsr_release(&dirty);
    OK(ctx, tsr_zeros(ctx, TSR_F32, ndim, shape, &t));
    CHECK((t.flags & TSR_OWNS) != 0 && tsr_refcount(&t) == 1);
    for (tsr_index i = 0; i < tsr_size(&t); i++) CHECK(((const float *)t.data)[i] == 0);
    tsr_release(&t);
    CHECK(tsr_is_none(&t));
  }
  const size_t calls = seed_count.calls;
  tsr_tensor none = {0};
  CHECK(tsr_is_none(&none) && tsr_size(&none) == 0 && tsr_nbytes(&none) == 0);
  tsr_release(&none);
  tsr_release(&none);
  CHECK(seed_count.calls == calls);
  seed_end();
}

/* zeros, zeros_like and a wrapper around someone's buffer, and the other ways to begin. */
TEST(T3_named_constructors) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, wrapped = {0}, ones = {0}, full = {0}, range = {0}, line = {0}, eye = {0};
  OK(ctx, tsr_full(ctx, TSR_I16, TSR_SHAPE(2, 3), 7, &a));
  OK(ctx, tsr_zeros_like(ctx, &a, &b));
  CHECK(tsr_desc_equal(&a, &b) && a.data != b.data);
  for (tsr_index i = 0; i < 6; i++) CHECK(((const int16_t *)b.data)[i] == 0);

  float buffer[6] = {0, 1, 2, 3, 4, 5};
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_from_memory(ctx, buffer, TSR_F32, TSR_SHAPE(2, 3), &wrapped));
  CHECK(seed_count.calls == calls && wrapped.data == buffer && (wrapped.flags & TSR_OWNS) == 0);
  TSR_AT(float, &wrapped, 1, 2) = 50;
  CHECK(buffer[5] == 50);
  tsr_release(&wrapped);
  CHECK(buffer[0] == 0 && buffer[5] == 50);

  OK(ctx, tsr_ones(ctx, TSR_U8, TSR_SHAPE(3), &ones));
  OK(ctx, tsr_full(ctx, TSR_F32, TSR_SHAPE(2), (tsr_real)2.5, &full));
  OK(ctx, tsr_arange(ctx, TSR_I32, 10, 0, -3, &range));
  OK(ctx, tsr_linspace(ctx, TSR_F32, 0, 1, 5, &line));
  OK(ctx, tsr_eye(ctx, TSR_F32, 2, 3, 1, &eye));
  CHECK(((const uint8_t *)ones.data)[2] == 1 && ((const float *)full.data)[1] == 2.5f);
  static const int32_t down[4] = {10, 7, 4, 1};
  static const float quarters[5] = {0, 0.25f, 0.5f, 0.75f, 1}, beside[6] = {0, 1, 0, 0, 0, 1};
  SHAPE_IS(&range, 4);
  CHECK(memcmp(range.data, down, sizeof down) == 0);
  CHECK(memcmp(line.data, quarters, sizeof quarters) == 0);
  CHECK(memcmp(eye.data, beside, sizeof beside) == 0);
  tsr_release(&eye);
  tsr_release(&line);
  tsr_release(&range);
  tsr_release(&full);
  tsr_release(&ones);
  tsr_release(&b);
  tsr_release(&a);
  seed_end();
}

/* Who owns: a handle with TSR_OWNS. Borrowed memory and views hold nothing, and releasing them ends nothing. */
TEST(T4_ownership_flag) {
  tsr_ctx *ctx = seed_begin();
  float buffer[4] = {1, 2, 3, 4};
  tsr_tensor owner = {0}, view = {0}, borrowed = {0}, counted = {0};
  OK(ctx, tsr_from_memory(ctx, buffer, TSR_F32, TSR_SHAPE(4), &borrowed));
  CHECK(borrowed.storage == NULL && (borrowed.flags & TSR_OWNS) == 0 && tsr_refcount(&borrowed) == 0);
  FAILS(ctx, TSR_ESTATE, tsr_share(ctx, &borrowed, &counted)); /* there is no count to share */
  CHECK(tsr_is_none(&counted));
  tsr_release(&borrowed);
  CHECK(buffer[3] == 4);

  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 2), &owner));
  OK(ctx, tsr_select(ctx, &owner, 0, 1, &view));
  CHECK((view.flags & TSR_OWNS) == 0 && view.storage == owner.storage && tsr_refcount(&owner) == 1);
  tsr_release(&view);
  CHECK(tsr_refcount(&owner) == 1 && TSR_AT(float, &owner, 1, 1) == 3);
  tsr_release(&owner);
  seed_end();
}

/* at(i…): no call and no check; the flat buffer beside it; a checked accessor for the rest. */
TEST(T5_bare_and_checked_access) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor v = {0}, m = {0}, c = {0}, x = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(5), &v));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 5), &m));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 4, 5), &c));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3, 4, 5), &x));
  for (int i = 0; i < 5; i++) TSR_AT(float, &v, i) = (float)i;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) TSR_AT(float, &m, i, j) = (float)(i * 5 + j);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++) TSR_AT(float, &c, i, j, k) = (float)((i * 4 + j) * 5 + k);
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 4; j++) {
        float *const row = TSR_ROW(float, &x, b, i, j);
        for (int k = 0; k < 5; k++) row[k] = (float)(((b * 3 + i) * 4 + j) * 5 + k);
      }
  for (int i = 0; i < 5; i++) CHECK(((const float *)v.data)[i] == (float)i);
  for (int i = 0; i < 20; i++) CHECK(((const float *)m.data)[i] == (float)i);
  for (int i = 0; i < 60; i++) CHECK(((const float *)c.data)[i] == (float)i);
  for (int i = 0; i < 120; i++) CHECK(((const float *)x.data)[i] == (float)i);

  tsr_real value = -1;
  OK(ctx, tsr_get(ctx, &x, TSR_INDEX(1, 2, 3, 4), &value));
  CHECK(value == 119);
  OK(ctx, tsr_get(ctx, &x, TSR_INDEX(-1, -1, -1, -5), &value));
  CHECK(value == 115);
  FAILS(ctx, TSR_EINDEX, tsr_get(ctx, &x, TSR_INDEX(1, 3, 0, 0), &value));
  MESSAGE_HAS(ctx, "get: index 3 is out of range for axis 1 of f32 [2,3,4,5]");
  FAILS(ctx, TSR_EARG, tsr_get(ctx, &x, TSR_INDEX(1, 2), &value));
  CHECK(value == 115);
  OK(ctx, tsr_set(ctx, &m, TSR_INDEX(3, 4), -2));
  CHECK(TSR_AT(float, &m, 3, 4) == -2);
  FAILS(ctx, TSR_EINDEX, tsr_set(ctx, &m, TSR_INDEX(4, 0), 1));
  tsr_release(&x);
  tsr_release(&c);
  tsr_release(&m);
  tsr_release(&v);
  seed_end();
}

/* x(i, j, k), shape(), size(): the example of 32 samples of 3 channels of 64 points. */
TEST(T6_call_shape_size) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(32, 3, 64), &x));
  CHECK(tsr_size(&x) == 6144);
  SHAPE_IS(&x, 32, 3, 64);
  TSR_AT(float, &x, 0, 1, 2) = 8;
  CHECK(AT(ctx, &x, 0, 1, 2) == 8 && ((const float *)x.data)[66] == 8);
  tsr_release(&x);
  seed_end();
}

/* Broadcasting, as views: from the right, 1 or missing expands, nothing is copied. */
TEST(T7_broadcast_views) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, wide_a = {0}, wide_b = {0}, scalar = {0}, whole = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(3, 1), &a));
  OK(ctx, seed_counted(ctx, TSR_SHAPE(1, 4), &b));
  OK(ctx, tsr_full(ctx, TSR_F32, 0, NULL, 9, &scalar));
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_broadcast_to(ctx, &a, TSR_SHAPE(3, 4), &wide_a));
  OK(ctx, tsr_broadcast_to(ctx, &b, TSR_SHAPE(3, 4), &wide_b));
  STRIDES_ARE(&wide_a, 1, 0);
  STRIDES_ARE(&wide_b, 0, 1);
  CHECK(wide_a.data == a.data && wide_b.data == b.data);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      CHECK(TSR_AT(float, &wide_a, i, j) == (float)i && TSR_AT(float, &wide_b, i, j) == (float)j);
  OK(ctx, tsr_broadcast_to(ctx, &wide_b, TSR_SHAPE(2, 5, 3, 4), &whole)); /* missing axes are added in front */
  SHAPE_IS(&whole, 2, 5, 3, 4);
  CHECK(AT(ctx, &whole, 1, 4, 2, 3) == 3);
  OK(ctx, tsr_broadcast_to(ctx, &scalar, TSR_SHAPE(2, 2), &whole));
  CHECK(AT(ctx, &whole, 1, 1) == 9);
  CHECK(seed_count.calls == calls);

  FAILS(ctx, TSR_ESHAPE, tsr_broadcast_to(ctx, &a, TSR_SHAPE(4, 4), &whole));
  MESSAGE_HAS(ctx, "axis 0 is 3 against 4");
  FAILS(ctx, TSR_ESHAPE, tsr_broadcast_to(ctx, &a, TSR_SHAPE(3), &whole));
  FAILS(ctx, TSR_EOVERLAP, tsr_fill(ctx, 1, &wide_a)); /* a repeated axis is not for writing */
  CHECK(AT(ctx, &a, 2, 0) == 2);
  tsr_release(&scalar);
  tsr_release(&b);
  tsr_release(&a);
  seed_end();
}

typedef tsr_status binary_op(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
typedef tsr_status ternary_op(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *c,
                              tsr_tensor *out);

/* Two tensors of 1, 2, 3 …, and the copies of them that are as large as the result. */
typedef struct operands {
  tsr_tensor a, b, whole_a, whole_b;
} operands;

static void make_operands(tsr_ctx *ctx, int dtype, operands *x) {
  tsr_tensor view = {0};
  *x = (operands){{0}, {0}, {0}, {0}};
  OK(ctx, tsr_arange_i64(ctx, dtype, 1, 4, 1, &x->a));
  OK(ctx, tsr_reshape(ctx, &x->a, TSR_SHAPE(3, 1), &x->a));
  OK(ctx, tsr_arange_i64(ctx, dtype, 1, 9, 1, &x->b));
  OK(ctx, tsr_reshape(ctx, &x->b, TSR_SHAPE(2, 1, 4), &x->b));
  OK(ctx, tsr_broadcast_to(ctx, &x->a, TSR_SHAPE(2, 3, 4), &view));
  OK(ctx, tsr_copy(ctx, &view, &x->whole_a));
  OK(ctx, tsr_broadcast_to(ctx, &x->b, TSR_SHAPE(2, 3, 4), &view));
  OK(ctx, tsr_copy(ctx, &view, &x->whole_b));
}

static void release_operands(operands *x) { /* in the opposite order: an arena takes them back */
  tsr_release(&x->whole_b);
  tsr_release(&x->whole_a);
  tsr_release(&x->b);
  tsr_release(&x->a);
}

/* The result of small operands is that of whole ones, and the only memory is its own. */
static void check_broadcast(tsr_ctx *ctx, int dtype, binary_op *two, ternary_op *three) {
  operands x;
  tsr_tensor small = {0}, large = {0};
  bool same = false;
  make_operands(ctx, dtype, &x);
  const size_t calls = seed_count.calls;
  if (two != NULL) {
    OK(ctx, two(ctx, &x.a, &x.b, &small));
    CHECK(seed_count.calls == calls + 1);
    OK(ctx, two(ctx, &x.whole_a, &x.whole_b, &large));
  } else {
    OK(ctx, three(ctx, &x.a, &x.b, &x.a, &small));
    CHECK(seed_count.calls == calls + 1);
    OK(ctx, three(ctx, &x.whole_a, &x.whole_b, &x.whole_a, &large));
  }
  SHAPE_IS(&small, 2, 3, 4);
  OK(ctx, tsr_equal(ctx, &small, &large, &same));
  CHECK(same && small.dtype == large.dtype);
  tsr_release(&large);
  tsr_release(&small);
  release_operands(&x);
}

/* Broadcasting in every op with two inputs or three: [3,1] and [2,1,4] give [2,3,4], and no operand is copied. */
TEST(T7_broadcasting_in_ops) {
  static binary_op *const floats[] = {
      tsr_add,     tsr_sub,  tsr_mul,  tsr_div,   tsr_floor_divide, tsr_remainder,  tsr_pow,        tsr_maximum,
      tsr_minimum, tsr_fmax, tsr_fmin, tsr_atan2, tsr_hypot,        tsr_copysign,   tsr_eq,         tsr_ne,
      tsr_lt,      tsr_le,   tsr_gt,   tsr_ge,    tsr_logical_and,  tsr_logical_or, tsr_logical_xor};
  static binary_op *const integers[] = {tsr_bitwise_and, tsr_bitwise_or, tsr_bitwise_xor, tsr_shift_left,
                                        tsr_shift_right};
  static ternary_op *const ternaries[] = {tsr_clamp_tensor, tsr_fma, tsr_lerp};
  tsr_ctx *ctx = seed_begin();
  for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) check_broadcast(ctx, TSR_F32, floats[i], NULL);
  for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) check_broadcast(ctx, TSR_I32, integers[i], NULL);
  for (size_t i = 0; i < sizeof ternaries / sizeof ternaries[0]; i++) check_broadcast(ctx, TSR_F32, NULL, ternaries[i]);
  tsr_tensor a = {0}, b = {0}, truth = {0}, sum = {0}, wrong = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(3, 1), &a));
  OK(ctx, seed_counted(ctx, TSR_SHAPE(1, 4), &b));
  OK(ctx, tsr_add(ctx, &a, &b, &sum));
  SHAPE_IS(&sum, 3, 4);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) CHECK(TSR_AT(float, &sum, i, j) == (float)(i + j));
  OK(ctx, tsr_gt_scalar(ctx, &a, (tsr_real)0.5, &truth));
  OK(ctx, tsr_where(ctx, &truth, &b, &a, &sum)); /* into what is there */
  CHECK(AT(ctx, &sum, 0, 3) == 0 && AT(ctx, &sum, 2, 3) == 3);
  OK(ctx, seed_counted(ctx, TSR_SHAPE(5), &wrong));
  FAILS(ctx, TSR_ESHAPE, tsr_add(ctx, &b, &wrong, &sum));
  MESSAGE_HAS(ctx, "axis 1 is 4 against 5");
  CHECK(AT(ctx, &sum, 2, 3) == 3);
  tsr_release(&wrong);
  tsr_release(&truth);
  tsr_release(&sum);
  tsr_release(&b);
  tsr_release(&a);
  seed_end();
}

static void check_meanings(tsr_ctx *ctx, int ndim, const tsr_index *shape, tsr_index batch, tsr_index rows,
                           tsr_index cols, tsr_index channels) {
  tsr_tensor t = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_F32, ndim, shape, &t));
  CHECK(tsr_batch(&t) == batch);
  CHECK(tsr_rows(&t) == rows);
  CHECK(tsr_cols(&t) == cols);
  CHECK(tsr_channels(&t) == channels);
}

/* The four rules of a plain tensor, rank by rank; a layout tag answers by meaning. */
TEST(T8_batch_rows_cols_channels) {
  tsr_ctx *ctx = seed_begin();
  check_meanings(ctx, TSR_SHAPE(7), 1, 7, 7, 1);
  check_meanings(ctx, TSR_SHAPE(6, 7), 1, 6, 7, 1);
  check_meanings(ctx, TSR_SHAPE(5, 6, 7), 5, 6, 7, 1);
  check_meanings(ctx, TSR_SHAPE(4, 5, 6, 7), 4, 6, 7, 5);
#if TSR_MAX_DIMS >= 5
  check_meanings(ctx, TSR_SHAPE(3, 4, 5, 6, 7), 3, 6, 7, 1);
#endif
  tsr_tensor x = {0}, tagged = {0};
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(2, 3, 4, 5), &x));
  OK(ctx, tsr_set_layout(ctx, &x, TSR_NHWC, &tagged));
  CHECK(tsr_batch(&tagged) == 2 && tsr_rows(&tagged) == 3 && tsr_cols(&tagged) == 4 && tsr_channels(&tagged) == 5);
  OK(ctx, tsr_set_layout(ctx, &x, TSR_NCHW, &tagged));
  CHECK(tsr_batch(&tagged) == 2 && tsr_rows(&tagged) == 4 && tsr_cols(&tagged) == 5 && tsr_channels(&tagged) == 3);
  tsr_release(&x);
  seed_end();
}

/* zero, fill, copy_from, clone. What does not fit is an error, and then nothing has changed. */
TEST(T9_zero_fill_copy_clone) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, c = {0}, wrong = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3), &a));
  OK(ctx, tsr_clone(ctx, &a, &b));
  CHECK(b.data != a.data && tsr_refcount(&b) == 1 && (b.flags & TSR_OWNS) != 0);
  OK(ctx, tsr_fill(ctx, (tsr_real)1.5, &a));
  for (int i = 0; i < 6; i++) CHECK(((const float *)a.data)[i] == 1.5f && ((const float *)b.data)[i] == (float)i);
  OK(ctx, tsr_fill(ctx, 0, &a));
  for (int i = 0; i < 6; i++) CHECK(((const float *)a.data)[i] == 0);

  void *const place = a.data;
  OK(ctx, tsr_copy(ctx, &b, &a)); /* into what is there */
  CHECK(a.data == place && TSR_AT(float, &a, 1, 2) == 5);
  OK(ctx, tsr_full(ctx, TSR_F32, TSR_SHAPE(3, 2), 7, &wrong));
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &b, &wrong));
  MESSAGE_HAS(ctx, "copy: out is f32 [3,2], the result is f32 [2,3]");
  for (int i = 0; i < 6; i++) CHECK(((const float *)wrong.data)[i] == 7);
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(2), &c));
  FAILS(ctx, TSR_ERANGE, tsr_fill(ctx, 256, &c));
  CHECK(AT(ctx, &c, 0) == 0);
  tsr_release(&c);
  tsr_release(&wrong);
  tsr_release(&b);
  tsr_release(&a);
  seed_end();
}

/* reshape changes rank and shape and never the buffer; a wrong count is refused; one dimension may be -1. */
TEST(T10_reshape) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(4, 6), &x));
  void *const place = x.data;
  OK(ctx, tsr_reshape(ctx, &x, TSR_SHAPE(4, 3, 2), &x)); /* [B,F] to [B,T,E], as attention does, and back */
  SHAPE_IS(&x, 4, 3, 2);
  STRIDES_ARE(&x, 6, 2, 1);
  CHECK(x.data == place && tsr_refcount(&x) == 1 && AT(ctx, &x, 3, 2, 1) == 23 && AT(ctx, &x, 1, 0, 1) == 7);
  OK(ctx, tsr_reshape(ctx, &x, TSR_SHAPE(-1, 6), &x));
  SHAPE_IS(&x, 4, 6);
  CHECK(x.data == place && tsr_refcount(&x) == 1);
  FAILS(ctx, TSR_ESHAPE, tsr_reshape(ctx, &x, TSR_SHAPE(5, 5), &x));
  MESSAGE_HAS(ctx, "reshape: shape [5,5] does not have the 24 elements of f32 [4,6]");
  FAILS(ctx, TSR_ESHAPE, tsr_reshape(ctx, &x, TSR_SHAPE(-1, 5), &x));
  FAILS(ctx, TSR_ESHAPE, tsr_reshape(ctx, &x, TSR_SHAPE(-1, -1), &x));
  SHAPE_IS(&x, 4, 6);
  CHECK(x.data == place);

  tsr_tensor turned = {0}, view = {0}; /* where strides forbid it, the _view form refuses and the other copies */
  OK(ctx, tsr_transpose(ctx, &x, 0, 1, &turned));
  FAILS(ctx, TSR_ESTRIDE, tsr_reshape_view(ctx, &turned, TSR_SHAPE(24), &view));
  OK(ctx, tsr_reshape(ctx, &turned, TSR_SHAPE(24), &view));
  CHECK(view.data != x.data && AT(ctx, &view, 1) == 6);
  tsr_release(&view);
  tsr_release(&x);
  seed_end();
}

/* to_mat: a matrix over the same memory, also of the last two axes of more, also with strided rows. */
TEST(T11_matrix_view) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0}, m = {0}, part = {0}, flat = {0}, product = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(3, 4), &x));
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_mat(ctx, &x, 0, NULL, &m));
  SHAPE_IS(&m, 3, 4);
  STRIDES_ARE(&m, 4, 1);
  CHECK(m.data == x.data && (m.flags & TSR_OWNS) == 0);
  TSR_AT(float, &m, 2, 3) = 100;
  CHECK(TSR_AT(float, &x, 2, 3) == 100);
  OK(ctx, tsr_slice(ctx, &x, 1, 1, 3, 1, &part)); /* rows of two, four apart */
  OK(ctx, tsr_mat(ctx, &part, 0, NULL, &m));
  STRIDES_ARE(&m, 4, 1);
  CHECK(TSR_ROW(float, &m, 1)[1] == 6);
  CHECK(seed_count.calls == calls);
  tsr_release(&x);

  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3, 4, 5), &x));
  OK(ctx, tsr_mat(ctx, &x, TSR_INDEX(1, -1), &m));
  SHAPE_IS(&m, 4, 5);
  CHECK(AT(ctx, &m, 0, 0) == 100 && AT(ctx, &m, 3, 4) == 119);
  FAILS(ctx, TSR_EINDEX, tsr_mat(ctx, &x, TSR_INDEX(2, 0), &m));
  FAILS(ctx, TSR_EARG, tsr_mat(ctx, &x, TSR_INDEX(1), &m));
  OK(ctx, tsr_mat(ctx, &x, TSR_INDEX(1, -1), &m)); /* straight into a product, and so does its transpose */
  OK(ctx, tsr_transpose(ctx, &m, 0, 1, &part));
  OK(ctx, tsr_matmul(ctx, &m, &part, &product));
  SHAPE_IS(&product, 4, 4);
  CHECK(AT(ctx, &product, 0, 0) == 52030 && AT(ctx, &product, 3, 0) == AT(ctx, &product, 0, 3));
  tsr_release(&product);
  OK(ctx, tsr_flatten_view(ctx, &x, &flat));
  FAILS(ctx, TSR_ESHAPE, tsr_mat(ctx, &flat, 0, NULL, &m));
  tsr_release(&x);
  seed_end();
}

/* same_shape; print: the description, at most so many elements, how many more. */
TEST(T12_same_shape_and_print) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, c = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(5, 8), &a));
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(5, 8), &b));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(8, 5), &c));
  CHECK(tsr_same_shape(&a, &b) && !tsr_same_shape(&a, &c));

  char text[512];
  size_t needed = 0;
  const tsr_print_options head = {.name = "x", .head = 32};
  OK(ctx, tsr_print_text(ctx, &a, &head, text, sizeof text, &needed));
  CHECK(needed == strlen(text));
  CHECK(strncmp(text, "x: f32 [5,8], 40 elements\n", 26) == 0);
  CHECK(strstr(text, "31.") != NULL && strstr(text, "32.") == NULL);
  CHECK(strstr(text, "\n... 8 more") != NULL);
  tsr_tensor eight = {0};
  OK(ctx, tsr_select(ctx, &a, 0, 0, &eight));
  OK(ctx, tsr_print_text(ctx, &eight, &head, text, sizeof text, NULL));
  CHECK(strstr(text, "more") == NULL && strstr(text, "7") != NULL);

  OK(ctx, tsr_slice(ctx, &a, 0, 0, 2, 1, &eight));
  OK(ctx, tsr_slice(ctx, &eight, 1, 0, 3, 1, &eight));
  OK(ctx, tsr_print_text(ctx, &eight, NULL, text, sizeof text, NULL)); /* nested, as NumPy prints it */
  CHECK(strcmp(text, "[[ 0.  1.  2.]\n [ 8.  9. 10.]]") == 0);
  const tsr_print_options short_form = {.threshold = 10, .edge_items = 1};
  OK(ctx, tsr_print_text(ctx, &a, &short_form, text, sizeof text, NULL));
  CHECK(strstr(text, "...") != NULL && strstr(text, "39") != NULL);
  tsr_release(&c);
  tsr_release(&b);
  tsr_release(&a);
  seed_end();
}

/* Copy is deep, move takes and empties the source, release frees only what is owned. */
TEST(T13_clone_move_release) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, c = {0}, view = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 2), &a));
  OK(ctx, tsr_clone(ctx, &a, &b));
  TSR_AT(float, &b, 0, 0) = 70;
  CHECK(TSR_AT(float, &a, 0, 0) == 0 && tsr_refcount(&a) == 1 && tsr_refcount(&b) == 1);

  void *const place = b.data;
  c = tsr_move(&b);
  CHECK(tsr_is_none(&b) && b.data == NULL && b.storage == NULL && b.flags == 0);
  CHECK(c.data == place && (c.flags & TSR_OWNS) != 0 && tsr_refcount(&c) == 1);
  tsr_release(&b); /* nothing left to give back */
  CHECK(TSR_AT(float, &c, 0, 0) == 70);

  const size_t live = seed_count.live;
  OK(ctx, tsr_view(ctx, &c, &view));
  tsr_release(&view);
  CHECK(seed_count.live == live && TSR_AT(float, &c, 0, 0) == 70);
  tsr_release(&c);
  CHECK(seed_count.live == live - 1 && tsr_is_none(&c));
  FAILS(ctx, TSR_ESTATE, tsr_view(ctx, &c, &view)); /* an empty tensor has nothing to view */
  tsr_release(&a);
  seed_end();
}

static int lies_in(const void *p, const uint8_t *region, size_t bytes) {
  return (uintptr_t)p >= (uintptr_t)region && (uintptr_t)p < (uintptr_t)region + bytes;
}

/* Two regions, a small fast one and a large slow one; a policy by size, and an override for one tensor. */
TEST(T14_two_memory_regions) {
  static uint8_t fast[1024], slow[8192];
  tsr_arena sram, psram;
  tsr_tiers tiers;
  tsr_ctx tiered, *ctx = &tiered;
  CHECK(tsr_arena_init(fast, sizeof fast, &sram) == TSR_OK && tsr_arena_init(slow, sizeof slow, &psram) == TSR_OK);
  CHECK(tsr_tiers_init((tsr_arena *const[]){&sram, &psram}, 2, 512, &tiers) == TSR_OK);
  CHECK(tsr_context_init(ctx, &tiers.allocator) == TSR_OK);

  tsr_tensor small = {0}, large = {0}, cold = {0}, hot = {0}, only = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(8), &small));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(400), &large));
  CHECK(lies_in(small.data, fast, sizeof fast) && lies_in(large.data, slow, sizeof slow));
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(8), &cold));
  OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_COLD, &cold));
  CHECK(lies_in(cold.data, slow, sizeof slow));
  OK(ctx, tsr_desc_init(ctx, TSR_U8, TSR_SHAPE(600), &hot)); /* over the policy's limit, and hot all the same */
  OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_HOT, &hot));
  CHECK(lies_in(hot.data, fast, sizeof fast));
  OK(ctx, tsr_desc_init(ctx, TSR_U8, TSR_SHAPE(1200), &only));
  FAILS(ctx, TSR_ENOMEM, tsr_allocate(ctx, NULL, TSR_HINT_TIER0 + 0, &only)); /* there and nowhere else */
  CHECK(only.data == NULL);
  OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_TIER0 + 1, &only));
  CHECK(lies_in(only.data, slow, sizeof slow));
  tsr_release(&only);
  tsr_release(&hot);
  tsr_release(&cold);
  tsr_release(&large);
  tsr_release(&small);
  CHECK(sram.used == 0 && psram.used == 0);
}

#if TSR_HAVE_SMALL_FLOATS
static int finite_codes(int dtype, uint8_t *codes) {
  int n = 0;
  for (int code = 0; code < 256; code++) {
    const int magnitude = code & 0x7f;
    if (dtype == TSR_F8_E4M3 ? magnitude == 0x7f : magnitude >= 0x7c) continue; /* NaN; infinity and NaN */
    codes[n++] = (uint8_t)code;
  }
  return n;
}

/* The value that a finite code stands for, from its bits. */
static float value_of(int dtype, int code) {
  const int mantissa_bits = dtype == TSR_F8_E4M3 ? 3 : 2, bias = dtype == TSR_F8_E4M3 ? 7 : 15;
  const int exponent = (code & 0x7f) >> mantissa_bits, fraction = code & ((1 << mantissa_bits) - 1);
  float value = (float)(exponent == 0 ? fraction : fraction + (1 << mantissa_bits));
  int scale = (exponent == 0 ? 1 : exponent) - bias - mantissa_bits;
  for (; scale > 0; scale--) value *= 2;
  for (; scale < 0; scale++) value /= 2;
  return (code & 0x80) != 0 ? -value : value;
}

static void check_codes(tsr_ctx *ctx, int dtype, int expected) {
  uint8_t codes[256];
  const int n = finite_codes(dtype, codes);
  CHECK(n == expected);
  tsr_tensor small = {0}, wide = {0}, back = {0};
  OK(ctx, tsr_from_memory(ctx, codes, dtype, TSR_SHAPE(n), &small));
  OK(ctx, tsr_cast(ctx, &small, TSR_F32, &wide));
  OK(ctx, tsr_cast(ctx, &wide, dtype, &back));
  for (int i = 0; i < n; i++) {
    CHECK(((const float *)wide.data)[i] == value_of(dtype, codes[i]));
    CHECK(((const uint8_t *)back.data)[i] == codes[i]); /* -0 included */
  }
  tsr_release(&back);
  tsr_release(&wide);
}
#endif

/* Every finite FP8 code means what its bits say, and comes back from f32 as it went. */
TEST(T17_every_finite_fp8_code_round_trips) {
#if TSR_HAVE_SMALL_FLOATS
  tsr_ctx *ctx = seed_begin();
  check_codes(ctx, TSR_F8_E4M3, 254);
  check_codes(ctx, TSR_F8_E5M2, 248);
  seed_end();
#else
  SKIP("this build has no f8");
#endif
}

/* The ends of the f8 ranges are reached from both sides, and from f64 where there is one. */
TEST(T17_fp8_reaches_its_ends) {
#if TSR_HAVE_SMALL_FLOATS
  static const float ends[2] = {448, 57344};
  static const int dtypes[2] = {TSR_F8_E4M3, TSR_F8_E5M2};
  tsr_ctx *ctx = seed_begin();
  for (int i = 0; i < 2; i++) {
    float numbers[2] = {ends[i], -ends[i]};
    tsr_tensor x = {0}, small = {0}, back = {0};
    OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(2), &x));
    OK(ctx, tsr_cast(ctx, &x, dtypes[i], &small));
    OK(ctx, tsr_cast(ctx, &small, TSR_F32, &back));
    CHECK(((const float *)back.data)[0] == ends[i] && ((const float *)back.data)[1] == -ends[i]);
    tsr_release(&small);
    tsr_release(&back);
  }
  seed_end();
#else
  SKIP("this build has no f8");
#endif
}

/* Min-max symmetric quantisation to 8 and 16 bits: scale = greatest / 127 or 32767, zero point 0, and back within half a
 * step. */
TEST(T17_symmetric_min_max_quantisation) {
  static const int dtypes[2] = {TSR_I8, TSR_I16};
  static const float most[2] = {127, 32767};
  tsr_ctx *ctx = seed_begin();
  float numbers[64];
  for (int i = 0; i < 64; i++) numbers[i] = (float)(i * i % 61 - 30) * 0.37f;
  for (int k = 0; k < 2; k++) {
    tsr_tensor x = {0}, q = {0}, back = {0};
    tsr_quant quant = {0};
    OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(8, 8), &x));
    OK(ctx, tsr_quant_params(ctx, &x, dtypes[k], TSR_QUANT_SYMMETRIC, &quant));
    OK(ctx, tsr_quantize(ctx, &x, &quant, &q));
    OK(ctx, tsr_dequantize(ctx, &q, &quant, &back));
    CHECK(quant.zero == 0 && quant.scale == 30 * 0.37f / most[k]);
    for (int i = 0; i < 64; i++) {
      const float off = ((const float *)back.data)[i] - numbers[i];
      CHECK(off <= 0.5001f * quant.scale && off >= -0.5001f * quant.scale);
    }
    tsr_release(&q);
    tsr_release(&back);
  }
  seed_end();
}

TEST_MAIN(RUN(T1_row_major_any_dtype_any_rank), RUN(T2_constructors_and_empty), RUN(T3_named_constructors),
          RUN(T4_ownership_flag), RUN(T5_bare_and_checked_access), RUN(T6_call_shape_size), RUN(T7_broadcast_views),
          RUN(T7_broadcasting_in_ops), RUN(T8_batch_rows_cols_channels), RUN(T9_zero_fill_copy_clone), RUN(T10_reshape),
          RUN(T11_matrix_view), RUN(T12_same_shape_and_print), RUN(T13_clone_move_release), RUN(T14_two_memory_regions),
          RUN(T17_every_finite_fp8_code_round_trips), RUN(T17_fp8_reaches_its_ends),
          RUN(T17_symmetric_min_max_quantisation))
