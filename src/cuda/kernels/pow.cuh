/* pow in f32 as the host's vectors do it, in the place of the function for machines without them. */
#include "cpu/math/arc_f32.h"
#include "cpu/math/two_f32.h"
#include "cpu/math/pow_f32.h"
static inline float tsr__pow_any_f32(float a, float b) { return tsr__pow_any_number(a, b).lane; }
#define tsr__pow_f32 tsr__pow_any_f32
