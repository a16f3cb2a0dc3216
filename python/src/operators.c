/* Operators of tensors: plain, reflected, in place, comparisons. Each is an op of the table. */
#include "module.h"

/* Name of the slot, its op. */
#define BINARY_LIST(X)          \
  X(add, add)                   \
  X(subtract, sub)              \
  X(multiply, mul)              \
  X(true_divide, div)           \
  X(floor_divide, floor_divide) \
  X(remainder, remainder)       \
  X(matrix_multiply, matmul)    \
  X(and, bitwise_and)           \
  X(or, bitwise_or)             \
  X(xor, bitwise_xor)           \
  X(lshift, shift_left)         \
  X(rshift, shift_right)
#define UNARY_LIST(X) \
  X(negative, neg)    \
  X(absolute, abs)    \
  X(positive, copy)   \
  X(invert, bitwise_not)
/* In the order of Py_LT … Py_GE. */
#define COMPARE_LIST(X) X(lt, lt) X(le, le) X(eq, eq) X(ne, ne) X(gt, gt) X(ge, ge)

enum {
#define X(slot, op) OP_##slot,
  BINARY_LIST(X) UNARY_LIST(X) X(power, pow) COMPARE_LIST(X)
#undef X
      OPS
};
static const tsr_op *ops[OPS];

/* ---- operands ---- */

/* The dtype of a number beside a tensor. A comparison takes a whole number that the dtype does not hold as what holds it, which is a float
 * where no integers do: it is beyond all of them, and so is the float. */
static bool beside(py_number *number, int dtype, bool compares) {
  if (py_number_as(number, py_number_dtype(number, dtype))) return true;
  if (!compares || !PyErr_ExceptionMatches(py_.range_error)) return false;
  PyErr_Clear();
  return py_number_as(number, number->is_huge ? TSR_F64 : py_number_dtype(number, TSR_NONE));
}

/* 1: both are tensors, or one is and the other is a number. 0: another type is asked. -1: an exception. */
static int operands(PyObject *const objects[2], bool compares, py_number *number, const tsr_tensor *in[2]) {
  const bool first = py_is_tensor(objects[0]), both = first && py_is_tensor(objects[1]);
  if (both) {
    in[0] = py_handle(objects[0]), in[1] = py_handle(objects[1]);
    return 1;
  }
  const int t = first ? 0 : 1; /* where the tensor is */
  in[t] = py_handle(objects[t]);
  in[1 - t] = &number->tensor;
  const int is = py_number_read(objects[1 - t], number);
  if (is == 1) return beside(number, in[t]->dtype, compares) ? 1 : -1;
  return is;
}

static PyObject *not_implemented(void) { return py_ref(Py_NotImplemented); }

/* ---- calls ---- */

static tsr_status run(const tsr_op *op, int n, const tsr_tensor *const *in, tsr_tensor *out) {
  tsr_index size = 0;
  for (int i = 0; i < n; i++) size += tsr_size(in[i]);
  PyThreadState *const state = py_unlock(size);
  const tsr_status st = tsr_op_call(NULL, op, n, in, 0, NULL, 1, &out);
  py_lock(state);
  return st;
}

static PyObject *binary(PyObject *a, PyObject *b, int op) {
  py_number number;
  const tsr_tensor *in[2];
  const int is = operands((PyObject *[]){a, b}, op >= OP_lt, &number, in);
  if (is <= 0) return is < 0 ? NULL : not_implemented();
  py_tensor *const result = py_tensor_new();
  return result == NULL ? NULL : py_tensor_done(result, run(ops[op], 2, in, &result->tensor));
}

/* Writes into a, whose dtype and shape the result must have. */
static PyObject *in_place(PyObject *a, PyObject *b, int op) {
  py_number number;
  const tsr_tensor *in[2];
  const int is = operands((PyObject *[]){a, b}, false, &number, in);
  if (is <= 0) return is < 0 ? NULL : not_implemented();
  tsr_tensor out = *py_handle(a);
  out.flags &= (uint8_t)~TSR_OWNS;
  return py_ok(run(ops[op], 2, in, &out)) ? py_ref(a) : NULL;
}

static PyObject *unary(PyObject *a, int op) {
  const tsr_tensor *const in = py_handle(a);
  py_tensor *const result = py_tensor_new();
  return result == NULL ? NULL : py_tensor_done(result, run(ops[op], 1, &in, &result->tensor));
}

static PyObject *compare(PyObject *a, PyObject *b, int which) { return binary(a, b, OP_lt + which); }

/* Powers modulo a number are Python's integers' alone. */
static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus) {
  return modulus == Py_None ? binary(a, b, OP_power) : not_implemented();
}

static PyObject *in_place_power(PyObject *a, PyObject *b, PyObject *modulus) {
  return modulus == Py_None ? in_place(a, b, OP_power) : not_implemented();
}

static PyObject *both_of(PyObject *a, PyObject *b) {
  PyObject *const quotient = binary(a, b, OP_floor_divide);
  if (quotient == NULL || quotient == Py_NotImplemented) return quotient;
  PyObject *const rest = binary(a, b, OP_remainder);
  PyObject *const pair = rest == NULL ? NULL : PyTuple_Pack(2, quotient, rest);
  Py_DECREF(quotient);
  Py_XDECREF(rest);
  return pair;
}

#define X(slot, op)                                                                          \
  static PyObject *slot_##slot(PyObject *a, PyObject *b) { return binary(a, b, OP_##slot); } \
  static PyObject *slot_inplace_##slot(PyObject *a, PyObject *b) { return in_place(a, b, OP_##slot); }
BINARY_LIST(X)
#undef X
#define X(slot, op) \
  static PyObject *slot_##slot(PyObject *a) { return unary(a, OP_##slot); }
UNARY_LIST(X)
#undef X

static const PyType_Slot slots[] = {
#define X(slot, op) {Py_nb_##slot, (void *)slot_##slot}, {Py_nb_inplace_##slot, (void *)slot_inplace_##slot},
    BINARY_LIST(X)
#undef X
#define X(slot, op) {Py_nb_##slot, (void *)slot_##slot},
        UNARY_LIST(X)
#undef X
            {Py_nb_power, (void *)power},
    {Py_nb_inplace_power, (void *)in_place_power},
    {Py_nb_divmod, (void *)both_of},
    {Py_tp_richcompare, (void *)compare},
    {0, NULL},
};

static int operators_init(PyObject *module) {
  (void)module;
#define X(slot, op) ops[OP_##slot] = tsr_op_find(#op);
  BINARY_LIST(X)
  UNARY_LIST(X)
  X(power, pow)
  COMPARE_LIST(X)
#undef X
  for (int i = 0; i < OPS; i++)
    if (ops[i] == NULL) return -1;
  return 0;
}

const py_part py_operators_part = {.slots = slots, .init = operators_init};
