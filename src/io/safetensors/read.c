/* From a checked header to tensors: views where the bytes can be used in place, else memory of their own. */
#include "core/tensor.h"
#include "io/bytes/swap.h"
#include "io/bytes/text.h"
#include "io/bytes/walk.h"
#include "io/call/metadata.h"
#include "io/call/outputs.h"
#include "io/safetensors/safetensors.h"

/* ---- elements ---- */

/* Into any tensor of the entry's dtype and shape that has memory. */
static tsr_status read_elements(const tsr__st_call *call, const tsr__st_entry *e, const tsr_tensor *t) {
  _Alignas(16) char block[TSR__ELEMENT_BLOCK];
  const uint64_t bytes = e->end - e->begin;
  const uint64_t offset = call->file->data + e->begin;
  tsr__element_walk walk;
  if (bytes == 0) return TSR_OK;
  if (tsr_is_contiguous(t, TSR_ROW_MAJOR)) {
    const tsr_status st = tsr__input_get(&call->in, offset, t->data, (size_t)bytes);
    if (st == TSR_OK && !TSR__LITTLE_HOST) tsr__swap_bytes(t->dtype, t->data, (size_t)bytes);
    return st;
  }
  tsr__element_walk_init(&walk, t, false);
  for (uint64_t done = 0; done < bytes;) {
    const size_t part = bytes - done < sizeof block ? (size_t)(bytes - done) : sizeof block;
    const tsr_status st = tsr__input_get(&call->in, offset + done, block, part);
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

static tsr_status make_copy(tsr__st_call *call, const tsr__st_entry *e, tsr_tensor *t) {
  tsr_status st = tsr__budget_take(&call->budget, e->end - e->begin);
  if (st == TSR_OK) st = tsr__allocate(call->in.ctx, call->in.op, NULL, TSR_HINT_DEFAULT, t);
  if (st != TSR_OK) return st;
  st = read_elements(call, e, t);
  if (st != TSR_OK) tsr_release(t);
  return st;
}

static tsr_status check_dtype(const tsr__st_call *call, const tsr__st_entry *e) {
  char shown[TSR__SHOWN];
  if (e->dtype != TSR_NONE || call->file->options.opaque) return TSR_OK;
  tsr__show_text(e->name, shown);
  return TSR__FAIL(call->in.ctx, TSR_EUNSUPPORTED, call->in.op, NULL,
                   "%sheader: byte %z: '%s' has unsupported dtype %s", call->in.where, e->at, shown, e->type);
}

/* Into *t, which is empty. */
static tsr_status make_tensor(tsr__st_call *call, const tsr__st_entry *e, tsr_tensor *t) {
  const tsr_status st = check_dtype(call, e);
  if (st != TSR_OK) return st;
  const uint64_t offset = call->file->data + e->begin;
  const int access = call->file->options.access;
  tsr_storage *const map = tsr__st_map(call->file);
  describe(e, t);
  if (tsr_size(t) == 0) return TSR_OK;
  const bool fits = !e->ordered && tsr__input_fits(&call->in, offset, access, map, t);
  return fits ? tsr__input_view(&call->in, offset, access, map, t) : make_copy(call, e, t);
}

/* ---- calls ---- */

tsr_status tsr__st_call_start(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, tsr__st_call *call) {
  tsr_status st = TSR_OK;
  call->file = file;
  call->in = file->in;
  call->in.ctx = ctx;
  call->in.op = op;
#if TSR_HAVE_STDIO
  if (file->from != NULL) {
    st = tsr__input_call_start(ctx, op, file->from, &call->bytes);
    call->in = call->bytes.in;
  }
#endif
  call->budget = tsr__budget_start(ctx, op, call->in.where, call->in.size);
  return st;
}

tsr_status tsr__st_call_end(const tsr__st_call *call, tsr_status st) {
#if TSR_HAVE_STDIO
  if (call->file->from != NULL) return tsr__input_call_end(&call->bytes, st);
#else
  (void)call;
#endif
  return st;
}

/* ---- all of them ---- */

tsr_status tsr__st_read_metadata(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file,
                                 tsr_metadata *metadata) {
  for (size_t i = 0; i < file->pairs; i++) {
    if (!file->options.plain && tsr__st_is_reserved(file->pair[i].key)) continue;
    if (!tsr__metadata_append(ctx, metadata, file->pair[i].key, file->pair[i].value))
      return TSR__FAIL(ctx, TSR_ENOMEM, op, "metadata", "no memory for %z keys", file->pairs);
  }
  return TSR_OK;
}

static tsr_status read_tensors(tsr__st_call *call, tsr_bundle *bundle) {
  for (size_t i = 0; i < call->file->count; i++) {
    const tsr__st_entry *e = &call->file->entry[i];
    tsr_tensor t = {0};
    tsr_status st = make_tensor(call, e, &t);
    if (st == TSR_OK) st = tsr_bundle_add(call->in.ctx, bundle, e->name, &t);
    if (st != TSR_OK) {
      tsr_release(&t);
      return st;
    }
  }
  return TSR_OK;
}

tsr_status tsr__st_read_all(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, tsr_bundle *out,
                            tsr_metadata *metadata) {
  tsr__made made = tsr__made_start(out, metadata);
  tsr__st_call call;
  tsr_status st = tsr__st_call_start(ctx, op, file, &call);
  if (st == TSR_OK) st = tsr__st_call_end(&call, read_tensors(&call, &made.bundle));
  if (st == TSR_OK && metadata != NULL) st = tsr__st_read_metadata(ctx, op, file, &made.pairs);
  return tsr__made_end(&made, st, out, metadata);
}

/* ---- one of them ---- */

/* Into *out as it is given or described. */
static tsr_status read_given(tsr__st_call *call, const tsr__st_entry *e, tsr_tensor *out) {
  const bool fresh = out->data == NULL;
  tsr_tensor described, filled = *out;
  tsr_status st = check_dtype(call, e);
  if (st != TSR_OK) return st;
  describe(e, &described);
  const tsr__result result = {
      .dtype = described.dtype, .layout = out->layout, .ndim = described.ndim, .shape = described.shape};
  if (fresh) st = tsr__budget_take(&call->budget, e->end - e->begin);
  if (st == TSR_OK) st = tsr__output(call->in.ctx, call->in.op, &result, &filled);
  if (st == TSR_OK) st = read_elements(call, e, &filled);
  if (st == TSR_OK)
    *out = filled;
  else if (fresh && filled.data != NULL)
    tsr_release(&filled);
  return st;
}

static tsr_status read_empty(tsr__st_call *call, const tsr__st_entry *e, tsr_tensor *out) {
  tsr_tensor t = {0};
  const tsr_status st = make_tensor(call, e, &t);
  if (st == TSR_OK) *out = t;
  return st;
}

tsr_status tsr__st_read_one(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, size_t number,
                            tsr_tensor *out) {
  const tsr__st_entry *e = &file->entry[number];
  tsr__st_call call;
  const tsr_status st = tsr__st_call_start(ctx, op, file, &call);
  if (st != TSR_OK) return st;
  return tsr__st_call_end(&call, tsr_is_none(out) ? read_empty(&call, e, out) : read_given(&call, e, out));
}

tsr_status tsr__st_read_named(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, const char *name,
                              tsr_tensor *out) {
  const tsr_index number = tsr__st_find(file, name);
  if (number >= 0) return tsr__st_read_one(ctx, op, file, (size_t)number, out);
  return TSR__FAIL(ctx, TSR_ENAME, op, "name", "%s is not among the file's %z names", name, file->count);
}

/* ---- public ---- */

static tsr_status read_all(tsr_ctx *ctx, const tsr_safetensors_options *options, tsr_safetensors_file *file,
                           tsr_bundle *out, tsr_metadata *metadata) {
  const char *const op = file->in.op;
  tsr_status st = tsr__outputs_check(ctx, op, out, metadata);
  if (st == TSR_OK) st = tsr__st_open(ctx, op, options, file);
  if (st != TSR_OK) return st;
  st = tsr__st_read_all(ctx, op, file, out, metadata);
  tsr__st_close(file);
  return st;
}

tsr_status tsr_safetensors_read(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                                tsr_bundle *out, tsr_metadata *metadata) {
  tsr_safetensors_file file = {0};
  const tsr_status st = tsr__input_of_reader(ctx, "safetensors_read", reader, &file.in);
  return st == TSR_OK ? read_all(ctx, options, &file, out, metadata) : st;
}

tsr_status tsr_safetensors_read_tensor(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                                       const char *name, tsr_tensor *out) {
  static const char op[] = "safetensors_read_tensor";
  tsr_safetensors_file file = {.any_dtype = true};
  tsr_status st = tsr__input_of_reader(ctx, op, reader, &file.in);
  if (st != TSR_OK) return st;
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  st = tsr__st_open(ctx, op, options, &file);
  if (st != TSR_OK) return st;
  st = tsr__st_read_named(ctx, op, &file, name, out);
  tsr__st_close(&file);
  return st;
}

tsr_status tsr_safetensors_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_safetensors_options *options,
                                  tsr_bundle *out, tsr_metadata *metadata) {
  tsr_safetensors_file file = {0};
  const tsr_status st = tsr__input_of_bytes(ctx, "safetensors_decode", bytes, n, &file.in);
  return st == TSR_OK ? read_all(ctx, options, &file, out, metadata) : st;
}
