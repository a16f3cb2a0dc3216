/* A bundle and its metadata as outputs: checked before anything is read, changed after everything is. */
#ifndef TSR_IO_CALL_OUTPUTS_H
#define TSR_IO_CALL_OUTPUTS_H

#include <tessera/bundle.h>
#include <tessera/metadata.h>
#include "core/check.h"

/* Whether out and metadata (may be NULL) can take what is read: TSR_EARG, TSR_ESTATE. */
tsr_status tsr__outputs_check(tsr_ctx *ctx, const char *op, const tsr_bundle *out, const tsr_metadata *metadata);

/* What was made so far, with the allocators of where it will go. */
typedef struct tsr__made {
  tsr_bundle bundle;
  tsr_metadata pairs;
} tsr__made;

tsr__made tsr__made_start(const tsr_bundle *out, const tsr_metadata *metadata);

/* Hands it over when st is TSR_OK, else releases it; returns st. out and metadata may be NULL when there is nothing for
 * them. */
tsr_status tsr__made_end(tsr__made *made, tsr_status st, tsr_bundle *out, tsr_metadata *metadata);

#endif
