/* The rows of a part: most fields are plain numbers and short texts, and are read here at once; the others go to store.c. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "io/bytes/swap.h"

#include <string.h>

/* ---- eight bytes at a time, the first one lowest ---- */

#define EACH(byte) (0x0101010101010101u * (uint64_t)(byte))

static inline uint64_t load(const char *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return TSR__LITTLE_HOST ? word : __builtin_bswap64(word);
}

/* How many digits there are first; *word becomes their values. */
static inline int count_digits(uint64_t *word) {
  const uint64_t value = *word ^ EACH('0');
  const uint64_t other = (value | (value + EACH(6))) & EACH(0xf0);
  *word = value;
  return other == 0 ? 8 : __builtin_ctzll(other) >> 3;
}

/* The number that the first n of eight digits make. */
static inline uint64_t number_of(uint64_t word, int n) {
  word = (word << (32 - 4 * n)) << (32 - 4 * n); /* zeros before them */
  word = (word * 10) + (word >> 8);
  word = (((word & 0x000000ff000000ffu) * 0x000f424000000064u) +
          (((word >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u)) >>
         32;
  return (uint32_t)word;
}

static inline uint64_t has_zero(uint64_t word) { return (word - EACH(1)) & ~word & EACH(0x80); }

/* Where a field that has no quotes ends. */
static inline const char *field_end(const tsr__csv_rules *rules, const char *p) {
  if (rules->blanks) {
    while (rules->ends[(uint8_t)*p] == 0) p++;
    return p;
  }
  const uint64_t separator = EACH((uint8_t)rules->separator);
  for (;; p += 8) {
    const uint64_t word = load(p);
    const uint64_t found = has_zero(word ^ separator) | has_zero(word ^ EACH('\n')) | has_zero(word ^ EACH('\r'));
    if (found != 0) return p + (__builtin_ctzll(found) >> 3);
  }
}

/* ---- numbers ---- */

typedef struct plain {
  uint64_t mantissa;
  int exponent;
  bool negative;
  bool whole;
} plain;

static const uint64_t powers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
/* The largest mantissa that so many more digits leave below 10^19. */
static const uint64_t rooms[9] = {9999999999999999999u, 999999999999999999u, 99999999999999999u,
                                  9999999999999999u,    999999999999999u,    99999999999999u,
                                  9999999999999u,       999999999999u,       99999999999u};

/* Digits; returns how many, or -1 where they do not fit. */
static inline int take_digits(const char **at, uint64_t *mantissa) {
  const char *p = *at;
  int n;
  do {
    uint64_t word = load(p);
    n = count_digits(&word);
    if (*mantissa > rooms[n]) return -1;
    *mantissa = *mantissa * powers[n] + number_of(word, n);
    p += n;
  } while (n == 8);
  n = (int)(p - *at);
  *at = p;
  return n;
}

/* A number of at most 19 digits that count; false where it may be anything else, or nothing. */
static inline bool take_number(const char **at, char decimal, plain *n) {
  const char *p = *at;
  *n = (plain){.whole = true};
  n->negative = *p == '-';
  p += n->negative || *p == '+';
  int digits = take_digits(&p, &n->mantissa);
  if (digits < 0) return false;
  if (*p == decimal) {
    p++;
    const int behind = take_digits(&p, &n->mantissa);
    if (behind < 0 || behind > 300) return false;
    n->exponent = -behind;
    n->whole = false;
    digits += behind;
  }
  if (digits == 0) return false;
  if ((*p | 0x20) == 'e') {
    const bool negative = p[1] == '-';
    uint64_t exponent = 0;
    p += 1 + (negative || p[1] == '+');
    const int long_ = take_digits(&p, &exponent);
    if (long_ <= 0 || long_ > 4) return false;
    n->exponent += negative ? -(int)exponent : (int)exponent;
    n->whole = false;
  }
  *at = p;
  return true;
}

static inline bool read_f64(const char **at, char decimal, char *out) {
  plain n;
  double value;
  if (!take_number(at, decimal, &n)) return false;
  if (tsr__decimal_is_short(n.mantissa, n.exponent)) {
    value = tsr__decimal_short(n.mantissa, n.exponent);
  } else {
    const tsr__decimal d = {.mantissa = n.mantissa, .exponent = n.exponent};
    value = tsr__decimal_to_f64(&d);
    if (value - value != 0) return false;
  }
  value = n.negative ? -value : value;
  memcpy(out, &value, sizeof value);
  return true;
}

static inline bool read_i64(const char **at, bool codes, char *out) {
  const char *p = *at;
  uint64_t mantissa = 0;
  const bool negative = *p == '-';
  p += negative || *p == '+';
  if (*p == '0' && codes && p[1] >= '0' && p[1] <= '9') return false;
  if (take_digits(&p, &mantissa) <= 0 || mantissa > (uint64_t)INT64_MAX) return false;
  const int64_t value = negative ? -(int64_t)mantissa : (int64_t)mantissa;
  memcpy(out, &value, sizeof value);
  *at = p;
  return true;
}

/* ---- fields ---- */

static tsr__csv_wrong refuse(tsr__csv_part *part, tsr__csv_wrong wrong, const tsr__csv_field *field, const char *at,
                             tsr_index column) {
  part->error = (tsr__csv_error){.wrong = wrong, .at = at, .column = column};
  if (field != NULL) part->error.field = *field;
  return wrong;
}

/* Any field of a column, by way of its bytes. */
static tsr__csv_wrong read_field(tsr__csv_part *part, tsr_index column, const char **at) {
  const tsr__csv_plan *plan = &part->plan[column];
  const char *const start = *at;
  tsr__csv_field field;
  tsr__csv_wrong wrong;
  if (*start != '"') {
    const char *const end = field_end(part->rules, start);
    field = (tsr__csv_field){.at = start, .length = (size_t)(end - start)};
    wrong = field.length > part->rules->max_field ? TSR__CSV_TOO_LONG : TSR__CSV_FINE;
    *at = end;
  } else {
    wrong = tsr__csv_lex(part->rules, at, part->limit, &field);
  }
  if (wrong == TSR__CSV_FINE && plan->way != TSR__CSV_SKIP)
    wrong = tsr__csv_store(part, plan, &field, &part->cells[plan->slot]);
  return wrong == TSR__CSV_FINE ? TSR__CSV_FINE : refuse(part, wrong, &field, start, column);
}

/* A field by its plan; the ways that are left go through read_field. */
static inline bool read_plain(const tsr__csv_part *part, const tsr__csv_plan *plan, const char **at) {
  if (plan->way != TSR__CSV_F64 && plan->way != TSR__CSV_I64) return false;
  const tsr__csv_cells *cells = &part->cells[plan->slot];
  const tsr__csv_rules *rules = part->rules;
  char *const out = cells->out + (size_t)part->rows * cells->step;
  const char *p = *at;
  while (*p == ' ') p++;
  const bool read = plan->way == TSR__CSV_F64 ? read_f64(&p, rules->decimal, out) : read_i64(&p, plan->found, out);
  if (!read || rules->ends[(uint8_t)*p] == 0 || (size_t)(p - *at) > rules->max_field) return false;
  *at = p;
  return true;
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

static tsr__csv_wrong read_row(tsr__csv_part *part, const char **at) {
  const char *p = *at, *start = p;
  for (tsr_index column = 0;; column++) {
    if (column == part->columns) return refuse(part, TSR__CSV_MANY, NULL, p, column);
    start = p;
    if (!read_plain(part, &part->plan[column], &p)) {
      const tsr__csv_wrong wrong = read_field(part, column, &p);
      if (wrong != TSR__CSV_FINE) return wrong;
    }
    if (!tsr__csv_step(part->rules, &p)) {
      *at = p + 1 + (*p == '\r' && p[1] == '\n');
      if (column + 1 == part->columns) return TSR__CSV_FINE;
      return part->rules->short_rows ? fill_row(part, column + 1, start)
                                     : refuse(part, TSR__CSV_FEW, NULL, start, column);
    }
  }
}

void tsr__csv_part_read(tsr__csv_part *part) {
  const char *p = part->start;
  part->rows = 0;
  part->open = false;
  part->error.wrong = TSR__CSV_FINE;
  while (part->rows < part->most) {
    p = tsr__csv_row_start(part->rules, p, part->until);
    if (p >= part->until) break;
    const char *const row = p;
    const tsr__csv_wrong wrong = read_row(part, &p);
    if (wrong != TSR__CSV_FINE) {
      part->open = wrong == TSR__CSV_OPEN_QUOTE;
      p = row;
      break;
    }
    part->rows++;
  }
  part->next = p;
}

#endif
