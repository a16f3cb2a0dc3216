/* The kernels of argmin and argmax, in 32 and 64 bits: rows of narrower elements are converted. */
#include "ops/reduce/arg.h"

#include <string.h>

#define USED (C_BITS >= 32)

#define OP(name) FN(name##_argmin)
#define BEATS(x, a) ((x) < (a))
#define LOSES(x, a) ((x) >= (a))
#define TEMPLATE "ops/reduce/arg.tmpl.h"
#include "core/each_compute.h"
tsr__arg_table TSR__ISA_NAME(tsr__argmin) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef BEATS
#undef LOSES

#define OP(name) FN(name##_argmax)
#define BEATS(x, a) ((x) > (a))
#define LOSES(x, a) ((x) <= (a))
#define TEMPLATE "ops/reduce/arg.tmpl.h"
#include "core/each_compute.h"
tsr__arg_table TSR__ISA_NAME(tsr__argmax) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
