/* Generators of random numbers: the state that ops take as rng. */
#include "module.h"

static PyObject *new_rng(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"seed", "stream", "counter", NULL};
  unsigned long long seed = 0, counter = 0;
  unsigned int stream = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|KIK", names, &seed, &stream, &counter)) return NULL;
  py_rng *const object = PyObject_New(py_rng, type);
  if (object == NULL) return NULL;
  object->rng = tsr_rng_stream(seed, stream);
  object->rng.counter = counter;
  return (PyObject *)object;
}

static PyObject *get_seed(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(((const py_rng *)self)->rng.key);
}

static PyObject *get_stream(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(((const py_rng *)self)->rng.stream);
}

static PyObject *get_counter(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLongLong(((const py_rng *)self)->rng.counter);
}

static PyObject *repr(PyObject *self) {
  const tsr_rng *const rng = &((const py_rng *)self)->rng;
  return PyUnicode_FromFormat("Rng(seed=%llu, stream=%u, counter=%llu)", (unsigned long long)rng->key, rng->stream,
                              (unsigned long long)rng->counter);
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
  const tsr_rng *const rng = &((const py_rng *)self)->rng;
  (void)unused;
  return Py_BuildValue("(O(KIK))", (PyObject *)Py_TYPE(self), (unsigned long long)rng->key, rng->stream,
                       (unsigned long long)rng->counter);
}

static PyGetSetDef attributes[] = {
    {"seed", get_seed, NULL, "The seed.", NULL},
    {"stream", get_stream, NULL, "Which of the seed's streams.", NULL},
    {"counter", get_counter, NULL, "Elements drawn so far.", NULL},
    {0},
};
static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {0}};
static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Rng(seed=0, stream=0, counter=0)\n--\n\nA generator: what it draws is a function of these three numbers."},
    {Py_tp_new, (void *)new_rng},
    {Py_tp_repr, (void *)repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};
static PyType_Spec spec = {"tessera.random.Rng", sizeof(py_rng), 0, Py_TPFLAGS_DEFAULT, slots};

static int random_init(PyObject *module) {
  py_.rng_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return py_.rng_type == NULL ? -1 : PyObject_SetAttrString(module, "Rng", (PyObject *)py_.rng_type);
}

const py_part py_random_part = {.init = random_init};
