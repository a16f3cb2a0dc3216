/* tsr_pad, tsr_pad_2d. */
#include "ops/move_reference.h"

static tsr_pad_mode mode;

static tsr_status run_pad(tsr_ctx *ctx, const move_case *c, tsr_tensor *out) {
  return tsr_pad(ctx, c->in, c->number, c->number + TSR_MAX_DIMS, mode, 0, out);
}

/* The index that stands at i, which may be outside 0 … n - 1. */
static tsr_index inside(tsr_index i, tsr_index n) {
  const tsr_index period = 2 * (n - 1);
  switch (mode) {
    case TSR_PAD_EDGE: return i < 0 ? 0 : i >= n ? n - 1 : i;
    case TSR_PAD_WRAP: return (i % n + n) % n;
    default: break;
  }
  if (n == 1) return 0;
  i = (i % period + period) % period;
  return i < n ? i : period - i;
}

static bool map_pad(const move_case *c, const tsr_index *out, tsr_index *in) {
  for (int k = 0; k < c->in->ndim; k++) {
    in[k] = out[k] - c->number[k];
    if (mode == TSR_PAD_CONSTANT && (in[k] < 0 || in[k] >= c->in->shape[k])) return false;
    if (mode != TSR_PAD_CONSTANT) in[k] = inside(in[k], c->in->shape[k]);
  }
  return true;
}

static void each_pad(tsr_ctx *ctx, move_case *c, test_buffer *buffer) {
  static const tsr_index amounts[][4] = {{0, 0, 0, 0}, {1, 0, 2, 0}, {0, 1, 0, 3},
                                         {0, 0, 1, 1}, {7, 5, 0, 2}, {0, 0, 0, 9}};
  bool none = false;
  for (int k = 0; k < c->in->ndim; k++) none = none || c->in->shape[k] == 0;
  if (c->in->dtype == TSR_C128 && !tsr_dtype_supported(TSR_C128)) return; /* no number of it to pad with */
  if (c->in->dtype == TSR_BF16 && !tsr_dtype_supported(TSR_BF16)) return;
  for (int m = TSR_PAD_CONSTANT; m <= TSR_PAD_WRAP; m++)
    for (int a = 0; a < COUNT_OF(amounts); a++) {
      for (int k = 0; k < TSR_MAX_DIMS; k++) {
        const bool narrow = c->in->ndim > 4 && k % 3 != 0; /* eight padded axes are many elements */
        c->number[k] = narrow ? 0 : amounts[a][k % 4];
        c->number[TSR_MAX_DIMS + k] = narrow ? 0 : amounts[a][(k + 1) % 4];
      }
      mode = (tsr_pad_mode)m;
      if (!none || mode == TSR_PAD_CONSTANT) move_check(ctx, run_pad, c, map_pad, buffer);
    }
}

TEST(pad_of_layouts) { move_each(each_pad); }

/* Every amount on both sides of short axes: the mirror image is mirrored again and again. */
static void each_amount(tsr_ctx *ctx, tsr_index n) {
  const uint8_t values[6] = {1, 2, 3, 4, 5, 6};
  uint8_t got[6 + 40];
  tsr_tensor x = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_U8, TSR_SHAPE(n), &x));
  for (tsr_index before = 0; before <= 20; before++)
    for (tsr_index after = 0; after <= 20; after++) {
      tsr_tensor y = {0};
      bool same = true;
      OK(ctx, tsr_from_memory(ctx, got, TSR_U8, TSR_SHAPE(before + n + after), &y));
      OK(ctx, tsr_pad(ctx, &x, &before, &after, mode, 9, &y));
      for (tsr_index i = -before; i < n + after; i++) {
        const bool out = mode == TSR_PAD_CONSTANT && (i < 0 || i >= n);
        same = same && got[i + before] == (out ? 9 : values[mode == TSR_PAD_CONSTANT ? i : inside(i, n)]);
      }
      if (!test_check(same, __FILE__, __LINE__, "every amount"))
        printf("  mode %d, %d elements, %d before, %d after\n", (int)mode, (int)n, (int)before, (int)after);
    }
}

TEST(pad_by_every_amount) {
  tsr_ctx *const ctx = test_context();
  for (int m = TSR_PAD_CONSTANT; m <= TSR_PAD_WRAP; m++)
    for (tsr_index n = 1; n <= 6; n++) {
      mode = (tsr_pad_mode)m;
      each_amount(ctx, n);
    }
}

TEST(pad_with_a_number) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, y = {0}, none = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_U8, 0, 3, 1, &x));
  OK(ctx, tsr_pad(ctx, &x, (const tsr_index[]){2}, NULL, TSR_PAD_CONSTANT, 200, &y));
  CHECK(y.shape[0] == 5 && memcmp(y.data, (const uint8_t[]){200, 200, 0, 1, 2}, 5) == 0);
  tsr_release(&y);
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 2), &none));
  OK(ctx,
     tsr_pad(ctx, &none, (const tsr_index[]){1, 0}, (const tsr_index[]){1, 1}, TSR_PAD_CONSTANT, (tsr_real)1.5, &y));
  CHECK(y.shape[0] == 2 && y.shape[1] == 3);
  for (int i = 0; i < 6; i++) CHECK(((float *)y.data)[i] == 1.5f);
  tsr_release(&x);
  tsr_release(&y);
  CHECK(test_live() == 0);
}

/* Many planes, so that they are cut into pieces; on several threads. */
TEST(pad_of_many_planes) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  tsr_ctx *const ctx = test_context();
  tsr_threads *pool = NULL;
  tsr_tensor x = {0}, serial = {0}, out = {0};
  OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(5, 31, 19, 23), &x));
  for (tsr_index i = 0; i < tsr_size(&x); i++) ((float *)x.data)[i] = (float)i;
  static const tsr_index before[4] = {0, 0, 2, 1}, after[4] = {0, 0, 0, 3};
  REQUIRE(tsr_threads_new(3, &pool) == TSR_OK);
  for (int m = TSR_PAD_CONSTANT; m <= TSR_PAD_WRAP; m++) {
    ctx->parallel = tsr_parallel_serial();
    OK(ctx, tsr_pad(ctx, &x, before, after, (tsr_pad_mode)m, 0, &serial));
    ctx->parallel = tsr_threads_parallel(pool);
    OK(ctx, tsr_pad(ctx, &x, before, after, (tsr_pad_mode)m, 0, &out));
    const move_case c = {.in = &x, .number = {0, 0, 2, 1}};
    mode = (tsr_pad_mode)m;
    CHECK(test_same_elements(&serial, &out) && move_is_right(&c, map_pad, &out));
  }
  tsr_threads_release(pool);
  tsr_release(&x);
  tsr_release(&serial);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* Rows of every width that a kernel has a way for, of every item size, on every instruction set; and large planes. */
static void check_widths(tsr_ctx *ctx, int dtype, tsr_index rows, tsr_index first, tsr_index last, tsr_index step) {
  const size_t item = tsr_dtype_size(dtype);
  unsigned char five[16];
  test_encode(dtype, 5, five);
  for (tsr_index width = first; width <= last; width += step) {
    tsr_tensor x = {0}, out = {0};
    const tsr_index up = width % 3, bottom = (width + 1) % 3, left = width % 5, right = (width + 2) % 4;
    OK(ctx, tsr_empty(ctx, dtype, TSR_SHAPE(2, rows, width), &x));
    for (size_t i = 0; i < tsr_nbytes(&x); i++) ((unsigned char *)x.data)[i] = (unsigned char)(i * 89 + (i >> 8) * 31);
    OK(ctx, tsr_pad_2d(ctx, &x, up, bottom, left, right, 5, &out));
    bool right_bytes = out.shape[1] == rows + up + bottom && out.shape[2] == width + left + right;
    for (tsr_index i = 0; right_bytes && i < tsr_size(&out); i++) {
      const tsr_index column = i % out.shape[2] - left, row = i / out.shape[2] % out.shape[1] - up;
      const tsr_index plane = i / out.shape[2] / out.shape[1];
      const bool inner = column >= 0 && column < width && row >= 0 && row < rows;
      const tsr_index number = inner ? (plane * rows + row) * width + column : 0;
      const unsigned char *const want = inner ? (const unsigned char *)x.data + (size_t)number * item : five;
      right_bytes = memcmp((const unsigned char *)out.data + (size_t)i * item, want, item) == 0;
    }
    CHECK(right_bytes);
    if (!right_bytes) printf("  %s, width %d, isa %d\n", tsr_dtype_name(dtype), (int)width, ctx->isa);
    tsr_release(&x);
    tsr_release(&out);
  }
}

TEST(pad_of_rows_of_every_width) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int d = 0; d < COUNT_OF(move_dtypes); d++) {
      tsr_ctx *const ctx = test_context();
      if (!tsr_dtype_supported(move_dtypes[d])) continue;
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      const tsr_index items = 600 / (tsr_index)tsr_dtype_size(move_dtypes[d]);
      check_widths(ctx, move_dtypes[d], 3, 1, TSR_HAVE_MALLOC ? items : 20, items / 150 + 1);
      if (TSR_HAVE_MALLOC) check_widths(ctx, move_dtypes[d], 300, 700, 700, 1);
      CHECK(test_live() == 0);
    }
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, v = {0}, none = {0}, out = {0};
  static const tsr_index one[2] = {1, 1}, less[2] = {0, -1}, most[2] = {TSR_INDEX_MAX, 0};
  OK(ctx, tsr_ones(ctx, TSR_U8, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_ones(ctx, TSR_U8, TSR_SHAPE(3), &v));
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(0, 3), &none));
  BAD(ctx, TSR_EARG, tsr_pad(ctx, NULL, one, one, TSR_PAD_EDGE, 0, &out), "pad: in is NULL");
  BAD(ctx, TSR_EARG, tsr_pad(ctx, &x, one, one, TSR_PAD_EDGE, 0, NULL), "pad: out is NULL");
  BAD(ctx, TSR_EARG, tsr_pad(ctx, &x, less, one, TSR_PAD_EDGE, 0, &out), "pad: before [0,-1]: axis 1 is negative");
  BAD(ctx, TSR_EARG, tsr_pad(ctx, &x, one, less, TSR_PAD_EDGE, 0, &out), "pad: after [0,-1]: axis 1 is negative");
  BAD(ctx, TSR_EARG, tsr_pad(ctx, &x, one, one, (tsr_pad_mode)4, 0, &out), "pad: mode 4 is no mode");
  BAD(ctx, TSR_ERANGE, tsr_pad(ctx, &x, one, one, TSR_PAD_CONSTANT, 256, &out), "pad: value");
  OK(ctx, tsr_pad(ctx, &x, NULL, NULL, TSR_PAD_EDGE, 256, &out)); /* the number counts in constant mode only */
  tsr_release(&out);
  BAD(ctx, TSR_EOVERFLOW, tsr_pad(ctx, &x, most, one, TSR_PAD_EDGE, 0, &out), "pad: in u8 [2,3]: axis 0");
  BAD(ctx, TSR_ESHAPE, tsr_pad(ctx, &none, one, one, TSR_PAD_WRAP, 0, &out), "pad: in u8 [0,3]: axis 0 has no element");
  BAD(ctx, TSR_ESHAPE, tsr_pad(ctx, &x, one, one, TSR_PAD_EDGE, 0, &v), "pad: out is u8 [3], the result is u8 [4,5]");
  BAD(ctx, TSR_ESHAPE, tsr_pad_2d(ctx, &v, 1, 1, 1, 1, 0, &out), "pad_2d: in u8 [3] has no rows and columns");
  BAD(ctx, TSR_EARG, tsr_pad_2d(ctx, &x, 1, 1, 1, -1, 0, &out), "pad_2d: right is -1, which is negative");
  CHECK(tsr_is_none(&out));
  tsr_release(&x);
  tsr_release(&v);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(pad_of_layouts), RUN(pad_by_every_amount), RUN(pad_with_a_number), RUN(pad_of_many_planes),
          RUN(pad_of_rows_of_every_width), RUN(bad_calls))
