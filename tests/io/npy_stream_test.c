/* Outputs of every kind, sources and sinks that fail at every byte, memory that fails at every call. */
#include "npy_support.h"

static const char header_2x3[] = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n";
static const char header_2x3_fortran[] = "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n";
static const uint8_t data_2x3[12] = {0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1}; /* 256 + k, little-endian */

static int16_t at(const tsr_tensor *t, tsr_index i, tsr_index j) {
  return ((const int16_t *)t->data)[i * t->stride[0] + j * t->stride[1]];
}

static bool counts_rows(const tsr_tensor *t) {
  for (int k = 0; k < 6; k++)
    if (at(t, k / 3, k % 3) != 256 + k) return false;
  return true;
}

static bool counts_columns(const tsr_tensor *t) {
  for (int k = 0; k < 6; k++)
    if (at(t, k % 2, k / 2) != 256 + k) return false;
  return true;
}

/* ---- outputs ---- */

TEST(given_outputs_of_any_strides) {
  const npy_bytes rows = npy_make(1, header_2x3, data_2x3, 12), columns = npy_make(1, header_2x3_fortran, data_2x3, 12);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  int16_t memory[48] = {0};
  tsr_tensor whole = {0}, t = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I16, TSR_SHAPE(2, 3), &t)); /* as the file */
  OK(ctx, tsr_npy_decode(ctx, rows.at, rows.n, NULL, NULL, &t));
  CHECK(counts_rows(&t));
  OK(ctx, tsr_npy_decode(ctx, columns.at, columns.n, NULL, NULL, &t));
  CHECK(counts_columns(&t));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I16, TSR_SHAPE(3, 2), &whole)); /* transposed */
  OK(ctx, tsr_transpose(ctx, &whole, 0, 1, &t));
  OK(ctx, tsr_npy_decode(ctx, rows.at, rows.n, NULL, NULL, &t));
  CHECK(counts_rows(&t));
  OK(ctx, tsr_npy_decode(ctx, columns.at, columns.n, NULL, NULL, &t));
  CHECK(counts_columns(&t));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I16, TSR_SHAPE(4, 9), &whole)); /* with gaps, backwards */
  OK(ctx, tsr_slice(ctx, &whole, 0, 3, TSR_OMIT, -2, &t));
  OK(ctx, tsr_slice(ctx, &t, 1, 1, 9, 3, &t));
  memset(memory, 0x55, sizeof memory);
  OK(ctx, tsr_npy_decode(ctx, rows.at, rows.n, NULL, NULL, &t));
  CHECK(counts_rows(&t));
  OK(ctx, tsr_npy_decode(ctx, columns.at, columns.n, NULL, NULL, &t));
  CHECK(counts_columns(&t));
  CHECK(memory[0] == 0x5555 && memory[3 * 9] == 0x5555 && memory[3 * 9 + 2] == 0x5555);
  CHECK(m.failing.calls == 0); /* given outputs need no memory at all */
}

TEST(given_outputs_that_do_not_fit) {
  const npy_bytes b = npy_make(1, header_2x3, data_2x3, 12);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  int16_t memory[6] = {0};
  tsr_tensor t = {0}, row = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I16, TSR_SHAPE(3, 2), &t));
  FAILS(ctx, TSR_ESHAPE, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_U16, TSR_SHAPE(2, 3), &t));
  FAILS(ctx, TSR_EDTYPE, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  OK(ctx, tsr_from_const_memory(ctx, memory, TSR_I16, TSR_SHAPE(2, 3), &t));
  FAILS(ctx, TSR_EREADONLY, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I16, TSR_SHAPE(3), &row));
  OK(ctx, tsr_broadcast_to(ctx, &row, TSR_SHAPE(2, 3), &t));
  FAILS(ctx, TSR_EOVERLAP, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  for (int i = 0; i < 6; i++) CHECK(memory[i] == 0);
}

TEST(described_outputs_are_allocated_as_described) {
  const npy_bytes b = npy_make(1, header_2x3, data_2x3, 12);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_I16, TSR_SHAPE(2, 3), TSR_FORTRAN, &t));
  OK(ctx, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  CHECK(t.stride[0] == 1 && t.stride[1] == 2 && counts_rows(&t));
  tsr_release(&t);
  OK(ctx, tsr_desc_init(ctx, TSR_I16, TSR_SHAPE(2, 4), &t));
  FAILS(ctx, TSR_ESHAPE, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t));
  CHECK(t.data == NULL && t.shape[1] == 4 && m.failing.live == 0);
}

TEST(zero_size_outputs) {
  const npy_bytes b = npy_make(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", NULL, 0);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  size_t used = 0;
  OK(ctx, tsr_npy_decode(ctx, b.at, b.n, NULL, &used, &t));
  CHECK(t.dtype == TSR_F32 && t.ndim == 2 && tsr_size(&t) == 0 && used == b.n);
  OK(ctx, tsr_npy_decode(ctx, b.at, b.n, NULL, &used, &t)); /* counts as given now */
  tsr_release(&t);
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(0, 4), &t));
  FAILS(ctx, TSR_ESHAPE, tsr_npy_decode(ctx, b.at, b.n, NULL, &used, &t));
  CHECK(m.failing.live == 0);
}

/* ---- writing any strides ---- */

static void writes_like(tsr_ctx *ctx, const tsr_tensor *t, int ndim, const tsr_index *shape, const int16_t *elements) {
  tsr_tensor copy = {0};
  npy_bytes got, want;
  OK(ctx, tsr_from_const_memory(ctx, elements, TSR_I16, ndim, shape, &copy));
  OK(ctx, npy_encode(ctx, &copy, &want));
  OK(ctx, npy_encode(ctx, t, &got));
  CHECK(bytes_same(&got, &want));
}

TEST(views_write_like_their_copies) {
  static const int16_t memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  static const int16_t stepped[] = {0, 2, 8, 10}, flipped[] = {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8};
  static const int16_t repeated[] = {4, 5, 6, 7, 4, 5, 6, 7}, swapped[] = {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11};
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor whole = {0}, cube = {0}, t = {0};
  OK(ctx, tsr_from_const_memory(ctx, memory, TSR_I16, TSR_SHAPE(3, 4), &whole));
  OK(ctx, tsr_slice(ctx, &whole, 0, TSR_OMIT, TSR_OMIT, 2, &t));
  OK(ctx, tsr_slice(ctx, &t, 1, TSR_OMIT, TSR_OMIT, 2, &t));
  writes_like(ctx, &t, TSR_SHAPE(2, 2), stepped);
  OK(ctx, tsr_flip(ctx, &whole, 1, &t));
  writes_like(ctx, &t, TSR_SHAPE(3, 4), flipped);
  OK(ctx, tsr_select(ctx, &whole, 0, 1, &t));
  OK(ctx, tsr_broadcast_to(ctx, &t, TSR_SHAPE(2, 4), &t));
  writes_like(ctx, &t, TSR_SHAPE(2, 4), repeated);
  OK(ctx, tsr_from_const_memory(ctx, memory, TSR_I16, TSR_SHAPE(2, 2, 3), &cube));
  OK(ctx, tsr_permute(ctx, &cube, (const int[]){1, 2, 0}, &t)); /* neither order */
  writes_like(ctx, &t, TSR_SHAPE(2, 3, 2), swapped);
  CHECK(m.failing.calls == 0);
}

TEST(transposed_matrices_keep_fortran_order) {
  static const int16_t memory[6] = {0, 1, 2, 3, 4, 5};
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0}, back = {0};
  npy_bytes b;
  OK(ctx, tsr_from_const_memory(ctx, memory, TSR_I16, TSR_SHAPE(2, 3), &t));
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &t));
  OK(ctx, npy_encode(ctx, &t, &b));
  CHECK(memcmp(b.at + 10, "{'descr': '<i2', 'fortran_order': True, 'shape': (3, 2), }", 58) == 0);
  CHECK(memcmp(b.at + b.n - 12, "\0\0\1\0\2\0\3\0\4\0\5\0", 12) == 0);
  OK(ctx, tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &back));
  CHECK(tsr_desc_equal(&t, &back));
  tsr_release(&back);
}

/* More elements than pass through the stack at one time, in both directions, in items of 1 to 16 bytes. */
TEST(large_views) {
#if TSR_HAVE_MALLOC
  enum { ROWS = 700, COLS = 30 };
  static uint8_t memory[ROWS * COLS * 16], copy[ROWS * COLS * 16], file[ROWS * COLS * 16 + 256];
  static const uint8_t dtypes[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U64, TSR_C128};
  for (size_t d = 0; d < sizeof dtypes; d++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0}, rows = {0}, back = {0};
    const size_t item = tsr_dtype_size(dtypes[d]);
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = (uint8_t)(i * 7 + i / 251);
    OK(ctx, tsr_from_memory(ctx, memory, dtypes[d], TSR_SHAPE(ROWS, COLS), &t));
    OK(ctx, tsr_flip(ctx, &t, 1, &t)); /* each row backwards: gathered */
    FILE *stream = tmpfile();
    REQUIRE(stream != NULL);
    const tsr_sink sink = tsr_sink_stdio(stream);
    OK(ctx, tsr_npy_write(ctx, &t, &sink));
    rewind(stream);
    const size_t n = fread(file, 1, sizeof file, stream);
    (void)fclose(stream);
    CHECK(n == 128 + ROWS * COLS * item);
    OK(ctx, tsr_from_memory(ctx, copy, dtypes[d], TSR_SHAPE(ROWS, COLS), &rows));
    OK(ctx, tsr_flip(ctx, &rows, 1, &back)); /* scattered: the memory is the first one again */
    OK(ctx, tsr_npy_decode(ctx, file, n, NULL, NULL, &back));
    CHECK(memcmp(copy, memory, ROWS * COLS * item) == 0);
  }
#else
  SKIP("too large for this profile");
#endif
}

/* ---- failures at every byte ---- */

TEST(cut_at_every_byte) {
  const npy_bytes b = npy_make(1, header_2x3, data_2x3, 12);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  for (size_t n = 0; n < b.n; n++) {
    tsr_tensor t = {0};
    npy_source source = {.at = b.at, .n = n, .fail_at = SIZE_MAX};
    FAILS(ctx, TSR_EFORMAT, tsr_npy_decode(ctx, b.at, n, NULL, NULL, &t));
    FAILS(ctx, TSR_EFORMAT, npy_read_from(ctx, &source, NULL, &t));
    CHECK(tsr_is_none(&t) && m.failing.live == 0);
  }
}

TEST(sources_that_fail_at_every_byte) {
  const npy_bytes b = npy_make(1, header_2x3, data_2x3, 12);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  for (size_t fail_at = 0; fail_at < b.n; fail_at++) {
    for (size_t chunk = 0; chunk < 3; chunk++) {
      tsr_tensor t = {0};
      npy_source source = {.at = b.at, .n = b.n, .fail_at = fail_at, .chunk = chunk};
      FAILS(ctx, TSR_EIO, npy_read_from(ctx, &source, NULL, &t));
      MESSAGE_HAS(ctx, "npy_read: the source failed at byte ");
      CHECK(tsr_is_none(&t) && m.failing.live == 0);
    }
  }
}

/* A given output may be partly written, but stays what it is. */
TEST(given_outputs_of_sources_that_fail) {
  const npy_bytes b = npy_make(1, header_2x3, data_2x3, 12);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  int16_t memory[6] = {0};
  tsr_tensor whole = {0}, t = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_I16, TSR_SHAPE(3, 2), &whole));
  OK(ctx, tsr_transpose(ctx, &whole, 0, 1, &t));
  const tsr_tensor before = t;
  for (size_t n = 0; n < b.n; n++) {
    npy_source cut = {.at = b.at, .n = n, .fail_at = SIZE_MAX},
               broken = {.at = b.at, .n = b.n, .fail_at = n, .chunk = 1};
    FAILS(ctx, TSR_EFORMAT, npy_read_from(ctx, &cut, NULL, &t));
    FAILS(ctx, TSR_EIO, npy_read_from(ctx, &broken, NULL, &t));
    CHECK(same_handle(&t, &before));
  }
}

static tsr_status gives_too_much(void *self, void *bytes, size_t n, size_t *got) {
  (void)self;
  memset(bytes, 0, n);
  *got = n + 1;
  return TSR_OK;
}

TEST(a_source_that_lies) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_source source = {.size = sizeof(tsr_source), .read = gives_too_much};
  tsr_tensor t = {0};
  FAILS(ctx, TSR_EIO, tsr_npy_read(ctx, &source, NULL, &t));
}

TEST(a_source_is_left_behind_the_last_byte) {
  npy_bytes b = npy_make(1, header_2x3, data_2x3, 12);
  const npy_bytes second = npy_make(2, header_2x3_fortran, data_2x3, 12);
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  const size_t first = b.n;
  bytes_add(&b, second.at, second.n);
  npy_source source = {.at = b.at, .n = b.n, .fail_at = SIZE_MAX};
  OK(ctx, npy_read_from(ctx, &source, NULL, &t));
  CHECK(source.taken == first && counts_rows(&t));
  tsr_release(&t);
  OK(ctx, npy_read_from(ctx, &source, NULL, &t));
  CHECK(source.taken == b.n && counts_columns(&t));
  tsr_release(&t);
  FAILS(ctx, TSR_EFORMAT, npy_read_from(ctx, &source, NULL, &t));
}

TEST(sinks_that_fail_at_every_byte) {
  const int16_t memory[6] = {0};
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = {0};
  npy_bytes whole;
  OK(ctx, tsr_from_const_memory(ctx, memory, TSR_I16, TSR_SHAPE(2, 3), &t));
  OK(ctx, npy_encode(ctx, &t, &whole));
  for (size_t fail_at = 0; fail_at <= whole.n; fail_at++) {
    npy_sink state = {.fail_at = fail_at};
    const tsr_sink sink = {.size = sizeof(tsr_sink), .write = npy_sink_write, .self = &state};
    FAILS(ctx, fail_at == whole.n ? TSR_OK : TSR_EIO, tsr_npy_write(ctx, &t, &sink));
    if (fail_at < whole.n) MESSAGE_HAS(ctx, "npy_write: the sink failed after byte ");
  }
}

/* ---- memory ---- */

TEST(each_allocation_fails_in_turn) {
  const npy_bytes b = npy_make(1, header_2x3_fortran, data_2x3, 12);
  for (int way = 0; way < 3; way++) {
    tsr_status st = TSR_ENOMEM;
    for (size_t fail_at = 0; st != TSR_OK && fail_at < 20; fail_at++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, fail_at, true);
      tsr_tensor t = {0};
      npy_source source = {.at = b.at, .n = b.n, .fail_at = SIZE_MAX};
      if (way == 2) OK(ctx, tsr_desc_init(ctx, TSR_I16, TSR_SHAPE(2, 3), &t));
      const tsr_tensor before = t;
      st = way == 1 ? npy_read_from(ctx, &source, NULL, &t) : tsr_npy_decode(ctx, b.at, b.n, NULL, NULL, &t);
      CHECK(st == TSR_OK || (st == TSR_ENOMEM && same_handle(&t, &before)));
      CHECK(st == TSR_OK || fail_at == 0); /* one block a tensor */
      tsr_release(&t);
      CHECK(m.failing.live == 0);
    }
    CHECK(st == TSR_OK);
  }
}

/* A stream that declares more than it has never makes the reader ask for much more than came. */
TEST(memory_follows_the_bytes) {
#if TSR_HAVE_MALLOC && TSR_INDEX_BITS == 64
  static const uint8_t some[64];
  const npy_bytes b = npy_make(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1073741824,), }", some, 20);
  tsr_counting counting;
  tsr_ctx ctx;
  tsr_tensor t = {0};
  npy_source source = {.at = b.at, .n = b.n, .fail_at = SIZE_MAX};
  REQUIRE(tsr_counting_init(NULL, 0, 0, &counting) == TSR_OK);
  REQUIRE(tsr_context_init(&ctx, &counting.allocator) == TSR_OK);
  FAILS(&ctx, TSR_EFORMAT, npy_read_from(&ctx, &source, NULL, &t));
  MESSAGE_HAS(&ctx, "data cut short: u8 [1073741824] takes 1073741824 bytes, 20 are there");
  CHECK(counting.stats.peak <= (1 << 20) + 4096 && counting.stats.in_use == 0);
#else
  SKIP("too large for this profile");
#endif
}

#if TSR_HAVE_MALLOC
/* A file of a header and n bytes that count, made as it is read. */
typedef struct counting_source {
  npy_bytes header;
  size_t at, n;
} counting_source;

static tsr_status counting_read(void *self, void *bytes, size_t n, size_t *got) {
  counting_source *s = self;
  for (*got = 0; *got < n && s->at < s->header.n + s->n; ++*got, ++s->at)
    ((uint8_t *)bytes)[*got] = s->at < s->header.n ? s->header.at[s->at] : (uint8_t)((s->at - s->header.n) % 251);
  return TSR_OK;
}
#endif

TEST(streams_of_several_steps) {
#if TSR_HAVE_MALLOC
  const npy_bytes header = npy_make(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (1000, 5001), }", NULL, 0);
  for (size_t fail_at = 0; fail_at < 5; fail_at++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, fail_at, false);
    counting_source state = {.header = header, .n = 5001000};
    const tsr_source source = {.size = sizeof(tsr_source), .read = counting_read, .self = &state};
    tsr_tensor t = {0};
    const tsr_status st = tsr_npy_read(ctx, &source, NULL, &t);
    CHECK(st == (fail_at < 3 ? TSR_ENOMEM : TSR_OK)); /* 1 MiB, 2 MiB, all */
    size_t wrong = 0;
    for (size_t i = 0; st == TSR_OK && i < 5001000; i++) wrong += ((const uint8_t *)t.data)[i] != i % 251;
    CHECK(wrong == 0 && (st != TSR_OK || (t.stride[1] == 1000 && tsr_nbytes(&t) == 5001000)));
    tsr_release(&t);
    CHECK(m.failing.live == 0);
  }
#else
  SKIP("too large for this profile");
#endif
}

TEST_MAIN(RUN(given_outputs_of_any_strides), RUN(given_outputs_that_do_not_fit),
          RUN(described_outputs_are_allocated_as_described), RUN(zero_size_outputs), RUN(views_write_like_their_copies),
          RUN(transposed_matrices_keep_fortran_order), RUN(large_views), RUN(cut_at_every_byte),
          RUN(sources_that_fail_at_every_byte), RUN(given_outputs_of_sources_that_fail), RUN(a_source_that_lies),
          RUN(a_source_is_left_behind_the_last_byte), RUN(sinks_that_fail_at_every_byte),
          RUN(each_allocation_fails_in_turn), RUN(memory_follows_the_bytes), RUN(streams_of_several_steps))
