/* cuDNN's backend in software: the functions and descriptors that convolutions use. As strict as the library is: attributes of the right kind,
 * type and count, complete before they are finalized, and final before they are used; alignment that was promised; a workspace where a plan
 * wants one. Two configurations come of each graph: the first rounds its inputs, which its notes say, and its sums are wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { SUCCESS = 0, BAD_PARAM = 2000, NOT_FINALIZED = 2001, NOT_SUPPORTED = 3000 };
enum {
  CONVOLUTION = 1,
  ENGINE = 2,
  CONFIG = 3,
  HEURISTICS = 4,
  PLAN = 5,
  FORWARD = 10,
  GRAPH = 15,
  PACK = 16,
  TENSOR = 17
};
enum {
  OF_HANDLE = 0,
  OF_DATA_TYPE = 1,
  OF_INT64 = 3,
  OF_FLOAT = 4,
  OF_DOUBLE = 5,
  OF_POINTER = 6,
  OF_MODE = 7,
  OF_HEURISTIC = 8,
  OF_NOTE = 11,
  OF_DESCRIPTOR = 15
};
enum { TYPE_F32 = 0, TYPE_F64 = 1, TYPE_F16 = 2, TYPE_BF16 = 9, MOST_AXES = 5, WORKSPACE = 4096 };

/* Which attributes there are, of which type, and how many numbers: 0, as many as there are axes; -1: as many as there are tensors. */
typedef struct known {
  int kind, name, type, count;
} known;
static const known all[] = {
    {CONVOLUTION, 100, OF_DATA_TYPE, 1}, {CONVOLUTION, 101, OF_MODE, 1},     {CONVOLUTION, 102, OF_INT64, 0},
    {CONVOLUTION, 103, OF_INT64, 0},     {CONVOLUTION, 104, OF_INT64, 0},    {CONVOLUTION, 105, OF_INT64, 0},
    {CONVOLUTION, 106, OF_INT64, 1},     {HEURISTICS, 200, OF_HEURISTIC, 1}, {HEURISTICS, 201, OF_DESCRIPTOR, 1},
    {PLAN, 400, OF_HANDLE, 1},           {PLAN, 401, OF_DESCRIPTOR, 1},      {FORWARD, 700, OF_FLOAT, 1},
    {FORWARD, 701, OF_FLOAT, 1},         {FORWARD, 702, OF_DESCRIPTOR, 1},   {FORWARD, 703, OF_DESCRIPTOR, 1},
    {FORWARD, 704, OF_DESCRIPTOR, 1},    {FORWARD, 705, OF_DESCRIPTOR, 1},   {GRAPH, 800, OF_HANDLE, 1},
    {GRAPH, 801, OF_DESCRIPTOR, 1},      {PACK, 1000, OF_INT64, -1},         {PACK, 1001, OF_POINTER, -1},
    {PACK, 1003, OF_POINTER, 1},         {TENSOR, 900, OF_INT64, 1},         {TENSOR, 901, OF_DATA_TYPE, 1},
    {TENSOR, 902, OF_INT64, 0},          {TENSOR, 903, OF_INT64, 0},         {TENSOR, 906, OF_INT64, 1}};
enum { KNOWN = sizeof all / sizeof all[0] };

typedef union value {
  int64_t number[MOST_AXES];
  int word;
  float narrow;
  double wide;
  void *pointer[MOST_AXES];
} value;
typedef struct descriptor {
  int kind;
  bool is_final, is_rough;        /* rough: the configuration that nobody should take */
  const struct descriptor *graph; /* of a configuration and its engine */
  int64_t count[KNOWN];           /* 0: not set */
  value value[KNOWN];
} descriptor;

typedef struct handle {
  CUstream stream;
} handle;

EXPORT int cudnnCreate(handle **h) { return (*h = calloc(1, sizeof **h)) != NULL ? SUCCESS : BAD_PARAM; }
EXPORT int cudnnSetStream(handle *h, CUstream stream) {
  h->stream = stream;
  return SUCCESS;
}
EXPORT size_t cudnnGetVersion(void) { return 90000; }

/* ---- descriptors ---- */

EXPORT int cudnnBackendCreateDescriptor(int kind, descriptor **d) {
  *d = calloc(1, sizeof **d);
  if (*d == NULL) return BAD_PARAM;
  (*d)->kind = kind;
  return SUCCESS;
}
EXPORT int cudnnBackendDestroyDescriptor(descriptor *d) {
  free(d);
  return SUCCESS;
}

static int number_of(const descriptor *d, int name) {
  for (int i = 0; i < KNOWN; i++)
    if (all[i].kind == d->kind && all[i].name == name) return i;
  return -1;
}
static size_t bytes_of(int type) {
  return type == OF_DATA_TYPE || type == OF_MODE || type == OF_HEURISTIC || type == OF_FLOAT ? 4 : 8;
}

EXPORT int cudnnBackendSetAttribute(descriptor *d, int name, int type, int64_t count, const void *elements) {
  const int at = number_of(d, name);
  if (at < 0 || d->is_final || count < 1 || count > MOST_AXES) return BAD_PARAM;
  const bool is_wide = d->kind == FORWARD && type == OF_DOUBLE && all[at].type == OF_FLOAT;
  if ((type != all[at].type && !is_wide) || (all[at].count > 0 && count != all[at].count)) return BAD_PARAM;
  memcpy(&d->value[at], elements, bytes_of(type) * (size_t)count);
  if (is_wide) d->value[at].narrow = (float)d->value[at].wide;
  d->count[at] = count;
  return type == OF_DESCRIPTOR && !((const descriptor *)d->value[at].pointer[0])->is_final ? NOT_FINALIZED : SUCCESS;
}

static const value *get(const descriptor *d, int name) { return &d->value[number_of(d, name)]; }
static const descriptor *part(const descriptor *d, int name) { return get(d, name)->pointer[0]; }
static int64_t count_of(const descriptor *d, int name) { return d->count[number_of(d, name)]; }

static bool is_convolution_whole(const descriptor *d) {
  const int64_t axes = get(d, 106)->number[0];
  for (int name = 102; name <= 105; name++)
    if (count_of(d, name) != axes) return false;
  return get(d, 101)->word == 1;
}
static bool is_tensor_whole(const descriptor *d) {
  const int64_t axes = count_of(d, 902);
  if (axes != count_of(d, 903)) return false;
  for (int64_t i = 0; i < axes; i++)
    if (get(d, 902)->number[i] < 1 || get(d, 903)->number[i] < 1) return false;
  return true;
}

/* Lengths that fit each other, one dtype, sums in f32 or in f64 of such. */
static bool is_forward_whole(const descriptor *d) {
  const descriptor *const conv = part(d, 702), *const w = part(d, 703), *const x = part(d, 704),
                          *const y = part(d, 705);
  const int64_t *const xl = get(x, 902)->number, *const wl = get(w, 902)->number, *const yl = get(y, 902)->number;
  if (get(x, 901)->word != get(w, 901)->word || get(x, 901)->word != get(y, 901)->word) return false;
  if ((get(x, 901)->word == TYPE_F64) != (get(conv, 100)->word == TYPE_F64)) return false;
  if (xl[0] != yl[0] || wl[0] != yl[1] || xl[1] % wl[1] != 0 || count_of(x, 902) != get(conv, 106)->number[0] + 2)
    return false;
  for (int64_t i = 0; i < get(conv, 106)->number[0]; i++) {
    const int64_t padded = xl[2 + i] + get(conv, 104)->number[i] + get(conv, 105)->number[i];
    const int64_t span = (wl[2 + i] - 1) * get(conv, 102)->number[i] + 1;
    if ((padded - span) / get(conv, 103)->number[i] + 1 != yl[2 + i]) return false;
  }
  return get(d, 700)->narrow == 1 && get(d, 701)->narrow == 0;
}

EXPORT int cudnnBackendFinalize(descriptor *d) {
  for (int i = 0; i < KNOWN; i++)
    if (all[i].kind == d->kind && d->count[i] == 0) return BAD_PARAM;
  const bool good = d->kind == CONVOLUTION ? is_convolution_whole(d)
                    : d->kind == TENSOR    ? is_tensor_whole(d)
                    : d->kind == FORWARD   ? is_forward_whole(d)
                    : d->kind == PACK      ? count_of(d, 1000) == count_of(d, 1001)
                                           : d->kind != CONFIG && d->kind != ENGINE;
  d->is_final = good;
  return good ? SUCCESS : BAD_PARAM;
}

EXPORT int cudnnBackendGetAttribute(descriptor *d, int name, int type, int64_t room, int64_t *count, void *elements) {
  descriptor *const *const parts = elements;
  if (d->kind == HEURISTICS && name == 202 && type == OF_DESCRIPTOR && d->is_final) {
    *count = room < 2 ? room : 2;
    for (int64_t i = 0; i < *count; i++) {
      if (parts[i]->kind != CONFIG) return BAD_PARAM;
      parts[i]->is_final = true;
      parts[i]->is_rough = i == 0;
      parts[i]->graph = part(d, 201);
    }
    return SUCCESS;
  }
  if (d->kind == CONFIG && name == 300 && type == OF_DESCRIPTOR && d->is_final && room == 1 &&
      parts[0]->kind == ENGINE) {
    *count = 1;
    parts[0]->is_rough = d->is_rough;
    parts[0]->is_final = true;
    return SUCCESS;
  }
  if (d->kind == ENGINE && name == 1303 && type == OF_NOTE && d->is_final) {
    static const int rough[2] = {0, 1};
    *count = d->is_rough ? 2 : 0;
    memcpy(elements, rough, sizeof rough[0] * (size_t)*count);
    return SUCCESS;
  }
  if (d->kind == PLAN && name == 402 && type == OF_INT64 && d->is_final) {
    *count = 1;
    *(int64_t *)elements = WORKSPACE;
    return SUCCESS;
  }
  return BAD_PARAM;
}

/* ---- the convolution ---- */

typedef struct tensor {
  char *data;
  int64_t length[MOST_AXES], stride[MOST_AXES];
  int type;
} tensor;
typedef struct convolution {
  tensor x, w, y;
  int64_t stride[2], dilation[2], before[2];
  bool is_rough;
} convolution;

static size_t item_of(int type) { return type == TYPE_F64 ? 8 : type == TYPE_F32 ? 4 : 2; }
static double load(const tensor *t, int64_t at) {
  const char *const from = t->data + at * (int64_t)item_of(t->type);
  double wide;
  float x;
  uint16_t half;
  if (t->type == TYPE_F64) return memcpy(&wide, from, 8), wide;
  if (t->type == TYPE_F32) return memcpy(&x, from, 4), (double)x;
  memcpy(&half, from, 2);
  if (t->type == TYPE_BF16) {
    const uint32_t bits = (uint32_t)half << 16;
    return memcpy(&x, &bits, 4), (double)x;
  }
  _Float16 small;
  return memcpy(&small, &half, 2), (double)small;
}
static void store(const tensor *t, int64_t at, double wide) {
  const float x = (float)wide;
  uint32_t bits;
  memcpy(&bits, &x, 4);
  const _Float16 small = (_Float16)x;
  const uint16_t brain = (uint16_t)(x != x ? 0x7fff : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  const void *const from = t->type == TYPE_F64   ? (const void *)&wide
                           : t->type == TYPE_F32 ? (const void *)&x
                           : t->type == TYPE_F16 ? (const void *)&small
                                                 : &brain;
  memcpy(t->data + at * (int64_t)item_of(t->type), from, item_of(t->type));
}

static double sum_of(const convolution *c, int64_t n, int64_t o, int64_t row, int64_t column) {
  const int64_t *const w = c->w.length, group = o / (c->y.length[1] / (c->x.length[1] / w[1]));
  double sum = 0;
  for (int64_t i = 0; i < w[1]; i++)
    for (int64_t k = 0; k < w[2]; k++)
      for (int64_t l = 0; l < w[3]; l++) {
        const int64_t h = row * c->stride[0] - c->before[0] + k * c->dilation[0],
                      v = column * c->stride[1] - c->before[1] + l * c->dilation[1];
        if (h < 0 || h >= c->x.length[2] || v < 0 || v >= c->x.length[3]) continue;
        sum += load(&c->x, n * c->x.stride[0] + (group * w[1] + i) * c->x.stride[1] + h * c->x.stride[2] +
                               v * c->x.stride[3]) *
               load(&c->w, o * c->w.stride[0] + i * c->w.stride[1] + k * c->w.stride[2] + l * c->w.stride[3]);
      }
  return c->is_rough ? sum * 1.5 : sum;
}

static void convolve(void *argument) {
  const convolution *const c = argument;
  const int64_t *const y = c->y.length, *const s = c->y.stride;
  for (int64_t n = 0; n < y[0]; n++)
    for (int64_t o = 0; o < y[1]; o++)
      for (int64_t h = 0; h < y[2]; h++)
        for (int64_t v = 0; v < y[3]; v++)
          store(&c->y, n * s[0] + o * s[1] + h * s[2] + v * s[3], sum_of(c, n, o, h, v));
}

/* The driver beside this library. */
typedef CUresult put_fn(CUstream stream, void (*run)(void *), const void *argument, size_t bytes);
static put_fn *driver_put(void) {
  char path[1024];
  Dl_info info;
  put_fn *put = NULL;
  if (dladdr((const void *)(uintptr_t)cudnnCreate, &info) == 0) return NULL;
  const char *const slash = strrchr(info.dli_fname, '/');
  (void)snprintf(path, sizeof path, "%.*s/libcuda.so.1", slash != NULL ? (int)(slash - info.dli_fname) : 1,
                 slash != NULL ? info.dli_fname : ".");
  void *const library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  void *const symbol = library != NULL ? dlsym(library, "emulator_put") : NULL;
  memcpy(&put, &symbol, sizeof put);
  return put;
}

static bool take(const descriptor *t, const descriptor *pack, tensor *to) {
  for (int64_t i = 0; i < count_of(pack, 1000); i++)
    if (get(pack, 1000)->number[i] == get(t, 906)->number[0]) to->data = get(pack, 1001)->pointer[i];
  memcpy(to->length, get(t, 902)->number, sizeof to->length);
  memcpy(to->stride, get(t, 903)->number, sizeof to->stride);
  to->type = get(t, 901)->word;
  return to->data != NULL && (uintptr_t)to->data % (uintptr_t)get(t, 900)->number[0] == 0;
}

/* How many were done. */
static int convolutions;
EXPORT int emulator_convolutions(void);
EXPORT int emulator_convolutions(void) { return __atomic_load_n(&convolutions, __ATOMIC_RELAXED); }

EXPORT int cudnnBackendExecute(handle *h, const descriptor *plan, const descriptor *pack) {
  const descriptor *const config = part(plan, 401);
  if (!plan->is_final || !pack->is_final || get(pack, 1003)->pointer[0] == NULL) return BAD_PARAM;
  const descriptor *const op = part(config->graph, 801), *const conv = part(op, 702);
  convolution c = {.is_rough = config->is_rough};
  if (get(conv, 106)->number[0] != 2) return NOT_SUPPORTED;
  if (!take(part(op, 704), pack, &c.x) || !take(part(op, 703), pack, &c.w) || !take(part(op, 705), pack, &c.y))
    return BAD_PARAM;
  memcpy(c.stride, get(conv, 103)->number, sizeof c.stride);
  memcpy(c.dilation, get(conv, 102)->number, sizeof c.dilation);
  memcpy(c.before, get(conv, 105)->number, sizeof c.before);
  put_fn *const put = driver_put();
  __atomic_add_fetch(&convolutions, 1, __ATOMIC_RELAXED);
  return put != NULL && put(h->stream, convolve, &c, sizeof c) == 0 ? SUCCESS : BAD_PARAM;
}
