/* Compiled once per instruction set; exports a table for each activation. */
#include "cpu/math/activation_f32.h"
#include "cpu/math/libm_f64.h"
#include "ops/unary/kernel.h"

#define TSR__NO_INTEGERS
#define TEMPLATE "ops/unary/activation.tmpl.h"
#include "core/each_compute.h"

#define UNARY_ACTIVATIONS(op, ...) TSR__UNARY_FLOAT_TABLE(op)
#include "ops/unary/rows.def"
TSR__UNARY_FLOAT_TABLE(leaky_relu)
TSR__UNARY_FLOAT_TABLE(elu)
TSR__UNARY_FLOAT_TABLE(celu)
