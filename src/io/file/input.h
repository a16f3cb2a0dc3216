/* Files by their path, as bytes that are read in any order. */
#ifndef TSR_IO_FILE_INPUT_H
#define TSR_IO_FILE_INPUT_H

#include "io/bytes/input.h"
#include "io/file/file.h"

#if TSR_HAVE_STDIO

/* An open file: mapped, or behind a stream with TSR_ACCESS_COPY and where there are no maps. It stays where it is. */
typedef struct tsr__input_file {
  tsr_storage *map; /* with a count; NULL: it is read */
  FILE *stream;     /* NULL: it is mapped */
  uint64_t size;
  char where[TSR_TEXT_BYTES];
} tsr__input_file;

tsr_status tsr__input_file_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_file *file);
void tsr__input_file_close(tsr__input_file *file); /* what has a count of the map stays */

/* The bytes of an open file for one call. Several threads may have one each, where tsr__file_read_at allows it. */
typedef struct tsr__input_call {
  tsr__input in;
  tsr__file file;
  tsr_reader reader;
} tsr__input_call;

/* TSR_EIO when the file is mapped and has become shorter. The call stays where it is. */
tsr_status tsr__input_call_start(tsr_ctx *ctx, const char *op, const tsr__input_file *file, tsr__input_call *call);

/* st, or the system's reason when reading has failed. */
tsr_status tsr__input_call_end(const tsr__input_call *call, tsr_status st);

/* Opens a file, hands its bytes to use, and the storage that they lie in, NULL when it is not mapped. Both end with the
 * call, but for counts that use took of the storage. */
typedef tsr_status tsr__input_use(void *user, const tsr__input *in, tsr_storage *map);
tsr_status tsr__input_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__input_use *use, void *user);

#endif

#endif
