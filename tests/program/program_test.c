/* Recording and replaying: the same bits as the calls themselves, in planned memory. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

static tsr_tensor random_tensor(tsr_ctx *ctx, tsr_rng *rng, int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(ctx, tsr_rand_normal(ctx, rng, TSR_F32, ndim, shape, &t));
  return t;
}

static bool same_bits(const tsr_tensor *a, const tsr_tensor *b) {
  return a->dtype == b->dtype && tsr_same_shape(a, b) && test_same_elements(a, b);
}

/* ---- a network, as calls ---- */

typedef struct layers {
  tsr_tensor filters, bias, weights, dense_bias; /* (4, 1, 3, 3), (4), (10, 64), (10) */
} layers;

static void make_layers(tsr_ctx *ctx, layers *l) {
  tsr_rng rng = tsr_rng_seed(5);
  l->filters = random_tensor(ctx, &rng, TSR_SHAPE(4, 1, 3, 3));
  l->bias = random_tensor(ctx, &rng, TSR_SHAPE(4));
  l->weights = random_tensor(ctx, &rng, TSR_SHAPE(10, 64));
  l->dense_bias = random_tensor(ctx, &rng, TSR_SHAPE(10));
}

static void release_layers(layers *l) {
  tsr_release(&l->filters);
  tsr_release(&l->bias);
  tsr_release(&l->weights);
  tsr_release(&l->dense_bias);
}

/* image (1, 1, 8, 8) -> scores (1, 10); temporaries of its own. */
static tsr_status network(tsr_ctx *ctx, const layers *l, const tsr_tensor *image, tsr_tensor *scores) {
  const tsr_conv_options same = {.pad_before = {1, 1}, .pad_after = {1, 1}, .activation = {.kind = TSR_RELU}};
  tsr_tensor a = {0}, b = {0}, flat = {0}, logits = {0};
  tsr_status st;
  TSR_TRY(st, tsr_conv2d(ctx, image, &l->filters, &l->bias, &same, &a), done); /* (1, 4, 8, 8) */
  TSR_TRY(st, tsr_add_scalar(ctx, &a, 0.5, &a), done);                         /* in place */
  TSR_TRY(st, tsr_max_pool(ctx, &a, TSR_SHAPE(2, 2), NULL, &b), done);         /* (1, 4, 4, 4) */
  TSR_TRY(st, tsr_reshape_view(ctx, &b, TSR_SHAPE(1, 64), &flat), done);       /* a view: no call */
  TSR_TRY(st, tsr_dense(ctx, &flat, &l->weights, &l->dense_bias, NULL, &logits), done);
  TSR_TRY(st, tsr_softmax(ctx, &logits, -1, scores), done);
done:
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&logits);
  return st;
}

static tsr_program *record_network(tsr_ctx *ctx, const layers *l) {
  tsr_program *program = NULL;
  tsr_tensor like = {0}, image = {0}, scores = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(1, 1, 8, 8), &like));
  OK(ctx, tsr_program_new(ctx, &program));
  OK(ctx, tsr_program_begin(ctx, program));
  OK(ctx, tsr_program_input(ctx, program, "image", &like, &image));
  OK(ctx, network(ctx, l, &image, &scores));
  OK(ctx, tsr_program_output(ctx, program, "scores", &scores));
  OK(ctx, tsr_program_end(ctx, program));
  tsr_release(&image);
  tsr_release(&scores);
  return program;
}

TEST(a_network_replays_with_the_same_bits) {
  tsr_ctx ctx;
  layers l;
  OK(NULL, tsr_context_init(&ctx, NULL));
  make_layers(&ctx, &l);
  tsr_program *const program = record_network(&ctx, &l);
  CHECK(tsr_program_calls(program) == 5 && tsr_program_inputs(program) == 1 && tsr_program_outputs(program) == 1);
  const tsr_plan_report plan = tsr_program_memory(program);
  CHECK(plan.planned > 0 && plan.planned < plan.unshared);
  tsr_tensor given = {0};
  OK(&ctx, tsr_empty(&ctx, TSR_F32, TSR_SHAPE(1, 10), &given));
  for (uint64_t seed = 0; seed < 20; seed++) {
    tsr_rng rng = tsr_rng_seed(100 + seed);
    tsr_tensor image = random_tensor(&ctx, &rng, TSR_SHAPE(1, 1, 8, 8)), want = {0}, fresh = {0};
    OK(&ctx, network(&ctx, &l, &image, &want));
    OK(&ctx, tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){&image}, 1, (tsr_tensor *[]){&fresh}));
    OK(&ctx, tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){&image}, 1, (tsr_tensor *[]){&given}));
    CHECK(same_bits(&want, &fresh) && same_bits(&want, &given));
    tsr_release(&image);
    tsr_release(&want);
    tsr_release(&fresh);
  }
  tsr_release(&given);
  tsr_program_free(program);
  release_layers(&l);
  CHECK(test_live() == 0);
}

TEST(a_replay_into_given_memory_allocates_nothing) {
  tsr_counting counting;
  tsr_ctx ctx, run;
  layers l;
  OK(NULL, tsr_context_init(&ctx, NULL));
  make_layers(&ctx, &l);
  tsr_program *const program = record_network(&ctx, &l);
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&run, &counting.allocator));
  run.parallel = tsr_parallel_serial();
  const size_t bytes = tsr_program_scratch(program) + 2 * sizeof(tsr_tensor) + 4 * TSR_DATA_ALIGN;
  void *const scratch = malloc(bytes);
  OK(&run, tsr_context_set_scratch(&run, scratch, bytes));
  tsr_rng rng = tsr_rng_seed(3);
  tsr_tensor image = random_tensor(&ctx, &rng, TSR_SHAPE(1, 1, 8, 8)), given = {0};
  OK(&ctx, tsr_empty(&ctx, TSR_F32, TSR_SHAPE(1, 10), &given));
  OK(&run, tsr_program_run(&run, program, 1, (const tsr_tensor *[]){&image}, 1, (tsr_tensor *[]){&given}));
  CHECK(counting.stats.calls == 0);
  tsr_release(&image);
  tsr_release(&given);
  tsr_program_free(program);
  release_layers(&l);
  free(scratch);
}

/* ---- packed weights and quantised numbers ---- */

/* What such calls are given: structs, lists and weights. */
typedef struct quantised {
  float scales[6];
  int32_t zeros[6];
  tsr_quant by_axis, x, out;
  tsr_qlayer layer;
  tsr_packed packed;
} quantised;

/* x (5, 6) -> y (5, 3) */
static tsr_status quantised_network(tsr_ctx *ctx, const quantised *q, const tsr_tensor *x, tsr_tensor *y) {
  tsr_tensor a = {0}, b = {0}, c = {0}, d = {0};
  tsr_status st;
  TSR_TRY(st, tsr_quantize(ctx, x, &q->by_axis, &a), done);           /* (5, 6) */
  TSR_TRY(st, tsr_requantize(ctx, &a, &q->by_axis, &q->x, &b), done); /* (5, 6) */
  TSR_TRY(st, tsr_qdense(ctx, &b, &q->layer, &c), done);              /* (5, 4) */
  TSR_TRY(st, tsr_dequantize(ctx, &c, &q->out, &d), done);            /* (5, 4) */
  TSR_TRY(st, tsr_matmul_packed(ctx, &d, &q->packed, NULL, y), done); /* (5, 3) */
done:
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&c);
  tsr_release(&d);
  return st;
}

static void make_quantised(tsr_ctx *ctx, quantised *q, tsr_tensor *weights) {
  tsr_rng rng = tsr_rng_seed(11);
  tsr_tensor w = random_tensor(ctx, &rng, TSR_SHAPE(4, 6)), m = random_tensor(ctx, &rng, TSR_SHAPE(4, 3));
  memset(q, 0, sizeof *q);
  for (int i = 0; i < 6; i++) q->scales[i] = 0.01f * (float)(i + 1);
  for (int i = 0; i < 6; i++) q->zeros[i] = i - 2;
  q->by_axis = (tsr_quant){.dtype = TSR_I8, .scales = q->scales, .zeros = q->zeros, .count = 6, .axis = 1};
  q->x = (tsr_quant){.dtype = TSR_I8, .scale = 0.03f, .zero = 4};
  q->out = (tsr_quant){.dtype = TSR_I16, .scale = 0.002f};
  const tsr_quant of_w = {.dtype = TSR_I8, .scale = 0.02f};
  OK(ctx, tsr_quantize(ctx, &w, &of_w, weights));
  OK(ctx, tsr_qdense_pack(ctx, weights, NULL, &(tsr_qscheme){.x = q->x, .w = of_w, .out = q->out}, &q->layer));
  OK(ctx, tsr_pack(ctx, &m, TSR_NONE, &q->packed));
  tsr_release(&w);
  tsr_release(&m);
}

TEST(packed_weights_live_as_long_as_the_program) {
  tsr_ctx ctx;
  quantised q;
  tsr_program *program = NULL;
  tsr_tensor weights = {0}, like = {0}, x = {0}, y = {0}, want = {0}, got = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  make_quantised(&ctx, &q, &weights);
  OK(&ctx, tsr_desc_init(&ctx, TSR_F32, TSR_SHAPE(5, 6), &like));
  OK(&ctx, tsr_program_new(&ctx, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  OK(&ctx, tsr_program_input(&ctx, program, "x", &like, &x));
  OK(&ctx, quantised_network(&ctx, &q, &x, &y));
  OK(&ctx, tsr_program_output(&ctx, program, "y", &y));
  OK(&ctx, tsr_program_end(&ctx, program));
  CHECK(tsr_program_calls(program) == 5);
  tsr_release(&x);
  tsr_release(&y);
  tsr_rng rng = tsr_rng_seed(12);
  tsr_tensor input = random_tensor(&ctx, &rng, TSR_SHAPE(5, 6));
  OK(&ctx, quantised_network(&ctx, &q, &input, &want));
  tsr_qlayer_release(&q.layer);
  tsr_packed_release(&q.packed);
  tsr_release(&weights);
  memset(&q, 0xa5, sizeof q);
  OK(&ctx, tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){&input}, 1, (tsr_tensor *[]){&got}));
  CHECK(same_bits(&want, &got));
  tsr_release(&input);
  tsr_release(&want);
  tsr_release(&got);
  tsr_program_free(program);
  CHECK(test_live() == 0);
}

/* ---- inputs and outputs of every layout ---- */

TEST(inputs_and_outputs_may_have_any_strides) {
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor like = {0}, x = {0}, y = {0}, turned = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_desc_init(&ctx, TSR_F32, TSR_SHAPE(3, 4), &like));
  OK(&ctx, tsr_program_new(&ctx, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  OK(&ctx, tsr_program_input(&ctx, program, "x", &like, &x));
  OK(&ctx, tsr_square(&ctx, &x, &y));
  OK(&ctx, tsr_transpose(&ctx, &y, 0, 1, &turned));
  OK(&ctx, tsr_program_output(&ctx, program, "square", &y));
  OK(&ctx, tsr_program_output(&ctx, program, "transposed", &turned)); /* a view of another output */
  OK(&ctx, tsr_program_output(&ctx, program, "input", &x));           /* an input itself */
  OK(&ctx, tsr_program_end(&ctx, program));
  tsr_release(&x);
  tsr_release(&y);
  float columns[4][3], wide[3][8] = {{0}};
  tsr_tensor base = {0}, in = {0}, out = {0}, given = {0}, transposed = {0}, same = {0};
  OK(&ctx, tsr_from_memory(&ctx, columns, TSR_F32, TSR_SHAPE(4, 3), &base));
  OK(&ctx, tsr_transpose(&ctx, &base, 0, 1, &in)); /* column-major (3, 4) */
  OK(&ctx, tsr_from_memory(&ctx, wide, TSR_F32, TSR_SHAPE(3, 8), &out));
  OK(&ctx, tsr_slice(&ctx, &out, 1, 0, TSR_OMIT, 2, &given)); /* with gaps */
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) columns[i][k] = (float)(10 * k + i);
  OK(&ctx,
     tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){&in}, 3, (tsr_tensor *[]){&given, &transposed, &same}));
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      const float number = (float)(10 * i + k);
      CHECK(wide[i][2 * k] == number * number && wide[i][2 * k + 1] == 0);
      CHECK(*(float *)test_at(&transposed, (tsr_index[]){k, i}) == number * number);
      CHECK(*(float *)test_at(&same, (tsr_index[]){i, k}) == number);
    }
  tsr_release(&transposed);
  tsr_release(&same);
  tsr_program_free(program);
  CHECK(test_live() == 0);
}

/* A value that is read again after others came and went: its bytes are not theirs. */
TEST(a_value_lives_until_its_last_use) {
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor like = {0}, x = {0}, a = {0}, b = {0}, c = {0}, sum = {0}, in = {0}, out = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_desc_init(&ctx, TSR_F32, TSR_SHAPE(64), &like));
  OK(&ctx, tsr_program_new(&ctx, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  OK(&ctx, tsr_program_input(&ctx, program, "x", &like, &x));
  OK(&ctx, tsr_mul_scalar(&ctx, &x, 2, &a));
  OK(&ctx, tsr_add_scalar(&ctx, &a, 100, &b));
  OK(&ctx, tsr_neg(&ctx, &b, &c));
  OK(&ctx, tsr_add(&ctx, &a, &c, &sum)); /* 2 x - (2 x + 100) */
  OK(&ctx, tsr_program_output(&ctx, program, "sum", &sum));
  OK(&ctx, tsr_program_end(&ctx, program));
  OK(&ctx, tsr_arange(&ctx, TSR_F32, 0, 64, 1, &in));
  OK(&ctx, tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){&in}, 1, (tsr_tensor *[]){&out}));
  for (int i = 0; i < 64; i++) CHECK(((const float *)out.data)[i] == -100);
  tsr_tensor *const all[] = {&x, &a, &b, &c, &sum, &in, &out};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
  tsr_program_free(program);
  CHECK(test_live() == 0);
}

/* ---- what is not needed, and what cannot be ---- */

TEST(calls_that_nobody_needs_are_left_out) {
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor like = {0}, x = {0}, y = {0}, z = {0};
  char text[400];
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_desc_init(&ctx, TSR_F32, TSR_SHAPE(5), &like));
  OK(&ctx, tsr_program_new(&ctx, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  OK(&ctx, tsr_program_input(&ctx, program, "x", &like, &x));
  OK(&ctx, tsr_exp(&ctx, &x, &y));
  OK(&ctx, tsr_neg(&ctx, &x, &z)); /* for nothing */
  OK(&ctx, tsr_program_output(&ctx, program, "y", &y));
  CHECK(tsr_program_calls(program) == 2);
  OK(&ctx, tsr_program_end(&ctx, program));
  CHECK(tsr_program_calls(program) == 1);
  CHECK(tsr_program_format(program, text, sizeof text) < sizeof text && strcmp(text, "v1 = exp(v0)  f32 [5]\n") == 0);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&z);
  tsr_program_free(program);
  CHECK(test_live() == 0);
}

TEST(values_cannot_be_read_while_they_are_recorded) {
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor like = {0}, x = {0}, y = {0};
  tsr_real number;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_desc_init(&ctx, TSR_F32, TSR_SHAPE(5), &like));
  OK(&ctx, tsr_program_new(&ctx, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  FAILS(&ctx, TSR_ESTATE, tsr_program_begin(&ctx, program));
  OK(&ctx, tsr_program_input(&ctx, program, "x", &like, &x));
  FAILS(&ctx, TSR_EDEVICE, tsr_get(&ctx, &x, TSR_INDEX(0), &number));
  FAILS(&ctx, TSR_EUNSUPPORTED, tsr_nonzero(&ctx, &x, &y));
  CHECK(strstr(tsr_error(&ctx), "depends on data") != NULL && tsr_is_none(&y));
  FAILS(&ctx, TSR_ESTATE, tsr_program_run(NULL, program, 0, NULL, 0, NULL));
  OK(&ctx, tsr_program_end(&ctx, program));
  tsr_release(&x);
  FAILS(&ctx, TSR_EARG, tsr_program_run(&ctx, program, 0, NULL, 0, NULL));
  tsr_program_free(program);
  CHECK(test_live() == 0);
}

TEST(bad_inputs_and_outputs_are_refused) {
  tsr_ctx ctx;
  layers l;
  OK(NULL, tsr_context_init(&ctx, NULL));
  make_layers(&ctx, &l);
  tsr_program *const program = record_network(&ctx, &l);
  tsr_tensor image = {0}, wrong = {0}, out = {0};
  OK(&ctx, tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(1, 1, 8, 8), &image));
  OK(&ctx, tsr_zeros(&ctx, TSR_F64, TSR_SHAPE(1, 1, 8, 8), &wrong));
  FAILS(&ctx, TSR_EDTYPE, tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){&wrong}, 1, (tsr_tensor *[]){&out}));
  CHECK(strstr(tsr_error(&ctx), "image") != NULL && tsr_is_none(&out));
  FAILS(&ctx, TSR_EARG, tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){NULL}, 1, (tsr_tensor *[]){&out}));
  FAILS(&ctx, TSR_ESHAPE,
        tsr_program_run(&ctx, program, 1, (const tsr_tensor *[]){&image}, 1, (tsr_tensor *[]){&image}));
  tsr_release(&image);
  tsr_release(&wrong);
  tsr_program_free(program);
  release_layers(&l);
  CHECK(test_live() == 0);
}

TEST(a_view_without_elements_can_be_given_back) {
  tsr_ctx *const ctx = test_context();
  tsr_program *program = NULL;
  tsr_tensor like = {0}, x = {0}, y = {0}, none = {0}, in = {0}, out = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(1, 5), &like));
  OK(ctx, tsr_program_new(ctx, &program));
  OK(ctx, tsr_program_begin(ctx, program));
  OK(ctx, tsr_program_input(ctx, program, "x", &like, &x));
  OK(ctx, tsr_abs(ctx, &x, &y));
  OK(ctx, tsr_slice(ctx, &y, 0, 1, TSR_OMIT, 1, &none));
  OK(ctx, tsr_program_output(ctx, program, "none", &none));
  tsr_release(&x), tsr_release(&y);
  OK(ctx, tsr_program_end(ctx, program));
  CHECK(tsr_program_calls(program) == 0);
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(1, 5), &in));
  OK(ctx, tsr_program_run(ctx, program, 1, (const tsr_tensor *[]){&in}, 1, (tsr_tensor *[]){&out}));
  CHECK(out.ndim == 2 && out.shape[0] == 0 && out.shape[1] == 5);
  tsr_release(&in), tsr_release(&out);
  tsr_program_free(program);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(a_view_without_elements_can_be_given_back), RUN(a_network_replays_with_the_same_bits),
          RUN(a_replay_into_given_memory_allocates_nothing), RUN(packed_weights_live_as_long_as_the_program),
          RUN(inputs_and_outputs_may_have_any_strides), RUN(a_value_lives_until_its_last_use),
          RUN(calls_that_nobody_needs_are_left_out), RUN(values_cannot_be_read_while_they_are_recorded),
          RUN(bad_inputs_and_outputs_are_refused))

#else

TEST(programs) { SKIP("not configured"); }
TEST_MAIN(RUN(programs))

#endif
