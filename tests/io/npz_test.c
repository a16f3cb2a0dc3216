/* .npz from memory, from a reader, to a sink: NumPy's archives, every dtype and order round, limits, failures. */
#include "npz_support.h"

#if TSR_HAVE_STDIO && TSR_MAX_DIMS == 8 && TSR_HAVE_F64

#include <stdlib.h>

/* A big-endian host reads wide elements into memory of their own. */
enum { LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

static bool is_deflated(const char *file) { return strcmp(file, "deflated.npz") == 0; }

/* ---- what NumPy saved ---- */

/* Element k as scripts/golden_npy.py makes it. */
static void golden_element(int dtype, tsr_index k, uint8_t *to) {
  const tsr_dtype_info *info = tsr_dtype_describe(dtype);
  const int parts = info->class_ == TSR_CLASS_COMPLEX ? 2 : 1, unit = info->bytes / parts;
  if (dtype == TSR_BOOL) {
    to[0] = k % 3 != 0;
    return;
  }
  for (int p = 0; p < parts; p++) {
    const uint64_t bits = 0x0102030405060708u * (uint64_t)(k * parts + p + 1);
    for (int i = 0; i < unit; i++) to[p * unit + (LITTLE ? i : unit - 1 - i)] = (uint8_t)(bits >> 8 * i);
  }
}

static bool is_golden(const tsr_tensor *t) {
  static const tsr_index shapes[4][3] = {{0}, {3}, {2, 3}, {2, 0, 3}};
  static const int ranks[4] = {0, 1, 2, 3};
  char dtype[16], order, bytes[8];
  int number;
  if (sscanf(t->name, "%15[^.].%d.%c.%7s", dtype, &number, &order, bytes) != 4) return false;
  if (t->dtype != tsr_dtype_find(dtype) || t->ndim != ranks[number]) return false;
  if (memcmp(t->shape, shapes[number], sizeof(tsr_index) * t->ndim) != 0) return false;
  if (!tsr_is_contiguous(t, order == 'F' ? TSR_FORTRAN : TSR_ROW_MAJOR)) return false;
  const size_t item = tsr_dtype_size(t->dtype);
  for (tsr_index k = 0; k < tsr_size(t); k++) {
    uint8_t want[16];
    const tsr_index at = t->ndim == 2 ? k / 3 * t->stride[0] + k % 3 * t->stride[1] : k;
    golden_element(t->dtype, k, want);
    if (memcmp((const uint8_t *)t->data + at * (tsr_index)item, want, item) != 0) return false;
  }
  return true;
}

static void check_golden(const tsr_bundle *b) {
  CHECK(b->count == 145);
  for (tsr_index i = 0; i < b->count; i++) {
    CHECK(is_golden(&b->tensors[i]));
    if (!is_golden(&b->tensors[i])) printf("   %s\n", b->tensors[i].name);
  }
}

TEST(numpy_archives) {
  static npz_bytes file;
  static const char *const names[] = {"stored.npz", "deflated.npz"};
  for (int f = 0; f < 2; f++) {
    if (is_deflated(names[f]) && !TSR_HAVE_ZLIB) continue;
    file.n = file_bytes("tests/io/npz", names[f], file.at, sizeof file.at);
    REQUIRE(file.n > 0);
    for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_bundle decoded = {0}, read = {0};
      const tsr_npz_options options = {.access = access};
      st_reader state;
      const tsr_reader reader = st_reader_of(&state, file.at, file.n);
      OK(ctx, tsr_npz_decode(ctx, file.at, file.n, &options, &decoded));
      check_golden(&decoded);
      OK(ctx, tsr_npz_read(ctx, &reader, &options, &read));
      check_golden(&read);
      tsr_bundle_release(&decoded);
      tsr_bundle_release(&read);
      CHECK(m.failing.live == 0);
    }
  }
}

TEST(without_zlib_deflated_members_are_refused) {
  static npz_bytes file;
  tsr_bundle b = {0};
  if (TSR_HAVE_ZLIB) SKIP("this build has zlib");
  file.n = file_bytes("tests/io/npz", "deflated.npz", file.at, sizeof file.at);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_npz_decode(NULL, file.at, file.n, NULL, &b));
  MESSAGE_HAS(NULL, "is deflated, and this build has no zlib");
  FAILS(NULL, TSR_EUNSUPPORTED, npz_encode(NULL, &b, true, &file));
  MESSAGE_HAS(NULL, "this build has no zlib");
}

TEST(an_archive_without_members) {
  static npz_bytes file, own;
  tsr_bundle b = {0};
  file.n = file_bytes("tests/io/npz", "empty.npz", file.at, sizeof file.at);
  REQUIRE(file.n == 22);
  OK(NULL, tsr_npz_decode(NULL, file.at, file.n, NULL, &b));
  CHECK(b.count == 0);
  OK(NULL, npz_encode(NULL, &b, false, &own));
  CHECK(own.n == 22 && memcmp(own.at, file.at, 22) == 0);
}

/* ---- round trips ---- */

/* Every dtype, as rows and as columns, under names that would be bad paths. */
static tsr_bundle make_all(tsr_ctx *ctx) {
  tsr_bundle b = {0};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    for (int order = 0; order < 2; order++) {
      tsr_tensor t = {0};
      char name[64];
      if (dtype == TSR_F8_E4M3 || dtype == TSR_F8_E5M2) continue;
      (void)snprintf(name, sizeof name, "../%s/\xc3\xa9 %d", tsr_dtype_name(dtype), order);
      OK(ctx, tsr_desc_init_ordered(ctx, dtype, TSR_SHAPE(3, 5), order ? TSR_FORTRAN : TSR_ROW_MAJOR, &t));
      OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &t));
      for (size_t i = 0; i < tsr_nbytes(&t); i++)
        ((uint8_t *)t.data)[i] = dtype == TSR_BOOL ? (uint8_t)(i % 2) : (uint8_t)(i * 37 + 11);
      OK(ctx, tsr_bundle_add(ctx, &b, name, &t));
    }
  }
  return b;
}

static bool same_bundle(const tsr_bundle *a, const tsr_bundle *b) {
  if (a->count != b->count) return false;
  for (tsr_index i = 0; i < a->count; i++) {
    const tsr_tensor *x = &a->tensors[i], *y = &b->tensors[i];
    if (strcmp(x->name, y->name) != 0 || !tsr_desc_equal(x, y)) return false;
    if (tsr_nbytes(x) > 0 && memcmp(x->data, y->data, tsr_nbytes(x)) != 0) return false;
  }
  return true;
}

TEST(round_trips) {
  static npz_bytes file;
  for (int deflate = 0; deflate <= TSR_HAVE_ZLIB; deflate++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = make_all(ctx), back = {0}, copied = {0};
    const tsr_npz_options copy = {.access = TSR_ACCESS_COPY};
    CHECK(b.count == 30);
    OK(ctx, npz_encode(ctx, &b, deflate, &file));
    OK(ctx, tsr_npz_decode(ctx, file.at, file.n, NULL, &back));
    CHECK(same_bundle(&b, &back));
    OK(ctx, tsr_npz_decode(ctx, file.at, file.n, &copy, &copied));
    CHECK(same_bundle(&b, &copied));
    for (tsr_index i = 0; i < back.count; i++) {
      const tsr_tensor *t = &back.tensors[i];
      const uint8_t *at = t->data;
      const bool inside = at >= file.at && at < file.at + file.n;
      CHECK(inside == (!deflate && (LITTLE || tsr_dtype_size(t->dtype) == 1)));
      if (inside) CHECK((uintptr_t)at % 64 == 0 && (t->flags & TSR_READONLY) != 0 && tsr_refcount(t) == 0);
      CHECK((copied.tensors[i].flags & TSR_READONLY) == 0 && tsr_refcount(&copied.tensors[i]) == 1);
    }
    tsr_bundle_release(&back);
    tsr_bundle_release(&copied);
    tsr_bundle_release(&b);
    CHECK(m.failing.live == 0);
  }
}

TEST(strided_views_and_f8) {
  static npz_bytes file;
  static const uint8_t bytes[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  tsr_bundle b = {0}, back = {0};
  tsr_tensor t = {0}, flipped = {0}, f8 = {0};
  const tsr_npz_options options = {.void_dtype = TSR_F8_E5M2};
  OK(NULL, tsr_from_const_memory(NULL, bytes, TSR_U8, TSR_SHAPE(3, 4), &t));
  OK(NULL, tsr_flip(NULL, &t, 1, &flipped));
  OK(NULL, tsr_bundle_add(NULL, &b, "flipped", &flipped));
  OK(NULL, tsr_from_const_memory(NULL, bytes, TSR_F8_E5M2, TSR_SHAPE(5), &f8));
  OK(NULL, tsr_bundle_add(NULL, &b, "f8", &f8));
  OK(NULL, npz_encode(NULL, &b, false, &file));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_npz_decode(NULL, file.at, file.n, NULL, &back));
  MESSAGE_HAS(NULL, "member 'f8': header: byte");
  OK(NULL, tsr_npz_decode(NULL, file.at, file.n, &options, &back));
  REQUIRE(back.count == 2);
  CHECK(((const uint8_t *)back.tensors[0].data)[0] == 4 && ((const uint8_t *)back.tensors[0].data)[11] == 9);
  CHECK(back.tensors[1].dtype == TSR_F8_E5M2 && memcmp(back.tensors[1].data, bytes, 5) == 0);
  tsr_bundle_release(&back);
  tsr_bundle_release(&b);
}

/* More members than 16 bits count: zip64. */
TEST(more_than_65535_members) {
  enum { MEMBERS = 65600 };
  tsr_bundle b = {0}, back = {0};
  static const uint16_t numbers[4] = {1, 2, 3, 4};
  char name[16];
  for (int i = 0; i < MEMBERS; i++) {
    tsr_tensor t = {0};
    (void)snprintf(name, sizeof name, "t%d", i);
    OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_U16, TSR_SHAPE(i % 5), &t));
    OK(NULL, tsr_bundle_add(NULL, &b, name, &t));
  }
  char path[] = "/tmp/tessera_npz_members_test";
  const tsr_npz_options options = {.lazy = true};
  OK(NULL, tsr_npz_save(NULL, path, &b, NULL));
  OK(NULL, tsr_npz_load(NULL, path, &options, &back));
  CHECK(same_bundle(&b, &back));
  tsr_bundle_release(&back);
  const tsr_io_limits fewer = {.tensors = MEMBERS - 1};
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_io_limits(&ctx, &fewer));
  FAILS(&ctx, TSR_ELIMIT, tsr_npz_load(&ctx, path, &options, &back));
  MESSAGE_HAS(&ctx, "it has 65600 members, the limit is 65599; raise tsr_io_limits.tensors");
  CHECK(remove(path) == 0);
  tsr_bundle_release(&b);
}

/* ---- one member, a list ---- */

typedef struct listing {
  int count;
  int stop_at;
  char text[1024];
} listing;

static tsr_status list_entry(void *user, const tsr_npz_entry *e) {
  listing *l = user;
  const size_t n = strlen(l->text);
  if (l->count++ == l->stop_at) return TSR_EINDEX;
  (void)snprintf(l->text + n, sizeof l->text - n, "%s %s %d%s%s %d;", e->name, tsr_dtype_name(e->dtype), e->ndim,
                 e->fortran ? "F" : "C", e->deflated ? "z" : "", (int)e->bytes);
  return TSR_OK;
}

TEST(lists_and_single_members) {
  static npz_bytes file;
  for (int deflate = 0; deflate <= TSR_HAVE_ZLIB; deflate++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    tsr_tensor x = {0}, y = {0}, out = {0}, given = {0};
    static const float numbers[6] = {0, 1, 2, 3, 4, 5};
    OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F32, TSR_SHAPE(2, 3), &x));
    OK(ctx, tsr_bundle_add(ctx, &b, "x", &x));
    OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_U8, TSR_SHAPE(24), &y));
    OK(ctx, tsr_bundle_add(ctx, &b, "y", &y));
    OK(ctx, npz_encode(ctx, &b, deflate, &file));
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, file.at, file.n);
    listing l = {.stop_at = 99};
    OK(ctx, tsr_npz_list(ctx, &reader, NULL, list_entry, &l));
    CHECK(strcmp(l.text, deflate ? "x f32 2Cz 24;y u8 1Cz 24;" : "x f32 2C 24;y u8 1C 24;") == 0);
    l = (listing){.stop_at = 1};
    FAILS(ctx, TSR_EINDEX, tsr_npz_list(ctx, &reader, NULL, list_entry, &l));
    OK(ctx, tsr_npz_read_tensor(ctx, &reader, NULL, "x", &out));
    CHECK(tsr_size(&out) == 6 && memcmp(out.data, numbers, 24) == 0);
    OK(ctx, tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3), TSR_FORTRAN, &given));
    OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &given));
    OK(ctx, tsr_npz_read_tensor(ctx, &reader, NULL, "x", &given));
    CHECK(((const float *)given.data)[1] == 3 && ((const float *)given.data)[4] == 2);
    FAILS(ctx, TSR_EDTYPE, tsr_npz_read_tensor(ctx, &reader, NULL, "y", &given));
    FAILS(ctx, TSR_ENAME, tsr_npz_read_tensor(ctx, &reader, NULL, "z", &given));
    MESSAGE_HAS(ctx, "npz_read_tensor: name z is not among the file's 2 names");
    tsr_release(&given);
    tsr_release(&out);
    tsr_bundle_release(&b);
    CHECK(m.failing.live == 0);
  }
}

/* ---- failures ---- */

TEST(bad_options) {
  static npz_bytes file;
  tsr_bundle b = make_all(NULL), back = {0};
  OK(NULL, npz_encode(NULL, &b, false, &file));
  const tsr_npz_options options = {.access = 7};
  FAILS(NULL, TSR_EARG, tsr_npz_decode(NULL, file.at, file.n, &options, &back));
  CHECK(back.count == 0);
  tsr_bundle_release(&b);
}

/* A CRC is what tells of a changed element; lazy asks not to look. */
TEST(a_changed_byte_is_seen) {
  static npz_bytes file;
  tsr_bundle b = {0}, back = {0};
  tsr_tensor t = {0};
  static const uint8_t numbers[100] = {1, 2, 3};
  const tsr_npz_options lazy = {.lazy = true};
  OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_U8, TSR_SHAPE(100), &t));
  OK(NULL, tsr_bundle_add(NULL, &b, "x", &t));
  for (int deflate = 0; deflate <= TSR_HAVE_ZLIB; deflate++) {
    OK(NULL, npz_encode(NULL, &b, deflate, &file));
    uint8_t *const byte = file.at + (deflate ? file.n - 100 : 64 + 128 + 50); /* the last of the deflated ones */
    *byte ^= 1;
    FAILS(NULL, TSR_EFORMAT, tsr_npz_decode(NULL, file.at, file.n, NULL, &back));
    if (!deflate) MESSAGE_HAS(NULL, "npz_decode: byte 64: member 'x': its CRC is not the declared one");
    if (!deflate) OK(NULL, tsr_npz_decode(NULL, file.at, file.n, &lazy, &back));
    tsr_bundle_release(&back);
  }
  tsr_bundle_release(&b);
}

TEST(failures_leave_nothing) {
  static npz_bytes file, other;
  for (int deflate = 0; deflate <= TSR_HAVE_ZLIB; deflate++) {
    npy_memory m;
    tsr_bundle b = make_all(NULL), back = {0};
    OK(NULL, npz_encode(NULL, &b, deflate, &file));
    for (size_t n = 0; n < file.n; n += n < 700 ? 1 : 61) {
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      FAILS(ctx, TSR_EFORMAT, tsr_npz_decode(ctx, file.at, n, NULL, &back));
      CHECK(back.count == 0 && back.tensors == NULL && m.failing.live == 0);
    }
    for (size_t n = 1; n < file.n; n += 97) {
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      other.fail_at = n;
      FAILS(ctx, TSR_EIO, npz_encode(ctx, &b, deflate, &other));
      MESSAGE_HAS(ctx, "npz_write: the sink failed after byte ");
      CHECK(m.failing.live == 0);
    }
    other.fail_at = 0;
    tsr_status st = TSR_EIO;
    for (size_t k = 0; st != TSR_OK && k < 1000; k++) {
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      st_reader state;
      const tsr_reader reader = st_reader_of(&state, file.at, file.n);
      state.fail_at = k;
      st = tsr_npz_read(ctx, &reader, NULL, &back);
      CHECK(st == TSR_OK || (st == TSR_EIO && back.count == 0));
      if (st != TSR_OK) MESSAGE_HAS(ctx, " failed at byte ");
      tsr_bundle_release(&back);
      CHECK(m.failing.live == 0);
    }
    CHECK(st == TSR_OK);
    st = TSR_EIO;
    for (size_t k = 0; st != TSR_OK && k < 1000; k++) {
      tsr_ctx *ctx = memory_start(&m, k, false);
      const tsr_npz_options copy = {.access = TSR_ACCESS_COPY};
      st = tsr_npz_decode(ctx, file.at, file.n, &copy, &back);
      CHECK(st == TSR_OK || (st == TSR_ENOMEM && back.count == 0));
      tsr_bundle_release(&back);
      CHECK(m.failing.live == 0);
    }
    CHECK(st == TSR_OK);
    st = TSR_EIO;
    for (size_t k = 0; st != TSR_OK && k < 1000; k++) {
      tsr_ctx *ctx = memory_start(&m, k, false);
      st = npz_encode(ctx, &b, deflate, &other);
      CHECK(st == TSR_OK || st == TSR_ENOMEM);
      CHECK(m.failing.live == 0);
    }
    CHECK(st == TSR_OK);
    tsr_bundle_release(&b);
  }
}

TEST(bad_calls) {
  static npz_bytes file;
  tsr_bundle b = make_all(NULL), back = {0}, names = {0};
  tsr_tensor t = {0}, out = {0};
  st_reader state;
  const tsr_reader reader = st_reader_of(&state, file.at, 0);
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = npz_add, .self = &file};
  const tsr_npz_save_options level = {.level = 10};
  static const uint8_t numbers[1] = {1};
  FAILS(NULL, TSR_EARG, tsr_npz_decode(NULL, NULL, 1, NULL, &back));
  FAILS(NULL, TSR_EARG, tsr_npz_decode(NULL, file.at, 1, NULL, NULL));
  FAILS(NULL, TSR_ESTATE, tsr_npz_decode(NULL, file.at, 1, NULL, &b));
  FAILS(NULL, TSR_EARG, tsr_npz_read(NULL, NULL, NULL, &back));
  FAILS(NULL, TSR_EARG, tsr_npz_read_tensor(NULL, &reader, NULL, NULL, &out));
  FAILS(NULL, TSR_EARG, tsr_npz_read_tensor(NULL, &reader, NULL, "x", NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_list(NULL, &reader, NULL, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_load(NULL, NULL, NULL, &back));
  FAILS(NULL, TSR_EARG, tsr_npz_save(NULL, NULL, &b, NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_save(NULL, "x", NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_write(NULL, NULL, NULL, &sink));
  FAILS(NULL, TSR_EARG, tsr_npz_write(NULL, &b, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_write(NULL, &b, &level, &sink));
  OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_U8, TSR_SHAPE(1), &t));
  OK(NULL, tsr_bundle_add(NULL, &names, "\xff", &t));
  FAILS(NULL, TSR_ENAME, tsr_npz_write(NULL, &names, NULL, &sink));
  MESSAGE_HAS(NULL, "name '?' is not UTF-8");
  tsr_bundle_release(&names);
  OK(NULL, tsr_desc_init(NULL, TSR_F32, TSR_SHAPE(3), &t)); /* without data */
  OK(NULL, tsr_bundle_add(NULL, &names, "described", &t));
  FAILS(NULL, TSR_ESTATE, tsr_npz_write(NULL, &names, NULL, &sink));
  tsr_bundle_release(&names);
  tsr_bundle_release(&b);
}

TEST_MAIN(RUN(numpy_archives), RUN(without_zlib_deflated_members_are_refused), RUN(an_archive_without_members),
          RUN(round_trips), RUN(strided_views_and_f8), RUN(more_than_65535_members), RUN(lists_and_single_members),
          RUN(bad_options), RUN(a_changed_byte_is_seen), RUN(failures_leave_nothing), RUN(bad_calls))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
