/* Single rows, for those who have no more than one at hand. */
#include "cpu/move.h"

#include <string.h>

/* memcpy of a constant size is a load and a store. */
#define MOVE_EACH(bytes) \
  for (tsr_index i = 0; i < n; i++) memcpy(dst + (ptrdiff_t)i * dst_step, src + (ptrdiff_t)i * src_step, bytes)

void tsr__move_row(size_t item, tsr_index n, const char *src, ptrdiff_t src_step, char *dst, ptrdiff_t dst_step) {
  if (src_step == (ptrdiff_t)item && dst_step == (ptrdiff_t)item) {
    memcpy(dst, src, (size_t)n * item);
    return;
  }
  switch (item) {
    case 1: MOVE_EACH(1); break;
    case 2: MOVE_EACH(2); break;
    case 4: MOVE_EACH(4); break;
    case 8: MOVE_EACH(8); break;
    default: MOVE_EACH(16); break;
  }
}

/* The value in a local, so that the compiler knows that no store changes it. */
#define FILL_EACH(type)                                                                             \
  do {                                                                                              \
    type value;                                                                                     \
    memcpy(&value, pattern, sizeof value);                                                          \
    for (tsr_index i = 0; i < n; i++) memcpy(dst + (size_t)i * sizeof value, &value, sizeof value); \
  } while (0)

typedef struct pair {
  uint64_t first, second;
} pair;

void tsr__fill_row(size_t item, tsr_index n, const void *pattern, char *dst) {
  switch (item) {
    case 1: memset(dst, *(const unsigned char *)pattern, (size_t)n); break;
    case 2: FILL_EACH(uint16_t); break;
    case 4: FILL_EACH(uint32_t); break;
    case 8: FILL_EACH(uint64_t); break;
    default: FILL_EACH(pair); break;
  }
}
