/* Cases of views, of what is created, and of random numbers. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#include <math.h>
#include <string.h>

#define D(input) (m->c->in[input])

/* ---- views ---- */

void make_slice(op_make *m) {
  op_grows(m);
  const int axis = op_x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const tsr_index n = D(0).shape[axis], start = any_of(m, 0, n);
  if (op_is(m, "slice")) {
    op_int(m, "start", start);
    op_int(m, "step", any_of(m, 1, 3) * (one_in(m, 2) ? 1 : -1));
  } else if (op_is(m, "narrow")) {
    op_int(m, "start", start);
    op_int(m, "length", any_of(m, 0, n - start));
  } else if (op_is(m, "select")) {
    op_int(m, "index", n > 0 ? any_of(m, -n, n - 1) : 0);
  } else if (op_is(m, "sliding_window")) {
    op_int(m, "size", any_of(m, 1, n > 9 ? 9 : n > 0 ? n : 1));
  }
  op_rest(m);
}

void make_permute(op_make *m) {
  tsr_index axes[TSR_MAX_DIMS];
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 5), OP_ANY_VALUES);
  const int shift = (int)any_of(m, 0, 4), n = D(0).ndim;
  for (int i = 0; i < n; i++) axes[i] = (i + shift) % n;
  op_ints(m, "axes", n, axes);
}

void make_broadcast(op_make *m) {
  const op_shape full = op_any_shape(m, 0, 4);
  op_add(m, op_main_dtype(m), op_narrowed(m, full), OP_ANY_VALUES);
  op_ints(m, "shape", full.n, full.d);
}

void make_squeeze(op_make *m) {
  op_shape s = op_any_shape(m, 1, 4);
  const int axis = (int)any_of(m, 0, s.n - 1);
  s.d[axis] = 1;
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  if (op_is(m, "squeeze") || op_is(m, "unsqueeze")) op_int(m, "axis", axis);
  op_rest(m);
}

void make_matrix_view(op_make *m) { /* diagonal, transpose, trace, mat */
  op_add(m, op_main_dtype(m), op_any_shape(m, 2, 4), OP_ANY_VALUES);
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (op_is(m, "mat"))
    op_ints(m, "index", D(0).ndim - 2, index);
  else if (!op_is(m, "transpose"))
    op_int(m, "offset", any_of(m, -1, 1));
}

void make_as_strided(op_make *m) {
  op_add(m, op_main_dtype(m), SHAPE(any_of(m, 4, 30)), OP_ANY_VALUES);
  op_ints(m, "shape", 2, (const tsr_index[]){2, 2});
  op_ints(m, "stride", 2, (const tsr_index[]){1, any_of(m, 0, 2)});
}

void make_bitcast(op_make *m) {
  op_shape s = op_any_shape(m, 1, 3);
  s.d[s.n - 1] *= 8;
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  op_rest(m);
}

void make_reshape(op_make *m) {
  const op_shape s = op_any_shape(m, 1, 4);
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  const tsr_index n = test_product(s.n, s.d), part = n % 3 == 0 ? 3 : n % 2 == 0 ? 2 : 1;
  op_ints(m, "shape", 2, (const tsr_index[]){part, n / part});
  if (tsr_op_attribute(m->c->op, "order") != NULL)
    op_text(m, "order", m->c->flags & OP_BY_STRIDES ? "memory" : one_in(m, 2) ? "fortran" : "col_major");
}

void make_flatten(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  if (op_is(m, "flatten")) op_text(m, "order", one_in(m, 2) ? "fortran" : "row_major");
}

void make_layout(op_make *m) {
  op_add(m, op_main_dtype(m), op_any_shape(m, 4, 4), OP_ANY_VALUES);
  if (op_is(m, "to_layout") && one_in(m, 2))
    op_text(m, "layout", one_in(m, 2) ? "NC4HW" : "NC8HW");
  else
    op_text(m, "layout", one_in(m, 2) ? "NHWC" : "NCHW");
}

void make_split(op_make *m) {
  op_shape s = op_any_shape(m, 1, 3);
  m->c->outputs = 3;
  s.d[0] = 3 * (s.d[0] + 1);
  op_add(m, op_main_dtype(m), s, OP_ANY_VALUES);
  op_int(m, "axis", 0);
  if (op_is(m, "split_sizes")) op_ints(m, "sizes", 3, (const tsr_index[]){1, s.d[0] - 3, 2});
}

void make_meshgrid(op_make *m) {
  m->c->outputs = 2;
  for (int i = 0; i < 2; i++) op_add(m, op_main_dtype(m), SHAPE(op_any_length(m, 20)), OP_ANY_VALUES);
  op_rest(m);
}

/* ---- creation, random numbers ---- */

/* Mostly without an imaginary part: real dtypes take no other. */
static void any_complex(op_make *m) {
  op_reals(m, "value", 2, (const double[]){(double)any_of(m, 0, 3), one_in(m, 2) ? 0 : 2.5});
}

void make_created(op_make *m) {
  const tsr_op *const op = m->c->op;
  const op_shape s = op_any_shape(m, 0, 4);
  const bool floats = op_is(m, "linspace") || op_is(m, "rotary_tables") || strstr(op->name, "fftfreq") != NULL ||
                      op_is(m, "window") || strncmp(op->name, "rand_", 5) == 0;
  if (tsr_op_attribute(op, "dtype") != NULL)
    op_int(m, "dtype",
           op_is(m, "rotary_tables")   ? (one_in(m, 2) ? TSR_F32 : TSR_F64)
           : op_is(m, "rand_integers") ? op_any_dtype(m, 1u << TSR_CLASS_INT)
           : floats                    ? op_any_dtype(m, 1u << TSR_CLASS_FLOAT)
                                       : op_any_dtype(m, 0x3E));
  if (tsr_op_attribute(op, "shape") != NULL) op_ints(m, "shape", s.n, s.d);
  if (op_is(m, "full_complex")) any_complex(m);
  if (op_is(m, "zeros_ordered")) op_text(m, "order", one_in(m, 2) ? "fortran" : "col_major");
  if (op_is(m, "rand_integers")) op_int(m, "high", any_of(m, 4, 100));
  if (op_is(m, "rand_uniform")) op_real(m, "high", (double)any_of(m, 4, 9));
  if (op_is(m, "window")) op_real(m, "beta", (double)any_of(m, 0, 20)), op_int(m, "n", any_of(m, 0, 50));
  if (op_is(m, "rand_permutation")) op_int(m, "n", any_of(m, 0, m->limit));
  if (op_is(m, "arange") || op_is(m, "arange_i64")) {
    op_is(m, "arange") ? op_real(m, "stop", (double)any_of(m, 0, 120)) : op_int(m, "stop", any_of(m, 0, 120));
    op_is(m, "arange") ? op_real(m, "step", (double)any_of(m, 1, 3)) : op_int(m, "step", any_of(m, 1, 3));
  }
  if (op_is(m, "linspace")) op_int(m, "count", any_of(m, 0, m->limit));
  if (op_is(m, "rotary_tables")) op_int(m, "features", 2 * any_of(m, 1, 9));
  op_rest(m);
}

void make_filled(op_make *m) {
  op_give(m, 0, op_any_dtype(m, 0x3E), op_any_shape(m, 0, 4));
  if (op_is(m, "fill_complex")) any_complex(m);
  op_rest(m);
}

void make_one_hot(op_make *m) {
  op_add_index(m, m->size >= 2 ? op_few(m, 1, 3) : op_any_shape(m, 0, 3), 0, 6);
  op_int(m, "classes", any_of(m, 7, 11));
  op_rest(m);
}

void make_norm(op_make *m) {
  static const double orders[] = {0, 1, 2, 3, 0.5, -1, INFINITY, -INFINITY};
  op_add(m, op_main_dtype(m), op_any_shape(m, 0, 4), OP_ANY_VALUES);
  op_real(m, "p", orders[any_of(m, 0, COUNT_OF(orders) - 1)]);
  op_rest(m);
}

#endif
