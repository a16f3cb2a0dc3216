/* DLPack: dtypes both ways. */
#ifndef TSR_IO_DLPACK_TYPES_H
#define TSR_IO_DLPACK_TYPES_H

#include <tessera/dlpack.h>

/* The dtype of a DLPack type of one lane; TSR_NONE when no tensor has it. */
int tsr__dl_dtype(const tsr_dl_type *type);

/* The other way round. */
tsr_dl_type tsr__dl_type(int dtype);

#endif
