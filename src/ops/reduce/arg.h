/* argmin and argmax: like the other reductions, but what is kept is where the extreme lies. */
#ifndef TSR_OPS_REDUCE_ARG_H
#define TSR_OPS_REDUCE_ARG_H

#include "ops/reduce/reduce.h"

/* By columns: rows of one call of rows, and rows of a block, inside which an index is as wide as the element it goes
 * with. */
#define TSR__ARG_ROWS 8
#define TSR__ARG_BLOCK 4096

/* By rows: elements that are searched at a time. */
#define TSR__ARG_SPAN 16384

/* The search for one kind of extreme in one compute type, for one instruction set. best is an element. */
typedef struct tsr__arg_kernel {
  /* Whether the best of n > 0 contiguous elements, at most TSR__ARG_SPAN, beats *best, or none: then it is the new
   * best, and the result is the place of the first such one; else -1. NaN beats all numbers. */
  tsr_index (*row)(tsr_index n, const void *row, bool none, void *best);
  /* By columns, NULL without TSR__REDUCE_FAST: best and place of width columns, from one row that is number 0. */
  void (*first)(tsr_index width, const void *row, void *best, void *place);
  /* The same after TSR__ARG_ROWS rows more, the first of them number. */
  void (*rows)(tsr_index width, const char *const *rows, int number, void *best, void *place);
  /* The same after one row more. */
  void (*one)(tsr_index width, const void *row, int number, void *best, void *place);
  /* Puts what beats best into it, and base + its place into index. none: all of it does. */
  void (*absorb)(tsr_index width, const void *block_best, const void *block_place, int64_t base, bool none, void *best,
                 int64_t *index);
  /* Whether *later beats *best. */
  bool (*beats)(const void *later, const void *best);
} tsr__arg_kernel;

typedef const tsr__arg_kernel *const tsr__arg_table[TSR_DTYPE_COUNT];

TSR__DECLARE_FOR_ISAS(tsr__arg_table, tsr__argmin)
TSR__DECLARE_FOR_ISAS(tsr__arg_table, tsr__argmax)

#define TSR__ARG_INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)

/* One op: what its info has as its kernels. */
typedef struct tsr__arg_op {
  const tsr__arg_kernel *const *tables[TSR__ISA_COUNT];
  bool least;
} tsr__arg_op;

/* In a frame: the op; the checks that come first, of x and its axis; and all from the output on. */
tsr_status tsr__arg(tsr__call *call);
tsr_status tsr__arg_begin(tsr__call *call, int axis, bool keepdims, tsr__reduce *r);
tsr_status tsr__arg_call(tsr__call *call, const tsr__arg_op *op, const tsr__reduce *r);

/* The temporary bytes that the search of r needs, and its run with as many. out is checked. */
size_t tsr__arg_bytes(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out);
void tsr__arg_into(const tsr_ctx *ctx, const tsr__arg_op *op, const tsr__reduce *r, const tsr_tensor *out,
                   void *memory);

#endif
