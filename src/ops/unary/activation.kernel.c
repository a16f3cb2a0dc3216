/* Compiled once per instruction set; exports a table for each activation. */
#include "cpu/math/activation_f32.h"
#include "cpu/math/libm_f64.h"
#include "ops/unary/kernel.h"

#define TSR__NO_INTEGERS
#define TEMPLATE "ops/unary/activation.tmpl.h"
#include "core/each_compute.h"

TSR__UNARY_ACTIVATIONS(TSR__UNARY_FLOAT_TABLE)
TSR__UNARY_WITH_ATTRIBUTE(TSR__UNARY_FLOAT_TABLE)
