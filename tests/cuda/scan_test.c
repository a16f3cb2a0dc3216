/* Cumulative ops of every length and layout: whichever kernel is chosen, bits are the host's. */
#include "gpu_support.h"

#include <math.h>

typedef tsr_status call_fn(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);
static const struct {
  const char *name;
  call_fn *call;
} ops[] = {{"cumsum", tsr_cumsum}, {"cumprod", tsr_cumprod}, {"cummin", tsr_cummin}, {"cummax", tsr_cummax}};

/* A row-major tensor of shape, its axes in order, of its last axis each step-th element. */
typedef struct layout {
  int ndim;
  tsr_index shape[3];
  int order[3];
  int step;
} layout;

static const layout layouts[] = {
    {1, {1}, {0}, 1},
    {1, {16384}, {0}, 1},
    {1, {40000}, {0}, 1},
    {1, {70001}, {0}, 1},
    {1, {70000}, {0}, 2},
    {2, {300, 5}, {0, 1}, 1},
    {2, {40, 100}, {0, 1}, 1},
    {2, {3, 8188}, {0, 1}, 1},
    {2, {3, 33000}, {0, 1}, 1},
    {2, {2, 33001}, {0, 1}, 1},
    {2, {270, 1025}, {0, 1}, 3},
    {2, {7, 600}, {1, 0}, 1},
    {2, {40, 17000}, {1, 0}, 1},
    {2, {2500, 33}, {0, 1}, 1},
    {2, {17000, 40}, {0, 1}, 1},
    {3, {5, 300, 70}, {1, 2, 0}, 1},
    {3, {6, 70, 41}, {2, 0, 1}, 1},
};

static void check_same(const char *op, const layout *l, const tsr_tensor *want, const tsr_tensor *got) {
  tsr_tensor host = {0};
  const size_t item = tsr_dtype_size(want->dtype);
  long other = 0, first = -1;
  OK(NULL, tsr_contiguous(NULL, want, &host));
  tsr_tensor mine = host, theirs = {0}, back = {0};
  OK(NULL, tsr_to_device(NULL, got, NULL, &back));
  OK(NULL, tsr_contiguous(NULL, &back, &theirs));
  REQUIRE(tsr_same_shape(&mine, &theirs) && mine.dtype == theirs.dtype);
  for (tsr_index i = 0; i < tsr_size(&mine); i++) {
    if (memcmp((const char *)mine.data + (size_t)i * item, (const char *)theirs.data + (size_t)i * item, item) == 0)
      continue;
    if (other++ == 0) first = (long)i;
  }
  CHECK(other == 0);
  if (other > 0)
    printf("  %s of %s, layout %d: %ld of %ld differ, the first is %ld\n", op, tsr_dtype_name(want->dtype),
           (int)(l - layouts), other, (long)tsr_size(want), first);
  tsr_tensor *const all[] = {&host, &theirs, &back};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

/* Numbers around 1, so that products stay numbers. */
static void make_base(const layout *l, int dtype, tsr_tensor *base) {
  tsr_rng rng = tsr_rng_seed((uint64_t)(l->shape[0] + l->ndim + dtype));
  tsr_tensor numbers = {0};
  OK(NULL, tsr_rand_normal_scaled(NULL, &rng, TSR_F32, l->ndim, l->shape, 0, (tsr_real)1.4, &numbers));
  OK(NULL, tsr_cast(NULL, &numbers, dtype, base));
  tsr_release(&numbers);
}

static void make_view(const layout *l, const tsr_tensor *base, tsr_tensor *x) {
  OK(NULL, tsr_permute(NULL, base, l->order, x));
  OK(NULL, tsr_slice(NULL, x, -1, TSR_OMIT, TSR_OMIT, l->step, x));
}

static void try_layout(const tsr_device *gpu, const layout *l, int dtype, int number) {
  tsr_tensor base = {0}, x = {0}, base_there = {0}, there = {0};
  make_base(l, dtype, &base);
  OK(NULL, tsr_to_device(NULL, &base, gpu, &base_there));
  make_view(l, &base, &x);
  make_view(l, &base_there, &there);
  for (int i = 0; i < COUNT_OF(ops); i++)
    for (int axis = 0; axis < l->ndim; axis++) {
      tsr_tensor want = {0}, got = {0};
      if (i > 0 && (number + axis + i) % 3 != 0) continue; /* other ops take turns */
      OK(NULL, ops[i].call(NULL, &x, axis, &want));
      OK(NULL, ops[i].call(NULL, &there, axis, &got));
      check_same(ops[i].name, l, &want, &got);
      tsr_release(&got);
      if (want.dtype == x.dtype) { /* in place */
        tsr_tensor over = {0};
        OK(NULL, tsr_clone(NULL, &there, &over));
        OK(NULL, ops[i].call(NULL, &over, axis, &over));
        check_same(ops[i].name, l, &want, &over);
        tsr_release(&over);
      }
      tsr_release(&want);
    }
  tsr_tensor *const all[] = {&base, &x, &base_there, &there};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(every_layout) {
  HOST_FUSES_OR_SKIP();
  GPU_OR_SKIP(gpu);
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_I32, TSR_U8};
  for (int i = 0; i < COUNT_OF(layouts); i++)
    for (int k = 0; k < COUNT_OF(dtypes); k++) try_layout(gpu, &layouts[i], dtypes[k], i + k);
}

/* Infinities, NaN, zeros of both signs: what comes first of equal ones stays. */
TEST(numbers_that_are_none) {
  HOST_FUSES_OR_SKIP();
  GPU_OR_SKIP(gpu);
  static const layout l = {1, {40000}, {0}, 1};
  for (int kind = 0; kind < 4; kind++) {
    tsr_tensor x = {0}, there = {0};
    OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(40000), &x));
    float *const v = x.data;
    for (int i = 0; i < 40000; i++) v[i] = kind == 0 ? (i % 2 == 0 ? -0.0f : 0.0f) : (float)(i % 1000);
    if (kind == 1) v[20000] = (float)INFINITY;
    if (kind == 2) v[20000] = (float)INFINITY, v[35000] = -(float)INFINITY;
    if (kind == 3)
      for (int i = 0; i < 40000; i++) v[i] = -0.0f;
    OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
    for (int i = 0; i < COUNT_OF(ops); i++) {
      tsr_tensor want = {0}, got = {0}, counts = {0}, nan = {0};
      if (kind == 2 && i == 0) v[35000] = 5; /* which NaN comes of two infinities is nobody's promise */
      OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
      OK(NULL, ops[i].call(NULL, &x, 0, &want));
      OK(NULL, tsr_isnan(NULL, &want, &nan));
      OK(NULL, tsr_count_nonzero(NULL, &nan, 0, NULL, false, &counts));
      OK(NULL, ops[i].call(NULL, &there, 0, &got));
      if (((const tsr_index *)counts.data)[0] == 0) check_same(ops[i].name, &l, &want, &got);
      tsr_tensor *const all[] = {&want, &got, &counts, &nan};
      for (int k = 0; k < COUNT_OF(all); k++) tsr_release(all[k]);
    }
    tsr_release(&x);
    tsr_release(&there);
  }
}

TEST_MAIN(RUN(every_layout), RUN(numbers_that_are_none))
