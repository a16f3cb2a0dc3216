/* Strings by key: an array of pairs in order, and behind it a tree of their keys. */
#include "io/call/metadata.h"

#include "core/bundle.h"

#include <stddef.h>
#include <string.h>

enum { FIRST_CAPACITY = 8 };

/* ---- memory ---- */

static void *allocate(const tsr_metadata *m, size_t bytes, size_t align) {
  return m->allocator->alloc(m->allocator->self, bytes, align, TSR_HINT_DEFAULT);
}

static void give_back(const tsr_metadata *m, void *at, size_t bytes) {
  if (at != NULL) m->allocator->free(m->allocator->self, at, bytes);
}

/* A key and its value are one block. */
static void free_pair(const tsr_metadata *m, const tsr_metadata_pair *pair) {
  give_back(m, (void *)(uintptr_t)pair->key, strlen(pair->key) + strlen(pair->value) + 2);
}

static bool make_pair(const tsr_metadata *m, const char *key, const char *value, tsr_metadata_pair *pair) {
  const size_t key_bytes = strlen(key) + 1, value_bytes = strlen(value) + 1;
  char *block = allocate(m, key_bytes + value_bytes, 1);
  if (block == NULL) return false;
  memcpy(block, key, key_bytes);
  memcpy(block + key_bytes, value, value_bytes);
  *pair = (tsr_metadata_pair){.key = block, .value = block + key_bytes};
  return true;
}

/* Pairs, and a branch for each; n keys need n - 1 branches, so that the last one has room for the root. */
enum { ROOM = sizeof(tsr_metadata_pair) + TSR__BRANCH * sizeof(tsr_index) };

static void give_room_back(const tsr_metadata *m) { give_back(m, m->pairs, (size_t)m->capacity * ROOM); }

static tsr_index *tree_of(const tsr_metadata *m) { return (tsr_index *)(void *)(m->pairs + m->capacity); }
static tsr_index *root_of(const tsr_metadata *m) { return tree_of(m) + (m->capacity - 1) * TSR__BRANCH; }

static tsr__names keys_of(const tsr_metadata *m) {
  return (tsr__names){.first = (const char *)(const void *)&m->pairs->key,
                      .step = sizeof *m->pairs,
                      .count = m->count,
                      .tree = tree_of(m),
                      .root = root_of(m)};
}

_Static_assert(_Alignof(tsr_metadata_pair) >= _Alignof(tsr_index) || sizeof(tsr_metadata_pair) % sizeof(tsr_index) == 0,
               "the tree lies behind the pairs");

static bool make_room(tsr_metadata *m) {
  tsr_metadata wide = *m;
  size_t bytes;
  if (m->count < m->capacity) return true;
  wide.capacity = FIRST_CAPACITY;
  if (m->capacity > 0 && !tsr__mul_index(m->capacity, 2, &wide.capacity)) return false;
  if (!tsr__mul_size((size_t)wide.capacity, ROOM, &bytes)) return false;
  wide.pairs = allocate(m, bytes, _Alignof(max_align_t));
  if (wide.pairs == NULL) return false;
  if (m->count > 0) {
    memcpy(wide.pairs, m->pairs, (size_t)m->count * sizeof *m->pairs);
    memcpy(tree_of(&wide), tree_of(m), (size_t)m->count * TSR__BRANCH * sizeof(tsr_index));
    *root_of(&wide) = *root_of(m);
    give_room_back(m);
  }
  *m = wide;
  return true;
}

/* ---- inside ---- */

bool tsr__metadata_append(tsr_ctx *ctx, tsr_metadata *m, const char *key, const char *value) {
  if (m->allocator == NULL) m->allocator = tsr__allocator(ctx);
  if (!make_room(m) || !make_pair(m, key, value, &m->pairs[m->count])) return false;
  const tsr__names keys = keys_of(m);
  (void)tsr__tree_add(&keys, key); /* looked for before */
  m->count++;
  return true;
}

/* ---- public ---- */

static tsr_metadata_pair *pair_of(const tsr_metadata *m, const char *key) {
  if (m->count == 0) return NULL;
  const tsr__names keys = keys_of(m);
  const tsr_index position = tsr__tree_find(&keys, key);
  return position >= 0 ? &m->pairs[position] : NULL;
}

tsr_status tsr_metadata_set(tsr_ctx *ctx, tsr_metadata *metadata, const char *key, const char *value) {
  static const char op[] = "metadata_set";
  tsr_metadata_pair made;
  if (metadata == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "metadata", "is NULL");
  if (key == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "key", "is NULL");
  if (value == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "value", "is NULL");
  tsr_metadata_pair *there = pair_of(metadata, key);
  if (there == NULL) {
    if (tsr__metadata_append(ctx, metadata, key, value)) return TSR_OK;
  } else if (make_pair(metadata, key, value, &made)) {
    free_pair(metadata, there);
    *there = made;
    return TSR_OK;
  }
  return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", strlen(key) + strlen(value) + 2);
}

const char *tsr_metadata_find(const tsr_metadata *metadata, const char *key) {
  if (metadata == NULL || key == NULL) return NULL;
  const tsr_metadata_pair *pair = pair_of(metadata, key);
  return pair != NULL ? pair->value : NULL;
}

void tsr_metadata_release(tsr_metadata *metadata) {
  if (metadata == NULL) return;
  for (tsr_index i = metadata->count - 1; i >= 0; i--) free_pair(metadata, &metadata->pairs[i]);
  if (metadata->capacity > 0) give_room_back(metadata);
  *metadata = (tsr_metadata){.allocator = metadata->allocator};
}
