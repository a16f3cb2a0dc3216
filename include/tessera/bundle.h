/** @file bundle.h
 *  Bundles: named, ordered tensors, each name once. */
#ifndef TESSERA_BUNDLE_H
#define TESSERA_BUNDLE_H

#include <tessera/plan.h>
#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Tensors by name and by position. Owns the names and the handles; lends tensors until the next change. `{0}` is an
 *  empty one: its memory comes from the allocator of the first context that adds to it. */
typedef struct tsr_bundle {
  tsr_tensor *tensors; /**< count of them, in order; read only */
  tsr_index count;
  tsr_index capacity;
  const tsr_allocator *allocator;
  tsr_index *private_tree; /**< the names */
  tsr_index private_root;
} tsr_bundle;

/** Makes an empty bundle that takes memory from the context's allocator; what it held is overwritten. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_init(tsr_ctx *ctx, tsr_bundle *bundle);

/** Takes *t over under a copy of name, which may be any text, "" too, and leaves *t empty. TSR_ENAME when the name is
 *  there already, TSR_ESTATE when *t is empty; when it fails, *t is untouched. A view of memory that someone else keeps
 *  stays one. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_add(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, tsr_tensor *t);

/** The tensor of that name; NULL when there is none. */
TSR_API const tsr_tensor *tsr_bundle_find(const tsr_bundle *bundle, const char *name);

/** The tensor of that name; TSR_ENAME, and the message lists the nearest name, when there is none. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_get(tsr_ctx *ctx, const tsr_bundle *bundle, const char *name,
                                               const tsr_tensor **out);

/** Hands the tensor of that name out of the bundle, which forgets it and keeps the order of the others. *out must hold
 *  no count; its name is NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_take(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, tsr_tensor *out);

/** Changes the shape of the tensor of that name in place, as tsr_reallocate does: within the slot of a bound tensor, never
 *  into its neighbour's. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_reallocate(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, int ndim,
                                                      const tsr_index *shape);

/** Gives every tensor of the bundle its slot of one block: tensor i lives at plan offset items[i].offset and may be
 *  resized up to items[i].bytes. n must be the bundle's count; each tensor must be without data (TSR_ESTATE), dense
 *  (TSR_ESTRIDE), and fit its slot (TSR_ECAPACITY), which must lie in the block. The block of block_bytes comes from
 *  storage (which is counted), or with NULL from the bundle's allocator. Lifetimes are not looked at: tsr_plan_check
 *  does that. Nothing is bound when it fails. */
TSR_API TSR_MUST_USE tsr_status tsr_bundle_bind(tsr_ctx *ctx, tsr_bundle *bundle, tsr_index n,
                                                const tsr_plan_item *items, size_t block_bytes, tsr_storage *storage);

/** Releases every tensor and name. */
TSR_API void tsr_bundle_release(tsr_bundle *bundle);

#ifdef __cplusplus
}
#endif

#endif
