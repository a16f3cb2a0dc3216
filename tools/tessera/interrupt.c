#include "interrupt.h"

#include <stdbool.h>
#include <string.h>
#include <tessera/tessera.h>
#include <unistd.h>

#include "spool.h"

static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGALRM, SIGXCPU, SIGXFSZ};

enum { SIGNALS = (int)(sizeof signals / sizeof signals[0]), WATCHED = 4 };

/* Written by the main thread, read by a handler on any. */
static struct {
  bool used; /* atomic: set after the names, cleared before they change */
  char file[SPOOL_PATH], folder[SPOOL_PATH];
} watched[WATCHED];

/* Nothing here but what a handler may call. The library's files first: one may lie in a folder of the command's. */
static void end(int number) {
  tsr_temporaries_remove();
  for (int i = 0; i < WATCHED; i++) {
    if (!__atomic_load_n(&watched[i].used, __ATOMIC_ACQUIRE)) continue;
    (void)unlink(watched[i].file);
    (void)rmdir(watched[i].folder);
  }
  (void)raise(number); /* it is the system's to handle again */
}

void interrupt_start(void) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = end;
  action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
  for (int i = 0; i < SIGNALS; i++) {
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      (void)sigaction(signals[i], &action, NULL);
  }
}

void interrupt_watch(const char *path) {
  const size_t folder = (size_t)(strrchr(path, '/') - path);
  for (int i = 0; i < WATCHED; i++) {
    if (watched[i].used) continue;
    memcpy(watched[i].file, path, strlen(path) + 1);
    memcpy(watched[i].folder, path, folder);
    watched[i].folder[folder] = '\0';
    __atomic_store_n(&watched[i].used, true, __ATOMIC_RELEASE);
    return;
  }
}

void interrupt_forget(const char *path) {
  for (int i = 0; i < WATCHED; i++)
    if (watched[i].used && strcmp(watched[i].file, path) == 0)
      __atomic_store_n(&watched[i].used, false, __ATOMIC_RELEASE);
}

interrupt_mask interrupt_hold(void) {
  interrupt_mask mask;
  sigset_t all;
  (void)sigemptyset(&all);
  for (int i = 0; i < SIGNALS; i++) (void)sigaddset(&all, signals[i]);
  (void)pthread_sigmask(SIG_BLOCK, &all, &mask.before);
  return mask;
}

void interrupt_release(const interrupt_mask *mask) { (void)pthread_sigmask(SIG_SETMASK, &mask->before, NULL); }
