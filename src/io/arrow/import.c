/* Arrays taken over: all that can be checked of them is, before they are. */
#include "io/arrow/types.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "core/tensor.h"

#include <math.h>
#include <string.h>
#include <tessera/memory.h>
#include <tessera/elements.h>
#include <tessera/ops.h>
#include <tessera/view.h>

static const char op[] = "from_arrow";

#define REFUSE(arg, code, ...) TSR__FAIL(ctx, code, op, arg, __VA_ARGS__)

/* What is read of an array: the shape of the whole, and where its elements are. */
typedef struct found {
  int dtype, ndim;
  tsr_index shape[TSR_MAX_DIMS];
  const struct ArrowArray *elements; /* the innermost array */
  int64_t first, count;              /* of its elements */
} found;

/* ---- what it says ---- */

/* "+w:3": 3; -1: it is none. */
static int64_t list_length(const char *format) {
  int64_t n = 0;
  if (strncmp(format, "+w:", 3) != 0 || format[3] == '\0') return -1;
  for (const char *c = format + 3; *c != '\0'; c++) {
    if (*c < '0' || *c > '9' || n > (INT64_MAX - 9) / 10) return -1;
    n = 10 * n + (*c - '0');
  }
  return n;
}

static bool bit_at(const uint8_t *bits, int64_t i) { return (bits[i / 8] >> (i % 8) & 1) != 0; }

/* How many of count elements from first on are null. */
static int64_t count_nulls(const struct ArrowArray *a, int64_t first, int64_t count) {
  const uint8_t *bits = a->null_count != 0 && a->buffers != NULL ? a->buffers[0] : NULL;
  int64_t nulls = 0;
  for (int64_t i = 0; bits != NULL && i < count; i++) nulls += !bit_at(bits, first + i);
  return nulls;
}

static tsr_status check_lengths(tsr_ctx *ctx, const struct ArrowArray *a, int64_t buffers) {
  if (a->length < 0 || a->offset < 0 || a->length > INT64_MAX - a->offset || a->null_count < -1)
    return REFUSE("array", TSR_EFORMAT, "length %l, offset %l, %l nulls", a->length, a->offset, a->null_count);
  if (a->n_buffers != buffers || a->buffers == NULL)
    return REFUSE("array", TSR_EFORMAT, "%l buffers; it has %l", a->n_buffers, buffers);
  return TSR_OK;
}

static tsr_status add_axis(tsr_ctx *ctx, found *f, int64_t n) {
  if (f->ndim == TSR_MAX_DIMS) return REFUSE("schema", TSR_ESHAPE, "more than %d axes", TSR_MAX_DIMS);
  f->shape[f->ndim] = (tsr_index)n;
  return f->shape[f->ndim++] == n ? TSR_OK : REFUSE("array", TSR_EOVERFLOW, "%l elements are too many", n);
}

/* Down from list to list; first and count are those of the elements that the lists before point to. */
static tsr_status descend(tsr_ctx *ctx, const struct ArrowSchema **schema, const struct ArrowArray **array, found *f) {
  const struct ArrowSchema *s = *schema;
  const struct ArrowArray *a = *array;
  const int64_t n = list_length(s->format);
  tsr_status st = check_lengths(ctx, a, 1);
  if (st != TSR_OK) return st;
  if (s->n_children != 1 || a->n_children != 1 || s->children == NULL || a->children == NULL ||
      s->children[0] == NULL || a->children[0] == NULL || s->children[0]->format == NULL)
    return REFUSE("schema", TSR_EFORMAT, "a list without its elements");
  if (count_nulls(a, f->first, f->count) > 0) return REFUSE("array", TSR_EUNSUPPORTED, "some lists are null");
  if (__builtin_mul_overflow(f->first, n, &f->first) || __builtin_mul_overflow(f->count, n, &f->count) ||
      __builtin_add_overflow(f->first, a->children[0]->offset, &f->first))
    return REFUSE("array", TSR_EOVERFLOW, "more elements than can be counted");
  *schema = s->children[0];
  *array = a->children[0];
  if ((*array)->length < 0 || (*array)->offset < 0 || f->count > (*array)->length ||
      f->first - (*array)->offset > (*array)->length - f->count)
    return REFUSE("array", TSR_EFORMAT, "lists of %l elements over %l", n, (*array)->length);
  return add_axis(ctx, f, n);
}

static tsr_status read(tsr_ctx *ctx, const struct ArrowSchema *schema, const struct ArrowArray *array, found *f) {
  tsr_status st = TSR_OK;
  if (array->length < 0 || array->offset < 0)
    return REFUSE("array", TSR_EFORMAT, "length %l, offset %l", array->length, array->offset);
  *f = (found){.first = array->offset, .count = array->length};
  st = add_axis(ctx, f, array->length);
  while (st == TSR_OK && list_length(schema->format) >= 0) st = descend(ctx, &schema, &array, f);
  if (st != TSR_OK) return st;
  f->dtype = schema->dictionary == NULL ? tsr__arrow_dtype(schema->format) : TSR_NONE;
  f->elements = array;
  if (f->dtype == TSR_NONE)
    return REFUSE("schema", TSR_EDTYPE, "format '%s'%s is no dtype", schema->format,
                  schema->dictionary != NULL ? " of a dictionary" : "");
  st = check_lengths(ctx, array, 2);
  if (st == TSR_OK) st = tsr__check_desc(ctx, op, f->dtype, f->ndim, f->shape);
  if (st == TSR_OK && f->count > 0 && array->buffers[1] == NULL)
    st = REFUSE("array", TSR_EFORMAT, "%l elements without a buffer", f->count);
  return st;
}

/* ---- without a copy ---- */

/* The array's struct, moved, until its elements are no longer needed. */
typedef struct taken {
  struct ArrowArray array;
  const tsr_allocator *allocator;
} taken;

static void end(void *user, void *data, size_t bytes) {
  taken *t = user;
  (void)data, (void)bytes;
  if (t->array.release != NULL) t->array.release(&t->array);
  t->allocator->free(t->allocator->self, t, sizeof *t);
}

static tsr_status view(tsr_ctx *ctx, const found *f, struct ArrowArray *array, tsr_tensor *out) {
  const size_t item = tsr_dtype_size(f->dtype);
  const tsr_allocator *allocator = tsr__allocator(ctx);
  taken *t = allocator->alloc(allocator->self, sizeof *t, _Alignof(taken), TSR_HINT_DEFAULT);
  tsr_storage *storage = NULL;
  tsr_index stride[TSR_MAX_DIMS];
  tsr_tensor made = {0};
  if (t == NULL) return REFUSE(NULL, TSR_ENOMEM, "no memory for %z bytes", sizeof *t);
  *t = (taken){.allocator = allocator}; /* the array stays where it is until nothing can fail */
  char *data = (char *)(uintptr_t)f->elements->buffers[1] + (size_t)f->first * item;
  tsr_status st = tsr_storage_wrap(ctx, NULL, data, (size_t)f->count * item, end, t, &storage);
  if (st != TSR_OK) {
    end(t, NULL, 0);
    return tsr__fail_as(ctx, st, op);
  }
  tsr__strides_for(f->ndim, f->shape, TSR_ROW_MAJOR, stride);
  st = tsr_from_storage(ctx, storage, 0, f->dtype, f->ndim, f->shape, stride, &made);
  tsr_storage_release(storage);
  if (st != TSR_OK) return tsr__fail_as(ctx, st, op);
  t->array = *array;
  array->release = NULL;
  *out = made;
  out->flags |= TSR_READONLY;
  return TSR_OK;
}

/* ---- with one ---- */

static void copy_bits(const found *f, bool *to) {
  const uint8_t *bits = f->elements->buffers[1];
  for (int64_t i = 0; i < f->count; i++) to[i] = bit_at(bits, f->first + i);
}

/* Elements that are null become NaN. */
static tsr_status copy_floats(tsr_ctx *ctx, const found *f, bool nulls, tsr_tensor *made) {
  const size_t item = tsr_dtype_size(f->dtype);
  const uint8_t *bits = f->elements->buffers[0];
  tsr_tensor flat = {0};
  memcpy(made->data, (const char *)f->elements->buffers[1] + (size_t)f->first * item, (size_t)f->count * item);
  tsr_status st = nulls ? tsr_flatten_view(ctx, made, &flat) : TSR_OK;
  for (int64_t i = 0; nulls && i < f->count && st == TSR_OK; i++) {
    const tsr_index at = (tsr_index)i;
    if (!bit_at(bits, f->first + i)) st = tsr_set(ctx, &flat, 1, &at, (tsr_real)NAN);
  }
  return st;
}

static tsr_status copy(tsr_ctx *ctx, const found *f, bool nulls, struct ArrowArray *array, tsr_tensor *out) {
  tsr_tensor made = {0};
  tsr_status st = tsr_desc_init(ctx, f->dtype, f->ndim, f->shape, &made);
  if (st == TSR_OK) st = tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &made);
  if (st == TSR_OK && f->count > 0 && f->dtype == TSR_BOOL) copy_bits(f, made.data);
  if (st == TSR_OK && f->count > 0 && f->dtype != TSR_BOOL) st = copy_floats(ctx, f, nulls, &made);
  if (st != TSR_OK) {
    tsr_release(&made);
    return tsr__fail_as(ctx, st, op);
  }
  array->release(array);
  array->release = NULL;
  *out = made;
  return TSR_OK;
}

tsr_status tsr_from_arrow(tsr_ctx *ctx, const struct ArrowSchema *schema, struct ArrowArray *array, tsr_tensor *out) {
  found f;
  if (schema == NULL || schema->release == NULL || schema->format == NULL)
    return REFUSE("schema", TSR_EARG, "is NULL or was released");
  if (array == NULL || array->release == NULL) return REFUSE("array", TSR_EARG, "is NULL or was released");
  if (out == NULL) return REFUSE("out", TSR_EARG, "is NULL");
  if ((out->flags & TSR_OWNS) != 0) return REFUSE("out", TSR_ESTATE, "holds a count: release it first");
  const tsr_status st = read(ctx, schema, array, &f);
  if (st != TSR_OK) return st;
  const int64_t nulls = count_nulls(f.elements, f.first, f.count);
  const tsr_dtype_info *info = tsr_dtype_describe(f.dtype);
  if (nulls > 0 && info->class_ != TSR_CLASS_FLOAT)
    return REFUSE("array", TSR_EUNSUPPORTED, "%l of %l elements are null, and %y has no NaN", nulls, f.count, f.dtype);
  const bool aligned = (uintptr_t)f.elements->buffers[1] % info->align == 0;
  if (f.dtype == TSR_BOOL || nulls > 0 || !aligned || f.count == 0) return copy(ctx, &f, nulls > 0, array, out);
  return view(ctx, &f, array, out);
}

#endif
