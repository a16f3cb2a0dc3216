/* What a product checks: shapes by NumPy's rules, dtypes, attributes. */
#include <tessera/binary.h>
#include "cpu/isa_table.h"
#include "core/clear.h"
#include "core/table.h"
#include "ops/cast/convert.h"
#include "ops/matmul/gemm.h"
#include "ops/promote.h"

/* ---- shapes ---- */

static tsr_status check_batches(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b,
                                tsr__product *p) {
  const int own_a = a->ndim > 2 ? a->ndim - 2 : 0, own_b = b->ndim > 2 ? b->ndim - 2 : 0;
  p->axes = own_a > own_b ? own_a : own_b;
  p->batches = 1;
  for (int i = 0; i < p->axes; i++) {
    const int at_a = i - (p->axes - own_a), at_b = i - (p->axes - own_b);
    const tsr_index x = at_a >= 0 ? a->shape[at_a] : 1, y = at_b >= 0 ? b->shape[at_b] : 1;
    if (x != y && x != 1 && y != 1)
      return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S and b %S do not broadcast: axis %d is %l against %l",
                       (int)a->ndim, a->shape, (int)b->ndim, b->shape, i, (int64_t)x, (int64_t)y);
    p->length[i] = x == 1 ? y : x;
    if (!tsr__mul_index(p->batches, p->length[i], &p->batches))
      return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "a %S and b %S make too many matrices", (int)a->ndim, a->shape,
                       (int)b->ndim, b->shape);
  }
  return TSR_OK;
}

static tsr_status check_shapes(tsr_ctx *ctx, const char *op, tsr__gemm *g, tsr__product *p) {
  const tsr_tensor *const a = g->a, *const b = g->b;
  if (a->ndim == 0 || b->ndim == 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, a->ndim == 0 ? "a" : "b", "has rank 0: a product needs at least one axis");
  p->m = a->ndim > 1 ? a->shape[a->ndim - 2] : 1;
  p->n = b->ndim > 1 ? b->shape[b->ndim - 1] : 1;
  p->k = a->shape[a->ndim - 1];
  const tsr_index other = b->shape[b->ndim > 1 ? b->ndim - 2 : 0];
  if (p->k != other)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S and b %S do not fit: %l columns against %l rows", (int)a->ndim,
                     a->shape, (int)b->ndim, b->shape, (int64_t)p->k, (int64_t)other);
  const tsr_index most = TSR_INDEX_MAX / 64; /* so that sizes can be rounded up and become bytes */
  if (p->m > most || p->n > most || p->k > most)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "a %S and b %S are too large to multiply", (int)a->ndim, a->shape,
                     (int)b->ndim, b->shape);
  const tsr_status st = check_batches(ctx, op, a, b, p);
  if (st != TSR_OK) return st;
  int ndim = p->axes;
  for (int i = 0; i < ndim; i++) g->shape[i] = p->length[i];
  if (a->ndim > 1) g->shape[ndim++] = p->m;
  if (b->ndim > 1 && !g->drops_column) g->shape[ndim++] = p->n;
  g->result.ndim = ndim;
  g->result.shape = g->shape;
  return TSR_OK;
}

/* ---- dtypes ---- */

static tsr_class class_of(int dtype) { return (tsr_class)tsr_dtype_describe(dtype)->class_; }
static bool is_integer(int dtype) { return class_of(dtype) == TSR_CLASS_INT || class_of(dtype) == TSR_CLASS_UINT; }

static bool is_complex(int dtype) { return TSR_HAVE_COMPLEX && class_of(dtype) == TSR_CLASS_COMPLEX; }

static int sum_of(int promoted, int result) {
  if (is_complex(result)) return promoted == TSR_C128 || result == TSR_C128 ? TSR_F64 : TSR_F32;
  if (is_integer(result)) return tsr_dtype_size(result) == 8 ? TSR_I64 : TSR_I32;
  return promoted == TSR_F64 || result == TSR_F64 ? TSR_F64 : TSR_F32;
}

static tsr_status check_dtypes(tsr_ctx *ctx, const char *op, tsr__gemm *g, tsr__product *p) {
  const int a = g->a->dtype, b = g->b->dtype, promoted = tsr_dtype_promote(a, b);
  const int asked = g->options != NULL ? g->options->dtype : TSR_NONE, result = asked != TSR_NONE ? asked : promoted;
  if (!tsr_dtype_supported(a) || !tsr_dtype_supported(b))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "a is %y, b is %y: this build does not compute with one of them", a, b);
  if (!TSR_HAVE_INTEGER_PRODUCTS && (class_of(a) != TSR_CLASS_FLOAT || class_of(b) != TSR_CLASS_FLOAT))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "a is %y, b is %y: this build multiplies floats only", a, b);
  if (promoted == TSR_BOOL)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "a is %y, b is %y: only for numbers; cast one of them", a, b);
  if (is_complex(promoted) && (!TSR_HAVE_MALLOC || g->packed != NULL))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "a is %y, b is %y: only for real numbers", a, b);
  if (!tsr_dtype_supported(result) || result == TSR_BOOL || is_complex(result) != is_complex(promoted) ||
      is_integer(result) != is_integer(promoted))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %y: %y by %y gives %s", result, a, b,
                     is_complex(promoted)   ? "complex numbers"
                     : is_integer(promoted) ? "integers"
                                            : "floats");
  p->is_complex = is_complex(promoted);
  p->sum = sum_of(promoted, result);
  g->result.dtype = result;
  g->result.layout = TSR_PLAIN;
  g->result.like = NULL;
  return TSR_OK;
}

/* ---- attributes ---- */

/* c, bias or scale: broadcast to the result. */
static tsr_status check_addend(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, const tsr__gemm *g,
                               const tsr__product *p) {
  const int ndim = g->result.ndim, more = ndim - t->ndim;
#if TSR__PRODUCT_CONVERTS
  const tsr_status st = tsr__check_cast(ctx, op, t->dtype, tsr__product_dtype(p));
  if (st != TSR_OK) return st;
#endif
  if (!TSR_HAVE_INTEGER_PRODUCTS && class_of(t->dtype) != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %y: this build adds floats only", (int)t->dtype);
  if (is_integer(p->sum) && !is_integer(t->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %y: integers take integers", (int)t->dtype);
  for (int i = 0; i < t->ndim; i++)
    if (more < 0 || (t->shape[i] != 1 && t->shape[i] != g->shape[i + more]))
      return TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "%S does not broadcast to the result %S", (int)t->ndim, t->shape, ndim,
                       g->shape);
  return TSR_OK;
}

#if TSR__PRODUCT_SCALES
static tsr_status check_scale(tsr_ctx *ctx, const char *op, const tsr__gemm *g, const tsr__product *p) {
  if (p->is_complex || is_integer(p->sum))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "scale", "takes products of floats, and the result is %y", g->result.dtype);
  return check_addend(ctx, op, "scale", g->scale, g, p);
}
#else
static tsr_status check_scale(tsr_ctx *ctx, const char *op, const tsr__gemm *g, const tsr__product *p) {
  (void)g;
  (void)p;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "scale", "is for hosts");
}
#endif

static tsr_status check_options(tsr_ctx *ctx, const char *op, const tsr__gemm *g, tsr__product *p) {
  static const tsr_gemm_options none;
  const tsr_gemm_options *const options = g->options != NULL ? g->options : &none;
  p->alpha = g->alpha;
  p->beta = g->beta;
  if (is_integer(p->sum) && (p->alpha != 1 || (p->beta != 0 && p->beta != 1)))
    return TSR__FAIL(ctx, TSR_EARG, op, p->alpha != 1 ? "alpha" : "beta", "is %r: integers take %s only",
                     p->alpha != 1 ? &p->alpha : &p->beta, p->alpha != 1 ? "1" : "0 and 1");
  tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(options));
  if (st == TSR_OK && p->is_complex && options->activation.kind != NULL)
    st = TSR__FAIL(ctx, TSR_EDTYPE, op, "activation", "takes real numbers, and the result is %y", g->result.dtype);
  if (st == TSR_OK) st = tsr__activation_init(ctx, op, &options->activation, p->isa, p->sum, &p->activation);
  if (st == TSR_OK && g->bias != NULL) st = check_addend(ctx, op, "bias", g->bias, g, p);
  if (st == TSR_OK && g->scale != NULL) st = check_scale(ctx, op, g, p);
  if (st == TSR_OK && p->beta != 0 && g->c != NULL) st = check_addend(ctx, op, "c", g->c, g, p);
  return st;
}

/* Weights are packed for sums in one dtype, which the result's can ask to be another. */
static tsr_status check_panels(tsr_ctx *ctx, const char *op, const tsr__gemm *g, const tsr__product *p) {
  const int promoted = tsr_dtype_promote(g->a->dtype, g->b->dtype), own = sum_of(promoted, promoted);
  if (g->packed == NULL || p->sum == own) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %y: b was packed for sums in %y", g->result.dtype, own);
}

tsr_status tsr__gemm_check(tsr_ctx *ctx, const char *op, tsr__gemm *g, tsr__product *p) {
  const bool packed = TSR_HAVE_MALLOC && g->packed != NULL; /* with an id that is here */
  tsr__clear(p, sizeof *p);
  p->op = op;
  p->ctx = ctx;
  p->isa = packed ? tsr__isa_with_id(g->packed->isa) : tsr__isa_of(ctx);
  tsr_status st = check_shapes(ctx, op, g, p);
  if (st == TSR_OK) st = check_dtypes(ctx, op, g, p);
  if (st == TSR_OK) st = check_options(ctx, op, g, p);
  if (st == TSR_OK) st = check_panels(ctx, op, g, p);
  if (st == TSR_OK) p->kernel = tsr__gemm_kernel_for(p->isa, g->a->dtype, g->b->dtype, p->sum);
  return st;
}

/* ---- where they lie ---- */

/* The matrix of t: its last two axes; one axis is a row of a or a column of b. Batch axes stand at the end of batch, as
 * many as there are in all. */
static void bind_matrix(const tsr_tensor *t, bool is_b, int axes, const tsr_index *length, tsr__mat *m) {
  const ptrdiff_t item = tsr__item(t);
  const int last = t->ndim - 1, own = t->ndim > 2 ? t->ndim - 2 : 0;
  m->data = t->data;
  m->dtype = t->dtype;
  m->row = t->ndim > 1 ? (ptrdiff_t)t->stride[last - 1] * item : is_b ? (ptrdiff_t)t->stride[0] * item : 0;
  m->col = t->ndim > 1 || !is_b ? (ptrdiff_t)t->stride[last] * item : 0;
  for (int i = 0; i < axes; i++) {
    const int at = i - (axes - own);
    m->batch[i] = at >= 0 && t->shape[at] == length[i] ? (ptrdiff_t)t->stride[at] * item : 0;
  }
}

/* c, bias or scale, whose last axis is the result's; *m is 0. */
static void bind_addend(const tsr_tensor *t, const tsr__gemm *g, const tsr__product *p, tsr__mat *m) {
  const int row = p->axes, col = p->axes + (g->a->ndim > 1), more = g->result.ndim - t->ndim;
  m->data = t->data;
  m->dtype = t->dtype;
  for (int i = 0; i < t->ndim; i++) {
    const ptrdiff_t step = t->shape[i] == 1 ? 0 : (ptrdiff_t)t->stride[i] * tsr__item(t);
    *(i + more == col ? &m->col : i + more == row ? &m->row : &m->batch[i + more]) = step;
  }
}

void tsr__gemm_bind(const tsr__gemm *g, tsr__product *p) {
  bind_matrix(g->a, false, p->axes, p->length, &p->a);
  bind_matrix(g->b, true, p->axes, p->length, &p->b);
  if (g->bias != NULL) bind_addend(g->bias, g, p, &p->bias);
#if TSR__PRODUCT_SCALES
  if (g->scale != NULL) bind_addend(g->scale, g, p, &p->scale);
#endif
  if (p->beta != 0 && g->c != NULL) bind_addend(g->c, g, p, &p->c);
  p->panels = g->packed != NULL && p->k > 0 ? g->panels : NULL; /* of no rows there are no bytes to read */
}
