/* Arithmetic of complex numbers, part by part: every step is rounded, so that it gives the same bits everywhere. */
#ifndef TSR_CPU_MATH_COMPLEX_H
#define TSR_CPU_MATH_COMPLEX_H

#include "cpu/math/bits.h"
#include <stdbool.h>

#define TEMPLATE "cpu/math/complex.tmpl.h"
#include "core/each_complex.h"

#endif
