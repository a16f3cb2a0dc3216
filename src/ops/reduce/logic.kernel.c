/* The kernels of any, all and count_nonzero. */
#include "ops/reduce/reduce.h"

#define USED (C_BITS == 8 && !C_SIGNED)
#define LOGIC_LANE uint8_t
#define LOGIC_VALUE uint8_t
#define LOGIC_VALUE_ID TSR_BOOL
#define LOGIC_LANES 128

#define OP(name) FN(name##_any)
#define LOGIC_SIGN(b) | (b)
#define LOGIC_START 0
#define TEMPLATE "ops/reduce/logic.tmpl.h"
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__any) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef LOGIC_SIGN
#undef LOGIC_START

#define OP(name) FN(name##_all)
#define LOGIC_SIGN(b) &(b)
#define LOGIC_START 1
#define TEMPLATE "ops/reduce/logic.tmpl.h"
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__all) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
#undef OP
#undef LOGIC_SIGN
#undef LOGIC_START
#undef LOGIC_LANE
#undef LOGIC_VALUE
#undef LOGIC_VALUE_ID
#undef LOGIC_LANES

#define OP(name) FN(name##_count)
#define LOGIC_SIGN(b) +(b)
#define LOGIC_START 0
#define LOGIC_LANE uint32_t
#define LOGIC_VALUE int64_t
#define LOGIC_VALUE_ID TSR_I64
#define LOGIC_LANES 32
#define TEMPLATE "ops/reduce/logic.tmpl.h"
#include "core/each_compute.h"
tsr__reduce_table TSR__ISA_NAME(tsr__count) = {
#define TEMPLATE "ops/reduce/entry.tmpl.h"
#include "core/each_compute.h"
};
