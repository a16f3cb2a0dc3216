/* The kernels of argmin and argmax. */
#include "ops/reduce/arg.h"

#include <string.h>

#define USED 1

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
