/* .npz, for what loads it. */
#ifndef TSR_IO_NPZ_NPZ_H
#define TSR_IO_NPZ_NPZ_H

#include "io/zip/zip.h"

/* Opens, reads all members into a bundle, closes; map (may be NULL) is the storage that zip->in.bytes belong to. */
tsr_status tsr__npz_open_and_read(tsr__zip *zip, const tsr_npz_options *options, tsr_storage *map, tsr_bundle *out);

/* Reads a member, or shows it; inflated is what others have become. */
tsr_status tsr__npz_read_member(const tsr__zip *zip, const tsr__zip_member *m, uint64_t inflated, tsr_tensor *out);
tsr_status tsr__npz_show(const tsr__zip *zip, const tsr__zip_member *m, tsr_npz_visit *visit, void *user);

/* What is written beside the bundle's own elements. */
typedef struct tsr__npz_source {
  const tsr_producer *producer; /* of tensors without data; may be NULL */
  const tsr__zip *old;          /* an open archive that grows; may be NULL */
} tsr__npz_source;

tsr_status tsr__npz_write(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_npz_save_options *options,
                          const tsr__npz_source *source, const tsr_sink *sink);
#if TSR_HAVE_STDIO
tsr_status tsr__npz_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_npz_save_options *options,
                         const tsr_producer *producer);
#endif

#endif
