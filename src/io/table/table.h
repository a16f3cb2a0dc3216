/* Tables: what their parts share. */
#ifndef TSR_IO_TABLE_TABLE_H
#define TSR_IO_TABLE_TABLE_H

#include <tessera/table.h>
#include "core/check.h"
#include "io/table/calendar.h"

#if TSR_HAVE_STDIO

/* Memory of an allocator; bytes 0: none. */
typedef struct tsr__room {
  void *at;
  size_t bytes;
} tsr__room;

/* TSR_ENOMEM, with the bytes that were asked for. */
tsr_status tsr__room_get(tsr_ctx *ctx, const char *op, const tsr_allocator *allocator, size_t bytes, tsr__room *out);
void tsr__room_free(const tsr_allocator *allocator, tsr__room *block);

/* Room for at least bytes, the first used of which stay; at least twice what there was. */
tsr_status tsr__room_grow(tsr_ctx *ctx, const char *op, const tsr_allocator *allocator, size_t bytes, size_t used,
                          tsr__room *block);

/* Adds a checked column: takes values, what->present and strings over, and leaves them empty, when it does not fail.
 * strings are memory of the table's allocator (tsr__table_allocator), or empty where what->strings is lent. */
tsr_status tsr__table_own(tsr_ctx *ctx, const char *op, tsr_table *table, const char *name, tsr_column *what,
                          tsr_tensor *values, tsr__room *strings);
const tsr_allocator *tsr__table_allocator(tsr_ctx *ctx, const tsr_table *table);

/* Forgets the strings of a column that were lent. */
void tsr__table_forget(tsr_table *table, tsr_index column);

/* Copies of count strings, and pointers to them, in one block. */
tsr_status tsr__table_copy_strings(tsr_ctx *ctx, const char *op, const tsr_allocator *allocator, tsr_index count,
                                   const char *const *from, tsr__room *out);

/* The style of a column of dates or times. */
int tsr__column_style(const tsr_column *column);

/* A field that has a value, as text, to text of n bytes; the length of the whole. */
size_t tsr__field_text(const tsr_table *table, tsr_index column, tsr_index row, char *text, size_t n);

/* TSR_ESTATE where *out is no empty table. */
tsr_status tsr__table_check_empty(tsr_ctx *ctx, const char *op, const tsr_table *out);

#endif

#endif
