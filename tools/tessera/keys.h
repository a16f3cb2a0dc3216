/* Keys of a terminal: what the bytes that it sends mean. */
#ifndef TESSERA_KEYS_H
#define TESSERA_KEYS_H

#include <stddef.h>

/* Characters are themselves. */
enum {
  KEY_NONE = 0, /* bytes that mean nothing here */
  KEY_ESCAPE = 27,
  KEY_ENTER = 13,
  KEY_TAB = 9,
  KEY_BACKSPACE = 127,
  KEY_UP = 0x110000,
  KEY_DOWN,
  KEY_LEFT,
  KEY_RIGHT,
  KEY_PAGE_UP,
  KEY_PAGE_DOWN,
  KEY_HOME,
  KEY_END,
  KEY_BACK_TAB,
  KEY_MORE /* the bytes are the start of a key: there are more to come */
};

/* The key at the start of n > 0 bytes, and how many of them it is: at least one, unless it is KEY_MORE. */
int keys_decode(const unsigned char *bytes, size_t n, size_t *used);

#endif
