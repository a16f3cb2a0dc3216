/* A tiny extension, so that NumPy and PyTorch can be asked: tensors as DLPack capsules both ways, files there and back.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <tessera/tessera.h>

#include <string.h>

static PyObject *fail(void) {
  PyErr_SetString(PyExc_ValueError, tsr_error(NULL));
  return NULL;
}

/* ---- out ---- */

static void end_capsule(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) { /* nobody took it */
    tsr_dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
    m->deleter(m);
  }
}

/* export(dtype, order): a [2,3] tensor whose bytes are 1, 2, 3 … (bools 1, 0, 1 …), as a capsule. */
static PyObject *export_tensor(PyObject *self, PyObject *args) {
  const char *name;
  int order;
  tsr_tensor t = TSR_EMPTY;
  tsr_dl_managed *m = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "si", &name, &order)) return NULL;
  if (tsr_desc_init_ordered(NULL, tsr_dtype_find(name), TSR_SHAPE(2, 3), (tsr_order)order, &t) != TSR_OK) return fail();
  if (tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &t) != TSR_OK) return fail();
  for (size_t i = 0; i < tsr_nbytes(&t); i++)
    ((unsigned char *)t.data)[i] = (unsigned char)(t.dtype == TSR_BOOL ? (i + 1) % 2 : i + 1);
  const tsr_status st = tsr_dlpack_export_unversioned(NULL, &t, false, &m);
  tsr_release(&t);
  return st == TSR_OK ? PyCapsule_New(m, "dltensor", end_capsule) : fail();
}

/* ---- in ---- */

/* take(capsule): (dtype, shape, bytes in row-major order). The capsule is used up, as consumers do. */
static PyObject *take_tensor(PyObject *self, PyObject *capsule) {
  tsr_tensor t = TSR_EMPTY, rows = TSR_EMPTY;
  (void)self;
  tsr_dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
  if (m == NULL) return NULL;
  if (PyCapsule_SetName(capsule, "used_dltensor") != 0) return NULL;
  if (tsr_dlpack_import_unversioned(NULL, m, &t) != TSR_OK) return fail();
  PyObject *result = NULL;
  PyObject *shape = PyTuple_New(t.ndim);
  for (int i = 0; i < t.ndim; i++) PyTuple_SET_ITEM(shape, i, PyLong_FromLongLong(t.shape[i]));
  if (tsr_contiguous(NULL, &t, &rows) == TSR_OK)
    result =
        Py_BuildValue("sNy#", tsr_dtype_name(t.dtype), shape, (const char *)rows.data, (Py_ssize_t)tsr_nbytes(&rows));
  else
    fail();
  tsr_release(&rows);
  tsr_release(&t);
  return result;
}

/* ---- files ---- */

/* convert(from, to, deflate): loads any file, and saves it as .npz. */
static PyObject *convert(PyObject *self, PyObject *args) {
  const char *from, *to;
  int deflate;
  tsr_bundle b = {0};
  (void)self;
  if (!PyArg_ParseTuple(args, "ssp", &from, &to, &deflate)) return NULL;
  const tsr_npz_save_options options = {.deflate = deflate != 0};
  tsr_status st = tsr_bundle_load(NULL, from, &b, NULL);
  if (st == TSR_OK) st = tsr_npz_save(NULL, to, &b, &options);
  tsr_bundle_release(&b);
  if (st != TSR_OK) return fail();
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"export", export_tensor, METH_VARARGS, NULL},
                                {"take", take_tensor, METH_O, NULL},
                                {"convert", convert, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "tessera_test", .m_methods = methods};

PyMODINIT_FUNC PyInit_tessera_test(void) { return PyModule_Create(&definition); }
