/* The other byte order. */
#include "io/bytes/swap.h"

#include <tessera/dtype.h>

#include <stdint.h>
#include <string.h>

#define SWAP(bits)                                  \
  static void swap_##bits(char *at, size_t bytes) { \
    for (size_t i = 0; i < bytes; i += bits / 8) {  \
      uint##bits##_t value;                         \
      memcpy(&value, at + i, sizeof value);         \
      value = __builtin_bswap##bits(value);         \
      memcpy(at + i, &value, sizeof value);         \
    }                                               \
  }
SWAP(16)
SWAP(32)
SWAP(64)

void tsr__swap_bytes(int dtype, void *data, size_t bytes) {
  const tsr_dtype_info *info = tsr_dtype_describe(dtype);
  const int unit = info->class_ == TSR_CLASS_COMPLEX ? info->bytes / 2 : info->bytes;
  if (unit == 2) swap_16(data, bytes);
  if (unit == 4) swap_32(data, bytes);
  if (unit == 8) swap_64(data, bytes);
}
