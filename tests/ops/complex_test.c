/* Functions of complex numbers: against long double, special values by Annex G of C (the array API's tables), reductions against
 * sums in order, refusals. What binary ops give is binary_test's, layouts and overlaps are alias_test's and metamorphic_test's. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_COMPLEX && TSR_HAVE_F64 && defined(__SIZEOF_FLOAT128__)

#include <complex.h>
#include <math.h>

typedef long double _Complex wide;

/* Not re + im * I: that is NaN beside infinities. */
static wide number(long double re, long double im) {
  const long double parts[2] = {re, im};
  wide z;
  memcpy(&z, parts, sizeof z);
  return z;
}

static wide log2_of(wide z) {
  const wide w = clogl(z);
  return number(creall(w) / logl(2), cimagl(w) / logl(2));
}
static wide log10_of(wide z) {
  const wide w = clogl(z);
  return number(creall(w) / logl(10), cimagl(w) / logl(10));
}
static wide exp2_of(wide z) {
  const long double size = exp2l(creall(z)), angle = cimagl(z) * 0.693147180559945309417232121458176568L;
  return number(size * cosl(angle), size * sinl(angle));
}
static wide expm1_of(wide z) {
  const long double half = sinl(cimagl(z) / 2);
  return number(expm1l(creall(z)) * cosl(cimagl(z)) - 2 * half * half, expl(creall(z)) * sinl(cimagl(z)));
}
static wide log1p_of(wide z) {
  const long double re = creall(z), im = cimagl(z), size = re * (2 + re) + im * im;
  const long double by_size = fabsl(size) < 0.5L ? log1pl(size) / 2 : logl(hypotl(1 + re, im));
  return number(by_size, atan2l(im, 1 + re));
}
static wide square_of(wide z) { return z * z; }
static wide reciprocal_of(wide z) { return 1 / z; }
static wide rsqrt_of(wide z) { return 1 / csqrtl(z); }
static wide sigmoid_of(wide z) { return 1 / (1 + cexpl(number(-creall(z), -cimagl(z)))); }
static wide sign_of(wide z) { return number(creall(z) / cabsl(z), cimagl(z) / cabsl(z)); }
static wide abs_of(wide z) { return number(cabsl(z), 0); }
static wide angle_of(wide z) { return number(cargl(z), 0); }

typedef tsr_status unary_fn(tsr_ctx *, const tsr_tensor *, tsr_tensor *);

/* What a function may be away from the exact result, in units of the last place of each part; where parts cancel, of the whole
 * number: then whole. */
static const struct function {
  const char *name;
  unary_fn *call;
  wide (*reference)(wide);
  double units;
  bool whole, real;
} functions[] = {{"exp", tsr_exp, cexpl, 4, false, false},
                 {"expm1", tsr_expm1, expm1_of, 6, true, false},
                 {"exp2", tsr_exp2, exp2_of, 4, true, false},
                 {"log", tsr_log, clogl, 4, false, false},
                 {"log2", tsr_log2, log2_of, 5, false, false},
                 {"log10", tsr_log10, log10_of, 5, false, false},
                 {"log1p", tsr_log1p, log1p_of, 5, false, false},
                 {"sqrt", tsr_sqrt, csqrtl, 4, false, false},
                 {"rsqrt", tsr_rsqrt, rsqrt_of, 6, true, false},
                 {"square", tsr_square, square_of, 2, true, false},
                 {"reciprocal", tsr_reciprocal, reciprocal_of, 3, false, false},
                 {"sin", tsr_sin, csinl, 4, false, false},
                 {"cos", tsr_cos, ccosl, 4, false, false},
                 {"tan", tsr_tan, ctanl, 6, false, false},
                 {"asin", tsr_asin, casinl, 6, false, false},
                 {"acos", tsr_acos, cacosl, 6, false, false},
                 {"atan", tsr_atan, catanl, 6, false, false},
                 {"sinh", tsr_sinh, csinhl, 4, false, false},
                 {"cosh", tsr_cosh, ccoshl, 4, false, false},
                 {"tanh", tsr_tanh, ctanhl, 6, false, false},
                 {"asinh", tsr_asinh, casinhl, 6, false, false},
                 {"acosh", tsr_acosh, cacoshl, 6, false, false},
                 {"atanh", tsr_atanh, catanhl, 6, false, false},
                 {"sigmoid", tsr_sigmoid, sigmoid_of, 8, true, false},
                 {"sign", tsr_sign, sign_of, 2, false, false},
                 {"abs", tsr_abs, abs_of, 2, false, true},
                 {"angle", tsr_angle, angle_of, 2, false, true}};

/* ---- accuracy ---- */

enum { COUNT = 4000 };

/* Sizes from 2^-40 to 2^6, often around 1, and on the axes. */
static double random_part(test_rng *rng) {
  const double fraction = ((double)test_random(rng) + 0.5) * 0x1p-32;
  const double size = ldexp(0.5 + fraction / 2, (int)(test_random(rng) % 46) - 40);
  const double near = test_random(rng) % 2 == 0 ? 2 * fraction : size;
  return test_random(rng) % 2 == 0 ? near : -near;
}

static double unit_of(int dtype, long double exact) {
  int exponent = 0;
  const int digits = dtype == TSR_C64 ? 24 : 53, least = dtype == TSR_C64 ? -149 : -1074;
  (void)frexpl(exact, &exponent);
  return ldexp(1, exponent - digits > least ? exponent - digits : least);
}

static double error_of(const struct function *f, int dtype, wide exact, const double *got) {
  const long double size = cabsl(exact);
  double worst = 0;
  for (int part = 0; part < (f->real ? 1 : 2); part++) {
    const long double want = part == 0 ? creall(exact) : cimagl(exact);
    const double away = (double)fabsl(want - (long double)got[part]) / unit_of(dtype, f->whole ? size : want);
    if (away > worst) worst = away;
  }
  return worst;
}

static void check_accuracy(const struct function *f, int dtype) {
  static double x[COUNT][2], wide_out[2 * COUNT];
  static float narrow[COUNT][2];
  test_rng rng = {17};
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = {0}, out = {0}, number_out = {0};
  const int result = f->real ? (dtype == TSR_C64 ? TSR_F32 : TSR_F64) : dtype;
  for (int i = 0; i < COUNT; i++)
    for (int part = 0; part < 2; part++) {
      narrow[i][part] = (float)random_part(&rng);
      x[i][part] = dtype == TSR_C64 ? (double)narrow[i][part] : random_part(&rng);
    }
  OK(ctx, tsr_from_memory(ctx, dtype == TSR_C64 ? (void *)narrow : (void *)x, dtype, TSR_SHAPE(COUNT), &in));
  OK(ctx, f->call(ctx, &in, &out));
  REQUIRE(out.dtype == result);
  OK(ctx, tsr_from_memory(ctx, wide_out, f->real ? TSR_F64 : TSR_C128, TSR_SHAPE(COUNT), &number_out));
  OK(ctx, tsr_copy(ctx, &out, &number_out));
  double worst = 0;
  int at = 0;
  for (int i = 0; i < COUNT; i++) {
    const wide exact = f->reference(number((long double)x[i][0], (long double)x[i][1]));
    const double away = error_of(f, dtype, exact, &wide_out[f->real ? i : 2 * i]);
    if (!(away > worst)) continue;
    worst = away;
    at = i;
  }
  if (!test_check(worst <= (dtype == TSR_C64 && !f->whole ? 1 : f->units), __FILE__, __LINE__, "within its bound"))
    printf("  %s of %s: %.2f units at %.17g %+.17gj\n", f->name, tsr_dtype_name(dtype), worst, x[at][0], x[at][1]);
  tsr_release(&out);
}

TEST(functions_are_as_long_double_has_them) {
  for (int i = 0; i < COUNT_OF(functions); i++) {
    check_accuracy(&functions[i], TSR_C64);
    check_accuracy(&functions[i], TSR_C128);
  }
}

/* ---- special values: the C library's long double has Annex G ---- */

static bool same_part(double got, long double want, bool any_sign) {
  if (isnan(want)) return isnan(got);
  if (want == 0 || isinf(want)) return (long double)got == want && (any_sign || !signbit(got) == !signbit(want));
  return fabsl((long double)got - want) <= 1e-6L * fabsl(want);
}

/* Those that the library has, for which Annex G has a table; signs that it leaves open, and pairs with NaN, are open. */
TEST(special_values_are_those_of_annex_g) {
  static const double special[] = {0.0, -0.0, 1, -1, 0.5, 3, -3, (double)INFINITY, -(double)INFINITY, (double)NAN};
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(functions); i++) {
    const struct function *const f = &functions[i];
    const bool table = f->reference == cexpl || f->reference == clogl || f->reference == csqrtl ||
                       f->reference == casinl || f->reference == cacosl || f->reference == catanl ||
                       f->reference == csinhl || f->reference == ccoshl || f->reference == ctanhl ||
                       f->reference == casinhl || f->reference == cacoshl || f->reference == catanhl ||
                       f->reference == csinl || f->reference == ccosl || f->reference == ctanl;
    for (int a = 0; a < COUNT_OF(special) && table; a++)
      for (int b = 0; b < COUNT_OF(special); b++) {
        double x[2] = {special[a], special[b]}, y[2];
        float narrow[2] = {(float)x[0], (float)x[1]}, narrow_out[2];
        tsr_tensor in = {0}, out = {0};
        OK(ctx, tsr_from_memory(ctx, x, TSR_C128, 0, NULL, &in));
        OK(ctx, tsr_from_memory(ctx, y, TSR_C128, 0, NULL, &out));
        OK(ctx, f->call(ctx, &in, &out));
        OK(ctx, tsr_from_memory(ctx, narrow, TSR_C64, 0, NULL, &in));
        OK(ctx, tsr_from_memory(ctx, narrow_out, TSR_C64, 0, NULL, &out));
        OK(ctx, f->call(ctx, &in, &out));
        const wide want = f->reference(number((long double)x[0], (long double)x[1]));
        const bool open =
            isnan(x[0]) || isnan(x[1]) || isnan(creall(want)) || isnan(cimagl(want)) || isinf(x[0]) || isinf(x[1]);
        const bool good = same_part(y[0], creall(want), open) && same_part(y[1], cimagl(want), open);
        if (!test_check(good, __FILE__, __LINE__, f->name))
          printf("  %s(%g, %g): (%g, %g), not (%Lg, %Lg)\n", f->name, x[0], x[1], y[0], y[1], creall(want),
                 cimagl(want));
        for (int part = 0; part < 2; part++)
          CHECK(isnan(y[part]) ? isnan(narrow_out[part]) : (float)y[part] == narrow_out[part]);
      }
  }
}

/* One function, a number and what is to come out of it; NaN is any NaN, and signs of infinities beside it are open. */
static void gives(unary_fn *call, double re, double im, double want_re, double want_im) {
  double x[2] = {re, im}, y[2];
  tsr_tensor in = {0}, out = {0};
  OK(NULL, tsr_from_memory(NULL, x, TSR_C128, 0, NULL, &in));
  OK(NULL, tsr_from_memory(NULL, y, TSR_C128, 0, NULL, &out));
  OK(NULL, call(NULL, &in, &out));
  const bool good =
      same_part(y[0], (long double)want_re, isnan(want_im)) && same_part(y[1], (long double)want_im, isnan(want_re));
  if (!test_check(good, __FILE__, __LINE__, "a special value"))
    printf("  (%g, %g): (%g, %g), not (%g, %g)\n", re, im, y[0], y[1], want_re, want_im);
}

/* The array API's tables of functions that Annex G does not have. */
TEST(special_values_of_expm1_log1p_and_sign) {
  const double inf = (double)INFINITY, nan = (double)NAN, pi = 3.14159265358979323846;
  gives(tsr_expm1, 0, 0, 0, 0);
  gives(tsr_expm1, -0.0, 0, -0.0, 0);
  gives(tsr_expm1, 1, inf, nan, nan);
  gives(tsr_expm1, 1, nan, nan, nan);
  gives(tsr_expm1, inf, 0, inf, 0);
  gives(tsr_expm1, -inf, inf, -1, 0);
  gives(tsr_expm1, -inf, nan, -1, 0);
  gives(tsr_expm1, inf, nan, inf, nan);
  gives(tsr_expm1, nan, 0, nan, 0);
  gives(tsr_expm1, nan, 1, nan, nan);
  gives(tsr_expm1, inf, 1, inf, inf);
  gives(tsr_expm1, 709.9, 0.5, (double)(expl(709.9L) * cosl(0.5L)), (double)(expl(709.9L) * sinl(0.5L)));
  gives(tsr_log1p, -1, 0, -inf, 0);
  gives(tsr_log1p, 2, inf, inf, pi / 2);
  gives(tsr_log1p, 2, nan, nan, nan);
  gives(tsr_log1p, -inf, 1, inf, pi);
  gives(tsr_log1p, inf, 1, inf, 0);
  gives(tsr_log1p, -inf, inf, inf, 3 * pi / 4);
  gives(tsr_log1p, inf, inf, inf, pi / 4);
  gives(tsr_log1p, inf, nan, inf, nan);
  gives(tsr_log1p, nan, 1, nan, nan);
  gives(tsr_log1p, nan, inf, inf, nan);
  gives(tsr_log1p, 1e-20, 1e-20, 1e-20, 1e-20);
  gives(tsr_log1p, -1e-10, 1e-5, -5.000000000666667e-11 + 0, 1.0000000001e-05);
  gives(tsr_sign, 0, 0, 0, 0);
  gives(tsr_sign, 3e300, -4e300, 0.6, -0.8);
  gives(tsr_sign, 3e-320, 4e-320, 0.6, 0.8);
  gives(tsr_reciprocal, 0, 0, inf, nan);
  gives(tsr_reciprocal, inf, inf, 0, -0.0);
  gives(tsr_sigmoid, -1000, 1, 0, 0);
  gives(tsr_sigmoid, 1000, 1, 1, 0);
  gives(tsr_conj, 1, -0.0, 1, 0.0);
  gives(tsr_round, 2.5, -0.5, 2, -0.0);
}

/* ---- quotients and powers ---- */

static void binary_gives(tsr_status (*call)(tsr_ctx *, const tsr_tensor *, const tsr_tensor *, tsr_tensor *),
                         const double *a, const double *b, const double *want) {
  double x[2] = {a[0], a[1]}, y[2] = {b[0], b[1]}, z[2];
  tsr_tensor in = {0}, by = {0}, out = {0};
  OK(NULL, tsr_from_memory(NULL, x, TSR_C128, 0, NULL, &in));
  OK(NULL, tsr_from_memory(NULL, y, TSR_C128, 0, NULL, &by));
  OK(NULL, tsr_from_memory(NULL, z, TSR_C128, 0, NULL, &out));
  OK(NULL, call(NULL, &in, &by, &out));
  const bool good =
      same_part(z[0], (long double)want[0], isnan(want[1])) && same_part(z[1], (long double)want[1], isnan(want[0]));
  if (!test_check(good, __FILE__, __LINE__, "a quotient or power"))
    printf("  (%g, %g), (%g, %g): (%g, %g), not (%g, %g)\n", a[0], a[1], b[0], b[1], z[0], z[1], want[0], want[1]);
}
#define PAIR(re, im) ((const double[]){re, im})

TEST(quotients_neither_overflow_nor_vanish) {
  const double inf = (double)INFINITY, nan = (double)NAN;
  binary_gives(tsr_div, PAIR(1e300, 1e300), PAIR(1e300, 1e300), PAIR(1, 0));
  binary_gives(tsr_div, PAIR(1e-300, 2e-300), PAIR(1e-300, -1e-300), PAIR(-0.5, 1.5));
  binary_gives(tsr_div, PAIR(5e-324, 0), PAIR(0, 5e-324), PAIR(0, -1));
  binary_gives(tsr_div, PAIR(1e308, 1e308), PAIR(2, 0), PAIR(5e307, 5e307));
  binary_gives(tsr_div, PAIR(1, 0), PAIR(0x1p1023, 0x1p1023), PAIR(0x1p-1024, -0x1p-1024));
  binary_gives(tsr_div, PAIR(0x1p1023, 0x1p-1023), PAIR(0x1p100, 0x1p-100), PAIR(0x1p923, -0x1p723));
  binary_gives(tsr_div, PAIR(1, 2), PAIR(0, 0), PAIR(inf, inf));
  binary_gives(tsr_div, PAIR(0, 0), PAIR(0, 0), PAIR(nan, nan));
  binary_gives(tsr_div, PAIR(1, 1), PAIR(inf, -inf), PAIR(0, 0));
  binary_gives(tsr_div, PAIR(inf, nan), PAIR(2, 0), PAIR(inf, nan));
}

TEST(powers_of_nothing_and_by_whole_numbers) {
  const double nan = (double)NAN;
  binary_gives(tsr_pow, PAIR(0, 0), PAIR(0, 0), PAIR(1, 0));
  binary_gives(tsr_pow, PAIR(nan, nan), PAIR(0, 0), PAIR(1, 0));
  binary_gives(tsr_pow, PAIR(0, 0), PAIR(2, 1), PAIR(0, 0));
  binary_gives(tsr_pow, PAIR(0, 0), PAIR(-1, 0), PAIR(nan, nan));
  binary_gives(tsr_pow, PAIR(0, 1), PAIR(2, 0), PAIR(-1, 0));
  binary_gives(tsr_pow, PAIR(1, 1), PAIR(-2, 0), PAIR(0, -0.5));
  binary_gives(tsr_pow, PAIR(2, 0), PAIR(0.5, 0), PAIR(1.4142135623730951, 0));
  binary_gives(tsr_pow, PAIR(-4, 0), PAIR(0.5, 0), PAIR(1.2246467991473532e-16, 2));
  binary_gives(tsr_pow, PAIR(0, 1), PAIR(0, 1), PAIR(0.20787957635076193, 0));
}

/* e^(b·ln a) has the error of its exponent, in units, and that of the exponential. */
TEST(powers_are_as_long_double_has_them) {
  static double x[COUNT][2], y[COUNT][2], z[COUNT][2];
  test_rng rng = {23};
  tsr_tensor a = {0}, b = {0}, out = {0};
  for (int i = 0; i < COUNT; i++)
    for (int part = 0; part < 2; part++) {
      x[i][part] = random_part(&rng);
      y[i][part] = i % 3 == 0 && part == 1 ? 0 : random_part(&rng) / 8;
    }
  OK(NULL, tsr_from_memory(NULL, x, TSR_C128, TSR_SHAPE(COUNT), &a));
  OK(NULL, tsr_from_memory(NULL, y, TSR_C128, TSR_SHAPE(COUNT), &b));
  OK(NULL, tsr_from_memory(NULL, z, TSR_C128, TSR_SHAPE(COUNT), &out));
  OK(NULL, tsr_pow(NULL, &a, &b, &out));
  double worst = 0;
  for (int i = 0; i < COUNT; i++) {
    const wide base = number((long double)x[i][0], (long double)x[i][1]),
               by = number((long double)y[i][0], (long double)y[i][1]);
    const wide exact = cexpl(by * clogl(base)), got = number((long double)z[i][0], (long double)z[i][1]);
    const double units = (double)(cabsl(got - exact) / (cabsl(exact) * 0x1p-53L));
    const double bound = 3 * (double)(cabsl(by) * cabsl(clogl(base))) + 6;
    if (units / bound > worst) worst = units / bound;
  }
  CHECK(worst <= 1);
}

/* ---- reductions ---- */

enum { ROWS = 7, COLS = 613 };

typedef tsr_status reduce_fn(tsr_ctx *, const tsr_tensor *, int, const int *, bool, tsr_tensor *);
static tsr_status var_1(tsr_ctx *ctx, const tsr_tensor *x, int n, const int *axes, bool keepdims, tsr_tensor *out) {
  return tsr_var(ctx, x, n, axes, keepdims, 1, out);
}
static tsr_status std_0(tsr_ctx *ctx, const tsr_tensor *x, int n, const int *axes, bool keepdims, tsr_tensor *out) {
  return tsr_std(ctx, x, n, axes, keepdims, 0, out);
}
static tsr_status norm_3(tsr_ctx *ctx, const tsr_tensor *x, int n, const int *axes, bool keepdims, tsr_tensor *out) {
  return tsr_norm(ctx, x, 3, n, axes, keepdims, out);
}

/* n numbers, step apart, by the definition. */
static wide reduced(reduce_fn *op, const wide *x, int n, int step) {
  wide sum = 0, product = 1, mean;
  long double sizes = 0, squares = 0, cubes = 0, most = 0, apart = 0;
  for (int i = 0; i < n; i++) {
    const long double size = cabsl(x[i * step]);
    sum += x[i * step];
    product *= x[i * step];
    sizes += size, squares += size * size, cubes += size * size * size;
    most = size > most ? size : most;
  }
  mean = sum / n;
  for (int i = 0; i < n; i++) apart += powl(cabsl(x[i * step] - mean), 2);
  return op == tsr_sum        ? sum
         : op == tsr_prod     ? product
         : op == tsr_mean     ? mean
         : op == tsr_norm1    ? sizes
         : op == tsr_norm2    ? sqrtl(squares)
         : op == tsr_norm_inf ? most
         : op == norm_3       ? cbrtl(cubes)
         : op == var_1        ? apart / (n - 1)
                              : sqrtl(apart / n);
}

static void check_reduction(reduce_fn *op, int dtype, int axis) {
  static double x[ROWS * COLS][2], y[2 * COLS];
  static float narrow[ROWS * COLS][2];
  static wide exact[ROWS * COLS];
  test_rng rng = {5};
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = {0}, out = {0}, all = {0};
  for (int i = 0; i < ROWS * COLS; i++) {
    const double angle = (double)(test_random(&rng) % 1000) / 159.0,
                 size = 0.95 + (double)(test_random(&rng) % 100) / 1000;
    x[i][0] = size * cos(angle), x[i][1] = size * sin(angle);
    for (int part = 0; part < 2; part++) narrow[i][part] = (float)x[i][part];
    exact[i] = dtype == TSR_C64 ? number((long double)narrow[i][0], (long double)narrow[i][1])
                                : number((long double)x[i][0], (long double)x[i][1]);
  }
  OK(ctx, tsr_from_memory(ctx, dtype == TSR_C64 ? (void *)narrow : (void *)x, dtype, TSR_SHAPE(ROWS, COLS), &in));
  OK(ctx, op(ctx, &in, axis < 0 ? 0 : 1, axis < 0 ? NULL : &axis, false, &out));
  const bool real = op != tsr_sum && op != tsr_prod && op != tsr_mean;
  const int outputs = axis < 0 ? 1 : axis == 0 ? COLS : ROWS, n = ROWS * COLS / outputs, step = axis == 0 ? COLS : 1;
  REQUIRE(out.dtype == (!real ? dtype : dtype == TSR_C64 ? TSR_F32 : TSR_F64) && tsr_size(&out) == outputs);
  OK(ctx, tsr_from_memory(ctx, y, real ? TSR_F64 : TSR_C128, out.ndim, out.shape, &all));
  OK(ctx, tsr_copy(ctx, &out, &all));
  const long double unit = (dtype == TSR_C64 ? 0x1p-24L : 0x1p-53L) * (op == tsr_prod ? 2 * n : op == tsr_sum ? n : 4);
  for (int i = 0; i < outputs; i++) {
    const wide want = reduced(op, exact + (axis == 0 ? i : i * n), n, step);
    const wide got = real ? number((long double)y[i], 0) : number((long double)y[2 * i], (long double)y[2 * i + 1]);
    const bool near = cabsl(got - want) <= unit * (op == tsr_prod ? cabsl(want) : 1 + cabsl(want));
    if (!test_check(near, __FILE__, __LINE__, "a reduction") && test_now.failures < 9)
      printf("  %s, axis %d: %d: %.19Lg %+.19Lgj, not %.19Lg %+.19Lgj\n", tsr_dtype_name(dtype), axis, i, creall(got),
             cimagl(got), creall(want), cimagl(want));
  }
  tsr_release(&out);
}

TEST(reductions_are_as_their_definitions) {
  static reduce_fn *const ops[] = {tsr_sum,      tsr_prod, tsr_mean, tsr_norm1, tsr_norm2,
                                   tsr_norm_inf, norm_3,   var_1,    std_0};
  for (int i = 0; i < COUNT_OF(ops); i++)
    for (int axis = -1; axis < 2; axis++) {
      check_reduction(ops[i], TSR_C64, axis);
      check_reduction(ops[i], TSR_C128, axis);
    }
}

TEST(reductions_of_nothing) {
  tsr_ctx *const ctx = test_context();
  float none[2] = {0};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, none, TSR_C64, TSR_SHAPE(0), &x));
  OK(ctx, tsr_sum(ctx, &x, 0, NULL, false, &out));
  CHECK(((const float *)out.data)[0] == 0 && ((const float *)out.data)[1] == 0 &&
        !signbit(((const float *)out.data)[1]));
  tsr_release(&out);
  OK(ctx, tsr_prod(ctx, &x, 0, NULL, false, &out));
  CHECK(((const float *)out.data)[0] == 1 && ((const float *)out.data)[1] == 0);
  tsr_release(&out);
  FAILS(ctx, TSR_ESHAPE, tsr_norm(ctx, &x, -(tsr_real)INFINITY, 0, NULL, false, &out));
  FAILS(ctx, TSR_EARG, tsr_norm(ctx, &x, (tsr_real)NAN, 0, NULL, false, &out));
  FAILS(ctx, TSR_EARG, tsr_var(ctx, &x, 0, NULL, false, -1, &out));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

/* A product does not depend on strides or on threads: it is the same tree. */
TEST(products_have_one_order) {
  static float x[64 * 33][2], turned[64 * 33][2];
  test_rng rng = {9};
  tsr_ctx *const ctx = test_context();
  tsr_tensor in = {0}, across = {0}, a = {0}, b = {0};
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 33; k++)
      for (int part = 0; part < 2; part++)
        turned[k * 64 + i][part] = x[i * 33 + k][part] = (float)(test_random(&rng) % 256) / 128;
  OK(ctx, tsr_from_memory(ctx, x, TSR_C64, TSR_SHAPE(64, 33), &in));
  OK(ctx, tsr_from_memory(ctx, turned, TSR_C64, TSR_SHAPE(33, 64), &across));
  OK(ctx, tsr_prod(ctx, &in, 1, (const int[]){1}, false, &a));
  OK(ctx, tsr_prod(ctx, &across, 1, (const int[]){0}, false, &b));
  CHECK(memcmp(a.data, b.data, tsr_nbytes(&a)) == 0);
  tsr_release(&a);
  tsr_release(&b);
}

/* ---- refusals ---- */

TEST(what_has_no_complex_numbers_says_so) {
  tsr_ctx *const ctx = test_context();
  float values[4] = {1, 2, 3, 4};
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_C64, TSR_SHAPE(2), &x));
  FAILS(ctx, TSR_EDTYPE, tsr_lt(ctx, &x, &x, &out));
  MESSAGE_HAS(ctx, "lt: a is c64, b is c64: complex numbers have no order; take their parts or abs");
  FAILS(ctx, TSR_EDTYPE, tsr_maximum(ctx, &x, &x, &out));
  MESSAGE_HAS(ctx, "complex numbers have no order");
  FAILS(ctx, TSR_EDTYPE, tsr_clamp(ctx, &x, 0, 1, &out));
  MESSAGE_HAS(ctx, "complex numbers have no order");
  FAILS(ctx, TSR_EDTYPE, tsr_bitwise_and(ctx, &x, &x, &out));
  MESSAGE_HAS(ctx, "complex numbers have no bits here");
  FAILS(ctx, TSR_EDTYPE, tsr_bitwise_not(ctx, &x, &out));
  MESSAGE_HAS(ctx, "complex numbers have no bits here");
  FAILS(ctx, TSR_EDTYPE, tsr_hypot(ctx, &x, &x, &out));
  MESSAGE_HAS(ctx, "only for real numbers; see tsr_complex_part");
  FAILS(ctx, TSR_EDTYPE, tsr_floor(ctx, &x, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_sort(ctx, &x, 0, false, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_max(ctx, &x, 0, NULL, false, &out));
  CHECK(tsr_is_none(&out));
}

/* A real result over the memory of its input's real part, and of both. */
TEST(sizes_over_the_numbers_they_are_of) {
  tsr_ctx *const ctx = test_context();
  float values[8] = {3, 4, 5, 12, 8, 15, 7, 24};
  tsr_tensor x = {0}, real = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_C64, TSR_SHAPE(4), &x));
  OK(ctx, tsr_complex_part(ctx, &x, 0, &real));
  OK(ctx, tsr_abs(ctx, &x, &real));
  CHECK(values[0] == 5 && values[1] == 4 && values[2] == 13 && values[4] == 17 && values[6] == 25 && values[7] == 24);
  values[0] = 3, values[2] = 5, values[4] = 8, values[6] = 7;
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(4), &real));
  OK(ctx, tsr_abs(ctx, &x, &real));
  CHECK(values[0] == 5 && values[1] == 13 && values[2] == 17 && values[3] == 25);
}

TEST_MAIN(RUN(functions_are_as_long_double_has_them), RUN(special_values_are_those_of_annex_g),
          RUN(special_values_of_expm1_log1p_and_sign), RUN(quotients_neither_overflow_nor_vanish),
          RUN(powers_of_nothing_and_by_whole_numbers), RUN(powers_are_as_long_double_has_them),
          RUN(reductions_are_as_their_definitions), RUN(reductions_of_nothing), RUN(products_have_one_order),
          RUN(what_has_no_complex_numbers_says_so), RUN(sizes_over_the_numbers_they_are_of))

#else

TEST(functions_of_complex_numbers) { SKIP("no complex dtypes, or no long double that is longer than a double"); }
TEST_MAIN(RUN(functions_of_complex_numbers))

#endif
