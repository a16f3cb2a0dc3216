/* Convolution by plain loops: what microcontrollers run, and integers and f64 everywhere. Integers wrap, so that signed
 * and unsigned ones have the same bits. */
#include "nn/conv/loops.h"

#include <stdint.h>

#define FN(name) name##_u8
#define T uint8_t
#define SUM uint32_t
#include "nn/conv/loops.tmpl.h"
#define FN(name) name##_u16
#define T uint16_t
#define SUM uint32_t
#include "nn/conv/loops.tmpl.h"
#define FN(name) name##_u32
#define T uint32_t
#define SUM uint32_t
#include "nn/conv/loops.tmpl.h"
#define FN(name) name##_u64
#define T uint64_t
#define SUM uint64_t
#include "nn/conv/loops.tmpl.h"
#if TSR_HAVE_MALLOC /* else f32 goes by blocks */
#define FN(name) name##_f32
#define T float
#define SUM float
#include "nn/conv/loops.tmpl.h"
#endif
#if TSR_HAVE_F64
#define FN(name) name##_f64
#define T double
#define SUM double
#include "nn/conv/loops.tmpl.h"
#endif

tsr__conv_row_fn *const TSR__ISA_NAME(tsr__conv_rows)[TSR_DTYPE_COUNT] = {
    [TSR_I8] = row_u8,   [TSR_U8] = row_u8,   [TSR_I16] = row_u16, [TSR_U16] = row_u16,
    [TSR_I32] = row_u32, [TSR_U32] = row_u32, [TSR_I64] = row_u64, [TSR_U64] = row_u64,
#if TSR_HAVE_MALLOC
    [TSR_F32] = row_f32,
#endif
#if TSR_HAVE_F64
    [TSR_F64] = row_f64,
#endif
};
