#include "ops/move/indices.h"

#include "cpu/iterate.h"
#include "ops/copy/copy.h"

enum { GRAIN = 65536 }; /* indices that are worth a thread */

tsr_status tsr__indices_check_dtype(tsr_ctx *ctx, const char *op, const tsr_tensor *index) {
  const int kind = tsr_dtype_describe(index->dtype)->class_;
  if (kind != TSR_CLASS_INT && kind != TSR_CLASS_UINT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "index", "is %t; indices are integers", index);
  return TSR_OK;
}

tsr_status tsr__indices_refuse(tsr_ctx *ctx, const char *op, const tsr_tensor *index, const tsr_tensor *in, int axis,
                               tsr_index number, int64_t value) {
  if (value < 0 && index->dtype == TSR_U64) /* more than an int64_t says */
    return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "number %l is beyond axis %d of in %t", (int64_t)number, axis, in);
  return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "number %l is %l: out of range for axis %d of in %t", (int64_t)number,
                   value, axis, in);
}

/* ---- without a copy: i64, and none is negative ---- */

typedef struct range {
  uint64_t length;
  char bad; /* written by several threads, never but to 1 */
} range;

/* The sign of an index or of what is left to the last one tells: one bit for all of them, which every instruction set
 * can collect in vectors. */
static void check_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  range *const r = args->param;
  const uint64_t last = r->length - 1;
  uint64_t signs = r->length == 0 ? UINT64_MAX : 0;
  if (step[0] == (ptrdiff_t)sizeof(int64_t)) {
    const uint64_t *const index = (const uint64_t *)(const void *)at[0];
    for (tsr_index i = 0; i < n; i++) signs |= index[i] | (last - index[i]);
  } else {
    for (tsr_index i = 0; i < n; i++) {
      const uint64_t index = *(const uint64_t *)(const void *)(at[0] + (ptrdiff_t)i * step[0]);
      signs |= index | (last - index);
    }
  }
  if (signs >> 63 != 0) __atomic_store_n(&r->bad, 1, __ATOMIC_RELAXED);
}

static bool is_ready(const tsr_ctx *ctx, const tsr_tensor *index, tsr_index length, const tsr_tensor *out) {
  range r = {(uint64_t)length, 0};
  tsr__loop loop;
  if (index->dtype != TSR_I64) return false;
  if (out != NULL && out->data != NULL && tsr_size(out) > 0 && tsr__overlap(index, out)) return false;
  tsr__loop_init(&loop, 1, &index);
  tsr__loop_run_parallel(ctx, &loop, GRAIN, check_row, &r);
  return __atomic_load_n(&r.bad, __ATOMIC_RELAXED) == 0;
}

/* ---- with one ---- */

/* A row-major copy of index as int64_t in temporary memory. */
static tsr_status copy_indices(tsr_ctx *ctx, const char *op, const tsr_tensor *index, tsr__indices *indices) {
  const tsr_index n = tsr_size(index);
  size_t bytes;
  if (!tsr__mul_size((size_t)n, sizeof(int64_t), &bytes))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "index", "%t does not fit the address space", index);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, &indices->scratch);
  if (st != TSR_OK || n == 0) return st;
  indices->view.dtype = TSR_I64;
  indices->view.data = indices->scratch.data;
  tsr__strides_for(index->ndim, index->shape, TSR_ROW_MAJOR, indices->view.stride);
  tsr__copy_no_alias(ctx, index, &indices->view);
  return TSR_OK;
}

tsr_status tsr__indices_read(tsr_ctx *ctx, const char *op, const tsr_tensor *index, const tsr_tensor *in, int axis,
                             const tsr_tensor *out, tsr__indices *indices) {
  const tsr_index n = tsr_size(index), length = in->shape[axis];
  *indices = (tsr__indices){.view = *index};
  if (n == 0 || is_ready(ctx, index, length, out)) return TSR_OK;
  const tsr_status st = copy_indices(ctx, op, index, indices);
  if (st != TSR_OK) return st;
  int64_t *const values = indices->scratch.data;
  for (tsr_index i = 0; i < n; i++) {
    const int64_t value = values[i];
    if (value < 0 && index->dtype != TSR_U64) values[i] += length;
    if (values[i] < 0 || values[i] >= length) return tsr__indices_refuse(ctx, op, index, in, axis, i, value);
  }
  return TSR_OK;
}
