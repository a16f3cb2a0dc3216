/* Which case is made of which op: shapes that fit each other, indices in range, and the op's class. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#include <math.h>
#include <string.h>

#define D(input) (m->c->in[input])

static bool is(const op_make *m, const char *name) { return strcmp(m->c->op->name, name) == 0; }

/* The lengths of an input; with one axis of another length. */
static op_shape shape_of(const tsr_tensor *t) {
  op_shape s = {t->ndim, {0}};
  memcpy(s.d, t->shape, sizeof s.d);
  return s;
}
static op_shape with_axis(op_shape s, int axis, tsr_index length) {
  s.d[axis] = length;
  return s;
}

/* The first input, of rank least to most, and an axis of it. */
static int x_and_axis(op_make *m, int least, int most, op_values values) {
  op_add(m, op_main_dtype(m), op_any_shape(m, least, most), values);
  const int axis = (int)any_of(m, 0, D(0).ndim - 1);
  op_int(m, "axis", one_in(m, 3) ? axis - D(0).ndim : axis);
  return axis;
}

/* A shape of few elements, where each of them stands for many. */
static op_shape few(op_make *m, int least_rank, int most_rank) {
  op_make less = *m;
  less.size = 0;
  less.limit = 24;
  return op_any_shape(&less, least_rank, most_rank);
}

/* ---- views ---- */

static void make_slice(op_make *m) {
  const int axis = x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis], start = any_of(m, 0, n);
  if (is(m, "slice")) {
    op_int(m, "start", start);
    op_int(m, "step", any_of(m, 1, 3) * (one_in(m, 2) ? 1 : -1));
  } else if (is(m, "narrow")) {
    op_int(m, "start", start);
    op_int(m, "length", any_of(m, 0, n - start));
  } else if (is(m, "select")) {
    op_int(m, "index", n > 0 ? any_of(m, -n, n - 1) : 0);
  } else if (is(m, "sliding_window")) {
    op_int(m, "size", any_of(m, 1, n > 0 ? n : 1));
  }
  op_rest(m);
}

static void make_permute(op_make *m) {
  tsr_index axes[TSR_MAX_DIMS];
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 5), OP_ANY_VALUES);
  const int shift = (int)any_of(m, 0, 4), n = D(0).ndim;
  for (int i = 0; i < n; i++) axes[i] = (i + shift) % n;
  op_ints(m, "axes", n, axes);
}

static void make_broadcast(op_make *m) {
  const op_shape full = op_any_shape(m, 0, 4);
  op_add(m, op_main_dtype(m), op_narrowed(m, full), OP_ANY_VALUES);
  op_ints(m, "shape", full.n, full.d);
}

static void make_squeeze(op_make *m) {
  op_shape s = op_any_shape(m, 1, 4);
  const int axis = (int)any_of(m, 0, s.n - 1);
  s.d[axis] = 1;
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  if (is(m, "squeeze") || is(m, "unsqueeze")) op_int(m, "axis", axis);
  op_rest(m);
}

static void make_matrix_view(op_make *m) { /* diagonal, transpose, trace, mat */
  op_add(m, op_main_dtype(m), op_any_shape(m, 2, 4), OP_ANY_VALUES);
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (is(m, "mat")) op_ints(m, "index", D(0).ndim - 2, index);
  else if (!is(m, "transpose")) op_int(m, "offset", any_of(m, -1, 1));
}

static void make_as_strided(op_make *m) {
  op_add(m, op_main_dtype(m), SHAPE(any_of(m, 4, 30)), OP_ANY_VALUES);
  op_ints(m, "shape", 2, (const tsr_index[]){2, 2});
  op_ints(m, "stride", 2, (const tsr_index[]){1, any_of(m, 0, 2)});
}

static void make_bitcast(op_make *m) {
  op_shape s = op_any_shape(m, 1, 3);
  s.d[s.n - 1] *= 8;
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  op_rest(m);
}

static void make_reshape(op_make *m) {
  const op_shape s = op_any_shape(m, 1, 4);
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  const tsr_index n = test_product(s.n, s.d), part = n % 3 == 0 ? 3 : n % 2 == 0 ? 2 : 1;
  op_ints(m, "shape", 2, (const tsr_index[]){part, n / part});
  if (tsr_op_attribute(m->c->op, "order") != NULL)
    op_text(m, "order", m->c->flags & OP_BY_STRIDES ? "memory" : one_in(m, 2) ? "fortran" : "col_major");
}

static void make_flatten(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  if (is(m, "flatten")) op_text(m, "order", one_in(m, 2) ? "fortran" : "row_major");
}

static void make_layout(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 4, 4), OP_ANY_VALUES);
  if (is(m, "to_layout") && one_in(m, 2)) op_text(m, "layout", one_in(m, 2) ? "NC4HW" : "NC8HW");
  else op_text(m, "layout", one_in(m, 2) ? "NHWC" : "NCHW");
}

static void make_split(op_make *m) {
  op_shape s = op_any_shape(m, 1, 3);
  m->c->outputs = 3;
  s.d[0] = 3 * (s.d[0] + 1);
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  op_int(m, "axis", 0);
  if (is(m, "split_sizes")) op_ints(m, "sizes", 3, (const tsr_index[]){1, s.d[0] - 3, 2});
}

static void make_meshgrid(op_make *m) {
  m->c->outputs = 2;
  for (int i = 0; i < 2; i++) op_add(m, op_main_dtype(m), SHAPE(op_any_length(m, 20)), OP_ANY_VALUES);
  op_rest(m);
}

/* ---- creation, random numbers ---- */

static void make_created(op_make *m) {
  const tsr_op *const op = m->c->op;
  const op_shape s = op_any_shape(m, 0, 4);
  const bool floats = is(m, "linspace") || is(m, "rotary_tables") || strncmp(op->name, "rand_", 5) == 0;
  if (tsr_op_attribute(op, "dtype") != NULL)
    op_int(m, "dtype", is(m, "rotary_tables")   ? (one_in(m, 2) ? TSR_F32 : TSR_F64)
                       : is(m, "rand_integers") ? op_any_dtype(m, 1u << TSR_CLASS_INT)
                       : floats                 ? op_any_dtype(m, 1u << TSR_CLASS_FLOAT)
                                                : op_any_dtype(m, 0x3E));
  if (tsr_op_attribute(op, "shape") != NULL) op_ints(m, "shape", s.n, s.d);
  if (is(m, "zeros_ordered")) op_text(m, "order", one_in(m, 2) ? "fortran" : "col_major");
  if (is(m, "rand_integers")) op_int(m, "high", any_of(m, 4, 100));
  if (is(m, "rand_uniform")) op_real(m, "high", (double)any_of(m, 4, 9));
  if (is(m, "rand_permutation")) op_int(m, "n", any_of(m, 0, m->limit));
  if (is(m, "arange") || is(m, "arange_i64")) {
    is(m, "arange") ? op_real(m, "stop", (double)any_of(m, 0, 120)) : op_int(m, "stop", any_of(m, 0, 120));
    is(m, "arange") ? op_real(m, "step", (double)any_of(m, 1, 3)) : op_int(m, "step", any_of(m, 1, 3));
  }
  if (is(m, "linspace")) op_int(m, "count", any_of(m, 0, m->limit));
  if (is(m, "rotary_tables")) op_int(m, "features", 2 * any_of(m, 1, 9));
  op_rest(m);
}

static void make_filled(op_make *m) {
  op_give(m, 0, op_any_dtype(m, 0x3E), op_any_shape(m, 0, 4));
  op_rest(m);
}

static void make_one_hot(op_make *m) {
  op_add_index(m, m->size >= 2 ? few(m, 1, 3) : op_any_shape(m, 0, 3), 0, 6);
  op_int(m, "classes", any_of(m, 7, 11));
  op_rest(m);
}

static void make_norm(op_make *m) {
  static const double orders[] = {0, 1, 2, 3, 0.5, -1, INFINITY, -INFINITY};
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  op_real(m, "p", orders[any_of(m, 0, COUNT_OF(orders) - 1)]);
  op_rest(m);
}

/* ---- sorting and searching ---- */

static void make_lines(op_make *m) { /* topk, partition, argpartition */
  const int axis = x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis];
  if (is(m, "topk")) op_int(m, "k", any_of(m, 0, n));
  else op_int(m, "place", n > 0 ? any_of(m, -n, n - 1) : 0);
  op_rest(m);
}

static void make_quantile(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 1, 4), OP_ANY_VALUES);
  const double q[] = {(double)any_of(m, 0, 8) / 8, 0.3, 1};
  if (is(m, "quantiles")) op_reals(m, "q", (int)any_of(m, 1, 3), q);
  else op_real(m, "q", q[any_of(m, 0, 2)]);
  op_rest(m);
}

static void make_searchsorted(op_make *m) {
  const int dtype = op_main_dtype(m);
  op_add(m, dtype, SHAPE(op_any_length(m, 60)), OP_ANY_VALUES);
  op_sort_input(m, 0);
  op_add(m, dtype, op_any_shape(m, 0, 3), OP_ANY_VALUES);
  const tsr_index n = D(0).shape[0];
  if (one_in(m, 2) && n > 0) op_add_index(m, SHAPE(n), 0, n - 1);
  op_rest(m);
}

static void make_bincount(op_make *m) {
  const op_shape s = op_any_shape(m, 0, 3);
  op_add_index(m, s, 0, any_of(m, 0, 90));
  if (one_in(m, 2)) op_add(m, op_any_dtype(m, 0x1E), s, OP_NEAR);
  op_rest(m);
}

static void make_histogram(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 3), one_in(m, 2) ? OP_NEAR : OP_ANY_VALUES);
  op_int(m, "bins", any_of(m, 1, 20));
  if (one_in(m, 2)) op_reals(m, "range", 2, (const double[]){-1, 2.5});
}

/* ---- moving ---- */

static void make_joined(op_make *m) { /* concat, stack */
  const op_shape s = op_any_shape(m, 1, 4);
  const int dtype = op_main_dtype(m), n = (int)any_of(m, 1, 4), axis = (int)any_of(m, 0, s.n - 1);
  for (int i = 0; i < n; i++)
    op_add(m, dtype, is(m, "concat") ? with_axis(s, axis, any_of(m, 0, 9)) : s, OP_ANY_VALUES);
  op_int(m, "axis", axis);
}

static void make_tile(op_make *m) {
  tsr_index reps[3] = {any_of(m, 0, 3), any_of(m, 1, 3), any_of(m, 1, 2)};
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  op_ints(m, "reps", (int)any_of(m, 0, 3), reps);
}

static void make_repeat(op_make *m) { /* repeat, roll */
  const int axis = x_and_axis(m, 1, 4, OP_ANY_VALUES);
  if (is(m, "repeat")) op_int(m, "count", any_of(m, 0, 3));
  else op_int(m, "shift", any_of(m, -2 * D(0).shape[axis] - 1, 2 * D(0).shape[axis] + 1));
}

static void make_pad(op_make *m) {
  tsr_index before[TSR_MAX_DIMS], after[TSR_MAX_DIMS];
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  for (int i = 0; i < D(0).ndim; i++) {
    before[i] = any_of(m, 0, 3);
    after[i] = any_of(m, 0, 3);
  }
  if (is(m, "pad")) {
    op_ints(m, "before", D(0).ndim, before);
    op_ints(m, "after", D(0).ndim, after);
  }
  op_rest(m);
}

/* ---- by index, by mask ---- */

static tsr_index last_of(tsr_index n) { return n > 0 ? n - 1 : 0; }

/* Axes of an index that repeat. */
static op_shape gathered(op_make *m, op_shape s, int axis) {
  for (int i = 0; i < s.n; i++)
    if (i != axis && one_in(m, 6)) s.d[i] = 1;
  return s;
}

static void make_take(op_make *m) { /* take, gather */
  const int axis = x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis];
  op_add_index(m, is(m, "take") ? few(m, 0, 2) : gathered(m, with_axis(shape_of(&D(0)), axis, any_of(m, 0, 9)), axis), -n, last_of(n));
}

static void make_scatter(op_make *m) { /* scatter, put, index_add */
  const int axis = x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis], count = any_of(m, 0, 9);
  const op_shape src = with_axis(shape_of(&D(0)), axis, count);
  op_add_index(m, is(m, "scatter") ? gathered(m, src, axis) : SHAPE(count), -n, last_of(n));
  op_add(m, D(0).dtype, op_narrowed(m, src), OP_ANY_VALUES);
  op_rest(m);
}

static void make_by_coordinates(op_make *m) { /* gather_nd, scatter_nd */
  op_add(m, op_main_dtype(m), op_any_shape(m, 1, 4), OP_ANY_VALUES);
  const int q = (int)any_of(m, 0, D(0).ndim);
  tsr_index least = 1000;
  for (int i = 0; i < q; i++) least = D(0).shape[i] < least ? D(0).shape[i] : least;
  const tsr_index count = any_of(m, 0, 9);
  op_add_index(m, SHAPE(count, q), 0, last_of(least));
  op_shape src = {1 + D(0).ndim - q, {count}};
  for (int i = q; i < D(0).ndim; i++) src.d[1 + i - q] = D(0).shape[i];
  if (is(m, "scatter_nd")) op_add(m, D(0).dtype, op_narrowed(m, src), OP_ANY_VALUES);
  if (is(m, "scatter_nd")) op_rest(m);
}

static void make_masked(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  op_add(m, TSR_BOOL, op_narrowed(m, shape_of(&D(0))), OP_ANY_VALUES);
  if (is(m, "masked_scatter")) op_add(m, D(0).dtype, SHAPE(test_product(D(0).ndim, D(0).shape) + any_of(m, 0, 3)), OP_ANY_VALUES);
  op_rest(m);
}

/* ---- products: values near 1, so that what rounding makes of a sum is known ---- */

static op_values modest(op_make *m) { return one_in(m, 2) ? OP_WHOLE : OP_NEAR; }
static tsr_index side(op_make *m) {
  static const tsr_index small[] = {0, 1, 2, 3, 5, 7, 8}, some[] = {1, 3, 8, 13, 16, 17, 31, 33}, many[] = {33, 64, 97, 130};
  return m->size == 0 ? small[any_of(m, one_in(m, 9) ? 0 : 1, 6)] : m->size == 1 ? some[any_of(m, 0, 7)] : many[any_of(m, 0, 3)];
}

/* One element that is no number, or infinite. */
static void spoil(op_make *m, int input) {
  const tsr_tensor *const t = &D(input);
  const tsr_index n = test_product(t->ndim, t->shape);
  const double value = one_in(m, 2) ? (double)NAN : (double)INFINITY;
  if (!one_in(m, 6) || n == 0 || tsr_dtype_describe(t->dtype)->class_ != TSR_CLASS_FLOAT) return;
  tsr_tensor at = {.dtype = t->dtype};
  at.data = (unsigned char *)t->data + (size_t)any_of(m, 0, n - 1) * tsr_dtype_size(t->dtype);
  if (tsr_copy(NULL, &(tsr_tensor){.dtype = TSR_F64, .data = (void *)(uintptr_t)&value}, &at) == TSR_OK)
    m->c->repeats[input] = 0;
}

static void activate(op_make *m) {
  if (one_in(m, 2)) op_text(m, "activation", (const char *[]){"relu", "tanh", "sigmoid", "hard_swish"}[any_of(m, 0, 3)]);
}

static void sum_of(op_make *m, tsr_index terms) { m->c->terms = (double)terms; }

static void make_gemm(op_make *m) {
  const tsr_index a = side(m), k = side(m), b = side(m);
  const int dtype = op_main_dtype(m);
  const bool integers = tsr_dtype_describe(dtype)->class_ != TSR_CLASS_FLOAT;
  sum_of(m, k);
  op_add(m, dtype, SHAPE(a, k), modest(m));
  op_add(m, dtype, SHAPE(k, b), modest(m));
  one_in(m, 3) ? op_add_none(m) : op_add(m, dtype, one_in(m, 2) ? SHAPE(a, b) : SHAPE(1, b), modest(m));
  one_in(m, 3) ? op_add_none(m) : op_add(m, dtype, one_in(m, 2) ? SHAPE(b) : SHAPE(a, 1), modest(m));
  spoil(m, 0);
  if (D(2).dtype == TSR_NONE && one_in(m, 2)) op_give(m, 0, dtype, SHAPE(a, b));
  if (D(2).dtype != TSR_NONE || m->c->given[0].dtype != TSR_NONE) op_real(m, "beta", integers || one_in(m, 2) ? 1 : 0.5);
  if (!integers && one_in(m, 2)) op_real(m, "alpha", 0.75);
  if (integers) op_text(m, "activation", one_in(m, 2) ? "relu" : "none");
  else activate(m);
}

static void make_product(op_make *m) { /* matmul, dense, matvec, dot, outer, inner, vdot, kron */
  const bool deep = m->size >= 2 && one_in(m, 3); /* long sums */
  const tsr_index a = deep ? 3 : side(m), k = deep ? 3001 : side(m), b = deep ? 5 : side(m);
  const int dtype = op_main_dtype(m);
  const bool batch = one_in(m, 3);
  sum_of(m, k);
  if (is(m, "matmul")) {
    op_add(m, dtype, batch ? SHAPE(2, a, k) : one_in(m, 5) ? SHAPE(k) : SHAPE(a, k), modest(m));
    op_add(m, one_in(m, 5) ? op_main_dtype(m) : dtype, batch && one_in(m, 2) ? SHAPE(2, k, b) : one_in(m, 5) ? SHAPE(k) : SHAPE(k, b), modest(m));
  } else if (is(m, "dense")) {
    op_add(m, dtype, batch ? SHAPE(2, a, k) : SHAPE(a, k), modest(m));
    op_add(m, dtype, SHAPE(b, k), modest(m));
    one_in(m, 3) ? op_add_none(m) : op_add(m, dtype, SHAPE(b), modest(m));
    if (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT) activate(m);
  } else {
    const bool longer = m->size >= 2 && !is(m, "kron") && !is(m, "outer") && !is(m, "inner") && !is(m, "matvec");
    const tsr_index n = longer ? m->limit : k;
    sum_of(m, n);
    op_add(m, dtype, is(m, "matvec") || is(m, "inner") ? SHAPE(a, k) : SHAPE(n), modest(m));
    op_add(m, dtype, is(m, "inner") ? SHAPE(b, k) : SHAPE(is(m, "kron") || is(m, "outer") ? b : n), modest(m));
  }
  spoil(m, 0);
}

static void make_einsum(op_make *m) {
  static const char *const equations[] = {"ij->ji",    "ii->i",     "ij->",      "ij,jk->ki",       "ij,kj->ik", "ij,jk->",
                                          "ij,jk->ijk", "ii,ij->j", "ij,jj->i",  "...j,jk->...k",   "ij,ij->ij", "ab,cd->abcd",
                                          "ij,jk,kl->il", "ij,ik,il->jkl"};
  const char *const equation = equations[any_of(m, 0, COUNT_OF(equations) - 1)];
  const tsr_index n = side(m) % (strlen(equation) > 10 ? 7 : 20);
  const int dtype = op_main_dtype(m);
  sum_of(m, n * n);
  op_add(m, dtype, SHAPE(n, n), modest(m));
  for (const char *c = equation; *c != 0; c++)
    if (*c == ',') op_add(m, dtype, SHAPE(n, n), modest(m));
  op_text(m, "equation", equation);
}

static void make_tensordot(op_make *m) {
  const tsr_index k = side(m), dtype = op_main_dtype(m);
  sum_of(m, k);
  op_add(m, (int)dtype, SHAPE(side(m), k), modest(m));
  op_add(m, (int)dtype, SHAPE(k, side(m)), modest(m));
  op_ints(m, "axes_a", 1, (const tsr_index[]){1});
  op_ints(m, "axes_b", 1, (const tsr_index[]){0});
}

static void make_cross(op_make *m) {
  op_shape s = op_any_shape(m, 1, 3);
  const int axis = (int)any_of(m, 0, s.n - 1), dtype = op_main_dtype(m);
  s.d[axis] = any_of(m, 2, 3);
  for (int i = 0; i < 2; i++) op_add(m, dtype, s, OP_ANY_VALUES);
  op_int(m, "axis", axis);
}

/* ---- series ---- */

static void make_diff(op_make *m) {
  const int axis = x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const op_shape s = shape_of(&D(0));
  one_in(m, 2) ? op_add_none(m) : op_add(m, D(0).dtype, with_axis(s, axis, any_of(m, 1, 3)), OP_ANY_VALUES);
  one_in(m, 2) ? op_add_none(m) : op_add(m, D(0).dtype, one_in(m, 2) ? (op_shape){0} : with_axis(s, axis, 1), OP_ANY_VALUES);
  op_rest(m);
}

static void make_gradient(op_make *m) {
  const int axis = x_and_axis(m, 1, 4, OP_ANY_VALUES);
  if (one_in(m, 2)) {
    op_add(m, op_any_dtype(m, 0x1E), SHAPE(D(0).shape[axis]), OP_NEAR);
    op_sort_input(m, 1);
  }
  op_int(m, "edge_order", any_of(m, 1, 2));
  op_rest(m);
}

static void make_interp(op_make *m) {
  const tsr_index n = any_of(m, 1, 20);
  op_add(m, op_any_dtype(m, 0x1E), op_any_shape(m, 0, 3), OP_ANY_VALUES);
  op_add(m, op_any_dtype(m, 0x1E), SHAPE(n), OP_NEAR);
  op_sort_input(m, 1);
  op_add(m, op_main_dtype(m), SHAPE(n), OP_NEAR);
  op_rest(m);
}

static void make_convolve(op_make *m) {
  const int dtype = op_main_dtype(m);
  op_add(m, dtype, SHAPE(op_any_length(m, m->limit) + 1), OP_ANY_VALUES);
  op_add(m, dtype, SHAPE(op_any_length(m, 40) + 1), OP_ANY_VALUES);
  op_rest(m);
}

/* ---- networks ---- */

/* An image [N,C,H,W] or its channels-last form, tagged. */
static tsr_index add_image(op_make *m, tsr_index channels) {
  const tsr_index h = 3 + side(m) % 16, w = 3 + side(m) % 40, n = any_of(m, 1, 2);
  const bool last = one_in(m, 2);
  const int i = op_add(m, op_main_dtype(m), last ? SHAPE(n, h, w, channels) : SHAPE(n, channels, h, w), m->c->class_ == 'A' ? OP_ANY_VALUES : modest(m));
  m->c->in[i].layout = last ? TSR_NHWC : one_in(m, 2) ? TSR_NCHW : TSR_PLAIN;
  return channels;
}

/* The axes of an image or a filter in another order, with the tag that says so. */
static void retag(op_shape *s, uint8_t *layout, const int *order, int tag) {
  const op_shape before = *s;
  for (int i = 0; i < s->n; i++) s->d[i] = before.d[order[i]];
  *layout = (uint8_t)tag;
}

static void conv_attrs(op_make *m, int axes, bool turned) {
  tsr_index steps[3], pads[3];
  for (int i = 0; i < axes; i++) {
    steps[i] = any_of(m, 1, 2);
    pads[i] = any_of(m, 0, 1);
  }
  if (one_in(m, 2)) op_ints(m, "stride", axes, steps);
  if (one_in(m, 3)) op_ints(m, "dilation", axes, steps);
  if (turned || axes == 3 || one_in(m, 2)) op_ints(m, "pad_before", axes, pads);
  else op_word(m, "padding");
  if (!turned && axes < 3 && one_in(m, 3)) op_word(m, "algorithm");
}

static void make_conv(op_make *m) {
  const char *const name = m->c->op->name;
  const int axes = name[strlen(name) - 2] - '0';
  const bool turned = strncmp(name, "conv_t", 6) == 0;
  const tsr_index groups = one_in(m, 3) ? 2 : 1, c = groups * any_of(m, 1, m->size == 0 ? 3 : 9), o = groups * any_of(m, 1, 9);
  const int dtype = op_main_dtype(m);
  op_shape x = {axes + 2, {any_of(m, 1, 2), c}}, w = {axes + 2, {turned ? c : o, turned ? o / groups : c / groups}};
  uint8_t x_tag = TSR_PLAIN, w_tag = TSR_PLAIN;
  for (int i = 0; i < axes; i++) {
    x.d[2 + i] = axes == 3 ? any_of(m, 3, 6) : 3 + side(m) % 24;
    w.d[2 + i] = one_in(m, 2) ? 3 : any_of(m, 1, 3);
  }
  if (axes == 2 && one_in(m, 2)) retag(&x, &x_tag, (const int[]){0, 2, 3, 1}, TSR_NHWC);
  if (axes == 2 && !turned && one_in(m, 3)) retag(&w, &w_tag, (const int[]){0, 2, 3, 1}, TSR_OHWI);
  else if (axes == 2 && !turned && one_in(m, 3)) retag(&w, &w_tag, (const int[]){2, 3, 1, 0}, TSR_HWIO);
  sum_of(m, c * 27);
  op_add(m, dtype, x, modest(m));
  op_add(m, dtype, w, modest(m));
  D(0).layout = x_tag;
  D(1).layout = w_tag;
  if (one_in(m, 2)) op_add(m, dtype, SHAPE(o), modest(m));
  op_int(m, "groups", groups);
  conv_attrs(m, axes, turned);
  if (!turned && axes < 3 && tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT) activate(m);
}

static void make_pool(op_make *m) {
  const tsr_index kernel[] = {any_of(m, 1, 3), any_of(m, 1, 3)}, step[] = {any_of(m, 1, 2), any_of(m, 1, 2)};
  add_image(m, any_of(m, 1, 9));
  op_ints(m, "kernel", 2, kernel);
  if (one_in(m, 2)) op_ints(m, "stride", 2, step);
  if (one_in(m, 2)) op_ints(m, "pad_before", 2, (const tsr_index[]){kernel[0] - 1, 0});
  if (is(m, "lp_pool")) op_real(m, "p", (double)any_of(m, 1, 3));
  op_rest(m);
}

static void make_image(op_make *m) { /* global and adaptive pools, norms of channels, lrn, resizing */
  const char *const name = m->c->op->name;
  const tsr_index c = add_image(m, 2 * any_of(m, 1, 9));
  if (strncmp(name, "adaptive", 8) == 0 || strncmp(name, "resize", 6) == 0)
    op_ints(m, "size", 2, (const tsr_index[]){any_of(m, 1, 9), any_of(m, 1, 40)});
  if (strncmp(name, "resize", 6) == 0 && one_in(m, 3)) op_reals(m, "scale", 2, (const double[]){0.75, 1.5});
  if (is(m, "resize_linear")) op_word(m, "coordinates");
  if (is(m, "resize_linear")) return;
  if (strstr(name, "_norm") != NULL)
    for (int i = 0; i < 2; i++) one_in(m, 3) ? op_add_none(m) : op_add(m, op_any_dtype(m, 0x10), SHAPE(c), OP_NEAR);
  if (is(m, "batch_norm")) { /* a mean, and a variance that is none below 0 */
    op_add(m, op_any_dtype(m, 0x10), SHAPE(c), OP_NEAR);
    const int variance = op_add(m, TSR_F32, SHAPE(c), OP_NEAR);
    for (tsr_index i = 0; i < c; i++) ((float *)D(variance).data)[i] = (float)any_of(m, 1, 40) / 8;
    m->c->repeats[variance] = 0;
  }
  if (is(m, "group_norm")) op_int(m, "groups", one_in(m, 2) ? 2 : c);
  if (is(m, "lrn")) op_int(m, "size", any_of(m, 1, 5));
  if (!is(m, "lrn")) op_rest(m);
}

static void make_row_norm(op_make *m) { /* layer_norm, rms_norm, softmax */
  const op_shape s = op_any_shape(m, 1, 4);
  const int axis = (int)any_of(m, 0, s.n - 1);
  op_add(m, op_main_dtype(m), s, modest(m));
  op_int(m, "axis", axis);
  op_shape rest = {s.n - axis, {0}};
  memcpy(rest.d, s.d + axis, (size_t)rest.n * sizeof rest.d[0]);
  if (is(m, "layer_norm") || is(m, "rms_norm"))
    for (int i = is(m, "rms_norm"); i < 2; i++) one_in(m, 3) ? op_add_none(m) : op_add(m, op_any_dtype(m, 0x10), rest, OP_NEAR);
}

static void attention_attrs(op_make *m) {
  if (one_in(m, 2)) op_bool(m, "causal", true);
  if (m->c->attrs > 0 && one_in(m, 2)) op_int(m, "causal_offset", any_of(m, -2, 3));
  if (one_in(m, 3)) op_real(m, "scale", 0.25);
}

static void make_attention(op_make *m) {
  const tsr_index kv = any_of(m, 1, 2), h = kv * any_of(m, 1, 3), t = side(m), s = side(m), d = 1 + side(m) % 40, dv = 1 + side(m) % 40;
  const int dtype = op_main_dtype(m);
  const bool flat = one_in(m, 3);
  sum_of(m, s + d * d);
  op_add(m, dtype, flat ? SHAPE(t, d) : SHAPE(2, h, t, d), OP_NEAR);
  op_add(m, dtype, flat ? SHAPE(s, d) : SHAPE(2, kv, s, d), OP_NEAR);
  op_add(m, dtype, flat ? SHAPE(s, dv) : SHAPE(2, kv, s, dv), OP_NEAR);
  if (one_in(m, 2)) op_add(m, one_in(m, 2) ? TSR_BOOL : dtype, op_narrowed(m, flat ? SHAPE(t, s) : SHAPE(2, h, t, s)), OP_NEAR);
  attention_attrs(m);
}

static void make_heads(op_make *m) {
  const tsr_index h = any_of(m, 1, 3), d = any_of(m, 1, 8), t = side(m) % 40, e = h * d;
  const int dtype = op_main_dtype(m);
  sum_of(m, e * (t + 1) * e);
  op_add(m, dtype, one_in(m, 2) ? SHAPE(2, t, e) : SHAPE(t, e), OP_NEAR);
  for (int i = 0; i < 4; i++) op_add(m, dtype, SHAPE(e, e), OP_NEAR);
  for (int i = 0; i < 4; i++) one_in(m, 2) ? op_add_none(m) : op_add(m, dtype, SHAPE(e), OP_NEAR);
  if (one_in(m, 2)) op_add(m, one_in(m, 2) ? TSR_BOOL : dtype, SHAPE(t, t), OP_NEAR);
  attention_attrs(m);
  op_int(m, "heads", h);
}

static void make_kv_append(op_make *m) {
  const tsr_index h = any_of(m, 1, 3), t = any_of(m, 0, 4), d = any_of(m, 1, 9);
  const int dtype = op_main_dtype(m);
  op_add(m, dtype, SHAPE(h, t, d), OP_ANY_VALUES);
  op_give(m, 0, dtype, SHAPE(h, 9, d));
  op_int(m, "position", any_of(m, 0, 5));
}

static void make_loss(op_make *m) {
  const op_shape s = op_any_shape(m, 0, 3);
  const int dtype = op_main_dtype(m), x = op_add(m, dtype, s, is(m, "bce_loss") ? OP_NEAR : OP_ANY_VALUES);
  if (is(m, "bce_loss") && tsr_sigmoid(NULL, &D(x), &D(x)) != TSR_OK) op_add_none(m); /* probabilities */
  op_add(m, dtype, s, OP_ANY_VALUES);
  if (is(m, "huber_loss")) op_real(m, "delta", 1.5);
  op_rest(m);
}

static void make_class_loss(op_make *m) { /* nll_loss, cross_entropy, accuracy */
  const tsr_index n = op_any_length(m, 40), classes = any_of(m, 1, 20);
  const bool deep = !is(m, "accuracy") && one_in(m, 3);
  op_add(m, op_main_dtype(m), deep ? SHAPE(n, classes, 3) : SHAPE(n, classes), OP_ANY_VALUES);
  op_add_index(m, deep ? SHAPE(n, 3) : SHAPE(n), 0, classes - 1);
  if (!is(m, "accuracy")) op_word(m, "reduction");
  if (is(m, "cross_entropy") && one_in(m, 2)) op_real(m, "smoothing", 0.25);
}

static void make_confusion(op_make *m) {
  const op_shape n = SHAPE(op_any_length(m, m->limit));
  for (int i = 0; i < 2; i++) op_add_index(m, n, 0, 7);
  op_int(m, "classes", 8);
}

static void make_embedding(op_make *m) {
  const tsr_index v = any_of(m, 1, 20);
  op_add(m, op_main_dtype(m), SHAPE(v, op_any_length(m, 40)), OP_ANY_VALUES);
  op_add_index(m, few(m, 0, 2), 0, v - 1);
  if (one_in(m, 2)) op_int(m, "padding", 0);
}

static void make_rotary(op_make *m) {
  const tsr_index t = op_any_length(m, 20), d = 2 * any_of(m, 1, 20), r = any_of(m, 1, d / 2), s = t + any_of(m, 0, 3);
  const int dtype = op_main_dtype(m), tables = dtype == TSR_F64 ? TSR_F64 : TSR_F32;
  op_add(m, dtype, one_in(m, 2) ? SHAPE(2, t, d) : SHAPE(t, d), OP_ANY_VALUES);
  for (int i = 0; i < 2; i++) op_add(m, tables, SHAPE(s, r), OP_NEAR);
  if (one_in(m, 2) && s > 0) op_add_index(m, D(0).ndim == 3 && one_in(m, 2) ? SHAPE(2, t) : SHAPE(t), 0, s - 1);
  op_rest(m);
}

static void make_pixels(op_make *m) {
  const tsr_index n = any_of(m, 1, 2), c = any_of(m, 1, 3), h = any_of(m, 1, 5), w = any_of(m, 1, 5);
  const bool last = one_in(m, 2);
  op_add(m, op_main_dtype(m), last ? SHAPE(n, 2 * h, 2 * w, 4 * c) : SHAPE(n, 4 * c, 2 * h, 2 * w), OP_ANY_VALUES);
  D(0).layout = last ? TSR_NHWC : TSR_PLAIN;
  op_int(m, "factor", 2);
  op_rest(m);
}

static const op_row rows[] = {
#define ROW(name, make, class_, flags) {#name, make, class_, flags},
#include "support/op_rows.def"
#undef ROW
};

const op_row *op_row_of(const char *name) {
  for (int i = 0; i < COUNT_OF(rows); i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

#endif
