/* What the parts of the emulated driver share: one lock, the devices, contexts and how a function of the driver begins. */
#ifndef EMULATOR_STATE_H
#define EMULATOR_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "driver.h"
#include "emulator.h"

enum { MAX_DEVICES = 8, MAX_CONTEXT_DEPTH = 64 };

struct context {
  int device;
  int retained;    /* of the primary one */
  CUresult sticky; /* after a fault every call gives it */
  bool peers[MAX_DEVICES];
  struct stream *null_stream;
};

typedef struct device {
  struct context primary;
  size_t capacity, live;
  bool lost;
} device;

typedef struct state {
  pthread_mutex_t lock;   /* of all that is below, and of streams, events, memory, modules */
  pthread_cond_t changed; /* work was queued, is done, or is wanted */
  bool ready, ended;      /* between cuInit and the end of the process */
  long process;
  int devices;
  device device[MAX_DEVICES];
  unsigned seed;
  bool late, quiet, trace;
  int captures; /* under way that no thread may disturb */
} state;

extern state emulator;

/* Begins a function of the driver: takes the lock, or returns why it cannot go on. Every such function ends with LEAVE. */
CUresult enter(const char *function);
CUresult leave(CUresult result);

#define ENTER()                                  \
  do {                                           \
    const CUresult entered = enter(__func__);    \
    if (entered != CUDA_SUCCESS) return entered; \
  } while (0)
/* The same with a context that is current and whole. */
#define ENTER_CONTEXT(name)                               \
  ENTER();                                                \
  struct context *const name = current_context();         \
  do {                                                    \
    const CUresult state_of = context_state(name);        \
    if (state_of != CUDA_SUCCESS) return leave(state_of); \
  } while (0)

struct context *current_context(void);
CUresult context_state(const struct context *c); /* NULL: there is none */

/* A sentence for emulator_report, and on stderr. The lock need not be held. */
__attribute__((format(printf, 1, 2))) void report(const char *format, ...);

#endif
