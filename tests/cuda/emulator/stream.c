#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "graph.h"
#include "memory.h"

enum { PATIENCE_MS = 50 }; /* late: work that nobody waits for runs after so long */

static struct stream *streams;
static pthread_mutex_t engine = PTHREAD_MUTEX_INITIALIZER; /* one operation at a time is in the devices' memory */

operation *operation_new(size_t size, CUresult (*run)(operation *), bool touches) {
  operation *const op = calloc(1, size);
  if (op == NULL) abort(); /* a test's own memory */
  op->size = size;
  op->run = run;
  op->touches = touches;
  return op;
}

/* ---- the thread of a stream; the lock is held but while an operation runs ---- */

static void run_operation(struct stream *s, operation *op) {
  if (op->wait_stream != NULL) stream_wait(op->wait_stream, op->wait_ticket);
  if (op->run != NULL && (!op->touches || context_state(s->context) == CUDA_SUCCESS)) {
    if (op->touches) memory_open();
    pthread_mutex_unlock(&emulator.lock);
    if (op->touches) pthread_mutex_lock(&engine);
    const CUresult result = op->run(op);
    if (op->touches) pthread_mutex_unlock(&engine);
    pthread_mutex_lock(&emulator.lock);
    if (op->touches) memory_close();
    if (result != CUDA_SUCCESS && s->context->sticky == CUDA_SUCCESS) s->context->sticky = result;
  }
  s->done = op->ticket;
  free(op);
  pthread_cond_broadcast(&emulator.changed);
}

/* Nobody has asked for the first operation yet: waits for that, for a while. */
static bool is_too_early(const struct stream *s) {
  struct timespec until;
  if (!emulator.late || s->wanted >= s->first->ticket || s->destroyed) return false;
  (void)clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += PATIENCE_MS * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  const uint64_t head = s->first->ticket;
  while (emulator.late && s->wanted < head && !s->destroyed)
    if (pthread_cond_timedwait(&emulator.changed, &emulator.lock, &until) == ETIMEDOUT) return false;
  return true;
}

static void *serve(void *arg) {
  struct stream *const s = arg;
  pthread_mutex_lock(&emulator.lock);
  while (s->first != NULL || !s->destroyed) {
    if (s->first == NULL) {
      pthread_cond_wait(&emulator.changed, &emulator.lock);
      continue;
    }
    if (is_too_early(s)) continue;
    operation *const op = s->first;
    s->first = op->next;
    if (s->first == NULL) s->last = NULL;
    run_operation(s, op);
  }
  pthread_mutex_unlock(&emulator.lock);
  return NULL;
}

static struct stream *make_stream(struct context *c, bool blocking, int priority) {
  pthread_t thread;
  struct stream *const s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  s->context = c;
  s->blocking = blocking;
  s->priority = priority;
  if (pthread_create(&thread, NULL, serve, s) != 0) {
    free(s);
    return NULL;
  }
  (void)pthread_detach(thread);
  s->next = streams;
  streams = s;
  return s;
}

/* ---- for the other parts ---- */

struct stream *stream_of(CUstream handle) {
  struct context *const c = current_context();
  if ((uintptr_t)handle > 2) return handle->destroyed ? NULL : handle;
  if (c->null_stream == NULL) c->null_stream = make_stream(c, true, 0);
  return c->null_stream;
}

static uint64_t put_last(struct stream *s, operation *op) {
  op->ticket = ++s->queued;
  op->next = NULL;
  if (s->last != NULL)
    s->last->next = op;
  else
    s->first = op;
  s->last = op;
  pthread_cond_broadcast(&emulator.changed);
  return op->ticket;
}

static void put_wait(struct stream *s, struct stream *other) {
  if (other == NULL || other == s || other->done == other->queued) return;
  operation *const op = operation_new(sizeof *op, NULL, false);
  op->wait_stream = other;
  op->wait_ticket = other->queued;
  (void)put_last(s, op);
}

uint64_t stream_put(struct stream *s, operation *op) {
  if (s->graph != NULL) {
    graph_add(s->graph, op);
    return 0;
  }
  struct stream *const null_stream = s->context->null_stream;
  if (s == null_stream) {
    for (struct stream *o = streams; o != NULL; o = o->next)
      if (o->blocking && o->context == s->context) put_wait(s, o);
  } else if (s->blocking) {
    put_wait(s, null_stream);
  }
  return put_last(s, op);
}

void stream_wait(struct stream *s, uint64_t ticket) {
  if (s->wanted < ticket) s->wanted = ticket;
  pthread_cond_broadcast(&emulator.changed);
  while (s->done < ticket) pthread_cond_wait(&emulator.changed, &emulator.lock);
}

void streams_drain(const struct context *c) {
  for (struct stream *s = streams; s != NULL; s = s->next)
    if (s->context == c) stream_wait(s, s->queued);
}

bool disturbs_capture(const struct stream *s) {
  if (s != NULL && s->graph != NULL) graph_invalidate(s->graph);
  return emulator.captures > 0 || (s != NULL && s->graph != NULL);
}

void stream_end_capture(const struct graph *g) {
  for (struct stream *s = streams; s != NULL; s = s->next)
    if (s->graph == g) {
      s->graph = NULL;
      s->origin = false;
    }
}

struct graph *stream_capture(uint64_t id) {
  for (struct stream *s = streams; s != NULL; s = s->next)
    if (s->graph != NULL && s->graph->id == id) return s->graph;
  return NULL;
}

/* ---- the driver's functions ---- */

EXPORT CUresult cuStreamCreateWithPriority(CUstream *made, unsigned flags, int priority) {
  ENTER_CONTEXT(c);
  if (made == NULL || flags > STREAM_NON_BLOCKING) return leave(CUDA_ERROR_INVALID_VALUE);
  *made = make_stream(c, flags != STREAM_NON_BLOCKING, priority);
  return leave(*made != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

EXPORT CUresult cuStreamCreate(CUstream *made, unsigned flags) { return cuStreamCreateWithPriority(made, flags, 0); }

EXPORT CUresult cuStreamDestroy_v2(CUstream handle) {
  ENTER();
  if ((uintptr_t)handle <= 2 || handle->destroyed) return leave(CUDA_ERROR_INVALID_HANDLE);
  handle->destroyed = true;
  pthread_cond_broadcast(&emulator.changed);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuStreamSynchronize(CUstream handle) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (disturbs_capture(s)) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  stream_wait(s, s->queued);
  return leave(context_state(c));
}

EXPORT CUresult cuStreamQuery(CUstream handle) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (disturbs_capture(s)) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  s->wanted = s->queued;
  pthread_cond_broadcast(&emulator.changed);
  return leave(s->done == s->queued ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

EXPORT CUresult cuStreamGetCtx(CUstream handle, CUcontext *found) {
  ENTER_CONTEXT(c);
  const struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  *found = s->context;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuStreamGetPriority(CUstream handle, int *priority) {
  ENTER_CONTEXT(c);
  const struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  *priority = s->priority;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuStreamGetFlags(CUstream handle, unsigned *flags) {
  ENTER_CONTEXT(c);
  const struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  *flags = s->blocking ? 0 : STREAM_NON_BLOCKING;
  return leave(CUDA_SUCCESS);
}

/* ---- functions of the host's, in the order of the stream ---- */

typedef struct host_call {
  operation op;
  void (*function)(void *);
  void (*callback)(CUstream, CUresult, void *);
  CUstream stream;
  void *argument;
} host_call;

static CUresult run_host_call(operation *op) {
  const host_call *const h = (const host_call *)(const void *)op;
  if (h->function != NULL) h->function(h->argument);
  if (h->callback != NULL) h->callback(h->stream, CUDA_SUCCESS, h->argument);
  return CUDA_SUCCESS;
}

static CUresult put_host_call(CUstream handle, host_call call) {
  struct stream *const s = stream_of(handle);
  if (s == NULL) return CUDA_ERROR_INVALID_HANDLE;
  host_call *const h = (host_call *)(void *)operation_new(sizeof *h, run_host_call, false);
  h->function = call.function;
  h->callback = call.callback;
  h->stream = handle;
  h->argument = call.argument;
  (void)stream_put(s, &h->op);
  return CUDA_SUCCESS;
}

/* Work of a library in the devices' memory: a function and a copy of its argument. */
typedef struct library_call {
  operation op;
  void (*run)(void *);
  _Alignas(16) char argument[];
} library_call;

static CUresult run_library_call(operation *op) {
  library_call *const l = (library_call *)(void *)op;
  l->run(l->argument);
  return CUDA_SUCCESS;
}

EXPORT CUresult emulator_put(CUstream handle, void (*run)(void *), const void *argument, size_t bytes) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  library_call *const l = (library_call *)(void *)operation_new(sizeof *l + bytes, run_library_call, true);
  l->run = run;
  memcpy(l->argument, argument, bytes);
  (void)stream_put(s, &l->op);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuLaunchHostFunc(CUstream handle, void (*function)(void *), void *argument) {
  ENTER_CONTEXT(c);
  return leave(put_host_call(handle, (host_call){.function = function, .argument = argument}));
}

EXPORT CUresult cuStreamAddCallback(CUstream handle, void (*callback)(CUstream, CUresult, void *), void *argument,
                                    unsigned flags) {
  ENTER_CONTEXT(c);
  if (flags != 0) return leave(CUDA_ERROR_INVALID_VALUE);
  return leave(put_host_call(handle, (host_call){.callback = callback, .argument = argument}));
}
