/* What a block costs: small ones against malloc alone, large ones with their first touch. Medians of rounds. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/memory.h>
#include <time.h>

enum { ROUNDS = 31 };

static double now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Keeps the compiler from pairing a malloc with its free and dropping both. */
static void *volatile seen;

static void *malloc_alloc(void *self, size_t bytes, size_t align, int hint) {
  (void)self;
  (void)align;
  (void)hint;
  return malloc(bytes);
}

static void malloc_free(void *self, void *ptr, size_t bytes) {
  (void)self;
  (void)bytes;
  free(ptr);
}

static void *aligned_alloc_alloc(void *self, size_t bytes, size_t align, int hint) {
  (void)self;
  (void)hint;
  return aligned_alloc(align, (bytes + align - 1) & ~(align - 1));
}

static double pairs_ns(const tsr_allocator *a, size_t bytes, int pairs, int touch) {
  const double start = now_ns();
  for (int i = 0; i < pairs; i++) {
    void *const block = a->alloc(a->self, bytes, 64, TSR_HINT_DEFAULT);
    if (block == NULL) exit(1);
    seen = block;
    if (touch) memset(block, i, bytes);
    a->free(a->self, seen, bytes);
  }
  return (now_ns() - start) / pairs;
}

typedef struct row {
  const char *name;
  const tsr_allocator *allocator;
} row;

/* Rounds run in turn, so that a slow moment of the machine hits all rows alike. */
static void compare(const char *title, const row *rows, int count, size_t bytes, int pairs, int touch) {
  static double times[8][ROUNDS];
  for (int r = 0; r < ROUNDS; r++) {
    for (int i = 0; i < count; i++) times[i][r] = pairs_ns(rows[i].allocator, bytes, pairs, touch);
  }
  printf("%s\n", title);
  for (int i = 0; i < count; i++) {
    qsort(times[i], ROUNDS, sizeof(double), by_size);
    printf("  %-16s %14.1f ns  (%.2f x malloc)\n", rows[i].name, times[i][ROUNDS / 2],
           times[i][ROUNDS / 2] / times[0][ROUNDS / 2]);
  }
}

int main(void) {
  static const tsr_allocator plain = {sizeof(tsr_allocator), malloc_alloc, malloc_free, NULL};
  static const tsr_allocator aligned = {sizeof(tsr_allocator), aligned_alloc_alloc, malloc_free, NULL};
  tsr_memory_pool *pool = NULL;
  if (tsr_memory_pool_new(NULL, (size_t)1 << 20, &pool) != TSR_OK) return 1;
  const row rows[] = {{"malloc", &plain},
                      {"aligned_alloc", &aligned},
                      {"system", tsr_allocator_system()},
                      {"default", tsr_allocator_default()},
                      {"pool", tsr_memory_pool_allocator(pool)}};
  const row large[] = {{"malloc", &plain}, {"system", tsr_allocator_system()}, {"default", tsr_allocator_default()}};
  compare("100 bytes, align 64: alloc and free", rows, 5, 100, 200000, 0);
  compare("64 KB: alloc and free", rows, 4, 65536, 5000, 0);
  compare("1 MB: alloc, memset, free", large, 3, (size_t)1 << 20, 40, 1);
  compare("64 MB: alloc, memset, free", large, 3, (size_t)64 << 20, 1, 1);
  (void)tsr_trim();
  return tsr_memory_pool_release(pool) == TSR_OK ? 0 : 1;
}
