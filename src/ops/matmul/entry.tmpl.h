/* The kernel of one type that is packed as it is and summed in itself. The includer defines
 *   TYPE, NUMBER, DTYPE    f32, float, TSR_F32        BYTES    of a number: 4 or 8
 *   STEPS                  of K in a block            DIRECT   as for micro.tmpl.h, like TARGET */
#define FN(name) TSR__CAT(TSR__CAT(name, _), TYPE)
#define E NUMBER
#define S NUMBER
#define EV TSR__VEC(tsr__v, TYPE)
#define SV EV
#define MADD TSR__VEC(EV, _madd)
#define LANES (TSR__VEC_BYTES / BYTES)
#if BYTES == 4
#define ZIP_LOW TSR__VEC4_ZIP_LOW
#define ZIP_HIGH TSR__VEC4_ZIP_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 4 : TSR__VEC_BYTES == 32 ? 3 : 2)
#else
#define ZIP_LOW TSR__VEC8_ZIP_LOW
#define ZIP_HIGH TSR__VEC8_ZIP_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 3 : TSR__VEC_BYTES == 32 ? 2 : 1)
#endif
#include "ops/matmul/micro.tmpl.h"
#include "ops/matmul/pack.tmpl.h"

const tsr__gemm_kernel TSR__ISA_NAME(FN(tsr__gemm)) = {.mr = MR,
                                                       .nr = 2 * LANES,
                                                       .group = 1,
                                                       .item = BYTES,
                                                       .sum = DTYPE,
                                                       .kc = STEPS,
                                                       .mc = 96,
                                                       .micro = FN(micros),
#if DIRECT
                                                       .direct = FN(directs),
                                                       .pack_ahead = FN(pack_ahead),
                                                       .pack_ahead_panels = FN(PACK_AHEAD_PANELS),
                                                       .piece = FN(PIECE),
#endif
                                                       .pack = FN(pack)};

#undef TYPE
#undef NUMBER
#undef DTYPE
#undef BYTES
#undef STEPS
#undef FN
#undef E
#undef S
#undef EV
#undef SV
#undef MADD
#undef LANES
#undef ZIP_LOW
#undef ZIP_HIGH
#undef ROUNDS
