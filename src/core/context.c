/* Contexts, and the record that every failure leaves. */
#include "core/check.h"
#include "core/clear.h"
#include "core/scope.h"
#include "core/table.h"
#include "core/text.h"

#include <string.h>
#include <tessera/device.h>

#if TSR_HAVE_THREADS
static _Thread_local tsr_ctx default_context;
#else
static tsr_ctx default_context;
#endif

tsr_ctx *tsr__ctx(tsr_ctx *ctx) { return ctx != NULL ? ctx : &default_context; }

tsr_status TSR_ABI(tsr_context_init)(tsr_ctx *ctx, const tsr_allocator *allocator) {
  if (ctx == NULL) return TSR__FAIL(NULL, TSR_EARG, "context_init", "ctx", "is NULL");
  tsr__clear(ctx, sizeof *ctx);
  if (TSR_HAVE_OPS && allocator != NULL && allocator->size < TSR__FIRST_BYTES(tsr_allocator, self))
    return TSR__FAIL(ctx, TSR_EARG, "context_init", "allocator", "has size %l: set it to sizeof(tsr_allocator)",
                     (int64_t)allocator->size);
  ctx->allocator = allocator;
  return TSR_OK;
}

/* In brackets: the function, not the macro of that name. */
tsr_status(tsr_context_init)(tsr_ctx *ctx, const tsr_allocator *allocator) {
  return TSR_ABI(tsr_context_init)(ctx, allocator);
}

tsr_status tsr_context_set_scratch(tsr_ctx *ctx, void *scratch, size_t bytes) {
  if (ctx == NULL) return TSR__FAIL(NULL, TSR_EARG, "context_set_scratch", "ctx", "is NULL");
  if ((scratch == NULL) != (bytes == 0))
    return TSR__FAIL(ctx, TSR_EARG, "context_set_scratch", "scratch", "and bytes: one is 0 and the other is not");
  ctx->scratch = scratch;
  ctx->scratch_bytes = bytes;
  ctx->scratch_used = 0;
  return TSR_OK;
}

static tsr_status set_modes(tsr_ctx *ctx) {
  tsr__context_modes(ctx);
  return TSR_OK;
}

tsr_status tsr_context_set_device(tsr_ctx *ctx, const tsr_device *device) {
  if (ctx == NULL) return TSR__FAIL(NULL, TSR_EARG, "context_set_device", "ctx", "is NULL");
  const bool other = device != NULL && !device->is_host;
  if (!TSR_HAVE_OPS && other)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "context_set_device", "device", "is %s: in this build the host computes",
                     device->name);
  ctx->device = other ? device : NULL;
  return set_modes(ctx);
}

tsr_status tsr_context_set_trace(tsr_ctx *ctx, tsr_trace_fn *trace, void *user) {
  if (ctx == NULL) return TSR__FAIL(NULL, TSR_EARG, "context_set_trace", "ctx", "is NULL");
  if (!TSR_HAVE_OPS && trace != NULL)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "context_set_trace", "trace", "is configured out");
  ctx->trace = trace;
  ctx->trace_user = user;
  return set_modes(ctx);
}

const tsr_error_record *tsr_error_details(const tsr_ctx *ctx) {
  return ctx != NULL ? &ctx->error : &default_context.error;
}

const char *tsr_error(const tsr_ctx *ctx) {
  const tsr_error_record *const error = tsr_error_details(ctx);
  if (error->status == TSR_OK) return "";
#if TSR_HAVE_TEXT
  return error->text;
#else
  return tsr_status_text(error->status);
#endif
}

void tsr_error_clear(tsr_ctx *ctx) {
  tsr_error_record *const error = &tsr__ctx(ctx)->error;
  memset(error, 0, sizeof *error);
}

tsr_status tsr__fail_plain(tsr_ctx *ctx, tsr_status status) {
  tsr_error_record *const error = &tsr__ctx(ctx)->error;
  error->status = status;
  error->op = NULL;
  error->arg = NULL;
  return status;
}

#if TSR_HAVE_TEXT
tsr_status tsr__fail(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const char *format, ...) {
  tsr_error_record *const error = &tsr__ctx(ctx)->error;
  tsr__text text;
  va_list args;
  tsr__text_init(&text, error->text, sizeof error->text);
  tsr__text_format(&text, arg != NULL ? "%s: %s " : "%s: ", op, arg);
  va_start(args, format);
  tsr__text_vformat(&text, format, args);
  va_end(args);
  error->status = status;
  error->op = op;
  error->arg = arg;
  return status;
}
#endif

tsr_status tsr__fail_as(tsr_ctx *ctx, tsr_status status, const char *op) {
#if TSR_HAVE_TEXT
  tsr_error_record *const error = &tsr__ctx(ctx)->error;
  const size_t length = error->op != NULL ? strlen(error->op) : 0;
  if (error->status != status || length == 0 || strncmp(error->text, error->op, length) != 0) return status;
  char rest[TSR_TEXT_BYTES];
  tsr__text text;
  memcpy(rest, error->text + length, strlen(error->text + length) + 1);
  tsr__text_init(&text, error->text, sizeof error->text);
  tsr__text_format(&text, "%s%s", op, rest);
  error->op = op;
#else
  (void)ctx, (void)op;
#endif
  return status;
}

tsr_status tsr_error_set(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const char *text) {
  return TSR__FAIL(ctx, status, op, arg, "%s", text);
}
