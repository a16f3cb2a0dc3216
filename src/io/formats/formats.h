/* A format of files is a row: how it is known, loaded and saved. */
#ifndef TSR_IO_FORMATS_FORMATS_H
#define TSR_IO_FORMATS_FORMATS_H

#include <tessera/formats.h>
#include "core/check.h"

#if TSR_HAVE_STDIO

/* How much of a file the probes see. */
enum { TSR__PROBE_BYTES = 2048 };

typedef struct tsr__file_format {
  int id;
  const char *extension; /* ".npy" */
  bool metadata;         /* it has room for some */
  bool streams;          /* it can be written while its elements are made */
  /* Whether a file of size bytes that begins with these n may be one; size is UINT64_MAX when it is not known. */
  bool (*probe)(const uint8_t *start, size_t n, uint64_t size);
  /* out is checked to hold no tensors, metadata (may be NULL) to be empty. */
  tsr_status (*load)(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata);
  /* metadata may be NULL, and is where the format has no room for it; so may be producer, and is where it does not
   * stream. NULL: never saved. */
  tsr_status (*save)(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                     const tsr_producer *producer);
} tsr__file_format;

extern const tsr__file_format tsr__format_c;
extern const tsr__file_format tsr__format_csv;
extern const tsr__file_format tsr__format_gguf;
extern const tsr__file_format tsr__format_npy;
extern const tsr__file_format tsr__format_npz;
extern const tsr__file_format tsr__format_pgm;
extern const tsr__file_format tsr__format_png;
extern const tsr__file_format tsr__format_ppm;
extern const tsr__file_format tsr__format_raw;
extern const tsr__file_format tsr__format_safetensors;
extern const tsr__file_format tsr__format_tsv;

/* For formats whose files hold one tensor. Adds *t under the name of the file, without folder and extension. */
tsr_status tsr__format_add_named(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *t,
                                 tsr_bundle *out);

/* The one tensor of the bundle: TSR_EUNSUPPORTED when it has more, or none. */
tsr_status tsr__format_only(tsr_ctx *ctx, const tsr__file_format *format, const tsr_bundle *bundle,
                            const tsr_tensor **t);

#endif

#endif
