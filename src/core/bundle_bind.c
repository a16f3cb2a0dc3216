/* Memory for a bundle: a slot of one block for each tensor. */
#include "core/check.h"
#include <tessera/bundle.h>

static const char op[] = "bundle_bind";

/* The bytes that a tensor spans; it is well formed and contiguous. */
static tsr__extent extent_of(const tsr_tensor *t) {
  tsr__extent extent = {0, 0};
  (void)tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent);
  return extent;
}

static tsr_status check_tensor(tsr_ctx *ctx, const tsr_tensor *t) {
  tsr_status st = tsr__check_dtype(ctx, op, "bundle", t->dtype);
  if (st == TSR_OK) st = tsr__check_shape(ctx, op, "bundle", t->ndim, t->shape, NULL);
  if (st != TSR_OK) return st;
  if (t->data != NULL || t->storage != NULL) {
    return TSR__FAIL(ctx, TSR_ESTATE, op, "bundle", "%s: %t has memory already", t->name, t);
  }
  if (!tsr_is_contiguous(t, TSR_MEMORY)) {
    return TSR__FAIL(ctx, TSR_ESTRIDE, op, "bundle", "%s: %t: its strides %S leave gaps or overlap", t->name, t,
                     (int)t->ndim, t->stride);
  }
  return TSR_OK;
}

static tsr_status check_slot(tsr_ctx *ctx, const tsr_tensor *t, const tsr_plan_item *item, size_t block_bytes) {
  const tsr__extent extent = extent_of(t);
  const size_t needed = (size_t)(extent.high - extent.low);
  if (needed > item->bytes) {
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "bundle", "%s: %t needs %z bytes, its slot has %z", t->name, t, needed,
                     item->bytes);
  }
  if (item->bytes > block_bytes || item->offset > block_bytes - item->bytes) {
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "bundle", "%s: %z bytes at %z leave the block of %z", t->name, item->bytes,
                     item->offset, block_bytes);
  }
  return TSR_OK;
}

static tsr_status check_arguments(tsr_ctx *ctx, const tsr_bundle *bundle, tsr_index n, const tsr_plan_item *items,
                                  size_t block_bytes, const tsr_storage *storage) {
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  if (n != bundle->count) {
    return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %l, the bundle has %l tensors", (int64_t)n, (int64_t)bundle->count);
  }
  if (n > 0 && items == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "items", "is NULL");
  if (storage != NULL && block_bytes > tsr_storage_bytes(storage)) {
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "block_bytes", "%z are more than the %z of the storage", block_bytes,
                     tsr_storage_bytes(storage));
  }
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < n && st == TSR_OK; i++) {
    st = check_tensor(ctx, &bundle->tensors[i]);
    if (st == TSR_OK) st = check_slot(ctx, &bundle->tensors[i], &items[i], block_bytes);
  }
  return st;
}

static tsr_status check_alignment(tsr_ctx *ctx, const tsr_tensor *t, const tsr_plan_item *item,
                                  const tsr_storage *block) {
  const size_t align = tsr_dtype_describe(t->dtype)->align;
  if (((uintptr_t)tsr_storage_data(block) + item->offset) % align == 0) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EALIGN, op, "bundle", "%s: %t at %z is not aligned to %z bytes", t->name, t, item->offset,
                   align);
}

/* Makes every slot before any tensor has data: until then a storage is only parked in it. */
static tsr_status park_slots(tsr_ctx *ctx, tsr_bundle *bundle, const tsr_plan_item *items, tsr_storage *block) {
  for (tsr_index i = 0; i < bundle->count; i++) {
    tsr_tensor *const t = &bundle->tensors[i];
    if (items[i].bytes == 0) continue;
    tsr_status st = check_alignment(ctx, t, &items[i], block);
    if (st == TSR_OK) st = tsr_storage_sub(ctx, block, items[i].offset, items[i].bytes, &t->storage);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

static void unpark_slots(tsr_bundle *bundle) {
  for (tsr_index i = 0; i < bundle->count; i++) {
    tsr_storage_release(bundle->tensors[i].storage);
    bundle->tensors[i].storage = NULL;
  }
}

static void hand_over_slots(tsr_bundle *bundle) {
  for (tsr_index i = 0; i < bundle->count; i++) {
    tsr_tensor *const t = &bundle->tensors[i];
    if (t->storage == NULL) continue;
    t->data = (uint8_t *)tsr_storage_data(t->storage) - extent_of(t).low;
    t->flags = (uint8_t)(t->flags | TSR_OWNS);
  }
}

static tsr_status bind_all(tsr_ctx *ctx, tsr_bundle *bundle, const tsr_plan_item *items, size_t block_bytes,
                           tsr_storage *storage) {
  tsr_storage *block = storage;
  tsr_status st = TSR_OK;
  if (storage == NULL) st = tsr_storage_new(ctx, NULL, block_bytes, TSR_HINT_DEFAULT, &block);
  if (st != TSR_OK) return st;
  st = park_slots(ctx, bundle, items, block);
  if (st == TSR_OK) {
    hand_over_slots(bundle);
  } else {
    unpark_slots(bundle);
  }
  if (storage == NULL) tsr_storage_release(block); /* the slots count it now */
  return st;
}

tsr_status tsr_bundle_bind(tsr_ctx *ctx, tsr_bundle *bundle, tsr_index n, const tsr_plan_item *items,
                           size_t block_bytes, tsr_storage *storage) {
  tsr_status st = check_arguments(ctx, bundle, n, items, block_bytes, storage);
  if (st != TSR_OK || n == 0) return st;
  /* Storage takes its memory from a context's allocator; here that is the bundle's. */
  tsr_ctx *const caller = tsr__ctx(ctx);
  const tsr_allocator *const allocator = caller->allocator;
  caller->allocator = bundle->allocator;
  st = bind_all(caller, bundle, items, block_bytes, storage);
  caller->allocator = allocator;
  return st;
}
