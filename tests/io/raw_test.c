/* Raw files: every dtype in both byte orders there and back, views of maps where that can be, an axis that the file
 * gives, offsets; files that are too short; bad calls. */
#include "files_support.h"

#include <tessera/formats.h>
#include <tessera/ops.h>
#include <tessera/raw.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

enum { LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

static uint8_t numbers[6 * 16];

static void make(int dtype, tsr_tensor *t) {
  for (size_t i = 0; i < sizeof numbers; i++) numbers[i] = dtype == TSR_BOOL ? i % 3 == 1 : (uint8_t)(i + 1);
  OK(NULL, tsr_from_memory(NULL, numbers, dtype, TSR_SHAPE(2, 3), t));
}

static void put_file(const char *path, const void *bytes, size_t n) {
  FILE *f = fopen(path, "wb");
  REQUIRE(f != NULL && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

TEST(every_dtype_both_orders) {
  REQUIRE(folder_make());
  const char *path = in_folder("x.raw");
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    for (int k = 0; k < 6; k++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      const tsr_raw_options options = {.big_endian = k % 2 != 0, .access = k / 2};
      const bool swapped = options.big_endian == LITTLE && tsr_dtype_size(dtype) > 1;
      tsr_tensor t = {0}, back = {0};
      make(dtype, &t);
      OK(ctx, tsr_raw_save(ctx, path, &t, &options));
      OK(ctx, tsr_raw_load(ctx, path, dtype, TSR_SHAPE(2, -1), &options, &back));
      CHECK(tsr_desc_equal(&t, &back) && memcmp(back.data, numbers, tsr_nbytes(&t)) == 0);
      const bool mapped = !swapped && dtype != TSR_BOOL && options.access != TSR_ACCESS_COPY;
      CHECK(((back.flags & TSR_READONLY) != 0) == (mapped && options.access == TSR_ACCESS_READ));
      tsr_release(&back);
      CHECK(m.failing.live == 0);
    }
  }
  folder_end();
}

TEST(bytes_are_in_the_order_that_was_said) {
  static uint16_t pair[2] = {0x0102, 0x0304};
  uint8_t got[4];
  REQUIRE(folder_make());
  const char *path = in_folder("x.raw");
  for (int big = 0; big < 2; big++) {
    const tsr_raw_options options = {.big_endian = big != 0};
    tsr_tensor t = {0};
    OK(NULL, tsr_from_memory(NULL, pair, TSR_U16, TSR_SHAPE(2), &t));
    OK(NULL, tsr_raw_save(NULL, path, &t, &options));
    FILE *f = fopen(path, "rb");
    REQUIRE(f != NULL && fread(got, 1, 4, f) == 4 && fclose(f) == 0);
    CHECK(memcmp(got, big ? "\1\2\3\4" : "\2\1\4\3", 4) == 0);
  }
  folder_end();
}

/* A header before, a trailer behind, elements that are not aligned, bools that are not 0 or 1. */
TEST(offsets) {
  uint8_t bytes[64];
  for (int i = 0; i < 64; i++) bytes[i] = (uint8_t)i;
  REQUIRE(folder_make());
  const char *path = in_folder("x.bin");
  put_file(path, bytes, sizeof bytes);
  for (size_t offset = 0; offset <= 64; offset++) {
    const tsr_raw_options options = {.offset = offset};
    tsr_tensor t = {0};
    const bool whole = (64 - offset) % 4 == 0;
    FAILS(NULL, whole ? TSR_OK : TSR_EFORMAT, tsr_raw_load(NULL, path, TSR_I32, TSR_SHAPE(-1), &options, &t));
    if (!whole) MESSAGE_HAS(NULL, "bytes are not whole rows of 4");
    CHECK(whole ? tsr_size(&t) == (tsr_index)(64 - offset) / 4 : tsr_is_none(&t));
    if (whole && tsr_size(&t) > 0) CHECK(memcmp(t.data, bytes + offset, tsr_nbytes(&t)) == 0 || !LITTLE);
    tsr_release(&t);
    FAILS(NULL, offset <= 60 ? TSR_OK : TSR_EFORMAT, tsr_raw_load(NULL, path, TSR_F32, 0, NULL, &options, &t));
    CHECK((uintptr_t)t.data % 4 == 0);
    tsr_release(&t);
    FAILS(NULL, offset <= 61 ? TSR_OK : TSR_EFORMAT, tsr_raw_load(NULL, path, TSR_BOOL, TSR_SHAPE(3), &options, &t));
    for (int i = 0; i < 3 && offset <= 61; i++) CHECK(((const uint8_t *)t.data)[i] == (offset + (size_t)i > 0));
    tsr_release(&t);
  }
  folder_end();
}

TEST(files_that_do_not_fit) {
  tsr_tensor t = {0};
  REQUIRE(folder_make());
  const char *path = in_folder("x.bin");
  put_file(path, "12345678", 8);
  FAILS(NULL, TSR_EFORMAT, tsr_raw_load(NULL, path, TSR_F32, TSR_SHAPE(3), NULL, &t));
  MESSAGE_HAS(NULL, "x.bin: f32 [3] has 12 bytes, but 8 follow byte 0");
  const tsr_raw_options far = {.offset = 9};
  FAILS(NULL, TSR_EFORMAT, tsr_raw_load(NULL, path, TSR_U8, TSR_SHAPE(-1), &far, &t));
  MESSAGE_HAS(NULL, "byte 9 is past the end: the file has 8");
  FAILS(NULL, TSR_ESHAPE, tsr_raw_load(NULL, path, TSR_U8, TSR_SHAPE(-1, 0), NULL, &t));
  FAILS(NULL, TSR_ESHAPE, tsr_raw_load(NULL, path, TSR_U8, TSR_SHAPE(-1, -1), NULL, &t));
  MESSAGE_HAS(NULL, "has two axes of -1");
  FAILS(NULL, TSR_ESHAPE, tsr_raw_load(NULL, path, TSR_U8, TSR_SHAPE(-2), NULL, &t));
  FAILS(NULL, TSR_EOVERFLOW, tsr_raw_load(NULL, path, TSR_F64, TSR_SHAPE(TSR_INDEX_MAX / 2, 2), NULL, &t));
  FAILS(NULL, TSR_ESHAPE,
        tsr_raw_load(NULL, path, TSR_U8, TSR_MAX_DIMS + 1, (const tsr_index[TSR_MAX_DIMS + 1]){0}, NULL, &t));
  FAILS(NULL, TSR_EDTYPE, tsr_raw_load(NULL, path, 99, TSR_SHAPE(1), NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_raw_load(NULL, path, TSR_U8, 1, NULL, NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_raw_load(NULL, NULL, TSR_U8, TSR_SHAPE(1), NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_raw_load(NULL, path, TSR_U8, TSR_SHAPE(1), NULL, NULL));
  FAILS(NULL, TSR_EIO, tsr_raw_load(NULL, in_folder("none"), TSR_U8, TSR_SHAPE(1), NULL, &t));
  CHECK(tsr_is_none(&t));
  OK(NULL, tsr_raw_load(NULL, path, TSR_U8, TSR_SHAPE(0, 3), NULL, &t));
  CHECK(tsr_size(&t) == 0 && t.ndim == 2);
  t = (tsr_tensor){0};
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(8), &t));
  FAILS(NULL, TSR_ESTATE, tsr_raw_load(NULL, path, TSR_U8, TSR_SHAPE(8), NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_raw_write(NULL, &t, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_raw_save(NULL, NULL, &t, NULL));
  tsr_release(&t);
  folder_end();
}

/* As a format: written from any strides; what is in it no one can tell. */
TEST(as_a_format) {
  tsr_tensor t = {0}, back = {0};
  tsr_bundle b = {0};
  static uint16_t pairs[6] = {1, 2, 3, 4, 5, 6};
  REQUIRE(folder_make());
  OK(NULL, tsr_from_memory(NULL, pairs, TSR_U16, TSR_SHAPE(2, 3), &t));
  OK(NULL, tsr_permute(NULL, &t, (const int[]){1, 0}, &t));
  OK(NULL, tsr_bundle_add(NULL, &b, "x", &t));
  OK(NULL, tsr_bundle_save(NULL, in_folder("x.raw"), TSR_FORMAT_AUTO, &b, NULL));
  OK(NULL, tsr_raw_load(NULL, in_folder("x.raw"), TSR_U16, TSR_SHAPE(3, 2), NULL, &back));
  static const uint16_t want[6] = {1, 4, 2, 5, 3, 6};
  CHECK(memcmp(back.data, want, 12) == 0);
  tsr_release(&back);
  tsr_bundle_release(&b);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_load(NULL, in_folder("x.raw"), &b, NULL));
  folder_end();
}

TEST_MAIN(RUN(every_dtype_both_orders), RUN(bytes_are_in_the_order_that_was_said), RUN(offsets),
          RUN(files_that_do_not_fit), RUN(as_a_format))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
