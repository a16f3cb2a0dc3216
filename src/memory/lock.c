/* Locks and fork: the thread that forks takes every lock first, so that the child inherits none held by a thread it
 * does not have, and no list half changed. */
#include "memory/lock.h"

#include <stddef.h>

#if TSR_HAVE_THREADS

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER; /* taken before any lock of the list, never after one */
static tsr__lock      *list;

static void before_fork(void) {
  (void)pthread_mutex_lock(&list_mutex);
  for (tsr__lock *lock = list; lock != NULL; lock = lock->next) tsr__lock_take(lock);
}

static void after_fork(void) {
  for (tsr__lock *lock = list; lock != NULL; lock = lock->next) tsr__lock_give(lock);
  (void)pthread_mutex_unlock(&list_mutex);
}

static void watch_forks(void) { (void)pthread_atfork(before_fork, after_fork, after_fork); }

bool tsr__lock_init(tsr__lock *lock) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (pthread_mutex_init(&lock->mutex, NULL) != 0) return false;
  (void)pthread_once(&once, watch_forks);
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
