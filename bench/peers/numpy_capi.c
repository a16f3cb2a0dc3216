/* The same small calls through NumPy's C API, in an embedded interpreter. Built where Python's and NumPy's headers are. */
#define _POSIX_C_SOURCE 200809L
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 301, CALLS = 4000 };

static double now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static PyObject *source;

static void run_create(int n) {
  npy_intp shape[1] = {4};
  for (int i = 0; i < n; i++) Py_XDECREF(PyArray_SimpleNew(1, shape, NPY_FLOAT32));
}

static void run_view(int n) {
  for (int i = 0; i < n; i++) Py_XDECREF(PyArray_View((PyArrayObject *)source, NULL, NULL));
}

static void run_transpose(int n) {
  for (int i = 0; i < n; i++) Py_XDECREF(PyArray_Transpose((PyArrayObject *)source, NULL));
}

static double best(void (*run)(int)) {
  double least = 1e30;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now_ns();
    run(CALLS);
    const double ns = (now_ns() - start) / CALLS;
    if (ns < least) least = ns;
  }
  return least;
}

static int start_numpy(void) {
  import_array1(-1);
  return 0;
}

int main(void) {
  Py_Initialize();
  if (start_numpy() != 0) return 77;
  npy_intp shape[2] = {8, 16};
  source = PyArray_SimpleNew(2, shape, NPY_FLOAT32);
  if (source == NULL) return 77;
  printf("NumPy's C API, min ns a call: create and release [4] %.1f, view %.1f, transpose %.1f\n", best(run_create),
         best(run_view), best(run_transpose));
  Py_DECREF(source);
  return 0;
}
