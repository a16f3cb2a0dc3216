/* Tables larger than one wave of text: the same whatever the threads and the source; kinds that change late; block by block; memory that
 * fails; limits; gzip; numbers as the C library reads them. */
#include "files_support.h"
#include "support/brief.h"

#include <tessera/csv.h>
#include <tessera/formats.h>
#include <tessera/ops.h>
#include <tessera/safetensors.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_F64

#include <math.h>

/* ---- texts ---- */

static uint64_t state = 1;
static uint32_t next_random(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

enum { TEXT_BYTES = 3 << 20 };
static char text[TEXT_BYTES + 256];

/* Rows of every kind, with quotes, quoted ends of lines and gaps; returns the bytes, *rows how many. */
static size_t make_text(tsr_index *rows) {
  size_t n = (size_t)snprintf(text, sizeof text, "id,value,city,when,flag,note\n");
  state = 7;
  for (*rows = 0; n < TEXT_BYTES; ++*rows) {
    const uint32_t r = next_random();
    n += (size_t)snprintf(text + n, sizeof text - n, "%d,", (int)*rows);
    if (r % 11 != 0) n += (size_t)snprintf(text + n, sizeof text - n, "%.*g", 1 + (int)(r % 17), (double)r / 7 - 1e8);
    n += (size_t)snprintf(text + n, sizeof text - n, ",city%d,2024-0%d-1%d %02d:00:00.%d,%s,", (int)(r % 37),
                          1 + (int)(r % 9), (int)(r % 10), (int)(r % 24), (int)(r % 1000), r % 2 ? "true" : "False");
    if (r % 5 == 0) n += (size_t)snprintf(text + n, sizeof text - n, "\"a \"\"%d\"\",\nb\"", (int)(r % 1000));
    if (r % 5 == 1) n += (size_t)snprintf(text + n, sizeof text - n, "x\"%d", (int)(r % 100));
    n += (size_t)snprintf(text + n, sizeof text - n, "\n");
  }
  return n;
}

static bool same_bytes(const tsr_tensor *a, const tsr_tensor *b) {
  if (a->dtype != b->dtype || a->ndim != b->ndim) return false;
  if (a->dtype == TSR_NONE) return true;
  return a->shape[0] == b->shape[0] && (tsr_size(a) == 0 || memcmp(a->data, b->data, tsr_nbytes(a)) == 0);
}

static bool same_table(const tsr_table *a, const tsr_table *b) {
  if (a->rows != b->rows || a->values.count != b->values.count) return false;
  for (tsr_index i = 0; i < a->values.count; i++) {
    const tsr_column *x = &a->columns[i], *y = &b->columns[i];
    if (strcmp(a->values.tensors[i].name, b->values.tensors[i].name) != 0) return false;
    if (x->kind != y->kind || x->unit != y->unit || x->utc != y->utc || x->missing != y->missing) return false;
    if (!same_bytes(&a->values.tensors[i], &b->values.tensors[i]) || !same_bytes(&x->present, &y->present))
      return false;
    if (x->string_count != y->string_count) return false;
    for (tsr_index k = 0; k < x->string_count; k++)
      if (strcmp(x->strings[k], y->strings[k]) != 0) return false;
  }
  return true;
}

/* ---- rows of a reference: the text taken apart by a few plain lines ---- */

static const char *plain_field(const char *p, char *out) {
  if (*p == '"') {
    for (p++; *p != '"' || p[1] == '"'; p++) {
      p += *p == '"';
      *out++ = *p;
    }
    p++;
  } else {
    while (*p != ',' && *p != '\n') *out++ = *p++;
  }
  *out = '\0';
  return p + 1;
}

TEST(as_a_plain_reading) {
  tsr_table t = {0};
  tsr_index rows = 0, wrong = 0;
  const size_t n = make_text(&rows);
  OK(NULL, tsr_csv_table_decode(NULL, text, n, NULL, &t, NULL));
  REQUIRE(t.rows == rows && t.values.count == 6);
  CHECK(t.columns[0].kind == TSR_COLUMN_NUMBER && t.columns[2].kind == TSR_COLUMN_TEXT);
  CHECK(t.columns[3].kind == TSR_COLUMN_DATETIME && t.columns[4].kind == TSR_COLUMN_BOOL && t.columns[1].missing > 0);
  const char *p = strchr(text, '\n') + 1;
  for (tsr_index i = 0; i < rows; i++) {
    char field[256], shown[256];
    for (int k = 0; k < 6; k++) {
      p = plain_field(p, field);
      OK(NULL, tsr_table_text(NULL, &t, k, i, shown, sizeof shown, NULL));
      if (k == 1 && field[0] != '\0') {
        wrong += ((const double *)t.values.tensors[1].data)[i] != strtod(field, NULL);
      } else if (k == 3) {
        int64_t value = 0;
        CHECK(tsr_time_parse(field, strlen(field), TSR_UNIT_MICROSECOND, &value, NULL));
        wrong += ((const int64_t *)t.values.tensors[3].data)[i] != value;
      } else if (k == 4) {
        wrong += (shown[0] == 't') != (field[0] == 't');
      } else {
        wrong += strcmp(field, shown) != 0;
        wrong += tsr_table_has(&t, k, i) != (field[0] != '\0');
      }
    }
  }
  CHECK(wrong == 0);
  tsr_table_release(&t);
}

TEST(the_same_for_any_threads_and_source) {
  tsr_table one = {0};
  tsr_index rows = 0;
  const size_t n = make_text(&rows);
  for (int threads = 1; threads <= 3; threads++) {
    tsr_ctx ctx;
    tsr_threads *pool = NULL;
    tsr_table t = {0}, pieces = {0};
    REQUIRE(tsr_context_init(&ctx, NULL) == TSR_OK && tsr_threads_new(threads, &pool) == TSR_OK);
    ctx.parallel = tsr_threads_parallel(pool);
    OK(&ctx, tsr_csv_table_decode(&ctx, text, n, NULL, threads == 1 ? &one : &t, NULL));
    npy_source from = {.at = (const uint8_t *)text, .chunk = 70001, .fail_at = SIZE_MAX, .n = n};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &from};
    OK(&ctx, tsr_csv_table_read(&ctx, &source, NULL, &pieces, NULL));
    CHECK(threads == 1 || same_table(&one, &t));
    CHECK(same_table(&one, &pieces));
    tsr_table_release(&t);
    tsr_table_release(&pieces);
    tsr_threads_release(pool);
  }
  tsr_table_release(&one);
}

/* ---- kinds ---- */

static const struct {
  const char *early, *late;
  int kind, dtype;
} changes[] = {{"1", "2.5", TSR_COLUMN_NUMBER, TSR_F64},
               {"1", "x", TSR_COLUMN_TEXT, TSR_I32},
               {"1", "007", TSR_COLUMN_TEXT, TSR_I32},
               {"1", "", TSR_COLUMN_NUMBER, TSR_I64},
               {"1", "99999999999999999999", TSR_COLUMN_TEXT, TSR_I32},
               {"1.5", "x", TSR_COLUMN_TEXT, TSR_I32},
               {"", "2024-01-31", TSR_COLUMN_DATE, TSR_I64},
               {"2024-01-31", "2024-01-31 12:30", TSR_COLUMN_DATETIME, TSR_I64},
               {"2024-01-31 12:30", "2024-01-31 12:30Z", TSR_COLUMN_TEXT, TSR_I32},
               {"2024-01-31 12:30", "2024-01-31 12:30:00.123456789", TSR_COLUMN_DATETIME, TSR_I64},
               {"12:30", "12:30:01", TSR_COLUMN_TIME, TSR_I64},
               {"true", "maybe", TSR_COLUMN_TEXT, TSR_I32},
               {"true", "", TSR_COLUMN_BOOL, TSR_BOOL}};

/* early many times, and late in the last row. */
static size_t make_change(int i) {
  size_t n = (size_t)snprintf(text, sizeof text, "a,b\n");
  for (int k = 0; k < 60000; k++) n += (size_t)snprintf(text + n, sizeof text - n, "%s,1\n", changes[i].early);
  return n + (size_t)snprintf(text + n, sizeof text - n, "%s,1\n", changes[i].late);
}

TEST(kinds_that_change_late) {
  for (int i = 0; i < (int)(sizeof changes / sizeof *changes); i++) {
    tsr_table t = {0}, pieces = {0};
    char shown[64];
    const size_t n = make_change(i);
    OK(NULL, tsr_csv_table_decode(NULL, text, n, NULL, &t, NULL));
    REQUIRE(t.rows == 60001);
    CHECK(t.columns[0].kind == changes[i].kind && t.values.tensors[0].dtype == changes[i].dtype);
    OK(NULL, tsr_table_text(NULL, &t, 0, 60000, shown, sizeof shown, NULL));
    if (changes[i].kind == TSR_COLUMN_TEXT) CHECK(strcmp(shown, changes[i].late) == 0);
    if (changes[i].late[0] == '\0') CHECK(t.columns[0].missing == 1 && !tsr_table_has(&t, 0, 60000));
    OK(NULL, tsr_table_text(NULL, &t, 0, 0, shown, sizeof shown, NULL));
    if (changes[i].kind == TSR_COLUMN_TEXT) CHECK(strcmp(shown, changes[i].early) == 0);
    npy_source from = {.at = (const uint8_t *)text, .chunk = 99999, .fail_at = SIZE_MAX, .n = n};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &from};
    OK(NULL, tsr_csv_table_read(NULL, &source, NULL, &pieces, NULL)); /* the text is kept for it */
    CHECK(same_table(&t, &pieces));
    tsr_table_release(&t);
    tsr_table_release(&pieces);
  }
}

/* ---- block by block ---- */

static void write_file(const char *name, const void *bytes, size_t n) {
  FILE *f = fopen(in_folder(name), "wb");
  REQUIRE(f != NULL && fwrite(bytes, 1, n, f) == n);
  (void)fclose(f);
}

TEST(blocks_are_the_table) {
  tsr_table t = {0};
  tsr_csv_reader *reader = NULL;
  const tsr_table *block = NULL;
  tsr_index rows = 0, at = 0;
  REQUIRE(folder_make());
  const size_t n = make_text(&rows);
  write_file("t.csv", text, n);
  OK(NULL, tsr_csv_table_load(NULL, in_folder("t.csv"), NULL, &t, NULL));
  OK(NULL, tsr_csv_reader_open(NULL, in_folder("t.csv"), NULL, true, &reader));
  CHECK(tsr_csv_reader_rows(reader) == rows && tsr_csv_reader_columns(reader)->values.count == 6);
  for (int turn = 0; turn < 2; turn++) {
    int blocks = 0;
    for (at = 0;; at += block->rows, blocks++) {
      OK(NULL, tsr_csv_reader_next(NULL, reader, &block));
      if (block->rows == 0) break;
      for (tsr_index i = 0; i < 6; i++) {
        const tsr_tensor *part = &block->values.tensors[i], *whole = &t.values.tensors[i];
        const size_t item = tsr_dtype_size(part->dtype);
        CHECK(memcmp(part->data, (const char *)whole->data + (size_t)at * item, (size_t)block->rows * item) == 0);
        CHECK(part->dtype == whole->dtype && strcmp(part->name, whole->name) == 0);
      }
      CHECK(tsr_table_has(block, 1, 0) == tsr_table_has(&t, 1, at));
    }
    CHECK(at == rows && blocks > 2);
    OK(NULL, tsr_csv_reader_rewind(NULL, reader));
  }
  tsr_csv_reader_release(reader);
  tsr_table_release(&t);
  const size_t changed = make_change(0);
  write_file("c.csv", text, changed);
  OK(NULL, tsr_csv_reader_open(NULL, in_folder("c.csv"), NULL, false, &reader));
  CHECK(tsr_csv_reader_rows(reader) == -1);
  tsr_status st = TSR_OK;
  do st = tsr_csv_reader_next(NULL, reader, &block);
  while (st == TSR_OK && block->rows > 0);
  tsr_csv_reader_release(reader);
  CHECK(st == TSR_OK); /* the first 512 KB hold all of it */
  OK(NULL, tsr_csv_reader_open(NULL, in_folder("c.csv"), NULL, true, &reader));
  CHECK(tsr_csv_reader_columns(reader)->values.tensors[0].dtype == TSR_F64);
  tsr_csv_reader_release(reader);
  FAILS(NULL, TSR_EIO, tsr_csv_reader_open(NULL, in_folder("none.csv"), NULL, true, &reader));
  FAILS(NULL, TSR_EARG, tsr_csv_reader_next(NULL, NULL, &block));
  (void)folder_files("", true);
  CHECK(rmdir(folder) == 0);
}

TEST(a_block_that_does_not_fit_is_refused) {
  tsr_csv_reader *reader = NULL;
  const tsr_table *block = NULL;
  tsr_status st = TSR_OK;
  size_t n = (size_t)snprintf(text, sizeof text, "a,b\n");
  while (n < (1 << 20)) n += (size_t)snprintf(text + n, sizeof text - n, "1,2\n");
  n += (size_t)snprintf(text + n, sizeof text - n, "1.5,2\n");
  npy_source from = {.at = (const uint8_t *)text, .chunk = SIZE_MAX, .fail_at = SIZE_MAX, .n = n};
  const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &from};
  OK(NULL, tsr_csv_reader_new(NULL, &source, NULL, &reader));
  do st = tsr_csv_reader_next(NULL, reader, &block);
  while (st == TSR_OK && block->rows > 0);
  CHECK(st == TSR_EFORMAT);
  MESSAGE_HAS(NULL, "line 262145, column 1: '1.5' is no whole number, as the fields before it: give the column's kind");
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_csv_reader_rewind(NULL, reader));
  tsr_csv_reader_release(reader);
  tsr_csv_reader_release(NULL);
}

/* ---- memory and limits ---- */

TEST(memory_that_fails) {
  static const char small[] = "a,b,c,d\n1,\"x\"\"y\",2024-01-01,\n2.5,z,,3\n\"\",NA,2024-01-02,4\n";
  tsr_status st = TSR_EIO;
  for (size_t k = 0; st != TSR_OK && k < 200; k++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, k, false);
    tsr_table t = {0};
    tsr_bundle bundle = {0};
    tsr_metadata pairs = {0};
    st = tsr_csv_table_decode(ctx, small, sizeof small - 1, NULL, &t, NULL);
    CHECK(st == TSR_OK ? t.rows == 3 : st == TSR_ENOMEM && t.values.count == 0);
    if (st == TSR_OK) st = tsr_table_to_bundle(ctx, &t, &bundle, &pairs);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && bundle.count == 0));
    tsr_bundle_release(&bundle);
    tsr_metadata_release(&pairs);
    tsr_table_release(&t);
    CHECK(m.failing.live == 0);
  }
  CHECK(st == TSR_OK);
  st = TSR_EIO;
  for (size_t k = 0; st != TSR_OK && k < 200; k++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, k, false);
    tsr_csv_reader *reader = NULL;
    const tsr_table *block = NULL;
    npy_source from = {.at = (const uint8_t *)small, .chunk = 9, .fail_at = SIZE_MAX, .n = sizeof small - 1};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &from};
    st = tsr_csv_reader_new(ctx, &source, NULL, &reader);
    if (st == TSR_OK) st = tsr_csv_reader_next(ctx, reader, &block);
    CHECK(st == TSR_OK ? block->rows == 3 : st == TSR_ENOMEM);
    tsr_csv_reader_release(reader);
    CHECK(m.failing.live == 0);
  }
  CHECK(st == TSR_OK);
}

TEST(limits) {
  tsr_ctx ctx;
  tsr_table t = {0};
  tsr_index rows = 0;
  const size_t n = make_text(&rows);
  REQUIRE(tsr_context_init(&ctx, NULL) == TSR_OK);
  const tsr_io_limits total = {.total = 100000}, columns = {.tensors = 5};
  REQUIRE(tsr_context_set_io_limits(&ctx, &total) == TSR_OK);
  FAILS(&ctx, TSR_ELIMIT, tsr_csv_table_decode(&ctx, text, n, NULL, &t, NULL));
  MESSAGE_HAS(&ctx, "raise tsr_io_limits.total");
  REQUIRE(tsr_context_set_io_limits(&ctx, &columns) == TSR_OK);
  FAILS(&ctx, TSR_ELIMIT, tsr_csv_table_decode(&ctx, text, n, NULL, &t, NULL));
  MESSAGE_HAS(&ctx, "it has at least 6 columns, the limit is 5");
  const tsr_csv_options narrow = {.max_field = 3};
  FAILS(NULL, TSR_EFORMAT, tsr_csv_table_decode(NULL, "a,b\n1,\"xx\nxx\"\n", 14, &narrow, &t, NULL));
  MESSAGE_HAS(NULL, "line 2, column 2: a field of more than 3 bytes");
  /* A quote that never ends, and a row that never does, are refused before all of the text is in memory. */
  memset(text, 'x', TEXT_BYTES);
  memcpy(text, "a,b\n1,\"", 7);
  FAILS(NULL, TSR_EFORMAT, tsr_csv_table_decode(NULL, text, TEXT_BYTES, NULL, &t, NULL));
  MESSAGE_HAS(NULL, "a field of more than 1048576 bytes");
  text[6] = 'x';
  FAILS(NULL, TSR_EFORMAT, tsr_csv_table_decode(NULL, text, TEXT_BYTES, NULL, &t, NULL));
  MESSAGE_HAS(NULL, "a field of more than 1048576 bytes");
  memset(text + 4, ',', TEXT_BYTES - 4);
  FAILS(NULL, TSR_EFORMAT, tsr_csv_table_decode(NULL, text, TEXT_BYTES, NULL, &t, NULL));
  MESSAGE_HAS(NULL, "line 2, column 3: more fields than the 2 of the first row");
  CHECK(t.values.count == 0);
}

/* Rows longer than a wave. */
TEST(long_rows) {
  tsr_table t = {0};
  size_t n = (size_t)snprintf(text, sizeof text, "a,b\n");
  for (int i = 0; i < 3; i++) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%d,\"", i);
    memset(text + n, "\nx"[i % 2], 900000);
    n += 900000;
    n += (size_t)snprintf(text + n, sizeof text - n, "\"\n");
  }
  OK(NULL, tsr_csv_table_decode(NULL, text, n, NULL, &t, NULL));
  REQUIRE(t.rows == 3 && t.columns[1].string_count == 2);
  CHECK(strlen(t.columns[1].strings[0]) == 900000 && ((const int32_t *)t.values.tensors[1].data)[2] == 0);
  tsr_table_release(&t);
}

/* ---- numbers ---- */

static size_t put_number(char *to, size_t room) {
  const uint32_t r = next_random();
  const int digits = 1 + (int)(r % 21), point = (int)(r >> 8) % 24;
  size_t n = 0;
  if (r >> 30 != 0) to[n++] = '-';
  for (int d = 0; d < digits; d++) {
    if (d == point) to[n++] = '.';
    to[n++] = (char)('0' + (int)(next_random() % 10));
  }
  const int range = (r >> 16) % 8 == 0 ? 285 : 25;
  if ((r >> 20) % 3 != 0)
    n += (size_t)snprintf(to + n, room - n, "e%d", (int)(next_random() % (uint32_t)(2 * range)) - range);
  to[n++] = '\n';
  return n;
}

/* The line at *p as a text of its own, and *p behind it: functions of texts look at all that follows, and sanitizers let them. */
static const char *next_line(const char **p) {
  static char line[2000];
  const size_t length = (size_t)((const char *)memchr(*p, '\n', sizeof line) - *p);
  memcpy(line, *p, length);
  line[length] = '\0';
  *p += length + 1;
  return line;
}

/* A million of each: of all lengths and sizes, subnormal, halfway. */
TEST(numbers_as_the_c_library_reads_them) {
  static const char *const ties[] = {"9007199254740993",
                                     "9007199254740993.0",
                                     "9007199254740992.99999999999999999999",
                                     "9007199254740993.00000000000000000001",
                                     "1.00000000000000011102230246251565404e0",
                                     "2.2250738585072011e-308",
                                     "4.9406564584124654e-324",
                                     "2.4703282292062327e-324",
                                     "2.4703282292062328e-324",
                                     "1.7976931348623158e308",
                                     "8.41e21",
                                     "9.5e-25",
                                     "7.2057594037927933e16",
                                     "16777217",
                                     "1.17549435e-38",
                                     "7.0064923216240853e-46"};
  const int rounds = test_brief() ? 4 : 40;
  int wrong = 0;
  state = 99;
  for (int round = 0; round < rounds; round++) {
    size_t n = 0;
    int count = 0;
    for (size_t i = 0; round == 0 && i < sizeof ties / sizeof *ties; i++, count++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", ties[i]);
    for (; count < 25000; count++) n += put_number(text + n, 64);
    for (int dtype = TSR_F32; dtype <= TSR_F64; dtype++) {
      tsr_tensor t = {0};
      const tsr_csv_options options = {.header = TSR_CSV_HEADER_NONE, .separator = ',', .dtype = dtype};
      const tsr_status st = tsr_csv_decode(NULL, text, n, &options, &t, NULL);
      if (dtype == TSR_F32 && st == TSR_ERANGE) continue; /* past its range: below, alone */
      REQUIRE(st == TSR_OK && t.shape[0] == count);
      const char *p = text;
      for (int i = 0; i < count; i++) {
        const char *const line = next_line(&p);
        wrong += dtype == TSR_F64 ? ((const double *)t.data)[i] != strtod(line, NULL)
                                  : ((const float *)t.data)[i] != strtof(line, NULL);
      }
      tsr_release(&t);
    }
  }
  CHECK(wrong == 0);
}

TEST(singles_as_the_c_library_reads_them) {
  int wrong = 0;
  state = 5;
  for (int round = 0; round < (test_brief() ? 2 : 20); round++) {
    size_t n = 0;
    for (int i = 0; i < 25000; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%.*e\n", (int)(next_random() % 20),
                            ((double)next_random() - 1e9) * pow(10, (double)(next_random() % 70) - 50));
    tsr_tensor t = {0};
    const tsr_csv_options options = {.header = TSR_CSV_HEADER_NONE, .separator = ',', .dtype = TSR_F32};
    OK(NULL, tsr_csv_decode(NULL, text, n, &options, &t, NULL));
    const char *p = text;
    for (int i = 0; i < 25000; i++) wrong += ((const float *)t.data)[i] != strtof(next_line(&p), NULL);
    tsr_release(&t);
  }
  CHECK(wrong == 0);
}

/* ---- gzip ---- */

static uint32_t crc_of(const char *bytes, size_t n) {
  uint32_t crc = ~(uint32_t)0;
  for (size_t i = 0; i < n; i++) {
    crc ^= (uint8_t)bytes[i];
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & (0 - (crc & 1)));
  }
  return ~crc;
}

static size_t put_u32(char *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (char)(value >> 8 * i);
  return 4;
}

/* One member of stored blocks, with a name. */
static size_t pack(const char *bytes, size_t n, char *to) {
  static const char start[] = "\x1f\x8b\x08\x08\0\0\0\0\0\x03t.csv";
  size_t at = sizeof start;
  memcpy(to, start, at);
  for (size_t done = 0; done < n || n == 0;) {
    const size_t some = n - done < 60000 ? n - done : 60000;
    to[at++] = done + some == n;
    to[at++] = (char)some, to[at++] = (char)(some >> 8), to[at++] = (char)~some, to[at++] = (char)(~some >> 8);
    memcpy(to + at, bytes + done, some);
    at += some, done += some;
    if (n == 0) break;
  }
  at += put_u32(to + at, crc_of(bytes, n));
  return at + put_u32(to + at, (uint32_t)n);
}

TEST(gzip) {
  static char packed[TEXT_BYTES + 4096];
  tsr_table t = {0}, plain = {0};
  tsr_csv_form form = {0};
  tsr_index rows = 0;
  size_t n = make_text(&rows);
#if !TSR_HAVE_ZLIB
  n = pack("a\n1\n", 4, packed);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_csv_table_decode(NULL, packed, n, NULL, &t, NULL));
  SKIP("this build has no zlib");
#endif
  OK(NULL, tsr_csv_table_decode(NULL, text, n, NULL, &plain, NULL));
  const size_t bytes = pack(text, n, packed);
  OK(NULL, tsr_csv_table_decode(NULL, packed, bytes, NULL, &t, &form));
  CHECK(form.packed && same_table(&t, &plain));
  tsr_table_release(&t);
  tsr_table_release(&plain);
  n = pack("a,b\n1,2\n", 8, packed);
  const size_t two = n + pack("3,4\n", 4, packed + n);
  OK(NULL, tsr_csv_table_decode(NULL, packed, two, NULL, &t, NULL)); /* members follow each other */
  CHECK(t.rows == 2);
  tsr_table_release(&t);
  packed[n - 1] ^= 1;
  FAILS(NULL, TSR_EFORMAT, tsr_csv_table_decode(NULL, packed, n, NULL, &t, NULL));
  MESSAGE_HAS(NULL, "another CRC or size");
  packed[n - 1] ^= 1;
  for (size_t cut = 3; cut < n; cut++) {
    FAILS(NULL, TSR_EFORMAT, tsr_csv_table_decode(NULL, packed, cut, NULL, &t, NULL));
    MESSAGE_HAS(NULL, "cut short");
  }
  packed[n] = 'x';
  FAILS(NULL, TSR_EFORMAT, tsr_csv_table_decode(NULL, packed, n + 12, NULL, &t, NULL));
  MESSAGE_HAS(NULL, "bytes follow its gzip data");
  tsr_ctx ctx;
  const tsr_io_limits inflated = {.inflated = 5};
  REQUIRE(tsr_context_init(&ctx, NULL) == TSR_OK && tsr_context_set_io_limits(&ctx, &inflated) == TSR_OK);
  FAILS(&ctx, TSR_ELIMIT, tsr_csv_table_decode(&ctx, packed, n, NULL, &t, NULL));
  MESSAGE_HAS(&ctx, "raise tsr_io_limits.inflated");
}

/* ---- matrices of mixed tables ---- */

TEST(numbers_of_a_mixed_table) {
  static const char mixed[] = "when,a,name,b\n2024-01-01,1,x,2.5\n2024-01-02,,y,3\n";
  tsr_tensor t = {0};
  tsr_metadata names = {0};
  const tsr_csv_options numbers = {.numbers = true};
  FAILS(NULL, TSR_EFORMAT, tsr_csv_decode(NULL, mixed, sizeof mixed - 1, NULL, &t, NULL));
  MESSAGE_HAS(NULL, "line 2, column 1: '2024-01-01' is no number");
  for (int pieces = 0; pieces < 2; pieces++) {
    npy_source from = {.at = (const uint8_t *)mixed, .chunk = 7, .fail_at = SIZE_MAX, .n = sizeof mixed - 1};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &from};
    OK(NULL, pieces ? tsr_csv_read(NULL, &source, &numbers, &t, &names)
                    : tsr_csv_decode(NULL, mixed, sizeof mixed - 1, &numbers, &t, &names));
    REQUIRE(t.shape[0] == 2 && t.shape[1] == 2);
    const double *x = t.data;
    CHECK(x[0] == 1 && x[1] == 2.5 && isnan(x[2]) && x[3] == 3);
    CHECK(names.count == 2 && strcmp(names.pairs[0].value, "a") == 0 && strcmp(names.pairs[1].value, "b") == 0);
    tsr_release(&t);
    tsr_metadata_release(&names);
  }
  FAILS(NULL, TSR_EFORMAT, tsr_csv_decode(NULL, "a\nx\n", 4, &numbers, &t, NULL));
  MESSAGE_HAS(NULL, "none of its 1 columns holds numbers");
  const tsr_csv_column chosen[] = {{.name = "b"}, {.number = 1}};
  const tsr_csv_options list = {.columns = chosen, .column_count = 2, .dtype = TSR_F32};
  OK(NULL, tsr_csv_decode(NULL, mixed, sizeof mixed - 1, &list, &t, NULL));
  CHECK(t.dtype == TSR_F32 && t.shape[1] == 2 && ((const float *)t.data)[0] == 2.5f && ((const float *)t.data)[1] == 1);
  tsr_release(&t);
}

/* ---- tables as bundles ---- */

TEST(through_a_bundle_and_a_file) {
  static const char mixed[] =
      "when,n,city,t\n2024-01-01T10:00Z,1,Ulm,12:30\n,,NA,\n2024-01-02T10:00Z,3,\"a \"\"b\"\"\",0:05\n";
  tsr_table t = {0}, again = {0}, plain = {0};
  tsr_bundle bundle = {0}, loaded = {0};
  tsr_metadata pairs = {0}, found = {0};
  REQUIRE(folder_make());
  OK(NULL, tsr_csv_table_decode(NULL, mixed, sizeof mixed - 1, NULL, &t, NULL));
  OK(NULL, tsr_table_to_bundle(NULL, &t, &bundle, &pairs));
  CHECK(strcmp(tsr_metadata_find(&pairs, "table.when"), "datetime[us,UTC]") == 0);
  CHECK(strcmp(tsr_metadata_find(&pairs, "table.city"), "text") == 0 && tsr_metadata_find(&pairs, "table.n") == NULL);
  CHECK(tsr_bundle_find(&bundle, "city.strings") != NULL && tsr_bundle_find(&bundle, "n.present") != NULL);
  OK(NULL, tsr_bundle_save(NULL, in_folder("t.safetensors"), TSR_FORMAT_AUTO, &bundle, &pairs));
  OK(NULL, tsr_bundle_load(NULL, in_folder("t.safetensors"), &loaded, &found));
  OK(NULL, tsr_table_from_bundle(NULL, &loaded, &found, &again));
  for (tsr_index i = 0; i < 4; i++) {
    const tsr_index k = tsr_table_find(&again, t.values.tensors[i].name);
    REQUIRE(k >= 0);
    CHECK(again.columns[k].kind == t.columns[i].kind && again.columns[k].unit == t.columns[i].unit);
    CHECK(again.columns[k].missing == t.columns[i].missing);
    for (tsr_index row = 0; row < 3; row++) {
      char a[64], b[64];
      OK(NULL, tsr_table_text(NULL, &t, i, row, a, sizeof a, NULL));
      OK(NULL, tsr_table_text(NULL, &again, k, row, b, sizeof b, NULL));
      CHECK(strcmp(a, b) == 0 && tsr_table_has(&t, i, row) == tsr_table_has(&again, k, row));
    }
  }
  OK(NULL, tsr_table_from_bundle(NULL, &loaded, NULL, &plain)); /* without metadata, texts are texts */
  CHECK(plain.columns[tsr_table_find(&plain, "city")].kind == TSR_COLUMN_TEXT);
  CHECK(plain.columns[tsr_table_find(&plain, "when")].kind == TSR_COLUMN_NUMBER);
  tsr_tensor matrix = {0};
  tsr_metadata names = {0};
  OK(NULL, tsr_table_matrix(NULL, &t, 0, &matrix, &names));
  REQUIRE(matrix.shape[0] == 3 && matrix.shape[1] == 1 && names.count == 1);
  CHECK(((const double *)matrix.data)[0] == 1 && isnan(((const double *)matrix.data)[1]));
  tsr_release(&matrix);
  FAILS(NULL, TSR_EFORMAT, tsr_table_matrix(NULL, &t, TSR_I32, &matrix, NULL));
  tsr_metadata_release(&names);
  tsr_metadata_release(&pairs);
  tsr_metadata_release(&found);
  tsr_bundle_release(&bundle);
  tsr_bundle_release(&loaded);
  tsr_table_release(&t);
  tsr_table_release(&again);
  tsr_table_release(&plain);
  (void)folder_files("", true);
  CHECK(rmdir(folder) == 0);
}

TEST(tables_by_hand) {
  static const char *const cities[] = {"Ulm", NULL, "Bonn", "Ulm"};
  tsr_table t = {0};
  tsr_tensor x = {0}, short_one = {0};
  OK(NULL, tsr_arange(NULL, TSR_F32, 0, 4, 1, &x));
  OK(NULL, tsr_table_add(NULL, &t, "x", NULL, &x));
  CHECK(tsr_is_none(&x) && t.rows == 4);
  OK(NULL, tsr_table_add_text(NULL, &t, "city", 4, cities));
  CHECK(t.columns[1].missing == 1 && t.columns[1].string_count == 2 && !tsr_table_has(&t, 1, 1));
  FAILS(NULL, TSR_ENAME, tsr_table_add_text(NULL, &t, "city", 4, cities));
  FAILS(NULL, TSR_ESHAPE, tsr_table_add_text(NULL, &t, "town", 3, cities));
  OK(NULL, tsr_arange(NULL, TSR_I64, 0, 4, 1, &short_one));
  FAILS(NULL, TSR_EDTYPE, tsr_table_add(NULL, &t, "d", &(tsr_column){.kind = TSR_COLUMN_DATE}, &short_one));
  OK(NULL, tsr_table_add(NULL, &t, "d", &(tsr_column){.kind = TSR_COLUMN_DATE, .unit = TSR_UNIT_DAY}, &short_one));
  char out[64];
  size_t length = 0;
  OK(NULL, tsr_table_text(NULL, &t, 2, 3, out, sizeof out, &length));
  CHECK(strcmp(out, "1970-01-04") == 0 && length == 10);
  OK(NULL, tsr_table_text(NULL, &t, 2, 3, out, 5, &length));
  CHECK(strcmp(out, "1970") == 0 && length == 10);
  FAILS(NULL, TSR_EINDEX, tsr_table_text(NULL, &t, 3, 0, out, sizeof out, NULL));
  FAILS(NULL, TSR_EINDEX, tsr_table_text(NULL, &t, 0, 4, out, sizeof out, NULL));
  CHECK(tsr_table_find(&t, "city") == 1 && tsr_table_find(&t, "none") == -1 && !tsr_table_has(&t, 0, 9));
  tsr_tensor numbers = {0};
  OK(NULL, tsr_arange(NULL, TSR_I32, 0, 4, 1, &numbers));
  const tsr_column few = {.kind = TSR_COLUMN_TEXT, .strings = cities, .string_count = 1};
  FAILS(NULL, TSR_EINDEX, tsr_table_add(NULL, &t, "few", &few, &numbers));
  tsr_release(&numbers);
  tsr_table_release(&t);
  tsr_table_release(NULL);
}

TEST_MAIN(RUN(as_a_plain_reading), RUN(the_same_for_any_threads_and_source), RUN(kinds_that_change_late),
          RUN(blocks_are_the_table), RUN(a_block_that_does_not_fit_is_refused), RUN(memory_that_fails), RUN(limits),
          RUN(long_rows), RUN(numbers_as_the_c_library_reads_them), RUN(singles_as_the_c_library_reads_them), RUN(gzip),
          RUN(numbers_of_a_mixed_table), RUN(through_a_bundle_and_a_file), RUN(tables_by_hand))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
