/* Values of GGUF's metadata as text. */
#include "io/gguf/gguf.h"

#if TSR_HAVE_STDIO

#include "io/bytes/swap.h"
#include "io/bytes/text.h"
#include "ops/print/element.h"

#include <string.h>

/* ---- strings ---- */

/* As they are. */
static tsr_status put_plain(tsr__gguf_file *file, uint64_t at, const uint8_t *text, size_t n, tsr__printer *out) {
  for (size_t i = 0, step; i < n; i += step) {
    step = text[i] != 0 ? tsr__utf8(text + i, n - i) : 0;
    if (step == 0) return TSR__GGUF_REFUSE(file, at, TSR_EFORMAT, "a string is not UTF-8, or holds a zero");
    for (size_t k = 0; k < step; k++) tsr__print_char(out, (char)text[i + k]);
  }
  return TSR_OK;
}

/* In quotes, what could end or hide them escaped: vocabularies hold pieces of characters, too. */
static void put_quoted(const uint8_t *text, size_t n, tsr__printer *out) {
  static const char hex[] = "0123456789abcdef";
  tsr__print_char(out, '"');
  for (size_t i = 0, step; i < n; i += step) {
    step = tsr__utf8(text + i, n - i);
    if (step == 0 || text[i] < ' ') {
      tsr__print_string(out, "\\x");
      tsr__print_char(out, hex[text[i] >> 4]);
      tsr__print_char(out, hex[text[i] & 15]);
      step = 1;
      continue;
    }
    if (text[i] == '"' || text[i] == '\\') tsr__print_char(out, '\\');
    for (size_t k = 0; k < step; k++) tsr__print_char(out, (char)text[i + k]);
  }
  tsr__print_char(out, '"');
}

static tsr_status put_string(tsr__gguf_file *file, bool quoted, tsr__printer *out) {
  const uint64_t at = file->at;
  const uint8_t *text;
  uint64_t length;
  tsr_status st = tsr__gguf_length(file, "a string", &length);
  if (st == TSR_OK) st = tsr__gguf_take(file, "a string", (size_t)length, &text);
  if (st == TSR_OK && quoted) put_quoted(text, (size_t)length, out);
  if (st == TSR_OK && !quoted) st = put_plain(file, at, text, (size_t)length, out);
  return st;
}

/* ---- numbers ---- */

static int dtype_of(uint32_t type) {
  static const uint8_t dtypes[] = {TSR_U8,   TSR_I8,   TSR_U16,  TSR_I16, TSR_U32, TSR_I32, TSR_F32,
                                   TSR_BOOL, TSR_NONE, TSR_NONE, TSR_U64, TSR_I64, TSR_F64};
  return dtypes[type];
}

static tsr_status put_number(tsr__gguf_file *file, uint32_t type, tsr__printer *out) {
  _Alignas(8) uint8_t element[8] = {0};
  const int dtype = dtype_of(type);
  const uint8_t *bytes;
  const tsr_status st = tsr__gguf_take(file, "a value", tsr__gguf_value_bytes(type), &bytes);
  if (st != TSR_OK) return st;
  memcpy(element, bytes, tsr__gguf_value_bytes(type));
  if (!TSR__LITTLE_HOST) tsr__swap_bytes(dtype, element, tsr_dtype_size(dtype));
  if (type == TSR__GGUF_BOOL)
    tsr__print_string(out, element[0] != 0 ? "true" : "false");
  else
    tsr__element_write_alone(dtype, element, out);
  return TSR_OK;
}

static tsr_status put_item(tsr__gguf_file *file, uint32_t type, bool quoted, tsr__printer *out) {
  return type == TSR__GGUF_STRING ? put_string(file, quoted, out) : put_number(file, type, out);
}

/* ---- arrays ---- */

static tsr_status put_array(tsr__gguf_file *file, tsr__printer *out) {
  const uint64_t most = (uint64_t)file->options.max_items;
  uint32_t type;
  uint64_t count;
  tsr_status st = tsr__gguf_u32(file, "an array", &type);
  if (st == TSR_OK) st = tsr__gguf_u64(file, "an array", &count);
  if (st != TSR_OK) return st;
  tsr__print_char(out, '[');
  for (uint64_t i = 0; st == TSR_OK && i < count && i < most; i++) {
    if (i > 0) tsr__print_string(out, ", ");
    st = put_item(file, type, true, out);
  }
  if (count > most) {
    tsr__print_string(out, ", ..., ");
    tsr__print_u64(out, count);
    tsr__print_string(out, " in all");
  }
  tsr__print_char(out, ']');
  return st;
}

/* The header was parsed: all of it is there, and its types are types. */
tsr_status tsr__gguf_value_text(tsr__gguf_file *file, const tsr__gguf_pair *pair, const tsr_sink *sink) {
  tsr__printer out;
  tsr__printer_init(&out, sink);
  file->at = pair->value;
  const tsr_status st = pair->type == TSR__GGUF_ARRAY ? put_array(file, &out) : put_item(file, pair->type, false, &out);
  const tsr_status sent = tsr__printer_finish(&out);
  return st != TSR_OK ? st : sent;
}

#endif
