/* Products of complex numbers: every layout, dtype and instruction set against sums in f64; batches, threads, conjugates, other dtypes
 * beside them, what does not fit. */
#include "support/test.h"

#include "support/brief.h"
#include "support/helpers.h"
#include "support/scratch.h"

#if TSR_HAVE_COMPLEX && TSR_HAVE_F64 && TSR_HAVE_MALLOC

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

/* As CMPLX, which not every C library has. */
static number complex_of(double re, double im) {
  const double parts[2] = {re, im};
  number z;
  memcpy(&z, parts, sizeof z);
  return z;
}

#define EACH_ISA(ctx)                                            \
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)            \
    for (tsr_ctx *ctx = test_context(); ctx != NULL; ctx = NULL) \
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) == TSR_OK)

static number element(const tsr_tensor *t, tsr_index i, tsr_index j) {
  const tsr_index at[2] = {i, j};
  const void *const p = test_at(t, t->ndim == 1 ? &at[1] : at);
  switch (t->dtype) {
    case TSR_C64: return complex_of(((const float *)p)[0], ((const float *)p)[1]);
    case TSR_C128: return complex_of(((const double *)p)[0], ((const double *)p)[1]);
    case TSR_F32: return *(const float *)p;
    case TSR_F64: return *(const double *)p;
    default: return *(const int32_t *)p;
  }
}

/* Numbers in their own memory, and a view of (rows, cols) of them: plain, transposed, with gaps between columns, between rows,
 * backwards. */
typedef enum lie { PLAIN, TRANSPOSED, STRIDED, GAPS, BACKWARDS, LIES } lie;
typedef struct matrix {
  tsr_tensor whole, view;
} matrix;

static matrix make(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index rows, tsr_index cols, lie how) {
  matrix m = {{0}, {0}};
  const tsr_index shape[2] = {how == TRANSPOSED ? cols : rows, how == TRANSPOSED ? rows
                                                               : how == STRIDED  ? 2 * cols
                                                               : how == GAPS     ? cols + 3
                                                                                 : cols};
  OK(ctx, tsr_zeros(ctx, dtype, 2, shape, &m.whole));
  const tsr_index n = tsr_size(&m.whole) * (dtype == TSR_C64 || dtype == TSR_C128 ? 2 : 1);
  for (tsr_index i = 0; i < n; i++) {
    const double x = (double)(int32_t)test_random(rng) * 0x1p-31;
    if (dtype == TSR_C64 || dtype == TSR_F32) ((float *)m.whole.data)[i] = (float)x;
    if (dtype == TSR_C128 || dtype == TSR_F64) ((double *)m.whole.data)[i] = x;
    if (dtype == TSR_I32) ((int32_t *)m.whole.data)[i] = (int32_t)(x * 8);
  }
  OK(ctx, tsr_view(ctx, &m.whole, &m.view));
  tsr_tensor *const v = &m.view;
  if (how == TRANSPOSED) {
    const tsr_index t = v->stride[0];
    v->stride[0] = v->stride[1], v->stride[1] = t;
    v->shape[0] = rows;
  }
  if (how == STRIDED) v->stride[1] *= 2;
  if (how == BACKWARDS && rows > 0) OK(ctx, tsr_flip(ctx, v, 0, v));
  v->shape[1] = cols;
  if (rows == 1 || how == STRIDED || how == TRANSPOSED) v->layout = TSR_PLAIN;
  return m;
}

static void forget(matrix *m) { tsr_release(&m->view), tsr_release(&m->whole); }

typedef struct terms {
  double alpha, beta;
  const tsr_tensor *bias;
} terms;

/* out = alpha·a·b + beta·before + bias, where tests are brief one element of some. */
static void check(const char *what, const tsr_tensor *a, const tsr_tensor *b, const terms *t, const number *before,
                  const tsr_tensor *out) {
  const tsr_index m = a->shape[0], n = b->shape[1], k = a->shape[1], step = test_every(5);
  const double unit = out->dtype == TSR_C128 ? 0x1p-52 : 0x1p-23;
  int wrong = 0;
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = i % step; j < n; j += step) {
      number sum = 0;
      double size = 0;
      for (tsr_index p = 0; p < k; p++) {
        const number x = element(a, i, p), y = element(b, p, j);
        sum += x * y;
        size += cabs(x) * cabs(y);
      }
      const number more = (t->beta != 0 ? t->beta * before[i * n + j] : 0) + (t->bias ? element(t->bias, 0, j) : 0);
      const double bound = unit * ((double)(k + 4) * size * fabs(t->alpha) + 4 * cabs(more));
      if (!(cabs(element(out, i, j) - (t->alpha * sum + more)) <= bound)) wrong++;
    }
  CHECK(wrong == 0);
  if (wrong != 0 && test_now.failures < 20)
    printf("  %s: %s, (%d, %d) by (%d, %d): %d are wrong\n", what, tsr_dtype_name(out->dtype), (int)m, (int)k, (int)k,
           (int)n, wrong);
}

static void check_one(tsr_ctx *ctx, test_rng *rng, const int *dtype, const tsr_index *size, const int *how) {
  const tsr_index m = size[0], n = size[1], k = size[2];
  matrix a = make(ctx, rng, dtype[0], m, k, (lie)how[0]), b = make(ctx, rng, dtype[1], k, n, (lie)how[1]);
  const int result = tsr_dtype_promote(dtype[0], dtype[1]);
  matrix c = make(ctx, rng, result, m, n, (lie)how[2]), line = make(ctx, rng, result, 1, n, PLAIN);
  tsr_tensor fresh = {0};
  OK(ctx, tsr_matmul(ctx, &a.view, &b.view, &fresh));
  CHECK(fresh.dtype == result);
  check("matmul", &a.view, &b.view, &(terms){1, 0, NULL}, NULL, &fresh);
  number *const before = malloc((size_t)(m * n + 1) * sizeof *before);
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) before[i * n + j] = element(&c.view, i, j);
  const uint32_t way = test_random(rng);
  const terms t = {way % 2 ? 1 : -1.5, way % 3 == 0 ? 0 : way % 3 == 1 ? 1 : 0.5, way % 5 < 2 ? &line.view : NULL};
  OK(ctx, tsr_gemm(ctx, (tsr_real)t.alpha, &a.view, &b.view, (tsr_real)t.beta, NULL,
                   &(tsr_gemm_options){.bias = t.bias}, &c.view));
  check("gemm", &a.view, &b.view, &t, before, &c.view);
  free(before);
  tsr_release(&fresh);
  forget(&a), forget(&b), forget(&c), forget(&line);
}

TEST(every_layout) {
  static const int pairs[][2] = {{TSR_C64, TSR_C64}, {TSR_C128, TSR_C128}, {TSR_C64, TSR_F32},
                                 {TSR_F64, TSR_C64}, {TSR_I32, TSR_C128},  {TSR_C64, TSR_C128}};
  EACH_ISA(ctx) {
    test_rng rng = {(uint64_t)(3 + isa)};
    for (int round = 0; round < 400; round++) {
      const bool large = round % 50 == 49;
      tsr_index size[3];
      int how[3];
      for (int i = 0; i < 3; i++) {
        size[i] = (tsr_index)(test_random(&rng) % (large ? 150 : 20)) + (i == 2 && round % 40 != 3);
        how[i] = (int)(test_random(&rng) % (i == 2 ? BACKWARDS : LIES));
      }
      if (large) size[2] = (tsr_index)(test_random(&rng) % 1500);
      if (round % 7 == 0) size[1] = 1;
      if (round % 11 == 0) size[0] = 1;
      check_one(ctx, &rng, pairs[round % 3 == 2 ? 2 + round % 4 : round % 2], size, how);
    }
    CHECK(test_live() == 0);
  }
}

/* Long enough for several blocks of K, of columns, of rows. */
TEST(blocks) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {9};
  static const tsr_index sizes[][3] = {{7, 5, 3000}, {12, 2100, 9}, {2300, 12, 9}, {30, 40, 1300}, {110, 70, 700}};
  for (int i = 0; i < COUNT_OF(sizes); i++)
    for (int d = 0; d < 2; d++) {
      const int dtypes[2] = {d ? TSR_C128 : TSR_C64, d ? TSR_C128 : TSR_C64},
                how[3] = {i % LIES, (i + 1) % LIES, PLAIN};
      check_one(ctx, &rng, dtypes, sizes[i], how);
    }
  CHECK(test_live() == 0);
}

/* The same bits on one thread and on four, in a batch and alone, without temporary memory but what a dry run asks for. */
TEST(same_bits) {
  for (int d = 0; d < 2; d++)
    for (int large = 0; large < 2; large++) {
      tsr_ctx *const ctx = test_context();
      test_rng rng = {5};
      const tsr_index n = large ? 150 : 6;
      const int dtype = d ? TSR_C128 : TSR_C64;
      matrix a = make(ctx, &rng, dtype, 5 * n, n, PLAIN), b = make(ctx, &rng, dtype, n, n, TRANSPOSED);
      tsr_tensor stack = {0}, out = {0}, again = {0}, one = {0}, part = {0}, x = {0}, y = {0}, column = {0};
      OK(ctx, tsr_reshape(ctx, &a.view, 3, (const tsr_index[]){5, n, n}, &stack));
      OK(ctx, tsr_matmul(ctx, &stack, &b.view, &out));
      tsr_threads *const threads = test_with_threads(ctx, 4);
      OK(ctx, tsr_matmul(ctx, &stack, &b.view, &again));
      CHECK(test_same_elements(&out, &again));
      ctx->parallel = NULL;
      tsr_threads_release(threads);
      OK(ctx, tsr_select(ctx, &b.view, 1, 0, &x)); /* a vector */
      OK(ctx, tsr_matvec(ctx, &stack, &x, &y));
      CHECK(y.ndim == 2 && y.shape[0] == 5 && y.shape[1] == n);
      for (tsr_index i = 0; i < 5; i++) {
        OK(ctx, tsr_select(ctx, &y, 0, i, &part));
        OK(ctx, tsr_select(ctx, &out, 0, i, &one));
        OK(ctx, tsr_select(ctx, &one, 1, 0, &column));
        double most = 0;
        for (tsr_index k = 0; k < n; k++) most = fmax(most, cabs(element(&part, 0, k) - element(&column, 0, k)));
        CHECK(most <= (double)n * (d ? 0x1p-50 : 0x1p-21));
        tsr_release(&part), tsr_release(&one), tsr_release(&column);
      }
      tsr_release(&stack), tsr_release(&out), tsr_release(&again), tsr_release(&x), tsr_release(&y);
      forget(&a), forget(&b);
      CHECK(test_live() == 0);
    }
}

/* vdot takes the conjugate of its first input, inner and dot do not; outer and kron. */
TEST(vectors) {
  EACH_ISA(ctx) {
    test_rng rng = {8};
    for (int d = 0; d < 2; d++)
      for (tsr_index n = 1; n < 300; n += n < 20 ? 1 : 77) {
        const int dtype = d ? TSR_C128 : TSR_C64;
        matrix a = make(ctx, &rng, dtype, 1, n, n % 2 ? STRIDED : PLAIN), b = make(ctx, &rng, dtype, 1, n, PLAIN);
        tsr_tensor x = {0}, y = {0}, dot = {0}, inner = {0}, vdot = {0}, outer = {0}, kron = {0}, sum = {0};
        OK(ctx, tsr_select(ctx, &a.view, 0, 0, &x));
        OK(ctx, tsr_select(ctx, &b.view, 0, 0, &y));
        OK(ctx, tsr_dot(ctx, &x, &y, &dot));
        OK(ctx, tsr_inner(ctx, &x, &y, &inner));
        OK(ctx, tsr_vdot(ctx, &x, &y, &vdot));
        OK(ctx, tsr_outer(ctx, &x, &y, &outer));
        OK(ctx, tsr_kron(ctx, &x, &y, &kron));
        OK(ctx, tsr_einsum(ctx, 2, (const tsr_tensor *const[]){&x, &y}, "i,i->", &sum));
        number plain = 0, turned = 0;
        for (tsr_index i = 0; i < n; i++) {
          plain += element(&x, 0, i) * element(&y, 0, i);
          turned += conj(element(&x, 0, i)) * element(&y, 0, i);
        }
        const double bound = (double)(n + 4) * (double)n * (d ? 0x1p-52 : 0x1p-23) * 2;
        CHECK(cabs(element(&dot, 0, 0) - plain) <= bound && cabs(element(&inner, 0, 0) - plain) <= bound);
        CHECK(cabs(element(&vdot, 0, 0) - turned) <= bound && cabs(element(&sum, 0, 0) - plain) <= bound);
        CHECK(outer.dtype == dtype && outer.shape[0] == n && kron.shape[0] == n * n);
        CHECK(cabs(element(&outer, n - 1, 0) - element(&x, 0, n - 1) * element(&y, 0, 0)) <= bound);
        CHECK(cabs(element(&kron, 0, n * n - n) - element(&x, 0, n - 1) * element(&y, 0, 0)) <= bound);
        tsr_release(&x), tsr_release(&y), tsr_release(&dot), tsr_release(&inner), tsr_release(&vdot);
        tsr_release(&outer), tsr_release(&kron), tsr_release(&sum);
        forget(&a), forget(&b);
      }
    CHECK(test_live() == 0);
  }
}

/* Conjugates of matrices, as einsum has them between vdot and products: tensordot of conjugated operands is that of copies. */
TEST(what_does_not_fit) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {2};
  matrix a = make(ctx, &rng, TSR_C64, 3, 3, PLAIN), real = make(ctx, &rng, TSR_F32, 3, 3, PLAIN);
  tsr_tensor out = {0};
  FAILS(ctx, TSR_EDTYPE,
        tsr_gemm(ctx, 1, &a.view, &a.view, 0, NULL, &(tsr_gemm_options){.activation = {.kind = TSR_RELU}}, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_gemm(ctx, 1, &a.view, &a.view, 0, NULL, &(tsr_gemm_options){.dtype = TSR_F32}, &out));
  FAILS(ctx, TSR_EDTYPE,
        tsr_gemm(ctx, 1, &real.view, &real.view, 0, NULL, &(tsr_gemm_options){.dtype = TSR_C64}, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_gemm(ctx, 1, &real.view, &real.view, 0, NULL, &(tsr_gemm_options){.bias = &a.view}, &out));
  OK(ctx, tsr_gemm(ctx, 1, &a.view, &a.view, 0, NULL, &(tsr_gemm_options){.dtype = TSR_C128}, &out));
  CHECK(out.dtype == TSR_C128);
  tsr_release(&out);
  OK(ctx, tsr_gemm(ctx, 1, &a.view, &a.view, 1, &real.view, NULL, &out)); /* real numbers are added */
  CHECK(out.dtype == TSR_C64);
  tsr_release(&out);
  tsr_packed packed = {.rows = 0};
  OK(ctx, tsr_pack(ctx, &real.view, TSR_NONE, &packed));
  FAILS(ctx, TSR_EDTYPE, tsr_matmul_packed(ctx, &a.view, &packed, NULL, &out));
  tsr_release(&packed.panels);
  forget(&a), forget(&real);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(every_layout), RUN(blocks), RUN(same_bits), RUN(vectors), RUN(what_does_not_fit))

#else

TEST(complex_products) { SKIP("no complex products in this build"); }
TEST_MAIN(RUN(complex_products))

#endif
