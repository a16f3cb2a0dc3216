/* Weights in panels, for the kernels of hosts. */
#ifndef TSR_NN_QUANT_PANELS_H
#define TSR_NN_QUANT_PANELS_H

#include "nn/quant/layer.h"

/* Whether there are such kernels: not where flash is small. */
#define TSR__Q_FAST TSR_HAVE_MALLOC

/* The kernel for x of a dtype: TSR__Q_KERNEL_PLAIN where the others do not pay. The weights' zero points are 0. */
tsr__q_kernel tsr__q_panels_kernel(int isa, const tsr__q_filters *f, int x_dtype);

/* Bytes of the panels, and the panels themselves. */
size_t tsr__q_panels_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f);
void tsr__q_panels_pack(tsr__q_kernel kernel, int isa, const tsr_tensor *w, const tsr__q_filters *f, void *panels);

#endif
