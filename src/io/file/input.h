/* Files by their path, as bytes that are read in any order. */
#ifndef TSR_IO_FILE_INPUT_H
#define TSR_IO_FILE_INPUT_H

#include "io/bytes/input.h"

#if TSR_HAVE_STDIO
/* Opens a file and hands its bytes to use: mapped, with the storage that they lie in, or with TSR_ACCESS_COPY and where
 * there are no maps behind a reader, with NULL. Both end with the call, but for counts that use took of the storage. */
typedef tsr_status tsr__input_use(void *user, const tsr__input *in, tsr_storage *map);
tsr_status tsr__input_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_use *use, void *user);
#endif

#endif
