/* Products of 64 by 64 bits. */
#ifndef TSR_IO_BYTES_PRODUCT_H
#define TSR_IO_BYTES_PRODUCT_H

#include <stdint.h>

typedef struct tsr__wide_product {
  uint64_t high, low;
} tsr__wide_product;

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 tsr__u128;
static inline tsr__wide_product tsr__multiply_wide(uint64_t a, uint64_t b) {
  const tsr__u128 product = (tsr__u128)a * b;
  return (tsr__wide_product){.high = (uint64_t)(product >> 64), .low = (uint64_t)product};
}
#else
static inline tsr__wide_product tsr__multiply_wide(uint64_t a, uint64_t b) {
  const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  const uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
  return (tsr__wide_product){.high = a1 * b1 + (middle >> 32) + (other >> 32), .low = other << 32 | (uint32_t)low};
}
#endif

#endif
