#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "support/mirror.h"

#if TEST_HAVE_MIRROR

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCKS = 4096, QUEUE = 256 };

typedef struct block {
  char *data;
  size_t bytes; /* whole pages */
  bool live;
} block;

struct mirror {
  tsr_device device;
  bool deferred;
  pthread_mutex_t lock; /* of all below */
  pthread_cond_t changed;
  pthread_t thread;
  block blocks[BLOCKS];
  int count, open; /* open: how many are at work in the memory */
  size_t live;
  tsr_work *queue[QUEUE];
  int first, queued;
  bool running, ending;
  long works;
  tsr_status fault;
};

/* ---- memory ---- */

static void protect(const mirror *m, int how) {
  for (int i = 0; i < m->count; i++)
    if (m->blocks[i].live) (void)mprotect(m->blocks[i].data, m->blocks[i].bytes, how);
}

/* Between them the host may touch the memory. The lock is held. */
static void open_memory(mirror *m) {
  if (m->open++ == 0) protect(m, PROT_READ | PROT_WRITE);
}
static void close_memory(mirror *m) {
  if (--m->open == 0) protect(m, PROT_NONE);
}

static void wait_idle(mirror *m) {
  while (m->queued > 0 || m->running) pthread_cond_wait(&m->changed, &m->lock);
}

static tsr_status mirror_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  mirror *const m = self;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
  tsr_status st = TSR_ENOMEM;
  (void)align, (void)hint;
  pthread_mutex_lock(&m->lock);
  char *const data = m->count < BLOCKS ? mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
  if (data != MAP_FAILED) {
    if (m->open > 0) (void)mprotect(data, whole, PROT_READ | PROT_WRITE);
    m->blocks[m->count++] = (block){data, whole, true};
    m->live += whole;
    *ptr = data;
    st = TSR_OK;
  }
  pthread_mutex_unlock(&m->lock);
  return st;
}

/* What is freed stays where it is and can be touched by nobody, until there are too many. */
static void forget_freed(mirror *m) {
  int kept = 0;
  for (int i = 0; i < m->count; i++) {
    if (m->blocks[i].live)
      m->blocks[kept++] = m->blocks[i];
    else
      (void)munmap(m->blocks[i].data, m->blocks[i].bytes);
  }
  m->count = kept;
}

static void mirror_release(void *self, void *ptr, size_t bytes) {
  mirror *const m = self;
  (void)bytes;
  pthread_mutex_lock(&m->lock);
  for (int i = 0; i < m->count; i++) {
    if (m->blocks[i].data != ptr) continue;
    (void)mprotect(ptr, m->blocks[i].bytes, PROT_NONE);
    m->live -= m->blocks[i].bytes;
    m->blocks[i].live = false;
  }
  if (m->count > BLOCKS / 2) forget_freed(m);
  pthread_mutex_unlock(&m->lock);
}

static tsr_status mirror_copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  mirror *const m = self;
  (void)direction;
  pthread_mutex_lock(&m->lock);
  wait_idle(m);
  open_memory(m);
  memmove(dst, src, bytes);
  close_memory(m);
  pthread_mutex_unlock(&m->lock);
  return TSR_OK;
}

static tsr_status mirror_fill(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count) {
  mirror *const m = self;
  pthread_mutex_lock(&m->lock);
  wait_idle(m);
  open_memory(m);
  for (size_t i = 0; i < count; i++) memcpy((char *)dst + i * pattern_bytes, pattern, pattern_bytes);
  close_memory(m);
  pthread_mutex_unlock(&m->lock);
  return TSR_OK;
}

static tsr_status mirror_sync(void *self) {
  mirror *const m = self;
  pthread_mutex_lock(&m->lock);
  wait_idle(m);
  pthread_mutex_unlock(&m->lock);
  return TSR_OK;
}

/* ---- works ---- */

enum { OPERANDS = 64 };

/* The tensors of a work as the host's: the same addresses, nobody's storage. */
static tsr_tensor as_host(const tsr_tensor *t) {
  tsr_tensor host = *t;
  host.storage = NULL;
  host.flags &= (uint8_t)~TSR_OWNS;
  return host;
}

/* An output that the work gave a size: into memory of the device. */
static tsr_status give_memory(mirror *m, tsr_tensor *made, tsr_tensor *out) {
  tsr_tensor t = *made;
  t.data = NULL;
  t.storage = NULL;
  t.flags = 0;
  pthread_mutex_unlock(&m->lock); /* which the device's own functions take */
  tsr_status st = tsr_size(&t) > 0 ? tsr_allocate(NULL, &m->device, TSR_HINT_DEFAULT, &t) : TSR_OK;
  pthread_mutex_lock(&m->lock);
  if (st == TSR_OK) {
    if (tsr_size(&t) > 0) memcpy(t.data, made->data, tsr_nbytes(made));
    *out = t;
  }
  tsr_release(made);
  return st;
}

/* The lock is held; it is not while the engines run. */
static tsr_status run_now(mirror *m, const tsr_work *work) {
  static _Thread_local tsr_tensor in[OPERANDS], out[OPERANDS];
  const tsr_tensor *ins[OPERANDS];
  tsr_tensor *outs[OPERANDS];
  if (work->inputs > OPERANDS || work->outputs > OPERANDS) return TSR_EUNSUPPORTED;
  for (int i = 0; i < work->inputs; i++) {
    ins[i] = work->in[i] != NULL ? &in[i] : NULL;
    if (work->in[i] != NULL) in[i] = as_host(work->in[i]);
  }
  for (int i = 0; i < work->outputs; i++) {
    outs[i] = work->out[i] != NULL ? &out[i] : NULL;
    if (work->out[i] != NULL) out[i] = as_host(work->out[i]);
  }
  tsr_ctx ctx;
  tsr_status st = tsr_context_init(&ctx, NULL);
  open_memory(m);
  pthread_mutex_unlock(&m->lock);
  if (st == TSR_OK) st = tsr_work_run(&ctx, work, ins, outs);
  pthread_mutex_lock(&m->lock);
  for (int i = 0; i < work->outputs && st == TSR_OK; i++)
    if (outs[i] != NULL && tsr_is_none(work->out[i])) st = give_memory(m, &out[i], work->out[i]);
  close_memory(m);
  m->works++;
  if (st != TSR_OK && m->fault == TSR_OK) m->fault = st;
  return st;
}

static bool has_size_by_data(const tsr_work *work) {
  for (int i = 0; i < work->outputs; i++)
    if (work->out[i] != NULL && tsr_is_none(work->out[i])) return true;
  return false;
}

static tsr_status put_in_queue(mirror *m, const tsr_work *work) {
  tsr_work *copy;
  const tsr_status st = tsr_work_copy(NULL, work, &copy);
  if (st != TSR_OK) return st;
  while (m->queued == QUEUE) pthread_cond_wait(&m->changed, &m->lock);
  m->queue[(m->first + m->queued++) % QUEUE] = copy;
  pthread_cond_broadcast(&m->changed);
  return TSR_OK;
}

static tsr_status mirror_run(void *self, const tsr_work *work, void *prepared) {
  mirror *const m = self;
  tsr_status st = TSR_OK;
  (void)prepared;
  if (work == NULL) return TSR_OK;
  pthread_mutex_lock(&m->lock);
  if (m->deferred && !has_size_by_data(work)) {
    st = put_in_queue(m, work);
  } else {
    wait_idle(m);
    st = run_now(m, work);
    m->fault = TSR_OK; /* the call says it */
  }
  pthread_mutex_unlock(&m->lock);
  return st;
}

static void *serve(void *arg) {
  mirror *const m = arg;
  pthread_mutex_lock(&m->lock);
  while (!m->ending || m->queued > 0) {
    if (m->queued == 0) {
      pthread_cond_wait(&m->changed, &m->lock);
      continue;
    }
    tsr_work *const work = m->queue[m->first];
    m->first = (m->first + 1) % QUEUE;
    m->running = true;
    m->queued--;
    (void)run_now(m, work);
    pthread_mutex_unlock(&m->lock);
    tsr_work_free(work); /* which frees memory of the device */
    pthread_mutex_lock(&m->lock);
    m->running = false;
    pthread_cond_broadcast(&m->changed);
  }
  pthread_mutex_unlock(&m->lock);
  return NULL;
}

/* ---- the device ---- */

mirror *mirror_new(const char *name, bool deferred) {
  mirror *const m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->deferred = deferred;
  m->device = (tsr_device){.size = sizeof m->device,
                           .name = name,
                           .alloc = mirror_alloc,
                           .free = mirror_release,
                           .copy = mirror_copy,
                           .fill = mirror_fill,
                           .sync = mirror_sync,
                           .self = m,
                           .run = mirror_run};
  (void)pthread_mutex_init(&m->lock, NULL);
  (void)pthread_cond_init(&m->changed, NULL);
  if (deferred && pthread_create(&m->thread, NULL, serve, m) != 0) m->deferred = false;
  return m;
}

void mirror_free(mirror *m) {
  if (m == NULL) return;
  if (m->deferred) {
    pthread_mutex_lock(&m->lock);
    m->ending = true;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    (void)pthread_join(m->thread, NULL);
  }
  for (int i = 0; i < m->count; i++) (void)munmap(m->blocks[i].data, m->blocks[i].bytes);
  free(m);
}

const tsr_device *mirror_device(const mirror *m) { return &m->device; }

long mirror_works(mirror *m) {
  (void)mirror_sync(m);
  return m->works;
}

tsr_status mirror_fault(mirror *m) {
  (void)mirror_sync(m);
  const tsr_status fault = m->fault;
  m->fault = TSR_OK;
  return fault;
}

size_t mirror_live(const mirror *m) { return m->live; }

#endif
