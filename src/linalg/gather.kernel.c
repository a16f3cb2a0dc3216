#include "linalg/gather.h"

#if TSR__HAVE_LANES

#include "cpu/vec/vec.h"

#define TYPE f32
#define E float
#define ZIP_LOW TSR__VEC4_ZIP_LOW
#define ZIP_HIGH TSR__VEC4_ZIP_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 4 : TSR__VEC_BYTES == 32 ? 3 : 2)
#include "linalg/gather.tmpl.h"

#define TYPE f64
#define E double
#define ZIP_LOW TSR__VEC8_ZIP_LOW
#define ZIP_HIGH TSR__VEC8_ZIP_HIGH
#define ROUNDS (TSR__VEC_BYTES == 64 ? 3 : TSR__VEC_BYTES == 32 ? 2 : 1)
#include "linalg/gather.tmpl.h"

const tsr__gather TSR__ISA_NAME(tsr__gather_lanes) = {TSR__VEC_BYTES, {in_f32, in_f64}, {out_f32, out_f64}};

#endif
