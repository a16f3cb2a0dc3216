/* Vectors of one compute type for kernel templates: V, LANES, LOAD …; on microcontrollers one number. Included before
 * core/each_compute.h. */
#ifndef TSR_LINALG_VECTOR_H
#define TSR_LINALG_VECTOR_H

#include "cpu/vec/vec.h"

#if TSR_HAVE_MALLOC
#define V TSR__VEC(tsr__v, C_NAME)
#define LANES ((int)(TSR__VEC_BYTES / sizeof(C)))
#define LOAD(at) TSR__VEC(V, _load)(at)
#define STORE(at, v) TSR__VEC(V, _store)(at, v)
#define LOAD_PART(at, n) TSR__VEC(V, _load_part)(at, n)
#define STORE_PART(at, v, n) TSR__VEC(V, _store_part)(at, v, n)
#define ALL(x) TSR__VEC(V, _all)(x)
#define MADD(a, b, c) TSR__VEC(V, _madd)(a, b, c)
#else
#define V C
#define LANES 1
#define LOAD(at) (*(at))
#define STORE(at, v) (*(at) = (v))
#define LOAD_PART(at, n) (*(at))
#define STORE_PART(at, v, n) (*(at) = (v))
#define ALL(x) (x)
#define MADD(a, b, c) ((a) * (b) + (c))
#endif

#define TSR__TYPE_SQRT(x) (sizeof(C) == 4 ? (C)__builtin_sqrtf((float)(x)) : (C)__builtin_sqrt((double)(x)))

#endif
