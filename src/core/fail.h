/* How a function fails: one macro, so that text can be configured away. */
#ifndef TSR_CORE_FAIL_H
#define TSR_CORE_FAIL_H

#include <tessera/context.h>

/* Functions that are called when something is wrong: the way to them is laid out of the way of what is right. */
#define TSR__COLD __attribute__((cold, noinline))

/* Records status, op (the function's name without tsr_), arg (an argument's name or NULL) and a message, and returns the
 * status: `return TSR__FAIL(ctx, TSR_EAXIS, op, "axis", "%d is out of range for rank %d", axis, ndim);`. The text begins
 * "op: arg ". Directives: see core/text.h. */
#if TSR_HAVE_TEXT
#define TSR__FAIL(ctx, status, op, arg, ...) tsr__fail(ctx, status, op, arg, __VA_ARGS__)
#else
#define TSR__FAIL(ctx, status, op, arg, ...) \
  (0 ? tsr__fail(ctx, status, op, arg, __VA_ARGS__) : tsr__fail_plain(ctx, status))
#endif

TSR__COLD tsr_status tsr__fail(tsr_ctx *ctx, tsr_status status, const char *op, const char *arg, const char *format,
                               ...);
TSR__COLD tsr_status tsr__fail_plain(tsr_ctx *ctx, tsr_status status);

/* What a function that op is made of has recorded, as a failure of op, which the user called. Returns status. */
TSR__COLD tsr_status tsr__fail_as(tsr_ctx *ctx, tsr_status status, const char *op);

/* The context to use: ctx itself, or the calling thread's default one. Never NULL. */
tsr_ctx *tsr__ctx(tsr_ctx *ctx);

/* The allocator of a context. Never NULL. */
static inline const tsr_allocator *tsr__allocator(const tsr_ctx *ctx) {
  return ctx != NULL && ctx->allocator != NULL ? ctx->allocator : tsr_allocator_default();
}

#endif
