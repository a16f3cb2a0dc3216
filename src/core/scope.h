/* What belongs to an open scope. */
#ifndef TSR_CORE_SCOPE_H
#define TSR_CORE_SCOPE_H

#include <tessera/scope.h>
#include "core/check.h"

/* Meanwhile there is none: for what a call makes for itself. */
static inline struct tsr_scope *tsr__scope_pause(tsr_ctx *ctx) {
  struct tsr_scope *const scope = TSR_HAVE_OPS && ctx != NULL ? ctx->scope : NULL;
  if (scope != NULL) ctx->scope = NULL;
  return scope;
}
static inline void tsr__scope_resume(tsr_ctx *ctx, struct tsr_scope *scope) {
  if (scope != NULL) ctx->scope = scope;
}

#if TSR_HAVE_OPS

/* Room for so many more in the scope of ctx, if one is open: TSR_ENOMEM. */
tsr_status tsr__scope_reserve(tsr_ctx *ctx, const char *op, int more);

/* The storage that t owns goes to the scope of ctx, if one is open, which has room for it. */
void tsr__scope_take(const tsr_ctx *ctx, tsr_tensor *t);

#else

static inline tsr_status tsr__scope_reserve(tsr_ctx *ctx, const char *op, int more) {
  (void)ctx, (void)op, (void)more;
  return TSR_OK;
}
static inline void tsr__scope_take(const tsr_ctx *ctx, tsr_tensor *t) { (void)ctx, (void)t; }

#endif
#endif
