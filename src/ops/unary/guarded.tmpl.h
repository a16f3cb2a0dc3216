/* One compute type of the guarded ops; those of f64 are the C library's, which guards itself. */
#include "ops/unary/rows.tmpl.h"

#if C_BITS == 64
TSR__UNARY_GUARDED(TSR__UNARY_KERNEL)
#else
TSR__UNARY_GUARDED(GUARDED_KERNEL)
#endif
