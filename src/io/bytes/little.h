/* Numbers as files have them: little-endian, at any address. */
#ifndef TSR_IO_BYTES_LITTLE_H
#define TSR_IO_BYTES_LITTLE_H

#include <stdint.h>

static inline uint32_t tsr__le16(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }
static inline uint32_t tsr__le32(const uint8_t *at) { return tsr__le16(at) | tsr__le16(at + 2) << 16; }
static inline uint64_t tsr__le64(const uint8_t *at) { return tsr__le32(at) | (uint64_t)tsr__le32(at + 4) << 32; }

#endif
