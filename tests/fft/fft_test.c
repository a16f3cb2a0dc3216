/* Transforms along one axis: every length to 300 and some long ones against the definition, on every instruction set; real and complex, cropped and
 * padded, every norm; layouts, threads, in place; plans. */
#include "fft/fft_reference.h"

enum { LONGEST = 4096 };
static number x[LONGEST], y[LONGEST], wanted[LONGEST];
static test_rng rng = {7};

typedef tsr_status line_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_index n, int axis, tsr_fft_norm norm,
                           tsr_tensor *out);

/* ---- one length ---- */

static void check_complex(tsr_ctx *ctx, int dtype, tsr_index n) {
  tsr_tensor in = random_tensor(ctx, &rng, dtype, 1, &n, x);
  for (int inverse = 0; inverse < 2; inverse++) {
    tsr_tensor out = {0};
    reference_line(n, inverse == 1, x, wanted);
    OK(ctx,
       (inverse == 1 ? tsr_ifft : tsr_fft)(ctx, &in, 0, 0, inverse == 1 ? TSR_FFT_FORWARD : TSR_FFT_BACKWARD, &out));
    CHECK(out.dtype == dtype && out.shape[0] == n);
    CHECK(error_of(&out, n, wanted) <= bound_of(dtype, n));
    tsr_release(&out);
  }
  tsr_release(&in);
}

static void check_real(tsr_ctx *ctx, int dtype, tsr_index n) {
  const tsr_index half = n / 2 + 1;
  tsr_tensor in = random_tensor(ctx, &rng, dtype, 1, &n, x), out = {0}, back = {0};
  reference_line(n, false, x, wanted);
  OK(ctx, tsr_rfft(ctx, &in, 0, -1, TSR_FFT_BACKWARD, &out));
  CHECK(out.dtype == (dtype == TSR_F32 ? TSR_C64 : TSR_C128) && out.shape[0] == half);
  CHECK(error_of(&out, half, wanted) <= bound_of(dtype, n));
  OK(ctx, tsr_irfft(ctx, &out, n, -1, TSR_FFT_BACKWARD, &back));
  CHECK(back.dtype == dtype && back.shape[0] == n);
  CHECK(error_of(&back, n, x) <= 2 * bound_of(dtype, n));
  tsr_release(&in), tsr_release(&out), tsr_release(&back);
}

/* Half a spectrum that nothing real has: imaginary parts that do not count. */
static void check_to_real(tsr_ctx *ctx, int dtype, tsr_index n) {
  const tsr_index half = n / 2 + 1;
  const int complex = dtype == TSR_F32 ? TSR_C64 : TSR_C128;
  tsr_tensor in = random_tensor(ctx, &rng, complex, 1, &half, y), out = {0};
  for (int hermitian = 0; hermitian < 2; hermitian++) {
    for (tsr_index k = 0; k < n; k++) {
      const bool mirrored = 2 * k > n;
      const number from = y[mirrored ? n - k : k];
      x[k] = (number){from.re, k == 0 || 2 * k == n ? 0 : mirrored ? -from.im : from.im};
    }
    reference_line(n, hermitian == 0, x, wanted);
    OK(ctx, (hermitian == 1 ? tsr_hfft : tsr_irfft)(ctx, &in, n, 0, hermitian == 1 ? TSR_FFT_BACKWARD : TSR_FFT_FORWARD,
                                                    &out));
    CHECK(error_of(&out, n, wanted) <= bound_of(dtype, n));
    tsr_release(&out);
  }
  tsr_release(&in);
}

static void check_length(tsr_ctx *ctx, tsr_index n) {
  check_complex(ctx, TSR_C64, n);
  check_complex(ctx, TSR_C128, n);
  check_real(ctx, TSR_F32, n);
  check_real(ctx, TSR_F64, n);
  check_to_real(ctx, TSR_F32, n);
  check_to_real(ctx, TSR_F64, n);
}

TEST(every_length_to_300_is_the_definition) {
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    for (tsr_index n = 1; n <= 300; n++) check_length(ctx, n);
  }
  CHECK(test_live() == 0);
}

TEST(chosen_lengths_are_the_definition) {
  static const tsr_index lengths[] = {512, 768, 1000, 1009, 1024, 1331, 2048, 2401, 3072, 3125, 4095, 4096};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(lengths); i++) check_complex(ctx, i % 2 == 0 ? TSR_C64 : TSR_C128, lengths[i]);
  CHECK(test_live() == 0);
}

/* ---- long ones: a line of known spectrum, and there and back ---- */

/* exp(2πi·f·j/n) has n at f and 0 elsewhere. */
static void check_wave(tsr_ctx *ctx, int dtype, tsr_index n, tsr_index f) {
  const double turn = 6.283185307179586476925286766559 / (double)n;
  tsr_tensor wave = {0}, out = {0};
  OK(ctx, tsr_empty(ctx, dtype, 1, &n, &wave));
  for (tsr_index j = 0; j < n; j++) {
    const double angle = turn * (double)(j * f % n);
    put_number(dtype, wave.data, j, (number){cos(angle), sin(angle)});
  }
  OK(ctx, tsr_fft(ctx, &wave, 0, 0, TSR_FFT_FORWARD, &out));
  double error = 0;
  for (tsr_index k = 0; k < n; k++) {
    const number got = number_at(dtype, out.data, k);
    error += (got.re - (k == f)) * (got.re - (k == f)) + got.im * got.im;
  }
  CHECK(sqrt(error) <= 2 * bound_of(dtype, n));
  tsr_release(&wave), tsr_release(&out);
}

static void check_round_trip(tsr_ctx *ctx, int dtype, tsr_index n) {
  number *const kept = malloc((size_t)n * sizeof *kept);
  tsr_tensor in = random_tensor(ctx, &rng, dtype, 1, &n, kept), out = {0};
  long double energy = 0, spectrum = 0;
  OK(ctx, tsr_fft(ctx, &in, 0, 0, TSR_FFT_ORTHO, &out));
  for (tsr_index k = 0; k < n; k++) {
    const number a = kept[k], b = number_at(dtype, out.data, k);
    energy += (long double)(a.re * a.re + a.im * a.im), spectrum += (long double)(b.re * b.re + b.im * b.im);
  }
  CHECK(fabs((double)(energy - spectrum)) <= 4 * bound_of(dtype, n) * (double)energy); /* Parseval */
  OK(ctx, tsr_ifft(ctx, &out, 0, 0, TSR_FFT_ORTHO, &out));
  CHECK(error_of(&out, n, kept) <= 2 * bound_of(dtype, n));
  tsr_release(&in), tsr_release(&out);
  free(kept);
}

TEST(long_lengths_go_there_and_back) {
  static const tsr_index lengths[] = {9973, 12288, 10007 * 3, 65536, 65537, 3 << 16, 100000, 1 << 18};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(lengths); i++) {
    const int dtype = i % 2 == 0 ? TSR_C64 : TSR_C128;
    check_wave(ctx, dtype, lengths[i], lengths[i] / 3);
    check_round_trip(ctx, dtype == TSR_C64 ? TSR_C128 : TSR_C64, lengths[i]);
  }
  CHECK(test_live() == 0);
}

TEST(a_million_elements_go_there_and_back) {
  tsr_ctx *const ctx = test_context();
  check_round_trip(ctx, TSR_C64, 1 << 20);
}

/* ---- cropping, padding, norms, dtypes ---- */

static double norm_of(tsr_fft_norm norm, bool inverse, tsr_index n) {
  if (norm == TSR_FFT_ORTHO) return 1 / sqrt((double)n);
  return (norm == TSR_FFT_FORWARD) != inverse ? 1 / (double)n : 1;
}

static void check_norm(tsr_ctx *ctx, tsr_index length, tsr_index n, tsr_fft_norm norm, bool inverse) {
  tsr_tensor in = random_tensor(ctx, &rng, TSR_C128, 1, &length, x), out = {0};
  for (tsr_index i = length; i < n; i++) x[i] = (number){0, 0};
  reference_line(n, inverse, x, wanted);
  for (tsr_index i = 0; i < n; i++)
    wanted[i].re *= norm_of(norm, inverse, n), wanted[i].im *= norm_of(norm, inverse, n);
  OK(ctx, (inverse ? tsr_ifft : tsr_fft)(ctx, &in, n, 0, norm, &out));
  CHECK(out.shape[0] == n && error_of(&out, n, wanted) <= bound_of(TSR_C128, n));
  tsr_release(&in), tsr_release(&out);
}

TEST(lines_are_cropped_padded_and_divided) {
  tsr_ctx *const ctx = test_context();
  for (int norm = 0; norm < 3; norm++)
    for (int i = 0; i < 24; i++)
      check_norm(ctx, test_between(&rng, 1, 40), test_between(&rng, 1, 80), (tsr_fft_norm)norm, i % 2 == 0);
  CHECK(test_live() == 0);
}

TEST(ihfft_is_the_inverse_of_hfft) {
  tsr_ctx *const ctx = test_context();
  for (int norm = 0; norm < 3; norm++)
    for (tsr_index n = 1; n < 40; n++) {
      tsr_tensor in = random_tensor(ctx, &rng, TSR_F64, 1, &n, x), half = {0}, back = {0};
      OK(ctx, tsr_ihfft(ctx, &in, 0, 0, (tsr_fft_norm)norm, &half));
      OK(ctx, tsr_hfft(ctx, &half, n, 0, (tsr_fft_norm)norm, &back));
      CHECK(error_of(&back, n, x) <= 2 * bound_of(TSR_F64, n));
      tsr_release(&in), tsr_release(&half), tsr_release(&back);
    }
}

TEST(dtypes_promote_as_numpy_has_it) {
  static const struct {
    int from, to;
  } rows[] = {{TSR_F16, TSR_C64},  {TSR_BF16, TSR_C64}, {TSR_F32, TSR_C64},   {TSR_F64, TSR_C128}, {TSR_I8, TSR_C128},
              {TSR_U16, TSR_C128}, {TSR_I64, TSR_C128}, {TSR_BOOL, TSR_C128}, {TSR_C64, TSR_C64}};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(rows); i++) {
    tsr_tensor ones = {0}, out = {0};
    OK(ctx, tsr_ones(ctx, rows[i].from, TSR_SHAPE(12), &ones));
    OK(ctx, tsr_fft(ctx, &ones, 0, 0, TSR_FFT_BACKWARD, &out));
    CHECK(out.dtype == rows[i].to);
    CHECK(number_at(out.dtype, out.data, 0).re == 12 && fabs(number_at(out.dtype, out.data, 5).re) < 1e-6);
    tsr_release(&ones), tsr_release(&out);
  }
  CHECK(test_live() == 0);
}

/* ---- the same bits however lines lie ---- */

/* Lines along axis 1 of (3, n, 5), against those of a row-major copy, one after another. */
static void check_layout(tsr_ctx *ctx, line_fn *fn, int dtype, tsr_index n, bool in_place) {
  const tsr_index shape[] = {3, n, 5};
  tsr_tensor in = random_tensor(ctx, &rng, dtype, 3, shape, NULL), turned = {0}, all = {0};
  OK(ctx, tsr_view(ctx, &in, &turned));
  for (tsr_index i = 0; i < 3; i++)
    for (tsr_index k = 0; k < 5; k++) {
      tsr_tensor line = {0}, copy = {0}, out = {0};
      OK(ctx, tsr_select(ctx, &turned, 2, k, &line));
      OK(ctx, tsr_select(ctx, &line, 0, i, &line));
      OK(ctx, tsr_clone(ctx, &line, &copy));
      OK(ctx, fn(ctx, &copy, 0, 0, TSR_FFT_BACKWARD, &out));
      if (all.data == NULL) OK(ctx, tsr_empty(ctx, out.dtype, TSR_SHAPE(15, out.shape[0]), &all));
      memcpy((char *)all.data + (size_t)((i * 5 + k) * out.shape[0]) * tsr_dtype_size(out.dtype), out.data,
             (size_t)out.shape[0] * tsr_dtype_size(out.dtype));
      tsr_release(&copy), tsr_release(&out);
    }
  tsr_tensor out = {0}, by_line = {0};
  OK(ctx, fn(ctx, &turned, 0, 1, TSR_FFT_BACKWARD, in_place ? &in : &out));
  OK(ctx, tsr_permute(ctx, in_place ? &in : &out, (const int[]){0, 2, 1}, &by_line));
  for (tsr_index i = 0; i < 15; i++) {
    tsr_tensor got = {0}, line = {0};
    OK(ctx, tsr_select(ctx, &by_line, 0, i / 5, &got));
    OK(ctx, tsr_select(ctx, &got, 0, i % 5, &got));
    OK(ctx, tsr_select(ctx, &all, 0, i, &line));
    CHECK(test_same_elements(&got, &line));
  }
  tsr_release(&in), tsr_release(&out), tsr_release(&all);
}

TEST(a_line_has_the_same_bits_wherever_it_lies) {
  static const tsr_index lengths[] = {1, 2, 7, 16, 37, 60, 64, 128, 210, 256};
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    for (int i = 0; i < COUNT_OF(lengths); i++) {
      check_layout(ctx, tsr_fft, TSR_C64, lengths[i], false);
      check_layout(ctx, tsr_ifft, TSR_C128, lengths[i], true);
      check_layout(ctx, tsr_fft, TSR_F32, lengths[i], false);
      check_layout(ctx, tsr_rfft, TSR_F64, lengths[i], false);
      if (lengths[i] > 1) check_layout(ctx, tsr_hfft, TSR_C64, lengths[i], false);
    }
  }
  CHECK(test_live() == 0);
}

TEST(threads_do_not_change_a_bit) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = random_tensor(ctx, &rng, TSR_C64, 2, (const tsr_index[]){300, 240}, NULL), one = {0}, four = {0};
  ctx->parallel = tsr_parallel_serial();
  OK(ctx, tsr_fft(ctx, &in, 0, 0, TSR_FFT_BACKWARD, &one));
  tsr_threads *const threads = test_with_threads(ctx, 4);
  OK(ctx, tsr_fft(ctx, &in, 0, 0, TSR_FFT_BACKWARD, &four));
  CHECK(test_same_elements(&one, &four));
  ctx->parallel = NULL;
  tsr_threads_release(threads);
  tsr_release(&in), tsr_release(&one), tsr_release(&four);
}

/* ---- plans ---- */

static void check_plan(tsr_ctx *ctx, int dtype, tsr_index n) {
  const bool real = dtype == TSR_F32 || dtype == TSR_F64;
  tsr_tensor in = random_tensor(ctx, &rng, dtype, 1, &n, NULL), out = {0}, line = {0}, scratch = {0};
  tsr_fft_plan *plan = NULL;
  OK(ctx, tsr_fft_plan_new(ctx, dtype, n, &plan));
  OK(ctx, (real ? tsr_rfft : tsr_fft)(ctx, &in, 0, 0, TSR_FFT_BACKWARD, &out));
  OK(ctx, tsr_empty_like(ctx, &out, &line));
  OK(ctx, tsr_empty(ctx, TSR_U8, TSR_SHAPE((tsr_index)tsr_fft_plan_scratch(plan)), &scratch));
  tsr_fft_plan_run(plan, false, in.data, line.data, scratch.data);
  CHECK(test_same_elements(&line, &out));
  tsr_fft_plan_run(plan, true, line.data, line.data, scratch.data);
  for (tsr_index i = 0; i < n; i++)
    CHECK(fabs(number_at(dtype, line.data, i).re / (double)n - number_at(dtype, in.data, i).re) < 1e-5);
  (void)tsr_trim();
  tsr_fft_plan_run(plan, false, in.data, line.data, scratch.data); /* it is held */
  CHECK(test_same_elements(&line, &out));
  tsr_fft_plan_release(plan);
  tsr_release(&in), tsr_release(&out), tsr_release(&line), tsr_release(&scratch);
}

TEST(plans_are_held_and_run_lines) {
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_C64, TSR_C128};
  static const tsr_index lengths[] = {1, 8, 37, 100, 105, 256, 1024};
  tsr_ctx *const ctx = test_context();
  for (int d = 0; d < 4; d++)
    for (int i = 0; i < COUNT_OF(lengths); i++) check_plan(ctx, dtypes[d], lengths[i]);
  tsr_fft_plan *plan = NULL;
  FAILS(ctx, TSR_EARG, tsr_fft_plan_new(ctx, TSR_C64, 0, &plan));
  FAILS(ctx, TSR_EDTYPE, tsr_fft_plan_new(ctx, TSR_I32, 8, &plan));
  MESSAGE_HAS(ctx, "fft_plan_new: dtype is i32");
  FAILS(ctx, TSR_EARG, tsr_fft_plan_new(ctx, TSR_C64, 8, NULL));
  tsr_fft_plan_release(NULL);
  CHECK(test_live() == 0);
}

TEST(trimming_gives_plans_back) {
  tsr_ctx *const ctx = test_context();
  (void)tsr_trim();
  tsr_tensor in = random_tensor(ctx, &rng, TSR_C128, 1, (const tsr_index[]){2003}, NULL), out = {0}, again = {0};
  OK(ctx, tsr_fft(ctx, &in, 0, 0, TSR_FFT_BACKWARD, &out));
  CHECK(tsr_trim() >= 2003 * 16);
  OK(ctx, tsr_fft(ctx, &in, 0, 0, TSR_FFT_BACKWARD, &again));
  CHECK(test_same_elements(&out, &again));
  tsr_release(&in), tsr_release(&out), tsr_release(&again);
}

/* ---- what is refused ---- */

TEST(wrong_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = {0}, none = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &in));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 0), &none));
  FAILS(ctx, TSR_EARG, tsr_fft(ctx, &in, -1, 0, TSR_FFT_BACKWARD, &out));
  MESSAGE_HAS(ctx, "fft: n is -1");
  FAILS(ctx, TSR_EARG, tsr_rfft(ctx, &in, 0, 0, (tsr_fft_norm)3, &out));
  MESSAGE_HAS(ctx, "rfft: norm is 3, and not backward, ortho or forward");
  FAILS(ctx, TSR_ESHAPE, tsr_ifft(ctx, &none, 0, 1, TSR_FFT_BACKWARD, &out));
  MESSAGE_HAS(ctx, "ifft: x [3,0] has 0 elements along axis 1: nothing to transform");
  FAILS(ctx, TSR_EOVERFLOW, tsr_fft(ctx, &in, TSR_INDEX_MAX, 1, TSR_FFT_BACKWARD, &out));
  CHECK(out.data == NULL && out.dtype == TSR_NONE);
  OK(ctx, tsr_fft(ctx, &none, 5, 1, TSR_FFT_BACKWARD, &out)); /* zeros */
  CHECK(out.shape[1] == 5 && number_at(TSR_C64, out.data, 14).re == 0);
  tsr_release(&in), tsr_release(&none), tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(refused_memory_leaves_nothing_behind) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = random_tensor(ctx, &rng, TSR_F32, 1, (const tsr_index[]){100}, NULL);
  for (size_t k = 0; k < 4; k++) {
    tsr_tensor out = {0};
    test_failing()->fail_at = test_failing()->calls + k;
    const tsr_status st = tsr_rfft(ctx, &in, 0, 0, TSR_FFT_BACKWARD, &out);
    test_failing()->fail_at = SIZE_MAX;
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && out.data == NULL));
    tsr_release(&out);
  }
  tsr_release(&in);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(every_length_to_300_is_the_definition), RUN(chosen_lengths_are_the_definition),
          RUN(long_lengths_go_there_and_back), RUN(a_million_elements_go_there_and_back),
          RUN(lines_are_cropped_padded_and_divided), RUN(ihfft_is_the_inverse_of_hfft),
          RUN(dtypes_promote_as_numpy_has_it), RUN(a_line_has_the_same_bits_wherever_it_lies),
          RUN(threads_do_not_change_a_bit), RUN(plans_are_held_and_run_lines), RUN(trimming_gives_plans_back),
          RUN(wrong_calls_say_what_is_wrong), RUN(refused_memory_leaves_nothing_behind))
