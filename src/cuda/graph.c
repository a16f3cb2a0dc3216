/* Works that are replayed together, as one graph of the driver: see <tessera/queue.h>. */
#include "cuda/device.h"

tsr_status tsr__cuda_graph_new(void *self, tsr_ctx *ctx, int count, const tsr_work *const *works, void **graph) {
  (void)self, (void)count, (void)works, (void)graph;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "graph", NULL, "is not there yet");
}
tsr_status tsr__cuda_graph_run(void *self, tsr_ctx *ctx, tsr_queue *queue, void *graph) {
  (void)self, (void)queue, (void)graph;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "graph", NULL, "is not there yet");
}
void tsr__cuda_graph_free(void *self, void *graph) { (void)self, (void)graph; }
