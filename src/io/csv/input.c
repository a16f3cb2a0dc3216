/* The text of a table on its way into memory: a wave at a time, unpacked where it is gzip. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "io/bytes/gunzip.h"

#include <string.h>

enum { PADDING = 64, KEPT_FIRST = 1 << 16 };

/* ---- bytes ---- */

static tsr_status source_failed(const tsr__csv *csv, tsr_status st) {
  const tsr__gunzip *g = csv->gunzip;
  if (g != NULL && st == TSR_ELIMIT) {
    const tsr__limit_call call = {.ctx = csv->ctx, .op = csv->op, .where = csv->where};
    return tsr__limit_check(&call, TSR__LIMIT_INFLATED, "it inflates to at least", "bytes", g->given, g->most);
  }
  if (g != NULL && g->broken != NULL)
    return TSR__FAIL(csv->ctx, st, csv->op, NULL, "%sbyte %l: %s", csv->where, (int64_t)(g->packed - g->step.in_left),
                     g->broken);
  if (st == TSR_ENOMEM) return TSR__FAIL(csv->ctx, st, csv->op, NULL, "%sno memory to unpack it with", csv->where);
  return TSR__FAIL(csv->ctx, st, csv->op, NULL, "%sthe source failed in line %l", csv->where, csv->line);
}

static tsr_status keep(tsr__csv *csv, size_t from) {
  const size_t n = csv->filled - from;
  if (!csv->keep || csv->from_kept || n == 0) return TSR_OK;
  tsr_status st = tsr__budget_take(&csv->budget, n);
  const size_t wanted = csv->kept_bytes + n > KEPT_FIRST ? csv->kept_bytes + n : KEPT_FIRST;
  if (st == TSR_OK) st = tsr__room_grow(csv->ctx, csv->op, csv->allocator, wanted, csv->kept_bytes, &csv->kept);
  if (st != TSR_OK) return st;
  memcpy((char *)csv->kept.at + csv->kept_bytes, (const char *)csv->text.at + from, n);
  csv->kept_bytes += n;
  return TSR_OK;
}

/* Until room bytes are there, or the end. */
static tsr_status read_to(tsr__csv *csv, size_t room) {
  char *const text = csv->text.at;
  const size_t from = csv->filled;
  while (csv->filled < room && !csv->ended) {
    size_t got = 0;
    const size_t asked = room - csv->filled;
    const tsr_status st = csv->from->read(csv->from->self, text + csv->filled, asked, &got);
    if (st != TSR_OK) return source_failed(csv, st);
    if (got > asked)
      return TSR__FAIL(csv->ctx, TSR_EIO, csv->op, NULL, "%sthe source gave more bytes than it was asked for",
                       csv->where);
    csv->filled += got;
    csv->ended = got == 0;
  }
  return keep(csv, from);
}

/* The last row ends as the others do. */
static void close_text(tsr__csv *csv) {
  char *const text = csv->text.at;
  if (csv->ended && csv->filled > csv->at) {
    const char last = text[csv->filled - 1];
    if (last != csv->rules.eol) text[csv->filled++] = csv->rules.eol;
  }
  memset(text + csv->filled, 0, PADDING / 2);
}

tsr_status tsr__csv_fill(tsr__csv *csv, size_t room) {
  char *text = csv->text.at;
  const size_t left = csv->filled - csv->at;
  if (csv->at > 0 && left > 0) memmove(text, text + csv->at, left);
  csv->filled = left;
  csv->at = 0;
  tsr_status st = tsr__room_grow(csv->ctx, csv->op, csv->allocator, room + PADDING, csv->filled, &csv->text);
  if (st == TSR_OK && !csv->ended) st = read_to(csv, room);
  if (st == TSR_OK) close_text(csv);
  return st;
}

/* ---- the start ---- */

static tsr_status unpack(tsr__csv *csv) {
  const uint8_t *start = csv->text.at;
  tsr__room block = {0};
  tsr_status st = tsr__room_get(csv->ctx, csv->op, csv->allocator, sizeof(tsr__gunzip), &block);
  if (st != TSR_OK) return st;
  csv->gunzip = block.at;
  *csv->gunzip = (tsr__gunzip){
      .source = csv->from,
      .allocator = csv->allocator,
      .most = tsr__limit(csv->ctx, TSR__LIMIT_INFLATED, tsr__default_bytes(csv->known > 0 ? csv->known : UINT64_MAX))};
  st = tsr__gunzip_start(csv->gunzip, start, csv->filled);
  if (st != TSR_OK) return source_failed(csv, st);
  csv->unpacked = (tsr_source){.size = sizeof(tsr_source), .read = tsr__gunzip_read, .self = csv->gunzip};
  csv->from = &csv->unpacked;
  csv->filled = 0;
  csv->ended = false;
  csv->form.packed = true;
  csv->wave = TSR__CSV_WAVE;
  return TSR_OK;
}

static void end_unpacking(tsr__csv *csv) {
  tsr__room block = {.at = csv->gunzip, .bytes = sizeof(tsr__gunzip)};
  if (csv->gunzip != NULL) tsr__gunzip_end(csv->gunzip);
  tsr__room_free(csv->allocator, &block);
  csv->gunzip = NULL;
}

static tsr_status skip_mark(tsr__csv *csv) {
  const uint8_t *text = csv->text.at;
  const size_t n = csv->filled;
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) csv->at = 3;
  if (n >= 2 && ((text[0] == 0xff && text[1] == 0xfe) || (text[0] == 0xfe && text[1] == 0xff)))
    return TSR__FAIL(csv->ctx, TSR_EFORMAT, csv->op, NULL, "%sbyte 0: it is UTF-16: make it UTF-8 first", csv->where);
  return TSR_OK;
}

/* Lines end with LF unless the first one ends with a CR alone. */
static char find_eol(const tsr__csv *csv) {
  const char *const text = (const char *)csv->text.at, *p = text + csv->at, *const end = text + csv->filled;
  while (p < end && *p != '\n' && *p != '\r') p++;
  return p < end && *p == '\r' && (p + 1 == end ? csv->ended : p[1] != '\n') ? '\r' : '\n';
}

static tsr_status skip_lines(tsr__csv *csv) {
  for (tsr_index left = csv->options.skip; left > 0;) {
    const char *const text = csv->text.at;
    const char *const end = memchr(text + csv->at, csv->rules.eol, csv->filled - csv->at);
    if (end != NULL) {
      csv->at = (size_t)(end + 1 - text);
      csv->line++;
      left--;
      continue;
    }
    csv->at = csv->filled;
    if (csv->ended) return TSR_OK;
    const tsr_status st = tsr__csv_fill(csv, csv->wave);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

tsr_status tsr__csv_start_text(tsr__csv *csv) {
  enum { MARK = 16 };
  end_unpacking(csv);
  csv->at = csv->filled = 0;
  csv->line = 1;
  csv->ended = false;
  csv->from = csv->source;
  if (csv->from_kept) {
    csv->again = (tsr__memory_bytes){.at = csv->kept.at, .left = csv->kept_bytes};
    csv->unpacked = (tsr_source){.size = sizeof(tsr_source), .read = tsr__memory_bytes_read, .self = &csv->again};
    csv->from = &csv->unpacked;
  }
  csv->rules.eol = '\n';
  const bool keep_text = csv->keep;
  csv->keep = false; /* of gzip, what comes out is kept */
  tsr_status st = tsr__csv_fill(csv, MARK);
  csv->keep = keep_text;
  if (st == TSR_OK && !csv->from_kept && tsr__gunzip_knows(csv->text.at, csv->filled))
    st = unpack(csv);
  else if (st == TSR_OK)
    st = keep(csv, 0);
  if (st == TSR_OK) st = tsr__csv_fill(csv, csv->wave);
  if (st == TSR_OK) st = skip_mark(csv);
  if (st != TSR_OK) return st;
  csv->rules.eol = find_eol(csv);
  close_text(csv);
  return skip_lines(csv);
}

void tsr__csv_close(tsr__csv *csv) {
  const tsr_allocator *allocator = csv->allocator;
  tsr__csv_column_out *out = tsr__csv_out(csv);
  if (allocator == NULL) return;
  end_unpacking(csv);
  for (tsr_index i = 0; out != NULL && i < csv->slots; i++) {
    tsr_storage_release(out[i].values);
    tsr_storage_release(out[i].present);
    tsr__strings_end(&out[i].strings);
  }
  tsr_storage_release(csv->matrix_out);
  csv->matrix_out = NULL;
  tsr__room *const blocks[] = {&csv->text,   &csv->kept, &csv->plans, &csv->names, &csv->name_text,
                               &csv->chosen, &csv->out,  &csv->parts, &csv->first, &csv->memory};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) tsr__room_free(allocator, blocks[i]);
}

#endif
