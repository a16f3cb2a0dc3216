/* The parts of the reader of tables. A text comes in waves of some hundred kilobytes, a wave is cut into parts that threads
 * read at the same time, and what they read is put behind what is there, in order. */
#ifndef TSR_IO_CSV_CSV_H
#define TSR_IO_CSV_CSV_H

#include <tessera/csv.h>
#include "core/check.h"
#include "io/bytes/memory.h"
#include "io/call/limits.h"
#include "io/csv/decimal.h"
#include "io/table/calendar.h"
#include "io/table/strings.h"
#include "io/table/table.h"

#if TSR_HAVE_STDIO

/* ---- fields ---- */

/* How fields are told apart and read. */
typedef struct tsr__csv_rules {
  char separator, comment, decimal, thousands;
  char eol;    /* ends every row but the last: '\n', or '\r' where lines end with that alone */
  bool blanks; /* any number of spaces and tabs separates */
  bool table;  /* zeros before a number, and booleans by word, count */
  bool whole, short_rows;
  bool strict; /* a field that does not fit the kind that was found is an error */
  tsr__date_order dates;
  const char *const *missing; /* NULL: the usual words */
  tsr_index missing_count;
  size_t max_field;
  uint8_t ends[256]; /* what ends a field that is not quoted: TSR__CSV_SEPARATOR, TSR__CSV_EOL, else 0 */
} tsr__csv_rules;

/* Bytes of text that are read at a time. */
enum { TSR__CSV_WAVE = 1 << 19 };

enum { TSR__CSV_SEPARATOR = 1, TSR__CSV_EOL = 2 };

/* A field without its quotes: bytes of the text. */
typedef struct tsr__csv_field {
  const char *at;
  size_t length;
  bool quoted;
  bool doubled; /* quotes stand twice in it */
} tsr__csv_field;

/* What is wrong. */
typedef enum tsr__csv_wrong {
  TSR__CSV_FINE = 0,
  TSR__CSV_NO_NUMBER,
  TSR__CSV_NOT_WHOLE,
  TSR__CSV_RANGE,
  TSR__CSV_NO_VALUE,
  TSR__CSV_NO_TIME,
  TSR__CSV_NO_BOOL,
  TSR__CSV_TOO_LONG,
  TSR__CSV_ZERO_BYTE,
  TSR__CSV_AFTER_QUOTE,
  TSR__CSV_OPEN_QUOTE,
  TSR__CSV_FEW,
  TSR__CSV_MANY,
  TSR__CSV_OTHER_KIND, /* it does not fit the kind that was found */
  TSR__CSV_NOT_UTF8
} tsr__csv_wrong;

typedef struct tsr__csv_error {
  tsr__csv_wrong wrong;
  tsr__csv_field field;
  const char *at;   /* in the text: for the line */
  tsr_index column; /* of the text, from 0 */
} tsr__csv_error;

/* The field at *at, which is below limit; *at moves to what ends it. limit[-1] is an eol, and 16 bytes behind limit can be
 * read. TSR__CSV_OPEN_QUOTE: its end has not come. */
tsr__csv_wrong tsr__csv_lex(const tsr__csv_rules *rules, const char **at, const char *limit, tsr__csv_field *field);

/* Past what ends a field: a separator (true), else an eol or the blanks before one. */
bool tsr__csv_step(const tsr__csv_rules *rules, const char **at);

/* To the next row that is not blank, at most to limit. */
const char *tsr__csv_row_start(const tsr__csv_rules *rules, const char *at, const char *limit);

/* Fills rules->ends. */
void tsr__csv_set_ends(tsr__csv_rules *rules);

/* A field without blanks around it. */
tsr__csv_field tsr__csv_trim(const tsr__csv_field *field);

/* A field as text, with quotes once, to length bytes. */
size_t tsr__csv_unquote(const tsr__csv_field *field, char *to);

/* ---- what a field is ---- */

/* Sets of these tell the kind of a column. */
enum {
  TSR__CSV_IS_MISSING = 1,
  TSR__CSV_IS_BOOL = 2,
  TSR__CSV_IS_WHOLE = 4,
  TSR__CSV_IS_CODE = 8, /* whole, with zeros before it */
  TSR__CSV_IS_BIG = 16, /* whole, and past an i64 */
  TSR__CSV_IS_REAL = 32,
  TSR__CSV_IS_DATE = 64,
  TSR__CSV_IS_TIME = 128,
  TSR__CSV_IS_DATETIME = 256,
  TSR__CSV_IS_UTC = 512,
  TSR__CSV_IS_FINE = 1024, /* finer than a microsecond */
  TSR__CSV_IS_TEXT = 2048
};
unsigned tsr__csv_classify(const tsr__csv_rules *rules, const tsr__csv_field *field);
bool tsr__csv_is_missing(const tsr__csv_rules *rules, const tsr__csv_field *trimmed);

/* A number taken apart: ±digits · 10^exponent, or a word. */
typedef struct tsr__csv_number {
  bool negative;
  enum { TSR__CSV_FINITE, TSR__CSV_INFINITE, TSR__CSV_NAN } kind;
  bool whole;      /* neither a point nor an exponent */
  bool zeros;      /* a zero stands before another digit */
  bool marked;     /* it has a decimal mark */
  int64_t counted; /* digits from the first one on that is not 0; more than 19: the mantissa is not all */
  int last;        /* the 20th of them */
  tsr__decimal decimal;
} tsr__csv_number;
bool tsr__csv_number_parse(const char *text, size_t length, char decimal, char thousands, tsr__csv_number *n);

/* As an element of a dtype. NaN where it is one; integer dtypes take whole numbers alone. */
tsr__csv_wrong tsr__csv_number_store(const tsr__csv_number *n, int dtype, void *element);
void tsr__csv_store_missing(int dtype, void *element);

/* Whether a field that is no number is no name either: several numbers, a date or a time; and whether it begins as a
 * comment does. Neither names a column of a matrix, unless it is quoted. */
bool tsr__csv_looks_like_data(const char *field, size_t length);
bool tsr__csv_looks_like_comment(const char *field, size_t length);

/* Whether a field that is no number begins as one: "1.5.2", "2 # twice", "0x10". It may name a column, but not beside
 * numbers. */
bool tsr__csv_begins_as_number(const char *field, size_t length);

/* ---- columns ---- */

/* How the fields of a column are read. */
typedef enum tsr__csv_way {
  TSR__CSV_SKIP = 0,
  TSR__CSV_F64,
  TSR__CSV_I64,
  TSR__CSV_NUMBER, /* of any dtype */
  TSR__CSV_BOOL,
  TSR__CSV_DATE, /* and times */
  TSR__CSV_TEXT
} tsr__csv_way;

/* A column of the text. */
typedef struct tsr__csv_plan {
  tsr__csv_way way;
  uint8_t kind, dtype, unit, epoch; /* epoch: the unit of whole numbers in a column of times */
  bool utc;
  bool found;      /* its kind may change */
  bool fixed_unit; /* its unit may not */
  unsigned seen;
  size_t item;
  tsr_index slot;    /* among those that are read */
  tsr_index missing; /* fields, counted in a dry run */
} tsr__csv_plan;

/* What kind the sets of fields give: kind, dtype, unit, utc, way, item. */
void tsr__csv_plan_found(tsr__csv_plan *plan);
void tsr__csv_plan_way(tsr__csv_plan *plan);

/* ---- parts ---- */

/* The texts of one column of a part, each once. */
typedef struct tsr__csv_texts {
  tsr__csv_field *field; /* in the order in which they came */
  uint64_t *hash;
  uint32_t *slot;  /* number + 1; 0: free */
  int32_t *number; /* in the whole, once they are merged */
  uint32_t count, slots, most;
} tsr__csv_texts;

/* The fields of one column of a part. */
typedef struct tsr__csv_cells {
  char *out; /* elements, step bytes apart */
  size_t step;
  uint8_t *present; /* written where missing > 0 */
  tsr_index missing;
  unsigned seen; /* what does not fit the kind that was found */
  tsr__csv_texts *texts;
} tsr__csv_cells;

typedef struct tsr__csv_part {
  const tsr__csv_rules *rules;
  const tsr__csv_plan *plan; /* columns of the text */
  tsr_index columns, most;   /* most: rows there is room for */
  tsr__csv_cells *cells;     /* of the columns that are read */
  uint64_t seed;
  const char *start, *until, *limit; /* rows that begin in start … until; bytes up to limit */
  const char *next;                  /* where the next row begins */
  int64_t lines;                     /* ends of lines from start to next */
  tsr_index rows;
  bool open; /* the row at next has not come to its end */
  tsr__csv_error error;
} tsr__csv_part;

/* Reads the rows of a part. */
void tsr__csv_part_read(tsr__csv_part *part);

/* Stores one field; wrong where it cannot be. */
tsr__csv_wrong tsr__csv_store(const tsr__csv_part *part, const tsr__csv_plan *plan, const tsr__csv_field *field,
                              tsr__csv_cells *cells);

/* ---- the whole ---- */

/* What becomes of the columns that are read. */
typedef struct tsr__csv_column_out {
  tsr_storage *values, *present; /* present: NULL while nothing is missing */
  tsr_index missing;
  tsr__strings strings;
  unsigned seen; /* fields that do not fit its kind */
} tsr__csv_column_out;

struct tsr__gunzip;

typedef struct tsr__csv {
  tsr_ctx *ctx;
  const char *op;
  const char *where; /* begins every message: "" or "x.csv: " */
  const tsr_source *source;
  bool (*rewind)(void *self); /* takes the source back to its start; NULL: it cannot */
  void *rewind_self;
  uint64_t known; /* bytes of the source; 0: not known */
  bool matrix;
  bool strict; /* kinds that are found hold */
  bool keep;   /* the text, for a second time */
  bool dry;    /* nothing is kept: kinds are looked for */
  bool block;  /* every wave begins at row 0 */
  tsr_csv_options options;
  const tsr_allocator *allocator;
  tsr__csv_rules rules;
  tsr_csv_form form;

  /* The text. */
  tsr__room text;
  size_t wave;       /* bytes of a wave */
  size_t at, filled; /* bytes that are not taken yet */
  bool ended;
  int64_t line;           /* of text[at], from 1 */
  const tsr_source *from; /* what is read: source, or what unpacks it */
  tsr_source unpacked;
  struct tsr__gunzip *gunzip;
  tsr__room kept;
  size_t kept_bytes;
  bool from_kept;
  tsr__memory_bytes again;

  /* Columns of the text. */
  tsr_index columns;
  tsr__room plans, names, name_text;
  /* Those that are read. */
  tsr_index slots;
  tsr__room chosen; /* tsr_index: their columns in the text */
  tsr__room out;    /* tsr__csv_column_out */
  tsr_storage *matrix_out;
  tsr__room first;  /* unsigned: what the fields of the first row are */
  tsr__room parts;  /* tsr__csv_part */
  tsr__room memory; /* of the parts */
  int part_count;
  size_t row_bytes;  /* of all columns that are read */
  tsr_index rows;    /* so far */
  uint64_t consumed; /* bytes of text */
  uint64_t string_bytes;
  tsr__budget budget;
} tsr__csv;

/* Checks options, reads the first wave, finds what it is and makes plans. csv has ctx, op, where, source, rewind, known,
 * matrix, keep. Call tsr__csv_close in any case. */
tsr_status tsr__csv_open(tsr__csv *csv, const tsr_csv_options *options);
void tsr__csv_close(tsr__csv *csv);

/* Reads the next wave, and adds its rows; *more is false behind the last one. */
tsr_status tsr__csv_next(tsr__csv *csv, bool *more);

/* All waves: twice where kinds changed on the way. */
tsr_status tsr__csv_read_all(tsr__csv *csv);

/* Back to the first row, with the plans as they are. */
tsr_status tsr__csv_again(tsr__csv *csv);

/* The text: more of it into the buffer; the first bytes are passed over as options say. */
tsr_status tsr__csv_fill(tsr__csv *csv, size_t room);
tsr_status tsr__csv_start_text(tsr__csv *csv);

/* What the text looks like; makes plans, names. */
tsr_status tsr__csv_find(tsr__csv *csv);

/* Memory for the parts of a wave, as the plans want it. */
tsr_status tsr__csv_make_parts(tsr__csv *csv);

/* Where the bytes end that hold whole rows, but for quotes: behind the last eol that is there; the text's start where none is. */
const char *tsr__csv_limit(const tsr__csv *csv);

/* More text, because a row has no end yet: TSR_EFORMAT where a field, or the number of fields, shows that it never will. */
tsr_status tsr__csv_widen(tsr__csv *csv);

/* Behind the header, if there is one. */
tsr_status tsr__csv_pass_header(tsr__csv *csv);

/* A refusal. */
tsr_status tsr__csv_refuse(const tsr__csv *csv, const tsr__csv_error *error);
int64_t tsr__csv_line_of(const tsr__csv *csv, const char *at);

/* Whether c can stand between fields: no letter of a number or of nan and inf, no quote, no end of a line. */
bool tsr__csv_can_separate(char c);

static inline tsr__csv_plan *tsr__csv_plans(const tsr__csv *csv) { return csv->plans.at; }
static inline const char **tsr__csv_names(const tsr__csv *csv) { return csv->names.at; } /* NULL: no header */
static inline tsr_index *tsr__csv_chosen(const tsr__csv *csv) { return csv->chosen.at; }
static inline tsr__csv_column_out *tsr__csv_out(const tsr__csv *csv) { return csv->out.at; }

/* The key of a column's name: "column.0". */
enum { TSR__CSV_KEY = 32 };
void tsr__csv_key(tsr_index column, char key[TSR__CSV_KEY]);

/* Whether text is word, in any case; word is in small letters. */
bool tsr__csv_is_word(const char *text, size_t length, const char *word);

/* Reads all of it under another name. csv has ctx, op, where, source, rewind, known. */
tsr_status tsr__csv_read_matrix(tsr__csv *csv, const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns);
tsr_status tsr__csv_read_table(tsr__csv *csv, const tsr_csv_options *options, tsr_table *out, tsr_csv_form *form);

/* Bytes in memory as the text. */
typedef struct tsr__csv_memory {
  tsr__memory_bytes bytes, all;
  tsr_source source;
} tsr__csv_memory;
tsr_status tsr__csv_of_memory(tsr_ctx *ctx, const char *op, const void *bytes, size_t n, tsr__csv_memory *memory,
                              tsr__csv *csv);

/* The columns that were read, as a table: given away. */
tsr_status tsr__csv_make_table(tsr__csv *csv, tsr_table *out);

/* A column that was read as tensors that count its memory, its strings lent. */
tsr_status tsr__csv_make_column(tsr__csv *csv, tsr_index slot, tsr_index rows, tsr_tensor *values, tsr_column *column);

/* The name of a column that is read, where the columns before it have theirs in table. */
void tsr__csv_column_name(const tsr__csv *csv, tsr_index slot, const tsr_table *table, tsr__room *room,
                          const char **name);

#endif

#endif
