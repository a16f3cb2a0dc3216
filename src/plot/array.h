/* Arrays that grow, over one allocator. Running out of memory is remembered rather than told each time: whoever fills arrays asks
 * once, at the end. */
#ifndef TSR_PLOT_ARRAY_H
#define TSR_PLOT_ARRAY_H

#include "core/fail.h"

#if TSR_HAVE_PLOT

typedef struct tsr__plot_memory {
  const tsr_allocator *allocator;
  bool failed; /* nothing is added after it */
} tsr__plot_memory;

typedef struct tsr__plot_array {
  void *data;
  size_t count, capacity; /* of items */
} tsr__plot_array;

/* Room for n more items of so many bytes, zeroed; NULL when there is no memory. */
void *tsr__plot_push(tsr__plot_memory *memory, tsr__plot_array *array, size_t item, size_t n);

void tsr__plot_array_release(const tsr__plot_memory *memory, tsr__plot_array *array, size_t item);

#endif

#endif
