/* Attention on the device against sums in f64: every kernel (tiles in f32 and in 16 bits, few queries in parts of the keys, any strides), with
 * masks, groups of heads, lengths that are no multiples of tiles, and rows that are not aligned. The bounds are those of attention.h. */
#include "gpu_support.h"

#include <math.h>

typedef struct one_case {
  int dtype;
  tsr_index b, h, hkv, t, s, d, dv;
  int mask; /* 0: none, 1: bool, 2: added */
  bool causal;
  tsr_index offset;
  double scale;
  bool apart; /* rows are not aligned, heads and rows are permuted */
} one_case;

static tsr_tensor numbers(int dtype, int ndim, const tsr_index *shape, uint64_t seed) {
  tsr_rng rng = tsr_rng_seed(seed);
  tsr_tensor t = {0};
  OK(NULL, tsr_rand_normal(NULL, &rng, dtype, ndim, shape, &t));
  return t;
}

static double *wide(const tsr_tensor *t, tsr_tensor *room) {
  OK(NULL, tsr_cast(NULL, t, TSR_F64, room));
  return room->data;
}

/* One query: what it should be, and the greatest value that takes part. */
static void attend(const one_case *c, const double *q, const double *k, const double *v, const double *mask,
                   tsr_index query, double *out) {
  double top = -INFINITY, sum = 0;
  double *const x = malloc((size_t)(c->s + 1) * sizeof *x);
  const double scale = c->scale == 0 ? 1 / sqrt((double)c->d) : c->scale;
  for (tsr_index j = 0; j < c->s; j++) {
    x[j] = 0;
    for (tsr_index i = 0; i < c->d; i++) x[j] += q[i] * k[j * c->d + i];
    x[j] *= scale;
    if (c->mask == 1 && mask[j] == 0) x[j] = -INFINITY;
    if (c->mask == 2) x[j] += mask[j];
    if (c->causal && j > query + c->offset) x[j] = -INFINITY;
    if (x[j] > top) top = x[j];
  }
  for (tsr_index i = 0; i < c->dv; i++) out[i] = 0;
  for (tsr_index j = 0; j < c->s && top > -INFINITY; j++) {
    const double w = exp(x[j] - top);
    sum += w;
    for (tsr_index i = 0; i < c->dv; i++) out[i] += w * v[j * c->dv + i];
  }
  for (tsr_index i = 0; i < c->dv && sum > 0; i++) out[i] /= sum;
  free(x);
}

/* On the device: as it is; or as a view with heads and rows in another order, that begins somewhere, with a gap behind each row. */
static tsr_tensor place(const tsr_device *gpu, const tsr_tensor *host, bool apart) {
  static const int order[] = {0, 2, 1, 3};
  tsr_tensor there = {0}, room = {0};
  if (!apart) {
    OK(NULL, tsr_to_device(NULL, host, gpu, &there));
    return there;
  }
  OK(NULL, tsr_zeros(NULL, host->dtype, TSR_SHAPE(host->shape[0], host->shape[2], host->shape[1], host->shape[3] + 3),
                     &room));
  OK(NULL, tsr_to_device(NULL, &room, gpu, &there));
  OK(NULL, tsr_permute(NULL, &there, order, &there));
  OK(NULL, tsr_narrow(NULL, &there, 3, 1, host->shape[3], &there));
  tsr_tensor view = {0};
  OK(NULL, tsr_view(NULL, &there, &view));
  OK(NULL, tsr_copy(NULL, host, &view));
  tsr_release(&room);
  return there;
}

static double bound_of(const one_case *c, double most) {
  const double unit = c->dtype == TSR_F64 ? 0x1p-53 : 0x1p-24;
  const double rounded = c->dtype == TSR_BF16      ? 0x1p-7
                         : c->dtype == TSR_F16     ? 0x1p-10
                         : c->dtype == TSR_F8_E4M3 ? 0x1p-4
                                                   : 0;
  return most * (rounded + unit * (double)(c->s + 8 + 8 * c->d));
}

static void compare(const one_case *c, const tsr_tensor *q, const tsr_tensor *k, const tsr_tensor *v,
                    const tsr_tensor *mask, const tsr_tensor *got) {
  tsr_tensor room[5] = {{0}};
  const double *const wq = wide(q, &room[0]), *const wk = wide(k, &room[1]), *const wv = wide(v, &room[2]);
  const double *const wm = c->mask != 0 ? wide(mask, &room[3]) : NULL, *const w = wide(got, &room[4]);
  double *const want = malloc((size_t)c->dv * sizeof *want), most = 0, worst = 0;
  for (tsr_index i = 0; i < tsr_size(v); i++) most = fabs(wv[i]) > most ? fabs(wv[i]) : most;
  for (tsr_index row = 0; row < c->b * c->h * c->t; row++) {
    const tsr_index t = row % c->t, h = row / c->t % c->h, b = row / c->t / c->h,
                    head = b * c->hkv + h / (c->h / c->hkv);
    attend(c, wq + row * c->d, wk + head * c->s * c->d, wv + head * c->s * c->dv, wm != NULL ? wm + t * c->s : NULL, t,
           want);
    for (tsr_index i = 0; i < c->dv; i++) {
      const double apart = fabs(want[i] - w[row * c->dv + i]);
      if (!(apart <= worst)) worst = apart;
    }
  }
  CHECK(worst <= bound_of(c, most));
  if (!(worst <= bound_of(c, most)))
    printf("  %s, h %d of %d, t %d, s %d, d %d, dv %d, mask %d, causal %d: %g is more than %g\n",
           tsr_dtype_name(c->dtype), (int)c->h, (int)c->hkv, (int)c->t, (int)c->s, (int)c->d, (int)c->dv, c->mask,
           c->causal, worst, bound_of(c, most));
  free(want);
  for (int i = 0; i < 5; i++) tsr_release(&room[i]);
}

static void try_case(const tsr_device *gpu, const one_case *c) {
  tsr_tensor q = numbers(c->dtype, TSR_SHAPE(c->b, c->h, c->t, c->d), 1),
             k = numbers(c->dtype, TSR_SHAPE(c->b, c->hkv, c->s, c->d), 2);
  tsr_tensor v = numbers(c->dtype, TSR_SHAPE(c->b, c->hkv, c->s, c->dv), 3), mask = {0}, there[4] = {{0}}, out = {0},
             got = {0};
  const tsr_attention_options options = {.scale = c->scale, .causal = c->causal, .causal_offset = c->offset};
  if (c->mask != 0) mask = numbers(TSR_F32, TSR_SHAPE(c->t, c->s), 4);
  if (c->mask == 1) {
    OK(NULL, tsr_gt_scalar(NULL, &mask, 0, &got));
    tsr_release(&mask);
    mask = got;
    got = (tsr_tensor){0};
  }
  there[0] = place(gpu, &q, c->apart);
  there[1] = place(gpu, &k, c->apart);
  there[2] = place(gpu, &v, c->apart);
  if (c->mask != 0) OK(NULL, tsr_to_device(NULL, &mask, gpu, &there[3]));
  OK(NULL, tsr_attention(NULL, &there[0], &there[1], &there[2], c->mask != 0 ? &there[3] : NULL, &options, &out));
  OK(NULL, tsr_to_device(NULL, &out, NULL, &got));
  if (got.data != NULL) compare(c, &q, &k, &v, &mask, &got);
  tsr_tensor *const all[] = {&q, &k, &v, &mask, &there[0], &there[1], &there[2], &there[3], &out, &got};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(tiles_of_queries) {
  GPU_OR_SKIP(gpu);
  static const one_case cases[] = {
      {TSR_F32, 1, 2, 2, 70, 150, 64, 64, 0, false, 0, 0, false},
      {TSR_F32, 1, 2, 1, 130, 65, 32, 20, 1, false, 0, 0, true},
      {TSR_F32, 1, 1, 1, 65, 70, 100, 128, 2, true, 5, 0, false},
      {TSR_F32, 1, 1, 1, 20, 130, 33, 50, 0, true, 110, -0.3, true},
      {TSR_BF16, 1, 2, 1, 70, 150, 64, 64, 0, false, 0, 0, false},
      {TSR_F16, 1, 1, 1, 130, 100, 40, 64, 1, true, 0, 0, true},
      {TSR_F16, 1, 2, 2, 66, 129, 128, 120, 2, false, 0, 0, false},
      {TSR_BF16, 1, 1, 1, 20, 130, 33, 50, 0, true, -3, -0.3, true},
      {TSR_F8_E4M3, 1, 1, 1, 40, 66, 16, 16, 0, false, 0, 0, false},
      {TSR_F16, 1, 2, 1, 140, 330, 64, 64, 0, true, 190, 0, false},
      {TSR_BF16, 1, 1, 1, 30, 520, 128, 128, 0, false, 0, 0, false},
      {TSR_BF16, 1, 1, 1, 130, 300, 128, 100, 1, true, 0, 0, true},
  };
  for (int i = 0; i < COUNT_OF(cases); i++) try_case(gpu, &cases[i]);
}

TEST(few_queries_over_many_keys) {
  GPU_OR_SKIP(gpu);
  static const one_case cases[] = {
      {TSR_F32, 2, 2, 2, 1, 700, 64, 64, 0, false, 0, 0, false},
      {TSR_F32, 1, 8, 1, 1, 333, 128, 100, 1, false, 0, 0, false},
      {TSR_BF16, 1, 4, 2, 3, 600, 64, 72, 0, true, 597, 0, true},
      {TSR_F16, 1, 6, 2, 1, 1000, 128, 128, 2, false, 0, 0, false},
      {TSR_F16, 1, 3, 1, 5, 300, 256, 256, 0, false, 0, 0, false},
      {TSR_BF16, 2, 16, 1, 1, 500, 128, 120, 1, false, 0, 0, false},
      {TSR_F16, 1, 1, 1, 13, 200, 40, 64, 0, true, -2, -0.4, true},
      {TSR_F8_E4M3, 1, 1, 1, 2, 300, 16, 24, 0, false, 0, 0, false},
      {TSR_F32, 1, 1, 1, 1, 1, 3, 5, 0, false, 0, -1, false},
  };
  for (int i = 0; i < COUNT_OF(cases); i++) try_case(gpu, &cases[i]);
}

TEST(any_other) {
  GPU_OR_SKIP(gpu);
  static const one_case cases[] = {
      {TSR_F64, 1, 4, 2, 9, 100, 20, 70, 0, false, 0, 0, true},
      {TSR_F64, 1, 1, 1, 3, 600, 64, 64, 2, true, 597, 0, false},
      {TSR_F32, 1, 2, 2, 20, 50, 200, 30, 1, false, 0, 0, true},
      {TSR_BF16, 1, 2, 1, 20, 300, 130, 200, 0, true, 0, 0, false},
  };
  for (int i = 0; i < COUNT_OF(cases); i++) try_case(gpu, &cases[i]);
}

/* A query without keys gives zeros; NaN among its scores makes it NaN, and no other one. */
TEST(queries_without_keys_and_nan) {
  GPU_OR_SKIP(gpu);
  static const int dtypes[] = {TSR_F32, TSR_F16, TSR_F64};
  for (int k = 0; k < COUNT_OF(dtypes); k++)
    for (tsr_index t = 2; t <= 20; t += 18) {
      tsr_tensor q = numbers(TSR_F32, TSR_SHAPE(t, 16), 1), x = numbers(TSR_F32, TSR_SHAPE(90, 16), 2), mask = {0},
                 on[3] = {{0}}, out = {0};
      OK(NULL, tsr_ones(NULL, TSR_BOOL, TSR_SHAPE(t, 90), &mask));
      memset(mask.data, 0, 90);    /* query 0 has no keys */
      ((float *)q.data)[16] = NAN; /* query 1 */
      tsr_tensor narrow[2] = {{0}};
      OK(NULL, tsr_cast(NULL, &q, dtypes[k], &narrow[0]));
      OK(NULL, tsr_cast(NULL, &x, dtypes[k], &narrow[1]));
      OK(NULL, tsr_to_device(NULL, &narrow[0], gpu, &on[0]));
      OK(NULL, tsr_to_device(NULL, &narrow[1], gpu, &on[1]));
      OK(NULL, tsr_to_device(NULL, &mask, gpu, &on[2]));
      OK(NULL, tsr_attention(NULL, &on[0], &on[1], &on[1], &on[2], NULL, &out));
      tsr_tensor back = {0}, room = {0};
      OK(NULL, tsr_to_device(NULL, &out, NULL, &back));
      const double *const w = wide(&back, &room);
      for (tsr_index i = 0; i < t * 16; i++) {
        if (i < 16) CHECK(w[i] == 0);
        CHECK((i / 16 == 1) == (w[i] != w[i]));
      }
      tsr_tensor *const all[] = {&q, &x, &mask, &on[0], &on[1], &on[2], &out, &back, &room, &narrow[0], &narrow[1]};
      for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
    }
}

TEST_MAIN(RUN(tiles_of_queries), RUN(few_queries_over_many_keys), RUN(any_other), RUN(queries_without_keys_and_nan))
