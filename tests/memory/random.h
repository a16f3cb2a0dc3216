/* Random numbers for the tests of this folder: the same on every target. */
#ifndef TSR_TEST_RANDOM_H
#define TSR_TEST_RANDOM_H

#include <stdint.h>

/* xorshift32; *state is never 0. Returns 0 … below - 1. */
static inline uint32_t random_below(uint32_t *state, uint32_t below) {
  uint32_t x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  *state = x;
  return x % below;
}

#endif
