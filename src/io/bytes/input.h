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

/* n bytes from offset on; they are known to be there. */
tsr_status tsr__input_get(const tsr__input *in, uint64_t offset, void *to, size_t n);

#endif
