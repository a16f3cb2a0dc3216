/* One element at a time, checked. */
#include "core/check.h"
#include "core/order.h"
#include "ops/cast/convert.h"
#include "ops/parts.h"

#include <string.h>
#include <tessera/elements.h>

static tsr_status locate(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int n, const tsr_index *index, char **at) {
  const tsr_status st = tsr__check_input(ctx, op, "t", t);
  if (st != TSR_OK) return st;
  if (n != t->ndim || (n > 0 && index == NULL))
    return TSR__FAIL(ctx, TSR_EARG, op, "index", "has %d numbers, %t needs %d", n, t, (int)t->ndim);
  tsr_index offset = 0;
  for (int i = 0; i < n; i++) {
    const tsr_index resolved = index[i] < 0 ? index[i] + t->shape[i] : index[i];
    if (resolved < 0 || resolved >= t->shape[i])
      return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "%l is out of range for axis %d of %t", (int64_t)index[i], i, t);
    offset += resolved * t->stride[i];
  }
  *at = (char *)t->data + (ptrdiff_t)offset * (ptrdiff_t)tsr_dtype_size(t->dtype);
  return TSR_OK;
}

static tsr_status check_writable(tsr_ctx *ctx, const char *op, const tsr_tensor *t) {
  if ((t->flags & TSR_READONLY) == 0) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EREADONLY, op, "t", "%t is read-only", t);
}

static tsr_status store_real(tsr_ctx *ctx, const char *op, const tsr_tensor *t, tsr_real value, char *at) {
  unsigned char element[16];
  tsr_status st = check_writable(ctx, op, t);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "value", t->dtype, value, element);
  if (st == TSR_OK) memcpy(at, element, tsr_dtype_size(t->dtype));
  return st;
}

tsr_status tsr_get(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index, tsr_real *value) {
  char *at = NULL;
  if (value == NULL) return TSR__FAIL(ctx, TSR_EARG, "get", "value", "is NULL");
  const tsr_status st = locate(ctx, "get", t, n, index, &at);
  return st == TSR_OK ? tsr__scalar_to_real(ctx, "get", t->dtype, at, value) : st;
}

tsr_status tsr_set(tsr_ctx *ctx, tsr_tensor *t, int n, const tsr_index *index, tsr_real value) {
  char *at = NULL;
  const tsr_status st = locate(ctx, "set", t, n, index, &at);
  return st == TSR_OK ? store_real(ctx, "set", t, value, at) : st;
}

tsr_status tsr_get_complex(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index, tsr_complex *value) {
  static const char op[] = "get_complex";
  char *at = NULL;
  tsr_complex both = {0, 0};
  if (value == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "value", "is NULL");
  tsr_status st = locate(ctx, op, t, n, index, &at);
  if (st != TSR_OK) return st;
  const int part = tsr__part_dtype(t->dtype);
  st = tsr__scalar_to_real(ctx, op, part, at, &both.re);
  if (st == TSR_OK && part != t->dtype) st = tsr__scalar_to_real(ctx, op, part, at + tsr_dtype_size(part), &both.im);
  if (st == TSR_OK) *value = both;
  return st;
}

tsr_status tsr_set_complex(tsr_ctx *ctx, tsr_tensor *t, int n, const tsr_index *index, tsr_complex value) {
  static const char op[] = "set_complex";
  char *at = NULL;
  unsigned char element[16];
  tsr_status st = locate(ctx, op, t, n, index, &at);
  if (st == TSR_OK) st = check_writable(ctx, op, t);
  if (st == TSR_OK) st = tsr__scalar_from_complex(ctx, op, "value", t->dtype, value, element);
  if (st == TSR_OK) memcpy(at, element, tsr_dtype_size(t->dtype));
  return st;
}

tsr_status tsr_get_i64(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index, int64_t *value) {
  char *at = NULL;
  if (value == NULL) return TSR__FAIL(ctx, TSR_EARG, "get_i64", "value", "is NULL");
  const tsr_status st = locate(ctx, "get_i64", t, n, index, &at);
  return st == TSR_OK ? tsr__scalar_to_i64(ctx, "get_i64", t->dtype, at, value) : st;
}

tsr_status tsr_set_i64(tsr_ctx *ctx, tsr_tensor *t, int n, const tsr_index *index, int64_t value) {
  static const char op[] = "set_i64";
  char *at = NULL;
  unsigned char element[16];
  tsr_status st = locate(ctx, op, t, n, index, &at);
  if (st == TSR_OK) st = check_writable(ctx, op, t);
  if (st == TSR_OK) st = tsr__scalar_from_i64(ctx, op, "value", t->dtype, value, element);
  if (st == TSR_OK) memcpy(at, element, tsr_dtype_size(t->dtype));
  return st;
}

/* ---- by number ---- */

static tsr_status locate_flat(tsr_ctx *ctx, const char *op, const tsr_tensor *t, tsr_index offset, tsr_order order,
                              char **at) {
  tsr_status st = tsr__check_input(ctx, op, "t", t);
  if (st == TSR_OK) st = tsr__check_order(ctx, op, order);
  if (st != TSR_OK) return st;
  if (offset < 0 || offset >= tsr_size(t))
    return TSR__FAIL(ctx, TSR_EINDEX, op, "offset", "%l is out of range for the %l element%s of %t", (int64_t)offset,
                     (int64_t)tsr_size(t), tsr_size(t) == 1 ? "" : "s", t);
  const tsr_tensor ordered = tsr__in_order(t, order, NULL);
  tsr_index position = 0;
  for (int i = ordered.ndim - 1; i >= 0; i--) {
    position += offset % ordered.shape[i] * ordered.stride[i];
    offset /= ordered.shape[i];
  }
  *at = (char *)ordered.data + (ptrdiff_t)position * (ptrdiff_t)tsr_dtype_size(t->dtype);
  return TSR_OK;
}

tsr_status tsr_flat(tsr_ctx *ctx, const tsr_tensor *t, tsr_index offset, tsr_order order, void **element) {
  char *at = NULL;
  if (element == NULL) return TSR__FAIL(ctx, TSR_EARG, "flat", "element", "is NULL");
  const tsr_status st = locate_flat(ctx, "flat", t, offset, order, &at);
  if (st == TSR_OK) *element = at;
  return st;
}

tsr_status tsr_get_flat(tsr_ctx *ctx, const tsr_tensor *t, tsr_index offset, tsr_order order, tsr_real *value) {
  char *at = NULL;
  if (value == NULL) return TSR__FAIL(ctx, TSR_EARG, "get_flat", "value", "is NULL");
  const tsr_status st = locate_flat(ctx, "get_flat", t, offset, order, &at);
  return st == TSR_OK ? tsr__scalar_to_real(ctx, "get_flat", t->dtype, at, value) : st;
}

tsr_status tsr_set_flat(tsr_ctx *ctx, tsr_tensor *t, tsr_index offset, tsr_order order, tsr_real value) {
  char *at = NULL;
  const tsr_status st = locate_flat(ctx, "set_flat", t, offset, order, &at);
  return st == TSR_OK ? store_real(ctx, "set_flat", t, value, at) : st;
}
