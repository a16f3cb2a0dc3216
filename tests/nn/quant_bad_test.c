/* Quantised calls that mean nothing, memory that runs out, scratch that is too small, layers that are none. */
#include "nn/quant_reference.h"
#include "support/test.h"
#include "support/scratch.h"

static const tsr_quant i8 = {.dtype = TSR_I8, .scale = 0.5f}, u8 = {.dtype = TSR_U8, .scale = 0.5f, .zero = 7};
static const tsr_qscheme scheme = {
    .x = {.dtype = TSR_I8, .scale = 0.5f}, .w = {.dtype = TSR_I8, .scale = 0.5f}, .out = {.dtype = TSR_I8, .scale = 2}};

typedef struct set {
  tsr_tensor f, x, image, w, filters, bias, out;
} set;

static set make(tsr_ctx *ctx) {
  set s = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 4), &s.f));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(3, 4), &s.x));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(1, 4, 5, 4), &s.image));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(6, 4), &s.w));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(6, 4, 3, 3), &s.filters));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(6), &s.bias));
  s.image.layout = TSR_NHWC;
  return s;
}

static void drop(set *s) {
  tsr_tensor *const all[] = {&s->f, &s->x, &s->image, &s->w, &s->filters, &s->bias, &s->out};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(calibration_refuses) {
  tsr_ctx *const ctx = test_context();
  set s = make(ctx);
  tsr_quant q = {.scale = 77};
  float scales[4] = {9, 9, 9, 9};
  int32_t zeros[4] = {9, 9, 9, 9};
  FAILS(ctx, TSR_EARG, tsr_quant_init(ctx, TSR_I8, 0, 1, 0, &q));
  MESSAGE_HAS(ctx, "quant_init: from 1 to 0 is no range of finite numbers");
  FAILS(ctx, TSR_EARG, tsr_quant_init(ctx, TSR_I8, 0, 0, INFINITY, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_init(ctx, TSR_I8, 0, NAN, 1, &q));
  FAILS(ctx, TSR_EDTYPE, tsr_quant_init(ctx, TSR_I32, 0, 0, 1, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_init(ctx, TSR_I8, 5, 0, 1, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_init(ctx, TSR_I8, 0, 0, 1, NULL));
  FAILS(ctx, TSR_EDTYPE, tsr_quant_params(ctx, &s.x, TSR_I8, 0, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_params(ctx, &s.f, TSR_I8, 0, NULL));
  FAILS(ctx, TSR_EAXIS, tsr_quant_params_axis(ctx, &s.f, 2, TSR_I8, 0, scales, zeros, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_params_axis(ctx, &s.f, 1, TSR_I8, 0, NULL, zeros, &q));
  ((float *)s.f.data)[3] = NAN; /* of the last channel: nothing of the others is written */
  FAILS(ctx, TSR_EARG, tsr_quant_params_axis(ctx, &s.f, 1, TSR_I8, 0, scales, zeros, &q));
  FAILS(ctx, TSR_EARG, tsr_quant_params(ctx, &s.f, TSR_I8, 0, &q));
  CHECK(q.scale == 77 && scales[0] == 9 && zeros[0] == 9);
  drop(&s);
  CHECK(test_live() == 0);
}

TEST(elements_refuse) {
  tsr_ctx *const ctx = test_context();
  set s = make(ctx);
  const float three[3] = {1, 2, 3};
  const tsr_quant none = {.dtype = TSR_I8}, far = {.dtype = TSR_I8, .scale = 1, .zero = 128};
  const tsr_quant by = {.dtype = TSR_I8, .scales = three, .count = 3, .axis = 1};
  const tsr_quant wide = {.dtype = TSR_I32, .scale = 1}, off = {.dtype = TSR_I32, .scale = 1, .zero = 1};
  const tsr_quant tiny = {.dtype = TSR_I8, .scale = 0x1p-100f};
  FAILS(ctx, TSR_EARG, tsr_quantize(ctx, &s.f, &none, &s.out));
  MESSAGE_HAS(ctx, "quantize: quant has a scale of 0, which is not a finite number above 0");
  FAILS(ctx, TSR_EARG, tsr_quantize(ctx, &s.f, &far, &s.out));
  MESSAGE_HAS(ctx, "quantize: quant has a zero point of 128, which is none of i8");
  FAILS(ctx, TSR_ESHAPE, tsr_quantize(ctx, &s.f, &by, &s.out));
  MESSAGE_HAS(ctx, "quantize: quant has 3 scales, axis 1 of f32 [3,4] has 4");
  FAILS(ctx, TSR_EARG, tsr_quantize(ctx, &s.f, NULL, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_quantize(ctx, &s.f, &wide, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_quantize(ctx, &s.x, &i8, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_quantize(ctx, &s.f, &i8, &s.f));
  FAILS(ctx, TSR_EARG, tsr_quantize(ctx, &s.f, &i8, NULL));
  FAILS(ctx, TSR_EDTYPE, tsr_dequantize(ctx, &s.x, &u8, &s.out));
  FAILS(ctx, TSR_EARG, tsr_dequantize(ctx, &s.bias, &off, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_requantize(ctx, &s.x, &i8, &wide, &s.out));
  FAILS(ctx, TSR_ERANGE, tsr_requantize(ctx, &s.x, &i8, &tiny, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_qadd(ctx, &s.x, &u8, &s.x, &i8, &i8, &s.out));
  FAILS(ctx, TSR_ESHAPE, tsr_qadd(ctx, &s.x, &i8, &s.w, &i8, &i8, &s.out));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_qadd(ctx, &s.x, &by, &s.x, &i8, &i8, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_qmax_pool(ctx, &s.f, TSR_SHAPE(2, 2), NULL, &s.out));
  FAILS(ctx, TSR_ESHAPE, tsr_qmax_pool(ctx, &s.image, TSR_SHAPE(9, 2), NULL, &s.out));
  FAILS(ctx, TSR_EARG, tsr_qavg_pool(ctx, &s.image, 200, TSR_SHAPE(2, 2), NULL, &s.out));
  MESSAGE_HAS(ctx, "qavg_pool: zero 200 is none of i8");
  FAILS(ctx, TSR_EUNSUPPORTED,
        tsr_qavg_pool(ctx, &s.image, 0, 2, ((tsr_index[]){1 << 11, 1 << 11}),
                      (&(tsr_pool_options){.pad_before = {2046, 2046}}), &s.out));
  CHECK(tsr_is_none(&s.out));
  drop(&s);
  CHECK(test_live() == 0);
}

TEST(layers_refuse) {
  tsr_ctx *const ctx = test_context();
  set s = make(ctx);
  tsr_qlayer l = {0};
  size_t bytes = 1;
  const float one[6] = {1, 1, 1, 1, 1, 1};
  tsr_qscheme other = scheme;
  FAILS(ctx, TSR_ESHAPE, tsr_qdense_pack(ctx, &s.filters, NULL, &scheme, &l));
  FAILS(ctx, TSR_ESHAPE, tsr_qconv_pack(ctx, &s.w, NULL, NULL, &scheme, &l));
  FAILS(ctx, TSR_ESHAPE, tsr_qconv_pack_size(ctx, &s.w, NULL, &scheme, &bytes));
  FAILS(ctx, TSR_EARG, tsr_qdense_pack_size(ctx, &s.w, &scheme, NULL));
  FAILS(ctx, TSR_EDTYPE, tsr_qdense_pack(ctx, &s.w, &s.x, &scheme, &l));
  MESSAGE_HAS(ctx, "qdense_pack: bias is i8 [3,4]; it is i32: tsr_qbias");
  FAILS(ctx, TSR_EARG, tsr_qdense_pack(ctx, &s.w, NULL, NULL, &l));
  FAILS(ctx, TSR_EARG, tsr_qdense_pack(ctx, &s.w, NULL, &scheme, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_qconv_pack(ctx, &s.filters, NULL, &(tsr_conv_options){.groups = 4}, &scheme, &l));
  FAILS(ctx, TSR_EARG, tsr_qconv_pack(ctx, &s.filters, NULL, &(tsr_conv_options){.algorithm = 1}, &scheme, &l));
  other.w = (tsr_quant){.dtype = TSR_I8, .scales = one, .count = 4, .axis = 1};
  FAILS(ctx, TSR_EAXIS, tsr_qdense_pack(ctx, &s.w, NULL, &other, &l));
  other = scheme;
  other.activation = 3;
  FAILS(ctx, TSR_EARG, tsr_qdense_pack(ctx, &s.w, NULL, &other, &l));
  ((int32_t *)s.bias.data)[5] = INT32_MAX - 100; /* with weights of 0 every sum fits, with one of 1 not */
  OK(ctx, tsr_qdense_pack(ctx, &s.w, &s.bias, &scheme, &l));
  tsr_qlayer_release(&l);
  ((int8_t *)s.w.data)[5 * 4] = 1;
  FAILS(ctx, TSR_EOVERFLOW, tsr_qdense_pack(ctx, &s.w, &s.bias, &scheme, &l));
  MESSAGE_HAS(ctx, "qdense_pack: w i8 [6,4]: sums of output 5 can leave 32 bits");
  FAILS(ctx, TSR_EDTYPE, tsr_qbias(ctx, &s.bias, &scheme, &s.out));
  FAILS(ctx, TSR_ESHAPE, tsr_qmatmul(ctx, &s.x, &i8, &s.w, &i8, &i8, &s.out));
  tsr_tensor turned = {0};
  OK(ctx, tsr_transpose(ctx, &s.w, 0, 1, &turned));
  FAILS(ctx, TSR_EARG, tsr_qmatmul(ctx, &s.x, NULL, &turned, &i8, &i8, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_qmatmul(ctx, &s.x, &u8, &turned, &i8, &i8, &s.out));
  CHECK(tsr_is_none(&l.table) && tsr_is_none(&s.out) && bytes == 1);
  drop(&s);
  CHECK(test_live() == 0);
}

TEST(runs_refuse) {
  tsr_ctx *const ctx = test_context();
  set s = make(ctx);
  tsr_qlayer l = {0}, dense = {0};
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &l, &s.out));
  MESSAGE_HAS(ctx, "qconv2d: layer is empty");
  OK(ctx, tsr_qconv_pack(ctx, &s.filters, NULL, NULL, &scheme, &l));
  OK(ctx, tsr_qdense_pack(ctx, &s.w, NULL, &scheme, &dense));
  FAILS(ctx, TSR_EARG, tsr_qconv2d(ctx, &s.image, NULL, &s.out));
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &dense, &s.out));
  FAILS(ctx, TSR_ESTATE, tsr_qdense(ctx, &s.x, &l, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_qdense(ctx, &s.bias, &dense, &s.out));
  FAILS(ctx, TSR_ESHAPE, tsr_qdense(ctx, &s.filters, &dense, &s.out));
  FAILS(ctx, TSR_EDTYPE, tsr_qconv2d(ctx, &s.f, &l, &s.out));
  FAILS(ctx, TSR_ESHAPE, tsr_qconv2d(ctx, &s.x, &l, &s.out));
  FAILS(ctx, TSR_EARG, tsr_qdense(ctx, NULL, &dense, &s.out));
  tsr_qlayer broken = l;
  broken.kernel = 9;
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &broken, &s.out));
  broken = l;
  broken.high = 128;
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &broken, &s.out));
  broken = l;
  broken.table.shape[1] = 5;
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &broken, &s.out));
  broken = l;
  broken.options.stride[0] = -1;
  FAILS(ctx, TSR_EARG, tsr_qconv2d(ctx, &s.image, &broken, &s.out));
  if (!tsr_is_none(&l.panels)) {
    broken = l;
    broken.panels.shape[0]--;
    FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &broken, &s.out));
  }
  ((int32_t *)l.table.data)[2 * 6] = 63; /* a shift that is none */
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &l, &s.out));
  CHECK(tsr_is_none(&s.out));
  tsr_qlayer_release(&l);
  tsr_qlayer_release(&dense);
  drop(&s);
  CHECK(test_live() == 0);
}

TEST(memory_that_runs_out_changes_nothing) {
  for (int way = 0; way < 4; way++) {
    tsr_ctx *const ctx = test_context();
    set s = make(ctx);
    tsr_qlayer l = {0}, dense = {0};
    OK(ctx, tsr_qconv_pack(ctx, &s.filters, NULL, NULL, &scheme, &l));
    OK(ctx, tsr_qdense_pack(ctx, &s.w, NULL, &scheme, &dense));
    tsr_tensor turned = {0};
    OK(ctx, tsr_transpose(ctx, &s.w, 0, 1, &turned));
    const size_t live = test_live();
    int failed = 0;
    for (; failed < 10; failed++) {
      tsr_failing *const failing = test_failing();
      failing->fail_at = failing->calls + (size_t)failed;
      tsr_qlayer fresh = {0};
      const tsr_status st = way == 0   ? tsr_qconv2d(ctx, &s.image, &l, &s.out)
                            : way == 1 ? tsr_qdense(ctx, &s.x, &dense, &s.out)
                            : way == 2 ? tsr_qmatmul(ctx, &s.x, &i8, &turned, &i8, &i8, &s.out)
                                       : tsr_qconv_pack(ctx, &s.filters, NULL, NULL, &scheme, &fresh);
      failing->fail_at = SIZE_MAX;
      if (way == 3) tsr_qlayer_release(&fresh);
      if (st == TSR_OK) break;
      CHECK(st == TSR_ENOMEM && tsr_is_none(&s.out) && test_live() == live);
    }
    CHECK(failed >= 1 && failed < 10);
    tsr_qlayer_release(&l);
    tsr_qlayer_release(&dense);
    drop(&s);
    CHECK(test_live() == 0);
  }
}

/* A table that was described is described again where there is no memory for the panels. */
TEST(a_described_table_stays_described) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  set s = make(ctx);
  tsr_qlayer l = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_I32, TSR_SHAPE(4, 6), &l.table));
  const tsr_tensor before = l.table;
  const size_t live = test_live();
  tsr_failing *const failing = test_failing();
  failing->fail_at = failing->calls + 1;
  FAILS(ctx, TSR_ENOMEM, tsr_qconv_pack(ctx, &s.filters, NULL, NULL, &scheme, &l));
  failing->fail_at = SIZE_MAX;
  CHECK(memcmp(&l.table, &before, sizeof before) == 0 && tsr_is_none(&l.panels) && test_live() == live);
  OK(ctx, tsr_qconv_pack(ctx, &s.filters, NULL, NULL, &scheme, &l));
  tsr_qlayer_release(&l);
  drop(&s);
  CHECK(test_live() == 0);
#else
  SKIP("layers whose weights are packed");
#endif
}

typedef struct layer_call {
  const tsr_tensor *x;
  const tsr_qlayer *layer;
  tsr_tensor *out;
} layer_call;

static tsr_status call_conv(tsr_ctx *ctx, void *arg) {
  const layer_call *const c = arg;
  return tsr_qconv2d(ctx, c->x, c->layer, c->out);
}

static tsr_status call_dense(tsr_ctx *ctx, void *arg) {
  const layer_call *const c = arg;
  return tsr_qdense(ctx, c->x, c->layer, c->out);
}

TEST(scratch_of_the_promised_size_is_enough_and_less_is_not) {
  tsr_ctx *const ctx = test_context();
  set s = make(ctx);
  tsr_qlayer l = {0}, dense = {0};
  tsr_tensor rows = {0}, x = {0}, out = {0};
  OK(ctx, tsr_qconv_pack(ctx, &s.filters, NULL, NULL, &scheme, &l));
  OK(ctx, tsr_qdense_pack(ctx, &s.w, NULL, &scheme, &dense));
  OK(ctx, tsr_qconv2d(ctx, &s.image, &l, &s.out));
  CHECK(test_scratch(ctx, call_conv, &(layer_call){&s.image, &l, &s.out}) > 0);
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(3, 2, 4), &rows)); /* rows that do not lie evenly are copied */
  OK(ctx, tsr_transpose(ctx, &rows, 0, 1, &x));
  OK(ctx, tsr_qdense(ctx, &rows, &dense, &out));
  const size_t even = test_scratch(ctx, call_dense, &(layer_call){&rows, &dense, &out});
  tsr_release(&out);
  OK(ctx, tsr_qdense(ctx, &x, &dense, &out));
  CHECK(test_scratch(ctx, call_dense, &(layer_call){&x, &dense, &out}) > even);
  tsr_release(&rows);
  tsr_release(&out);
  tsr_qlayer_release(&l);
  tsr_qlayer_release(&dense);
  drop(&s);
  CHECK(test_live() == 0);
}

/* A described output whose rows do not lie evenly. */
TEST(rows_of_an_output_that_is_described) {
  tsr_ctx *const ctx = test_context();
  set s = make(ctx);
  tsr_qlayer dense = {0};
  tsr_tensor rows = {0}, want = {0}, got = {.dtype = TSR_I8, .ndim = 3, .shape = {3, 2, 6}, .stride = {6, 18, 1}};
  for (int i = 0; i < 24; i++) ((int8_t *)s.w.data)[i] = (int8_t)(i * 7 % 31 - 15);
  OK(ctx, tsr_qdense_pack(ctx, &s.w, NULL, &scheme, &dense));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(3, 2, 4), &rows));
  for (int i = 0; i < 24; i++) ((int8_t *)rows.data)[i] = (int8_t)(i * 11 % 200 - 100);
  OK(ctx, tsr_qdense(ctx, &rows, &dense, &want));
  OK(ctx, tsr_qdense(ctx, &rows, &dense, &got));
  CHECK(got.stride[1] == 18 && test_same_elements(&want, &got));
  tsr_release(&rows);
  tsr_release(&want);
  tsr_release(&got);
  tsr_qlayer_release(&dense);
  drop(&s);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(calibration_refuses), RUN(elements_refuse), RUN(layers_refuse), RUN(runs_refuse),
          RUN(memory_that_runs_out_changes_nothing), RUN(a_described_table_stays_described),
          RUN(scratch_of_the_promised_size_is_enough_and_less_is_not), RUN(rows_of_an_output_that_is_described))
