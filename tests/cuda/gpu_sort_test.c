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

/* The first element whose bytes differ, or -1. computes: one NaN is as good as another. */
static tsr_index first_difference(const tsr_tensor *want, const tsr_tensor *got, bool computes) {
  const size_t item = tsr_dtype_size(want->dtype);
  const unsigned char *const a = want->data, *const b = got->data;
  tsr_tensor nan[2] = {{0}};
  tsr_index at = 0;
  if (computes) {
    OK(NULL, tsr_isnan(NULL, want, &nan[0]));
    OK(NULL, tsr_isnan(NULL, got, &nan[1]));
  }
  const bool *const nan_a = nan[0].data, *const nan_b = nan[1].data;
  for (; at < tsr_size(want); at++)
    if (memcmp(a + (size_t)at * item, b + (size_t)at * item, item) != 0 && !(computes && nan_a[at] && nan_b[at])) break;
  tsr_release(&nan[0]);
  tsr_release(&nan[1]);
  return at < tsr_size(want) ? at : -1;
}

/* The host's and the device's result of an op are the same bytes. */
static void check_outputs(const char *what, int dtype, const tsr_tensor *want, const tsr_tensor *got, bool computes) {
  tsr_tensor host = {0};
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  const bool shaped = tsr_same_shape(want, &host) && want->dtype == host.dtype;
  const tsr_index at = shaped ? first_difference(want, &host, computes) : 0;
  if (!test_check(at < 0, __FILE__, __LINE__, "the same bits"))
    printf("  %s of %s: element %lld of %lld\n", what, tsr_dtype_name(dtype), (long long)at, (long long)tsr_size(want));
  tsr_release(&host);
}

enum { MOST_INPUTS = 3, MOST_OUTPUTS = 4 };
typedef struct calling {
  const char *op;
  int inputs, outputs, attrs;
  bool computes; /* results are no elements of the input */
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
  for (int i = 0; i < c->outputs; i++) check_outputs(c->op, c->in[0].dtype, &want[i], &got[i], c->computes);
  for (int i = 0; i < MOST_OUTPUTS; i++) tsr_release(&want[i]), tsr_release(&got[i]);
  for (int i = 0; i < MOST_INPUTS; i++) tsr_release(&there[i]);
}

static const int dtypes[] = {TSR_F32, TSR_F16, TSR_F64, TSR_I32, TSR_U8, TSR_I64, TSR_F8_E4M3, TSR_BOOL, TSR_BF16};

static void sort_rows(const tsr_device *gpu, int dtype, tsr_index rows, tsr_index length, int axis, bool descending) {
  calling c = {.inputs = 1,
               .outputs = 1,
               .attrs = 2,
               .attr = {tsr_attr_int("axis", axis), tsr_attr_bool("descending", descending)}};
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
    check_outputs("sort over its input", dtypes[i], &x, &there, false);
    tsr_release(&x);
    tsr_release(&there);
  }
}

/* What is taken from sorted rows. */
static void pick_from(const tsr_device *gpu, int dtype, tsr_index rows, tsr_index length) {
  calling c = {.inputs = 1};
  c.in[0] = elements(dtype, TSR_SHAPE(rows, length), (uint64_t)length);
  for (int i = 0; i < 4; i++) {
    c.op = "topk";
    c.outputs = 2;
    c.attrs = 3;
    c.attr[0] = tsr_attr_int("k", i == 0 ? 1 : i == 1 ? 100 : i == 2 ? length / 2 : length);
    c.attr[1] = tsr_attr_bool("largest", i % 2 == 0);
    c.attr[2] = tsr_attr_bool("sorted", i != 1);
    compare(gpu, &c);
  }
  c.outputs = c.attrs = 1;
  c.attr[0] = tsr_attr_int("place", length / 3);
  c.op = "partition";
  compare(gpu, &c);
  c.op = "argpartition";
  compare(gpu, &c);
  c.attrs = 0;
  c.computes = true;
  c.op = "median";
  compare(gpu, &c);
  c.op = "nanmedian";
  compare(gpu, &c);
  c.computes = false;
  c.op = "unique";
  c.outputs = 4;
  compare(gpu, &c);
  c.outputs = 1;
  compare(gpu, &c);
  tsr_release(&c.in[0]);
}

TEST(picked_from_sorted_rows) {
  GPU_OR_SKIP(gpu);
  for (int i = 0; i < COUNT_OF(dtypes); i++) pick_from(gpu, dtypes[i], i % 2 == 0 ? 1 : 2, 9000 - 100 * i);
  pick_from(gpu, TSR_F32, 3, 700);
  pick_from(gpu, TSR_F32, 1, 40000);
}

/* All elements alike: every tile has one digit, and one run has them all. */
TEST(one_value) {
  GPU_OR_SKIP(gpu);
  calling c = {.op = "argsort", .inputs = 1, .outputs = 1};
  OK(NULL, tsr_full(NULL, TSR_F32, TSR_SHAPE(20000), 7, &c.in[0]));
  compare(gpu, &c);
  c.op = "unique";
  c.outputs = 4;
  compare(gpu, &c);
  c.op = "topk";
  c.outputs = 2;
  c.attrs = 2;
  c.attr[0] = tsr_attr_int("k", 1000);
  c.attr[1] = tsr_attr_bool("largest", false);
  compare(gpu, &c);
  tsr_release(&c.in[0]);
}

/* ---- writing by index ---- */

static void write_by_index(const tsr_device *gpu, const char *op, int dtype, tsr_index length, tsr_index count,
                           tsr_index inner, const char *mode) {
  test_rng rng = {(uint64_t)count};
  calling c = {.op = op, .inputs = 3, .outputs = 1, .computes = true};
  tsr_rng draw = tsr_rng_seed((uint64_t)length);
  const bool by_lists = strcmp(op, "scatter_nd") == 0;
  c.in[0] = elements(dtype, TSR_SHAPE(length, inner), 1);
  OK(NULL, tsr_rand_integers(NULL, &draw, TSR_I64, by_lists ? 2 : 1, by_lists ? (tsr_index[]){count, 1} : &count,
                             -length, length, &c.in[1]));
  c.in[2] = elements(dtype, TSR_SHAPE(count, inner), 2 + test_random(&rng));
  if (!by_lists) c.attr[c.attrs++] = tsr_attr_int("axis", 0);
  if (mode != NULL) c.attr[c.attrs++] = tsr_attr_text("mode", mode);
  compare(gpu, &c);
  for (int i = 0; i < 3; i++) tsr_release(&c.in[i]);
}

TEST(many_updates) {
  GPU_OR_SKIP(gpu);
  static const char *const modes[] = {"set", "add", "mul", "min", "max"};
  for (int i = 0; i < 5; i++) {
    write_by_index(gpu, "put", i % 2 == 0 ? TSR_F32 : TSR_I16, 300, 9000, 8, modes[i]);
    write_by_index(gpu, "scatter_nd", i % 2 == 0 ? TSR_BF16 : TSR_F32, 70000, 5000, 1, modes[i]);
  }
  write_by_index(gpu, "index_add", TSR_F32, 10, 20000, 1, NULL);
  write_by_index(gpu, "index_add", TSR_F16, 5000, 20000, 4, NULL);
  write_by_index(gpu, "index_add", TSR_F64, 100000, 50, 3, NULL);
}

/* A line of indices of its own for every column. */
TEST(updates_of_lines) {
  GPU_OR_SKIP(gpu);
  calling c = {.op = "scatter", .inputs = 3, .outputs = 1, .attrs = 2, .computes = true};
  tsr_rng draw = tsr_rng_seed(9);
  c.in[0] = elements(TSR_F32, TSR_SHAPE(500, 3), 1);
  OK(NULL, tsr_rand_integers(NULL, &draw, TSR_I32, TSR_SHAPE(6000, 3), -500, 500, &c.in[1]));
  c.in[2] = elements(TSR_F32, TSR_SHAPE(6000, 3), 2);
  c.attr[0] = tsr_attr_int("axis", 0);
  c.attr[1] = tsr_attr_text("mode", "add");
  compare(gpu, &c);
  for (int i = 0; i < 3; i++) tsr_release(&c.in[i]);
}

TEST_MAIN(RUN(rows_of_any_length), RUN(over_the_input), RUN(picked_from_sorted_rows), RUN(one_value), RUN(many_updates),
          RUN(updates_of_lines))
