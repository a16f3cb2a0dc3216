/* What a text looks like: its separator, decimal mark, header and the kinds of its columns (<tessera/csv.h> has the rules). */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/text.h"
#include "io/bytes/text.h"

#include <string.h>

enum { LINES = 64, SAMPLE_ROWS = 1000 };

/* ---- the separator ---- */

static const char candidates[] = "\t;|, ";
enum { CANDIDATES = 5, BLANKS = 4 };

/* One line, outside quotes: how often each candidate is in it; blanks count once each time. */
typedef struct line_look {
  int64_t count[CANDIDATES];
  bool number; /* one of the parts between blanks is one */
} line_look;

static void look_at_parts(const char *from, const char *to, line_look *look) {
  bool inside = false, quoted = false;
  const char *start = from;
  tsr__csv_number n;
  int64_t parts = 0;
  for (const char *p = from;; p++) {
    if (p < to && *p == '"') quoted = !quoted;
    const bool blank = p == to || (!quoted && (*p == ' ' || *p == '\t'));
    if (!blank && !inside) start = p;
    if (blank && inside) {
      parts++;
      look->number = look->number || tsr__csv_number_parse(start, (size_t)(p - start), '.', 0, &n) ||
                     tsr__csv_number_parse(start, (size_t)(p - start), ',', 0, &n);
    }
    inside = !blank;
    if (p == to) break;
  }
  look->count[BLANKS] = parts > 0 ? parts - 1 : 0;
}

static const char *look_at_line(const tsr__csv_rules *rules, const char *p, line_look *look) {
  bool quoted = false;
  const char *const start = p;
  *look = (line_look){.number = false};
  for (; quoted || rules->ends[(uint8_t)*p] != TSR__CSV_EOL; p++) {
    if (*p == '"') quoted = !quoted;
    if (quoted) {
      if (*p == '\0') break; /* past the text: a quote that does not end */
      continue;
    }
    for (int i = 0; i < BLANKS; i++) look->count[i] += *p == candidates[i];
  }
  look_at_parts(start, p, look);
  return p;
}

static char find_separator(const tsr__csv *csv, const char *p, const char *limit) {
  line_look first = {.number = false}, next;
  bool same[CANDIDATES];
  int lines = 0;
  for (; lines < LINES; lines++) {
    p = tsr__csv_row_start(&csv->rules, p, limit);
    if (p >= limit) break;
    p = look_at_line(&csv->rules, p, lines == 0 ? &first : &next);
    if (lines == 0) {
      for (int i = 0; i < CANDIDATES; i++) same[i] = first.count[i] > 0;
      continue;
    }
    for (int i = 0; i < CANDIDATES; i++) same[i] = same[i] && next.count[i] == first.count[i];
    same[BLANKS] = same[BLANKS] && next.number;
  }
  if (lines == 0) return ',';
  if (lines == 1) same[BLANKS] = same[BLANKS] && first.number;
  for (int i = 0; i < CANDIDATES; i++)
    if (same[i]) return candidates[i];
  for (int i = 0; i < BLANKS; i++)
    if (first.count[i] > 0) return candidates[i];
  return ',';
}

/* ---- rows of the sample ---- */

/* A function for each field of a row: whether to go on. */
typedef tsr__csv_wrong visit_fn(tsr__csv *csv, tsr_index column, const tsr__csv_field *field);

/* All fields of the row at *at, which moves behind it. */
static tsr__csv_wrong visit_row(tsr__csv *csv, const char **at, const char *limit, visit_fn *visit, tsr_index *count) {
  const char *p = *at;
  for (*count = 0;;) {
    tsr__csv_field field;
    tsr__csv_wrong wrong = tsr__csv_lex(&csv->rules, &p, limit, &field);
    if (wrong == TSR__CSV_FINE && visit != NULL) wrong = visit(csv, *count, &field);
    if (wrong != TSR__CSV_FINE) return wrong;
    ++*count;
    if (!tsr__csv_step(&csv->rules, &p)) break;
  }
  *at = p + 1;
  return TSR__CSV_FINE;
}

/* The rows behind the first one. */
static void visit_sample(tsr__csv *csv, const char *first, const char *limit, visit_fn *visit) {
  const char *p = first;
  tsr_index count;
  tsr_index most = csv->rules.strict ? TSR_INDEX_MAX : SAMPLE_ROWS;
  if (csv->options.most > 0 && csv->options.most < most) most = csv->options.most;
  if (visit_row(csv, &p, limit, NULL, &count) != TSR__CSV_FINE) return;
  for (tsr_index i = 0; i < most; i++) {
    p = tsr__csv_row_start(&csv->rules, p, limit);
    if (p >= limit || visit_row(csv, &p, limit, visit, &count) != TSR__CSV_FINE) return;
  }
}

/* ---- the decimal mark ---- */

typedef struct marks {
  tsr__csv csv; /* first: what visits are handed */
  bool comma, point;
} marks;

static tsr__csv_wrong see_marks(tsr__csv *csv, tsr_index column, const tsr__csv_field *field) {
  marks *m = (marks *)csv;
  const tsr__csv_field f = tsr__csv_trim(field);
  tsr__csv_number n;
  (void)column;
  m->point = m->point || (tsr__csv_number_parse(f.at, f.length, '.', csv->rules.thousands, &n) && n.marked);
  m->comma = m->comma || (tsr__csv_number_parse(f.at, f.length, ',', csv->rules.thousands, &n) && n.marked);
  return m->point ? TSR__CSV_NO_NUMBER : TSR__CSV_FINE;
}

static char find_decimal(const tsr__csv *csv, const char *first, const char *limit) {
  marks m = {.csv = *csv};
  tsr_index count;
  const char *p = first;
  if (csv->rules.separator == ',' || csv->rules.thousands == ',') return '.';
  if (csv->rules.thousands == '.') return ',';
  (void)visit_row(&m.csv, &p, limit, see_marks, &count);
  visit_sample(&m.csv, first, limit, see_marks);
  return m.comma && !m.point ? ',' : '.';
}

/* ---- columns ---- */

static tsr__csv_wrong see_kind(tsr__csv *csv, tsr_index column, const tsr__csv_field *field) {
  if (column < csv->columns) tsr__csv_plans(csv)[column].seen |= tsr__csv_classify(&csv->rules, field);
  return TSR__CSV_FINE;
}

static tsr__csv_wrong see_first(tsr__csv *csv, tsr_index column, const tsr__csv_field *field) {
  ((unsigned *)csv->first.at)[column] = tsr__csv_classify(&csv->rules, field);
  return TSR__CSV_FINE;
}

void tsr__csv_plan_way(tsr__csv_plan *plan) {
  plan->item = tsr_dtype_size(plan->dtype);
  switch (plan->kind) {
    case TSR_COLUMN_BOOL: plan->way = TSR__CSV_BOOL; break;
    case TSR_COLUMN_TEXT: plan->way = TSR__CSV_TEXT; break;
    case TSR_COLUMN_DATE:
    case TSR_COLUMN_TIME:
    case TSR_COLUMN_DATETIME: plan->way = TSR__CSV_DATE; break;
    default:
      plan->way = plan->dtype == TSR_F64 ? TSR__CSV_F64 : plan->dtype == TSR_I64 ? TSR__CSV_I64 : TSR__CSV_NUMBER;
  }
}

static bool within(unsigned seen, unsigned set) { return seen != 0 && (seen & ~set) == 0; }

static void set_kind(tsr__csv_plan *plan, int kind, int dtype) {
  plan->kind = (uint8_t)kind;
  plan->dtype = (uint8_t)dtype;
}

void tsr__csv_plan_found(tsr__csv_plan *plan) {
  const unsigned seen = plan->seen & ~(unsigned)(TSR__CSV_IS_MISSING | TSR__CSV_IS_FINE);
  const unsigned codes = TSR__CSV_IS_WHOLE | TSR__CSV_IS_CODE | TSR__CSV_IS_BIG;
  const uint8_t unit = (plan->seen & TSR__CSV_IS_FINE) != 0 ? TSR_UNIT_NANOSECOND : TSR_UNIT_MICROSECOND;
  plan->unit = TSR_UNIT_NONE;
  plan->utc = false;
  if (seen == 0) {
    set_kind(plan, TSR_COLUMN_NUMBER, TSR_F64);
  } else if (within(seen, TSR__CSV_IS_WHOLE)) {
    set_kind(plan, TSR_COLUMN_NUMBER, TSR_I64);
  } else if (within(seen, codes | TSR__CSV_IS_REAL) && (seen & TSR__CSV_IS_REAL) != 0) {
    set_kind(plan, TSR_COLUMN_NUMBER, TSR_F64);
  } else if (within(seen, TSR__CSV_IS_BOOL)) {
    set_kind(plan, TSR_COLUMN_BOOL, TSR_BOOL);
  } else if (within(seen, TSR__CSV_IS_DATE)) {
    set_kind(plan, TSR_COLUMN_DATE, TSR_I64);
    plan->unit = TSR_UNIT_DAY;
  } else if (within(seen, TSR__CSV_IS_TIME)) {
    set_kind(plan, TSR_COLUMN_TIME, TSR_I64);
    plan->unit = unit;
  } else if (within(seen, TSR__CSV_IS_DATE | TSR__CSV_IS_DATETIME) || within(seen, TSR__CSV_IS_UTC)) {
    set_kind(plan, TSR_COLUMN_DATETIME, TSR_I64);
    plan->unit = unit;
    plan->utc = seen == TSR__CSV_IS_UTC;
  } else {
    set_kind(plan, TSR_COLUMN_TEXT, TSR_I32);
  }
  tsr__csv_plan_way(plan);
}

/* ---- the header ---- */

/* Whole numbers of four digits, each larger than the one before: years, which name columns. */
static bool are_years(tsr__csv *csv, const char *first, const char *limit) {
  const unsigned *seen = csv->first.at;
  tsr_index years = 0;
  uint64_t last = 1499;
  const char *p = first;
  for (tsr_index i = 0; i < csv->columns; i++) {
    tsr__csv_field field;
    tsr__csv_number n;
    if (tsr__csv_lex(&csv->rules, &p, limit, &field) != TSR__CSV_FINE) return false;
    (void)tsr__csv_step(&csv->rules, &p);
    if ((seen[i] & (TSR__CSV_IS_TEXT | TSR__CSV_IS_MISSING)) != 0) continue;
    const tsr__csv_field f = tsr__csv_trim(&field);
    if (seen[i] != TSR__CSV_IS_WHOLE || f.length != 4) return false;
    (void)tsr__csv_number_parse(f.at, f.length, '.', 0, &n);
    if (n.negative || n.decimal.mantissa <= last || n.decimal.mantissa > 2200) return false;
    last = n.decimal.mantissa;
    years++;
  }
  return years >= 2;
}

/* Whether a field of the first row would make text of a column of values. */
static bool spoils(const tsr__csv_plan *below, unsigned first) {
  tsr__csv_plan without = *below, with = *below;
  with.seen |= first;
  tsr__csv_plan_found(&without);
  tsr__csv_plan_found(&with);
  return (below->seen & ~(unsigned)TSR__CSV_IS_MISSING) != 0 && without.kind != TSR_COLUMN_TEXT &&
         with.kind == TSR_COLUMN_TEXT;
}

static bool find_header(tsr__csv *csv, const char *first, const char *limit) {
  const unsigned *seen = csv->first.at;
  bool words = false, values = false, differ = false;
  const char *p = first;
  for (tsr_index i = 0; i < csv->columns; i++) {
    tsr__csv_field field;
    if (tsr__csv_lex(&csv->rules, &p, limit, &field) != TSR__CSV_FINE) return false;
    (void)tsr__csv_step(&csv->rules, &p);
    const bool several = !field.quoted && tsr__csv_looks_like_data(field.at, field.length);
    const bool word = (seen[i] & TSR__CSV_IS_TEXT) != 0 && !several;
    words = words || word;
    values = values || (!word && seen[i] != TSR__CSV_IS_MISSING);
    differ = differ || spoils(&tsr__csv_plans(csv)[i], seen[i]);
  }
  return words && (!values || differ || are_years(csv, first, limit));
}

/* A first row of a matrix is not taken for names in silence where it is something else. */
static tsr_status check_name(const tsr__csv *csv, const tsr__csv_field *field, tsr_index column, const char *at) {
  char shown[TSR__SHOWN], copy[TSR__SHOWN];
  const size_t n = field->length < sizeof copy - 1 ? field->length : sizeof copy - 1;
  const int64_t line = tsr__csv_line_of(csv, at);
  memcpy(copy, field->at, n);
  copy[n] = '\0';
  tsr__show_text(copy, shown);
  if (tsr__csv_looks_like_comment(field->at, field->length))
    return TSR__FAIL(csv->ctx, TSR_EFORMAT, csv->op, NULL,
                     "%sline %l, column %l: '%s' begins as a comment does; quoted it would name a column", csv->where,
                     line, (int64_t)column + 1, shown);
  if (!tsr__csv_looks_like_data(field->at, field->length)) return TSR_OK;
  return TSR__FAIL(csv->ctx, TSR_EFORMAT, csv->op, NULL,
                   "%sline %l, column %l: '%s' is neither a number nor a name; fields end at '%c'", csv->where, line,
                   (int64_t)column + 1, shown, (int)csv->rules.separator);
}

/* One spoiled field does not make names of a row of numbers. */
static tsr_status check_spoiled(const tsr__csv *csv, const tsr__csv_field *field, tsr_index column, const char *at) {
  char shown[TSR__SHOWN], copy[TSR__SHOWN];
  const size_t n = field->length < sizeof copy - 1 ? field->length : sizeof copy - 1;
  memcpy(copy, field->at, n);
  copy[n] = '\0';
  tsr__show_text(copy, shown);
  return TSR__FAIL(csv->ctx, TSR_EFORMAT, csv->op, NULL,
                   "%sline %l, column %l: '%s' begins as a number and is none, in a row of numbers", csv->where,
                   tsr__csv_line_of(csv, at), (int64_t)column + 1, shown);
}

static tsr_status find_matrix_header(const tsr__csv *csv, const char *first, const char *limit, bool *header) {
  const unsigned *seen = csv->first.at;
  const unsigned number = TSR__CSV_IS_WHOLE | TSR__CSV_IS_CODE | TSR__CSV_IS_BIG | TSR__CSV_IS_REAL;
  const char *p = first, *spoiled_at = NULL;
  tsr__csv_field field, spoiled = {0};
  tsr_index spoiled_column = 0;
  bool numbers = false;
  *header = false;
  for (tsr_index i = 0; i < csv->columns; i++) {
    const char *const at = p;
    if (tsr__csv_lex(&csv->rules, &p, limit, &field) != TSR__CSV_FINE) return TSR_OK; /* the parts say why */
    (void)tsr__csv_step(&csv->rules, &p);
    numbers = numbers || (seen[i] & number) != 0;
    if ((seen[i] & (number | TSR__CSV_IS_MISSING)) != 0) continue;
    *header = true;
    if (field.quoted) continue;
    const tsr_status st = check_name(csv, &field, i, at);
    if (st != TSR_OK) return st;
    if (spoiled_at == NULL && tsr__csv_begins_as_number(field.at, field.length))
      spoiled = field, spoiled_at = at, spoiled_column = i;
  }
  return numbers && spoiled_at != NULL ? check_spoiled(csv, &spoiled, spoiled_column, spoiled_at) : TSR_OK;
}

/* ---- names ---- */

void tsr__csv_key(tsr_index column, char key[TSR__CSV_KEY]) {
  tsr__text text;
  tsr__text_init(&text, key, TSR__CSV_KEY);
  tsr__text_format(&text, "column.%l", (int64_t)column);
}

static bool is_utf8(const char *at, size_t n) {
  size_t step = 1;
  for (; n > 0 && step > 0; at += step, n -= step) step = tsr__utf8((const uint8_t *)at, n);
  return step > 0;
}

static tsr_status read_names(tsr__csv *csv, const char *first, const char *limit) {
  const char *p = first;
  tsr_index count;
  if (visit_row(csv, &p, limit, NULL, &count) != TSR__CSV_FINE) return TSR_OK;
  const size_t bytes = (size_t)(p - first) + (size_t)csv->columns;
  tsr_status st = tsr__room_get(csv->ctx, csv->op, csv->allocator, bytes, &csv->name_text);
  if (st == TSR_OK)
    st = tsr__room_get(csv->ctx, csv->op, csv->allocator, (size_t)csv->columns * sizeof(char *), &csv->names);
  if (st != TSR_OK) return st;
  char *to = csv->name_text.at;
  p = first;
  for (tsr_index i = 0; i < csv->columns; i++) {
    tsr__csv_field field;
    tsr__csv_error error = {.at = p, .column = i};
    (void)tsr__csv_lex(&csv->rules, &p, limit, &field);
    (void)tsr__csv_step(&csv->rules, &p);
    if (!field.quoted) field = tsr__csv_trim(&field);
    error.field = field;
    if (field.length > 0 && memchr(field.at, 0, field.length) != NULL)
      error.wrong = TSR__CSV_ZERO_BYTE;
    else if (!is_utf8(field.at, field.length))
      error.wrong = TSR__CSV_NOT_UTF8;
    if (error.wrong != TSR__CSV_FINE) return tsr__csv_refuse(csv, &error);
    const size_t n = tsr__csv_unquote(&field, to);
    to[n] = '\0';
    tsr__csv_names(csv)[i] = to;
    to += n + 1;
  }
  return TSR_OK;
}

/* ---- which columns ---- */

static tsr_status find_column(const tsr__csv *csv, const tsr_csv_column *what, tsr_index *column) {
  char shown[TSR__SHOWN], key[TSR__CSV_KEY];
  if (what->name == NULL) {
    *column = what->number < 0 ? what->number + csv->columns : what->number;
    if (*column >= 0 && *column < csv->columns) return TSR_OK;
    return TSR__FAIL(csv->ctx, TSR_EINDEX, csv->op, "options", "%shave column %l of %l", csv->where,
                     (int64_t)what->number, (int64_t)csv->columns);
  }
  for (*column = 0; *column < csv->columns; ++*column) {
    const char *name = csv->names.at != NULL ? tsr__csv_names(csv)[*column] : "";
    if (name[0] == '\0') tsr__csv_key(*column, key);
    if (strcmp(name[0] != '\0' ? name : key, what->name) == 0) return TSR_OK;
  }
  tsr__show_text(what->name, shown);
  return TSR__FAIL(csv->ctx, TSR_ENAME, csv->op, "options", "%shave column '%s', which is not there%s", csv->where,
                   shown, csv->names.at != NULL ? "" : ": the first row names none");
}

/* What the list says of a column's kind. */
static tsr_status plan_given(const tsr__csv *csv, const tsr_csv_column *what, tsr__csv_plan *plan) {
  const int kind = what->kind != TSR_COLUMN_AUTO ? what->kind : what->dtype != 0 ? TSR_COLUMN_NUMBER : TSR_COLUMN_AUTO;
  const bool clock = kind == TSR_COLUMN_TIME || kind == TSR_COLUMN_DATETIME;
  if (kind < TSR_COLUMN_AUTO || kind > TSR_COLUMN_TEXT)
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "%shave kind %d", csv->where, what->kind);
  const tsr_dtype_info *info = tsr_dtype_describe(what->dtype);
  if (what->dtype != 0 && (info == NULL || info->class_ == TSR_CLASS_COMPLEX || !tsr_dtype_supported(what->dtype)))
    return TSR__FAIL(csv->ctx, TSR_EDTYPE, csv->op, "options", "dtype %y is not read from text", what->dtype);
  if (what->unit < 0 || what->unit > TSR_UNIT_NANOSECOND ||
      (clock && what->unit == TSR_UNIT_DAY && kind == TSR_COLUMN_TIME))
    return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "%shave unit %d", csv->where, what->unit);
  if (csv->matrix || kind == TSR_COLUMN_AUTO) return TSR_OK;
  plan->found = false;
  plan->utc = kind == TSR_COLUMN_DATETIME && (plan->seen & TSR__CSV_IS_UTC) != 0;
  plan->kind = (uint8_t)kind;
  plan->dtype = (uint8_t)(kind == TSR_COLUMN_BOOL     ? TSR_BOOL
                          : kind == TSR_COLUMN_TEXT   ? TSR_I32
                          : kind != TSR_COLUMN_NUMBER ? TSR_I64
                          : what->dtype != 0          ? what->dtype
                                                      : TSR_F64);
  plan->fixed_unit = what->unit != 0 && what->unit != TSR_UNIT_DAY;
  plan->epoch = (uint8_t)(what->unit != 0 ? what->unit : kind == TSR_COLUMN_DATE ? TSR_UNIT_DAY : TSR_UNIT_SECOND);
  plan->unit = (uint8_t)(kind == TSR_COLUMN_DATE                ? TSR_UNIT_DAY
                         : !clock                               ? TSR_UNIT_NONE
                         : plan->fixed_unit                     ? what->unit
                         : (plan->seen & TSR__CSV_IS_FINE) != 0 ? TSR_UNIT_NANOSECOND
                                                                : TSR_UNIT_MICROSECOND);
  tsr__csv_plan_way(plan);
  return TSR_OK;
}

static tsr_status choose(tsr__csv *csv) {
  const tsr_csv_options *o = &csv->options;
  const bool all = o->columns == NULL || o->others;
  tsr__csv_plan *plans = tsr__csv_plans(csv);
  const tsr_index most = all ? csv->columns : o->column_count;
  tsr_status st = tsr__room_get(csv->ctx, csv->op, csv->allocator, (size_t)most * sizeof(tsr_index), &csv->chosen);
  for (tsr_index i = 0; i < csv->columns; i++) plans[i].slot = -1;
  for (tsr_index i = 0; st == TSR_OK && i < o->column_count; i++) {
    tsr_index column = 0;
    st = find_column(csv, &o->columns[i], &column);
    if (st == TSR_OK && plans[column].slot >= 0)
      st = TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "options", "%shave column %l twice", csv->where, (int64_t)column);
    if (st == TSR_OK) st = plan_given(csv, &o->columns[i], &plans[column]);
    if (st != TSR_OK) return st;
    plans[column].slot = i;
    if (!all) tsr__csv_chosen(csv)[i] = column;
  }
  for (tsr_index i = 0; st == TSR_OK && all && i < csv->columns; i++) plans[i].slot = tsr__csv_chosen(csv)[i] = i;
  csv->slots = most;
  return st;
}

/* ---- all of it ---- */

static tsr_status make_plans(tsr__csv *csv, const char *first, const char *limit) {
  tsr__csv_plan *plans = csv->plans.at;
  const unsigned *seen = csv->first.at;
  for (tsr_index i = 0; i < csv->columns; i++) {
    if (!csv->form.header) plans[i].seen |= seen[i];
    plans[i].found = !csv->matrix;
    if (csv->matrix) {
      set_kind(&plans[i], TSR_COLUMN_NUMBER, csv->options.dtype);
      tsr__csv_plan_way(&plans[i]);
    } else {
      tsr__csv_plan_found(&plans[i]);
    }
  }
  tsr_status st = csv->form.header ? read_names(csv, first, limit) : TSR_OK;
  if (st == TSR_OK) st = choose(csv);
  for (tsr_index i = 0; st == TSR_OK && i < csv->columns; i++)
    if (plans[i].slot < 0) plans[i].way = TSR__CSV_SKIP;
  return st;
}

static tsr_status count_columns(tsr__csv *csv, const char *first, const char *limit, bool *open) {
  tsr_index count;
  const char *p = first;
  const tsr__csv_wrong wrong = visit_row(csv, &p, limit, NULL, &count);
  *open = wrong == TSR__CSV_OPEN_QUOTE;
  if (wrong != TSR__CSV_FINE) {
    tsr__csv_error error = {.wrong = wrong, .column = 0};
    p = first;
    for (;; error.column++) { /* the field that is wrong */
      error.at = p;
      if (tsr__csv_lex(&csv->rules, &p, limit, &error.field) != TSR__CSV_FINE) break;
      (void)tsr__csv_step(&csv->rules, &p);
    }
    return *open && !csv->ended ? TSR_OK : tsr__csv_refuse(csv, &error);
  }
  csv->columns = csv->form.columns = count;
  return tsr__limit_check(&csv->budget.call, TSR__LIMIT_TENSORS, "it has at least", "columns", (uint64_t)count,
                          tsr__limit(csv->ctx, TSR__LIMIT_TENSORS, TSR__DEFAULT_TENSORS));
}

/* The first row, with as much text as it takes; NULL: there is none. */
static tsr_status find_first(tsr__csv *csv, const char **first, const char **limit) {
  for (;;) {
    *limit = tsr__csv_limit(csv);
    const char *const start = (const char *)csv->text.at + csv->at;
    const char *const row = tsr__csv_row_start(&csv->rules, start, *limit);
    csv->line = tsr__csv_line_of(csv, row);
    csv->at = (size_t)(row - (const char *)csv->text.at);
    *first = row;
    if (row < *limit) return TSR_OK;
    if (csv->ended && csv->at == csv->filled)
      return TSR__FAIL(csv->ctx, TSR_EFORMAT, csv->op, NULL, "%sline %l: no rows", csv->where, csv->line);
    const tsr_status st = row == start && *limit <= start ? tsr__csv_widen(csv) : tsr__csv_fill(csv, csv->wave);
    if (st != TSR_OK) return st;
  }
}

tsr_status tsr__csv_find(tsr__csv *csv) {
  const char *first = NULL, *limit = NULL;
  bool open = true;
  tsr_status st = TSR_OK;
  while (st == TSR_OK && open) {
    csv->rules.separator = csv->options.separator != 0 ? csv->options.separator : ',';
    tsr__csv_set_ends(&csv->rules);
    st = find_first(csv, &first, &limit);
    if (st != TSR_OK) return st;
    if (csv->options.separator == 0) csv->rules.separator = find_separator(csv, first, limit);
    tsr__csv_set_ends(&csv->rules);
    st = count_columns(csv, first, limit, &open);
    if (st == TSR_OK && open) st = tsr__csv_widen(csv);
  }
  if (st != TSR_OK) return st;
  csv->rules.decimal = csv->options.decimal != 0 ? csv->options.decimal : find_decimal(csv, first, limit);
  st = tsr__room_get(csv->ctx, csv->op, csv->allocator, (size_t)csv->columns * sizeof(tsr__csv_plan), &csv->plans);
  if (st == TSR_OK)
    st = tsr__room_get(csv->ctx, csv->op, csv->allocator, (size_t)csv->columns * sizeof(unsigned), &csv->first);
  if (st != TSR_OK) return st;
  tsr_index count;
  const char *p = first;
  memset(csv->plans.at, 0, csv->plans.bytes);
  (void)visit_row(csv, &p, limit, see_first, &count);
  bool header = csv->options.header == TSR_CSV_HEADER_FIRST;
  const bool sample = !csv->matrix || csv->options.columns != NULL, found = csv->options.header == TSR_CSV_HEADER_AUTO;
  if (sample) visit_sample(csv, first, limit, see_kind);
  if (found && sample) header = find_header(csv, first, limit);
  if (found && !sample) st = find_matrix_header(csv, first, limit, &header);
  if (st != TSR_OK) return st;
  csv->form.header = header;
  csv->form.separator = csv->rules.separator;
  csv->form.decimal = csv->rules.decimal;
  return make_plans(csv, first, limit);
}

tsr_status tsr__csv_pass_header(tsr__csv *csv) {
  const char *first = NULL, *limit = NULL;
  tsr_index count;
  const tsr_status st = find_first(csv, &first, &limit);
  if (st != TSR_OK || !csv->form.header) return st;
  if (visit_row(csv, &first, limit, NULL, &count) != TSR__CSV_FINE) return TSR_OK;
  csv->line = tsr__csv_line_of(csv, first);
  csv->at = (size_t)(first - (const char *)csv->text.at);
  return TSR_OK;
}

#endif
