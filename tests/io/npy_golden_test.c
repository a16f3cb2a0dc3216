/* Files that NumPy wrote (scripts/golden_npy.py): read to the values they were made from, and written to the same
 * bytes. */
#include "npy_support.h"

#if TSR_HAVE_STDIO && TSR_MAX_DIMS >= 5

enum { FILE_BYTES = 1 << 16, SHAPES = 8, RANK = 5 };

static const struct {
  int ndim;
  tsr_index shape[RANK];
} shapes[SHAPES] = {{0, {0}}, {1, {3}},      {2, {2, 3}}, {3, {2, 3, 2}}, {4, {1, 2, 1, 3}}, {5, {2, 1, 2, 1, 2}},
                    {1, {0}}, {3, {2, 0, 3}}};

/* Element k of a golden array, in the host's byte order. */
static void expected_element(int dtype, tsr_index k, void *element) {
  const tsr_dtype_info *info = tsr_dtype_describe(dtype);
  const int parts = info->class_ == TSR_CLASS_COMPLEX ? 2 : 1;
  const size_t unit = info->bytes / (size_t)parts;
  if (dtype == TSR_BOOL) {
    *(uint8_t *)element = k % 3 != 0;
    return;
  }
  for (int part = 0; part < parts; part++) {
    const uint64_t bits = UINT64_C(0x0102030405060708) * ((uint64_t)k * (uint64_t)parts + (uint64_t)part + 1);
    const uint32_t low = (uint32_t)bits;
    const uint16_t half = (uint16_t)bits;
    const uint8_t byte = (uint8_t)bits;
    const void *from = unit == 8   ? (const void *)&bits
                       : unit == 4 ? (const void *)&low
                       : unit == 2 ? (const void *)&half
                                   : &byte;
    memcpy((uint8_t *)element + (size_t)part * unit, from, unit);
  }
}

/* Whether each element of t, counted in row-major order, is the expected one. */
static bool has_pattern(const tsr_tensor *t) {
  const size_t item = tsr_dtype_size(t->dtype);
  for (tsr_index k = 0; k < tsr_size(t); k++) {
    uint8_t want[16];
    tsr_index rest = k, offset = 0;
    for (int axis = t->ndim - 1; axis >= 0; axis--) {
      offset += rest % t->shape[axis] * t->stride[axis];
      rest /= t->shape[axis];
    }
    expected_element(t->dtype, k, want);
    if (memcmp((const uint8_t *)t->data + offset * (tsr_index)item, want, item) != 0) return false;
  }
  return true;
}

static bool has_shape(const tsr_tensor *t, int number) {
  if (t->ndim != shapes[number].ndim) return false;
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] != shapes[number].shape[i]) return false;
  return true;
}

/* One array at bytes, which its little-endian form at original is to be written as. Returns its length; 0: not read. */
static size_t check_array(tsr_ctx *ctx, int dtype, int number, const uint8_t *bytes, size_t n,
                          const uint8_t *original) {
  const tsr_npy_options options = {.void_dtype = tsr_dtype_size(dtype) == 1 ? TSR_F8_E4M3 : 0};
  tsr_tensor t = {0}, streamed = {0};
  size_t used = 0;
  npy_bytes written;
  npy_source source = {.at = bytes, .n = n, .fail_at = SIZE_MAX, .chunk = 7};
  OK(ctx, tsr_npy_decode(ctx, bytes, n, &options, &used, &t));
  if (used == 0) return 0;
  CHECK(t.dtype == dtype && has_shape(&t, number) && has_pattern(&t));
  OK(ctx, npy_encode(ctx, &t, &written));
  CHECK(written.n == used && memcmp(written.at, original, used) == 0);
  OK(ctx, npy_read_from(ctx, &source, &options, &streamed));
  CHECK(source.taken == used && tsr_desc_equal(&t, &streamed) && has_pattern(&streamed));
  tsr_release(&streamed);
  tsr_release(&t);
  return used;
}

static void check_dtype(int dtype) {
  static uint8_t bytes[FILE_BYTES];
  char name[64];
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  (void)snprintf(name, sizeof name, "golden_%s.npy", tsr_dtype_name(dtype));
  const size_t n = file_bytes("tests/io/data", name, bytes, sizeof bytes);
  REQUIRE(n > 0);
  size_t at = 0;
  for (int number = 0; number < SHAPES; number++) {
    for (int order = 0; order < 2; order++) {
      const size_t little = check_array(ctx, dtype, number, bytes + at, n - at, bytes + at);
      const size_t big = check_array(ctx, dtype, number, bytes + at + little, n - at - little, bytes + at);
      REQUIRE(little > 0 && big == little);
      at += little + big;
    }
  }
  CHECK(at == n);
  CHECK(m.failing.live == 0);
}

TEST(every_dtype_shape_and_order) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    if (dtype == TSR_F8_E4M3 || strcmp(tsr_dtype_describe(dtype)->npy, "V1") != 0)
      check_dtype(dtype); /* every f8 has the same files */
}

TEST(fortran_files_stay_in_their_order) {
  static uint8_t bytes[FILE_BYTES];
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const size_t n = file_bytes("tests/io/data", "golden_f32.npy", bytes, sizeof bytes);
  size_t at = 0, used = 0;
  for (int i = 0; i < SHAPES * 4 && at < n; i++, at += used) {
    tsr_tensor t = {0};
    OK(ctx, tsr_npy_decode(ctx, bytes + at, n - at, NULL, &used, &t));
    const bool fortran = memcmp(bytes + at + 10 + 34, "True", 4) == 0;
    CHECK(tsr_is_contiguous(&t, fortran ? TSR_FORTRAN : TSR_ROW_MAJOR));
    tsr_release(&t);
  }
  CHECK(at == n && n > 0);
}

TEST(versions_1_2_and_3_in_one_file) {
  static uint8_t bytes[FILE_BYTES];
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const size_t n = file_bytes("tests/io/data", "versions.npy", bytes, sizeof bytes);
  size_t at = 0, used = 0;
  REQUIRE(n > 0);
  for (int version = 1; version <= 3; version++, at += used) {
    tsr_tensor t = {0};
    CHECK(bytes[at + 6] == version);
    OK(ctx, tsr_npy_decode(ctx, bytes + at, n - at, NULL, &used, &t));
    REQUIRE(t.dtype == TSR_I32 && t.ndim == 2 && t.shape[0] == 2 && t.shape[1] == 3);
    for (int i = 0; i < 6; i++) CHECK(((const int32_t *)t.data)[i] == i);
    tsr_release(&t);
  }
  CHECK(at == n);
}

static void check_values(const tsr_tensor *t, int number) {
  static const float f32[] = {0.0f, 1.5f, -2.25f}, c64[] = {1.0f, 2.0f, -0.0f, -0.5f};
  static const double f64[] = {0.0, 1.5, -2.25, 1e300};
  static const int16_t i16[] = {-32768, -1, 0, 32767};
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_I16, TSR_C64};
  REQUIRE(t->dtype == dtypes[number]);
  if (number == 0) CHECK(memcmp(t->data, f32, sizeof f32) == 0 && ((const float *)t->data)[3] > 3e38f);
  if (number == 1) CHECK(memcmp(t->data, f64, sizeof f64) == 0);
  if (number == 2) CHECK(memcmp(t->data, i16, sizeof i16) == 0);
  if (number == 3)
    for (int i = 0; i < 4; i++) CHECK(((const float *)t->data)[i] == c64[i]);
}

TEST(numbers_in_both_byte_orders) {
  static uint8_t bytes[FILE_BYTES];
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const size_t n = file_bytes("tests/io/data", "values.npy", bytes, sizeof bytes);
  size_t at = 0, used = 0;
  REQUIRE(n > 0);
  for (int i = 0; i < 8; i++, at += used) {
    tsr_tensor t = {0};
    OK(ctx, tsr_npy_decode(ctx, bytes + at, n - at, NULL, &used, &t));
    check_values(&t, i % 4);
    tsr_release(&t);
  }
  CHECK(at == n);
}

/* A file may lie at any address, and elements may lie anywhere in it. */
TEST(bytes_at_any_address) {
  static uint8_t bytes[FILE_BYTES], moved[FILE_BYTES + 16];
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const size_t n = file_bytes("tests/io/data", "golden_c128.npy", bytes, sizeof bytes);
  REQUIRE(n > 0);
  for (size_t shift = 0; shift < 16; shift++) {
    tsr_tensor t = {0};
    memcpy(moved + shift, bytes, n);
    OK(ctx, tsr_npy_decode(ctx, moved + shift, n, NULL, NULL, &t));
    CHECK(has_pattern(&t));
    tsr_release(&t);
  }
}

TEST_MAIN(RUN(every_dtype_shape_and_order), RUN(fortran_files_stay_in_their_order), RUN(versions_1_2_and_3_in_one_file),
          RUN(numbers_in_both_byte_orders), RUN(bytes_at_any_address))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
