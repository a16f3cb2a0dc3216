/* Keys in the lanes of a vector: exchanges of lanes, for networks that sort, and the table that AVX2 gathers lanes
 * by. Included by vec.h where TSR__VEC_SORTS.
 *   _swap(v, d)          lane i is lane i ^ d: for d = 1, 2, 4, 8 a neighbour at that distance; for 3, 7, 15 groups of
 *                        4, 8, 16 lanes are reversed. d is a constant once it is inlined
 *   _order(a, b, bit)    the lesser of a and b in lanes without that bit, the greater in the others */
#ifndef TSR_CPU_VEC_ORDER_H
#define TSR_CPU_VEC_ORDER_H

#define TSR__SWAP_2(v, d) ((d) == 1 ? __builtin_shufflevector(v, v, 1, 0) : (v))
#define TSR__SWAP_4(v, d)                                 \
  ((d) == 1   ? __builtin_shufflevector(v, v, 1, 0, 3, 2) \
   : (d) == 2 ? __builtin_shufflevector(v, v, 2, 3, 0, 1) \
              : __builtin_shufflevector(v, v, 3, 2, 1, 0))
#define TSR__SWAP_8(v, d)                                             \
  ((d) == 1   ? __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6) \
   : (d) == 2 ? __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5) \
   : (d) == 3 ? __builtin_shufflevector(v, v, 3, 2, 1, 0, 7, 6, 5, 4) \
   : (d) == 4 ? __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3) \
              : __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0))
#define TSR__SWAP_16(v, d)                                                                          \
  ((d) == 1   ? __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14) \
   : (d) == 2 ? __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13) \
   : (d) == 3 ? __builtin_shufflevector(v, v, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12) \
   : (d) == 4 ? __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11) \
   : (d) == 7 ? __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8) \
   : (d) == 8 ? __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7) \
              : __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))

#if TSR__VEC_BYTES == 64
TSR__INLINE tsr__vu32 tsr__vu32_swap(tsr__vu32 v, int d) { return TSR__SWAP_16(v, d); }
TSR__INLINE tsr__vu64 tsr__vu64_swap(tsr__vu64 v, int d) { return TSR__SWAP_8(v, d); }
#elif TSR__VEC_BYTES == 32
TSR__INLINE tsr__vu32 tsr__vu32_swap(tsr__vu32 v, int d) { return TSR__SWAP_8(v, d); }
TSR__INLINE tsr__vu64 tsr__vu64_swap(tsr__vu64 v, int d) { return TSR__SWAP_4(v, d); }
#else
TSR__INLINE tsr__vu32 tsr__vu32_swap(tsr__vu32 v, int d) { return TSR__SWAP_4(v, d); }
TSR__INLINE tsr__vu64 tsr__vu64_swap(tsr__vu64 v, int d) { return TSR__SWAP_2(v, d); }
#endif

#ifndef TSR__OWN_ORDER
/* A lane's number has the bit, or not: the mask is a constant. */
#define TSR__VEC_ORDER(name, type)                                                                           \
  TSR__INLINE tsr__v##name tsr__v##name##_order(tsr__v##name a, tsr__v##name b, int bit) {                   \
    const tsr__v##name low = tsr__v##name##_min(a, b), high = tsr__v##name##_max(a, b);                      \
    tsr__v##name upper = {0};                                                                                \
    for (int i = 0; i < (int)(sizeof a / sizeof a[0]); i++) upper[i] = (i & bit) != 0 ? (type) ~(type)0 : 0; \
    return (upper & high) | (~upper & low);                                                                  \
  }
TSR__VEC_ORDER(u32, uint32_t)
TSR__VEC_ORDER(u64, uint64_t)
#undef TSR__VEC_ORDER
#endif

#endif
