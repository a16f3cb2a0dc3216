/** @file csv.h
 *  Tables as text: CSV, TSV and their kin, to and from tables (<tessera/table.h>) and matrices.
 *
 *  Fields may be quoted ("a ""b"" c", also across lines, with spaces around the quotes); lines end with LF, CRLF or a
 *  lone CR; a byte order mark and blank lines are passed over, and gzip is unpacked where the build has zlib. Numbers are decimal, with an exponent or
 *  without, or nan, inf, infinity (any case, signed), spaces around them, whatever the locale; f64 and f32 are rounded
 *  once from the text, narrower floats from f64. What is wrong is TSR_EFORMAT, or TSR_ERANGE where a number does not
 *  fit, with line, column and field (both from 1). Results do not depend on the number of threads.
 *
 *  What options leave open is found from the first 512 KB, and tsr_csv_form tells what it was:
 *  - The separator: of tab, ;  |  and , the first that all of the first 64 lines have outside quotes, equally often;
 *    else blanks where the lines have equally many parts and each but the first a number among them; else the first
 *    that the first line has; else a comma.
 *  - The decimal mark: a comma where the separator is another and some fields are numbers with a comma but none with a
 *    point; else a point.
 *  - The header: the first row names the columns when it has a word (a field that is neither a number, a date, a time,
 *    a boolean, several numbers, nor missing), and its other fields have no values, or are years that rise, or one of
 *    its fields would make text of a column of values.
 *  - The kind of a column: booleans (true, false, yes, no in any case), whole numbers, numbers, dates, times, dates with
 *    times where all of its fields that are not missing are that; else text. Whole numbers with zeros before them (00501)
 *    are text. */
#ifndef TESSERA_CSV_H
#define TESSERA_CSV_H

#include <tessera/io.h>
#include <tessera/limits.h>
#include <tessera/metadata.h>
#include <tessera/table.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** Whether the first row names the columns. */
typedef enum tsr_csv_header {
  TSR_CSV_HEADER_AUTO = 0, /**< by the rule above. For matrices: it does when it has a word. There, a field that is no
                                name either, such as `1 2`, `2024-01-31` or `# text`, is TSR_EFORMAT unless quoted, and
                                so is one that begins as a number, such as `1.5.2`, in a row with numbers */
  TSR_CSV_HEADER_NONE = 1,
  TSR_CSV_HEADER_FIRST = 2
} tsr_csv_header;

/** In which order the parts of dates stand that are not ISO 8601. */
typedef enum tsr_csv_dates {
  TSR_CSV_DATES_ISO = 0, /**< 2024-01-31 and 2024/1/31 alone are dates */
  TSR_CSV_DATES_DMY = 1, /**< 31.1.2024, 31/01/24, 31-01-2024 as well, a time behind it or not */
  TSR_CSV_DATES_MDY = 2  /**< 1/31/2024 as well */
} tsr_csv_dates;

/** A column to read, and how. */
typedef struct tsr_csv_column {
  const char *name; /**< of the header; NULL: number says which. Without a header, "column.0" and so on */
  tsr_index number; /**< from 0 on; negative: from the last one, -1 */
  int kind;         /**< TSR_COLUMN_NUMBER …; 0: found, or TSR_COLUMN_NUMBER where dtype is given */
  int dtype;        /**< of numbers; 0: found, f64 where kind is given */
  int unit;         /**< of times, and of what whole numbers in a column of dates and times count, since 1970-01-01; 0:
                         microseconds, and nanoseconds where a field is finer; days for dates, whole numbers in dates with
                         times are then seconds */
} tsr_csv_column;

/** How to read and write; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_csv_options {
  char separator; /**< between fields: any ASCII character but quotes, ends of lines, and what numbers are made of; ' ':
                         blanks, any number of spaces and tabs; 0: found, and ',' when writing */
  char comment;   /**< lines that begin with it are passed over; 0: none */
  char decimal;   /**< '.' or ','; 0: found, for matrices and when writing '.' */
  char
      thousands; /**< between groups of three digits before the decimal mark: one of , . ' _ or a space; 0: none. '.' and
                         ',' here are no decimal marks */
  int header;    /**< TSR_CSV_HEADER_AUTO … */
  int dtype;     /**< of a matrix; 0: TSR_F64. bool is 0 or 1; complex dtypes are not read */
  int dates;     /**< TSR_CSV_DATES_ISO … */
  bool whole;    /**< missing fields are errors. For matrices they always are where the dtype has no NaN */
  bool numbers;  /**< of a matrix: columns that are no numbers are left out, not errors */
  bool short_rows;               /**< rows may end early: the rest is missing; else an error */
  tsr_index skip;                /**< lines before the table, passed over */
  tsr_index most;                /**< rows to read; 0: all */
  const tsr_csv_column *columns; /**< which to read, and how, in this order; NULL: all. A matrix takes their choice and
                                      order, and numbers alone */
  tsr_index column_count;        /**< 0 where columns is NULL */
  bool others;                /**< the columns that are not listed are read too: all come in the file's order, and the
                                      list only says how */
  const char *const *missing; /**< what stands for no value, beside the empty field, in any case; NULL: NA, N/A, #N/A,
                                      <NA>, null, none, NaT, and nan, which among floats is a number. Quoted, they are
                                      text where text can be; "" is an empty text there */
  tsr_index missing_count;    /**< 0 where missing is NULL, or for no word at all */
  size_t max_field;           /**< bytes of one field; 0: 4096, in tables 2^20 */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_csv_options;

/** What a text was found to be. */
typedef struct tsr_csv_form {
  char separator; /**< ' ': blanks */
  char decimal;
  bool header;       /**< the first row names the columns */
  bool packed;       /**< gzip */
  tsr_index columns; /**< in the text, read or not */
} tsr_csv_form;

/* ---- tables ---- */

/** Reads a table: of the columns that options list, or of all. Columns without a name are "column.0" and so on by their
 *  number; one whose name came before gets ".1" and so on behind it. Kinds that were found hold for all rows: where a
 *  later field does not fit, the column gets the kind that fits them all, and the text is gone through again; from a
 *  source, it is kept in memory for that. *out must be empty and stays so when it fails; options may be NULL, and form
 *  too. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_table_read(tsr_ctx *ctx, const tsr_source *source,
                                                   const tsr_csv_options *options, tsr_table *out, tsr_csv_form *form);

/** The same from n bytes in memory. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_table_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                                     const tsr_csv_options *options, tsr_table *out,
                                                     tsr_csv_form *form);

/** The same from a file. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_table_load(tsr_ctx *ctx, const char *path, const tsr_csv_options *options,
                                                   tsr_table *out, tsr_csv_form *form);

/** Writes a table, header first: numbers as tsr_csv_write does, dates and times in ISO 8601, true and false, text in
 *  quotes where it needs them; a missing field is empty. Read again, it is the same table: text that looks like something
 *  else in every row is the exception, unless its kind is given. Of options separator and decimal are read, and header:
 *  TSR_CSV_HEADER_NONE writes none. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_table_write(tsr_ctx *ctx, const tsr_table *table,
                                                    const tsr_csv_options *options, const tsr_sink *sink);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_table_save(tsr_ctx *ctx, const char *path, const tsr_table *table,
                                                   const tsr_csv_options *options);

/* ---- tables larger than memory ---- */

/** Reads a table block by block: memory goes with a block, and with the strings of its columns of text. */
typedef struct tsr_csv_reader tsr_csv_reader;

/** Opens the text behind a source, which must live as long. Kinds are found from its first 512 KB and hold for all
 *  blocks: a later field that does not fit is TSR_EFORMAT, and its message says so. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_reader_new(tsr_ctx *ctx, const tsr_source *source,
                                                   const tsr_csv_options *options, tsr_csv_reader **out);

/** Opens a file. all: it is read once from start to end to find kinds that fit every row, and how many rows there are
 *  (tsr_csv_reader_rows); that takes as long as reading it, and needs a plain file. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_reader_open(tsr_ctx *ctx, const char *path, const tsr_csv_options *options,
                                                    bool all, tsr_csv_reader **out);

/** What was found. */
TSR_API const tsr_csv_form *tsr_csv_reader_form(const tsr_csv_reader *reader);

/** How many rows there are, where the file was opened with all; else -1. */
TSR_API tsr_index tsr_csv_reader_rows(const tsr_csv_reader *reader);

/** The columns with their names and kinds, and no rows, until the first block is read: the reader's own. Where the file
 *  was opened with all, missing is how many fields the whole column misses. */
TSR_API const tsr_table *tsr_csv_reader_columns(const tsr_csv_reader *reader);

/** The next rows, at most some ten thousand: *block is the reader's own and lent until the next call. Behind the last row
 *  it has none. Strings of text keep their numbers in later blocks. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_reader_next(tsr_ctx *ctx, tsr_csv_reader *reader, const tsr_table **block);

/** Goes back to the first row of a file: TSR_EUNSUPPORTED of a reader over a source. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_reader_rewind(tsr_ctx *ctx, tsr_csv_reader *reader);

/** Ends it; NULL is fine. */
TSR_API void tsr_csv_reader_release(tsr_csv_reader *reader);

/* ---- matrices ---- */

/** Reads a table of numbers as one matrix [rows, columns] of options->dtype. Missing are NaN. Every row has as many
 *  fields as the first. columns (may be NULL, else it must be empty) takes the names of a header row: "column.0" is the
 *  first's. An empty *out is allocated; a given one takes the numbers when dtype and shape fit. The source is read in
 *  pieces: memory goes with the numbers, not with the text, unless options->numbers has to look at it twice. options may
 *  be NULL. *out and *columns stay as they are when it fails. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_read(tsr_ctx *ctx, const tsr_source *source, const tsr_csv_options *options,
                                             tsr_tensor *out, tsr_metadata *columns);

/** The same from n bytes in memory. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                               const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns);

/** Writes a tensor of rank 0 … 2 (rank 1 is one column): integers in full, floats with the fewest digits that read
 *  back as the same number, NaN as nan. columns (may be NULL) gives the header row by its "column.N"; a column without
 *  a name is empty there, and one whose name is not UTF-8 is TSR_ENAME. Only separator is read of options, which may be
 *  NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_metadata *columns,
                                              const tsr_csv_options *options, const tsr_sink *sink);

/** Reads a file. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_load(tsr_ctx *ctx, const char *path, const tsr_csv_options *options,
                                             tsr_tensor *out, tsr_metadata *columns);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t,
                                             const tsr_metadata *columns, const tsr_csv_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
