/* tsr_quantile and its kin: the elements around a place of the sorted order, selected, and what lies between them. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"
#include "ops/sort/select.h"

#include "cpu/isa.h"
#include "ops/cast/convert.h"
#include "ops/promote.h"

#include <math.h>
#include <string.h>

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)
#if TSR_REAL_BITS == 64
#define FLOOR floor
#define RINT rint
#else
#define FLOOR floorf
#define RINT rintf
#endif

typedef struct quantiling {
  const tsr_real *q;
  int count;
  bool list; /* the result has an axis for q */
  int naxes;
  const int *axes;
  bool keepdims;
  tsr_interpolation mode;
  bool skip_nan;
  tsr__keys keys;
  int isa, dtype, out_dtype;
  uint32_t along; /* bits: the axes of a line */
} quantiling;

/* The place of q among n sorted elements: an element, and how far it is from there to the next. */
typedef struct place {
  tsr_index at;
  tsr_real part;
} place;

static place place_of(const quantiling *u, tsr_real q, tsr_index n) {
  const tsr_real exact = q * (tsr_real)(n - 1), below = FLOOR(exact);
  place p = {(tsr_index)below, exact - below};
  switch (u->mode) {
    case TSR_INTERPOLATE_LOWER: p.part = 0; break;
    case TSR_INTERPOLATE_HIGHER: p.at += p.part > 0, p.part = 0; break;
    case TSR_INTERPOLATE_NEAREST: p.at = (tsr_index)RINT(exact), p.part = 0; break; /* halves to the even one */
    case TSR_INTERPOLATE_MIDPOINT: p.part = p.part > 0 ? (tsr_real)0.5 : 0; break;
    default: break;
  }
  if (p.at >= n - 1) p = (place){n - 1, 0};
  return p;
}

/* A key's element, as it is stored. */
static void element_of(const quantiling *u, uint64_t key, void *element) {
  switch (u->keys.bytes) {
    case 1: tsr__keys_values(&u->keys, 1, &(tsr__key8){(tsr__key8)key}, element); return;
    case 2: tsr__keys_values(&u->keys, 1, &(tsr__key16){(tsr__key16)key}, element); return;
    case 4: tsr__keys_values(&u->keys, 1, &(tsr__key32){(tsr__key32)key}, element); return;
    default: tsr__keys_values(&u->keys, 1, &(tsr__key64){key}, element);
  }
}

static tsr_real real_of(const quantiling *u, uint64_t key) {
  uint64_t element;
  tsr_real value;
  element_of(u, key, &element);
  tsr__convert_row(u->isa, u->dtype, REAL_DTYPE, 1, (const char *)&element, 0, (char *)&value, 0);
  return value;
}

/* From the nearer end, so that both are reached. Between an infinity and a number there is the infinity. */
static tsr_real between(tsr_real a, tsr_real b, tsr_real part) {
  if (a == b) return a;
  if (isinf(a) || isinf(b)) return a + b;
  const tsr_real step = b - a;
  return part < (tsr_real)0.5 ? a + step * part : b - step * (1 - part);
}

static void store(const quantiling *u, uint64_t low, uint64_t high, tsr_real part, char *out) {
  if (u->out_dtype == u->dtype && part == 0) {
    uint64_t element;
    element_of(u, low, &element);
    memcpy(out, &element, (size_t)u->keys.bytes);
    return;
  }
  const tsr_real a = real_of(u, low), value = part == 0 ? a : between(a, real_of(u, high), part);
  tsr__convert_row(u->isa, REAL_DTYPE, u->out_dtype, 1, (const char *)&value, 0, out, 0);
}

/* The elements at a place and at the next one, of keys that are sorted, or selected from. */
static uint64_t low_and_high(const quantiling *u, tsr_index n, const char *keys, bool sorted, place p, char *room,
                             size_t *counts, uint64_t *high) {
  const int bytes = u->keys.bytes;
  tsr_index less, not_greater = 0;
  if (sorted) {
    *high = p.part > 0 ? tsr__key_at(bytes, keys, p.at + 1) : 0;
    return tsr__key_at(bytes, keys, p.at);
  }
  const uint64_t low = tsr__select(bytes, n, keys, p.at, room, counts, &less);
  *high = low;
  if (p.part == 0) return low;
  for (tsr_index i = 0; i < n; i++) not_greater += tsr__key_at(bytes, keys, i) <= low;
  if (not_greater <= p.at + 1) *high = tsr__select_next(bytes, n, keys, low);
  return low;
}

/* NaN, which are the greatest keys. */
static tsr_index count_nan(const quantiling *u, tsr_index n, const char *keys) {
  const uint64_t nan = UINT64_MAX >> (64 - 8 * u->keys.bytes);
  tsr_index count = 0;
  for (tsr_index i = 0; u->keys.floats && i < n; i++) count += tsr__key_at(u->keys.bytes, keys, i) == nan;
  return count;
}

/* Bytes for counting. */
static size_t counting(const quantiling *u, tsr_index n) {
  const size_t tables = tsr__sort_tables(&u->keys, n);
  return u->count <= 2 || tables < TSR__SELECT_BYTES ? TSR__SELECT_BYTES : tables;
}

/* Many of a line are sorted for; and one of a short line, where counting costs more. */
enum { SHORT = TSR_HAVE_MALLOC ? 128 : 0 };
static bool by_sorting(const quantiling *u, tsr_index n) { return u->count > 2 || (SHORT > 0 && n <= SHORT); }

static void quantile_line(const tsr__sort_lines *l, char *const *at, char *memory) {
  const quantiling *const u = l->arg;
  const tsr_index n = l->length;
  const bool sorted = by_sorting(u, n);
  size_t *const counts = (size_t *)(void *)memory;
  char *keys = memory + counting(u, n), *const room = keys + (size_t)n * (size_t)u->keys.bytes;
  const bool special = tsr__keys_fetch(&u->keys, n, at[0], l->step[0], keys);
  const tsr_index nans = special ? count_nan(u, n, keys) : 0;
  const bool nan = nans > 0 && (!u->skip_nan || nans == n);
  if (sorted && !nan) keys = tsr__sort_keys(&u->keys, n, keys, room, counts);
  for (int i = 0; i < u->count; i++) {
    char *const out = at[1] + l->step[1] * (ptrdiff_t)i;
    uint64_t high;
    if (nan) {
      const tsr_real value = (tsr_real)NAN;
      tsr__convert_row(u->isa, REAL_DTYPE, u->out_dtype, 1, (const char *)&value, 0, out, 0);
      continue;
    }
    const place p = place_of(u, u->q[i], n - nans);
    const uint64_t low = low_and_high(u, n, keys, sorted, p, room, counts, &high);
    store(u, low, high, p.part, out);
  }
}

/* ---- the call ---- */

static tsr_status check_quantile(const tsr__call *call, quantiling *u) {
  const tsr_tensor *const x = call->in[0];
  tsr_status st = tsr__check_real(call, 0);
  if (st == TSR_OK) st = tsr__check_axes(call->ctx, call->op, x, u->naxes, u->axes, &u->along);
  if (st != TSR_OK) return st;
  if (u->count < 0 || (u->count > 0 && u->q == NULL))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "q", "is %d numbers, or NULL", u->count);
  for (int i = 0; i < u->count; i++)
    if (!(u->q[i] >= 0 && u->q[i] <= 1))
      return TSR__FAIL(call->ctx, TSR_EARG, call->op, "q", "number %d is %r, not from 0 to 1", i, &u->q[i]);
  if ((unsigned)u->mode > TSR_INTERPOLATE_NEAREST)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "mode", "%d is no interpolation", (int)u->mode);
  for (int i = 0; i < x->ndim; i++)
    if ((u->along >> i & 1u) != 0 && x->shape[i] == 0)
      return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "%t has no elements to take a quantile of", x);
  return TSR_OK;
}

/* Elements are taken as they are where nothing is computed; else the dtypes of tsr_mean. */
static int dtype_of(int dtype, tsr_interpolation mode) {
  const bool exact = mode != TSR_INTERPOLATE_LINEAR && mode != TSR_INTERPOLATE_MIDPOINT;
  return exact ? dtype : tsr__float_of(dtype);
}

/* The result, and which of its axes lines do not count. */
static tsr__lines_out describe_quantiles(const quantiling *u, const tsr_tensor *x, tsr_index *shape) {
  tsr__lines_out o = {.result = {.dtype = u->out_dtype, .layout = TSR_PLAIN, .shape = shape}};
  int ndim = 0;
  if (u->list) shape[ndim++] = u->count;
  o.dropped = u->list ? 1u : 0u;
  o.along = u->list ? 0 : -1;
  for (int i = 0; i < x->ndim; i++) {
    const bool gone = (u->along >> i & 1u) != 0;
    if (gone && !u->keepdims) continue;
    if (gone) o.dropped |= 1u << ndim;
    shape[ndim++] = gone ? 1 : x->shape[i];
  }
  o.result.ndim = ndim;
  return o;
}

static tsr_status quantile_lines(tsr__call *call, quantiling u) {
  const tsr_tensor *const x = call->in[0];
  tsr_index shape[TSR_MAX_DIMS + 1];
  const tsr_status st = check_quantile(call, &u);
  if (st != TSR_OK) return st;
  u.keys = tsr__keys_of(call->ctx, x->dtype, false);
  u.isa = tsr__isa_of(call->ctx);
  u.dtype = x->dtype;
  u.out_dtype = dtype_of(x->dtype, u.mode);
  tsr_index length = 1;
  for (int i = 0; i < x->ndim; i++) length *= (u.along >> i & 1u) != 0 ? x->shape[i] : 1;
  tsr__sort_lines l = {
      .run = quantile_line, .arg = &u, .elements = length, .outputs = {describe_quantiles(&u, x, shape)}};
  l.each = 2 * (size_t)u.keys.bytes;
  l.more = counting(&u, length);
  return tsr__lines_call(call, &l, u.along);
}

/* ---- the ops ---- */

static tsr_status quantile_of(tsr__call *call, bool skip_nan) {
  const tsr__quantile_attrs *const a = call->attrs;
  return quantile_lines(
      call, (quantiling){&a->q, 1, false, a->axes_count, a->axes, a->keepdims, a->mode, .skip_nan = skip_nan});
}

static tsr_status quantile(tsr__call *call) { return quantile_of(call, false); }
static tsr_status nanquantile(tsr__call *call) { return quantile_of(call, true); }

static tsr_status quantiles(tsr__call *call) {
  const tsr__quantiles_attrs *const a = call->attrs;
  return quantile_lines(
      call, (quantiling){a->q, a->q_count, true, a->axes_count, a->axes, a->keepdims, a->mode, .skip_nan = false});
}

static tsr_status median_of(tsr__call *call, bool skip_nan) {
  static const tsr_real half = (tsr_real)0.5;
  const tsr__median_attrs *const a = call->attrs;
  return quantile_lines(call, (quantiling){&half, 1, false, a->axes_count, a->axes, a->keepdims, TSR_INTERPOLATE_LINEAR,
                                           .skip_nan = skip_nan});
}

static tsr_status median(tsr__call *call) { return median_of(call, false); }
static tsr_status nanmedian(tsr__call *call) { return median_of(call, true); }

TSR__OP(quantile, quantile, 0)
tsr_status tsr_quantile(tsr_ctx *ctx, const tsr_tensor *x, tsr_real q, int naxes, const int *axes, bool keepdims,
                        tsr_interpolation mode, tsr_tensor *out) {
  return TSR__CALL(quantile, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .q = q, .axes = axes, .axes_count = naxes,
                   .keepdims = keepdims, .mode = mode);
}

TSR__OP(quantiles, quantiles, 0)
tsr_status tsr_quantiles(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_real *q, int naxes, const int *axes,
                         bool keepdims, tsr_interpolation mode, tsr_tensor *out) {
  return TSR__CALL(quantiles, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .q = q, .q_count = count, .axes = axes,
                   .axes_count = naxes, .keepdims = keepdims, .mode = mode);
}

TSR__OP(median, median, 0)
tsr_status tsr_median(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, tsr_tensor *out) {
  return TSR__CALL(median, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axes = axes, .axes_count = naxes,
                   .keepdims = keepdims);
}

TSR__OP_LIKE(nanquantile, quantile, nanquantile, 0)
tsr_status tsr_nanquantile(tsr_ctx *ctx, const tsr_tensor *x, tsr_real q, int naxes, const int *axes, bool keepdims,
                           tsr_interpolation mode, tsr_tensor *out) {
  return TSR__CALL(nanquantile, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .q = q, .axes = axes, .axes_count = naxes,
                   .keepdims = keepdims, .mode = mode);
}

TSR__OP_LIKE(nanmedian, median, nanmedian, 0)
tsr_status tsr_nanmedian(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                         tsr_tensor *out) {
  return TSR__CALL(nanmedian, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axes = axes, .axes_count = naxes,
                   .keepdims = keepdims);
}
