/* The default allocator: the system's, with large blocks kept. Touching fresh memory costs several times the operation
 * that fills it, so a tensor of the same size as the last one should find its bytes touched already. */
#include "memory/bins.h"
#include "memory/system.h"
#include "memory/trim.h"

#if TSR_HAVE_MALLOC

static const size_t most_kept = (size_t)256 << 20;

static tsr__bins bins;

static size_t limit_by_environment(void) {
  const char *const setting = getenv("TSR_CACHE");
  const bool off = setting != NULL && setting[0] == '0' && setting[1] == '\0';
  return off || TSR__WATCHED ? 0 : most_kept;
}

static void start_bins(void) { (void)tsr__bins_init(&bins, tsr_allocator_system(), limit_by_environment()); }

#if TSR_HAVE_THREADS
static tsr__bins *the_bins(void) {
  static bool started;
  tsr__once(&started, start_bins);
  return &bins;
}
#else
static tsr__bins *the_bins(void) {
  if (bins.upstream == NULL) start_bins();
  return &bins;
}
#endif

static void *cache_alloc(void *self, size_t bytes, size_t align, int hint) {
  (void)self;
  (void)hint;
  return bytes < TSR__LARGE_BYTES ? tsr__small_alloc(bytes, align) : tsr__bins_alloc(the_bins(), bytes, align);
}

static void cache_free(void *self, void *ptr, size_t bytes) {
  (void)self;
  if (ptr == NULL) return;
  if (bytes < TSR__LARGE_BYTES) {
    tsr__small_free(ptr);
  } else {
    tsr__bins_free(the_bins(), ptr, bytes);
  }
}

const tsr_allocator *tsr_allocator_default(void) {
  static const tsr_allocator allocator = {sizeof(tsr_allocator), cache_alloc, cache_free, NULL};
  return &allocator;
}

static size_t (*trim_others)(void); /* atomic */

void tsr__trim_also(size_t (*trim)(void)) { __atomic_store_n(&trim_others, trim, __ATOMIC_RELEASE); }

size_t tsr_trim(void) {
  size_t (*const others)(void) = __atomic_load_n(&trim_others, __ATOMIC_ACQUIRE);
  const size_t bytes = others != NULL ? others() : 0;
  return bytes + tsr__bins_trim(the_bins(), 0);
}

tsr_memory_stats tsr_default_memory_stats(void) { return tsr__bins_stats(the_bins()); }

#else

const tsr_allocator *tsr_allocator_default(void) { return tsr_allocator_system(); }

size_t tsr_trim(void) { return 0; }

tsr_memory_stats tsr_default_memory_stats(void) { return (tsr_memory_stats){0}; }

#endif
