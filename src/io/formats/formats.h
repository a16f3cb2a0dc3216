/* A format of files is a row: how it is known, loaded and saved. */
#ifndef TSR_IO_FORMATS_FORMATS_H
#define TSR_IO_FORMATS_FORMATS_H

#include <tessera/formats.h>
#include "core/check.h"

#if TSR_HAVE_STDIO

/* How much of a file the probes see. */
enum { TSR__PROBE_BYTES = 2048 };

typedef struct tsr__file_format tsr__file_format;
struct tsr__file_format {
  int id;
  const char *extension; /* ".npy" */
  const char *other;     /* another one; NULL: none */
  bool metadata;         /* it has room for some */
  bool streams;          /* it can be written while its elements are made */
  char variant;          /* what sets it apart from another one of the same functions */
  const char *magic;     /* what its files begin with */
  /* Whether a file that begins with these n bytes may be one. NULL: it is if it begins with magic; never, if that is
   * NULL too. */
  bool (*probe)(const tsr__file_format *format, const uint8_t *start, size_t n);

  /* Files that hold a bundle. out is checked to hold no tensors, metadata (may be NULL) to be empty. */
  tsr_status (*load)(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata);
  /* metadata may be NULL, and is where the format has no room for it; so may be producer, and is where it does not
   * stream. */
  tsr_status (*save)(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                     const tsr_producer *producer);

  /* The same for files that hold one tensor, which is named as the file. */
  tsr_status (*load_one)(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *out,
                         tsr_metadata *metadata);
  tsr_status (*save_one)(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                         const tsr_metadata *metadata, const tsr_producer *producer);
};

extern const tsr__file_format tsr__format_c;
extern const tsr__file_format tsr__format_csv;
extern const tsr__file_format tsr__format_gguf;
extern const tsr__file_format tsr__format_jpeg;
extern const tsr__file_format tsr__format_npy;
extern const tsr__file_format tsr__format_npz;
extern const tsr__file_format tsr__format_pgm;
extern const tsr__file_format tsr__format_png;
extern const tsr__file_format tsr__format_ppm;
extern const tsr__file_format tsr__format_raw;
extern const tsr__file_format tsr__format_safetensors;
extern const tsr__file_format tsr__format_shards;
extern const tsr__file_format tsr__format_tsv;
extern const tsr__file_format tsr__format_wav;

/* Bundles by load_one and save_one. Adds the tensor under the name of the file, without folder and extension; saves the only
 * one: TSR_EUNSUPPORTED when there are more, or none. */
tsr_status tsr__format_load_one(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_bundle *out,
                                tsr_metadata *metadata);
tsr_status tsr__format_save_one(tsr_ctx *ctx, const char *path, const tsr__file_format *format,
                                const tsr_bundle *bundle, const tsr_metadata *metadata, const tsr_producer *producer);

#endif

#endif
