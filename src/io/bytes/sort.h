/* Sorting of positions, in place and in n log n steps whatever the input: files are not trusted with less. */
#ifndef TSR_IO_BYTES_SORT_H
#define TSR_IO_BYTES_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether element a comes before element b. */
typedef bool tsr__before_fn(const void *user, size_t a, size_t b);

/* Orders the n positions. */
void tsr__sort(size_t *order, size_t n, tsr__before_fn *before, const void *user);

#endif
