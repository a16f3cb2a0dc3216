#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { WORDS = 16 };

/* The command line's, as long as it runs. */
static struct {
  bool asked;
  tsr_csv_options options;
  char *missing[WORDS + 1]; /* owned */
} rows;

/* ---- options ---- */

static bool is(const char *text, size_t length, const char *word) {
  return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* One character, or its name. */
static bool read_character(const char *value, char *out) {
  static const struct {
    const char *name;
    char c;
  } names[] = {{"tab", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"blank", ' '}, {"space", ' '}, {"point", '.'}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i].name, value) == 0) return *out = names[i].c, true;
  *out = value[0];
  return value[0] != '\0' && value[1] == '\0';
}

static bool read_header(const char *value) {
  rows.options.header = strcmp(value, "none") == 0 ? TSR_CSV_HEADER_NONE : TSR_CSV_HEADER_FIRST;
  return strcmp(value, "none") == 0 || strcmp(value, "first") == 0;
}

static bool read_dates(const char *value) {
  rows.options.dates = strcmp(value, "dmy") == 0 ? TSR_CSV_DATES_DMY : TSR_CSV_DATES_MDY;
  return strcmp(value, "dmy") == 0 || strcmp(value, "mdy") == 0;
}

static bool read_count(const char *value, tsr_index *out) {
  char *end;
  const long long n = strtoll(value, &end, 10);
  *out = (tsr_index)n;
  return end != value && *end == '\0' && n >= 0;
}

static bool read_missing(const char *value) {
  if (rows.options.missing_count == WORDS) return false;
  char *copy = strdup(value);
  if (copy == NULL) return false;
  rows.missing[rows.options.missing_count++] = copy;
  rows.options.missing = (const char *const *)rows.missing;
  return true;
}

static bool read_one(const char *text) {
  const size_t name = strcspn(text, "=");
  const char *value = text[name] == '=' ? text + name + 1 : "";
  if (is(text, name, "separator")) return read_character(value, &rows.options.separator);
  if (is(text, name, "comment")) return read_character(value, &rows.options.comment);
  if (is(text, name, "decimal")) return read_character(value, &rows.options.decimal);
  if (is(text, name, "thousands")) return read_character(value, &rows.options.thousands);
  if (is(text, name, "header")) return read_header(value);
  if (is(text, name, "dates")) return read_dates(value);
  if (is(text, name, "skip")) return read_count(value, &rows.options.skip);
  if (is(text, name, "rows")) return read_count(value, &rows.options.most);
  if (is(text, name, "missing")) return read_missing(value);
  if (is(text, name, "short")) return rows.options.short_rows = true;
  return strcmp(text, "auto") == 0;
}

static void forget(void) {
  for (int i = 0; i < WORDS; i++) free(rows.missing[i]);
  memset(&rows, 0, sizeof rows);
}

bool rows_options_read(const arguments *args) {
  forget();
  for (int i = 0; i < args->option_count; i++) {
    if (strcmp(args->options[i]->name, "csv") != 0) continue;
    rows.asked = true;
    if (read_one(args->values[i])) continue;
    report(
        "--csv: '%s' is none of separator=C, comment=C, decimal=C, thousands=C, header=none|first, dates=dmy|mdy, "
        "skip=N, rows=N, missing=WORD, short, auto",
        args->values[i]);
    return false;
  }
  return true;
}

bool rows_asked(void) { return rows.asked; }

tsr_csv_options rows_options(void) { return rows.options; }

tsr_status rows_load(tsr_ctx *ctx, const char *path, tsr_table *out, tsr_csv_form *form) {
  return tsr_csv_table_load(ctx, path, &rows.options, out, form);
}

/* ---- columns ---- */

bool rows_are_numbers(const tsr_table *table) {
  for (tsr_index i = 0; i < table->values.count; i++)
    if (table->columns[i].kind > TSR_COLUMN_BOOL) return false;
  return table->values.count > 0;
}

void rows_text(const tsr_column *what, int64_t value, char *text, size_t n) {
  char time[TSR_TIME_TEXT] = "";
  if (what->kind == TSR_COLUMN_TEXT) {
    const bool there = value >= 0 && value < what->string_count;
    (void)snprintf(text, n, "%s", there ? what->strings[value] : "");
    return;
  }
  if (what->kind == TSR_COLUMN_BOOL) {
    (void)snprintf(text, n, "%s", value != 0 ? "true" : "false");
    return;
  }
  const int style = what->kind == TSR_COLUMN_DATE   ? TSR_TIME_DATE
                    : what->kind == TSR_COLUMN_TIME ? TSR_TIME_OF_DAY
                    : what->utc                     ? TSR_TIME_DATETIME_UTC
                                                    : TSR_TIME_DATETIME;
  if (what->kind == TSR_COLUMN_DATE || value != TSR_NO_TIME) (void)tsr_time_format(value, what->unit, style, time);
  (void)snprintf(text, n, "%s", time);
}

const char *rows_kind(const tsr_column *what, char *text) {
  static const char *const names[] = {"", "", "", "date", "time", "datetime", "text"};
  if (what->kind <= TSR_COLUMN_BOOL || what->kind > TSR_COLUMN_TEXT) return NULL;
  const char *unit = tsr_time_unit_name(what->unit);
  const bool plain = what->kind == TSR_COLUMN_TEXT || what->kind == TSR_COLUMN_DATE;
  (void)snprintf(text, 24, plain ? "%s" : "%s[%s]", names[what->kind], unit);
  return text;
}
