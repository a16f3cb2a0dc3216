#define _GNU_SOURCE
#include "graph.h"

#include <stdlib.h>
#include <string.h>

struct graph_exec {
  struct graph list;
};

void graph_add(struct graph *g, operation *op) {
  op->next = NULL;
  if (g->last != NULL)
    g->last->next = op;
  else
    g->first = op;
  g->last = op;
}

void graph_invalidate(struct graph *g) { g->invalid = true; }

static void free_operations(struct graph *g) {
  while (g->first != NULL) {
    operation *const next = g->first->next;
    free(g->first);
    g->first = next;
  }
  g->last = NULL;
}

static operation *copy_operation(const operation *op) {
  operation *const copy = operation_new(op->size, op->run, op->touches);
  memcpy(copy, op, op->size);
  return copy;
}

EXPORT CUresult cuStreamBeginCapture_v2(CUstream handle, int mode) {
  ENTER_CONTEXT(c);
  if ((uintptr_t)handle <= 2) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (s->graph != NULL || mode < CAPTURE_MODE_GLOBAL || mode > CAPTURE_MODE_RELAXED)
    return leave(CUDA_ERROR_INVALID_VALUE);
  s->graph = calloc(1, sizeof *s->graph);
  if (s->graph == NULL) return leave(CUDA_ERROR_OUT_OF_MEMORY);
  static uint64_t captures;
  s->graph->id = ++captures;
  s->origin = true;
  s->graph->counted = mode != CAPTURE_MODE_RELAXED;
  if (s->graph->counted) emulator.captures++;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuStreamEndCapture(CUstream handle, CUgraph *made) {
  ENTER();
  struct stream *const s = (uintptr_t)handle <= 2 ? NULL : stream_of(handle);
  if (s == NULL || s->graph == NULL || !s->origin) return leave(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  struct graph *const g = s->graph;
  stream_end_capture(g);
  if (g->counted) emulator.captures--;
  *made = g->invalid ? NULL : g;
  if (!g->invalid) return leave(CUDA_SUCCESS);
  free_operations(g);
  free(g);
  return leave(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

EXPORT CUresult cuStreamIsCapturing(CUstream handle, int *status) {
  ENTER_CONTEXT(c);
  const struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  *status = s->graph == NULL ? CAPTURE_NONE : s->graph->invalid ? CAPTURE_INVALIDATED : CAPTURE_ACTIVE;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream handle, int *status, uint64_t *id, CUgraph *graph,
                                          const void **dependencies, const void **edges, size_t *count) {
  ENTER_CONTEXT(c);
  const struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  *status = s->graph == NULL ? CAPTURE_NONE : s->graph->invalid ? CAPTURE_INVALIDATED : CAPTURE_ACTIVE;
  if (id != NULL) *id = (uint64_t)(uintptr_t)s->graph;
  if (graph != NULL) *graph = s->graph;
  if (dependencies != NULL) *dependencies = NULL;
  if (edges != NULL) *edges = NULL;
  if (count != NULL) *count = 0;
  return leave(CUDA_SUCCESS);
}

/* ---- graphs ---- */

EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph g, unsigned long long flags) {
  ENTER_CONTEXT(c);
  (void)flags;
  if (g == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  *made = calloc(1, sizeof **made);
  if (*made == NULL) return leave(CUDA_ERROR_OUT_OF_MEMORY);
  for (const operation *op = g->first; op != NULL; op = op->next) graph_add(&(*made)->list, copy_operation(op));
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuGraphUpload(CUgraphExec exec, CUstream handle) {
  ENTER_CONTEXT(c);
  return leave(exec == NULL || stream_of(handle) == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream handle) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (s == NULL || exec == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  for (const operation *op = exec->list.first; op != NULL; op = op->next) (void)stream_put(s, copy_operation(op));
  return leave(CUDA_SUCCESS);
}

/* The new graph in place of the old one, whatever it is: the real one wants the same shape. info: what went wrong, first of all 0. */
EXPORT CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph g, void *info) {
  ENTER_CONTEXT(c);
  if (exec == NULL || g == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  if (info != NULL) *(int *)info = 0;
  free_operations(&exec->list);
  for (const operation *op = g->first; op != NULL; op = op->next) graph_add(&exec->list, copy_operation(op));
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
  ENTER();
  if (exec == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  free_operations(&exec->list);
  free(exec);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuGraphDestroy(CUgraph g) {
  ENTER();
  if (g == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  free_operations(g);
  free(g);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuGraphGetNodes(CUgraph g, void **nodes, size_t *count) {
  ENTER();
  size_t n = 0;
  for (operation *op = g->first; op != NULL; op = op->next, n++)
    if (nodes != NULL && n < *count) nodes[n] = op;
  *count = n;
  return leave(CUDA_SUCCESS);
}
