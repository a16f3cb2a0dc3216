/* Fields of a row, one after the other. */
#include "io/csv/csv.h"
#include "io/csv/words.h"

#if TSR_HAVE_STDIO

#include <string.h>

bool tsr__csv_can_separate(char c) {
  return c > 0 && c < 0x7f && strchr("\"\r\n.+-#", c) == NULL && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
         !(c >= 'A' && c <= 'Z');
}

void tsr__csv_set_ends(tsr__csv_rules *rules) {
  memset(rules->ends, 0, sizeof rules->ends);
  rules->blanks = rules->separator == ' ';
  rules->ends[(uint8_t)rules->separator] = TSR__CSV_SEPARATOR;
  if (rules->blanks) rules->ends['\t'] = TSR__CSV_SEPARATOR;
  rules->ends['\n'] = rules->ends['\r'] = TSR__CSV_EOL;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

tsr__csv_field tsr__csv_trim(const tsr__csv_field *field) {
  tsr__csv_field trimmed = *field;
  while (trimmed.length > 0 && is_blank(*trimmed.at)) trimmed.at++, trimmed.length--;
  while (trimmed.length > 0 && is_blank(trimmed.at[trimmed.length - 1])) trimmed.length--;
  return trimmed;
}

size_t tsr__csv_unquote(const tsr__csv_field *field, char *to) {
  size_t n = 0;
  if (!field->doubled) {
    if (field->length > 0) memcpy(to, field->at, field->length);
    return field->length;
  }
  for (size_t i = 0; i < field->length;) { /* up to a quote, and without the second of two */
    const char *const quote = memchr(field->at + i, '"', field->length - i);
    const size_t some = quote != NULL ? (size_t)(quote - field->at) + 1 - i : field->length - i;
    memcpy(to + n, field->at + i, some);
    n += some;
    i += some + (quote != NULL);
  }
  return n;
}

/* The next quote; limit or past it where there is none. */
static const char *find_quote(const char *p, const char *limit) {
  for (; p < limit; p += 8) {
    const uint64_t found = tsr__word_zeros(tsr__word_load(p) ^ TSR__EACH('"'));
    if (found != 0) return p + tsr__word_first(found);
  }
  return p;
}

/* Behind the first quote: up to the last one, which is taken. Two quotes are one. */
static tsr__csv_wrong lex_quoted(const tsr__csv_rules *rules, const char **at, const char *limit,
                                 tsr__csv_field *field) {
  const char *p = *at + 1;
  field->at = p;
  field->quoted = true;
  for (;;) {
    const char *const quote = find_quote(p, limit);
    if (quote >= limit) {
      field->length = (size_t)(limit - field->at);
      return field->length > rules->max_field ? TSR__CSV_TOO_LONG : TSR__CSV_OPEN_QUOTE;
    }
    p = quote + 1;
    if (*p != '"' || p >= limit) break;
    field->doubled = true;
    p++;
  }
  field->length = (size_t)(p - 1 - field->at);
  while (!rules->blanks && *p == ' ') p++; /* limit[-1] is an eol */
  *at = p;
  if (rules->ends[(uint8_t)*p] == 0) return TSR__CSV_AFTER_QUOTE;
  return field->length > rules->max_field ? TSR__CSV_TOO_LONG : TSR__CSV_FINE;
}

tsr__csv_wrong tsr__csv_lex(const tsr__csv_rules *rules, const char **at, const char *limit, tsr__csv_field *field) {
  const char *p = *at, *quote = p;
  *field = (tsr__csv_field){.at = p};
  while (*quote == ' ' && !rules->blanks) quote++;
  if (*quote == '"') return *at = quote, lex_quoted(rules, at, limit, field);
  while (rules->ends[(uint8_t)*p] == 0) p++;
  field->length = (size_t)(p - field->at);
  *at = p;
  return field->length > rules->max_field ? TSR__CSV_TOO_LONG : TSR__CSV_FINE;
}

bool tsr__csv_step(const tsr__csv_rules *rules, const char **at) {
  const char *p = *at;
  if (rules->blanks) {
    while (is_blank(*p)) p++;
    *at = p;
    return rules->ends[(uint8_t)*p] != TSR__CSV_EOL;
  }
  if (rules->ends[(uint8_t)*p] == TSR__CSV_EOL) return false;
  *at = p + 1;
  return true;
}

const char *tsr__csv_row_start(const tsr__csv_rules *rules, const char *at, const char *limit) {
  while (at < limit) {
    if (rules->ends[(uint8_t)*at] == TSR__CSV_EOL || *at == ' ' || (rules->blanks && *at == '\t')) {
      at++; /* a blank line, or what stands before the first field */
    } else if (rules->comment != 0 && *at == rules->comment) {
      while (rules->ends[(uint8_t)*at] != TSR__CSV_EOL) at++;
    } else {
      break;
    }
  }
  return at;
}

#endif
