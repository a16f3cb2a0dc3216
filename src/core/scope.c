#include "core/scope.h"

#include "core/storage.h"

#include <string.h>

#if TSR_HAVE_OPS

struct tsr_scope {
  struct tsr_scope *around; /* NULL: none */
  const tsr_allocator *allocator;
  tsr_storage **list;
  size_t count, capacity;
};

enum { FIRST_CAPACITY = 16 };

static void set_scope(tsr_ctx *ctx, struct tsr_scope *scope) {
  ctx->scope = scope;
  tsr__context_modes(ctx);
}

tsr_status tsr_scope_begin(tsr_ctx *ctx) {
  static const char op[] = "scope_begin";
  if (ctx == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "ctx", "is NULL: the default context has no scopes");
  const tsr_allocator *const allocator = tsr__allocator(ctx);
  struct tsr_scope *const scope = allocator->alloc(allocator->self, sizeof *scope, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (scope == NULL) return tsr__no_memory(ctx, op, sizeof *scope);
  *scope = (struct tsr_scope){.around = ctx->scope, .allocator = allocator};
  set_scope(ctx, scope);
  return TSR_OK;
}

void tsr_scope_end(tsr_ctx *ctx) {
  struct tsr_scope *const scope = ctx != NULL ? ctx->scope : NULL;
  if (scope == NULL) return;
  set_scope(ctx, scope->around);
  while (scope->count > 0) tsr_storage_release(scope->list[--scope->count]);
  if (scope->list != NULL)
    scope->allocator->free(scope->allocator->self, scope->list, scope->capacity * sizeof *scope->list);
  scope->allocator->free(scope->allocator->self, scope, sizeof *scope);
}

static tsr_status reserve(tsr_ctx *ctx, const char *op, struct tsr_scope *scope, size_t more) {
  if (scope == NULL || scope->capacity - scope->count >= more) return TSR_OK;
  size_t capacity = scope->capacity > 0 ? 2 * scope->capacity : FIRST_CAPACITY;
  while (capacity - scope->count < more) capacity *= 2;
  const size_t bytes = capacity * sizeof *scope->list;
  tsr_storage **const list = scope->allocator->alloc(scope->allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (list == NULL) return tsr__no_memory(ctx, op, bytes);
  if (scope->count > 0) memcpy(list, scope->list, scope->count * sizeof *list);
  if (scope->list != NULL) scope->allocator->free(scope->allocator->self, scope->list, scope->capacity * sizeof *list);
  scope->list = list;
  scope->capacity = capacity;
  return TSR_OK;
}

tsr_status tsr__scope_reserve(tsr_ctx *ctx, const char *op, int more) {
  return ctx != NULL ? reserve(ctx, op, ctx->scope, (size_t)more) : TSR_OK;
}

void tsr__scope_take(const tsr_ctx *ctx, tsr_tensor *t) {
  struct tsr_scope *const scope = ctx != NULL ? ctx->scope : NULL;
  if (scope == NULL || (t->flags & TSR_OWNS) == 0 || t->storage == NULL) return;
  scope->list[scope->count++] = t->storage;
  t->flags &= (uint8_t)~TSR_OWNS;
}

/* The last one is the likeliest. */
static bool take_out(struct tsr_scope *scope, const tsr_storage *storage) {
  for (size_t i = scope->count; i-- > 0;)
    if (scope->list[i] == storage) {
      scope->list[i] = scope->list[--scope->count];
      return true;
    }
  return false;
}

tsr_status tsr_scope_keep(tsr_ctx *ctx, tsr_tensor *t) {
  static const char op[] = "scope_keep";
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "t", "is NULL");
  struct tsr_scope *const scope = ctx != NULL ? ctx->scope : NULL;
  if (scope == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "ctx", "has no open scope");
  const tsr_status st = reserve(ctx, op, scope->around, 1);
  if (st != TSR_OK) return st;
  if (t->dtype != TSR_NONE && t->storage == NULL && t->data == NULL) return TSR_OK; /* it has no elements */
  if (t->storage == NULL || !take_out(scope, t->storage))
    return TSR__FAIL(ctx, TSR_EARG, op, "t", "is no tensor that was made in the innermost scope");
  if (scope->around != NULL)
    scope->around->list[scope->around->count++] = t->storage;
  else
    t->flags |= TSR_OWNS;
  return TSR_OK;
}

#endif
