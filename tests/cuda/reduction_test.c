/* Reductions of every length and layout: whichever kernel is chosen, bits are the host's. */
#include "gpu_support.h"

#include <math.h>

/* Bits, but for those of NaN; results of class C may be near on a real device. */
static void check_same(const char *op, const char *what, const tsr_tensor *want, const tsr_tensor *got, bool exact) {
  tsr_tensor host = {0}, a = {0}, b = {0};
  long other = 0, first = -1;
  OK(NULL, tsr_to_device(NULL, got, NULL, &host));
  REQUIRE(tsr_same_shape(want, &host) && want->dtype == host.dtype);
  OK(NULL, tsr_cast(NULL, want, TSR_F64, &a));
  OK(NULL, tsr_cast(NULL, &host, TSR_F64, &b));
  const double *const x = a.data, *const y = b.data;
  for (tsr_index i = 0; i < tsr_size(want); i++) {
    const bool near = !exact && gpu_is_real() && fabs(x[i] - y[i]) <= 1e-6 * fabs(x[i]);
    if (memcmp(&x[i], &y[i], sizeof *x) == 0 || (x[i] != x[i] && y[i] != y[i]) || near) continue;
    if (other++ == 0) first = (long)i;
  }
  CHECK(other == 0);
  if (other > 0)
    printf("  %s of %s: %ld of %ld differ, the first is %ld: %a, not %a\n", op, what, other, (long)tsr_size(want),
           first, y[first], x[first]);
  tsr_tensor *const all[] = {&host, &a, &b};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

typedef tsr_status call_fn(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out);
static tsr_status call_sum(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return tsr_sum(ctx, x, TSR_AXES(axis), false, out);
}
static tsr_status call_max(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return tsr_max(ctx, x, TSR_AXES(axis), true, out);
}
static tsr_status call_var(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return tsr_var(ctx, x, TSR_AXES(axis), false, 1, out);
}
static tsr_status call_logsumexp(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return tsr_logsumexp(ctx, x, TSR_AXES(axis), false, out);
}
static tsr_status call_argmax(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return tsr_argmax(ctx, x, axis, false, out);
}
static tsr_status call_argmin_all(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  (void)axis;
  return tsr_argmin(ctx, x, TSR_ALL_AXES, false, out);
}
static tsr_status call_mean_all(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  (void)axis;
  return tsr_mean(ctx, x, 0, NULL, false, out);
}
static tsr_status call_mean_others(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  int axes[TSR_MAX_DIMS], n = 0;
  for (int d = 0; d < x->ndim; d++)
    if (d != (axis < 0 ? axis + x->ndim : axis)) axes[n++] = d;
  return n > 0 ? tsr_mean(ctx, x, n, axes, false, out) : tsr_mean(ctx, x, 0, NULL, false, out);
}

static const struct {
  const char *name;
  call_fn *call;
  bool floats; /* of no integers */
} ops[] = {{"sum", call_sum, false},
           {"max", call_max, false},
           {"var", call_var, true},
           {"logsumexp", call_logsumexp, true},
           {"argmax", call_argmax, false},
           {"argmin of all", call_argmin_all, false},
           {"mean of all", call_mean_all, true},
           {"mean of the others", call_mean_others, true}};

/* A row-major tensor of shape, its axes in order, of its last axis each step-th element. */
typedef struct layout {
  const char *name;
  int ndim;
  tsr_index shape[4];
  int order[4];
  int step;
} layout;

static const layout layouts[] = {
    {"a vector of 1", 1, {1}, {0}, 1},
    {"a vector of 700", 1, {700}, {0}, 1},
    {"a vector of 1025", 1, {1025}, {0}, 1},
    {"a vector of 16384", 1, {16384}, {0}, 1},
    {"a vector of 70001", 1, {70001}, {0}, 1},
    {"a vector of each second of 20000", 1, {20000}, {0}, 2},
    {"17 x 1200", 2, {17, 1200}, {0, 1}, 1},
    {"1200 x 17, turned", 2, {1200, 17}, {1, 0}, 1},
    {"3 x 66000", 2, {3, 66000}, {0, 1}, 1},
    {"2100 x 33", 2, {2100, 33}, {0, 1}, 1},
    {"2100 x 64", 2, {2100, 64}, {0, 1}, 1},
    {"33 x 2100, turned, each third", 2, {33, 2100}, {1, 0}, 3},
    {"66 x 10 x 67, backwards, each third", 3, {66, 10, 67}, {2, 1, 0}, 3},
    {"40 x 6 x 35 as 2, 0, 1", 3, {40, 6, 35}, {2, 0, 1}, 1},
    {"40 x 6 x 36 as 1, 0, 2", 3, {40, 6, 36}, {1, 0, 2}, 1},
    {"164 x 3 x 5 x 21 as 0, 2, 3, 1, each second", 4, {164, 3, 5, 21}, {0, 2, 3, 1}, 2},
    {"5 x 3 x 300 x 20 as 3, 1, 0, 2", 4, {5, 3, 300, 20}, {3, 1, 0, 2}, 1},
    {"2 x 1100 x 40 as 0, 2, 1", 3, {2, 1100, 40}, {0, 2, 1}, 1},
};

static void make_view(const layout *l, const tsr_tensor *base, tsr_tensor *x) {
  OK(NULL, tsr_permute(NULL, base, l->order, x));
  OK(NULL, tsr_slice(NULL, x, -1, TSR_OMIT, TSR_OMIT, l->step, x));
}

static void try_layout(const tsr_device *gpu, const layout *l, int dtype) {
  tsr_rng rng = tsr_rng_seed((uint64_t)(l->shape[0] + l->ndim + dtype));
  tsr_tensor numbers = {0}, base = {0}, x = {0}, base_there = {0}, there = {0};
  char what[128];
  (void)snprintf(what, sizeof what, "%s of %s", tsr_dtype_name(dtype), l->name);
  OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, l->ndim, l->shape, &numbers));
  OK(NULL, tsr_cast(NULL, &numbers, dtype, &base));
  OK(NULL, tsr_to_device(NULL, &base, gpu, &base_there));
  make_view(l, &base, &x);
  make_view(l, &base_there, &there);
  for (int i = 0; i < COUNT_OF(ops); i++)
    for (int axis = 0; axis < l->ndim; axis++) {
      tsr_tensor want = {0}, got = {0};
      if (ops[i].floats && dtype == TSR_I32) continue;
      OK(NULL, ops[i].call(NULL, &x, axis, &want));
      OK(NULL, ops[i].call(NULL, &there, axis, &got));
      check_same(ops[i].name, what, &want, &got, true);
      tsr_release(&want);
      tsr_release(&got);
    }
  tsr_tensor *const all[] = {&numbers, &base, &x, &base_there, &there};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(every_layout) {
  HOST_FUSES_OR_SKIP();
  GPU_OR_SKIP(gpu);
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_I32};
  for (int i = 0; i < COUNT_OF(layouts); i++)
    for (int k = 0; k < COUNT_OF(dtypes); k++) try_layout(gpu, &layouts[i], dtypes[k]);
}

/* Rows of numbers that are far from one another, and of what is no number. */
static void fill_row(float *row, tsr_index n, int kind, tsr_rng *rng) {
  tsr_tensor t = {0};
  OK(NULL, tsr_rand_normal(NULL, rng, TSR_F32, TSR_SHAPE(n), &t));
  memcpy(row, t.data, (size_t)n * sizeof *row);
  tsr_release(&t);
  for (tsr_index i = 0; i < n; i++) {
    const float spread = kind == 1 ? 60.0f : kind == 2 ? 1e6f : kind == 3 ? 1e30f : 1.0f;
    row[i] *= spread;
    if (kind == 4) row[i] = -INFINITY;
    if (kind == 5 && i % 3 != 1) row[i] = -INFINITY;
    if (kind == 8) row[i] = i % 2 == 0 ? 0.0f : -0.0f;
    if (kind == 9) row[i] = -87.0f - (float)(i % 7) * 0.25f;
  }
  if (kind == 5) row[n / 2] = 3;
  if (kind == 6) row[n - 1] = INFINITY;
  if (kind == 7) row[n / 3] = NAN, row[0] = INFINITY;
  if (kind == 9) row[n - 2] = 0; /* e^-87 and less beside 1 */
}
enum { KINDS = 10 };

static void try_values(const tsr_device *gpu, tsr_index n, int dtype) {
  tsr_rng rng = tsr_rng_seed((uint64_t)n);
  tsr_tensor numbers = {0}, x = {0}, there = {0}, classes = {0}, classes_there = {0};
  tsr_tensor view = {0}, turned = {0}, turned_there = {0};
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(KINDS, n), &numbers));
  for (int k = 0; k < KINDS; k++) fill_row((float *)numbers.data + k * n, n, k, &rng);
  OK(NULL, tsr_cast(NULL, &numbers, dtype, &x));
  OK(NULL, tsr_arange(NULL, TSR_I64, 0, KINDS, 1, &classes));
  OK(NULL, tsr_to_device(NULL, &x, gpu, &there));
  OK(NULL, tsr_to_device(NULL, &classes, gpu, &classes_there));
  OK(NULL, tsr_transpose(NULL, &x, 0, 1, &view));
  OK(NULL, tsr_contiguous(NULL, &view, &turned));
  OK(NULL, tsr_to_device(NULL, &turned, gpu, &turned_there));
  OK(NULL, tsr_transpose(NULL, &turned_there, 0, 1, &turned_there));
  for (int form = 0; form < 6; form++) {
    tsr_tensor want = {0}, got = {0};
    const tsr_tensor *const of = form % 2 == 0 ? &there : &turned_there;
    const tsr_real smoothing = form >= 4 ? (tsr_real)0.25 : 0;
    if (form < 2) {
      OK(NULL, call_logsumexp(NULL, &x, 1, &want));
      OK(NULL, call_logsumexp(NULL, of, 1, &got));
    } else {
      OK(NULL, tsr_cross_entropy(NULL, &x, &classes, 2, smoothing, TSR_REDUCE_NONE, &want));
      OK(NULL, tsr_cross_entropy(NULL, of, &classes_there, 2, smoothing, TSR_REDUCE_NONE, &got));
    }
    check_same(form < 2 ? "logsumexp" : "cross_entropy", tsr_dtype_name(dtype), &want, &got, form < 2);
    tsr_release(&want);
    tsr_release(&got);
  }
  tsr_tensor *const all[] = {&numbers, &x, &there, &classes, &classes_there, &view, &turned, &turned_there};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(values_far_from_one_another) {
  HOST_FUSES_OR_SKIP();
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[] = {12, 100, 1000, 1500, 16384, 60000};
  for (int i = 0; i < COUNT_OF(lengths); i++)
    for (int k = 0; k < 3; k++) try_values(gpu, lengths[i], k == 0 ? TSR_F32 : k == 1 ? TSR_F64 : TSR_F16);
}

/* A mean of losses is one number of many. */
TEST(means_of_losses) {
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[] = {1, 15, 1000, 2049, 16384, 70000};
  for (int i = 0; i < COUNT_OF(lengths); i++) {
    tsr_rng rng = tsr_rng_seed((uint64_t)i);
    tsr_tensor x = {0}, y = {0}, x_there = {0}, y_there = {0}, want = {0}, got = {0};
    OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(lengths[i]), &x));
    OK(NULL, tsr_rand_normal(NULL, &rng, TSR_F32, TSR_SHAPE(lengths[i]), &y));
    OK(NULL, tsr_to_device(NULL, &x, gpu, &x_there));
    OK(NULL, tsr_to_device(NULL, &y, gpu, &y_there));
    OK(NULL, tsr_mse_loss(NULL, &x, &y, TSR_REDUCE_MEAN, &want));
    OK(NULL, tsr_mse_loss(NULL, &x_there, &y_there, TSR_REDUCE_MEAN, &got));
    check_same("mse_loss", "a vector", &want, &got, true);
    tsr_tensor *const all[] = {&x, &y, &x_there, &y_there, &want, &got};
    for (int k = 0; k < COUNT_OF(all); k++) tsr_release(all[k]);
  }
}

TEST_MAIN(RUN(every_layout), RUN(values_far_from_one_another), RUN(means_of_losses))
