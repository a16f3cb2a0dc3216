/* The kernels of one op: for each instruction set a table by dtype, an object of its own, so that linking one op
 * links one op. A kernel file defines TSR__KERNELS(op), everything else declares it with TSR__DECLARE_KERNELS(op). */
#ifndef TSR_OPS_ELEMENTWISE_KERNELS_H
#define TSR_OPS_ELEMENTWISE_KERNELS_H

#include "cpu/isa.h"
#include "cpu/iterate.h"
#include <tessera/dtype.h>

typedef tsr__row_fn *const tsr__kernel_table[TSR_DTYPE_COUNT];
#define TSR__DECLARE_KERNELS(op) TSR__DECLARE_FOR_ISAS(tsr__kernel_table, tsr__##op)

/* The tables of an op as an initialiser of `tsr__row_fn *const *tables[TSR__ISA_COUNT]`. */
#define TSR__KERNELS_OF(op) TSR__FOR_ISAS(tsr__##op)

/* The head of a table's definition in a kernel file. */
#define TSR__KERNELS(op) tsr__row_fn *const TSR__ISA_NAME(tsr__##op)[TSR_DTYPE_COUNT]

/* Its entries: a kernel for each integer type, one for both of a size, and those of floats. */
#define TSR__OF_INTEGERS(op)                                                                                \
  [TSR_I8] = op##_i8, [TSR_I16] = op##_i16, [TSR_I32] = op##_i32, [TSR_I64] = op##_i64, [TSR_U8] = op##_u8, \
  [TSR_U16] = op##_u16, [TSR_U32] = op##_u32, [TSR_U64] = op##_u64
#define TSR__OF_SHARED_INTEGERS(op)                                                                         \
  [TSR_I8] = op##_u8, [TSR_I16] = op##_u16, [TSR_I32] = op##_u32, [TSR_I64] = op##_u64, [TSR_U8] = op##_u8, \
  [TSR_U16] = op##_u16, [TSR_U32] = op##_u32, [TSR_U64] = op##_u64
#if TSR_HAVE_F64
#define TSR__OF_FLOATS(op) [TSR_F32] = op##_f32, [TSR_F64] = op##_f64
#else
#define TSR__OF_FLOATS(op) [TSR_F32] = op##_f32
#endif

/* And those of complex numbers, behind all others. */
#if TSR_HAVE_COMPLEX && TSR_HAVE_F64
#define TSR__OF_COMPLEX(op) , [TSR_C64] = op##_c64, [TSR_C128] = op##_c128
#elif TSR_HAVE_COMPLEX
#define TSR__OF_COMPLEX(op) , [TSR_C64] = op##_c64
#else
#define TSR__OF_COMPLEX(op)
#endif

/* The same where a rule has complex numbers. */
#define TSR__COMPLEX_OF_ANY(op)
#define TSR__COMPLEX_OF_ALL TSR__OF_COMPLEX
#define TSR__COMPLEX_OF_NUMBERS(op)
#define TSR__COMPLEX_OF_VALUES TSR__OF_COMPLEX
#define TSR__COMPLEX_OF_FLOATS(op)
#define TSR__COMPLEX_OF_FLOATING TSR__OF_COMPLEX
#define TSR__COMPLEX_OF_EQUAL TSR__OF_COMPLEX

/* Before a loop whose iterations do not depend on one another: an output is an input or apart from it. Spares the
 * compiler its checks for overlap and the second loop behind them. */
#if defined(__clang__)
#define TSR__INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TSR__INDEPENDENT _Pragma("GCC ivdep")
#else
#define TSR__INDEPENDENT
#endif

/* Where everything is compiled for size, loops of floats that are a few instructions are not. */
#if !defined(__OPTIMIZE_SIZE__) || defined(__clang__)
#define TSR__FLOAT_LOOP_FLAGS
#else
#define TSR__FLOAT_LOOP_FLAGS __attribute__((optimize("O2", "no-tree-vectorize")))
#endif

/* And take four at a time where floats are instructions: half of such a loop is steps and its end. */
#if defined(__OPTIMIZE_SIZE__) && !defined(__clang__) && (defined(__ARM_FP) || defined(__riscv_flen))
#define TSR__LOOPS_BY_FOUR 1
#else
#define TSR__LOOPS_BY_FOUR 0
#endif

/* Before a loop that is to stay one: of few axes, or of a constant length, which gcc 12 takes apart inside of another
 * loop, before it makes vectors. */
#if defined(__GNUC__) && !defined(__clang__)
#define TSR__KEEP_LOOP _Pragma("GCC unroll 1")
#else
#define TSR__KEEP_LOOP
#endif

#define TSR__ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
