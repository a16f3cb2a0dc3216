#include "cpu/fast_when_small.h"

#include "nn/softmax/softmax.h"

#include <string.h>

#include "cpu/math/exp_f32.h"
#include "cpu/vec/vec.h"
#include "nn/lanes.h"
#include "ops/random/elementary.h"

/* e^d for d ≤ 0, no NaN: 0 where that is no normal number. */
static inline float part_f32(float d) {
  const float y = tsr__exp_in_range_f32(d);
  return d < -87.0f ? 0.0f : y;
}
#if TSR_HAVE_F64
static inline double part_f64(double d) { return tsr__exp_f64(d); }
typedef double widest;
#else
typedef float widest;
#endif

#define TEMPLATE "nn/softmax/softmax.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#if TSR__SOFTMAX_HAS_COLUMNS
#define WAYS(name, type) \
  { name##_##type, name##_columns_##type }
#else
#define WAYS(name, type) \
  { name##_##type, NULL }
#endif

tsr__softmax_table TSR__ISA_NAME(tsr__softmax) = {
    [TSR_F32] = WAYS(softmax, f32),
#if TSR_HAVE_F64
    [TSR_F64] = WAYS(softmax, f64),
#endif
};

tsr__softmax_table TSR__ISA_NAME(tsr__log_softmax) = {
    [TSR_F32] = WAYS(log_softmax, f32),
#if TSR_HAVE_F64
    [TSR_F64] = WAYS(log_softmax, f64),
#endif
};
