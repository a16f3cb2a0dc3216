/* Cases of linear algebra: symmetric matrices whose diagonal rises and outweighs the rest, so that each has one result, whatever
 * rounds how, and vectors have their signs. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#define D(input) (m->c->in[input])

static void put(const tsr_tensor *t, tsr_index at, double value) {
  tsr_tensor to = {.dtype = t->dtype};
  to.data = (unsigned char *)t->data + (size_t)at * tsr_dtype_size(t->dtype);
  TSR_IGNORE(tsr_copy(NULL, &(tsr_tensor){.dtype = TSR_F64, .data = &value}, &to));
}

/* A stack of n × n; what is on the diagonal grows by step. */
static void add_matrices(op_make *m, int dtype, tsr_index n, double first, double step) {
  const bool one = one_in(m, 3);
  const tsr_index count = one ? 1 : any_of(m, 0, m->size >= 2 ? 40 : 4);
  const int input = op_add(m, dtype, one ? SHAPE(n, n) : SHAPE(count, n, n), OP_WHOLE);
  for (tsr_index i = 0; i < count * n * n; i++) {
    const tsr_index row = i / n % n, col = i % n;
    put(&D(input), i, row == col ? first + step * (double)row : (row + col) % 5 == 2 ? 1 : 0);
  }
  m->c->repeats[input] = 0;
  op_sum_of(m, n + 8);
}

static tsr_index any_side(op_make *m) { return any_of(m, 0, m->size >= 2 && one_in(m, 3) ? 20 : 6); }

void make_square(op_make *m) {
  add_matrices(m, op_main_dtype(m), any_side(m), 6, 2);
  op_rest(m);
}

/* Triangular but for a pair in the first two rows: eigenvalues have an order then. */
void make_eig(op_make *m) {
  add_matrices(m, op_main_dtype(m), any_side(m), 6, 2);
  const tsr_tensor *const a = &D(m->c->inputs - 1);
  const tsr_index n = a->shape[a->ndim - 1];
  for (tsr_index i = 0; i < tsr_size(a); i++) {
    const tsr_index row = i / n % n, col = i % n;
    if (row > col || row + col == 1) put(a, i, row + col == 1 ? 1 : 0);
  }
  op_rest(m);
}

void make_small_square(op_make *m) { add_matrices(m, op_main_dtype(m), any_of(m, 0, 3), 2, 1); }

void make_solve(op_make *m) {
  const tsr_index n = any_side(m);
  const int dtype = op_main_dtype(m);
  add_matrices(m, dtype, n, 6, 2);
  op_add(m, dtype, one_in(m, 3) ? SHAPE(n) : SHAPE(n, any_of(m, 0, 5)), OP_WHOLE);
  op_rest(m);
}

void make_lu_solve(op_make *m) {
  const tsr_index n = any_side(m);
  const int dtype = op_main_dtype(m);
  add_matrices(m, dtype, n, 6, 2);
  op_add_index(m, SHAPE(n), 0, n > 0 ? n - 1 : 0);
  op_add(m, dtype, one_in(m, 3) ? SHAPE(n) : SHAPE(n, any_of(m, 0, 5)), OP_WHOLE);
}

void make_matrix_power(op_make *m) {
  add_matrices(m, op_main_dtype(m), any_of(m, 0, 4), 1, 0);
  op_int(m, "n", any_of(m, 0, 3));
}

void make_expm(op_make *m) { add_matrices(m, op_main_dtype(m), any_of(m, 0, 4), 1, 0); }

#endif
