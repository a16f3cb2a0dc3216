/* How far f64 functions are from the truth, against long double where that has more digits: a sample of every exponent
 * and of where functions bend, and what surrounds special numbers. The bounds are those of <tessera/unary.h>. Sets with
 * fused products give the same bits. */
#include "ops/math_functions.h"
#include "support/machine.h"
#include "support/brief.h"
#include "support/helpers.h"
#include "support/test.h"

#include <float.h>

#if TSR_HAVE_F64 && LDBL_MANT_DIG >= 64

#define R long double
#define REF(name) ref_##name
#define LIBM(name) name##l
#include "ops/math_reference.tmpl.h"

typedef struct function {
  const char *name;
  math_fn *op;
  long double (*reference)(long double);
  double bound; /* ULP */
  float edges[6];
} function;

#define ROW(name, call, f32, f64, ...) {#name, call, ref_##name, f64, __VA_ARGS__},
static const function functions[] = {MATH_FUNCTIONS(ROW)};

enum { MOST = 1 << 16 };

static int all(void) { return test_brief() ? 1 << 12 : MOST; }

#if defined(__aarch64__)
enum { TEST_FUSED_BASE = 1 };
#else
enum { TEST_FUSED_BASE = 0 };
#endif

static double x[MOST], y[MOST], first_fused[MOST];

/* The least and the most that kernels take as near, and what no kernel likes; with neighbours and of both signs. */
static const double special[] = {0,
                                 0x1p-1074,
                                 0x1p-1022,
                                 0x1.fffffffffffffp1023,
                                 INFINITY,
                                 NAN,
                                 1,
                                 0x1.fffffffffffffp-1,
                                 708,
                                 709.782712893384,
                                 745.2,
                                 1022,
                                 1023,
                                 1024,
                                 1075,
                                 350,
                                 700,
                                 0x1p30,
                                 0x1p1000,
                                 0.75,
                                 5.95,
                                 0x1p-27,
                                 0x1p52,
                                 0x1p53,
                                 0.6931471805599453,
                                 0.34657359027997264,
                                 0.6979166666666666,
                                 1.3958333333333333};

static int fill_special(void) {
  int n = 0;
  for (int i = 0; i < COUNT_OF(special); i++)
    for (int k = -3; k <= 3; k++) {
      const double near = tsr__f64_of_bits(tsr__bits_of_f64(special[i]) + (uint64_t)k);
      x[n++] = near;
      x[n++] = -near;
    }
  return n;
}

/* A quarter over all patterns, a quarter where functions bend, a quarter around the edges of the function, a quarter
 * that are nearly multiples of π/2. */
static void fill(const function *f) {
  test_rng rng = {17};
  for (int i = fill_special(); i < all(); i++) {
    const uint64_t bits = (uint64_t)test_random(&rng) << 32 | test_random(&rng);
    const double plain = (double)(int64_t)bits * 0x1p-63;
    if (i % 4 == 0)
      x[i] = tsr__f64_of_bits(bits);
    else if (i % 4 == 1)
      x[i] = ldexp(plain, (int)(bits % 22) - 12);
    else if (i % 4 == 2)
      x[i] = (double)((long double)(int32_t)(bits >> (bits & 31)) * 1.57079632679489661923132169163975144L);
    else
      x[i] = (double)f->edges[bits % 6] * (1 + ldexp(plain, -(int)(bits >> 8 & 31))) * (bits & 64 ? -1 : 1);
  }
}

/* The distance in units of the exact result, whose size a double has but for its overflow. */
static double distance(double got, long double exact) {
  if (got != got || exact != exact) return 0;
  if (fabsl(exact) > 0x1p1023L * 2) return isinf(got) ? 0 : INFINITY;
  if (isinf(got)) return fabsl(exact) > 0x1.fffffffffffffp1023L - 0x1p970L * 4 ? 0 : INFINITY;
  int exponent = 0;
  (void)frexpl(exact, &exponent);
  const int unit = exponent - 53 < -1074 ? -1074 : exponent - 53;
  return (double)ldexpl(fabsl((long double)got - exact), -unit);
}

/* The bound of f on the set with that number; base is fused on aarch64 alone. */
static double bound_of(const function *f, int isa) {
#define WIDE_NAME(name) #name,
  static const char *const wide[] = {MATH_WIDE(WIDE_NAME)};
  for (int i = 0; i < COUNT_OF(wide); i++)
    if (strcmp(wide[i], f->name) == 0 && (isa > 0 || TEST_FUSED_BASE)) return MATH_WIDE_BOUND;
  return f->bound;
}

static void check(const function *f, int isa) {
  const double bound = bound_of(f, isa);
  double worst = 0, at = 0;
  int wrong = 0;
  for (int i = 0; i < all(); i++) {
    const long double exact = f->reference((long double)x[i]);
    const double d = distance(y[i], exact);
    const bool same = (y[i] != y[i]) == (exact != exact) && (exact != exact || !signbit(y[i]) == !signbit(exact));
    wrong += same ? 0 : 1;
    if (!same && wrong < 4) printf("  %s(%a) is %a\n", f->name, x[i], y[i]);
    if (d > worst) {
      worst = d;
      at = x[i];
    }
  }
  CHECK(worst <= bound && wrong == 0);
  printf("%-12s %s %.3f ULP at %a%s\n", f->name, tsr_isa_name(isa), worst, at, worst > bound ? "  FAILED" : "");
}

/* Sets after the first fused one agree with it. */
static void check_bits(const function *f, int isa) {
  int split = 0;
  if (isa == 1) memcpy(first_fused, y, sizeof y);
  for (int i = 0; i < all() && isa > 1; i++)
    split += tsr__bits_of_f64(y[i]) != tsr__bits_of_f64(first_fused[i]) && y[i] == y[i] ? 1 : 0;
  CHECK(split == 0);
  if (split != 0) printf("  %s: %d numbers differ on %s\n", f->name, split, tsr_isa_name(isa));
}

TEST(f64_functions_are_within_their_bounds) {
  if (!test_has_long_double()) SKIP("long double is no longer than double here");
  for (int i = 0; i < COUNT_OF(functions); i++) {
    tsr_ctx *const ctx = test_context();
    fill(&functions[i]);
    for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
      tsr_tensor a = {0}, b = {0};
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      OK(ctx, tsr_from_const_memory(ctx, x, TSR_F64, TSR_SHAPE(all()), &a));
      OK(ctx, tsr_from_memory(ctx, y, TSR_F64, TSR_SHAPE(all()), &b));
      OK(ctx, functions[i].op(ctx, &a, &b));
      check(&functions[i], isa);
      check_bits(&functions[i], isa);
    }
  }
}

#else

TEST(f64_functions_are_within_their_bounds) { SKIP("no f64, or no longer double"); }

#endif

TEST_MAIN(RUN(f64_functions_are_within_their_bounds))
