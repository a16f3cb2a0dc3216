/* What tsr_trim gives back besides the blocks of the default allocator. */
#ifndef TSR_MEMORY_TRIM_H
#define TSR_MEMORY_TRIM_H

#include <stddef.h>

/* tsr_trim calls it too, once it is known: a function that gives memory back and says how much. There is room for one. */
void tsr__trim_also(size_t (*trim)(void));

#endif
