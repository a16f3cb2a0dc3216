/* Sorting of positions, in place and in n log n steps whatever the input: files are not trusted with less. */
#ifndef TSR_IO_BYTES_SORT_H
#define TSR_IO_BYTES_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether element a comes before element b. */
typedef bool tsr__before_fn(const void *user, size_t a, size_t b);

/* Orders the n positions 0, 1, ... */
void tsr__sort(size_t *order, size_t n, tsr__before_fn *before, const void *user);

/* Which of n items has the name of one before it; n: none has. A name is the first field of an item. Of two equal ones the
 * second is told. order has room for n positions. */
size_t tsr__find_twice(const void *items, size_t item, size_t n, size_t *order);

#endif
