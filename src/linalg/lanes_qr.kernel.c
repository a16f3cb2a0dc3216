#include "linalg/lanes.h"

#if TSR__HAVE_LANES

#include "linalg/kernels.h"

#define TEMPLATE "linalg/lanes_qr.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

LANES_TABLE(qr)

#endif
