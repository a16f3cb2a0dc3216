/* Passes, tiles and lines of transforms, f32 and f64; compiled once per instruction set. */
#include "fft/kernel.h"

#include "cpu/vec/reverse.h"
#include "fft/roots.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64 /* microcontrollers have small.c */

/* How the elements of a pass lie: in blocks, or as complex numbers, whose parts change places for the inverse transform. */
enum { IN_BLOCKS, FORWARD, BACKWARD };

#define FT_(name, type) name##_##type
#define FT__(name, type) FT_(name, type)
#define FT(name) FT__(name, TYPE)
#define C FT(complex_vector)

#define TYPE f32
#define T float
#define VEC tsr__vf32
#define LANES TSR__VF32_LANES
#define ZIP_LOW TSR__VEC4_ZIP_LOW
#define ZIP_HIGH TSR__VEC4_ZIP_HIGH
#define EVEN TSR__VEC4_EVEN
#define ODD TSR__VEC4_ODD
#define REVERSE TSR__VEC4_REVERSE
#include "fft/codelets.tmpl.h"
#include "fft/passes.tmpl.h"
#include "fft/tiles.tmpl.h"
#include "fft/lines.tmpl.h"
#undef TYPE
#undef T
#undef VEC
#undef LANES
#undef ZIP_LOW
#undef ZIP_HIGH
#undef EVEN
#undef ODD
#undef REVERSE

#define TYPE f64
#define T double
#define VEC tsr__vf64
#define LANES TSR__VF64_LANES
#define ZIP_LOW TSR__VEC8_ZIP_LOW
#define ZIP_HIGH TSR__VEC8_ZIP_HIGH
#define EVEN TSR__VEC8_EVEN
#define ODD TSR__VEC8_ODD
#define REVERSE TSR__VEC8_REVERSE
#include "fft/codelets.tmpl.h"
#include "fft/passes.tmpl.h"
#include "fft/tiles.tmpl.h"
#include "fft/lines.tmpl.h"

const tsr__fft_kernels TSR__ISA_NAME(tsr__fft)[2] = {
#undef TYPE
#undef LANES
#define TYPE f32
#define LANES TSR__VF32_LANES
#include "fft/table.tmpl.h"
#undef TYPE
#undef LANES
#define TYPE f64
#define LANES TSR__VF64_LANES
#include "fft/table.tmpl.h"
};

#endif
