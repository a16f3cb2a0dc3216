/* Byte orders. */
#ifndef TSR_IO_BYTES_SWAP_H
#define TSR_IO_BYTES_SWAP_H

#include <stddef.h>

#define TSR__LITTLE_HOST (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Reverses the bytes of each number of a dtype: of each part, where it is complex. */
void tsr__swap_bytes(int dtype, void *data, size_t bytes);

#endif
