/* Engines: who prepares which op. */
#ifndef TSR_CUDA_ENGINE_H
#define TSR_CUDA_ENGINE_H

#include "cuda/cuda.h"

struct tsr__cuda_op {
  const char *name; /* the op's: "add" */
  /* Plans a work. TSR_EDEVICE with a message where the device cannot do this one. */
  tsr_status (*prepare)(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan);
  const void *line; /* what the engine wants to know of the op: its line of text, its attributes */
};

/* The row of an op, by its name; NULL: this device does not have it. The device asks once an op and remembers. */
const tsr__cuda_op *tsr__cuda_op_find(const char *name);

#endif
