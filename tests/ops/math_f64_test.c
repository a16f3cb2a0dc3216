/* How far f64 functions are from the truth, against long double where that has more digits: a sample of every exponent
 * and of where functions bend. The bounds are those of <tessera/unary.h>. */
#include "ops/math_functions.h"
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
  math_fn    *op;
  long double (*reference)(long double);
  double bound; /* ULP */
  float  edges[6];
} function;

#define ROW(name, call, f32, f64, ...) {#name, call, ref_##name, f64, __VA_ARGS__},
static const function functions[] = {MATH_FUNCTIONS(ROW)};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(TSR_EMULATED)
enum { ALL = 1 << 12 };
#else
enum { ALL = 1 << 16 };
#endif

static double x[ALL], y[ALL];

/* A third over all patterns, a third where functions bend, a third around the edges of the function. */
static void fill(const function *f) {
  test_rng rng = {17};
  for (int i = 0; i < ALL; i++) {
    const uint64_t bits = (uint64_t)test_random(&rng) << 32 | test_random(&rng);
    const double plain = (double)(int64_t)bits * 0x1p-63;
    if (i % 3 == 0)
      x[i] = tsr__f64_of_bits(bits);
    else if (i % 3 == 1)
      x[i] = ldexp(plain, (int)(bits % 22) - 12);
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

static void check(const function *f, const char *isa) {
  double worst = 0, at = 0;
  int wrong = 0;
  for (int i = 0; i < ALL; i++) {
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
  CHECK(worst <= f->bound && wrong == 0);
  printf("%-12s %s %.3f ULP at %a%s\n", f->name, isa, worst, at, worst > f->bound ? "  FAILED" : "");
}

TEST(f64_functions_are_within_their_bounds) {
  for (int i = 0; i < COUNT_OF(functions); i++) {
    tsr_ctx *const ctx = test_context();
    fill(&functions[i]);
    for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
      tsr_tensor a = {0}, b = {0};
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      OK(ctx, tsr_from_const_memory(ctx, x, TSR_F64, TSR_SHAPE(ALL), &a));
      OK(ctx, tsr_from_memory(ctx, y, TSR_F64, TSR_SHAPE(ALL), &b));
      OK(ctx, functions[i].op(ctx, &a, &b));
      check(&functions[i], tsr_isa_name(isa));
    }
  }
}

#else

TEST(f64_functions_are_within_their_bounds) { SKIP("no f64, or no longer double"); }

#endif

TEST_MAIN(RUN(f64_functions_are_within_their_bounds))
