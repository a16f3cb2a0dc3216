/* Integers below a bound, without bias. */
#include "ops/random/random.h"

/* The upper half of word·range is in [0, range); the first 2^32 % range products of each are one too many, and
 * thrown away. */
static uint64_t below_in_words(const tsr_rng *rng, uint64_t position, uint64_t range) {
  const uint32_t too_many = (uint32_t)((((uint64_t)1 << 32) - range) % range);
  for (uint32_t attempt = 0;; attempt++) {
    const tsr__philox block = tsr__random_block(rng, TSR__WORDS, attempt, position / 4);
    const uint64_t product = block.word[position % 4] * range;
    if ((uint32_t)product >= too_many) return product >> 32;
  }
}

/* As many bits as range has, until they are below it: twice on average, at most. */
static uint64_t below_in_pairs(const tsr_rng *rng, uint64_t position, uint64_t range) {
  const uint64_t mask = UINT64_MAX >> __builtin_clzll(range);
  for (uint32_t attempt = 0;; attempt++) {
    const tsr__philox block = tsr__random_block(rng, TSR__PAIRS, attempt, position / 2);
    const unsigned at = 2 * (unsigned)(position % 2);
    const uint64_t value = ((uint64_t)block.word[at + 1] << 32 | block.word[at]) & mask;
    if (value < range) return value;
  }
}

uint64_t tsr__random_below(const tsr_rng *rng, uint64_t position, uint64_t range) {
  return range >> 32 == 0 ? below_in_words(rng, position, range) : below_in_pairs(rng, position, range);
}
