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
