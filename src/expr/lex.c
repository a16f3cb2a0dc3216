/* Tokens. */
#include "core/text.h"
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

#if TSR_HAVE_OPS

const tsr__expr_operator_row tsr__expr_operators[TSR__OPERATORS] = {
    [TSR__OR] = {"or", 2, false, "logical_or"},
    [TSR__AND] = {"and", 3, false, "logical_and"},
    [TSR__NOT] = {"not", 4, true, "logical_not"},
    [TSR__EQ] = {"==", TSR__COMPARING, false, "eq"},
    [TSR__NE] = {"!=", TSR__COMPARING, false, "ne"},
    [TSR__LT] = {"<", TSR__COMPARING, false, "lt"},
    [TSR__LE] = {"<=", TSR__COMPARING, false, "le"},
    [TSR__GT] = {">", TSR__COMPARING, false, "gt"},
    [TSR__GE] = {">=", TSR__COMPARING, false, "ge"},
    [TSR__BIT_OR] = {"|", 6, false, "bitwise_or"},
    [TSR__BIT_XOR] = {"^", 7, false, "bitwise_xor"},
    [TSR__BIT_AND] = {"&", 8, false, "bitwise_and"},
    [TSR__SHIFT_LEFT] = {"<<", 9, false, "shift_left"},
    [TSR__SHIFT_RIGHT] = {">>", 9, false, "shift_right"},
    [TSR__ADD] = {"+", 10, false, "add"},
    [TSR__SUB] = {"-", 10, false, "sub"},
    [TSR__MUL] = {"*", 11, false, "mul"},
    [TSR__DIV] = {"/", 11, false, "div"},
    [TSR__FLOOR_DIVIDE] = {"//", 11, false, "floor_divide"},
    [TSR__REMAINDER] = {"%", 11, false, "remainder"},
    [TSR__MATMUL] = {"@", 11, false, "matmul"},
    [TSR__NEGATE] = {"-", 12, true, "neg"},
    [TSR__PLUS] = {"+", 12, true, NULL},
    [TSR__BIT_NOT] = {"~", 12, true, "bitwise_not"},
    [TSR__POW] = {"**", 13, false, "pow"},
};

/* ---- characters ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_of_a_word(char c) { return is_letter(c) || is_digit(c); }

/* The byte at that place; 0 past the end. */
static char byte_at(const tsr__expr_source *s, size_t at) { return at < s->length ? s->text[at] : '\0'; }

bool tsr__expr_is(const tsr__expr_source *s, tsr__expr_span span, const char *word) {
  const size_t length = span.end - span.begin;
  return s->text[span.begin] == word[0] && strlen(word) == length && memcmp(s->text + span.begin, word, length) == 0;
}

void tsr__expr_word(const tsr__expr_source *s, tsr__expr_span span, char word[TSR__EXPR_WORD]) {
  size_t length = span.end - span.begin;
  if (length > TSR__EXPR_WORD - 1) length = TSR__EXPR_WORD - 1;
  memcpy(word, s->text + span.begin, length);
  word[length] = '\0';
}

/* Blanks, comments, a backslash before the end of a line, and inside of brackets the ends of lines. */
static size_t skip_blanks(const tsr__expr_source *s, size_t at, bool nested) {
  for (;;) {
    const char c = byte_at(s, at);
    if (c == '#')
      while (at < s->length && s->text[at] != '\n') at++;
    else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && nested))
      at++;
    else if (c == '\\' && byte_at(s, at + 1) == '\n')
      at += 2;
    else
      return at;
  }
}

/* ---- numbers ---- */

enum { DIGITS = 400 }; /* of one number: more than any double has that count */

/* Where the digits from at on end; _ may stand between two. */
static size_t digits_end(const tsr__expr_source *s, size_t at) {
  while (is_digit(byte_at(s, at)) || (byte_at(s, at) == '_' && is_digit(byte_at(s, at + 1)))) at++;
  return at;
}

static size_t exponent_end(const tsr__expr_source *s, size_t at) {
  const char c = byte_at(s, at), sign = byte_at(s, at + 1);
  if (c != 'e' && c != 'E') return at;
  const size_t digits = at + 1 + (sign == '+' || sign == '-');
  return is_digit(byte_at(s, digits)) ? digits_end(s, digits) : at;
}

/* Its digits without the point, which a locale may write otherwise, and its exponent, for strtod. */
static tsr_status read_real(const tsr__expr_source *s, size_t exponent_at, tsr__expr_token *token) {
  char digits[DIGITS + 32];
  size_t n = 0;
  int64_t behind = 0, exponent = 0;
  bool point = false;
  for (size_t i = token->span.begin; i < exponent_at; i++) {
    const char c = s->text[i];
    point = point || c == '.';
    if (!is_digit(c)) continue;
    if (n == DIGITS) return TSR__EXPR_FAIL(s, TSR_ELIMIT, token->span.begin, "a number of more than %d digits", DIGITS);
    digits[n++] = c;
    behind += point;
  }
  const bool negative = byte_at(s, exponent_at + 1) == '-';
  for (size_t i = exponent_at + 1; i < token->span.end; i++)
    if (is_digit(s->text[i]) && exponent < 100000) exponent = 10 * exponent + (s->text[i] - '0');
  tsr__text text;
  tsr__text_init(&text, digits + n, sizeof digits - n);
  tsr__text_format(&text, "e%l", (negative ? -exponent : exponent) - behind);
  token->real = strtod(digits, NULL);
  token->kind = TSR__TOKEN_REAL;
  return TSR_OK;
}

static int digit_of(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

static tsr_status read_int(const tsr__expr_source *s, size_t at, int base, tsr__expr_token *token) {
  int64_t value = 0;
  for (; at < token->span.end; at++) {
    if (s->text[at] == '_') continue;
    if (__builtin_mul_overflow(value, (int64_t)base, &value) ||
        __builtin_add_overflow(value, (int64_t)digit_of(s->text[at]), &value))
      return TSR__EXPR_FAIL(s, TSR_ERANGE, token->span.begin,
                            "a whole number that does not fit 64 bits; with a point (%s) it is "
                            "a double",
                            "1e19");
  }
  token->whole = value;
  token->kind = TSR__TOKEN_INT;
  return TSR_OK;
}

/* 0x1f, 0b101, 0o17: the base; 10 for any other number. */
static int base_of(const tsr__expr_source *s, size_t at) {
  const char c = byte_at(s, at) == '0' ? byte_at(s, at + 1) : '\0';
  return c == 'x' || c == 'X' ? 16 : c == 'b' || c == 'B' ? 2 : c == 'o' || c == 'O' ? 8 : 10;
}

static tsr_status read_based(const tsr__expr_source *s, size_t *at, int base, tsr__expr_token *token) {
  const size_t first = *at + 2;
  size_t end = first;
  while (digit_of(byte_at(s, end)) < base || (byte_at(s, end) == '_' && digit_of(byte_at(s, end + 1)) < base)) end++;
  if (end == first || is_of_a_word(byte_at(s, end)))
    return TSR__EXPR_FAIL(s, TSR_EFORMAT, end, "no digit of a number of base %d", base);
  token->span.end = (uint32_t)end;
  *at = end;
  return read_int(s, first, base, token);
}

/* 2j, 1.5e3j: end is where the j stands. */
static tsr_status read_imaginary(const tsr__expr_source *s, size_t *at, size_t exponent_at, size_t end,
                                 tsr__expr_token *token) {
  const tsr_status st = read_real(s, exponent_at, token);
  token->kind = TSR__TOKEN_IMAGINARY;
  token->span.end = (uint32_t)end + 1;
  *at = end + 1;
  return st;
}

static tsr_status read_number(const tsr__expr_source *s, size_t *at, tsr__expr_token *token) {
  const int base = base_of(s, *at);
  if (base != 10) return read_based(s, at, base, token);
  size_t end = digits_end(s, *at);
  const bool point = byte_at(s, end) == '.';
  if (point) end = digits_end(s, end + 1);
  const size_t exponent_at = end;
  end = exponent_end(s, end);
  token->span.end = (uint32_t)end;
  const char next = byte_at(s, end);
  if ((next == 'j' || next == 'J') && !is_of_a_word(byte_at(s, end + 1)))
    return read_imaginary(s, at, exponent_at, end, token);
  if (is_of_a_word(next)) return TSR__EXPR_FAIL(s, TSR_EFORMAT, end, "a letter right behind a number");
  *at = end;
  return point || end > exponent_at ? read_real(s, exponent_at, token) : read_int(s, token->span.begin, 10, token);
}

/* ---- words and signs ---- */

static void read_word(const tsr__expr_source *s, size_t *at, tsr__expr_token *token) {
  while (is_of_a_word(byte_at(s, *at))) ++*at;
  token->span.end = (uint32_t)*at;
  token->kind = TSR__TOKEN_NAME;
  if (tsr__expr_is(s, token->span, "if")) token->kind = TSR__TOKEN_IF;
  if (tsr__expr_is(s, token->span, "else")) token->kind = TSR__TOKEN_ELSE;
  for (int op = TSR__OR; op <= TSR__NOT; op++)
    if (tsr__expr_is(s, token->span, tsr__expr_operators[op].text)) {
      token->kind = TSR__TOKEN_OPERATOR;
      token->op = op;
    }
}

static tsr_status read_text(const tsr__expr_source *s, size_t *at, tsr__expr_token *token) {
  const char quote = s->text[*at];
  size_t end = *at + 1;
  while (end < s->length && s->text[end] != quote && s->text[end] != '\n') end++;
  if (byte_at(s, end) != quote) return TSR__EXPR_FAIL(s, TSR_EFORMAT, *at, "no closing %c", (int)quote);
  token->kind = TSR__TOKEN_TEXT;
  token->span = (tsr__expr_span){(uint32_t)*at + 1, (uint32_t)end};
  *at = end + 1;
  return TSR_OK;
}

/* The longest operator that stands there; 0 bytes: none. */
static size_t read_operator(const tsr__expr_source *s, size_t at, tsr__expr_token *token) {
  size_t longest = 0;
  for (int op = TSR__EQ; op < TSR__OPERATORS; op++) {
    const tsr__expr_operator_row *const row = &tsr__expr_operators[op];
    if (row->text[0] != s->text[at]) continue;
    const size_t length = strlen(row->text);
    if (length <= longest || length > s->length - at || memcmp(s->text + at, row->text, length) != 0) continue;
    longest = length;
    token->op = op;
    token->kind = TSR__TOKEN_OPERATOR;
  }
  return longest;
}

static size_t read_sign(const tsr__expr_source *s, size_t at, tsr__expr_token *token) {
  static const struct {
    char text[4];
    uint8_t kind;
  } signs[] = {{"...", TSR__TOKEN_ELLIPSIS},   {"(", TSR__TOKEN_OPEN},          {")", TSR__TOKEN_CLOSE},
               {"[", TSR__TOKEN_OPEN_BRACKET}, {"]", TSR__TOKEN_CLOSE_BRACKET}, {",", TSR__TOKEN_COMMA},
               {":", TSR__TOKEN_COLON},        {".", TSR__TOKEN_DOT},           {"=", TSR__TOKEN_ASSIGN},
               {";", TSR__TOKEN_LINE},         {"\n", TSR__TOKEN_LINE}};
  const size_t length = read_operator(s, at, token);
  if (length > 0) return length;
  for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
    if (signs[i].text[0] != s->text[at]) continue;
    const size_t n = strlen(signs[i].text);
    if (n > s->length - at || memcmp(s->text + at, signs[i].text, n) != 0) continue;
    token->kind = (tsr__expr_token_kind)signs[i].kind;
    return n;
  }
  return 0;
}

static tsr_status refuse_character(const tsr__expr_source *s, size_t at) {
  const char c = s->text[at];
  if (c > ' ' && c <= '~') return TSR__EXPR_FAIL(s, TSR_EFORMAT, at, "'%c' means nothing here", (int)c);
  return TSR__EXPR_FAIL(s, TSR_EFORMAT, at, "byte %d means nothing here", (int)(unsigned char)c);
}

tsr_status tsr__expr_next(const tsr__expr_source *s, size_t *at, bool nested, tsr__expr_token *token) {
  *at = skip_blanks(s, *at, nested);
  const char c = byte_at(s, *at);
  *token = (tsr__expr_token){.kind = TSR__TOKEN_END, .span = {(uint32_t)*at, (uint32_t)*at}};
  if (*at == s->length) return TSR_OK;
  if (is_digit(c) || (c == '.' && is_digit(byte_at(s, *at + 1)))) return read_number(s, at, token);
  if (c == '\'' || c == '"') return read_text(s, at, token);
  if (is_letter(c)) {
    read_word(s, at, token);
    return TSR_OK;
  }
  const size_t length = read_sign(s, *at, token);
  if (length == 0) return refuse_character(s, *at);
  *at += length;
  token->span.end = (uint32_t)*at;
  return TSR_OK;
}

#endif
