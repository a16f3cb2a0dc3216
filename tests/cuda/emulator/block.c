#define _GNU_SOURCE
#include "block.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "state.h"

machine running;

unsigned machine_random(unsigned below) {
  running.random = running.random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((running.random >> 33) % below);
}

int thread_number(const block *b, const thread *t) { return (int)(t - b->thread); }

/* ---- what the fibers do ---- */

static void set_indices(const block *b, const thread *t) {
  unsigned *const indices = running.launch->module->info->indices;
  const unsigned n = (unsigned)thread_number(b, t), *const size = running.launch->block;
  indices[0] = n % size[0];
  indices[1] = n / size[0] % size[1];
  indices[2] = n / size[0] / size[1];
  memcpy(indices + 3, b->index, sizeof b->index);
}

static void thread_main(void) {
  running.launch->kernel->entry(running.launch->arguments);
  thread *const t = running.thread;
  if (t->copy_count > 0) check_late_copies(t);
  thread_leave(THREAD_ENDED, 0);
}

void thread_leave(thread_state next, int line) {
  thread *const t = running.thread;
  t->state = next;
  t->line = line;
  fiber_switch(&t->resume, running.scheduler);
}

void thread_fail(CUresult result, const char *format, ...) {
  char what[1024];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  const unsigned *const i = running.launch->module->info->indices;
  const unsigned *const b = running.block->index;
  if (running.thread != NULL)
    report("%s, block (%u,%u,%u), thread (%u,%u,%u): %s", running.launch->kernel->name, b[0], b[1], b[2], i[0], i[1],
           i[2], what);
  else
    report("%s, block (%u,%u,%u): %s", running.launch->kernel->name, b[0], b[1], b[2], what);
  running.failed = result;
  if (running.thread == NULL) return;
  void *nowhere;
  fiber_switch(&nowhere, running.scheduler);
  abort(); /* nothing goes on there */
}

/* ---- the scheduler of a block ---- */

void thread_wake(block *b, thread *t) {
  t->state = THREAD_READY;
  b->ready[(b->ready_first + b->ready_count++) % BLOCK_THREADS] = thread_number(b, t);
}

static thread *pick(block *b) {
  if (b->ready_count == 0) return NULL;
  if (running.launch->seed != 0) { /* any of them: it changes places with the first */
    const int other = (b->ready_first + (int)machine_random((unsigned)b->ready_count)) % BLOCK_THREADS;
    const int number = b->ready[other];
    b->ready[other] = b->ready[b->ready_first];
    b->ready[b->ready_first] = number;
  }
  thread *const t = &b->thread[b->ready[b->ready_first]];
  b->ready_first = (b->ready_first + 1) % BLOCK_THREADS;
  b->ready_count--;
  return t;
}

static void resume(block *b, thread *t) {
  if (t->stack == NULL) {
    t->stack = fiber_take();
    t->resume = fiber_begin(t->stack, thread_main);
  }
  set_indices(b, t);
  running.thread = t;
  fiber_switch(&running.scheduler, t->resume);
  running.thread = NULL;
  if (running.failed != CUDA_SUCCESS) return;
  if (t->state == THREAD_ASLEEP) {
    b->asleep[b->asleep_count++] = thread_number(b, t);
    return;
  }
  b->progress++;
  if (t->state != THREAD_ENDED) return;
  fiber_give(t->stack);
  t->stack = NULL;
  b->ended++;
  warp_thread_ended(b, t);
}

/* Nobody can go on: what the first few wait for. */
static void report_deadlock(block *b) {
  static const char *const words[] = {"", "", "at a barrier", "in an operation of their warp", "", ""};
  int counts[THREAD_ENDED + 1] = {0}, lines[THREAD_ENDED + 1] = {0};
  for (int i = 0; i < b->threads; i++) {
    counts[b->thread[i].state]++;
    lines[b->thread[i].state] = b->thread[i].line;
  }
  char text[256] = "";
  size_t at = 0;
  for (int s = THREAD_BARRIER; s <= THREAD_WARP; s++)
    if (counts[s] > 0)
      at += (size_t)snprintf(text + at, sizeof text - at, "; %d wait %s (line %d)", counts[s], words[s], lines[s]);
  const unsigned *const x = b->index;
  report("%s, block (%u,%u,%u): its threads wait for each other: %d of %d have ended%s", running.launch->kernel->name,
         x[0], x[1], x[2], b->ended, b->threads, text);
  running.failed = CUDA_ERROR_LAUNCH_FAILED;
}

block_result block_run(block *b) {
  unsigned long before = b->progress;
  bool polled = false;
  running.block = b;
  for (;;) {
    thread *const t = pick(b);
    if (t != NULL) {
      resume(b, t);
      if (running.failed != CUDA_SUCCESS) return BLOCK_FAILED;
      continue;
    }
    if (b->ended == b->threads) return BLOCK_ENDED;
    if (b->asleep_count == 0) {
      report_deadlock(b);
      return BLOCK_FAILED;
    }
    if (polled && b->progress == before) return BLOCK_STALLED;
    before = b->progress;
    polled = true;
    const int count = b->asleep_count;
    b->asleep_count = 0;
    for (int i = 0; i < count; i++) thread_wake(b, &b->thread[b->asleep[i]]);
  }
}

void block_begin(block *b, const unsigned *index) {
  const unsigned *const size = running.launch->block;
  char *const shared = b->shared;
  b->threads = (int)(size[0] * size[1] * size[2]);
  memset(b->thread, 0, (size_t)b->threads * sizeof b->thread[0]);
  memcpy(b->index, index, sizeof b->index);
  memset(b->barrier, 0, sizeof b->barrier);
  b->shared = shared;
  b->ended = b->ready_count = b->ready_first = b->asleep_count = 0;
  b->epoch = 0;
  memset(b->warp_clock, 0, sizeof b->warp_clock);
  b->progress = 0;
  for (int i = 0; i < b->threads; i++) b->ready[b->ready_count++] = i;
}

void block_abandon(block *b) {
  for (int i = 0; i < b->threads; i++) {
    if (b->thread[i].stack != NULL) fiber_give(b->thread[i].stack);
    b->thread[i].stack = NULL;
    free(b->thread[i].copies);
    b->thread[i].copies = NULL;
  }
}
