/* Division that floors and what it leaves, for a compute type C: the host's, quotients in range without a loop. */
#define QUOTIENTS_BY_FMA 1
#define QUOTIENTS_BY_FLOAT 0
#include "ops/binary/divide.tmpl.h"
#undef QUOTIENTS_BY_FMA
#undef QUOTIENTS_BY_FLOAT
#if C_FLOAT
#define DIVIDED(f) FN(is_out_of_range)(a, b) ? FN(f)(a, b) : FN(f##_in_range)(a, b)
#else
#define DIVIDED(f) FN(f)(a, b)
#endif
static inline C FN(any_floored_quotient)(C a, C b) { return DIVIDED(floored_quotient); }
static inline C FN(any_floored_rest)(C a, C b) { return DIVIDED(floored_rest); }
static inline C FN(any_cut_rest)(C a, C b) { return DIVIDED(cut_rest); }
#undef DIVIDED
