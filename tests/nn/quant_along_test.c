/* Layers of quantised numbers beside convolutions and pools (products, means, softmax, transposed convolutions, weights of 4 bits, layers
 * with a memory): strided, prepared, and what is refused. That their numbers are right: quant_exact_layers_test.c. */
#include "support/helpers.h"
#include "support/test.h"
#include <tessera/prepare.h>
#include <tessera/quant.h>

static _Alignas(8) unsigned char memory[TSR_HAVE_MALLOC ? 16384 : 6144], scratch[TSR_HAVE_MALLOC ? 1 << 19 : 4096];

static const tsr_quant i8 = {.dtype = TSR_I8, .scale = 0.05f, .zero = 3},
                       u8 = {.dtype = TSR_U8, .scale = 0.05f, .zero = 7}, i16 = {.dtype = TSR_I16, .scale = 0.001f},
                       w8 = {.dtype = TSR_I8, .scale = 0.02f};
static const tsr_qscheme scheme = {.x = {.dtype = TSR_I8, .scale = 0.05f, .zero = 3},
                                   .w = {.dtype = TSR_I8, .scale = 0.02f},
                                   .out = {.dtype = TSR_I8, .scale = 0.11f}};

static void fill(tsr_tensor *t, int step, int most) {
  for (tsr_index i = 0; i < tsr_size(t); i++) {
    const int v = (int)(i * step % (2 * most + 1)) - most;
    if (t->dtype == TSR_I16)
      ((int16_t *)t->data)[i] = (int16_t)v;
    else
      ((int8_t *)t->data)[i] = (int8_t)v;
  }
}

static void make(tsr_ctx *ctx, int dtype, int n, const tsr_index *shape, int step, int most, tsr_tensor *t) {
  *t = (tsr_tensor){0};
  OK(ctx, tsr_zeros(ctx, dtype, n, shape, t));
  fill(t, step, most);
}

typedef struct set {
  tsr_tensor image, rows, filters, turned, matrix, features, times, gates, state, cell;
  tsr_qlayer nibbles, dense, transposed;
  tsr_tensor out[8];
} set;

static void make_set(tsr_ctx *ctx, set *s) {
  const tsr_conv_transpose_options twice = {.stride = {2, 2}};
  *s = (set){0};
  make(ctx, TSR_I8, TSR_SHAPE(1, 4, 5, 6), 37, 120, &s->image);
  OK(ctx, tsr_set_layout(ctx, &s->image, TSR_NHWC, &s->image));
  make(ctx, TSR_I8, TSR_SHAPE(3, 8), 53, 120, &s->rows);
  make(ctx, TSR_I8, TSR_SHAPE(5, 6, 3, 3), 5, 7, &s->filters);
  make(ctx, TSR_I8, TSR_SHAPE(6, 5, 3, 3), 5, 99, &s->turned);
  make(ctx, TSR_I8, TSR_SHAPE(4, 8), 5, 7, &s->matrix);
  make(ctx, TSR_I16, TSR_SHAPE(2, 6), 991, 9000, &s->features);
  make(ctx, TSR_I8, TSR_SHAPE(6, 7), 5, 99, &s->times);
  make(ctx, TSR_I16, TSR_SHAPE(2, 12), 997, 9000, &s->gates);
  make(ctx, TSR_I16, TSR_SHAPE(2, 6, 7), 31, 900, &s->state);
  make(ctx, TSR_I16, TSR_SHAPE(2, 3), 31, 900, &s->cell);
  OK(ctx, tsr_qconv_i4_pack(ctx, &s->filters, NULL, NULL, &scheme, &s->nibbles));
  OK(ctx, tsr_qdense_i4_pack(ctx, &s->matrix, NULL, &scheme, &s->dense));
  OK(ctx, tsr_qconv_transpose_pack(ctx, &s->turned, NULL, &twice, &scheme, &s->transposed));
}

static void drop(set *s) {
  tsr_tensor *const all[] = {&s->image,    &s->rows,  &s->filters, &s->turned, &s->matrix,
                             &s->features, &s->times, &s->gates,   &s->state,  &s->cell};
  tsr_qlayer_release(&s->nibbles);
  tsr_qlayer_release(&s->dense);
  tsr_qlayer_release(&s->transposed);
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
  for (int i = 0; i < COUNT_OF(s->out); i++) tsr_release(&s->out[i]);
}

/* One call of each. */
static void calls(tsr_ctx *ctx, set *s) {
  OK(ctx, tsr_qmul(ctx, &s->rows, &i8, &s->rows, &i8, &i8, &s->out[0]));
  OK(ctx, tsr_qmean(ctx, &s->image, &i8, TSR_AXES(1, 2), true, &i8, &s->out[1]));
  OK(ctx, tsr_qsoftmax(ctx, &s->rows, &i8, -1, &s->out[2]));
  OK(ctx, tsr_qconv2d_i4(ctx, &s->image, &s->nibbles, &s->out[3]));
  OK(ctx, tsr_qdense_i4(ctx, &s->rows, &s->dense, &s->out[4]));
  OK(ctx, tsr_qconv_transpose2d(ctx, &s->image, &s->transposed, &s->out[5]));
  OK(ctx, tsr_qsvdf(ctx, &s->features, &i16, &s->times, &w8, NULL, 2, &i8, &s->state, &s->out[6]));
  OK(ctx, tsr_qlstm(ctx, &s->gates, NULL, 11, &i8, &s->cell, &s->out[7]));
}

TEST(prepared_layers_give_the_same_bits_again_and_again) {
  tsr_ctx *const ctx = test_context();
  set want, got;
  tsr_prepared prepared;
  make_set(ctx, &want);
  make_set(ctx, &got);
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  CHECK(tsr_prepared_init(memory, sizeof memory, &prepared) == TSR_OK);
  OK(ctx, tsr_prepared_begin(ctx, &prepared));
  calls(ctx, &got);
  OK(ctx, tsr_prepared_end(ctx, &prepared));
  for (int run = 0; run < 3; run++) { /* states move on with each */
    calls(ctx, &want);
    for (int i = 0; i < COUNT_OF(got.out); i++) memset(got.out[i].data, 0x55, tsr_nbytes(&got.out[i]));
    OK(ctx, tsr_prepared_run(ctx, &prepared));
    for (int i = 0; i < COUNT_OF(got.out); i++)
      CHECK(tsr_same_shape(&got.out[i], &want.out[i]) &&
            memcmp(got.out[i].data, want.out[i].data, tsr_nbytes(&got.out[i])) == 0);
    CHECK(memcmp(got.state.data, want.state.data, tsr_nbytes(&got.state)) == 0);
    CHECK(memcmp(got.cell.data, want.cell.data, tsr_nbytes(&got.cell)) == 0);
  }
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  drop(&want);
  drop(&got);
  CHECK(test_live() == 0);
}

TEST(elementwise_and_means_refuse) {
  tsr_ctx *const ctx = test_context();
  const float scales[3] = {1, 2, 3};
  const tsr_quant by_axis = {.dtype = TSR_I8, .scales = scales, .count = 3},
                  far = {.dtype = TSR_I16, .scale = 1, .zero = 32767};
  set s;
  tsr_tensor out = {0}, none = {0};
  make_set(ctx, &s);
  FAILS(ctx, TSR_EDTYPE, tsr_qmul(ctx, &s.rows, &u8, &s.rows, &i8, &i8, &out));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_qmul(ctx, &s.rows, &by_axis, &s.rows, &i8, &i8, &out));
  FAILS(ctx, TSR_EARG, tsr_qmul(ctx, &s.rows, &i8, &s.rows, &i8, NULL, &out));
  FAILS(ctx, TSR_EOVERFLOW, tsr_qmul(ctx, &s.features, &far, &s.features, &far, &i8, &out));
  MESSAGE_HAS(ctx, "qmul: a_quant has a zero point of 32767, b_quant one of 32767: products can leave 32 bits");
  FAILS(ctx, TSR_EDTYPE, tsr_qmean(ctx, &s.rows, &u8, TSR_AXES(0), false, &i8, &out));
  FAILS(ctx, TSR_EAXIS, tsr_qmean(ctx, &s.rows, &i8, TSR_AXES(2), false, &i8, &out));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(3, 0), &none));
  FAILS(ctx, TSR_ESHAPE, tsr_qmean(ctx, &none, &i8, TSR_AXES(1), false, &i8, &out));
  MESSAGE_HAS(ctx, "qmean: x is i8 [3,0]: a mean of no elements has no result");
  FAILS(ctx, TSR_EDTYPE, tsr_qsoftmax(ctx, &s.features, &i16, -1, &out));
  FAILS(ctx, TSR_EAXIS, tsr_qsoftmax(ctx, &s.rows, &i8, 2, &out));
  CHECK(tsr_is_none(&out));
  tsr_release(&none);
  drop(&s);
  CHECK(test_live() == 0);
}

TEST(layers_refuse) {
  tsr_ctx *const ctx = test_context();
  const tsr_conv_transpose_options negative = {.stride = {-1, 1}}, extra = {.output_padding = {1, 0}},
                                   groups = {.groups = 2};
  const tsr_qscheme zero = {.x = i8, .w = {.dtype = TSR_I8, .scale = 1, .zero = 1}, .out = i8};
  set s;
  tsr_qlayer layer = {0};
  tsr_tensor out = {0};
  make_set(ctx, &s);
  FAILS(ctx, TSR_EARG, tsr_qconv_transpose_pack(ctx, &s.turned, NULL, &negative, &scheme, &layer));
  FAILS(ctx, TSR_EARG, tsr_qconv_transpose_pack(ctx, &s.turned, NULL, &extra, &scheme, &layer));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_qconv_transpose_pack(ctx, &s.turned, NULL, &groups, &scheme, &layer));
  FAILS(ctx, TSR_EARG, tsr_qconv_transpose_pack(ctx, &s.turned, NULL, NULL, NULL, &layer));
  FAILS(ctx, TSR_ESHAPE, tsr_qconv_transpose_pack(ctx, &s.matrix, NULL, NULL, &scheme, &layer));
  FAILS(ctx, TSR_ERANGE, tsr_qconv_i4_pack(ctx, &s.turned, NULL, NULL, &scheme, &layer));
  FAILS(ctx, TSR_EARG, tsr_qdense_i4_pack(ctx, &s.matrix, NULL, &zero, &layer));
  FAILS(ctx, TSR_ESHAPE, tsr_qdense_i4_pack(ctx, &s.filters, NULL, &scheme, &layer));
  CHECK(tsr_is_none(&layer.table) && tsr_is_none(&layer.panels));
  /* of another op, empty, for another x */
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &s.nibbles, &out));
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &s.image, &s.transposed, &out));
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d_i4(ctx, &s.image, &s.transposed, &out));
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d_i4(ctx, &s.image, &s.dense, &out));
  FAILS(ctx, TSR_ESTATE, tsr_qconv_transpose2d(ctx, &s.image, &layer, &out));
  MESSAGE_HAS(ctx, "qconv_transpose2d: layer is empty, or was not packed for qconv_transpose2d");
  FAILS(ctx, TSR_EARG, tsr_qdense_i4(ctx, &s.rows, NULL, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_qdense_i4(ctx, &s.times, &s.dense, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_qdense_i4(ctx, &s.features, &s.dense, &out));
  layer = s.transposed;
  layer.options.stride[0] = -2; /* a struct from anywhere */
  FAILS(ctx, TSR_EARG, tsr_qconv_transpose2d(ctx, &s.image, &layer, &out));
  layer.options.stride[0] = 3;
  FAILS(ctx, TSR_ESTATE, tsr_qconv_transpose2d(ctx, &s.image, &layer, &out));
  layer = s.nibbles;
  layer.panels.shape[0]--;
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d_i4(ctx, &s.image, &layer, &out));
  CHECK(tsr_is_none(&out));
  drop(&s);
  CHECK(test_live() == 0);
}

TEST(layers_with_a_memory_refuse) {
  tsr_ctx *const ctx = test_context();
  set s;
  tsr_tensor out = {0}, none = {0};
  make_set(ctx, &s);
  int16_t before[84];
  memcpy(before, s.state.data, sizeof before);
  FAILS(ctx, TSR_ESTATE, tsr_qsvdf(ctx, &s.features, &i16, &s.times, &w8, NULL, 2, &i8, &none, &out));
  FAILS(ctx, TSR_EARG, tsr_qsvdf(ctx, &s.features, &i16, &s.times, &w8, NULL, 4, &i8, &s.state, &out));
  MESSAGE_HAS(ctx, "qsvdf: rank is 4, which 6 features do not divide by");
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_qsvdf(ctx, &s.features, &i8, &s.times, &w8, NULL, 2, &i8, &s.state, &out));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_qsvdf(ctx, &s.features, &i16, &s.times, &i8, NULL, 2, &i8, &s.state, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_qsvdf(ctx, &s.gates, &i16, &s.times, &w8, NULL, 2, &i8, &s.state, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_qsvdf(ctx, &s.features, &i16, &s.times, &w8, &s.features, 2, &i8, &s.state, &out));
  tsr_tensor inside = s.state;
  inside.flags = 0;
  inside.ndim = 2;
  inside.shape[1] = 3;
  inside.stride[0] = 3;
  inside.stride[1] = 1;
  FAILS(ctx, TSR_EOVERLAP,
        tsr_qsvdf(ctx, &s.features, &i16, &s.times, &w8, NULL, 2, &(tsr_quant){.dtype = TSR_I16, .scale = 1}, &s.state,
                  &inside));
  CHECK(memcmp(before, s.state.data, sizeof before) == 0);
  FAILS(ctx, TSR_ESTATE, tsr_qlstm(ctx, &s.gates, NULL, 11, &i8, &none, &out));
  FAILS(ctx, TSR_EARG, tsr_qlstm(ctx, &s.gates, NULL, 16, &i8, &s.cell, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_qlstm(ctx, &s.features, NULL, 11, &i8, &s.cell, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_qlstm(ctx, &s.gates, &s.features, 11, &i8, &s.cell, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_qlstm(ctx, &s.rows, NULL, 11, &i8, &s.cell, &out));
  CHECK(tsr_is_none(&out));
  drop(&s);
  CHECK(test_live() == 0);
}

/* One of the calls above, or a pack function. */
static tsr_status one_call(tsr_ctx *ctx, int way, set *s, tsr_qlayer *layer, tsr_tensor *out) {
  switch (way) {
    case 0: return tsr_qmul(ctx, &s->rows, &i8, &s->rows, &i8, &i8, out);
    case 1: return tsr_qmean(ctx, &s->image, &i8, TSR_AXES(1, 2), true, &i8, out);
    case 2: return tsr_qsoftmax(ctx, &s->rows, &i8, -1, out);
    case 3: return tsr_qconv2d_i4(ctx, &s->image, &s->nibbles, out);
    case 4: return tsr_qdense_i4(ctx, &s->rows, &s->dense, out);
    case 5: return tsr_qconv_transpose2d(ctx, &s->image, &s->transposed, out);
    case 6: return tsr_qsvdf(ctx, &s->features, &i16, &s->times, &w8, NULL, 2, &i8, &s->state, out);
    case 7: return tsr_qlstm(ctx, &s->gates, NULL, 11, &i8, &s->cell, out);
    case 8: return tsr_qconv_i4_pack(ctx, &s->filters, NULL, NULL, &scheme, layer);
    default: return tsr_qconv_transpose_pack(ctx, &s->turned, NULL, NULL, &scheme, layer);
  }
}

TEST(memory_that_runs_out_changes_nothing) {
  for (int way = 0; way < 10; way++) {
    tsr_ctx *const ctx = test_context();
    set s;
    tsr_qlayer layer = {0};
    tsr_tensor out = {0};
    int16_t state[84], cell[6];
    make_set(ctx, &s);
    memcpy(state, s.state.data, sizeof state);
    memcpy(cell, s.cell.data, sizeof cell);
    const size_t live = test_live();
    int failed = 0;
    for (; failed < 10; failed++) {
      tsr_failing *const failing = test_failing();
      failing->fail_at = failing->calls + (size_t)failed;
      const tsr_status st = one_call(ctx, way, &s, &layer, &out);
      failing->fail_at = SIZE_MAX;
      if (st == TSR_OK) break;
      CHECK(st == TSR_ENOMEM && tsr_is_none(&out) && tsr_is_none(&layer.table) && test_live() == live);
      CHECK(memcmp(state, s.state.data, sizeof state) == 0 && memcmp(cell, s.cell.data, sizeof cell) == 0);
    }
    CHECK(failed >= 1 && failed < 10);
    tsr_qlayer_release(&layer);
    tsr_release(&out);
    drop(&s);
    CHECK(test_live() == 0);
  }
}

/* u8, i16, channels first, rows that do not lie side by side: the same numbers as of what lies otherwise. */
TEST(other_dtypes_and_layouts_agree) {
  tsr_ctx *const ctx = test_context();
  set s;
  tsr_tensor bytes = {0}, want = {0}, got = {0}, turned = {0}, copy = {0};
  make_set(ctx, &s);
  const tsr_quant shifted = {.dtype = TSR_U8, .scale = 0.05f, .zero = 131},
                  to = {.dtype = TSR_U8, .scale = 0.01f, .zero = 100},
                  from = {.dtype = TSR_I8, .scale = 0.01f, .zero = -28};
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(3, 8), &bytes));
  for (int i = 0; i < 24; i++) ((uint8_t *)bytes.data)[i] = (uint8_t)(((int8_t *)s.rows.data)[i] + 128);
  for (int axis = 0; axis < 2; axis++) {
    OK(ctx, tsr_qmean(ctx, &s.rows, &i8, 1, &axis, false, &from, &want));
    OK(ctx, tsr_qmean(ctx, &bytes, &shifted, 1, &axis, false, &to, &got));
    for (int i = 0; i < tsr_size(&want); i++) CHECK(((uint8_t *)got.data)[i] == ((int8_t *)want.data)[i] + 128);
    tsr_release(&want);
    tsr_release(&got);
    OK(ctx, tsr_qsoftmax(ctx, &s.rows, &i8, axis, &want));
    OK(ctx, tsr_qsoftmax(ctx, &bytes, &shifted, axis, &got));
    for (int i = 0; i < tsr_size(&want); i++) CHECK(((uint8_t *)got.data)[i] == ((int8_t *)want.data)[i] + 128);
    tsr_release(&got);
    OK(ctx, tsr_permute(ctx, &s.rows, (const int[]){1, 0}, &turned));
    OK(ctx, tsr_qsoftmax(ctx, &turned, &i8, 1 - axis, &got));
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 8; k++)
        CHECK(((int8_t *)got.data)[k * got.stride[0] + i * got.stride[1]] == ((int8_t *)want.data)[i * 8 + k]);
    tsr_release(&got);
    tsr_release(&want);
    tsr_release(&turned);
  }
  OK(ctx, tsr_qconv_transpose2d(ctx, &s.image, &s.transposed, &want)); /* [1,9,11,5] */
  OK(ctx, tsr_permute(ctx, &s.image, (const int[]){0, 3, 1, 2}, &turned));
  turned.layout = TSR_PLAIN;
  OK(ctx, tsr_contiguous(ctx, &turned, &copy));
  OK(ctx, tsr_qconv_transpose2d(ctx, &copy, &s.transposed, &got));
  CHECK(got.shape[1] == 5 && got.shape[2] == 9 && got.shape[3] == 11);
  for (int o = 0; o < 5; o++)
    for (int i = 0; i < 99; i++) CHECK(((int8_t *)got.data)[o * 99 + i] == ((int8_t *)want.data)[i * 5 + o]);
  OK(ctx, tsr_qsoftmax(ctx, &s.rows, &i8, -1, &s.rows)); /* in place */
  tsr_tensor *const all[] = {&bytes, &want, &got, &turned, &copy};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
  drop(&s);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(prepared_layers_give_the_same_bits_again_and_again), RUN(elementwise_and_means_refuse),
          RUN(layers_refuse), RUN(layers_with_a_memory_refuse), RUN(memory_that_runs_out_changes_nothing),
          RUN(other_dtypes_and_layouts_agree))
