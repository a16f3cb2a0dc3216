#include "support/helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Setting up the tests themselves cannot go wrong; a trap says where it did. */
static void must(tsr_status st) {
  if (st != TSR_OK) __builtin_trap();
}

/* ---- a context ---- */

static tsr_failing counted;
#if !TSR_HAVE_MALLOC
static _Alignas(64) unsigned char arena_bytes[40 * 1024];
static tsr_arena arena;
#endif

tsr_ctx *test_context(void) {
  static tsr_ctx ctx;
  const tsr_allocator *upstream = NULL;
#if !TSR_HAVE_MALLOC
  must(tsr_arena_init(arena_bytes, sizeof arena_bytes, &arena));
  upstream = &arena.allocator;
#endif
  must(tsr_failing_init(upstream, SIZE_MAX, false, &counted));
  must(tsr_context_init(&ctx, &counted.allocator));
  return &ctx;
}

size_t test_live(void) { return counted.live; }

tsr_failing *test_failing(void) { return &counted; }

tsr_threads *test_with_threads(tsr_ctx *ctx, int count) {
  tsr_threads *pool = NULL;
  if (tsr_threads_new(count, &pool) != TSR_OK) {
    printf("no pool of %d threads\n", count);
    exit(1);
  }
  ctx->parallel = tsr_threads_parallel(pool);
  return pool;
}

/* ---- random numbers ---- */

uint32_t test_random(test_rng *rng) { /* splitmix64 */
  uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)(z >> 32);
}

tsr_index test_between(test_rng *rng, tsr_index low, tsr_index high) {
  return high > low ? low + (tsr_index)(test_random(rng) % (uint32_t)(high - low + 1)) : low;
}

/* ---- naive references ---- */

bool test_next_index(int ndim, const tsr_index *shape, tsr_index *index) {
  for (int i = ndim - 1; i >= 0; i--) {
    if (++index[i] < shape[i]) return true;
    index[i] = 0;
  }
  return false;
}

tsr_index test_product(int ndim, const tsr_index *shape) {
  tsr_index product = 1;
  for (int i = 0; i < ndim; i++) product *= shape[i];
  return product;
}

/* The axis that is k-th fastest in order. */
static int axis_by_speed(int ndim, tsr_order order, int k) {
  if (order == TSR_FORTRAN) return k;
  if (order == TSR_COL_MAJOR && ndim >= 2 && k < 2) return k == 0 ? ndim - 2 : ndim - 1;
  return ndim - 1 - k;
}

void test_nth_index(int ndim, const tsr_index *shape, tsr_order order, tsr_index k, tsr_index *index) {
  for (int i = 0; i < ndim; i++) {
    const int axis = axis_by_speed(ndim, order, i);
    index[axis] = k % shape[axis];
    k /= shape[axis];
  }
}

tsr_index test_flat(int ndim, const tsr_index *shape, const tsr_index *index) {
  tsr_index flat = 0;
  for (int i = 0; i < ndim; i++) flat = flat * shape[i] + index[i];
  return flat;
}

void *test_at(const tsr_tensor *t, const tsr_index *index) {
  ptrdiff_t at = 0;
  for (int i = 0; i < t->ndim; i++) at += (ptrdiff_t)index[i] * (ptrdiff_t)t->stride[i];
  return (char *)t->data + at * (ptrdiff_t)tsr_dtype_size(t->dtype);
}

static void sort_addresses(uintptr_t *addresses, tsr_index n) {
  for (tsr_index i = 1; i < n; i++) {
    const uintptr_t moving = addresses[i];
    tsr_index at = i;
    for (; at > 0 && addresses[at - 1] > moving; at--) addresses[at] = addresses[at - 1];
    addresses[at] = moving;
  }
}

tsr_index test_addresses(const tsr_tensor *t, tsr_order order, uintptr_t *addresses, tsr_index capacity) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  const tsr_index size = test_product(t->ndim, t->shape);
  for (tsr_index k = 0; k < size && k < capacity; k++) {
    test_nth_index(t->ndim, t->shape, order == TSR_MEMORY ? TSR_ROW_MAJOR : order, k, index);
    addresses[k] = (uintptr_t)test_at(t, index);
  }
  if (order == TSR_MEMORY) sort_addresses(addresses, size < capacity ? size : capacity);
  return size;
}

/* Exponent bits, mantissa bits. The integers 0 … 7 are normal numbers in every format. */
static uint32_t encode_float(int value, int exponent_bits, int mantissa_bits) {
  int exponent = 0;
  if (value == 0) return 0;
  while (value >> (exponent + 1) != 0) exponent++;
  const uint32_t mantissa = ((uint32_t)value << mantissa_bits >> exponent) & ((1u << mantissa_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  return (uint32_t)(exponent + bias) << mantissa_bits | mantissa;
}

static double decode_float(uint32_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (int)(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
  double value = (double)(bits & ((1u << mantissa_bits) - 1)) / (double)(1u << mantissa_bits) + (exponent > 0 ? 1 : 0);
  for (int e = exponent > 0 ? exponent : 1; e > bias; e--) value *= 2;
  for (int e = exponent > 0 ? exponent : 1; e < bias; e++) value /= 2;
  return (bits >> (exponent_bits + mantissa_bits) & 1) != 0 ? -value : value;
}

#define STORE(type, value)                   \
  do {                                       \
    const type stored = (type)(value);       \
    memcpy(element, &stored, sizeof stored); \
  } while (0)

void test_encode(int dtype, int value, void *element) {
  switch (dtype) {
    case TSR_BOOL: STORE(uint8_t, value != 0); break;
    case TSR_I8:
    case TSR_U8: STORE(uint8_t, value); break;
    case TSR_I16:
    case TSR_U16: STORE(uint16_t, value); break;
    case TSR_I32:
    case TSR_U32: STORE(uint32_t, value); break;
    case TSR_I64:
    case TSR_U64: STORE(uint64_t, value); break;
    case TSR_F16: STORE(uint16_t, encode_float(value, 5, 10)); break;
    case TSR_BF16: STORE(uint16_t, encode_float(value, 8, 7)); break;
    case TSR_F8_E4M3: STORE(uint8_t, encode_float(value, 4, 3)); break;
    case TSR_F8_E5M2: STORE(uint8_t, encode_float(value, 5, 2)); break;
    case TSR_F32: STORE(float, value); break;
    case TSR_F64: STORE(double, value); break;
    case TSR_C64: {
      const float parts[2] = {(float)value, 0};
      memcpy(element, parts, sizeof parts);
      break;
    }
    default: {
      const double parts[2] = {value, 0};
      memcpy(element, parts, sizeof parts);
      break;
    }
  }
}

#define LOAD(type)                           \
  do {                                       \
    type loaded;                             \
    memcpy(&loaded, element, sizeof loaded); \
    return (double)loaded;                   \
  } while (0)

static uint32_t load_u16(const void *element) {
  uint16_t bits;
  memcpy(&bits, element, sizeof bits);
  return bits;
}

double test_decode(int dtype, const void *element) {
  switch (dtype) {
    case TSR_BOOL:
    case TSR_U8: LOAD(uint8_t);
    case TSR_I8: LOAD(int8_t);
    case TSR_I16: LOAD(int16_t);
    case TSR_U16: LOAD(uint16_t);
    case TSR_I32: LOAD(int32_t);
    case TSR_U32: LOAD(uint32_t);
    case TSR_I64: LOAD(int64_t);
    case TSR_U64: LOAD(uint64_t);
    case TSR_F16: return decode_float(load_u16(element), 5, 10);
    case TSR_BF16: return decode_float(load_u16(element), 8, 7);
    case TSR_F8_E4M3: return decode_float(*(const uint8_t *)element, 4, 3);
    case TSR_F8_E5M2: return decode_float(*(const uint8_t *)element, 5, 2);
    case TSR_F32:
    case TSR_C64: LOAD(float);
    default: LOAD(double);
  }
}

bool test_same_elements(const tsr_tensor *a, const tsr_tensor *b) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (a->dtype != b->dtype || a->ndim != b->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] != b->shape[i]) return false;
  if (test_product(a->ndim, a->shape) == 0) return true;
  do {
    if (memcmp(test_at(a, index), test_at(b, index), tsr_dtype_size(a->dtype)) != 0) return false;
  } while (test_next_index(a->ndim, a->shape, index));
  return true;
}

static bool is_nan(int dtype, const void *element) {
  uint16_t half = 0;
  uint8_t byte = 0;
  switch (dtype) {
    case TSR_F8_E4M3: memcpy(&byte, element, 1); return (byte & 0x7f) > 0x7e;
    case TSR_F8_E5M2: memcpy(&byte, element, 1); return (byte & 0x7f) > 0x7c;
    case TSR_F16: memcpy(&half, element, 2); return (half & 0x7fff) > 0x7c00;
    case TSR_BF16: memcpy(&half, element, 2); return (half & 0x7fff) > 0x7f80;
    case TSR_F32: return isnan(*(const float *)element);
    case TSR_F64: return isnan(*(const double *)element);
    default: return false;
  }
}

bool test_same_numbers(const tsr_tensor *a, const tsr_tensor *b) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (a->dtype != b->dtype || !tsr_same_shape(a, b)) return false;
  if (tsr_size(a) == 0 || test_same_elements(a, b)) return true;
  do {
    const void *const x = test_at(a, index), *const y = test_at(b, index);
    if (memcmp(x, y, tsr_dtype_size(a->dtype)) != 0 && !(is_nan(a->dtype, x) && is_nan(b->dtype, y))) return false;
  } while (test_next_index(a->ndim, a->shape, index));
  return true;
}

bool test_is_tidy(const tsr_tensor *t) {
  for (int i = t->ndim; i < TSR_MAX_DIMS; i++)
    if (t->shape[i] != 1 || t->stride[i] != 0) return false;
  return true;
}

/* ---- layouts ---- */

static const test_layout layouts[] = {
    {"0-D", 0, {0}, {0}, 5, false},
    {"vector", 1, {7}, {1}, 2, false},
    {"every third", 1, {5}, {3}, 1, false},
    {"backwards", 1, {6}, {-1}, 9, false},
    {"one element", 1, {1}, {-7}, 3, false},
    {"no element", 1, {0}, {1}, 0, false},
    {"matrix", 2, {3, 4}, {4, 1}, 0, false},
    {"square", 2, {4, 4}, {4, 1}, 0, false},
    {"column-major", 2, {3, 4}, {1, 3}, 0, false},
    {"part of a matrix", 2, {2, 3}, {10, 3}, 2, false},
    {"rows from the last", 2, {3, 4}, {-4, 1}, 8, false},
    {"turned by 180 degrees", 2, {3, 4}, {-4, -1}, 11, false},
    {"columns from the last", 2, {4, 3}, {1, -4}, 8, false},
    {"repeated rows", 2, {3, 4}, {0, 1}, 4, true},
    {"repeated columns", 2, {3, 4}, {2, 0}, 4, true},
    {"one number repeated", 2, {3, 2}, {0, 0}, 9, true},
    {"windows", 2, {4, 3}, {1, 1}, 0, true},
    {"interleaved", 2, {3, 2}, {2, 3}, 0, false},
    {"one row", 2, {1, 5}, {99, 2}, 0, false},
    {"one column", 2, {5, 1}, {2, -99}, 0, false},
    {"no rows", 2, {0, 3}, {3, 1}, 0, false},
    {"cube", 3, {2, 3, 4}, {12, 4, 1}, 0, false},
    {"transposed", 3, {4, 3, 2}, {1, 4, 12}, 0, false},
    {"planes of columns", 3, {2, 3, 4}, {12, 1, 3}, 0, false},
    {"Fortran", 3, {2, 3, 4}, {1, 2, 6}, 0, false},
    {"channels last", 3, {2, 3, 4}, {1, 8, 2}, 0, false},
    {"mixed directions", 3, {2, 3, 4}, {-1, 8, -2}, 7, false},
    {"Fortran around length 1", 3, {2, 1, 3}, {1, 7, 2}, 0, false},
    {"all of length 1", 3, {1, 1, 1}, {5, -9, 2}, 30, false},
    {"length 1 at the ends", 3, {1, 6, 1}, {1, 2, 50}, 0, false},
    {"gaps everywhere", 3, {2, 2, 3}, {30, 11, 2}, 1, false},
    {"nothing in the middle", 3, {2, 0, 3}, {3, 3, 1}, 0, false},
    {"a repeated plane", 3, {3, 2, 3}, {0, 3, 1}, 0, true},
    {"four axes", 4, {2, 2, 3, 2}, {12, 6, 2, 1}, 0, false},
    {"channels last, four axes", 4, {2, 2, 3, 2}, {12, 1, 4, 2}, 0, false},
#if TSR_MAX_DIMS >= 8
    {"five axes", 5, {2, 1, 2, 3, 2}, {12, 12, 6, 2, 1}, 0, false},
    {"eight axes", 8, {1, 2, 1, 2, 1, 2, 1, 3}, {24, 12, 12, 6, 6, 3, 3, 1}, 0, false},
    {"eight axes, Fortran", 8, {2, 1, 2, 1, 2, 2, 1, 1}, {1, 2, 2, 4, 4, 8, 16, 16}, 0, false},
#endif
};

int test_layout_count(void) { return COUNT_OF(layouts); }
const test_layout *test_layout_at(int i) { return &layouts[i]; }

void test_buffer_number(test_buffer *buffer, int dtype) {
  const size_t item = tsr_dtype_size(dtype);
  memset(buffer->bytes, 0, sizeof buffer->bytes);
  for (int i = 0; i < TEST_ELEMENTS; i++) test_encode(dtype, i % 8, buffer->bytes + (size_t)i * item);
}

void test_buffer_random(test_buffer *buffer, test_rng *rng) {
  for (size_t i = 0; i < sizeof buffer->bytes; i++) buffer->bytes[i] = (unsigned char)test_random(rng);
}

tsr_tensor test_over(test_buffer *buffer, int dtype, const test_layout *layout) {
  tsr_tensor t = {.dtype = (uint8_t)dtype, .ndim = (uint8_t)layout->ndim};
  for (int i = 0; i < TSR_MAX_DIMS; i++) {
    t.shape[i] = i < layout->ndim ? layout->shape[i] : 1;
    t.stride[i] = i < layout->ndim ? layout->stride[i] : 0;
  }
  t.data = buffer->bytes + (size_t)layout->first * tsr_dtype_size(dtype);
  return t;
}

/* ---- a device that pretends not to be host memory ---- */

void *test_device_bytes(test_device *d, const void *fake) { return d->bytes + ((uintptr_t)fake - d->base); }

static tsr_status take(tsr_status *next) {
  const tsr_status st = *next;
  *next = TSR_OK;
  return st;
}

static tsr_status device_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  test_device *const d = self;
  (void)hint;
  const tsr_status st = take(&d->next_alloc);
  if (st != TSR_OK) return st;
  const size_t start = (d->used + align - 1) / align * align;
  if (start > sizeof d->bytes || bytes > sizeof d->bytes - start) return TSR_ENOMEM;
  d->used = start + bytes;
  d->allocs++;
  *ptr = (void *)(d->base + start); /* NOLINT: an address that is none */
  return TSR_OK;
}

static void device_free(void *self, void *ptr, size_t bytes) {
  test_device *const d = self;
  memset(test_device_bytes(d, ptr), 0xee, bytes);
  d->frees++;
  if (d->frees == d->allocs) d->used = 0;
}

static tsr_status device_copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  test_device *const d = self;
  const tsr_status st = take(&d->next_copy);
  if (st != TSR_OK) return st;
  d->copies[direction]++;
  memmove(direction == TSR_COPY_FROM_DEVICE ? dst : test_device_bytes(d, dst),
          direction == TSR_COPY_TO_DEVICE ? src : test_device_bytes(d, src), bytes);
  return TSR_OK;
}

static tsr_status device_fill(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count) {
  test_device *const d = self;
  const tsr_status st = take(&d->next_fill);
  if (st != TSR_OK) return st;
  d->fills++;
  for (size_t i = 0; i < count; i++)
    memcpy((unsigned char *)test_device_bytes(d, dst) + i * pattern_bytes, pattern, pattern_bytes);
  return TSR_OK;
}

static tsr_status device_sync(void *self) {
  test_device *const d = self;
  d->syncs++;
  return take(&d->next_sync);
}

void test_device_init(test_device *d, const char *name, int number) {
  memset(d, 0, sizeof *d);
  d->base = 1024 + (uintptr_t)number * 2 * TEST_DEVICE_BYTES;
  d->device = (tsr_device){.size = sizeof d->device,
                           .name = name,
                           .is_host = false,
                           .alloc = device_alloc,
                           .free = device_free,
                           .copy = device_copy,
                           .fill = device_fill,
                           .sync = device_sync,
                           .self = d};
}
