/* The limits of a call, with their defaults. */
#ifndef TSR_IO_CALL_LIMITS_H
#define TSR_IO_CALL_LIMITS_H

#include <tessera/limits.h>
#include "core/check.h"

typedef enum tsr__limit_kind {
  TSR__LIMIT_HEADER = 0,
  TSR__LIMIT_TENSORS = 1,
  TSR__LIMIT_INFLATED = 2,
  TSR__LIMIT_PIXELS = 3,
  TSR__LIMIT_TOTAL = 4
} tsr__limit_kind;

/* Defaults. */
#define TSR__DEFAULT_TENSORS ((uint64_t)1000000)
#define TSR__DEFAULT_PIXELS ((uint64_t)1 << 28)
#define TSR__DEFAULT_STREAMED ((uint64_t)1 << 30)

/* That of inflated and total, for a file of so many bytes; UINT64_MAX bytes: it is not known, there is none. */
uint64_t tsr__default_bytes(uint64_t file_bytes);

/* What the context allows; otherwise is the default. */
uint64_t tsr__limit(const tsr_ctx *ctx, tsr__limit_kind kind, uint64_t otherwise);

/* Who asks, and for what: "x.npz: " begins the message, what (of asked) follows it. */
typedef struct tsr__limit_call {
  tsr_ctx *ctx;
  const char *op, *where;
} tsr__limit_call;

/* TSR_ELIMIT when asked is over most: "x.npz: its directory takes 400 bytes, the limit is 300; raise
 * tsr_io_limits.header". what is "its directory takes", unit "bytes". */
tsr_status tsr__limit_check(const tsr__limit_call *call, tsr__limit_kind kind, const char *what, const char *unit,
                            uint64_t asked, uint64_t most);

/* Memory for the tensors of one call: what it has taken, and of how much. */
typedef struct tsr__budget {
  tsr__limit_call call;
  uint64_t most, taken;
} tsr__budget;

tsr__budget tsr__budget_start(tsr_ctx *ctx, const char *op, const char *where, uint64_t file_bytes);

/* Asks for bytes more: TSR_ELIMIT. */
tsr_status tsr__budget_take(tsr__budget *budget, uint64_t bytes);

#endif
