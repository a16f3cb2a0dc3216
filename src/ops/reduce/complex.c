/* Reductions of complex numbers: the engine reduces real ones, parts or absolute values; a product is made by halves. */
#include "ops/reduce/ops.h"
#include "ops/reduce/real.h"

#if TSR_HAVE_COMPLEX
#include "core/dtype/wide.h"
#include "cpu/parallel.h"
#include "ops/binary/binary.h"
#include "ops/copy/copy.h"
#include "ops/parts.h"
#include "ops/unary/unary.h"

/* A call of complex numbers. */
typedef struct reducing {
  const tsr__reduce_op *op;
  int naxes;
  const int *axes;
  tsr__reduce_terms terms; /* of the attributes */
  bool with_power;
  tsr__reduce r; /* its axes and its result */
  tsr__reduce_frame frame;
} reducing;

/* An op over a real tensor of x's shape. */
static tsr_status begin_real(tsr__call *call, const reducing *c, const tsr__reduce_op *op, const tsr_tensor *x,
                             tsr__reduce *r) {
  const tsr_status st = tsr__reduce_begin_as(call->ctx, call->op, op, x, c->naxes, c->axes, c->r.keepdims, r);
  r->terms.ddof = c->terms.ddof;
  r->terms.power = c->terms.power;
  r->with_power = c->with_power;
  return st;
}

/* ---- both parts ---- */

/* Runs r over both parts, into those of out, in memory. */
static void run_parts(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *x, const tsr_tensor *first,
                      const tsr_tensor *second, void *memory) {
  const tsr_tensor *const out[] = {first, second};
  for (int part = 0; part < 2; part++) {
    const tsr_tensor from = tsr__part_of(x, part);
    tsr__reduce one = *r;
    one.x = &from;
    tsr__reduce_into(ctx, &one, out[part], memory);
  }
}

static tsr_status by_parts(tsr__call *call, reducing *c) {
  const tsr_tensor x = tsr__part_of(call->in[0], 0);
  tsr__reduce r;
  void *memory;
  tsr_status st = begin_real(call, c, c->op, &x, &r);
  if (st == TSR_OK) st = tsr__reduce_output(call, &c->r, &c->frame);
  if (st != TSR_OK) return st;
  const tsr_tensor real = tsr__part_of(call->out[0], 0);
  st = tsr__call_scratch(call, tsr__reduce_bytes(call->ctx, &r, &real), &memory);
  if (st == TSR_OK) st = tsr__reduce_start(call, &c->r, &c->frame);
  if (st != TSR_OK) return st;
  const tsr_tensor imaginary = tsr__part_of(call->out[0], 1);
  run_parts(call->ctx, &r, c->frame.r.x, &real, &imaginary, memory);
  return TSR_OK;
}

/* ---- what is made of both parts ---- */

static void add_parts(const tsr__reduce_op *op, const tsr_tensor *sums, const tsr_tensor *others) {
  tsr__reduce_real *const a = sums->data;
  const tsr__reduce_real *const b = others->data;
  for (tsr_index i = 0; i < tsr_size(sums); i++) {
    a[i] += b[i];
    if (op->complex_way == TSR__COMPLEX_ROOT) a[i] = tsr__reduce_root(a[i] + (tsr__reduce_real)0);
  }
}

static tsr_status make_two(tsr__call *call, const reducing *c, tsr_tensor *first, tsr_tensor *second) {
  size_t bytes;
  void *memory;
  *first = *second = tsr__reduce_result_as(&c->r, TSR__REDUCE_REAL);
  if (!tsr__mul_size((size_t)tsr_size(first), 2 * sizeof(tsr__reduce_real), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "x", "%t: the results do not fit the address space", c->r.x);
  const tsr_status st = tsr__call_scratch(call, bytes, &memory);
  if (st != TSR_OK) return st;
  first->data = memory;
  second->data = (char *)memory + bytes / 2;
  return TSR_OK;
}

static tsr_status added(tsr__call *call, reducing *c) {
  const tsr_tensor x = tsr__part_of(call->in[0], 0);
  tsr_tensor first, second;
  tsr__reduce r;
  void *memory;
  tsr_status st = begin_real(call, c, c->op->of_parts, &x, &r);
  r.out_dtype = TSR__REDUCE_REAL;
  if (st == TSR_OK) st = tsr__reduce_result(call, &c->r, &c->frame);
  if (st == TSR_OK) st = make_two(call, c, &first, &second);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr__reduce_bytes(call->ctx, &r, &first), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  run_parts(call->ctx, &r, call->in[0], &first, &second, memory);
  add_parts(c->op, &first, &second);
  if (tsr_size(&first) > 0) tsr__copy_no_alias(call->ctx, &first, call->out[0]);
  return TSR_OK;
}

/* ---- absolute values ---- */

static void take_sizes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *sizes) {
  static tsr__row_fn *const *const tables[] = TSR__KERNELS_OF(abs);
  static const char *const names[] = {"x"};
  const tsr__elementwise e = {.op = op,
                              .inputs = 1,
                              .in = {x},
                              .compute = x->dtype,
                              .result = sizes->dtype,
                              .out_dtype = sizes->dtype,
                              .kernel = tables[tsr__isa_of(ctx)][x->dtype],
                              .grain = TSR__GRAIN_LIGHT};
  tsr_tensor to = *sizes;
  TSR_IGNORE(tsr__elementwise_run(ctx, &e, names, &to)); /* nothing overlaps, and the output is given */
}

static tsr_status of_sizes(tsr__call *call, reducing *c) {
  const tsr_tensor *const x = call->in[0];
  tsr_tensor sizes = tsr__part_of(x, 0);
  tsr__reduce r;
  void *memory;
  size_t bytes;
  tsr__strides_for(sizes.ndim, sizes.shape, TSR_ROW_MAJOR, sizes.stride);
  sizes.storage = NULL;
  tsr_status st = begin_real(call, c, c->op, &sizes, &r);
  if (st == TSR_OK && c->op->some) st = tsr__reduce_check_some(call->ctx, &c->r);
  if (st == TSR_OK) st = tsr__reduce_result(call, &c->r, &c->frame);
  if (st == TSR_OK && !tsr__mul_size((size_t)tsr_size(x), tsr__item_sizes[sizes.dtype], &bytes))
    st = TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "x", "a copy of %t does not fit the address space", x);
  if (st == TSR_OK) st = tsr__call_scratch(call, bytes, &sizes.data);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr__reduce_bytes(call->ctx, &r, call->out[0]), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  if (tsr_size(x) > 0) take_sizes(call->ctx, call->op, x, &sizes);
  tsr__reduce_into(call->ctx, &r, call->out[0], memory);
  return TSR_OK;
}

/* ---- products ---- */

/* x with the reduced axes behind the others. */
static tsr_tensor reduced_last(const tsr__reduce *r) {
  tsr_tensor view = *r->x;
  int n = 0;
  for (int reduced = 0; reduced < 2; reduced++)
    for (int i = 0; i < r->x->ndim; i++) {
      if ((int)(r->axes >> i & 1) != reduced) continue;
      view.shape[n] = r->x->shape[i];
      view.stride[n++] = r->x->stride[i];
    }
  view.layout = TSR_PLAIN;
  view.flags = 0;
  return view;
}

typedef struct product {
  tsr__row_fn *kernel;
  char *rows; /* of contiguous elements, an output each */
  ptrdiff_t item, row;
  tsr_index count;
} product;

/* The first half of what is left times the second, until one is left: the order is that of the indices alone. */
static void multiply_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const product *const p = arg;
  const ptrdiff_t next[] = {p->row, p->row, p->row}, step[] = {p->item, p->item, p->item};
  const tsr__row_args args = {.count = end - begin, .next = next};
  char *const first = p->rows + (ptrdiff_t)begin * p->row;
  (void)worker;
  for (tsr_index left = p->count; left > 1; left -= left / 2) {
    const tsr_index half = left / 2;
    p->kernel(&args, half, (char *const[]){first, first, first + (ptrdiff_t)(left - half) * p->item}, step);
  }
}

static tsr_status of_product(tsr__call *call, reducing *c) {
  static tsr__row_fn *const *const tables[] = TSR__KERNELS_OF(mul);
  const tsr_tensor *const x = call->in[0];
  const tsr_tensor view = reduced_last(&c->r);
  const ptrdiff_t item = tsr__item(x);
  const tsr_index count = c->r.terms.count;
  static const tsr__wide_c64 one_c64 = {1, 0};
#if TSR_HAVE_C128
  static const tsr__wide_c128 one_c128 = {1, 0};
  const void *const one = x->dtype == TSR_C128 ? (const void *)&one_c128 : &one_c64;
#else
  const void *const one = &one_c64;
#endif
  tsr_tensor copy;
  tsr_status st = tsr__reduce_result(call, &c->r, &c->frame);
  if (st == TSR_OK) st = tsr__call_copy_of(call, &view, &copy);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || tsr_size(call->out[0]) == 0) return st;
  if (count == 0) {
    tsr__fill_host(call->ctx, call->out[0], one);
    return TSR_OK;
  }
  tsr__move_no_alias(call->ctx, &view, &copy);
  product p = {tables[tsr__isa_of(call->ctx)][x->dtype], copy.data, item, (ptrdiff_t)count * item, count};
  tsr__parallel_for(call->ctx, tsr_size(call->out[0]), 1 + TSR__REDUCE_TASK / count, multiply_rows, &p);
  tsr_tensor products = *call->out[0];
  tsr__strides_for(products.ndim, products.shape, TSR_ROW_MAJOR, products.stride);
  for (int i = 0; i < products.ndim; i++) products.stride[i] *= count;
  products.data = copy.data;
  tsr__move_no_alias(call->ctx, &products, call->out[0]);
  return TSR_OK;
}

tsr_status tsr__reduce_complex(tsr__call *call, const tsr__reduce_op *op, int naxes, const int *axes, bool keepdims,
                               tsr__reduce_terms terms, bool with_power) {
  const tsr_tensor *const x = call->in[0];
  reducing c = {.op = op, .naxes = naxes, .axes = axes, .terms = terms, .with_power = with_power};
  const tsr_status st = tsr__reduce_begin(call->ctx, call->op, x, naxes, axes, keepdims, &c.r);
  if (st != TSR_OK) return st;
  if (tsr__call_is_asked(call)) return TSR__STOP;
  const bool is_complex = op->complex_way == TSR__COMPLEX_BY_PARTS || op->complex_way == TSR__COMPLEX_PRODUCT;
  c.r.out_dtype = is_complex ? x->dtype : tsr__part_dtype(x->dtype);
  switch (op->complex_way) {
    case TSR__COMPLEX_BY_PARTS: return by_parts(call, &c);
    case TSR__COMPLEX_PRODUCT: return of_product(call, &c);
    case TSR__COMPLEX_SIZES: return of_sizes(call, &c);
    default: return added(call, &c);
  }
}
#else
tsr_status tsr__reduce_complex(tsr__call *call, const tsr__reduce_op *op, int naxes, const int *axes, bool keepdims,
                               tsr__reduce_terms terms, bool with_power) {
  tsr__reduce r;
  (void)terms, (void)with_power;
  return tsr__reduce_begin_as(call->ctx, call->op, op, call->in[0], naxes, axes, keepdims, &r);
}
#endif
