/* Stacks, and switching between them without a system call. */
#ifndef EMULATOR_FIBER_H
#define EMULATOR_FIBER_H

typedef struct fiber_stack fiber_stack;

/* A stack of the pool, and back. */
fiber_stack *fiber_take(void);
void fiber_give(fiber_stack *stack);
/* Where a stack goes on that begins with start(), which never returns. */
void *fiber_begin(fiber_stack *stack, void (*start)(void));
/* Leaves in *here where this one goes on, and goes on there. */
void fiber_switch(void **here, void *there);
/* Whether an address is in the page below a stack: it has overflowed. */
int fiber_holds(const fiber_stack *stack, const void *address);
int fiber_overflowed(const fiber_stack *stack, const void *address);

#endif
