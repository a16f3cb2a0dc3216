/* How calls fail: sentences in the context of the call, as all of the library's. */
#include "mpi/comm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tsr_status tsr__comm_fail(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const char *format, ...) {
  char text[TSR_TEXT_BYTES];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return tsr_error_set(ctx, status, op, arg, text);
}

tsr_status tsr__comm_fail_as(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const tsr_ctx *inner) {
  const tsr_error_record *const error = tsr_error_details(inner);
  const char *text = tsr_error(inner);
  const size_t length = error->op != NULL ? strlen(error->op) : 0; /* "copy: out is …" */
  if (length > 0 && strncmp(text, error->op, length) == 0 && text[length] == ':') text += length + 2;
  return tsr__comm_fail(ctx, status, op, arg, "%s", text[0] != 0 ? text : tsr_status_text(status));
}

tsr_status tsr__comm_check(tsr_ctx *ctx, const char *op, int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  if (code == MPI_SUCCESS) return TSR_OK;
  (void)MPI_Error_string(code, text, &length);
  return tsr__comm_fail(ctx, TSR_EIO, op, NULL, "MPI says: %s", text);
}

void tsr__comm_inner(const tsr_ctx *ctx, tsr_ctx *inner) {
  if (tsr_context_init(inner, ctx != NULL ? ctx->allocator : NULL) != TSR_OK || ctx == NULL) return;
  inner->parallel = ctx->parallel;
  inner->isa = ctx->isa;
  inner->io_limits = ctx->io_limits;
#if TSR_HAVE_OPS
  if (ctx->queue != NULL && tsr_context_set_queue(inner, ctx->queue) != TSR_OK) tsr_error_clear(inner);
#endif
}
