/* tsr_argmin_where, tsr_argmax_where: a search in which what is not chosen is the worst there can be. */
#include "core/operand.h"
#include "ops/copy/copy.h"
#include "ops/reduce/arg.h"
#include "ops/reduce/where.h"

#define X(isa) tsr__argmin_##isa,
static const tsr__arg_kernel *const *const mins[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__argmax_##isa,
static const tsr__arg_kernel *const *const maxes[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

#define INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)

typedef struct search {
  tsr__where   where;
  tsr__reduce  r;
  tsr_tensor   copy, bools, found; /* of x; which are chosen; indices, without gaps */
  tsr__scratch scratch[3];
} search;

static tsr_status get_room(tsr_ctx *ctx, search *s) {
  int        ndim;
  tsr_status st = tsr__where_room(ctx, &s->where, tsr__reduce_compute(s->r.x.dtype), &s->scratch[0], &s->copy);
  if (st == TSR_OK) st = tsr__where_room(ctx, &s->where, TSR_BOOL, &s->scratch[1], &s->bools);
  s->found = (tsr_tensor){.dtype = INDEX_DTYPE};
  tsr__reduce_shape(&s->r, &ndim, s->found.shape);
  s->found.ndim = (uint8_t)ndim;
  tsr__strides_for(ndim, s->found.shape, TSR_ROW_MAJOR, s->found.stride);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, s->r.op, tsr_nbytes(&s->found), &s->scratch[2]);
  s->found.data = s->scratch[2].data;
  return st;
}

/* A result that is not chosen is as bad as all that are: the first of those is meant. */
static tsr_status look_again(tsr_ctx *ctx, const search *s, int axis) {
  const bool *const bools = s->bools.data;
  tsr_index *const  found = s->found.data;
  const tsr_index   results = tsr_size(&s->found), length = s->r.count;
  tsr_index         inner = 1;
  for (int k = s->r.x.ndim - 1; axis != TSR_ALL_AXES && k > axis; k--) inner *= s->r.x.shape[k];
  for (tsr_index i = 0; i < results; i++) {
    const bool *const line = bools + i / inner * inner * length + i % inner;
    tsr_index         at = 0;
    if (line[found[i] * inner]) continue;
    while (at < length && !line[at * inner]) at++;
    if (at == length)
      return TSR__FAIL(ctx, TSR_ESHAPE, s->r.op, "x", "is %t: nothing is chosen for result number %l", s->where.x,
                       (int64_t)i);
    found[i] = at;
  }
  return TSR_OK;
}

static tsr_status store(tsr_ctx *ctx, const search *s, tsr_tensor *out) {
  const int         layout = s->found.ndim == s->r.x.ndim ? s->r.x.layout : TSR_PLAIN;
  const tsr__result result = {INDEX_DTYPE, layout, s->found.ndim, s->found.shape, NULL};
  const tsr_status  st = tsr__output(ctx, s->r.op, &result, out);
  if (st == TSR_OK && tsr_size(out) > 0) tsr__copy_apart(ctx, &s->found, out);
  return st;
}

static tsr_status begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection, int axis,
                        bool keepdims, search *s) {
  tsr_status st = tsr__reduce_begin_axis(ctx, op, x, axis, keepdims, &s->r);
  if (st == TSR_OK) st = tsr__reduce_check_real(ctx, &s->r);
  if (st == TSR_OK) st = tsr__reduce_check_some(ctx, &s->r);
  return st == TSR_OK ? tsr__where_check(ctx, op, x, selection, &s->where) : st;
}

static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection, int axis,
                      bool keepdims, bool least, const tsr__arg_kernel *const *table, tsr_tensor *out) {
  static const unsigned char no = 0;
  unsigned char fill[16] = {0};
  search        s = {0};
  tsr_status    st = begin(ctx, op, x, selection, axis, keepdims, &s);
  if (st != TSR_OK) return st;
  if (!s.where.masked && !s.where.skip_nan) return tsr__arg_run(ctx, op, x, axis, keepdims, table, out);
  st = get_room(ctx, &s);
  if (st == TSR_OK) {
    tsr__where_limit(s.copy.dtype, least, fill);
    tsr__where_fill(ctx, &s.where, TSR__TAKE_ELEMENT, NULL, fill, &s.copy);
    tsr__where_fill(ctx, &s.where, TSR__TAKE_ONE, NULL, &no, &s.bools);
    st = tsr__arg_run(ctx, op, &s.copy, axis, keepdims, table, &s.found);
  }
  if (st == TSR_OK) st = look_again(ctx, &s, axis < 0 && axis != TSR_ALL_AXES ? axis + x->ndim : axis);
  if (st == TSR_OK) st = store(ctx, &s, out);
  for (int i = 2; i >= 0; i--) tsr__scratch_put(&s.scratch[i]);
  return st;
}

tsr_status tsr_argmin_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int axis, bool keepdims,
                            tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "argmin_where", x, selection, axis, keepdims, true, mins[tsr__isa_of(ctx)], out);
}

tsr_status tsr_argmax_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int axis, bool keepdims,
                            tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "argmax_where", x, selection, axis, keepdims, false, maxes[tsr__isa_of(ctx)], out);
}
