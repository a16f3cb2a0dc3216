/* Tensors over the memory of buffers: NumPy's arrays, array.array, bytes, memoryviews. The buffer is held as long as the storage. */
#include "module.h"

#include "format.h"

/* The last count may go on any thread, and after the interpreter. */
static void let_go(void *user, void *data, size_t bytes) {
  (void)data, (void)bytes;
  if (!Py_IsInitialized()) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  PyBuffer_Release(user);
  PyMem_Free(user);
  PyGILState_Release(state);
}

/* The span of the buffer's elements, from the lowest address to behind the highest. */
static void span(const Py_buffer *b, char **low, size_t *bytes) {
  Py_ssize_t below = 0, above = b->itemsize;
  for (int i = 0; i < b->ndim; i++) {
    const Py_ssize_t reach = (b->shape[i] - 1) * b->strides[i];
    if (b->shape[i] == 0) above = below = 0;
    if (b->shape[i] == 0) break;
    if (reach < 0)
      below += reach;
    else
      above += reach;
  }
  *low = (char *)b->buf + below;
  *bytes = (size_t)(above - below);
}

/* Whether the elements can be used where they are: aligned, whole steps, the host's order of bytes. */
static bool is_usable(const Py_buffer *b, int dtype, bool swapped) {
  const uintptr_t align = tsr_dtype_describe(dtype)->align;
  bool fine = !swapped && (uintptr_t)b->buf % align == 0;
  for (int i = 0; i < b->ndim; i++) fine = fine && b->strides[i] % b->itemsize == 0;
  return fine;
}

/* A handle over the buffer, which the storage takes over where this succeeds. */
static bool wrap(Py_buffer *b, int dtype, tsr_tensor *out, bool *taken) {
  char *low;
  size_t bytes;
  tsr_index shape[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
  tsr_storage *storage = NULL;
  const bool is_readonly = b->readonly;
  span(b, &low, &bytes);
  for (int i = 0; i < b->ndim; i++) shape[i] = b->shape[i], stride[i] = b->strides[i] / b->itemsize;
  const size_t offset = (size_t)((char *)b->buf - low);
  if (!py_ok(tsr_storage_wrap(NULL, NULL, low, bytes, let_go, b, &storage))) return false;
  *taken = true;
  const tsr_status st = tsr_from_storage(NULL, storage, offset, dtype, b->ndim, shape, stride, out);
  tsr_storage_release(storage);
  if (st == TSR_OK && is_readonly) out->flags |= TSR_READONLY;
  return py_ok(st);
}

/* Of elements that cannot be used in place. */
static bool copy(Py_buffer *b, int dtype, bool swapped, tsr_tensor *out) {
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < b->ndim; i++) shape[i] = b->shape[i];
  if (!py_ok(tsr_empty(NULL, dtype, b->ndim, shape, out))) return false;
  if (b->len > 0 && PyBuffer_ToContiguous(out->data, b, b->len, 'C') < 0) return false;
  const size_t part = tsr_dtype_describe(dtype)->align; /* of a complex number its two halves are swapped apart */
  char *const bytes = out->data;
  for (size_t at = 0; swapped && at < (size_t)b->len; at += part)
    for (size_t i = 0; i < part / 2; i++) {
      const char one = bytes[at + i];
      bytes[at + i] = bytes[at + part - 1 - i];
      bytes[at + part - 1 - i] = one;
    }
  return true;
}

/* *taken: the storage holds the buffer. */
static bool make(Py_buffer *b, tsr_tensor *out, bool *taken) {
  bool swapped;
  const int dtype = py_format_dtype(b->format, b->itemsize, &swapped);
  if (dtype == TSR_NONE || b->suboffsets != NULL) {
    PyErr_Format(PyExc_TypeError, "a buffer of format '%s' is no tensor", b->format != NULL ? b->format : "");
    return false;
  }
  if (b->ndim > TSR_MAX_DIMS) {
    PyErr_Format(PyExc_ValueError, "a buffer of rank %d; tensors have %d at most", b->ndim, TSR_MAX_DIMS);
    return false;
  }
  if (b->len > 0 && is_usable(b, dtype, swapped)) return wrap(b, dtype, out, taken);
  const bool fine = copy(b, dtype, swapped, out);
  if (!fine) tsr_release(out);
  return fine;
}

int py_from_buffer(PyObject *object, PyObject **tensor) {
  if (!PyObject_CheckBuffer(object)) return 0;
  Py_buffer *const b = PyMem_Malloc(sizeof *b);
  if (b == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  if (PyObject_GetBuffer(object, b, PyBUF_FULL_RO) < 0) {
    PyMem_Free(b);
    PyErr_Clear();
    return 0; /* NumPy's arrays of dates have none */
  }
  tsr_tensor t = {0};
  bool taken = false;
  const bool fine = make(b, &t, &taken);
  if (!taken) {
    PyBuffer_Release(b);
    PyMem_Free(b);
  }
  if (!fine) return -1;
  *tensor = py_tensor_wrap(&t, TSR_OK);
  return *tensor == NULL ? -1 : 1;
}
