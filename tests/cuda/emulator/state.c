#define _GNU_SOURCE
#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

state emulator = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* ---- calls: counted, and failing where a test asks for it ---- */

enum { FUNCTIONS = 160 };
static struct {
  const char *name;
  long count;
} calls[FUNCTIONS];
static struct {
  bool armed;
  char function[64]; /* "": any */
  long after;
  int error;
} failure;

static void count_call(const char *function) {
  for (int i = 0; i < FUNCTIONS; i++) {
    if (calls[i].name == NULL) calls[i].name = function;
    if (strcmp(calls[i].name, function) != 0) continue;
    calls[i].count++;
    return;
  }
}

static CUresult wanted_failure(const char *function) {
  if (!failure.armed || (failure.function[0] != 0 && strcmp(failure.function, function) != 0)) return CUDA_SUCCESS;
  if (failure.after-- > 0) return CUDA_SUCCESS;
  failure.armed = false;
  return failure.error;
}

EXPORT void emulator_fail(const char *function, long after, int error) {
  pthread_mutex_lock(&emulator.lock);
  (void)snprintf(failure.function, sizeof failure.function, "%s", function != NULL ? function : "");
  failure.after = after;
  failure.error = error;
  failure.armed = error != CUDA_SUCCESS;
  pthread_mutex_unlock(&emulator.lock);
}

EXPORT long emulator_calls(const char *function) {
  long sum = 0;
  pthread_mutex_lock(&emulator.lock);
  for (int i = 0; i < FUNCTIONS && calls[i].name != NULL; i++)
    if (function == NULL || strcmp(function, calls[i].name) == 0) sum += calls[i].count;
  pthread_mutex_unlock(&emulator.lock);
  return sum;
}

/* ---- how a function begins ---- */

/* The real driver ends with the process's own end, and does not go on in a child. */
__attribute__((destructor)) static void end(void) { emulator.ended = true; }

CUresult enter(const char *function) {
  if (emulator.ended) return CUDA_ERROR_DEINITIALIZED;
  if (emulator.ready && emulator.process != (long)getpid()) return CUDA_ERROR_NOT_INITIALIZED;
  pthread_mutex_lock(&emulator.lock);
  count_call(function);
  if (emulator.trace) (void)fprintf(stderr, "emulated CUDA: %s\n", function);
  CUresult result = wanted_failure(function);
  if (result == CUDA_SUCCESS && !emulator.ready) result = CUDA_ERROR_NOT_INITIALIZED;
  if (result != CUDA_SUCCESS) pthread_mutex_unlock(&emulator.lock);
  return result;
}

CUresult leave(CUresult result) {
  pthread_mutex_unlock(&emulator.lock);
  return result;
}

/* ---- the report ---- */

static char report_text[2048];
static pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;

void report(const char *format, ...) {
  va_list args;
  va_start(args, format);
  pthread_mutex_lock(&report_lock);
  (void)vsnprintf(report_text, sizeof report_text, format, args);
  if (!emulator.quiet) (void)fprintf(stderr, "emulated CUDA: %s\n", report_text);
  pthread_mutex_unlock(&report_lock);
  va_end(args);
}

EXPORT const char *emulator_report(void) {
  static _Thread_local char copy[sizeof report_text];
  pthread_mutex_lock(&report_lock);
  memcpy(copy, report_text, sizeof copy);
  pthread_mutex_unlock(&report_lock);
  return copy;
}

/* ---- controls ---- */

EXPORT void emulator_set_memory(int number, size_t bytes) {
  pthread_mutex_lock(&emulator.lock);
  if (number >= 0 && number < MAX_DEVICES) emulator.device[number].capacity = bytes;
  pthread_mutex_unlock(&emulator.lock);
}

EXPORT size_t emulator_live(int number) {
  pthread_mutex_lock(&emulator.lock);
  const size_t live = number >= 0 && number < MAX_DEVICES ? emulator.device[number].live : 0;
  pthread_mutex_unlock(&emulator.lock);
  return live;
}

EXPORT void emulator_lose(int number) {
  pthread_mutex_lock(&emulator.lock);
  if (number >= 0 && number < MAX_DEVICES) emulator.device[number].lost = true;
  pthread_mutex_unlock(&emulator.lock);
}

EXPORT void emulator_set_seed(unsigned seed) {
  pthread_mutex_lock(&emulator.lock);
  emulator.seed = seed;
  pthread_mutex_unlock(&emulator.lock);
}

EXPORT void emulator_set_late(bool late) {
  pthread_mutex_lock(&emulator.lock);
  emulator.late = late;
  pthread_cond_broadcast(&emulator.changed);
  pthread_mutex_unlock(&emulator.lock);
}
