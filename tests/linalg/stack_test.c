/* Stacks of matrices in every op of the family: broadcasting, strides, threads, given outputs, empty ones; bad calls, and matrices
 * without a result, which change nothing. */
#include "linalg/matrices.h"

#include <stdlib.h>

/* n numbers of which matrices are well conditioned. */
static tsr_tensor stack_of(tsr_ctx *ctx, int dtype, tsr_index count, tsr_index n) {
  const tsr_index size = count * n * n;
  double *const numbers = malloc((size_t)(size + 1) * sizeof *numbers);
  test_rng rng = {(uint64_t)(count * 100 + n)};
  for (tsr_index i = 0; i < size; i++) {
    const tsr_index at = i % (n * n), row = at / n, col = at % n;
    numbers[i] = row == col ? 2 + (double)row + any_number(&rng) : row > col ? any_number(&rng) / (double)n : 0;
  }
  for (tsr_index i = 0; i < size; i++) { /* symmetric, so that every op takes it */
    const tsr_index at = i % (n * n), row = at / n, col = at % n;
    if (row < col) numbers[i] = numbers[i - at + col * n + row];
  }
  tsr_tensor t = tensor_from(ctx, dtype, 3, (const tsr_index[]){count, n, n}, numbers);
#if TSR_HAVE_COMPLEX
  for (tsr_index i = 0; i < size; i++) {
    const tsr_index at = i % (n * n), row = at / n, col = at % n;
    numbers[i] = row > col ? any_number(&rng) / (double)(2 * n) : 0;
  }
  for (tsr_index i = 0; i < size; i++) { /* each its own adjoint */
    const tsr_index at = i % (n * n), row = at / n, col = at % n;
    if (row < col) numbers[i] = -numbers[i - at + col * n + row];
  }
  if (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_COMPLEX) {
    tsr_tensor wide = {0}, imaginary = {0};
    OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F64, 3, (const tsr_index[]){count, n, n}, &wide));
    OK(ctx, tsr_complex_part(ctx, &t, 1, &imaginary));
    OK(ctx, tsr_copy(ctx, &wide, &imaginary));
    tsr_release(&imaginary);
  }
#endif
  free(numbers);
  return t;
}

/* Every op of one matrix, with one or several outputs. */
typedef struct one_op {
  const char *name;
  int outputs;
} one_op;
static const one_op ops[] = {{"cholesky", 1},    {"lu_factor", 2},    {"inv", 1},   {"det", 1},
                             {"slogdet", 2},     {"qr", 2},           {"eigh", 2},  {"eigvalsh", 1},
                             {"svd", 3},         {"svdvals", 1},      {"pinv", 1},  {"matrix_rank", 1},
                             {"cond", 1},        {"solve", 1},        {"lstsq", 3}, {"solve_triangular", 1},
                             {"matrix_norm", 1}, {"matrix_power", 1}, {"expm", 1}};

static tsr_status call_named(tsr_ctx *ctx, const char *name, const tsr_tensor *a, tsr_tensor *out) {
#define IS(op) (strcmp(name, #op) == 0)
  if (IS(cholesky)) return tsr_cholesky(ctx, a, false, &out[0]);
  if (IS(lu_factor)) return tsr_lu_factor(ctx, a, &out[0], &out[1]);
  if (IS(inv)) return tsr_inv(ctx, a, &out[0]);
  if (IS(det)) return tsr_det(ctx, a, &out[0]);
  if (IS(slogdet)) return tsr_slogdet(ctx, a, &out[0], &out[1]);
  if (IS(qr)) return tsr_qr(ctx, a, false, &out[0], &out[1]);
  if (IS(eigh)) return tsr_eigh(ctx, a, false, &out[0], &out[1]);
  if (IS(eigvalsh)) return tsr_eigvalsh(ctx, a, false, &out[0]);
  if (IS(svd)) return tsr_svd(ctx, a, false, &out[0], &out[1], &out[2]);
  if (IS(svdvals)) return tsr_svdvals(ctx, a, &out[0]);
  if (IS(pinv)) return tsr_pinv(ctx, a, -1, &out[0]);
  if (IS(matrix_rank)) return tsr_matrix_rank(ctx, a, -1, &out[0]);
  if (IS(cond)) return tsr_cond(ctx, a, &out[0]);
  if (IS(matrix_norm)) return tsr_matrix_norm(ctx, a, TSR_MATRIX_NORM_FRO, &out[0]);
  if (IS(matrix_power)) return tsr_matrix_power(ctx, a, -5, &out[0]);
  if (IS(expm)) return tsr_expm(ctx, a, &out[0]);
  if (IS(solve)) return tsr_solve(ctx, a, a, &out[0]);
  if (IS(lstsq)) return tsr_lstsq(ctx, a, a, -1, &out[0], &out[1], &out[2]);
  return tsr_solve_triangular(ctx, a, a, false, false, false, &out[0]);
#undef IS
}

static void release_all(tsr_tensor *out, int n) {
  for (int k = 0; k < n; k++) tsr_release(&out[k]);
}

/* A matrix has the same bits in a stack and alone, on one thread and on four, however it lies. */
static void check_op(const one_op *op, int dtype, tsr_index count, tsr_index n) {
  tsr_ctx *const ctx = own_context();
  tsr_tensor a = stack_of(ctx, dtype, count, n), turned = {0}, gaps = {0}, out[3] = {{0}}, again[3] = {{0}},
             one[3] = {{0}};
  OK(ctx, call_named(ctx, op->name, &a, out));
  OK(ctx, tsr_permute(ctx, &a, (const int[]){2, 1, 0}, &turned));
  OK(ctx, tsr_contiguous(ctx, &turned, &gaps)); /* the stack is the fastest axis now */
  OK(ctx, tsr_permute(ctx, &gaps, (const int[]){2, 1, 0}, &gaps));
  OK(ctx, call_named(ctx, op->name, &gaps, again));
  for (int k = 0; k < op->outputs; k++) CHECK(test_same_elements(&out[k], &again[k]));
  tsr_threads *const threads = test_with_threads(ctx, 4);
  for (int k = 0; k < op->outputs; k++) OK(ctx, tsr_fill(ctx, 0, &again[k])); /* they are given now */
  OK(ctx, call_named(ctx, op->name, &a, again));
  for (int k = 0; k < op->outputs; k++) CHECK(test_same_elements(&out[k], &again[k]));
  for (tsr_index i = 0; i < count; i += 3) {
    tsr_tensor single = {0}, part = {0};
    OK(ctx, tsr_select(ctx, &a, 0, i, &single));
    OK(ctx, call_named(ctx, op->name, &single, one));
    for (int k = 0; k < op->outputs; k++) {
      OK(ctx, tsr_select(ctx, &out[k], 0, i, &part));
      CHECK(test_same_elements(&part, &one[k]));
      tsr_release(&part);
    }
    release_all(one, 3);
    tsr_release(&single);
  }
  release_all(out, 3), release_all(again, 3);
  tsr_release(&a), tsr_release(&turned), tsr_release(&gaps);
  ctx->parallel = NULL;
  tsr_threads_release(threads);
  CHECK(test_live() == 0);
}

static const int all_dtypes[] = {TSR_F32, TSR_F64,
#if TSR_HAVE_COMPLEX
                                 TSR_C64, TSR_C128
#endif
};

TEST(same_bits) {
  for (int k = 0; k < COUNT_OF(ops); k++)
    for (int d = 0; d < COUNT_OF(all_dtypes); d++)
      for (int size = 0; size < 3; size++)
        check_op(&ops[k], all_dtypes[d], size == 2 ? 5 : 37, (const tsr_index[]){3, 11, 33}[size]);
}

/* Other dtypes are computed in f32 or f64. */
TEST(dtypes) {
  tsr_ctx *const ctx = own_context();
  const int32_t numbers[] = {2, 0, 0, 4};
  tsr_tensor whole = {0}, half = {0}, out = {0}, x = {0}, narrow = {0};
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_I32, 2, (const tsr_index[]){2, 2}, &whole));
  OK(ctx, tsr_inv(ctx, &whole, &out));
  CHECK(out.dtype == TSR_F64 && ((double *)out.data)[0] == 0.5 && ((double *)out.data)[3] == 0.25);
  OK(ctx, tsr_cast(ctx, &whole, TSR_F16, &half));
  OK(ctx, tsr_solve(ctx, &half, &half, &x));
  CHECK(x.dtype == TSR_F16);
  OK(ctx, tsr_cast(ctx, &x, TSR_F32, &narrow));
  CHECK(((float *)narrow.data)[0] == 1 && ((float *)narrow.data)[1] == 0 && ((float *)narrow.data)[3] == 1);
  tsr_release(&out), tsr_release(&half), tsr_release(&x), tsr_release(&narrow);
  CHECK(test_live() == 0);
}

TEST(stacks_broadcast) {
  tsr_ctx *const ctx = own_context();
  tsr_tensor a = stack_of(ctx, TSR_F64, 4, 3), b = {0}, x = {0}, y = {0}, flat = {0};
  OK(ctx, tsr_ones(ctx, TSR_F64, 4, (const tsr_index[]){2, 1, 3, 5}, &b));
  OK(ctx, tsr_solve(ctx, &a, &b, &x)); /* (4, 3, 3) and (2, 1, 3, 5) */
  CHECK(x.ndim == 4 && x.shape[0] == 2 && x.shape[1] == 4 && x.shape[2] == 3 && x.shape[3] == 5);
  OK(ctx, tsr_matmul(ctx, &a, &x, &y));
  for (tsr_index i = 0; i < tsr_size(&y); i++) CHECK(fabs(((double *)y.data)[i] - 1) < 1e-12);
  tsr_release(&x), tsr_release(&b);
  OK(ctx, tsr_ones(ctx, TSR_F64, 1, (const tsr_index[]){3}, &b)); /* one vector for all */
  OK(ctx, tsr_solve(ctx, &a, &b, &x));
  CHECK(x.ndim == 2 && x.shape[0] == 4 && x.shape[1] == 3);
  tsr_release(&a), tsr_release(&b), tsr_release(&x), tsr_release(&y), tsr_release(&flat);
  CHECK(test_live() == 0);
}

TEST(nothing) {
  tsr_ctx *const ctx = own_context();
  tsr_tensor none = {0}, few = {0}, out[3] = {{0}};
  OK(ctx, tsr_ones(ctx, TSR_F64, 3, (const tsr_index[]){2, 0, 0}, &none));
  OK(ctx, tsr_ones(ctx, TSR_F32, 3, (const tsr_index[]){0, 3, 3}, &few));
  for (int k = 0; k < COUNT_OF(ops); k++) {
    OK(ctx, call_named(ctx, ops[k].name, &none, out));
    if (strcmp(ops[k].name, "det") == 0) CHECK(((double *)out[0].data)[0] == 1 && ((double *)out[0].data)[1] == 1);
    release_all(out, 3);
    OK(ctx, call_named(ctx, ops[k].name, &few, out));
    CHECK(tsr_size(&out[0]) == 0);
    release_all(out, 3);
  }
  tsr_release(&none), tsr_release(&few);
  CHECK(test_live() == 0);
}

/* ---- matrices without a result ---- */

/* Matrix bad of a stack (2, 3) of n × n is zero; outputs keep what they hold. */
static void check_untouched(const char *name, tsr_status status, tsr_index n, const char *message) {
  tsr_ctx *const ctx = own_context();
  tsr_tensor a = stack_of(ctx, TSR_F32, 6, n), stack = {0}, bad = {0}, out[3] = {{0}}, before = {0};
  OK(ctx, tsr_reshape_view(ctx, &a, 4, (const tsr_index[]){2, 3, n, n}, &stack));
  for (int i = 4; i < 6; i++) {
    OK(ctx, tsr_select(ctx, &a, 0, i, &bad));
    OK(ctx, tsr_fill(ctx, 0, &bad));
    tsr_release(&bad);
  }
  FAILS(ctx, status, call_named(ctx, name, &stack, out));
  MESSAGE_HAS(ctx, message);
  CHECK(out[0].data == NULL && out[0].dtype == TSR_NONE);
  OK(ctx, tsr_full(ctx, TSR_F32, 4, (const tsr_index[]){2, 3, n, n}, 7, &out[0]));
  OK(ctx, tsr_clone(ctx, &out[0], &before));
  FAILS(ctx, status, call_named(ctx, name, &stack, out));
  CHECK(test_same_elements(&out[0], &before));
  OK(ctx, tsr_clone(ctx, &stack, &out[1]));
  FAILS(ctx, status, call_named(ctx, name, &stack, &stack)); /* in place */
  CHECK(test_same_elements(&stack, &out[1]));
  release_all(out, 3);
  tsr_release(&a), tsr_release(&stack), tsr_release(&before);
  CHECK(test_live() == 0);
}

TEST(no_result) {
  for (tsr_index n = 2; n <= 40; n += 19) {
    check_untouched("inv", TSR_ESINGULAR, n, "inv: a matrix [1,1] is singular: no pivot but 0 is left at 0");
    check_untouched("solve", TSR_ESINGULAR, n, "solve: a matrix [1,1] is singular");
    check_untouched("solve_triangular", TSR_ESINGULAR, n,
                    "solve_triangular: a matrix [1,1] is singular: its diagonal is 0 at 0");
    check_untouched("cholesky", TSR_ENOTPOSITIVE, n, "cholesky: a matrix [1,1] is not positive definite");
  }
}

/* Norms, powers and exponentials of matrices whose results are known. */
TEST(known_results) {
  tsr_ctx *const ctx = own_context();
  static const double numbers[] = {1, -2, 3, 4}, turn[] = {0, -1, 1, 0};
  static const double norms[] = {5.477225575051661, 0, 6, 4, 7, 3}; /* by hand; those of singular values below */
  tsr_tensor a = {0}, t = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F64, 2, (const tsr_index[]){2, 2}, &a));
  OK(ctx, tsr_from_const_memory(ctx, turn, TSR_F64, 2, (const tsr_index[]){2, 2}, &t));
  for (int kind = 0; kind <= TSR_MATRIX_NORM_MINUS_2; kind++) {
    OK(ctx, tsr_matrix_norm(ctx, &a, (tsr_matrix_norm_kind)kind, &out));
    const double got = *(double *)out.data;
    const bool fine = kind == 1 || kind > 5 ? got > 0 : fabs(got - norms[kind]) < 1e-14 * got;
    CHECK(fine);
    tsr_release(&out);
  }
  double most, least, sum;
  OK(ctx, tsr_matrix_norm(ctx, &a, TSR_MATRIX_NORM_2, &out));
  most = *(double *)out.data;
  OK(ctx, tsr_matrix_norm(ctx, &a, TSR_MATRIX_NORM_MINUS_2, &out));
  least = *(double *)out.data;
  OK(ctx, tsr_matrix_norm(ctx, &a, TSR_MATRIX_NORM_NUCLEAR, &out));
  sum = *(double *)out.data;
  CHECK(fabs(most * least - 10) < 1e-13 && fabs(most * most + least * least - 30) < 1e-13 &&
        fabs(most + least - sum) < 1e-13);
  tsr_release(&out);
  OK(ctx, tsr_matrix_power(ctx, &a, 3, &out)); /* by hand */
  CHECK(((double *)out.data)[0] == -35 && ((double *)out.data)[1] == -30 && ((double *)out.data)[2] == 45 &&
        ((double *)out.data)[3] == 10);
  OK(ctx, tsr_matrix_power(ctx, &a, -1, &out));
  CHECK(fabs(((double *)out.data)[0] - 0.4) < 1e-15 && fabs(((double *)out.data)[1] - 0.2) < 1e-15);
  OK(ctx, tsr_matrix_power(ctx, &a, 0, &out));
  CHECK(((double *)out.data)[0] == 1 && ((double *)out.data)[1] == 0);
  for (double angle = 0.5; angle < 100; angle *= 3) { /* a rotation by an angle */
    tsr_tensor scaled = {0};
    OK(ctx, tsr_mul_scalar(ctx, &t, angle, &scaled));
    OK(ctx, tsr_expm(ctx, &scaled, &out));
    CHECK(fabs(((double *)out.data)[0] - cos(angle)) < 2e-14 * (1 + angle) &&
          fabs(((double *)out.data)[2] - sin(angle)) < 2e-14 * (1 + angle));
    tsr_release(&scaled);
  }
  tsr_release(&a), tsr_release(&t), tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = own_context();
  tsr_tensor a = stack_of(ctx, TSR_F32, 2, 3), oblong = {0}, line = {0}, wrong = {0}, out[3] = {{0}};
  OK(ctx, tsr_ones(ctx, TSR_F32, 2, (const tsr_index[]){3, 4}, &oblong));
  OK(ctx, tsr_ones(ctx, TSR_F32, 1, (const tsr_index[]){4}, &line));
  OK(ctx, tsr_ones(ctx, TSR_F32, 3, (const tsr_index[]){5, 3, 1}, &wrong));
  for (int k = 0; k < COUNT_OF(ops); k++) {
    FAILS(ctx, TSR_ESHAPE, call_named(ctx, ops[k].name, &line, out));
    FAILS(ctx, TSR_EARG, call_named(ctx, ops[k].name, NULL, out));
  }
  FAILS(ctx, TSR_ESHAPE, tsr_cholesky(ctx, &oblong, false, &out[0]));
  MESSAGE_HAS(ctx, "cholesky: a [3,4]: its matrices are not square");
  FAILS(ctx, TSR_ESHAPE, tsr_lu_factor(ctx, &oblong, &out[0], &out[1]));
  FAILS(ctx, TSR_ESHAPE, tsr_inv(ctx, &oblong, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_det(ctx, &oblong, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_slogdet(ctx, &oblong, &out[0], &out[1]));
  FAILS(ctx, TSR_ESHAPE, tsr_eigh(ctx, &oblong, false, &out[0], &out[1]));
  FAILS(ctx, TSR_ESHAPE, tsr_eigvalsh(ctx, &oblong, false, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_solve(ctx, &oblong, &oblong, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_solve(ctx, &a, &line, &out[0]));
  MESSAGE_HAS(ctx, "solve: b [4] does not have as many rows as a [2,3,3]");
  FAILS(ctx, TSR_ESHAPE, tsr_solve(ctx, &a, &wrong, &out[0]));
  MESSAGE_HAS(ctx, "solve: b [5,3,1]: its stack of matrices does not broadcast with that of a [2,3,3]");
  FAILS(ctx, TSR_ESHAPE, tsr_solve_triangular(ctx, &a, &line, false, false, false, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_lstsq(ctx, &a, &line, -1, &out[0], NULL, NULL));
  FAILS(ctx, TSR_EARG, tsr_qr(ctx, &a, false, NULL, NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_svd(ctx, &line, false, NULL, &out[0], NULL));
  FAILS(ctx, TSR_ESHAPE, tsr_svdvals(ctx, &line, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_pinv(ctx, &line, -1, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_matrix_rank(ctx, &line, -1, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_cond(ctx, &line, &out[0]));
  FAILS(ctx, TSR_EARG, tsr_matrix_norm(ctx, &a, (tsr_matrix_norm_kind)99, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_matrix_power(ctx, &oblong, 2, &out[0]));
  FAILS(ctx, TSR_ESHAPE, tsr_expm(ctx, &oblong, &out[0]));
  OK(ctx, tsr_lu_factor(ctx, &a, &out[0], &out[1]));
  FAILS(ctx, TSR_ESHAPE, tsr_lu_solve(ctx, &out[0], &out[1], &line, &out[2]));
  release_all(out, 3);
  tsr_release(&a), tsr_release(&oblong), tsr_release(&line), tsr_release(&wrong);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(same_bits), RUN(dtypes), RUN(stacks_broadcast), RUN(nothing), RUN(no_result), RUN(known_results),
          RUN(bad_calls))
