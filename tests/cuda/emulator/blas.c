/* cuBLASLt in software: the functions that products call, on matrices that are column-major. As strict as the library is in what it may
 * assume: alignment that was not promised, a workspace that is smaller than it was said to be, an order that does not fit are refused.
 *
 *   TSR_EMULATOR_BLAS=0   it does not start, as on a machine where it is broken */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, NOT_SUPPORTED = 15 };
enum { R_32F = 0, R_64F = 1, R_16F = 2, R_16BF = 14, COMPUTE_32F = 68, COMPUTE_64F = 70 };
enum { DESC_TRANSA = 3, DESC_TRANSB = 4, DESC_EPILOGUE = 7, DESC_BIAS = 8, EPILOGUE_NONE = 1, EPILOGUE_BIAS = 4 };
enum { LAYOUT_BATCHES = 5, LAYOUT_STEP = 6 };
enum { PREFER_WORKSPACE = 1, PREFER_SCHEME = 3, PREFER_ALIGN = 5 };

typedef struct matrix_layout {
  int type;
  uint64_t rows, cols;
  int64_t ld, step;
  int32_t batches;
} matrix_layout;

typedef struct product_desc {
  int compute, scale;
  int32_t transposed[2];
  uint32_t epilogue;
  const void *bias;
} product_desc;

typedef struct preference {
  uint64_t workspace;
  uint32_t scheme, align[4];
} preference;

/* What the library calls an algorithm: here what it was told when it was asked for. */
typedef struct algorithm {
  uint64_t workspace;
  uint32_t align[4];
  uint32_t is_valid;
  uint64_t rest[3];
} algorithm;
_Static_assert(sizeof(algorithm) <= 64, "the caller has 64 bytes for it");

typedef struct heuristic_result {
  uint64_t algo[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
} heuristic_result;

EXPORT int cublasLtCreate(void **handle) {
  static int some;
  const char *const wanted = getenv("TSR_EMULATOR_BLAS");
  if (wanted != NULL && wanted[0] == '0') return NOT_INITIALIZED;
  *handle = &some;
  return SUCCESS;
}

/* ---- descriptions ---- */

EXPORT int cublasLtMatmulDescCreate(product_desc **desc, int compute, int scale) {
  *desc = calloc(1, sizeof **desc);
  if (*desc == NULL) return INVALID_VALUE;
  **desc = (product_desc){.compute = compute, .scale = scale, .epilogue = EPILOGUE_NONE};
  return SUCCESS;
}
EXPORT int cublasLtMatmulDescDestroy(product_desc *desc) {
  free(desc);
  return SUCCESS;
}
EXPORT int cublasLtMatmulDescSetAttribute(product_desc *desc, int attribute, const void *value, size_t bytes) {
  void *to = NULL;
  size_t size = 4;
  switch (attribute) {
    case DESC_TRANSA:
    case DESC_TRANSB: to = &desc->transposed[attribute - DESC_TRANSA]; break;
    case DESC_EPILOGUE: to = &desc->epilogue; break;
    case DESC_BIAS: to = &desc->bias, size = sizeof desc->bias; break;
    default: return NOT_SUPPORTED;
  }
  if (bytes != size) return INVALID_VALUE;
  memcpy(to, value, bytes);
  return SUCCESS;
}

EXPORT int cublasLtMatrixLayoutCreate(matrix_layout **layout, int type, uint64_t rows, uint64_t cols, int64_t ld) {
  *layout = calloc(1, sizeof **layout);
  if (*layout == NULL) return INVALID_VALUE;
  **layout = (matrix_layout){.type = type, .rows = rows, .cols = cols, .ld = ld, .batches = 1};
  return SUCCESS;
}
EXPORT int cublasLtMatrixLayoutDestroy(matrix_layout *layout) {
  free(layout);
  return SUCCESS;
}
EXPORT int cublasLtMatrixLayoutSetAttribute(matrix_layout *layout, int attribute, const void *value, size_t bytes) {
  void *const to = attribute == LAYOUT_BATCHES ? (void *)&layout->batches
                   : attribute == LAYOUT_STEP  ? &layout->step
                                               : NULL;
  const size_t size = attribute == LAYOUT_BATCHES ? sizeof layout->batches : sizeof layout->step;
  if (to == NULL || bytes != size) return to == NULL ? NOT_SUPPORTED : INVALID_VALUE;
  memcpy(to, value, bytes);
  return SUCCESS;
}

EXPORT int cublasLtMatmulPreferenceCreate(preference **p) {
  *p = calloc(1, sizeof **p);
  if (*p == NULL) return INVALID_VALUE;
  **p = (preference){.scheme = 0x7f, .align = {256, 256, 256, 256}};
  return SUCCESS;
}
EXPORT int cublasLtMatmulPreferenceDestroy(preference *p) {
  free(p);
  return SUCCESS;
}
EXPORT int cublasLtMatmulPreferenceSetAttribute(preference *p, int attribute, const void *value, size_t bytes) {
  void *to = NULL;
  size_t size = 4;
  if (attribute == PREFER_WORKSPACE) to = &p->workspace, size = 8;
  if (attribute == PREFER_SCHEME) to = &p->scheme;
  if (attribute >= PREFER_ALIGN && attribute < PREFER_ALIGN + 4) to = &p->align[attribute - PREFER_ALIGN];
  if (to == NULL || bytes != size) return INVALID_VALUE;
  memcpy(to, value, bytes);
  return SUCCESS;
}

/* ---- what is possible ---- */

static size_t item_of(int type) { return type == R_64F ? 8 : type == R_32F ? 4 : 2; }

static bool is_known(const product_desc *d, const matrix_layout *a, const matrix_layout *b, const matrix_layout *out) {
  if (a->type != b->type) return false;
  if (d->compute == COMPUTE_64F) return a->type == R_64F && out->type == R_64F && d->epilogue == EPILOGUE_NONE;
  if (d->compute != COMPUTE_32F || d->scale != R_32F) return false;
  if (a->type == R_32F) return out->type == R_32F;
  return (a->type == R_16F || a->type == R_16BF) && (out->type == a->type || out->type == R_32F);
}

static bool fits(const matrix_layout *x, uint64_t rows, uint64_t cols, int32_t transposed) {
  return x->rows == (transposed ? cols : rows) && x->cols == (transposed ? rows : cols) && x->ld >= (int64_t)x->rows;
}

EXPORT int cublasLtMatmulAlgoGetHeuristic(void *handle, const product_desc *d, const matrix_layout *a,
                                          const matrix_layout *b, const matrix_layout *c, const matrix_layout *out,
                                          const preference *p, int wanted, heuristic_result *results, int *found) {
  (void)handle, (void)wanted;
  *found = 0;
  const uint64_t deep = d->transposed[0] ? a->rows : a->cols;
  if (!fits(a, out->rows, deep, d->transposed[0]) || !fits(b, deep, out->cols, d->transposed[1])) return INVALID_VALUE;
  if (memcmp(c, out, sizeof *c) != 0 || a->batches != out->batches || b->batches != out->batches) return INVALID_VALUE;
  const matrix_layout *const all[] = {a, b, c, out};
  for (int i = 0; i < 4; i++)
    if (p->align[i] < item_of(all[i]->type)) return NOT_SUPPORTED;
  if (!is_known(d, a, b, out)) return NOT_SUPPORTED;
  if ((d->epilogue & EPILOGUE_BIAS) != 0 && d->bias == NULL) return INVALID_VALUE;
  algorithm algo = {.workspace = p->workspace / 2, .is_valid = 1};
  memcpy(algo.align, p->align, sizeof algo.align);
  memset(results, 0, sizeof *results);
  memcpy(results->algo, &algo, sizeof algo);
  results->workspace = (size_t)algo.workspace;
  *found = 1;
  return SUCCESS;
}

/* ---- the product ---- */

typedef struct product {
  product_desc desc;
  matrix_layout a, b, out;
  const char *at_a, *at_b;
  char *at_out;
} product;

static double load(const char *at, int type) {
  float x;
  double wide;
  uint16_t half;
  if (type == R_64F) return memcpy(&wide, at, 8), wide;
  if (type == R_32F) return memcpy(&x, at, 4), (double)x;
  memcpy(&half, at, 2);
  if (type == R_16BF) {
    const uint32_t bits = (uint32_t)half << 16;
    return memcpy(&x, &bits, 4), (double)x;
  }
  _Float16 small;
  return memcpy(&small, &half, 2), (double)small;
}

static void store(char *at, int type, double value) {
  const float x = (float)value;
  uint32_t bits;
  memcpy(&bits, &x, 4);
  const _Float16 small = (_Float16)x;
  const uint16_t brain = (uint16_t)(x != x ? 0x7fff : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  const void *const from = type == R_64F   ? (const void *)&value
                           : type == R_32F ? (const void *)&x
                           : type == R_16F ? (const void *)&small
                                           : &brain;
  memcpy(at, from, item_of(type));
}

static double element(const matrix_layout *x, const char *data, uint64_t row, uint64_t col, int32_t transposed) {
  const uint64_t at = transposed ? col + row * (uint64_t)x->ld : row + col * (uint64_t)x->ld;
  return load(data + at * item_of(x->type), x->type);
}

static void multiply(void *argument) {
  const product *const p = argument;
  const uint64_t deep = p->desc.transposed[0] ? p->a.rows : p->a.cols;
  for (int32_t batch = 0; batch < p->out.batches; batch++) {
    const char *const a = p->at_a + batch * p->a.step * (int64_t)item_of(p->a.type);
    const char *const b = p->at_b + batch * p->b.step * (int64_t)item_of(p->b.type);
    char *const out = p->at_out + batch * p->out.step * (int64_t)item_of(p->out.type);
    for (uint64_t col = 0; col < p->out.cols; col++)
      for (uint64_t row = 0; row < p->out.rows; row++) {
        double sum = 0;
        for (uint64_t k = 0; k < deep; k++)
          sum += element(&p->a, a, row, k, p->desc.transposed[0]) * element(&p->b, b, k, col, p->desc.transposed[1]);
        if ((p->desc.epilogue & EPILOGUE_BIAS) != 0)
          sum += load((const char *)p->desc.bias + row * item_of(p->out.type), p->out.type);
        store(out + (row + col * (uint64_t)p->out.ld) * item_of(p->out.type), p->out.type, sum);
      }
  }
}

/* The driver beside this library. */
typedef CUresult put_fn(CUstream stream, void (*run)(void *), const void *argument, size_t bytes);
static put_fn *driver_put(void) {
  char path[1024];
  Dl_info info;
  put_fn *put = NULL;
  if (dladdr((const void *)(uintptr_t)cublasLtCreate, &info) == 0) return NULL;
  const char *const slash = strrchr(info.dli_fname, '/');
  (void)snprintf(path, sizeof path, "%.*s/libcuda.so.1", slash != NULL ? (int)(slash - info.dli_fname) : 1,
                 slash != NULL ? info.dli_fname : ".");
  void *const library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  void *const symbol = library != NULL ? dlsym(library, "emulator_put") : NULL;
  memcpy(&put, &symbol, sizeof put);
  return put;
}

static bool is_aligned(const void *at, uint32_t to) { return (uintptr_t)at % to == 0; }

EXPORT int cublasLtMatmul(void *handle, const product_desc *d, const void *alpha, const void *at_a,
                          const matrix_layout *a, const void *at_b, const matrix_layout *b, const void *beta,
                          const void *at_c, const matrix_layout *c, void *at_out, const matrix_layout *out,
                          const void *algo, void *workspace, size_t workspace_bytes, CUstream stream) {
  algorithm chosen;
  const double one = d->compute == COMPUTE_64F ? *(const double *)alpha : (double)*(const float *)alpha;
  const double zero = d->compute == COMPUTE_64F ? *(const double *)beta : (double)*(const float *)beta;
  (void)handle;
  memcpy(&chosen, algo, sizeof chosen);
  if (!chosen.is_valid || one != 1 || zero != 0 || !is_known(d, a, b, out) || memcmp(c, out, sizeof *c) != 0)
    return INVALID_VALUE;
  if (workspace_bytes < chosen.workspace || (workspace == NULL && chosen.workspace > 0) || !is_aligned(workspace, 256))
    return INVALID_VALUE;
  if (!is_aligned(at_a, chosen.align[0]) || !is_aligned(at_b, chosen.align[1]) || !is_aligned(at_c, chosen.align[2]) ||
      !is_aligned(at_out, chosen.align[3]) || ((d->epilogue & EPILOGUE_BIAS) != 0 && !is_aligned(d->bias, 16)))
    return INVALID_VALUE;
  put_fn *const put = driver_put();
  const product p = {*d, *a, *b, *out, at_a, at_b, at_out};
  return put != NULL && put(stream, multiply, &p, sizeof p) == 0 ? SUCCESS : INVALID_VALUE;
}
