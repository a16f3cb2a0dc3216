/* Elements and nothing else. */
#include "io/raw/raw.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "core/tensor.h"
#include "io/bytes/elements.h"
#include "io/bytes/swap.h"
#include "io/file/file.h"
#include "io/bytes/input.h"
#include "io/call/limits.h"
#include "io/file/input.h"

/* ---- loading ---- */

/* What is loaded: the shape becomes that of the file. */
typedef struct loading {
  int dtype, ndim;
  tsr_index shape[TSR_MAX_DIMS];
  int open; /* the axis that the file's size gives; -1: none */
  tsr_raw_options options;
  tsr_tensor *out;
} loading;

static tsr_status check_raw(tsr_ctx *ctx, const char *op, const loading *asked, const tsr_index *shape, loading *l) {
  tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(&asked->options));
  if (st == TSR_OK) st = tsr__check_dtype(ctx, op, "dtype", asked->dtype);
  if (st != TSR_OK) return st;
  if (asked->ndim < 0 || asked->ndim > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "shape", "rank %d is not 0 to %d", asked->ndim, TSR_MAX_DIMS);
  if (shape == NULL && asked->ndim > 0) return TSR__FAIL(ctx, TSR_EARG, op, "shape", "is NULL");
  *l = *asked;
  l->open = -1;
  for (int i = 0; i < l->ndim; i++) {
    if (shape[i] == -1 && l->open >= 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "shape", "has two axes of -1");
    if (shape[i] == -1) l->open = i;
    l->shape[i] = shape[i] == -1 ? 1 : shape[i];
  }
  return tsr__check_desc(ctx, op, l->dtype, l->ndim, l->shape);
}

/* How long the open axis is. */
static tsr_status measure(loading *l, const tsr__input *in, uint64_t there, uint64_t row) {
  if (row == 0) {
    l->shape[l->open] = -1; /* as it was given */
    return TSR__FAIL(in->ctx, TSR_ESHAPE, in->op, "shape", "%S: -1 beside a 0 could be anything", l->ndim, l->shape);
  }
  if (there % row != 0)
    return TSR__FAIL(in->ctx, TSR_EFORMAT, in->op, NULL, "%sbyte %l: %l bytes are not whole rows of %l", in->where,
                     (int64_t)l->options.offset, (int64_t)there, (int64_t)row);
  const uint64_t n = there / row;
  if (n > (uint64_t)TSR_INDEX_MAX)
    return TSR__FAIL(in->ctx, TSR_EOVERFLOW, in->op, NULL, "%smore rows than an index counts", in->where);
  l->shape[l->open] = (tsr_index)n;
  return tsr__check_desc(in->ctx, in->op, l->dtype, l->ndim, l->shape);
}

static tsr_status fit(loading *l, const tsr__input *in, tsr_tensor *t) {
  const uint64_t offset = l->options.offset;
  if (offset > INT64_MAX)
    return TSR__FAIL(in->ctx, TSR_EFORMAT, in->op, "offset", "is more than any file has: this one has %l bytes",
                     (int64_t)in->size);
  if (offset > in->size)
    return TSR__FAIL(in->ctx, TSR_EFORMAT, in->op, NULL, "%sbyte %l is past the end: the file has %l", in->where,
                     (int64_t)offset, (int64_t)in->size);
  tsr__describe(l->dtype, l->ndim, l->shape, t);
  const uint64_t there = in->size - offset;
  if (l->open >= 0) {
    const tsr_status st = measure(l, in, there, tsr_nbytes(t));
    if (st != TSR_OK) return st;
    tsr__describe(l->dtype, l->ndim, l->shape, t);
  }
  tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
  if (tsr_nbytes(t) > there)
    return TSR__FAIL(in->ctx, TSR_EFORMAT, in->op, NULL, "%s%t has %z bytes, but %l follow byte %l", in->where, t,
                     tsr_nbytes(t), (int64_t)there, (int64_t)offset);
  return TSR_OK;
}

static bool is_swapped(const loading *l) { return l->options.big_endian == TSR__LITTLE_HOST; }

static bool fits_in_place(const loading *l, const tsr__input *in) {
  const tsr_dtype_info *info = tsr_dtype_describe(l->dtype);
  return l->dtype != TSR_BOOL && (info->bytes == 1 || !is_swapped(l)) &&
         ((uintptr_t)in->bytes + (size_t)l->options.offset) % info->align == 0;
}

static tsr_status read_copy(const loading *l, const tsr__input *in, tsr_tensor *t) {
  tsr__budget budget = tsr__budget_start(in->ctx, in->op, in->where, in->size);
  const size_t bytes = tsr_nbytes(t);
  tsr_status st = tsr__budget_take(&budget, bytes);
  if (st == TSR_OK) st = tsr__allocate(in->ctx, in->op, NULL, TSR_HINT_DEFAULT, t);
  if (st != TSR_OK) return st;
  st = tsr__input_get(in, l->options.offset, t->data, bytes);
  if (st != TSR_OK) {
    tsr_release(t);
    return st;
  }
  if (is_swapped(l)) tsr__swap_bytes(t->dtype, t->data, bytes);
  uint8_t *bools = t->data;
  for (size_t i = 0; i < bytes && t->dtype == TSR_BOOL; i++) bools[i] = bools[i] != 0;
  return TSR_OK;
}

static tsr_status load_input(void *user, const tsr__input *in, tsr_storage *map) {
  loading *l = user;
  tsr_tensor t = {0};
  tsr_status st = fit(l, in, &t);
  if (st != TSR_OK) return st;
  if (tsr_size(&t) > 0 && map != NULL && fits_in_place(l, in)) {
    t = (tsr_tensor){0};
    st = tsr_from_storage(in->ctx, map, (size_t)l->options.offset, l->dtype, l->ndim, l->shape, NULL, &t);
    if (st == TSR_OK && l->options.access == TSR_ACCESS_READ) t.flags |= TSR_READONLY;
  } else if (tsr_size(&t) > 0) {
    st = read_copy(l, in, &t);
  }
  if (st == TSR_OK) *l->out = t;
  return st;
}

tsr_status tsr_raw_load(tsr_ctx *ctx, const char *path, int dtype, int ndim, const tsr_index *shape,
                        const tsr_raw_options *options, tsr_tensor *out) {
  static const char op[] = "raw_load";
  loading l;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (!tsr_is_none(out)) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "%t is not empty: a map brings its memory", out);
  loading asked = {.dtype = dtype, .ndim = ndim, .out = out};
  if (options != NULL) asked.options = *options;
  const tsr_status st = check_raw(ctx, op, &asked, shape, &l);
  return st == TSR_OK ? tsr__input_open(ctx, op, path, l.options.access, load_input, &l) : st;
}

/* ---- writing ---- */

typedef struct writer {
  tsr_ctx *ctx;
  const char *op;
  const tsr_sink *sink;
  uint64_t offset;
} writer;

static tsr_status put(void *self, const void *bytes, size_t n) {
  writer *w = self;
  const tsr_status st = w->sink->write(w->sink->self, bytes, n);
  if (st != TSR_OK) return TSR__FAIL(w->ctx, st, w->op, NULL, "the sink failed after byte %l", (int64_t)w->offset);
  w->offset += n;
  return TSR_OK;
}

static tsr_status write_elements(tsr_ctx *ctx, const tsr_tensor *t, const tsr_raw_options *options,
                                 const tsr_producer *producer, const tsr_sink *sink) {
  static const char op[] = "raw_write";
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = tsr__elements_check(ctx, op, "t", t, producer);
  if (st != TSR_OK) return st;
  writer w = {.ctx = ctx, .op = op, .sink = sink};
  const tsr__elements elements = {.ctx = ctx,
                                  .op = op,
                                  .producer = producer,
                                  .big_endian = options != NULL && options->big_endian,
                                  .sink = {.size = sizeof(tsr_sink), .write = put, .self = &w}};
  return tsr__elements_write(&elements, t);
}

tsr_status tsr_raw_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_raw_options *options, const tsr_sink *sink) {
  return write_elements(ctx, t, options, NULL, sink);
}

static tsr_status write_contents(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return write_elements(ctx, what->tensor, what->options, what->producer, sink);
}

tsr_status tsr__raw_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_raw_options *options,
                         const tsr_producer *producer) {
  const tsr__saving what = {
      .op = "raw_save", .path = path, .write = write_contents, .tensor = t, .options = options, .producer = producer};
  const tsr_status st = path != NULL ? tsr__elements_check(ctx, what.op, "t", t, producer) : TSR_OK;
  return st == TSR_OK ? tsr__file_save(ctx, &what) : st;
}

tsr_status tsr_raw_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_raw_options *options) {
  return tsr__raw_save(ctx, path, t, options, NULL);
}

#endif
