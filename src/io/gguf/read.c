/* From a checked header to tensors: views where the bytes can be used in place, else memory of their own. */
#include "io/gguf/gguf.h"

#if TSR_HAVE_STDIO

#include "core/tensor.h"
#include "io/bytes/swap.h"
#include "io/bytes/text.h"
#include "io/call/metadata.h"
#include "io/call/outputs.h"
#include "io/file/input.h"

/* ---- one of them ---- */

/* Dtype and shape: those of an opaque one in bytes. */
static void describe(const tsr__gguf_entry *e, tsr_tensor *t) {
  const tsr__gguf_type *type = tsr__gguf_type_of(e->type);
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < e->ndim; i++) shape[i] = e->shape[i];
  if (type->dtype == TSR_NONE) shape[e->ndim - 1] = shape[e->ndim - 1] / type->block * type->bytes; /* of rank > 0 */
  tsr__describe(type->dtype != TSR_NONE ? type->dtype : TSR_U8, e->ndim, shape, t);
  tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
}

static tsr_status make_copy(tsr__gguf_file *file, const tsr__gguf_entry *e, tsr_tensor *t) {
  tsr_status st = tsr__budget_take(&file->budget, e->bytes);
  if (st == TSR_OK) st = tsr__allocate(file->in.ctx, file->in.op, NULL, TSR_HINT_DEFAULT, t);
  if (st != TSR_OK) return st;
  st = tsr__input_get(&file->in, file->data + e->begin, t->data, (size_t)e->bytes);
  if (st == TSR_OK && !TSR__LITTLE_HOST) tsr__swap_bytes(t->dtype, t->data, (size_t)e->bytes);
  if (st != TSR_OK) tsr_release(t);
  return st;
}

static tsr_status make_stored(tsr__gguf_file *file, const tsr__gguf_entry *e, tsr_storage *map, tsr_tensor *t) {
  const uint64_t offset = file->data + e->begin;
  const int access = file->options.access;
  describe(e, t);
  if (tsr_size(t) == 0) return TSR_OK;
  return tsr__input_fits(&file->in, offset, access, map, t) ? tsr__input_view(&file->in, offset, access, map, t)
                                                            : make_copy(file, e, t);
}

static tsr_status make_decoded(tsr__gguf_file *file, const tsr__gguf_entry *e, tsr_storage *map, tsr_tensor *t) {
  tsr_tensor blocks = {0};
  const uint64_t before = file->budget.taken;
  tsr_status st = make_stored(file, e, map, &blocks);
  if (st != TSR_OK) return st;
  tsr__describe(file->options.dequantize, e->ndim, e->shape, t);
  tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
  if (tsr_size(t) > 0) st = tsr__budget_take(&file->budget, tsr_nbytes(t));
  if (st == TSR_OK && tsr_size(t) > 0) st = tsr_gguf_dequantize(file->in.ctx, &blocks, (int)e->type, t);
  tsr_release(&blocks);
  file->budget.taken = before + tsr_nbytes(t); /* the blocks are gone again */
  return st;
}

static bool is_decoded(const tsr__gguf_file *file, const tsr__gguf_entry *e) {
  return file->options.dequantize != TSR_NONE && tsr__gguf_decodes(e->type);
}

/* ---- all of them ---- */

static tsr_status check_types(const tsr__gguf_file *file) {
  char shown[TSR__SHOWN];
  for (size_t i = 0; i < file->count && !file->options.opaque; i++) {
    const tsr__gguf_entry *e = &file->entry[i];
    if (tsr__gguf_type_of(e->type)->dtype != TSR_NONE || is_decoded(file, e)) continue;
    tsr__show_text(e->name, shown);
    return TSR__GGUF_REFUSE(file, e->at, TSR_EUNSUPPORTED, "tensor '%s' is %s: %s", shown,
                            tsr__gguf_type_of(e->type)->name,
                            tsr__gguf_decodes(e->type) ? "say what it is dequantised to" : "that type is not decoded");
  }
  return TSR_OK;
}

static tsr_status read_tensors(tsr__gguf_file *file, tsr_storage *map, tsr_bundle *bundle) {
  for (size_t i = 0; i < file->count; i++) {
    const tsr__gguf_entry *e = &file->entry[i];
    tsr_tensor t = {0};
    tsr_status st = is_decoded(file, e) ? make_decoded(file, e, map, &t) : make_stored(file, e, map, &t);
    if (st == TSR_OK) st = tsr_bundle_add(file->in.ctx, bundle, e->name, &t);
    if (st != TSR_OK) {
      tsr_release(&t);
      return st;
    }
  }
  return TSR_OK;
}

/* ---- metadata ---- */

typedef struct value {
  char *at; /* NULL: counts */
  size_t n;
} value;

static tsr_status add_text(void *self, const void *bytes, size_t n) {
  value *v = self;
  for (size_t i = 0; i < n && v->at != NULL; i++) v->at[v->n + i] = ((const char *)bytes)[i];
  v->n += n;
  return TSR_OK;
}

static tsr_status read_pair(tsr__gguf_file *file, const tsr__gguf_pair *pair, tsr_metadata *out) {
  value v = {0};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add_text, .self = &v};
  tsr__scratch memory;
  tsr_status st = tsr__gguf_value_text(file, pair, &sink);
  if (st == TSR_OK) st = tsr__scratch_get(file->in.ctx, file->in.op, v.n + 1, &memory);
  if (st != TSR_OK) return st;
  v = (value){.at = memory.data};
  st = tsr__gguf_value_text(file, pair, &sink);
  v.at[v.n] = '\0';
  if (st == TSR_OK && !tsr__metadata_append(file->in.ctx, out, pair->key, v.at))
    st = TSR__FAIL(file->in.ctx, TSR_ENOMEM, file->in.op, "metadata", "no memory for %z keys", file->pairs);
  tsr__scratch_put(&memory);
  return st;
}

static tsr_status read_metadata(tsr__gguf_file *file, tsr_metadata *metadata) {
  tsr_status st = TSR_OK;
  for (size_t i = 0; st == TSR_OK && i < file->pairs; i++) st = read_pair(file, &file->pair[i], metadata);
  return st;
}

/* All tensors into a bundle; map (may be NULL) is the storage that the bytes belong to. */
static tsr_status read_whole_file(tsr__gguf_file *file, tsr_storage *map, tsr_bundle *out, tsr_metadata *metadata) {
  tsr__made made = tsr__made_start(out, metadata);
  tsr_status st = check_types(file);
  if (st == TSR_OK && metadata != NULL) st = read_metadata(file, &made.pairs);
  if (st == TSR_OK) st = read_tensors(file, map, &made.bundle);
  return tsr__made_end(&made, st, out, metadata);
}

/* ---- public ---- */

static tsr_status open_and_read(const tsr__input *in, const tsr_gguf_options *options, tsr_storage *map,
                                tsr_bundle *out, tsr_metadata *metadata) {
  tsr__gguf_file file = {.in = *in};
  tsr_status st = tsr__gguf_open(&file, options);
  if (st != TSR_OK) return st;
  st = read_whole_file(&file, map, out, metadata);
  tsr__gguf_close(&file);
  return st;
}

tsr_status tsr_gguf_read(tsr_ctx *ctx, const tsr_reader *reader, const tsr_gguf_options *options, tsr_bundle *out,
                         tsr_metadata *metadata) {
  tsr__input in;
  tsr_status st = tsr__input_of_reader(ctx, "gguf_read", reader, &in);
  if (st == TSR_OK) st = tsr__outputs_check(ctx, in.op, out, metadata);
  return st == TSR_OK ? open_and_read(&in, options, NULL, out, metadata) : st;
}

tsr_status tsr_gguf_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_gguf_options *options, tsr_bundle *out,
                           tsr_metadata *metadata) {
  tsr__input in;
  tsr_status st = tsr__input_of_bytes(ctx, "gguf_decode", bytes, n, &in);
  if (st == TSR_OK) st = tsr__outputs_check(ctx, in.op, out, metadata);
  return st == TSR_OK ? open_and_read(&in, options, NULL, out, metadata) : st;
}

typedef struct loading {
  const tsr_gguf_options *options;
  tsr_bundle *out;
  tsr_metadata *metadata;
} loading;

static tsr_status load_input(void *user, const tsr__input *in, tsr_storage *map) {
  const loading *l = user;
  return open_and_read(in, l->options, map, l->out, l->metadata);
}

tsr_status tsr_gguf_load(tsr_ctx *ctx, const char *path, const tsr_gguf_options *options, tsr_bundle *out,
                         tsr_metadata *metadata) {
  static const char op[] = "gguf_load";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  const tsr_status st = tsr__outputs_check(ctx, op, out, metadata);
  if (st != TSR_OK) return st;
  loading l = {.options = options, .out = out, .metadata = metadata};
  return tsr__input_open(ctx, op, path, options != NULL ? options->access : TSR_ACCESS_READ, load_input, &l);
}

/* ---- what is there ---- */

static tsr_status show(const tsr__gguf_file *file, tsr_gguf_visit *visit, void *user) {
  tsr_status st = TSR_OK;
  for (size_t i = 0; st == TSR_OK && i < file->count; i++) {
    const tsr__gguf_entry *e = &file->entry[i];
    const tsr__gguf_type *type = tsr__gguf_type_of(e->type);
    const tsr_gguf_entry entry = {.name = e->name,
                                  .type_name = type->name,
                                  .type = (int)e->type,
                                  .dtype = type->dtype,
                                  .ndim = e->ndim,
                                  .shape = e->shape,
                                  .offset = file->data + e->begin,
                                  .bytes = e->bytes};
    st = visit(user, &entry);
  }
  return st;
}

tsr_status tsr_gguf_list(tsr_ctx *ctx, const tsr_reader *reader, const tsr_gguf_options *options, tsr_gguf_visit *visit,
                         void *user) {
  tsr__gguf_file file = {0};
  tsr_status st = tsr__input_of_reader(ctx, "gguf_list", reader, &file.in);
  if (st != TSR_OK) return st;
  if (visit == NULL) return TSR__FAIL(ctx, TSR_EARG, file.in.op, "visit", "is NULL");
  st = tsr__gguf_open(&file, options);
  if (st != TSR_OK) return st;
  st = show(&file, visit, user);
  tsr__gguf_close(&file);
  return st;
}

#endif
