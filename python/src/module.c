/* The extension module: its parts put together. */
#include "module.h"

py_state py_;

static const py_part *const parts[] = {
    &py_errors_part,   &py_dtype_part,  &py_tensor_part, &py_operators_part, &py_scalar_part, &py_index_part,
    &py_assign_part,   &py_buffer_part, &py_dlpack_part, &py_text_part,      &py_call_part,   &py_device_part,
    &py_sequence_part, &py_copy_part,   &py_io_part,     &py_eval_part,      &py_random_part};
enum { PARTS = sizeof parts / sizeof parts[0], SLOTS = 96, ENTRIES = 64 };

/* The lists of all parts one after another: the type of tensors reads them as long as it lives. */
static PyType_Slot slots[SLOTS];
static PyMethodDef methods[ENTRIES], functions[ENTRIES];
static PyGetSetDef attributes[ENTRIES];

static void gather(void) {
  int n_slots = 0, n_methods = 0, n_functions = 0, n_attributes = 0;
  for (int i = 0; i < PARTS; i++) {
    const py_part *const part = parts[i];
    for (const PyType_Slot *s = part->slots; s != NULL && s->slot != 0; s++) slots[n_slots++] = *s;
    for (const PyMethodDef *m = part->methods; m != NULL && m->ml_name != NULL; m++) methods[n_methods++] = *m;
    for (const PyMethodDef *m = part->functions; m != NULL && m->ml_name != NULL; m++) functions[n_functions++] = *m;
    for (const PyGetSetDef *a = part->attributes; a != NULL && a->name != NULL; a++) attributes[n_attributes++] = *a;
  }
  slots[n_slots++] = (PyType_Slot){Py_tp_methods, methods};
  slots[n_slots] = (PyType_Slot){Py_tp_getset, attributes};
}

/* __array_ufunc__ = None: NumPy's operators leave tensors to ours. */
static int make_tensor_type(PyObject *module) {
  PyType_Spec spec = {"tessera.Tensor", sizeof(py_tensor), 0, Py_TPFLAGS_DEFAULT, slots};
  py_.tensor_type = (PyTypeObject *)PyType_FromSpec(&spec);
  if (py_.tensor_type == NULL || PyObject_SetAttrString((PyObject *)py_.tensor_type, "__array_ufunc__", Py_None) < 0)
    return -1;
  return PyObject_SetAttrString(module, "Tensor", (PyObject *)py_.tensor_type);
}

/* The objects of the module are the process's: a second interpreter would share them with the first. */
static bool is_alone(void) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0 && py_.tensor_type == NULL) return true;
  PyErr_SetString(PyExc_ImportError, "tessera is in the main interpreter only, and is loaded once");
  return false;
}

static int execute(PyObject *module) {
  if (!is_alone()) return -1;
  gather();
  if (make_tensor_type(module) < 0 || PyModule_AddFunctions(module, functions) < 0) return -1;
  for (int i = 0; i < PARTS; i++)
    if (parts[i]->init != NULL && parts[i]->init(module) < 0) return -1;
  if (PyModule_AddStringConstant(module, "__version__", tsr_version()) < 0) return -1;
  return PyModule_AddStringConstant(module, "build_info", tsr_build_info());
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "tessera._core", .m_doc = "Tensors in C.", .m_slots = module_slots};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
