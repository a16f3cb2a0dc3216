/* Functions that are one or two operations, each rounded correctly: the same bits everywhere. */
#ifndef TSR_CPU_MATH_BASIC_H
#define TSR_CPU_MATH_BASIC_H

#include "cpu/math/bits.h"

#define TEMPLATE "cpu/math/basic.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#endif
