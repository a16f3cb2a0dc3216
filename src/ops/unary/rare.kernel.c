/* Compiled once per instruction set: the functions that are called less often. */
#include "cpu/math/activation_f32.h"
#include "cpu/math/arc_f32.h"
#include "cpu/math/erfc_f32.h"
#include "cpu/math/hyperbolic_f32.h"
#include "cpu/math/libm_f64.h"
#include "cpu/math/root_f32.h"
#include "ops/unary/kernel.h"

#define TSR__NO_INTEGERS
#define TEMPLATE "ops/unary/rare.tmpl.h"
#include "core/each_compute.h"

#define UNARY_RARE(op, kind, ...) TSR__UNARY_TABLE(op, kind)
#include "ops/unary/rows.def"
