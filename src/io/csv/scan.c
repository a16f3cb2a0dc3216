/* Fields of a table, one after the other, from a source in pieces. */
#include "io/csv/csv.h"
#include "core/table.h"

#if TSR_HAVE_STDIO

#include <string.h>

enum {
  BLOCK_BYTES = 1 << 16,
  DEFAULT_MAX_FIELD = 4096,
  SPARE_BYTES = 32 /* an exponent behind the digits */
};

/* ---- bytes ---- */

static tsr_status refill(tsr__csv *csv) {
  size_t got = 0;
  if (csv->ended || csv->at < csv->filled) return TSR_OK;
  const tsr_status st = csv->source->read(csv->source->self, csv->block, BLOCK_BYTES, &got);
  if (st != TSR_OK)
    return TSR__FAIL(csv->ctx, st, csv->op, NULL, "%sthe source failed in line %l", csv->where, csv->line);
  if (got > BLOCK_BYTES)
    return TSR__FAIL(csv->ctx, TSR_EIO, csv->op, NULL, "%sthe source gave more bytes than it was asked for",
                     csv->where);
  csv->at = 0;
  csv->filled = got;
  csv->ended = got == 0;
  return TSR_OK;
}

/* The next byte, or -1 at the end. */
static tsr_status peek(tsr__csv *csv, int *c) {
  const tsr_status st = csv->at < csv->filled ? TSR_OK : refill(csv);
  *c = csv->at < csv->filled ? csv->block[csv->at] : -1;
  return st;
}

static void take(tsr__csv *csv) { csv->line += csv->block[csv->at++] == '\n'; }

/* Goes past one byte when it is c. */
static tsr_status accept(tsr__csv *csv, int c, bool *is) {
  int next;
  const tsr_status st = peek(csv, &next);
  *is = st == TSR_OK && next == c;
  if (*is) take(csv);
  return st;
}

/* ---- opening ---- */

bool tsr__csv_can_separate(char c) {
  return c > 0 && c < 0x7f && strchr("\"\r\n.+-#", c) == NULL && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
         !(c >= 'A' && c <= 'Z');
}

static tsr_status check_options(tsr__csv *csv, const tsr_csv_options *options) {
  if (options != NULL) csv->options = *options;
  tsr_csv_options *o = &csv->options;
  if (o->dtype == TSR_NONE) o->dtype = TSR_F64;
  const tsr_dtype_info *info = tsr_dtype_describe(o->dtype);
  if (info == NULL || info->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(csv->ctx, TSR_EDTYPE, csv->op, "options", "dtype %y is not read from text", o->dtype);
  if (o->separator != 0 && !tsr__csv_can_separate(o->separator))
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "separator %d cannot stand between numbers",
                     (int)o->separator);
  if (o->header < TSR_CSV_HEADER_AUTO || o->header > TSR_CSV_HEADER_FIRST)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "header %d is not one", o->header);
  if (o->max_field > PTRDIFF_MAX / 4)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "max_field is larger than the address space");
  if (o->max_field == 0) o->max_field = DEFAULT_MAX_FIELD;
  return tsr__check_reserved(csv->ctx, csv->op, TSR__ROOM(o));
}

/* A tab outside quotes in what has come of the first row. */
static bool has_tab(const tsr__csv *csv) {
  bool quoted = false;
  for (size_t i = csv->at; i < csv->filled; i++) {
    const uint8_t c = csv->block[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\t') return true;
    if (c == '\n' || c == '\r') return false;
  }
  return false;
}

static tsr_status skip_mark(tsr__csv *csv) {
  const tsr_status st = refill(csv);
  if (st == TSR_OK && csv->filled >= 3 && memcmp(csv->block, "\xef\xbb\xbf", 3) == 0) csv->at = 3;
  return st;
}

tsr_status tsr__csv_open(tsr__csv *csv, const tsr_csv_options *options) {
  tsr_status st = check_options(csv, options);
  if (st != TSR_OK) return st;
  const size_t field = csv->options.max_field + SPARE_BYTES;
  st = tsr__scratch_get(csv->ctx, csv->op, BLOCK_BYTES + 2 * field, &csv->memory);
  if (st != TSR_OK) return st;
  csv->block = csv->memory.data;
  csv->field = (char *)csv->block + BLOCK_BYTES;
  csv->spare = csv->field + field;
  csv->line = csv->start = csv->column = 1;
  st = skip_mark(csv);
  if (st != TSR_OK) tsr__csv_close(csv);
  return st;
}

void tsr__csv_close(tsr__csv *csv) { tsr__scratch_put(&csv->memory); }

/* ---- rows ---- */

/* Goes past the rest of the line and its end. */
static tsr_status skip_line(tsr__csv *csv) {
  for (;;) {
    int c;
    const tsr_status st = peek(csv, &c);
    if (st != TSR_OK || c < 0) return st;
    take(csv);
    if (c == '\n') return TSR_OK;
  }
}

tsr_status tsr__csv_next_row(tsr__csv *csv, bool *more) {
  csv->column = 0;
  for (;;) {
    int c;
    const tsr_status st = peek(csv, &c);
    if (st != TSR_OK) return st;
    *more = c >= 0;
    if (c < 0) return TSR_OK;
    if (csv->options.comment != 0 && c == (uint8_t)csv->options.comment) {
      const tsr_status skipped = skip_line(csv);
      if (skipped != TSR_OK) return skipped;
    } else if (c == '\n' || c == '\r' || (c == ' ' && csv->options.separator != ' ')) {
      take(csv); /* a blank line, or what stands before the first field */
    } else {
      break;
    }
  }
  if (csv->options.separator == 0) csv->options.separator = has_tab(csv) ? '\t' : ',';
  return TSR_OK;
}

/* ---- a field ---- */

static tsr_status add(tsr__csv *csv, int c) {
  if (csv->length == csv->options.max_field)
    return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "a field of more than %z bytes", csv->options.max_field);
  if (c == 0) return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "a byte of zero");
  csv->field[csv->length++] = (char)c;
  return TSR_OK;
}

/* Up to the separator or the end of the line, which stay. */
static tsr_status take_plain(tsr__csv *csv) {
  for (;;) {
    int c;
    tsr_status st = peek(csv, &c);
    if (st != TSR_OK || c < 0 || c == csv->options.separator || c == '\n' || c == '\r') return st;
    st = add(csv, c);
    if (st != TSR_OK) return st;
    take(csv);
  }
}

/* Behind the first quote: up to the last one, which is taken. Two quotes are one. */
static tsr_status take_quoted(tsr__csv *csv) {
  csv->quoted = true;
  for (;;) {
    int c;
    bool again = true;
    tsr_status st = peek(csv, &c);
    if (st != TSR_OK) return st;
    if (c < 0) return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "a quoted field does not end");
    take(csv);
    if (c == '"') st = accept(csv, '"', &again);
    if (st != TSR_OK || !again) return st;
    st = add(csv, c);
    if (st != TSR_OK) return st;
  }
}

/* What stands behind a field: spaces after a quote, then the separator or the end of the line, which are taken. */
static tsr_status take_end(tsr__csv *csv, tsr__csv_end *end) {
  bool is = true;
  int c;
  tsr_status st = TSR_OK;
  while (st == TSR_OK && is && csv->quoted && csv->options.separator != ' ') st = accept(csv, ' ', &is);
  if (st == TSR_OK) st = peek(csv, &c);
  if (st != TSR_OK) return st;
  *end = c < 0 ? TSR__CSV_FILE_END : c == csv->options.separator ? TSR__CSV_MORE : TSR__CSV_ROW_END;
  if (c < 0) return TSR_OK;
  if (c != csv->options.separator && c != '\n' && c != '\r')
    return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "text after a closing quote");
  take(csv);
  return c == '\r' ? accept(csv, '\n', &is) : TSR_OK;
}

tsr_status tsr__csv_next_field(tsr__csv *csv, tsr__csv_end *end) {
  bool quoted;
  csv->length = 0;
  csv->quoted = false;
  csv->start = csv->line;
  csv->column++;
  tsr_status st = accept(csv, '"', &quoted);
  if (st == TSR_OK) st = quoted ? take_quoted(csv) : take_plain(csv);
  if (st == TSR_OK) st = take_end(csv, end);
  csv->field[csv->length] = '\0';
  return st;
}

#endif
