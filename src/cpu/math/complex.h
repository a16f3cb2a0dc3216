/* Arithmetic of complex numbers, part by part: every step is rounded, so that it gives the same bits everywhere. */
#ifndef TSR_CPU_MATH_COMPLEX_H
#define TSR_CPU_MATH_COMPLEX_H

#include "cpu/math/bits.h"
#include <stdbool.h>

/* A product that is rounded before it is added to another: GCC 12 and later otherwise fuse pairs of a sum and a difference
 * (vfmaddsub), whatever -ffp-contract says. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define TSR__ROUNDED(product) __builtin_assoc_barrier(product)
#else
#define TSR__ROUNDED(product) (product)
#endif

#define TEMPLATE "cpu/math/complex.tmpl.h"
#include "core/each_complex.h"

#endif
