/* The kernel of f32 by one narrower dtype: NARROW, and EB and LOAD_B as for micro.tmpl.h. */
#define FN(name) TSR__CAT(TSR__CAT(name, _), NARROW)
#include "ops/matmul/micro.tmpl.h"

const tsr__gemm_kernel TSR__ISA_NAME(FN(tsr__gemm_f32)) = {.mr = MR,
                                                           .nr = 2 * LANES,
                                                           .group = 1,
                                                           .item = sizeof(E),
                                                           .b_item = sizeof(EB),
                                                           .sum = TSR_F32,
                                                           .kc = 1024,
                                                           .mc = 96,
                                                           .micro = FN(micros),
                                                           .beside_rows = 3,
                                                           .beside_panels = BESIDE,
                                                           .beside = FN(besides)};

#undef NARROW
#undef EB
#undef LOAD_B
#undef FN
