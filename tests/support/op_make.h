/* What makes cases: random shapes, values and attributes. */
#ifndef TSR_TEST_OP_MAKE_H
#define TSR_TEST_OP_MAKE_H

#include "support/op_case.h"

#if TSR_HAVE_OPS

typedef struct op_make {
  op_case *c;
  test_rng *rng;
  tsr_index limit; /* of elements */
  int size;
  int dtype; /* that the op is wanted with; TSR_NONE: any */
} op_make;

typedef struct op_shape {
  int n;
  tsr_index d[TSR_MAX_DIMS];
} op_shape;

#define SHAPE(...) ((op_shape){(int)(sizeof((tsr_index[]){__VA_ARGS__}) / sizeof(tsr_index)), {__VA_ARGS__}})

/* Values: small whole numbers, numbers around 1, everything that the dtype has, or one of the three. */
typedef enum op_values { OP_WHOLE, OP_NEAR, OP_WILD, OP_ANY_VALUES } op_values;

static inline tsr_index any_of(op_make *m, tsr_index low, tsr_index high) { return test_between(m->rng, low, high); }
static inline bool one_in(op_make *m, int n) { return test_random(m->rng) % (uint32_t)n == 0; }

/* An integer of that many bytes, whatever the order of bytes. */
void op_put(unsigned char *at, size_t bytes, uint64_t value);

tsr_index op_any_length(op_make *m, tsr_index room); /* 0 … about room */
op_shape op_any_shape(op_make *m, int least_rank, int most_rank);
int op_any_dtype(op_make *m, unsigned classes);
int op_main_dtype(op_make *m); /* one that the op takes */

/* Adds an input; returns its number. */
int op_add(op_make *m, int dtype, op_shape shape, op_values values);
int op_add_none(op_make *m);
int op_add_index(op_make *m, op_shape shape, tsr_index low, tsr_index high); /* integers of any dtype that holds them */
void op_fill_index(op_make *m, int input, tsr_index low, tsr_index high);
void op_sort_input(op_make *m, int input);
/* Some axes made 1, or left out: what broadcasts to shape. */
op_shape op_narrowed(op_make *m, op_shape shape);

/* What an output holds that must be given. */
void op_give(op_make *m, int output, int dtype, op_shape shape);

void op_bool(op_make *m, const char *name, bool value);
void op_int(op_make *m, const char *name, tsr_index value);
void op_real(op_make *m, const char *name, double value);
void op_text(op_make *m, const char *name, const char *value);
void op_ints(op_make *m, const char *name, int n, const tsr_index *values);
void op_reals(op_make *m, const char *name, int n, const double *values);
void op_word(op_make *m, const char *name); /* any of them */
/* Every attribute that has no value yet, by its type. */
void op_rest(op_make *m);

/* ---- what makers share ---- */

bool op_is(const op_make *m, const char *name);
op_shape op_shape_of(const tsr_tensor *t);
op_shape op_with_axis(op_shape s, int axis, tsr_index length);
/* The first input, of rank least to most, and an axis of it. */
int op_x_and_axis(op_make *m, int least, int most, op_values values);
/* A shape of few elements, where each of them stands for many. */
op_shape op_few(op_make *m, int least_rank, int most_rank);
/* For results that are larger than their inputs: of the largest sizes none. */
void op_grows(op_make *m);
/* Values of class C, the side of a matrix, how many products are added up, an activation. */
op_values op_modest(op_make *m);
tsr_index op_side(op_make *m);
void op_sum_of(op_make *m, tsr_index terms);
void op_activate(op_make *m);

/* Makes the inputs and attributes of one op; the rows of op_cases.c say which for which. */
typedef void op_maker(op_make *m);
typedef struct op_row {
  const char *name;
  op_maker *make;
  char class_;
  unsigned flags;
} op_row;
const op_row *op_row_of(const char *name);

/* Those of the rows. make_any: all inputs of one shape or such that broadcast to it, and any attributes, as the
 * elementwise ops and many others have them. */
#define ROW(name, make, class_, flags) op_maker make;
#include "support/op_rows.def"
#undef ROW

#endif
#endif
