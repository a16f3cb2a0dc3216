/* The scratch that tsr_op_infer tells of sums of products: enough for the call, and no line more. */
#include <stdalign.h>
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

static alignas(TSR_DATA_ALIGN) unsigned char memory[1 << 22];

enum { MOST = 3 };

static size_t infer_scratch(tsr_ctx *ctx, const tsr_op *op, int inputs, const tsr_tensor *const *in,
                            const tsr_attr *attr) {
  tsr_tensor described[MOST], out = {0};
  const tsr_tensor *pointers[MOST];
  size_t bytes = SIZE_MAX;
  for (int i = 0; i < inputs; i++) {
    described[i] = *in[i];
    described[i].data = NULL;
    described[i].storage = NULL;
    described[i].flags = 0;
    pointers[i] = &described[i];
  }
  OK(ctx, tsr_op_infer(ctx, op, inputs, pointers, attr != NULL, attr, 1, (tsr_tensor *[]){&out}, &bytes));
  return bytes;
}

static tsr_status call_with(size_t bytes, const tsr_op *op, int inputs, const tsr_tensor *const *in,
                            const tsr_attr *attr) {
  tsr_ctx ctx;
  tsr_tensor out = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_scratch(&ctx, memory, bytes > 0 ? bytes : 1));
  const tsr_status st = tsr_op_call(&ctx, op, inputs, in, attr != NULL, attr, 1, (tsr_tensor *[]){&out});
  if (st != TSR_OK) CHECK(tsr_is_none(&out));
  tsr_release(&out);
  return st;
}

static void check_scratch(const char *name, bool takes, int inputs, const tsr_tensor *const *in, const tsr_attr *attr) {
  tsr_ctx ctx;
  const tsr_op *const op = tsr_op_find(name);
  OK(NULL, tsr_context_init(&ctx, NULL));
  const size_t bytes = infer_scratch(&ctx, op, inputs, in, attr);
  CHECK((bytes > 0) == takes && bytes <= sizeof memory);
  const tsr_status exactly = call_with(bytes, op, inputs, in, attr);
  const tsr_status less = takes ? call_with(bytes - TSR_DATA_ALIGN, op, inputs, in, attr) : TSR_ESCRATCH;
  CHECK(exactly == TSR_OK && less == TSR_ESCRATCH);
  if (exactly != TSR_OK || less != TSR_ESCRATCH)
    printf("  %s, %zu bytes: %s; a line less: %s\n", name, bytes, tsr_status_name(exactly), tsr_status_name(less));
}

#define TWO(name, takes, a, b) check_scratch(name, takes, 2, (const tsr_tensor *[]){a, b}, NULL)
#define EINSUM(takes, equation, n, ...)                                            \
  do {                                                                             \
    const tsr_attr text = tsr_attr_text("equation", equation);                     \
    check_scratch("einsum", takes, n, (const tsr_tensor *[]){__VA_ARGS__}, &text); \
  } while (0)

static tsr_tensor make(tsr_ctx *ctx, int dtype, tsr_index rows, tsr_index cols) {
  tsr_tensor t = {0};
  OK(ctx, tsr_ones(ctx, dtype, TSR_SHAPE(rows, cols), &t));
  return t;
}

static tsr_tensor transposed(tsr_ctx *ctx, const tsr_tensor *t) {
  tsr_tensor view = {0};
  OK(ctx, tsr_transpose(ctx, t, 0, 1, &view));
  return view;
}

TEST(products_take_the_scratch_that_is_told) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = make(ctx, TSR_F32, 70, 300), b = make(ctx, TSR_F32, 300, 90), w = make(ctx, TSR_F32, 90, 300);
  tsr_tensor bytes_a = make(ctx, TSR_I8, 70, 300), bytes_b = make(ctx, TSR_I8, 300, 90);
  tsr_tensor wide = make(ctx, TSR_F32, 300, 2), x = {0}, few = make(ctx, TSR_F32, 5, 6),
             square = make(ctx, TSR_F32, 6, 6);
  const tsr_tensor turned = transposed(ctx, &w);
  OK(ctx, tsr_slice(ctx, &wide, 1, 0, 1, 1, &x));
  OK(ctx, tsr_squeeze(ctx, &x, 1, &x));
  TWO("matmul", true, &a, &turned);
  TWO("matmul", true, &bytes_a, &bytes_b);
  TWO("matmul", false, &few, &square);
  TWO("gemm", true, &a, &turned);
  TWO("dense", true, &a, &w);
  TWO("matvec", true, &a, &x);
  TWO("dot", false, &x, &x);
  TWO("outer", false, &x, &x);
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&w);
  tsr_release(&bytes_a);
  tsr_release(&bytes_b);
  tsr_release(&wide);
  tsr_release(&few);
  tsr_release(&square);
  CHECK(test_live() == 0);
}

TEST(sums_of_products_take_the_scratch_that_is_told) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = make(ctx, TSR_F32, 20, 30), b = make(ctx, TSR_F32, 30, 20), c = make(ctx, TSR_I16, 20, 30), cube = {0};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(20, 30, 4), &cube));
  const tsr_tensor turned = transposed(ctx, &b);
  EINSUM(false, "ij->ji", 1, &a);
  EINSUM(true, "ij,jk,kl->il", 3, &a, &b, &a);
  EINSUM(true, "ij,ij->i", 2, &a, &c);
  EINSUM(true, "ijk,ji->k", 2, &cube, &b);
  TWO("inner", true, &a, &c);
  TWO("vdot", true, &a, &turned);
  TWO("vdot", false, &a, &a);
  TWO("kron", true, &a, &c);
#if TSR_HAVE_C64
  tsr_tensor z = make(ctx, TSR_C64, 20, 30);
  EINSUM(true, "ij,ik->jk", 2, &z, &a);
  EINSUM(true, "ij->i", 1, &z);
  check_scratch("trace", true, 1, (const tsr_tensor *[]){&z}, NULL);
  tsr_release(&z);
#endif
#if TSR_HAVE_SMALL_FLOATS
  tsr_tensor half = make(ctx, TSR_F16, 20, 3);
  TWO("cross", true, &half, &half);
  tsr_release(&half);
#endif
  check_scratch("trace", false, 1, (const tsr_tensor *[]){&a}, NULL);
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&c);
  tsr_release(&cube);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(products_take_the_scratch_that_is_told), RUN(sums_of_products_take_the_scratch_that_is_told))

#else
TEST_MAIN()
#endif
