/* Strided iteration: any tensors of one shape, as rows that a kernel can run along. */
#ifndef TSR_CPU_ITERATE_H
#define TSR_CPU_ITERATE_H

#include <tessera/tensor.h>

#define TSR__MAX_OPERANDS 4

/* A nest of loops over operands. Axis 0 is the innermost: the one with the smallest steps, of operand 0 first of all. Axes
 * of length 1 are gone, and axes that are mergeable in every operand are one. */
typedef struct tsr__loop {
  int ndim; /* at least 1 */
  int operands;
  tsr_index size; /* elements in all; with 0 nothing else counts */
  tsr_index length[TSR_MAX_DIMS];
  char *base[TSR__MAX_OPERANDS];
  ptrdiff_t step[TSR__MAX_OPERANDS][TSR_MAX_DIMS]; /* in bytes */
} tsr__loop;

/* The axes of such loops, for any number of operands: arrays that are somebody else's. */
typedef struct tsr__axes {
  int ndim;
  int operands;
  tsr_index *length;
  char **base;
  ptrdiff_t (*step)[TSR_MAX_DIMS];
} tsr__axes;

/* Sets lengths and steps, for tensors of the same shape that is not empty, and moves bases, which are the tensors' data, where
 * axes run backwards; and makes two axes change places. */
void tsr__axes_init(tsr__axes *axes, const tsr_tensor *const *tensors);
void tsr__axes_swap(const tsr__axes *axes, int a, int b);

/* What a row function is called with besides its operands. It is one row, unless a function says that it takes more: then
 * count of them, those of operand k next[k] bytes apart. A row may be a few nanoseconds, of which a call is the half.
 * stream: one row that is written by non-temporal stores; inputs have no gaps or repeat, the output begins at a line and n is
 * a whole number of lines. */
typedef struct tsr__row_args {
  tsr_index count;
  const ptrdiff_t *next;
  bool stream;
  void *param; /* what the function was given for the whole call; NULL: nothing */
} tsr__row_args;

/* One row. */
static inline tsr__row_args tsr__one_row(void *param) {
  static const ptrdiff_t next[TSR__MAX_OPERANDS] = {0};
  return (tsr__row_args){.param = param, .count = 1, .next = next};
}

/* One row: n elements from at[k] on, step[k] bytes apart. */
typedef void tsr__row_fn(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step);

/* Sets up the loops for tensors of the same shape; operand 0, the output, decides the order. */
void tsr__loop_init(tsr__loop *loop, int operands, const tsr_tensor *const *tensors);

/* Calls row for every row, on this thread; param is its args->param. */
void tsr__loop_run(const tsr__loop *loop, tsr__row_fn *row, void *param);

/* The same on the context's threads: rows, or pieces of long rows, grain elements at a time, of a piece half of them at
 * least. A piece begins at a multiple of TSR__PIECE elements of its row, so that neighbours share no cache line of a
 * contiguous output. row is called by several threads at once, and must give the same result however rows are cut. */
void tsr__loop_run_parallel(const tsr_ctx *ctx, const tsr__loop *loop, tsr_index grain, tsr__row_fn *row, void *param);

/* Where row number number begins: index[axis] of the axes from 1 on, and at[k] of every operand. */
void tsr__loop_go_to_row(const tsr__loop *loop, tsr_index number, tsr_index *index, char **at);

#define TSR__PIECE 1024

#endif
