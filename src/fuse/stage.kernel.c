/* Compiled once per instruction set; exports the stages of f32 and of f64. */
#include "fuse/stage.h"

#if TSR_HAVE_OPS

#include "core/dtypes.h"
#include "cpu/math/arc_f32.h"
#include "cpu/math/arc_f64.h"
#include "cpu/math/basic.h"
#include "cpu/math/libm_f64.h"
#include "cpu/math/pow_f32.h"
#include "cpu/math/pow_f64.h"
#include "cpu/math/round.h"
#include "cpu/math/two_f32.h"
#include "cpu/vec/vec.h"
#include "ops/elementwise/kernels.h"

#include <math.h>

_Static_assert(4 * TSR__VEC_BYTES <= TSR__STAGE_BLOCK_BYTES, "a block is four vectors");

/* Whether an op may begin with operands in memory, which saves the stage that loads one. Twice the code: not where it is to be small
 * rather than fast. */
#if TSR__VEC_BYTES > 16 || defined(__aarch64__)
#define BEGINNINGS 1
#else
#define BEGINNINGS 0
#endif

#define TEMPLATE "fuse/stage.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#endif
