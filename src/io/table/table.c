/* Tables: columns on their way in and out. */
#include "io/table/strings.h"
#include "io/table/table.h"

#if TSR_HAVE_STDIO

#include "core/bundle.h"
#include "io/bytes/text.h"

#include <string.h>
#include <tessera/ops.h>
#include <tessera/view.h>

enum { FIRST_COLUMNS = 8 };

/* Behind private_memory: the columns' own strings, as many as there is room for columns. */
typedef struct table_memory {
  const tsr_allocator *allocator;
  tsr_index capacity;
  tsr__room columns, strings;
} table_memory;

/* ---- memory ---- */

tsr_status tsr__room_get(tsr_ctx *ctx, const char *op, const tsr_allocator *allocator, size_t bytes, tsr__room *out) {
  void *at = bytes > 0 ? allocator->alloc(allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT) : NULL;
  if (at == NULL && bytes > 0) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", bytes);
  *out = (tsr__room){.at = at, .bytes = bytes};
  return TSR_OK;
}

void tsr__room_free(const tsr_allocator *allocator, tsr__room *block) {
  if (block->at != NULL) allocator->free(allocator->self, block->at, block->bytes);
  *block = (tsr__room){0};
}

tsr_status tsr__room_grow(tsr_ctx *ctx, const char *op, const tsr_allocator *allocator, size_t bytes, size_t used,
                          tsr__room *block) {
  tsr__room larger = {0};
  if (bytes <= block->bytes) return TSR_OK;
  const size_t twice = block->bytes <= SIZE_MAX / 2 ? 2 * block->bytes : SIZE_MAX;
  const tsr_status st = tsr__room_get(ctx, op, allocator, bytes > twice ? bytes : twice, &larger);
  if (st != TSR_OK) return st;
  if (used > 0) memcpy(larger.at, block->at, used);
  tsr__room_free(allocator, block);
  *block = larger;
  return TSR_OK;
}

const tsr_allocator *tsr__table_allocator(tsr_ctx *ctx, const tsr_table *table) {
  const table_memory *memory = table->private_memory;
  return memory != NULL ? memory->allocator : tsr__allocator(ctx);
}

static tsr_status start(tsr_ctx *ctx, const char *op, tsr_table *table) {
  tsr__room block = {0};
  const tsr_allocator *allocator = tsr__allocator(ctx);
  if (table->private_memory != NULL) return TSR_OK;
  const tsr_status st = tsr__room_get(ctx, op, allocator, sizeof(table_memory), &block);
  if (st != TSR_OK) return st;
  table_memory *memory = block.at;
  *memory = (table_memory){.allocator = allocator};
  table->private_memory = memory;
  return TSR_OK;
}

static tsr_status make_room(tsr_ctx *ctx, const char *op, tsr_table *table) {
  tsr_status st = start(ctx, op, table);
  if (st != TSR_OK) return st;
  table_memory *memory = table->private_memory;
  const size_t count = (size_t)table->values.count;
  if (table->values.count < memory->capacity) return TSR_OK;
  const tsr_index capacity = memory->capacity > 0 ? 2 * memory->capacity : FIRST_COLUMNS;
  st = tsr__room_grow(ctx, op, memory->allocator, (size_t)capacity * sizeof(tsr_column), count * sizeof(tsr_column),
                      &memory->columns);
  if (st != TSR_OK) return st;
  table->columns = memory->columns.at;
  st = tsr__room_grow(ctx, op, memory->allocator, (size_t)capacity * sizeof(tsr__room), count * sizeof(tsr__room),
                      &memory->strings);
  if (st == TSR_OK) memory->capacity = capacity;
  return st;
}

static tsr__room *strings_of(const tsr_table *table, tsr_index column) {
  const table_memory *memory = table->private_memory;
  return (tsr__room *)memory->strings.at + column;
}

void tsr_table_release(tsr_table *table) {
  if (table == NULL) return;
  table_memory *memory = table->private_memory;
  for (tsr_index i = 0; i < table->values.count; i++) {
    tsr_release(&table->columns[i].present);
    tsr__room_free(memory->allocator, strings_of(table, i));
  }
  tsr_bundle_release(&table->values);
  if (memory != NULL) {
    const tsr_allocator *allocator = memory->allocator;
    tsr__room whole = {.at = memory, .bytes = sizeof *memory};
    tsr__room_free(allocator, &memory->columns);
    tsr__room_free(allocator, &memory->strings);
    tsr__room_free(allocator, &whole);
  }
  *table = (tsr_table){.rows = 0};
}

/* ---- columns ---- */

tsr_status tsr__table_check_empty(tsr_ctx *ctx, const char *op, const tsr_table *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (out->values.count > 0) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "is not empty: release it first");
  return TSR_OK;
}

tsr_status tsr__table_own(tsr_ctx *ctx, const char *op, tsr_table *table, const char *name, tsr_column *what,
                          tsr_tensor *values, tsr__room *strings) {
  const tsr_index rows = values->shape[0], at = table->values.count;
  tsr_status st = make_room(ctx, op, table);
  if (st == TSR_OK) st = tsr_bundle_add(ctx, &table->values, name, values);
  if (st != TSR_OK) return tsr__fail_as(ctx, st, op);
  table->columns[at] = *what;
  table->rows = rows;
  *strings_of(table, at) = strings != NULL ? *strings : (tsr__room){0};
  what->present = (tsr_tensor){0};
  if (strings != NULL) *strings = (tsr__room){0};
  return TSR_OK;
}

void tsr__table_forget(tsr_table *table, tsr_index column) {
  table->columns[column].strings = NULL;
  table->columns[column].string_count = 0;
}

tsr_index tsr_table_find(const tsr_table *table, const char *name) {
  const tsr_tensor *found = table != NULL && name != NULL ? tsr_bundle_find(&table->values, name) : NULL;
  return found != NULL ? (tsr_index)(found - table->values.tensors) : -1;
}

static bool in_table(const tsr_table *table, tsr_index column, tsr_index row) {
  return table != NULL && column >= 0 && column < table->values.count && row >= 0 && row < table->rows;
}

bool tsr_table_has(const tsr_table *table, tsr_index column, tsr_index row) {
  if (!in_table(table, column, row)) return false;
  const tsr_tensor *present = &table->columns[column].present;
  return present->data == NULL || ((const uint8_t *)present->data)[row * present->stride[0]] != 0;
}

/* ---- adding ---- */

tsr_status tsr__table_copy_strings(tsr_ctx *ctx, const char *op, const tsr_allocator *allocator, tsr_index count,
                                   const char *const *from, tsr__room *out) {
  size_t bytes = (size_t)count * sizeof(char *);
  for (tsr_index i = 0; i < count; i++) bytes += strlen(from[i]) + 1;
  const tsr_status st = tsr__room_get(ctx, op, allocator, bytes, out);
  if (st != TSR_OK || count == 0) return st;
  const char **pointers = out->at;
  char *to = (char *)(pointers + count);
  for (tsr_index i = 0; i < count; i++) {
    const size_t length = strlen(from[i]) + 1;
    memcpy(to, from[i], length);
    pointers[i] = to;
    to += length;
  }
  return TSR_OK;
}

static bool kind_fits(int kind, int unit, int dtype) {
  const int class_ = tsr_dtype_describe(dtype)->class_;
  switch (kind) {
    case TSR_COLUMN_NUMBER: return class_ != TSR_CLASS_COMPLEX;
    case TSR_COLUMN_BOOL: return dtype == TSR_BOOL;
    case TSR_COLUMN_DATE: return dtype == TSR_I64 && unit == TSR_UNIT_DAY;
    case TSR_COLUMN_TIME:
    case TSR_COLUMN_DATETIME: return dtype == TSR_I64 && tsr_time_per_second(unit) > 0;
    case TSR_COLUMN_TEXT: return dtype == TSR_I32;
    default: return false;
  }
}

static tsr_status check_texts(tsr_ctx *ctx, const char *op, const tsr_table *table, tsr_index column) {
  const tsr_tensor *t = &table->values.tensors[column];
  const int32_t *at = t->data;
  for (tsr_index i = 0; i < t->shape[0]; i++) {
    const int32_t number = at[i * t->stride[0]];
    if (tsr_table_has(table, column, i) && (number < 0 || number >= table->columns[column].string_count))
      return TSR__FAIL(ctx, TSR_EINDEX, op, "values", "have string %d of %l in row %l", (int)number,
                       (int64_t)table->columns[column].string_count, (int64_t)i);
  }
  return TSR_OK;
}

static tsr_status check_column(tsr_ctx *ctx, const char *op, const tsr_table *table, const char *name,
                               const tsr_column *what, const tsr_tensor *values) {
  char shown[TSR__SHOWN];
  if (table == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "table", "is NULL");
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  const tsr_status st = tsr__check_input(ctx, op, "values", values);
  if (st != TSR_OK) return st;
  if (values->ndim != 1) return TSR__FAIL(ctx, TSR_ESHAPE, op, "values", "%t: a column has rank 1", values);
  if (table->values.count > 0 && values->shape[0] != table->rows)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "values", "%t: the table has %l rows", values, (int64_t)table->rows);
  tsr__show_text(name, shown);
  if (tsr_table_find(table, name) >= 0) return TSR__FAIL(ctx, TSR_ENAME, op, "name", "'%s' is there already", shown);
  if (!kind_fits(what->kind, what->unit, values->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "values", "%t is not what a column of kind %d and unit %d holds", values,
                     what->kind, what->unit);
  if (what->string_count < 0 || (what->string_count > 0 && what->strings == NULL))
    return TSR__FAIL(ctx, TSR_EARG, op, "what", "has %l strings, and no pointer to them", (int64_t)what->string_count);
  const tsr_tensor *present = &what->present;
  if (present->dtype != TSR_NONE &&
      (present->dtype != TSR_BOOL || present->ndim != 1 || present->shape[0] != values->shape[0] ||
       (present->data == NULL && present->shape[0] > 0)))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "what", "has present %t for %t", present, values);
  return TSR_OK;
}

static tsr_index count_missing(const tsr_tensor *present) {
  tsr_index n = 0;
  if (present->data == NULL) return 0;
  for (tsr_index i = 0; i < present->shape[0]; i++) n += ((const uint8_t *)present->data)[i * present->stride[0]] == 0;
  return n;
}

/* A share where the memory is counted, else a copy: it stays when the caller's goes. */
static tsr_status keep(tsr_ctx *ctx, const tsr_tensor *from, tsr_tensor *out) {
  if (from->dtype == TSR_NONE) return TSR_OK;
  return from->storage != NULL ? tsr_share(ctx, from, out) : tsr_clone(ctx, from, out);
}

tsr_status tsr_table_add(tsr_ctx *ctx, tsr_table *table, const char *name, const tsr_column *what, tsr_tensor *values) {
  static const char op[] = "table_add";
  tsr_column column = {.kind = values != NULL && values->dtype == TSR_BOOL ? TSR_COLUMN_BOOL : TSR_COLUMN_NUMBER};
  tsr__room strings = {0};
  if (what != NULL) column = *what;
  column.present = (tsr_tensor){0};
  tsr_status st = check_column(ctx, op, table, name, what != NULL ? what : &column, values);
  if (st != TSR_OK) return st;
  if (column.kind != TSR_COLUMN_TEXT) column.strings = NULL, column.string_count = 0;
  if (what != NULL) st = keep(ctx, &what->present, &column.present);
  if (st == TSR_OK) st = start(ctx, op, table);
  column.missing = count_missing(&column.present);
  const tsr_allocator *allocator = st == TSR_OK ? tsr__table_allocator(ctx, table) : NULL;
  if (st == TSR_OK && column.string_count > 0) {
    st = tsr__table_copy_strings(ctx, op, allocator, column.string_count, column.strings, &strings);
    column.strings = strings.at;
  }
  if (st == TSR_OK && column.kind == TSR_COLUMN_TEXT) { /* before it is in: a failure changes nothing */
    const tsr_table alone = {.values = {.tensors = values, .count = 1}, .columns = &column, .rows = values->shape[0]};
    st = check_texts(ctx, op, &alone, 0);
  }
  if (st == TSR_OK) st = tsr__table_own(ctx, op, table, name, &column, values, &strings);
  if (st == TSR_OK) return TSR_OK;
  tsr_release(&column.present);
  if (allocator != NULL) tsr__room_free(allocator, &strings);
  return tsr__fail_as(ctx, st, op);
}

/* ---- texts ---- */

static tsr_status number_texts(tsr_ctx *ctx, const char *op, tsr_index n, const char *const *texts,
                               tsr__strings *strings, tsr_tensor *values, tsr_column *column) {
  tsr_status st = tsr_empty(ctx, TSR_I32, 1, &n, values);
  if (st == TSR_OK) st = tsr_empty(ctx, TSR_BOOL, 1, &n, &column->present);
  for (tsr_index i = 0; i < n && st == TSR_OK; i++) {
    int32_t number = -1;
    if (texts[i] != NULL) st = tsr__strings_add(ctx, op, strings, texts[i], strlen(texts[i]), &number);
    ((int32_t *)values->data)[i] = number;
    ((uint8_t *)column->present.data)[i] = number >= 0;
  }
  column->missing = st == TSR_OK ? count_missing(&column->present) : 0;
  if (column->missing == 0) tsr_release(&column->present);
  return st;
}

tsr_status tsr_table_add_text(tsr_ctx *ctx, tsr_table *table, const char *name, tsr_index n, const char *const *texts) {
  static const char op[] = "table_add_text";
  tsr_column column = {.kind = TSR_COLUMN_TEXT};
  tsr_tensor values = {0};
  tsr__strings strings;
  tsr__room block = {0};
  if (table == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "table", "is NULL");
  if (texts == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "texts", "is NULL");
  tsr_status st = start(ctx, op, table);
  if (st != TSR_OK) return st;
  const tsr_allocator *allocator = tsr__table_allocator(ctx, table);
  tsr__strings_start(&strings, allocator);
  st = number_texts(ctx, op, n, texts, &strings, &values, &column);
  column.strings = tsr__strings_list(&strings);
  column.string_count = strings.count;
  if (st == TSR_OK) st = check_column(ctx, op, table, name, &column, &values);
  if (st == TSR_OK) st = tsr__table_copy_strings(ctx, op, allocator, strings.count, column.strings, &block);
  column.strings = block.at;
  if (st == TSR_OK) st = tsr__table_own(ctx, op, table, name, &column, &values, &block);
  tsr__strings_end(&strings);
  tsr__room_free(allocator, &block);
  tsr_release(&column.present);
  tsr_release(&values);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
}

#endif
