/* Checks of what kernels do with memory: each access of a kernel that was compiled with checks comes here. Found are accesses
 * outside of allocations, of memory of the host, or not aligned; shared memory that is read before it was written; and two
 * threads that use the same shared memory with nothing between them, one of them writing. */
#ifndef EMULATOR_CHECK_H
#define EMULATOR_CHECK_H

#include <stddef.h>

struct block;
struct thread;

void check_access(const void *data, unsigned long bytes, int kind, const void *where);
/* A launch begins: its memory is what is allocated now. */
void check_launch(void);
/* A block begins, in shared memory that nobody has written; or goes on after others. */
void check_block(struct block *b);
/* Some threads have met: what was done before is done before what follows. */
void check_order(struct block *b);
/* A thread ends with copies that nobody waited for. */
void check_late_copies(const struct thread *t);

#endif
