/* Streams of the C library as sinks and sources. */
#include <tessera/io.h>

#if TSR_HAVE_STDIO

#include "core/fail.h"

#include <errno.h>
#include <string.h>

static tsr_status write_stream(void *self, const void *bytes, size_t n) {
  if (self == NULL) return TSR_EARG;
  return n == 0 || fwrite(bytes, 1, n, self) == n ? TSR_OK : TSR_EIO;
}

static tsr_status read_stream(void *self, void *bytes, size_t n, size_t *got) {
  *got = 0;
  if (self == NULL) return TSR_EARG;
  *got = fread(bytes, 1, n, self);
  return *got < n && ferror((FILE *)self) ? TSR_EIO : TSR_OK;
}

tsr_sink tsr_sink_stdio(FILE *stream) {
  return (tsr_sink){.size = sizeof(tsr_sink), .write = write_stream, .self = stream};
}
tsr_source tsr_source_stdio(FILE *stream) {
  return (tsr_source){.size = sizeof(tsr_source), .read = read_stream, .self = stream};
}

tsr_status tsr_print(tsr_ctx *ctx, const tsr_tensor *t, const tsr_print_options *options, FILE *stream) {
  if (stream == NULL) return TSR__FAIL(ctx, TSR_EARG, "print", "stream", "is NULL");
  const tsr_sink sink = tsr_sink_stdio(stream);
  const tsr_status st = tsr_print_to(ctx, t, options, &sink);
  if (st != TSR_OK) return st;
  if (fputc('\n', stream) == EOF) return TSR__FAIL(ctx, TSR_EIO, "print", "stream", "failed: %s", strerror(errno));
  return TSR_OK;
}

#endif
