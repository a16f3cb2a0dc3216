/* Bytes that are read in any order: in memory, or behind a reader. */
#ifndef TSR_IO_BYTES_INPUT_H
#define TSR_IO_BYTES_INPUT_H

#include <tessera/io.h>
#include "core/check.h"

typedef struct tsr__input {
  tsr_ctx *ctx;
  const char *op;
  const char *where;    /* begins every message: "" or "x.npz: " */
  const uint8_t *bytes; /* NULL: the reader has them */
  const tsr_reader *reader;
  uint64_t size;
} tsr__input;

/* The bytes behind a reader, or in memory: TSR_EARG where there is none. */
tsr_status tsr__input_of_reader(tsr_ctx *ctx, const char *op, const tsr_reader *reader, tsr__input *in);
tsr_status tsr__input_of_bytes(tsr_ctx *ctx, const char *op, const void *bytes, size_t n, tsr__input *in);

/* What options of every format have: how bytes are accessed, and room that is 0. */
tsr_status tsr__input_check_options(const tsr__input *in, int access, const size_t *reserved, size_t words);

/* n bytes from offset on; they are known to be there. */
tsr_status tsr__input_get(const tsr__input *in, uint64_t offset, void *to, size_t n);

/* Whether the elements of t, described and little-endian from offset on, can be used where they are: in memory that lasts
 * (map: it does), aligned, in the host's byte order. */
bool tsr__input_fits(const tsr__input *in, uint64_t offset, int access, const tsr_storage *map, const tsr_tensor *t);

/* Gives t, described and row-major, the elements that fit: with a count of map, which they lie in, or with NULL as a
 * borrow. It is TSR_READONLY with TSR_ACCESS_READ. */
tsr_status tsr__input_view(const tsr__input *in, uint64_t offset, int access, tsr_storage *map, tsr_tensor *t);

#endif
