/* Names and other strings of files. */
#include "io/bytes/text.h"

#include <string.h>

void tsr__show_text(const char *text, char shown[TSR__SHOWN]) {
  size_t i = 0;
  for (; text[i] != '\0' && i + 4 < TSR__SHOWN; i++) shown[i] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '?';
  shown[i] = '\0';
  if (text[i] != '\0') memcpy(shown + i, "...", 4);
}

size_t tsr__utf8(const uint8_t *p, size_t n) {
  const uint8_t c = p[0];
  const size_t length = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
  if (length == 0 || length > n) return 0;
  for (size_t i = 1; i < length; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] >= 0xa0) || (c == 0xf0 && p[1] < 0x90) ||
      (c == 0xf4 && p[1] >= 0x90))
    return 0;
  return length;
}
