/* Tables for machines that have no instruction to gather the lanes whose bits are set: for each mask of 8 bits the numbers
 * of these lanes, from the first on, four bits each. */
#ifndef TSR_CPU_VEC_COMPRESS_H
#define TSR_CPU_VEC_COMPRESS_H

#include <stdint.h>

/* C has no other constant functions. */
#define TSR__BIT_OF(m, i) ((uint32_t)(m) >> (i)&1u)
#define TSR__BITS_BELOW(m, i)                                                                      \
  (TSR__BIT_OF(m, 0) * ((i) > 0) + TSR__BIT_OF(m, 1) * ((i) > 1) + TSR__BIT_OF(m, 2) * ((i) > 2) + \
   TSR__BIT_OF(m, 3) * ((i) > 3) + TSR__BIT_OF(m, 4) * ((i) > 4) + TSR__BIT_OF(m, 5) * ((i) > 5) + \
   TSR__BIT_OF(m, 6) * ((i) > 6))
#define TSR__LANE_OF(m, i) (TSR__BIT_OF(m, i) * (uint32_t)(i) << 4 * TSR__BITS_BELOW(m, i))
#define TSR__LANES_OF(m)                                                                                   \
  TSR__LANE_OF(m, 1) | TSR__LANE_OF(m, 2) | TSR__LANE_OF(m, 3) | TSR__LANE_OF(m, 4) | TSR__LANE_OF(m, 5) | \
      TSR__LANE_OF(m, 6) | TSR__LANE_OF(m, 7)
#define TSR__LANES_OF_4(m) TSR__LANES_OF(m), TSR__LANES_OF((m) + 1), TSR__LANES_OF((m) + 2), TSR__LANES_OF((m) + 3)
#define TSR__LANES_OF_16(m) \
  TSR__LANES_OF_4(m), TSR__LANES_OF_4((m) + 4), TSR__LANES_OF_4((m) + 8), TSR__LANES_OF_4((m) + 12)
#define TSR__LANES_OF_64(m) \
  TSR__LANES_OF_16(m), TSR__LANES_OF_16((m) + 16), TSR__LANES_OF_16((m) + 32), TSR__LANES_OF_16((m) + 48)

static const uint32_t tsr__lanes_of[256] = {TSR__LANES_OF_64(0), TSR__LANES_OF_64(64), TSR__LANES_OF_64(128),
                                            TSR__LANES_OF_64(192)};

/* For each mask of 4 bits the halves of these lanes, a number each. */
static const _Alignas(32) uint32_t tsr__pairs_of[16][8] = {
    {0},
    {0, 1},
    {2, 3},
    {0, 1, 2, 3},
    {4, 5},
    {0, 1, 4, 5},
    {2, 3, 4, 5},
    {0, 1, 2, 3, 4, 5},
    {6, 7},
    {0, 1, 6, 7},
    {2, 3, 6, 7},
    {0, 1, 2, 3, 6, 7},
    {4, 5, 6, 7},
    {0, 1, 4, 5, 6, 7},
    {2, 3, 4, 5, 6, 7},
    {0, 1, 2, 3, 4, 5, 6, 7},
};

#endif
