/* Prepared calls: the same bits as the calls themselves, and what is refused. */
#include "support/helpers.h"
#include "support/test.h"
#include <tessera/prepare.h>
#include <tessera/quant.h>

static _Alignas(8) unsigned char memory[TSR_HAVE_MALLOC ? 32768 : 8192], scratch[TSR_HAVE_MALLOC ? 1 << 19 : 4096];

static const tsr_quant of_a = {.dtype = TSR_I8, .scale = 0.05f, .zero = 3}, of_b = {.dtype = TSR_I8, .scale = 0.031f},
                       of_y = {.dtype = TSR_I8, .scale = 0.11f, .zero = -7};

typedef struct network {
  tsr_tensor x, w, w2, image, pooled, mean, sum, scores;
  tsr_qlayer conv, dense;
} network;

static void fill(tsr_tensor *t, int step) {
  int8_t *const bytes = t->data;
  for (tsr_index i = 0; i < tsr_size(t); i++) bytes[i] = (int8_t)(i * step % 251 - 125);
}

static void make(tsr_ctx *ctx, network *n) {
  const tsr_qscheme scheme = {.x = of_a, .w = {.dtype = TSR_I8, .scale = 0.02f}, .out = of_y, .activation = TSR_Q_RELU};
  const tsr_conv_options same = {.pad_before = {1, 1}, .pad_after = {1, 1}};
  *n = (network){0};
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(1, 6, 6, 5), &n->x));
  OK(ctx, tsr_set_layout(ctx, &n->x, TSR_NHWC, &n->x));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(7, 5, 3, 3), &n->w));
  OK(ctx, tsr_zeros(ctx, TSR_I8, TSR_SHAPE(4, 7), &n->w2));
  fill(&n->x, 37);
  fill(&n->w, 53);
  fill(&n->w2, 71);
  OK(ctx, tsr_qconv_pack(ctx, &n->w, NULL, &same, &scheme, &n->conv));
  OK(ctx, tsr_qdense_pack(ctx, &n->w2, NULL, &scheme, &n->dense));
}

/* Every op that has a plan, one after the other. */
static void calls(tsr_ctx *ctx, network *n) {
  OK(ctx, tsr_qconv2d(ctx, &n->x, &n->conv, &n->image));
  OK(ctx, tsr_qmax_pool(ctx, &n->image, TSR_SHAPE(2, 2), NULL, &n->pooled));
  OK(ctx, tsr_qavg_pool(ctx, &n->image, -7, TSR_SHAPE(2, 2), NULL, &n->mean));
  OK(ctx, tsr_qadd(ctx, &n->pooled, &of_a, &n->mean, &of_b, &of_y, &n->sum));
  OK(ctx, tsr_qdense(ctx, &n->sum, &n->dense, &n->scores));
}

static void release(network *n) {
  tsr_tensor *const all[] = {&n->x, &n->w, &n->w2, &n->image, &n->pooled, &n->mean, &n->sum, &n->scores};
  for (int i = 0; i < 8; i++) tsr_release(all[i]);
  tsr_qlayer_release(&n->conv);
  tsr_qlayer_release(&n->dense);
}

static bool same_bytes(const tsr_tensor *a, const tsr_tensor *b) {
  return tsr_same_shape(a, b) && memcmp(a->data, b->data, tsr_nbytes(a)) == 0;
}

TEST(prepared_calls_give_the_same_bits_again_and_again) {
  tsr_ctx *const ctx = test_context();
  network want, got;
  tsr_prepared prepared;
  make(ctx, &want);
  calls(ctx, &want);
  make(ctx, &got);
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  CHECK(tsr_prepared_init(memory + 1, sizeof memory - 1, &prepared) == TSR_OK);
  OK(ctx, tsr_prepared_begin(ctx, &prepared));
  calls(ctx, &got);
  OK(ctx, tsr_prepared_end(ctx, &prepared));
  tsr_tensor *const outs[] = {&got.image, &got.pooled, &got.mean, &got.sum, &got.scores};
  for (int run = 0; run < 3; run++) {
    for (int i = 0; i < 5; i++) memset(outs[i]->data, 0x55, tsr_nbytes(outs[i]));
    OK(ctx, tsr_prepared_run(ctx, &prepared));
    CHECK(same_bytes(&got.image, &want.image) && same_bytes(&got.pooled, &want.pooled));
    CHECK(same_bytes(&got.mean, &want.mean) && same_bytes(&got.sum, &want.sum));
    CHECK(same_bytes(&got.scores, &want.scores));
  }
  fill(&got.x, 11); /* what it reads now counts */
  fill(&want.x, 11);
  calls(ctx, &want);
  OK(ctx, tsr_prepared_run(ctx, &prepared));
  CHECK(same_bytes(&got.scores, &want.scores));
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  release(&want);
  release(&got);
  CHECK(test_live() == 0);
}

TEST(elementwise_ops_are_prepared) {
  tsr_ctx *const ctx = test_context();
  float a[6] = {1, -2, 3, -4, 5, -6}, b[3] = {10, 20, 30}, y[6] = {0}, z[6] = {0};
  const float want[6] = {11, 18, 33, 6, 25, 24};
  tsr_tensor ta = {0}, tb = {0}, ty = {0}, tz = {0};
  tsr_prepared prepared;
  OK(ctx, tsr_from_memory(ctx, a, TSR_F32, TSR_SHAPE(2, 3), &ta));
  OK(ctx, tsr_from_memory(ctx, b, TSR_F32, TSR_SHAPE(3), &tb));
  OK(ctx, tsr_from_memory(ctx, y, TSR_F32, TSR_SHAPE(2, 3), &ty));
  OK(ctx, tsr_from_memory(ctx, z, TSR_F32, TSR_SHAPE(2, 3), &tz));
  CHECK(tsr_prepared_init(memory, sizeof memory, &prepared) == TSR_OK);
  OK(ctx, tsr_prepared_begin(ctx, &prepared));
  OK(ctx, tsr_add(ctx, &ta, &tb, &ty));
  OK(ctx, tsr_relu(ctx, &ta, &tz));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_add_scalar(ctx, &ta, 2, &ty));
  OK(ctx, tsr_prepared_end(ctx, &prepared));
  CHECK(y[0] == 0 && z[0] == 0);
  OK(ctx, tsr_prepared_run(ctx, &prepared));
  CHECK(memcmp(y, want, sizeof y) == 0 && z[0] == 1 && z[1] == 0 && z[4] == 5);
  a[1] = 100;
  OK(ctx, tsr_prepared_run(NULL, &prepared));
  CHECK(y[1] == 120 && z[1] == 100);
  OK(ctx, tsr_add_scalar(ctx, &ta, 2, &ty));
  CHECK(y[1] == 102);
}

/* ---- layers of f32 ---- */

typedef struct floats {
  tsr_tensor x, w, bias, w2, image, pooled, mean, product, scores, chances, dot;
} floats;

static void fill_floats(tsr_tensor *t, int step) {
  float *const at = t->data;
  for (tsr_index i = 0; i < tsr_size(t); i++) at[i] = (float)(i * step % 251 - 125) * 0.01f;
}

static void make_floats(tsr_ctx *ctx, bool last, int channels, floats *n) {
  *n = (floats){0};
  if (last) {
    OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, 6, 6, channels), &n->x));
    OK(ctx, tsr_set_layout(ctx, &n->x, TSR_NHWC, &n->x));
  } else {
    OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(1, channels, 6, 6), &n->x));
  }
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(7, channels, 3, 3), &n->w));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(7), &n->bias));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(5, 3), &n->w2));
  fill_floats(&n->x, 37);
  fill_floats(&n->w, 53);
  fill_floats(&n->bias, 11);
  fill_floats(&n->w2, 71);
}

static void float_calls(tsr_ctx *ctx, floats *n) {
  const tsr_conv_options same = {.pad_before = {1, 1}, .pad_after = {1, 1}, .activation = {.kind = TSR_RELU}};
  const tsr_pool_options two = {.stride = {2, 2}};
  const tsr_activation relu = {.kind = TSR_RELU};
  tsr_tensor row = {0};
  OK(ctx, tsr_conv2d(ctx, &n->x, &n->w, &n->bias, &same, &n->image));
  OK(ctx, tsr_max_pool(ctx, &n->image, TSR_SHAPE(2, 2), &two, &n->pooled));
  OK(ctx, tsr_avg_pool(ctx, &n->image, TSR_SHAPE(2, 2), &two, &n->mean));
  OK(ctx, tsr_reshape_view(ctx, &n->pooled, TSR_SHAPE(-1, 3), &row));
  OK(ctx, tsr_dense(ctx, &row, &n->w2, NULL, &relu, &n->scores));
  OK(ctx, tsr_matmul(ctx, &n->scores, &n->w2, &n->product));
  OK(ctx, tsr_softmax(ctx, &n->product, -1, &n->chances));
  tsr_tensor a = {0}, b = {0};
  OK(ctx, tsr_select(ctx, &n->chances, 0, 1, &a));
  OK(ctx, tsr_select(ctx, &n->chances, 0, 2, &b));
  OK(ctx, tsr_dot(ctx, &a, &b, &n->dot));
}

static void release_floats(floats *n) {
  tsr_tensor *const all[] = {&n->x,    &n->w,       &n->bias,   &n->w2,      &n->image, &n->pooled,
                             &n->mean, &n->product, &n->scores, &n->chances, &n->dot};
  for (int i = 0; i < 11; i++) tsr_release(all[i]);
}

static void check_floats(tsr_ctx *ctx, bool last, int channels) {
  floats want, got;
  tsr_prepared prepared;
  make_floats(ctx, last, channels, &want);
  make_floats(ctx, last, channels, &got);
  float_calls(ctx, &want);
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  CHECK(tsr_prepared_init(memory, sizeof memory, &prepared) == TSR_OK);
  OK(ctx, tsr_prepared_begin(ctx, &prepared));
  float_calls(ctx, &got);
  OK(ctx, tsr_prepared_end(ctx, &prepared));
  tsr_tensor *const outs[] = {&got.image, &got.pooled, &got.mean, &got.scores, &got.product, &got.chances, &got.dot};
  const tsr_tensor *const wants[] = {&want.image,   &want.pooled,  &want.mean, &want.scores,
                                     &want.product, &want.chances, &want.dot};
  for (int run = 0; run < 3; run++) {
    for (int i = 0; i < 7; i++) memset(outs[i]->data, 0x55, tsr_nbytes(outs[i]));
    OK(ctx, tsr_prepared_run(ctx, &prepared));
    for (int i = 0; i < 7; i++) CHECK(same_bytes(outs[i], wants[i]));
  }
  fill_floats(&got.x, 13); /* what it reads now counts */
  fill_floats(&want.x, 13);
  float_calls(ctx, &want);
  OK(ctx, tsr_prepared_run(ctx, &prepared));
  for (int i = 0; i < 7; i++) CHECK(same_bytes(outs[i], wants[i]));
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  release_floats(&want);
  release_floats(&got);
}

TEST(layers_of_floats_are_prepared) {
  tsr_ctx *const ctx = test_context();
  for (int last = 0; last < 2; last++) {
    check_floats(ctx, last != 0, 5);
    check_floats(ctx, last != 0, 1);
  }
  CHECK(test_live() == 0);
}

TEST(what_cannot_be_prepared_is_refused_and_nothing_changes) {
  tsr_ctx *const ctx = test_context();
  network n;
  tsr_prepared prepared, small;
  tsr_tensor y = {0}, cast = {0};
  make(ctx, &n);
  CHECK(tsr_prepared_init(memory, sizeof memory, &prepared) == TSR_OK);
  CHECK(tsr_prepared_init(memory, 24, &small) == TSR_OK);
  OK(ctx, tsr_prepared_begin(ctx, &prepared));
  FAILS(ctx, TSR_ESTATE, tsr_prepared_begin(ctx, &small));
  FAILS(ctx, TSR_ESTATE, tsr_prepared_end(ctx, &small));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_cast(ctx, &n.x, TSR_F32, &cast)); /* no plan */
  MESSAGE_HAS(ctx, "cannot be prepared");
  FAILS(ctx, TSR_ESTATE, tsr_qconv2d(ctx, &n.x, &n.conv, &y)); /* no scratch of the context's */
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_qmax_pool(ctx, &n.x, TSR_SHAPE(1, 1), NULL, &n.x)); /* overlaps */
  FAILS(ctx, TSR_ESHAPE, tsr_qdense(ctx, &n.x, &n.dense, &y));
  CHECK(prepared.used == 0 && y.dtype == TSR_NONE && cast.dtype == TSR_NONE);
  OK(ctx, tsr_prepared_end(ctx, &prepared));
  OK(ctx, tsr_prepared_begin(ctx, &small));
  FAILS(ctx, TSR_ENOMEM, tsr_qmax_pool(ctx, &n.x, TSR_SHAPE(2, 2), NULL, &y));
  OK(ctx, tsr_prepared_end(ctx, &small));
  CHECK(small.used == 0 && y.dtype == TSR_NONE);
  OK(ctx, tsr_prepared_run(ctx, &small));                       /* nothing */
  OK(ctx, tsr_qmax_pool(ctx, &n.x, TSR_SHAPE(2, 2), NULL, &y)); /* computes again */
  CHECK(y.data != NULL);
  CHECK(tsr_prepared_init(NULL, 9, &small) == TSR_EARG && tsr_prepared_init(memory, 9, NULL) == TSR_EARG);
  CHECK(tsr_prepared_begin(NULL, &small) == TSR_EARG && tsr_prepared_run(ctx, NULL) == TSR_EARG);
  FAILS(ctx, TSR_EARG, tsr_prepared_begin(ctx, &(tsr_prepared){0}));
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  tsr_release(&y);
  release(&n);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(prepared_calls_give_the_same_bits_again_and_again), RUN(elementwise_ops_are_prepared),
          RUN(layers_of_floats_are_prepared), RUN(what_cannot_be_prepared_is_refused_and_nothing_changes))
