/* Memory for libraries that give blocks back without saying how large they are. */
#ifndef TSR_MEMORY_FOREIGN_H
#define TSR_MEMORY_FOREIGN_H

#include "core/fail.h"

/* bytes from the allocator, aligned for anything; NULL when there is no memory. */
void *tsr__foreign_alloc(const tsr_allocator *allocator, size_t bytes);
void tsr__foreign_free(const tsr_allocator *allocator, void *block); /* NULL is fine */

#endif
