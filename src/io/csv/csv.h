/* The parts of the reader of tables: fields on their way in, numbers from text. */
#ifndef TSR_IO_CSV_CSV_H
#define TSR_IO_CSV_CSV_H

#include <tessera/csv.h>
#include "core/check.h"
#include "io/call/limits.h"

#if TSR_HAVE_STDIO

/* ---- fields ---- */

typedef struct tsr__csv {
  tsr_ctx *ctx;
  const char *op;
  const char *where; /* begins every message: "" or "x.csv: " */
  const tsr_source *source;
  tsr_csv_options options; /* defaults filled in */

  uint8_t *block; /* bytes of the source: at … filled are not taken yet */
  size_t at, filled;
  bool ended;
  int64_t line;   /* of the next byte, from 1 */
  int64_t start;  /* the line where the present field begins */
  int64_t column; /* the number of the present field, from 1 */

  char *field; /* the present field without its quotes, closed by a zero */
  size_t length;
  bool quoted;
  char *spare; /* as large: for numbers on their way */
  tsr__scratch memory;
} tsr__csv;

/* What follows a field. */
typedef enum tsr__csv_end { TSR__CSV_MORE = 0, TSR__CSV_ROW_END = 1, TSR__CSV_FILE_END = 2 } tsr__csv_end;

/* Checks the options, takes memory, and goes to the first row. Call tsr__csv_close after success. */
tsr_status tsr__csv_open(tsr__csv *csv, const tsr_csv_options *options);
void tsr__csv_close(tsr__csv *csv);

/* Whether c can stand between fields: no letter of a number or of nan and inf, no quote, no end of a line. */
bool tsr__csv_can_separate(char c);

/* Goes to the next row that is not blank; *more is false at the end of the file. */
tsr_status tsr__csv_next_row(tsr__csv *csv, bool *more);

/* The next field of the row. */
tsr_status tsr__csv_next_field(tsr__csv *csv, tsr__csv_end *end);

/* A refusal at the present field. */
#define TSR__CSV_REFUSE(csv, code, ...) TSR__CSV_REFUSE_(csv, code, __VA_ARGS__, 0)
#define TSR__CSV_REFUSE_(csv, code, text, ...)                                                            \
  TSR__FAIL((csv)->ctx, code, (csv)->op, NULL, "%sline %l, column %l: " text, (csv)->where, (csv)->start, \
            (csv)->column, __VA_ARGS__)

/* ---- numbers ---- */

typedef enum tsr__csv_kind { TSR__CSV_TEXT = 0, TSR__CSV_NUMBER = 1, TSR__CSV_MISSING = 2 } tsr__csv_kind;

/* What a field looks like. */
tsr__csv_kind tsr__csv_kind_of(const char *field, size_t length, bool quoted);

/* Whether a field that is no number is no name either: several numbers, a date or a time; and whether it begins as a
 * comment does. Neither names a column, unless it is quoted. */
bool tsr__csv_looks_like_data(const char *field, size_t length);
bool tsr__csv_looks_like_comment(const char *field, size_t length);

/* Whether a field that is no number begins as one: "1.5.2", "2 # twice", "0x10". It may name a column, but not beside
 * numbers. */
bool tsr__csv_begins_as_number(const char *field, size_t length);

/* The present field as an element of options.dtype: TSR_EFORMAT, TSR_ERANGE. */
tsr_status tsr__csv_element(tsr__csv *csv, void *element);

/* The key of a column's name: "column.0". */
enum { TSR__CSV_KEY = 32 };
void tsr__csv_key(tsr_index column, char key[TSR__CSV_KEY]);

/* Reads all of it under another name. csv has ctx, op, where, source. */
tsr_status tsr__csv_read_table(tsr__csv *csv, const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns);

#endif

#endif
