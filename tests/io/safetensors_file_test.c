/* safetensors files: mapped, of many tensors, of large ones; .npy files mapped; bundles by content. */
#include "files_support.h"
#include "safetensors_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <tessera/formats.h>
#include "io/file/file.h"

/* A big-endian host reads wide elements into memory of their own. */
enum { LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

static const float numbers[6] = {0, 1, 2, 3, 4, 5};

/* x [2,3] f32 and n bytes of value as y. */
static tsr_bundle make_bundle(size_t n, uint8_t value) {
  tsr_bundle b = {0};
  tsr_tensor x = {0}, y = {0};
  const tsr_index shape = (tsr_index)n;
  OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(NULL, tsr_bundle_add(NULL, &b, "x", &x));
  OK(NULL, tsr_desc_init(NULL, TSR_U8, 1, &shape, &y));
  OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &y));
  if (n > 0) memset(y.data, value, n);
  OK(NULL, tsr_bundle_add(NULL, &b, "y", &y));
  return b;
}

/* Whether the file is whole, and the value of all of its y. */
static bool is_whole(const char *path, size_t n, uint8_t *value) {
  tsr_bundle b = {0};
  if (tsr_safetensors_load(NULL, path, NULL, &b, NULL) != TSR_OK) return false;
  const tsr_tensor *x = tsr_bundle_find(&b, "x"), *y = tsr_bundle_find(&b, "y");
  bool whole = b.count == 2 && x != NULL && y != NULL && tsr_nbytes(y) == n && memcmp(x->data, numbers, 24) == 0;
  const uint8_t *bytes = whole ? y->data : NULL;
  for (size_t i = 0; whole && i < n; i++) whole = bytes[i] == bytes[0];
  if (whole && n > 0) *value = bytes[0];
  tsr_bundle_release(&b);
  return whole;
}

/* ---- maps ---- */

TEST(a_map_lives_as_long_as_its_last_tensor) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = make_bundle(100, 7), mapped = {0};
  REQUIRE(folder_make());
  const char *path = in_folder("a.safetensors");
  OK(ctx, tsr_safetensors_save(ctx, path, &b, NULL, NULL));
  OK(ctx, tsr_safetensors_load(ctx, path, NULL, &mapped, NULL));
  REQUIRE(mapped.count == 2);
  CHECK(remove(path) == 0);
  tsr_tensor y = {0}, x = {0};
  OK(ctx, tsr_bundle_take(ctx, &mapped, "y", &y));
  OK(ctx, tsr_share(ctx, &mapped.tensors[0], &x));
  tsr_bundle_release(&mapped);
  CHECK(memcmp(x.data, numbers, 24) == 0 && ((const uint8_t *)y.data)[99] == 7);
  CHECK((y.flags & TSR_READONLY) != 0);
  if (LITTLE) CHECK((x.flags & TSR_READONLY) != 0 && tsr_refcount(&y) == 2);
  tsr_release(&x);
  CHECK(((const uint8_t *)y.data)[0] == 7);
  tsr_release(&y);
  tsr_bundle_release(&b);
  CHECK(m.failing.live == 0);
  folder_end();
}

TEST(copy_on_write_never_reaches_the_file) {
  tsr_bundle b = make_bundle(100, 7), mapped = {0};
  const tsr_safetensors_options options = {.access = TSR_ACCESS_PRIVATE};
  uint8_t value = 0;
  REQUIRE(folder_make());
  const char *path = in_folder("a.safetensors");
  OK(NULL, tsr_safetensors_save(NULL, path, &b, NULL, NULL));
  OK(NULL, tsr_safetensors_load(NULL, path, &options, &mapped, NULL));
  REQUIRE(mapped.count == 2);
  for (int i = 0; i < 2; i++) {
    CHECK((mapped.tensors[i].flags & TSR_READONLY) == 0);
    memset(mapped.tensors[i].data, 1, tsr_nbytes(&mapped.tensors[i]));
  }
  CHECK(is_whole(path, 100, &value) && value == 7);
  tsr_bundle_release(&mapped);
  tsr_bundle_release(&b);
  folder_end();
}

TEST(a_file_that_shrinks_is_seen) {
  tsr_bundle b = make_bundle(10000, 7), mapped = {0};
  tsr_tensor bytes = {0}, plain = {0};
  REQUIRE(folder_make());
  const char *path = in_folder("a.safetensors");
  OK(NULL, tsr_safetensors_save(NULL, path, &b, NULL, NULL));
  OK(NULL, tsr_safetensors_load(NULL, path, NULL, &mapped, NULL));
  OK(NULL, tsr_mmap_load(NULL, path, TSR_ACCESS_READ, &bytes));
  const tsr_tensor *y = tsr_bundle_find(&mapped, "y");
  REQUIRE(y != NULL);
  OK(NULL, tsr_mmap_check(NULL, y));
  OK(NULL, tsr_mmap_check(NULL, &bytes));
  OK(NULL, tsr_mmap_check(NULL, &b.tensors[1])); /* not mapped */
  REQUIRE(truncate(path, 5000) == 0);
  FAILS(NULL, TSR_EIO, tsr_mmap_check(NULL, y));
  MESSAGE_HAS(NULL, "bytes when it was mapped, now 5000");
  FAILS(NULL, TSR_EIO, tsr_mmap_check(NULL, &bytes));
  FAILS(NULL, TSR_EFORMAT, tsr_safetensors_load(NULL, path, NULL, &(tsr_bundle){0}, NULL));
  MESSAGE_HAS(NULL, "the data ends past the file");
  FAILS(NULL, TSR_EARG, tsr_mmap_check(NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_mmap_load(NULL, path, TSR_ACCESS_COPY, &plain));
  tsr_release(&bytes);
  tsr_bundle_release(&mapped);
  tsr_bundle_release(&b);
  folder_end();
}

TEST(what_cannot_be_mapped) {
  tsr_tensor t = {0};
  tsr_bundle b = {0};
  REQUIRE(folder_make());
  FAILS(NULL, TSR_EIO, tsr_mmap_load(NULL, in_folder("none"), TSR_ACCESS_READ, &t));
  MESSAGE_HAS(NULL, strerror(ENOENT));
  FAILS(NULL, TSR_EIO, tsr_mmap_load(NULL, folder, TSR_ACCESS_READ, &t));
  REQUIRE(mkfifo(in_folder("pipe"), 0600) == 0);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_mmap_load(NULL, in_folder("pipe"), TSR_ACCESS_READ, &t));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_safetensors_load(NULL, in_folder("pipe"), NULL, &b, NULL));
  FILE *empty = fopen(in_folder("empty"), "w");
  REQUIRE(empty != NULL && fclose(empty) == 0);
  OK(NULL, tsr_mmap_load(NULL, in_folder("empty"), TSR_ACCESS_READ, &t));
  CHECK(t.dtype == TSR_U8 && tsr_size(&t) == 0);
  tsr_release(&t);
  FAILS(NULL, TSR_EFORMAT, tsr_safetensors_load(NULL, in_folder("empty"), NULL, &b, NULL));
  folder_end();
}

/* ---- .npy mapped ---- */

TEST(npy_mapped) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0}, fortran = {0}, out = {0};
  REQUIRE(folder_make());
  const char *path = in_folder("a.npy");
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F32, TSR_SHAPE(2, 3), &t));
  fortran = t;
  fortran.stride[0] = 1, fortran.stride[1] = 2;
  const tsr_tensor *cases[] = {&t, &fortran};
  for (int k = 0; k < 2; k++) {
    OK(ctx, tsr_npy_save(ctx, path, cases[k]));
    for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
      OK(ctx, tsr_npy_mmap(ctx, path, (tsr_access)access, NULL, &out));
      CHECK(tsr_desc_equal(&out, cases[k]) && memcmp(out.data, numbers, 24) == 0);
      CHECK(((out.flags & TSR_READONLY) != 0) == (access == TSR_ACCESS_READ && LITTLE));
      if (access == TSR_ACCESS_PRIVATE) *(float *)out.data = 9;
      FAILS(ctx, TSR_ESTATE, tsr_npy_mmap(ctx, path, (tsr_access)access, NULL, &out));
      tsr_release(&out);
    }
  }
  CHECK(m.failing.live == 0);
  folder_end();
}

/* Data at an odd byte, and in the other byte order, is copied; a file cut short is refused. */
TEST(npy_that_cannot_be_mapped_in_place) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  static const uint8_t one[2][4] = {{0, 0, 0x80, 0x3f}, {0x3f, 0x80, 0, 0}};
  static const char *const headers[2] = {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }  \n",
                                         "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n"};
  REQUIRE(folder_make());
  for (int k = 0; k < 3; k++) {
    const npy_bytes bytes = npy_make(1, headers[k % 2], one[k % 2], k < 2 ? 4 : 3);
    tsr_tensor out = {0};
    FILE *file = fopen(in_folder("odd.npy"), "wb");
    REQUIRE(file != NULL && fwrite(bytes.at, 1, bytes.n, file) == bytes.n && fclose(file) == 0);
    FAILS(ctx, k < 2 ? TSR_OK : TSR_EFORMAT, tsr_npy_mmap(ctx, in_folder("odd.npy"), TSR_ACCESS_READ, NULL, &out));
    if (k < 2) CHECK(*(float *)out.data == 1);
    if (k == 0 || (k == 1 && LITTLE)) CHECK((out.flags & TSR_READONLY) == 0);
    if (k == 2) MESSAGE_HAS(ctx, "odd.npy: data cut short");
    tsr_release(&out);
    CHECK(m.failing.live == 0);
  }
  folder_end();
}

/* ---- bundles by content ---- */

TEST(bundles_load_by_content) {
  tsr_bundle b = make_bundle(10, 3), one = {0}, back = {0};
  tsr_metadata meta = {0}, read = {0};
  tsr_tensor t = {0};
  int format = 0;
  REQUIRE(folder_make());
  OK(NULL, tsr_metadata_set(NULL, &meta, "who", "me"));
  OK(NULL, tsr_bundle_save(NULL, in_folder("a.npy"), TSR_FORMAT_SAFETENSORS, &b, &meta)); /* its name says otherwise */
  OK(NULL, tsr_format_detect(NULL, in_folder("a.npy"), &format));
  CHECK(format == TSR_FORMAT_SAFETENSORS);
  OK(NULL, tsr_bundle_load(NULL, in_folder("a.npy"), &back, &read));
  CHECK(back.count == 2 && strcmp(tsr_metadata_find(&read, "who"), "me") == 0);
  tsr_bundle_release(&back);
  tsr_metadata_release(&read);
  OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_F32, TSR_SHAPE(2, 3), &t));
  OK(NULL, tsr_bundle_add(NULL, &one, "w", &t));
  OK(NULL, tsr_bundle_save(NULL, in_folder("weights.npy"), TSR_FORMAT_AUTO, &one, NULL));
  OK(NULL, tsr_bundle_load(NULL, in_folder("weights.npy"), &back, &read));
  CHECK(back.count == 1 && strcmp(back.tensors[0].name, "weights") == 0 && read.count == 0);
  FAILS(NULL, TSR_ESTATE, tsr_bundle_load(NULL, in_folder("weights.npy"), &back, NULL));
  tsr_bundle_release(&back);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("w.npy"), TSR_FORMAT_AUTO, &b, NULL));
  MESSAGE_HAS(NULL, "holds 2 tensors, a .npy file one");
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("w.npy"), TSR_FORMAT_AUTO, &one, &meta));
  MESSAGE_HAS(NULL, "npy files have no room for it");
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("w.txt"), TSR_FORMAT_AUTO, &one, NULL));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("w.npy"), 99, &one, NULL));
  FILE *text = fopen(in_folder("t.safetensors"), "w");
  REQUIRE(text != NULL && fputs("{\"a\": {}, {}}", text) >= 0 && fclose(text) == 0);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_load(NULL, in_folder("t.safetensors"), &back, NULL));
  MESSAGE_HAS(NULL, "not a file type that Tessera knows");
  FAILS(NULL, TSR_EIO, tsr_bundle_load(NULL, in_folder("missing"), &back, NULL));
  CHECK(strcmp(tsr_format_name(TSR_FORMAT_NPY), "npy") == 0 && strcmp(tsr_format_name(77), "none") == 0);
  tsr_metadata_release(&meta);
  tsr_bundle_release(&one);
  tsr_bundle_release(&b);
  folder_end();
}

/* Parts of more than 16 MB are read by several threads, from any byte on. */
TEST(large_parts_are_read_whole) {
  enum { BYTES = (17 << 20) + 5 };
  tsr_bundle b = make_bundle(BYTES, 0), back = {0};
  const tsr_safetensors_options options = {.access = TSR_ACCESS_COPY};
  tsr_tensor t = {0};
  uint8_t *y = b.tensors[1].data;
  for (size_t i = 0; i < BYTES; i++) y[i] = (uint8_t)(i * 2654435761u >> 13);
  REQUIRE(folder_make());
  OK(NULL, tsr_safetensors_save(NULL, in_folder("a"), &b, NULL, NULL));
  OK(NULL, tsr_safetensors_load(NULL, in_folder("a"), &options, &back, NULL));
  REQUIRE(back.count == 2);
  CHECK(memcmp(back.tensors[0].data, numbers, 24) == 0 && memcmp(back.tensors[1].data, y, BYTES) == 0);
  CHECK((back.tensors[1].flags & TSR_READONLY) == 0);
  OK(NULL, tsr_npy_save(NULL, in_folder("b"), &b.tensors[1]));
  OK(NULL, tsr_npy_load(NULL, in_folder("b"), &t));
  CHECK(tsr_size(&t) == BYTES && memcmp(t.data, y, BYTES) == 0);
  tsr_release(&t);
  tsr_bundle_release(&back);
  tsr_bundle_release(&b);
  folder_end();
}

/* The bytes that opening a file of one tensor takes, which is n long and sparse: nothing but its header is read. */
static size_t peak_of_opening(tsr_index n) {
  tsr_counting counting;
  tsr_ctx ctx;
  tsr_bundle b = {0};
  char header[128];
  st_bytes start;
  const char *path = in_folder("sparse");
  (void)snprintf(header, sizeof header, "{\"x\":{\"dtype\":\"U8\",\"shape\":[%11lld],\"data_offsets\":[0,%11lld]}}",
                 (long long)n, (long long)n);
  st_make(header, NULL, 0, &start);
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(start.at, 1, start.n, file) == start.n && fclose(file) == 0);
  CHECK(truncate(path, (off_t)start.n + (off_t)n) == 0);
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&ctx, &counting.allocator));
  OK(&ctx, tsr_safetensors_load(&ctx, path, NULL, &b, NULL));
  CHECK(b.count == 1 && b.tensors[0].shape[0] == n);
  tsr_bundle_release(&b);
  return counting.stats.peak;
}

TEST(opening_takes_no_memory_for_the_data) {
  REQUIRE(folder_make());
  const size_t small = peak_of_opening(1000);
  CHECK(small > 0 && small < 10000);
  CHECK(peak_of_opening(sizeof(void *) > 4 ? (tsr_index)1 << 34 : (tsr_index)1 << 28) == small); /* 16 GB */
  folder_end();
}

TEST(ten_thousand_tensors) {
  tsr_bundle b = {0}, back = {0};
  char name[32];
  REQUIRE(folder_make());
  for (int i = 0; i < 10000; i++) {
    tsr_tensor t = {0};
    (void)snprintf(name, sizeof name, "layer.%d.weight", i * 7919 % 10000);
    OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_F32, TSR_SHAPE(i % 4), &t));
    OK(NULL, tsr_bundle_add(NULL, &b, name, &t));
  }
  OK(NULL, tsr_safetensors_save(NULL, in_folder("many"), &b, NULL, NULL));
  OK(NULL, tsr_safetensors_load(NULL, in_folder("many"), NULL, &back, NULL));
  CHECK(back.count == 10000);
  for (tsr_index i = 0; i < b.count; i++) {
    const tsr_tensor *t = tsr_bundle_find(&back, b.tensors[i].name);
    REQUIRE(t != NULL && tsr_same_shape(t, &b.tensors[i]));
    CHECK(tsr_nbytes(t) == 0 || memcmp(t->data, numbers, tsr_nbytes(t)) == 0);
  }
  tsr_bundle_release(&back);
  tsr_bundle_release(&b);
  folder_end();
}

TEST_MAIN(RUN(a_map_lives_as_long_as_its_last_tensor), RUN(copy_on_write_never_reaches_the_file),
          RUN(a_file_that_shrinks_is_seen), RUN(what_cannot_be_mapped), RUN(npy_mapped),
          RUN(npy_that_cannot_be_mapped_in_place), RUN(bundles_load_by_content), RUN(large_parts_are_read_whole),
          RUN(opening_takes_no_memory_for_the_data), RUN(ten_thousand_tensors))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
