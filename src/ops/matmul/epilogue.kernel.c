/* The end of a product on rows of sums; compiled once per instruction set. */
#include "ops/matmul/epilogue.h"

#include "core/dtypes.h"

#define C float
#define C_FLOAT 1
#define FN(name) name##_f32
#include "ops/matmul/epilogue.tmpl.h"
#undef C
#undef FN
#if TSR_HAVE_F64
#define C double
#define FN(name) name##_f64
#include "ops/matmul/epilogue.tmpl.h"
#undef C
#undef FN
#endif
#undef C_FLOAT
#define C_FLOAT 0
#define C int32_t
#define FN(name) name##_i32
#include "ops/matmul/epilogue.tmpl.h"
#undef C
#undef FN
#define C int64_t
#define FN(name) name##_i64
#include "ops/matmul/epilogue.tmpl.h"

tsr__epilogue_fn *const TSR__ISA_NAME(tsr__gemm_epilogue)[TSR_DTYPE_COUNT] = {
    [TSR_F32] = epilogue_f32,
    [TSR_I32] = epilogue_i32,
    [TSR_I64] = epilogue_i64,
#if TSR_HAVE_F64
    [TSR_F64] = epilogue_f64,
#endif
};
