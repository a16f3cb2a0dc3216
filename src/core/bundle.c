/* Bundles: an array of tensors in order, and a tree of their names. */
#include "core/bundle.h"
#include "core/check.h"
#include "core/tensor.h"
#include <string.h>

/* ---- memory ---- */

static void *allocate(const tsr_bundle *bundle, size_t bytes, size_t align) {
  return bundle->allocator->alloc(bundle->allocator->self, bytes, align, TSR_HINT_DEFAULT);
}

static void give_back(const tsr_bundle *bundle, void *at, size_t bytes) {
  if (at != NULL) bundle->allocator->free(bundle->allocator->self, at, bytes);
}

/* The bundle made the copy and lends it as const. */
static void free_name(const tsr_bundle *bundle, const char *name) {
  give_back(bundle, (void *)(uintptr_t)name, strlen(name) + 1);
}

/* ---- growing ---- */

enum { FIRST_CAPACITY = 8 };

typedef struct room {
  tsr_tensor *tensors;
  tsr_index *tree;
  tsr_index capacity;
  size_t tensor_bytes, tree_bytes;
} room;

static bool measure(tsr_index count, room *wanted) {
  if (count == 0) {
    wanted->capacity = FIRST_CAPACITY;
  } else if (!tsr__mul_index(count, 2, &wanted->capacity)) {
    return false;
  }
  return tsr__mul_size((size_t)wanted->capacity, sizeof(tsr_tensor), &wanted->tensor_bytes) &&
         tsr__mul_size((size_t)wanted->capacity, TSR__BRANCH * sizeof(tsr_index), &wanted->tree_bytes);
}

static void free_room(tsr_bundle *bundle) {
  give_back(bundle, bundle->tensors, (size_t)bundle->capacity * sizeof *bundle->tensors);
  give_back(bundle, bundle->private_tree, (size_t)bundle->capacity * TSR__BRANCH * sizeof *bundle->private_tree);
}

static void move_into(tsr_bundle *bundle, const room *new_room) {
  if (bundle->count > 0) {
    memcpy(new_room->tensors, bundle->tensors, (size_t)bundle->count * sizeof *bundle->tensors);
    memcpy(new_room->tree, bundle->private_tree, (size_t)bundle->count * TSR__BRANCH * sizeof *bundle->private_tree);
  }
  free_room(bundle);
  bundle->tensors = new_room->tensors;
  bundle->private_tree = new_room->tree;
  bundle->capacity = new_room->capacity;
}

static tsr_status make_room(tsr_ctx *ctx, const char *op, tsr_bundle *bundle) {
  if (bundle->count < bundle->capacity) return TSR_OK;
  room wanted;
  if (!measure(bundle->capacity, &wanted)) {
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "bundle", "of %l tensors cannot grow", (int64_t)bundle->count);
  }
  wanted.tensors = allocate(bundle, wanted.tensor_bytes, _Alignof(tsr_tensor));
  wanted.tree = wanted.tensors == NULL ? NULL : allocate(bundle, wanted.tree_bytes, _Alignof(tsr_index));
  if (wanted.tree == NULL) {
    give_back(bundle, wanted.tensors, wanted.tensor_bytes);
    return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for a bundle of %l tensors", (int64_t)wanted.capacity);
  }
  move_into(bundle, &wanted);
  return TSR_OK;
}

static char *copy_name(const tsr_bundle *bundle, const char *name) {
  const size_t bytes = strlen(name) + 1;
  char *const copy = allocate(bundle, bytes, 1);
  if (copy != NULL) memcpy(copy, name, bytes);
  return copy;
}

/* ---- public ---- */

tsr_status tsr_bundle_init(tsr_ctx *ctx, tsr_bundle *bundle) {
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, "bundle_init", "bundle", "is NULL");
  *bundle = (tsr_bundle){.allocator = tsr__allocator(ctx)};
  return TSR_OK;
}

static tsr_status check_named(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *name) {
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  return TSR_OK;
}

static tsr_status check_addition(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *name,
                                 const tsr_tensor *t) {
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "t", "is NULL");
  if (tsr_is_none(t)) return TSR__FAIL(ctx, TSR_ESTATE, op, "t", "is empty: describe it first");
  if (tsr__names_find(bundle, name) >= 0)
    return TSR__FAIL(ctx, TSR_ENAME, op, "name", "%s is in the bundle already", name);
  return TSR_OK;
}

tsr_status tsr_bundle_add(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, tsr_tensor *t) {
  static const char op[] = "bundle_add";
  tsr_status st = check_addition(ctx, op, bundle, name, t);
  if (st != TSR_OK) return st;
  if (bundle->allocator == NULL) bundle->allocator = tsr__allocator(ctx); /* a bundle that is {0} */
  st = make_room(ctx, op, bundle);
  if (st != TSR_OK) return st;
  char *const copy = copy_name(bundle, name);
  if (copy == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, "name", "of %z bytes: no memory", strlen(name));
  tsr__names_add(bundle, copy);
  tsr_tensor *const added = &bundle->tensors[bundle->count++];
  *added = tsr_move(t);
  added->name = copy;
  if (added->data == NULL) tsr__default_strides(added); /* a description made by hand may have none */
  return TSR_OK;
}

const tsr_tensor *tsr_bundle_find(const tsr_bundle *bundle, const char *name) {
  if (bundle == NULL || name == NULL) return NULL;
  const tsr_index position = tsr__names_find(bundle, name);
  return position < 0 ? NULL : &bundle->tensors[position];
}

static tsr_status unknown_name(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *name) {
  const char *const suggested = tsr__bundle_suggest(bundle, name);
  if (suggested != NULL) {
    return TSR__FAIL(ctx, TSR_ENAME, op, "name", "%s is not in the bundle; the nearest is %s", name, suggested);
  }
  return TSR__FAIL(ctx, TSR_ENAME, op, "name", "%s is not among the bundle's %l names, nor is one like it", name,
                   (int64_t)bundle->count);
}

tsr_status tsr_bundle_get(tsr_ctx *ctx, const tsr_bundle *bundle, const char *name, const tsr_tensor **out) {
  static const char op[] = "bundle_get";
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_tensor *const found = tsr_bundle_find(bundle, name);
  if (found == NULL) return unknown_name(ctx, op, bundle, name);
  *out = found;
  return TSR_OK;
}

tsr_status tsr_bundle_reallocate(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, int ndim, const tsr_index *shape) {
  static const char op[] = "bundle_reallocate";
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  const tsr_index position = tsr__names_find(bundle, name);
  return position >= 0 ? tsr_reallocate(ctx, &bundle->tensors[position], ndim, shape)
                       : unknown_name(ctx, op, bundle, name);
}

tsr_status tsr_bundle_take(tsr_ctx *ctx, tsr_bundle *bundle, const char *name, tsr_tensor *out) {
  static const char op[] = "bundle_take";
  const tsr_status st = check_named(ctx, op, bundle, name);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if ((out->flags & TSR_OWNS) != 0) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds a count: release it first");
  const tsr_index position = tsr__names_find(bundle, name);
  if (position < 0) return unknown_name(ctx, op, bundle, name);
  tsr_tensor *const taken = &bundle->tensors[position];
  tsr__names_remove(bundle, position);
  free_name(bundle, taken->name);
  *out = tsr_move(taken);
  out->name = NULL;
  bundle->count--;
  memmove(taken, taken + 1, (size_t)(bundle->count - position) * sizeof *taken);
  return TSR_OK;
}

void tsr_bundle_release(tsr_bundle *bundle) {
  if (bundle == NULL) return;
  for (tsr_index i = bundle->count - 1; i >= 0; i--) { /* the newest first, as an arena likes it */
    free_name(bundle, bundle->tensors[i].name);
    tsr_release(&bundle->tensors[i]);
  }
  if (bundle->capacity > 0) free_room(bundle);
  *bundle = (tsr_bundle){.allocator = bundle->allocator};
}
