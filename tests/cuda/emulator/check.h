/* Checks of what kernels do with memory: each access of a kernel that was compiled with checks comes here. */
#ifndef EMULATOR_CHECK_H
#define EMULATOR_CHECK_H

#include <stddef.h>

struct block;
struct thread;

void check_access(const void *data, unsigned long bytes, int kind, const void *where);
/* A launch begins: it and its block see the memory as it is now. A block begins in shared memory that nobody has written. */
void check_launch(void);
void check_block(void);
/* A barrier has opened: what was written before it may be read. count 0: that of the whole block. */
void check_barrier(struct block *b, int id, int count);
/* A thread ends with copies that nobody waited for. */
void check_late_copies(struct thread *t);
/* Bytes that a copy or a fill wrote. */
void check_written(const void *data, size_t bytes);
void check_copied(const void *dst, const void *src, size_t bytes);

#endif
