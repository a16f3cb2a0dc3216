/* Moving elements of one size, whatever they mean. */
#ifndef TSR_CPU_MOVE_H
#define TSR_CPU_MOVE_H

#include <tessera/tensor.h>

/* n elements of item bytes (1, 2, 4, 8, 16); steps in bytes, any sign, 0 repeats the source. The rows do not overlap. */
void tsr__move_row(size_t item, tsr_index n, const char *src, ptrdiff_t src_step, char *dst, ptrdiff_t dst_step);

/* The item bytes at pattern to each of n elements without gaps. */
void tsr__fill_row(size_t item, tsr_index n, const void *pattern, char *dst);

#endif
