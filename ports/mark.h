/* A place in a program where ports/qemu/count.c writes down how many instructions ran so far. */
#ifndef PORT_MARK_H
#define PORT_MARK_H

/* One instruction, wherever it is called from. */
__attribute__((noinline, used)) static void port_mark(void) { __asm__ volatile("" ::: "memory"); }

#endif
