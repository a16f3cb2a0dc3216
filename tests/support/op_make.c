/* Random shapes, values and attributes. */
#include "support/op_make.h"

#if TSR_HAVE_OPS

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes ---- */

tsr_index op_any_length(op_make *m, tsr_index room) {
  static const tsr_index lengths[] = {0, 1, 1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 19, 31, 33, 64, 67, 97, 129, 257};
  int most = COUNT_OF(lengths) - 1;
  while (most > 1 && lengths[most] > room) most--;
  return lengths[any_of(m, one_in(m, 12) ? 0 : 1, most)];
}

op_shape op_any_shape(op_make *m, int least_rank, int most_rank) {
  op_shape s = {(int)any_of(m, least_rank, most_rank), {0}};
  tsr_index left = m->limit;
  for (int i = 0; i < s.n; i++) {
    s.d[i] = op_any_length(m, i + 1 < s.n ? 1 + left / 4 : left);
    if (s.d[i] > 1) left /= s.d[i];
  }
  if (m->size >= 2 && s.n > 0 && left > 1) s.d[any_of(m, 0, s.n - 1)] *= left / 2 + 1;
  return s;
}

op_shape op_narrowed(op_make *m, op_shape shape) {
  const int drop = one_in(m, 3) ? (int)any_of(m, 0, shape.n) : 0;
  op_shape s = {shape.n - drop, {0}};
  for (int i = 0; i < s.n; i++) s.d[i] = one_in(m, 4) ? 1 : shape.d[i + drop];
  return s;
}

/* ---- dtypes ---- */

int op_any_dtype(op_make *m, unsigned classes) {
  for (int tries = 0; tries < 400; tries++) {
    const int dtype = (int)any_of(m, TSR_BOOL, TSR_DTYPE_COUNT - 1);
    if (tsr_dtype_supported(dtype) && (classes >> tsr_dtype_describe(dtype)->class_ & 1) != 0) return dtype;
  }
  return TSR_F32;
}

int op_main_dtype(op_make *m) {
  const unsigned takes = m->c->op->takes;
  if (m->dtype != TSR_NONE && (takes >> tsr_dtype_describe(m->dtype)->class_ & 1) != 0) return m->dtype;
  if (one_in(m, 4) && (takes >> TSR_CLASS_FLOAT & 1) != 0) return TSR_F32; /* more often: it has the most kernels */
  return op_any_dtype(m, takes);
}

/* ---- values ---- */

void op_put(unsigned char *at, size_t bytes, uint64_t value) {
  const uint32_t word = (uint32_t)value;
  const uint16_t half = (uint16_t)value;
  const uint8_t byte = (uint8_t)value;
  memcpy(at,
         bytes == 8   ? (const void *)&value
         : bytes == 4 ? (const void *)&word
         : bytes == 2 ? (const void *)&half
                      : &byte,
         bytes);
}

static double any_real(op_make *m, op_values values) {
  static const double specials[] = {
      0,      -0.0,      1,       -1,   NAN,    INFINITY, -INFINITY, 0x1p-149, -0x1p-140, 0x1p-24, 65504, 448,
      57344,  0x1p-1074, 1.5,     -2.5, 3.4e38, -1e30,    1e-30,     1.7e308,  88.7,      -103.9,  709.5, -745.1,
      0x1p31, 0x1p63,    -0x1p63, 0.5,  1e9,    0x1p53,   6.1e-5,    3.14159,  1e5,       -7.25,   127,   -128};
  if (values == OP_WHOLE) return (double)any_of(m, -4, 4);
  const double near = ((double)test_random(m->rng) / 0x1p31 - 1) * 3;
  if (values == OP_NEAR) return near;
  if (one_in(m, 4)) return specials[any_of(m, 0, COUNT_OF(specials) - 1)];
  return one_in(m, 2) ? near : ldexp(near, (int)any_of(m, -60, 60));
}

static void fill_integers(op_make *m, int dtype, unsigned char *at, tsr_index n, op_values values) {
  const size_t item = tsr_dtype_size(dtype);
  const bool is_bool = dtype == TSR_BOOL, is_signed = tsr_dtype_describe(dtype)->class_ == TSR_CLASS_INT;
  for (tsr_index i = 0; i < n; i++) {
    uint64_t v = (uint64_t)test_random(m->rng) << 32 | test_random(m->rng);
    if (is_bool)
      v &= 1;
    else if (values != OP_WILD || v % 4 != 0)
      v = (uint64_t)any_of(m, is_signed ? -4 : 0, 8);
    else if (v % 8 == 0)
      v = v % 16 != 0 ? (uint64_t)INT64_MAX >> (64 - 8 * item) : (uint64_t)1 << (8 * item - 1);
    op_put(at + (size_t)i * item, item, v);
  }
}

static void fill_floats(op_make *m, int dtype, unsigned char *at, tsr_index n, op_values values) {
  const size_t item = tsr_dtype_size(dtype);
  double block[64];
  for (tsr_index i = 0; i < n; i += 64) {
    const tsr_index many = n - i < 64 ? n - i : 64;
    for (tsr_index k = 0; k < many; k++) block[k] = any_real(m, values);
    tsr_tensor in = {.dtype = TSR_F64, .ndim = 1, .shape = {many}, .stride = {1}, .data = block}, out = in;
    out.dtype = (uint8_t)dtype;
    out.data = at + (size_t)i * item;
    if (tsr_copy(NULL, &in, &out) != TSR_OK) memset(out.data, 0, (size_t)many * item);
  }
}

static void fill(op_make *m, tsr_tensor *t, op_values values) {
  const tsr_index n = test_product(t->ndim, t->shape);
  const int class = tsr_dtype_describe(t->dtype)->class_;
  if (values == OP_ANY_VALUES) values = (op_values)any_of(m, OP_WHOLE, OP_WILD);
  if (class == TSR_CLASS_COMPLEX)
    fill_floats(m, t->dtype == TSR_C64 ? TSR_F32 : TSR_F64, t->data, 2 * n, values);
  else if (class == TSR_CLASS_FLOAT)
    fill_floats(m, t->dtype, t->data, n, values);
  else
    fill_integers(m, t->dtype, t->data, n, values);
}

static tsr_tensor tensor_of(int dtype, op_shape shape) {
  tsr_tensor t = {.dtype = (uint8_t)dtype, .ndim = (uint8_t)shape.n};
  tsr_index step = 1;
  for (int i = TSR_MAX_DIMS - 1; i >= 0; i--) {
    t.shape[i] = i < shape.n ? shape.d[i] : 1;
    t.stride[i] = i < shape.n ? step : 0;
    step *= t.shape[i];
  }
  t.data = malloc((size_t)step * tsr_dtype_size(dtype) + 1);
  return t;
}

/* Index 0 of an axis into all others. */
static void repeat_axis(const tsr_tensor *t, int axis) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (test_product(t->ndim, t->shape) == 0) return;
  do {
    tsr_index first[TSR_MAX_DIMS];
    memcpy(first, index, sizeof first);
    first[axis] = 0;
    if (index[axis] != 0) memcpy(test_at(t, index), test_at(t, first), tsr_dtype_size(t->dtype));
  } while (test_next_index(t->ndim, t->shape, index));
}

int op_add(op_make *m, int dtype, op_shape shape, op_values values) {
  const int i = m->c->inputs++;
  tsr_tensor *const t = &m->c->in[i];
  *t = tensor_of(dtype, shape);
  fill(m, t, values);
  for (int axis = 0; axis < shape.n && one_in(m, 4); axis++) {
    if (!one_in(m, 3)) continue;
    repeat_axis(t, axis);
    m->c->repeats[i] |= 1u << axis;
  }
  return i;
}

int op_add_none(op_make *m) { return m->c->inputs++; }

void op_fill_index(op_make *m, int input, tsr_index low, tsr_index high) {
  const tsr_tensor *const t = &m->c->in[input];
  const size_t item = tsr_dtype_size(t->dtype);
  const tsr_index n = test_product(t->ndim, t->shape);
  for (tsr_index i = 0; i < n; i++) {
    op_put((unsigned char *)t->data + (size_t)i * item, item, (uint64_t)any_of(m, low, high));
  }
  m->c->repeats[input] = 0;
}

int op_add_index(op_make *m, op_shape shape, tsr_index low, tsr_index high) {
  const unsigned classes = 1u << TSR_CLASS_INT | (low < 0 ? 0 : 1u << TSR_CLASS_UINT);
  int dtype = op_any_dtype(m, classes);
  if (high > 100 && tsr_dtype_size(dtype) == 1) dtype = TSR_I32;
  const int i = op_add(m, dtype, shape, OP_WHOLE);
  op_fill_index(m, i, low, high < low ? low : high);
  return i;
}

void op_sort_input(op_make *m, int input) {
  tsr_tensor *const t = &m->c->in[input];
  if (test_product(t->ndim, t->shape) > 0 && t->ndim == 1 && tsr_sort(NULL, t, 0, false, t) == TSR_OK)
    m->c->repeats[input] = 0;
}

void op_give(op_make *m, int output, int dtype, op_shape shape) {
  m->c->given[output] = tensor_of(dtype, shape);
  fill(m, &m->c->given[output], OP_NEAR);
}

/* ---- attributes ---- */

void op_bool(op_make *m, const char *name, bool value) { m->c->attr[m->c->attrs++] = tsr_attr_bool(name, value); }
void op_int(op_make *m, const char *name, tsr_index value) { m->c->attr[m->c->attrs++] = tsr_attr_int(name, value); }
void op_real(op_make *m, const char *name, double value) {
  m->c->attr[m->c->attrs++] = tsr_attr_real(name, (tsr_real)value);
}
void op_text(op_make *m, const char *name, const char *value) {
  strncpy(m->c->text, value, OP_TEXT - 1);
  m->c->attr[m->c->attrs++] = tsr_attr_text(name, m->c->text);
}
void op_ints(op_make *m, const char *name, int n, const tsr_index *values) {
  tsr_index *const kept = m->c->ints + m->c->n_ints;
  for (int i = 0; i < n; i++) kept[i] = values[i];
  m->c->n_ints += n;
  m->c->attr[m->c->attrs++] = tsr_attr_ints(name, n, kept);
}
void op_reals(op_make *m, const char *name, int n, const double *values) {
  tsr_real *const kept = m->c->reals + m->c->n_reals;
  for (int i = 0; i < n; i++) kept[i] = (tsr_real)values[i];
  m->c->n_reals += n;
  m->c->attr[m->c->attrs++] = tsr_attr_reals(name, n, kept);
}

void op_word(op_make *m, const char *name) {
  const tsr_op_param *const p = tsr_op_attribute(m->c->op, name);
  int count = 0;
  while (tsr_op_word(p, count) != NULL) count++;
  m->c->attr[m->c->attrs++] = tsr_attr_text(name, tsr_op_word(p, (int)any_of(m, 0, count - 1)));
}

static bool has_attr(const op_case *c, const char *name) {
  for (int i = 0; i < c->attrs; i++)
    if (strcmp(c->attr[i].name, name) == 0) return true;
  return false;
}

static void any_axes(op_make *m, const char *name, int rank) {
  tsr_index axes[TSR_MAX_DIMS];
  int n = 0;
  for (int i = 0; i < rank; i++)
    if (one_in(m, 2)) axes[n++] = one_in(m, 3) ? i - rank : i;
  op_ints(m, name, n, axes);
}

static void any_attr(op_make *m, const tsr_op_param *p) {
  static const double reals[] = {0.5, 1, 2, -0.0, 3, -1.5, 0.25, NAN, INFINITY, 1e-3, 1e20};
  const int rank = m->c->inputs > 0 ? m->c->in[0].ndim : 0;
  switch (p->type) {
    case TSR_OP_BOOL: op_bool(m, p->name, one_in(m, 2)); break;
    case TSR_OP_INT: op_int(m, p->name, any_of(m, 0, 3)); break;
    case TSR_OP_AXIS: op_int(m, p->name, any_of(m, -rank, rank - (rank > 0))); break;
    case TSR_OP_REAL:
      op_real(m, p->name, one_in(m, 2) ? (double)any_of(m, 0, 3) : reals[any_of(m, 0, COUNT_OF(reals) - 1)]);
      break;
    case TSR_OP_WORD: op_word(m, p->name); break;
    case TSR_OP_DTYPE: op_int(m, p->name, op_any_dtype(m, 0x3E)); break;
    case TSR_OP_AXES: any_axes(m, p->name, rank); break;
    case TSR_OP_RNG: m->c->attr[m->c->attrs++] = tsr_attr_rng(p->name, NULL); break;
    default: break;
  }
}

void op_rest(op_make *m) {
  const tsr_op_param *p;
  for (int i = 0; (p = tsr_op_param_at(m->c->op, TSR_OP_ATTRIBUTE, i)) != NULL; i++) {
    if (has_attr(m->c, p->name) || ((p->flags & TSR_OP_OPTIONAL) != 0 && one_in(m, 3))) continue;
    any_attr(m, p);
  }
}

/* ---- any op ---- */

void make_any(op_make *m) {
  const op_shape shape = op_any_shape(m, 0, m->c->outputs > 1 ? 3 : 5);
  const int dtype = op_main_dtype(m);
  const tsr_op_param *p;
  for (int i = 0; (p = tsr_op_param_at(m->c->op, TSR_OP_INPUT, i)) != NULL; i++) {
    const op_shape s = i == 0 && one_in(m, 2) ? shape : op_narrowed(m, shape);
    if ((p->flags & TSR_OP_OPTIONAL) != 0 && one_in(m, 3))
      op_add_none(m);
    else
      op_add(m,
             p->takes != 0  ? op_any_dtype(m, p->takes)
             : one_in(m, 6) ? op_main_dtype(m)
                            : dtype,
             p->type == TSR_OP_TENSORS || i == 0 ? shape : s, OP_ANY_VALUES);
  }
  op_rest(m);
}

/* ---- cases ---- */

static int outputs_of(const tsr_op *op) {
  int n = 0;
  while (tsr_op_param_at(op, TSR_OP_OUTPUT, n) != NULL) n++;
  return n;
}

void op_case_init(op_case *c, int i, uint64_t seed, int size) { op_case_init_of(c, i, seed, size, TSR_NONE); }

void op_case_init_of(op_case *c, int i, uint64_t seed, int size, int dtype) {
  static const tsr_index limits[] = {24, 700, 60000, 500000, 3000000};
  const op_row *const row = op_row_of(tsr_op_at(i)->name);
  test_rng rng = {seed};
  op_make m = {c, &rng, limits[size], size, dtype};
  memset(c, 0, sizeof *c);
  c->op = tsr_op_at(i);
  c->seed = seed;
  c->outputs = outputs_of(c->op);
  c->class_ = row != NULL ? row->class_ : 'A';
  c->flags = row != NULL ? row->flags : 0;
  (row != NULL ? row->make : make_any)(&m);
}

void op_case_release(op_case *c) {
  for (int i = 0; i < c->inputs; i++) free(c->in[i].data);
  for (int i = 0; i < c->outputs; i++) free(c->given[i].data);
  free(c->weights.data);
  free(c->bias.data);
}

#endif
