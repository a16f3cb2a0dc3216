/* A command that a signal ends leaves no file behind that it did not finish. */
#ifndef TESSERA_INTERRUPT_H
#define TESSERA_INTERRUPT_H

#include <signal.h>

/* From here on, hangups, interrupts and their like remove what is unfinished, and then end the process as they would
 * have. Signals that were ignored stay ignored. */
void interrupt_start(void);

/* A file in a folder of its own: both are removed. Up to four at once. */
void interrupt_watch(const char *path);
void interrupt_forget(const char *path);

/* Signals wait between these two. */
typedef struct interrupt_mask {
  sigset_t before;
} interrupt_mask;

interrupt_mask interrupt_hold(void);
void interrupt_release(const interrupt_mask *mask);

#endif
