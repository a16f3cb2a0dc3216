/* The header of a .npy file: a Python dictionary literal, and only what NumPy writes into it. No expression is
 * evaluated, nothing is allocated, every refusal names its byte. */
#include "io/bytes/swap.h"
#include "io/npy/npy.h"

#include <string.h>

/* A refusal at a byte. Macros, because the text must vanish where messages are configured off, and because formats are
 * joined at compile time. A failing source comes first: the parser only saw it as an early end. */
#define REFUSE(reader, at, code, text)                                                                         \
  ((reader)->status != TSR_OK ? (reader)->status                                                               \
                              : TSR__FAIL((reader)->ctx, code, (reader)->op, NULL, "%sheader: byte %z: " text, \
                                          (reader)->where, (size_t)(at)))
#define REFUSE_NAMED(reader, at, code, text, name)                                                             \
  ((reader)->status != TSR_OK ? (reader)->status                                                               \
                              : TSR__FAIL((reader)->ctx, code, (reader)->op, NULL, "%sheader: byte %z: " text, \
                                          (reader)->where, (size_t)(at), name))

enum { KEY_DESCR = 1, KEY_FORTRAN_ORDER = 2, KEY_SHAPE = 4, ALL_KEYS = 7 };

/* Room for the longest string that means something ("fortran_order"), and for enough of others to show them. */
enum { TEXT_BYTES = 32 };

/* ---- characters ---- */

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_space(int c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

static void skip_spaces(tsr__npy_reader *reader) {
  while (is_space(tsr__npy_peek(reader))) tsr__npy_skip(reader);
}

static bool accept(tsr__npy_reader *reader, char c) {
  if (tsr__npy_peek(reader) != c) return false;
  tsr__npy_skip(reader);
  return true;
}

/* Adds c to text of *length characters, or marks the text as cut. What is not printable ASCII shows as '?'. */
static void append(char text[TEXT_BYTES], size_t *length, int c) {
  if (*length + 4 < TEXT_BYTES) {
    text[(*length)++] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    text[*length] = 0;
  } else {
    memcpy(text + *length, "...", 4);
  }
}

/* ---- tokens ---- */

/* A string in single or double quotes, cut to TEXT_BYTES. Escapes have no use in these strings, so they are refused. */
static tsr_status parse_string(tsr__npy_reader *reader, char text[TEXT_BYTES]) {
  const size_t start = reader->offset;
  const int quote = tsr__npy_peek(reader);
  size_t length = 0;
  text[0] = 0;
  tsr__npy_skip(reader);
  for (;;) {
    const int c = tsr__npy_peek(reader);
    if (c == quote) break;
    if (c < 0 || c == '\n' || c == '\r') return REFUSE(reader, start, TSR_EFORMAT, "a string does not end");
    if (c == '\\') return REFUSE(reader, reader->offset, TSR_EFORMAT, "an escape in a string");
    append(text, &length, c);
    tsr__npy_skip(reader);
  }
  tsr__npy_skip(reader);
  return TSR_OK;
}

/* A name such as True; "" when there is none. */
static void parse_word(tsr__npy_reader *reader, char text[TEXT_BYTES]) {
  size_t length = 0;
  text[0] = 0;
  for (int c = tsr__npy_peek(reader); is_letter(c) || (length > 0 && is_digit(c)); c = tsr__npy_peek(reader)) {
    append(text, &length, c);
    tsr__npy_skip(reader);
  }
}

static bool is_quote(int c) { return c == '\'' || c == '"'; }

/* ---- descr ---- */

/* Whether NumPy has a kind of element with this letter. */
static bool is_kind(char kind) { return kind != 0 && strchr("?biufcmMOSaUV", kind) != NULL; }

/* What to call a kind that Tessera has no dtype for. */
static inline const char *kind_name(char kind) {
  switch (kind) {
    case 'O': return "object";
    case 'S':
    case 'a': return "byte string";
    case 'U': return "string";
    case 'M': return "datetime";
    case 'm': return "timedelta";
    case 'V': return "void";
    default: return "number";
  }
}

/* The dtype that the .npy type name (without its byte order) stands for, or TSR_NONE. V1 may be any f8. */
static int find_dtype(const char *npy, int void_dtype) {
  if (strcmp(npy, "V2") == 0) return TSR_BF16;
  const tsr_dtype_info *const asked = tsr_dtype_describe(void_dtype);
  if (strcmp(npy, "V1") == 0) return asked != NULL && strcmp(asked->npy, npy) == 0 ? void_dtype : TSR_NONE;
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    const tsr_dtype_info *info = tsr_dtype_describe(dtype);
    if (info != NULL && strcmp(info->npy, npy) == 0) return dtype;
  }
  return TSR_NONE;
}

/* '=' and '|' are the reader's own order, as in NumPy. Void elements carry no order there; those that hold bf16 come
 * from little-endian machines. */
static bool order_differs(char order, char kind) {
  if (order == '>') return TSR__LITTLE_HOST;
  if (order == '<' || (order == '|' && kind == 'V')) return !TSR__LITTLE_HOST;
  return false;
}

static tsr_status unknown_descr(tsr__npy_reader *reader, size_t at, const char *text) {
  if (!is_kind(text[1])) return REFUSE_NAMED(reader, at, TSR_EFORMAT, "'%s' is not a dtype", text);
  if (strcmp(text + 1, "V1") == 0)
    return REFUSE_NAMED(reader, at, TSR_EUNSUPPORTED, "'%s' could be either f8: options.void_dtype says which", text);
  return TSR__FAIL(reader->ctx, TSR_EUNSUPPORTED, reader->op, NULL, "%sheader: byte %z: %s dtype '%s' is not supported",
                   reader->where, at, kind_name(text[1]), text);
}

static tsr_status parse_descr(tsr__npy_reader *reader, int void_dtype, tsr__npy_header *header) {
  const size_t at = reader->offset;
  const int c = tsr__npy_peek(reader);
  char text[TEXT_BYTES];
  if (c == '[' || c == '(' || c == '{')
    return REFUSE(reader, at, TSR_EUNSUPPORTED, "structured dtypes are not supported");
  if (!is_quote(c)) return REFUSE(reader, at, TSR_EFORMAT, "'descr' must be a string");
  const tsr_status st = parse_string(reader, text);
  if (st != TSR_OK) return st;
  if (text[0] != '<' && text[0] != '>' && text[0] != '|' && text[0] != '=')
    return REFUSE_NAMED(reader, at, TSR_EFORMAT, "dtype '%s' has no byte order", text);
  header->dtype = find_dtype(text + 1, void_dtype);
  if (header->dtype == TSR_NONE) return unknown_descr(reader, at, text);
  header->swapped = tsr_dtype_size(header->dtype) > 1 && order_differs(text[0], text[1]);
  return TSR_OK;
}

/* ---- fortran_order ---- */

static tsr_status parse_fortran_order(tsr__npy_reader *reader, tsr__npy_header *header) {
  const size_t at = reader->offset;
  char text[TEXT_BYTES];
  parse_word(reader, text);
  header->fortran = strcmp(text, "True") == 0;
  if (!header->fortran && strcmp(text, "False") != 0)
    return REFUSE(reader, at, TSR_EFORMAT, "'fortran_order' must be True or False");
  return TSR_OK;
}

/* ---- shape ---- */

/* What stands where a digit should. */
static tsr_status refuse_dimension(tsr__npy_reader *reader, size_t at) {
  char text[TEXT_BYTES];
  if (tsr__npy_peek(reader) == '-') return REFUSE(reader, at, TSR_EFORMAT, "a dimension is negative");
  parse_word(reader, text);
  if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0)
    return REFUSE(reader, at, TSR_EFORMAT, "a dimension is a bool");
  return REFUSE(reader, at, TSR_EFORMAT, "a dimension must be a plain integer");
}

static tsr_status parse_dimension(tsr__npy_reader *reader, bool long_suffix, tsr_index *dimension) {
  const size_t at = reader->offset;
  tsr_index value = 0;
  int c = tsr__npy_peek(reader);
  if (!is_digit(c)) return refuse_dimension(reader, at);
  const bool zero_first = c == '0';
  for (; is_digit(c); c = tsr__npy_peek(reader)) {
    if (!tsr__mul_index(value, 10, &value) || !tsr__add_index(value, c - '0', &value))
      return REFUSE(reader, at, TSR_EOVERFLOW, "a dimension does not fit its integer type");
    tsr__npy_skip(reader);
    if (zero_first && is_digit(tsr__npy_peek(reader)))
      return REFUSE(reader, at, TSR_EFORMAT, "a dimension begins with 0");
  }
  if (c == 'L' && long_suffix) tsr__npy_skip(reader);
  c = tsr__npy_peek(reader);
  if (is_letter(c) || is_digit(c) || c == '.')
    return REFUSE(reader, at, TSR_EFORMAT, "a dimension must be a plain integer");
  *dimension = value;
  return TSR_OK;
}

static tsr_status parse_shape(tsr__npy_reader *reader, bool long_suffix, tsr__npy_header *header) {
  const size_t at = reader->offset;
  bool comma = false;
  if (!accept(reader, '(')) return REFUSE(reader, at, TSR_EFORMAT, "'shape' must be a tuple");
  skip_spaces(reader);
  header->ndim = 0;
  while (tsr__npy_peek(reader) != ')') {
    if (header->ndim == TSR_MAX_DIMS)
      return REFUSE_NAMED(reader, reader->offset, TSR_EUNSUPPORTED, "more than %d dimensions", TSR_MAX_DIMS);
    const tsr_status st = parse_dimension(reader, long_suffix, &header->shape[header->ndim]);
    if (st != TSR_OK) return st;
    header->ndim++;
    skip_spaces(reader);
    comma = accept(reader, ',');
    skip_spaces(reader);
    if (!comma) break;
  }
  if (!accept(reader, ')')) return REFUSE(reader, reader->offset, TSR_EFORMAT, "expected ',' or ')'");
  if (header->ndim == 1 && !comma) return REFUSE(reader, at, TSR_EFORMAT, "a tuple of one needs a comma: (3,)");
  return TSR_OK;
}

/* ---- the dictionary ---- */

static int find_key(const char *text) {
  if (strcmp(text, "descr") == 0) return KEY_DESCR;
  if (strcmp(text, "fortran_order") == 0) return KEY_FORTRAN_ORDER;
  return strcmp(text, "shape") == 0 ? KEY_SHAPE : 0;
}

static tsr_status parse_key(tsr__npy_reader *reader, int seen, int *key) {
  const size_t at = reader->offset;
  char text[TEXT_BYTES];
  if (!is_quote(tsr__npy_peek(reader))) return REFUSE(reader, at, TSR_EFORMAT, "expected a key in quotes");
  const tsr_status st = parse_string(reader, text);
  if (st != TSR_OK) return st;
  *key = find_key(text);
  if (*key == 0) return REFUSE_NAMED(reader, at, TSR_EFORMAT, "key '%s' is not one of a .npy header", text);
  if (seen & *key) return REFUSE_NAMED(reader, at, TSR_EFORMAT, "key '%s' appears twice", text);
  skip_spaces(reader);
  if (!accept(reader, ':')) return REFUSE(reader, reader->offset, TSR_EFORMAT, "expected ':' after a key");
  skip_spaces(reader);
  return TSR_OK;
}

static tsr_status parse_value(tsr__npy_reader *reader, int key, bool long_suffix, int void_dtype,
                              tsr__npy_header *header) {
  if (key == KEY_DESCR) return parse_descr(reader, void_dtype, header);
  if (key == KEY_SHAPE) return parse_shape(reader, long_suffix, header);
  return parse_fortran_order(reader, header);
}

static tsr_status check_all_seen(tsr__npy_reader *reader, size_t at, int seen) {
  if (seen == ALL_KEYS) return TSR_OK;
  const char *name = !(seen & KEY_DESCR) ? "descr" : !(seen & KEY_FORTRAN_ORDER) ? "fortran_order" : "shape";
  return REFUSE_NAMED(reader, at, TSR_EFORMAT, "key '%s' is missing", name);
}

static tsr_status parse_dictionary(tsr__npy_reader *reader, bool long_suffix, int void_dtype, tsr__npy_header *header) {
  int seen = 0;
  skip_spaces(reader);
  if (!accept(reader, '{')) return REFUSE(reader, reader->offset, TSR_EFORMAT, "expected a dictionary");
  skip_spaces(reader);
  while (tsr__npy_peek(reader) != '}') {
    int key = 0;
    tsr_status st = parse_key(reader, seen, &key);
    if (st == TSR_OK) st = parse_value(reader, key, long_suffix, void_dtype, header);
    if (st != TSR_OK) return st;
    seen |= key;
    skip_spaces(reader);
    if (!accept(reader, ',')) break;
    skip_spaces(reader);
  }
  const size_t end = reader->offset;
  if (!accept(reader, '}')) return REFUSE(reader, end, TSR_EFORMAT, "expected ',' or '}'");
  skip_spaces(reader);
  if (tsr__npy_peek(reader) >= 0) return REFUSE(reader, reader->offset, TSR_EFORMAT, "text after the dictionary");
  if (reader->status != TSR_OK) return reader->status;
  return check_all_seen(reader, end, seen);
}

/* The bytes of all elements. A dimension of 0 does not excuse the others: strides are made from them too. */
static tsr_status count_bytes(tsr__npy_reader *reader, tsr__npy_header *header) {
  tsr_index count = 1;
  size_t bytes = 0;
  bool fits = true, none = false;
  for (int i = 0; i < header->ndim; i++) {
    if (header->shape[i] == 0)
      none = true;
    else
      fits = fits && tsr__mul_index(count, header->shape[i], &count);
  }
  fits = fits && (uint64_t)count <= (uint64_t)PTRDIFF_MAX;
  if (!fits || !tsr__mul_size((size_t)count, tsr_dtype_size(header->dtype), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(reader->ctx, TSR_EOVERFLOW, reader->op, NULL,
                     "%sheader: the bytes of %y %S do not fit their integer type", reader->where, header->dtype,
                     header->ndim, header->shape);
  header->bytes = none ? 0 : bytes;
  return TSR_OK;
}

tsr_status tsr__npy_parse_header(tsr__npy_reader *reader, bool long_suffix, int void_dtype, tsr__npy_header *header) {
  const tsr_status st = parse_dictionary(reader, long_suffix, void_dtype, header);
  return st == TSR_OK ? count_bytes(reader, header) : st;
}
