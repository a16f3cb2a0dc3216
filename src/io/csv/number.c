/* Numbers from text, whatever the locale: the short ones here, exactly; the C library is handed digits without a point.
 */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/float_bits.h"
#include "core/text.h"
#include "io/bytes/text.h"
#include "ops/cast/convert.h"

#include <stdlib.h>
#include <string.h>

/* ---- what stands there ---- */

/* Without the spaces around it. */
static const char *trim(const char *field, size_t *length) {
  while (*length > 0 && (*field == ' ' || *field == '\t')) field++, --*length;
  while (*length > 0 && (field[*length - 1] == ' ' || field[*length - 1] == '\t')) --*length;
  return field;
}

/* Whether text is word, in any case; word is in small letters. */
static bool is_word(const char *text, size_t length, const char *word) {
  size_t i = 0;
  for (; i < length && word[i] != '\0'; i++) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) return false;
  }
  return i == length && word[i] == '\0';
}

static bool is_missing(const char *text, size_t length) {
  return length == 0 || is_word(text, length, "na") || is_word(text, length, "n/a") || is_word(text, length, "null") ||
         is_word(text, length, "none");
}

/* A number taken apart: ±digits · 10^exponent, or a word. */
typedef struct number {
  bool negative;
  enum { FINITE, INFINITE, NOT_A_NUMBER } kind;
  const char *digits; /* with a point in them or without */
  size_t length;      /* of the digits and the point */
  uint64_t mantissa;  /* the first 19 digits that count */
  int64_t counted;    /* how many those are; more than 19: the mantissa is not all */
  int64_t exponent;   /* of the mantissa */
  bool whole;         /* neither a point nor an exponent */
} number;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits and at most one point; false when there is no digit. */
static bool parse_digits(const char *text, size_t length, number *n) {
  bool point = false, some = false;
  size_t i = 0;
  for (; i < length && (is_digit(text[i]) || (text[i] == '.' && !point)); i++) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    some = true;
    if (n->mantissa > 0 || text[i] != '0') n->counted++;
    if (n->counted <= 19) {
      n->mantissa = 10 * n->mantissa + (uint64_t)(text[i] - '0');
      n->exponent -= point;
    } else {
      n->exponent += !point;
    }
  }
  n->digits = text;
  n->length = i;
  n->whole = !point;
  return some;
}

/* "e+12" to the end; anything from 10^6 on is as good as 10^6. */
static bool parse_exponent(const char *text, size_t length, number *n) {
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
  n->exponent += negative ? -value : value;
  n->whole = false;
  return true;
}

static bool parse(const char *text, size_t length, number *n) {
  *n = (number){.kind = FINITE};
  if (length > 0 && (*text == '-' || *text == '+')) {
    n->negative = *text == '-';
    text++, length--;
  }
  if (is_word(text, length, "inf") || is_word(text, length, "infinity")) {
    n->kind = INFINITE;
    return true;
  }
  if (is_word(text, length, "nan")) {
    n->kind = NOT_A_NUMBER;
    n->negative = false; /* it has no sign that could be written again */
    return true;
  }
  return parse_digits(text, length, n) && parse_exponent(text + n->length, length - n->length, n);
}

tsr__csv_kind tsr__csv_kind_of(const char *field, size_t length, bool quoted) {
  number n;
  const char *text = trim(field, &length);
  if (is_missing(text, length)) return quoted && length > 0 ? TSR__CSV_TEXT : TSR__CSV_MISSING;
  return parse(text, length, &n) ? TSR__CSV_NUMBER : TSR__CSV_TEXT;
}

bool tsr__csv_looks_like_data(const char *field, size_t length) {
  bool digit = false, parts = false;
  const char *text = trim(field, &length);
  if (length == 0 || (!is_digit(*text) && strchr("+-.", *text) == NULL)) return false;
  for (size_t i = 0; i < length; i++) {
    if (!is_digit(text[i]) && strchr("+-.eE:/TZ ;|\t", text[i]) == NULL) return false;
    digit = digit || is_digit(text[i]);
    parts = parts || (i > 0 && strchr("+-:/ ;|\t", text[i]) != NULL);
  }
  return digit && parts;
}

bool tsr__csv_looks_like_comment(const char *field, size_t length) {
  const char *text = trim(field, &length);
  return length > 0 && *text == '#';
}

bool tsr__csv_begins_as_number(const char *field, size_t length) {
  const char *text = trim(field, &length);
  if (length > 0 && strchr("+-.", *text) != NULL) text++, length--;
  return length > 0 && is_digit(*text);
}

/* ---- floats ---- */

/* The digits without their point, and an exponent, for strtod: there is nothing in it that a locale changes. */
static void compact(const number *n, char *to) {
  tsr__text text;
  size_t length = 0;
  for (size_t i = 0; i < n->length; i++)
    if (n->digits[i] != '.') to[length++] = n->digits[i];
  const int64_t dropped = n->counted > 19 ? n->counted - 19 : 0; /* n->exponent is that of the first 19 */
  tsr__text_init(&text, to + length, 24);
  tsr__text_format(&text, "e%l", n->exponent - dropped);
}

/* m · 10^e, exact: both numbers are, so that one operation rounds once. False where that is not so. */
static bool short_value(const number *n, double *value) {
  static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (n->counted > 19 || n->mantissa > (uint64_t)1 << 53 || n->exponent < -22 || n->exponent > 22) return false;
  const double m = (double)n->mantissa;
  *value = n->exponent < 0 ? m / powers[-n->exponent] : m * powers[n->exponent];
  return true;
}

static double value_of(const number *n, char *spare) {
  double value;
  if (n->kind == INFINITE) return (double)__builtin_inff();
  if (n->kind == NOT_A_NUMBER) return (double)__builtin_nanf("");
  if (n->mantissa == 0 || short_value(n, &value)) return n->mantissa == 0 ? 0 : value;
  compact(n, spare);
  return strtod(spare, NULL);
}

/* Once, from the text: by way of a double only where that cannot be half-way between two floats. */
static float float_of(const number *n, char *spare) {
  double value;
  if (n->kind != FINITE || n->mantissa == 0) return (float)value_of(n, spare);
  if (short_value(n, &value) && value >= 0x1p-126 && (tsr__bits_of_f64(value) & 0x1fffffff) != 0x10000000)
    return (float)value;
  compact(n, spare);
  return strtof(spare, NULL);
}

static tsr_status out_of_range(const tsr__csv *csv) {
  char shown[TSR__SHOWN];
  tsr__show_text(csv->field, shown);
  return TSR__CSV_REFUSE(csv, TSR_ERANGE, "'%s' does not fit %y", shown, csv->options.dtype);
}

static tsr_status float_element(const tsr__csv *csv, const number *n, void *element) {
  double value;
  if (csv->options.dtype == TSR_F32) {
    const float single = n->negative ? -float_of(n, csv->spare) : float_of(n, csv->spare);
    if (n->kind == FINITE && single - single != 0) return out_of_range(csv);
    memcpy(element, &single, sizeof single);
    return TSR_OK;
  }
  value = n->negative ? -value_of(n, csv->spare) : value_of(n, csv->spare);
  if (n->kind == FINITE && value - value != 0) return out_of_range(csv);
  if (csv->options.dtype == TSR_F64) {
    memcpy(element, &value, sizeof value);
    return TSR_OK;
  }
  const tsr_status st = tsr__scalar_from_real(csv->ctx, csv->op, NULL, csv->options.dtype, (tsr_real)value, element);
  return st == TSR_ERANGE ? out_of_range(csv) : st;
}

/* ---- integers ---- */

static tsr_status integer_element(const tsr__csv *csv, const number *n, void *element) {
  char shown[TSR__SHOWN];
  if (n->kind != FINITE || !n->whole) {
    tsr__show_text(csv->field, shown);
    return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "'%s' is no whole number, as %y needs", shown, csv->options.dtype);
  }
  /* 19 digits fit 64 bits; the largest u64 has 20. */
  uint64_t value = n->mantissa;
  if (n->counted == 20) {
    const uint64_t last = (uint64_t)(n->digits[n->length - 1] - '0');
    if (__builtin_mul_overflow(value, (uint64_t)10, &value) || __builtin_add_overflow(value, last, &value))
      return out_of_range(csv);
  }
  if (n->counted > 20) return out_of_range(csv);
  if (csv->options.dtype == TSR_U64) {
    if (n->negative && value > 0) return out_of_range(csv);
    memcpy(element, &value, sizeof value);
    return TSR_OK;
  }
  if (value > (uint64_t)INT64_MAX + (n->negative ? 1 : 0)) return out_of_range(csv);
  const int64_t whole = n->negative ? (int64_t)(0 - value) : (int64_t)value;
  const tsr_status st = tsr__scalar_from_i64(csv->ctx, csv->op, NULL, csv->options.dtype, whole, element);
  return st == TSR_ERANGE ? out_of_range(csv) : st;
}

/* ---- any ---- */

static tsr_status missing_element(const tsr__csv *csv, bool is_float, void *element) {
  static const number nothing = {.kind = NOT_A_NUMBER};
  if (csv->options.whole || !is_float) return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "a missing field");
  return float_element(csv, &nothing, element);
}

tsr_status tsr__csv_element(tsr__csv *csv, void *element) {
  const bool is_float = tsr_dtype_describe(csv->options.dtype)->class_ == TSR_CLASS_FLOAT;
  size_t length = csv->length;
  const char *text = trim(csv->field, &length);
  char shown[TSR__SHOWN];
  number n;
  if (is_missing(text, length)) return missing_element(csv, is_float, element);
  if (parse(text, length, &n)) return is_float ? float_element(csv, &n, element) : integer_element(csv, &n, element);
  tsr__show_text(csv->field, shown);
  /* Where a comma is the decimal point, tables have semicolons. */
  if (strpbrk(csv->field, ";|") != NULL || (tsr__csv_looks_like_data(text, length) && strchr(text, ' ') != NULL))
    return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "'%s' is no number; fields end at '%c'", shown,
                           (int)csv->options.separator);
  return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "'%s' is no number", shown);
}

#endif
