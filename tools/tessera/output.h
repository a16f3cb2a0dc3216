/* Files that are written. */
#ifndef TESSERA_OUTPUT_H
#define TESSERA_OUTPUT_H

#include <stdbool.h>
#include <tessera/tessera.h>

/* Saves a bundle to path, "-" is standard output; format TSR_FORMAT_AUTO goes by the name. Metadata (may be NULL) that
 * the format has no room for is left out, with a note. False: reported. */
bool output_save(tsr_ctx *ctx, const char *path, int format, const tsr_bundle *bundle, const tsr_metadata *metadata);

#endif
