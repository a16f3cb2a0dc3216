#include "keys.h"

#include <string.h>

#include "text.h"

enum { LONGEST = 16 }; /* bytes of a sequence that is waited for */

static int key_of_letter(unsigned char letter) {
  switch (letter) {
    case 'A': return KEY_UP;
    case 'B': return KEY_DOWN;
    case 'C': return KEY_RIGHT;
    case 'D': return KEY_LEFT;
    case 'H': return KEY_HOME;
    case 'F': return KEY_END;
    case 'Z': return KEY_BACK_TAB;
    default: return KEY_NONE;
  }
}

static int key_of_number(int number) {
  switch (number) {
    case 1:
    case 7: return KEY_HOME;
    case 4:
    case 8: return KEY_END;
    case 5: return KEY_PAGE_UP;
    case 6: return KEY_PAGE_DOWN;
    default: return KEY_NONE;
  }
}

/* ESC [ numbers letter, where a number may have others behind it: ESC [ 5 ; 2 ~. */
static int decode_sequence(const unsigned char *bytes, size_t n, size_t *used) {
  int number = 0;
  size_t at = 2;
  for (; at < n && at < LONGEST && bytes[at] >= 0x20 && bytes[at] < 0x40; at++)
    if (bytes[at] >= '0' && bytes[at] <= '9' && number < 1000 && memchr(bytes + 2, ';', at - 2) == NULL)
      number = 10 * number + bytes[at] - '0';
  if (at == n && at < LONGEST) return KEY_MORE;
  *used = at < n && bytes[at] >= 0x40 ? at + 1 : at;
  if (at >= n || bytes[at] < 0x40) return KEY_NONE;
  return bytes[at] == '~' ? key_of_number(number) : key_of_letter(bytes[at]);
}

static int decode_escape(const unsigned char *bytes, size_t n, size_t *used) {
  if (n == 1) return KEY_MORE; /* the key Esc, where nothing follows */
  if (bytes[1] == '[') return decode_sequence(bytes, n, used);
  if (bytes[1] != 'O') return *used = 1, KEY_ESCAPE;
  if (n == 2) return KEY_MORE;
  return *used = 3, key_of_letter(bytes[2]);
}

static int decode_character(const unsigned char *bytes, size_t n, size_t *used) {
  char text[5] = "";
  bool unsafe;
  int length = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
  if ((size_t)length > n) return KEY_MORE;
  memcpy(text, bytes, (size_t)length);
  const int point = (int)text_decode(text, &length, &unsafe);
  *used = length > 0 ? (size_t)length : 1;
  return length > 0 && !unsafe ? point : KEY_NONE;
}

int keys_decode(const unsigned char *bytes, size_t n, size_t *used) {
  *used = 0;
  if (bytes[0] == KEY_ESCAPE) return decode_escape(bytes, n, used);
  if (bytes[0] >= 0xc2 && bytes[0] < 0xf5) return decode_character(bytes, n, used);
  *used = 1;
  if (bytes[0] == '\n') return KEY_ENTER;
  if (bytes[0] == 8) return KEY_BACKSPACE;
  return bytes[0] < 0x80 ? bytes[0] : KEY_NONE;
}
