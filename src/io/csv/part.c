/* The rows of a part: most fields are plain numbers and short texts, and are read here at once; the others go to store.c. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "io/csv/words.h"

#include <float.h>
#include <string.h>

/* Where a field that has no quotes ends. */
static inline const char *field_end(const tsr__csv_rules *rules, const char *p) {
  if (rules->blanks) {
    while (rules->ends[(uint8_t)*p] == 0) p++;
    return p;
  }
  const uint64_t separator = TSR__EACH((uint8_t)rules->separator);
  for (;; p += 8) {
    const uint64_t word = tsr__word_load(p);
    const uint64_t found = tsr__word_zeros(word ^ separator) | tsr__word_zeros(word ^ TSR__EACH('\n')) |
                           tsr__word_zeros(word ^ TSR__EACH('\r'));
    if (found != 0) return p + (tsr__word_first(found));
  }
}

/* ---- numbers ---- */

enum { MOST_PLAIN = 300 }; /* bytes of a number that is read here */

static const uint64_t powers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
/* The largest mantissa that so many more digits leave below 10^19. */
static const uint64_t rooms[9] = {9999999999999999999u, 999999999999999999u, 99999999999999999u,
                                  9999999999999999u,    999999999999999u,    99999999999999u,
                                  9999999999999u,       999999999999u,       99999999999u};

typedef struct digits {
  const char *end; /* NULL: the mantissa would not fit */
  uint64_t mantissa;
} digits;

/* Any number of digits behind those of a mantissa. */
static __attribute__((noinline)) digits take_many(const char *p, uint64_t mantissa) {
  const char *const start = p;
  int n;
  do {
    uint64_t word = tsr__word_load(p);
    n = tsr__word_digits(&word);
    if (mantissa > rooms[n] || p - start > MOST_PLAIN) return (digits){.end = NULL};
    mantissa = mantissa * powers[n] + tsr__word_number(word, n);
    p += n;
  } while (n == 8);
  return (digits){.end = p, .mantissa = mantissa};
}

/* The same; mantissa has at most seven digits. Most numbers end here after at most two steps. */
static inline digits take_digits(const char *p, uint64_t mantissa) {
  uint64_t word = tsr__word_load(p);
  int n = tsr__word_digits(&word);
  mantissa = mantissa * powers[n] + tsr__word_number(word, n);
  p += n;
  return n < 8 ? (digits){.end = p, .mantissa = mantissa} : take_many(p, mantissa);
}

/* What more than one operation rounds; infinity is left to store.c, which refuses it. */
static __attribute__((noinline)) double long_f64(uint64_t mantissa, int exponent) {
  const tsr__decimal d = {.mantissa = mantissa, .exponent = exponent};
  return tsr__decimal_to_f64(&d);
}

/* A number of at most 19 digits that count, to out; where it ends. NULL where it may be anything else, or nothing. */
static inline const char *read_f64(const char *p, char decimal, char *out) {
  int exponent = 0;
  const bool negative = *p == '-';
  p += negative | (*p == '+');
  const char *const start = p;
  digits d = take_digits(p, 0);
  if (d.end == NULL) return NULL;
  p = d.end;
  if (*p == decimal) {
    d = p - start < 8 ? take_digits(p + 1, d.mantissa) : take_many(p + 1, d.mantissa);
    if (d.end == NULL) return NULL;
    exponent = (int)(p + 1 - d.end);
    if (d.end - start == 1) return NULL; /* a point alone */
    p = d.end;
  } else if (p == start) {
    return NULL;
  }
  if ((*p | 0x20) == 'e') {
    const bool down = p[1] == '-';
    const char *const first = p + 1 + (down | (p[1] == '+'));
    const digits e = take_digits(first, 0);
    if (e.end == NULL || e.end == first || e.end - first > 4) return NULL;
    exponent += down ? -(int)e.mantissa : (int)e.mantissa;
    p = e.end;
  }
  double value = tsr__decimal_is_short(d.mantissa, exponent) ? tsr__decimal_short(d.mantissa, exponent)
                                                             : long_f64(d.mantissa, exponent);
  if (value > DBL_MAX) return NULL;
  value = negative ? -value : value;
  memcpy(out, &value, sizeof value);
  return p;
}

static inline const char *read_i64(const char *p, bool codes, char *out) {
  const bool negative = *p == '-';
  p += negative | (*p == '+');
  if (*p == '0' && codes && p[1] >= '0' && p[1] <= '9') return NULL;
  const digits d = take_digits(p, 0);
  if (d.end == NULL || d.end == p || d.mantissa > (uint64_t)INT64_MAX) return NULL;
  const int64_t value = negative ? -(int64_t)d.mantissa : (int64_t)d.mantissa;
  memcpy(out, &value, sizeof value);
  return d.end;
}

/* ---- dates ---- */

/* Without a fraction, offset or blanks, as the column has them. */
static const char *read_date(const tsr__csv_plan *plan, const char *p, char *out) {
  int64_t days;
  int second;
  const char *const end = tsr__time_usual(p, &days, &second);
  if (end == NULL || (second >= 0) != (plan->kind == TSR_COLUMN_DATETIME)) return NULL;
  if (second >= 0 && (plan->utc || plan->unit == TSR_UNIT_NANOSECOND)) return NULL;
  if (second >= 0) days = (days * 86400 + second) * tsr_time_per_second(plan->unit);
  memcpy(out, &days, sizeof days);
  return end;
}

/* ---- fields ---- */

static tsr__csv_wrong refuse(tsr__csv_part *part, tsr__csv_wrong wrong, const tsr__csv_field *field, const char *at,
                             tsr_index column) {
  part->error = (tsr__csv_error){.wrong = wrong, .at = at, .column = column};
  if (field != NULL) part->error.field = *field;
  return wrong;
}

/* Any field of a column, by way of its bytes; where it ends, or NULL: it is refused. */
static __attribute__((noinline)) const char *read_field(tsr__csv_part *part, tsr_index column, const char *start) {
  const tsr__csv_plan *plan = &part->plan[column];
  const char *at = start;
  tsr__csv_field field;
  tsr__csv_wrong wrong;
  if (*start != '"' && *start != ' ') {
    at = field_end(part->rules, start);
    field = (tsr__csv_field){.at = start, .length = (size_t)(at - start)};
    wrong = field.length > part->rules->max_field ? TSR__CSV_TOO_LONG : TSR__CSV_FINE;
  } else {
    wrong = tsr__csv_lex(part->rules, &at, part->limit, &field);
    if (wrong == TSR__CSV_FINE) part->lines += tsr__word_count(start, at, part->rules->eol);
  }
  if (wrong == TSR__CSV_FINE && plan->way != TSR__CSV_SKIP)
    wrong = tsr__csv_store(part, plan, &field, &part->cells[plan->slot]);
  if (wrong == TSR__CSV_FINE) return at;
  (void)refuse(part, wrong, &field, start, column);
  return NULL;
}

/* A plain number or date; NULL: the field goes through read_field. */
static inline const char *read_plain(const tsr__csv_part *part, const tsr__csv_plan *plan, char decimal,
                                     const char *p) {
  if (plan->way != TSR__CSV_F64 && plan->way != TSR__CSV_I64 && plan->way != TSR__CSV_DATE) return NULL;
  const tsr__csv_cells *cells = &part->cells[plan->slot];
  char *const out = cells->out + (size_t)part->rows * cells->step;
  if (plan->way == TSR__CSV_DATE) return part->limit - p >= 24 ? read_date(plan, p, out) : NULL;
  while (*p == ' ') p++;
  return plan->way == TSR__CSV_F64 ? read_f64(p, decimal, out) : read_i64(p, plan->found, out);
}

/* The columns from one on, at the end of a row that is short. */
static tsr__csv_wrong fill_row(tsr__csv_part *part, tsr_index column, const char *at) {
  static const tsr__csv_field empty = {.at = ""};
  for (; column < part->columns; column++) {
    const tsr__csv_plan *plan = &part->plan[column];
    if (plan->way == TSR__CSV_SKIP) continue;
    const tsr__csv_wrong wrong = tsr__csv_store(part, plan, &empty, &part->cells[plan->slot]);
    if (wrong != TSR__CSV_FINE) return refuse(part, wrong, &empty, at, column);
  }
  return TSR__CSV_FINE;
}

/* At the end of the last field of a row; where the next line begins. */
static const char *end_row(tsr__csv_part *part, tsr_index column, const char *start, const char *p) {
  if (column + 1 < part->columns) {
    const tsr__csv_wrong wrong =
        part->rules->short_rows ? fill_row(part, column + 1, start) : refuse(part, TSR__CSV_FEW, NULL, start, column);
    if (wrong != TSR__CSV_FINE) return NULL;
  }
  return p + 1 + (*p == '\r' && p[1] == '\n');
}

/* A row that begins at p; where it ends, or NULL: it is refused. */
static const char *read_row(tsr__csv_part *part, const char *p) {
  const tsr__csv_rules *rules = part->rules;
  const tsr_index columns = part->columns;
  const tsr__csv_plan *plan = part->plan;
  const char separator = rules->separator, decimal = rules->decimal;
  const bool blanks = rules->blanks, plain = rules->max_field > 2 * MOST_PLAIN;
  for (tsr_index column = 0; column < columns; column++, plan++) {
    const char *const start = p;
    p = plain ? read_plain(part, plan, decimal, start) : NULL;
    if (p != NULL && *p == separator && !blanks) {
      p++;
      continue;
    }
    if (p == NULL || rules->ends[(uint8_t)*p] == 0) p = read_field(part, column, start);
    if (p == NULL) return NULL;
    while (blanks && (*p == ' ' || *p == '\t')) p++;
    if (rules->ends[(uint8_t)*p] == TSR__CSV_EOL) return end_row(part, column, start, p);
    p += !blanks;
  }
  (void)refuse(part, TSR__CSV_MANY, NULL, p, columns);
  return NULL;
}

/* ---- rows ---- */

void tsr__csv_part_read(tsr__csv_part *part) {
  const char *p = part->start;
  part->rows = 0;
  part->lines = 0;
  part->error.wrong = TSR__CSV_FINE;
  while (part->rows < part->most) {
    const char *const line = p;
    p = tsr__csv_row_start(part->rules, p, part->until);
    if (p > line) part->lines += tsr__word_count(line, p, part->rules->eol);
    if (p >= part->until) break;
    const char *const end = read_row(part, p);
    if (end == NULL) break;
    p = end;
    part->rows++;
  }
  part->open = part->error.wrong == TSR__CSV_OPEN_QUOTE;
  part->next = p;
  part->lines += part->rows;
}

#endif
