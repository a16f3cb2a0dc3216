/* From a checked header to tensors: views where the bytes can be used in place, else memory of their own. */
#include "core/tensor.h"
#include "core/table.h"
#include "io/bytes/swap.h"
#include "io/bytes/walk.h"
#include "io/call/metadata.h"
#include "io/call/outputs.h"
#include "io/safetensors/safetensors.h"

#include <string.h>

/* ---- elements ---- */

/* Into any tensor of the entry's dtype and shape that has memory. */
static tsr_status read_elements(const tsr__st_file *file, const tsr__st_entry *e, const tsr_tensor *t) {
  _Alignas(16) char block[TSR__ELEMENT_BLOCK];
  const uint64_t bytes = e->end - e->begin;
  const uint64_t offset = file->data + e->begin;
  tsr__element_walk walk;
  if (bytes == 0) return TSR_OK;
  if (tsr_is_contiguous(t, TSR_ROW_MAJOR)) {
    const tsr_status st = tsr__input_get(&file->in, offset, t->data, (size_t)bytes);
    if (st == TSR_OK && !TSR__LITTLE_HOST) tsr__swap_bytes(t->dtype, t->data, (size_t)bytes);
    return st;
  }
  tsr__element_walk_init(&walk, t, false);
  for (uint64_t done = 0; done < bytes;) {
    const size_t part = bytes - done < sizeof block ? (size_t)(bytes - done) : sizeof block;
    const tsr_status st = tsr__input_get(&file->in, offset + done, block, part);
    if (st != TSR_OK) return st;
    if (!TSR__LITTLE_HOST) tsr__swap_bytes(t->dtype, block, part);
    tsr__element_scatter(&walk, part / walk.item, block);
    done += part;
  }
  return TSR_OK;
}

/* ---- descriptions ---- */

/* Dtype, shape, order and tag, without memory: opaque ones as bytes. */
static void describe(const tsr__st_entry *e, tsr_tensor *t) {
  const tsr_index bytes = (tsr_index)(e->end - e->begin);
  if (e->dtype == TSR_NONE) {
    const bool whole = e->bits == 8;
    tsr__describe(TSR_U8, whole ? e->ndim : 1, whole ? e->shape : &bytes, t);
  } else {
    tsr__describe(e->dtype, e->ndim, e->shape, t);
  }
  t->layout = e->layout;
  if (e->ordered) {
    int order[TSR_MAX_DIMS];
    for (int i = 0; i < e->ndim; i++) order[i] = e->order[i];
    tsr__strides_permuted(t, order);
  } else {
    tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
  }
}

/* Whether the bytes of the file are the elements: in memory, in order, aligned, in the host's byte order. */
static bool fits_in_place(const tsr__st_file *file, const tsr__st_entry *e, const tsr_tensor *t, bool mapped) {
  if (file->in.bytes == NULL || e->ordered || file->options.access == TSR_ACCESS_COPY) return false;
  if (!mapped && file->options.access != TSR_ACCESS_READ) return false;
  const tsr_dtype_info *info = tsr_dtype_describe(t->dtype);
  if (!TSR__LITTLE_HOST && info->bytes > 1) return false;
  return ((uintptr_t)file->in.bytes + (size_t)(file->data + e->begin)) % info->align == 0;
}

static tsr_status make_in_place(const tsr__st_file *file, const tsr__st_entry *e, tsr_storage *map, tsr_tensor *t) {
  const size_t offset = (size_t)(file->data + e->begin);
  if (map == NULL) {
    t->data = (void *)(uintptr_t)(file->in.bytes + offset);
  } else {
    const tsr_tensor described = *t;
    *t = (tsr_tensor){0};
    const tsr_status st =
        tsr_from_storage(file->in.ctx, map, offset, described.dtype, described.ndim, described.shape, NULL, t);
    if (st != TSR_OK) return st;
    t->layout = described.layout;
  }
  if (file->options.access == TSR_ACCESS_READ) t->flags |= TSR_READONLY;
  return TSR_OK;
}

static tsr_status make_copy(tsr__st_file *file, const tsr__st_entry *e, tsr_tensor *t) {
  tsr_status st = tsr__budget_take(&file->budget, e->end - e->begin);
  if (st == TSR_OK) st = tsr__allocate(file->in.ctx, file->in.op, NULL, TSR_HINT_DEFAULT, t);
  if (st != TSR_OK) return st;
  st = read_elements(file, e, t);
  if (st != TSR_OK) tsr_release(t);
  return st;
}

static tsr_status make_tensor(tsr__st_file *file, const tsr__st_entry *e, tsr_storage *map, tsr_tensor *t) {
  describe(e, t);
  if (tsr_size(t) == 0) return TSR_OK;
  return fits_in_place(file, e, t, map != NULL) ? make_in_place(file, e, map, t) : make_copy(file, e, t);
}

/* ---- all of them ---- */

static tsr_status read_metadata(const tsr__st_file *file, tsr_metadata *metadata) {
  for (size_t i = 0; i < file->pairs; i++) {
    if (!file->options.plain && tsr__st_is_reserved(file->pair[i].key)) continue;
    if (!tsr__metadata_append(file->in.ctx, metadata, file->pair[i].key, file->pair[i].value))
      return TSR__FAIL(file->in.ctx, TSR_ENOMEM, file->in.op, "metadata", "no memory for %z keys", file->pairs);
  }
  return TSR_OK;
}

static tsr_status read_tensors(tsr__st_file *file, tsr_storage *map, tsr_bundle *bundle) {
  for (size_t i = 0; i < file->count; i++) {
    tsr_tensor t = {0};
    tsr_status st = make_tensor(file, &file->entry[i], map, &t);
    if (st == TSR_OK) st = tsr_bundle_add(file->in.ctx, bundle, file->entry[i].name, &t);
    if (st != TSR_OK) {
      tsr_release(&t);
      return st;
    }
  }
  return TSR_OK;
}

tsr_status tsr__st_read_all(tsr__st_file *file, tsr_storage *map, tsr_bundle *out, tsr_metadata *metadata) {
  tsr__made made = tsr__made_start(out, metadata);
  tsr_status st = read_tensors(file, map, &made.bundle);
  if (st == TSR_OK && metadata != NULL) st = read_metadata(file, &made.pairs);
  return tsr__made_end(&made, st, out, metadata);
}

/* ---- one of them ---- */

static const tsr__st_entry *find(const tsr__st_file *file, const char *name) {
  for (size_t i = 0; i < file->count; i++)
    if (strcmp(file->entry[i].name, name) == 0) return &file->entry[i];
  return NULL;
}

/* Into *out as it is given or described. */
static tsr_status read_given(tsr__st_file *file, const tsr__st_entry *e, tsr_tensor *out) {
  const bool fresh = out->data == NULL;
  tsr_tensor described, filled = *out;
  describe(e, &described);
  const tsr__result result = {
      .dtype = described.dtype, .layout = out->layout, .ndim = described.ndim, .shape = described.shape};
  tsr_status st = fresh ? tsr__budget_take(&file->budget, e->end - e->begin) : TSR_OK;
  if (st == TSR_OK) st = tsr__output(file->in.ctx, file->in.op, &result, &filled);
  if (st == TSR_OK) st = read_elements(file, e, &filled);
  if (st == TSR_OK)
    *out = filled;
  else if (fresh && filled.data != NULL)
    tsr_release(&filled);
  return st;
}

static tsr_status read_named(tsr__st_file *file, const char *name, tsr_tensor *out) {
  tsr_tensor t = {0};
  const tsr__st_entry *e = find(file, name);
  if (e == NULL)
    return TSR__FAIL(file->in.ctx, TSR_ENAME, file->in.op, "name", "%s is not among the file's %z names", name,
                     file->count);
  if (!tsr_is_none(out)) return read_given(file, e, out);
  const tsr_status st = make_tensor(file, e, NULL, &t);
  if (st == TSR_OK) *out = t;
  return st;
}

/* ---- public ---- */

static tsr_status from_reader(tsr_ctx *ctx, const char *op, const tsr_reader *reader, tsr__st_file *file) {
  const tsr_status given = tsr__check_reader(ctx, op, reader);
  if (given != TSR_OK) return given;
  *file = (tsr__st_file){.in = {.ctx = ctx, .op = op, .where = "", .reader = reader, .size = reader->bytes}};
  return TSR_OK;
}

tsr_status tsr_safetensors_read(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                                tsr_bundle *out, tsr_metadata *metadata) {
  static const char op[] = "safetensors_read";
  tsr__st_file file;
  tsr_status st = from_reader(ctx, op, reader, &file);
  if (st == TSR_OK) st = tsr__outputs_check(ctx, op, out, metadata);
  if (st == TSR_OK) st = tsr__st_open(&file, options);
  if (st != TSR_OK) return st;
  st = tsr__st_read_all(&file, NULL, out, metadata);
  tsr__st_close(&file);
  return st;
}

tsr_status tsr_safetensors_read_tensor(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                                       const char *name, tsr_tensor *out) {
  static const char op[] = "safetensors_read_tensor";
  tsr__st_file file;
  tsr_status st = from_reader(ctx, op, reader, &file);
  if (st != TSR_OK) return st;
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  st = tsr__st_open(&file, options);
  if (st != TSR_OK) return st;
  st = read_named(&file, name, out);
  tsr__st_close(&file);
  return st;
}

tsr_status tsr_safetensors_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_safetensors_options *options,
                                  tsr_bundle *out, tsr_metadata *metadata) {
  static const char op[] = "safetensors_decode";
  static const uint8_t nothing[1] = {0};
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  tsr__st_file file = {.in = {.ctx = ctx, .op = op, .where = "", .bytes = bytes != NULL ? bytes : nothing, .size = n}};
  tsr_status st = tsr__outputs_check(ctx, op, out, metadata);
  if (st == TSR_OK) st = tsr__st_open(&file, options);
  if (st != TSR_OK) return st;
  st = tsr__st_read_all(&file, NULL, out, metadata);
  tsr__st_close(&file);
  return st;
}
