/* Written by plan_table: where each tensor begins in one block of 6144 bytes; unshared they take 7464. */
#include <stdint.h>

enum {
  DIGITS_PLAN_IMAGE,
  DIGITS_PLAN_CONV1,
  DIGITS_PLAN_CONV2,
  DIGITS_PLAN_POOLED,
  DIGITS_PLAN_SCORES,
  DIGITS_PLAN_COUNT,
  DIGITS_PLAN_BYTES = 6144
};

static const uint32_t digits_plan[] = {
  0, /* image, 256 bytes */
  4096, /* conv1, 2048 bytes */
  0, /* conv2, 4096 bytes */
  4096, /* pooled, 1024 bytes */
  0, /* scores, 40 bytes */
};
