/* Stacks of matrices: what every op of the family does around its mathematics.
 *
 * The last axes of an operand are a matrix (two), a vector (one) or a number (none); the axes before them are the stack,
 * and those of the inputs broadcast. A kernel sees matrices row-major and contiguous, whatever the strides were:
 *
 *   small ones (no side longer than TSR__LANES_SIDE) come as many at once as a vector has lanes, element (i, j) of all
 *   of them as vector i·cols + j: a lane is a matrix, and does not know the others;
 *   larger ones, and all of them on microcontrollers, come alone.
 *
 * Which way depends on the sides alone, so that a matrix gives the same bits in any stack, on any number of threads.
 *
 * A matrix may have no result (it is singular). Then no output changes: one that the call made is taken back by the
 * frame, and one that was given is written from a copy, after all matrices went well. The same copy serves where an
 * output overlaps an input or has another dtype than is computed in. */
#ifndef TSR_LINALG_STACK_H
#define TSR_LINALG_STACK_H

#include <string.h>

#include "core/call.h"
#include "cpu/isa.h"
#include "linalg/work.h"

enum { TSR__STACK_INPUTS = 3, TSR__STACK_OUTPUTS = 3, TSR__LANES_SIDE = 16, TSR__LANES_MOST = 16 };

/* An operand. */
typedef struct tsr__stacked {
  tsr_tensor t;    /* what is read or written: the operand, or a copy of it */
  bool copied;     /* it is a copy */
  bool none;       /* an output that nobody wants: kernels get memory for it all the same */
  int core;        /* axes of a matrix: 2, 1, 0 */
  int shares;      /* of an input, the output in whose memory it is worked on; -1: none */
  int dtype;       /* of an output; TSR_NONE: the floats that inputs promote to */
  bool index;      /* an input of integers, which has no part in the dtype */
  bool is_complex; /* whatever the inputs are; of real ones real and imaginary parts come as rows of their own */
  bool is_real;    /* of complex inputs too: lengths, pivots */
  tsr_index rows, cols;
} tsr__stacked;

typedef struct tsr__stack tsr__stack;

/* One matrix, or lanes of them: in and out are their elements, those that share at the same address. fault[lane] is 0, and
 * becomes 1 + the pivot where a matrix has no result. Called with addresses that are NULL, it says in *work how much memory
 * it takes, and does nothing else. */
typedef void tsr__stack_fn(const tsr__stack *s, void *const *in, void *const *out, tsr__work *work, tsr_index *fault);

/* The kernels of small matrices: one for f32, one for f64, for each instruction set. */
typedef tsr__stack_fn *const tsr__lanes_fns[2];

struct tsr__stack {
  /* what the op says */
  int ins, outs;
  tsr__stacked in[TSR__STACK_INPUTS], out[TSR__STACK_OUTPUTS];
  tsr__stack_fn *const *const *lanes; /* by instruction set; NULL: none */
  tsr__stack_fn *rows;                /* of one matrix, of any dtype; complex ones always come alone */
  tsr_status fault;                   /* of a matrix without a result; TSR_OK: there is always one */
  const char *what;                   /* its message: what the matrix is, and "%l" for the pivot */
  bool flag, flags[2];                /* whatever the op has to tell its kernels */
  int kind;
  int64_t exponent;
  tsr_real number;
  /* what tsr__stack_inputs makes of the inputs */
  int dtype, dtype_out;
  int axes;
  tsr_index length[TSR_MAX_DIMS], count;
  tsr_index shape[TSR__STACK_OUTPUTS][TSR_MAX_DIMS];
  tsr__result result[TSR__STACK_OUTPUTS];
};

/* The inputs, of which in[k].core is set: their dtype, the stack, and in[k].rows and cols. TSR_ESHAPE, TSR_EDTYPE. */
tsr_status tsr__stack_inputs(tsr__call *call, tsr__stack *s);

/* Whether input k has square matrices: TSR_ESHAPE. */
tsr_status tsr__stack_square(const tsr__call *call, const tsr__stack *s, int k);

/* Whether input k has as many rows as input other: TSR_ESHAPE. */
tsr_status tsr__stack_fits(const tsr__call *call, const tsr__stack *s, int k, int other);

/* Whether matrices come many at once. All operands are known. */
bool tsr__stack_takes_lanes(const tsr__stack *s);

/* An output of complex numbers, whatever the inputs are. */
static inline void tsr__stack_complex_output(tsr__stack *s, int core, tsr_index rows, tsr_index cols) {
  s->out[s->outs++] = (tsr__stacked){.core = core, .rows = rows, .cols = cols, .is_complex = true};
}

/* An output of real numbers, whatever the inputs are. */
static inline void tsr__stack_real_output(tsr__stack *s, int core, tsr_index rows, tsr_index cols) {
  s->out[s->outs++] = (tsr__stacked){.core = core, .rows = rows, .cols = cols, .is_real = true};
}

/* An output of matrices, vectors (cols is 1) or numbers. */
static inline void tsr__stack_output(tsr__stack *s, int core, tsr_index rows, tsr_index cols) {
  s->out[s->outs++] = (tsr__stacked){.core = core, .rows = rows, .cols = cols};
}

/* An op that builds without malloc do not have. */
tsr_status tsr__stack_refuse_build(const tsr__call *call);

/* The rest of the call. */
tsr_status tsr__stack_run(tsr__call *call, tsr__stack *s);

#endif
