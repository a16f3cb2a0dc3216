/* Frames: what PyTorch and SciPy give, and the definition; there and back for every kind of edge, window, hop and rank; windows that lose
 * elements are refused; layouts, overlaps, threads, memory. */
#include "fft/fft_reference.h"

typedef struct golden {
  bool x_is_complex;
  int ndim;
  tsr_index shape[2];
  int taps;
  double window[16];
  tsr_index n, hop;
  bool center;
  int mode, norm;
  int y_ndim;
  tsr_index y_shape[3];
  double x[96], y[512];
  tsr_index length;
  double back[96];
} golden;

static const golden rows[] = {
#include "golden/stft.inc"
};

static test_rng rng = {20};

static tsr_tensor of_numbers(tsr_ctx *ctx, int wide, int dtype, int ndim, const tsr_index *shape,
                             const double *numbers) {
  tsr_tensor all = {0}, t = {0};
  OK(ctx, tsr_empty(ctx, wide, ndim, shape, &all));
  memcpy(all.data, numbers, (size_t)test_product(ndim, shape) * tsr_dtype_size(wide));
  OK(ctx, tsr_cast(ctx, &all, dtype, &t));
  tsr_release(&all);
  return t;
}

static void is_near(const tsr_tensor *got, int wide, const double *wanted, tsr_index size, double room) {
  for (tsr_index i = 0; i < size; i++) {
    const number a = number_at(got->dtype, got->data, i), b = number_at(wide, wanted, i);
    CHECK(fabs(a.re - b.re) <= room && fabs(a.im - b.im) <= room);
  }
}

static void check_row(tsr_ctx *ctx, const golden *g, bool single) {
  const int wide = g->x_is_complex ? TSR_C128 : TSR_F64;
  const int dtype = g->x_is_complex ? (single ? TSR_C64 : TSR_C128) : single ? TSR_F32 : TSR_F64;
  const double room = single ? 3e-5 : 1e-12;
  tsr_index shape[2] = {g->shape[0], g->shape[1]};
  tsr_tensor x = of_numbers(ctx, wide, dtype, g->ndim, shape, g->x), y = {0}, back = {0};
  tsr_tensor window = of_numbers(ctx, TSR_F64, single ? TSR_F32 : TSR_F64, 1, &(const tsr_index){g->taps}, g->window);
  OK(ctx, tsr_stft(ctx, &x, &window, g->n, g->hop, g->center, (tsr_pad_mode)g->mode, (tsr_fft_norm)g->norm, &y));
  REQUIRE(y.ndim == g->y_ndim && memcmp(y.shape, g->y_shape, (size_t)y.ndim * sizeof y.shape[0]) == 0);
  is_near(&y, TSR_C128, g->y, tsr_size(&y), room);
  OK(ctx,
     tsr_istft(ctx, &y, &window, g->n, g->hop, g->center, !g->x_is_complex, (tsr_fft_norm)g->norm, g->length, &back));
  shape[g->ndim - 1] = g->length;
  REQUIRE(back.ndim == g->ndim && memcmp(back.shape, shape, (size_t)g->ndim * sizeof shape[0]) == 0);
  is_near(&back, wide, g->back, tsr_size(&back), room);
  tsr_release(&x), tsr_release(&y), tsr_release(&back), tsr_release(&window);
}

TEST(what_pytorch_and_scipy_give) {
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    for (int i = 0; i < COUNT_OF(rows); i++) check_row(ctx, &rows[i], false), check_row(ctx, &rows[i], true);
  }
  CHECK(test_live() == 0);
}

/* ---- the same bits as the calls that it is made of ---- */

/* Frames as a view, times the window, transformed, turned. */
static void check_calls(tsr_ctx *ctx, int dtype, tsr_index n, tsr_index hop) {
  tsr_tensor x = random_tensor(ctx, &rng, dtype, 2, (const tsr_index[]){2, 300}, NULL), window = {0}, frames = {0},
             weighed = {0}, lines = {0}, wanted = {0}, got = {0};
  OK(ctx, tsr_window(ctx, dtype, TSR_WINDOW_HAMMING, n, true, 0, &window));
  OK(ctx, tsr_sliding_window(ctx, &x, 1, n, hop, &frames));
  OK(ctx, tsr_mul(ctx, &frames, &window, &weighed));
  OK(ctx, tsr_rfft(ctx, &weighed, 0, -1, TSR_FFT_BACKWARD, &lines));
  OK(ctx, tsr_transpose(ctx, &lines, 1, 2, &wanted));
  OK(ctx, tsr_stft(ctx, &x, &window, 0, hop, false, TSR_PAD_REFLECT, TSR_FFT_BACKWARD, &got));
  CHECK(test_same_elements(&got, &wanted));
  tsr_release(&x), tsr_release(&window), tsr_release(&weighed), tsr_release(&lines), tsr_release(&got);
}

TEST(frames_are_windows_times_weights_transformed) {
  static const tsr_index sizes[] = {1, 2, 7, 16, 30, 64, 100, 128};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(sizes); i++)
    for (tsr_index hop = 1; hop <= sizes[i]; hop = 2 * hop + 1)
      check_calls(ctx, i % 2 == 0 ? TSR_F32 : TSR_F64, sizes[i], hop);
  CHECK(test_live() == 0);
}

/* ---- there and back ---- */

static const int dtypes[] = {TSR_F32, TSR_F64, TSR_C64, TSR_C128};

typedef struct shape_of_trip {
  int dtype;
  tsr_index n, hop, length;
  tsr_window_kind kind;
  tsr_pad_mode mode;
  bool center;
} shape_of_trip;

static void go_there_and_back(tsr_ctx *ctx, const shape_of_trip *t) {
  const bool real = t->dtype == TSR_F32 || t->dtype == TSR_F64, single = t->dtype == TSR_F32 || t->dtype == TSR_C64;
  tsr_tensor x = random_tensor(ctx, &rng, t->dtype, 2, (const tsr_index[]){3, t->length}, NULL), window = {0}, y = {0},
             back = {0};
  OK(ctx, tsr_window(ctx, single ? TSR_F32 : TSR_F64, t->kind, t->n, true, 6, &window));
  OK(ctx, tsr_stft(ctx, &x, &window, 0, t->hop, t->center, t->mode, TSR_FFT_ORTHO, &y));
  const tsr_index covered = t->n + t->hop * (y.shape[2] - 1) - (t->center ? t->n / 2 : 0);
  const tsr_index length = covered < t->length ? covered : t->length;
  OK(ctx, tsr_istft(ctx, &y, &window, t->n, t->hop, t->center, real, TSR_FFT_ORTHO, length, &back));
  REQUIRE(back.ndim == 2 && back.shape[1] == length);
  for (tsr_index i = 0; i < 3 * length; i++) {
    const number a = number_at(t->dtype, back.data, i),
                 b = number_at(t->dtype, x.data, i / length * t->length + i % length);
    CHECK(fabs(a.re - b.re) <= (single ? 1e-4 : 1e-12) && fabs(a.im - b.im) <= (single ? 1e-4 : 1e-12));
  }
  tsr_release(&x), tsr_release(&window), tsr_release(&y), tsr_release(&back);
}

TEST(signals_go_there_and_back) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < 400; i++) {
    shape_of_trip t = {.dtype = dtypes[i % 4], .n = test_between(&rng, 4, 70), .center = i % 3 != 0};
    t.hop = test_between(&rng, 1, (t.n + 3) / 4);
    t.length = t.n + test_between(&rng, 0, 300);
    /* without edges the first element has the first weight, which not every window has */
    t.kind = t.center ? (tsr_window_kind)test_between(&rng, 0, TSR_WINDOW_KAISER) : TSR_WINDOW_HAMMING;
    t.mode = (tsr_pad_mode)test_between(&rng, 0, 3);
    go_there_and_back(ctx, &t);
  }
  CHECK(test_live() == 0);
}

TEST(long_signals_are_blocks_on_threads) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = random_tensor(ctx, &rng, TSR_F32, 2, (const tsr_index[]){2, 50000}, NULL), window = {0}, y[2] = {{0}},
             back[2] = {{0}};
  OK(ctx, tsr_window(ctx, TSR_F32, TSR_WINDOW_HANN, 512, true, 0, &window));
  for (int i = 0; i < 2; i++) {
    tsr_threads *const threads = i == 1 ? test_with_threads(ctx, 3) : NULL;
    if (i == 0) ctx->parallel = tsr_parallel_serial();
    OK(ctx, tsr_stft(ctx, &x, &window, 0, 128, true, TSR_PAD_REFLECT, TSR_FFT_BACKWARD, &y[i]));
    OK(ctx, tsr_istft(ctx, &y[i], &window, 0, 128, true, true, TSR_FFT_BACKWARD, 50000, &back[i]));
    ctx->parallel = NULL;
    if (i == 1) tsr_threads_release(threads);
  }
  CHECK(test_same_elements(&y[0], &y[1]) && test_same_elements(&back[0], &back[1]));
  double most = 0;
  for (tsr_index i = 0; i < 100000; i++)
    most = fmax(most, fabs((double)((float *)back[0].data)[i] - (double)((float *)x.data)[i]));
  CHECK(most < 2e-6);
  for (int i = 0; i < 2; i++) tsr_release(&y[i]), tsr_release(&back[i]);
  tsr_release(&x), tsr_release(&window);
  CHECK(test_live() == 0);
}

TEST(what_no_frame_covers_is_zero) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = random_tensor(ctx, &rng, TSR_F64, 1, (const tsr_index[]){40}, NULL), y = {0}, back = {0};
  OK(ctx, tsr_stft(ctx, &x, NULL, 16, 16, false, TSR_PAD_REFLECT, TSR_FFT_BACKWARD, &y));
  CHECK(y.shape[1] == 2);
  OK(ctx, tsr_istft(ctx, &y, NULL, 0, 16, false, true, TSR_FFT_BACKWARD, 9000, &back));
  for (tsr_index i = 0; i < 9000; i++)
    CHECK(fabs(number_at(TSR_F64, back.data, i).re - (i < 32 ? number_at(TSR_F64, x.data, i).re : 0)) < 1e-14);
  tsr_release(&x), tsr_release(&y), tsr_release(&back);
}

/* ---- layouts ---- */

TEST(outputs_and_inputs_lie_anyhow) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor wide = random_tensor(ctx, &rng, TSR_F32, 2, (const tsr_index[]){90, 2}, NULL), x = {0}, copy = {0},
             wanted = {0}, room = {0}, turned = {0}, back = {0}, far = {0}, line = {0};
  OK(ctx, tsr_transpose(ctx, &wide, 0, 1, &x));
  OK(ctx, tsr_clone(ctx, &x, &copy));
  OK(ctx, tsr_contiguous(ctx, &copy, &copy));
  OK(ctx, tsr_stft(ctx, &copy, NULL, 16, 8, true, TSR_PAD_EDGE, TSR_FFT_BACKWARD, &wanted));
  OK(ctx, tsr_empty(ctx, TSR_C64, TSR_SHAPE(2, wanted.shape[2], wanted.shape[1]), &room));
  OK(ctx, tsr_transpose(ctx, &room, 1, 2, &turned)); /* frequencies side by side */
  OK(ctx, tsr_stft(ctx, &x, NULL, 16, 8, true, TSR_PAD_EDGE, TSR_FFT_BACKWARD, &turned));
  CHECK(test_same_elements(&turned, &wanted));
  OK(ctx, tsr_istft(ctx, &wanted, NULL, 0, 8, true, true, TSR_FFT_BACKWARD, 0, &back));
  OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(back.shape[1], 2), &far));
  OK(ctx, tsr_transpose(ctx, &far, 0, 1, &line));
  OK(ctx, tsr_istft(ctx, &turned, NULL, 0, 8, true, true, TSR_FFT_BACKWARD, 0, &line));
  CHECK(test_same_elements(&back, &line));
  tsr_release(&wide), tsr_release(&copy), tsr_release(&wanted), tsr_release(&room), tsr_release(&back),
      tsr_release(&far);
  CHECK(test_live() == 0);
}

/* ---- what is refused ---- */

TEST(windows_that_lose_elements_are_refused) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor z = {0}, window = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_C64, TSR_SHAPE(9, 5), &z));
  OK(ctx, tsr_window(ctx, TSR_F32, TSR_WINDOW_HANN, 16, true, 0, &window));
  FAILS(ctx, TSR_EARG, tsr_istft(ctx, &z, &window, 0, 16, true, true, TSR_FFT_BACKWARD, 0, &out));
  MESSAGE_HAS(ctx, "istft: window of frames 16 apart is 0 wherever they meet element 8");
  CHECK(tsr_is_none(&out));
  FAILS(ctx, TSR_EARG,
        tsr_istft(ctx, &z, &window, 0, 4, false, true, TSR_FFT_BACKWARD, 0, &out)); /* its first weight */
  MESSAGE_HAS(ctx, "element 0");
  FAILS(ctx, TSR_EARG, tsr_istft(ctx, &z, NULL, 0, 17, false, true, TSR_FFT_BACKWARD, 0, &out)); /* gaps */
  MESSAGE_HAS(ctx, "element 16");
  OK(ctx, tsr_istft(ctx, &z, NULL, 0, 16, false, true, TSR_FFT_BACKWARD, 0, &out));
  tsr_tensor kept = {0};
  OK(ctx, tsr_clone(ctx, &out, &kept));
  OK(ctx, tsr_fill(ctx, (tsr_real)NAN, &window));
  FAILS(ctx, TSR_EARG, tsr_istft(ctx, &z, &window, 0, 16, false, true, TSR_FFT_BACKWARD, 0, &out));
  CHECK(test_same_elements(&out, &kept)); /* as it was */
  tsr_release(&z), tsr_release(&window), tsr_release(&out), tsr_release(&kept);
  CHECK(test_live() == 0);
}

TEST(wrong_calls_say_what_is_wrong) {
  static float room[10];
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, z = {0}, window = {0}, out = {0}, point = {0};
  const tsr_tensor complex = {.dtype = TSR_C64, .ndim = 1, .shape = {5}, .stride = {1}, .data = room};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 10), &x));
  OK(ctx, tsr_ones(ctx, TSR_C64, TSR_SHAPE(5, 3), &z));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(12), &window));
  OK(ctx, tsr_ones(ctx, TSR_F32, TEST_SCALAR, &point));
#define FORWARD(x, window, n, hop, center, mode) tsr_stft(ctx, x, window, n, hop, center, mode, TSR_FFT_BACKWARD, &out)
  FAILS(ctx, TSR_EARG, FORWARD(&x, NULL, 0, 1, false, TSR_PAD_EDGE));
  MESSAGE_HAS(ctx, "stft: n is 0, and there is no window that says it");
  FAILS(ctx, TSR_EARG, FORWARD(&x, NULL, -3, 1, false, TSR_PAD_EDGE));
  FAILS(ctx, TSR_EARG, FORWARD(&x, NULL, 4, -1, false, TSR_PAD_EDGE));
  MESSAGE_HAS(ctx, "stft: hop is -1");
  FAILS(ctx, TSR_ESHAPE, FORWARD(&x, &window, 8, 1, false, TSR_PAD_EDGE));
  MESSAGE_HAS(ctx, "stft: window has 12 weights, more than the 8 elements of a frame");
  FAILS(ctx, TSR_ESHAPE, FORWARD(&x, &x, 8, 1, false, TSR_PAD_EDGE));
  FAILS(ctx, TSR_EDTYPE, FORWARD(&x, &complex, 8, 1, false, TSR_PAD_EDGE));
  FAILS(ctx, TSR_ESHAPE, FORWARD(&x, &window, 0, 1, false, TSR_PAD_EDGE));
  MESSAGE_HAS(ctx, "stft: x has 10 elements, a frame has 12");
  FAILS(ctx, TSR_ESHAPE, FORWARD(&x, NULL, 20, 1, true, TSR_PAD_REFLECT));
  MESSAGE_HAS(ctx, "stft: x has 10 elements, 10 more at each end are made of at least 11");
  FAILS(ctx, TSR_ESHAPE, FORWARD(&x, NULL, 22, 1, true, TSR_PAD_WRAP));
  OK(ctx, FORWARD(&x, NULL, 20, 1, true, TSR_PAD_WRAP));
  tsr_release(&out);
  FAILS(ctx, TSR_EARG, FORWARD(&x, NULL, 4, 1, false, (tsr_pad_mode)4));
  FAILS(ctx, TSR_ESHAPE, FORWARD(&point, NULL, 4, 1, false, TSR_PAD_EDGE));
#undef FORWARD
#define BACK(z, n, hop, length) tsr_istft(ctx, z, NULL, n, hop, true, true, TSR_FFT_BACKWARD, length, &out)
  FAILS(ctx, TSR_ESHAPE, BACK(&z, 10, 1, 0));
  MESSAGE_HAS(ctx, "istft: x has 5 frequencies, frames of 10 elements have 6");
  FAILS(ctx, TSR_EARG, BACK(&z, 0, 2, -1));
  FAILS(ctx, TSR_ESHAPE, BACK(&window, 0, 2, 0));
  FAILS(ctx, TSR_EARG, tsr_istft(ctx, &z, NULL, 0, 2, true, true, (tsr_fft_norm)9, 0, &out));
#undef BACK
  CHECK(tsr_is_none(&out));
  tsr_release(&x), tsr_release(&z), tsr_release(&window), tsr_release(&point);
  CHECK(test_live() == 0);
}

TEST(refused_memory_leaves_nothing_behind) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = random_tensor(ctx, &rng, TSR_F32, 1, (const tsr_index[]){100}, NULL), y = {0};
  OK(ctx, tsr_stft(ctx, &x, NULL, 20, 5, true, TSR_PAD_EDGE, TSR_FFT_BACKWARD, &y));
  for (size_t k = 0; k < 10; k++) {
    tsr_tensor out = {0};
    test_failing()->fail_at = test_failing()->calls + k;
    tsr_status st = tsr_stft(ctx, &x, NULL, 20, 5, true, TSR_PAD_EDGE, TSR_FFT_BACKWARD, &out);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && tsr_is_none(&out)));
    tsr_release(&out);
    test_failing()->fail_at = test_failing()->calls + k;
    st = tsr_istft(ctx, &y, NULL, 20, 5, true, true, TSR_FFT_BACKWARD, 0, &out);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && tsr_is_none(&out)));
    test_failing()->fail_at = SIZE_MAX;
    tsr_release(&out);
  }
  tsr_release(&x), tsr_release(&y);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(what_pytorch_and_scipy_give), RUN(frames_are_windows_times_weights_transformed),
          RUN(signals_go_there_and_back), RUN(long_signals_are_blocks_on_threads), RUN(what_no_frame_covers_is_zero),
          RUN(outputs_and_inputs_lie_anyhow), RUN(windows_that_lose_elements_are_refused),
          RUN(wrong_calls_say_what_is_wrong), RUN(refused_memory_leaves_nothing_behind))
