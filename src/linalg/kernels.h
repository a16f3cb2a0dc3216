/* The kernels of small matrices, an op each. */
#ifndef TSR_LINALG_KERNELS_H
#define TSR_LINALG_KERNELS_H

#include "linalg/stack.h"

TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__solve_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__inv_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__lu_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__det_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__slogdet_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__lu_solve_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__solve_triangular_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__cholesky_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__qr_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__eigh_lanes)
TSR__DECLARE_FOR_ISAS(tsr__lanes_fns, tsr__svd_lanes)

/* tables of an op by instruction set, where there are such. */
#if TSR_HAVE_MALLOC
#define TSR__LINALG_LANES_OF(name) \
  static tsr__stack_fn *const *const name##_lanes[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__##name##_lanes);
#define TSR__LANES(name) name##_lanes
#else
#define TSR__LINALG_LANES_OF(name)
#define TSR__LANES(name) NULL
#endif

#endif
