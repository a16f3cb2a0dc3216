/* Keys: unsigned integers of an element's size whose order is the order of the values. One sort for each size then
 * serves every dtype, ascending and descending.
 *
 * All NaN have the greatest key, in both orders; -0 and 0 have the same. Every other value has one of its own,
 * and comes back from it. */
#ifndef TSR_OPS_SORT_KEYS_H
#define TSR_OPS_SORT_KEYS_H

#include "core/dtype/wide.h"
#include "cpu/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <tessera/context.h>
#include <tessera/tensor.h>

typedef uint8_t tsr__key8;
typedef uint16_t TSR__MAY_ALIAS tsr__key16;
typedef uint32_t TSR__MAY_ALIAS tsr__key32;
typedef uint64_t TSR__MAY_ALIAS tsr__key64;

/* Rows that several threads share: how long they are at least, and what is worth a thread. */
enum { TSR__SHARED_LEAST = 65536, TSR__SHARED_GRAIN = 16384 };

/* How a dtype becomes keys. */
typedef struct tsr__keys {
  int bytes; /* of an element and of a key: 1, 2, 4, 8 */
  bool floats;
  uint64_t flip;  /* bits to turn, after all others: the sign of integers, everything where the order is descending */
  uint64_t limit; /* floats: the greatest magnitude that is not NaN, as bits */
#if TSR_HAVE_MALLOC
  int isa;
  bool shared; /* the threads of ctx share the work on a row */
  const tsr_ctx *ctx;
#endif
} tsr__keys;

tsr__keys tsr__keys_of_dtype(int dtype, bool descending);
static inline tsr__keys tsr__keys_of(const tsr_ctx *ctx, int dtype, bool descending) {
#if TSR_HAVE_MALLOC
  tsr__keys k = tsr__keys_of_dtype(dtype, descending);
  k.isa = tsr__isa_of(ctx);
  return k;
#else
  (void)ctx;
  return tsr__keys_of_dtype(dtype, descending);
#endif
}

/* Whether rows of so many keys, of which there are so many, are worth the work of several threads each: then k says so. */
#if TSR_HAVE_MALLOC
bool tsr__keys_share(tsr__keys *k, const tsr_ctx *ctx, tsr_index rows, tsr_index length);
#endif

/* n elements, step bytes apart, as contiguous keys. Whether there is a -0 or a NaN among them, whose bits the keys do
 * not tell. */
bool tsr__keys_fetch(const tsr__keys *k, tsr_index n, const char *src, ptrdiff_t step, void *keys);

/* The elements of n keys; values may be keys. */
void tsr__keys_values(const tsr__keys *k, tsr_index n, const void *keys, void *values);

/* One element as a key. */
uint64_t tsr__key_of(const tsr__keys *k, const void *element);

/* Where zeros and NaN are among n sorted keys. */
typedef struct tsr__keys_runs {
  tsr_index zeros, after_zeros, nans;
} tsr__keys_runs;

/* The zeros and NaN of the n elements at src, in their order, as their bits: zeros at the front of room, which is for n
 * elements, NaN at its end. sorted: the keys of all elements. Says where they belong. */
tsr__keys_runs tsr__keys_collect(const tsr__keys *k, tsr_index n, const void *sorted, const char *src, ptrdiff_t step,
                                 void *room);

/* Number i of an array of keys. */
static inline uint64_t tsr__key_at(int bytes, const void *keys, tsr_index i) {
  switch (bytes) {
    case 1: return ((const tsr__key8 *)keys)[i];
    case 2: return ((const tsr__key16 *)keys)[i];
    case 4: return ((const tsr__key32 *)keys)[i];
    default: return ((const tsr__key64 *)keys)[i];
  }
}

#endif
