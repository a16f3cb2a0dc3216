/* A dictionary that grows: each text once, with the number that it came as. */
#ifndef TSR_IO_TABLE_STRINGS_H
#define TSR_IO_TABLE_STRINGS_H

#include "io/bytes/product.h"
#include "io/table/table.h"

#if TSR_HAVE_STDIO

#include <string.h>

typedef struct tsr__strings {
  const tsr_allocator *allocator;
  tsr_index count;
  uint64_t seed;      /* another one in each process: nobody can choose texts that meet */
  uint64_t bytes;     /* of memory, for a budget */
  size_t slots;       /* a power of two */
  tsr__room slot;     /* u32: a number + 1; 0: free */
  tsr__room pointer;  /* const char *, in order */
  tsr__room item;     /* their lengths and hashes */
  tsr__room page;     /* tsr__room, in which the characters are */
  size_t pages, left; /* left: bytes of the last page */
} tsr__strings;

void tsr__strings_start(tsr__strings *s, const tsr_allocator *allocator);
void tsr__strings_end(tsr__strings *s);

/* The number of a text: a new one when it is not there yet. TSR_ENOMEM, TSR_ELIMIT past what an i32 counts. */
tsr_status tsr__strings_add(tsr_ctx *ctx, const char *op, tsr__strings *s, const char *text, size_t length,
                            int32_t *number);

static inline const char *const *tsr__strings_list(const tsr__strings *s) { return s->pointer.at; }

static inline uint64_t tsr__hash_mix(uint64_t a, uint64_t b) {
  const tsr__wide_product product = tsr__multiply_wide(a, b);
  return product.low ^ product.high;
}

/* Of n bytes, with a seed that whoever wrote them does not know. */
static inline uint64_t tsr__hash(const char *at, size_t n, uint64_t seed) {
  static const uint64_t odd = 0x9e3779b97f4a7c15u, other = 0xd6e8feb86659fd93u;
  uint64_t hash = seed ^ (n * odd), word = 0;
  for (; n >= 8; n -= 8, at += 8) {
    memcpy(&word, at, 8);
    hash = tsr__hash_mix(hash ^ word, seed | odd);
  }
  word = 0;
  for (size_t i = 0; i < n; i++) word = word << 8 | (uint8_t)at[i];
  return tsr__hash_mix(hash ^ word ^ other, seed | odd);
}

#endif

#endif
