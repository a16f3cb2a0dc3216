#include "ops/sort/radix.h"

#include <string.h>

#define FN(name) name##_u8
#define E tsr__key8
#define KEY(e) (e)
#define DIGITS_MOST 1
#include "ops/sort/radix.tmpl.h"
#define FN(name) name##_u16
#define E tsr__key16
#define KEY(e) (e)
#define DIGITS_MOST 2
#include "ops/sort/radix.tmpl.h"
#define FN(name) name##_u32
#define E tsr__key32
#define KEY(e) (e)
#define DIGITS_MOST 4
#include "ops/sort/radix.tmpl.h"
#define FN(name) name##_u64 /* keys of 8 bytes, and narrow pairs */
#define E tsr__key64
#define KEY(e) (e)
#define DIGITS_MOST 8
#include "ops/sort/radix.tmpl.h"
#define FN(name) name##_pair
#define E tsr__pair
#define KEY(e) ((e).key)
#define DIGITS_MOST 8
#include "ops/sort/radix.tmpl.h"

void *tsr__sort_keys(const tsr__keys *k, tsr_index n, void *a, void *b, size_t *counts) {
#if TSR_HAVE_MALLOC
  if (tsr__vector_sort(k, k->bytes, n, a, b, counts)) return a;
#endif
  switch (k->bytes) {
    case 1: return sort_u8(n, a, b, 0, 1, counts);
    case 2: return sort_u16(n, a, b, 0, 2, counts);
    case 4: return sort_u32(n, a, b, 0, 4, counts);
    default: return sort_u64(n, a, b, 0, 8, counts);
  }
}

/* Narrow pairs differ in their indices, which grow in a row that is not sorted yet: comparing whole pairs is stable. */
void *tsr__sort_pairs(const tsr__keys *k, bool wide, tsr_index n, void *a, void *b, size_t *counts) {
#if TSR_HAVE_MALLOC
  if (!wide && tsr__vector_sort(k, (int)sizeof(uint64_t), n, a, b, counts)) return a;
#endif
  return wide ? (void *)sort_pair(n, a, b, 0, k->bytes, counts) : (void *)sort_u64(n, a, b, 32, k->bytes, counts);
}

#if TSR_HAVE_MALLOC
void *tsr__radix_digit(int bytes, tsr_index n, void *a, void *b, int digit) {
  size_t counts[256];
  return bytes == 4 ? (void *)sort_u32(n, a, b, 8 * digit, 1, counts) : (void *)sort_u64(n, a, b, 8 * digit, 1, counts);
}
#endif

void tsr__pairs_make(int bytes, bool wide, tsr_index n, const void *keys, const tsr_index *index, void *pairs) {
  for (tsr_index i = 0; i < n; i++) {
    const uint64_t key = tsr__key_at(bytes, keys, i), at = (uint64_t)(index != NULL ? index[i] : i);
    if (wide)
      ((tsr__pair *)pairs)[i] = (tsr__pair){key, at};
    else
      ((tsr__key64 *)pairs)[i] = key << 32 | at;
  }
}
