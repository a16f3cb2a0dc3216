/* Raw files, for the formats. */
#ifndef TSR_IO_RAW_RAW_H
#define TSR_IO_RAW_RAW_H

#include <tessera/raw.h>
#include "core/check.h"

#if TSR_HAVE_STDIO
/* tsr_raw_save of a tensor whose elements a producer (may be NULL) has. */
tsr_status tsr__raw_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_raw_options *options,
                         const tsr_producer *producer);
#endif

#endif
