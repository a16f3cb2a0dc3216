/* Ops along one axis, or several: a line of the input at a time, with temporary memory, on the context's threads. */
#ifndef TSR_OPS_SORT_LINES_H
#define TSR_OPS_SORT_LINES_H

#include "core/call.h"
#include "cpu/iterate.h"

#define TSR__INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)
enum { TSR__LINES_OUTPUTS = 2 };

typedef struct tsr__sort_lines tsr__sort_lines;

/* One line: where it begins in the input (at[0]) and in the outputs (NULL: nobody wants it); steps are lines->step. The
 * memory is aligned to TSR_DATA_ALIGN. */
typedef void tsr__line_fn(const tsr__sort_lines *lines, char *const *at, char *memory);

/* Lines that lie at one distance from each other, from those at `at` on: how many were done at once, 0 where it is none. */
typedef tsr_index tsr__lines_fn(const tsr__sort_lines *lines, tsr_index count, char *const *at);

typedef struct tsr__lines_out {
  tsr__result result;
  unsigned dropped; /* a bit for each axis that lines do not count; the others are the input's without its axis */
  int along;        /* the axis that lines->step counts along, or -1 */
  bool in_place;    /* it may be the input: a line is read before it is written */
} tsr__lines_out;

struct tsr__sort_lines {
  tsr__line_fn *run;
#if TSR_HAVE_MALLOC
  tsr__lines_fn *batch; /* or NULL */
  bool one_by_one;      /* the threads share the work on each line, and not lines */
#endif
  const void *arg;
  tsr__lines_out outputs[TSR__LINES_OUTPUTS]; /* as the call has them */
  size_t each, more;                          /* temporary bytes of a line: each · elements + more */
  tsr_index elements;
  /* What the call fills in. */
  tsr_index length;                       /* of a line */
  int count;                              /* of outputs */
  ptrdiff_t step[1 + TSR__LINES_OUTPUTS]; /* in bytes */
  tsr__loop kept;                         /* the other axes: the input, then the outputs */
  char *memory;
  size_t bytes;   /* of one worker */
  bool by_worker; /* memory belongs to workers; else, where lines are fewer, to lines */
};

/* Whether input k is of real numbers that this build computes with: TSR_EDTYPE. */
tsr_status tsr__check_real(const tsr__call *call, int k);

/* The same for input 0, and its axis, which is resolved. */
tsr_status tsr__lines_check(const tsr__call *call, int *axis);

/* Whether outputs that are given share no memory: TSR_EOVERLAP. */
tsr_status tsr__check_outputs_no_alias(const tsr__call *call);

/* Makes the outputs, gets all memory, and calls run for every line of input 0. A line goes along the axes whose bits are
 * set, in row-major order. */
tsr_status tsr__lines_call(tsr__call *call, tsr__sort_lines *lines, uint32_t axes);

/* The same for tsr_sort and tsr_argsort: run has the keys as its arg, and memory for those of a line, or for pairs of keys and
 * indices, twice. */
tsr_status tsr__sort_call(tsr__call *call, tsr__line_fn *run, bool indices);

#endif
