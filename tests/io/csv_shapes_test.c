/* Shapes that tables have in real files, and what each gives: its form, the kinds of its columns and its fields, or the refusal. From
 * memory, from a source in small pieces, and block by block it is the same. */
#include "files_support.h"

#include <tessera/csv.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_F64

typedef struct shape {
  const char *text;
  size_t length;
  tsr_csv_options options;
  const char *expected;
} shape;

#define PLAIN(text_, expected_) {.text = text_, .length = sizeof text_ - 1, .expected = expected_},
#define SHAPE(text_, expected_, ...) \
  {.text = text_, .length = sizeof text_ - 1, .expected = expected_, .options = {__VA_ARGS__}},

enum { ROOM = 4096 };

/* A sink into memory. */
typedef struct kept {
  char *at;
  size_t room, n;
} kept;

static tsr_status keep(void *self, const void *bytes, size_t n) {
  kept *k = self;
  if (n > k->room - k->n) return TSR_EIO;
  memcpy(k->at + k->n, bytes, n);
  k->n += n;
  return TSR_OK;
}

typedef struct written {
  char at[ROOM];
  size_t n;
} written;

static void put(written *w, const char *text) {
  const size_t n = strlen(text);
  if (n >= sizeof w->at - w->n) return;
  memcpy(w->at + w->n, text, n + 1);
  w->n += n;
}

static void put_kind(written *w, const tsr_tensor *t, const tsr_column *c) {
  static const char *const kinds[] = {"", "", "bool", "date", "time", "datetime", "text"};
  put(w, c->kind == TSR_COLUMN_NUMBER ? tsr_dtype_name(t->dtype) : kinds[c->kind]);
  if (c->kind != TSR_COLUMN_TIME && c->kind != TSR_COLUMN_DATETIME) return;
  put(w, "[");
  put(w, tsr_time_unit_name(c->unit));
  put(w, c->utc ? ",UTC]" : "]");
}

static void put_columns(written *w, const tsr_table *t, const tsr_csv_form *form) {
  char one[] = {form->separator, form->decimal, form->header ? 'h' : '-', ' ', '\0'};
  put(w, form->separator == '\t' ? (one[0] = 'T', one) : one);
  for (tsr_index i = 0; i < t->values.count; i++) {
    put(w, i > 0 ? "|" : "");
    put(w, t->values.tensors[i].name);
    put(w, ":");
    put_kind(w, &t->values.tensors[i], &t->columns[i]);
  }
}

static void put_rows(written *w, const tsr_table *t) {
  char text[256];
  for (tsr_index row = 0; row < t->rows; row++) {
    for (tsr_index i = 0; i < t->values.count; i++) {
      OK(NULL, tsr_table_text(NULL, t, i, row, text, sizeof text, NULL));
      put(w, i > 0 ? "|" : "\n");
      put(w, tsr_table_has(t, i, row) ? text : "~");
    }
  }
}

static void put_failure(written *w, tsr_ctx *ctx, tsr_status st) {
  const char *text = tsr_error(ctx), *colon = strchr(text, ':');
  put(w, tsr_status_name(st));
  put(w, colon != NULL ? colon : text);
}

static const shape shapes[] = {
#include "csv_shapes.inc"
};

enum { SHAPES = (int)(sizeof shapes / sizeof *shapes) };

static bool same(const written *w, const shape *s, int number) {
  if (strcmp(w->at, s->expected) == 0) return true;
  printf("shape %d gives\n%s\nand not\n%s\n", number, w->at, s->expected);
  return false;
}

static void read_shape(const shape *s, bool pieces, written *w) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_table t = {0};
  tsr_csv_form form = {0};
  npy_source state = {.at = (const uint8_t *)s->text, .chunk = 3, .fail_at = SIZE_MAX, .n = s->length};
  const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
  w->n = 0;
  const tsr_status st = pieces ? tsr_csv_table_read(ctx, &source, &s->options, &t, &form)
                               : tsr_csv_table_decode(ctx, s->text, s->length, &s->options, &t, &form);
  if (st == TSR_OK) {
    put_columns(w, &t, &form);
    put_rows(w, &t);
  } else {
    put_failure(w, ctx, st);
    CHECK(t.values.count == 0);
  }
  tsr_table_release(&t);
  CHECK(m.failing.live == 0);
}

TEST(what_each_shape_gives) {
  static written w;
  for (int i = 0; i < SHAPES; i++) {
    read_shape(&shapes[i], false, &w);
    CHECK(same(&w, &shapes[i], i));
  }
  CHECK(SHAPES >= 200);
}

TEST(from_a_source_in_pieces) {
  static written w;
  for (int i = 0; i < SHAPES; i++) {
    read_shape(&shapes[i], true, &w);
    CHECK(same(&w, &shapes[i], i));
  }
}

/* Files of these sizes are all looked at before the first block. */
TEST(block_by_block) {
  static written w;
  for (int i = 0; i < SHAPES; i++) {
    const shape *s = &shapes[i];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_csv_reader *reader = NULL;
    const tsr_table *block = NULL;
    npy_source state = {.at = (const uint8_t *)s->text, .chunk = 5, .fail_at = SIZE_MAX, .n = s->length};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
    w.n = 0;
    tsr_status st = tsr_csv_reader_new(ctx, &source, &s->options, &reader);
    if (st == TSR_OK) put_columns(&w, tsr_csv_reader_columns(reader), tsr_csv_reader_form(reader));
    while (st == TSR_OK && (block == NULL || block->rows > 0)) {
      st = tsr_csv_reader_next(ctx, reader, &block);
      if (st == TSR_OK) put_rows(&w, block);
    }
    if (st != TSR_OK) {
      w.n = 0;
      put_failure(&w, ctx, st);
    }
    CHECK(same(&w, s, i));
    tsr_csv_reader_release(reader);
    CHECK(m.failing.live == 0);
  }
}

/* What was read is written, and read again: the same columns and fields. */
TEST(written_and_read_again) {
  for (int i = 0; i < SHAPES; i++) {
    const shape *s = &shapes[i];
    tsr_table t = {0}, again = {0};
    static char text[1 << 16];
    if (tsr_csv_table_decode(NULL, s->text, s->length, &s->options, &t, NULL) != TSR_OK) continue;
    static tsr_csv_column kinds[64];
    for (tsr_index k = 0; k < t.values.count; k++)
      kinds[k] = (tsr_csv_column){.number = k,
                                  .kind = t.columns[k].kind,
                                  .dtype = t.columns[k].kind == TSR_COLUMN_NUMBER ? t.values.tensors[k].dtype : 0,
                                  .unit = t.columns[k].unit};
    kept sink_state = {.at = text, .room = sizeof text};
    const tsr_sink sink = {.size = sizeof(tsr_sink), .write = keep, .self = &sink_state};
    OK(NULL, tsr_csv_table_write(NULL, &t, NULL, &sink));
    const tsr_csv_options given = {
        .separator = ',', .header = TSR_CSV_HEADER_FIRST, .columns = kinds, .column_count = t.values.count};
    OK(NULL, tsr_csv_table_decode(NULL, text, sink_state.n, &given, &again, NULL));
    static written a, b;
    const tsr_csv_form form = {.separator = ','};
    a.n = b.n = 0;
    put_columns(&a, &t, &form);
    put_rows(&a, &t);
    put_columns(&b, &again, &form);
    put_rows(&b, &again);
    CHECK(strcmp(a.at, b.at) == 0);
    if (strcmp(a.at, b.at) != 0) printf("shape %d: %s\nand written %s\n%.*s\n", i, a.at, b.at, (int)sink_state.n, text);
    tsr_table_release(&t);
    tsr_table_release(&again);
  }
}

TEST_MAIN(RUN(what_each_shape_gives), RUN(from_a_source_in_pieces), RUN(block_by_block), RUN(written_and_read_again))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
