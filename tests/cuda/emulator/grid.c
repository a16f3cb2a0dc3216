#define _GNU_SOURCE
#include "grid.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "block.h"
#include "check.h"
#include "memory.h"

enum { POISON = 0xff, RESIDENT = 128, TIMEOUT_S = 20, SIGNAL_STACK = 1 << 16 };

/* ---- accesses that the processor refuses ---- */

static struct sigaction before_segv, before_bus;
static pthread_t executor;
static volatile sig_atomic_t executing;

/* A thread of a kernel ends the launch; anybody else's fault is for the one who was here before. */
static void on_fault(int number, siginfo_t *info, void *context) {
  if (executing && pthread_equal(pthread_self(), executor) && running.thread != NULL) {
    char text[160];
    if (fiber_overflowed(running.thread->stack, info->si_addr))
      thread_fail(CUDA_ERROR_ILLEGAL_ADDRESS, "its stack has overflowed");
    memory_describe(info->si_addr, text, sizeof text);
    thread_fail(CUDA_ERROR_ILLEGAL_ADDRESS, "illegal address %p: %s", info->si_addr, text);
  }
  const struct sigaction *const other = number == SIGSEGV ? &before_segv : &before_bus;
  if ((other->sa_flags & SA_SIGINFO) != 0 && other->sa_sigaction != NULL) {
    other->sa_sigaction(number, info, context);
  } else if (other->sa_handler != SIG_DFL && other->sa_handler != SIG_IGN) {
    other->sa_handler(number);
  } else {
    (void)signal(number, SIG_DFL); /* and again, to the end */
  }
}

/* The handler leaves by switching stacks, never by returning: the signal must not stay blocked. */
static void catch_faults(bool catch) {
  static _Thread_local char *stack;
  if (!catch) {
    executing = 0;
    (void)sigaction(SIGSEGV, &before_segv, NULL);
    (void)sigaction(SIGBUS, &before_bus, NULL);
    const stack_t none = {.ss_flags = SS_DISABLE};
    (void)sigaltstack(&none, NULL);
    free(stack);
    stack = NULL;
    return;
  }
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  stack = malloc(SIGNAL_STACK);
  const stack_t own = {.ss_sp = stack, .ss_size = SIGNAL_STACK};
  (void)sigemptyset(&action.sa_mask);
  (void)sigaltstack(&own, NULL);
  executor = pthread_self();
  (void)sigaction(SIGSEGV, &action, &before_segv);
  (void)sigaction(SIGBUS, &action, &before_bus);
  executing = 1;
}

/* ---- shared memory: that of the module, which the block that runs has to itself ---- */

static size_t shared_bytes(void) { return running.launch->module->shared_bytes; }

static void poison_shared(void) {
  const size_t all = shared_bytes();
  if (all == 0) return;
  const size_t before = running.dynamic != NULL ? (size_t)(running.dynamic - running.shared) : all;
  memset(running.shared, POISON, before);
  if (running.dynamic == NULL) return;
  memset(running.dynamic, POISON, running.launch->dynamic);
  memset(running.dynamic + EMULATED_DYNAMIC, POISON, all - before - EMULATED_DYNAMIC);
}

static void find_shared(void) {
  const struct emulated_module *const info = running.launch->module->info;
  running.shared = running.dynamic = NULL;
  if (shared_bytes() == 0) return;
  (void)info->anchor(); /* the loader makes it when it is first used */
  void *data = NULL;
  if (dlinfo(running.launch->module->library, RTLD_DI_TLS_DATA, &data) != 0 || data == NULL) abort();
  running.shared = data;
  if (info->dynamic != NULL) running.dynamic = info->dynamic();
}

/* A block that waits for others leaves the memory to them. */
static void swap_shared(block *from, block *to) {
  if (shared_bytes() == 0 || from == to) return;
  if (from != NULL) {
    if (from->shared == NULL) from->shared = malloc(shared_bytes());
    if (from->shared == NULL) abort();
    memcpy(from->shared, running.shared, shared_bytes());
  }
  if (to->shared != NULL) memcpy(running.shared, to->shared, shared_bytes());
}

/* ---- blocks ---- */

static unsigned long gcd(unsigned long a, unsigned long b) { return b == 0 ? a : gcd(b, a % b); }

/* Which block comes at a place in the order: all of them, each once. */
typedef struct block_order {
  unsigned long count, next, step, first;
} block_order;

static void order_init(block_order *o, const unsigned *grid) {
  *o = (block_order){.count = (unsigned long)grid[0] * grid[1] * grid[2], .step = 1};
  if (running.launch->seed == 0 || o->count < 2) return;
  o->first = machine_random(1u << 30) % o->count;
  do o->step = 1 + machine_random(1u << 30) % (o->count - 1);
  while (gcd(o->step, o->count) != 1);
}

static void order_take(block_order *o, unsigned *index) {
  const unsigned *const grid = running.launch->grid;
  const unsigned long at = (o->first + o->next++ % o->count * (o->step % o->count)) % o->count;
  index[0] = (unsigned)(at % grid[0]);
  index[1] = (unsigned)(at / grid[0] % grid[1]);
  index[2] = (unsigned)(at / grid[0] / grid[1]);
}

static block *block_new(block **spare) {
  block *const b = *spare != NULL ? *spare : calloc(1, sizeof *b);
  if (b == NULL) abort();
  *spare = NULL;
  return b;
}

static void block_free(block *b) {
  if (b == NULL) return;
  block_abandon(b);
  free(b->shared);
  free(b);
}

static double seconds(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Blocks that have begun and wait for others stay; the next ones begin beside them, up to what a device would hold. */
static CUresult run_blocks(void) {
  block *resident[RESIDENT] = {NULL}, *spare = NULL, *loaded = NULL;
  int count = 0, at = 0;
  unsigned long stalls = 0;
  double since = 0;
  block_order order;
  order_init(&order, running.launch->grid);
  while (running.failed == CUDA_SUCCESS && (count > 0 || order.next < order.count)) {
    if (order.next < order.count && count < RESIDENT && (count == 0 || stalls >= (unsigned long)count)) {
      unsigned index[3];
      order_take(&order, index);
      block *const b = block_new(&spare);
      block_begin(b, index);
      swap_shared(loaded, b);
      poison_shared();
      check_block(b);
      if (count > 0) running.several = true;
      loaded = b;
      at = count;
      resident[count++] = b;
      stalls = 0;
    }
    block *const b = resident[at];
    swap_shared(loaded, b);
    loaded = b;
    const block_result result = block_run(b);
    if (result == BLOCK_ENDED) {
      block_abandon(b);
      free(b->shared);
      b->shared = NULL;
      free(spare);
      spare = b;
      loaded = NULL;
      resident[at] = resident[--count];
      stalls = 0;
    } else {
      stalls++;
      at++;
    }
    if (at >= count) at = 0;
    if (stalls <= (unsigned long)count) since = seconds();
    if (stalls > (unsigned long)count && seconds() - since > TIMEOUT_S) {
      report("%s: %d blocks wait for something that does not come", running.launch->kernel->name, count);
      running.failed = CUDA_ERROR_LAUNCH_TIMEOUT;
    }
  }
  for (int i = 0; i < count; i++) block_free(resident[i]);
  block_free(spare);
  return running.failed;
}

CUresult grid_run(const grid_launch *launch) {
  const struct emulated_module *const info = launch->module->info;
  running = (machine){.launch = launch, .random = launch->seed * 0x9e3779b97f4a7c15u + 1};
  memcpy(info->indices + 6, launch->block, sizeof launch->block);
  memcpy(info->indices + 9, launch->grid, sizeof launch->grid);
  find_shared();
  check_launch();
  catch_faults(true);
  const CUresult result = run_blocks();
  catch_faults(false);
  running = (machine){0};
  return result;
}
