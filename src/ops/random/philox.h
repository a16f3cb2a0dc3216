/* Philox4x32-10: ten rounds of two multiplications, which turn a counter of 128 bits and a key of 64 into 128 random
 * bits. */
#ifndef TSR_OPS_RANDOM_PHILOX_H
#define TSR_OPS_RANDOM_PHILOX_H

#include <stdint.h>

typedef struct tsr__philox {
  uint32_t word[4];
} tsr__philox;

/* The key changes from round to round: by the golden ratio and √3 - 1, so that no two rounds have one. */
#define TSR__PHILOX_ROUNDS 10
#define TSR__PHILOX_KEY0 0x9E3779B9u
#define TSR__PHILOX_KEY1 0xBB67AE85u

static inline tsr__philox tsr__philox_round(tsr__philox x, uint32_t key0, uint32_t key1) {
  const uint64_t even = (uint64_t)0xD2511F53u * x.word[0], odd = (uint64_t)0xCD9E8D57u * x.word[2];
  return (tsr__philox){{(uint32_t)(odd >> 32) ^ x.word[1] ^ key0, (uint32_t)odd,
                        (uint32_t)(even >> 32) ^ x.word[3] ^ key1, (uint32_t)even}};
}

static inline tsr__philox tsr__philox_block(tsr__philox counter, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < TSR__PHILOX_ROUNDS; round++) {
    counter = tsr__philox_round(counter, key0, key1);
    key0 += TSR__PHILOX_KEY0;
    key1 += TSR__PHILOX_KEY1;
  }
  return counter;
}

#endif
