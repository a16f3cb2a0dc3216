/* Every unary op on every dtype, layout and instruction set; bad calls. */
#include "ops/unary_table.h"

/* ---- values ---- */

enum { VALUES = 48 };

static const float values[VALUES] = {
    0,    -0.0f, 1,    -1,    2,  -2,  3,     -3,     0.5f,  -0.5f,  1.5f,     -1.5f,     2.5f,  -2.5f,  7,      -7,
    0.1f, -0.1f, 4,    -4,    6,  -6,  0.75f, -0.75f, 10,    -10,    15,       -15,       100,   -100,   12.25f, -12,
    127,  -127,  0.3f, -0.3f, 20, -20, 5.5f,  -5.5f,  0.01f, -0.01f, INFINITY, -INFINITY, 1.25f, -1.25f, NAN,    200};

/* The units of a result of a dtype that a reference may be away, beside its own rounding. */
static double tolerance_of(int dtype, double exact) {
  static const int digits[TSR_DTYPE_COUNT] = {
      [TSR_F16] = 10, [TSR_BF16] = 7, [TSR_F32] = 23, [TSR_F64] = 52, [TSR_F8_E4M3] = 3, [TSR_F8_E5M2] = 2};
  static const int least[TSR_DTYPE_COUNT] = {
      [TSR_F16] = -24, [TSR_BF16] = -133, [TSR_F32] = -149, [TSR_F64] = -1074, [TSR_F8_E4M3] = -9, [TSR_F8_E5M2] = -16};
  int exponent;
  (void)frexp(exact, &exponent);
  const int unit = exponent - 1 - digits[dtype] > least[dtype] ? exponent - 1 - digits[dtype] : least[dtype];
  const double units = dtype == TSR_F64 ? 2000 : dtype == TSR_F32 ? 6.5 : 0.51; /* f64: tails of gelu_tanh */
  return units * ldexp(1, unit);
}

/* The largest finite number of a dtype, for what overflows. */
static double largest_of(int dtype) {
  switch (dtype) {
    case TSR_F16: return 65504;
    case TSR_F8_E4M3: return 448;
    case TSR_F8_E5M2: return 57344;
    case TSR_F64: return 1.7976931348623157e308;
    default: return 3.4028234663852886e38;
  }
}

/* Not so under valgrind, whose fused products lose it. */
static bool fused_products_keep_the_sign_of_zero(void) {
  const volatile double zero = -0.0, two = 2;
  return signbit(fma(zero, two, zero)) != 0;
}

static bool is_near(int dtype, double got, double exact) {
  if (isnan(exact)) return isnan(got);
  if (fabs(exact) > largest_of(dtype)) /* or just below the step after it; f8_e4m3 has NaN for infinity */
    return isinf(got) || fabs(got) == largest_of(dtype) || (dtype == TSR_F8_E4M3 && isnan(got));
  if (exact == 0) return got == 0 && (!signbit(got) == !signbit(exact) || !fused_products_keep_the_sign_of_zero());
  return fabs(got - exact) <= tolerance_of(dtype, exact);
}

static uint64_t wrapped(int dtype, const row *r, int64_t x) {
  const uint64_t bits = r->reference != NULL ? (uint64_t)(int64_t)r->reference((double)x) : ~(uint64_t)x;
  return bits & (tsr_dtype_size(dtype) == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * tsr_dtype_size(dtype))) - 1);
}

/* One element: what went in and what came out, as numbers. */
static void check_value(const row *r, const tsr_tensor *z, tsr_index i, int from, double in, double got) {
  bool right;
  if (is_float(z->dtype))
    right = is_near(z->dtype, got, r->reference(in));
  else if (z->dtype == TSR_BOOL)
    right = got == ((r->kind & INTEGER) != 0 ? (in == 0) : r->reference(in));
  else
    right = bits_at(z, i) == wrapped(z->dtype, r, (int64_t)in);
  CHECK(right);
  if (!right) printf("  %s of %s %.9g: %.9g\n", r->name, tsr_dtype_name(from), in, got);
}

static double number_at(const tsr_tensor *t, tsr_index i) {
  tsr_real number = 0;
  OK(NULL, tsr_get(NULL, t, 1, &i, &number));
  return (double)number;
}

static void check_values(tsr_ctx *ctx, const row *r, int dtype) {
  tsr_tensor from = {0}, x = {0}, z = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F32, TSR_SHAPE(VALUES), &from));
  OK(ctx, tsr_cast(ctx, &from, dtype, &x));
  const int want = result_dtype(r, dtype);
  FAILS(ctx, want == TSR_NONE ? TSR_EDTYPE : TSR_OK, r->op(ctx, &x, &z));
  if (want != TSR_NONE) {
    CHECK(z.dtype == want && z.ndim == 1 && z.shape[0] == VALUES);
    for (tsr_index i = 0; i < VALUES; i++) {
      if (!is_float(dtype) && !isfinite(values[i])) continue; /* the limits of i64 are no doubles */
      const double in = number_at(&x, i);
      if (fabs(in) < 1e15 || is_float(dtype)) check_value(r, &z, i, dtype, in, number_at(&z, i));
    }
  }
  tsr_release(&z);
  tsr_release(&x);
}

TEST(every_dtype_has_the_values_of_the_reference) {
  for (int i = 0; i < COUNT_OF(rows); i++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (is_complex(dtype) || !tsr_dtype_supported(dtype)) continue;
      tsr_ctx *ctx = test_context();
      for (int isa = 0; use_isa(ctx, isa); isa++) check_values(ctx, &rows[i], dtype);
      CHECK(test_live() == 0);
    }
}

/* ---- layouts ---- */

static test_buffer source, target, before;

/* Every element by a call of rank 0, which has no layout to get wrong. */
static void check_elements(tsr_ctx *ctx, const row *r, const tsr_tensor *x, const tsr_tensor *z) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  bool same = true;
  if (test_product(x->ndim, x->shape) == 0) return;
  do {
    _Alignas(16) unsigned char one[16];
    tsr_tensor a = {0}, b = {0};
    OK(ctx, tsr_from_memory(ctx, test_at(x, index), x->dtype, 0, NULL, &a));
    OK(ctx, tsr_from_memory(ctx, one, z->dtype, 0, NULL, &b));
    OK(ctx, r->op(ctx, &a, &b));
    same = same && memcmp(one, test_at(z, index), tsr_dtype_size(z->dtype)) == 0;
  } while (test_next_index(x->ndim, x->shape, index));
  CHECK(same);
  if (!same) printf("  %s of %s\n", r->name, tsr_dtype_name(x->dtype));
}

/* Into an empty output, and into a given one of the same layout. */
static void check_layout(tsr_ctx *ctx, const row *r, int dtype, const test_layout *layout) {
  const int want = result_dtype(r, dtype);
  tsr_tensor x = test_over(&source, dtype, layout), fresh = {0};
  OK(ctx, r->op(ctx, &x, &fresh));
  CHECK(tsr_same_shape(&x, &fresh) && test_is_tidy(&fresh));
  check_elements(ctx, r, &x, &fresh);
  tsr_release(&fresh);
  if (layout->overlaps) return;
  tsr_tensor given = test_over(&target, want, layout);
  OK(ctx, r->op(ctx, &x, &given));
  check_elements(ctx, r, &x, &given);
}

/* Bytes that are numbers of the dtype: bool is 0 or 1. */
static void fill_source(int dtype, test_rng *rng) {
  test_buffer_random(&source, rng);
  if (dtype != TSR_BOOL) return;
  for (size_t i = 0; i < sizeof source.bytes; i++) source.bytes[i] &= 1;
}

TEST(every_layout_gives_what_single_elements_give) {
  test_rng rng = {3};
  for (int i = 0; i < COUNT_OF(rows); i++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (result_dtype(&rows[i], dtype) == TSR_NONE) continue;
      for (int k = (i + dtype) % 2; k < test_layout_count(); k += 2) { /* every layout, by turns */
        tsr_ctx *const ctx = test_context();
        fill_source(dtype, &rng);
        for (int isa = 0; use_isa(ctx, isa); isa++) check_layout(ctx, &rows[i], dtype, test_layout_at(k));
      }
    }
}

TEST(in_place) {
  test_rng rng = {4};
  for (int i = 0; i < COUNT_OF(rows); i++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      if (result_dtype(&rows[i], dtype) != dtype) continue;
      for (int k = 0; k < test_layout_count(); k += 3) {
        const test_layout *const layout = test_layout_at(k);
        tsr_ctx *const ctx = test_context();
        if (layout->overlaps) continue;
        fill_source(dtype, &rng);
        before = source;
        tsr_tensor x = test_over(&source, dtype, layout), old = test_over(&before, dtype, layout);
        OK(ctx, rows[i].op(ctx, &x, &x));
        check_elements(ctx, &rows[i], &old, &x);
      }
    }
}

/* The output is the input moved by three elements: as if the input had been copied first. */
TEST(overlapping_output) {
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_ctx *const ctx = test_context();
    const int dtype = (rows[i].kind & INTEGER) != 0 ? TSR_I32 : TSR_F32;
    if (result_dtype(&rows[i], dtype) != dtype) continue;
    test_buffer_number(&source, dtype);
    before = source;
    tsr_tensor x = {0}, z = {0}, old = {0};
    OK(ctx, tsr_from_memory(ctx, source.bytes, dtype, TSR_SHAPE(40), &x));
    OK(ctx, tsr_from_memory(ctx, source.bytes + 12, dtype, TSR_SHAPE(40), &z));
    OK(ctx, tsr_from_memory(ctx, before.bytes, dtype, TSR_SHAPE(40), &old));
    OK(ctx, rows[i].op(ctx, &x, &z));
    check_elements(ctx, &rows[i], &old, &z);
    CHECK(test_live() == 0);
  }
}

TEST(described_outputs_and_nothing_at_all) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, z = {0}, none = {0}, empty = {0};
  OK(ctx, tsr_full(ctx, TSR_F32, TSR_SHAPE(2, 3), 4, &x));
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3), TSR_FORTRAN, &z));
  OK(ctx, tsr_sqrt(ctx, &x, &z));
  CHECK(z.stride[0] == 1 && TSR_AT(float, &z, 1, 2) == 2);
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(3, 0, 2), &none));
  OK(ctx, tsr_exp(ctx, &none, &empty));
  CHECK(empty.dtype == TSR_F32 && empty.ndim == 3 && tsr_size(&empty) == 0);
  tsr_release(&empty);
  tsr_release(&none);
  tsr_release(&z);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* ---- wrapping ---- */

TEST(integers_wrap) {
  tsr_ctx *const ctx = test_context();
  int8_t least[] = {-128, 127, -1, 16}, made[4];
  uint16_t small[] = {0, 1, 65535, 256}, result[4];
  tsr_tensor x = {0}, z = {0};
  OK(ctx, tsr_from_memory(ctx, least, TSR_I8, TSR_SHAPE(4), &x));
  OK(ctx, tsr_from_memory(ctx, made, TSR_I8, TSR_SHAPE(4), &z));
  OK(ctx, tsr_abs(ctx, &x, &z));
  CHECK(made[0] == -128 && made[1] == 127 && made[2] == 1);
  OK(ctx, tsr_neg(ctx, &x, &z));
  CHECK(made[0] == -128 && made[1] == -127 && made[2] == 1);
  OK(ctx, tsr_square(ctx, &x, &z));
  CHECK(made[0] == 0 && made[1] == 1 && made[2] == 1 && made[3] == 0);
  OK(ctx, tsr_from_memory(ctx, small, TSR_U16, TSR_SHAPE(4), &x));
  OK(ctx, tsr_from_memory(ctx, result, TSR_U16, TSR_SHAPE(4), &z));
  OK(ctx, tsr_neg(ctx, &x, &z));
  CHECK(result[0] == 0 && result[1] == 65535 && result[2] == 1 && result[3] == 65280);
  OK(ctx, tsr_square(ctx, &x, &z));
  CHECK(result[2] == 1 && result[3] == 0);
}

/* ---- bad calls ---- */

static void check_refusals(const row *r) {
  tsr_ctx *const ctx = test_context();
  const int dtype = (r->kind & INTEGER) != 0 ? TSR_I32 : TSR_F32, result = result_dtype(r, dtype);
  static test_device device;
  tsr_tensor x = {0}, z = {0}, empty = {0}, other = {0};
  OK(ctx, tsr_from_memory(ctx, source.bytes, dtype, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, target.bytes, result, TSR_SHAPE(2, 3), &z));
  FAILS(ctx, TSR_EARG, r->op(ctx, NULL, &z));
  MESSAGE_HAS(ctx, "x is NULL");
  FAILS(ctx, TSR_EARG, r->op(ctx, &x, NULL));
  MESSAGE_HAS(ctx, "out");
  FAILS(ctx, TSR_ESTATE, r->op(ctx, &empty, &z));
  MESSAGE_HAS(ctx, "x is empty");
  OK(ctx, tsr_desc_init(ctx, dtype, TSR_SHAPE(2, 3), &other));
  FAILS(ctx, TSR_ESTATE, r->op(ctx, &other, &z));
  OK(ctx, tsr_from_memory(ctx, target.bytes, result, TSR_SHAPE(3, 2), &other));
  FAILS(ctx, TSR_ESHAPE, r->op(ctx, &x, &other));
  MESSAGE_HAS(ctx, "[3,2]");
  OK(ctx, tsr_from_memory(ctx, target.bytes, TSR_I16, TSR_SHAPE(2, 3), &other));
  FAILS(ctx, TSR_EDTYPE, r->op(ctx, &x, &other));
  MESSAGE_HAS(ctx, "i16");
  OK(ctx, tsr_from_const_memory(ctx, target.bytes, result, TSR_SHAPE(2, 3), &other));
  FAILS(ctx, TSR_EREADONLY, r->op(ctx, &x, &other));
  OK(ctx, tsr_from_memory(ctx, target.bytes, result, TSR_SHAPE(1, 3), &other));
  OK(ctx, tsr_broadcast_to(ctx, &other, TSR_SHAPE(2, 3), &other));
  FAILS(ctx, TSR_EOVERLAP, r->op(ctx, &x, &other));
  test_device_init(&device, "far", 0);
  other = (tsr_tensor){0};
  OK(ctx, tsr_to_device(ctx, &x, &device.device, &other));
  FAILS(ctx, TSR_EDEVICE, r->op(ctx, &other, &z));
  MESSAGE_HAS(ctx, "far");
  MESSAGE_HAS(ctx, r->op == leaky_relu || r->op == elu ? "elu: x" : r->name);
  tsr_release(&other);
  CHECK(test_live() == 0);
}

TEST(bad_calls_say_what_is_wrong) {
  test_buffer_number(&source, TSR_F32);
  for (int i = 0; i < COUNT_OF(rows); i++) check_refusals(&rows[i]);
}

TEST(refused_dtypes) {
  for (int i = 0; i < COUNT_OF(rows); i++)
    for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
      tsr_ctx *const ctx = test_context();
      if (result_dtype(&rows[i], dtype) != TSR_NONE) continue;
      tsr_tensor x = {0}, z = {0};
      OK(ctx, tsr_from_memory(ctx, source.bytes, dtype, TSR_SHAPE(3), &x));
      FAILS(ctx, TSR_EDTYPE, rows[i].op(ctx, &x, &z));
      MESSAGE_HAS(ctx, tsr_dtype_name(dtype));
      CHECK(tsr_is_none(&z));
    }
}

TEST_MAIN(RUN(every_dtype_has_the_values_of_the_reference), RUN(every_layout_gives_what_single_elements_give),
          RUN(in_place), RUN(overlapping_output), RUN(described_outputs_and_nothing_at_all), RUN(integers_wrap),
          RUN(bad_calls_say_what_is_wrong), RUN(refused_dtypes))
