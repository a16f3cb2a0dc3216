/* How a worker's thread begins: without the program's signals, in code that stays. */
#ifndef TSR_CPU_START_H
#define TSR_CPU_START_H

#include <tessera/config.h>

#if TSR_HAVE_THREADS

#include <pthread.h>
#include <stdbool.h>

bool tsr__start_thread(pthread_t *thread, void *(*work)(void *), void *arg);

#endif

#endif
