/* Quantised weights in bundles: read by name, and used by a layer. */
#include "nn/quant_reference.h"
#include "support/test.h"

#include <tessera/bundle.h>
#include <tessera/tessera.h>

static void add(tsr_ctx *ctx, tsr_bundle *b, const char *name, int dtype, int ndim, const tsr_index *shape,
                double value) {
  tsr_tensor t = {0};
  OK(ctx, tsr_zeros(ctx, dtype, ndim, shape, &t));
  OK(ctx, tsr_fill(ctx, (tsr_real)value, &t));
  OK(ctx, tsr_bundle_add(ctx, b, name, &t));
}

/* W is 4 times 3, its scales by row 1, 2, 3, 4; y = W x through tsr_qdense. */
TEST(a_dense_layer_runs_with_them) {
  tsr_ctx *const ctx = test_context();
  tsr_bundle b = {0};
  tsr_tensor t = {0}, x = {0}, y = {0};
  const tsr_tensor *w = NULL;
  tsr_qlayer layer = {0};
  tsr_qscheme scheme = {.x = {.dtype = TSR_I8, .scale = 1}, .out = {.dtype = TSR_I8, .scale = 2}};
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(4, 3), &t));
  for (int i = 0; i < 12; i++) ((int8_t *)t.data)[i] = (int8_t)(i % 3 == i / 3 % 3);
  OK(ctx, tsr_bundle_add(ctx, &b, "w", &t));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 1), &t));
  for (int i = 0; i < 4; i++) ((float *)t.data)[i] = (float)(i + 1);
  OK(ctx, tsr_bundle_add(ctx, &b, "w.scale", &t));
  add(ctx, &b, "w.zero_point", TSR_I32, TSR_SHAPE(4, 1), 0);
  OK(ctx, tsr_quant_get(ctx, &b, "w", &w, &scheme.w));
  CHECK(scheme.w.count == 4 && scheme.w.axis == 0 && scheme.w.dtype == TSR_I8 && scheme.w.scales[3] == 4);
  OK(ctx, tsr_qdense_pack(ctx, w, NULL, &scheme, &layer));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(1, 3), &x));
  for (int i = 0; i < 3; i++) ((int8_t *)x.data)[i] = (int8_t)(10 * (i + 1));
  OK(ctx, tsr_qdense(ctx, &x, &layer, &y)); /* reals 10, 40, 90, 40, in steps of 2 */
  static const int8_t want[] = {5, 20, 45, 20};
  CHECK(memcmp(y.data, want, 4) == 0);
  tsr_release(&x);
  tsr_release(&y);
  tsr_qlayer_release(&layer);
  tsr_bundle_release(&b);
  CHECK(test_live() == 0);
}

TEST(one_scale_is_for_the_whole_tensor) {
  tsr_ctx *const ctx = test_context();
  tsr_bundle b = {0};
  const tsr_tensor *w = NULL;
  tsr_quant q;
  add(ctx, &b, "w", TSR_U8, TSR_SHAPE(2, 3, 4), 7);
  add(ctx, &b, "w.scale", TSR_F32, TSR_SHAPE(1, 1, 1), 0.5);
  OK(ctx, tsr_quant_get(ctx, &b, "w", &w, &q));
  CHECK(q.scale == 0.5f && q.zero == 0 && q.scales == NULL && w == tsr_bundle_find(&b, "w"));
  add(ctx, &b, "w.zero_point", TSR_I32, TSR_SHAPE(1), 7);
  OK(ctx, tsr_quant_get(ctx, &b, "w", &w, &q));
  CHECK(q.zero == 7);
  tsr_bundle_release(&b);
  CHECK(test_live() == 0);
}

TEST(what_does_not_fit_is_refused) {
  static const struct {
    tsr_status status;
    int dtype, ndim;
    tsr_index shape[3];
    double scale;
    int zero_ndim;
    tsr_index zero_shape[3];
    double zero;
  } cases[] = {{TSR_EDTYPE, TSR_F64, 3, {2, 1, 1}, 1, 3, {2, 1, 1}, 0},
               {TSR_ESHAPE, TSR_F32, 1, {2}, 1, 3, {2, 1, 1}, 0},
               {TSR_ESHAPE, TSR_F32, 3, {2, 3, 1}, 1, 3, {2, 1, 1}, 0},
               {TSR_ESHAPE, TSR_F32, 3, {5, 1, 1}, 1, 3, {5, 1, 1}, 0},
               {TSR_ESHAPE, TSR_F32, 3, {2, 1, 1}, 1, 3, {1, 3, 1}, 0},
               {TSR_ESHAPE, TSR_F32, 3, {2, 1, 1}, 1, 3, {1, 1, 2}, 0},
               {TSR_ERANGE, TSR_F32, 3, {2, 1, 1}, 0, 3, {2, 1, 1}, 0},
               {TSR_ERANGE, TSR_F32, 3, {2, 1, 1}, 1, 3, {2, 1, 1}, 128}};
  tsr_ctx *const ctx = test_context();
  const tsr_tensor *w = NULL;
  tsr_quant q = {.scale = 77};
  for (int i = 0; i < COUNT_OF(cases); i++) {
    tsr_bundle b = {0};
    add(ctx, &b, "w", TSR_I8, TSR_SHAPE(2, 3, 2), 1);
    FAILS(ctx, TSR_ENAME, tsr_quant_get(ctx, &b, "w", &w, &q));
    add(ctx, &b, "w.scale", cases[i].dtype, cases[i].ndim, cases[i].shape, cases[i].scale);
    add(ctx, &b, "w.zero_point", TSR_I32, cases[i].zero_ndim, cases[i].zero_shape, cases[i].zero);
    FAILS(ctx, cases[i].status, tsr_quant_get(ctx, &b, "w", &w, &q));
    CHECK(q.scale == 77 && w == NULL);
    tsr_bundle_release(&b);
  }
  tsr_bundle b = {0};
  add(ctx, &b, "f", TSR_F32, TSR_SHAPE(2), 1);
  FAILS(ctx, TSR_ENAME, tsr_quant_get(ctx, &b, "x", &w, &q));
  FAILS(ctx, TSR_EDTYPE, tsr_quant_get(ctx, &b, "f", &w, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_get(ctx, NULL, "f", &w, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_get(ctx, &b, NULL, &w, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_get(ctx, &b, "f", NULL, &q));
  tsr_bundle_release(&b);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(a_dense_layer_runs_with_them), RUN(one_scale_is_for_the_whole_tensor), RUN(what_does_not_fit_is_refused))
