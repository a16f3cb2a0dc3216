/* Cases of products and series. Values are near 1, so that what rounding makes of a sum is known. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#include <math.h>
#include <string.h>

#define D(input) (m->c->in[input])

/* ---- products: values near 1, so that what rounding makes of a sum is known ---- */
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

void make_gemm(op_make *m) {
  const tsr_index a = op_side(m), k = op_side(m), b = op_side(m);
  const int dtype = op_main_dtype(m);
  const bool integers = tsr_dtype_describe(dtype)->class_ != TSR_CLASS_FLOAT;
  op_sum_of(m, k);
  op_add(m, dtype, SHAPE(a, k), op_modest(m));
  op_add(m, dtype, SHAPE(k, b), op_modest(m));
  one_in(m, 3) ? op_add_none(m) : op_add(m, dtype, one_in(m, 2) ? SHAPE(a, b) : SHAPE(1, b), op_modest(m));
  one_in(m, 3) ? op_add_none(m) : op_add(m, dtype, one_in(m, 2) ? SHAPE(b) : SHAPE(a, 1), op_modest(m));
  spoil(m, 0);
  if (D(2).dtype == TSR_NONE && one_in(m, 2)) op_give(m, 0, dtype, SHAPE(a, b));
  if (D(2).dtype != TSR_NONE || m->c->given[0].dtype != TSR_NONE)
    op_real(m, "beta", integers || one_in(m, 2) ? 1 : 0.5);
  if (!integers && one_in(m, 2)) op_real(m, "alpha", 0.75);
  if (integers)
    op_text(m, "activation", one_in(m, 2) ? "relu" : "none");
  else
    op_activate(m);
}

void make_product(op_make *m) {                   /* matmul, dense, matvec, dot, outer, inner, vdot, kron */
  const bool deep = m->size >= 2 && one_in(m, 3); /* long sums */
  const tsr_index a = deep ? 3 : op_side(m), k = deep ? 3001 : op_side(m), b = deep ? 5 : op_side(m);
  const int dtype = op_main_dtype(m);
  const bool batch = one_in(m, 3);
  op_sum_of(m, k);
  if (op_is(m, "matmul")) {
    op_add(m, dtype, batch ? SHAPE(2, a, k) : one_in(m, 5) ? SHAPE(k) : SHAPE(a, k), op_modest(m));
    op_add(m, one_in(m, 5) ? op_main_dtype(m) : dtype,
           batch && one_in(m, 2) ? SHAPE(2, k, b)
           : one_in(m, 5)        ? SHAPE(k)
                                 : SHAPE(k, b),
           op_modest(m));
  } else if (op_is(m, "dense")) {
    op_add(m, dtype, batch ? SHAPE(2, a, k) : SHAPE(a, k), op_modest(m));
    op_add(m, dtype, SHAPE(b, k), op_modest(m));
    one_in(m, 3) ? op_add_none(m) : op_add(m, dtype, SHAPE(b), op_modest(m));
    if (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT) op_activate(m);
  } else {
    const bool longer =
        m->size >= 2 && !op_is(m, "kron") && !op_is(m, "outer") && !op_is(m, "inner") && !op_is(m, "matvec");
    const tsr_index n = longer ? m->limit : k;
    op_sum_of(m, n);
    op_add(m, dtype, op_is(m, "matvec") || op_is(m, "inner") ? SHAPE(a, k) : SHAPE(n), op_modest(m));
    op_add(m, dtype, op_is(m, "inner") ? SHAPE(b, k) : SHAPE(op_is(m, "kron") || op_is(m, "outer") ? b : n),
           op_modest(m));
  }
  spoil(m, 0);
}

void make_einsum(op_make *m) {
  static const char *const equations[] = {"ij->ji",    "ii->i",       "ij->",         "ij,jk->ki",    "ij,kj->ik",
                                          "ij,jk->",   "ij,jk->ijk",  "ii,ij->j",     "ij,jj->i",     "...j,jk->...k",
                                          "ij,ij->ij", "ab,cd->abcd", "ij,jk,kl->il", "ij,ik,il->jkl"};
  const char *const equation = equations[any_of(m, 0, COUNT_OF(equations) - 1)];
  const tsr_index n = op_side(m) % (strlen(equation) > 10 ? 7 : 20);
  const int dtype = op_main_dtype(m);
  op_sum_of(m, n * n);
  op_add(m, dtype, SHAPE(n, n), op_modest(m));
  for (const char *c = equation; *c != 0; c++)
    if (*c == ',') op_add(m, dtype, SHAPE(n, n), op_modest(m));
  op_text(m, "equation", equation);
}

void make_tensordot(op_make *m) {
  const tsr_index k = op_side(m), dtype = op_main_dtype(m);
  op_sum_of(m, k);
  op_add(m, (int)dtype, SHAPE(op_side(m), k), op_modest(m));
  op_add(m, (int)dtype, SHAPE(k, op_side(m)), op_modest(m));
  op_ints(m, "axes_a", 1, (const tsr_index[]){1});
  op_ints(m, "axes_b", 1, (const tsr_index[]){0});
}

void make_cross(op_make *m) {
  op_shape s = op_any_shape(m, 1, 3);
  const int axis = (int)any_of(m, 0, s.n - 1), dtype = op_main_dtype(m);
  s.d[axis] = any_of(m, 2, 3);
  for (int i = 0; i < 2; i++) op_add(m, dtype, s, OP_ANY_VALUES);
  op_int(m, "axis", axis);
}

/* ---- series ---- */

void make_diff(op_make *m) {
  const int axis = op_x_and_axis(m, 1, 4, OP_ANY_VALUES);
  const op_shape s = op_shape_of(&D(0));
  one_in(m, 2) ? op_add_none(m) : op_add(m, D(0).dtype, op_with_axis(s, axis, any_of(m, 1, 3)), OP_ANY_VALUES);
  one_in(m, 2) ? op_add_none(m)
               : op_add(m, D(0).dtype, one_in(m, 2) ? (op_shape){0} : op_with_axis(s, axis, 1), OP_ANY_VALUES);
  op_rest(m);
}

void make_central_diff(op_make *m) {
  const int axis = op_x_and_axis(m, 1, 4, OP_ANY_VALUES);
  if (one_in(m, 2)) {
    op_add(m, op_any_dtype(m, 0x1E), SHAPE(D(0).shape[axis]), OP_NEAR);
    op_sort_input(m, 1);
  }
  op_int(m, "edge_order", any_of(m, 1, 2));
  op_rest(m);
}

void make_interp(op_make *m) {
  const tsr_index n = any_of(m, 1, 20);
  op_add(m, op_any_dtype(m, 0x1E), op_any_shape(m, 0, 3), OP_ANY_VALUES);
  op_add(m, op_any_dtype(m, 0x1E), SHAPE(n), OP_NEAR);
  op_sort_input(m, 1);
  op_add(m, op_main_dtype(m), SHAPE(n), OP_NEAR);
  op_rest(m);
}

void make_convolve(op_make *m) {
  const int dtype = op_main_dtype(m);
  op_add(m, dtype, SHAPE(op_any_length(m, m->limit) + 1), OP_ANY_VALUES);
  op_add(m, dtype, SHAPE(op_any_length(m, 40) + 1), OP_ANY_VALUES);
  op_rest(m);
}

void make_fft(op_make *m) { /* along one axis or several */
  const bool line = tsr_op_attribute(m->c->op, "axis") != NULL;
  tsr_index n[TSR_MAX_DIMS], all = 1;
  op_grows(m);
  if (line) {
    const int axis = op_x_and_axis(m, 1, 4, op_modest(m));
    n[0] = one_in(m, 2) || D(0).shape[axis] == 0 ? any_of(m, 1, 40) : 0;
    op_int(m, "n", n[0]);
    all = n[0] + 2 * D(0).shape[axis];
  } else {
    op_add(m, op_main_dtype(m), op_any_shape(m, 1, 3), op_modest(m));
    for (int i = 0; i < D(0).ndim; i++) {
      n[i] = D(0).shape[i] == 0 || one_in(m, 3) ? any_of(m, 1, 9) : 0;
      all *= n[i] + 2 * D(0).shape[i];
    }
    op_ints(m, "n", D(0).ndim, n);
    const tsr_index axes[3] = {0, 1, 2};
    op_ints(m, "axes", D(0).ndim, axes);
  }
  op_sum_of(m, all);
  op_rest(m);
}

/* A vector of weights none of which is near 0, or none. */
static void add_window(op_make *m, tsr_index n) {
  if (one_in(m, 3))
    op_add_none(m);
  else
    op_add(m, op_any_dtype(m, 0x10), SHAPE(any_of(m, 1, n)), op_modest(m));
}

void make_stft(op_make *m) {
  const tsr_index n = any_of(m, 1, 20);
  op_grows(m);
  op_shape s = op_any_shape(m, 1, 3);
  s.d[s.n - 1] = n + any_of(m, 0, 40);
  op_add(m, op_main_dtype(m), s, op_modest(m));
  add_window(m, n);
  op_int(m, "n", n);
  op_int(m, "hop", any_of(m, 1, n));
  op_sum_of(m, 4 * n);
  op_rest(m);
}

void make_istft(op_make *m) {
  const tsr_index n = any_of(m, 2, 20), frames = any_of(m, 2, 6);
  const bool whole = one_in(m, 2);
  op_grows(m);
  op_add(m, op_main_dtype(m),
         one_in(m, 2) ? SHAPE(2, whole ? n : n / 2 + 1, frames) : SHAPE(whole ? n : n / 2 + 1, frames), op_modest(m));
  op_add_none(m);
  op_int(m, "n", n);
  op_int(m, "hop", any_of(m, 1, n));
  op_bool(m, "onesided", !whole);
  op_sum_of(m, 8 * n);
  op_rest(m);
}

#endif
