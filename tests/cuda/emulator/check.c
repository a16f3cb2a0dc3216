#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "memory.h"
#include "where.h"

/* ---- allocations, sorted by address: as they were when the launch began ---- */

static range *known;
static int known_count, known_room;
static const range *last_hit;

static int by_address(const void *a, const void *b) {
  const char *const x = ((const range *)a)->data, *const y = ((const range *)b)->data;
  return (x > y) - (x < y);
}

void check_launch(void) {
  pthread_mutex_lock(&emulator.lock);
  const int count = memory_list(NULL, 0);
  if (count > known_room) {
    free(known);
    known_room = count + 64;
    known = malloc((size_t)known_room * sizeof *known);
    if (known == NULL) abort();
  }
  known_count = memory_list(known, count);
  pthread_mutex_unlock(&emulator.lock);
  qsort(known, (size_t)known_count, sizeof *known, by_address);
  last_hit = NULL;
}

static bool is_inside(const range *r, uintptr_t at, size_t bytes) {
  const uintptr_t first = (uintptr_t)r->data;
  return at >= first && at - first <= r->bytes && bytes <= r->bytes - (at - first);
}

static bool is_allocated(const void *data, size_t bytes) {
  int low = 0, high = known_count;
  if (last_hit != NULL && is_inside(last_hit, (uintptr_t)data, bytes)) return true;
  while (low < high) { /* the last that begins at or before it */
    const int middle = (low + high) / 2;
    if (known[middle].data <= (const char *)data)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || !is_inside(&known[low - 1], (uintptr_t)data, bytes)) return false;
  last_hit = &known[low - 1];
  return true;
}

/* Its own variables, its arguments, and what the module has beside its shared memory. */
static bool is_local(const void *data) {
  const uintptr_t at = (uintptr_t)data;
  const grid_launch *const l = running.launch;
  return fiber_holds(running.thread->stack, data) || (at >= l->argument_first && at < l->argument_last) ||
         (at >= l->module->first && at < l->module->last);
}

/* ---- shared memory: who wrote and read each byte last, and when ---- */

/* A thread: its number + 1. Several that read: of one warp, or of more than one. 0: nobody. */
enum { WARP_READERS = BLOCK_THREADS + 1, MANY_READERS = WARP_READERS + BLOCK_THREADS / WARP };

typedef struct byte_state {
  uint64_t life; /* of the block; another one's: nobody has touched it */
  uint32_t write_epoch, read_epoch, write_clock, read_clock;
  uint16_t writer, reader;
  bool atomic; /* the write was */
} byte_state;

static byte_state bytes_of[EMULATED_DYNAMIC * 2];
static uint64_t lives;

void check_block(block *b) { b->life = ++lives; }
void check_order(block *b) { b->epoch++; }

/* Whether an access at that time of another thread's warp comes before what thread now does: a barrier, or an operation of their
 * warp that both have been through, was between them. */
static bool is_before(const block *b, int other_warp, uint32_t epoch, uint32_t clock, int now) {
  return epoch != b->epoch || (other_warp == now / WARP && b->thread[now].warp_clock > clock);
}

static bool write_is_before(const block *b, const byte_state *s, int now) {
  const int other = s->writer - 1;
  return other < 0 || other == now || is_before(b, other / WARP, s->write_epoch, s->write_clock, now);
}

static bool reads_are_before(const block *b, const byte_state *s, int now) {
  if (s->reader == 0 || s->reader == now + 1) return true;
  const int warp =
      s->reader >= WARP_READERS ? s->reader - WARP_READERS : (s->reader - 1) / WARP; /* many: none of them */
  return is_before(b, warp, s->read_epoch, s->read_clock, now);
}

static void fail_shared(const char *words, const void *where, size_t offset) {
  char line[64];
  where_text(where, line, sizeof line);
  thread_fail(CUDA_ERROR_LAUNCH_FAILED, "%sit %s byte %zu of shared memory, %s", line, words, offset,
              strstr(words, "nobody") != NULL ? "uninitialised" : "and nothing is between the two");
}

static void read_byte(block *b, byte_state *s, int now, bool atomic, const void *where, size_t offset) {
  if (s->life != b->life || s->writer == 0) fail_shared("reads what nobody has written:", where, offset);
  if (!(atomic && s->atomic) && !write_is_before(b, s, now))
    fail_shared("reads and another thread writes", where, offset);
  const int warp = now / WARP;
  if (s->read_epoch != b->epoch || s->reader == 0 || s->reader == now + 1)
    s->reader = (uint16_t)(now + 1);
  else if (s->reader == WARP_READERS + warp || (s->reader < WARP_READERS && (s->reader - 1) / WARP == warp))
    s->reader = (uint16_t)(WARP_READERS + warp);
  else
    s->reader = MANY_READERS;
  s->read_epoch = b->epoch;
  s->read_clock = b->warp_clock[warp];
}

static void write_byte(block *b, byte_state *s, int now, bool atomic, const void *where, size_t offset) {
  if (s->life != b->life) *s = (byte_state){.life = b->life};
  if (!(atomic && s->atomic) && !write_is_before(b, s, now))
    fail_shared("writes and another thread writes", where, offset);
  if (!atomic && !reads_are_before(b, s, now)) fail_shared("writes and another thread reads", where, offset);
  s->writer = (uint16_t)(now + 1);
  s->write_epoch = b->epoch;
  s->write_clock = b->warp_clock[now / WARP];
  s->atomic = atomic;
}

static void check_dynamic(size_t offset, size_t bytes) {
  const size_t from = (size_t)(running.dynamic - running.shared), end = from + running.launch->dynamic;
  if (offset >= from && offset + bytes > end && offset < from + EMULATED_DYNAMIC)
    thread_fail(CUDA_ERROR_ILLEGAL_ADDRESS, "it uses byte %zu of %zu of dynamic shared memory", offset - from,
                running.launch->dynamic);
}

static void check_shared(size_t offset, size_t bytes, int kind, const void *where) {
  block *const b = running.block;
  const int now = thread_number(b, running.thread);
  const bool atomic = kind >= ACCESS_ATOMIC, reads = kind != ACCESS_WRITE && kind != ACCESS_ATOMIC_WRITE;
  const bool writes = kind != ACCESS_READ && kind != ACCESS_ATOMIC_READ;
  if (running.dynamic != NULL) check_dynamic(offset, bytes);
  if (running.several) return; /* who wrote what is known for one block alone */
  for (size_t i = 0; i < bytes && offset + i < sizeof bytes_of / sizeof bytes_of[0]; i++) {
    byte_state *const s = &bytes_of[offset + i];
    if (reads) read_byte(b, s, now, atomic, where, offset + i);
    if (writes) write_byte(b, s, now, atomic, where, offset + i);
  }
}

/* ---- each access ---- */

static void fail_address(const void *data, size_t bytes, int kind, const void *where) {
  char line[64], text[160];
  where_text(where, line, sizeof line);
  memory_describe(data, text, sizeof text);
  thread_fail(CUDA_ERROR_ILLEGAL_ADDRESS, "%s%s of %zu bytes at %p: %s", line,
              kind == ACCESS_READ ? "a read" : "a write", bytes, data, text);
}

void check_access(const void *data, unsigned long bytes, int how, const void *where) {
  if (running.thread == NULL) return;
  const int kind = how & 7;
  const uintptr_t at = (uintptr_t)data;
  const bool aligned = (how & ACCESS_UNALIGNED) != 0 || (bytes & (bytes - 1)) != 0 || at % bytes == 0;
  const size_t shared = running.launch->module->shared_bytes, offset = (size_t)(at - (uintptr_t)running.shared);
  if (running.shared != NULL && at >= (uintptr_t)running.shared && offset < shared)
    check_shared(offset, bytes, kind, where);
  else if (!is_allocated(data, bytes) && !is_local(data))
    fail_address(data, bytes, kind, where);
  if (!aligned) {
    char line[64];
    where_text(where, line, sizeof line);
    thread_fail(CUDA_ERROR_MISALIGNED_ADDRESS, "%s%lu bytes at %p are not aligned", line, bytes, data);
  }
}

void check_late_copies(const thread *t) {
  thread_fail(CUDA_ERROR_LAUNCH_FAILED, "it ends with %d asynchronous copies that it never waited for", t->copy_count);
}
