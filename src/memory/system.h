/* The system's memory, split so that small blocks cost a malloc and no second call. */
#ifndef TSR_MEMORY_SYSTEM_H
#define TSR_MEMORY_SYSTEM_H

#include <stdint.h>
#include <stdlib.h>
#include <tessera/memory.h>

/* AddressSanitizer and MemorySanitizer see what malloc hands out; everything else hides mistakes from them: pages that are
 * mapped count as written, and a block that was kept has what its last owner wrote. */
#if defined(__SANITIZE_ADDRESS__)
#define TSR__WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define TSR__WATCHED 1
#endif
#endif
#ifndef TSR__WATCHED
#define TSR__WATCHED 0
#endif

/* Blocks of this many bytes and more are worth mapping and keeping; a free knows its way from the bytes alone. */
#define TSR__LARGE_BYTES ((size_t)64 * 1024)

#if TSR_HAVE_MALLOC

#if TSR__WATCHED
void *tsr__small_alloc(size_t bytes, size_t align);
void tsr__small_free(void *ptr);
#else
/* bytes + align must not wrap. The block starts 1 … room bytes into what malloc gave. malloc's alignment and room are
 * both multiples of a pointer's size, so the distance is one too: the pointer to free always fits before the block, and
 * room bytes more than asked for are enough. */
static inline void *tsr__small_alloc(size_t bytes, size_t align) {
  const size_t room = align < sizeof(void *) ? sizeof(void *) : align;
  char *const raw = malloc(bytes + room);
  if (raw == NULL) return NULL;
  void **const block = (void **)(void *)(raw + (room - ((uintptr_t)raw & (room - 1))));
  block[-1] = raw;
  return block;
}

static inline void tsr__small_free(void *ptr) { free(((void **)ptr)[-1]); }
#endif

#endif

#endif
