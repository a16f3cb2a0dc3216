/* The kernels of sum and prod. */
#include "ops/reduce/reduce.h"

#include "cpu/vec/vec.h"

#define OP(name) FN(name##_sum)
#define USED 1
#define TEMPLATE "ops/reduce/sum.tmpl.h"
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__sum) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef USED
#undef OP

#define OP(name) FN(name##_prod)
#define USED (C_FLOAT || C_BITS == 64)
#define TEMPLATE "ops/reduce/prod.tmpl.h"
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__prod) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
