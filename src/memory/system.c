/* malloc aligned by hand (aligned_alloc costs several times as much), and mapped pages for large blocks. */
#define _DEFAULT_SOURCE /* mmap, madvise, posix_memalign */
#include "memory/system.h"

#if TSR_HAVE_MALLOC

#if defined(__linux__) && !TSR__WATCHED
#define USES_PAGES 1
#include <sys/mman.h>
#include <unistd.h>
#else
#define USES_PAGES 0
#endif

#if TSR__WATCHED
/* The exact size with nothing after it: a write one byte past a block is seen. */
void *tsr__small_alloc(size_t bytes, size_t align) {
  void *block = NULL;
  return posix_memalign(&block, align < sizeof(void *) ? sizeof(void *) : align, bytes) == 0 ? block : NULL;
}

void tsr__small_free(void *ptr) { free(ptr); }
#endif

#if USES_PAGES

static const size_t huge_page = (size_t)2 << 20;
static const size_t huge_from = (size_t)4 << 20; /* below, the bytes that the alignment skips are not worth it */

static size_t round_up(size_t bytes, size_t unit) { return (bytes + (unit - 1)) & ~(unit - 1); }

/* length bytes at a multiple of align: maps more, then gives back what lies before and after. */
static void *map_aligned(size_t length, size_t align, size_t page) {
  const size_t slack = align > page ? align - page : 0;
  char *const raw = mmap(NULL, length + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return NULL;
  const size_t before = (size_t)(-(uintptr_t)raw & (align - 1));
  if (before > 0) (void)munmap(raw, before);
  if (slack > before) (void)munmap(raw + before + length, slack - before);
  return raw + before;
}

static void *large_alloc(size_t bytes, size_t align) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const bool huge = bytes >= huge_from;
  size_t boundary = align > page ? align : page;
  if (huge && boundary < huge_page) boundary = huge_page;
  void *const block = map_aligned(round_up(bytes, page), boundary, page);
  if (block != NULL && huge) (void)madvise(block, bytes, MADV_HUGEPAGE); /* advice: no harm when it is not taken */
  return block;
}

static void large_free(void *ptr, size_t bytes) { (void)munmap(ptr, round_up(bytes, (size_t)sysconf(_SC_PAGESIZE))); }

#else

static void *large_alloc(size_t bytes, size_t align) { return tsr__small_alloc(bytes, align); }

static void large_free(void *ptr, size_t bytes) {
  (void)bytes;
  tsr__small_free(ptr);
}

#endif

/* Three quarters of the address space at most, so that no sum of the two wraps. */
static void *checked_large_alloc(size_t bytes, size_t align) {
  if (bytes > SIZE_MAX / 2 || align > SIZE_MAX / 4) return NULL;
  return large_alloc(bytes, align);
}

static void *system_alloc(void *self, size_t bytes, size_t align, int hint) {
  (void)self;
  (void)hint;
  return bytes < TSR__LARGE_BYTES ? tsr__small_alloc(bytes, align) : checked_large_alloc(bytes, align);
}

static void system_free(void *self, void *ptr, size_t bytes) {
  (void)self;
  if (ptr == NULL) return;
  if (bytes < TSR__LARGE_BYTES) {
    tsr__small_free(ptr);
  } else {
    large_free(ptr, bytes);
  }
}

#else

static void *system_alloc(void *self, size_t bytes, size_t align, int hint) {
  (void)self;
  (void)bytes;
  (void)align;
  (void)hint;
  return NULL;
}

static void system_free(void *self, void *ptr, size_t bytes) {
  (void)self;
  (void)ptr;
  (void)bytes;
}

#endif

const tsr_allocator *tsr_allocator_system(void) {
  static const tsr_allocator allocator = {sizeof(tsr_allocator), system_alloc, system_free, NULL};
  return &allocator;
}
