/* Calls by name without memory: the tensors are on the device of dry runs. */
#include "core/device.h"
#include "core/storage.h"
#include "core/tensor.h"
#include "registry/call.h"

#if TSR_HAVE_OPS

/* A tensor of the dry run, and the storage that says so. */
typedef struct dry_tensor {
  tsr_tensor  tensor;
  tsr_storage storage;
} dry_tensor;

/* Bytes of addresses before and after the first element of a tensor: strides may be negative. */
static const size_t reach = (size_t)(PTRDIFF_MAX >> 17) & ~(size_t)(TSR_DATA_ALIGN - 1);

/* t with an address that nobody reads. */
static void make_dry(const tsr__dry *dry, const tsr_tensor *t, dry_tensor *made) {
  made->tensor = *t;
  made->tensor.flags &= (uint8_t)~TSR_OWNS;
  if (t->dtype == TSR_NONE || t->ndim > TSR_MAX_DIMS) return; /* the call refuses it */
  if (t->data == NULL) tsr__default_strides(&made->tensor);
  void *data = NULL;
  (void)dry->device.alloc(dry->device.self, 2 * reach, TSR_DATA_ALIGN, 0, &data);
  made->storage = (tsr_storage){.count = 1, .kind = TSR__STORAGE_WRAPPED, .device = &dry->device, .data = data,
                                .bytes = SIZE_MAX >> 1};
  made->tensor.data = (char *)data + reach;
  made->tensor.storage = &made->storage;
}

/* A description of what the dry run gave, without its memory. */
static void strip(tsr_tensor *t) {
  if ((t->flags & TSR_OWNS) != 0) tsr_storage_release(t->storage);
  t->flags &= (uint8_t) ~(TSR_OWNS | TSR_READONLY);
  t->data = NULL;
  t->storage = NULL;
}

/* Arrays of a call, in one block. */
typedef struct arrays {
  const tsr_tensor **in;
  tsr_tensor       **out, *result;
  dry_tensor        *tensors;
} arrays;

static tsr_status make_arrays(tsr_ctx *ctx, const char *op, int inputs, int outputs, tsr__scratch *scratch, arrays *a) {
  const size_t n = (size_t)(inputs > 0 ? inputs : 0), m = (size_t)(outputs > 0 ? outputs : 0);
  size_t       bytes = 0;
  if (!tsr__mul_size(n + m, sizeof(dry_tensor) + sizeof(tsr_tensor) + sizeof(void *), &bytes))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%d inputs are too many", inputs);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK) return st;
  a->tensors = scratch->data;
  a->result = (tsr_tensor *)(void *)(a->tensors + n + m);
  a->in = (const tsr_tensor **)(void *)(a->result + n + m);
  a->out = (tsr_tensor **)(void *)(a->in + n);
  return TSR_OK;
}

/* A given output stays given. */
static void bind_output(const tsr__dry *dry, const tsr_tensor *out, tsr_tensor *result, dry_tensor *room) {
  *result = *out;
  result->flags &= (uint8_t)~TSR_OWNS;
  if (out->data == NULL) return;
  make_dry(dry, out, room);
  *result = room->tensor;
}

static void bind(const tsr__dry *dry, int inputs, const tsr_tensor *const *in, int outputs, tsr_tensor *const *out,
                 const arrays *a) {
  for (int i = 0; i < inputs; i++) {
    if (in[i] != NULL) make_dry(dry, in[i], &a->tensors[i]);
    a->in[i] = in[i] != NULL ? &a->tensors[i].tensor : NULL;
  }
  for (int i = 0; i < outputs; i++) {
    if (out[i] != NULL) bind_output(dry, out[i], &a->result[i], &a->tensors[inputs + i]);
    a->out[i] = out[i] != NULL ? &a->result[i] : NULL;
  }
}

/* The same context with the device of the dry run. */
static tsr_ctx context_of(const tsr_ctx *ctx, const tsr__dry *dry) {
  tsr_ctx mine = {0};
  if (ctx != NULL) {
    mine = *ctx;
    mine.scratch = NULL;
    mine.scratch_bytes = mine.scratch_used = 0;
    mine.trace = NULL;
  }
  mine.device = &dry->device;
  mine.modes = 1;
  return mine;
}

tsr_status tsr_op_infer(tsr_ctx *ctx, const tsr_op *op, int inputs, const tsr_tensor *const *in, int attributes,
                        const tsr_attr *attrs, int outputs, tsr_tensor *const *out, size_t *scratch_bytes) {
  static const char name[] = "op_infer";
  if (op == NULL) return TSR__FAIL(ctx, TSR_EARG, name, "op", "is NULL");
  if (inputs > 0 && in == NULL) return TSR__FAIL(ctx, TSR_EARG, name, "in", "is NULL");
  if (outputs > 0 && out == NULL) return TSR__FAIL(ctx, TSR_EARG, name, "out", "is NULL");
  tsr__dry     dry;
  tsr__scratch scratch;
  arrays       a = {0};
  tsr_status   st = make_arrays(ctx, name, inputs, outputs, &scratch, &a);
  if (st != TSR_OK) return st;
  tsr__dry_init(&dry);
  bind(&dry, inputs, in, outputs, out, &a);
  tsr_ctx mine = context_of(ctx, &dry);
  st = tsr_op_call(&mine, op, inputs, a.in, attributes, attrs, outputs, a.out);
  if (st != TSR_OK) tsr__ctx(ctx)->error = mine.error;
  for (int i = 0; i < outputs && st == TSR_OK; i++) {
    if (out[i] == NULL) continue;
    strip(&a.result[i]);
    *out[i] = a.result[i];
  }
  tsr__scratch_put(&scratch);
  if (st == TSR_OK && scratch_bytes != NULL) *scratch_bytes = dry.scratch_bytes;
  return st;
}

#endif
