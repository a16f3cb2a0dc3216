/* Cases of sorting, searching and moving: indices in range, shapes that fit. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#define D(input) (m->c->in[input])

/* ---- sorting and searching ---- */

void make_lines(op_make *m) { /* topk, partition, argpartition */
  const int axis = op_x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis];
  if (op_is(m, "topk"))
    op_int(m, "k", any_of(m, 0, n));
  else
    op_int(m, "place", n > 0 ? any_of(m, -n, n - 1) : 0);
  op_rest(m);
}

void make_quantile(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 1, 4), OP_ANY_VALUES);
  const double q[] = {(double)any_of(m, 0, 8) / 8, 0.3, 1};
  if (op_is(m, "quantiles"))
    op_reals(m, "q", (int)any_of(m, 1, 3), q);
  else
    op_real(m, "q", q[any_of(m, 0, 2)]);
  op_rest(m);
}

void make_searchsorted(op_make *m) {
  const int dtype = op_main_dtype(m);
  op_add(m, dtype, SHAPE(op_any_length(m, 60)), OP_ANY_VALUES);
  op_sort_input(m, 0);
  op_add(m, dtype, op_any_shape(m, 0, 3), OP_ANY_VALUES);
  const tsr_index n = D(0).shape[0];
  if (one_in(m, 2) && n > 0) op_add_index(m, SHAPE(n), 0, n - 1);
  op_rest(m);
}

void make_bincount(op_make *m) {
  const op_shape s = op_any_shape(m, 0, 3);
  op_add_index(m, s, 0, any_of(m, 0, 90));
  if (one_in(m, 2)) op_add(m, op_any_dtype(m, 0x1E), s, OP_NEAR);
  op_rest(m);
}

void make_histogram(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 3), one_in(m, 2) ? OP_NEAR : OP_ANY_VALUES);
  op_int(m, "bins", any_of(m, 1, 20));
  if (one_in(m, 2)) op_reals(m, "range", 2, (const double[]){-1, 2.5});
}

/* ---- moving ---- */

void make_joined(op_make *m) { /* concat, stack */
  op_grows(m);
  const op_shape s = op_any_shape(m, 1, 4);
  const int dtype = op_main_dtype(m), n = (int)any_of(m, 1, 4), axis = (int)any_of(m, 0, s.n - 1);
  for (int i = 0; i < n; i++)
    op_add(m, dtype, op_is(m, "concat") ? op_with_axis(s, axis, any_of(m, 0, 9)) : s, OP_ANY_VALUES);
  op_int(m, "axis", axis);
}

void make_tile(op_make *m) {
  op_grows(m);
  tsr_index reps[3] = {any_of(m, 0, 3), any_of(m, 1, 3), any_of(m, 1, 2)};
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  op_ints(m, "reps", (int)any_of(m, 0, 3), reps);
}

void make_repeat(op_make *m) { /* repeat, roll */
  op_grows(m);
  const int axis = op_x_and_axis(m, 1, 4, OP_ANY_VALUES);
  if (op_is(m, "repeat"))
    op_int(m, "count", any_of(m, 0, 3));
  else
    op_int(m, "shift", any_of(m, -2 * D(0).shape[axis] - 1, 2 * D(0).shape[axis] + 1));
}

void make_pad(op_make *m) {
  const tsr_index most = m->size < 2 ? 3 : 1; /* every axis grows */
  op_grows(m);
  tsr_index before[TSR_MAX_DIMS], after[TSR_MAX_DIMS];
  op_add(m, op_main_dtype(m), op_any_shape(m, op_is(m, "pad") ? 0 : 2, 4), OP_ANY_VALUES);
  for (int i = 0; i < D(0).ndim; i++) {
    before[i] = any_of(m, 0, most);
    after[i] = any_of(m, 0, most);
  }
  if (op_is(m, "pad")) {
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

void make_take(op_make *m) { /* take, gather */
  op_grows(m);
  const int axis = op_x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis];
  op_add_index(
      m,
      op_is(m, "take") ? op_few(m, 0, 2) : gathered(m, op_with_axis(op_shape_of(&D(0)), axis, any_of(m, 0, 9)), axis),
      -n, last_of(n));
}

void make_scatter(op_make *m) { /* scatter, put, index_add */
  op_grows(m);
  const int axis = op_x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis], count = any_of(m, 0, 9);
  const op_shape src = op_with_axis(op_shape_of(&D(0)), axis, count);
  op_add_index(m, op_is(m, "scatter") ? gathered(m, src, axis) : SHAPE(count), -n, last_of(n));
  op_add(m, D(0).dtype, op_narrowed(m, src), OP_ANY_VALUES);
  op_rest(m);
}

void make_by_coordinates(op_make *m) { /* gather_nd, scatter_nd */
  op_grows(m);
  op_add(m, op_main_dtype(m), op_any_shape(m, 1, 4), OP_ANY_VALUES);
  const int q = (int)any_of(m, 0, D(0).ndim);
  tsr_index least = 1000;
  for (int i = 0; i < q; i++) least = D(0).shape[i] < least ? D(0).shape[i] : least;
  const tsr_index count = any_of(m, 0, 9);
  op_add_index(m, SHAPE(count, q), 0, last_of(least));
  op_shape src = {1 + D(0).ndim - q, {count}};
  for (int i = q; i < D(0).ndim; i++) src.d[1 + i - q] = D(0).shape[i];
  if (op_is(m, "scatter_nd")) op_add(m, D(0).dtype, op_narrowed(m, src), OP_ANY_VALUES);
  if (op_is(m, "scatter_nd")) op_rest(m);
}

void make_masked(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  op_add(m, TSR_BOOL, op_narrowed(m, op_shape_of(&D(0))), OP_ANY_VALUES);
  if (op_is(m, "masked_scatter"))
    op_add(m, D(0).dtype, SHAPE(test_product(D(0).ndim, D(0).shape) + any_of(m, 0, 3)), OP_ANY_VALUES);
  if (op_is(m, "masked_select_within")) op_int(m, "capacity", any_of(m, 0, 100));
  op_rest(m);
}

void make_places(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  op_int(m, "capacity", any_of(m, 0, 100));
}

#endif
