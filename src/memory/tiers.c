/* Tiers: a policy over several arenas, the fastest first. */
#include <tessera/memory.h>

static void *alloc_in(const tsr_tiers *tiers, int tier, size_t bytes, size_t align, int hint) {
  const tsr_allocator *const allocator = tiers->tier[tier];
  return allocator->alloc(allocator->self, bytes, align, hint);
}

/* From the last region backwards. */
static void *alloc_cold(const tsr_tiers *tiers, size_t bytes, size_t align, int hint) {
  void *block = NULL;
  for (int i = tiers->count - 1; block == NULL && i >= 0; i--) block = alloc_in(tiers, i, bytes, align, hint);
  return block;
}

/* From a region on, then round to those before it. */
static void *alloc_from(const tsr_tiers *tiers, int first, size_t bytes, size_t align, int hint) {
  void *block = NULL;
  for (int i = 0; block == NULL && i < tiers->count; i++) {
    block = alloc_in(tiers, (first + i) % tiers->count, bytes, align, hint);
  }
  return block;
}

static int default_tier(const tsr_tiers *tiers, size_t bytes) {
  return tiers->limit != 0 && bytes > tiers->limit && tiers->count > 1 ? 1 : 0;
}

static void *tiers_alloc(void *self, size_t bytes, size_t align, int hint) {
  const tsr_tiers *const tiers = self;
  const int choice = hint & TSR_HINT_MASK;
  if (choice >= TSR_HINT_TIER0) {
    const int tier = choice - TSR_HINT_TIER0;
    return tier < tiers->count ? alloc_in(tiers, tier, bytes, align, hint) : NULL;
  }
  if (choice == TSR_HINT_COLD) return alloc_cold(tiers, bytes, align, hint);
  return alloc_from(tiers, choice == TSR_HINT_HOT ? 0 : default_tier(tiers, bytes), bytes, align, hint);
}

static bool holds(const tsr_tiers *tiers, int tier, const void *ptr) {
  return (uintptr_t)ptr - (uintptr_t)tiers->base[tier] < tiers->bytes[tier];
}

static void tiers_free(void *self, void *ptr, size_t bytes) {
  const tsr_tiers *const tiers = self;
  for (int i = 0; i < tiers->count; i++) {
    if (holds(tiers, i, ptr)) {
      tiers->tier[i]->free(tiers->tier[i]->self, ptr, bytes);
      return;
    }
  }
}

/* Whether an arena shares a byte with one of the first count regions: a free could not tell whose a block is. */
static bool overlaps(const tsr_tiers *tiers, int count, const tsr_arena *arena) {
  for (int i = 0; i < count; i++) {
    const uintptr_t distance = (uintptr_t)arena->base - (uintptr_t)tiers->base[i];
    const bool both = arena->bytes > 0 && tiers->bytes[i] > 0;
    if (both && (distance < tiers->bytes[i] || -distance < arena->bytes)) return true;
  }
  return false;
}

tsr_status tsr_tiers_init(tsr_arena *const *arenas, int count, size_t limit, tsr_tiers *tiers) {
  if (tiers == NULL || arenas == NULL || count < 1 || count > TSR_MAX_TIERS) return TSR_EARG;
  tsr_tiers made = {
      .allocator = {sizeof(tsr_allocator), tiers_alloc, tiers_free, tiers}, .limit = limit, .count = count};
  for (int i = 0; i < count; i++) {
    if (arenas[i] == NULL || overlaps(&made, i, arenas[i])) return TSR_EARG;
    made.tier[i] = &arenas[i]->allocator;
    made.base[i] = arenas[i]->base;
    made.bytes[i] = arenas[i]->bytes;
  }
  *tiers = made;
  return TSR_OK;
}
