/* One-hot vectors: off everywhere, then on at the place that each index names. */
#include "core/operand.h"
#include "core/view.h"
#include "cpu/iterate.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"

#include <string.h>
#include <tessera/ops.h>

static tsr_status check_arguments(tsr_ctx *ctx, const char *op, const tsr_tensor *index, tsr_index classes, int dtype) {
  tsr_status st = tsr__check_input(ctx, op, "index", index);
  if (st == TSR_OK) st = tsr__check_dtype(ctx, op, "dtype", dtype);
  if (st != TSR_OK) return st;
  const int kind = tsr_dtype_describe(index->dtype)->class_;
  if (kind != TSR_CLASS_INT && kind != TSR_CLASS_UINT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "index", "is %t; indices are integers", index);
  if (index->ndim == TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "%t: the result would have rank %d", index, index->ndim + 1);
  if (classes < 0) return TSR__FAIL(ctx, TSR_EARG, op, "classes", "is %l", (int64_t)classes);
  return TSR_OK;
}

/* The indices as int64_t in temporary memory, each of them known to be in range. */
static tsr_status read_index(tsr_ctx *ctx, const char *op, const tsr_tensor *index, tsr_index classes,
                             tsr__scratch *scratch, tsr_tensor *copy) {
  const tsr_index n = tsr_size(index);
  size_t bytes;
  if (!tsr__mul_size((size_t)n, sizeof(int64_t), &bytes))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "index", "%t does not fit the address space", index);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK) return st;
  *copy = *index;
  copy->flags = 0;
  copy->dtype = TSR_I64;
  copy->data = scratch->data;
  tsr__strides_for(copy->ndim, copy->shape, TSR_ROW_MAJOR, copy->stride);
  if (n > 0) tsr__copy_apart(ctx, index, copy);
  const int64_t *const at = scratch->data;
  for (tsr_index i = 0; i < n; i++) {
    if (at[i] >= 0 && at[i] < classes) continue;
    const int64_t bad = at[i];
    tsr__scratch_put(scratch);
    if (bad < 0 && index->dtype == TSR_U64) /* more than an int64_t says */
      return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "number %l is beyond %l classes", (int64_t)i, (int64_t)classes);
    return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "number %l is %l: out of range for %l classes", (int64_t)i, bad,
                     (int64_t)classes);
  }
  return TSR_OK;
}

typedef struct marking {
  size_t        item;
  ptrdiff_t     class_step; /* in bytes */
  unsigned char on[16];
} marking;

/* at[0] is the output at class 0, at[1] the index. */
static void mark_row(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const marking *const m = arg;
  for (tsr_index i = 0; i < n; i++) {
    int64_t index;
    memcpy(&index, at[1] + (ptrdiff_t)i * step[1], sizeof index);
    memcpy(at[0] + (ptrdiff_t)i * step[0] + (ptrdiff_t)index * m->class_step, m->on, m->item);
  }
}

static void mark(const tsr_tensor *out, const tsr_tensor *index, marking *m) {
  tsr_tensor first = *out;
  tsr__loop loop;
  m->class_step = (ptrdiff_t)out->stride[out->ndim - 1] * (ptrdiff_t)m->item;
  tsr__view_drop_axis(&first, out->ndim - 1);
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){&first, index});
  tsr__loop_run(&loop, mark_row, m);
}

tsr_status tsr_one_hot(tsr_ctx *ctx, const tsr_tensor *index, tsr_index classes, tsr_real on, tsr_real off, int dtype,
                       tsr_tensor *out) {
  TSR__OPERANDS(index, out);
  static const char op[] = "one_hot";
  marking m = {.item = 0};
  unsigned char nothing[16];
  tsr_index shape[TSR_MAX_DIMS];
  tsr__scratch scratch;
  tsr_tensor copy;
  tsr_status st = check_arguments(ctx, op, index, classes, dtype);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "on", dtype, on, m.on);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "off", dtype, off, nothing);
  if (st != TSR_OK) return st;
  for (int k = 0; k < index->ndim; k++) shape[k] = index->shape[k];
  shape[index->ndim] = classes;
  const tsr__result result = {dtype, TSR_PLAIN, index->ndim + 1, shape, NULL};
  st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK) st = read_index(ctx, op, index, classes, &scratch, &copy);
  if (st != TSR_OK) return st;
  st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK && tsr_size(out) > 0) { /* the indices are copied: the output may lie over them */
    m.item = tsr_dtype_size(dtype);
    tsr__fill_host(ctx, out, nothing);
    mark(out, &copy, &m);
  }
  tsr__scratch_put(&scratch);
  return st;
}
