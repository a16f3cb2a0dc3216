/* The steps of a save, as the system does them. */
#include "io/file/disk.h"

#if TSR_HAVE_STDIO

#include "io/file/system.h"

#include <errno.h>

/* Some systems leave it at 0 when a stream fails. */
static int last_error(void) { return errno != 0 ? errno : EIO; }

static int make_file(const char *name, tsr__make how, FILE **stream) {
  if (how != TSR__MAKE_OVER) return tsr__system_make(name, how == TSR__MAKE_PRIVATE, stream);
  errno = 0;
  *stream = tsr__system_open(name, "wb");
  return *stream != NULL ? 0 : last_error();
}

/* In parts: the system handles a signal between two of them, and gigabytes in one would take it seconds. */
static int write_bytes(FILE *stream, const void *bytes, size_t n) {
  enum { PART = 4 << 20 };
  errno = 0;
  for (const char *at = bytes; n > 0;) {
    const size_t part = n < PART ? n : PART;
    if (fwrite(at, 1, part, stream) != part) return last_error();
    at += part;
    n -= part;
  }
  return 0;
}

static int flush_stream(FILE *stream) {
  errno = 0;
  return fflush(stream) == 0 ? 0 : last_error();
}

static int close_stream(FILE *stream) {
  errno = 0;
  return fclose(stream) == 0 ? 0 : last_error();
}

tsr__disk tsr__disk_steps = {.make = make_file,
                             .write = write_bytes,
                             .flush = flush_stream,
                             .mode = tsr__system_keep_mode,
                             .sync = tsr__system_sync,
                             .close = close_stream,
                             .replace = tsr__system_replace,
                             .folder = tsr__system_sync_folder,
                             .forget = tsr__system_remove};

#endif
