/* The kernels of f32 and f64, compiled once per instruction set. */
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

#define TARGET
#define DIRECT 1

#define TYPE f32
#define NUMBER float
#define DTYPE TSR_F32
#define BYTES 4
#define STEPS 1024
#if defined(TSR__VF32_MADD_LANE)
#define MADD_LANE TSR__VF32_MADD_LANE
#define EACH_LANE TSR__EACH_OF_4
#endif
#include "ops/matmul/entry.tmpl.h"
#undef MADD_LANE
#undef EACH_LANE

#if TSR_HAVE_F64
#define TYPE f64
#define NUMBER double
#define DTYPE TSR_F64
#define BYTES 8
#define STEPS 512
#if defined(TSR__VF64_MADD_LANE)
#define MADD_LANE TSR__VF64_MADD_LANE
#define EACH_LANE TSR__EACH_OF_2
#endif
#include "ops/matmul/entry.tmpl.h"
#endif

#endif
