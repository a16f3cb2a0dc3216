#include "io/call/limits.h"
#include "core/table.h"

enum { TIMES = 16 }; /* what a byte may become, where it is not a matter of a few megabytes */
#define ALWAYS ((uint64_t)1 << 28)

tsr_status tsr_context_set_io_limits(tsr_ctx *ctx, const tsr_io_limits *limits) {
  if (ctx == NULL) return TSR__FAIL(NULL, TSR_EARG, "context_set_io_limits", "ctx", "is NULL");
  const tsr_status st = tsr__check_reserved(ctx, "context_set_io_limits", TSR__RESERVED_OF(limits));
  if (st != TSR_OK) return st;
  ctx->io_limits = limits;
  return TSR_OK;
}

uint64_t tsr__default_bytes(uint64_t file_bytes) {
  if (file_bytes > UINT64_MAX / TIMES) return UINT64_MAX;
  return TIMES * file_bytes > ALWAYS ? TIMES * file_bytes : ALWAYS;
}

uint64_t tsr__limit(const tsr_ctx *ctx, tsr__limit_kind kind, uint64_t otherwise) {
  const tsr_io_limits *const limits = ctx != NULL ? ctx->io_limits : NULL;
  if (limits == NULL) return otherwise;
  const uint64_t asked[] = {limits->header, limits->tensors, limits->inflated, limits->pixels, limits->total};
  return asked[kind] != 0 ? asked[kind] : otherwise;
}

tsr_status tsr__limit_check(const tsr__limit_call *call, tsr__limit_kind kind, const char *what, const char *unit,
                            uint64_t asked, uint64_t most) {
  static const char *const names[] = {"header", "tensors", "inflated", "pixels", "total"};
  if (asked <= most) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ELIMIT, call->op, NULL, "%s%s %l %s, the limit is %l; raise tsr_io_limits.%s",
                   call->where, what, (int64_t)(asked < INT64_MAX ? asked : INT64_MAX), unit, (int64_t)most,
                   names[kind]);
}

tsr__budget tsr__budget_start(tsr_ctx *ctx, const char *op, const char *where, uint64_t file_bytes) {
  return (tsr__budget){.call = {.ctx = ctx, .op = op, .where = where},
                       .most = tsr__limit(ctx, TSR__LIMIT_TOTAL, tsr__default_bytes(file_bytes))};
}

tsr_status tsr__budget_take(tsr__budget *budget, uint64_t bytes) {
  const uint64_t all = bytes < UINT64_MAX - budget->taken ? budget->taken + bytes : UINT64_MAX;
  const tsr_status st =
      tsr__limit_check(&budget->call, TSR__LIMIT_TOTAL, "its tensors take", "bytes", all, budget->most);
  if (st == TSR_OK) budget->taken = all;
  return st;
}
