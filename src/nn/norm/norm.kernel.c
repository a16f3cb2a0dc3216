#include "nn/norm/norm.h"

#include <string.h>

#include "cpu/math/bits.h"
#include "nn/lanes.h"

/* Sends for what lies so many bytes behind x, into the caches: the next row, as a rule. Nothing need be there. */
static inline void look_ahead(const void *x, size_t bytes) {
  __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)bytes));
}

static inline tsr_real root(tsr_real x) {
#if TSR_REAL_BITS == 64
  return __builtin_sqrt(x);
#else
  return __builtin_sqrtf(x);
#endif
}

#define TEMPLATE "nn/norm/norm.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#if TSR__NORM_HAS_COLUMNS
#define WAYS(name, type) \
  { name##_##type, name##_columns_##type }
#else
#define WAYS(name, type) \
  { name##_##type }
#endif

#if TSR_HAVE_F64
#define ROWS(name) \
  { [TSR_F32] = name##_f32, [TSR_F64] = name##_f64 }
#define LAYERS(name) \
  { [TSR_F32] = WAYS(name, f32), [TSR_F64] = WAYS(name, f64) }
#define AFFINES \
  { [TSR_F32] = &affine_f32, [TSR_F64] = &affine_f64 }
#else
#define ROWS(name) \
  { [TSR_F32] = name##_f32 }
#define LAYERS(name) \
  { [TSR_F32] = WAYS(name, f32) }
#define AFFINES \
  { [TSR_F32] = &affine_f32 }
#endif

tsr__norm_layer_table TSR__ISA_NAME(tsr__layer_norm) = LAYERS(layer_norm);
tsr__norm_layer_table TSR__ISA_NAME(tsr__rms_norm) = LAYERS(rms_norm);
tsr__norm_runs_table TSR__ISA_NAME(tsr__group_norm) = ROWS(group_norm);
tsr__norm_runs_table TSR__ISA_NAME(tsr__instance_norm) = ROWS(group_norm);
tsr__norm_affine_table TSR__ISA_NAME(tsr__batch_norm) = AFFINES;
