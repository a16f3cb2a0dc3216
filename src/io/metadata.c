/* Strings by key. */
#include "io/metadata.h"

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

static bool make_room(tsr_metadata *m) {
  if (m->count < m->capacity) return true;
  tsr_index capacity = FIRST_CAPACITY;
  size_t bytes;
  if (m->capacity > 0 && !tsr__mul_index(m->capacity, 2, &capacity)) return false;
  if (!tsr__mul_size((size_t)capacity, sizeof *m->pairs, &bytes)) return false;
  tsr_metadata_pair *pairs = allocate(m, bytes, _Alignof(tsr_metadata_pair));
  if (pairs == NULL) return false;
  if (m->count > 0) memcpy(pairs, m->pairs, (size_t)m->count * sizeof *pairs);
  give_back(m, m->pairs, (size_t)m->capacity * sizeof *pairs);
  m->pairs = pairs;
  m->capacity = capacity;
  return true;
}

/* ---- inside ---- */

bool tsr__metadata_append(tsr_ctx *ctx, tsr_metadata *m, const char *key, const char *value) {
  if (m->allocator == NULL) m->allocator = tsr__allocator(ctx);
  if (!make_room(m) || !make_pair(m, key, value, &m->pairs[m->count])) return false;
  m->count++;
  return true;
}

/* ---- public ---- */

static tsr_metadata_pair *pair_of(const tsr_metadata *m, const char *key) {
  for (tsr_index i = 0; i < m->count; i++)
    if (strcmp(m->pairs[i].key, key) == 0) return &m->pairs[i];
  return NULL;
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
  give_back(metadata, metadata->pairs, (size_t)metadata->capacity * sizeof *metadata->pairs);
  *metadata = (tsr_metadata){.allocator = metadata->allocator};
}
