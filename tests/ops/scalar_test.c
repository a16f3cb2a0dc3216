/* Numbers to single elements and back: what fits, what does not, and what is said then. */
#include "convert_reference.h"
#include "ops/cast/convert.h"
#include "support/test.h"

#include <math.h>

static uint64_t code_of(int dtype, const void *element) {
  return ref_get(tsr_dtype_size(dtype) > 8 ? 8 : (int)tsr_dtype_size(dtype), element);
}

/* ---- from real numbers ---- */

typedef struct real_case {
  int dtype;
  tsr_real value;
  int fits;
  uint64_t code; /* where it fits */
} real_case;

static void check_reals(const real_case *cases, int count) {
  for (int i = 0; i < count; i++) {
    const real_case *const c = &cases[i];
    char element[17];
    if (!tsr_dtype_supported(c->dtype)) continue;
    memset(element, 0x5a, sizeof element);
    const tsr_status st = tsr__scalar_from_real(NULL, "fill", "value", c->dtype, c->value, element);
    const int right =
        c->fits ? st == TSR_OK && code_of(c->dtype, element) == c->code : st == TSR_ERANGE && element[0] == 0x5a;
    if (!right) printf("  case %d: %s of %g: %s\n", i, tsr_dtype_name(c->dtype), (double)c->value, tsr_error(NULL));
    CHECK(right);
    CHECK(element[tsr_dtype_size(c->dtype)] == 0x5a);
  }
}

TEST(reals_that_integers_take) {
  static const real_case cases[] = {
      {TSR_BOOL, 0, 1, 0},
      {TSR_BOOL, 1, 1, 1},
      {TSR_BOOL, 2, 0, 0},
      {TSR_BOOL, (tsr_real)0.5, 0, 0},
      {TSR_BOOL, -1, 0, 0},
      {TSR_BOOL, NAN, 0, 0},
      {TSR_BOOL, (tsr_real)-0.0, 1, 0},
      {TSR_I8, 127, 1, 127},
      {TSR_I8, 128, 0, 0},
      {TSR_I8, -128, 1, 0x80},
      {TSR_I8, -129, 0, 0},
      {TSR_I16, 32767, 1, 32767},
      {TSR_I16, 32768, 0, 0},
      {TSR_U8, 255, 1, 255},
      {TSR_U8, 256, 0, 0},
      {TSR_U8, -1, 0, 0},
      {TSR_U8, (tsr_real)-0.0, 1, 0},
      {TSR_U16, 65535, 1, 65535},
      {TSR_U16, 65536, 0, 0},
      {TSR_I32, (tsr_real)2.5, 0, 0},
      {TSR_I32, -2147483648.0f, 1, 0x80000000u},
      {TSR_I32, 2147483648.0f, 0, 0},
      {TSR_U32, 4294967296.0f, 0, 0},
      {TSR_U32, 4294967040.0f, 1, 4294967040u},
      {TSR_I64, 9223372036854775808.0f, 0, 0},
      {TSR_I64, -9223372036854775808.0f, 1, (uint64_t)1 << 63},
      {TSR_U64, 9223372036854775808.0f, 1, (uint64_t)1 << 63},
      {TSR_U64, 18446744073709551616.0f, 0, 0},
      {TSR_U64, -1, 0, 0},
      {TSR_I32, NAN, 0, 0},
      {TSR_I64, INFINITY, 0, 0},
      {TSR_U64, -INFINITY, 0, 0},
      {TSR_I64, (tsr_real)1e-30, 0, 0},
  };
  check_reals(cases, (int)(sizeof cases / sizeof cases[0]));
}

TEST(reals_that_floats_take) {
  static const real_case cases[] = {
    {TSR_F16, 65504, 1, 0x7bff},
    {TSR_F16, 65519, 1, 0x7bff},
    {TSR_F16, 65520, 0, 0},
    {TSR_F16, INFINITY, 1, 0x7c00},
    {TSR_F16, -INFINITY, 1, 0xfc00},
    {TSR_F16, (tsr_real)1e-30, 1, 0},
    {TSR_F16, (tsr_real)-0.0, 1, 0x8000},
    {TSR_F8_E4M3, 448, 1, 0x7e},
    {TSR_F8_E4M3, 464, 1, 0x7e},
    {TSR_F8_E4M3, 465, 0, 0},
    {TSR_F8_E4M3, INFINITY, 0, 0},
    {TSR_F8_E4M3, -500, 0, 0},
    {TSR_F8_E5M2, 57344, 1, 0x7b},
    {TSR_F8_E5M2, 61440, 0, 0},
    {TSR_F8_E5M2, INFINITY, 1, 0x7c},
    {TSR_BF16, 1, 1, 0x3f80},
    {TSR_BF16, 3.4e38f, 0, 0},
    {TSR_F32, 1, 1, 0x3f800000},
    {TSR_F32, INFINITY, 1, 0x7f800000},
    {TSR_F32, -INFINITY, 1, 0xff800000},
#if TSR_REAL_BITS == 64
    {TSR_F32, 3.4028235e38, 1, 0x7f7fffff},
    {TSR_F32, 1e39, 0, 0},
    {TSR_F32, -1e300, 0, 0},
    {TSR_F64, 1e300, 1, 0x7e37e43c8800759c},
    {TSR_C64, 1e39, 0, 0},
    {TSR_C128, -1, 1, 0xbff0000000000000},
#endif
  };
  static const int floats[] = {TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2, TSR_F32, TSR_F64};
  check_reals(cases, (int)(sizeof cases / sizeof cases[0]));
  for (int i = 0; i < 6; i++) {
    char element[16] = {0};
    if (!tsr_dtype_supported(floats[i])) continue;
    OK(NULL, tsr__scalar_from_real(NULL, "fill", "value", floats[i], NAN, element));
    CHECK(ref_of(floats[i], code_of(floats[i], element)).nan);
  }
}

TEST(messages_name_value_dtype_and_range) {
  char element[16];
  FAILS(NULL, TSR_ERANGE, tsr__scalar_from_real(NULL, "fill", "value", TSR_U8, 300, element));
  MESSAGE_HAS(NULL, "fill: value 300 does not fit u8 (0 ... 255)");
  FAILS(NULL, TSR_ERANGE, tsr__scalar_from_real(NULL, "fill", "value", TSR_I32, (tsr_real)2.5, element));
  MESSAGE_HAS(NULL, "fill: value 2.5 is not a whole number, i32 holds only those");
  FAILS(NULL, TSR_ERANGE, tsr__scalar_from_i64(NULL, "fill_i64", "value", TSR_U64, -1, element));
  MESSAGE_HAS(NULL, "fill_i64: value -1 does not fit u64 (0 ... 18446744073709551615)");
  FAILS(NULL, TSR_EDTYPE, tsr__scalar_from_real(NULL, "fill", "value", TSR_NONE, 1, element));
  FAILS(NULL, TSR_EDTYPE, tsr__scalar_from_i64(NULL, "fill", "value", 99, 1, element));
  if (!tsr_dtype_supported(TSR_F64)) {
    FAILS(NULL, TSR_EDTYPE, tsr__scalar_from_real(NULL, "fill", "value", TSR_F64, 1, element));
    MESSAGE_HAS(NULL, "f64");
  }
}

TEST(complex_elements_get_imaginary_part_0) {
#if TSR_HAVE_COMPLEX
  float element[2] = {7, 7};
  OK(NULL, tsr__scalar_from_real(NULL, "fill", "value", TSR_C64, (tsr_real)2.5, element));
  CHECK(element[0] == 2.5f && element[1] == 0);
  OK(NULL, tsr__scalar_from_i64(NULL, "fill", "value", TSR_C64, -3, element));
  CHECK(element[0] == -3 && element[1] == 0);
#else
  SKIP("no complex dtypes in this configuration");
#endif
}

/* ---- from integers ---- */

typedef struct integer_case {
  int dtype;
  int64_t value;
  int fits;
  uint64_t code;
} integer_case;

TEST(integers) {
  static const integer_case cases[] = {
      {TSR_BOOL, 1, 1, 1},
      {TSR_BOOL, 2, 0, 0},
      {TSR_BOOL, -1, 0, 0},
      {TSR_I8, -128, 1, 0x80},
      {TSR_I8, -129, 0, 0},
      {TSR_I8, 128, 0, 0},
      {TSR_U8, 255, 1, 255},
      {TSR_U8, 256, 0, 0},
      {TSR_U8, -1, 0, 0},
      {TSR_I32, INT32_MAX, 1, INT32_MAX},
      {TSR_I32, (int64_t)INT32_MAX + 1, 0, 0},
      {TSR_I32, INT32_MIN, 1, 0x80000000u},
      {TSR_U32, UINT32_MAX, 1, UINT32_MAX},
      {TSR_U32, (int64_t)UINT32_MAX + 1, 0, 0},
      {TSR_I64, INT64_MIN, 1, (uint64_t)1 << 63},
      {TSR_I64, INT64_MAX, 1, INT64_MAX},
      {TSR_U64, INT64_MAX, 1, INT64_MAX},
      {TSR_U64, -1, 0, 0},
      {TSR_F16, 65519, 1, 0x7bff},
      {TSR_F16, 65520, 0, 0},
      {TSR_F16, INT64_MIN, 0, 0},
      {TSR_F8_E4M3, 464, 1, 0x7e},
      {TSR_F8_E4M3, 465, 0, 0},
      {TSR_F8_E4M3, -465, 0, 0},
      {TSR_F8_E5M2, 61440, 0, 0},
      {TSR_BF16, INT64_MAX, 1, 0x5f00},
      {TSR_F32, 16777217, 1, 0x4b800000},
      {TSR_F64, 1, 1, 0x3ff0000000000000},
      {TSR_F64, INT64_MAX, 1, 0x43e0000000000000},
  };
  for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
    const integer_case *const c = &cases[i];
    char element[16] = {0x5a};
    if (!tsr_dtype_supported(c->dtype)) continue;
    const tsr_status st = tsr__scalar_from_i64(NULL, "fill_i64", "value", c->dtype, c->value, element);
    const int right =
        c->fits ? st == TSR_OK && code_of(c->dtype, element) == c->code : st == TSR_ERANGE && element[0] == 0x5a;
    if (!right) printf("  case %d: %s: %s\n", i, tsr_dtype_name(c->dtype), tsr_error(NULL));
    CHECK(right);
  }
}

/* ---- to numbers ---- */

static tsr_real real_of(int dtype, uint64_t code) {
  char element[16] = {0};
  tsr_real value = -77;
  ref_put((int)tsr_dtype_size(dtype), code, element);
  OK(NULL, tsr__scalar_to_real(NULL, "get", dtype, element, &value));
  return value;
}

static int64_t integer_of(int dtype, uint64_t code, tsr_status expected) {
  char element[16] = {0};
  int64_t value = -77;
  ref_put((int)tsr_dtype_size(dtype), code, element);
  FAILS(NULL, expected, tsr__scalar_to_i64(NULL, "get_i64", dtype, element, &value));
  return value;
}

TEST(elements_as_reals) {
  CHECK(real_of(TSR_BOOL, 1) == 1);
  CHECK(real_of(TSR_I8, 0x80) == -128);
  CHECK(real_of(TSR_U64, UINT64_MAX) == (tsr_real)UINT64_MAX);
  CHECK(real_of(TSR_I64, (uint64_t)1 << 63) == (tsr_real)INT64_MIN);
  CHECK(real_of(TSR_F32, 0x3fc00000) == (tsr_real)1.5);
  if (tsr_dtype_supported(TSR_F16)) CHECK(real_of(TSR_F16, 0x3e00) == (tsr_real)1.5);
  if (tsr_dtype_supported(TSR_F8_E4M3)) CHECK(real_of(TSR_F8_E4M3, 0x7f) != real_of(TSR_F8_E4M3, 0x7f));
  tsr_real value = 5;
  FAILS(NULL, TSR_EDTYPE, tsr__scalar_to_real(NULL, "get", TSR_NONE, "", &value));
  CHECK(value == 5);
#if TSR_HAVE_COMPLEX
  const float element[2] = {3, 4};
  OK(NULL, tsr__scalar_to_real(NULL, "get", TSR_C64, element, &value));
  CHECK(value == 3);
#endif
}

TEST(elements_as_integers) {
  CHECK(integer_of(TSR_U8, 200, TSR_OK) == 200);
  CHECK(integer_of(TSR_I64, (uint64_t)INT64_MAX, TSR_OK) == INT64_MAX);
  CHECK(integer_of(TSR_U64, (uint64_t)INT64_MAX, TSR_OK) == INT64_MAX);
  CHECK(integer_of(TSR_U64, (uint64_t)1 << 63, TSR_ERANGE) == -77);
  CHECK(integer_of(TSR_F32, 0xc0000000, TSR_OK) == -2);
  CHECK(integer_of(TSR_F32, 0x3fc00000, TSR_ERANGE) == -77); /* 1.5 */
  MESSAGE_HAS(NULL, "get_i64: 1.5 (f32) is not a whole number");
  CHECK(integer_of(TSR_F32, 0x5f000000, TSR_ERANGE) == -77); /* 2^63 */
  CHECK(integer_of(TSR_F32, 0xdf000000, TSR_OK) == INT64_MIN);
  CHECK(integer_of(TSR_F32, 0x7fc00000, TSR_ERANGE) == -77);
  CHECK(integer_of(TSR_F32, 0x7f800000, TSR_ERANGE) == -77);
  if (tsr_dtype_supported(TSR_F8_E5M2)) CHECK(integer_of(TSR_F8_E5M2, 0x7b, TSR_OK) == 57344);
#if TSR_HAVE_COMPLEX
  const float element[2] = {3, 4}, real[2] = {3, 0};
  int64_t value = 5;
  FAILS(NULL, TSR_ERANGE, tsr__scalar_to_i64(NULL, "get_i64", TSR_C64, element, &value));
  OK(NULL, tsr__scalar_to_i64(NULL, "get_i64", TSR_C64, real, &value));
  CHECK(value == 3);
#endif
}

TEST_MAIN(RUN(reals_that_integers_take), RUN(reals_that_floats_take), RUN(messages_name_value_dtype_and_range),
          RUN(complex_elements_get_imaginary_part_0), RUN(integers), RUN(elements_as_reals), RUN(elements_as_integers))
