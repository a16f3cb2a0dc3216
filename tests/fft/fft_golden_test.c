/* What NumPy gives: transforms along one axis and several, shifts and frequencies; several axes into outputs of any layout, and in place. */
#include "fft/fft_reference.h"

typedef tsr_status line_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                           tsr_tensor *out);
typedef tsr_status axes_fn(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, const tsr_index *n,
                           tsr_fft_norm norm, tsr_tensor *out);
typedef tsr_status shift_fn(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, tsr_tensor *out);

static const struct op {
  const char *name;
  line_fn *line;
  axes_fn *axes;
  shift_fn *shift;
} ops[] = {{"fft", tsr_fft, NULL, NULL},           {"ifft", tsr_ifft, NULL, NULL},
           {"rfft", tsr_rfft, NULL, NULL},         {"irfft", tsr_irfft, NULL, NULL},
           {"hfft", tsr_hfft, NULL, NULL},         {"ihfft", tsr_ihfft, NULL, NULL},
           {"fftn", NULL, tsr_fftn, NULL},         {"ifftn", NULL, tsr_ifftn, NULL},
           {"rfftn", NULL, tsr_rfftn, NULL},       {"irfftn", NULL, tsr_irfftn, NULL},
           {"fftshift", NULL, NULL, tsr_fftshift}, {"ifftshift", NULL, NULL, tsr_ifftshift}};

typedef struct golden {
  const char *op;
  bool x_is_complex, y_is_complex;
  int ndim;
  tsr_index shape[3], n[3];
  int naxes;
  int axes[3];
  int norm;
  int y_ndim;
  tsr_index y_shape[3];
  double x[96], y[256];
} golden;

static const golden rows[] = {
#include "golden/fft.inc"
};

static tsr_status call_row(tsr_ctx *ctx, const golden *g, const tsr_tensor *x, tsr_tensor *out) {
  if (strcmp(g->op, "window") == 0)
    return tsr_window(ctx, TSR_F64, (tsr_window_kind)g->axes[0], g->n[0], false, (tsr_real)g->x[0], out);
  for (int i = 0; i < COUNT_OF(ops); i++) {
    if (strcmp(ops[i].name, g->op) != 0) continue;
    if (ops[i].line != NULL) return ops[i].line(ctx, x, g->n[0], g->axes[0], (tsr_fft_norm)g->norm, out);
    if (ops[i].shift != NULL) return ops[i].shift(ctx, x, g->naxes, g->axes, out);
    return ops[i].axes(ctx, x, g->naxes, g->axes, g->n, (tsr_fft_norm)g->norm, out);
  }
  return TSR_EARG;
}

static void check_row(tsr_ctx *ctx, const golden *g, bool single) {
  const int x_dtype = g->x_is_complex ? TSR_C128 : TSR_F64, wide = g->y_is_complex ? TSR_C128 : TSR_F64;
  tsr_tensor x = {0}, y = {0}, narrow = {0};
  const size_t size = (size_t)test_product(g->ndim, g->shape), y_size = (size_t)test_product(g->y_ndim, g->y_shape);
  OK(ctx, tsr_empty(ctx, x_dtype, g->ndim, g->shape, &x));
  memcpy(x.data, g->x, size * tsr_dtype_size(x_dtype));
  if (single) OK(ctx, tsr_cast(ctx, &x, g->x_is_complex ? TSR_C64 : TSR_F32, &narrow));
  OK(ctx, call_row(ctx, g, single ? &narrow : &x, &y));
  REQUIRE(y.ndim == g->y_ndim && memcmp(y.shape, g->y_shape, (size_t)y.ndim * sizeof y.shape[0]) == 0);
  for (size_t i = 0; i < y_size; i++) {
    const number got = number_at(y.dtype, y.data, (tsr_index)i), want = number_at(wide, g->y, (tsr_index)i);
    const double room = single ? 2e-5 : 1e-13;
    CHECK(fabs(got.re - want.re) <= room && fabs(got.im - want.im) <= room);
  }
  tsr_release(&x), tsr_release(&y), tsr_release(&narrow);
}

TEST(what_numpy_gives) {
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    for (int i = 0; i < COUNT_OF(rows); i++) check_row(ctx, &rows[i], false), check_row(ctx, &rows[i], true);
  }
  CHECK(test_live() == 0);
}

TEST(frequencies) {
  static const float five[] = {0, 0.4f, 0.8f, -0.8f, -0.4f}, half[] = {0, 0.25f, 0.5f};
  tsr_ctx *const ctx = test_context();
  tsr_tensor f = {0}, r = {0};
  OK(ctx, tsr_fftfreq(ctx, TSR_F32, 5, (tsr_real)0.5, &f));
  OK(ctx, tsr_rfftfreq(ctx, TSR_F32, 4, 1, &r));
  CHECK(f.shape[0] == 5 && memcmp(f.data, five, sizeof five) == 0);
  CHECK(r.shape[0] == 3 && memcmp(r.data, half, sizeof half) == 0);
  tsr_release(&f), tsr_release(&r);
  FAILS(ctx, TSR_EARG, tsr_fftfreq(ctx, TSR_F32, 0, 1, &f));
  FAILS(ctx, TSR_EARG, tsr_rfftfreq(ctx, TSR_F32, 4, 0, &f));
  FAILS(ctx, TSR_EDTYPE, tsr_fftfreq(ctx, TSR_C64, 4, 1, &f));
  CHECK(test_live() == 0);
}

TEST(a_periodic_window_is_most_of_a_longer_one) {
  tsr_ctx *const ctx = test_context();
  for (int kind = 0; kind <= TSR_WINDOW_KAISER; kind++) {
    tsr_tensor periodic = {0}, whole = {0};
    OK(ctx, tsr_window(ctx, TSR_F32, (tsr_window_kind)kind, 16, true, 5, &periodic));
    OK(ctx, tsr_window(ctx, TSR_F32, (tsr_window_kind)kind, 17, false, 5, &whole));
    CHECK(periodic.shape[0] == 16 && memcmp(periodic.data, whole.data, 16 * sizeof(float)) == 0);
    for (int i = 0; i < 17; i++) CHECK(((float *)whole.data)[i] == ((float *)whole.data)[16 - i]);
    tsr_release(&periodic), tsr_release(&whole);
  }
  tsr_tensor out = {0};
  FAILS(ctx, TSR_EARG, tsr_window(ctx, TSR_F32, (tsr_window_kind)6, 8, false, 0, &out));
  MESSAGE_HAS(ctx, "window: kind is 6, and no window");
  FAILS(ctx, TSR_EARG, tsr_window(ctx, TSR_F32, TSR_WINDOW_KAISER, 8, false, -1, &out));
  FAILS(ctx, TSR_EARG, tsr_window(ctx, TSR_F32, TSR_WINDOW_HANN, -1, false, 0, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_window(ctx, TSR_I32, TSR_WINDOW_HANN, 8, false, 0, &out));
  CHECK(test_live() == 0);
}

TEST(several_axes_are_one_after_another) {
  const tsr_index shape[] = {6, 20, 33};
  tsr_ctx *const ctx = test_context();
  test_rng rng = {3};
  tsr_tensor x = random_tensor(ctx, &rng, TSR_C64, 3, shape, NULL), all = {0}, each = {0}, turned = {0}, out = {0};
  OK(ctx, tsr_fftn(ctx, &x, 0, NULL, NULL, TSR_FFT_BACKWARD, &all));
  OK(ctx, tsr_fft(ctx, &x, 0, 2, TSR_FFT_BACKWARD, &each));
  OK(ctx, tsr_fft(ctx, &each, 0, 1, TSR_FFT_BACKWARD, &each));
  OK(ctx, tsr_fft(ctx, &each, 0, 0, TSR_FFT_BACKWARD, &each));
  CHECK(test_same_elements(&all, &each));
  OK(ctx, tsr_empty(ctx, TSR_C64, TSR_SHAPE(33, 20, 6), &out));
  OK(ctx, tsr_permute(ctx, &out, (const int[]){2, 1, 0}, &turned));
  OK(ctx, tsr_fftn(ctx, &x, 0, NULL, NULL, TSR_FFT_BACKWARD, &turned));
  CHECK(test_same_elements(&all, &turned));
  OK(ctx, tsr_fftn(ctx, &x, 0, NULL, NULL, TSR_FFT_BACKWARD, &x));
  CHECK(test_same_elements(&all, &x));
  tsr_release(&x), tsr_release(&all), tsr_release(&each), tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(wrong_axes_and_lengths_are_refused) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &x));
  FAILS(ctx, TSR_EARG, tsr_fftn(ctx, &x, TSR_AXES(1), (const tsr_index[]){2, 2}, TSR_FFT_BACKWARD, &out));
  MESSAGE_HAS(ctx, "fftn: n is 2 for axis 0, which is not transformed");
  FAILS(ctx, TSR_EARG, tsr_rfftn(ctx, &x, 0, NULL, (const tsr_index[]){0, -2}, TSR_FFT_BACKWARD, &out));
  MESSAGE_HAS(ctx, "rfftn: n is -2 for axis 1");
  FAILS(ctx, TSR_EARG, tsr_irfftn(ctx, &x, 0, NULL, NULL, (tsr_fft_norm)7, &out));
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(what_numpy_gives), RUN(frequencies), RUN(a_periodic_window_is_most_of_a_longer_one),
          RUN(several_axes_are_one_after_another), RUN(wrong_axes_and_lengths_are_refused))
