/* .npz, for what loads it. */
#ifndef TSR_IO_NPZ_H
#define TSR_IO_NPZ_H

#include "io/zip.h"

/* Whether out can take what is read: TSR_EARG, TSR_ESTATE. */
tsr_status tsr__npz_check_output(tsr_ctx *ctx, const char *op, const tsr_bundle *out);

/* Opens, reads all members into a bundle, closes; map (may be NULL) is the storage that zip->in.bytes belong to. */
tsr_status tsr__npz_open_and_read(tsr__zip *zip, const tsr_npz_options *options, tsr_storage *map, tsr_bundle *out);

#endif
