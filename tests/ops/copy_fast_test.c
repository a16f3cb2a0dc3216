/* Copies that take the fast ways: every permutation, item size, instruction set and number of threads, cached and past
 * the caches, aligned and not, against a copy element by element. */
#include "ops/move_reference.h"

#include "cpu/move.h"

#if TSR_HAVE_MALLOC

#include <stdlib.h>

/* ---- what every copy is checked with ---- */

enum { THREADS = 3, MARGIN = 64 };

static tsr_ctx ctx;

/* A tensor of its own memory, which begins shift bytes after a multiple of 64 and has a margin on both sides. */
typedef struct area {
  unsigned char *bytes;
  size_t size;
  tsr_tensor t;
} area;

static void area_init(area *a, int dtype, int ndim, const tsr_index *shape, size_t shift) {
  const size_t bytes = (size_t)test_product(ndim, shape) * tsr_dtype_size(dtype);
  a->size = (bytes + shift + 3 * MARGIN) / MARGIN * MARGIN;
  a->bytes = aligned_alloc(MARGIN, a->size);
  for (size_t i = 0; i < a->size; i++) a->bytes[i] = (unsigned char)(i * 167 + (i >> 8) * 59 + (i >> 16) * 13);
  OK(&ctx, tsr_from_memory(&ctx, a->bytes + MARGIN + shift, dtype, ndim, shape, &a->t));
}

/* Writes src to dst element by element, in the memory of want, which is as dst's was. */
static void naive_copy(const tsr_tensor *src, const area *dst, const tsr_tensor *out, unsigned char *want) {
  tsr_index at[TSR_MAX_DIMS] = {0};
  memcpy(want, dst->bytes, dst->size);
  if (tsr_size(src) == 0) return;
  do {
    const size_t offset = (size_t)((const unsigned char *)test_at(out, at) - dst->bytes);
    memcpy(want + offset, test_at(src, at), tsr_dtype_size(src->dtype));
  } while (test_next_index(src->ndim, src->shape, at));
}

/* One copy; every byte around the output's elements stays what it was. */
static void check_copy(const tsr_tensor *src, const area *dst, const tsr_tensor *out) {
  unsigned char *const want = malloc(dst->size);
  tsr_tensor target = *out;
  naive_copy(src, dst, out, want);
  OK(&ctx, tsr_copy(&ctx, src, &target));
  const bool right = memcmp(want, dst->bytes, dst->size) == 0;
  CHECK(right);
  if (!right) {
    char from[160], to[160];
    (void)tsr_desc_format(src, from, sizeof from);
    (void)tsr_desc_format(out, to, sizeof to);
    printf("  %s to %s, isa %d, stream %d\n", from, to, ctx.isa, tsr__stream_bytes == 0);
  }
  free(want);
}

/* A permutation of a fresh tensor into a fresh row-major one, and back the other way: strided outputs. */
static void check_permutation(int dtype, int ndim, const tsr_index *shape, const int *axes, size_t shift) {
  area a, b;
  tsr_tensor view = {0}, back = {0};
  tsr_index shapes[TSR_MAX_DIMS];
  for (int i = 0; i < ndim; i++) shapes[i] = shape[axes[i]];
  area_init(&a, dtype, ndim, shape, shift * tsr_dtype_size(dtype));
  area_init(&b, dtype, ndim, shapes, (shift / 2) * tsr_dtype_size(dtype));
  OK(&ctx, tsr_permute(&ctx, &a.t, axes, &view));
  check_copy(&view, &b, &b.t);
  free(b.bytes);
  area_init(&b, dtype, ndim, shapes, 0);
  OK(&ctx, tsr_permute(&ctx, &a.t, axes, &back));
  check_copy(&b.t, &a, &back);
  if (shape[0] % 2 == 0) { /* backwards along two axes */
    OK(&ctx, tsr_flip(&ctx, &view, 0, &view));
    OK(&ctx, tsr_flip(&ctx, &view, -1, &view));
    check_copy(&view, &b, &b.t);
  }
  free(a.bytes);
  free(b.bytes);
}

static bool next_permutation(int *axes, int n) {
  int i = n - 2;
  while (i >= 0 && axes[i] > axes[i + 1]) i--;
  if (i < 0) return false;
  int j = n - 1;
  while (axes[j] < axes[i]) j--;
  const int t = axes[i];
  axes[i] = axes[j];
  axes[j] = t;
  for (int low = i + 1, high = n - 1; low < high; low++, high--) {
    const int s = axes[low];
    axes[low] = axes[high];
    axes[high] = s;
  }
  return true;
}

/* ---- the ways a context can be ---- */

static tsr_threads *pool;

static void begin(int isa, int threads, bool stream) {
  if (tsr_context_init(&ctx, NULL) != TSR_OK) return;
  OK(&ctx, tsr_context_set_isa(&ctx, tsr_isa_name(isa)));
  ctx.parallel = threads > 1 ? tsr_threads_parallel(pool) : tsr_parallel_serial();
  tsr__stream_bytes = stream ? 0 : (size_t)32 << 20;
}

static void end(void) { tsr__stream_bytes = (size_t)32 << 20; }

#define EACH_WAY(...)                                 \
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) \
    for (int stream = 0; stream < 2; stream++) {      \
      begin(isa, 1, stream != 0);                     \
      __VA_ARGS__                                     \
      end();                                          \
    }

/* ---- matrices: all sizes around those of tiles ---- */

static void check_matrices(int dtype, size_t shift) {
  static const tsr_index sizes[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 48, 63, 64, 65, 67};
  for (int i = 0; i < COUNT_OF(sizes); i++)
    for (int j = i % 2; j < COUNT_OF(sizes); j += 2) /* every other pair; the copy back makes up for it */
      check_permutation(dtype, 2, (const tsr_index[]){sizes[i], sizes[j]}, (const int[]){1, 0}, shift);
}

TEST(matrices_of_every_item_size) {
  for (int d = 0; d < COUNT_OF(move_dtypes); d++) EACH_WAY(check_matrices(move_dtypes[d], 0);)
}

TEST(matrices_off_the_lines) {
  for (int d = 0; d < COUNT_OF(move_dtypes); d++) EACH_WAY(check_matrices(move_dtypes[d], 3);)
}

/* ---- permutations ---- */

static void check_all_permutations(int dtype, int ndim, const tsr_index *shape, size_t shift) {
  int axes[TSR_MAX_DIMS];
  for (int i = 0; i < ndim; i++) axes[i] = i;
  do {
    check_permutation(dtype, ndim, shape, axes, shift);
  } while (next_permutation(axes, ndim));
}

TEST(every_permutation) {
  static const tsr_index cubes[][3] = {{5, 67, 19}, {66, 2, 65}, {33, 16, 4}};
  static const tsr_index four[][4] = {{2, 3, 17, 20}, {20, 1, 5, 18}};
  static const tsr_index five[][5] = {{3, 1, 2, 17, 4}};
  for (int d = 0; d < COUNT_OF(move_dtypes); d++) {
    const int dtype = move_dtypes[d];
    EACH_WAY({
      for (int i = 0; i < COUNT_OF(cubes); i++) check_all_permutations(dtype, 3, cubes[i], (size_t)i % 2);
      for (int i = 0; i < COUNT_OF(four); i++) check_all_permutations(dtype, 4, four[i], 0);
      for (int i = 0; i < COUNT_OF(five); i++) check_all_permutations(dtype, 5, five[i], 0);
    })
  }
}

/* ---- slices ---- */

static void check_slices(int dtype, tsr_index columns) {
  static const tsr_index steps[] = {1, 2, 3, -1};
  for (int r = 0; r < COUNT_OF(steps); r++)
    for (int c = 0; c < COUNT_OF(steps); c++) {
      area a, b;
      tsr_tensor view = {0}, turned = {0};
      area_init(&a, dtype, 2, (const tsr_index[]){9, columns}, tsr_dtype_size(dtype));
      OK(&ctx, tsr_slice(&ctx, &a.t, 0, TSR_OMIT, TSR_OMIT, steps[r], &view));
      OK(&ctx, tsr_slice(&ctx, &view, 1, TSR_OMIT, TSR_OMIT, steps[c], &view));
      area_init(&b, dtype, 2, view.shape, 0);
      check_copy(&view, &b, &b.t); /* gaps in the source */
      check_copy(&b.t, &a, &view); /* gaps in the output */
      OK(&ctx, tsr_transpose(&ctx, &view, 0, 1, &turned));
      OK(&ctx, tsr_from_memory(&ctx, b.t.data, dtype, 2, turned.shape, &b.t));
      check_copy(&turned, &b, &b.t); /* gaps, and the axes run against each other */
      free(a.bytes);
      free(b.bytes);
    }
}

TEST(slices) {
  for (int d = 0; d < COUNT_OF(move_dtypes); d++)
    EACH_WAY({
      check_slices(move_dtypes[d], 70);
      check_slices(move_dtypes[d], 1100);
    })
}

TEST(repeated_sources) {
  for (int d = 0; d < COUNT_OF(move_dtypes); d++)
    EACH_WAY({
      static const tsr_index shape[3] = {7, 5, 300};
      for (int axis = 0; axis < 3; axis++) {
        area a, b;
        tsr_tensor view = {0};
        tsr_index one[3] = {7, 5, 300};
        one[axis] = 1;
        area_init(&a, move_dtypes[d], 3, one, 0);
        area_init(&b, move_dtypes[d], 3, shape, tsr_dtype_size(move_dtypes[d]));
        OK(&ctx, tsr_broadcast_to(&ctx, &a.t, 3, shape, &view));
        check_copy(&view, &b, &b.t);
        free(a.bytes);
        free(b.bytes);
      }
    })
}

/* ---- fills ---- */

static void check_fill(int dtype, tsr_index n, size_t shift) {
  const size_t item = tsr_dtype_size(dtype);
  unsigned char pattern[16];
  area a;
  area_init(&a, dtype, 1, &n, shift * (item == 16 ? 8 : item)); /* complex numbers are aligned to their parts */
  unsigned char *const want = malloc(a.size);
  for (size_t i = 0; i < 16; i++) pattern[i] = (unsigned char)(i * 29 + 1);
  memcpy(want, a.bytes, a.size);
  for (size_t i = 0; i < (size_t)n * item; i++)
    want[(size_t)((unsigned char *)a.t.data - a.bytes) + i] = pattern[i % item];
  tsr__move_kernels_of(&ctx)->fill(a.t.data, (size_t)n * item, pattern, item, tsr__stream_bytes == 0);
  CHECK(memcmp(want, a.bytes, a.size) == 0);
  free(want);
  free(a.bytes);
}

TEST(fills) {
  static const tsr_index sizes[] = {1, 3, 16, 31, 64, 127, 600, 1031};
  for (int d = 0; d < COUNT_OF(move_dtypes); d++)
    EACH_WAY({
      for (int i = 0; i < COUNT_OF(sizes); i++)
        for (size_t shift = 0; shift < 4; shift++) check_fill(move_dtypes[d], sizes[i], shift);
    })
}

/* ---- threads: large enough to be cut ---- */

static void check_large(tsr_index rows, tsr_index columns) {
  area a, b;
  tsr_tensor view = {0};
  area_init(&a, TSR_F32, 2, (const tsr_index[]){rows, columns}, 4);
  area_init(&b, TSR_F32, 2, (const tsr_index[]){columns, rows}, 8);
  OK(&ctx, tsr_transpose(&ctx, &a.t, 0, 1, &view));
  check_copy(&view, &b, &b.t);
  OK(&ctx, tsr_from_memory(&ctx, b.t.data, TSR_F32, 2, a.t.shape, &b.t));
  check_copy(&a.t, &b, &b.t);
  OK(&ctx, tsr_flip(&ctx, &a.t, 1, &view));
  check_copy(&view, &b, &b.t);
  free(a.bytes);
  free(b.bytes);
}

TEST(threads_write_the_same) {
  for (int threads = 1; threads <= 8; threads++) {
    pool = NULL;
    REQUIRE(tsr_threads_new(threads, &pool) == TSR_OK || !TSR_HAVE_THREADS);
    if (pool == NULL) break;
    for (int stream = 0; stream < 2; stream++) {
      begin(threads % 3 == 0 ? 0 : (int)tsr__isa_best(), threads, stream != 0);
      check_large(301, 257);
      check_large(3, 90001);
      check_large(1100, 64); /* blocks of rows, pieces of rows, columns */
      end();
    }
    tsr_threads_release(pool);
  }
}

static void check_casts(int from, int to, tsr_index n) {
  tsr_tensor x = {0}, y = {0}, plain = {0};
  OK(&ctx, tsr_arange_i64(&ctx, TSR_I32, 0, n, 1, &x));
  OK(&ctx, tsr_cast(&ctx, &x, from, &y));
  OK(&ctx, tsr_slice(&ctx, &y, 0, 1, TSR_OMIT, 1, &y));
  tsr_release(&x);
  OK(&ctx, tsr_cast(&ctx, &y, to, &x));
  tsr__stream_bytes = (size_t)1 << 30;
  ctx.parallel = tsr_parallel_serial();
  OK(&ctx, tsr_cast(&ctx, &y, to, &plain));
  CHECK(test_same_elements(&x, &plain));
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&plain);
}

TEST(casts_past_the_caches) {
  static const int dtypes[] = {TSR_U8, TSR_F16, TSR_BF16, TSR_F32, TSR_F64, TSR_I64};
  pool = NULL;
  REQUIRE(tsr_threads_new(2, &pool) == TSR_OK);
  for (int i = 0; i < COUNT_OF(dtypes); i++)
    for (int j = 0; j < COUNT_OF(dtypes); j++)
      for (int isa = 0; i != j && tsr_isa_name(isa) != NULL; isa++) {
        begin(isa, 2, true);
        check_casts(dtypes[i], dtypes[j], 40001);
        end();
      }
  tsr_threads_release(pool);
}

/* ---- f16: the processor's conversion and the portable one ---- */

static void make_floats(tsr_tensor *t) {
  uint32_t bits = 0;
  for (tsr_index i = 0; i < tsr_size(t); i++, bits += 65521u * 3u) memcpy((float *)t->data + i, &bits, sizeof bits);
  for (uint32_t i = 0; i < 2048;
       i++) { /* NaN and infinity with every kind of payload, and what lies around f16's limits */
    const uint32_t exponents[] = {0x7f800000u, 0xff800000u, 0x477fe000u, 0x33000000u,
                                  0x38800000u, 0u,          0xb8000000u, 0x3f800000u};
    bits = exponents[i % 8] + (i / 8 < 24 ? 1u << (i / 8) : (i / 8) * 0x1fffu);
    memcpy((float *)t->data + i, &bits, sizeof bits);
  }
}

TEST(halves_have_the_same_bits_everywhere) {
  tsr_tensor codes = {0}, floats = {0}, wide = {0}, narrow = {0};
  if (tsr_context_init(&ctx, NULL) != TSR_OK) return;
  OK(&ctx, tsr_empty(&ctx, TSR_F16, TSR_SHAPE(65536), &codes));
  for (int i = 0; i < 65536; i++) ((uint16_t *)codes.data)[i] = (uint16_t)i;
  OK(&ctx, tsr_empty(&ctx, TSR_F32, TSR_SHAPE(65599), &floats));
  make_floats(&floats);
  OK(&ctx, tsr_context_set_isa(&ctx, "base"));
  OK(&ctx, tsr_cast(&ctx, &codes, TSR_F32, &wide));
  OK(&ctx, tsr_cast(&ctx, &floats, TSR_F16, &narrow));
  for (int isa = 1; tsr_isa_name(isa) != NULL; isa++) {
    tsr_tensor x = {0}, y = {0};
    OK(&ctx, tsr_context_set_isa(&ctx, tsr_isa_name(isa)));
    OK(&ctx, tsr_cast(&ctx, &codes, TSR_F32, &x));
    OK(&ctx, tsr_cast(&ctx, &floats, TSR_F16, &y));
    CHECK(test_same_elements(&wide, &x) && test_same_elements(&narrow, &y));
    tsr_release(&x);
    tsr_release(&y);
  }
  tsr_release(&codes);
  tsr_release(&floats);
  tsr_release(&wide);
  tsr_release(&narrow);
}

/* One that is really larger than the cache, on the default context. */
TEST(forty_megabytes) {
  tsr_tensor x = {0}, y = {0}, view = {0};
  enum { ROWS = 3200, COLUMNS = 3136 };
  OK(NULL, tsr_empty(NULL, TSR_I32, TSR_SHAPE(ROWS, COLUMNS), &x));
  for (int i = 0; i < ROWS * COLUMNS; i++) ((int32_t *)x.data)[i] = i;
  OK(NULL, tsr_transpose(NULL, &x, 0, 1, &view));
  OK(NULL, tsr_copy(NULL, &view, &y));
  bool right = true;
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < ROWS; i++) right = right && ((const int32_t *)y.data)[j * ROWS + i] == i * COLUMNS + j;
  CHECK(right);
  OK(NULL, tsr_transpose(NULL, &y, 0, 1, &view));
  memset(x.data, 0, tsr_nbytes(&x));
  OK(NULL, tsr_copy(NULL, &view, &x));
  for (int i = 0; i < ROWS * COLUMNS; i++) right = right && ((const int32_t *)x.data)[i] == i;
  CHECK(right);
  tsr_release(&x);
  tsr_release(&y);
}

/* The limits of docs/performance.md, in MiB: just below and at them, for one thread and for two. */
TEST(what_is_nontemporal) {
  static const struct {
    size_t written, read; /* of 64 parts */
    bool slow;
    size_t from[2]; /* both together, in MiB */
  } rows[] = {{32, 32, false, {28, 44}},  {16, 48, false, {28, 44}},  {40, 24, false, {88, 88}},
              {60, 4, false, {160, 224}}, {64, 0, false, {160, 224}}, {32, 32, true, {4096, 192}}};
  for (int several = 0; several <= (TSR_HAVE_THREADS ? 1 : 0); several++) {
    tsr_ctx own = {0};
    tsr_threads *const threads = test_with_threads(&own, 1 + several);
    for (int i = 0; i < COUNT_OF(rows); i++) {
      const size_t part = (rows[i].from[several] << 20) / 64;
      if (part == 0) continue; /* more than 32 bits count */
      CHECK(tsr__is_nontemporal(&own, rows[i].written * part, rows[i].read * part, rows[i].slow));
      CHECK(!tsr__is_nontemporal(&own, rows[i].written * (part - 64), rows[i].read * (part - 64), rows[i].slow));
    }
    tsr_threads_release(threads);
  }
}

TEST_MAIN(RUN(what_is_nontemporal), RUN(matrices_of_every_item_size), RUN(matrices_off_the_lines),
          RUN(every_permutation), RUN(slices), RUN(repeated_sources), RUN(fills), RUN(threads_write_the_same),
          RUN(casts_past_the_caches), RUN(halves_have_the_same_bits_everywhere), RUN(forty_megabytes))

#else

TEST(too_large_for_this_profile) { SKIP("no malloc"); }
TEST_MAIN(RUN(too_large_for_this_profile))

#endif
