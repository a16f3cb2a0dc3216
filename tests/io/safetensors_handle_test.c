/* safetensors files that stay open: the same as reading all of them, one read of the header for any number of tensors, files
 * that change meanwhile, memory that fails. */
#include "files_support.h"

#include "safetensors_support.h"

#include <tessera/memory.h>
#include <tessera/ops.h>

static const float numbers[6] = {0, 1, 2, 3, 4, 5};

static void add_const(tsr_ctx *ctx, tsr_bundle *b, const char *name, int dtype, int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(ctx, tsr_from_memory(ctx, (void *)(uintptr_t)numbers, dtype, ndim, shape, &t));
  t.flags |= TSR_READONLY;
  OK(ctx, tsr_bundle_add(ctx, b, name, &t));
}

/* Three tensors, one tagged and one empty, and a pair of metadata. */
static void make_file(st_bytes *made) {
  tsr_bundle b = {0};
  tsr_metadata m = {0};
  add_const(NULL, &b, "layer.1", TSR_F32, TSR_SHAPE(2, 3));
  add_const(NULL, &b, "layer.10", TSR_U8, TSR_SHAPE(1, 2, 3, 4));
  add_const(NULL, &b, "", TSR_F32, TSR_SHAPE(0, 7));
  b.tensors[1].layout = TSR_NHWC;
  OK(NULL, tsr_metadata_set(NULL, &m, "made", "here"));
  OK(NULL, st_encode(NULL, &b, &m, NULL, made));
  tsr_bundle_release(&b);
  tsr_metadata_release(&m);
}

/* ---- what is in it ---- */

static void check_entries(tsr_ctx *ctx, const tsr_safetensors_file *file) {
  tsr_safetensors_entry e = {0};
  CHECK(tsr_safetensors_file_count(file) == 3);
  for (tsr_index i = 0; i < 3; i++) {
    OK(ctx, tsr_safetensors_file_entry(ctx, file, i, &e));
    CHECK(tsr_safetensors_file_find(file, e.name) == i);
  }
  OK(ctx, tsr_safetensors_file_entry(ctx, file, tsr_safetensors_file_find(file, "layer.10"), &e));
  CHECK(strcmp(e.type, "U8") == 0 && e.dtype == TSR_U8 && e.layout == TSR_NHWC && e.ndim == 4 && e.shape[3] == 4 &&
        e.bytes == 24);
  static const char *const absent[] = {"layer", "layer.", "layer.100", "layer.2", "x"};
  for (int i = 0; i < 5; i++) CHECK(tsr_safetensors_file_find(file, absent[i]) == -1);
}

TEST(entries_are_found_by_number_and_name) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_safetensors_file *file = NULL;
  tsr_metadata pairs = {0};
  st_reader state;
  make_file(&made);
  const tsr_reader reader = st_reader_of(&state, made.at, made.n);
  OK(ctx, tsr_safetensors_file_new(ctx, &reader, NULL, &file));
  check_entries(ctx, file);
  OK(ctx, tsr_safetensors_file_metadata(ctx, file, &pairs));
  CHECK(pairs.count == 1 && strcmp(tsr_metadata_find(&pairs, "made"), "here") == 0); /* the tag is not shown */
  FAILS(ctx, TSR_ESTATE, tsr_safetensors_file_metadata(ctx, file, &pairs));
  CHECK(pairs.count == 1);
  tsr_metadata_release(&pairs);
  CHECK(state.calls == 2); /* its length and its header */
  tsr_safetensors_file_release(file);
  CHECK(m.failing.live == 0);
}

/* ---- its tensors ---- */

TEST(the_header_is_read_once) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_safetensors_file *file = NULL;
  tsr_tensor t = {0};
  st_reader state;
  make_file(&made);
  const tsr_reader reader = st_reader_of(&state, made.at, made.n);
  OK(ctx, tsr_safetensors_file_new(ctx, &reader, NULL, &file));
  for (size_t i = 0; i < 3; i++) {
    OK(ctx, tsr_safetensors_file_read_tensor(ctx, file, "layer.1", &t));
    CHECK(state.calls == 3 + i && t.flags == TSR_OWNS && memcmp(t.data, numbers, sizeof numbers) == 0);
    tsr_release(&t);
  }
  OK(ctx, tsr_safetensors_file_read(ctx, file, tsr_safetensors_file_find(file, "layer.10"), &t));
  CHECK(t.dtype == TSR_U8 && t.layout == TSR_NHWC && memcmp(t.data, numbers, sizeof numbers) == 0);
  tsr_release(&t);
  OK(ctx, tsr_safetensors_file_read_tensor(ctx, file, "", &t));
  CHECK(t.ndim == 2 && t.shape[1] == 7 && tsr_size(&t) == 0 && state.calls == 6);
  tsr_release(&t);
  tsr_safetensors_file_release(file);
  CHECK(m.failing.live == 0);
}

TEST(given_outputs) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_safetensors_file *file = NULL;
  tsr_tensor t = {0}, other = {0};
  float column[6] = {0};
  uint8_t bytes[6] = {9, 9, 9, 9, 9, 9};
  st_reader state;
  make_file(&made);
  const tsr_reader reader = st_reader_of(&state, made.at, made.n);
  OK(ctx, tsr_safetensors_file_new(ctx, &reader, NULL, &file));
  OK(ctx, tsr_from_memory(ctx, column, TSR_F32, TSR_SHAPE(2, 3), &t));
  t.stride[0] = 1, t.stride[1] = 2;
  OK(ctx, tsr_safetensors_file_read_tensor(ctx, file, "layer.1", &t));
  CHECK(column[1] == 3 && column[2] == 1 && column[5] == 5);
  OK(ctx, tsr_from_memory(ctx, bytes, TSR_U8, TSR_SHAPE(2, 3), &other));
  FAILS(ctx, TSR_EDTYPE, tsr_safetensors_file_read_tensor(ctx, file, "layer.1", &other));
  FAILS(ctx, TSR_ESHAPE, tsr_safetensors_file_read_tensor(ctx, file, "layer.10", &other));
  state.fail_at = state.calls;
  FAILS(ctx, TSR_EIO, tsr_safetensors_file_read_tensor(ctx, file, "layer.1", &t));
  MESSAGE_HAS(ctx, "safetensors_file_read_tensor: the reader failed at byte ");
  CHECK(bytes[0] == 9 && bytes[5] == 9 && column[5] == 5);
  tsr_safetensors_file_release(file);
  CHECK(m.failing.live == 0);
}

/* A dtype that no tensor has is in the way of its own tensor only. */
TEST(dtypes_that_no_tensor_has) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_safetensors_file *file = NULL;
  tsr_safetensors_entry e = {0};
  tsr_tensor t = {0};
  st_reader state;
  st_make(
      "{\"a\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[0,2]},"
      "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]}}",
      "abcd", 4, &made);
  const tsr_reader reader = st_reader_of(&state, made.at, made.n);
  OK(ctx, tsr_safetensors_file_new(ctx, &reader, NULL, &file));
  OK(ctx, tsr_safetensors_file_entry(ctx, file, 0, &e));
  CHECK(strcmp(e.type, "F4") == 0 && e.dtype == TSR_NONE);
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_safetensors_file_read(ctx, file, 0, &t));
  MESSAGE_HAS(ctx, "safetensors_file_read: header: byte 9: 'a' has unsupported dtype F4");
  CHECK(tsr_is_none(&t));
  OK(ctx, tsr_safetensors_file_read_tensor(ctx, file, "b", &t));
  CHECK(memcmp(t.data, "cd", 2) == 0);
  tsr_release(&t);
  OK(ctx, tsr_safetensors_read_tensor(ctx, &reader, NULL, "b", &t));
  tsr_release(&t);
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_safetensors_read_tensor(ctx, &reader, NULL, "a", &t));
  tsr_safetensors_file_release(file);
  const tsr_safetensors_options opaque = {.opaque = true};
  OK(ctx, tsr_safetensors_file_new(ctx, &reader, &opaque, &file));
  OK(ctx, tsr_safetensors_file_read(ctx, file, 0, &t));
  CHECK(t.dtype == TSR_U8 && t.shape[0] == 2 && memcmp(t.data, "ab", 2) == 0);
  tsr_release(&t);
  tsr_safetensors_file_release(file);
  CHECK(m.failing.live == 0);
}

/* ---- failures ---- */

TEST(bad_calls) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_safetensors_file *file = NULL;
  tsr_safetensors_entry e = {.ndim = 42};
  tsr_tensor t = {0};
  tsr_metadata pairs = {0};
  st_reader state;
  make_file(&made);
  const tsr_reader reader = st_reader_of(&state, made.at, made.n),
                   empty = {.size = sizeof(tsr_reader), .read = st_read};
  const tsr_safetensors_options wrong = {.access = 3};
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_new(ctx, NULL, NULL, &file));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_new(ctx, &reader, NULL, NULL));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_new(ctx, &reader, &wrong, &file));
  FAILS(ctx, TSR_EFORMAT, tsr_safetensors_file_new(ctx, &empty, NULL, &file));
  MESSAGE_HAS(ctx, "safetensors_file_new: byte 0: the file ends inside its header's length");
  CHECK(file == NULL && tsr_safetensors_file_count(NULL) == 0 && tsr_safetensors_file_find(NULL, "x") == -1);
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_entry(ctx, NULL, 0, &e));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_metadata(ctx, NULL, &pairs));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_read(ctx, NULL, 0, &t));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_read_tensor(ctx, NULL, "x", &t));
  tsr_safetensors_file_release(NULL);
  OK(ctx, tsr_safetensors_file_new(ctx, &reader, NULL, &file));
  CHECK(tsr_safetensors_file_find(file, NULL) == -1);
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_entry(ctx, file, 0, NULL));
  FAILS(ctx, TSR_EINDEX, tsr_safetensors_file_entry(ctx, file, 3, &e));
  FAILS(ctx, TSR_EINDEX, tsr_safetensors_file_read(ctx, file, -1, &t));
  MESSAGE_HAS(ctx, "safetensors_file_read: number -1 is not one of 3");
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_metadata(ctx, file, NULL));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_read(ctx, file, 0, NULL));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_read_tensor(ctx, file, NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_read_tensor(ctx, file, "layer.1", NULL));
  FAILS(ctx, TSR_ENAME, tsr_safetensors_file_read_tensor(ctx, file, "layer.2", &t));
  MESSAGE_HAS(ctx, "layer.2 is not among the file's 3 names");
  CHECK(e.ndim == 42 && tsr_is_none(&t) && pairs.count == 0);
  tsr_safetensors_file_release(file);
  CHECK(m.failing.live == 0);
}

/* Opens, reads one and its metadata; what was made goes. */
static tsr_status use_all(tsr_ctx *ctx, const tsr_reader *reader) {
  tsr_safetensors_file *file = NULL;
  tsr_tensor t = {0};
  tsr_metadata pairs = {0};
  tsr_status st = tsr_safetensors_file_new(ctx, reader, NULL, &file);
  CHECK((st == TSR_OK) == (file != NULL));
  if (st == TSR_OK) st = tsr_safetensors_file_read_tensor(ctx, file, "layer.10", &t);
  CHECK((st == TSR_OK) == !tsr_is_none(&t));
  if (st == TSR_OK) st = tsr_safetensors_file_metadata(ctx, file, &pairs);
  CHECK((st == TSR_OK) == (pairs.count > 0));
  tsr_safetensors_file_release(file);
  tsr_release(&t);
  tsr_metadata_release(&pairs);
  return st;
}

TEST(each_allocation_fails_in_turn) {
  static st_bytes made;
  make_file(&made);
  for (size_t at = 0;; at++) {
    npy_memory m;
    st_reader state;
    tsr_ctx *ctx = memory_start(&m, at, false);
    const tsr_reader reader = st_reader_of(&state, made.at, made.n);
    const tsr_status st = use_all(ctx, &reader);
    CHECK(m.failing.live == 0 && (st == TSR_OK || st == TSR_ENOMEM));
    if (st == TSR_OK) {
      CHECK(at >= 5); /* the handle, the header, the table, the tensor, a pair */
      break;
    }
    REQUIRE(at < 100);
  }
}

/* What stays open is the allocator's: the context may end, and its scratch memory be used again. */
TEST(the_context_may_end) {
  static st_bytes made;
  static _Alignas(64) uint8_t scratch[4096];
  npy_memory m;
  tsr_safetensors_file *file = NULL;
  tsr_tensor t = {0};
  st_reader state;
  make_file(&made);
  const tsr_reader reader = st_reader_of(&state, made.at, made.n);
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  OK(ctx, tsr_safetensors_file_new(ctx, &reader, NULL, &file));
  memset(scratch, 0xff, sizeof scratch);
  memset(ctx, 0xff, sizeof *ctx);
  OK(NULL, tsr_safetensors_file_read_tensor(NULL, file, "layer.1", &t));
  CHECK(memcmp(t.data, numbers, sizeof numbers) == 0);
  tsr_release(&t);
  tsr_safetensors_file_release(file);
  CHECK(m.failing.live == 0);
}

/* ---- by their path ---- */

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

static void write_file(const char *path, const void *bytes, size_t n) {
  FILE *f = fopen(path, "wb");
  REQUIRE(f != NULL);
  CHECK(fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

TEST(tensors_keep_their_map) {
  static st_bytes made;
  REQUIRE(folder_make());
  const char *const path = in_folder("a.safetensors");
  make_file(&made);
  write_file(path, made.at, made.n);
  for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_safetensors_file *file = NULL;
    tsr_tensor t = {0}, again = {0};
    const tsr_safetensors_options options = {.access = access};
    OK(ctx, tsr_safetensors_file_open(ctx, path, &options, &file));
    check_entries(ctx, file);
    OK(ctx, tsr_safetensors_file_read_tensor(ctx, file, "layer.1", &t));
    OK(ctx, tsr_safetensors_file_read_tensor(ctx, file, "layer.1", &again));
    const bool maps = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;          /* else numbers are turned, in a copy */
    CHECK((t.data == again.data) == (maps && access != TSR_ACCESS_COPY)); /* both are views of the one map */
    CHECK(((t.flags & TSR_READONLY) != 0) == (maps && access == TSR_ACCESS_READ));
    tsr_safetensors_file_release(file);
    CHECK(memcmp(t.data, numbers, sizeof numbers) == 0);
    if (access != TSR_ACCESS_READ) *(float *)t.data = 7;
    tsr_release(&t);
    CHECK(((float *)again.data)[1] == 1);
    tsr_release(&again);
    CHECK(m.failing.live == 0);
  }
  folder_end();
}

TEST(paths_that_cannot_be_opened) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_safetensors_file *file = NULL;
  REQUIRE(folder_make());
  const char *const path = in_folder("a.safetensors");
  for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
    const tsr_safetensors_options options = {.access = access};
    FAILS(ctx, TSR_EIO, tsr_safetensors_file_open(ctx, path, &options, &file));
    MESSAGE_HAS(ctx, "a.safetensors: cannot be opened");
    write_file(path, "short", 5);
    FAILS(ctx, TSR_EFORMAT, tsr_safetensors_file_open(ctx, path, &options, &file));
    MESSAGE_HAS(ctx, "a.safetensors: byte 5: the file ends inside its header's length");
    write_file(path, "", 0);
    FAILS(ctx, TSR_EFORMAT, tsr_safetensors_file_open(ctx, path, &options, &file));
    CHECK(remove(path) == 0);
  }
  const tsr_safetensors_options wrong = {.access = 3};
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_open(ctx, path, &wrong, &file));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_open(ctx, NULL, NULL, &file));
  FAILS(ctx, TSR_EARG, tsr_safetensors_file_open(ctx, path, NULL, NULL));
  CHECK(file == NULL && m.failing.live == 0);
  folder_end();
}

/* What was checked when it was opened is what is used, and a file that is cut short is told. */
TEST(files_that_change_while_they_are_open) {
  static st_bytes made;
  REQUIRE(folder_make());
  const char *const path = in_folder("a.safetensors");
  make_file(&made);
  for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
    static uint8_t noise[sizeof made.at];
    tsr_safetensors_file *file = NULL;
    tsr_tensor t = {0};
    float given[6] = {0};
    const tsr_safetensors_options options = {.access = access};
    write_file(path, made.at, made.n);
    OK(NULL, tsr_safetensors_file_open(NULL, path, &options, &file));
    memset(noise, 0x7b, sizeof noise);
    FILE *f = fopen(path, "r+b"); /* in place: header and all */
    REQUIRE(f != NULL && fwrite(noise, 1, made.n, f) == made.n && fclose(f) == 0);
    check_entries(NULL, file);
    OK(NULL, tsr_safetensors_file_read_tensor(NULL, file, "layer.1", &t));
    CHECK(memcmp(t.data, noise, sizeof numbers) == 0);
    tsr_release(&t);
#ifdef _WIN32 /* where a file that is mapped keeps its length, and there is no truncate() */
    (void)given;
    tsr_safetensors_file_release(file);
#else
    CHECK(truncate(path, 64) == 0);
    FAILS(NULL, TSR_EIO, tsr_safetensors_file_read_tensor(NULL, file, "layer.1", &t));
    MESSAGE_HAS(NULL, access == TSR_ACCESS_COPY ? "a.safetensors: reading failed" : "when it was mapped, now 64");
    CHECK(tsr_is_none(&t));
    OK(NULL, tsr_from_memory(NULL, given, TSR_F32, TSR_SHAPE(2, 3), &t));
    FAILS(NULL, TSR_EIO, tsr_safetensors_file_read_tensor(NULL, file, "layer.1", &t));
    tsr_safetensors_file_release(file);
#endif
  }
  folder_end();
}

#else

TEST(tensors_keep_their_map) { SKIP("no mapped files in this profile"); }
TEST(paths_that_cannot_be_opened) { SKIP("no mapped files in this profile"); }
TEST(files_that_change_while_they_are_open) { SKIP("no mapped files in this profile"); }

#endif

TEST_MAIN(RUN(entries_are_found_by_number_and_name), RUN(the_header_is_read_once), RUN(given_outputs),
          RUN(dtypes_that_no_tensor_has), RUN(bad_calls), RUN(each_allocation_fails_in_turn), RUN(the_context_may_end),
          RUN(tensors_keep_their_map), RUN(paths_that_cannot_be_opened), RUN(files_that_change_while_they_are_open))
