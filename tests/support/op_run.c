/* Cases in memory: laying tensors out, calling, comparing. */
#include "support/op_case.h"

#if TSR_HAVE_OPS

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- layouts ---- */

static void shuffle(test_rng *rng, int n, int *order) {
  for (int i = n - 1; i > 0; i--) {
    const int k = (int)test_between(rng, 0, i), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
}

/* What happens to one axis. */
typedef struct axis_rule {
  bool gap, back, repeat;
} axis_rule;

static axis_rule rule_of(test_rng *rng, op_layout layout, bool repeats) {
  const bool mixed = layout == OP_MIXED;
  return (axis_rule){.gap = layout == OP_GAPS || (mixed && test_random(rng) % 3 == 0),
                     .back = layout == OP_REVERSED || (mixed && test_random(rng) % 3 == 0),
                     .repeat = repeats && (layout == OP_REPEATED || (mixed && test_random(rng) % 2 == 0))};
}

static tsr_index wild_stride(test_rng *rng) {
  return (tsr_index[]){TSR_INDEX_MAX, TSR_INDEX_MIN, TSR_INDEX_MAX / 2, -1, 0, 977}[test_random(rng) % 6];
}

op_place op_place_of(test_rng *rng, op_layout layout, int ndim, const tsr_index *shape, unsigned repeats) {
  op_place place = {.elements = 1};
  int order[TSR_MAX_DIMS];
  tsr_index step = 1;
  for (int i = 0; i < ndim; i++) order[i] = i;
  if (layout == OP_PERMUTED || (layout == OP_MIXED && test_random(rng) % 2 == 0)) shuffle(rng, ndim, order);
  for (int k = ndim - 1; k >= 0; k--) {
    const int i = order[k];
    const axis_rule rule = rule_of(rng, layout, (repeats >> i & 1) != 0);
    if (rule.gap) step += layout == OP_GAPS && k == ndim - 1 ? 1 : test_between(rng, 0, 2);
    place.stride[i] = rule.repeat ? 0 : rule.back ? -step : step;
    if (rule.repeat) continue;
    const tsr_index reach = shape[i] > 0 ? (shape[i] - 1) * step : 0;
    if (rule.back) place.first += reach;
    place.elements += reach;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
  if (test_product(ndim, shape) == 0) place.first = place.elements = 0;
  for (int i = 0; i < ndim && layout == OP_MIXED; i++) /* a stride that nothing is reached by */
    if ((shape[i] == 1 || place.elements == 0) && test_random(rng) % 4 == 0) place.stride[i] = wild_stride(rng);
  if (layout == OP_OFFSET || layout == OP_MIXED) {
    const tsr_index lead = test_between(rng, 1, 7);
    place.first += lead;
    place.elements += lead;
  }
  return place;
}

/* ---- elements ---- */

static size_t bytes_of(const tsr_tensor *t) {
  return (size_t)test_product(t->ndim, t->shape) * tsr_dtype_size(t->dtype);
}

/* Calls fn with the first element of each line along the last axis, its length and its step in bytes. */
typedef void line_fn(void *arg, unsigned char *first, tsr_index n, tsr_index step, size_t item);
static void each_line(const tsr_tensor *t, line_fn *fn, void *arg) {
  const size_t item = tsr_dtype_size(t->dtype);
  const int rest = t->ndim - (t->ndim > 0);
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (test_product(t->ndim, t->shape) == 0) return;
  do {
    if (t->ndim == 0)
      fn(arg, t->data, 1, 0, item);
    else
      fn(arg, test_at(t, index), t->shape[rest], t->shape[rest] > 1 ? t->stride[rest] * (tsr_index)item : 0, item);
  } while (test_next_index(rest, t->shape, index));
}

static inline void copy_item(void *to, const void *from, size_t item) {
  switch (item) {
    case 1: memcpy(to, from, 1); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, item); break;
  }
}

static void line_out(void *arg, unsigned char *first, tsr_index n, tsr_index step, size_t item) {
  unsigned char **const row = arg;
  for (tsr_index i = 0; i < n; i++, *row += item) copy_item(*row, first + i * step, item);
}
static void line_in(void *arg, unsigned char *first, tsr_index n, tsr_index step, size_t item) {
  unsigned char **const row = arg;
  for (tsr_index i = 0; i < n; i++, *row += item) copy_item(first + i * step, *row, item);
}

static bool is_dense(const tsr_tensor *t) { /* or without elements */
  tsr_index step = 1;
  for (int i = t->ndim - 1; i >= 0; step *= t->shape[i--])
    if (t->stride[i] != step && t->shape[i] != 1) return false;
  return true;
}

/* Copies between a view and its elements in a row. */
static void move_elements(const tsr_tensor *view, unsigned char *row, bool out_of_view) {
  if (is_dense(view) && bytes_of(view) > 0) {
    memcpy(out_of_view ? row : view->data, out_of_view ? view->data : row, bytes_of(view));
    return;
  }
  each_line(view, out_of_view ? line_out : line_in, &row);
}

static tsr_tensor dense_of(const tsr_tensor *t) {
  tsr_tensor dense = *t;
  tsr_index step = 1;
  dense.flags = 0;
  dense.storage = NULL;
  dense.data = malloc(bytes_of(t) + 1);
  for (int i = t->ndim - 1; i >= 0; i--) {
    dense.stride[i] = step;
    step *= t->shape[i];
  }
  if (t->data != NULL) move_elements(t, dense.data, true);
  return dense;
}

/* ---- a run ---- */

void op_run_init(op_run *r, const op_case *c, const char *isa, int threads) {
  memset(r, 0, sizeof *r);
  r->c = c;
  r->isa = isa;
  r->threads = threads;
  r->device = op_test_device();
  r->same = -1;
  for (int i = 0; i < OP_INPUTS; i++) r->in_at[i] = -1;
  for (int i = 0; i < OP_OUTPUTS; i++) r->out_at[i] = -1;
}

int op_run_buffer(op_run *r, size_t size) {
  op_buffer *const b = &r->buffer[r->buffers];
  b->size = size;
  b->bytes = malloc(size + (size == 0)); /* to the byte: a sanitizer sees what reads past it */
  b->before = malloc(size + (size == 0));
  memset(b->bytes, 0x7B, size);
  return r->buffers++;
}

static tsr_tensor tensor_at(const tsr_tensor *like, const op_buffer *b, const op_place *place, size_t offset) {
  tsr_tensor t = *like;
  const size_t item = tsr_dtype_size(like->dtype);
  memcpy(t.stride, place->stride, sizeof t.stride);
  t.flags = 0;
  t.storage = NULL;
  t.data = b->bytes + offset + (size_t)place->first * item;
  if (place->elements == 0 && offset == 0) t.data = NULL; /* as headers allow */
  return t;
}

void op_run_place(op_run *r, int input, int buffer, const op_place *place, size_t offset) {
  r->in[input] = tensor_at(&r->c->in[input], &r->buffer[buffer], place, offset);
  r->in_at[input] = buffer;
  move_elements(&r->in[input], r->c->in[input].data, false);
}

void op_run_place_out(op_run *r, int output, int buffer, const tsr_tensor *shape, const op_place *place,
                      size_t offset) {
  r->out[output] = tensor_at(shape, &r->buffer[buffer], place, offset);
  r->out_at[output] = buffer;
}

void op_run_lay(op_run *r, test_rng *rng, int input, op_layout layout) {
  const tsr_tensor *const t = &r->c->in[input];
  if (t->dtype == TSR_NONE) return;
  const op_place place = op_place_of(rng, layout, t->ndim, t->shape, r->c->repeats[input]);
  op_run_place(r, input, op_run_buffer(r, (size_t)place.elements * tsr_dtype_size(t->dtype)), &place, 0);
}

void op_run_lay_out(op_run *r, test_rng *rng, int output, const tsr_tensor *shape, op_layout layout) {
  const op_place place = op_place_of(rng, layout, shape->ndim, shape->shape, 0);
  const int buffer = op_run_buffer(r, (size_t)place.elements * tsr_dtype_size(shape->dtype));
  op_run_place_out(r, output, buffer, shape, &place, 0);
  if (r->c->given[output].dtype != TSR_NONE) move_elements(&r->out[output], r->c->given[output].data, false);
}

static const tsr_parallel *threads_of(int count) {
  static tsr_threads *pools[9];
  if (count <= 1) return tsr_parallel_serial();
  if (pools[count] == NULL && tsr_threads_new(count, &pools[count]) != TSR_OK) return tsr_parallel_serial();
  return tsr_threads_parallel(pools[count]);
}

void op_run_call(op_run *r) {
  const op_case *const c = r->c;
  const tsr_tensor *in[OP_INPUTS];
  tsr_tensor *out[OP_OUTPUTS];
  tsr_attr attrs[OP_ATTRS];
  tsr_tensor whole[OP_INPUTS + OP_OUTPUTS] = {{0}};
  op_object object;
  tsr_ctx ctx;
  if (tsr_context_init(&ctx, NULL) != TSR_OK || tsr_context_set_isa(&ctx, r->isa) != TSR_OK) return;
  ctx.parallel = threads_of(r->threads);
  r->rng = tsr_rng_seed(c->seed);
  memcpy(r->start, r->out, sizeof r->start);
  for (int i = 0; i < r->buffers; i++) memcpy(r->buffer[i].before, r->buffer[i].bytes, r->buffer[i].size);
  for (int i = 0; i < c->inputs; i++) in[i] = c->in[i].dtype == TSR_NONE ? NULL : &r->in[i];
  for (int i = 0; i < c->outputs; i++) out[i] = &r->out[i];
  for (int i = 0; i < c->attrs; i++) {
    attrs[i] = c->attr[i];
    if (attrs[i].type == TSR_OP_RNG) attrs[i].value.rng = &r->rng;
  }
  if (r->same >= 0) in[r->same] = out[0];
  r->status = op_pack(&ctx, c, in[0], &object);
  op_set_object(c, &object, attrs);
  if (r->status == TSR_OK && r->device != NULL) {
    ctx.device = r->device;
    r->status = op_device_begin(r, whole);
    if (r->status == TSR_OK) r->status = op_send(c, r->device, &object);
  }
  if (r->status == TSR_OK) r->status = tsr_op_call(&ctx, c->op, c->inputs, in, c->attrs, attrs, c->outputs, out);
  (r->device != NULL ? op_unsend : op_unpack)(c, &object);
  if (r->status != TSR_OK) strncpy(r->error, tsr_error(&ctx), sizeof r->error - 1);
  if (r->device != NULL) r->status = op_device_end(r, whole, r->status);
  if (r->status != TSR_OK && r->error[0] == 0) strncpy(r->error, tsr_error(&ctx), sizeof r->error - 1);
  for (int i = 0; i < c->outputs; i++) {
    if (r->status == TSR_OK) r->result[i] = dense_of(&r->out[i]);
    r->left[i] = r->out[i];
    if ((r->out[i].flags & TSR_OWNS) != 0) tsr_release(&r->out[i]);
  }
}

void op_run_release(op_run *r) {
  for (int i = 0; i < r->buffers; i++) {
    free(r->buffer[i].bytes);
    free(r->buffer[i].before);
  }
  for (int i = 0; i < r->c->outputs; i++) free(r->result[i].data);
}

/* ---- what a call may write ---- */

typedef struct written {
  const op_buffer *buffer;
  unsigned char *marks;
} written;

static void line_mark(void *arg, unsigned char *first, tsr_index n, tsr_index step, size_t item) {
  const written *const w = arg;
  for (tsr_index i = 0; i < n; i++) memset(w->marks + (first + i * step - w->buffer->bytes), 1, item);
}

bool op_run_is_tidy(const op_run *r) {
  bool tidy = true;
  for (int k = 0; k < r->buffers; k++) {
    const op_buffer *const b = &r->buffer[k];
    if (memcmp(b->bytes, b->before, b->size) == 0) continue;
    written w = {b, calloc(1, b->size + 1)};
    for (int i = 0; i < r->c->outputs && r->status == TSR_OK && (r->c->flags & OP_VIEWS) == 0; i++)
      if (r->out_at[i] == k) each_line(&r->out[i], line_mark, &w);
    for (size_t i = 0; i < b->size; i++) tidy = tidy && (w.marks[i] != 0 || b->bytes[i] == b->before[i]);
    free(w.marks);
  }
  return tidy;
}

/* ---- comparing ---- */

static bool is_big_endian(void) {
  const uint16_t one = 1;
  return *(const unsigned char *)&one == 0;
}

/* A float dtype's: the bits of one element as a number that rises with it; NaN is INT64_MIN. */
static int64_t ordered(int dtype, const unsigned char *at) {
  const int bits = (int)tsr_dtype_size(dtype) * 8;
  static const int mantissa[TSR_DTYPE_COUNT] = {
      [TSR_F16] = 10, [TSR_BF16] = 7, [TSR_F32] = 23, [TSR_F64] = 52, [TSR_F8_E4M3] = 3, [TSR_F8_E5M2] = 2};
  uint64_t u = 0;
  for (int i = 0; i < bits / 8; i++) u |= (uint64_t)at[is_big_endian() ? bits / 8 - 1 - i : i] << (8 * i);
  const uint64_t sign = (uint64_t)1 << (bits - 1), size = u & (sign - 1);
  const uint64_t infinity = dtype == TSR_F8_E4M3 ? 0x7E : (sign - 1) >> mantissa[dtype] << mantissa[dtype];
  if (size > infinity) return INT64_MIN;
  return (u & sign) != 0 ? -(int64_t)size : (int64_t)size;
}

static double decoded(int dtype, const unsigned char *at) {
  double value = 0;
  tsr_tensor in = {.dtype = (uint8_t)dtype, .data = (void *)(uintptr_t)at}, out = {.dtype = TSR_F64, .data = &value};
  return tsr_copy(NULL, &in, &out) == TSR_OK ? value : 0;
}

/* The greatest finite absolute value. */
static double greatest(const tsr_tensor *dense) {
  const size_t item = tsr_dtype_size(dense->dtype);
  const tsr_index n = test_product(dense->ndim, dense->shape);
  double most = 0;
  for (tsr_index i = 0; i < n; i++) {
    const double v = fabs(decoded(dense->dtype, (unsigned char *)dense->data + (size_t)i * item));
    if (v > most && isfinite(v)) most = v;
  }
  return most;
}

static int part_of(int dtype) { return dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype; }

/* What rounding may make of a result, besides ULPs: absolute. */
static double room_of(const op_case *c, const tsr_tensor *result) {
  const double unit = part_of(result->dtype) == TSR_F64 ? 0x1p-53 : 0x1p-24;
  if (c->class_ == 'N') return 64 * unit * (1 + greatest(result)); /* what is normalised is around 1 */
  double product = 1;
  for (int i = 0; i < c->inputs; i++) {
    const int class = tsr_dtype_describe(c->in[i].dtype) != NULL ? tsr_dtype_describe(c->in[i].dtype)->class_ : 0;
    if (class == TSR_CLASS_FLOAT) product *= 1 + greatest(&c->in[i]);
    if (class == TSR_CLASS_COMPLEX) product *= 8;
  }
  if (c->object != OP_NO_OBJECT) product *= 1 + greatest(&c->weights);
  return 4 * (c->terms + 8) * unit * (c->terms + 8) * product;
}

static int64_t ulps_of(const op_case *c, int dtype) {
  if (c->class_ == 'N' || c->class_ == 'C') return 2;
  return tsr_dtype_size(dtype) <= 2 ? 1 : 20;
}

static bool same_number(const op_case *c, int dtype, const unsigned char *a, const unsigned char *b, double room) {
  const int64_t x = ordered(dtype, a), y = ordered(dtype, b);
  const bool any_zero = (c->flags & OP_ANY_ZERO) != 0;
  if (x == y && (x != 0 || any_zero || memcmp(a, b, tsr_dtype_size(dtype)) == 0)) return true;
  if (room < 0 || x == INT64_MIN || y == INT64_MIN) return false;
  const uint64_t apart = x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
  if (apart <= (uint64_t)ulps_of(c, dtype)) return true;
  return fabs(decoded(dtype, a) - decoded(dtype, b)) <= room;
}

static bool same_values(const op_case *c, const tsr_tensor *a, const tsr_tensor *b, bool close) {
  const int dtype = part_of(a->dtype);
  const size_t item = tsr_dtype_size(dtype), bytes = bytes_of(a);
  if (memcmp(a->data, b->data, bytes) == 0) return true;
  if (tsr_dtype_describe(dtype)->class_ != TSR_CLASS_FLOAT) return false;
  const double room = !close ? -1 : c->class_ == 'B' ? 0 : room_of(c, a);
  for (size_t i = 0; i < bytes; i += item)
    if (!same_number(c, dtype, (unsigned char *)a->data + i, (unsigned char *)b->data + i, room)) return false;
  return true;
}

static bool same_shape(const tsr_tensor *a, const tsr_tensor *b) {
  return a->dtype == b->dtype && a->ndim == b->ndim &&
         memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0;
}

const char *op_difference(const op_run *a, const op_run *b, bool other_isa, bool other_layout) {
  const op_case *const c = a->c;
  const bool close = (c->class_ != 'A' && other_isa) || (c->class_ == 'C' && other_layout);
  if (a->status != b->status) return "another status";
  if (a->rng.key != b->rng.key || a->rng.counter != b->rng.counter) return "the generator is elsewhere";
  for (int i = 0; i < c->outputs && a->status == TSR_OK; i++) {
    if (!same_shape(&a->result[i], &b->result[i])) return "another shape or dtype";
    if ((c->flags & OP_UNSET) == 0 && !same_values(c, &a->result[i], &b->result[i], close)) return "other values";
  }
  return NULL;
}

#endif
