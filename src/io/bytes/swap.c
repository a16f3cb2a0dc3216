/* The other byte order. */
#include "io/bytes/swap.h"

#include <tessera/dtype.h>

#include <stdint.h>
#include <string.h>

static void swap_2(char *at, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 2) {
    uint16_t value;
    memcpy(&value, at + i, 2);
    value = __builtin_bswap16(value);
    memcpy(at + i, &value, 2);
  }
}

static void swap_4(char *at, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t value;
    memcpy(&value, at + i, 4);
    value = __builtin_bswap32(value);
    memcpy(at + i, &value, 4);
  }
}

static void swap_8(char *at, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t value;
    memcpy(&value, at + i, 8);
    value = __builtin_bswap64(value);
    memcpy(at + i, &value, 8);
  }
}

void tsr__swap_bytes(int dtype, void *data, size_t bytes) {
  const tsr_dtype_info *info = tsr_dtype_describe(dtype);
  const int unit = info->class_ == TSR_CLASS_COMPLEX ? info->bytes / 2 : info->bytes;
  if (unit == 2) swap_2(data, bytes);
  if (unit == 4) swap_4(data, bytes);
  if (unit == 8) swap_8(data, bytes);
}
