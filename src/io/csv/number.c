/* Numbers from text, whatever the locale, and what else a field may be. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "ops/cast/convert.h"

#include <string.h>

/* ---- numbers ---- */

bool tsr__csv_is_word(const char *text, size_t length, const char *word) {
  size_t i = 0;
  for (; i < length && word[i] != '\0'; i++) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) return false;
  }
  return i == length && word[i] == '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add_digit(tsr__csv_number *n, char c, bool behind) {
  if (n->decimal.mantissa > 0 || c != '0') n->counted++;
  if (n->counted <= 19) {
    n->decimal.mantissa = 10 * n->decimal.mantissa + (uint64_t)(c - '0');
    n->decimal.exponent -= behind;
    return;
  }
  if (n->counted == 20) n->last = c - '0';
  n->decimal.cut = n->decimal.cut || c != '0';
  n->decimal.exponent += !behind;
}

/* Whether a mark between thousands stands at text[i]: behind one to three digits, or three more, and before three. */
static bool is_group(const char *text, size_t length, size_t i, size_t group, bool first) {
  if (group == 0 || group > 3 || (!first && group != 3) || i + 3 >= length) return false;
  return is_digit(text[i + 1]) && is_digit(text[i + 2]) && is_digit(text[i + 3]);
}

/* Digits, marks between thousands, and at most one decimal mark; false when there is no digit. */
static bool parse_digits(const char *text, size_t length, char decimal, char thousands, tsr__csv_number *n) {
  bool some = false, first = true;
  size_t i = 0, group = 0;
  for (; i < length; i++) {
    if (is_digit(text[i])) {
      some = true;
      group++;
      add_digit(n, text[i], n->marked);
    } else if (text[i] == decimal && !n->marked) {
      if (!first && group != 3) return false;
      n->marked = true;
    } else if (thousands != 0 && text[i] == thousands && !n->marked && is_group(text, length, i, group, first)) {
      first = false;
      group = 0;
    } else {
      break;
    }
  }
  if (!n->marked && !first && group != 3) return false;
  n->decimal.digits = text;
  n->decimal.length = i;
  n->whole = !n->marked;
  n->zeros = i > 1 && text[0] == '0' && is_digit(text[1]);
  return some;
}

/* "e+12" to the end; anything from 10^6 on is as good as 10^6. */
static bool parse_exponent(const char *text, size_t length, tsr__csv_number *n) {
  int64_t value = 0;
  size_t i = 1;
  if (length == 0) return true;
  if ((text[0] != 'e' && text[0] != 'E') || length < 2) return false;
  const bool negative = text[1] == '-';
  if (text[1] == '-' || text[1] == '+') i++;
  if (i == length) return false;
  for (; i < length; i++) {
    if (!is_digit(text[i])) return false;
    if (value < 1000000) value = 10 * value + (text[i] - '0');
  }
  n->decimal.exponent += negative ? -value : value;
  n->whole = false;
  return true;
}

bool tsr__csv_number_parse(const char *text, size_t length, char decimal, char thousands, tsr__csv_number *n) {
  *n = (tsr__csv_number){.kind = TSR__CSV_FINITE};
  if (length > 0 && (*text == '-' || *text == '+')) {
    n->negative = *text == '-';
    text++, length--;
  }
  if (tsr__csv_is_word(text, length, "inf") || tsr__csv_is_word(text, length, "infinity")) {
    n->kind = TSR__CSV_INFINITE;
    return true;
  }
  if (tsr__csv_is_word(text, length, "nan")) {
    n->kind = TSR__CSV_NAN;
    n->negative = false; /* it has no sign that could be written again */
    return true;
  }
  return parse_digits(text, length, decimal, thousands, n) &&
         parse_exponent(text + n->decimal.length, length - n->decimal.length, n);
}

/* ---- as elements ---- */

static double f64_of(const tsr__csv_number *n) {
  const double value = n->kind == TSR__CSV_FINITE     ? tsr__decimal_to_f64(&n->decimal)
                       : n->kind == TSR__CSV_INFINITE ? (double)__builtin_inff()
                                                      : (double)__builtin_nanf("");
  return n->negative ? -value : value;
}

static float f32_of(const tsr__csv_number *n) {
  if (n->kind != TSR__CSV_FINITE) return (float)f64_of(n);
  const float value = tsr__decimal_to_f32(&n->decimal);
  return n->negative ? -value : value;
}

static tsr__csv_wrong store_float(const tsr__csv_number *n, int dtype, void *element) {
  if (dtype == TSR_F32) {
    const float single = f32_of(n);
    memcpy(element, &single, sizeof single);
    return n->kind == TSR__CSV_FINITE && single - single != 0 ? TSR__CSV_RANGE : TSR__CSV_FINE;
  }
  const double value = f64_of(n);
  if (n->kind == TSR__CSV_FINITE && value - value != 0) return TSR__CSV_RANGE;
  if (dtype == TSR_F64) {
    memcpy(element, &value, sizeof value);
    return TSR__CSV_FINE;
  }
  tsr_ctx quiet = {.allocator = NULL}; /* the reader says what is wrong, on its own thread */
  return tsr__scalar_from_real(&quiet, "", NULL, dtype, (tsr_real)value, element) == TSR_OK ? TSR__CSV_FINE
                                                                                            : TSR__CSV_RANGE;
}

static tsr__csv_wrong store_integer(const tsr__csv_number *n, int dtype, void *element) {
  if (n->kind != TSR__CSV_FINITE || !n->whole) return TSR__CSV_NOT_WHOLE;
  /* 19 digits fit 64 bits; the largest u64 has 20. */
  uint64_t value = n->decimal.mantissa;
  if (n->counted > 20) return TSR__CSV_RANGE;
  if (n->counted == 20 &&
      (__builtin_mul_overflow(value, (uint64_t)10, &value) || __builtin_add_overflow(value, (uint64_t)n->last, &value)))
    return TSR__CSV_RANGE;
  if (dtype == TSR_U64) {
    memcpy(element, &value, sizeof value);
    return n->negative && value > 0 ? TSR__CSV_RANGE : TSR__CSV_FINE;
  }
  if (value > (uint64_t)INT64_MAX + (n->negative ? 1 : 0)) return TSR__CSV_RANGE;
  const int64_t whole = n->negative ? (int64_t)(0 - value) : (int64_t)value;
  if (dtype == TSR_I64) {
    memcpy(element, &whole, sizeof whole);
    return TSR__CSV_FINE;
  }
  tsr_ctx quiet = {.allocator = NULL};
  return tsr__scalar_from_i64(&quiet, "", NULL, dtype, whole, element) == TSR_OK ? TSR__CSV_FINE : TSR__CSV_RANGE;
}

tsr__csv_wrong tsr__csv_number_store(const tsr__csv_number *n, int dtype, void *element) {
  return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT ? store_float(n, dtype, element)
                                                              : store_integer(n, dtype, element);
}

void tsr__csv_store_missing(int dtype, void *element) {
  static const tsr__csv_number nothing = {.kind = TSR__CSV_NAN};
  const size_t item = tsr_dtype_size(dtype);
  if (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT) {
    (void)store_float(&nothing, dtype, element);
    return;
  }
  memset(element, 0, item);
  if (dtype == TSR_I8 || dtype == TSR_I16 || dtype == TSR_I32 || dtype == TSR_I64) { /* the least number */
    const uint64_t least = (uint64_t)1 << (8 * item - 1);
    const uint8_t one = (uint8_t)least;
    const uint16_t two = (uint16_t)least;
    const uint32_t four = (uint32_t)least;
    memcpy(element,
           item == 1   ? (const void *)&one
           : item == 2 ? (const void *)&two
           : item == 4 ? (const void *)&four
                       : (const void *)&least,
           item);
  }
}

/* ---- what a field is ---- */

bool tsr__csv_is_missing(const tsr__csv_rules *rules, const tsr__csv_field *trimmed) {
  static const char *const usual[] = {"na", "n/a", "null", "none", "#n/a", "<na>", "nat"};
  const size_t length = trimmed->length;
  if (length == 0) return true;
  if (rules->missing == NULL) {
    const char first = *trimmed->at;
    if (length < 2 || length > 4 || (first != 'n' && first != 'N' && first != '#' && first != '<')) return false;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
      if (tsr__csv_is_word(trimmed->at, length, usual[i])) return true;
    return false;
  }
  for (tsr_index i = 0; i < rules->missing_count; i++) {
    size_t k = 0;
    for (const char *word = rules->missing[i]; k < length && word[k] != '\0'; k++) {
      const char a = trimmed->at[k], b = word[k];
      if ((a >= 'A' && a <= 'Z' ? a + 32 : a) != (b >= 'A' && b <= 'Z' ? b + 32 : b)) break;
    }
    if (k == length && rules->missing[i][k] == '\0') return true;
  }
  return false;
}

static unsigned class_of_number(const tsr__csv_number *n) {
  int64_t whole;
  if (n->kind == TSR__CSV_NAN) return TSR__CSV_IS_MISSING; /* as numbers have it */
  if (!n->whole || n->kind != TSR__CSV_FINITE) return TSR__CSV_IS_REAL;
  if (n->zeros) return TSR__CSV_IS_CODE;
  return store_integer(n, TSR_I64, &whole) == TSR__CSV_FINE ? TSR__CSV_IS_WHOLE : TSR__CSV_IS_BIG;
}

static unsigned class_of_time(const tsr__time *t) {
  const unsigned fine = tsr__time_is_fine(t) ? TSR__CSV_IS_FINE : 0;
  int64_t value;
  if (!tsr__time_value(t, fine != 0 ? TSR_UNIT_NANOSECOND : TSR_UNIT_MICROSECOND, &value)) return TSR__CSV_IS_TEXT;
  if (!t->time) return TSR__CSV_IS_DATE;
  return fine | (unsigned)(!t->date ? TSR__CSV_IS_TIME : t->zoned ? TSR__CSV_IS_UTC : TSR__CSV_IS_DATETIME);
}

unsigned tsr__csv_classify(const tsr__csv_rules *rules, const tsr__csv_field *field) {
  const tsr__csv_field f = tsr__csv_trim(field);
  tsr__csv_number n;
  tsr__time t;
  if (tsr__csv_is_missing(rules, &f)) {
    return field->quoted && f.length > 0 ? TSR__CSV_IS_TEXT : TSR__CSV_IS_MISSING;
  }
  if (tsr__csv_number_parse(f.at, f.length, rules->decimal, rules->thousands, &n)) return class_of_number(&n);
  if (f.length >= 4 && (is_digit(*f.at) || *f.at == '-' || *f.at == '+') &&
      tsr__time_read(f.at, f.length, rules->dates, &t))
    return class_of_time(&t);
  static const char *const words[] = {"true", "false", "yes", "no"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (tsr__csv_is_word(f.at, f.length, words[i])) return TSR__CSV_IS_BOOL;
  return TSR__CSV_IS_TEXT;
}

/* ---- names ---- */

bool tsr__csv_looks_like_data(const char *field, size_t length) {
  bool digit = false, parts = false;
  const tsr__csv_field whole = {.at = field, .length = length}, f = tsr__csv_trim(&whole);
  if (f.length == 0 || (!is_digit(*f.at) && strchr("+-.", *f.at) == NULL)) return false;
  for (size_t i = 0; i < f.length; i++) {
    const char c = f.at[i];
    if (c == '\0' || (!is_digit(c) && strchr("+-.eE:/TZ ;|\t", c) == NULL)) return false;
    digit = digit || is_digit(c);
    parts = parts || (i > 0 && strchr("+-:/ ;|\t", c) != NULL);
  }
  return digit && parts;
}

bool tsr__csv_looks_like_comment(const char *field, size_t length) {
  const tsr__csv_field whole = {.at = field, .length = length}, f = tsr__csv_trim(&whole);
  return f.length > 0 && *f.at == '#';
}

bool tsr__csv_begins_as_number(const char *field, size_t length) {
  const tsr__csv_field whole = {.at = field, .length = length};
  tsr__csv_field f = tsr__csv_trim(&whole);
  if (f.length > 0 && (*f.at == '+' || *f.at == '-' || *f.at == '.')) f.at++, f.length--;
  return f.length > 0 && is_digit(*f.at);
}

#endif
