/* tsr_mean_where, tsr_var_where, tsr_std_where: sums over counts, all of it in temporary memory until the end. */
#include "core/operand.h"
#include "ops/copy/copy.h"
#include "ops/reduce/where.h"

#include <math.h>

#define X(isa) tsr__total_##isa,
static tsr__reduce_tables totals = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__sum_square_##isa,
static tsr__reduce_tables squares = {TSR_ISA_LIST(X)};
#undef X

typedef struct moments {
  tsr__where   where;
  tsr__reduce  r;
  tsr_tensor   copy;           /* of x */
  tsr_tensor   counts, values; /* of the results: real, without gaps, with the reduced axes as axes of length 1 */
  tsr__scratch copy_scratch, scratch;
} moments;

static tsr_status begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection, int naxes,
                        const int *axes, bool keepdims, moments *m) {
  *m = (moments){0};
  const tsr_status st = tsr__reduce_begin_real(ctx, op, x, naxes, axes, keepdims, &m->r);
  return st == TSR_OK ? tsr__where_check(ctx, op, x, selection, &m->where) : st;
}

static tsr_status get_room(tsr_ctx *ctx, moments *m, int compute) {
  const size_t real = sizeof(tsr__reduce_real);
  tsr_tensor  *const t = &m->counts;
  *t = (tsr_tensor){.dtype = TSR__REDUCE_REAL, .ndim = m->r.x.ndim};
  for (int i = 0; i < t->ndim; i++) t->shape[i] = (m->r.axes >> i & 1) != 0 ? 1 : m->r.x.shape[i];
  tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
  m->values = *t;
  size_t     bytes;
  tsr_status st = TSR_OK;
  if (!tsr__mul_size((size_t)tsr_size(t), 2 * real, &bytes) || bytes > PTRDIFF_MAX)
    st = TSR__FAIL(ctx, TSR_EOVERFLOW, m->r.op, "x", "%t: the results do not fit the address space", &m->r.x);
  if (st == TSR_OK) st = tsr__where_room(ctx, &m->where, compute, &m->copy_scratch, &m->copy);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, m->r.op, bytes, &m->scratch);
  if (st != TSR_OK) return st;
  m->counts.data = m->scratch.data;
  m->values.data = (char *)m->scratch.data + bytes / 2;
  return TSR_OK;
}

/* One reduction of the copy, into values. */
static tsr_status reduce_copy(tsr_ctx *ctx, const moments *m, const tsr__reduce_kernel *kernel) {
  tsr__reduce r = m->r;
  tsr_tensor  out = m->values;
  r.x = m->copy;
  r.keepdims = true;
  r.compute = m->copy.dtype;
  r.out_dtype = TSR__REDUCE_REAL;
  r.pass[0] = (tsr__reduce_pass){kernel, NULL};
  return tsr__reduce_run(ctx, &r, &out);
}

static tsr_status find_means(tsr_ctx *ctx, moments *m) {
  static const unsigned char zero[8] = {0};
  tsr__reduce kept = m->r;
  kept.keepdims = true;
  tsr_status st = tsr__where_count(ctx, &m->where, &kept, m->copy, &m->counts);
  if (st != TSR_OK) return st;
  tsr__where_fill(ctx, &m->where, TSR__TAKE_ELEMENT, NULL, zero, &m->copy);
  st = reduce_copy(ctx, m, totals[tsr__isa_of(ctx)][m->copy.dtype]);
  if (st != TSR_OK) return st;
  const tsr__reduce_real *const counts = m->counts.data;
  tsr__reduce_real *const       values = m->values.data;
  for (tsr_index i = 0; i < tsr_size(&m->values); i++) values[i] /= counts[i];
  return TSR_OK;
}

static tsr_status find_variances(tsr_ctx *ctx, moments *m, int ddof, bool root) {
  static const unsigned char zero[8] = {0};
  tsr_tensor mean = m->values;
  for (int i = 0; i < mean.ndim; i++) {
    if (mean.shape[i] != m->copy.shape[i]) mean.stride[i] = 0;
    mean.shape[i] = m->copy.shape[i];
  }
  tsr__where_fill(ctx, &m->where, TSR__TAKE_DEVIATION, &mean, zero, &m->copy);
  const tsr_status st = reduce_copy(ctx, m, squares[tsr__isa_of(ctx)][m->copy.dtype]);
  if (st != TSR_OK) return st;
  const tsr__reduce_real *const counts = m->counts.data;
  tsr__reduce_real *const       values = m->values.data;
  for (tsr_index i = 0; i < tsr_size(&m->values); i++) {
    const tsr__reduce_real over = counts[i] - (tsr__reduce_real)ddof;
    values[i] = over > 0 || !m->where.selection.skip_nan ? values[i] / (over > 0 ? over : 0) : (tsr__reduce_real)NAN;
    if (root) values[i] = tsr__reduce_root(values[i]);
  }
  return TSR_OK;
}

/* The values, as the result has them. */
static tsr_status finish(tsr_ctx *ctx, moments *m, tsr_tensor *out) {
  int       ndim;
  tsr_index shape[TSR_MAX_DIMS];
  tsr__reduce_shape(&m->r, &ndim, shape);
  const int         layout = ndim == m->r.x.ndim ? m->r.x.layout : TSR_PLAIN;
  const tsr__result result = {m->r.out_dtype, layout, ndim, shape, NULL};
  const tsr_status  st = tsr__output(ctx, m->r.op, &result, out);
  if (st != TSR_OK || tsr_size(out) == 0) return st;
  tsr_tensor values = m->values;
  values.ndim = (uint8_t)ndim;
  memcpy(values.shape, shape, sizeof(tsr_index) * (size_t)ndim);
  tsr__strides_for(ndim, shape, TSR_ROW_MAJOR, values.stride);
  tsr__copy_apart(ctx, &values, out);
  return TSR_OK;
}

static void end(moments *m) {
  tsr__scratch_put(&m->scratch);
  tsr__scratch_put(&m->copy_scratch);
}

tsr_status tsr_mean_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                          bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  moments    m;
  tsr_status st = begin(ctx, "mean_where", x, selection, naxes, axes, keepdims, &m);
  if (st != TSR_OK) return st;
  st = get_room(ctx, &m, m.r.compute);
  if (st == TSR_OK) st = find_means(ctx, &m);
  if (st == TSR_OK) st = finish(ctx, &m, out);
  end(&m);
  return st;
}

static tsr_status spread(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection, int naxes,
                         const int *axes, bool keepdims, int ddof, bool root, tsr_tensor *out) {
  moments    m;
  tsr_status st = begin(ctx, op, x, selection, naxes, axes, keepdims, &m);
  if (st != TSR_OK) return st;
  if (ddof < 0) return TSR__FAIL(ctx, TSR_EARG, op, "ddof", "is %d, which is not 0 or more", ddof);
  st = get_room(ctx, &m, TSR__REDUCE_REAL);
  if (st == TSR_OK) st = find_means(ctx, &m);
  if (st == TSR_OK) st = find_variances(ctx, &m, ddof, root);
  if (st == TSR_OK) st = finish(ctx, &m, out);
  end(&m);
  return st;
}

tsr_status tsr_var_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, int ddof, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return spread(ctx, "var_where", x, selection, naxes, axes, keepdims, ddof, false, out);
}

tsr_status tsr_std_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, int ddof, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return spread(ctx, "std_where", x, selection, naxes, axes, keepdims, ddof, true, out);
}
