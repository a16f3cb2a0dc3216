/* A call of an op by its row in the table. */
#include "function.h"

enum { FEW = 8 };

/* The outputs of a call: new tensors, or given ones, which are written into by way of handles that hold no count. */
typedef struct outputs {
  int count;
  tsr_tensor *tensor, few[FEW];
  tsr_tensor **out, *few_out[FEW];
  PyObject *given; /* a tuple, or NULL; None in it: a new tensor */
} outputs;

static bool is_given(const outputs *o, int i) { return o->given != NULL && PyTuple_GetItem(o->given, i) != Py_None; }

static bool make_room(outputs *o) {
  o->tensor = o->few;
  o->out = o->few_out;
  if (o->count > FEW) {
    o->tensor = PyMem_Malloc((size_t)o->count * sizeof *o->tensor);
    o->out = PyMem_Malloc((size_t)o->count * sizeof *o->out);
  }
  if (o->tensor == NULL || o->out == NULL) {
    PyErr_NoMemory();
    return false;
  }
  for (int i = 0; i < o->count; i++) {
    memset(&o->tensor[i], 0, sizeof o->tensor[i]);
    o->out[i] = &o->tensor[i];
  }
  return true;
}

/* What the argument `out` gives: a tensor, or a sequence of as many as there are outputs. */
static bool read_given(const py_function *f, PyObject *out, outputs *o) {
  if (out == NULL || out == Py_None) return true;
  o->given = py_is_tensor(out) ? PyTuple_Pack(1, out) : PySequence_Tuple(out);
  if (o->given == NULL) return false;
  if (PyTuple_Size(o->given) != o->count) {
    PyErr_Format(PyExc_ValueError, "%s: out has %zd tensors, it gives %d", f->method.ml_name, PyTuple_Size(o->given),
                 o->count);
    return false;
  }
  for (int i = 0; i < o->count; i++) {
    PyObject *const one = PyTuple_GetItem(o->given, i);
    if (one == Py_None) continue;
    if (!py_is_tensor(one)) {
      PyErr_Format(PyExc_TypeError, "%s: out is %R, it takes a Tensor", f->method.ml_name, Py_TYPE(one));
      return false;
    }
    o->tensor[i] = *py_handle(one);
    o->tensor[i].flags &= (uint8_t)~TSR_OWNS;
  }
  return true;
}

/* How many outputs there are: one for each of the op's, for each input, for each number of a list, or n. */
static int count_outputs(const py_function *f, const py_arguments *a, const py_inputs *in, const py_attributes *attrs) {
  if (!f->many_out) return f->outputs;
  if (!f->counts) return f->many_in ? in->count : attrs->list;
  PyObject *const n = py_argument_n(f, a);
  const long count = n == NULL ? -1 : PyLong_AsLong(n);
  if (count >= 0 && count <= 1000000) return (int)count;
  if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s: n is the number of outputs", f->method.ml_name);
  return -1;
}

static void end_outputs(outputs *o) {
  for (int i = 0; o->tensor != NULL && o->out != NULL && i < o->count; i++) tsr_release(&o->tensor[i]);
  if (o->tensor != o->few) PyMem_Free(o->tensor);
  if (o->out != o->few_out) PyMem_Free(o->out);
  Py_XDECREF(o->given);
}

static PyObject *result_at(outputs *o, int i) {
  return is_given(o, i) ? py_ref(PyTuple_GetItem(o->given, i)) : py_tensor_wrap(&o->tensor[i], TSR_OK);
}

/* One object, or a tuple of them. */
static PyObject *results(const py_function *f, outputs *o) {
  if (o->count == 1 && !f->many_out) return result_at(o, 0);
  PyObject *const tuple = PyTuple_New(o->count);
  for (int i = 0; i < o->count && tuple != NULL; i++) {
    PyObject *const one = result_at(o, i);
    if (one != NULL && PyTuple_SetItem(tuple, i, one) == 0) continue;
    Py_DECREF(tuple);
    return NULL;
  }
  return tuple;
}

static tsr_status call_op(tsr_ctx *ctx, const py_function *f, const py_inputs *in, const py_attributes *attrs,
                          outputs *o) {
  const tsr_index size = in->count > 0 ? in->size : attrs->product;
  PyThreadState *const state = py_unlock(size);
  const tsr_status st = tsr_op_call(ctx, f->op, in->count, in->in, attrs->count, attrs->attr, o->count, o->out);
  py_lock(state);
  return st;
}

/* Brings new tensors to a device. */
static tsr_status bring(const tsr_device *device, outputs *o) {
  for (int i = 0; i < o->count; i++) {
    tsr_tensor there = {0};
    if (is_given(o, i)) continue;
    const tsr_status st = tsr_to_device(NULL, &o->tensor[i], device, &there);
    if (st != TSR_OK) return st;
    tsr_release(&o->tensor[i]);
    o->tensor[i] = tsr_move(&there);
  }
  return TSR_OK;
}

/* Makes tensors where the argument `device` says: there, or on the host where the device has no such op. */
static PyObject *make_on(PyObject *name, const py_function *f, const py_inputs *in, const py_attributes *attrs,
                         outputs *o) {
  const tsr_device *device;
  tsr_ctx ctx;
  if (!py_device_of(name, &device)) return NULL;
  tsr_status st = tsr_context_init(&ctx, NULL);
  if (st == TSR_OK && device != NULL) st = tsr_context_set_device(&ctx, device);
  if (st == TSR_OK) st = call_op(&ctx, f, in, attrs, o);
  if (st != TSR_OK && (st != TSR_EDEVICE || device == NULL)) return py_raise(&ctx, st);
  if (st == TSR_EDEVICE) {
    st = call_op(NULL, f, in, attrs, o);
    if (st == TSR_OK) st = bring(device, o);
  }
  return st == TSR_OK ? results(f, o) : py_raise(NULL, st);
}

static PyObject *run(const py_function *f, const py_arguments *a, const py_inputs *in, const py_attributes *attrs,
                     outputs *o) {
  PyObject *const device = py_argument_device(f, a);
  if (device != NULL && device != Py_None) return make_on(device, f, in, attrs, o);
  const tsr_status st = call_op(NULL, f, in, attrs, o);
  return st == TSR_OK ? results(f, o) : py_raise(NULL, st);
}

PyObject *py_function_call(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  const py_function *const f = (const py_function *)self;
  py_arguments arguments;
  py_inputs in;
  py_attributes attrs;
  outputs o;
  if (!py_arguments_read(f, args, count, names, &arguments)) return NULL;
  attrs.count = 0;
  o.given = NULL;
  o.count = 0;
  o.tensor = NULL;
  o.out = NULL;
  PyObject *result = NULL;
  if (py_inputs_read(f, &arguments, &in) && py_attributes_read(f, &arguments, &attrs) &&
      (o.count = count_outputs(f, &arguments, &in, &attrs)) >= 0 && make_room(&o) &&
      read_given(f, py_argument_out(f, &arguments), &o))
    result = run(f, &arguments, &in, &attrs, &o);
  end_outputs(&o);
  py_attributes_end(&attrs);
  py_inputs_end(&in);
  return result;
}
