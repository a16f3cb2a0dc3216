/* gzip, unpacked while it is read. */
#ifndef TSR_IO_BYTES_GUNZIP_H
#define TSR_IO_BYTES_GUNZIP_H

#include <tessera/io.h>
#include "core/fail.h"
#include "io/bytes/pack.h"

enum { TSR__GUNZIP_BYTES = 1 << 16 };

typedef struct tsr__gunzip {
  const tsr_source *source;
  const tsr_allocator *allocator;
  tsr__packer *packer;
  tsr__pack_step step;
  uint8_t *input; /* TSR__GUNZIP_BYTES */
  uint64_t packed, given;
  uint64_t most; /* bytes that it may become */
  uint32_t crc, size;
  bool inside, ended;
  const char *broken; /* the rule that was broken; NULL: the source failed, or memory */
} tsr__gunzip;

/* Whether bytes begin as gzip does. */
static inline bool tsr__gunzip_knows(const uint8_t *start, size_t n) {
  return n >= 3 && start[0] == 0x1f && start[1] == 0x8b && start[2] == 8;
}

/* Begins with the first n bytes that came, which are copied. TSR_ENOMEM; TSR_EUNSUPPORTED in a build without zlib. */
tsr_status tsr__gunzip_start(tsr__gunzip *g, const uint8_t *first, size_t n);
tsr_status tsr__gunzip_read(void *self, void *bytes, size_t n, size_t *got); /* of a tsr_source */
void tsr__gunzip_end(tsr__gunzip *g);

#endif
