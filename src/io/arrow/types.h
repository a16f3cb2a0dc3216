/* Arrow's names of dtypes. */
#ifndef TSR_IO_ARROW_TYPES_H
#define TSR_IO_ARROW_TYPES_H

#include <tessera/arrow.h>
#include "core/check.h"

#if TSR_HAVE_STDIO

/* The dtype of the elements that a format names; TSR_NONE: none. "b", bits, is TSR_BOOL. */
int tsr__arrow_dtype(const char *format);

/* The format of a dtype; NULL: Arrow has none. */
const char *tsr__arrow_format(int dtype);

#endif

#endif
