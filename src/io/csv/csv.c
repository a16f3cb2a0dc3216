/* Reading a table: waves of text, cut into parts that threads read, put together in order. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/storage.h"
#include "core/table.h"
#include "cpu/parallel.h"
#include "io/bytes/text.h"

#include <string.h>

enum {
  PARTS = 8,
  MOST_CELLS = 4096, /* columns of which several parts at a time have cells */
  DEFAULT_FIELD = 4096,
  DEFAULT_TABLE_FIELD = 1 << 20,
  ALIGN = 64
};

/* ---- what is wrong ---- */

int64_t tsr__csv_line_of(const tsr__csv *csv, const char *at) {
  const char eol = csv->rules.eol;
  int64_t line = csv->line;
  for (const char *p = (const char *)csv->text.at + csv->at; p < at; p++) line += *p == eol;
  return line;
}

/* Where a comma is the decimal point, tables have semicolons. */
static bool may_be_several(const tsr__csv_field *f) {
  for (size_t i = 0; i < f->length; i++)
    if (f->at[i] == ';' || f->at[i] == '|') return true;
  return tsr__csv_looks_like_data(f->at, f->length) && memchr(f->at, ' ', f->length) != NULL;
}

static tsr_status refuse_kind(const tsr__csv *csv, const tsr__csv_plan *plan, int64_t line, int64_t column,
                              const char *shown) {
  static const char *const kinds[] = {"", "number", "boolean", "date", "time", "date with time", "text"};
  const char *what = plan->kind == TSR_COLUMN_NUMBER && plan->dtype == TSR_I64 ? "whole number" : kinds[plan->kind];
  return TSR__FAIL(csv->ctx, TSR_EFORMAT, csv->op, NULL,
                   "%sline %l, column %l: '%s' is no %s, as the fields before it: give the column's kind", csv->where,
                   line, column, shown, what);
}

#define REFUSE(code, ...) REFUSE_(code, __VA_ARGS__, 0)
#define REFUSE_(code, text, ...) \
  TSR__FAIL(csv->ctx, code, csv->op, NULL, "%sline %l, column %l: " text, csv->where, line, column, __VA_ARGS__)

static tsr_status refuse_value(const tsr__csv *csv, const tsr__csv_error *error, int64_t line, int64_t column,
                               const char *shown) {
  const tsr__csv_plan *plan = csv->plans.at != NULL ? &tsr__csv_plans(csv)[error->column] : NULL;
  if (plan == NULL) return REFUSE(TSR_EFORMAT, "'%s' cannot be read", shown);
  const int dtype = plan->dtype;
  if (plan->found && csv->rules.strict && (error->wrong != TSR__CSV_RANGE || plan->way == TSR__CSV_I64))
    return refuse_kind(csv, plan, line, column, shown);
  switch (error->wrong) {
    case TSR__CSV_NOT_WHOLE: return REFUSE(TSR_EFORMAT, "'%s' is no whole number, as %y needs", shown, dtype);
    case TSR__CSV_RANGE:
      if (plan->way == TSR__CSV_DATE)
        return REFUSE(TSR_ERANGE, "'%s' does not fit a time in %s", shown, tsr_time_unit_name(plan->unit));
      return REFUSE(TSR_ERANGE, "'%s' does not fit %y", shown, dtype);
    case TSR__CSV_NO_TIME:
      return REFUSE(TSR_EFORMAT, "'%s' is no %s", shown,
                    plan->kind == TSR_COLUMN_TIME   ? "time"
                    : plan->kind == TSR_COLUMN_DATE ? "date"
                                                    : "date with time");
    case TSR__CSV_NO_BOOL: return REFUSE(TSR_EFORMAT, "'%s' is neither true nor false", shown);
    default: break;
  }
  if (may_be_several(&error->field))
    return REFUSE(TSR_EFORMAT, "'%s' is no number; fields end at '%c'", shown, (int)csv->rules.separator);
  return REFUSE(TSR_EFORMAT, "'%s' is no number", shown);
}

/* Why the first row may be none. */
static const char *hint(const tsr__csv *csv) {
  const bool mark = csv->names.at != NULL && csv->columns > 0 && tsr__csv_names(csv)[0][0] == '#';
  return mark && csv->rules.comment == 0 ? ", which begins with #: is that a comment?" : "";
}

tsr_status tsr__csv_refuse(const tsr__csv *csv, const tsr__csv_error *error) {
  char shown[TSR__SHOWN], copy[TSR__SHOWN];
  const int64_t line = tsr__csv_line_of(csv, error->at), column = (int64_t)error->column + 1;
  const size_t n = error->field.length < sizeof copy - 1 ? error->field.length : sizeof copy - 1;
  if (n > 0) memcpy(copy, error->field.at, n);
  copy[n] = '\0';
  tsr__show_text(copy, shown);
  switch (error->wrong) {
    case TSR__CSV_TOO_LONG: return REFUSE(TSR_EFORMAT, "a field of more than %z bytes", csv->rules.max_field);
    case TSR__CSV_ZERO_BYTE: return REFUSE(TSR_EFORMAT, "a byte of zero");
    case TSR__CSV_AFTER_QUOTE: return REFUSE(TSR_EFORMAT, "text after a closing quote");
    case TSR__CSV_OPEN_QUOTE: return REFUSE(TSR_EFORMAT, "a quoted field does not end");
    case TSR__CSV_NO_VALUE: return REFUSE(TSR_EFORMAT, "a missing field");
    case TSR__CSV_NOT_UTF8: return REFUSE(TSR_EFORMAT, "a column's name is not UTF-8");
    case TSR__CSV_FEW:
      return REFUSE(TSR_EFORMAT, "the row ends after %l fields, the first has %l%s", column, (int64_t)csv->columns,
                    hint(csv));
    case TSR__CSV_MANY:
      return REFUSE(TSR_EFORMAT, "more fields than the %l of the first row%s", (int64_t)csv->columns, hint(csv));
    default: return refuse_value(csv, error, line, column, shown);
  }
}

/* ---- options ---- */

static bool is_thousands(char c) { return c == ',' || c == '.' || c == '\'' || c == '_' || c == ' '; }

static tsr_status check_marks(const tsr__csv *csv, const tsr_csv_options *o) {
  if (o->separator != 0 && !tsr__csv_can_separate(o->separator))
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "separator %d cannot stand between numbers",
                     (int)o->separator);
  if (o->decimal != 0 && o->decimal != '.' && o->decimal != ',')
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "decimal %d is neither a point nor a comma",
                     (int)o->decimal);
  if (o->decimal != 0 && o->decimal == o->separator)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "decimal and separator are both '%c'", (int)o->decimal);
  if (o->thousands != 0 && (!is_thousands(o->thousands) || o->thousands == o->decimal || o->thousands == o->separator))
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "thousands %d is no mark between thousands",
                     (int)o->thousands);
  return TSR_OK;
}

static tsr_status check_lists(const tsr__csv *csv, const tsr_csv_options *o) {
  if (o->column_count < 0 || (o->column_count > 0 && o->columns == NULL) ||
      (o->columns != NULL && o->column_count == 0))
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "list %l columns", (int64_t)o->column_count);
  if (o->missing_count < 0 || (o->missing_count > 0 && o->missing == NULL))
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "list %l words for what is missing",
                     (int64_t)o->missing_count);
  for (tsr_index i = 0; i < o->missing_count; i++)
    if (o->missing[i] == NULL) return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "have NULL in missing");
  return TSR_OK;
}

static tsr_status check_options(tsr__csv *csv, const tsr_csv_options *options) {
  if (options != NULL) csv->options = *options;
  tsr_csv_options *o = &csv->options;
  if (o->dtype == TSR_NONE) o->dtype = TSR_F64;
  const tsr_dtype_info *info = tsr_dtype_describe(o->dtype);
  if (info == NULL || info->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(csv->ctx, TSR_EDTYPE, csv->op, "options", "dtype %y is not read from text", o->dtype);
  if (o->header < TSR_CSV_HEADER_AUTO || o->header > TSR_CSV_HEADER_FIRST)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "header %d is not one", o->header);
  if (o->dates < TSR_CSV_DATES_ISO || o->dates > TSR_CSV_DATES_MDY)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "dates %d is no order", o->dates);
  if (o->skip < 0 || o->most < 0)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "skip %l lines and take %l rows", (int64_t)o->skip,
                     (int64_t)o->most);
  if (o->max_field > PTRDIFF_MAX / 4)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "max_field is larger than the address space");
  if (o->max_field == 0) o->max_field = csv->matrix ? DEFAULT_FIELD : DEFAULT_TABLE_FIELD;
  tsr_status st = check_marks(csv, o);
  if (st == TSR_OK) st = check_lists(csv, o);
  return st == TSR_OK ? tsr__check_reserved(csv->ctx, csv->op, TSR__ROOM(o)) : st;
}

static void set_rules(tsr__csv *csv) {
  const tsr_csv_options *o = &csv->options;
  tsr__csv_rules *rules = &csv->rules;
  rules->comment = o->comment;
  rules->thousands = o->thousands;
  rules->decimal = o->decimal != 0 ? o->decimal : '.';
  rules->eol = '\n';
  rules->table = !csv->matrix;
  rules->strict = csv->strict;
  rules->whole = o->whole;
  rules->short_rows = o->short_rows;
  rules->dates = (tsr__date_order)o->dates;
  rules->missing = o->missing;
  rules->missing_count = o->missing_count;
  rules->max_field = o->max_field;
}

/* ---- memory ---- */

static size_t aligned(size_t bytes) { return tsr__align_up(bytes, ALIGN); }

/* What a part holds for its rows; most and texts are small: products of what a wave has. */
typedef struct sizes {
  size_t most, values, present, text, slots, whole;
} sizes;

static sizes sizes_of(const tsr__csv *csv) {
  sizes s = {.most = csv->wave / (size_t)csv->part_count / (size_t)(csv->columns > 2 ? csv->columns : 2) + 2};
  for (s.slots = 64; s.slots < 2 * s.most + 2; s.slots *= 2) continue;
  size_t texts = 0;
  for (tsr_index i = 0; i < csv->slots; i++) texts += tsr__csv_plans(csv)[tsr__csv_chosen(csv)[i]].way == TSR__CSV_TEXT;
  s.values = aligned(s.most * (csv->matrix ? csv->row_bytes : 8 * (size_t)csv->slots));
  s.present = csv->matrix ? 0 : aligned(s.most * (size_t)csv->slots);
  s.text = aligned(sizeof(tsr__csv_texts)) + aligned(s.most * sizeof(tsr__csv_field)) + aligned(s.most * 8) +
           aligned(s.most * 4) + aligned(s.slots * 4);
  s.whole = s.values + s.present + texts * s.text + aligned((size_t)csv->slots * sizeof(tsr__csv_cells));
  return s;
}

static char *take(char **at, size_t bytes) {
  char *const taken = *at;
  *at += aligned(bytes);
  return taken;
}

static tsr__csv_texts *place_texts(const sizes *s, char **at) {
  tsr__csv_texts *t = (tsr__csv_texts *)(void *)take(at, sizeof *t);
  *t = (tsr__csv_texts){.most = (uint32_t)s->most};
  t->field = (tsr__csv_field *)(void *)take(at, s->most * sizeof *t->field);
  t->hash = (uint64_t *)(void *)take(at, s->most * sizeof *t->hash);
  t->number = (int32_t *)(void *)take(at, s->most * sizeof *t->number);
  t->slot = (uint32_t *)(void *)take(at, s->slots * sizeof *t->slot);
  return t;
}

static void place_part(const tsr__csv *csv, const sizes *s, tsr__csv_part *part, char *at) {
  const tsr__csv_plan *plans = csv->plans.at;
  *part = (tsr__csv_part){.rules = &csv->rules, .plan = plans, .columns = csv->columns, .most = (tsr_index)s->most};
  part->cells = (tsr__csv_cells *)(void *)take(&at, (size_t)csv->slots * sizeof *part->cells);
  char *values = take(&at, s->values);
  uint8_t *present = csv->matrix ? NULL : (uint8_t *)take(&at, s->present);
  for (tsr_index i = 0; i < csv->slots; i++) {
    const tsr__csv_plan *plan = &plans[tsr__csv_chosen(csv)[i]];
    tsr__csv_cells *c = &part->cells[i];
    *c = (tsr__csv_cells){.out = values, .step = csv->matrix ? csv->row_bytes : plan->item, .present = present};
    values += csv->matrix ? plan->item : 8 * s->most;
    if (present != NULL) present += s->most;
    if (plan->way == TSR__CSV_TEXT) c->texts = place_texts(s, &at);
  }
}

tsr_status tsr__csv_make_parts(tsr__csv *csv) {
  csv->part_count = csv->wave >= TSR__CSV_WAVE && csv->slots <= MOST_CELLS ? PARTS : 1;
  csv->row_bytes = 0;
  for (tsr_index i = 0; i < csv->slots; i++) csv->row_bytes += tsr__csv_plans(csv)[tsr__csv_chosen(csv)[i]].item;
  const sizes s = sizes_of(csv);
  const size_t count = (size_t)csv->part_count;
  tsr__room_free(csv->allocator, &csv->memory);
  tsr__room_free(csv->allocator, &csv->parts);
  tsr_status st = tsr__room_get(csv->ctx, csv->op, csv->allocator, count * sizeof(tsr__csv_part), &csv->parts);
  if (st == TSR_OK) st = tsr__room_get(csv->ctx, csv->op, csv->allocator, count * s.whole, &csv->memory);
  if (st != TSR_OK) return st;
  for (size_t i = 0; i < count; i++)
    place_part(csv, &s, (tsr__csv_part *)csv->parts.at + i, (char *)csv->memory.at + i * s.whole);
  return TSR_OK;
}

/* ---- opening ---- */

tsr_status tsr__csv_open(tsr__csv *csv, const tsr_csv_options *options) {
  tsr_status st = check_options(csv, options);
  if (st != TSR_OK) return st;
  csv->allocator = tsr__allocator(csv->ctx);
  csv->budget = tsr__budget_start(csv->ctx, csv->op, csv->where, csv->known > 0 ? csv->known : UINT64_MAX);
  csv->wave = csv->known > 0 && csv->known < TSR__CSV_WAVE ? (size_t)csv->known + 16 : TSR__CSV_WAVE;
  set_rules(csv);
  st = tsr__csv_start_text(csv);
  if (st == TSR_OK) st = tsr__csv_find(csv);
  if (st == TSR_OK) st = tsr__csv_pass_header(csv);
  if (st != TSR_OK) return st;
  st = tsr__room_get(csv->ctx, csv->op, csv->allocator, (size_t)csv->slots * sizeof(tsr__csv_column_out), &csv->out);
  if (st != TSR_OK) return st;
  for (tsr_index i = 0; i < csv->slots; i++) {
    tsr__csv_out(csv)[i] = (tsr__csv_column_out){.missing = 0};
    tsr__strings_start(&tsr__csv_out(csv)[i].strings, csv->allocator);
  }
  return tsr__csv_make_parts(csv);
}

/* ---- a wave ---- */

const char *tsr__csv_limit(const tsr__csv *csv) {
  const char *const text = csv->text.at;
  size_t end = csv->filled;
  while (end > csv->at && text[end - 1] != csv->rules.eol) end--;
  return text + end;
}

tsr_status tsr__csv_widen(tsr__csv *csv) {
  const char *p = (const char *)csv->text.at + csv->at, *const end = (const char *)csv->text.at + csv->filled;
  tsr__csv_error error = {.wrong = TSR__CSV_TOO_LONG, .at = p};
  bool quoted = false;
  for (const char *start = p; p <= end; p++) {
    if ((size_t)(p - start) > csv->rules.max_field + 2) {
      error.at = start;
      return tsr__csv_refuse(csv, &error);
    }
    if (p == end) break;
    if (*p == '"') quoted = !quoted;
    if (quoted || csv->rules.ends[(uint8_t)*p] == 0) continue;
    if (csv->rules.ends[(uint8_t)*p] == TSR__CSV_SEPARATOR) {
      error.column++;
    } else {
      error.column = 0;
    }
    start = p + 1;
    if (csv->columns > 0 && error.column >= csv->columns && !csv->rules.blanks) {
      error = (tsr__csv_error){.wrong = TSR__CSV_MANY, .at = p, .column = error.column};
      return tsr__csv_refuse(csv, &error);
    }
  }
  const tsr_status st =
      tsr__limit_check(&csv->budget.call, TSR__LIMIT_TENSORS, "it has at least", "columns", (uint64_t)error.column + 1,
                       tsr__limit(csv->ctx, TSR__LIMIT_TENSORS, TSR__DEFAULT_TENSORS));
  if (st != TSR_OK) return st;
  return tsr__csv_fill(csv, 2 * (csv->filled > csv->wave ? csv->filled : csv->wave));
}

/* A row's start at or behind target, as far as quotes tell: the part before it says whether it is one. */
static const char *guess_start(const tsr__csv *csv, const char *from, const char *target, const char *limit) {
  bool quoted = false;
  for (const char *p = from; p < target; p++) {
    p = memchr(p, '"', (size_t)(target - p));
    if (p == NULL) break;
    quoted = !quoted;
  }
  for (const char *p = target; p < limit; p++) {
    if (*p == '"') quoted = !quoted;
    if (!quoted && *p == csv->rules.eol) return p + 1;
  }
  return limit;
}

static void cut_parts(tsr__csv *csv, const char *start, const char *limit) {
  tsr__csv_part *parts = csv->parts.at;
  const size_t step = (size_t)(limit - start) / (size_t)csv->part_count;
  const char *from = start;
  for (int i = 0; i < csv->part_count; i++) {
    const char *const target = start + step * (size_t)(i + 1);
    parts[i].start = from;
    parts[i].until = i + 1 == csv->part_count ? limit : target <= from ? from : guess_start(csv, from, target, limit);
    parts[i].limit = limit;
    from = parts[i].until;
  }
}

static void read_one(const tsr__csv *csv, tsr__csv_part *part) {
  for (tsr_index i = 0; i < csv->slots; i++) {
    tsr__csv_cells *c = &part->cells[i];
    c->missing = 0;
    c->seen = 0;
    if (c->texts != NULL) c->texts->slots = c->texts->count = 0;
  }
  part->seed = csv->slots > 0 ? tsr__csv_out(csv)[0].strings.seed : 0;
  tsr__csv_part_read(part);
}

static void read_parts(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__csv *csv = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++) read_one(csv, (tsr__csv_part *)csv->parts.at + i);
}

/* Which parts count, and how many rows each has: up to the first that did not begin where the one before it ended, and
 * could not be read again, or is cut short. *next is where the next wave begins. */
static tsr_status check_parts(tsr__csv *csv, const char *start, int *count, const char **next, int64_t *lines) {
  tsr__csv_part *parts = csv->parts.at;
  const tsr_index most = csv->options.most;
  tsr_index rows = csv->rows;
  *next = start;
  *lines = 0;
  for (*count = 0; *count < csv->part_count; ++*count) {
    tsr__csv_part *part = &parts[*count];
    if (part->start != *next) {
      part->start = *next;
      if (part->until < part->start) part->until = part->start;
      read_one(csv, part);
    }
    *next = part->next;
    *lines += part->lines;
    if (most > 0 && part->rows >= most - rows) {
      part->rows = most - rows;
      part->error.wrong = TSR__CSV_FINE;
      ++*count;
      return TSR_OK;
    }
    rows += part->rows;
    if (part->error.wrong == TSR__CSV_FINE && part->next >= part->until) continue;
    if (part->error.wrong != TSR__CSV_FINE && !(part->open && !csv->ended)) return tsr__csv_refuse(csv, &part->error);
    ++*count;
    return TSR_OK; /* the wave ends within the row at *next */
  }
  return TSR_OK;
}

/* ---- putting together ---- */

/* Room for rows elements; the first used of them stay. */
static tsr_status grow(const tsr__csv *csv, tsr_index used, tsr_index rows, size_t item, tsr_storage **storage) {
  const size_t capacity = *storage != NULL ? tsr_storage_bytes(*storage) : 0;
  size_t wanted, twice;
  tsr_storage *larger = NULL;
  if (!tsr__mul_size((size_t)rows, item, &wanted)) wanted = SIZE_MAX;
  if (wanted <= capacity && *storage != NULL) return TSR_OK;
  if (!tsr__mul_size(capacity, 2, &twice)) twice = SIZE_MAX;
  if (capacity == 0 && csv->known > 0 && !csv->form.packed && !csv->block && csv->consumed > 0) {
    /* As many rows as the whole has, if it goes on so, and some more. */
    const double all = (double)wanted * 1.05 * (double)csv->known / (double)csv->consumed;
    if (all < (double)(csv->known + 4096) * 16) twice = (size_t)all;
  }
  const tsr_status st =
      tsr__storage_make(csv->ctx, csv->op, NULL, wanted > twice ? wanted : twice, TSR_HINT_DEFAULT, &larger);
  if (st != TSR_OK) return st;
  if (used > 0) memcpy(tsr_storage_data(larger), tsr_storage_data(*storage), (size_t)used * item);
  tsr_storage_release(*storage);
  *storage = larger;
  return TSR_OK;
}

/* The texts of a part get their numbers in the whole. Only those of rows that count, which come first. */
static tsr_status merge_texts(tsr__csv *csv, tsr_index slot, const tsr__csv_part *part) {
  const tsr__csv_cells *cells = &part->cells[slot];
  tsr__csv_texts *texts = cells->texts;
  tsr__strings *strings = &tsr__csv_out(csv)[slot].strings;
  const int32_t *local = (const int32_t *)(const void *)cells->out;
  const uint64_t before = strings->bytes;
  tsr__room plain = {0};
  tsr_status st = TSR_OK;
  int32_t last = -1;
  for (tsr_index i = 0; i < part->rows; i++) last = local[i] > last ? local[i] : last;
  for (int32_t i = 0; i <= last && st == TSR_OK; i++) {
    const tsr__csv_field *f = &texts->field[i];
    const char *at = f->at;
    size_t n = f->length;
    if (f->doubled) {
      st = tsr__room_grow(csv->ctx, csv->op, csv->allocator, n, 0, &plain);
      if (st != TSR_OK) break;
      n = tsr__csv_unquote(f, plain.at);
      at = plain.at;
    }
    st = tsr__strings_add(csv->ctx, csv->op, strings, at, n, &texts->number[i]);
  }
  tsr__room_free(csv->allocator, &plain);
  return st == TSR_OK ? tsr__budget_take(&csv->budget, strings->bytes - before) : st;
}

static tsr_index count_missing(const tsr__csv_part *part, const tsr__csv_cells *cells) {
  tsr_index n = 0;
  if (cells->missing == 0 || cells->present == NULL) return 0;
  for (tsr_index i = 0; i < part->rows; i++) n += cells->present[i] == 0;
  return n;
}

/* Where the rows of a wave go. */
typedef struct placing {
  tsr__csv *csv;
  tsr_index at; /* the first row */
  int count;
} placing;

static void place_texts_of(const tsr__csv_part *part, const tsr__csv_cells *cells, int32_t *to) {
  const int32_t *local = (const int32_t *)(const void *)cells->out;
  for (tsr_index i = 0; i < part->rows; i++) to[i] = local[i] >= 0 ? cells->texts->number[local[i]] : -1;
}

static void place_part_rows(const tsr__csv *csv, const tsr__csv_part *part, tsr_index at) {
  if (csv->matrix) {
    memcpy((char *)tsr_storage_data(csv->matrix_out) + (size_t)at * csv->row_bytes, part->cells[0].out,
           (size_t)part->rows * csv->row_bytes);
    return;
  }
  for (tsr_index i = 0; i < csv->slots; i++) {
    const tsr__csv_cells *cells = &part->cells[i];
    tsr__csv_column_out *out = &tsr__csv_out(csv)[i];
    char *const to = (char *)tsr_storage_data(out->values) + (size_t)at * cells->step;
    if (cells->texts != NULL)
      place_texts_of(part, cells, (int32_t *)(void *)to);
    else
      memcpy(to, cells->out, (size_t)part->rows * cells->step);
    if (out->present == NULL) continue;
    uint8_t *const present = (uint8_t *)tsr_storage_data(out->present) + at;
    if (cells->missing > 0)
      memcpy(present, cells->present, (size_t)part->rows);
    else
      memset(present, 1, (size_t)part->rows);
  }
}

static void place_parts(void *arg, tsr_index begin, tsr_index end, int worker) {
  const placing *p = arg;
  const tsr__csv_part *parts = p->csv->parts.at;
  tsr_index at = p->at;
  (void)worker;
  for (tsr_index i = 0; i < end; i++) {
    if (i >= begin && parts[i].rows > 0) place_part_rows(p->csv, &parts[i], at);
    at += parts[i].rows;
  }
}

/* Room for a column's rows, and for its mask once something is missing. */
static tsr_status prepare_column(tsr__csv *csv, tsr_index slot, tsr_index at, tsr_index rows, int count) {
  const tsr__csv_part *parts = csv->parts.at;
  tsr__csv_column_out *out = &tsr__csv_out(csv)[slot];
  tsr_index missing = 0;
  tsr_status st = TSR_OK;
  for (int i = 0; i < count && st == TSR_OK; i++) {
    const tsr__csv_cells *cells = &parts[i].cells[slot];
    missing += count_missing(&parts[i], cells);
    if (cells->texts != NULL) st = merge_texts(csv, slot, &parts[i]);
  }
  if (st == TSR_OK) st = grow(csv, at, rows, parts[0].cells[slot].step, &out->values);
  if (st != TSR_OK) return st;
  if (csv->block) out->missing = 0;
  if (missing == 0 && out->present == NULL) return TSR_OK;
  const bool fresh = out->present == NULL;
  st = grow(csv, fresh ? 0 : at, rows, 1, &out->present);
  if (st == TSR_OK && fresh) st = tsr__budget_take(&csv->budget, (uint64_t)rows);
  if (st == TSR_OK && fresh && at > 0) memset(tsr_storage_data(out->present), 1, (size_t)at);
  out->missing += missing;
  return st;
}

static tsr_status put_together(tsr__csv *csv, int count) {
  const tsr__csv_part *parts = csv->parts.at;
  const tsr_index at = csv->block ? 0 : csv->rows;
  tsr_index rows = 0;
  for (int i = 0; i < count; i++) {
    rows += parts[i].rows;
    for (tsr_index k = 0; k < csv->slots; k++) tsr__csv_out(csv)[k].seen |= parts[i].cells[k].seen;
  }
  tsr_index all;
  if (!tsr__add_index(csv->rows, rows, &all))
    return TSR__FAIL(csv->ctx, TSR_EOVERFLOW, csv->op, NULL, "%smore rows than an index counts", csv->where);
  tsr_status st = TSR_OK;
  for (int i = 0; i < count && csv->dry; i++) /* that is what a dry run is for, beside kinds */
    for (tsr_index k = 0; k < csv->slots; k++)
      tsr__csv_plans(csv)[tsr__csv_chosen(csv)[k]].missing += count_missing(&parts[i], &parts[i].cells[k]);
  if (!csv->dry && !csv->block) st = tsr__budget_take(&csv->budget, (uint64_t)rows * csv->row_bytes);
  if (st == TSR_OK && !csv->dry && rows > 0) {
    if (csv->matrix) st = grow(csv, at, at + rows, csv->row_bytes, &csv->matrix_out);
    for (tsr_index i = 0; i < csv->slots && st == TSR_OK && !csv->matrix; i++)
      st = prepare_column(csv, i, at, at + rows, count);
    placing p = {.csv = csv, .at = at, .count = count};
    if (st == TSR_OK) tsr__parallel_for(csv->ctx, count, 1, place_parts, &p);
  }
  if (st == TSR_OK) csv->rows = all;
  return st;
}

tsr_status tsr__csv_next(tsr__csv *csv, bool *more) {
  const char *next = NULL;
  int count = 0;
  int64_t lines = 0;
  *more = true;
  tsr_status st = TSR_OK;
  if (csv->filled - csv->at < csv->wave && !csv->ended) st = tsr__csv_fill(csv, csv->wave);
  while (st == TSR_OK) {
    const char *const start = (const char *)csv->text.at + csv->at, *const limit = tsr__csv_limit(csv);
    if (csv->ended && csv->at == csv->filled) return *more = false, TSR_OK;
    if (csv->options.most > 0 && csv->rows >= csv->options.most) return *more = false, TSR_OK;
    if (limit > start) {
      cut_parts(csv, start, limit);
      tsr__parallel_for(csv->ctx, csv->part_count, 1, read_parts, csv);
      st = check_parts(csv, start, &count, &next, &lines);
      csv->consumed += next != NULL ? (uint64_t)(next - start) : 0;
      if (st == TSR_OK && next > start) st = put_together(csv, count);
      if (st != TSR_OK) return st;
      if (next > start) {
        csv->line += lines;
        csv->at = (size_t)(next - (const char *)csv->text.at);
        return TSR_OK;
      }
    }
    st = tsr__csv_widen(csv);
  }
  return st;
}

/* ---- all waves ---- */

tsr_status tsr__csv_again(tsr__csv *csv) {
  tsr__csv_column_out *out = tsr__csv_out(csv);
  for (tsr_index i = 0; i < csv->slots; i++) {
    tsr_storage_release(out[i].values);
    tsr_storage_release(out[i].present);
    tsr__strings_end(&out[i].strings);
    out[i] = (tsr__csv_column_out){.missing = 0};
    tsr__strings_start(&out[i].strings, csv->allocator);
  }
  csv->rows = 0;
  csv->consumed = 0;
  csv->budget.taken = csv->kept_bytes;
  if (csv->rewind != NULL) {
    if (!csv->rewind(csv->rewind_self))
      return TSR__FAIL(csv->ctx, TSR_EIO, csv->op, NULL, "%sit cannot be read a second time", csv->where);
  } else {
    csv->from_kept = true;
  }
  tsr_status st = tsr__csv_start_text(csv);
  if (st == TSR_OK) st = tsr__csv_pass_header(csv);
  return st == TSR_OK ? tsr__csv_make_parts(csv) : st;
}

/* Whether fields came that change the kind of a column. */
static bool change_plans(tsr__csv *csv) {
  bool changed = false;
  for (tsr_index i = 0; i < csv->slots; i++) {
    tsr__csv_plan *plan = &tsr__csv_plans(csv)[tsr__csv_chosen(csv)[i]];
    const unsigned seen = tsr__csv_out(csv)[i].seen;
    if (seen == 0) continue;
    plan->seen |= seen;
    changed = true;
    if (plan->found)
      tsr__csv_plan_found(plan);
    else
      plan->unit = TSR_UNIT_NANOSECOND; /* of a kind that was given, what is open */
  }
  for (tsr_index i = 0; changed && i < csv->columns; i++) tsr__csv_plans(csv)[i].missing = 0; /* counted again */
  return changed;
}

tsr_status tsr__csv_read_all(tsr__csv *csv) {
  bool more = true, twice = false;
  tsr_status st = TSR_OK;
  for (;;) {
    while (st == TSR_OK && more) st = tsr__csv_next(csv, &more);
    if (st != TSR_OK || !change_plans(csv)) return st;
    csv->rules.strict = twice; /* it has changed while it was read */
    twice = true;
    more = true;
    st = tsr__csv_again(csv);
  }
}

#endif
