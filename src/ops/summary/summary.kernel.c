/* The kernels of tsr_summarize. */
#include "ops/summary/summary.h"

#include "core/float_bits.h"
#include "cpu/vec/vec.h"

#include <string.h>

/* A register of tsr_reals, and how many of them are a group of lanes. */
enum { LANES = TSR__SUMMARY_LANES, EACH = TSR__VEC_BYTES / sizeof(tsr_real), REGISTERS = LANES / EACH };
typedef tsr_real reals __attribute__((vector_size(TSR__VEC_BYTES)));

/* Bytes that are looked through and then added while they are in the first cache. */
enum { PIECE_BYTES = TSR_HAVE_MALLOC ? 4096 : 128 };

/* EACH elements as tsr_reals. */
static inline reals widen_f32(const float *x) {
#if TSR_HAVE_F64
  return tsr__vf64_from_f32(x);
#else
  return tsr__vf32_load(x);
#endif
}

#if TSR_HAVE_F64
static inline reals widen_f64(const double *x) { return (reals)tsr__vf64_load(x); }
#endif

#define TEMPLATE "ops/summary/summary.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

tsr__summary_table TSR__ISA_NAME(tsr__summarize) = {
    [TSR_F32] = add_f32,
#if TSR_HAVE_F64
    [TSR_F64] = add_f64,
#endif
};
