/* Evenly spaced numbers, and ones on a diagonal. */
#include "core/float_to_int.h"
#include "cpu/isa.h"
#include "cpu/move.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/create/ops.h"

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)
enum { BLOCK = TSR_HAVE_MALLOC ? 256 : 16 };

/* Makes count values, from the i-th on. */
typedef void generate_fn(const void *arg, tsr_index first, tsr_index count, void *values);

/* Writes generated values of dtype from to a tensor of rank 1. */
static void write_generated(const tsr_ctx *ctx, int from, generate_fn *generate, const void *arg,
                            const tsr_tensor *out) {
  int64_t block[BLOCK]; /* also holds as many tsr_real */
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(from);
  const ptrdiff_t step = (ptrdiff_t)out->stride[0] * (ptrdiff_t)tsr_dtype_size(out->dtype);
  for (tsr_index first = 0; first < out->shape[0]; first += BLOCK) {
    const tsr_index left = out->shape[0] - first, count = left < BLOCK ? left : BLOCK;
    char *const to = (char *)out->data + (ptrdiff_t)first * step;
    generate(arg, first, count, block);
    if (from != out->dtype)
      tsr__convert_row(tsr__isa_of(ctx), from, out->dtype, count, (const char *)block, item, to, step);
    else
      tsr__move_row((size_t)item, count, (const char *)block, item, to, step);
  }
}

/* count generated values as the call's output. */
static tsr_status make_vector(tsr__call *call, int dtype, tsr_index count, int from, generate_fn *generate,
                              const void *arg) {
  const tsr__result result = {dtype, TSR_PLAIN, 1, &count, NULL};
  tsr_status st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK) write_generated(call->ctx, from, generate, arg, call->out[0]);
  return st;
}

static tsr_status check_range_dtype(tsr_ctx *ctx, const char *op, int dtype) {
  const tsr_status st = tsr__check_dtype(ctx, op, "dtype", dtype);
  if (st != TSR_OK) return st;
  if (dtype == TSR_BOOL) return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "bool has no range of numbers");
  return TSR_OK;
}

/* ---- integers ---- */

typedef struct integer_range {
  int64_t start, step;
} integer_range;

static void generate_integers(const void *arg, tsr_index first, tsr_index count, void *values) {
  const integer_range *const r = arg;
  uint64_t value =
      (uint64_t)r->start + (uint64_t)r->step * (uint64_t)first; /* the result fits, steps on the way wrap */
  int64_t *const to = values;
  for (tsr_index i = 0; i < count; i++, value += (uint64_t)r->step) to[i] = (int64_t)value;
}

/* How many numbers there are before stop; the distance of two int64_t needs 64 bits without a sign. */
static uint64_t count_integers(int64_t start, int64_t stop, int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  const uint64_t distance = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
  const uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
  return (distance - 1) / stride + 1;
}

static tsr_status integer_arange(tsr__call *call, int dtype, int64_t start, int64_t stop, int64_t step) {
  tsr_ctx *const ctx = call->ctx;
  const char *const op = call->op;
  const integer_range range = {start, step};
  unsigned char element[16];
  tsr_status st = check_range_dtype(ctx, op, dtype);
  if (st != TSR_OK) return st;
  if (step == 0) return TSR__FAIL(ctx, TSR_EARG, op, "step", "is 0");
  const uint64_t count = count_integers(start, stop, step);
  if (count > (uint64_t)TSR_INDEX_MAX) return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "stop", "is too many steps away");
  if (count > 0) { /* the ends fit, so all between do */
    const int64_t last = (int64_t)((uint64_t)start + (uint64_t)step * (count - 1));
    st = tsr__scalar_from_i64(ctx, op, "start", dtype, start, element);
    if (st == TSR_OK && tsr__scalar_from_i64(ctx, op, "stop", dtype, last, element) != TSR_OK)
      return TSR__FAIL(ctx, TSR_ERANGE, op, "stop", "%l: the last number, %l, does not fit %y", stop, last, dtype);
  }
  return st == TSR_OK ? make_vector(call, dtype, (tsr_index)count, TSR_I64, generate_integers, &range) : st;
}

static tsr_status arange_i64(tsr__call *call) {
  const tsr__arange_i64_attrs *const attrs = call->attrs;
  return integer_arange(call, attrs->dtype, attrs->start, attrs->stop, attrs->step);
}

TSR__OP(arange_i64, arange_i64, 0)
tsr_status tsr_arange_i64(tsr_ctx *ctx, int dtype, int64_t start, int64_t stop, int64_t step, tsr_tensor *out) {
  return TSR__CALL(arange_i64, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .start = start, .stop = stop,
                   .step = step);
}

/* ---- reals ---- */

typedef struct real_range {
  tsr_real start, step, stop;
  tsr_index last; /* the index that is stop itself; -1: none */
} real_range;

static void generate_reals(const void *arg, tsr_index first, tsr_index count, void *values) {
  const real_range *const r = arg;
  tsr_real *const to = values;
  for (tsr_index i = 0; i < count; i++)
    to[i] = first + i == r->last ? r->stop : r->start + (tsr_real)(first + i) * r->step;
}

static bool is_finite(tsr_real x) { return x - x == 0; }

static tsr_status real_arange(tsr__call *call, int dtype, tsr_real start, tsr_real stop, tsr_real step) {
  tsr_ctx *const ctx = call->ctx;
  const char *const op = call->op;
  unsigned char element[16];
  const tsr_real steps = (stop - start) / step;
  if (!(steps < (tsr_real)(TSR_INDEX_MAX / 2)))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "stop", "%r is too many steps of %r away from %r", &stop, &step, &start);
  tsr_index count = steps > 0 ? (tsr_index)steps : 0;
  if ((tsr_real)count < steps) count++; /* the ceiling */
  const real_range range = {start, step, stop, -1};
  tsr_status st = TSR_OK;
  if (count > 0) {
    const tsr_real last = start + (tsr_real)(count - 1) * step;
    st = tsr__scalar_from_real(ctx, op, "start", dtype, start, element);
    if (st == TSR_OK && tsr__scalar_from_real(ctx, op, "stop", dtype, last, element) != TSR_OK)
      return TSR__FAIL(ctx, TSR_ERANGE, op, "stop", "%r: the last number, %r, does not fit %y", &stop, &last, dtype);
  }
  return st == TSR_OK ? make_vector(call, dtype, count, REAL_DTYPE, generate_reals, &range) : st;
}

static bool is_i64(tsr_real x) {
  const tsr_real limit = (tsr_real)9.2e18;
  return x > -limit && x < limit && (tsr_real)TSR__I64_OF_REAL(x) == x;
}

static tsr_status arange(tsr__call *call) {
  const tsr__arange_attrs *const attrs = call->attrs;
  tsr_ctx *const ctx = call->ctx;
  const char *const op = call->op;
  const int dtype = attrs->dtype;
  const tsr_real start = attrs->start, stop = attrs->stop, step = attrs->step;
  const tsr_status st = check_range_dtype(ctx, op, dtype);
  if (st != TSR_OK) return st;
  if (!is_finite(start) || !is_finite(stop) || !is_finite(step) || step == 0)
    return TSR__FAIL(ctx, TSR_EARG, op, "step", "%r from %r to %r is no range", &step, &start, &stop);
  const int class_ = tsr_dtype_describe(dtype)->class_;
  if (class_ == TSR_CLASS_FLOAT || class_ == TSR_CLASS_COMPLEX) return real_arange(call, dtype, start, stop, step);
  if (!is_i64(start) || !is_i64(step))
    return TSR__FAIL(ctx, TSR_ERANGE, op, "start", "%r and step %r: %y holds only whole numbers", &start, &step, dtype);
  const tsr_real limit = (tsr_real)9.2e18;
  if (!(stop > -limit && stop < limit)) return TSR__FAIL(ctx, TSR_ERANGE, op, "stop", "%r is out of range", &stop);
  int64_t end = TSR__I64_OF_REAL(stop); /* before a stop that is not whole lies one number more */
  if ((tsr_real)end != stop) end += step > 0 ? (stop > 0) : -(stop < 0);
  return integer_arange(call, dtype, TSR__I64_OF_REAL(start), end, TSR__I64_OF_REAL(step));
}

TSR__OP(arange, arange, 0)
tsr_status tsr_arange(tsr_ctx *ctx, int dtype, tsr_real start, tsr_real stop, tsr_real step, tsr_tensor *out) {
  return TSR__CALL(arange, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .start = start, .stop = stop,
                   .step = step);
}

static tsr_status linspace(tsr__call *call) {
  const tsr__linspace_attrs *const attrs = call->attrs;
  tsr_ctx *const ctx = call->ctx;
  const char *const op = call->op;
  const int dtype = attrs->dtype;
  const tsr_index count = attrs->count;
  unsigned char element[16];
  tsr_status st = tsr__check_dtype(ctx, op, "dtype", dtype);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(dtype)->class_ != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "%y is not a float", dtype);
  if (count < 0) return TSR__FAIL(ctx, TSR_EARG, op, "count", "%l is negative", (int64_t)count);
  st = tsr__scalar_from_real(ctx, op, "start", dtype, attrs->start, element);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "stop", dtype, attrs->stop, element);
  if (st != TSR_OK) return st;
  const tsr_real steps = count > 1 ? (tsr_real)(count - 1) : 1;
  tsr_real step = (attrs->stop - attrs->start) / steps;
  /* The ends may be further apart than a number can say. */
  if (!is_finite(step)) step = attrs->stop / steps - attrs->start / steps;
  const real_range range = {attrs->start, step, attrs->stop, count > 1 ? count - 1 : -1};
  return make_vector(call, dtype, count, REAL_DTYPE, generate_reals, &range);
}

TSR__OP(linspace, linspace, 0)
tsr_status tsr_linspace(tsr_ctx *ctx, int dtype, tsr_real start, tsr_real stop, tsr_index count, tsr_tensor *out) {
  return TSR__CALL(linspace, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .start = start, .stop = stop,
                   .count = count);
}

/* ---- ones on a diagonal ---- */

static tsr_status eye(tsr__call *call) {
  static const unsigned char zero[16];
  const tsr__eye_attrs *const attrs = call->attrs;
  const tsr_index shape[2] = {attrs->rows, attrs->cols};
  const tsr__result result = {attrs->dtype, TSR_PLAIN, 2, shape, NULL};
  tsr_tensor diagonal = {0};
  unsigned char one[16];
  tsr_status st = tsr__scalar_from_i64(call->ctx, call->op, "dtype", attrs->dtype, 1, one);
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__fill_host(call->ctx, call->out[0], zero);
  st = tsr_diagonal(call->ctx, call->out[0], attrs->offset, 0, 1, &diagonal);
  if (st == TSR_OK) tsr__fill_host(call->ctx, &diagonal, one);
  return st;
}

TSR__OP(eye, eye, 0)
tsr_status tsr_eye(tsr_ctx *ctx, int dtype, tsr_index rows, tsr_index cols, tsr_index offset, tsr_tensor *out) {
  return TSR__CALL(eye, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .rows = rows, .cols = cols,
                   .offset = offset);
}
