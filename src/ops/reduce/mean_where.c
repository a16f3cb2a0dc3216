/* tsr_mean_where, tsr_var_where, tsr_std_where: sums over counts, all of it in temporary memory until the end. */
#include "ops/copy/copy.h"
#include "ops/reduce/where.h"

#include <math.h>

static tsr__reduce_tables totals = TSR__FOR_ISAS(tsr__total);
static tsr__reduce_tables squares = TSR__FOR_ISAS(tsr__sum_square);

typedef struct moments {
  tsr__where where;
  tsr__reduce r; /* of x, into the result */
  tsr__reduce_frame frame;
  tsr__reduce counting, adding; /* of bools into counts, and of the copy into values */
  tsr_tensor copy, bools;       /* of x, in one memory */
  tsr_tensor counts, values;    /* real, contiguous, with the reduced axes as axes of length 1 */
  size_t bytes;                 /* of a reduction, at most */
  void *memory;
} moments;

static tsr_status begin_moments(tsr__call *call, int naxes, const int *axes, bool keepdims,
                                const tsr_selection *selection, moments *m) {
  const tsr_status st = tsr__reduce_begin_real(call->ctx, call->op, call->in[0], naxes, axes, keepdims, &m->r);
  return st == TSR_OK ? tsr__where_check(call, selection, &m->where) : st;
}

static void note_bytes(const tsr_ctx *ctx, moments *m, const tsr__reduce *r, const tsr_tensor *out) {
  const size_t bytes = tsr__reduce_bytes(ctx, r, out);
  if (m->bytes < bytes) m->bytes = bytes;
}

static void add_by(const tsr_ctx *ctx, moments *m, const tsr__reduce_tables *tables) {
  m->adding.pass[0] = (tsr__reduce_pass){(*tables)[tsr__isa_of(ctx)][m->copy.dtype], NULL};
}

static tsr_status get_result_room(tsr__call *call, moments *m) {
  size_t bytes;
  void *memory;
  m->counts = m->values = tsr__reduce_result_as(&m->adding, TSR__REDUCE_REAL);
  if (!tsr__mul_size((size_t)tsr_size(&m->counts), 2 * sizeof(tsr__reduce_real), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "x", "%t: the results do not fit the address space", m->r.x);
  const tsr_status st = tsr__call_scratch(call, bytes, &memory);
  if (st != TSR_OK) return st;
  m->counts.data = memory;
  m->values.data = (char *)memory + bytes / 2;
  return TSR_OK;
}

/* The output, and memory for means that are computed in a dtype. */
static tsr_status get_moment_room(tsr__call *call, moments *m, int compute) {
  tsr_status st = tsr__reduce_result(call, &m->r, &m->frame);
  if (st == TSR_OK) st = tsr__where_room(call, &m->where, compute, &m->copy);
  if (st != TSR_OK) return st;
  m->bools = m->copy;
  m->bools.dtype = TSR_BOOL;
  m->adding = m->r;
  m->adding.x = &m->copy;
  m->adding.keepdims = true;
  m->adding.compute = compute;
  m->adding.out_dtype = TSR__REDUCE_REAL;
  m->counting = tsr__where_counting(call->ctx, &m->adding, &m->bools, TSR__REDUCE_REAL);
  st = get_result_room(call, m);
  if (st != TSR_OK) return st;
  m->bytes = 0;
  add_by(call->ctx, m, &totals);
  note_bytes(call->ctx, m, &m->counting, &m->counts);
  note_bytes(call->ctx, m, &m->adding, &m->values);
  return TSR_OK;
}

static void find_means(const tsr_ctx *ctx, moments *m) {
  static const unsigned char zero[8] = {0};
  tsr__where_fill(ctx, &m->where, TSR__TAKE_ONE, NULL, zero, &m->bools);
  tsr__reduce_into(ctx, &m->counting, &m->counts, m->memory);
  tsr__where_fill(ctx, &m->where, TSR__TAKE_ELEMENT, NULL, zero, &m->copy);
  add_by(ctx, m, &totals);
  tsr__reduce_into(ctx, &m->adding, &m->values, m->memory);
  const tsr__reduce_real *const counts = m->counts.data;
  tsr__reduce_real *const values = m->values.data;
  for (tsr_index i = 0; i < tsr_size(&m->values); i++) values[i] /= counts[i];
}

static void find_variances(const tsr_ctx *ctx, moments *m, int ddof, bool root) {
  static const unsigned char zero[8] = {0};
  tsr_tensor mean = m->values;
  for (int i = 0; i < mean.ndim; i++) {
    if (mean.shape[i] != m->copy.shape[i]) mean.stride[i] = 0;
    mean.shape[i] = m->copy.shape[i];
  }
  tsr__where_fill(ctx, &m->where, TSR__TAKE_DEVIATION, &mean, zero, &m->copy);
  add_by(ctx, m, &squares);
  tsr__reduce_into(ctx, &m->adding, &m->values, m->memory);
  const tsr__reduce_real *const counts = m->counts.data;
  tsr__reduce_real *const values = m->values.data;
  for (tsr_index i = 0; i < tsr_size(&m->values); i++) {
    const tsr__reduce_real over = counts[i] - (tsr__reduce_real)ddof;
    values[i] = over > 0 || !m->where.selection.skip_nan ? values[i] / (over > 0 ? over : 0) : (tsr__reduce_real)NAN;
    if (root) values[i] = tsr__reduce_root(values[i]);
  }
}

/* The values, as the result has them. */
static void store_values(const tsr_ctx *ctx, const moments *m, const tsr_tensor *out) {
  tsr_tensor values = tsr__reduce_result_as(&m->r, TSR__REDUCE_REAL);
  values.data = m->values.data;
  if (tsr_size(out) > 0) tsr__copy_no_alias(ctx, &values, out);
}

static tsr_status mean_where(tsr__call *call) {
  const tsr__selected_attrs *const attrs = call->attrs;
  moments m;
  tsr_status st = begin_moments(call, attrs->axes_count, attrs->axes, attrs->keepdims, attrs->selection, &m);
  if (st == TSR_OK) st = get_moment_room(call, &m, m.r.compute);
  if (st == TSR_OK) st = tsr__call_scratch(call, m.bytes, &m.memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  find_means(call->ctx, &m);
  store_values(call->ctx, &m, call->out[0]);
  return TSR_OK;
}

static tsr_status variance_where(tsr__call *call, bool root) {
  const tsr__var_where_attrs *const attrs = call->attrs;
  moments m;
  tsr_status st = begin_moments(call, attrs->axes_count, attrs->axes, attrs->keepdims, attrs->selection, &m);
  if (st == TSR_OK) st = tsr__reduce_check_ddof(call->ctx, call->op, attrs->ddof);
  if (st == TSR_OK) st = get_moment_room(call, &m, TSR__REDUCE_REAL);
  if (st != TSR_OK) return st;
  add_by(call->ctx, &m, &squares);
  note_bytes(call->ctx, &m, &m.adding, &m.values);
  st = tsr__call_scratch(call, m.bytes, &m.memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  find_means(call->ctx, &m);
  find_variances(call->ctx, &m, attrs->ddof, root);
  store_values(call->ctx, &m, call->out[0]);
  return TSR_OK;
}

static tsr_status var_where(tsr__call *call) { return variance_where(call, false); }
static tsr_status std_where(tsr__call *call) { return variance_where(call, true); }

TSR__OP_LIKE(mean_where, selected, mean_where, 0)
tsr_status tsr_mean_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                          bool keepdims, tsr_tensor *out) {
  return TSR__CALL(mean_where, ctx, TSR__WHERE_INPUTS(x, selection), TSR__OUTPUTS(out), .selection = selection,
                   .axes = axes, .axes_count = naxes, .keepdims = keepdims);
}

TSR__OP(var_where, var_where, 0)
tsr_status tsr_var_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, int ddof, tsr_tensor *out) {
  return TSR__CALL(var_where, ctx, TSR__WHERE_INPUTS(x, selection), TSR__OUTPUTS(out), .selection = selection,
                   .axes = axes, .axes_count = naxes, .keepdims = keepdims, .ddof = ddof);
}

TSR__OP_LIKE(std_where, var_where, std_where, 0)
tsr_status tsr_std_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes, const int *axes,
                         bool keepdims, int ddof, tsr_tensor *out) {
  return TSR__CALL(std_where, ctx, TSR__WHERE_INPUTS(x, selection), TSR__OUTPUTS(out), .selection = selection,
                   .axes = axes, .axes_count = naxes, .keepdims = keepdims, .ddof = ddof);
}
