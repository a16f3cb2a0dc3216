/* Sorting rows that no block has room for, and what is made of it: the bits of the host. Few elements lead to few tiles; on the emulated
 * device blocks take turns as the seed says. */
#include "gpu_support.h"

/* Elements of any bits, many of them the same, with zeros of both signs. */
static tsr_tensor elements(int dtype, int ndim, const tsr_index *shape, uint64_t seed) {
  test_rng rng = {seed};
  tsr_tensor t = {0};
  OK(NULL, tsr_zeros(NULL, dtype, ndim, shape, &t));
  const size_t item = tsr_dtype_size(dtype);
  unsigned char *const bytes = t.data;
  for (tsr_index i = 0; i < tsr_size(&t); i++) {
    const uint32_t draw = test_random(&rng);
    const uint64_t bits = (uint64_t)test_random(&rng) << 32 | test_random(&rng);
    unsigned char *const at = bytes + (size_t)i * item;
    if (draw % 8 == 0) continue;
    if (dtype == TSR_BOOL)
      *at = bits & 1;
    else if (draw % 8 == 1)
      at[item - 1] = 0x80;
    else if (draw % 8 < 4)
      at[0] = (unsigned char)(bits & 15);
    else
      memcpy(at, &bits, item);
  }
  return t;
}

/* The host's and the device's result of an op are the same bytes. */
static void check_outputs(const char *what, int dtype, const tsr_tensor *want, const tsr_tensor *got) {
  tsr_tensor host = {0};
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  const bool shaped = tsr_same_shape(want, &host) && want->dtype == host.dtype;
  const size_t item = tsr_dtype_size(want->dtype), all = (size_t)tsr_size(want) * item;
  const unsigned char *const a = want->data, *const b = host.data;
  if (!test_check(shaped && (all == 0 || memcmp(a, b, all) == 0), __FILE__, __LINE__, "the same bits")) {
    size_t at = 0;
    while (shaped && at + 1 < all && a[at] == b[at]) at++;
    printf("  %s of %s: element %zu of %lld\n", what, tsr_dtype_name(dtype), at / item, (long long)tsr_size(want));
  }
  tsr_release(&host);
}

enum { MOST_INPUTS = 3, MOST_OUTPUTS = 4 };
typedef struct calling {
  const char *op;
  int inputs, outputs, attrs;
  tsr_tensor in[MOST_INPUTS];
  tsr_attr attr[4];
} calling;

static tsr_status run(const calling *c, const tsr_tensor *in, tsr_tensor *out) {
  const tsr_tensor *ins[MOST_INPUTS];
  tsr_tensor *outs[MOST_OUTPUTS];
  for (int i = 0; i < c->inputs; i++) ins[i] = &in[i];
  for (int i = 0; i < c->outputs; i++) outs[i] = &out[i];
  return tsr_op_call(NULL, tsr_op_find(c->op), c->inputs, ins, c->attrs, c->attr, c->outputs, outs);
}

static void compare(const tsr_device *gpu, const calling *c) {
  tsr_tensor want[MOST_OUTPUTS] = {{0}}, got[MOST_OUTPUTS] = {{0}}, there[MOST_INPUTS] = {{0}};
  for (int i = 0; i < c->inputs; i++) OK(NULL, tsr_to_device(NULL, &c->in[i], gpu, &there[i]));
  OK(NULL, run(c, c->in, want));
  OK(NULL, run(c, there, got));
  for (int i = 0; i < c->outputs; i++) check_outputs(c->op, c->in[0].dtype, &want[i], &got[i]);
  for (int i = 0; i < MOST_OUTPUTS; i++) tsr_release(&want[i]), tsr_release(&got[i]);
  for (int i = 0; i < MOST_INPUTS; i++) tsr_release(&there[i]);
}

static const int dtypes[] = {TSR_F32, TSR_F16, TSR_F64, TSR_I32, TSR_U8, TSR_I64, TSR_F8_E4M3, TSR_BOOL, TSR_BF16};

static void sort_rows(const tsr_device *gpu, int dtype, tsr_index rows, tsr_index length, int axis, bool descending) {
  calling c = {.inputs = 1, .outputs = 1, .attrs = 2, .attr = {tsr_attr_int("axis", axis), tsr_attr_bool("descending", descending)}};
  c.in[0] = axis == 0 ? elements(dtype, TSR_SHAPE(length, rows), (uint64_t)length)
                      : elements(dtype, TSR_SHAPE(rows, length), (uint64_t)length);
  c.op = "sort";
  compare(gpu, &c);
  c.op = "argsort";
  compare(gpu, &c);
  tsr_release(&c.in[0]);
}

TEST(rows_of_any_length) {
  GPU_OR_SKIP(gpu);
  for (int i = 0; i < COUNT_OF(dtypes); i++) {
    sort_rows(gpu, dtypes[i], 2, 9000 + 100 * i, 1, i % 2 == 1);
    sort_rows(gpu, dtypes[i], 3, 700, 1, i % 2 == 0);
  }
  sort_rows(gpu, TSR_F32, 1, 50000, 1, false);
  sort_rows(gpu, TSR_F64, 1, 20000, 1, true);
  sort_rows(gpu, TSR_F32, 3, 8500, 0, true);
  for (tsr_index n = 1; n <= 4096; n = 2 * n + (n & 1)) sort_rows(gpu, TSR_F32, n < 64 ? 70 : 2, n, 1, false);
  sort_rows(gpu, TSR_F64, 2, 4096, 1, false);
  sort_rows(gpu, TSR_I64, 2, 4097, 1, false);
}

/* In place, by way of temporary memory. */
TEST(over_the_input) {
  GPU_OR_SKIP(gpu);
  for (int i = 0; i < COUNT_OF(dtypes); i++) {
    tsr_tensor x = elements(dtypes[i], TSR_SHAPE(2, 9000), 3), there = {0};
    OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
    OK(NULL, tsr_sort(NULL, &there, 1, false, &there));
    OK(NULL, tsr_sort(NULL, &x, 1, false, &x));
    check_outputs("sort over its input", dtypes[i], &x, &there);
    tsr_release(&x);
    tsr_release(&there);
  }
}

TEST_MAIN(RUN(rows_of_any_length), RUN(over_the_input))
