#include "linalg/lanes.h"

#if TSR__HAVE_LANES

#include "linalg/kernels.h"

#define TEMPLATE "linalg/lanes_eigh.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

LANES_TABLE(eigh)

#endif
