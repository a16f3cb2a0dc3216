/* The kernels of tsr_summarize. */
#include "ops/summary/summary.h"

#include "core/float_bits.h"
#include "cpu/vec/vec.h"

#include <string.h>

/* A register of tsr_reals, and how many of them are a group of lanes. */
enum { LANES = TSR__SUMMARY_LANES, EACH = TSR__VEC_BYTES / sizeof(tsr_real), REGISTERS = LANES / EACH };
typedef tsr_real reals __attribute__((vector_size(TSR__VEC_BYTES)));

/* Elements that are looked through and then added while they are in the first cache: 4 KB of doubles. */
enum { PIECE = TSR_HAVE_MALLOC ? 512 : 32 };

#define TEMPLATE "ops/summary/summary.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

tsr__summary_table TSR__ISA_NAME(tsr__summarize) = {
    [TSR_F32] = add_f32,
#if TSR_HAVE_F64
    [TSR_F64] = add_f64,
#endif
};
