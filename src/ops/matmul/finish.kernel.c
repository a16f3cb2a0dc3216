/* The end of a product on rows of sums; compiled once per instruction set. */
#include "ops/matmul/finish.h"

#include "core/dtypes.h"

#define C float
#define C_FLOAT 1
#define FN(name) name##_f32
#include "ops/matmul/finish.tmpl.h"
#undef C
#undef FN
#if TSR_HAVE_F64
#define C double
#define FN(name) name##_f64
#include "ops/matmul/finish.tmpl.h"
#undef C
#undef FN
#endif
#undef C_FLOAT
#define C_FLOAT 0
#define C int32_t
#define FN(name) name##_i32
#include "ops/matmul/finish.tmpl.h"
#undef C
#undef FN
#define C int64_t
#define FN(name) name##_i64
#include "ops/matmul/finish.tmpl.h"

tsr__ending_fn *const TSR__ISA_NAME(tsr__gemm_ending)[TSR_DTYPE_COUNT] = {
    [TSR_F32] = ending_f32,
    [TSR_I32] = ending_i32,
    [TSR_I64] = ending_i64,
#if TSR_HAVE_F64
    [TSR_F64] = ending_f64,
#endif
};
