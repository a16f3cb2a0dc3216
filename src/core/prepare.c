#include "core/prepare.h"

#include <string.h>

/* A kept call; its plan follows. */
typedef struct kept {
  tsr__planned_fn *run;
  size_t bytes; /* to the next one */
} kept;

enum { ALIGN = TSR_HAVE_MALLOC ? 16 : 8 };

static tsr_status refuse(const tsr__call *call, const char *why) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "cannot be prepared: %s", why);
}

static tsr_status keep(tsr__call *call, tsr__planned_fn *run, const void *plan, size_t bytes) {
  tsr_prepared *const p = call->ctx->prepared;
  const kept head = {run, tsr__align_up(tsr__align_up(sizeof head, ALIGN) + bytes, ALIGN)};
  if (call->scratches > 0 && call->ctx->scratch == NULL)
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "scratch", "is not the context's: tsr_context_set_scratch");
  if (head.bytes > p->bytes - p->used)
    return TSR__FAIL(call->ctx, TSR_ENOMEM, call->op, "prepared", "has %z bytes left, the call needs %z",
                     p->bytes - p->used, head.bytes);
  unsigned char *const at = p->memory + p->used;
  memcpy(at, &head, sizeof head);
  memcpy(at + tsr__align_up(sizeof head, ALIGN), plan, bytes);
  p->used += head.bytes;
  return TSR_OK;
}

tsr_status tsr_prepared_init(void *memory, size_t bytes, tsr_prepared *prepared) {
  static const struct tsr_prepared_table table = {keep, refuse};
  if (prepared == NULL || memory == NULL) return TSR_EARG;
  const size_t skip = (size_t) - (uintptr_t)memory & (ALIGN - 1);
  *prepared = (tsr_prepared){(unsigned char *)memory + skip, bytes > skip ? bytes - skip : 0, 0, &table};
  return TSR_OK;
}

tsr_status tsr_prepared_begin(tsr_ctx *ctx, tsr_prepared *prepared) {
  if (ctx == NULL || prepared == NULL || prepared->table == NULL)
    return TSR__FAIL(ctx, TSR_EARG, "prepared_begin", ctx == NULL ? "ctx" : "prepared", "is NULL or empty");
  if (ctx->prepared != NULL) return TSR__FAIL(ctx, TSR_ESTATE, "prepared_begin", "ctx", "prepares already");
  ctx->prepared = prepared;
  tsr__context_modes(ctx);
  return TSR_OK;
}

tsr_status tsr_prepared_end(tsr_ctx *ctx, tsr_prepared *prepared) {
  if (ctx == NULL || prepared == NULL || ctx->prepared != prepared)
    return TSR__FAIL(ctx, TSR_ESTATE, "prepared_end", "ctx", "does not prepare these");
  ctx->prepared = NULL;
  tsr__context_modes(ctx);
  return TSR_OK;
}

tsr_status tsr_prepared_run(const tsr_ctx *ctx, const tsr_prepared *prepared) {
  if (prepared == NULL || prepared->table == NULL) return TSR_EARG;
  const unsigned char *at = prepared->memory, *const end = at + prepared->used;
  while (at != end) {
    const kept *const call = (const kept *)(const void *)at;
    call->run(ctx, at + (sizeof *call + ALIGN - 1) / ALIGN * ALIGN);
    at += call->bytes;
  }
  return TSR_OK;
}
