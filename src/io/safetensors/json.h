/* The JSON of a safetensors header, pulled token by token from memory: objects, strings, whole numbers, arrays of them.
 * Nothing is allocated, nothing is recursive, every refusal names its byte. */
#ifndef TSR_IO_SAFETENSORS_JSON_H
#define TSR_IO_SAFETENSORS_JSON_H

#include "core/check.h"
#include "io/bytes/text.h"

typedef struct tsr__json {
  tsr_ctx *ctx;
  const char *op;
  const char *where; /* begins every message: "" or "x.safetensors: " */
  const uint8_t *text;
  size_t n;
  size_t at;   /* the next byte of the text */
  size_t base; /* where the text begins in its file */
} tsr__json;

/* A refusal at byte number position of the text. A macro, because the text must vanish where messages are configured
 * off, and because formats are joined at compile time. */
#define TSR__JSON_REFUSE(json, position, code, ...) TSR__JSON_REFUSE_(json, position, code, __VA_ARGS__, 0)
#define TSR__JSON_REFUSE_(json, position, code, text, ...)                                  \
  TSR__FAIL((json)->ctx, code, (json)->op, NULL, "%sheader: byte %z: " text, (json)->where, \
            (json)->base + (size_t)(position), __VA_ARGS__)

void tsr__json_spaces(tsr__json *json);         /* goes past white space */
bool tsr__json_accept(tsr__json *json, char c); /* goes past spaces, and past c when it is next */
tsr_status tsr__json_expect(tsr__json *json, char c);

/* A string with its escapes resolved: UTF-8, without a zero inside. Writes up to capacity - 1 bytes and a closing zero
 * (none with capacity 0); *length is that of the whole. */
tsr_status tsr__json_string(tsr__json *json, char *to, size_t capacity, size_t *length);

/* A whole number that is not negative and fits. */
tsr_status tsr__json_u64(tsr__json *json, uint64_t *value);

/* Whether a member follows: after '{' (first) or after a member (then past its comma). False at the '}', which is
 * taken. */
tsr_status tsr__json_member(tsr__json *json, bool first, bool *more);

/* The same for the elements of an array. */
tsr_status tsr__json_element(tsr__json *json, bool first, bool *more);

#endif
