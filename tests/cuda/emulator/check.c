#define _GNU_SOURCE
#include "check.h"

#include "block.h"

void check_access(const void *data, unsigned long bytes, int kind, const void *where) {
  (void)data, (void)bytes, (void)kind, (void)where;
}
void check_launch(void) {}
void check_block(void) {}
void check_barrier(block *b, int id, int count) {
  if (id == 0 && count == 0) b->epoch++;
}
void check_late_copies(thread *t) {
  thread_fail(CUDA_ERROR_LAUNCH_FAILED, "it ends with %d asynchronous copies that it never waited for", t->copy_count);
}
void check_written(const void *data, size_t bytes) { (void)data, (void)bytes; }
void check_copied(const void *dst, const void *src, size_t bytes) { (void)dst, (void)src, (void)bytes; }
