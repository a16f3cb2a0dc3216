/* Reads what tsr_carray_write wrote, as far as a compiler would look at it: comments that end, braces that close, names
 * that are names, each once, and the numbers of every array. */
#ifndef TSR_FUZZ_C_TEXT_H
#define TSR_FUZZ_C_TEXT_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <tessera/tensor.h>

#include "promise.h"

typedef struct c_text {
  const char *at, *end;
  char token[160];
} c_text;

/* Past spaces and comments: no newline that a backslash takes away, nothing but printable ASCII. */
static inline void c_skip(c_text *c) {
  while (c->at < c->end) {
    if (*c->at == ' ' || *c->at == '\n') {
      c->at++;
    } else if (c->end - c->at >= 2 && c->at[0] == '/' && c->at[1] == '*') {
      for (c->at += 2; c->end - c->at >= 2 && (c->at[0] != '*' || c->at[1] != '/'); c->at++)
        must(*c->at >= ' ' && *c->at < 127 && *c->at != '?' && (c->at[0] != '/' || c->at[1] != '*'));
      must(c->end - c->at >= 2);
      c->at += 2;
    } else {
      return;
    }
  }
}

/* A name, a number, or one character; "" at the end. */
static inline const char *c_next(c_text *c) {
  size_t n = 0;
  c_skip(c);
  while (c->at < c->end && (isalnum((unsigned char)*c->at) || strchr("_.+-", *c->at) != NULL) &&
         n + 1 < sizeof c->token)
    c->token[n++] = *c->at++;
  if (n == 0 && c->at < c->end) c->token[n++] = *c->at++;
  c->token[n] = '\0';
  return c->token;
}

static inline void c_want(c_text *c, const char *token) { must(strcmp(c_next(c), token) == 0); }

static inline bool c_is_word(const char *name) {
  static const char words[] =
      " auto break case char const continue default do double else enum extern float for goto if inline int long "
      "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
      "alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t class compl const_cast constexpr "
      "decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr "
      "operator or or_eq private protected public reinterpret_cast static_assert static_cast template this "
      "thread_local throw true try typeid typename using virtual wchar_t xor xor_eq NULL size_t uint8_t int64_t ";
  char padded[164];
  (void)snprintf(padded, sizeof padded, " %s ", name);
  return strstr(words, padded) != NULL;
}

/* A name that a constant can have. */
static inline void c_name(c_text *c, char *to, size_t room) {
  const char *name = c_next(c);
  must(isalpha((unsigned char)name[0]) || name[0] == '_');
  for (const char *p = name; *p != '\0'; p++) must(isalnum((unsigned char)*p) || *p == '_');
  must(!c_is_word(name) && strncmp(name, "tsr_", 4) != 0 && strncmp(name, "TSR_", 4) != 0);
  must(name[0] != '_' || (name[1] != '_' && name[1] != '\0' && !isupper((unsigned char)name[1])));
  (void)snprintf(to, room, "%s", name);
}

/* The bits of one number, as an array of that type would hold them. */
static inline uint64_t c_number(const char *type, const char *token) {
  char *end = NULL;
  uint64_t bits = 0;
  if (strcmp(token, "0") == 0) return 0; /* what stands in an array without elements, too */
  if (strcmp(token, "INT32_MIN") == 0) return (uint64_t)INT32_MIN;
  if (strcmp(token, "INT64_MIN") == 0) return (uint64_t)INT64_MIN;
  if (strcmp(type, "float") == 0) {
    const float value = strtof(token, &end);
    memcpy(&bits, &value, sizeof value);
    must(*end == 'f' && end[1] == '\0');
  } else if (strcmp(type, "double") == 0) {
    const double value = strtod(token, &end);
    memcpy(&bits, &value, sizeof value);
    must(*end == '\0' && strpbrk(token, ".e") != NULL);
  } else {
    bits = type[0] == 'u' ? strtoull(token, &end, 0) : (uint64_t)strtoll(token, &end, 0);
    must(*end == '\0' || (strcmp(end, "u") == 0 && type[0] == 'u'));
  }
  return bits;
}

static inline size_t c_unit(const char *type) {
  if (strcmp(type, "float") == 0) return 4;
  if (strcmp(type, "double") == 0) return 8;
  return strstr(type, "8_t") != NULL ? 1 : strstr(type, "16_t") != NULL ? 2 : strstr(type, "32_t") != NULL ? 4 : 8;
}

/* One array and its tensor: its numbers are those n bytes. names[0] and names[1] are what they are called. */
static inline void c_tensor(c_text *c, const uint8_t *elements, size_t n, char names[2][160]) {
  char type[160];
  c_want(c, "TSR_CONSTANT"), c_want(c, "("), (void)c_next(c), c_want(c, ")");
  (void)snprintf(type, sizeof type, "%s", c_next(c));
  c_name(c, names[1], 160);
  c_want(c, "["), (void)c_next(c), c_want(c, "]"), c_want(c, "="), c_want(c, "{");
  const size_t unit = c_unit(type);
  for (size_t i = 0; i < n || i == 0; i += unit) {
    const uint64_t bits = c_number(type, c_next(c));
    must(n == 0 ? bits == 0 : memcmp(&bits, elements + i, unit) == 0);
    c_want(c, i + unit < n ? "," : "}");
  }
  c_want(c, ";"), c_want(c, "static"), c_want(c, "const"), c_want(c, "tsr_tensor");
  c_name(c, names[0], 160);
  int depth = 0;
  do {
    const char *token = c_next(c);
    must(token[0] != '\0');
    depth += token[0] == '{' ? 1 : token[0] == '}' ? -1 : 0;
  } while (depth > 0 || c->token[0] != ';');
}

#endif
