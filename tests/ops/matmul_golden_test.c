/* Matrix products against NumPy's, to the bit. */
#include "support/test.h"

#include "ops/matmul_reference.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

typedef struct side {
  int ndim;
  tsr_index shape[4];
  _Alignas(8) double values[40];
} side;

typedef struct golden {
  int a_dtype, b_dtype, out_dtype;
  side a, b, out;
} golden;

static const golden rows[] = {
#include "golden/matmul.inc"
};

static tsr_tensor tensor_of(tsr_ctx *ctx, const side *s, int dtype) {
  tsr_tensor wide = {0}, t = {0};
  OK(ctx, tsr_from_const_memory(ctx, s->values, TSR_F64, s->ndim, s->shape, &wide));
  OK(ctx, tsr_cast(ctx, &wide, dtype, &t));
  return t;
}

static bool same_number(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

TEST(golden_values) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(rows); i++) {
      const golden *const g = &rows[i];
      tsr_ctx *const ctx = test_context();
      tsr_index index[TSR_MAX_DIMS] = {0}, at = 0;
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      tsr_tensor a = tensor_of(ctx, &g->a, g->a_dtype), b = tensor_of(ctx, &g->b, g->b_dtype), out = {0};
      OK(ctx, tsr_matmul(ctx, &a, &b, &out));
      CHECK(out.dtype == g->out_dtype && out.ndim == g->out.ndim);
      for (int axis = 0; axis < g->out.ndim && axis < out.ndim; axis++) CHECK(out.shape[axis] == g->out.shape[axis]);
      if (tsr_size(&out) > 0) do {
          CHECK(same_number(number_of(out.dtype, test_at(&out, index)), g->out.values[at++]));
        } while (test_next_index(out.ndim, out.shape, index));
      tsr_release(&a);
      tsr_release(&b);
      tsr_release(&out);
      CHECK(test_live() == 0);
    }
}

#else
TEST(golden_values) { SKIP("needs f64 and flash"); }
#endif

TEST_MAIN(RUN(golden_values))
