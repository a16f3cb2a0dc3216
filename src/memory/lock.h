/* A lock that a fork leaves free: the child of a process with threads can still allocate. Beside it what else has to hold
 * over a fork: work that is done once, and functions that fork calls. */
#ifndef TSR_MEMORY_LOCK_H
#define TSR_MEMORY_LOCK_H

#include <stdbool.h>
#include <tessera/config.h>

#if TSR_HAVE_THREADS

#include <pthread.h>

typedef struct tsr__lock {
  pthread_mutex_t mutex;
  struct tsr__lock *next; /* all locks of the process, so that a fork can hold them */
  struct tsr__lock **link;
} tsr__lock;

bool tsr__lock_init(tsr__lock *lock);
void tsr__lock_end(tsr__lock *lock);

/* Sees to it that fork calls these. Threads that come together, and a fork meanwhile, may have them called twice for a
 * fork: they must allow for it. *watched is atomic, and true from then on. False when there is no memory for it. */
bool tsr__watch_forks(bool *watched, void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* Calls start unless it was called before; whoever comes meanwhile waits. A fork waits as well, so that the child finds
 * it done or not begun: pthread_once begins again in a child what another thread was in the middle of. start may take
 * locks, and must not fork. *done is atomic. */
void tsr__once(bool *done, void (*start)(void));

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
