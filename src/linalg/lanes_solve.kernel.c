#include "linalg/lanes.h"

#if TSR__HAVE_LANES

#include "linalg/kernels.h"
#include "ops/random/elementary.h"

#define TEMPLATE "linalg/lanes_solve.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

LANES_TABLE(solve)
LANES_TABLE(inv)
LANES_TABLE(lu)
LANES_TABLE(det)
LANES_TABLE(slogdet)
LANES_TABLE(lu_solve)
LANES_TABLE(solve_triangular)
LANES_TABLE(cholesky)

#endif
