/** @file table.h
 *  Tables: named columns of one length, each of its own kind: numbers, booleans, dates, times, text. */
#ifndef TESSERA_TABLE_H
#define TESSERA_TABLE_H

#include <tessera/bundle.h>
#include <tessera/calendar.h>
#include <tessera/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** What the values of a column are. Numbers never change. */
typedef enum tsr_column_kind {
  TSR_COLUMN_AUTO = 0,     /**< when reading: found from the fields. No column has it */
  TSR_COLUMN_NUMBER = 1,   /**< numbers of any real dtype: f64 and i64 where they were found */
  TSR_COLUMN_BOOL = 2,     /**< bool */
  TSR_COLUMN_DATE = 3,     /**< i64: days since 1970-01-01 */
  TSR_COLUMN_TIME = 4,     /**< i64: since midnight, in the column's unit */
  TSR_COLUMN_DATETIME = 5, /**< i64: since 1970-01-01T00:00, in the column's unit */
  TSR_COLUMN_TEXT = 6      /**< i32: the numbers of strings; equal texts have equal numbers, in the order in which they
                                first came */
} tsr_column_kind;

/** What a column is beside its values. */
typedef struct tsr_column {
  int kind;           /**< TSR_COLUMN_NUMBER … */
  int unit;           /**< of dates and times: TSR_UNIT_DAY …; else 0 */
  bool utc;           /**< of TSR_COLUMN_DATETIME: the fields had offsets, and the values are UTC */
  tsr_index missing;  /**< how many rows have no value */
  tsr_tensor present; /**< bool [rows], false where a row has no value, as masks of reductions are; empty where every
                             row has one. Values that are missing are NaN in columns of floats, TSR_NO_TIME in dates and
                             times, the least number of the dtype in integers, false in bool, -1 in text: present tells
                             them from numbers that happen to be the same */
  const char *const *strings; /**< of TSR_COLUMN_TEXT: string_count of them, UTF-8 where the file was; else NULL */
  tsr_index string_count;
} tsr_column;

/** Columns by name and by position. `{0}` is an empty one. Owns the columns, their masks and strings. */
typedef struct tsr_table {
  tsr_bundle values;   /**< column i is values.tensors[i], of shape [rows], and its name is values.tensors[i].name; each
                            name once. Read only */
  tsr_column *columns; /**< values.count of them; read only */
  tsr_index rows;
  void *private_memory;
} tsr_table;

/** The position of the column of that name; -1 when there is none. */
TSR_API tsr_index tsr_table_find(const tsr_table *table, const char *name);

/** Takes *values over, whose rank is 1 and whose length is the table's, as a new column, and leaves *values empty. what
 *  (NULL: numbers, or bool) has kind, unit, utc, strings, and present (may be empty), of which a share and copies are
 *  kept; missing is counted. TSR_ENAME when the name is there already, TSR_EDTYPE when dtype and kind do not fit each
 *  other, TSR_EINDEX when a text has no string. When it fails, everything is as it was. */
TSR_API TSR_MUST_USE tsr_status tsr_table_add(tsr_ctx *ctx, tsr_table *table, const char *name, const tsr_column *what,
                                              tsr_tensor *values);

/** Adds a column of n texts, of which copies are kept; NULL is a missing one. */
TSR_API TSR_MUST_USE tsr_status tsr_table_add_text(tsr_ctx *ctx, tsr_table *table, const char *name, tsr_index n,
                                                   const char *const *texts);

/** One field as text: a number with the fewest digits that read back as the same, a date or time in ISO 8601, true or
 *  false, a string itself; "" where it is missing. At most n bytes are written, the closing zero included; *length (may
 *  be NULL) is that of the whole text. TSR_EINDEX for a row or column that is not there. */
TSR_API TSR_MUST_USE tsr_status tsr_table_text(tsr_ctx *ctx, const tsr_table *table, tsr_index column, tsr_index row,
                                               char *text, size_t n, size_t *length);

/** Whether the field has a value; false as well for a row or column that is not there. */
TSR_API bool tsr_table_has(const tsr_table *table, tsr_index column, tsr_index row);

/** The columns of numbers and booleans, in order, as one matrix [rows, columns] of dtype (0: f64). What is missing is
 *  NaN; TSR_EFORMAT where something is and the dtype has none. names (may be NULL, else it must be empty) takes
 *  "column.0" and so on, as tsr_csv_read gives them. TSR_ESHAPE when there is no such column. */
TSR_API TSR_MUST_USE tsr_status tsr_table_matrix(tsr_ctx *ctx, const tsr_table *table, int dtype, tsr_tensor *out,
                                                 tsr_metadata *names);

/** A table as tensors and strings that every format of bundles can keep: the columns by their names; NAME.present where
 *  something is missing; NAME.strings, u8, the strings one behind the other, each closed by a zero; and in metadata
 *  "table.NAME": "date", "time[us]", "datetime[us]", "datetime[us,UTC]", "text", for columns that are not plain
 *  numbers. Tensors are shared, not copied. *out must hold no tensors; metadata may be NULL, else it is added to.
 *  TSR_ENAME where a column has the name that another needs. */
TSR_API TSR_MUST_USE tsr_status tsr_table_to_bundle(tsr_ctx *ctx, const tsr_table *table, tsr_bundle *out,
                                                    tsr_metadata *metadata);

/** The other way: the tensors of rank 1, which must have one length; metadata may be NULL: a column with NAME.strings is
 *  text all the same. Tensors are shared. *out must be empty. */
TSR_API TSR_MUST_USE tsr_status tsr_table_from_bundle(tsr_ctx *ctx, const tsr_bundle *bundle,
                                                      const tsr_metadata *metadata, tsr_table *out);

/** Releases the columns and leaves the table empty. */
TSR_API void tsr_table_release(tsr_table *table);
#endif

#ifdef __cplusplus
}
#endif

#endif
