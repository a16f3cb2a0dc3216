/* Metadata, for the formats. */
#ifndef TSR_IO_CALL_METADATA_H
#define TSR_IO_CALL_METADATA_H

#include <tessera/metadata.h>
#include "core/check.h"

/* Adds a pair whose key is known not to be there: a file's keys are compared by sorting, not one with all others. False
 * when there is no memory. */
bool tsr__metadata_append(tsr_ctx *ctx, tsr_metadata *m, const char *key, const char *value);

#endif
