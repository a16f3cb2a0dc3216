/* The tables of rotary embedding, in memory of the host. */
#ifndef TSR_NN_ROTARY_TABLES_H
#define TSR_NN_ROTARY_TABLES_H

#include <tessera/tensor.h>

/* cos and sin are floats of one dtype and shape, [length, features / 2], that do not overlap. */
void tsr__rotary_fill(tsr_index features, tsr_real base, const tsr_tensor *cos, const tsr_tensor *sin);

#endif
