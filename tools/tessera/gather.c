#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "progress.h"
#include "report.h"

bool gather_open(tsr_ctx *ctx, int count, const char *const *addresses, gathered *out) {
  tsr_index tensors = 0;
  *out = (gathered){.ctx = ctx};
  out->files = calloc((size_t)count + 1, sizeof *out->files);
  out->found = calloc((size_t)count + 1, sizeof *out->found);
  if (out->files == NULL || out->found == NULL) return report("out of memory"), false;
  for (; out->count < count; out->count++) {
    const int i = out->count;
    if (!source_open(ctx, addresses[i], &out->files[i], &out->found[i])) return false;
    tensors += out->found[i].count;
  }
  if (tsr_bundle_init(ctx, &out->bundle) != TSR_OK) return report_failure(ctx, NULL), false;
  return stream_init(ctx, &out->bundle, 3 * tensors, &out->stream);
}

bool gather_add_made(gathered *g, const char *name, tsr_tensor *made) {
  const tsr_status st = tsr_bundle_add(g->ctx, &g->bundle, name, made);
  if (st != TSR_OK) report_failure(g->ctx, name);
  tsr_release(made);
  return st == TSR_OK;
}

bool gather_add(gathered *g, target *t, const char *name) {
  tsr_tensor made = {0};
  tsr_status st = TSR_OK;
  if (!stream_takes(&g->stream, t, t->tensor.dtype, t->tensor.layout, &made)) {
    st = target_fetch(g->ctx, t);
    if (st == TSR_OK) st = tsr_view(g->ctx, &t->tensor, &made);
  }
  if (st != TSR_OK) return report_failure(g->ctx, name), false;
  return gather_add_made(g, name, &made);
}

bool gather_metadata(gathered *g, const source *from, bool columns) {
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < from->metadata.count && st == TSR_OK; i++) {
    const tsr_metadata_pair *pair = &from->metadata.pairs[i];
    if (tsr_metadata_find(&g->metadata, pair->key) != NULL) continue;
    if (!columns && strncmp(pair->key, "column.", 7) == 0) continue;
    st = tsr_metadata_set(g->ctx, &g->metadata, pair->key, pair->value);
  }
  return st == TSR_OK || (report_failure(g->ctx, NULL), false);
}

bool gather_save(gathered *g, const char *path, int format) {
  const tsr_producer producer = stream_producer(&g->stream);
  const output what = {
      .bundle = &g->bundle, .metadata = &g->metadata, .producer = &producer, .reported = &g->stream.reported};
  uint64_t bytes = 0;
  for (tsr_index i = 0; i < g->bundle.count; i++) bytes += tsr_nbytes(&g->bundle.tensors[i]);
  progress_start(bytes);
  const bool ok = output_save(g->ctx, path, format, &what);
  progress_end();
  return ok;
}

void gather_release(gathered *g) {
  if (g->stream.list != NULL) stream_release(&g->stream);
  tsr_bundle_release(&g->bundle);
  tsr_metadata_release(&g->metadata);
  for (int i = 0; i < g->count; i++) {
    targets_release(&g->found[i]);
    source_release(&g->files[i]);
  }
  free(g->files);
  free(g->found);
  *g = (gathered){0};
}
