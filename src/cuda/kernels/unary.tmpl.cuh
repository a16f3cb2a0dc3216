/* Functions of one number that are an operation or two, for a compute type C; those of floats are the host's. */
#if C_FLOAT
#include "cpu/math/basic.tmpl.h"
#if C_BITS == 32
static inline float tsr__round_f32(float x) { return __builtin_rintf(x); }
static inline float tsr__floor_f32(float x) { return __builtin_floorf(x); }
static inline float tsr__ceil_f32(float x) { return __builtin_ceilf(x); }
static inline float tsr__trunc_f32(float x) { return __builtin_truncf(x); }
#else
static inline double tsr__round_f64(double x) { return __builtin_rint(x); }
static inline double tsr__floor_f64(double x) { return __builtin_floor(x); }
static inline double tsr__ceil_f64(double x) { return __builtin_ceil(x); }
static inline double tsr__trunc_f64(double x) { return __builtin_trunc(x); }
#endif
static inline bool FN(tsr__isnan)(C x) { return x != x; }
static inline bool FN(tsr__isinf)(C x) { return x - x != 0 && x == x; }
static inline bool FN(tsr__isfinite)(C x) { return x - x == 0; }
#else
/* Integers wrap. */
static inline C FN(tsr__abs)(C x) { return (C)(x < 0 ? 0 - (uint64_t)x : (uint64_t)x); }
static inline C FN(tsr__neg)(C x) { return (C)(0 - (uint64_t)x); }
static inline C FN(tsr__sign)(C x) { return (C)((x > 0) - (x < 0)); }
static inline C FN(tsr__square)(C x) { return (C)((uint64_t)x * (uint64_t)x); }
static inline C FN(tsr__relu)(C x) { return x < 0 ? 0 : x; }
static inline C FN(tsr__round)(C x) { return x; }
static inline C FN(tsr__floor)(C x) { return x; }
static inline C FN(tsr__ceil)(C x) { return x; }
static inline C FN(tsr__trunc)(C x) { return x; }
static inline C FN(tsr__bitwise_not)(C x) { return (C)~x; }
#endif
static inline bool FN(tsr__logical_not)(C x) { return x == 0; }
