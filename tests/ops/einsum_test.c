/* einsum against its definition: equations by chance over every dtype and many memory layouts, larger products, dtypes
 * that are mixed, given outputs, threads, bad calls, memory that runs out. */
#include "ops/einsum_reference.h"

#include "ops/einsum/einsum.h"

#define TENSORS(...) \
  COUNT_OF(((const tsr_tensor *const[]){__VA_ARGS__})), (const tsr_tensor *const[]) { __VA_ARGS__ }

static equation q;
static operand wanted;

/* ---- one equation ---- */

static tsr_status run(tsr_ctx *ctx, tsr_tensor *out) {
  const tsr_tensor *in[MOST_OPERANDS] = {NULL};
  for (int k = 0; k < q.n; k++) in[k] = &q.in[k].t;
  return tsr_einsum(ctx, q.n, in, q.text, out);
}

static void say(const char *what) {
  if (test_now.failures > 20) return;
  printf("  %s: %s ->", what, q.text);
  for (int k = 0; k < q.n; k++) {
    printf(" %s[", tsr_dtype_name(q.in[k].dtype));
    for (int i = 0; i < q.in[k].ndim; i++) printf("%d ", (int)q.in[k].shape[i]);
    printf("]");
  }
  printf("\n");
}

static void prepare(tsr_ctx *ctx, test_rng *rng) {
  q.dtype = q.in[0].dtype;
  for (int k = 0; k < q.n; k++) {
    q.dtype = tsr_dtype_promote(q.dtype, q.in[k].dtype);
    fill_numbers(&q.in[k], rng);
    lay_out(ctx, &q.in[k], rng);
  }
  evaluate(&q, &wanted);
}

static void end(void) {
  for (int k = q.n - 1; k >= 0; k--) tsr_release(&q.in[k].t);
}

/* Once into an empty output, once into one that lies in some way. */
static void check_equation(tsr_ctx *ctx, test_rng *rng) {
  static operand given;
  tsr_tensor out = {0};
  prepare(ctx, rng);
  const tsr_status st = run(ctx, &out);
  if (TSR_MAX_DIMS < 8 && st == TSR_EUNSUPPORTED) {
    end();
    return;
  }
  OK(ctx, st);
  bool right = st == TSR_OK && is_right(ctx, &out, &wanted);
  CHECK(right);
  if (!right) say("fresh");
  tsr_release(&out);
  given = wanted;
  lay_out(ctx, &given, rng);
  OK(ctx, tsr_fill(ctx, 1, &given.t));
  OK(ctx, run(ctx, &given.t));
  right = is_right(ctx, &given.t, &wanted);
  CHECK(right);
  if (!right) say("given");
  tsr_release(&given.t);
  end();
  CHECK(test_live() == 0);
}

/* ---- equations by chance ---- */

TEST(equations_of_every_dtype) {
  test_rng rng = {3};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!tsr_dtype_supported(dtype)) continue;
    for (int i = 0; i < (TSR_HAVE_MALLOC ? 60 : 8); i++) {
      tsr_ctx *const ctx = test_context();
      choose_isa(ctx, &rng);
      choose_equation(&q, (int)test_between(&rng, 1, is_small_float(dtype) ? 2 : 4), TSR_MAX_DIMS < 8 ? 3 : 4, &rng);
      for (int k = 0; k < q.n; k++) q.in[k].dtype = dtype;
      check_equation(ctx, &rng);
    }
  }
}

TEST(dtypes_that_are_mixed) {
  test_rng rng = {4};
  for (int i = 0; i < (TSR_HAVE_MALLOC ? 600 : 40); i++) {
    tsr_ctx *const ctx = test_context();
    choose_isa(ctx, &rng);
    choose_equation(&q, (int)test_between(&rng, 2, 3), 3, &rng);
    for (int k = 0; k < q.n; k++) q.in[k].dtype = any_dtype(&rng);
    check_equation(ctx, &rng);
  }
}

TEST(up_to_eight_operands) {
  test_rng rng = {5};
  for (int i = 0; i < (TSR_HAVE_MALLOC ? 150 : 10); i++) {
    tsr_ctx *const ctx = test_context();
    choose_equation(&q, (int)test_between(&rng, 4, 8), 2, &rng);
    for (int k = 0; k < q.n; k++) q.in[k].dtype = i % 2 == 0 ? TSR_F32 : TSR_I32;
    check_equation(ctx, &rng);
  }
}

/* ---- larger products ---- */

#if TSR_HAVE_MALLOC

/* Whole numbers of i64: what the matrix ways make of every group of labels. */
typedef struct large {
  const char *equation;
  int n;
  tsr_index shape[3][4]; /* ends with 0 */
} large;

static const large products[] = {
    {"ij,jk->ik", 2, {{70, 90}, {90, 50}}},
    {"ij,kj->ik", 2, {{65, 40}, {33, 40}}},
    {"ji,jk->ki", 2, {{40, 37}, {40, 35}}},
    {"bij,bjk->bik", 2, {{3, 40, 33}, {3, 33, 50}}},
    {"bqhd,bkhd->bhqk", 2, {{2, 9, 3, 40}, {2, 17, 3, 40}}},
    {"ijk,jl->ikl", 2, {{9, 33, 40}, {33, 20}}},
    {"ikj,kjl->il", 2, {{20, 9, 17}, {9, 17, 21}}},
    {"ijk,kjl->il", 2, {{20, 9, 17}, {17, 9, 21}}},
    {"jik,jkl->il", 2, {{9, 20, 17}, {9, 17, 21}}},
    {"abj,j->ba", 2, {{30, 5, 40}, {40}}},
    {"ij,ij->i", 2, {{40, 300}, {40, 300}}},
    {"ij,ij->j", 2, {{40, 300}, {40, 300}}},
    {"i,i->", 2, {{3000}, {3000}}},
    {"ij,jk,kl->il", 3, {{40, 5}, {5, 60}, {60, 30}}},
    {"ijk->kj", 1, {{40, 30, 20}}},
    {"ij,k->kij", 2, {{30, 40}, {7}}},
};

static int rank_of(const tsr_index *shape) {
  int n = 0;
  while (n < 4 && shape[n] != 0) n++;
  return n;
}

/* By tsr_mul and tsr_sum over all labels at once: the definition, with whole tensors. */
static void by_broadcasting(tsr_ctx *ctx, const large *p, const tsr_tensor *in, const char *labels, int kept,
                            tsr_tensor *out) {
  tsr_tensor product = {0}, view = {0};
  tsr_index shape[TSR_MAX_DIMS] = {0}, stride[TSR_MAX_DIMS] = {0};
  const int rank = (int)strlen(labels);
  int axes[TSR_MAX_DIMS] = {0};
  for (int pass = 0; pass < 2; pass++) { /* the shape first */
    const char *at = p->equation;
    for (int k = 0; k < p->n; k++, at++) {
      view = in[k];
      view.flags = 0;
      memset(stride, 0, sizeof stride);
      for (int i = 0; i < in[k].ndim; i++, at++) {
        const int axis = (int)(strchr(labels, *at) - labels);
        shape[axis] = in[k].shape[i];
        stride[axis] = in[k].stride[i];
      }
      for (int i = 0; i < rank; i++) view.shape[i] = shape[i], view.stride[i] = stride[i];
      view.ndim = (uint8_t)rank;
      if (pass == 0) continue;
      if (k == 0)
        OK(ctx, tsr_copy(ctx, &view, &product));
      else
        OK(ctx, tsr_mul(ctx, &product, &view, &product));
    }
  }
  for (int i = kept; i < rank; i++) axes[i - kept] = i;
  OK(ctx, tsr_sum(ctx, &product, rank - kept, axes, false, out));
  tsr_release(&product);
}

/* The labels of the result, then the others. */
static int all_labels(const char *text, char *labels) {
  const char *const arrow = strstr(text, "->");
  int n = 0;
  for (const char *c = arrow + 2; *c != 0; c++) labels[n++] = *c;
  const int kept = n;
  for (const char *c = text; c < arrow; c++)
    if (*c != ',' && memchr(labels, *c, (size_t)n) == NULL) labels[n++] = *c;
  labels[n] = 0;
  return kept;
}

static void check_large(tsr_ctx *ctx, const large *p, int dtype) {
  tsr_rng rng = tsr_rng_seed(9);
  tsr_tensor whole[3] = {{0}}, in[3] = {{0}}, out = {0}, exact = {0};
  char labels[16];
  bool same = false;
  const tsr_tensor *list[3] = {&in[0], &in[1], &in[2]};
  for (int k = 0; k < p->n; k++) {
    OK(ctx, tsr_rand_integers(ctx, &rng, TSR_I64, rank_of(p->shape[k]), p->shape[k], -3, 4, &whole[k]));
    OK(ctx, tsr_cast(ctx, &whole[k], dtype, &in[k]));
  }
  OK(ctx, tsr_einsum(ctx, p->n, list, p->equation, &out));
  by_broadcasting(ctx, p, whole, labels, all_labels(p->equation, labels), &exact);
  OK(ctx, tsr_equal(ctx, &out, &exact, &same));
  CHECK(same && out.dtype == dtype);
  if (!same) printf("  %s %s\n", p->equation, tsr_dtype_name(dtype));
  tsr_release(&exact);
  tsr_release(&out);
  for (int k = 0; k < p->n; k++) {
    tsr_release(&in[k]);
    tsr_release(&whole[k]);
  }
  CHECK(test_live() == 0);
}

#endif

TEST(larger_products) {
#if TSR_HAVE_MALLOC
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_I32, TSR_I64, TSR_C64, TSR_C128};
  for (int i = 0; i < COUNT_OF(products); i++)
    for (int d = 0; d < COUNT_OF(dtypes); d++) check_large(test_context(), &products[i], dtypes[d]);
#else
  SKIP("no malloc");
#endif
}

TEST(larger_products_on_threads) {
#if TSR_HAVE_THREADS && TSR_HAVE_MALLOC
  tsr_ctx ctx = *test_context();
  tsr_threads *const threads = test_with_threads(&ctx, 3);
  for (int i = 0; i < COUNT_OF(products); i++) check_large(&ctx, &products[i], TSR_F32);
  tsr_threads_release(threads);
#else
  SKIP("no threads");
#endif
}

/* ---- outputs ---- */

TEST(outputs_in_place_and_overlapping) {
  tsr_ctx *const ctx = test_context();
  float numbers[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, other[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1};
  tsr_tensor a = {0}, b = {0}, tail = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(3, 3), &a));
  OK(ctx, tsr_from_memory(ctx, other, TSR_F32, TSR_SHAPE(3, 3), &b));
  OK(ctx, tsr_einsum(ctx, TENSORS(&a), "ij->ji", &a)); /* a transpose in place */
  CHECK(numbers[1] == 4 && numbers[3] == 2 && numbers[8] == 9);
  OK(ctx, tsr_einsum(ctx, TENSORS(&a, &b), "ij,jk", &a)); /* swaps two columns */
  CHECK(numbers[0] == 4 && numbers[1] == 1 && numbers[2] == 7);
  OK(ctx, tsr_from_memory(ctx, numbers + 3, TSR_F32, TSR_SHAPE(3, 3), &tail));
  OK(ctx, tsr_einsum(ctx, TENSORS(&a, &a), "ij,ij->ij", &tail)); /* every other row is read after it was written */
  CHECK(numbers[3] == 16 && numbers[4] == 1 && numbers[6] == 25 && numbers[11] == 81);
  OK(ctx, tsr_einsum(ctx, TENSORS(&a), "ij->i",
                     &(tsr_tensor){.dtype = TSR_F32, .ndim = 1, .shape = {3}, .stride = {3}, .data = numbers}));
  CHECK(numbers[0] == 12 && numbers[3] == 66 && numbers[6] == 93);
  CHECK(test_live() == 0);
}

TEST(a_sum_over_nothing_is_zero) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, b = {0}, out = {0};
  tsr_real value = 7;
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 0), &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(0, 3), &b));
  OK(ctx, tsr_einsum(ctx, TENSORS(&a, &b), "ij,jk", &out));
  CHECK(out.ndim == 2 && out.shape[0] == 2 && out.shape[1] == 3);
  OK(ctx, tsr_get_flat(ctx, &out, 5, TSR_ROW_MAJOR, &value));
  CHECK(value == 0);
  tsr_release(&out);
  OK(ctx, tsr_einsum(ctx, TENSORS(&a, &b), "ij,jk->ji", &out));
  CHECK(out.ndim == 2 && tsr_size(&out) == 0);
  tsr_release(&out);
  tsr_release(&a);
  tsr_release(&b);
}

/* ---- what is computed in, and in which order ---- */

static tsr_real first_of(tsr_ctx *ctx, int n, const tsr_tensor *const *list, const char *text) {
  tsr_tensor out = {0};
  tsr_real value = -1;
  OK(ctx, tsr_einsum(ctx, n, list, text, &out));
  OK(ctx, tsr_get_flat(ctx, &out, 0, TSR_ROW_MAJOR, &value));
  tsr_release(&out);
  return value;
}

TEST(narrow_floats_are_summed_wide) {
  tsr_ctx *const ctx = test_context();
#if TSR_HAVE_SMALL_FLOATS
  const float a = 1.0009765625f, b = 1.001953125f; /* 1 + 2^-10, 1 + 2^-9: a·a - b is 2^-20, which f16 holds */
  float left[4] = {a, b, a, b}, right[4] = {a, -1, a, -1};
  tsr_tensor wide = {0}, x = {0}, y = {0};
  OK(ctx, tsr_from_memory(ctx, left, TSR_F32, TSR_SHAPE(2, 2), &wide));
  OK(ctx, tsr_cast(ctx, &wide, TSR_F16, &x));
  OK(ctx, tsr_from_memory(ctx, right, TSR_F32, TSR_SHAPE(2, 2), &wide));
  OK(ctx, tsr_cast(ctx, &wide, TSR_F16, &y));
  CHECK(first_of(ctx, TENSORS(&x, &y), "ij,ij->i") == (tsr_real)9.5367431640625e-7);
  CHECK(first_of(ctx, TENSORS(&x, &y), "ij,kj->ik") == (tsr_real)9.5367431640625e-7);
  tsr_release(&y);
  tsr_release(&x);
#endif
#if TSR_HAVE_F64
  float numbers[4] = {16777216, 1, 1, 1}; /* 2^24 + 3, which f32 does not hold */
  tsr_tensor f32 = {0}, f64 = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(4), &f32));
  OK(ctx, tsr_ones(ctx, TSR_F64, TSR_SHAPE(2), &f64));
  CHECK(first_of(ctx, TENSORS(&f32, &f64), "i,j->j") == 16777219);
  tsr_release(&f64);
#endif
  CHECK(test_live() == 0);
}

/* The pair that comes first, of terms with these letters. */
static void check_order(const char *text, const char *wanted_labels, tsr_index big, int first, int second) {
  static tsr__einsum e;
  tsr__labels have[4] = {0}, kept = 0;
  int count = 1, i = -1, j = -1;
  for (int l = 0; l < TSR__LABELS; l++) e.size[l] = l < 26 ? big : 2; /* capital letters are long */
  for (const char *c = text; *c != 0; c++) {
    if (*c == ',')
      count++;
    else
      have[count - 1] |= tsr__label_bit(*c <= 'Z' ? *c - 'A' : *c - 'a' + 26);
  }
  for (const char *c = wanted_labels; *c != 0; c++) kept |= tsr__label_bit(*c <= 'Z' ? *c - 'A' : *c - 'a' + 26);
  CHECK(tsr__einsum_order(&e, count, have, kept, &i, &j));
  CHECK(i == first && j == second);
  if (i != first || j != second) printf("  %s->%s: %d and %d\n", text, wanted_labels, i, j);
}

TEST(the_cheapest_pair_comes_first) {
  check_order("IJ,JK,K", "I", 100, 1, 2);
  check_order("I,IJ,JK", "K", 100, 0, 1);
  check_order("Ia,aJ,Jb", "Ib", 100, 1, 2);
  check_order("aI,Ib,bJ", "aJ", 100, 0, 1);
  check_order("I,J,IJ", "", 100, 0, 2);
  check_order("IJ,JK,KL,L", "I", 100, 2, 3);
}

/* ---- failures ---- */

TEST(bad_equations_say_what_is_wrong) {
  static const struct {
    const char *equation, *message;
    tsr_status status;
  } bad[] = {
      {"ij,kj->ik", "einsum: label 'j' is 4 in operand 0 and 5 in operand 1", TSR_ESHAPE},
      {"...j,...j", "einsum: axis -1 of '...' is 3 in operand 0 and 4 in operand 1", TSR_ESHAPE},
      {"i...,k...", "einsum: axis -1 of '...' is 4 in operand 0 and 5 in operand 1", TSR_ESHAPE},
      {"ii,jk", "einsum: label 'i' has axes of two lengths in operand 0 [3,4]", TSR_ESHAPE},
      {"ijk,lm", "einsum: operand 0 [3,4] has 2 axes, the equation 'ijk,lm' has 3 labels for it", TSR_ESHAPE},
      {"ij,k", "einsum: operand 1 [4,5] has 2 axes, the equation 'ij,k' has 1 labels for it", TSR_ESHAPE},
      {"ij,...klm", "einsum: operand 1 [4,5]", TSR_ESHAPE},
      {"ij", "einsum: equation 'ij' has 1 operands, 2 are given", TSR_EARG},
      {"ij,jk,kl", "einsum: equation 'ij,jk,kl' has more operands than the 2 given", TSR_EARG},
      {"ij,jk->il", "einsum: equation 'ij,jk->il': label 'l' of the result is in no operand", TSR_EARG},
      {"ij,jk->ii", "einsum: equation 'ij,jk->ii': label 'i' is in the result twice", TSR_EARG},
      {"i1,jk", "einsum: equation 'i1,jk': '1' at byte 1 is no label and out of place", TSR_EARG},
      {"ij,jk-ik", "'-' at byte 5 is no label and out of place", TSR_EARG},
      {"ij,jk->i,k", "',' at byte 8 is no label and out of place", TSR_EARG},
      {"ij,jk->i->k", "'-' at byte 8 is no label and out of place", TSR_EARG},
      {"i..j,jk", "'.' at byte 1 is no label and out of place", TSR_EARG},
      {"......,jk", "a second '...' at byte 3", TSR_EARG},
      {"ij,\xc3\xa9k", "byte 3 is number 195, no label", TSR_EARG},
      {"...j,j...->j", "the result needs the '...' of the operands", TSR_EARG},
      {"abcdefghijk,lm", "a label too many", TSR_EARG},
      {"", "einsum: equation '' has 1 operands, 2 are given", TSR_EARG},
      {",", "einsum: operand 0 [3,4] has 2 axes", TSR_ESHAPE},
  };
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, b = {0}, out = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(4, 5), &b));
  for (int i = 0; i < COUNT_OF(bad); i++) {
    FAILS(ctx, bad[i].status, tsr_einsum(ctx, TENSORS(&a, &b), bad[i].equation, &out));
    MESSAGE_HAS(ctx, bad[i].message);
    CHECK(tsr_is_none(&out));
  }
  tsr_release(&b);
  tsr_release(&a);
  CHECK(test_live() == 0);
}

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, b = {0}, out = {0}, none = {0};
  const tsr_tensor *many[TSR_EINSUM_OPERANDS + 1];
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 2), &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2), &b));
  for (int i = 0; i <= TSR_EINSUM_OPERANDS; i++) many[i] = &a;
  FAILS(ctx, TSR_EARG, tsr_einsum(ctx, 0, many, "", &out));
  MESSAGE_HAS(ctx, "einsum: n is 0: 1 to");
  FAILS(ctx, TSR_EARG, tsr_einsum(ctx, TSR_EINSUM_OPERANDS + 1, many, "", &out));
  FAILS(ctx, TSR_EARG, tsr_einsum(ctx, 1, NULL, "ij", &out));
  FAILS(ctx, TSR_EARG, tsr_einsum(ctx, TENSORS(&a), NULL, &out));
  MESSAGE_HAS(ctx, "einsum: equation is NULL");
  FAILS(ctx, TSR_EARG, tsr_einsum(ctx, TENSORS(&a), "ij", NULL));
  FAILS(ctx, TSR_EARG, tsr_einsum(ctx, TENSORS(&a, NULL), "ij,k", &out));
  MESSAGE_HAS(ctx, "einsum: in[1] is NULL");
  CHECK(tsr_einsum(ctx, TENSORS(&a, &none), "ij,k", &out) != TSR_OK);
  MESSAGE_HAS(ctx, "einsum: in[1]");
  FAILS(ctx, TSR_ESHAPE, tsr_einsum(ctx, TENSORS(&a), "ij->i", &a));
  MESSAGE_HAS(ctx, "einsum: out is f32 [2,2], the result is f32 [2]");
  b.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_einsum(ctx, TENSORS(&a), "ij->i", &b));
  b.flags &= (uint8_t)~TSR_READONLY;
  OK(ctx, tsr_einsum(ctx, TSR_EINSUM_OPERANDS, many,
                     TSR_EINSUM_OPERANDS == 16 ? "ij,jk,kl,lm,mn,no,op,pq,qr,rs,st,tu,uv,vw,wx,xy->iy"
                                               : "ij,jk,kl,lm,mn,no,op,pq->iq",
                     &out));
  tsr_real value = 0;
  OK(ctx, tsr_get_flat(ctx, &out, 0, TSR_ROW_MAJOR, &value));
  CHECK(value == (TSR_EINSUM_OPERANDS == 16 ? 32768 : 128));
  tsr_release(&out);
  tsr_release(&b);
  tsr_release(&a);
  CHECK(test_live() == 0);
}

TEST(too_many_labels_on_the_way) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, out = {0};
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < TSR_MAX_DIMS; i++) shape[i] = 2;
  OK(ctx, tsr_ones(ctx, TSR_I8, TSR_MAX_DIMS, shape, &a));
  const char *const text =
      TSR_MAX_DIMS == 8 ? "abcdefgh,abijklmn,cdijopqr,efghopqr,klmnopqr->ab" : "abcd,aefg,behi,cfhj->d";
  const tsr_tensor *in[] = {&a, &a, &a, &a, &a};
  const tsr_status st = tsr_einsum(ctx, TSR_MAX_DIMS == 8 ? 5 : 4, in, text, &out);
  CHECK(st == TSR_OK || st == TSR_EUNSUPPORTED);
  if (st != TSR_OK) MESSAGE_HAS(ctx, "einsum: every product of two of");
  tsr_release(&out);
  tsr_release(&a);
  CHECK(test_live() == 0);
}

/* Every allocation in turn is refused: the output stays as it was and nothing is kept. */
TEST(memory_that_runs_out) {
#if TSR_HAVE_MALLOC
  test_rng rng = {8};
  for (int i = 0; i < 200; i++) {
    tsr_ctx *const ctx = test_context();
    static operand given, before;
    choose_equation(&q, (int)test_between(&rng, 1, 4), 3, &rng);
    for (int k = 0; k < q.n; k++) q.in[k].dtype = i % 3 == 0 ? TSR_C64 : any_dtype(&rng);
    prepare(ctx, &rng);
    given = wanted;
    before = wanted;
    lay_out(ctx, &given, &rng);
    lay_out(ctx, &before, &rng);
    OK(ctx, tsr_fill(ctx, 1, &given.t));
    OK(ctx, tsr_fill(ctx, 1, &before.t));
    const size_t live = test_live();
    for (int fresh = 0; fresh < 2; fresh++)
      for (size_t refused = 0; refused < 40; refused++) {
        tsr_failing *const failing = test_failing();
        tsr_tensor out = {0};
        failing->fail_at = failing->calls + refused;
        const tsr_status st = run(ctx, fresh != 0 ? &out : &given.t);
        failing->fail_at = SIZE_MAX;
        if (st == TSR_OK)
          CHECK(is_right(ctx, fresh != 0 ? &out : &given.t, &wanted));
        else
          CHECK(st == TSR_ENOMEM && tsr_is_none(&out) && (fresh != 0 || test_same_elements(&given.t, &before.t)));
        tsr_release(&out);
        CHECK(test_live() == live);
        if (st == TSR_OK) break;
      }
    tsr_release(&given.t);
    tsr_release(&before.t);
    end();
    CHECK(test_live() == 0);
  }
#else
  SKIP("no malloc");
#endif
}

TEST(scratch_is_used_and_given_back) {
  static _Alignas(64) unsigned char bytes[16384];
  tsr_ctx *const ctx = test_context();
  test_rng rng = {6};
  for (int i = 0; i < (TSR_HAVE_MALLOC ? 100 : 10); i++) {
    tsr_tensor out = {0};
    choose_equation(&q, 3, 2, &rng);
    for (int k = 0; k < q.n; k++) q.in[k].dtype = TSR_F32;
    prepare(ctx, &rng);
    OK(ctx, tsr_zeros(ctx, q.dtype, q.ndim, q.shape, &out));
    OK(ctx, tsr_context_set_scratch(ctx, bytes, sizeof bytes));
    const tsr_status st = run(ctx, &out);
    CHECK(st == TSR_OK || st == TSR_ESCRATCH);
    CHECK(st != TSR_OK || is_right(ctx, &out, &wanted));
    CHECK(ctx->scratch_used == 0);
    OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
    tsr_release(&out);
    end();
  }
}

TEST_MAIN(RUN(equations_of_every_dtype), RUN(dtypes_that_are_mixed), RUN(up_to_eight_operands), RUN(larger_products),
          RUN(larger_products_on_threads), RUN(outputs_in_place_and_overlapping), RUN(a_sum_over_nothing_is_zero),
          RUN(narrow_floats_are_summed_wide), RUN(the_cheapest_pair_comes_first), RUN(bad_equations_say_what_is_wrong),
          RUN(bad_calls_say_what_is_wrong), RUN(too_many_labels_on_the_way), RUN(memory_that_runs_out),
          RUN(scratch_is_used_and_given_back))
