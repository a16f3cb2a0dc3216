/* A struct of zeros. By words where memset goes byte by byte, and in the smallest programs, which would hold it for nothing else. */
#ifndef TSR_CORE_CLEAR_H
#define TSR_CORE_CLEAR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tessera/config.h>

/* bytes: of a struct with pointers or words, which has whole ones. */
static inline void tsr__clear(void *at, size_t bytes) {
#if !TSR_HAVE_MALLOC && (defined(__riscv) || (defined(TSR_PACKED_CALLS) && TSR_PACKED_CALLS))
  typedef uint32_t __attribute__((may_alias)) word;
  word *w = at;
  for (word *const end = w + bytes / sizeof *w; w != end; w++) *w = 0;
#else
  memset(at, 0, bytes);
#endif
}

#endif
