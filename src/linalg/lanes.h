/* For templates of small matrices, of which a vector holds one element of each: a lane is a matrix. Included before
 * core/each_compute.h, after the headers of the kernel file. */
#ifndef TSR_LINALG_LANES_H
#define TSR_LINALG_LANES_H

#include "linalg/gather.h"
#include "linalg/stack.h"
#include "linalg/vector.h"

#if TSR__HAVE_LANES

/* Lanes as integers of the same width: all bits set where a comparison holds. */
#define I TSR__VEC(TSR__VEC_CAT(tsr__vi, ), C_BITS)
#define ALL_I(x) TSR__VEC(I, _all)(x)
#define PICK(lanes, yes, no) ((V)(((I)(yes) & (lanes)) | ((I)(no) & ~(lanes))))
#define SIZE(v) ((V)((I)(v)&ALL_I(C_BITS == 32 ? (int64_t)INT32_MAX : INT64_MAX)))
#define ANY(lanes) FN(any)(lanes)
#define ROOT(v) FN(root)(v)
#define TINY (sizeof(C) == 4 ? (C)0x1p-124 : (C)0x1p-1020) /* below it 1/x may be infinite */

#define LANES_TABLE(name) tsr__lanes_fns TSR__ISA_NAME(tsr__##name##_lanes) = {name##_f32, name##_f64};

#endif
#endif
