/* tsr_gather_nd, tsr_scatter_nd: lists of coordinates become offsets, and then they are indices of one axis whose steps
 * are elements. */
#include "core/operand.h"
#include "core/view.h"
#include "ops/copy/copy.h"
#include "ops/move/indices.h"
#include "ops/move/over.h"
#include "ops/move/take.h"
#include "ops/move/target.h"
#include "ops/scatter/scatter.h"

typedef struct lists {
  int       batch, q;      /* axes that belong together, numbers in a list */
  int       rank;          /* axes of lists: index's without its last */
  tsr_index count;         /* lists */
  int       ndim;          /* axes of the slices that lists name, and all of index's but the last before them */
  tsr_index shape[TSR_MAX_DIMS];
} lists;

/* ---- checks ---- */

static tsr_status refuse_batch(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index, int axis) {
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t and in is %t: axis %d is %l against %l", index, in, axis,
                   (int64_t)index->shape[axis], (int64_t)in->shape[axis]);
}

/* What the lists say, and the shape of what they name. */
static tsr_status read_lists(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index, int batch,
                             lists *l) {
  if (index->ndim == 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t; its last axis is that of a list", index);
  if (batch < 0 || (batch > 0 && (batch >= in->ndim || batch >= index->ndim)))
    return TSR__FAIL(ctx, TSR_EAXIS, op, "batch_dims", "is %d, in is %t and index is %t", batch, in, index);
  for (int k = 0; k < batch; k++)
    if (in->shape[k] != index->shape[k]) return refuse_batch(ctx, op, in, index, k);
  const tsr_index q = index->shape[index->ndim - 1];
  if (q > in->ndim - batch)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t: lists of %l for the %d axes of in %t", index, (int64_t)q,
                     in->ndim - batch, in);
  *l = (lists){.batch = batch, .q = (int)q, .rank = index->ndim - 1};
  const int more = in->ndim - batch - l->q;
  if (l->rank + more > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t and in is %t: the result would have rank %d", index, in,
                     l->rank + more);
  for (int k = 0; k < l->rank; k++) l->shape[k] = index->shape[k];
  for (int k = 0; k < more; k++) l->shape[l->rank + k] = in->shape[batch + l->q + k];
  l->ndim = l->rank + more;
  return tsr__check_shape(ctx, op, "index", l->rank, l->shape, &l->count);
}

/* ---- offsets ---- */

/* Element 0 of the slice that belongs to list number number, by its batch. */
static tsr_index batch_offset(const lists *l, const tsr_tensor *where, tsr_index number) {
  tsr_index offset = 0;
  for (int k = l->rank - 1; k >= 0; k--) {
    if (k < l->batch) offset += number % l->shape[k] * where->stride[k];
    number /= l->shape[k];
  }
  return offset;
}

/* Whether every number is in range of its axis; those that are negative are counted from the end. */
static tsr_status check_lists(tsr_ctx *ctx, const char *op, const lists *l, const tsr_tensor *in,
                              const tsr_tensor *index, int64_t *numbers) {
  for (tsr_index i = 0; i < l->count; i++)
    for (int k = 0; k < l->q; k++) {
      int64_t *const  number = &numbers[i * l->q + k];
      const tsr_index length = in->shape[l->batch + k];
      const int64_t   value = *number;
      if (value < 0 && index->dtype != TSR_U64) *number += length;
      if (*number < 0 || *number >= length)
        return tsr__indices_refuse(ctx, op, index, in, l->batch + k, i * l->q + k, value);
    }
  return TSR_OK;
}

/* Lists to offsets in where's elements, in place; there is room for one where lists are empty. */
static void make_offsets(const lists *l, const tsr_tensor *where, int64_t *numbers) {
  for (tsr_index i = 0; i < l->count; i++) {
    int64_t offset = batch_offset(l, where, i);
    for (int k = 0; k < l->q; k++) offset += numbers[i * l->q + k] * where->stride[l->batch + k];
    numbers[i] = offset;
  }
}

/* The numbers of all lists in temporary memory, checked. */
static tsr_status fetch_lists(tsr_ctx *ctx, const char *op, const lists *l, const tsr_tensor *in,
                              const tsr_tensor *index, tsr__indices *indices) {
  *indices = (tsr__indices){.view = *index};
  tsr_status st;
  if (l->q == 0) { /* an offset for each, from no number */
    size_t bytes;
    if (!tsr__mul_size((size_t)l->count, sizeof(int64_t), &bytes))
      return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "index", "%t does not fit the address space", index);
    st = tsr__scratch_get(ctx, op, bytes, &indices->scratch);
  } else {
    st = tsr__indices_copy(ctx, op, index, indices);
    if (st == TSR_OK) st = check_lists(ctx, op, l, in, index, indices->scratch.data);
  }
  return st;
}

/* ---- gather ---- */

/* in over the output's shape, which moves along the axes that lists do not name; and the offsets, which move along the
 * others. */
static void run_gather(const tsr_ctx *ctx, const lists *l, const tsr_tensor *in, int64_t *numbers,
                       const tsr_tensor *out) {
  tsr_tensor from = *out, at = *out;
  tsr_index  stride = 1;
  make_offsets(l, in, numbers);
  from.data = in->data;
  at.data = numbers;
  at.dtype = TSR_I64;
  for (int k = l->ndim - 1; k >= 0; k--) {
    const bool listed = k < l->rank;
    from.stride[k] = listed ? 0 : in->stride[l->batch + l->q + k - l->rank];
    at.stride[k] = listed ? stride : 0;
    if (listed) stride *= l->shape[k];
  }
  tsr__take_loop(ctx, 1, &from, &at, out);
}

tsr_status tsr_gather_nd(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int batch_dims, tsr_tensor *out) {
  TSR__OPERANDS(in, index, out);
  static const char op[] = "gather_nd";
  tsr__indices      indices;
  tsr__target       target;
  lists             l;
  tsr_status        st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__indices_check(ctx, op, index);
  if (st == TSR_OK) st = read_lists(ctx, op, in, index, batch_dims, &l);
  if (st != TSR_OK) return st;
  const tsr__result result = {in->dtype, TSR_PLAIN, l.ndim, l.shape, NULL};
  st = tsr__output_check(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  st = fetch_lists(ctx, op, &l, in, index, &indices);
  if (st == TSR_OK) st = tsr__target_begin(ctx, op, &result, 1, &in, out, &target);
  if (st == TSR_OK) {
    if (target.bytes > 0) run_gather(ctx, &l, in, indices.scratch.data, &target.view);
    tsr__target_end(ctx, out, &target);
  }
  tsr__scratch_put(&indices.scratch);
  return st;
}

/* ---- scatter ---- */

/* Whether the lists of src follow one another at one stride. */
static bool is_even(const lists *l, const tsr_tensor *src, tsr_index stride) {
  for (int k = l->rank - 1; k >= 0; k--) {
    if (l->shape[k] != 1 && src->stride[k] != stride) return false;
    if (!tsr__mul_index(stride, l->shape[k], &stride)) return false;
  }
  return true;
}

/* The axes of lists as one: a copy where they are none. */
static tsr_status flatten_src(tsr_ctx *ctx, const char *op, const lists *l, const tsr_tensor *src,
                              tsr__scratch *scratch, tsr_tensor *flat) {
  tsr_tensor copy;
  *flat = *src;
  if (l->rank == 0) return TSR_OK;
  if (!is_even(l, src, src->stride[l->rank - 1])) {
    const tsr_status st = tsr__copy_to_scratch(ctx, op, src, scratch, &copy);
    if (st != TSR_OK) return st;
    *flat = copy;
  }
  const tsr_index stride = flat->stride[l->rank - 1];
  for (int k = 0; k < l->rank; k++) tsr__view_drop_axis(flat, 0);
  tsr__view_add_axis(flat, 0, l->count, stride);
  return TSR_OK;
}

static void run_scatter(const tsr_ctx *ctx, const lists *l, const tsr_tensor *flat, int64_t *numbers,
                        tsr_scatter_mode mode, const tsr_tensor *out) {
  tsr__scatter s = {.out = *out, .src = *flat, .count = l->count, .at_stride = 1, .axis_stride = 1};
  make_offsets(l, out, numbers);
  s.combine = tsr__combine_of(mode, out->dtype);
  if (l->rank > 0) {
    s.src_stride = flat->stride[0];
    tsr__view_drop_axis(&s.src, 0);
  }
  for (int k = 0; k < l->q; k++) tsr__view_drop_axis(&s.out, 0);
  s.at = s.out;
  s.at.dtype = TSR_I64;
  s.at.data = numbers;
  for (int k = 0; k < s.at.ndim; k++) s.at.stride[k] = 0;
  tsr__scatter_run(ctx, &s);
}

static tsr_status scatter_lists(tsr_ctx *ctx, const char *op, const lists *l, const tsr_tensor *in,
                                const tsr_tensor *src, tsr_scatter_mode mode, int64_t *numbers, tsr_tensor *out) {
  tsr__scatter_target target = {0};
  tsr__scratch        scratch = {0};
  tsr_tensor          flat = *src;
  tsr_status          st = tsr_size(src) > 0 ? flatten_src(ctx, op, l, src, &scratch, &flat) : TSR_OK;
  if (st == TSR_OK) st = tsr__scatter_begin(ctx, op, in, &flat, mode, out, &target);
  if (st == TSR_OK && tsr_size(&flat) > 0) run_scatter(ctx, l, &target.src, numbers, mode, &target.view);
  tsr__scatter_end(ctx, st == TSR_OK, out, &target);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr_scatter_nd(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src,
                          tsr_scatter_mode mode, tsr_tensor *out) {
  TSR__OPERANDS(in, index, src, out);
  static const char op[] = "scatter_nd";
  tsr__indices      indices;
  lists             l;
  tsr_tensor        spread;
  tsr_status        st = tsr__scatter_check(ctx, op, in, src, mode);
  if (st == TSR_OK) st = tsr__indices_check(ctx, op, index);
  if (st == TSR_OK) st = read_lists(ctx, op, in, index, 0, &l);
  if (st == TSR_OK) st = tsr__over(ctx, op, "src", src, l.ndim, l.shape, &spread);
  if (st != TSR_OK) return st;
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  st = tsr__output_check(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  st = fetch_lists(ctx, op, &l, in, index, &indices);
  if (st == TSR_OK) st = scatter_lists(ctx, op, &l, in, &spread, mode, indices.scratch.data, out);
  tsr__scratch_put(&indices.scratch);
  return st;
}
