#include "ops/reduce/where.h"

#include "core/table.h"
#include "ops/cast/convert.h"
#include "ops/move/over.h"
#include "ops/reduce/limits.h"

static tsr__reduce_tables counts = TSR__FOR_ISAS(tsr__count);

enum { GRAIN = 32768, CHUNK = TSR_HAVE_MALLOC ? 64 : 16 }; /* elements of a task; of a look for NaN */

tsr_status tsr__where_check(tsr__call *call, const tsr_selection *selection, tsr__where *where) {
  const tsr_tensor *const x = call->in[0], *const mask = call->in[1];
  *where = (tsr__where){.x = x, .masked = mask != NULL};
  if (selection != NULL) where->selection = *selection;
  const tsr_status st = tsr__check_reserved(call->ctx, call->op, TSR__ROOM(&where->selection));
  if (st != TSR_OK) return st;
  where->skip_nan = where->selection.skip_nan && tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_FLOAT;
  if (!where->masked) return TSR_OK;
  if (mask->dtype != TSR_BOOL)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "where", "is %y, not bool; compare it with 0 first",
                     (int)mask->dtype);
  return tsr__over(call->ctx, call->op, "where", mask, x->ndim, x->shape, &where->mask);
}

void tsr__where_limit(int dtype, bool max, void *element) {
#define X(id, type, name)                                                 \
  case id: {                                                              \
    const type limit = (type)(max ? limit_max_##name : limit_min_##name); \
    memcpy(element, &limit, sizeof limit);                                \
    return;                                                               \
  }
  switch (dtype) {
    X(TSR_I8, int8_t, i8)
    X(TSR_I16, int16_t, i16)
    X(TSR_I32, int32_t, i32)
    X(TSR_I64, int64_t, i64)
    X(TSR_U16, uint16_t, u16)
    X(TSR_U32, uint32_t, u32)
    X(TSR_U64, uint64_t, u64)
    X(TSR_F32, float, f32)
#if TSR_HAVE_F64
    X(TSR_F64, double, f64)
#endif
    X(TSR_U8, uint8_t, u8)
    default: return;
  }
#undef X
}

/* ---- the copy ---- */

typedef struct filling {
  const tsr__where *where;
  tsr__where_take take;
  int isa, from, to;
  size_t item; /* of to */
  const void *fill;
} filling;

#define PUT_EACH(type)                                                                      \
  do {                                                                                      \
    type value, *const to = (type *)(void *)at;                                             \
    memcpy(&value, fill, sizeof value);                                                     \
    for (tsr_index i = 0; i < n; i++) to[i] = on[(ptrdiff_t)i * step] != 0 ? to[i] : value; \
  } while (0)

/* Fills those of n contiguous elements where on is 0. */
static void put_fill(size_t item, const void *fill, tsr_index n, const unsigned char *on, ptrdiff_t step, char *at) {
  switch (item) {
    case 1: PUT_EACH(uint8_t); break;
    case 2: PUT_EACH(uint16_t); break;
    case 4: PUT_EACH(uint32_t); break;
    default: PUT_EACH(uint64_t); break;
  }
}

/* Fills those of n elements that come from NaN. */
static void put_for_nan(const filling *f, tsr_index n, const char *x, ptrdiff_t step, char *at) {
  _Alignas(8) char wide[CHUNK * sizeof(tsr__reduce_real)];
  unsigned char on[CHUNK];
  for (tsr_index first = 0; first < n; first += CHUNK) {
    const tsr_index count = n - first < CHUNK ? n - first : CHUNK;
    tsr__reduce_real *const v = (tsr__reduce_real *)(void *)wide;
    tsr__convert_row(f->isa, f->from, TSR__REDUCE_REAL, count, x + (ptrdiff_t)first * step, step, wide,
                     (ptrdiff_t)sizeof *v);
    for (tsr_index i = 0; i < count; i++) on[i] = v[i] == v[i];
    put_fill(f->item, f->fill, count, on, 1, at + (ptrdiff_t)first * (ptrdiff_t)f->item);
  }
}

/* NaN among n elements of the type that they are computed in. */
static void replace_nan(int dtype, const void *fill, tsr_index n, char *at) {
#if TSR_HAVE_F64
  if (dtype == TSR_F64) {
    double value, *const v = (double *)(void *)at;
    memcpy(&value, fill, sizeof value);
    for (tsr_index i = 0; i < n; i++) v[i] = v[i] == v[i] ? v[i] : value;
    return;
  }
#endif
  (void)dtype;
  float value, *const v = (float *)(void *)at;
  memcpy(&value, fill, sizeof value);
  for (tsr_index i = 0; i < n; i++) v[i] = v[i] == v[i] ? v[i] : value;
}

/* at: the copy, x, and then the mask and the mean, where there are. */
static void fill_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const filling *const f = args->param;
  const bool direct = f->take == TSR__TAKE_ELEMENT && (f->to == TSR_F32 || f->to == TSR_F64);
  const int mean = f->where->masked ? 3 : 2;
  if (f->take == TSR__TAKE_ONE)
    memset(at[0], 1, (size_t)n);
  else
    tsr__convert_row(f->isa, f->from, f->to, n, at[1], step[1], at[0], (ptrdiff_t)f->item);
  if (f->take == TSR__TAKE_DEVIATION) {
    tsr__reduce_real *const v = (tsr__reduce_real *)(void *)at[0];
    for (tsr_index i = 0; i < n; i++)
      v[i] -= *(const tsr__reduce_real *)(const void *)(at[mean] + (ptrdiff_t)i * step[mean]);
  }
  if (f->where->skip_nan && direct)
    replace_nan(f->to, f->fill, n, at[0]);
  else if (f->where->skip_nan)
    put_for_nan(f, n, at[1], step[1], at[0]);
  if (f->where->masked) put_fill(f->item, f->fill, n, (const unsigned char *)at[2], step[2], at[0]);
}

/* Rows are walked along the copy's own order, so that its step is its item. */
void tsr__where_fill(const tsr_ctx *ctx, const tsr__where *where, tsr__where_take take, const tsr_tensor *mean,
                     const void *fill, const tsr_tensor *copy) {
  filling f = {where, take, tsr__isa_of(ctx), where->x->dtype, copy->dtype, tsr__item_sizes[copy->dtype], fill};
  const tsr_tensor *operands[4] = {copy, where->x};
  int count = 2;
  tsr__loop loop;
  if (where->masked) operands[count++] = &where->mask;
  if (mean != NULL) operands[count++] = mean;
  if (tsr_size(copy) == 0) return;
  tsr__loop_init(&loop, count, operands);
  tsr__loop_run_parallel(ctx, &loop, GRAIN, fill_row, &f);
}

tsr_status tsr__where_room(tsr__call *call, const tsr__where *where, int dtype, tsr_tensor *copy) {
  size_t bytes;
  if (!tsr__mul_size((size_t)tsr_size(where->x), tsr__item_sizes[dtype], &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "x", "a copy of %t does not fit the address space", where->x);
  *copy = *where->x;
  copy->dtype = (uint8_t)dtype;
  copy->flags = 0;
  copy->storage = NULL;
  tsr__strides_for(copy->ndim, copy->shape, TSR_ROW_MAJOR, copy->stride);
  return tsr__call_scratch(call, bytes, &copy->data);
}

/* ---- the reduction ---- */

/* The selection's initial value, as values of the kernel: it fits the result. */
static tsr_status read_initial(tsr_ctx *ctx, const tsr__where *where, const tsr__reduce *r, void *cell) {
  unsigned char element[16];
  const int dtype = r->pass[0].kernel->dtype;
  const tsr_status st = tsr__scalar_from_real(ctx, r->op, "initial", r->out_dtype, where->selection.initial, element);
  if (st != TSR_OK) return st;
  tsr__convert_row(tsr__isa_of(ctx), r->out_dtype, dtype, 1, (const char *)element, 0, cell, 0);
  return TSR_OK;
}

tsr_status tsr__where_call(tsr__call *call, const tsr__where *where, const tsr__reduce *r) {
  tsr__reduce chosen = *r;
  tsr__reduce_frame frame;
  tsr_tensor copy;
  void *memory;
  if (!tsr__where_filters(where)) return tsr__reduce_call(call, r);
  tsr_status st = tsr__reduce_result(call, r, &frame);
  if (st == TSR_OK) st = tsr__where_room(call, where, r->compute, &copy);
  chosen.x = &copy;
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr__reduce_bytes(call->ctx, &chosen, call->out[0]), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__where_fill(call->ctx, where, TSR__TAKE_ELEMENT, NULL, where->fill, &copy);
  tsr__reduce_into(call->ctx, &chosen, call->out[0], memory);
  return TSR_OK;
}

tsr__reduce tsr__where_counting(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *bools, int dtype) {
  return (tsr__reduce){.op = r->op,
                       .x = bools,
                       .axes = r->axes,
                       .keepdims = r->keepdims,
                       .compute = TSR_BOOL,
                       .out_dtype = dtype,
                       .passes = 1,
                       .pass = {{counts[tsr__isa_of(ctx)][TSR_U8], NULL}},
                       .terms = {.count = r->terms.count}};
}

/* The element of the compute dtype that changes no result. */
static tsr_status read_neutral(tsr_ctx *ctx, const tsr__reduce *r, tsr__reduce_neutral neutral, void *fill) {
  if (neutral == TSR__NEUTRAL_ZERO || neutral == TSR__NEUTRAL_ONE)
    return tsr__scalar_from_i64(ctx, r->op, "x", r->compute, neutral == TSR__NEUTRAL_ONE, fill);
  tsr__where_limit(r->compute, neutral == TSR__NEUTRAL_MAX, fill);
  return TSR_OK;
}

tsr_status tsr__where_begin(tsr__call *call, tsr__reduce *r, tsr__where *where) {
  const tsr__selected_attrs *const attrs = call->attrs;
  const tsr__op_info *const over_all = call->info->kernels;
  const tsr__reduce_op *const op = over_all->kernels;
  const bool truth = op->rule == TSR__REDUCE_TRUTH || op->rule == TSR__REDUCE_COUNTS;
  tsr_status st = tsr__reduce_call_begin(call, op, attrs->axes_count, attrs->axes, attrs->keepdims, r);
  if (st == TSR_OK) st = tsr__where_check(call, attrs->selection, where);
  if (st == TSR_OK) st = read_neutral(call->ctx, r, op->neutral, where->fill);
  if (st != TSR_OK || truth || !where->selection.has_initial) return st;
  r->initial = where->initial;
  return read_initial(call->ctx, where, r, where->initial);
}

tsr_status tsr__selected(tsr__call *call) {
  tsr__reduce r;
  tsr__where where;
  const tsr_status st = tsr__where_begin(call, &r, &where);
  return st == TSR_OK ? tsr__where_call(call, &where, &r) : st;
}
