#include "packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

typedef struct rows {
  const tsr_bundle *bundle;
  packed *list;
  tsr_index count, most;
  bool any;
} rows;

/* Whether an entry is still that of a tensor that was loaded: the file may have been written to meanwhile. */
static bool is_same(const tsr_tensor *t, const tsr_gguf_entry *e) {
  bool same = strcmp(t->name, e->name) == 0 && t->ndim == e->ndim && tsr_nbytes(t) == e->bytes;
  for (int i = 0; i + 1 < e->ndim && same; i++) same = t->shape[i] == e->shape[i];
  return same && (t->dtype == (e->dtype != TSR_NONE ? e->dtype : TSR_U8)) && (e->dtype != TSR_NONE || e->ndim > 0);
}

static tsr_status keep(void *user, const tsr_gguf_entry *e) {
  rows *r = user;
  if (r->count == r->most || !is_same(&r->bundle->tensors[r->count], e)) return TSR_EIO; /* the file has changed */
  packed *p = &r->list[r->count++];
  *p = (packed){.type = e->dtype == TSR_NONE ? e->type : -1, .ndim = e->ndim};
  for (int i = 0; i < e->ndim; i++) p->shape[i] = e->shape[i];
  r->any |= p->type >= 0;
  return TSR_OK;
}

static tsr_status read_map(void *self, uint64_t offset, void *bytes, size_t n) {
  const tsr_tensor *map = self;
  if (n > 0) memcpy(bytes, (const char *)map->data + offset, n);
  return TSR_OK;
}

tsr_status packed_load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata, packed **table) {
  const tsr_gguf_options options = {.opaque = true};
  tsr_tensor map = {0};
  *table = NULL;
  tsr_status st = tsr_gguf_load(ctx, path, &options, out, metadata);
  if (st == TSR_OK) st = tsr_mmap_load(ctx, path, TSR_ACCESS_READ, &map);
  if (st != TSR_OK) return st;
  rows r = {.list = calloc((size_t)out->count + 1, sizeof *r.list), .most = out->count, .bundle = out};
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = read_map, .self = &map, .bytes = tsr_nbytes(&map)};
  st = r.list != NULL ? tsr_gguf_list(ctx, &reader, NULL, keep, &r) : TSR_ENOMEM;
  tsr_release(&map);
  if (st == TSR_OK && r.any) {
    *table = r.list;
  } else {
    free(r.list);
  }
  return st;
}

/* ---- small floats of safetensors ---- */

static tsr_status keep_foreign(tsr_ctx *ctx, const tsr_safetensors_file *file, tsr_index i, tsr_bundle *out,
                               packed *p) {
  tsr_safetensors_entry e;
  tsr_tensor t = {0};
  tsr_status st = tsr_safetensors_file_entry(ctx, file, i, &e);
  if (st == TSR_OK) st = tsr_safetensors_file_read(ctx, file, i, &t);
  if (st == TSR_OK) st = tsr_bundle_add(ctx, out, e.name, &t);
  tsr_release(&t);
  if (st != TSR_OK) return st;
  *p = (packed){.type = e.dtype == TSR_NONE ? PACKED_FOREIGN : -1, .ndim = e.ndim};
  (void)snprintf(p->foreign, sizeof p->foreign, "%s", e.type);
  for (int k = 0; k < e.ndim; k++) p->shape[k] = e.shape[k];
  return TSR_OK;
}

tsr_status packed_load_foreign(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata,
                               packed **table) {
  const tsr_safetensors_options options = {.opaque = true};
  tsr_safetensors_file *file = NULL;
  tsr_status st = tsr_safetensors_file_open(ctx, path, &options, &file);
  if (st != TSR_OK) return st;
  const tsr_index count = tsr_safetensors_file_count(file);
  *table = calloc((size_t)count + 1, sizeof **table);
  if (*table == NULL) st = TSR_ENOMEM;
  for (tsr_index i = 0; i < count && st == TSR_OK; i++) st = keep_foreign(ctx, file, i, out, &(*table)[i]);
  if (st == TSR_OK) st = tsr_safetensors_file_metadata(ctx, file, metadata);
  tsr_safetensors_file_release(file);
  return st;
}

const char *packed_type(const packed *p) {
  return p->type == PACKED_FOREIGN ? p->foreign : tsr_gguf_type_name(p->type);
}

bool packed_in_parts(const packed *p) { return p->type == TSR_GGUF_Q8_0 || p->type == TSR_GGUF_Q4_0; }

tsr_status packed_fetch(tsr_ctx *ctx, const packed *p, const tsr_tensor *blocks, tsr_tensor *out) {
  if (p->type != PACKED_FOREIGN) return tsr_gguf_dequantize(ctx, blocks, p->type, out);
  return tsr_safetensors_unpack(ctx, blocks, p->foreign, p->ndim, p->shape, out);
}

/* ---- numbers ---- */

tsr_status packed_describe(tsr_ctx *ctx, const packed *p, tsr_tensor *out) {
  return tsr_desc_init(ctx, TSR_F32, p->ndim, p->shape, out);
}

tsr_status packed_numbers(tsr_ctx *ctx, const packed *p, const tsr_tensor *blocks, tsr_index first, tsr_index count,
                          int dtype, void *elements) {
  const tsr_index row = p->shape[p->ndim - 1], bytes = blocks->shape[blocks->ndim - 1];
  const tsr_index per = bytes / (row / 32); /* of a block: rows are whole blocks */
  tsr_tensor flat = {0}, part = {0}, to = {0};
  tsr_status st = tsr_flatten_view(ctx, blocks, &flat);
  if (st == TSR_OK) st = tsr_narrow(ctx, &flat, 0, first / 32 * per, count / 32 * per, &part);
  if (st == TSR_OK) st = tsr_from_memory(ctx, elements, dtype, 1, &count, &to);
  return st == TSR_OK ? tsr_gguf_dequantize(ctx, &part, p->type, &to) : st;
}
