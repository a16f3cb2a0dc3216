/* Bytes in memory as a source. */
#ifndef TSR_IO_BYTES_MEMORY_H
#define TSR_IO_BYTES_MEMORY_H

#include <tessera/io.h>

/* What is left of them. */
typedef struct tsr__memory_bytes {
  const char *at;
  size_t left;
} tsr__memory_bytes;

/* The read function of a tsr_source over them. */
tsr_status tsr__memory_bytes_read(void *self, void *bytes, size_t n, size_t *got);

#endif
