/* The kernels of f32 by narrower weights: panels of B keep the weights' own elements, which become f32 in registers, so that what is
 * read from memory is as narrow as they are. Sums, their order and panels of A are those of f32 by f32. Compiled once per instruction
 * set. */
#include "cpu/vec/narrow.h"
#include "ops/matmul/tile.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

#define TARGET
#define DIRECT 0
#define E float
#define EV tsr__vf32
#define S float
#define SV tsr__vf32
#define MADD tsr__vf32_madd
#if defined(TSR__VF32_MADD_LANE)
#define MADD_LANE TSR__VF32_MADD_LANE
#define EACH_LANE TSR__EACH_OF_4
#endif
#define LANES (TSR__VEC_BYTES / 4)
#define BESIDE (TSR__VEC_REGISTERS == 32 ? 4 : 2)
#define BESIDE_AHEAD 4096

#define NARROW bf16
#define EB uint16_t
#define LOAD_B tsr__vf32_from_bf16
#include "ops/matmul/mixed.tmpl.h"

#define NARROW f16
#define EB uint16_t
#define LOAD_B tsr__vf32_from_f16
#include "ops/matmul/mixed.tmpl.h"

#define NARROW i8
#define EB int8_t
#define LOAD_B tsr__vf32_from_i8
#include "ops/matmul/mixed.tmpl.h"

#endif
