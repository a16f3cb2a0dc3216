/* A library's threads must not surprise a program that did not start them. Its signals are for its own threads: a handler
 * on a worker would find another thread's data, and an interrupted call would be nobody's. And a program that unloads
 * the library, or a plugin that the library was linked into, must not take the code from under threads that run in it. */
#define _GNU_SOURCE /* dladdr */
#include "cpu/start.h"

#if TSR_HAVE_THREADS

#include <stddef.h>
#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#include <signal.h>
#endif

/* ---- code that stays ---- */

#if defined(_WIN32)

static void stay_loaded(void) {
  static const char here; /* an address in what must stay */
  HMODULE module;
  (void)GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, &here, &module);
}

#elif defined(RTLD_NOLOAD) && defined(RTLD_NODELETE)

#if defined(__ELF__) /* where nothing was loaded at run time these may be missing, and are not needed */
#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlerror
#endif

/* Ending the threads when the code is unloaded is no way: the loader holds its lock then, and a thread that ends takes
 * it. So what this function lies in is never unloaded. A program itself cannot be opened so, and need not be. */
static void stay_loaded(void) {
  static bool done;       /* atomic: twice is harmless */
  static const char here; /* an address in what must stay */
  Dl_info where;
  if (__atomic_load_n(&done, __ATOMIC_ACQUIRE) || dladdr == NULL || dlopen == NULL || dlerror == NULL) return;
  if (dladdr(&here, &where) == 0 || where.dli_fname == NULL) return;
  if (dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) == NULL) (void)dlerror(); /* not the program's */
  __atomic_store_n(&done, true, __ATOMIC_RELEASE);
}

#else

static void stay_loaded(void) {}

#endif

/* ---- signals ---- */

#if defined(_WIN32) /* has none */

bool tsr__start_thread(pthread_t *thread, void *(*work)(void *), void *arg) {
  stay_loaded();
  return pthread_create(thread, NULL, work, arg) == 0;
}

#else

/* All but those that a thread raises by what it does, and the clock of profilers, which must see who works. */
static void fill_with_foreign_signals(sigset_t *set) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF};
  (void)sigfillset(set);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) (void)sigdelset(set, own[i]);
}

bool tsr__start_thread(pthread_t *thread, void *(*work)(void *), void *arg) {
  sigset_t foreign, before;
  stay_loaded();
  fill_with_foreign_signals(&foreign);
  if (pthread_sigmask(SIG_BLOCK, &foreign, &before) != 0) return false;
  const bool started = pthread_create(thread, NULL, work, arg) == 0; /* it begins with the mask of this one */
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

#endif

#else
typedef int tsr__start_none; /* a file has to declare something */
#endif
