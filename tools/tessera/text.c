#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The code point at text and its bytes; 0 bytes when they are no UTF-8. */
static uint32_t decode(const unsigned char *text, int *bytes) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char first = text[0];
  const int n = first < 0x80                    ? 1
                : first >= 0xc2 && first < 0xe0 ? 2
                : (first & 0xf0) == 0xe0        ? 3
                : first >= 0xf0 && first < 0xf5 ? 4
                                                : 0;
  *bytes = 0;
  if (n == 0) return 0;
  uint32_t point = n == 1 ? first : first & (0x7fu >> n);
  for (int i = 1; i < n; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    point = point << 6 | (text[i] & 0x3fu);
  }
  if (point < least[n] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return 0;
  *bytes = n;
  return point;
}

/* What must not reach a terminal as it is: controls, and marks that reorder or hide what is around them. */
static bool is_unsafe(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0xad || point == 0x61c || point == 0xfeff ||
         (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2060 && point <= 0x206f) || point >= 0xe0000;
}

uint32_t text_decode(const char *text, int *bytes, bool *unsafe) {
  const uint32_t point = decode((const unsigned char *)text, bytes);
  *unsafe = *bytes == 0 || is_unsafe(point);
  return point;
}

/* One piece of escaped text from *text on, which moves behind it. Returns its places; piece has room for 16. */
static size_t next_piece(const char **text, text_kind kind, char *piece) {
  const unsigned char *at = (const unsigned char *)*text;
  int bytes;
  const uint32_t point = decode(at, &bytes);
  *text += bytes > 0 ? bytes : 1;
  if (bytes == 0) return (size_t)snprintf(piece, 16, "\\x%02x", at[0]);
  if (point == '\\' && kind == TEXT_NAME) return (size_t)snprintf(piece, 16, "\\\\");
  if (point == '\n' || point == '\t') return (size_t)snprintf(piece, 16, point == '\n' ? "\\n" : "\\t");
  if (is_unsafe(point))
    return (size_t)snprintf(piece, 16, point < 0x100 ? "\\x%02x" : "\\u%04" PRIx32, (unsigned)point);
  memcpy(piece, at, (size_t)bytes);
  piece[bytes] = '\0';
  return 1;
}

/* The length of a text that needs no escape and has one place a byte; SIZE_MAX for any other. Most are such. */
static size_t plain_length(const char *text, text_kind kind) {
  size_t n = 0;
  for (; text[n] != '\0'; n++)
    if ((unsigned char)text[n] < 0x20 || (unsigned char)text[n] >= 0x7f || (text[n] == '\\' && kind == TEXT_NAME))
      return SIZE_MAX;
  return n;
}

size_t text_write(FILE *stream, const char *text, text_kind kind) {
  const size_t length = plain_length(text, kind);
  size_t width = 0;
  if (length != SIZE_MAX) return (void)fputs(text, stream), length;
  while (*text != '\0') {
    char piece[16];
    width += next_piece(&text, kind, piece);
    (void)fputs(piece, stream);
  }
  return width;
}

size_t text_escape(const char *text, text_kind kind, char *out, size_t capacity) {
  size_t width = 0, used = 0;
  while (*text != '\0') {
    char piece[16];
    const size_t places = next_piece(&text, kind, piece), length = strlen(piece);
    if (used + length + 1 > capacity) break;
    memcpy(out + used, piece, length);
    used += length;
    width += places;
  }
  if (capacity > 0) out[used] = '\0';
  return width;
}

size_t text_width(const char *text, text_kind kind) {
  const size_t length = plain_length(text, kind);
  size_t width = 0;
  char piece[16];
  if (length != SIZE_MAX) return length;
  while (*text != '\0') width += next_piece(&text, kind, piece);
  return width;
}

/* ---- numbers ---- */

const char *text_bytes(uint64_t bytes, char *out) {
  static const char units[][3] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  double value = (double)bytes;
  int unit = 0;
  for (; value >= 999.95 && unit < 6; unit++) value /= 1000;
  (void)snprintf(out, 32, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return out;
}

const char *text_count(int64_t count, char *out) {
  char digits[24];
  const int n = snprintf(digits, sizeof digits, "%" PRId64, count);
  int at = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0 && digits[i - 1] != '-' && (n - i) % 3 == 0) out[at++] = ',';
    out[at++] = digits[i];
  }
  out[at] = '\0';
  return out;
}

const char *text_real(double value, char *out) {
  (void)snprintf(out, 32, isnan(value) ? "nan" : "%.6g", value);
  return out;
}

const char *text_shape(int ndim, const tsr_index *shape, char *out) {
  int at = snprintf(out, TEXT_SHAPE, "[");
  for (int i = 0; i < ndim && at < TEXT_SHAPE - 24; i++)
    at += snprintf(out + at, TEXT_SHAPE - (size_t)at, i > 0 ? ",%" PRId64 : "%" PRId64, (int64_t)shape[i]);
  (void)snprintf(out + at, TEXT_SHAPE - (size_t)at, "]");
  return out;
}
