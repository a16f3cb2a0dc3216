/* Which case is made of which op, and what the makers of cases share. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#include <string.h>

#define D(input) (m->c->in[input])

bool op_is(const op_make *m, const char *name) { return strcmp(m->c->op->name, name) == 0; }

/* The lengths of an input; with one axis of another length. */
op_shape op_shape_of(const tsr_tensor *t) {
  op_shape s = {t->ndim, {0}};
  memcpy(s.d, t->shape, sizeof s.d);
  return s;
}
op_shape op_with_axis(op_shape s, int axis, tsr_index length) {
  s.d[axis] = length;
  return s;
}

/* The first input, of rank least to most, and an axis of it. */
int op_x_and_axis(op_make *m, int least, int most, op_values values) {
  op_add(m, op_main_dtype(m), op_any_shape(m, least, most), values);
  const int axis = (int)any_of(m, 0, D(0).ndim - 1);
  op_int(m, "axis", one_in(m, 3) ? axis - D(0).ndim : axis);
  return axis;
}

/* A shape of few elements, where each of them stands for many. */
op_shape op_few(op_make *m, int least_rank, int most_rank) {
  op_make less = *m;
  less.size = 0;
  less.limit = 24;
  return op_any_shape(&less, least_rank, most_rank);
}

void op_grows(op_make *m) {
  if (m->size <= 2) return;
  m->size = 2;
  m->limit = 60000;
}

op_values op_modest(op_make *m) { return one_in(m, 2) ? OP_WHOLE : OP_NEAR; }
tsr_index op_side(op_make *m) {
  static const tsr_index small[] = {0, 1, 2, 3, 5, 7, 8}, some[] = {1, 3, 8, 13, 16, 17, 31, 33},
                         many[] = {33, 64, 97, 130};
  return m->size == 0   ? small[any_of(m, one_in(m, 9) ? 0 : 1, 6)]
         : m->size == 1 ? some[any_of(m, 0, 7)]
                        : many[any_of(m, 0, 3)];
}

void op_activate(op_make *m) {
  if (one_in(m, 2))
    op_text(m, "activation", (const char *[]){"relu", "tanh", "sigmoid", "hard_swish"}[any_of(m, 0, 3)]);
}

void op_sum_of(op_make *m, tsr_index terms) { m->c->terms = (double)terms; }

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
