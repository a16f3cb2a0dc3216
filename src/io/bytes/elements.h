/* The elements of a tensor on their way out, in file order. */
#ifndef TSR_IO_BYTES_ELEMENTS_H
#define TSR_IO_BYTES_ELEMENTS_H

#include <tessera/io.h>
#include "core/check.h"

typedef struct tsr__elements {
  tsr_ctx *ctx;
  const char *op;
  const tsr_producer *producer; /* of tensors without data; NULL: there are none */
  bool fortran;                 /* the first axis fastest, not the last */
  bool big_endian;
  tsr_sink sink;
} tsr__elements;

/* Whether t has its elements, or is described, row-major, and a producer (may be NULL) has them. */
tsr_status tsr__elements_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t,
                               const tsr_producer *producer);

/* Sends all elements of a checked tensor to the sink, and returns the first status of it that is not TSR_OK. */
tsr_status tsr__elements_write(const tsr__elements *e, const tsr_tensor *t);

#endif
