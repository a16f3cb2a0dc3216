/* Ops along one axis: a line of the input at a time, with temporary memory, on the context's threads. */
#ifndef TSR_OPS_SORT_LINES_H
#define TSR_OPS_SORT_LINES_H

#include "core/check.h"
#include "cpu/iterate.h"

#define TSR__INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)
enum { TSR__LINES_OUTPUTS = 2 };

typedef struct tsr__lines tsr__lines;

/* One line: where it begins in the input (at[0]) and in the outputs; steps are lines->step. The memory is aligned to
 * TSR_DATA_ALIGN. */
typedef void tsr__line_fn(const tsr__lines *lines, char *const *at, char *memory);

/* An output, which may be NULL: nobody wants it. */
typedef struct tsr__lines_out {
  tsr__result result;
  unsigned    dropped; /* a bit for each axis that lines do not count; the others are the input's without its axis */
  int         along;   /* the axis that lines->step counts along, or -1 */
  bool        in_place; /* it may be the input: a line is read before it is written */
  const char *name;    /* in messages, where there is more than one */
  tsr_tensor *out;
} tsr__lines_out;

struct tsr__lines {
  const char    *op;
  tsr__line_fn  *run;
  const void    *arg;
  tsr__lines_out outputs[TSR__LINES_OUTPUTS];
  int            count;      /* of them */
  size_t         each, more; /* temporary bytes of a line: each · elements + more */
  tsr_index      elements;
  /* What the run fills in. */
  tsr_index      length; /* of a line */
  ptrdiff_t      step[1 + TSR__LINES_OUTPUTS]; /* in bytes */
  tsr__loop      kept;                         /* the other axes: the input, then the outputs */
  char          *memory;
  size_t         bytes; /* of one worker */
  bool           by_worker; /* memory belongs to workers; else, where lines are fewer, to lines */
};

/* Whether x is a host tensor of real numbers that this build computes with: TSR_EDTYPE. */
tsr_status tsr__lines_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *x);

/* Checks the outputs, gets all memory, and calls run for every line of x along axis. x is checked; its axis
 * resolved. */
tsr_status tsr__lines_run(tsr_ctx *ctx, tsr__lines *lines, const tsr_tensor *x, int axis);

/* What an output was before a call, again: frees what the call allocated. */
void tsr__lines_undo(const tsr_tensor *before, tsr_tensor *out);

#endif
