/* What kernels of complex matrices have to themselves, in kernel files. */
#ifndef TSR_LINALG_COMPLEX_H
#define TSR_LINALG_COMPLEX_H

#include "core/dtype/wide.h"
#include "cpu/vec/pairs.h"

/* Microcontrollers have them for real matrices alone. */
#define TSR__COMPLEX_LINALG (TSR_HAVE_COMPLEX && TSR_HAVE_MALLOC)

#endif
