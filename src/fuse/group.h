/* A group of calls that run as one: what a pass over a program finds, and what an engine, of the host or of a device, runs.
 *
 * Every value of a group has the group's shape. A value is an input, a number that is known, or the result of a step. A step
 * is a kernel of an op, or a conversion: rounding to f16 after an op is a conversion of its result, and reading it again one
 * back, so that a group has the bits of its calls. Values that somebody outside needs are outputs. A group may end with a
 * reduction or a softmax of one of its values, which then is its only output, and never in memory.
 *
 * A group is one block without pointers into itself, so that a work can be copied. Its inputs lie in the operands of the work
 * that it is an attribute of, with the group's shape and stride 0 where they repeat. */
#ifndef TSR_FUSE_GROUP_H
#define TSR_FUSE_GROUP_H

#include "nn/softmax/softmax.h"
#include "ops/elementwise/elementwise.h"
#include "ops/reduce/reduce.h"

#if TSR_HAVE_OPS

enum {
  TSR__GROUP_INPUTS = 16,
  TSR__GROUP_OUTPUTS = TSR__CALL_OUTPUTS,
  TSR__GROUP_OPERANDS = TSR__GROUP_INPUTS + TSR__GROUP_OUTPUTS,
  TSR__GROUP_NUMBERS = 32,
  TSR__GROUP_VALUES = 160,
  TSR__GROUP_STEPS = 120
};

typedef enum tsr__group_source { TSR__GROUP_INPUT, TSR__GROUP_NUMBER, TSR__GROUP_STEP } tsr__group_source;

typedef struct tsr__group_value {
  uint8_t dtype;
  uint8_t source;   /* a tsr__group_source */
  int16_t number;   /* of the input, of the number, or of the step */
  int16_t output;   /* the number of the output that it is; -1: none */
  int16_t slot;     /* of a step's result: which of a tile's blocks it has until it was read last; -1: none */
  bool in_register; /* a step's result that is in no memory: the step that reads it follows, see fuse/chain.c */
  bool flat;        /* a kernel reads it, which wants a tile's elements as one row */
} tsr__group_value;

typedef struct tsr__group_number {
  _Alignas(16) char bytes[16];
} tsr__group_number;

/* Where an input of a step that runs in registers is (fuse/stage.h). */
typedef enum tsr__group_place { TSR__IN_MEMORY, TSR__IN_TOP, TSR__IN_BELOW } tsr__group_place;

/* out = op(in), or out = in, converted to its dtype. The last four are for the host's registers, and may be ignored. */
typedef struct tsr__group_step {
  const tsr__op_info *op;            /* the call that it is a part of */
  tsr__row_fn *const *const *tables; /* kernels by instruction set and compute; NULL: a conversion */
  uint8_t compute;
  uint8_t inputs;
  bool has_param;
  int16_t in[TSR__MAX_OPERANDS - 1], out;
  tsr__group_number param;
  uint8_t lanes;                       /* the dtype of the registers that it runs in; TSR_NONE: it runs by its kernel */
  int8_t stage;                        /* a tsr__stage_op */
  uint8_t from[TSR__MAX_OPERANDS - 1]; /* a tsr__group_place for each input */
  bool pushes;                         /* what is loaded first leaves the top below it */
} tsr__group_step;

typedef enum tsr__group_end { TSR__ENDS_ELEMENTWISE, TSR__ENDS_REDUCTION, TSR__ENDS_SOFTMAX } tsr__group_end;

typedef struct tsr__group {
  size_t bytes; /* of all of it */
  int inputs, outputs, numbers, values, steps;
  int slots;     /* that a tile needs for results of steps */
  int stages;    /* of a chain of steps that run in registers, at most; 0: there is none */
  size_t widest; /* bytes of the largest element of a value */
  bool heavy;    /* computing takes longer than memory does */
  int ndim;
  tsr_index shape[TSR_MAX_DIMS], size;
  /* how it ends: of which value, in the dtype that the kernels read */
  tsr__group_end end;
  int ended;                /* the value */
  const tsr__op_info *ends; /* the op that it ends with; NULL: none */
  int out_dtype, out_ndim;
  tsr_index out_shape[TSR_MAX_DIMS];
  tsr__reduce reduce; /* its x and kernels are set by each run */
  const tsr__softmax_kernel *const *softmax;
  int16_t input[TSR__GROUP_INPUTS], output[TSR__GROUP_OUTPUTS]; /* the values that they are */
  tsr__group_value value[TSR__GROUP_VALUES];
  tsr__group_number constant[TSR__GROUP_NUMBERS];
  tsr__group_step step[TSR__GROUP_STEPS]; /* as many as there are */
} tsr__group;

/* Smaller groups run by kernels alone: a block in registers would be mostly empty. */
enum { TSR__CHAIN_ELEMENTS = 64 };

/* Whether the step after step i is of the same chain: both run in registers. */
static inline bool tsr__group_goes_on(const tsr__group *g, int i) {
  return i + 1 < g->steps && g->step[i].lanes != TSR_NONE && g->step[i + 1].lanes == g->step[i].lanes;
}

/* Whether one chain is all of it. */
static inline bool tsr__group_is_one_chain(const tsr__group *g) {
  int i = 0;
  while (tsr__group_goes_on(g, i)) i++;
  return i == g->steps - 1 && g->step[i].lanes != TSR_NONE;
}

/* The attributes of a work that is a group. */
typedef struct tsr__fused_attrs {
  const tsr__group *group;
  int bytes;
} tsr__fused_attrs;

extern const tsr__op_info tsr__op_fused;

#endif
#endif
