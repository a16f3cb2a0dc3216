/* Sums of products by label, as the host orders them (ops/einsum): what one operand has alone is summed first, then two terms become one
 * until one is left. A product of two is a product of matrices, or of elements where nothing is summed. Complex numbers are the host's. */
#include "cuda/engines/engines.h"
#include "cuda/engines/product.h"
#include "cuda/engines/reduce.h"
#include "cuda/lines.h"

#include "ops/einsum/einsum.h"
#include "ops/einsum/ops.h"
#include "ops/parts.h"
#include "ops/promote.h"

#include <tessera/binary.h>
#include <tessera/view.h>

/* A tensor with a label for each axis. */
typedef struct term {
  tsr__cuda_view v;
  uint8_t label[TSR_MAX_DIMS];
} term;

typedef struct summing {
  tsr__cuda *gpu;
  const tsr_work *work;
  tsr__cuda_plan *plan;
  tsr__einsum e;
  term of[TSR_EINSUM_OPERANDS];
  term out;
} summing;

/* ---- labels ---- */

static tsr__labels labels_of(const term *x) {
  tsr__labels set = 0;
  for (int i = 0; i < x->v.tensor.ndim; i++) set |= tsr__label_bit(x->label[i]);
  return set;
}

static bool has(tsr__labels set, int label) { return (set & tsr__label_bit(label)) != 0; }

/* Appends the axes of x whose labels are in set, in x's order. */
static void append(const term *x, tsr__labels set, term *to) {
  tsr_tensor *const t = &to->v.tensor;
  for (int i = 0; i < x->v.tensor.ndim; i++) {
    if (!has(set, x->label[i])) continue;
    t->shape[t->ndim] = x->v.tensor.shape[i];
    t->stride[t->ndim] = x->v.tensor.stride[i];
    to->label[t->ndim++] = x->label[i];
  }
}

/* x with its axes in the order of some sets. */
static term arranged(const term *x, int sets, const tsr__labels *set) {
  term y = *x;
  y.v.tensor.ndim = 0;
  for (int i = 0; i < sets; i++) append(x, set[i], &y);
  return y;
}

/* x seen with the axes of like: repeated where it has none. */
static tsr__cuda_view seen_as(const term *x, const term *like) {
  tsr__cuda_view v = x->v;
  v.tensor.ndim = like->v.tensor.ndim;
  for (int i = 0; i < like->v.tensor.ndim; i++) {
    v.tensor.shape[i] = like->v.tensor.shape[i];
    v.tensor.stride[i] = 0;
    for (int k = 0; k < x->v.tensor.ndim; k++)
      if (x->label[k] == like->label[i]) v.tensor.stride[i] = x->v.tensor.stride[k];
  }
  return v;
}

/* A term of temporary memory. */
static term made(const summing *s, int dtype, const term *like) {
  term x = *like;
  x.v = tsr__cuda_temporary(s->plan, dtype, like->v.tensor.ndim, like->v.tensor.shape);
  return x;
}

/* ---- steps ---- */

static tsr_status sum_into(const summing *s, const term *x, tsr__labels gone, const term *to) {
  const tsr__labels sets[2] = {labels_of(to), gone};
  const term from = arranged(x, 2, sets);
  const int kept = to->v.tensor.ndim;
  uint32_t axes = 0;
  term ordered = *to; /* axes of both in one order */
  ordered.v.tensor.ndim = 0;
  for (int i = 0; i < kept; i++) append(to, tsr__label_bit(from.label[i]), &ordered);
  for (int i = kept; i < from.v.tensor.ndim; i++) axes |= 1u << i;
  return tsr__cuda_plan_sum(s->gpu, s->work->ctx, &from.v, axes, x->v.tensor.dtype == TSR_BOOL, &ordered.v, s->plan);
}

static tsr_status multiply_elements(const summing *s, const term *x, const term *y, const term *z) {
  static const char makers[2];
  const int dtype = tsr_dtype_promote(x->v.tensor.dtype, y->v.tensor.dtype);
  const uint8_t compute = (uint8_t)tsr__compute_of(dtype);
  const bool truth = dtype == TSR_BOOL;
  const tsr__cuda_view a = seen_as(x, z), b = seen_as(y, z);
  tsr__cuda_elements e = {.maker = &makers[truth], .out = z->v};
  tsr__cuda_add_view(&e, &a);
  tsr__cuda_add_view(&e, &b);
  if (tsr__is_complex(dtype)) {
    const tsr__dtypes dtypes = {dtype, dtype, dtype};
    e.maker = &tsr__cuda_line_of[TSR__LINE_mul];
    tsr__cuda_add_step(&e.lines, e.maker, &dtypes, 2, (const int[]){0, 1});
    return tsr__cuda_plan_elements(s->gpu, s->work->ctx, &e, s->plan);
  }
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = truth ? "a & b" : "a * b",
                                          .inputs = 2,
                                          .in = {0, 1},
                                          .dtype = {compute, compute},
                                          .compute = compute,
                                          .integers = truth ? TSR__CUDA_OWN : TSR__CUDA_WRAPPING,
                                          .result = compute,
                                          .out = z->v.tensor.dtype};
  return tsr__cuda_plan_elements(s->gpu, s->work->ctx, &e, s->plan);
}

/* Axes from … to - 1 as one: how many elements, and how far apart; false where they are not evenly so. */
static bool merged(const tsr_tensor *t, int from, int to, int64_t *length, int64_t *step) {
  *length = 1;
  *step = from < to ? t->stride[to - 1] : 1;
  for (int d = to - 1; d >= from; d--) {
    if (t->stride[d] != *step * *length) return false;
    *length *= t->shape[d];
  }
  return true;
}

/* (batches, first, second) of x as matrices; copied where one of the two groups is not one axis. */
static tsr_status matrix_of(const summing *s, const term *x, tsr__labels batch, tsr__labels first, tsr__labels second,
                            tsr__cuda_matrix *m, int64_t *rows, int64_t *cols) {
  const tsr__labels sets[3] = {batch, first, second}, head[2] = {batch, first};
  term a = arranged(x, 3, sets);
  const int batches = arranged(x, 1, sets).v.tensor.ndim, to = arranged(x, 2, head).v.tensor.ndim;
  tsr_status st = TSR_OK;
  for (int round = 0; round < 2; round++) {
    const tsr_tensor *const t = &a.v.tensor;
    if (merged(t, batches, to, rows, &m->row) && merged(t, to, t->ndim, cols, &m->col)) break;
    const term copy = made(s, t->dtype, &a);
    st = tsr__cuda_plan_cast(s->gpu, s->work->ctx, &a.v, &copy.v, s->plan);
    if (st != TSR_OK) return st;
    a = copy;
  }
  m->ref = a.v.ref;
  m->address = tsr__cuda_place_of(&a.v);
  m->dtype = a.v.tensor.dtype;
  for (int i = 0; i < batches; i++) m->batch[i] = a.v.tensor.stride[i];
  return st;
}

static tsr_status multiply_matrices(const summing *s, const term *x, const term *y, const term *z) {
  const tsr__labels in_x = labels_of(x), in_y = labels_of(y), in_z = labels_of(z), batch = in_x & in_y & in_z,
                    summed = in_x & in_y & ~in_z;
  const tsr__labels sets[3] = {batch, in_x & ~in_y, in_y & ~in_x};
  tsr__cuda_product p = {.m = 1};
  int64_t deep = 1;
  /* batches in the order of x, for both */
  term like = arranged(x, 1, sets), right = *y;
  right.v.tensor.ndim = 0;
  for (int i = 0; i < like.v.tensor.ndim; i++) append(y, tsr__label_bit(like.label[i]), &right);
  const int batches = right.v.tensor.ndim;
  append(y, ~batch, &right);
  tsr_status st = matrix_of(s, x, batch, sets[1], summed, &p.a, &p.m, &p.k);
  if (st == TSR_OK) st = matrix_of(s, &right, batch, summed, sets[2], &p.b, &deep, &p.n);
  if (st != TSR_OK) return st;
  p.axes = batches;
  for (int i = 0; i < batches; i++) p.length[i] = like.v.tensor.shape[i];
  append(x, sets[1], &like);
  append(y, sets[2], &like);
  const term product = made(s, tsr__cuda_sum_dtype(tsr_dtype_promote(p.a.dtype, p.b.dtype)), &like);
  st = tsr__cuda_plan_product(s->gpu, s->work->ctx, &p, &product.v, s->plan);
  const tsr__cuda_view result = seen_as(&product, z);
  return st == TSR_OK ? tsr__cuda_plan_cast(s->gpu, s->work->ctx, &result, &z->v, s->plan) : st;
}

/* The sums along the summed axes must be taken in one order by both: y's are put in x's. */
static term in_order_of(const term *y, const term *x, tsr__labels summed) {
  term z = *y;
  z.v.tensor.ndim = 0;
  append(y, ~summed, &z);
  for (int i = 0; i < x->v.tensor.ndim; i++)
    if (has(summed, x->label[i])) append(y, tsr__label_bit(x->label[i]), &z);
  return z;
}

static tsr_status multiply(const summing *s, const term *x, const term *y, const term *z) {
  const tsr__labels summed = labels_of(x) & labels_of(y) & ~labels_of(z);
  if (summed == 0) return multiply_elements(s, x, y, z);
  const term other = in_order_of(y, x, summed);
  return multiply_matrices(s, x, &other, z);
}

/* ---- the order of steps ---- */

static tsr_status sum_alone(summing *s, int k) {
  term *const x = &s->of[k];
  tsr__labels wanted = s->e.wanted, gone;
  for (int i = 0; i < s->e.terms; i++)
    if (i != k) wanted |= labels_of(&s->of[i]);
  gone = labels_of(x) & ~wanted;
  if (gone == 0) return TSR_OK;
  const tsr__labels kept = ~gone;
  const term shape = arranged(x, 1, &kept), to = made(s, s->e.work, &shape);
  const tsr_status st = sum_into(s, x, gone, &to);
  *x = to;
  return st;
}

static tsr_status multiply_two(summing *s) {
  tsr__labels have[TSR_EINSUM_OPERANDS], wanted = s->e.wanted;
  int first = 0, second = 1;
  for (int i = 0; i < s->e.terms; i++) have[i] = labels_of(&s->of[i]);
  if (!tsr__einsum_order(&s->e, s->e.terms, have, wanted, &first, &second))
    return TSR__FAIL(s->work->ctx, TSR_EUNSUPPORTED, s->work->op, NULL,
                     "every product of two of %d operands has more than %d labels", s->e.terms, TSR_MAX_DIMS);
  for (int i = 0; i < s->e.terms; i++)
    if (i != first && i != second) wanted |= have[i];
  const tsr__labels both = have[first] & have[second] & wanted, rest = wanted & ~both;
  term like = arranged(&s->of[first], 2, (const tsr__labels[]){both, rest});
  append(&s->of[second], rest & ~have[first], &like);
  const term z = made(s, s->e.work, &like);
  const tsr_status st = multiply(s, &s->of[first], &s->of[second], &z);
  s->of[first] = z;
  s->e.terms--;
  for (int i = second; i < s->e.terms; i++) s->of[i] = s->of[i + 1];
  return st;
}

static tsr_status take_steps(summing *s) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < s->e.terms && st == TSR_OK; k++) {
    st = tsr__cuda_unaliased(s->gpu, s->work->ctx, &s->out.v, &s->of[k].v, s->plan);
    if (st == TSR_OK && s->e.terms > 1) st = sum_alone(s, k);
  }
  while (st == TSR_OK && s->e.terms > 2) st = multiply_two(s);
  if (st != TSR_OK) return st;
  if (s->e.terms == 2) return multiply(s, &s->of[0], &s->of[1], &s->out);
  const tsr__labels gone = labels_of(&s->of[0]) & ~labels_of(&s->out);
  if (gone != 0) return sum_into(s, &s->of[0], gone, &s->out);
  const tsr__cuda_view view = seen_as(&s->of[0], &s->out);
  return tsr__cuda_plan_cast(s->gpu, s->work->ctx, &view, &s->out.v, s->plan);
}

/* ---- calls ---- */

static void begin(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_plan *plan, summing *s) {
  s->gpu = gpu;
  s->work = work;
  s->plan = plan;
  s->e = (tsr__einsum){.op = work->op, .terms = work->inputs};
  for (int l = 0; l < TSR__LABELS; l++) s->e.size[l] = 1;
}

/* The terms that are bound, into out, whose axes are those of e.label. */
static tsr_status run(summing *s, const tsr_tensor *out) {
  static const unsigned char zero[16];
  const tsr_work *const work = s->work;
  tsr_status st = tsr__einsum_settle(work->ctx, &s->e);
  if (st != TSR_OK || tsr_size(out) == 0) return st;
  s->out.v = tsr__cuda_output(work, 0);
  s->out.v.tensor = *out;
  s->out.v.tensor.ndim = 0;
  for (int i = 0; i < out->ndim; i++) {
    tsr_tensor *const t = &s->out.v.tensor;
    if (out->shape[i] == 1) continue;
    t->shape[t->ndim] = out->shape[i];
    t->stride[t->ndim] = out->stride[i];
    s->out.label[t->ndim++] = s->e.label[i];
  }
  if (s->e.empty) return tsr__cuda_plan_fill(s->gpu, work->ctx, zero, &s->out.v, s->plan);
  for (int k = 0; k < s->e.terms; k++) {
    s->of[k].v = tsr__cuda_input(work, k);
    s->of[k].v.tensor = s->e.term[k].t;
    for (int i = 0; i < s->e.term[k].t.ndim; i++) s->of[k].label[i] = s->e.term[k].label[i];
  }
  return take_steps(s);
}

tsr_status tsr__cuda_einsum(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__einsum_attrs *const attrs = work->attrs;
  uint8_t label[TSR_EINSUM_OPERANDS][TSR_MAX_DIMS];
  summing s;
  (void)op;
  begin(gpu, work, plan, &s);
  tsr_status st = tsr__einsum_parse(work->ctx, attrs->equation, work->in, &s.e, label);
  for (int k = 0; k < work->inputs && st == TSR_OK; k++)
    st = tsr__einsum_bind(work->ctx, &s.e, k, work->in[k], label[k]);
  return st == TSR_OK ? run(&s, work->out[0]) : st;
}

/* Axes of b that are summed have the labels of a's; the others go on after those. */
static tsr_status run_pair(tsr__cuda *gpu, const tsr_work *work, int joined, const int *axes_a, const int *axes_b,
                           tsr__cuda_plan *plan) {
  const tsr_tensor *const a = work->in[0], *const b = work->in[1];
  uint8_t label[2][TSR_MAX_DIMS];
  tsr__labels summed = 0;
  summing s;
  int n = 0;
  begin(gpu, work, plan, &s);
  for (int i = 0; i < a->ndim; i++) label[0][i] = (uint8_t)i;
  for (int i = 0; i < b->ndim; i++) label[1][i] = (uint8_t)(TSR_MAX_DIMS + i);
  for (int i = 0; i < joined; i++) {
    const int of_a = axes_a[i] < 0 ? axes_a[i] + a->ndim : axes_a[i],
              of_b = axes_b[i] < 0 ? axes_b[i] + b->ndim : axes_b[i];
    label[1][of_b] = (uint8_t)of_a;
    summed |= tsr__label_bit(of_a);
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < work->in[k]->ndim; i++)
      if (!has(summed, label[k][i])) s.e.label[n++] = label[k][i];
  s.e.ndim = n;
  tsr_status st = tsr__einsum_bind(work->ctx, &s.e, 0, a, label[0]);
  if (st == TSR_OK) st = tsr__einsum_bind(work->ctx, &s.e, 1, b, label[1]);
  return st == TSR_OK ? run(&s, work->out[0]) : st;
}

tsr_status tsr__cuda_tensordot(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__tensordot_attrs *const attrs = work->attrs;
  const int joined = attrs->axes_a_count;
  int axes_a[TSR_MAX_DIMS], axes_b[TSR_MAX_DIMS];
  (void)op;
  for (int i = 0; i < joined; i++) {
    axes_a[i] = attrs->axes_a != NULL ? attrs->axes_a[i] : work->in[0]->ndim - joined + i;
    axes_b[i] = attrs->axes_b != NULL ? attrs->axes_b[i] : i;
  }
  return run_pair(gpu, work, joined, axes_a, axes_b, plan);
}

tsr_status tsr__cuda_inner(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const int last = -1;
  (void)op;
  return run_pair(gpu, work, work->in[0]->ndim == 0 || work->in[1]->ndim == 0 ? 0 : 1, &last, &last, plan);
}

/* Axis i of the output is axis i of a, slow, and axis i of b, fast. */
tsr_status tsr__cuda_kron(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr_tensor *const out = work->out[0];
  tsr_tensor view = *out;
  summing s;
  tsr_status st = TSR_OK;
  (void)op;
  begin(gpu, work, plan, &s);
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    uint8_t label[TSR_MAX_DIMS];
    for (int i = 0; i < work->in[k]->ndim; i++) label[i] = (uint8_t)(2 * (out->ndim - work->in[k]->ndim + i) + k);
    st = tsr__einsum_bind(work->ctx, &s.e, k, work->in[k], label);
  }
  if (st != TSR_OK) return st;
  view.ndim = 0;
  for (int l = 0; l < 2 * out->ndim; l++) {
    if (s.e.size[l] == 1) continue;
    s.e.label[view.ndim] = (uint8_t)l;
    view.shape[view.ndim] = s.e.size[l];
    view.stride[view.ndim++] = out->stride[l / 2] * (l % 2 == 0 ? s.e.size[l + 1] : 1);
  }
  s.e.ndim = view.ndim;
  return run(&s, &view);
}

/* All elements of an operand as one axis, copied where they are not evenly apart. */
static tsr_status flat_of(tsr__cuda *gpu, const tsr_work *work, int k, tsr__cuda_view *v, tsr__cuda_plan *plan) {
  const tsr_tensor *const t = work->in[k];
  tsr_status st = TSR_OK;
  *v = tsr__cuda_input(work, k);
  if (t->ndim == 1) return TSR_OK;
  if (!tsr_is_contiguous(t, TSR_ROW_MAJOR)) {
    const tsr__cuda_view copy = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
    st = tsr__cuda_plan_cast(gpu, work->ctx, v, &copy, plan);
    *v = copy;
  }
  v->tensor.ndim = 1;
  v->tensor.shape[0] = tsr_size(t);
  v->tensor.stride[0] = 1;
  return st;
}

/* A copy of the conjugates. */
static tsr_status conjugate(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_view *v, tsr__cuda_plan *plan) {
  const tsr__cuda_line *const line = &tsr__cuda_line_of[TSR__LINE_conj];
  const int dtype = v->tensor.dtype;
  const tsr__dtypes dtypes = {dtype, dtype, dtype};
  tsr__cuda_elements e = {.maker = line, .out = tsr__cuda_temporary(plan, dtype, v->tensor.ndim, v->tensor.shape)};
  tsr__cuda_add_view(&e, v);
  tsr__cuda_add_step(&e.lines, line, &dtypes, 1, (const int[]){0});
  *v = e.out;
  return tsr__cuda_plan_elements(gpu, ctx, &e, plan);
}

tsr_status tsr__cuda_vdot(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const unsigned char zero[16];
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view v[2];
  tsr_status st = TSR_OK;
  (void)op;
  if (tsr_size(work->in[0]) == 0) return tsr__cuda_plan_fill(gpu, work->ctx, zero, &out, plan);
  for (int k = 0; k < 2 && st == TSR_OK; k++) st = flat_of(gpu, work, k, &v[k], plan);
  if (st == TSR_OK && tsr__is_complex(v[0].tensor.dtype)) st = conjugate(gpu, work->ctx, &v[0], plan);
  if (st != TSR_OK) return st;
  const tsr__cuda_product p = {.m = 1,
                               .n = 1,
                               .k = v[0].tensor.shape[0],
                               .a = {.ref = v[0].ref,
                                     .address = tsr__cuda_place_of(&v[0]),
                                     .dtype = v[0].tensor.dtype,
                                     .col = v[0].tensor.stride[0]},
                               .b = {.ref = v[1].ref,
                                     .address = tsr__cuda_place_of(&v[1]),
                                     .dtype = v[1].tensor.dtype,
                                     .row = v[1].tensor.stride[0]}};
  const tsr__cuda_view sum =
      tsr__cuda_temporary(plan, tsr__cuda_sum_dtype(tsr_dtype_promote(p.a.dtype, p.b.dtype)), 0, NULL);
  st = tsr__cuda_plan_product(gpu, work->ctx, &p, &sum, plan);
  return st == TSR_OK ? tsr__cuda_plan_cast(gpu, work->ctx, &sum, &out, plan) : st;
}

tsr_status tsr__cuda_trace(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__trace_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  tsr_tensor diagonal = {0};
  (void)op;
  tsr_status st = tsr_diagonal(work->ctx, work->in[0], attrs->offset, attrs->axis0, attrs->axis1, &diagonal);
  if (st != TSR_OK) return st;
  x.ref.offset += (const char *)diagonal.data - (const char *)work->in[0]->data;
  x.tensor = diagonal;
  st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  const uint32_t last = 1u << (diagonal.ndim - 1);
  return st == TSR_OK ? tsr__cuda_plan_sum(gpu, work->ctx, &x, last, false, &out, plan) : st;
}
