/* Short rows one above the other, which kernels take many of at once, and contiguous tensors that are too large for
 * one thread. */
#include "support/helpers.h"
#include "support/test.h"

#include "cpu/move.h"
#include "ops/binary_reference.h"

#include <string.h>

/* ---- short rows ---- */

enum { ROWS = 5, MOST = TSR_HAVE_MALLOC ? 300 : 40, PITCH = 2 * MOST + 3, GUARD = 99 };

/* How a and b lie: elements b_step apart, or one for a row (0); rows of b that repeat; the output on a. */
typedef struct way {
  int a_step, b_step;
  bool b_repeats, in_place;
} way;

static const way ways[] = {{1, 1, false, false}, {1, 0, false, false}, {0, 1, false, false}, {1, 1, true, false},
                           {1, 2, false, false}, {2, 1, false, false}, {1, 1, false, true}};

enum { BYTES = 8 * ROWS * PITCH };
static _Alignas(16) unsigned char a[BYTES], b[BYTES], z[BYTES], right[BYTES];

static void set_inputs(void) {
  for (size_t i = 0; i < sizeof a; i++) a[i] = (unsigned char)(i * 37 % 61), b[i] = (unsigned char)(i * 11 % 59);
  memset(z, GUARD, sizeof z);
}

static tsr_tensor rows_of(int dtype, tsr_index n, tsr_index pitch, tsr_index step, void *data) {
  return (tsr_tensor){.dtype = (uint8_t)dtype, .ndim = 2, .shape = {ROWS, n}, .stride = {pitch, step}, .data = data};
}

/* right as the definition says; the bytes between the output's rows stay as they are. */
static void set_right(int op, int dtype, tsr_index n, const way *w) {
  const size_t item = tsr_dtype_size(dtype), out_item = tsr_dtype_size(ref_result(op, dtype));
  memcpy(right, w->in_place ? a : z, sizeof right);
  for (tsr_index row = 0; row < ROWS; row++)
    for (tsr_index i = 0; i < n; i++) {
      const tsr_index x = row * PITCH + i * w->a_step, y = (w->b_repeats ? 0 : row * PITCH) + i * w->b_step;
      ref_binary(op, dtype, a + (size_t)x * item, b + (size_t)y * item, right + (size_t)(row * PITCH + i) * out_item);
    }
}

static bool are_rows_right(tsr_ctx *ctx, int op, int dtype, tsr_index n, const way *w) {
  const int result = ref_result(op, dtype);
  const size_t item = tsr_dtype_size(result);
  set_inputs();
  set_right(op, dtype, n, w);
  unsigned char *const to = w->in_place ? a : z;
  const tsr_tensor x = rows_of(dtype, n, PITCH, w->a_step, a);
  const tsr_tensor y = rows_of(dtype, n, w->b_repeats ? 0 : PITCH, w->b_step, b);
  tsr_tensor out = rows_of(result, n, PITCH, 1, to);
  if (ref_ops[op].call(ctx, &x, &y, &out) != TSR_OK) return false;
  bool good = true;
  for (tsr_index i = 0; i < ROWS * PITCH; i++) {
    const bool gap = i % PITCH >= n;
    const size_t at = (size_t)i * item;
    good = good && (gap ? memcmp(to + at, right + at, item) == 0 : ref_same(result, to + at, right + at));
  }
  return good;
}

TEST(short_rows_are_right) {
  static const int ops[] = {OP_add, OP_maximum, OP_lt, OP_nextafter};
  static const int dtypes[] = {TSR_U8, TSR_I16, TSR_F32, TSR_I32, TSR_I64, TSR_F64};
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int o = 0; o < COUNT_OF(ops); o++)
      for (int d = 0; d < COUNT_OF(dtypes); d++) {
        ctx->isa = (uint8_t)(isa + 1);
        if (!tsr_dtype_supported(dtypes[d]) || !ref_accepts(ops[o], dtypes[d])) continue;
        for (int k = 0; k < COUNT_OF(ways); k++) {
          if (ways[k].in_place && ref_result(ops[o], dtypes[d]) != dtypes[d]) continue;
          for (tsr_index n = 1; n <= MOST; n += n < 40 ? 1 : 37)
            CHECK(are_rows_right(ctx, ops[o], dtypes[d], n, &ways[k]));
        }
      }
}

/* ---- more than is worth one thread ---- */

#if TSR_HAVE_MALLOC
enum { LARGE = 100003 };
static float xs[LARGE + 1], ys[LARGE], zs[LARGE];

static tsr_tensor flat(float *data) {
  return (tsr_tensor){.dtype = TSR_F32, .ndim = 1, .shape = {LARGE}, .stride = {1}, .data = data};
}

static void set_large(void) {
  for (int i = 0; i < LARGE; i++) xs[i] = (float)i, ys[i] = (float)(3 * i), zs[i] = -1;
}

static bool are_sums(const float *values) {
  for (int i = 0; i < LARGE; i++)
    if (values[i] != (float)i + (float)(3 * i)) return false;
  return true;
}

/* Into an output, into an input, into an input one further on. */
static void check_large(tsr_ctx *ctx) {
  tsr_tensor x = flat(xs), y = flat(ys), out = flat(zs), fresh = {0};
  set_large();
  OK(ctx, tsr_add(ctx, &x, &y, &out));
  CHECK(are_sums(zs));
  OK(ctx, tsr_add(ctx, &x, &y, &fresh));
  CHECK(are_sums(fresh.data));
  tsr_release(&fresh);
  OK(ctx, tsr_add(ctx, &x, &y, &x));
  CHECK(are_sums(xs));
  set_large();
  tsr_tensor next = flat(xs + 1);
  OK(ctx, tsr_add(ctx, &x, &y, &next));
  CHECK(are_sums(xs + 1));
}

TEST(large_tensors_without_gaps) {
  tsr_ctx *const ctx = test_context();
  const size_t beyond = tsr__stream_bytes;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int past = 0; past < 2; past++) { /* the caches */
      ctx->isa = (uint8_t)(isa + 1);
      tsr__stream_bytes = past != 0 ? 4096 : beyond;
      check_large(ctx);
    }
  tsr__stream_bytes = beyond;
  CHECK(test_live() == 0);
}

TEST(large_outputs_are_checked) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = flat(xs), y = flat(ys), out = flat(zs);
  set_large();
  out.flags = TSR_READONLY;
  CHECK(tsr_add(ctx, &x, &y, &out) != TSR_OK);
  out.flags = 0;
  out.shape[0] = LARGE - 1;
  CHECK(tsr_add(ctx, &x, &y, &out) != TSR_OK);
  out = flat(zs);
  out.dtype = TSR_I32;
  CHECK(tsr_add(ctx, &x, &y, &out) != TSR_OK);
  out.dtype = TSR_F32;
  out.stride[0] = 0;
  CHECK(tsr_add(ctx, &x, &y, &out) != TSR_OK);
  CHECK(zs[0] == -1 && zs[LARGE - 1] == -1);
}
#else
TEST(large_tensors_without_gaps) { SKIP("no memory for large tensors"); }
TEST(large_outputs_are_checked) { SKIP("no memory for large tensors"); }
#endif

TEST_MAIN(RUN(short_rows_are_right), RUN(large_tensors_without_gaps), RUN(large_outputs_are_checked))
