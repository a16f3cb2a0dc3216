/* Losses against the definition in f64 for every dtype and way to lie, and against PyTorch; reductions; classes;
 * outputs; failures. */
#include "support/test.h"

#include "nn/nn_support.h"

enum { MSE, MAE, HUBER, BCE, BCE_LOGITS, KL, PAIRS, NLL = PAIRS, CROSS_ENTROPY, OPS };

static tsr_status call(tsr_ctx *ctx, int op, const tsr_tensor *x, const tsr_tensor *target, double attribute,
                       int64_t ignored, tsr_reduction reduction, tsr_tensor *out) {
  const tsr_real a = (tsr_real)attribute;
  switch (op) {
    case MSE: return tsr_mse_loss(ctx, x, target, reduction, out);
    case MAE: return tsr_mae_loss(ctx, x, target, reduction, out);
    case HUBER: return tsr_huber_loss(ctx, x, target, a, reduction, out);
    case BCE: return tsr_bce_loss(ctx, x, target, reduction, out);
    case BCE_LOGITS: return tsr_bce_logits_loss(ctx, x, target, reduction, out);
    case KL: return tsr_kl_loss(ctx, x, target, attribute != 0, reduction, out);
    case NLL: return tsr_nll_loss(ctx, x, target, ignored, reduction, out);
    default: return tsr_cross_entropy(ctx, x, target, ignored, a, reduction, out);
  }
}

/* ---- the definitions ---- */

static double pair_loss(int op, double x, double t, double attribute) {
  const double d = fabs(x - t);
  switch (op) {
    case MSE: return d * d;
    case MAE: return d;
    case HUBER: return d <= attribute ? d * d / 2 : attribute * (d - attribute / 2);
    case BCE: return -(t * log(x) + (1 - t) * log(1 - x));
    case BCE_LOGITS: return (1 - t) * x + log(1 + exp(-x));
    default: return attribute != 0 ? exp(t) * (t - x) : t * (log(t) - x);
  }
}

static double class_loss(tsr_ctx *ctx, int op, const tsr_tensor *x, const tsr_index *row, tsr_index class_, double s) {
  tsr_index at[TSR_MAX_DIMS] = {row[0]};
  for (int i = 2; i < x->ndim; i++) at[i] = row[i - 1];
  double sum = 0, all = 0;
  for (at[1] = 0; at[1] < x->shape[1]; at[1]++) sum += exp(nn_get(ctx, x, at));
  for (at[1] = 0; at[1] < x->shape[1]; at[1]++) all += log(sum) - nn_get(ctx, x, at);
  at[1] = class_;
  if (op == NLL) return -nn_get(ctx, x, at);
  return (1 - s) * (log(sum) - nn_get(ctx, x, at)) + s * all / (double)x->shape[1];
}

static double allowed_for(int dtype, double value) {
  const double smallest = dtype == TSR_F16 ? 0x1p-25 : 1e-37;
  if (TSR_REAL_BITS == 32) return (1.01 * nn_unit(dtype) + 1e-5) * (fabs(value) + 1); /* f32's functions */
  return (1.01 * nn_unit(dtype) + 1e-13) * fabs(value) + smallest + 1e-13;
}

/* Compares none, sum and mean of one call with what each element should give. */
static void check_reductions(tsr_ctx *ctx, int op, const tsr_tensor *x, const tsr_tensor *target, double attribute,
                             int64_t ignored) {
  tsr_tensor none = {0}, sum = {0}, mean = {0};
  tsr_index index[TSR_MAX_DIMS] = {0};
  double total = 0, count = 0;
  OK(ctx, call(ctx, op, x, target, attribute, ignored, TSR_REDUCE_NONE, &none));
  OK(ctx, call(ctx, op, x, target, attribute, ignored, TSR_REDUCE_SUM, &sum));
  OK(ctx, call(ctx, op, x, target, attribute, ignored, TSR_REDUCE_MEAN, &mean));
  REQUIRE(none.dtype == x->dtype && tsr_same_shape(&none, target));
  REQUIRE(sum.dtype == x->dtype && sum.ndim == 0 && mean.dtype == x->dtype && mean.ndim == 0);
  if (tsr_size(target) > 0) do {
      const double t = nn_get(ctx, target, index);
      const bool skip = op >= PAIRS && (int64_t)t == ignored;
      double want = 0;
      if (!skip)
        want = op < PAIRS ? pair_loss(op, nn_get(ctx, x, index), t, attribute)
                          : class_loss(ctx, op, x, index, (tsr_index)t, attribute);
      CHECK(nn_close(nn_get(ctx, &none, index), want, allowed_for(x->dtype, want)));
      total += want;
      count += skip ? 0 : 1;
    } while (test_next_index(target->ndim, target->shape, index));
  CHECK(nn_close(nn_get(ctx, &sum, NULL), total, allowed_for(x->dtype, total)));
  CHECK(nn_close(nn_get(ctx, &mean, NULL), total / count, allowed_for(x->dtype, total / count)));
  tsr_release(&none), tsr_release(&sum), tsr_release(&mean);
}

/* x and target around middles that the loss takes. */
static void fill_pair(tsr_ctx *ctx, int op, double attribute, tsr_tensor *x, tsr_tensor *t, test_rng *rng) {
  const bool chances = op == BCE;
  nn_fill(ctx, x, rng, chances ? 0.5 : op == KL ? -2 : 0, chances ? 0.45 : 3);
  nn_fill(ctx, t, rng, op == KL && attribute != 0 ? -2 : 0.5, 0.45);
}

TEST(losses_of_pairs) {
  static const tsr_index shapes[][3] = {{1, 1, 1}, {2, 3, 5}, {3, 7, 2}, {0, 3, 2}};
  static const double attributes[] = {0, 1, 0.75};
  test_rng rng = {3};
  for (int op = 0; op < PAIRS; op++)
    for (int d = 0; d < COUNT_OF(nn_dtypes); d++)
      for (int s = 0; s < COUNT_OF(shapes) && nn_has(nn_dtypes[d]); s++)
        for (int way = 0; way < NN_WAYS; way++)
          for (int rank = 0; rank < 4; rank += 3) {
            tsr_ctx *const ctx = test_context();
            tsr_tensor owners[2] = {{0}, {0}}, x = {0}, t = {0};
            const double attribute = op == HUBER ? 0.75 : attributes[way % 2];
            OK(ctx, nn_make(ctx, nn_dtypes[d], rank, shapes[s], way, &owners[0], &x));
            OK(ctx, nn_make(ctx, nn_dtypes[d], rank, shapes[s], (way + s) % NN_WAYS, &owners[1], &t));
            fill_pair(ctx, op, attribute, &x, &t, &rng);
            check_reductions(ctx, op, &x, &t, attribute, 0);
            tsr_release(&owners[0]), tsr_release(&owners[1]);
            CHECK(test_live() == 0);
          }
}

TEST(losses_of_classes) {
  static const tsr_index shapes[][4] = {{1, 1, 1, 1}, {4, 5, 2, 1}, {2, 3, 2, 2}, {0, 3, 2, 2}, {2, 3, 0, 2}};
  static const int integers[] = {TSR_I64, TSR_I32, TSR_U8, TSR_I8, TSR_U16, TSR_I16, TSR_U32, TSR_U64};
  test_rng rng = {4};
  int cases = 0;
  for (int op = NLL; op < OPS; op++)
    for (int d = 0; d < COUNT_OF(nn_dtypes); d++)
      for (int s = 0; s < COUNT_OF(shapes) && nn_has(nn_dtypes[d]); s++)
        for (int way = 0; way < NN_WAYS; way++)
          for (int rank = 2; rank <= 4; rank++) {
            tsr_ctx *const ctx = test_context();
            tsr_tensor owners[2] = {{0}, {0}}, x = {0}, t = {0};
            tsr_index lead[3] = {shapes[s][0], shapes[s][2], shapes[s][3]}, at[TSR_MAX_DIMS] = {0};
            OK(ctx, nn_make(ctx, nn_dtypes[d], rank, shapes[s], way, &owners[0], &x));
            const int dtype = integers[cases++ % COUNT_OF(integers)];
            OK(ctx, nn_make(ctx, dtype, rank - 1, lead, (way + s) % NN_WAYS, &owners[1], &t));
            nn_fill(ctx, &x, &rng, 0, 4);
            if (tsr_size(&t) > 0) do
                OK(ctx, tsr_set_i64(ctx, &t, t.ndim, at, test_between(&rng, 0, x.shape[1] - 1)));
              while (test_next_index(t.ndim, t.shape, at));
            check_reductions(ctx, op, &x, &t, way % 2 == 0 ? 0 : 0.2, TSR_IGNORE_INDEX);
            check_reductions(ctx, op, &x, &t, 0.1, 2);
            tsr_release(&owners[0]), tsr_release(&owners[1]);
            CHECK(test_live() == 0);
          }
}

/* ---- outputs ---- */

/* In place on x and on the target; shifted by one element: as if the inputs had been copied. */
TEST(outputs_may_be_inputs) {
  for (int op = 0; op < PAIRS; op++)
    for (int case_ = 0; case_ < 4; case_++) {
      tsr_ctx *const ctx = test_context();
      float memory[2][9];
      tsr_tensor x = {0}, t = {0}, shifted = {0}, want = {0};
      for (int i = 0; i < 9; i++) memory[0][i] = 0.05f + 0.1f * (float)i, memory[1][i] = 0.9f - 0.1f * (float)i;
      OK(ctx, tsr_from_memory(ctx, memory[0], TSR_F32, TSR_SHAPE(8), &x));
      OK(ctx, tsr_from_memory(ctx, memory[1], TSR_F32, TSR_SHAPE(8), &t));
      OK(ctx, tsr_from_memory(ctx, memory[case_ % 2] + 1, TSR_F32, TSR_SHAPE(8), &shifted));
      OK(ctx, call(ctx, op, &x, &t, 1, 0, TSR_REDUCE_NONE, &want));
      tsr_tensor *const out = case_ >= 2 ? &shifted : case_ == 0 ? &x : &t;
      OK(ctx, call(ctx, op, &x, &t, 1, 0, TSR_REDUCE_NONE, out));
      CHECK(test_same_elements(out, &want));
      tsr_release(&want);
      CHECK(test_live() == 0);
    }
}

TEST(class_outputs_may_overlap) {
  for (int case_ = 0; case_ < 3; case_++) {
    tsr_ctx *const ctx = test_context();
    float scores[6] = {1, 2, 3, 4, -5, 6};
    const tsr_reduction reduction = case_ == 2 ? TSR_REDUCE_SUM : TSR_REDUCE_NONE;
    int32_t wanted[2] = {1, 2};
    tsr_tensor x = {0}, classes = {0}, out = {0}, total = {0}, want = {0};
    OK(ctx, tsr_from_memory(ctx, scores, TSR_F32, TSR_SHAPE(2, 3), &x));
    OK(ctx, tsr_from_memory(ctx, wanted, TSR_I32, TSR_SHAPE(2), &classes));
    OK(ctx, tsr_cross_entropy(ctx, &x, &classes, TSR_IGNORE_INDEX, 0, reduction, &want));
    OK(ctx, tsr_from_memory(ctx, case_ == 0 ? (void *)(scores + 2) : (void *)wanted, TSR_F32, TSR_SHAPE(2), &out));
    OK(ctx, tsr_from_memory(ctx, scores + 1, TSR_F32, 0, NULL, &total));
    tsr_tensor *const given = case_ == 2 ? &total : &out;
    OK(ctx, tsr_cross_entropy(ctx, &x, &classes, TSR_IGNORE_INDEX, 0, reduction, given));
    CHECK(test_same_elements(given, &want));
    tsr_release(&want);
    CHECK(test_live() == 0);
  }
}

/* A sum of many small numbers beside a large one keeps them. */
TEST(sums_are_compensated) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, t = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F64, TSR_SHAPE(1001), &x));
  OK(ctx, tsr_zeros(ctx, TSR_F64, TSR_SHAPE(1001), &t));
  ((double *)x.data)[0] = 0x1p60;
  OK(ctx, tsr_mae_loss(ctx, &x, &t, TSR_REDUCE_SUM, &out));
  CHECK(*(double *)out.data == 0x1p60 + 1024); /* 1000, rounded once */
  tsr_release(&x), tsr_release(&t), tsr_release(&out);
#else
  SKIP("needs f64");
#endif
}

TEST(allocations_that_fail) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  float memory[7] = {1, 2, 3, 4, 5, 6, 7}, before[7];
  int32_t classes[2] = {0, 1};
  tsr_tensor x = {0}, t = {0}, shifted = {0}, rows = {0}, wanted = {0}, out = {0}, pair = {0};
  memcpy(before, memory, sizeof before);
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(6), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(6), &t));
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_F32, TSR_SHAPE(6), &shifted));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3), &rows));
  OK(ctx, tsr_from_memory(ctx, memory + 1, TSR_F32, TSR_SHAPE(2), &pair));
  OK(ctx, tsr_from_memory(ctx, classes, TSR_I32, TSR_SHAPE(2), &wanted));
  tsr_failing *const failing = test_failing();
  for (size_t nth = 0; nth < 2; nth++) { /* a copy of x, then one of the target */
    failing->fail_at = failing->calls + nth;
    FAILS(ctx, TSR_ENOMEM, tsr_mse_loss(ctx, &x, &t, TSR_REDUCE_NONE, &shifted));
    CHECK(memcmp(memory, before, sizeof before) == 0);
  }
  failing->fail_at = failing->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_nll_loss(ctx, &rows, &wanted, TSR_IGNORE_INDEX, TSR_REDUCE_NONE, &pair));
  failing->fail_at = failing->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_mse_loss(ctx, &x, &t, TSR_REDUCE_MEAN, &out));
  failing->fail_at = failing->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_accuracy(ctx, &rows, &wanted, &out));
  failing->fail_at = failing->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_confusion_matrix(ctx, &wanted, &wanted, 2, &out));
  CHECK(memcmp(memory, before, sizeof before) == 0 && tsr_is_none(&out) && test_live() == 0);
#else
  SKIP("no allocator that refuses");
#endif
}

/* ---- scores ---- */

TEST(accuracy_and_confusion) {
  tsr_ctx *const ctx = test_context();
  float scores[12] = {0, 3, 1, 2, 2, 1, (float)NAN, 9, (float)NAN, -1, -2, -3};
  const int16_t is_values[8] = {1, 7, 1, 7, 0, 7, 2, 7};
  const uint8_t read_values[4] = {1, 0, 0, 0};
  tsr_tensor x = {0}, is = {0}, read = {0}, part = {0}, counts = {0}, turned = {0};
  OK(ctx, tsr_from_memory(ctx, scores, TSR_F32, TSR_SHAPE(4, 3), &x));
  OK(ctx, tsr_from_const_memory(ctx, is_values, TSR_I16, TSR_SHAPE(8), &is));
  OK(ctx, tsr_slice(ctx, &is, 0, 0, 8, 2, &is)); /* 1 1 0 2 */
  OK(ctx, tsr_from_const_memory(ctx, read_values, TSR_U8, TSR_SHAPE(4), &read));
  OK(ctx, tsr_accuracy(ctx, &x, &is, &part)); /* read as 1, 0 (the first of two), 0 (the first NaN), 0 */
  CHECK(part.dtype == TSR_F32 && part.ndim == 0 && *(float *)part.data == 0.5f);
  OK(ctx, tsr_confusion_matrix(ctx, &is, &read, 3, &counts));
  CHECK(counts.dtype == (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32) && counts.ndim == 2 && tsr_size(&counts) == 9);
  OK(ctx, tsr_transpose(ctx, &counts, 0, 1, &turned));
  OK(ctx, tsr_confusion_matrix(ctx, &read, &is, 3, &turned)); /* a given output is counted anew */
  static const tsr_index want[9] = {1, 0, 0, 1, 1, 0, 1, 0, 0};
  CHECK(memcmp(counts.data, want, sizeof want) == 0);
  x.shape[0] = is.shape[0] = read.shape[0] = 0;
  OK(ctx, tsr_accuracy(ctx, &x, &is, &part));
  CHECK(isnan(*(float *)part.data));
  OK(ctx, tsr_confusion_matrix(ctx, &is, &read, 3, &counts));
  for (int i = 0; i < 9; i++) CHECK(((tsr_index *)counts.data)[i] == 0);
  tsr_release(&part), tsr_release(&counts);
  CHECK(test_live() == 0);
}

TEST(confusion_over_its_own_input) {
  tsr_ctx *const ctx = test_context();
  tsr_index memory[9] = {1, 1, 0, 2};
  tsr_tensor is = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32, TSR_SHAPE(4), &is));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32, TSR_SHAPE(3, 3), &out));
  OK(ctx, tsr_confusion_matrix(ctx, &is, &is, 3, &out));
  static const tsr_index want[9] = {1, 0, 0, 0, 2, 0, 0, 0, 1};
  CHECK(memcmp(memory, want, sizeof want) == 0);
  CHECK(test_live() == 0);
}

/* ---- failures ---- */

TEST(bad_attributes) {
  tsr_ctx *const ctx = test_context();
  float memory[6] = {0.5f, 0.25f, 0, 1, 1.5f, (float)NAN}, kept = 7;
  int32_t integers[2] = {0, 2};
  tsr_tensor x = {0}, rows = {0}, classes = {0}, out = {0}, one = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(6), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3), &rows));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(2), &classes));
  OK(ctx, tsr_from_memory(ctx, &kept, TSR_F32, 0, NULL, &one));
  FAILS(ctx, TSR_EARG, tsr_mse_loss(ctx, &x, &x, (tsr_reduction)3, &out));
  MESSAGE_HAS(ctx, "mse_loss: reduction is 3, which is none of tsr_reduction");
  static const float deltas[] = {0, -1, (float)INFINITY, (float)NAN};
  for (int i = 0; i < COUNT_OF(deltas); i++)
    FAILS(ctx, TSR_EARG, tsr_huber_loss(ctx, &x, &x, (tsr_real)deltas[i], TSR_REDUCE_MEAN, &out));
  MESSAGE_HAS(ctx, "huber_loss: delta is nan, which is not a finite number above 0");
  FAILS(ctx, TSR_ERANGE, tsr_bce_loss(ctx, &rows, &rows, TSR_REDUCE_MEAN, &one));
  MESSAGE_HAS(ctx, "bce_loss: x at [1,1] is 1.5, which is no probability");
  memory[4] = 0;
  FAILS(ctx, TSR_ERANGE, tsr_bce_loss(ctx, &x, &x, TSR_REDUCE_SUM, &one));
  MESSAGE_HAS(ctx, "bce_loss: x at [5] is nan");
  static const float smoothings[] = {-0.1f, 1.5f, (float)NAN};
  for (int i = 0; i < COUNT_OF(smoothings); i++)
    FAILS(ctx, TSR_EARG, tsr_cross_entropy(ctx, &rows, &classes, 0, (tsr_real)smoothings[i], TSR_REDUCE_MEAN, &out));
  FAILS(ctx, TSR_EARG, tsr_nll_loss(ctx, &rows, &classes, 0, (tsr_reduction)-1, &out));
  FAILS(ctx, TSR_EARG, tsr_confusion_matrix(ctx, &classes, &classes, 0, &out));
  MESSAGE_HAS(ctx, "confusion_matrix: classes is 0: at least 1");
  FAILS(ctx, TSR_EOVERFLOW, tsr_confusion_matrix(ctx, &classes, &classes, TSR_INDEX_MAX, &out));
  CHECK(kept == 7 && tsr_is_none(&out) && test_live() == 0);
}

TEST(bad_classes) {
  tsr_ctx *const ctx = test_context();
  float memory[12] = {0}, kept[2] = {7, 7};
  int32_t integers[4] = {0, 2, 3, -1};
  const uint64_t huge[2] = {0, UINT64_MAX};
  tsr_tensor x = {0}, pixels = {0}, classes = {0}, flat = {0}, large = {0}, out = {0}, given = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 2), &pixels));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(2, 2), &classes));
  OK(ctx, tsr_from_memory(ctx, integers + 2, TSR_I32, TSR_SHAPE(2), &flat));
  OK(ctx, tsr_from_const_memory(ctx, huge, TSR_U64, TSR_SHAPE(2), &large));
  OK(ctx, tsr_from_memory(ctx, kept, TSR_F32, TSR_SHAPE(2), &given));
  FAILS(ctx, TSR_EINDEX, tsr_nll_loss(ctx, &pixels, &classes, TSR_IGNORE_INDEX, TSR_REDUCE_MEAN, &out));
  MESSAGE_HAS(ctx, "nll_loss: classes at [1,0] is 3, there are 3 classes");
  FAILS(ctx, TSR_EINDEX, tsr_cross_entropy(ctx, &pixels, &classes, 3, 0, TSR_REDUCE_MEAN, &out));
  MESSAGE_HAS(ctx, "cross_entropy: classes at [1,1] is -1, there are 3 classes");
  FAILS(ctx, TSR_EINDEX, tsr_cross_entropy(ctx, &x, &large, -1, 0, TSR_REDUCE_NONE, &given)); /* -1 is not UINT64_MAX */
  FAILS(ctx, TSR_EINDEX, tsr_accuracy(ctx, &x, &flat, &out));
  MESSAGE_HAS(ctx, "accuracy: classes at [0] is 3, there are 3 classes");
  FAILS(ctx, TSR_EINDEX, tsr_confusion_matrix(ctx, &flat, &flat, 4, &out));
  MESSAGE_HAS(ctx, "confusion_matrix: target at [1] is -1, there are 4 classes");
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(2), &classes));
  FAILS(ctx, TSR_EINDEX, tsr_confusion_matrix(ctx, &classes, &flat, 3, &out));
  MESSAGE_HAS(ctx, "confusion_matrix: predicted at [0] is 3, there are 3 classes");
  CHECK(kept[0] == 7 && kept[1] == 7 && tsr_is_none(&out) && test_live() == 0);
}

TEST(bad_shapes_and_dtypes) {
  tsr_ctx *const ctx = test_context();
  float memory[12] = {0};
  int32_t integers[4] = {0};
  tsr_tensor x = {0}, row = {0}, cube = {0}, classes = {0}, three = {0}, readonly = {0}, out = {0}, none = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3), &row));
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(2, 3, 2), &cube));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(2), &classes));
  OK(ctx, tsr_from_memory(ctx, integers, TSR_I32, TSR_SHAPE(3), &three));
  OK(ctx, tsr_from_const_memory(ctx, memory, TSR_F32, 0, NULL, &readonly));
  FAILS(ctx, TSR_ESHAPE, tsr_nll_loss(ctx, &row, &classes, -1, TSR_REDUCE_MEAN, &out));
  MESSAGE_HAS(ctx, "nll_loss: x is f32 [3]: it takes [N,C,...]");
  FAILS(ctx, TSR_ESHAPE, tsr_cross_entropy(ctx, &cube, &classes, -1, 0, TSR_REDUCE_MEAN, &out));
  MESSAGE_HAS(ctx, "cross_entropy: classes is i32 [2], not [2,2] as x f32 [2,3,2] has it");
  FAILS(ctx, TSR_EDTYPE, tsr_cross_entropy(ctx, &x, &x, -1, 0, TSR_REDUCE_MEAN, &out));
  MESSAGE_HAS(ctx, "cross_entropy: classes is f32 [2,3]; classes are integers");
  FAILS(ctx, TSR_EDTYPE, tsr_nll_loss(ctx, &classes, &classes, -1, TSR_REDUCE_MEAN, &out));
  FAILS(ctx, TSR_EARG, tsr_cross_entropy(ctx, NULL, &classes, -1, 0, TSR_REDUCE_MEAN, &out));
  FAILS(ctx, TSR_EARG, tsr_cross_entropy(ctx, &x, NULL, -1, 0, TSR_REDUCE_MEAN, &out));
  FAILS(ctx, TSR_EARG, tsr_cross_entropy(ctx, &x, &classes, -1, 0, TSR_REDUCE_MEAN, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_nll_loss(ctx, &none, &classes, -1, TSR_REDUCE_MEAN, &out));
  FAILS(ctx, TSR_EREADONLY, tsr_cross_entropy(ctx, &x, &classes, -1, 0, TSR_REDUCE_MEAN, &readonly));
  FAILS(ctx, TSR_ESHAPE, tsr_cross_entropy(ctx, &x, &classes, -1, 0, TSR_REDUCE_NONE, &row));
  FAILS(ctx, TSR_ESHAPE, tsr_accuracy(ctx, &cube, &classes, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_accuracy(ctx, &x, &three, &out));
  MESSAGE_HAS(ctx, "accuracy: classes is i32 [3], scores is f32 [2,3]: one class a row");
  FAILS(ctx, TSR_EREADONLY, tsr_accuracy(ctx, &x, &classes, &readonly));
  FAILS(ctx, TSR_ESHAPE, tsr_confusion_matrix(ctx, &classes, &three, 3, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_confusion_matrix(ctx, &classes, &row, 3, &out));
  FAILS(ctx, TSR_EARG, tsr_confusion_matrix(ctx, NULL, &three, 3, &out));
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

/* ---- against PyTorch ---- */

#if TSR_HAVE_MALLOC
typedef struct golden {
  int op;
  int reduction;
  double attribute;
  int64_t ignored;
  int ndim;
  tsr_index shape[4];
  _Alignas(8) double x[24]; /* i686 aligns doubles in structs to 4 */
  _Alignas(8) double target[24];
  double y[24];
} golden;

static const golden goldens[] = {
#include "golden/nn_loss.inc"
};

TEST(golden_values) {
  for (int i = 0; i < COUNT_OF(goldens); i++)
    for (int single = 0; single < 2; single++) {
      tsr_ctx *const ctx = test_context();
      const golden *const g = &goldens[i];
      const bool classes = g->op >= PAIRS;
      const tsr_index rest[4] = {g->shape[0], g->shape[2], g->shape[3]};
      const int ndim = g->ndim - (classes ? 1 : 0);
      tsr_tensor x = {0}, given = {0}, target = {0}, out = {0}, result = {0};
      OK(ctx, tsr_from_const_memory(ctx, g->x, TSR_F64, g->ndim, g->shape, &given));
      OK(ctx, tsr_cast(ctx, &given, single != 0 ? TSR_F32 : TSR_F64, &x));
      OK(ctx, tsr_from_const_memory(ctx, g->target, TSR_F64, ndim, classes ? rest : g->shape, &given));
      OK(ctx, tsr_cast(ctx, &given, classes ? TSR_I64 : x.dtype, &target));
      OK(ctx, call(ctx, g->op, &x, &target, g->attribute, g->ignored, (tsr_reduction)g->reduction, &out));
      OK(ctx, tsr_cast(ctx, &out, TSR_F64, &result));
      for (tsr_index k = 0; k < tsr_size(&result); k++) {
        const double got = ((double *)result.data)[k], want = g->y[k];
        CHECK(nn_close(got, want, (single != 0 ? 1.2e-7 : 1e-14) * fabs(want) + 1e-14));
        if (isnan(got) != isnan(want)) printf("  row %d, element %d: %g instead of %g\n", i, (int)k, got, want);
      }
      tsr_release(&x), tsr_release(&target), tsr_release(&out), tsr_release(&result);
    }
}
#else
TEST(golden_values) { SKIP("needs f64"); }
#endif

TEST_MAIN(RUN(losses_of_pairs), RUN(losses_of_classes), RUN(outputs_may_be_inputs), RUN(class_outputs_may_overlap),
          RUN(sums_are_compensated), RUN(allocations_that_fail), RUN(accuracy_and_confusion),
          RUN(confusion_over_its_own_input), RUN(bad_attributes), RUN(bad_classes), RUN(bad_shapes_and_dtypes),
          RUN(golden_values))
