#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "block.h"
#include "check.h"

/* ---- barriers ---- */

static int barrier_result(int kind, int value) { return kind == BARRIER_PLAIN ? 0 : value; }

static int combine(int kind, int sum, int value, bool first) {
  if (kind == BARRIER_COUNT) return sum + (value != 0);
  if (kind == BARRIER_ALL) return first ? value != 0 : sum && value != 0;
  if (kind == BARRIER_ANY) return first ? value != 0 : sum || value != 0;
  return 0;
}

/* Everybody who is expected has come: they go on. */
static void open_barrier(block *b, int id) {
  const int kind = b->barrier[id].kind, value = b->barrier[id].value;
  for (int i = 0; i < b->threads; i++) {
    thread *const t = &b->thread[i];
    if (t->state != THREAD_BARRIER || t->barrier != id) continue;
    t->result = (unsigned long long)barrier_result(kind, value);
    thread_wake(b, t);
  }
  check_order(b);
  memset(&b->barrier[id], 0, sizeof b->barrier[id]);
}

static bool barrier_is_full(const block *b, int id) {
  const int wanted = b->barrier[id].count > 0 ? b->barrier[id].count : b->threads - b->ended;
  return b->barrier[id].arrived > 0 && b->barrier[id].arrived >= wanted;
}

static int hook_barrier(int id, int count, int kind, int value, int line) {
  block *const b = running.block;
  thread *const t = running.thread;
  if (id < 0 || id >= BARRIERS || count < 0 || count % WARP != 0)
    thread_fail(CUDA_ERROR_LAUNCH_FAILED, "line %d: barrier %d for %d threads", line, id, count);
  if (b->barrier[id].arrived > 0 && (b->barrier[id].line != line || b->barrier[id].kind != kind))
    thread_fail(CUDA_ERROR_LAUNCH_FAILED, "divergent barrier: it waits in line %d, others in line %d", line,
                b->barrier[id].line);
  b->barrier[id].value = combine(kind, b->barrier[id].value, value, b->barrier[id].arrived == 0);
  b->barrier[id].line = line;
  b->barrier[id].kind = kind;
  b->barrier[id].count = count;
  b->barrier[id].arrived++;
  t->barrier = id;
  t->state = THREAD_BARRIER;
  if (barrier_is_full(b, id)) open_barrier(b, id);
  thread_leave(t->state, line);
  return (int)t->result;
}

/* ---- operations of a warp ---- */

static thread *warp_of(block *b, const thread *t) { return &b->thread[thread_number(b, t) / WARP * WARP]; }
static int warp_lanes(const block *b, const thread *first) {
  const int left = b->threads - thread_number(b, first);
  return left < WARP ? left : WARP;
}

static unsigned not_ended(const block *b, const thread *first) {
  unsigned mask = 0;
  for (int i = 0; i < warp_lanes(b, first); i++)
    if (first[i].state != THREAD_ENDED) mask |= 1u << i;
  return mask;
}

/* The lane that a lane reads: its own where the other is outside of its part of the warp. */
static int source_lane(const thread *t, int lane) {
  const int first = lane & ~(t->width - 1), last = first + t->width - 1;
  switch (t->kind) {
    case WARP_UP: return lane - t->argument < first ? lane : lane - t->argument;
    case WARP_DOWN: return lane + t->argument > last ? lane : lane + t->argument;
    case WARP_XOR: return (lane ^ t->argument) > last ? lane : lane ^ t->argument;
    default: return first + (t->argument & (t->width - 1));
  }
}

static unsigned long long reduce_two(int kind, unsigned long long x, unsigned long long y) {
  const unsigned a = (unsigned)x, b = (unsigned)y;
  switch (kind) {
    case WARP_ADD: return a + b;
    case WARP_MIN_SIGNED: return (int)a < (int)b ? a : b;
    case WARP_MAX_SIGNED: return (int)a > (int)b ? a : b;
    case WARP_MIN: return a < b ? a : b;
    case WARP_MAX: return a > b ? a : b;
    case WARP_AND: return a & b;
    case WARP_OR: return a | b;
    default: return a ^ b;
  }
}

static unsigned long long combined(const thread *lanes, unsigned mask, int lane) {
  const int kind = lanes[lane].kind;
  unsigned votes = 0, same = 0;
  unsigned long long sum = lanes[lane].value;
  for (int i = 0; i < WARP; i++) {
    if ((mask >> i & 1) == 0) continue;
    if (lanes[i].value != 0) votes |= 1u << i;
    if (lanes[i].value == lanes[lane].value) same |= 1u << i;
    if (kind >= WARP_ADD && i != lane) sum = reduce_two(kind, sum, lanes[i].value);
  }
  switch (kind) {
    case WARP_BALLOT: return votes;
    case WARP_ANY: return votes != 0;
    case WARP_ALL: return votes == mask;
    case WARP_MATCH_ANY: return same;
    case WARP_MATCH_ALL: return same == mask ? mask : 0;
    default: return sum;
  }
}

static void resolve(thread *lanes, unsigned mask) {
  for (int i = 0; i < WARP; i++) {
    if ((mask >> i & 1) == 0) continue;
    thread *const t = &lanes[i];
    if (t->kind >= WARP_BALLOT) {
      t->result = combined(lanes, mask, i);
    } else if (t->kind != WARP_SYNC) {
      const int from = source_lane(t, i);
      if ((mask >> from & 1) == 0) {
        thread_fail(CUDA_ERROR_LAUNCH_FAILED, "line %d: lane %d reads lane %d, which takes no part in it", t->line, i,
                    from);
        return;
      }
      t->result = lanes[from].value;
    }
  }
}

/* Whether all lanes that it is for have come; then they go on. */
static void try_warp(block *b, thread *lanes, unsigned wanted) {
  const unsigned mask = wanted & not_ended(b, lanes);
  const thread *first = NULL;
  for (int i = 0; i < WARP; i++) {
    if ((mask >> i & 1) == 0) continue;
    if (lanes[i].state != THREAD_WARP) return;
    if (first == NULL) first = &lanes[i];
    if (lanes[i].mask != first->mask || lanes[i].kind != first->kind || lanes[i].line != first->line) {
      thread_fail(CUDA_ERROR_LAUNCH_FAILED, "divergent warp: line %d with mask %08x, and line %d with mask %08x",
                  first->line, first->mask, lanes[i].line, lanes[i].mask);
      return;
    }
  }
  resolve(lanes, mask);
  const unsigned clock = ++b->warp_clock[thread_number(b, lanes) / WARP];
  for (int i = 0; i < WARP; i++) {
    if ((mask >> i & 1) == 0) continue;
    lanes[i].warp_clock = clock;
    thread_wake(b, &lanes[i]);
  }
}

static unsigned long long hook_warp(int kind, unsigned mask, unsigned long long value, int argument, int width,
                                    int line) {
  block *const b = running.block;
  thread *const t = running.thread, *const lanes = warp_of(b, t);
  if ((mask >> (t - lanes) & 1) == 0)
    thread_fail(CUDA_ERROR_LAUNCH_FAILED, "line %d: mask %08x does not have lane %d, which calls", line, mask,
                (int)(t - lanes));
  if (width <= 0 || width > WARP || (width & (width - 1)) != 0)
    thread_fail(CUDA_ERROR_LAUNCH_FAILED, "line %d: width %d", line, width);
  t->kind = kind;
  t->mask = mask;
  t->value = value;
  t->argument = argument;
  t->width = width;
  t->state = THREAD_WARP;
  t->line = line;
  try_warp(b, lanes, mask);
  thread_leave(t->state, line);
  return t->result;
}

void warp_thread_ended(block *b, const thread *t) {
  thread *const lanes = warp_of(b, t);
  for (int i = 0; i < warp_lanes(b, lanes); i++)
    if (lanes[i].state == THREAD_WARP) try_warp(b, lanes, lanes[i].mask);
  for (int id = 0; id < BARRIERS; id++)
    if (b->barrier[id].count == 0 && barrier_is_full(b, id)) open_barrier(b, id);
}

static unsigned hook_active(void) { return not_ended(running.block, warp_of(running.block, running.thread)); }
static void hook_order(void) { check_order(running.block); }
static void hook_sleep(void) {
  thread_leave(THREAD_ASLEEP, 0);
  check_order(running.block);
}
static void hook_fail(const char *why) { thread_fail(CUDA_ERROR_LAUNCH_FAILED, "%s", why); }

static unsigned long long hook_clock(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}

/* ---- copies that are done when they are waited for, and not before ---- */

static void hook_copy_later(void *dst, const void *src, unsigned long bytes) {
  thread *const t = running.thread;
  if (t->copies == NULL) t->copies = malloc(COPIES * sizeof *t->copies);
  if (t->copies == NULL || t->copy_count == COPIES) thread_fail(CUDA_ERROR_LAUNCH_FAILED, "too many copies under way");
  const unsigned long unit = bytes < 16 ? bytes : 16; /* more of them: a bulk copy */
  if ((unit != 4 && unit != 8 && unit != 16) || (bytes | (unsigned long)dst | (unsigned long)src) % unit != 0)
    thread_fail(CUDA_ERROR_LAUNCH_FAILED, "an asynchronous copy of %lu bytes, or not aligned", bytes);
  t->copies[t->copy_count++] = (late_copy){dst, src, bytes, t->copy_group};
}

static void hook_copy_commit(void) { running.thread->copy_group++; }

static void hook_copy_wait(int groups_left) {
  thread *const t = running.thread;
  int kept = 0;
  for (int i = 0; i < t->copy_count; i++) {
    const late_copy c = t->copies[i];
    if (c.group >= t->copy_group - groups_left) {
      t->copies[kept++] = c;
      continue;
    }
    const unsigned long unit = c.bytes < 16 ? c.bytes : 16;
    for (unsigned long at = 0; at < c.bytes; at += unit) {
      grid_hooks.access((const char *)c.src + at, unit, ACCESS_READ, NULL);
      grid_hooks.access((const char *)c.dst + at, unit, ACCESS_WRITE, NULL);
    }
    memcpy(c.dst, c.src, c.bytes);
  }
  t->copy_count = kept;
}

const struct emulated_hooks grid_hooks = {.barrier = hook_barrier,
                                          .warp = hook_warp,
                                          .active = hook_active,
                                          .order = hook_order,
                                          .sleep = hook_sleep,
                                          .fail = hook_fail,
                                          .access = check_access,
                                          .copy_later = hook_copy_later,
                                          .copy_commit = hook_copy_commit,
                                          .copy_wait = hook_copy_wait,
                                          .clock = hook_clock};
