/* The functions for C libraries that lose digits, beside a C library that does not: angles of any size, arguments near 1, powers near
 * 1 and near the ends. */
#include "support/brief.h"
#include "support/helpers.h"
#include "support/test.h"

#include "cpu/math/careful_f64.h"

#if TSR_HAVE_F64 && !defined(_WIN32) && !defined(__arm__)
#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG > 60
static int count(void) { return test_brief() ? 20000 : 400000; }

static double units(double got, long double exact) {
  if ((double)exact == got || (got != got && exact != exact)) return 0;
  int exponent = 0;
  (void)frexpl(exact, &exponent);
  return (double)(fabsl((long double)got - exact) / ldexpl(1, exponent - 53 < -1074 ? -1074 : exponent - 53));
}

static double of_bits(test_rng *rng) { return tsr__f64_of_bits((uint64_t)test_random(rng) << 32 | test_random(rng)); }

/* Any double, and those that are nearly multiples of π/2. */
static double angle(test_rng *rng, int i) {
  if (i % 3 == 0) return of_bits(rng);
  const int bits = (int)(test_random(rng) % 60);
  const long double turns = (long double)((uint64_t)test_random(rng) << 32 | test_random(rng)) / ldexpl(1, bits);
  return i % 3 == 1 ? (double)(rintl(turns) * 1.57079632679489661923132169163975144L) : (double)turns;
}

typedef double function(double x);
typedef long double reference(long double x);

static void compare(const char *name, function *f, reference *exact, double bound) {
  static const double special[] = {0,
                                   -0.0,
                                   0.785,
                                   0.7853981633974483,
                                   0x1p-28,
                                   0x1p-1074,
                                   0x1.fffffffffffffp1023,
                                   0x1p1000,
                                   0x1.921fb54442d18p+0,
                                   -0x1.921fb54442d18p+1,
                                   6381956970095103.0 * 0x1p797,
                                   INFINITY,
                                   NAN,
                                   3,
                                   -0x1p52};
  test_rng rng = {7};
  double worst = 0, at = 0;
  for (int i = 0; i < count(); i++) {
    const double x = i < COUNT_OF(special) ? special[i] : angle(&rng, i), y = f(x);
    const long double want = exact(x);
    if (y == 0 && want == 0) CHECK(!signbit(y) == !signbit(want));
    const double d = units(y, want);
    if (!(d <= worst)) worst = d, at = x;
  }
  printf("  %s: %.3f ULP at %a\n", name, worst, at);
  CHECK(worst <= bound);
}

TEST(angles_of_any_size) {
  compare("sin", tsr__careful_sin_f64, sinl, 0.8);
  compare("cos", tsr__careful_cos_f64, cosl, 0.8);
  compare("tan", tsr__careful_tan_f64, tanl, 1);
}

TEST(arguments_near_1) {
  test_rng rng = {11};
  double worst_acos = 0, worst_acosh = 0;
  for (int i = 0; i < count(); i++) {
    const double near = ldexp((double)(int32_t)test_random(&rng), -31 - (int)(test_random(&rng) % 40));
    const double x = i % 2 ? 1 - fabs(near) : near, c = i % 2 ? -x : x;
    const double acos_units = units(tsr__careful_acos_f64(c), acosl(c)),
                 acosh_units = units(tsr__careful_acosh_f64(1 + fabs(near) * (i % 7 == 0 ? 1e9 : 1)),
                                     acoshl(1 + fabs(near) * (i % 7 == 0 ? 1e9 : 1)));
    if (!(acos_units <= worst_acos)) worst_acos = acos_units;
    if (!(acosh_units <= worst_acosh)) worst_acosh = acosh_units;
  }
  printf("  acos: %.3f ULP, acosh: %.3f ULP\n", worst_acos, worst_acosh);
  CHECK(worst_acos <= 2 && worst_acosh <= 3);
  CHECK(isnan(tsr__careful_acos_f64(1.5)) && isnan(tsr__careful_acosh_f64(0.5)) && tsr__careful_acos_f64(1) == 0);
  CHECK(isinf(tsr__careful_acosh_f64(INFINITY)) && isnan(tsr__careful_acosh_f64(NAN)));
}

TEST(powers) {
  static const double special[] = {0,
                                   -0.0,
                                   1,
                                   -1,
                                   2,
                                   -2,
                                   0.5,
                                   3,
                                   -3,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   0x1p-1074,
                                   1e300,
                                   1e-300,
                                   0x1.fffffffffffffp1023,
                                   -0x1.fffffffffffffp1023,
                                   0x1.fffffffffffffp-1};
  test_rng rng = {5};
  double worst = 0, at = 0, to = 0;
  for (int i = 0; i < COUNT_OF(special); i++)
    for (int j = 0; j < COUNT_OF(special); j++) {
      const double got = tsr__careful_pow_f64(special[i], special[j]), want = pow(special[i], special[j]);
      CHECK((got != got) == (want != want));
      if (want == want) CHECK(units(got, want) <= 1 && !signbit(got) == !signbit(want));
    }
  for (int i = 0; i < count(); i++) {
    double x = fabs(of_bits(&rng)), y = ldexp((double)(int32_t)test_random(&rng), -31 + (int)(test_random(&rng) % 20));
    if (i % 3 == 1) x = 1 + ldexp((double)(int32_t)test_random(&rng), -32 - (int)(test_random(&rng) % 30));
    if (i % 3 == 1) y = ldexp(y, (int)(test_random(&rng) % 40));
    const long double want = powl(x, y);
    const double d = units(tsr__careful_pow_f64(x, y), want);
    if ((double)want != (double)want || isinf((double)want) || want == 0) continue;
    if (!(d <= worst)) worst = d, at = x, to = y;
  }
  printf("  pow: %.3f ULP at %a, %a\n", worst, at, to);
  CHECK(worst <= 1);
}
#define HERE 1
#endif
#endif

#ifdef HERE
TEST_MAIN(RUN(angles_of_any_size), RUN(arguments_near_1), RUN(powers))
#else
TEST(angles_of_any_size) { SKIP("no f64, or no long double of a C library to compare with"); }
TEST_MAIN(RUN(angles_of_any_size))
#endif
