/* What several tests share: a context, random numbers, naive references, a table of layouts, a device that is no host.
 */
#ifndef TSR_TEST_HELPERS_H
#define TSR_TEST_HELPERS_H

#include <tessera/tessera.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A shape that may have rank 0. */
#define TEST_SCALAR 0, NULL

/* ---- a context ---- */

/* A fresh context whose allocator counts blocks; where there is no malloc it is an arena, emptied by this call. */
tsr_ctx *test_context(void);

/* Blocks of that allocator that are not freed yet. */
size_t test_live(void);

/* Its allocator, to refuse blocks with. */
tsr_failing *test_failing(void);

/* A pool of threads, which ctx uses from now on; the program ends where it cannot be made. */
tsr_threads *test_with_threads(tsr_ctx *ctx, int count);

/* ---- random numbers ---- */

typedef struct test_rng {
  uint64_t state;
} test_rng;

uint32_t test_random(test_rng *rng);
tsr_index test_between(test_rng *rng, tsr_index low, tsr_index high); /* both included */

/* ---- naive references ---- */

/* Goes to the next index in row-major order; false past the last. Start with zeros. */
bool test_next_index(int ndim, const tsr_index *shape, tsr_index *index);

/* The product of the dimensions. */
tsr_index test_product(int ndim, const tsr_index *shape);

/* The index of element number k of a shape, counted in order (not TSR_MEMORY). */
void test_nth_index(int ndim, const tsr_index *shape, tsr_order order, tsr_index k, tsr_index *index);

/* The number of an index in row-major order. */
tsr_index test_flat(int ndim, const tsr_index *shape, const tsr_index *index);

/* The address of the element at an index. */
void *test_at(const tsr_tensor *t, const tsr_index *index);

/* The addresses of all elements, listed in order; TSR_MEMORY lists them by increasing address. Returns how many. */
tsr_index test_addresses(const tsr_tensor *t, tsr_order order, uintptr_t *addresses, tsr_index capacity);

/* One of the integers 0 … 7, which every dtype holds, as an element; and an element as a number. */
void test_encode(int dtype, int value, void *element);
double test_decode(int dtype, const void *element);

/* Whether two tensors of one dtype and shape have the same bytes in every element. */
bool test_same_elements(const tsr_tensor *a, const tsr_tensor *b);

/* The same, but any NaN for another one: which NaN comes of two is not part of what an op says. */
bool test_same_numbers(const tsr_tensor *a, const tsr_tensor *b);

/* Whether entries past the rank are 1 and 0. */
bool test_is_tidy(const tsr_tensor *t);

/* ---- layouts ---- */

/* A shape with strides, and the element of the buffer that index 0 is. Every index stays in TEST_ELEMENTS elements. */
typedef struct test_layout {
  const char *name;
  int ndim;
  tsr_index shape[TSR_MAX_DIMS];
  tsr_index stride[TSR_MAX_DIMS];
  tsr_index first;
  bool overlaps; /* two indices share an address */
} test_layout;

#define TEST_ELEMENTS 64

int test_layout_count(void);
const test_layout *test_layout_at(int i);

/* 64 elements of any dtype, aligned; and a tensor of one layout over such a buffer, written without the library. */
typedef struct test_buffer {
  _Alignas(64) unsigned char bytes[TEST_ELEMENTS * 16];
} test_buffer;

void test_buffer_number(test_buffer *buffer, int dtype); /* element i holds i % 8; each byte differs in raw dtypes */
void test_buffer_random(test_buffer *buffer, test_rng *rng);
tsr_tensor test_over(test_buffer *buffer, int dtype, const test_layout *layout);

/* ---- a device that pretends not to be host memory ---- */

#define TEST_DEVICE_BYTES 8192

/* Its pointers lie in the first pages of the address space: reading through one ends the program where there is an MMU.
 */
typedef struct test_device {
  tsr_device device; /* give &d.device to the library */
  uintptr_t base;    /* the fake address of the first byte */
  size_t used;
  int allocs, frees, copies[3], fills, syncs;
  tsr_status next_alloc, next_copy, next_fill, next_sync; /* not TSR_OK: what the next such call returns */
  _Alignas(64) unsigned char bytes[TEST_DEVICE_BYTES];
} test_device;

/* Number 0 or 1; two devices have different addresses. */
void test_device_init(test_device *d, const char *name, int number);

/* The host's pointer behind a pointer of the device. */
void *test_device_bytes(test_device *d, const void *fake);

#endif
