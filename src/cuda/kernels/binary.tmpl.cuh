/* Functions of two numbers, for a compute type C: the host's. Those of f64 that are by way of a C library come with the lines that use
 * them. */
#if C_FLOAT && C_BITS == 64
static inline double tsr__pow_f64(double a, double b);
static inline double tsr__atan2_f64(double a, double b);
#endif
#include "ops/binary/numbers.tmpl.h"
