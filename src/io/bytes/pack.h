/* zlib, behind a few functions: the CRC of zip files, deflating and inflating without a header. Without zlib only the
 * CRC is there: the _new functions return NULL. */
#ifndef TSR_IO_BYTES_PACK_H
#define TSR_IO_BYTES_PACK_H

#include "core/fail.h"

#include <stdint.h>

/* The CRC of the bytes so far and n more; 0 before the first. */
uint32_t tsr__crc32(uint32_t crc, const void *bytes, size_t n);

/* What a step takes from and writes to; both move on. */
typedef struct tsr__pack_step {
  const uint8_t *in;
  size_t in_left;
  uint8_t *out;
  size_t out_left;
} tsr__pack_step;

typedef enum tsr__pack_result {
  TSR__PACK_MORE = 0, /* of the input, or of room for the output */
  TSR__PACK_END = 1,  /* of the packed data */
  TSR__PACK_BROKEN = 2,
  TSR__PACK_NO_MEMORY = 3 /* inflating asks for most of it with the first bytes */
} tsr__pack_result;

typedef struct tsr__packer tsr__packer;

/* level 1 … 9. NULL: no memory. */
tsr__packer *tsr__deflate_new(const tsr_allocator *allocator, int level);
tsr__packer *tsr__inflate_new(const tsr_allocator *allocator);
tsr__pack_result tsr__deflate_run(tsr__packer *packer, tsr__pack_step *step, bool last);
tsr__pack_result tsr__inflate_run(tsr__packer *packer, tsr__pack_step *step);
void tsr__packer_release(tsr__packer *packer); /* NULL is fine */

#endif
