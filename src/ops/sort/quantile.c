/* tsr_quantile and its kin: the elements around a place of the sorted order, selected, and what lies between them. */
#include "core/operand.h"
#include "ops/sort/lines.h"
#include "ops/sort/radix.h"
#include "ops/sort/select.h"

#include "cpu/isa.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/promote.h"

#include <math.h>
#include <string.h>
#include <tessera/reduce.h>
#include <tessera/sort.h>

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)
#if TSR_REAL_BITS == 64
#define FLOOR floor
#define RINT rint
#else
#define FLOOR floorf
#define RINT rintf
#endif

typedef struct quantile {
  tsr__keys         keys;
  tsr_interpolation mode;
  int               isa, dtype, out_dtype, count;
  const tsr_real   *q;
  bool              skip_nan;
} quantile;

/* The place of q among n sorted elements: an element, and how far it is from there to the next. */
typedef struct place {
  tsr_index at;
  tsr_real  part;
} place;

static place place_of(const quantile *u, tsr_real q, tsr_index n) {
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
static void element_of(const quantile *u, uint64_t key, void *element) {
  switch (u->keys.bytes) {
    case 1: tsr__keys_values(&u->keys, 1, &(tsr__key8){(tsr__key8)key}, element); return;
    case 2: tsr__keys_values(&u->keys, 1, &(tsr__key16){(tsr__key16)key}, element); return;
    case 4: tsr__keys_values(&u->keys, 1, &(tsr__key32){(tsr__key32)key}, element); return;
    default: tsr__keys_values(&u->keys, 1, &(tsr__key64){key}, element);
  }
}

static tsr_real real_of(const quantile *u, uint64_t key) {
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

static void store(const quantile *u, uint64_t low, uint64_t high, tsr_real part, char *out) {
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
static uint64_t low_and_high(const quantile *u, tsr_index n, const char *keys, bool sorted, place p, char *room,
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
static tsr_index count_nan(const quantile *u, tsr_index n, const char *keys) {
  const uint64_t nan = UINT64_MAX >> (64 - 8 * u->keys.bytes);
  tsr_index      count = 0;
  for (tsr_index i = 0; u->keys.floats && i < n; i++) count += tsr__key_at(u->keys.bytes, keys, i) == nan;
  return count;
}

/* Bytes for counting. */
static size_t counting(const quantile *u, tsr_index n) {
  const size_t tables = tsr__sort_tables(u->keys.bytes, n);
  return u->count <= 2 || tables < TSR__SELECT_BYTES ? TSR__SELECT_BYTES : tables;
}

static void quantile_line(const tsr__lines *l, char *const *at, char *memory) {
  const quantile *const u = l->arg;
  const tsr_index n = l->length;
  const bool      sorted = u->count > 2;
  size_t *const   counts = (size_t *)(void *)memory;
  char           *keys = memory + counting(u, n), *const room = keys + (size_t)n * (size_t)u->keys.bytes;
  const bool      special = tsr__keys_fetch(&u->keys, n, at[0], l->step[0], keys);
  const tsr_index nans = special ? count_nan(u, n, keys) : 0;
  const bool      nan = nans > 0 && (!u->skip_nan || nans == n);
  if (sorted && !nan) keys = tsr__sort_keys(u->keys.bytes, n, keys, room, counts);
  for (int i = 0; i < u->count; i++) {
    char *const out = at[1] + l->step[1] * (ptrdiff_t)i;
    uint64_t    high;
    if (nan) {
      const tsr_real value = (tsr_real)NAN;
      tsr__convert_row(u->isa, REAL_DTYPE, u->out_dtype, 1, (const char *)&value, 0, out, 0);
      continue;
    }
    const place    p = place_of(u, u->q[i], n - nans);
    const uint64_t low = low_and_high(u, n, keys, sorted, p, room, counts, &high);
    store(u, low, high, p.part, out);
  }
}

/* ---- the call ---- */

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int count, const tsr_real *q, int *axis,
                        tsr_interpolation mode, const tsr_tensor *out) {
  tsr_status st = tsr__lines_check(ctx, op, "x", x);
  if (st == TSR_OK && *axis != TSR_ALL_AXES) st = tsr__check_axis(ctx, op, "axis", *axis, x->ndim, axis);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (count < 0 || (count > 0 && q == NULL)) return TSR__FAIL(ctx, TSR_EARG, op, "q", "is %d numbers, or NULL", count);
  for (int i = 0; i < count; i++)
    if (!(q[i] >= 0 && q[i] <= 1))
      return TSR__FAIL(ctx, TSR_EARG, op, "q", "number %d is %r, not from 0 to 1", i, &q[i]);
  if ((unsigned)mode > TSR_INTERPOLATE_NEAREST)
    return TSR__FAIL(ctx, TSR_EARG, op, "mode", "%d is no interpolation", (int)mode);
  if ((*axis == TSR_ALL_AXES ? tsr_size(x) : x->shape[*axis]) == 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "%t has no elements to take a quantile of", x);
  return TSR_OK;
}

/* Elements are taken as they are where nothing is computed; else the dtypes of tsr_mean. */
static int dtype_of(int dtype, tsr_interpolation mode) {
  const bool exact = mode != TSR_INTERPOLATE_LINEAR && mode != TSR_INTERPOLATE_MIDPOINT;
  return exact ? dtype : tsr__float_of(dtype);
}

/* The shape of the result, and which of its axes lines do not count. */
static void describe(tsr__lines_out *o, const tsr_tensor *x, bool list, tsr_index count, int axis, bool keepdims,
                     tsr_index *shape) {
  int ndim = 0;
  if (list) shape[ndim++] = count;
  o->dropped = list ? 1u : 0u;
  o->along = list ? 0 : -1;
  for (int i = 0; i < x->ndim; i++) {
    const bool gone = axis == TSR_ALL_AXES || i == axis;
    if (gone && !keepdims) continue;
    if (gone) o->dropped |= 1u << ndim;
    shape[ndim++] = gone ? 1 : x->shape[i];
  }
  o->result.ndim = ndim;
  o->result.shape = shape;
}

/* x as one line: as it lies where it has no gaps, else a copy. */
static tsr_status flatten(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr__scratch *scratch, tsr_tensor *flat) {
  tsr_status st = TSR_OK;
  *flat = *x;
  if (!tsr_is_contiguous(x, TSR_ROW_MAJOR)) st = tsr__copy_to_scratch(ctx, op, x, scratch, flat);
  flat->ndim = 1;
  flat->shape[0] = tsr_size(x);
  flat->stride[0] = 1;
  return st;
}

static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, bool list, int count, const tsr_real *q,
                      int axis, bool keepdims, tsr_interpolation mode, bool skip_nan, tsr_tensor *out) {
  tsr_index    shape[TSR_MAX_DIMS + 1];
  tsr__scratch scratch = {0};
  tsr_tensor   flat;
  tsr_status   st = check(ctx, op, x, count, q, &axis, mode, out);
  if (st != TSR_OK) return st;
  const int      dtype = x->dtype;
  const quantile u = {tsr__keys_of(dtype, false), mode, tsr__isa_of(ctx), dtype, dtype_of(dtype, mode), count, q,
                      skip_nan};
  tsr__lines     l = {.op = op, .run = quantile_line, .arg = &u, .count = 1};
  l.outputs[0] = (tsr__lines_out){.result = {.dtype = u.out_dtype, .layout = TSR_PLAIN}, .name = "out", .out = out};
  describe(&l.outputs[0], x, list, count, axis, keepdims, shape);
  st = tsr__output_check(ctx, op, &l.outputs[0].result, out);
  if (st != TSR_OK) return st;
  if (axis == TSR_ALL_AXES) {
    st = flatten(ctx, op, x, &scratch, &flat);
    x = &flat;
    axis = 0;
  }
  l.elements = st == TSR_OK ? x->shape[axis] : 0;
  l.each = 2 * (size_t)u.keys.bytes;
  l.more = counting(&u, l.elements);
  if (st == TSR_OK) st = tsr__lines_run(ctx, &l, x, axis);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr_quantile(tsr_ctx *ctx, const tsr_tensor *x, tsr_real q, int axis, bool keepdims, tsr_interpolation mode,
                        tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "quantile", x, false, 1, &q, axis, keepdims, mode, false, out);
}

tsr_status tsr_quantiles(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_real *q, int axis, bool keepdims,
                         tsr_interpolation mode, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "quantiles", x, true, count, q, axis, keepdims, mode, false, out);
}

tsr_status tsr_median(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  const tsr_real half = (tsr_real)0.5;
  return run(ctx, "median", x, false, 1, &half, axis, keepdims, TSR_INTERPOLATE_LINEAR, false, out);
}

tsr_status tsr_nanquantile(tsr_ctx *ctx, const tsr_tensor *x, tsr_real q, int axis, bool keepdims,
                           tsr_interpolation mode, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "nanquantile", x, false, 1, &q, axis, keepdims, mode, true, out);
}

tsr_status tsr_nanmedian(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  const tsr_real half = (tsr_real)0.5;
  return run(ctx, "nanmedian", x, false, 1, &half, axis, keepdims, TSR_INTERPOLATE_LINEAR, true, out);
}
