/* Sorting keys in vectors; compiled once per instruction set. */
#include "ops/sort/vector.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"

#define TEMPLATE "ops/sort/fetch.tmpl.h"
#include "ops/sort/each_key.h"

const tsr__key_rows TSR__ISA_NAME(tsr__key_rows) = {{fetch_u8, fetch_u16, fetch_u32, fetch_u64},
                                                    {values_u8, values_u16, values_u32, values_u64}};

/* ---- keys with their indices ---- */

#define MAKE_PAIRS(U, name)                                                                   \
  static void name(tsr_index n, const void *keys, tsr_index first, void *pairs) {             \
    const U *const key = keys;                                                                \
    tsr__key64 *const to = pairs;                                                             \
    for (tsr_index i = 0; i < n; i++) to[i] = (uint64_t)key[i] << 32 | (uint64_t)(first + i); \
  }
MAKE_PAIRS(tsr__key8, make_pairs_u8)
MAKE_PAIRS(tsr__key16, make_pairs_u16)
MAKE_PAIRS(tsr__key32, make_pairs_u32)
#undef MAKE_PAIRS

static void indices_of(tsr_index n, const void *pairs, tsr_index *index) {
  const tsr__key64 *const pair = pairs;
  for (tsr_index i = 0; i < n; i++) index[i] = (tsr_index)(pair[i] & UINT32_MAX);
}

const tsr__pair_rows TSR__ISA_NAME(tsr__pair_rows) = {{make_pairs_u8, make_pairs_u16, make_pairs_u32}, indices_of};

/* ---- vectors ---- */

#if TSR__VEC_SORTS
/* Registers for a matrix of keys, and as many again to work in. */
#if TSR__VEC_REGISTERS == 32
#define ROWS_MOST 16
#else
#define ROWS_MOST 8
#endif

#define FN(name) name##_u32
#define U tsr__key32
#define V tsr__vu32
#define VEC(name) tsr__vu32##name
#define SIGNED(name) tsr__vi32##name
#define LANES (TSR__VEC_BYTES / 4)
#define ALL_LANES ((unsigned)((UINT64_C(1) << LANES) - 1))
#define ZIP_LOW TSR__VEC4_ZIP_LOW
#define ZIP_HIGH TSR__VEC4_ZIP_HIGH
#include "ops/sort/network.tmpl.h"
#undef FN
#undef U
#undef V
#undef VEC
#undef SIGNED
#undef LANES
#undef ZIP_LOW
#undef ZIP_HIGH
#define FN(name) name##_u64
#define U tsr__key64
#define V tsr__vu64
#define VEC(name) tsr__vu64##name
#define SIGNED(name) tsr__vi64##name
#define LANES (TSR__VEC_BYTES / 8)
#define ZIP_LOW TSR__VEC8_ZIP_LOW
#define ZIP_HIGH TSR__VEC8_ZIP_HIGH
#include "ops/sort/network.tmpl.h"

enum { MOST = ROWS_MOST * TSR__VEC_BYTES, ROW_MOST = 8 * TSR__VEC_BYTES };
const tsr__sorters TSR__ISA_NAME(tsr__sorters) = {
    {MOST / 4, small_u32, split_u32, rises_u32, ROW_MOST / 4, rows_u32},
    {MOST / 8, small_u64, split_u64, rises_u64, ROW_MOST / 8, rows_u64},
};
#else
const tsr__sorters TSR__ISA_NAME(tsr__sorters) = {{.most = 0}, {.most = 0}};
#endif
#endif
