/* Files by their path: what the formats share. Reading, messages that name the file, and saving so that a failure
 * leaves the old file whole. */
#ifndef TSR_IO_FILE_FILE_H
#define TSR_IO_FILE_FILE_H

#include <tessera/bundle.h>
#include <tessera/io.h>
#include <tessera/metadata.h>
#include "core/check.h"

#if TSR_HAVE_STDIO

/* A stream that remembers why it failed: errno is gone by the time that the message is written. */
typedef struct tsr__file {
  FILE *stream;
  int error;
  tsr_ctx *ctx; /* whose threads read large parts of a plain file; NULL: the default's */
  bool plain;   /* it can be read at any offset */
} tsr__file;

/* The end of a long path, so that what is wrong with the file still fits the message. */
const char *tsr__file_short(const char *path);

/* "x.npy: " to where, for messages about what is in the file. */
void tsr__file_where(const char *path, char where[TSR_TEXT_BYTES]);

/* TSR_EIO: "op: path: what: the system's text of error". */
tsr_status tsr__file_fail(tsr_ctx *ctx, const char *op, const char *path, const char *what, int error);

/* The read function of a tsr_source over a tsr__file. */
tsr_status tsr__file_read(void *self, void *bytes, size_t n, size_t *got);

/* That of a tsr_reader over a plain file. Where the system reads at an offset (io/file/system.h), several threads may read through one
 * stream, each with a tsr__file of its own. */
tsr_status tsr__file_read_at(void *self, uint64_t offset, void *bytes, size_t n);

/* A file that is read once, from its start on. It stays where it is. */
typedef struct tsr__file_source {
  tsr__file file;
  tsr_source source;
  bool bounded;  /* a plain file */
  uint64_t size; /* of that; else 0 */
  const char *op, *path;
  char where[TSR_TEXT_BYTES];
} tsr__file_source;

tsr_status tsr__file_source_open(tsr_ctx *ctx, const char *op, const char *path, tsr__file_source *f);

/* st, or the system's reason when reading has failed. */
tsr_status tsr__file_source_close(tsr__file_source *f, tsr_status st);

/* What is saved: a tensor, or a bundle. write sends the bytes of the format to a sink, and takes of the rest what it
 * knows. */
typedef struct tsr__saving tsr__saving;
struct tsr__saving {
  const char *op, *path;
  tsr_status (*write)(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink);
  const tsr_tensor *tensor; /* NULL: write says that it is missing */
  const tsr_bundle *bundle;
  const tsr_metadata *metadata;
  const void *options;            /* the format's */
  const tsr_producer *producer;   /* of tensors without data */
  const void *old;                /* what is in the file already, and stays */
  struct tsr__input_file *source; /* where it is read from: closed before it is replaced, which some systems want */
};

/* Saves a tensor: TSR_EIO where it is mapped and its file has become shorter. Writes to a new name beside path, then to
 * the disk, then over the old file, then the folder to the disk. A failure on the way leaves the old file as it is, and
 * no other; at the folder, the new one. Links are followed, also to a file that is not there yet. Pipes and devices are
 * written to in place. */
tsr_status tsr__file_save(tsr_ctx *ctx, const tsr__saving *what);

/* The same for the tensors of a bundle. */
tsr_status tsr__file_save_bundle(tsr_ctx *ctx, const tsr__saving *what);

#endif

#endif
