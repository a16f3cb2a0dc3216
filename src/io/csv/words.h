/* Text eight bytes at a time, the first one lowest. */
#ifndef TSR_IO_CSV_WORDS_H
#define TSR_IO_CSV_WORDS_H

#include "io/bytes/swap.h"

#include <stdint.h>
#include <string.h>

#define TSR__EACH(byte) (0x0101010101010101u * (uint64_t)(byte))

static inline uint64_t tsr__word_load(const char *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return TSR__LITTLE_HOST ? word : __builtin_bswap64(word);
}

/* Bits in the bytes that are zero; above the first of them, others may be marked too. */
static inline uint64_t tsr__word_zeros(uint64_t word) { return (word - TSR__EACH(1)) & ~word & TSR__EACH(0x80); }

/* Which byte the first bit is in. */
static inline int tsr__word_first(uint64_t bits) { return __builtin_ctzll(bits) >> 3; }

/* How many digits there are first; *word becomes their values. */
static inline int tsr__word_digits(uint64_t *word) {
  const uint64_t value = *word ^ TSR__EACH('0');
  const uint64_t other = (value | (value + TSR__EACH(6))) & TSR__EACH(0xf0);
  *word = value;
  return other == 0 ? 8 : tsr__word_first(other);
}

/* The number that the first n of eight digits make. */
static inline uint64_t tsr__word_number(uint64_t word, int n) {
  word = (word << (32 - 4 * n)) << (32 - 4 * n); /* zeros before them */
  word = (word * 10) + (word >> 8);
  word = (((word & 0x000000ff000000ffu) * 0x000f424000000064u) +
          (((word >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u)) >>
         32;
  return (uint32_t)word;
}

/* Exactly, also where bytes follow each other: no bit is borrowed. */
static inline int64_t tsr__word_count(const char *from, const char *to, char byte) {
  int64_t n = 0;
  for (; to - from >= 8; from += 8) {
    const uint64_t word = tsr__word_load(from) ^ TSR__EACH((uint8_t)byte);
    const uint64_t zero = ~(((word & TSR__EACH(0x7f)) + TSR__EACH(0x7f)) | word | TSR__EACH(0x7f));
    n += (int64_t)((zero >> 7) * TSR__EACH(1) >> 56);
  }
  for (; from < to; from++) n += *from == byte;
  return n;
}

#endif
