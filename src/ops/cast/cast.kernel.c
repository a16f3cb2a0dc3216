/* Compiled once per instruction set; exports one table. */
#include "core/dtypes.h"
#include "ops/cast/cast.h"

#define TEMPLATE "ops/cast/cast.tmpl.h"
#include "core/each_dtype.h"

const tsr__cast_table TSR__ISA_NAME(tsr__cast) = {
#define TEMPLATE "ops/cast/row.tmpl.h"
#include "core/each_dtype.h"
};
