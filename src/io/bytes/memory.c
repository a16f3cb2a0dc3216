#include "io/bytes/memory.h"

#include <string.h>

tsr_status tsr__memory_bytes_read(void *self, void *bytes, size_t n, size_t *got) {
  tsr__memory_bytes *memory = self;
  *got = n < memory->left ? n : memory->left;
  if (*got > 0) {
    memcpy(bytes, memory->at, *got);
    memory->at += *got;
    memory->left -= *got;
  }
  return TSR_OK;
}
