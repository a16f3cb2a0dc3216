/* Tensors handed out: a block with the structs of all axes, which lives until the last of them is released; a consumer may move
 * some of them elsewhere and keep them longer than others. */
#include "io/arrow/types.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "core/text.h"

#include <string.h>
#include <tessera/memory.h>
#include <tessera/ops.h>

static const char op[] = "to_arrow";

enum { FORMAT = 32, NAME = 64 };

typedef struct arrays {
  int count; /* of structs that are not released: atomic */
  const tsr_allocator *allocator;
  tsr_tensor held;
  uint8_t *bits; /* of booleans: allocated */
  size_t bit_bytes;
  const void *buffers[TSR_MAX_DIMS][2];
  struct ArrowArray inner[TSR_MAX_DIMS], *children[TSR_MAX_DIMS];
} arrays;

typedef struct schemas {
  int count;
  const tsr_allocator *allocator;
  char format[TSR_MAX_DIMS][FORMAT], name[NAME];
  struct ArrowSchema inner[TSR_MAX_DIMS], *children[TSR_MAX_DIMS];
} schemas;

/* ---- the end ---- */

static void drop_arrays(arrays *a) {
  if (__atomic_sub_fetch(&a->count, 1, __ATOMIC_ACQ_REL) > 0) return;
  if (a->bits != NULL) a->allocator->free(a->allocator->self, a->bits, a->bit_bytes);
  tsr_release(&a->held);
  a->allocator->free(a->allocator->self, a, sizeof *a);
}

static void release_array(struct ArrowArray *array) {
  arrays *a = array->private_data;
  for (int64_t i = 0; i < array->n_children; i++)
    if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
  array->release = NULL;
  drop_arrays(a);
}

static void drop_schemas(schemas *s) {
  if (__atomic_sub_fetch(&s->count, 1, __ATOMIC_ACQ_REL) == 0) s->allocator->free(s->allocator->self, s, sizeof *s);
}

static void release_schema(struct ArrowSchema *schema) {
  schemas *s = schema->private_data;
  for (int64_t i = 0; i < schema->n_children; i++)
    if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
  schema->release = NULL;
  drop_schemas(s);
}

/* ---- one axis after the other ---- */

/* Axis i of a tensor; the last one has the elements. */
static void describe_array(arrays *a, int i, int64_t length, bool last, const void *data, struct ArrowArray *out) {
  a->buffers[i][0] = NULL;
  a->buffers[i][1] = data;
  a->children[i] = &a->inner[i];
  *out = (struct ArrowArray){.length = length,
                             .n_buffers = last ? 2 : 1,
                             .n_children = last ? 0 : 1,
                             .buffers = a->buffers[i],
                             .children = last ? NULL : &a->children[i],
                             .release = release_array,
                             .private_data = a};
}

static void describe_schema(schemas *s, int i, const tsr_tensor *t, struct ArrowSchema *out) {
  const bool last = i == t->ndim - 1;
  tsr__text text;
  tsr__text_init(&text, s->format[i], FORMAT);
  if (last)
    tsr__text_string(&text, tsr__arrow_format(t->dtype));
  else
    tsr__text_format(&text, "+w:%l", (int64_t)t->shape[i + 1]);
  s->children[i] = &s->inner[i];
  *out = (struct ArrowSchema){.format = s->format[i],
                              .name = i == 0 ? s->name : "item",
                              .n_children = last ? 0 : 1,
                              .children = last ? NULL : &s->children[i],
                              .release = release_schema,
                              .private_data = s};
}

static void describe(arrays *a, schemas *s, const void *data, struct ArrowSchema *schema, struct ArrowArray *array) {
  const tsr_tensor *t = &a->held;
  int64_t length = 1;
  for (int i = 0; i < t->ndim; i++) {
    length *= t->shape[i]; /* of the whole tensor: it was counted */
    describe_array(a, i, length, i == t->ndim - 1, data, i == 0 ? array : &a->inner[i - 1]);
    describe_schema(s, i, t, i == 0 ? schema : &s->inner[i - 1]);
  }
  a->count = s->count = t->ndim;
}

/* ---- public ---- */

static tsr_status pack_bits(tsr_ctx *ctx, arrays *a) {
  const tsr_index n = tsr_size(&a->held);
  a->bit_bytes = (size_t)n / 8 + 8;
  a->bits = a->allocator->alloc(a->allocator->self, a->bit_bytes, 64, TSR_HINT_DEFAULT);
  if (a->bits == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", a->bit_bytes);
  memset(a->bits, 0, a->bit_bytes);
  for (tsr_index i = 0; i < n; i++)
    if (((const bool *)a->held.data)[i]) a->bits[i / 8] |= (uint8_t)(1u << i % 8);
  return TSR_OK;
}

/* A share where it lies in order, else a copy that does. */
static tsr_status hold(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *held) {
  if (t->storage != NULL && tsr_is_contiguous(t, TSR_ROW_MAJOR)) return tsr_share(ctx, t, held);
  tsr_status st = tsr_desc_init(ctx, t->dtype, t->ndim, t->shape, held);
  if (st == TSR_OK) st = tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, held);
  tsr_tensor plain = *t;
  plain.flags &= (uint8_t)~TSR_OWNS;
  plain.layout = TSR_PLAIN;
  return st == TSR_OK ? tsr_copy(ctx, &plain, held) : st;
}

static tsr_status check(tsr_ctx *ctx, const tsr_tensor *t, const char *name) {
  const tsr_status st = tsr__check_input(ctx, op, "t", t);
  if (st != TSR_OK) return st;
  if (t->ndim == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "t", "%t: an array has at least one axis", t);
  if (tsr__arrow_format(t->dtype) == NULL)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "t", "%t: Arrow has no %y", t, t->dtype);
  if (name != NULL && strlen(name) >= NAME)
    return TSR__FAIL(ctx, TSR_EARG, op, "name", "is longer than %d bytes", NAME - 1);
  return TSR_OK;
}

tsr_status tsr_to_arrow(tsr_ctx *ctx, const tsr_tensor *t, const char *name, struct ArrowSchema *schema,
                        struct ArrowArray *array) {
  if (schema == NULL || array == NULL)
    return TSR__FAIL(ctx, TSR_EARG, op, schema == NULL ? "schema" : "array", "is NULL");
  tsr_status st = check(ctx, t, name);
  if (st != TSR_OK) return st;
  const tsr_allocator *allocator = tsr__allocator(ctx);
  arrays *a = allocator->alloc(allocator->self, sizeof *a, _Alignof(arrays), TSR_HINT_DEFAULT);
  schemas *s = allocator->alloc(allocator->self, sizeof *s, _Alignof(schemas), TSR_HINT_DEFAULT);
  if (a != NULL) *a = (arrays){.count = 1, .allocator = allocator};
  if (s != NULL) *s = (schemas){.count = 1, .allocator = allocator};
  if (a == NULL || s == NULL)
    st = TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", sizeof *a + sizeof *s);
  if (st == TSR_OK) st = hold(ctx, t, &a->held);
  if (st == TSR_OK && t->dtype == TSR_BOOL) st = pack_bits(ctx, a);
  if (st == TSR_OK) {
    if (name != NULL) memcpy(s->name, name, strlen(name) + 1);
    describe(a, s, a->bits != NULL ? a->bits : a->held.data, schema, array);
    return TSR_OK;
  }
  if (a != NULL) drop_arrays(a);
  if (s != NULL) drop_schemas(s);
  return st;
}

#endif
