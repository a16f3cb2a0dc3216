/* Functions of two numbers, for a compute type C: the host's. */
#if C_FLOAT && C_BITS == 32
#include "cpu/math/arc_f32.h"
#include "cpu/math/two_f32.h"
#elif C_FLOAT
static inline double tsr__pow_f64(double a, double b);
static inline double tsr__atan2_f64(double a, double b);
#endif
#include "ops/binary/numbers.tmpl.h"
