/* Locks and fork: the thread that forks takes every lock first, so that the child inherits none held by a thread it
 * does not have, and no list half changed. */
#include "memory/lock.h"

#include <stddef.h>

#if TSR_HAVE_THREADS

/* In the order in which they are taken: once_mutex, list_mutex, the locks of the list. */
static pthread_mutex_t once_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static tsr__lock *list;

static _Thread_local int
    forking; /* calls of before_fork that wait for their after_fork: the first one takes the locks */

static void before_fork(void) {
  if (forking++ > 0) return;
  (void)pthread_mutex_lock(&once_mutex);
  (void)pthread_mutex_lock(&list_mutex);
  for (tsr__lock *lock = list; lock != NULL; lock = lock->next) tsr__lock_take(lock);
}

static void after_fork(void) {
  if (--forking > 0) return;
  for (tsr__lock *lock = list; lock != NULL; lock = lock->next) tsr__lock_give(lock);
  (void)pthread_mutex_unlock(&list_mutex);
  (void)pthread_mutex_unlock(&once_mutex);
}

#if defined(_WIN32) /* processes are not forked there */

bool tsr__watch_forks(bool *watched, void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
  (void)before, (void)in_parent, (void)in_child;
  __atomic_store_n(watched, true, __ATOMIC_RELEASE);
  return true;
}

#else

bool tsr__watch_forks(bool *watched, void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
  if (__atomic_load_n(watched, __ATOMIC_ACQUIRE)) return true;
  if (pthread_atfork(before, in_parent, in_child) != 0) return false;
  __atomic_store_n(watched, true, __ATOMIC_RELEASE);
  return true;
}

#endif

static bool watch_locks(void) {
  static bool watched;
  return tsr__watch_forks(&watched, before_fork, after_fork, after_fork);
}

void tsr__once(bool *done, void (*start)(void)) {
  if (__atomic_load_n(done, __ATOMIC_ACQUIRE)) return;
  (void)watch_locks();
  (void)pthread_mutex_lock(&once_mutex);
  if (!__atomic_load_n(done, __ATOMIC_RELAXED)) {
    start();
    __atomic_store_n(done, true, __ATOMIC_RELEASE);
  }
  (void)pthread_mutex_unlock(&once_mutex);
}

bool tsr__lock_init(tsr__lock *lock) {
  if (pthread_mutex_init(&lock->mutex, NULL) != 0 || !watch_locks()) return false;
  (void)pthread_mutex_lock(&list_mutex);
  lock->next = list;
  lock->link = &list;
  if (list != NULL) list->link = &lock->next;
  list = lock;
  (void)pthread_mutex_unlock(&list_mutex);
  return true;
}

void tsr__lock_end(tsr__lock *lock) {
  (void)pthread_mutex_lock(&list_mutex);
  *lock->link = lock->next;
  if (lock->next != NULL) lock->next->link = lock->link;
  (void)pthread_mutex_unlock(&list_mutex);
  (void)pthread_mutex_destroy(&lock->mutex);
}

#endif
