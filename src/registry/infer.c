/* Calls by name without memory: the tensors are on the device of dry runs. */
#include "core/device.h"
#include "core/storage.h"
#include "core/tensor.h"
#include "registry/call.h"

#if TSR_HAVE_OPS

/* A tensor of the dry run, and the storage that says so. */
typedef struct dry_tensor {
  tsr_tensor tensor;
  tsr_storage storage;
} dry_tensor;

/* t with an address that nobody reads, and room around it for whatever its strides reach. */
static void make_dry(const tsr_tensor *t, dry_tensor *made) {
  const size_t reach = PTRDIFF_MAX >> 16;
  made->tensor = *t;
  made->tensor.flags &= (uint8_t)~TSR_OWNS;
  if (t->dtype == TSR_NONE || t->ndim > TSR_MAX_DIMS) return; /* the call refuses it */
  if (t->data == NULL) tsr__default_strides(&made->tensor);
  void *data = NULL;
  (void)tsr__dry.alloc(tsr__dry.self, 2 * reach, TSR_DATA_ALIGN, 0, &data);
  made->storage = (tsr_storage){
      .count = 1, .kind = TSR__STORAGE_WRAPPED, .device = &tsr__dry, .data = data, .bytes = SIZE_MAX >> 1};
  made->tensor.data = (char *)data + tsr__align_up(reach, TSR_DATA_ALIGN);
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
  tsr_tensor **out, *result;
  dry_tensor *tensors;
} arrays;

static tsr_status make_arrays(tsr_ctx *ctx, const char *op, int inputs, int outputs, tsr__scratch *scratch, arrays *a) {
  const size_t n = (size_t)(inputs > 0 ? inputs : 0), m = (size_t)(outputs > 0 ? outputs : 0);
  size_t bytes = 0;
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
static void bind_output(const tsr_tensor *out, tsr_tensor *result, dry_tensor *room) {
  *result = *out;
  result->flags &= (uint8_t)~TSR_OWNS;
  if (out->data == NULL) return;
  make_dry(out, room);
  *result = room->tensor;
}

static void bind(int inputs, const tsr_tensor *const *in, int outputs, tsr_tensor *const *out, const arrays *a) {
  for (int i = 0; i < inputs; i++) {
    if (in[i] != NULL) make_dry(in[i], &a->tensors[i]);
    a->in[i] = in[i] != NULL ? &a->tensors[i].tensor : NULL;
  }
  for (int i = 0; i < outputs; i++) {
    if (out[i] != NULL) bind_output(out[i], &a->result[i], &a->tensors[inputs + i]);
    a->out[i] = out[i] != NULL ? &a->result[i] : NULL;
  }
}

tsr_status tsr_op_infer(tsr_ctx *ctx, const tsr_op *op, int inputs, const tsr_tensor *const *in, int attributes,
                        const tsr_attr *attrs, int outputs, tsr_tensor *const *out, size_t *scratch_bytes) {
  static const char name[] = "op_infer";
  if (op == NULL) return TSR__FAIL(ctx, TSR_EARG, name, "op", "is NULL");
  if (inputs > 0 && in == NULL) return TSR__FAIL(ctx, TSR_EARG, name, "in", "is NULL");
  if (outputs > 0 && out == NULL) return TSR__FAIL(ctx, TSR_EARG, name, "out", "is NULL");
  tsr__scratch scratch;
  arrays a = {0};
  tsr_status st = make_arrays(ctx, name, inputs, outputs, &scratch, &a);
  if (st != TSR_OK) return st;
  bind(inputs, in, outputs, out, &a);
  tsr_ctx mine = tsr__dry_context(ctx);
  st = tsr_op_call(&mine, op, inputs, a.in, attributes, attrs, outputs, a.out);
  if (st != TSR_OK) tsr__ctx(ctx)->error = mine.error;
  for (int i = 0; i < outputs && st == TSR_OK; i++) {
    if (out[i] == NULL) continue;
    strip(&a.result[i]);
    *out[i] = a.result[i];
  }
  tsr__scratch_put(&scratch);
  if (st == TSR_OK && scratch_bytes != NULL) *scratch_bytes = mine.scratch_needed;
  return st;
}

#endif
