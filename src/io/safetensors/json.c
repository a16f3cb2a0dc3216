/* The JSON of a safetensors header. */
#include "io/safetensors/json.h"
#include "io/bytes/text.h"

#include <string.h>

/* ---- characters ---- */

static int peek(const tsr__json *json) { return json->at < json->n ? json->text[json->at] : -1; }

static bool is_space(int c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

void tsr__json_spaces(tsr__json *json) {
  while (is_space(peek(json))) json->at++;
}

bool tsr__json_accept(tsr__json *json, char c) {
  tsr__json_spaces(json);
  if (peek(json) != c) return false;
  json->at++;
  return true;
}

tsr_status tsr__json_expect(tsr__json *json, char c) {
  if (tsr__json_accept(json, c)) return TSR_OK;
  if (json->at == json->n) return TSR__JSON_REFUSE(json, json->at, TSR_EFORMAT, "the header ends, expected '%c'", c);
  return TSR__JSON_REFUSE(json, json->at, TSR_EFORMAT, "expected '%c'", c);
}

/* ---- strings ---- */

/* Where the characters of a string go. */
typedef struct output {
  char *to;
  size_t capacity;
  size_t length;
} output;

static void put(output *out, uint32_t byte) {
  if (out->length + 1 < out->capacity) out->to[out->length] = (char)(uint8_t)byte;
  out->length++;
}

/* Characters that stand for themselves, one byte each: nearly all that names have. */
static void put_plain(tsr__json *json, output *out) {
  const uint8_t *const first = json->text + json->at;
  const size_t left = json->n - json->at, room = out->length < out->capacity ? out->capacity - out->length : 0;
  size_t n = 0;
  while (n < left && first[n] >= 0x20 && first[n] < 0x80 && first[n] != '"' && first[n] != '\\') n++;
  if (room > 1) memcpy(out->to + out->length, first, n < room - 1 ? n : room - 1);
  out->length += n;
  json->at += n;
}

static void put_code_point(output *out, uint32_t code) {
  if (code < 0x80) {
    put(out, code);
  } else if (code < 0x800) {
    put(out, 0xc0 | code >> 6);
    put(out, 0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(out, 0xe0 | code >> 12);
    put(out, 0x80 | (code >> 6 & 0x3f));
    put(out, 0x80 | (code & 0x3f));
  } else {
    put(out, 0xf0 | code >> 18);
    put(out, 0x80 | (code >> 12 & 0x3f));
    put(out, 0x80 | (code >> 6 & 0x3f));
    put(out, 0x80 | (code & 0x3f));
  }
}

/* The four digits after \u; false when they are not there. */
static bool hex4(tsr__json *json, uint32_t *unit) {
  *unit = 0;
  for (int i = 0; i < 4; i++, json->at++) {
    const int c = peek(json);
    if (c >= '0' && c <= '9')
      *unit = *unit << 4 | (uint32_t)(c - '0');
    else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
      *unit = *unit << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
    else
      return false;
  }
  return true;
}

/* After "\u": a code point, of two units where the first is half of a pair. */
static tsr_status unicode_escape(tsr__json *json, size_t start, output *out) {
  uint32_t unit, low;
  if (!hex4(json, &unit)) return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "\\u needs four hexadecimal digits");
  if (unit == 0) return TSR__JSON_REFUSE(json, start, TSR_EUNSUPPORTED, "a string holds a zero");
  if (unit >= 0xd800 && unit < 0xe000) {
    const bool pair = unit < 0xdc00 && json->n - json->at >= 2 && memcmp(json->text + json->at, "\\u", 2) == 0;
    if (pair) json->at += 2;
    if (!pair || !hex4(json, &low) || low < 0xdc00 || low >= 0xe000)
      return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "half of a surrogate pair");
    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }
  put_code_point(out, unit);
  return TSR_OK;
}

static tsr_status escape(tsr__json *json, output *out) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const size_t start = json->at++;
  const int c = peek(json);
  const char *letter = c > 0 ? strchr(letters, c) : NULL;
  if (c >= 0) json->at++;
  if (c == 'u') return unicode_escape(json, start, out);
  if (letter == NULL) return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "an unknown escape in a string");
  put(out, (uint8_t)meanings[letter - letters]);
  return TSR_OK;
}

static tsr_status character(tsr__json *json, output *out) {
  const size_t length = tsr__utf8(json->text + json->at, json->n - json->at);
  if (length == 0) return TSR__JSON_REFUSE(json, json->at, TSR_EFORMAT, "not UTF-8");
  for (size_t i = 0; i < length; i++) put(out, json->text[json->at++]);
  return TSR_OK;
}

tsr_status tsr__json_string(tsr__json *json, char *to, size_t capacity, size_t *length) {
  output out = {.to = to, .capacity = capacity};
  tsr__json_spaces(json);
  const size_t start = json->at;
  if (peek(json) != '"') return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "expected a string");
  json->at++;
  for (put_plain(json, &out); peek(json) != '"'; put_plain(json, &out)) {
    const int c = peek(json);
    if (c < 0) return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "a string does not end");
    if (c < 0x20) return TSR__JSON_REFUSE(json, json->at, TSR_EFORMAT, "a control character in a string");
    const tsr_status st = c == '\\' ? escape(json, &out) : character(json, &out);
    if (st != TSR_OK) return st;
  }
  json->at++;
  *length = out.length;
  if (capacity > 0) to[out.length < capacity ? out.length : capacity - 1] = '\0';
  return TSR_OK;
}

/* ---- numbers ---- */

static bool is_digit(int c) { return c >= '0' && c <= '9'; }

tsr_status tsr__json_u64(tsr__json *json, uint64_t *value) {
  tsr__json_spaces(json);
  const size_t start = json->at;
  uint64_t sum = 0;
  if (peek(json) == '-') return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "a negative number");
  if (!is_digit(peek(json))) return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "expected a whole number");
  for (; is_digit(peek(json)); json->at++) {
    const uint64_t digit = (uint64_t)(peek(json) - '0');
    if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) || __builtin_add_overflow(sum, digit, &sum))
      return TSR__JSON_REFUSE(json, start, TSR_EOVERFLOW, "a number does not fit 64 bits");
  }
  if (json->text[start] == '0' && json->at - start > 1)
    return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "a number begins with 0");
  if (peek(json) == '.' || (peek(json) | 0x20) == 'e')
    return TSR__JSON_REFUSE(json, start, TSR_EFORMAT, "not a whole number");
  *value = sum;
  return TSR_OK;
}

/* ---- what is in brackets ---- */

static tsr_status next_in(tsr__json *json, bool first, char close, bool *more) {
  *more = !tsr__json_accept(json, close);
  if (!*more || first) return TSR_OK;
  if (tsr__json_accept(json, ',')) {
    tsr__json_spaces(json);
    if (peek(json) != close) return TSR_OK;
    return TSR__JSON_REFUSE(json, json->at, TSR_EFORMAT, "'%c' after a comma", close);
  }
  if (json->at == json->n)
    return TSR__JSON_REFUSE(json, json->at, TSR_EFORMAT, "the header ends, expected ',' or '%c'", close);
  return TSR__JSON_REFUSE(json, json->at, TSR_EFORMAT, "expected ',' or '%c'", close);
}

tsr_status tsr__json_member(tsr__json *json, bool first, bool *more) { return next_in(json, first, '}', more); }
tsr_status tsr__json_element(tsr__json *json, bool first, bool *more) { return next_in(json, first, ']', more); }
