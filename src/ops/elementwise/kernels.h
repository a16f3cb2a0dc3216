/* The kernels of one op: for each instruction set a table by dtype, an object of its own, so that linking one op
 * links one op. A kernel file defines TSR__KERNELS(op), everything else declares it with TSR__DECLARE_KERNELS(op). */
#ifndef TSR_OPS_ELEMENTWISE_KERNELS_H
#define TSR_OPS_ELEMENTWISE_KERNELS_H

#include "cpu/isa.h"
#include "cpu/iterate.h"
#include <tessera/dtype.h>

/* M(op, isa) for every instruction set, eight at most: TSR_ISA_LIST with one more argument. */
#define TSR__ISA_COMMA(isa) , isa
#define TSR__ISA_PICK(a, b, c, d, e, f, g, h, each, ...) each
#define TSR__ISA_EACH_1(M, op, i) M(op, i)
#define TSR__ISA_EACH_2(M, op, i, ...) M(op, i) TSR__ISA_EACH_1(M, op, __VA_ARGS__)
#define TSR__ISA_EACH_3(M, op, i, ...) M(op, i) TSR__ISA_EACH_2(M, op, __VA_ARGS__)
#define TSR__ISA_EACH_4(M, op, i, ...) M(op, i) TSR__ISA_EACH_3(M, op, __VA_ARGS__)
#define TSR__ISA_EACH_5(M, op, i, ...) M(op, i) TSR__ISA_EACH_4(M, op, __VA_ARGS__)
#define TSR__ISA_EACH_6(M, op, i, ...) M(op, i) TSR__ISA_EACH_5(M, op, __VA_ARGS__)
#define TSR__ISA_EACH_7(M, op, i, ...) M(op, i) TSR__ISA_EACH_6(M, op, __VA_ARGS__)
#define TSR__ISA_EACH_8(M, op, i, ...) M(op, i) TSR__ISA_EACH_7(M, op, __VA_ARGS__)
#define TSR__ISA_EACH_SPLIT(M, op, ...)                                                                           \
  TSR__ISA_PICK(__VA_ARGS__, TSR__ISA_EACH_8, TSR__ISA_EACH_7, TSR__ISA_EACH_6, TSR__ISA_EACH_5, TSR__ISA_EACH_4, \
                TSR__ISA_EACH_3, TSR__ISA_EACH_2, TSR__ISA_EACH_1, 0)                                             \
  (M, op, __VA_ARGS__)
#define TSR__ISA_EACH_LISTED(M, ...) TSR__ISA_EACH_SPLIT(M, __VA_ARGS__)
#define TSR__ISA_EACH(M, op) TSR__ISA_EACH_LISTED(M, op TSR_ISA_LIST(TSR__ISA_COMMA))

#define TSR__DECLARE_KERNEL_TABLE(op, isa) extern tsr__row_fn *const tsr__##op##_##isa[TSR_DTYPE_COUNT];
#define TSR__DECLARE_KERNELS(op) TSR__ISA_EACH(TSR__DECLARE_KERNEL_TABLE, op)

/* The tables of an op as an initialiser of `tsr__row_fn *const *tables[TSR__ISA_COUNT]`. */
#define TSR__KERNEL_TABLE_OF(op, isa) tsr__##op##_##isa,
#define TSR__KERNELS_OF(op) \
  { TSR__ISA_EACH(TSR__KERNEL_TABLE_OF, op) }

/* The head of a table's definition in a kernel file. */
#define TSR__KERNELS(op) tsr__row_fn *const TSR__ISA_NAME(tsr__##op)[TSR_DTYPE_COUNT]

/* Before a loop whose iterations do not depend on one another: an output is an input or apart from it. Spares the
 * compiler its checks for overlap and the second loop behind them. */
#if defined(__clang__)
#define TSR__INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TSR__INDEPENDENT _Pragma("GCC ivdep")
#else
#define TSR__INDEPENDENT
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
