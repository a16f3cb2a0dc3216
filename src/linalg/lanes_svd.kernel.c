#include "linalg/lanes.h"

#if TSR__HAVE_LANES

#include "linalg/kernels.h"
#include "linalg/svd.h"

#define TEMPLATE "linalg/lanes_svd.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

LANES_TABLE(svd)

#endif
