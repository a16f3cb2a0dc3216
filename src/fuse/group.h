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
  uint8_t source; /* a tsr__group_source */
  int16_t number; /* of the input, of the number, or of the step */
  int16_t output; /* the number of the output that it is; -1: none */
  int16_t slot;   /* of a step's result: which of a tile's blocks it has until it was read last; -1: none */
} tsr__group_value;

typedef struct tsr__group_number {
  _Alignas(16) char bytes[16];
} tsr__group_number;

/* out = op(in), or out = in, converted to its dtype. */
typedef struct tsr__group_step {
  const tsr__op_info *op;            /* the call that it is a part of */
  tsr__row_fn *const *const *tables; /* kernels by instruction set and compute; NULL: a conversion */
  uint8_t compute;
  uint8_t inputs;
  bool has_param;
  int16_t in[TSR__MAX_OPERANDS - 1], out;
  tsr__group_number param;
} tsr__group_step;

typedef enum tsr__group_end { TSR__ENDS_ELEMENTWISE, TSR__ENDS_REDUCTION, TSR__ENDS_SOFTMAX } tsr__group_end;

typedef struct tsr__group {
  size_t bytes; /* of all of it */
  int inputs, outputs, numbers, values, steps;
  int slots;     /* that a tile needs for results of steps */
  size_t widest; /* bytes of the largest element of a value */
  bool heavy;    /* computing takes longer than memory does */
  int ndim;
  tsr_index shape[TSR_MAX_DIMS], size;
  /* how it ends: of which value, in the dtype that the kernels read */
  tsr__group_end end;
  int ended; /* the value */
  int out_dtype, out_ndim;
  tsr_index out_shape[TSR_MAX_DIMS];
  tsr__reduce reduce; /* its x and kernels are set by each run */
  const tsr__softmax_kernel *const *softmax;
  int16_t input[TSR__GROUP_INPUTS], output[TSR__GROUP_OUTPUTS]; /* the values that they are */
  tsr__group_value value[TSR__GROUP_VALUES];
  tsr__group_number constant[TSR__GROUP_NUMBERS];
  tsr__group_step step[TSR__GROUP_STEPS]; /* as many as there are */
} tsr__group;

/* The attributes of a work that is a group. */
typedef struct tsr__fused_attrs {
  const tsr__group *group;
  int bytes;
} tsr__fused_attrs;

extern const tsr__op_info tsr__op_fused;

#endif
#endif
