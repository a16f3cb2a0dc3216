/* Any bytes as a table: from memory and from a source in pieces it is read alike, as a matrix and as columns of any kind, at once and block
 * by block; what was read is written, and read again to the same. Memory is capped: it goes with the fields that came. */
#include <stdlib.h>
#include <tessera/csv.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)64 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

/* ---- matrices ---- */

static void write_and_read_again(tsr_ctx *ctx, int dtype, char separator, const tsr_tensor *t,
                                 const tsr_metadata *names) {
  const bool header = names->count > 0;
  const tsr_csv_options options = {
      .dtype = dtype, .separator = separator, .header = header ? TSR_CSV_HEADER_FIRST : TSR_CSV_HEADER_NONE};
  size_t bytes = (size_t)tsr_size(t) * 32 + 64;
  for (tsr_index i = 0; i < names->count; i++) bytes += 2 * strlen(names->pairs[i].value) + 4;
  buffer b = {.at = malloc(bytes), .capacity = bytes};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append, .self = &b};
  tsr_tensor again = {0};
  tsr_metadata other = {0};
  if (b.at == NULL) return;
  must(tsr_csv_write(ctx, t, names, &options, &sink) == TSR_OK);
  if (tsr_size(t) > 0) { /* a header of empty names alone is a blank line */
    must(tsr_csv_decode(ctx, b.at, b.n, &options, &again, &other) == TSR_OK);
    must(same_tensor(t, &again));
  }
  tsr_release(&again);
  tsr_metadata_release(&other);
  free(b.at);
}

static void read_matrix(tsr_ctx *ctx, const uint8_t *data, size_t size, const tsr_csv_options *options,
                        uint8_t choice) {
  tsr_tensor decoded = {0}, streamed = {0};
  tsr_metadata names = {0}, others = {0};
  pieces state = {.at = data, .left = size, .state = choice};
  const tsr_source source = {.size = sizeof(tsr_source), .read = read_piece, .self = &state};
  const tsr_status from_memory = tsr_csv_decode(ctx, data, size, options, &decoded, &names);
  const tsr_status from_source = tsr_csv_read(ctx, &source, options, &streamed, &others);
  must(from_memory == from_source || from_memory == TSR_ELIMIT || from_source == TSR_ELIMIT);
  if (from_memory == TSR_OK) {
    if (from_source == TSR_OK) must(same_tensor(&decoded, &streamed) && names.count == others.count);
    must(tsr_context_set_io_limits(ctx, NULL) == TSR_OK); /* what is written may be larger */
    write_and_read_again(ctx, options->dtype, ',', &decoded, &names);
  } else {
    must(tsr_is_none(&decoded) && names.count == 0);
  }
  tsr_release(&decoded);
  tsr_release(&streamed);
  tsr_metadata_release(&names);
  tsr_metadata_release(&others);
}

/* ---- tables ---- */

static bool same_column(const tsr_table *a, const tsr_table *b, tsr_index i, tsr_index from, tsr_index rows) {
  const tsr_column *x = &a->columns[i], *y = &b->columns[i];
  if (x->kind != y->kind || x->unit != y->unit || x->utc != y->utc) return false;
  for (tsr_index row = 0; row < rows; row++) {
    char one[64], other[64];
    size_t n = 0, m = 0;
    if (tsr_table_has(a, i, from + row) != tsr_table_has(b, i, row)) return false;
    must(tsr_table_text(NULL, a, i, from + row, one, sizeof one, &n) == TSR_OK);
    must(tsr_table_text(NULL, b, i, row, other, sizeof other, &m) == TSR_OK);
    if (n != m || strcmp(one, other) != 0) return false;
  }
  return true;
}

static bool same_table(const tsr_table *a, const tsr_table *b, tsr_index from) {
  bool same = a->values.count == b->values.count;
  for (tsr_index i = 0; i < a->values.count && same; i++)
    same = strcmp(a->values.tensors[i].name, b->values.tensors[i].name) == 0 && same_column(a, b, i, from, b->rows);
  return same;
}

static tsr_status append_grown(void *self, const void *bytes, size_t n) {
  buffer *b = self;
  if (n > b->capacity - b->n) {
    const size_t capacity = 2 * (b->n + n);
    void *larger = realloc(b->at, capacity);
    if (larger == NULL) return TSR_ENOMEM;
    b->at = larger;
    b->capacity = capacity;
  }
  memcpy(b->at + b->n, bytes, n);
  b->n += n;
  return TSR_OK;
}

static void write_table(tsr_ctx *ctx, const tsr_table *t) {
  enum { MOST = 64 };
  tsr_csv_column kinds[MOST] = {{0}};
  tsr_table again = {0};
  buffer b = {.at = NULL};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = append_grown, .self = &b};
  if (t->values.count > MOST || t->values.count == 0) return;
  for (tsr_index i = 0; i < t->values.count; i++)
    kinds[i] = (tsr_csv_column){.number = i,
                                .kind = t->columns[i].kind,
                                .dtype = t->columns[i].kind == TSR_COLUMN_NUMBER ? t->values.tensors[i].dtype : 0,
                                .unit = t->columns[i].unit};
  const tsr_csv_options options = {
      .separator = ',', .header = TSR_CSV_HEADER_FIRST, .columns = kinds, .column_count = t->values.count};
  if (tsr_csv_table_write(ctx, t, NULL, &sink) == TSR_OK) { /* a name that is not UTF-8 is not written */
    const tsr_status st = tsr_csv_table_decode(ctx, b.at, b.n, &options, &again, NULL);
    must(st == TSR_OK && again.rows == t->rows && same_table(t, &again, 0));
  }
  tsr_table_release(&again);
  free(b.at);
}

static void read_table(tsr_ctx *ctx, const uint8_t *data, size_t size, const tsr_csv_options *options, uint8_t choice) {
  tsr_table decoded = {0}, streamed = {0};
  pieces state = {.at = data, .left = size, .state = choice};
  const tsr_source source = {.size = sizeof(tsr_source), .read = read_piece, .self = &state};
  const tsr_status from_memory = tsr_csv_table_decode(ctx, data, size, options, &decoded, NULL);
  const tsr_status from_source = tsr_csv_table_read(ctx, &source, options, &streamed, NULL);
  must(from_memory == from_source || from_memory == TSR_ELIMIT || from_source == TSR_ELIMIT);
  if (from_memory == TSR_OK && from_source == TSR_OK)
    must(decoded.rows == streamed.rows && same_table(&decoded, &streamed, 0));
  if (from_memory == TSR_OK) {
    tsr_csv_reader *reader = NULL;
    const tsr_table *block = NULL;
    tsr_index rows = 0;
    must(tsr_context_set_io_limits(ctx, NULL) == TSR_OK);
    pieces other = {.at = data, .left = size, .state = (uint8_t)~choice};
    const tsr_source again = {.size = sizeof(tsr_source), .read = read_piece, .self = &other};
    tsr_status st = tsr_csv_reader_new(ctx, &again, options, &reader);
    while (st == TSR_OK && (st = tsr_csv_reader_next(ctx, reader, &block)) == TSR_OK && block->rows > 0) {
      must(rows + block->rows <= decoded.rows && same_table(&decoded, block, rows));
      rows += block->rows;
    }
    must(st != TSR_OK || rows == decoded.rows);
    tsr_csv_reader_release(reader);
    write_table(ctx, &decoded);
  } else {
    must(decoded.values.count == 0);
  }
  tsr_table_release(&decoded);
  tsr_table_release(&streamed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first three bytes choose the options. */
  static const int dtypes[] = {0, TSR_F32, TSR_F16, TSR_I64, TSR_U64, TSR_I8, TSR_BOOL, TSR_F8_E4M3};
  static const char separators[] = {0, ',', '\t', ';', 0, ' ', '|', 0};
  static const char *const words[] = {"-", "x"};
  static const tsr_csv_column chosen[] = {{.number = 0, .kind = TSR_COLUMN_DATETIME}, {.number = -1}};
  const uint8_t choice = size > 0 ? data[0] : 0, more = size > 1 ? data[1] : 0, last = size > 2 ? data[2] : 0;
  const tsr_csv_options options = {.dtype = dtypes[choice & 7],
                                   .separator = separators[choice >> 3 & 3],
                                   .header = (choice >> 5) % 3,
                                   .whole = (more & 1) != 0,
                                   .comment = more & 2 ? '#' : 0,
                                   .max_field = more & 4 ? 20 : 0};
  tsr_csv_options table = options;
  table.dtype = 0;
  table.separator = separators[choice & 7];
  table.short_rows = (last & 1) != 0;
  table.dates = (last >> 1) % 3;
  table.thousands = last & 8 ? '.' : 0;
  table.skip = last >> 4 & 1;
  table.most = last & 32 ? 2 : 0;
  table.missing = last & 64 ? words : NULL;
  table.missing_count = last & 64 ? 2 : 0;
  table.columns = last & 128 ? chosen : NULL;
  table.column_count = last & 128 ? 1 + (last & 1) : 0;
  const tsr_io_limits limits = {.tensors = more & 8 ? 3 : 0, .total = more & 16 ? 80 : 0};
  tsr_ctx ctx;
  data += size < 3 ? size : 3;
  size -= size < 3 ? size : 3;
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  ctx.parallel = tsr_parallel_serial();
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  read_matrix(&ctx, data, size, &options, choice);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  read_table(&ctx, data, size, &table, more);
  must(memory.in_use == 0);
  return 0;
}
