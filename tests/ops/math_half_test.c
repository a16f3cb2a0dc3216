/* Every number of f16 and of bf16 through every unary function, on every instruction set: what f32 gives, within its
 * bound, rounded once. */
#include "ops/math_functions.h"
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_F64 && TSR_HAVE_SMALL_FLOATS

#define R double
#define REF(name) ref_##name
#define LIBM(name) name
#include "ops/math_reference.tmpl.h"

typedef struct function {
  const char *name;
  math_fn *op;
  double (*reference)(double);
  double bound; /* ULP of f32 */
} function;

#define ROW(name, call, f32, f64, ...) {#name, call, ref_##name, f32},
static const function functions[] = {MATH_FUNCTIONS(ROW)};

/* A small float: its digits, the powers of two at its ends, and what share of its unit one of f32 is. */
typedef struct format {
  int dtype, digits;
  double least, most, share;
} format;

static const format formats[] = {{TSR_F16, 11, 0x1p-14, 0x1p15, 0x1p-13}, {TSR_BF16, 8, 0x1p-126, 0x1p127, 0x1p-16}};

enum { ALL = 65536 };

static uint16_t in[ALL], out[ALL];
static float x[ALL], y[ALL];
static double exact[ALL];

static void widen(const format *f, const uint16_t *from, float *to) {
  tsr_tensor a = {0}, b = {0};
  OK(NULL, tsr_from_const_memory(NULL, from, f->dtype, TSR_SHAPE(ALL), &a));
  OK(NULL, tsr_from_memory(NULL, to, TSR_F32, TSR_SHAPE(ALL), &b));
  OK(NULL, tsr_cast(NULL, &a, TSR_F32, &b));
}

/* Half a unit for the rounding, and the bound of f32. Subnormal numbers of bf16 are subnormal in f32 as well, where
 * units are 2^16 to one, of numbers that have but 7 bits. */
static void check_all(const function *f, const format *form) {
  const double most = 0.5 + f->bound * form->share;
  double worst = 0;
  int wrong = 0;
  for (int i = 0; i < ALL; i++) {
    const double units = math_units((double)y[i], exact[i], form->digits, form->least, form->most);
    wrong += math_differs((double)y[i], exact[i]) != 0;
    if (units > worst) worst = units;
  }
  CHECK(wrong == 0 && worst <= most);
  if (wrong != 0 || worst > most)
    printf("  %s of %s: %.6f units, %d of another kind\n", f->name, tsr_dtype_name(form->dtype), worst, wrong);
}

static void check_format(const format *form) {
  for (int i = 0; i < ALL; i++) in[i] = (uint16_t)i;
  widen(form, in, x);
  for (int i = 0; i < COUNT_OF(functions); i++) {
    tsr_ctx *const ctx = test_context();
    for (int k = 0; k < ALL; k++) exact[k] = functions[i].reference((double)x[k]);
    for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
      tsr_tensor a = {0}, b = {0};
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      OK(ctx, tsr_from_const_memory(ctx, in, form->dtype, TSR_SHAPE(ALL), &a));
      OK(ctx, tsr_from_memory(ctx, out, form->dtype, TSR_SHAPE(ALL), &b));
      OK(ctx, functions[i].op(ctx, &a, &b));
      widen(form, out, y);
      check_all(&functions[i], form);
    }
  }
}

TEST(every_f16) { check_format(&formats[0]); }
TEST(every_bf16) { check_format(&formats[1]); }

#else

TEST(every_f16) { SKIP("no f64 or no f16 in this configuration"); }
TEST(every_bf16) { SKIP("no f64 or no bf16 in this configuration"); }

#endif

TEST_MAIN(RUN(every_f16), RUN(every_bf16))
