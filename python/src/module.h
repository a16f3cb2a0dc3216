/* What the files of the extension module share. They use the public headers and the table of ops alone. */
#ifndef TESSERA_PYTHON_MODULE_H
#define TESSERA_PYTHON_MODULE_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>

#include <stdbool.h>
#include <string.h>

#include <tessera/tessera.h>

/* A tensor as an object. Its handle counts its storage and never changes; only the elements do. */
typedef struct py_tensor {
  PyObject_HEAD /* clang-format off */
  tsr_tensor tensor; /* clang-format on */
  PyObject *weak;        /* the list of weak references, which is the interpreter's */
} py_tensor;

/* A generator of random numbers as an object. */
typedef struct py_rng {
  PyObject_HEAD /* clang-format off */
  tsr_rng rng; /* clang-format on */
} py_rng;

/* What the module made when it was imported, for the one interpreter that it serves. */
typedef struct py_state {
  PyTypeObject *tensor_type, *dtype_type, *rng_type, *function_type, *expression_type;
  PyObject *dtypes[TSR_DTYPE_COUNT];
  PyObject *axis_error, *range_error, *linalg_error;
} py_state;
extern py_state py_;

/* What a file gives to the type of tensors and to the module. Any of them may be NULL; lists end with a row of zeros. */
typedef struct py_part {
  const PyType_Slot *slots;
  const PyMethodDef *methods;
  const PyGetSetDef *attributes;
  const PyMethodDef *functions;
  int (*init)(PyObject *module);
} py_part;
extern const py_part py_errors_part, py_dtype_part, py_tensor_part, py_operators_part, py_scalar_part, py_index_part,
    py_assign_part, py_buffer_part, py_dlpack_part, py_text_part, py_call_part, py_device_part, py_sequence_part,
    py_copy_part, py_io_part, py_eval_part, py_random_part;

/* ---- errors.c: the library's sentence as an exception ---- */

/* Raises what ctx (NULL: the thread's default one) says of its last failure. Always NULL. */
PyObject *py_raise(const tsr_ctx *ctx, tsr_status status);
/* Whether status is TSR_OK; raises the sentence of the default context when not. */
bool py_ok(tsr_status status);

/* ---- tensor.c ---- */

static inline bool py_is_tensor(PyObject *object) { return Py_TYPE(object) == py_.tensor_type; }
static inline const tsr_tensor *py_handle(PyObject *object) { return &((py_tensor *)object)->tensor; }

/* An object without a tensor yet. NULL and an exception where there is no memory. */
py_tensor *py_tensor_new(void);
/* The object for the tensor that a call left in it, or NULL and the exception. A view gets a count of its own. Takes the object over. */
PyObject *py_tensor_done(py_tensor *object, tsr_status status);
/* The same for a handle, which is taken over. */
PyObject *py_tensor_wrap(tsr_tensor *handle, tsr_status status);
/* A tuple of n numbers. */
PyObject *py_tuple_of(int n, const tsr_index *numbers);
/* A new reference. */
static inline PyObject *py_ref(PyObject *object) {
  Py_INCREF(object);
  return object;
}

/* ---- dtype.c ---- */

/* The dtype that an object names: a DType, "f32", "float32", bool, int, float, complex, NumPy's. -1 and an exception: none. */
int py_dtype_of(PyObject *object);
/* "float32", as the standard has it. */
const char *py_dtype_name(int dtype);
static inline int py_class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }

/* ---- number.c: Python's numbers beside tensors ---- */

/* A number of Python: what it is and, once it was given a dtype, a tensor of rank 0 over it. It must not move then. */
typedef struct py_number {
  int class_;   /* TSR_CLASS_BOOL, _INT, _UINT (an int of 2^63 and more), _FLOAT, _COMPLEX */
  bool is_huge; /* an int that no 64 bits hold: value.real has it rounded, for floats */
  union {
    int64_t whole;
    uint64_t natural;
    double real[2];
  } value;
  union {
    uint8_t bytes[16];
    double align;
  } element;
  tsr_tensor tensor;
} py_number;

/* 1: it is a number: bool, int, float, complex, or something with __index__, __float__ or __complex__ that is no array. 0: it is none. -1: an
 * exception, it is too large. */
int py_number_read(PyObject *object, py_number *number);
/* The dtype that a number has beside a tensor of dtype (TSR_NONE: alone). */
int py_number_dtype(const py_number *number, int dtype);
/* Makes number->tensor of dtype. false and an exception where it does not fit an integer dtype. */
bool py_number_as(py_number *number, int dtype);
/* Writes the number as dtype to address; the same refusals. */
bool py_number_store(const py_number *number, int dtype, void *address);

/* ---- scalar.c: elements as numbers of Python ---- */

PyObject *py_element(int dtype, const void *address);

/* The tensor borrowed, or where it is on a device a copy in host memory; tsr_release ends either. */
bool py_on_host(const tsr_tensor *t, tsr_tensor *host);

/* ---- sequence.c ---- */

/* A tensor of whatever holds numbers: a tensor, a number, nested sequences, a buffer, something with __dlpack__. A new reference; shares the
 * memory where that is possible. */
PyObject *py_asarray(PyObject *object);

/* ---- frombuffer.c, dlpack.c: 1 with a new reference, 0 where the object has no such thing, -1 and an exception ---- */

int py_from_buffer(PyObject *object, PyObject **tensor);
int py_from_dlpack(PyObject *object, PyObject **tensor);

/* ---- index.c, pick.c ---- */

/* What a key selects: a view by its indices, slices, None and Ellipsis, and arrays of indices along some of its axes. */
typedef struct py_selection {
  tsr_tensor view;
  int arrays;             /* how many; 0: the view is all */
  int axis[TSR_MAX_DIMS]; /* of the view, ascending */
  PyObject *index[TSR_MAX_DIMS];
  bool apart; /* something lies between two of them: their axes come first in the result */
} py_selection;

/* Reads a key. false and an exception where it is none for the tensor. */
bool py_select(const tsr_tensor *t, PyObject *key, py_selection *selection);
void py_selection_end(py_selection *selection);
/* The elements that arrays list. */
PyObject *py_pick(const py_selection *selection);
/* Writes value, which broadcasts to them. */
bool py_put(py_selection *selection, const tsr_tensor *value);

/* ---- device.c ---- */

/* The device that an object names ("cpu", "cuda:0", None: the host, as NULL). false and an exception: there is none. */
bool py_device_of(PyObject *object, const tsr_device **device);
/* "cpu" where the host is. */
const char *py_device_name(const tsr_tensor *t);

/* ---- the interpreter's lock ---- */

/* Below so many elements a call is over before giving the lock back would pay. */
enum { PY_UNLOCK_SIZE = 16384 };
static inline PyThreadState *py_unlock(tsr_index size) { return size < PY_UNLOCK_SIZE ? NULL : PyEval_SaveThread(); }
static inline void py_lock(PyThreadState *state) {
  if (state != NULL) PyEval_RestoreThread(state);
}

#endif
