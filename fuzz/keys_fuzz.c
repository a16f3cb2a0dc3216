/* Any bytes as what a terminal sends: each step takes some of them or asks for more, and the rest is read the same way whatever
 * came before. */
#include <string.h>

#include "../tools/tessera/keys.c"
#include "../tools/tessera/text.c"
#include "promise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t at = 0; at < size;) {
    size_t used = 0;
    const int key = keys_decode(data + at, size - at, &used);
    if (key == KEY_MORE) {
      must(used == 0 && size - at < 16);
      break;
    }
    must(used > 0 && used <= size - at);
    must(key >= 0 && key < KEY_MORE);
    size_t alone = 0;
    const int again = keys_decode(data + at, used, &alone);
    /* What a byte behind it made no key of may have been the start of one. */
    must(again == key ? alone == used : (key == KEY_ESCAPE || key == KEY_NONE) && again == KEY_MORE);
    at += used;
  }
  return 0;
}
