/* A lock that a fork leaves free: the child of a process with threads can still allocate. */
#ifndef TSR_MEMORY_LOCK_H
#define TSR_MEMORY_LOCK_H

#include <stdbool.h>
#include <tessera/config.h>

#if TSR_HAVE_THREADS

#include <pthread.h>

typedef struct tsr__lock {
  pthread_mutex_t    mutex;
  struct tsr__lock  *next; /* all locks of the process, so that a fork can hold them */
  struct tsr__lock **link;
} tsr__lock;

bool tsr__lock_init(tsr__lock *lock);
void tsr__lock_end(tsr__lock *lock);

static inline void tsr__lock_take(tsr__lock *lock) { (void)pthread_mutex_lock(&lock->mutex); }
static inline void tsr__lock_give(tsr__lock *lock) { (void)pthread_mutex_unlock(&lock->mutex); }

#else

typedef struct tsr__lock {
  bool unused;
} tsr__lock;

static inline bool tsr__lock_init(tsr__lock *lock) {
  lock->unused = false;
  return true;
}
static inline void tsr__lock_end(tsr__lock *lock) { (void)lock; }
static inline void tsr__lock_take(tsr__lock *lock) { (void)lock; }
static inline void tsr__lock_give(tsr__lock *lock) { (void)lock; }

#endif

#endif
