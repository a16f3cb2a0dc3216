/* Files: tensors by their names, mapped where the format allows it. */
#include "module.h"

/* The bytes of a path, a new reference; NULL and an exception: it is none. */
static PyObject *path_of(PyObject *path, const char **text) {
  PyObject *bytes = NULL;
  if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
  char *content;
  if (PyBytes_AsStringAndSize(bytes, &content, NULL) < 0) {
    Py_DECREF(bytes);
    return NULL;
  }
  *text = content;
  return bytes;
}

/* The tensors of a bundle, which it gives up, as a dict in their order. */
static PyObject *dict_of(tsr_bundle *bundle) {
  PyObject *const all = PyDict_New();
  for (tsr_index i = 0; i < bundle->count && all != NULL; i++) {
    tsr_tensor own = {0};
    PyObject *const name =
        PyUnicode_DecodeUTF8(bundle->tensors[i].name, (Py_ssize_t)strlen(bundle->tensors[i].name), "replace");
    const tsr_status st = name == NULL ? TSR_OK : tsr_share(NULL, &bundle->tensors[i], &own);
    PyObject *const tensor = name == NULL ? NULL : py_tensor_wrap(&own, st);
    const int failed = tensor == NULL ? -1 : PyDict_SetItem(all, name, tensor);
    Py_XDECREF(name);
    Py_XDECREF(tensor);
    if (failed == 0) continue;
    Py_DECREF(all);
    return NULL;
  }
  return all;
}

static PyObject *load(PyObject *module, PyObject *path) {
  const char *text;
  tsr_bundle bundle = {0};
  (void)module;
  PyObject *const bytes = path_of(path, &text);
  if (bytes == NULL) return NULL;
  PyThreadState *const state = PyEval_SaveThread();
  const tsr_status st = tsr_bundle_load(NULL, text, &bundle, NULL);
  PyEval_RestoreThread(state);
  Py_DECREF(bytes);
  PyObject *const all = py_ok(st) ? dict_of(&bundle) : NULL;
  tsr_bundle_release(&bundle);
  return all;
}

/* A second handle of each tensor under its name. */
static bool fill(tsr_bundle *bundle, PyObject *tensors) {
  PyObject *name, *tensor;
  Py_ssize_t at = 0;
  while (PyDict_Next(tensors, &at, &name, &tensor)) {
    const char *const text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (text == NULL || !py_is_tensor(tensor)) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "save: a dict of names and tensors");
      return false;
    }
    tsr_tensor own = {0};
    if (!py_ok(tsr_share(NULL, py_handle(tensor), &own))) return false;
    const tsr_status st = tsr_bundle_add(NULL, bundle, text, &own);
    tsr_release(&own);
    if (!py_ok(st)) return false;
  }
  return true;
}

static PyObject *save(PyObject *module, PyObject *args) {
  PyObject *path, *tensors;
  const char *text;
  tsr_bundle bundle = {0};
  (void)module;
  if (!PyArg_ParseTuple(args, "OO!", &path, &PyDict_Type, &tensors)) return NULL;
  PyObject *const bytes = path_of(path, &text);
  if (bytes == NULL) return NULL;
  bool fine = fill(&bundle, tensors);
  if (fine) {
    PyThreadState *const state = PyEval_SaveThread();
    const tsr_status st = tsr_bundle_save(NULL, text, TSR_FORMAT_AUTO, &bundle, NULL);
    PyEval_RestoreThread(state);
    fine = py_ok(st);
  }
  tsr_bundle_release(&bundle);
  Py_DECREF(bytes);
  return fine ? py_ref(Py_None) : NULL;
}

static const PyMethodDef functions[] = {
    {"load", load, METH_O, "load(path, /)\n--\n\nThe tensors of a file by their names."},
    {"save", save, METH_VARARGS, "save(path, tensors, /)\n--\n\nWrites a dict of tensors to a file."},
    {0},
};
const py_part py_io_part = {.functions = functions};
