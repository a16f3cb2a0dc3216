/* Round trips of every dtype and order, the bytes that are written, metadata, readers, limits. */
#include "safetensors_support.h"
#include "support/helpers.h"

static const float numbers[6] = {0, 1, 2, 3, 4, 5};

static void add_const(tsr_ctx *ctx, tsr_bundle *b, const char *name, const void *data, int dtype, int ndim,
                      const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(ctx, tsr_from_const_memory(ctx, data, dtype, ndim, shape, &t));
  OK(ctx, tsr_bundle_add(ctx, b, name, &t));
}

/* ---- bytes ---- */

/* The widest first, then by name; the header padded to 8; what a reader of JSON makes of it. */
TEST(writes_these_bytes) {
  static const char header[] =
      "{\"__metadata__\":{\"k\":\"v\\\"\\\\\\u000a\"},\"x\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
      "\"z\":{\"dtype\":\"U16\",\"shape\":[1],\"data_offsets\":[8,10]},"
      "\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[10,11]},"
      "\"e\":{\"dtype\":\"BOOL\",\"shape\":[0],\"data_offsets\":[11,11]}}";
  static const uint8_t data[] = {0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0x34, 0x12, 7};
  static const uint16_t z = 0x1234;
  static const uint8_t a = 7;
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0};
  tsr_metadata meta = {0};
  OK(ctx, tsr_metadata_set(ctx, &meta, "k", "v\"\\\n"));
  add_const(ctx, &b, "a", &a, TSR_U8, 0, NULL);
  add_const(ctx, &b, "e", NULL, TSR_BOOL, TSR_SHAPE(0));
  add_const(ctx, &b, "z", &z, TSR_U16, TSR_SHAPE(1));
  add_const(ctx, &b, "x", numbers, TSR_F32, TSR_SHAPE(2, 1));
  OK(ctx, st_encode(ctx, &b, &meta, NULL, &made));
  const size_t length = sizeof header - 1, padded = (length + 8 + 7) / 8 * 8 - 8;
  REQUIRE(made.n == 8 + padded + sizeof data);
  CHECK(made.at[0] == (uint8_t)padded && made.at[1] == padded >> 8 && made.at[7] == 0);
  CHECK(memcmp(made.at + 8, header, length) == 0);
  for (size_t i = length; i < padded; i++) CHECK(made.at[8 + i] == ' ');
  CHECK(memcmp(made.at + 8 + padded, data, sizeof data) == 0);
  tsr_bundle_release(&b);
  tsr_metadata_release(&meta);
  CHECK(m.failing.live == 0);
}

TEST(alignment_of_the_data) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0};
  add_const(ctx, &b, "x", numbers, TSR_U8, TSR_SHAPE(24));
  for (size_t align = 8; align <= 4096; align *= 2) {
    const tsr_safetensors_save_options how = {.align = align};
    OK(ctx, st_encode(ctx, &b, NULL, &how, &made));
    CHECK((made.n - sizeof numbers) % align == 0 && memcmp(made.at + made.n - 24, numbers, 24) == 0);
  }
  static const size_t bad[] = {1, 4, 12, 8192};
  for (int i = 0; i < 4; i++) {
    const tsr_safetensors_save_options how = {.align = bad[i]};
    FAILS(ctx, TSR_EARG, st_encode(ctx, &b, NULL, &how, &made));
    MESSAGE_HAS(ctx, "is not a power of two from 8 to 4096");
  }
  tsr_bundle_release(&b);
}

/* ---- round trips ---- */

static bool same_order(const tsr_tensor *a, const tsr_tensor *b) {
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] > 1 && a->stride[i] != b->stride[i]) return false;
  return true;
}

/* Every dtype, every layout of the test table: elements always; strides where the tensor is dense. */
TEST(every_dtype_and_order) {
  static st_bytes made;
  static test_buffer buffer;
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    for (int k = 0; k < test_layout_count(); k++) {
      for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
        npy_memory m;
        tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
        tsr_bundle b = {0}, back = {0};
        const tsr_safetensors_options options = {.access = access};
        test_buffer_number(&buffer, dtype);
        tsr_tensor t = test_over(&buffer, dtype, test_layout_at(k)), whole = t;
        OK(ctx, tsr_bundle_add(ctx, &b, "t", &t));
        OK(ctx, st_encode(ctx, &b, NULL, NULL, &made));
        OK(ctx, tsr_safetensors_decode(ctx, made.at, made.n, &options, &back, NULL));
        REQUIRE(back.count == 1 && back.tensors[0].dtype == dtype && tsr_same_shape(&whole, &back.tensors[0]));
        CHECK(test_same_elements(&whole, &back.tensors[0]));
        bool forward = tsr_size(&whole) > 0 && tsr_is_contiguous(&whole, TSR_MEMORY);
        for (int i = 0; i < whole.ndim; i++) forward = forward && (whole.shape[i] <= 1 || whole.stride[i] > 0);
        if (forward) CHECK(same_order(&whole, &back.tensors[0]));
        CHECK(((back.tensors[0].flags & TSR_READONLY) != 0) ==
              (back.tensors[0].storage == NULL && tsr_size(&whole) > 0));
        tsr_bundle_release(&back);
        tsr_bundle_release(&b);
        CHECK(m.failing.live == 0);
      }
    }
  }
}

/* SEEDS N11: a tensor and back, its tag and the order of its axes with it; others see row-major elements. */
TEST(keeps_layout_and_order) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0}, back = {0}, plain = {0};
  tsr_metadata meta = {0}, raw = {0};
  tsr_tensor t = {0};
  static const int axes[] = {0, 2, 3, 1};
  OK(ctx, tsr_desc_init_permuted(ctx, TSR_I16, TSR_SHAPE(2, 3, 1, 2), axes, &t));
  OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &t));
  for (int i = 0; i < 12; i++) ((int16_t *)t.data)[i] = (int16_t)i;
  t.layout = TSR_NCHW;
  OK(ctx, tsr_bundle_add(ctx, &b, "x\"y", &t));
  OK(ctx, tsr_metadata_set(ctx, &meta, "format", "pt"));
  OK(ctx, tsr_metadata_set(ctx, &meta, "tessera.order.stale", "1,0")); /* reserved: left out */
  OK(ctx, st_encode(ctx, &b, &meta, NULL, &made));
  tsr_metadata_release(&meta);
  OK(ctx, tsr_safetensors_decode(ctx, made.at, made.n, NULL, &back, &meta));
  const tsr_tensor *x = tsr_bundle_find(&back, "x\"y");
  REQUIRE(x != NULL);
  CHECK(x->layout == TSR_NCHW && tsr_desc_equal(x, &b.tensors[0]) && memcmp(x->data, b.tensors[0].data, 24) == 0);
  CHECK(meta.count == 1 && strcmp(tsr_metadata_find(&meta, "format"), "pt") == 0);
  const tsr_safetensors_options as_it_is = {.plain = true};
  OK(ctx, tsr_safetensors_decode(ctx, made.at, made.n, &as_it_is, &plain, &raw));
  CHECK(plain.tensors[0].layout == TSR_PLAIN && tsr_is_contiguous(&plain.tensors[0], TSR_ROW_MAJOR));
  CHECK(test_same_elements(&plain.tensors[0], x));
  CHECK(raw.count == 3 && tsr_metadata_find(&raw, "tessera.order.x\"y") != NULL);
  tsr_bundle_release(&b);
  tsr_bundle_release(&back);
  tsr_bundle_release(&plain);
  tsr_metadata_release(&meta);
  tsr_metadata_release(&raw);
  CHECK(m.failing.live == 0);
}

/* Metadata that does not fit its tensor says nothing. */
TEST(hints_that_do_not_fit) {
  static const char *const hints[] = {
      "\"tessera.layout.a\":\"NCHW\"", "\"tessera.layout.a\":\"none\"", "\"tessera.layout.b\":\"NC\"",
      "\"tessera.order.a\":\"0\"",     "\"tessera.order.a\":\"0,0\"",   "\"tessera.order.a\":\"1,2\"",
      "\"tessera.order.a\":\"1,0,\"",  "\"tessera.order.a\":\"\"",      "\"tessera.order.a\":\"1;0\"",
      "\"tessera.order.\":\"1,0\"",    "\"tessera.order.a\":\"-1,0\""};
  static st_bytes made;
  for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
    char header[256];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    tsr_metadata meta = {0};
    (void)snprintf(header, sizeof header,
                   "{\"__metadata__\":{%s},\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}",
                   hints[i]);
    st_make(header, numbers, sizeof numbers, &made);
    OK(ctx, tsr_safetensors_decode(ctx, made.at, made.n, NULL, &b, &meta));
    REQUIRE(b.count == 1);
    CHECK(b.tensors[0].layout == TSR_PLAIN && tsr_is_contiguous(&b.tensors[0], TSR_ROW_MAJOR) && meta.count == 0);
    tsr_bundle_release(&b);
    CHECK(m.failing.live == 0);
  }
}

/* ---- in place ---- */

TEST(borrows_where_it_can) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0};
  /* 8 + 120 bytes of header: a is aligned, b at an odd byte is not */
  char header[121];
  (void)snprintf(header, sizeof header, "%-120s",
                 "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                 "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}");
  static const uint8_t data[] = {9, 0, 0, 0x80, 0x3f};
  st_make(header, data, sizeof data, &made);
  OK(ctx, tsr_safetensors_decode(ctx, made.at, made.n, NULL, &b, NULL));
  REQUIRE(b.count == 2);
  CHECK(b.tensors[0].data == made.at + 128 && b.tensors[0].flags == TSR_READONLY);
  CHECK(b.tensors[1].flags == TSR_OWNS && *(float *)b.tensors[1].data == 1.0f);
  tsr_bundle_release(&b);
  CHECK(m.failing.live == 0);
}

/* ---- dtypes without a tensor ---- */

TEST(opaque_bytes_on_request) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0};
  const tsr_safetensors_options options = {.opaque = true};
  st_make(
      "{\"s\":{\"dtype\":\"F8_E8M0\",\"shape\":[2,2],\"data_offsets\":[0,4]},"
      "\"q\":{\"dtype\":\"F4\",\"shape\":[2,4],\"data_offsets\":[4,8]},"
      "\"h\":{\"dtype\":\"F6_E2M3\",\"shape\":[4],\"data_offsets\":[8,11]}}",
      "abcdefghijk", 11, &made);
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_safetensors_decode(ctx, made.at, made.n, NULL, &b, NULL));
  MESSAGE_HAS(ctx, "unsupported dtype F8_E8M0");
  OK(ctx, tsr_safetensors_decode(ctx, made.at, made.n, &options, &b, NULL));
  REQUIRE(b.count == 3);
  CHECK(b.tensors[0].dtype == TSR_U8 && b.tensors[0].ndim == 2 && memcmp(b.tensors[0].data, "abcd", 4) == 0);
  CHECK(b.tensors[1].ndim == 1 && b.tensors[1].shape[0] == 4 && memcmp(b.tensors[1].data, "efgh", 4) == 0);
  CHECK(b.tensors[2].ndim == 1 && b.tensors[2].shape[0] == 3 && memcmp(b.tensors[2].data, "ijk", 3) == 0);
  tsr_bundle_release(&b);
  st_make("{\"q\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}", "a", 1, &made);
  FAILS(ctx, TSR_EFORMAT, tsr_safetensors_decode(ctx, made.at, made.n, &options, &b, NULL));
  MESSAGE_HAS(ctx, "F4 [3] does not fill its last byte");
}

/* ---- readers ---- */

static tsr_status note(void *user, const tsr_safetensors_entry *e) {
  char *text = user;
  char line[64];
  (void)snprintf(line, sizeof line, "%s %s %d %d+%d;", e->name, e->type, e->ndim, (int)e->offset, (int)e->bytes);
  strcat(text, line);
  return strcmp(e->name, "stop") == 0 ? TSR_ENAME : TSR_OK;
}

TEST(reads_only_what_is_asked_for) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0};
  char text[128] = "";
  st_reader state;
  add_const(ctx, &b, "x", numbers, TSR_F32, TSR_SHAPE(2, 3));
  add_const(ctx, &b, "y", numbers, TSR_U8, TSR_SHAPE(24));
  OK(ctx, st_encode(ctx, &b, NULL, NULL, &made));
  tsr_reader reader = st_reader_of(&state, made.at, made.n);
  OK(ctx, tsr_safetensors_list(ctx, &reader, NULL, note, text));
  CHECK(strcmp(text, "x F32 2 120+24;y U8 1 144+24;") == 0 && state.calls == 2);
  tsr_tensor t = {0};
  OK(ctx, tsr_safetensors_read_tensor(ctx, &reader, NULL, "x", &t));
  CHECK(state.calls == 5 && t.flags == TSR_OWNS && memcmp(t.data, numbers, sizeof numbers) == 0);
  tsr_release(&t);
  float column[6] = {0};
  OK(ctx, tsr_from_memory(ctx, column, TSR_F32, TSR_SHAPE(2, 3), &t));
  t.stride[0] = 1, t.stride[1] = 2;
  OK(ctx, tsr_safetensors_read_tensor(ctx, &reader, NULL, "x", &t));
  CHECK(column[1] == 3 && column[2] == 1 && column[5] == 5);
  FAILS(ctx, TSR_EDTYPE, tsr_safetensors_read_tensor(ctx, &reader, NULL, "y", &t));
  FAILS(ctx, TSR_ENAME, tsr_safetensors_read_tensor(ctx, &reader, NULL, "z", &t));
  tsr_bundle_release(&b);
  CHECK(m.failing.live == 0);
}

TEST(a_reader_that_fails) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0}, back = {0};
  add_const(ctx, &b, "x", numbers, TSR_F32, TSR_SHAPE(2, 3));
  add_const(ctx, &b, "y", numbers, TSR_U8, TSR_SHAPE(24));
  OK(ctx, st_encode(ctx, &b, NULL, NULL, &made));
  tsr_bundle_release(&b);
  for (size_t fail_at = 0; fail_at <= 4; fail_at++) {
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, made.at, made.n);
    state.fail_at = fail_at;
    FAILS(ctx, fail_at < 4 ? TSR_EIO : TSR_OK, tsr_safetensors_read(ctx, &reader, NULL, &back, NULL));
    if (fail_at < 4) MESSAGE_HAS(ctx, "the reader failed at byte ");
    CHECK(back.count == (fail_at < 4 ? 0 : 2));
    tsr_bundle_release(&back);
    CHECK(m.failing.live == 0);
  }
}

/* ---- limits and bad calls ---- */

TEST(bad_calls) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0}, back = {0};
  add_const(ctx, &b, "x", numbers, TSR_F32, TSR_SHAPE(2));
  add_const(ctx, &b, "y", numbers, TSR_F32, TSR_SHAPE(2));
  OK(ctx, st_encode(ctx, &b, NULL, NULL, &made));
  tsr_bundle_release(&b);
  OK(ctx, tsr_safetensors_decode(ctx, made.at, made.n, NULL, &back, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_safetensors_decode(ctx, made.at, made.n, NULL, &back, NULL));
  MESSAGE_HAS(ctx, "holds 2 tensors");
  tsr_bundle_release(&back);
  const tsr_safetensors_options options = {.access = 3};
  FAILS(ctx, TSR_EARG, tsr_safetensors_decode(ctx, made.at, made.n, &options, &back, NULL));
  FAILS(ctx, TSR_EARG, tsr_safetensors_decode(ctx, NULL, 8, NULL, &back, NULL));
  FAILS(ctx, TSR_EARG, tsr_safetensors_decode(ctx, made.at, made.n, NULL, NULL, NULL));
  FAILS(ctx, TSR_EFORMAT, tsr_safetensors_decode(ctx, NULL, 0, NULL, &back, NULL));
  FAILS(ctx, TSR_EARG, tsr_safetensors_read(ctx, NULL, NULL, &back, NULL));
}

TEST(what_cannot_be_written) {
  static st_bytes made;
  static const struct {
    const char *name;
    tsr_status status;
    const char *message;
  } rows[] = {{"__metadata__", TSR_ENAME, "the format keeps that name"},
              {"a\xff", TSR_EARG, "is not UTF-8 from '?' on"}};
  for (int i = 0; i < 2; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    add_const(ctx, &b, rows[i].name, numbers, TSR_F32, TSR_SHAPE(2));
    FAILS(ctx, rows[i].status, st_encode(ctx, &b, NULL, NULL, &made));
    MESSAGE_HAS(ctx, rows[i].message);
    CHECK(made.n == 0);
    tsr_bundle_release(&b);
    CHECK(m.failing.live == 0);
  }
  tsr_bundle described = {0};
  tsr_tensor t = {0};
  OK(NULL, tsr_desc_init(NULL, TSR_F32, TSR_SHAPE(2), &t));
  OK(NULL, tsr_bundle_add(NULL, &described, "d", &t));
  FAILS(NULL, TSR_ESTATE, st_encode(NULL, &described, NULL, NULL, &made));
  tsr_bundle_release(&described);
  FAILS(NULL, TSR_EARG, st_encode(NULL, NULL, NULL, NULL, &made));
  tsr_bundle none = {0};
  FAILS(NULL, TSR_EARG, tsr_safetensors_write(NULL, &none, NULL, NULL, NULL));
  OK(NULL, st_encode(NULL, &none, NULL, NULL, &made));
  CHECK(made.n == 16 && memcmp(made.at + 8, "{}      ", 8) == 0);
}

/* ---- faults ---- */

/* A sink that takes only so much: a full disk. */
typedef struct small_sink {
  size_t left;
} small_sink;

static tsr_status small_write(void *self, const void *bytes, size_t n) {
  small_sink *s = self;
  (void)bytes;
  if (n > s->left) return TSR_EIO;
  s->left -= n;
  return TSR_OK;
}

TEST(a_sink_that_fails) {
  static st_bytes made;
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = {0};
  tsr_tensor columns = {0};
  add_const(ctx, &b, "x", numbers, TSR_F32, TSR_SHAPE(2, 3));
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F32, TSR_SHAPE(3, 2), &columns));
  columns.stride[0] = 1, columns.stride[1] = 3;
  OK(ctx, tsr_bundle_add(ctx, &b, "y", &columns));
  OK(ctx, st_encode(ctx, &b, NULL, NULL, &made));
  for (size_t room = 0; room <= made.n; room++) {
    small_sink state = {.left = room};
    const tsr_sink sink = {.size = sizeof(tsr_sink), .write = small_write, .self = &state};
    FAILS(ctx, room < made.n ? TSR_EIO : TSR_OK, tsr_safetensors_write(ctx, &b, NULL, NULL, &sink));
    if (room < made.n) MESSAGE_HAS(ctx, "the sink failed after byte ");
  }
  tsr_bundle_release(&b);
  CHECK(m.failing.live == 0);
}

TEST(each_allocation_fails_in_turn) {
  static st_bytes made;
  tsr_bundle b = {0};
  tsr_metadata meta = {0};
  add_const(NULL, &b, "x", numbers, TSR_F32, TSR_SHAPE(2, 3));
  add_const(NULL, &b, "y", numbers, TSR_U8, TSR_SHAPE(24));
  OK(NULL, tsr_metadata_set(NULL, &meta, "a", "b"));
  OK(NULL, st_encode(NULL, &b, &meta, NULL, &made));
  bool done = false;
  size_t fail_at = 0;
  for (; !done && fail_at < 40; fail_at++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, fail_at, false);
    tsr_bundle back = {0};
    tsr_metadata pairs = {0};
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, made.at, made.n);
    const tsr_status st = tsr_safetensors_read(ctx, &reader, NULL, &back, &pairs);
    done = m.failing.calls <= fail_at;
    CHECK(st == (done ? TSR_OK : TSR_ENOMEM));
    CHECK(back.count == (done ? 2 : 0) && pairs.count == (done ? 1 : 0));
    tsr_bundle_release(&back);
    tsr_metadata_release(&pairs);
    CHECK(m.failing.live == 0);
  }
  CHECK(done && fail_at > 8);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, 0, true);
  FAILS(ctx, TSR_ENOMEM, st_encode(ctx, &b, &meta, NULL, &made));
  CHECK(made.n == 0);
  tsr_bundle_release(&b);
  tsr_metadata_release(&meta);
}

TEST(metadata_sets_and_replaces) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_metadata meta = {0};
  char key[8];
  for (int i = 0; i < 40; i++) {
    (void)snprintf(key, sizeof key, "k%d", i % 20);
    OK(ctx, tsr_metadata_set(ctx, &meta, key, i < 20 ? "old" : "new"));
  }
  CHECK(meta.count == 20 && strcmp(tsr_metadata_find(&meta, "k7"), "new") == 0);
  CHECK(tsr_metadata_find(&meta, "k20") == NULL && tsr_metadata_find(NULL, "k") == NULL);
  FAILS(ctx, TSR_EARG, tsr_metadata_set(ctx, &meta, NULL, "x"));
  FAILS(ctx, TSR_EARG, tsr_metadata_set(ctx, &meta, "x", NULL));
  tsr_metadata_release(&meta);
  CHECK(m.failing.live == 0 && meta.count == 0);
}

TEST_MAIN(RUN(writes_these_bytes), RUN(alignment_of_the_data), RUN(every_dtype_and_order), RUN(keeps_layout_and_order),
          RUN(hints_that_do_not_fit), RUN(borrows_where_it_can), RUN(opaque_bytes_on_request),
          RUN(reads_only_what_is_asked_for), RUN(a_reader_that_fails), RUN(bad_calls), RUN(what_cannot_be_written),
          RUN(a_sink_that_fails), RUN(each_allocation_fails_in_turn), RUN(metadata_sets_and_replaces))
