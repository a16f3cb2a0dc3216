/* Quantiles, searchsorted, bincount, histogram: against naive references, for every dtype and layout; NumPy's values;
 * threads; failures. */
#include "support/test.h"

#include "ops/sort_reference.h"

#include <stdlib.h>

#define INDEX_DTYPE (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32)
#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)

static double list[SORT_LONGEST];

static int less_number(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ---- quantiles ---- */

static double quantile_of(tsr_index n, double q, tsr_interpolation mode) {
  bool nan = false;
  for (tsr_index i = 0; i < n; i++) nan |= isnan(list[i]);
  if (nan) return (double)NAN;
  qsort(list, (size_t)n, sizeof *list, less_number);
  const double at = (double)(tsr_real)((tsr_real)q * (tsr_real)(n - 1)), below = floor(at), part = at - below;
  const double low = list[(tsr_index)below], high = list[(tsr_index)ceil(at)];
  switch (mode) {
    case TSR_INTERPOLATE_LOWER: return low;
    case TSR_INTERPOLATE_HIGHER: return high;
    case TSR_INTERPOLATE_MIDPOINT: return low == high ? low : low / 2 + high / 2;
    case TSR_INTERPOLATE_NEAREST: return list[(tsr_index)rint(at)];
    default: return low == high ? low : low * (1 - part) + high * part;
  }
}

static bool near(int dtype, double got, double want) {
  if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
  return got == want || is_close(dtype, got, want, 8 * fabs(want) + 8);
}

/* The same over what is no NaN. */
static tsr_index without_nan(tsr_index n) {
  tsr_index kept = 0;
  for (tsr_index i = 0; i < n; i++)
    if (!isnan(list[i])) list[kept++] = list[i];
  return kept;
}

typedef struct asked {
  const tsr_tensor *out;
  double q;
  tsr_interpolation mode;
  int wrong;
  bool skip_nan;
} asked;

static void check_line(const tsr_tensor *x, const char *at, ptrdiff_t step, tsr_index *index, int axis, void *arg) {
  asked *const a = arg;
  const tsr_index n = x->shape[axis];
  for (tsr_index i = 0; i < n; i++) list[i] = number_of(x->dtype, at + step * (ptrdiff_t)i);
  const tsr_index count = a->skip_nan ? without_nan(n) : n;
  const double want = count > 0 ? quantile_of(count, a->q, a->mode) : (double)NAN;
  const double got = number_of(a->out->dtype, test_at(a->out, index));
  a->wrong += !near(a->out->dtype, got, want);
}

static void check_quantiles(const tsr_tensor *x, int axis) {
  static const double qs[] = {0, 0.3, 0.5, 0.75, 1};
  for (int mode = 0; mode <= TSR_INTERPOLATE_NEAREST; mode++)
    for (int i = 0; i < COUNT_OF(qs); i++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor kept = {0}, out = {0};
      asked a = {&kept, qs[i], (tsr_interpolation)mode, 0, false};
      OK(ctx, tsr_quantile(ctx, x, (tsr_real)qs[i], 1, &axis, true, a.mode, &kept));
      OK(ctx, tsr_quantile(ctx, x, (tsr_real)qs[i], 1, &(const int){axis - x->ndim}, false, a.mode, &out));
      CHECK(kept.shape[axis] == 1 && out.ndim == x->ndim - 1 && tsr_size(&out) == tsr_size(&kept));
      each_line(x, axis, check_line, &a);
      a.skip_nan = true;
      OK(ctx, tsr_nanquantile(ctx, x, (tsr_real)qs[i], 1, &axis, true, a.mode, &kept));
      each_line(x, axis, check_line, &a);
      CHECK(a.wrong == 0);
      if (a.wrong != 0) printf("  %d of %s, axis %d, mode %d\n", a.wrong, tsr_dtype_name(x->dtype), axis, mode);
      tsr_release(&out);
      tsr_release(&kept);
    }
}

static void check_all_quantiles(tsr_ctx *ctx, test_buffer *buffer, const tsr_tensor *x, test_rng *rng) {
  fill_small(ctx, buffer, x->dtype, rng);
  for (int axis = 0; axis < x->ndim; axis++)
    if (x->shape[axis] > 0) check_quantiles(x, axis);
  if (sort_class(x->dtype) != TSR_CLASS_FLOAT) return;
  tsr_tensor some = {0}; /* every fifth of them */
  OK(ctx, tsr_from_memory(ctx, buffer->bytes, x->dtype, TSR_SHAPE(TEST_ELEMENTS), &some));
  OK(ctx, tsr_slice(ctx, &some, 0, 1, TEST_ELEMENTS, 5, &some));
  OK(ctx, tsr_fill(ctx, (tsr_real)NAN, &some));
  for (int axis = 0; axis < x->ndim; axis++)
    if (x->shape[axis] > 0) check_quantiles(x, axis);
}

TEST(quantiles_of_every_dtype_layout_and_axis) { each_ordered_layout(3, check_all_quantiles); }

TEST(many_quantiles_are_those_of_each) {
  enum { LENGTH = TSR_HAVE_MALLOC ? 501 : 51, QS = 4 };
  static float values[3 * LENGTH];
  const tsr_real q[QS] = {(tsr_real)0.1, 1, (tsr_real)0.5, (tsr_real)0.37};
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, all = {0}, part = {0};
  test_rng rng = {9};
  for (int i = 0; i < 3 * LENGTH; i++) values[i] = (float)test_between(&rng, -99, 99);
  values[LENGTH + 7] = NAN; /* the second line */
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(3, LENGTH), &x));
  OK(ctx, tsr_quantiles(ctx, &x, QS, q, TSR_AXES(1), true, TSR_INTERPOLATE_LINEAR, &all));
  CHECK(all.ndim == 3 && all.shape[0] == QS && all.shape[1] == 3 && all.shape[2] == 1);
  for (int i = 0; i < QS; i++) {
    tsr_tensor one = {0};
    OK(ctx, tsr_quantile(ctx, &x, q[i], TSR_AXES(1), true, TSR_INTERPOLATE_LINEAR, &one));
    OK(ctx, tsr_select(ctx, &all, 0, i, &part));
    const float *const a = one.data, *const b = part.data;
    CHECK(a[0] == b[0] && isnan(a[1]) && isnan(b[1]) && a[2] == b[2]);
    tsr_release(&one);
  }
  tsr_release(&all);
  OK(ctx, tsr_quantiles(ctx, &x, 2, q, 0, NULL, true, TSR_INTERPOLATE_LOWER, &all));
  CHECK(all.ndim == 3 && all.shape[0] == 2 && all.shape[1] == 1 && all.shape[2] == 1 && isnan(*(float *)all.data));
  tsr_release(&all);
  CHECK(test_live() == 0);
}

/* Along several axes: what one gives along the last of a copy in which they are one. */
TEST(medians_along_several_axes) {
  enum { A = 3, B = 4, C = 5 };
  tsr_ctx *const ctx = test_context();
  float values[A * B * C];
  tsr_tensor x = {0}, view = {0}, flat = {0}, want = {0}, got = {0}, kept = {0}, line = {0};
  test_rng rng = {5};
  for (int i = 0; i < A * B * C; i++) values[i] = (float)test_between(&rng, -99, 99);
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(A, B, C), &x));
  static const int axes[][2] = {{0, 1}, {1, 2}, {-1, 0}};
  static const int order[][3] = {
      {2, 0, 1}, {0, 1, 2}, {1, 0, 2}}; /* the axis that stays, then the others as they are */
  for (int i = 0; i < COUNT_OF(axes); i++) {
    OK(ctx, tsr_permute(ctx, &x, order[i], &view));
    OK(ctx, tsr_reshape(ctx, &view, TSR_SHAPE(x.shape[order[i][0]], -1), &flat));
    OK(ctx, tsr_median(ctx, &flat, TSR_AXES(1), false, &want));
    OK(ctx, tsr_median(ctx, &x, 2, axes[i], false, &got));
    CHECK(got.ndim == 1 && test_same_elements(&want, &got));
    OK(ctx,
       tsr_quantiles(ctx, &x, 1, &(const tsr_real){(tsr_real)0.5}, 2, axes[i], true, TSR_INTERPOLATE_LINEAR, &kept));
    CHECK(kept.ndim == 4 && tsr_size(&kept) == tsr_size(&want));
    OK(ctx, tsr_reshape_view(ctx, &kept, TSR_SHAPE(-1), &line));
    CHECK(test_same_elements(&want, &line));
    tsr_release(&kept);
    tsr_release(&flat);
    tsr_release(&want);
    tsr_release(&got);
  }
  OK(ctx, tsr_median(ctx, &x, 0, (const int[]){0}, false, &got)); /* along none: each element */
  CHECK(test_same_elements(&x, &got));
  FAILS(ctx, TSR_EAXIS, tsr_median(ctx, &x, TSR_AXES(1, -2), false, &got));
  MESSAGE_HAS(ctx, "median: axes name axis 1 of");
  tsr_release(&got);
  CHECK(test_live() == 0);
}

TEST(the_median_of_everything) {
  tsr_ctx *const ctx = test_context();
  float values[6] = {6, -2, INFINITY, 3, 1, INFINITY};
  tsr_tensor x = {0}, turned = {0}, out = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_transpose(ctx, &x, 0, 1, &turned));
  OK(ctx, tsr_median(ctx, &turned, 0, NULL, false, &out));
  CHECK(out.ndim == 0 && *(float *)out.data == 4.5f);
  values[1] = NAN;
  OK(ctx, tsr_nanmedian(ctx, &turned, 0, NULL, false, &out));
  CHECK(*(float *)out.data == 6);
  values[1] = -2;
  OK(ctx, tsr_quantile(ctx, &turned, 1, 0, NULL, false, TSR_INTERPOLATE_LINEAR, &out));
  CHECK(isinf(*(float *)out.data));
  OK(ctx, tsr_quantile(ctx, &turned, (tsr_real)0.9, 0, NULL, false, TSR_INTERPOLATE_LINEAR, &out));
  CHECK(isinf(*(float *)out.data)); /* between two infinities */
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* ---- searchsorted ---- */

static void check_search(tsr_ctx *ctx, const tsr_tensor *sorted, const tsr_tensor *sorter, const tsr_tensor *values) {
  const ptrdiff_t step = (ptrdiff_t)sorted->stride[0] * (ptrdiff_t)tsr_dtype_size(sorted->dtype);
  for (int right = 0; right < 2; right++) {
    tsr_tensor out = {0};
    tsr_index index[TSR_MAX_DIMS] = {0};
    int wrong = 0;
    OK(ctx, tsr_searchsorted(ctx, sorted, values, right != 0, sorter, &out));
    CHECK(out.dtype == INDEX_DTYPE && tsr_same_shape(&out, values));
    if (tsr_size(values) > 0) do {
        const void *const needle = test_at(values, index);
        tsr_index want = 0;
        for (tsr_index i = 0; i < sorted->shape[0]; i++) {
          const tsr_index at = sorter != NULL ? ((const tsr_index *)sorter->data)[i] : i;
          const char *const element = (const char *)sorted->data + step * (ptrdiff_t)at;
          want += right ? !comes_before(sorted->dtype, false, needle, element)
                        : comes_before(sorted->dtype, false, element, needle);
        }
        wrong += *(tsr_index *)test_at(&out, index) != want;
      } while (test_next_index(values->ndim, values->shape, index));
    CHECK(wrong == 0);
    if (wrong != 0) printf("  %d of %s in %d\n", wrong, tsr_dtype_name(sorted->dtype), (int)sorted->shape[0]);
    tsr_release(&out);
  }
}

/* Few needles and many, in few elements and many; a sorter; elements with gaps. */
TEST(places_of_every_dtype_and_layout) {
  enum { LENGTH = TSR_HAVE_MALLOC ? 1500 : 150 };
  static _Alignas(64) unsigned char bytes[LENGTH * 8];
  static test_buffer buffer;
  test_rng rng = {4};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!is_real(dtype)) continue;
    for (int l = 0; l < test_layout_count(); l++) {
      tsr_ctx *const ctx = test_context();
      const tsr_index n = l % 3 == 0 ? LENGTH : l % 3 == 1 ? 5 : 0;
      tsr_tensor raw = {0}, sorted = {0}, sorter = {0}, turned = {0};
      fill_hard(dtype, LENGTH, bytes, &rng);
      fill_hard(dtype, TEST_ELEMENTS, buffer.bytes, &rng);
      memcpy(buffer.bytes, bytes, 20 * tsr_dtype_size(dtype)); /* some are there */
      const tsr_tensor values = test_over(&buffer, dtype, test_layout_at(l));
      OK(ctx, tsr_from_memory(ctx, bytes, dtype, TSR_SHAPE(n), &raw));
      OK(ctx, tsr_argsort(ctx, &raw, 0, false, &sorter));
      check_search(ctx, &raw, &sorter, &values);
      OK(ctx, tsr_sort(ctx, &raw, 0, false, &sorted));
      check_search(ctx, &sorted, NULL, &values);
      OK(ctx, tsr_flip(ctx, &raw, 0, &turned));
      OK(ctx, tsr_copy(ctx, &sorted, &turned));
      check_search(ctx, &turned, NULL, &values);
      tsr_release(&sorted);
      tsr_release(&sorter);
      CHECK(test_live() == 0);
    }
  }
}

/* ---- counting ---- */

TEST(counts_of_every_dtype_and_layout) {
  static test_buffer buffer;
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!is_real(dtype) || sort_class(dtype) == TSR_CLASS_FLOAT) continue;
    for (int l = 0; l < test_layout_count(); l++) {
      tsr_ctx *const ctx = test_context();
      test_buffer_number(&buffer, dtype);
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      tsr_tensor counts = {0}, sums = {0}, weights = {0};
      tsr_index want[300] = {0}, index[TSR_MAX_DIMS] = {0}, most = -1;
      if (tsr_size(&x) > 0) do {
          const int64_t at = whole_of(dtype, test_at(&x, index));
          want[at]++;
          most = at > most ? (tsr_index)at : most;
        } while (test_next_index(x.ndim, x.shape, index));
      OK(ctx, tsr_bincount(ctx, &x, NULL, 3, &counts));
      CHECK(counts.dtype == INDEX_DTYPE && counts.shape[0] == (most + 1 > 3 ? most + 1 : 3));
      OK(ctx, tsr_full(ctx, TSR_F32, x.ndim, x.shape, 2, &weights));
      OK(ctx, tsr_bincount(ctx, &x, &weights, 0, &sums));
      CHECK(sums.dtype == REAL_DTYPE && sums.shape[0] == most + 1);
      for (tsr_index i = 0; i < counts.shape[0]; i++) CHECK(((tsr_index *)counts.data)[i] == want[i]);
      for (tsr_index i = 0; i <= most; i++) CHECK(((tsr_real *)sums.data)[i] == (tsr_real)(2 * want[i]));
      tsr_release(&sums);
      tsr_release(&weights);
      tsr_release(&counts);
      CHECK(test_live() == 0);
    }
  }
}

/* Every element in the interval that the edges say. */
static void check_histogram(tsr_ctx *ctx, const tsr_tensor *x, tsr_index bins, const tsr_real *range) {
  tsr_tensor counts = {0}, edges = {0};
  tsr_index want[64] = {0}, index[TSR_MAX_DIMS] = {0};
  int wrong = 0;
  OK(ctx, tsr_histogram(ctx, x, bins, range, &counts, &edges));
  CHECK(counts.dtype == INDEX_DTYPE && counts.shape[0] == bins && edges.shape[0] == bins + 1);
  const char *const edge = edges.data;
  const size_t item = tsr_dtype_size(edges.dtype);
  if (tsr_size(x) > 0) do {
      const double value = (double)(tsr_real)number_of(x->dtype, test_at(x, index));
      for (tsr_index i = bins - 1; i >= 0; i--) {
        const double low = number_of(edges.dtype, edge + (size_t)i * item);
        const double high = number_of(edges.dtype, edge + (size_t)(i + 1) * item);
        if (!(value >= low && (value < high || (i == bins - 1 && value == high)))) continue;
        want[i]++;
        break;
      }
    } while (test_next_index(x->ndim, x->shape, index));
  for (tsr_index i = 0; i < bins; i++) wrong += ((tsr_index *)counts.data)[i] != want[i];
  CHECK(wrong == 0);
  if (wrong != 0) printf("  %d of %d bins of %s\n", wrong, (int)bins, tsr_dtype_name(x->dtype));
  tsr_release(&edges);
  tsr_release(&counts);
}

static void check_histograms(tsr_ctx *ctx, test_buffer *buffer, const tsr_tensor *x, test_rng *rng) {
  const tsr_real range[2] = {-1, (tsr_real)1.5};
  fill_small(ctx, buffer, x->dtype, rng);
  check_histogram(ctx, x, 7, NULL);
  check_histogram(ctx, x, 1, range);
  check_histogram(ctx, x, 60, range);
  fill_hard(x->dtype, TEST_ELEMENTS, buffer->bytes, rng); /* NaN and infinities are not counted */
  check_histogram(ctx, x, 9, range);
}

TEST(histograms_of_every_dtype_and_layout) { each_ordered_layout(6, check_histograms); }

TEST(the_same_for_every_number_of_threads) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  enum { LENGTH = 100000 };
  tsr_ctx *const ctx = test_context();
  tsr_rng rng = tsr_rng_seed(4);
  tsr_tensor x = {0}, whole = {0}, sorted = {0}, want[5] = {{0}};
  OK(ctx, tsr_rand_normal(ctx, &rng, TSR_F32, TSR_SHAPE(LENGTH), &x));
  OK(ctx, tsr_rand_integers(ctx, &rng, TSR_I32, TSR_SHAPE(LENGTH), 0, 5000, &whole));
  OK(ctx, tsr_sort(ctx, &x, 0, false, &sorted));
  for (int count = 1; count <= 8; count++) {
    tsr_tensor got[5] = {{0}};
    tsr_ctx with = *ctx;
    tsr_threads *const pool = test_with_threads(&with, count);
    OK(&with, tsr_histogram(&with, &x, 50, NULL, &got[0], &got[1]));
    OK(&with, tsr_bincount(&with, &whole, NULL, 0, &got[2]));
    OK(&with, tsr_bincount(&with, &whole, &x, 0, &got[3]));
    OK(&with, tsr_searchsorted(&with, &sorted, &x, false, NULL, &got[4]));
    tsr_index sum = 0;
    for (tsr_index i = 0; i < 50; i++) sum += ((tsr_index *)got[0].data)[i];
    CHECK(sum == LENGTH);
    for (int i = 0; i < 5; i++) {
      if (count == 1)
        want[i] = tsr_move(&got[i]);
      else
        CHECK(test_same_elements(&want[i], &got[i]));
      tsr_release(&got[i]);
    }
    tsr_threads_release(pool);
  }
  for (int i = 0; i < 5; i++) tsr_release(&want[i]);
  tsr_release(&sorted);
  tsr_release(&whole);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* ---- NumPy ---- */

#if TSR_HAVE_F64 && TSR_HAVE_MALLOC
enum {
  SORT,
  ARGSORT,
  UNIQUE,
  UNIQUE_INDEX,
  UNIQUE_INVERSE,
  UNIQUE_COUNTS,
  SEARCH,
  QUANTILE,
  MEDIAN,
  BINCOUNT,
  HISTOGRAM,
  EDGES
};

typedef struct golden {
  int op, dtype, n;
  _Alignas(8) double x[12]; /* i686 aligns a double in a struct to 4 */
  int m;
  _Alignas(8) double a[12];
  double argument;
  int way, count;
  double y[13];
} golden;

static const golden rows[] = {
#include "golden/sort.inc"
};

static tsr_status vector(tsr_ctx *ctx, int dtype, int n, const double *values, tsr_tensor *out) {
  tsr_tensor doubles = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F64, TSR_SHAPE(n), &doubles));
  return tsr_cast(ctx, &doubles, dtype, out);
}

static tsr_status run_golden(tsr_ctx *ctx, const golden *g, const tsr_tensor *x, const tsr_tensor *a, tsr_tensor *out) {
  const tsr_real range[2] = {g->a[0], g->a[1]};
  switch (g->op) {
    case SORT: return tsr_sort(ctx, x, 0, false, out);
    case ARGSORT: return tsr_argsort(ctx, x, 0, false, out);
    case UNIQUE: return tsr_unique(ctx, x, out, NULL, NULL, NULL);
    case UNIQUE_INDEX: return tsr_unique(ctx, x, NULL, out, NULL, NULL);
    case UNIQUE_INVERSE: return tsr_unique(ctx, x, NULL, NULL, out, NULL);
    case UNIQUE_COUNTS: return tsr_unique(ctx, x, NULL, NULL, NULL, out);
    case SEARCH: return tsr_searchsorted(ctx, a, x, g->way != 0, NULL, out);
    case QUANTILE: return tsr_quantile(ctx, x, g->argument, TSR_AXES(0), false, (tsr_interpolation)g->way, out);
    case MEDIAN: return tsr_median(ctx, x, TSR_AXES(0), false, out);
    case BINCOUNT: return tsr_bincount(ctx, x, g->m > 0 ? a : NULL, (tsr_index)g->argument, out);
    case HISTOGRAM: return tsr_histogram(ctx, x, (tsr_index)g->argument, g->m > 0 ? range : NULL, out, NULL);
    default: return tsr_histogram(ctx, x, (tsr_index)g->argument, NULL, NULL, out);
  }
}

TEST(golden_values) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(rows); i++) {
    const golden *const g = &rows[i];
    tsr_tensor x = {0}, a = {0}, out = {0};
    int wrong = 0;
    OK(ctx, vector(ctx, g->dtype, g->n, g->x, &x));
    OK(ctx, vector(ctx, g->op == SEARCH ? g->dtype : TSR_F64, g->m, g->a, &a));
    OK(ctx, run_golden(ctx, g, &x, &a, &out));
    CHECK(tsr_size(&out) == g->count);
    for (int k = 0; k < g->count && k < tsr_size(&out); k++) {
      const double got = number_of(out.dtype, (const char *)out.data + (size_t)k * tsr_dtype_size(out.dtype));
      wrong += !near(out.dtype, got, g->y[k]);
    }
    CHECK(wrong == 0);
    if (wrong != 0) printf("  row %d, op %d, %s: %d wrong\n", i, g->op, tsr_dtype_name(g->dtype), wrong);
    tsr_release(&out);
    tsr_release(&a);
    tsr_release(&x);
  }
  CHECK(test_live() == 0);
}
#else
TEST(golden_values) { SKIP("needs f64 and flash"); }
#endif

/* ---- failures ---- */

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  float numbers[6] = {1, 2, 3, 4, 5, NAN};
  int32_t whole[3] = {2, -7, 1};
  const tsr_real range[2] = {2, 1}, q[2] = {0, 2};
  tsr_tensor x = {0}, flat = {0}, ints = {0}, out = {0}, none = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(3), &flat));
  OK(ctx, tsr_from_memory(ctx, whole, TSR_I32, TSR_SHAPE(3), &ints));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 3), &none));
  FAILS(ctx, TSR_EARG, tsr_quantile(ctx, &x, (tsr_real)1.5, TSR_AXES(0), false, TSR_INTERPOLATE_LINEAR, &out));
  MESSAGE_HAS(ctx, "quantile: q number 0 is 1.5, not from 0 to 1");
  FAILS(ctx, TSR_EARG, tsr_quantiles(ctx, &x, 2, q, TSR_AXES(0), false, TSR_INTERPOLATE_LINEAR, &out));
  MESSAGE_HAS(ctx, "quantiles: q number 1");
  FAILS(ctx, TSR_EARG, tsr_quantile(ctx, &x, 1, TSR_AXES(0), false, (tsr_interpolation)5, &out));
  FAILS(ctx, TSR_EAXIS, tsr_median(ctx, &x, TSR_AXES(2), false, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_median(ctx, &none, TSR_AXES(0), false, &out));
  MESSAGE_HAS(ctx, "median: x f32 [0,3] has no elements");
  FAILS(ctx, TSR_ESHAPE, tsr_searchsorted(ctx, &x, &flat, false, NULL, &out));
  MESSAGE_HAS(ctx, "searchsorted: sorted is f32 [2,3]; it has one axis");
  FAILS(ctx, TSR_EDTYPE, tsr_searchsorted(ctx, &flat, &ints, false, NULL, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_searchsorted(ctx, &flat, &flat, false, &flat, &out));
  FAILS(ctx, TSR_EINDEX, tsr_searchsorted(ctx, &flat, &flat, false, &ints, &out));
  MESSAGE_HAS(ctx, "searchsorted: sorter number 1 is -7");
  FAILS(ctx, TSR_EINDEX, tsr_bincount(ctx, &ints, NULL, 0, &out));
  MESSAGE_HAS(ctx, "bincount: x i32 [3] holds -7; what is counted is not negative");
  FAILS(ctx, TSR_EDTYPE, tsr_bincount(ctx, &flat, NULL, 0, &out));
  FAILS(ctx, TSR_ESHAPE, tsr_bincount(ctx, &ints, &x, 0, &out));
  FAILS(ctx, TSR_EARG, tsr_bincount(ctx, &ints, NULL, -1, &out));
  FAILS(ctx, TSR_EARG, tsr_histogram(ctx, &x, 0, NULL, &out, NULL));
  FAILS(ctx, TSR_EARG, tsr_histogram(ctx, &x, 4, range, &out, NULL));
  FAILS(ctx, TSR_ERANGE, tsr_histogram(ctx, &x, 4, NULL, &out, NULL));
  MESSAGE_HAS(ctx, "histogram: x f32 [2,3] holds numbers that are not finite; give a range");
  FAILS(ctx, TSR_EARG, tsr_histogram(ctx, &x, 4, NULL, NULL, NULL));
  MESSAGE_HAS(ctx, "histogram: counts and edges are NULL");
  FAILS(ctx, TSR_EDTYPE, tsr_histogram(ctx, &flat, 1, (const tsr_real[]){0, 1}, NULL, &ints));
  MESSAGE_HAS(ctx, "histogram: edges is i32 [3], the result is f32 [2]");
  CHECK(tsr_is_none(&out));
  tsr_release(&none);
  CHECK(test_live() == 0);
}

/* Every allocation of a call refused in turn: a status, and nothing held. */
TEST(no_memory_leaves_the_outputs) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, ints = {0}, sorter = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(40), &x));
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(40), &ints));
  OK(ctx, tsr_argsort(ctx, &x, 0, false, &sorter));
  for (int which = 0; which < 5; which++) {
    int refused = 0;
    for (bool done = false; !done; refused++) {
      tsr_failing *const failing = test_failing();
      tsr_tensor out = {0}, second = {0};
      failing->fail_at = failing->calls + (size_t)refused;
      const tsr_status st = which == 0   ? tsr_median(ctx, &x, TSR_AXES(0), false, &out)
                            : which == 1 ? tsr_searchsorted(ctx, &x, &x, false, &sorter, &out)
                            : which == 2 ? tsr_bincount(ctx, &ints, NULL, 0, &out)
                            : which == 3 ? tsr_bincount(ctx, &ints, &x, 0, &out)
                                         : tsr_histogram(ctx, &x, 4, NULL, &out, &second);
      failing->fail_at = SIZE_MAX;
      done = st == TSR_OK;
      CHECK(done || (st == TSR_ENOMEM && tsr_is_none(&out) && tsr_is_none(&second)));
      tsr_release(&second);
      tsr_release(&out);
      if (refused > 10) break;
    }
    CHECK(refused >= 3); /* temporary memory, the output, success */
  }
  tsr_release(&sorter);
  tsr_release(&ints);
  tsr_release(&x);
  CHECK(test_live() == 0);
#else
  SKIP("no malloc");
#endif
}

TEST_MAIN(RUN(quantiles_of_every_dtype_layout_and_axis), RUN(many_quantiles_are_those_of_each),
          RUN(medians_along_several_axes), RUN(the_median_of_everything), RUN(places_of_every_dtype_and_layout),
          RUN(counts_of_every_dtype_and_layout), RUN(histograms_of_every_dtype_and_layout),
          RUN(the_same_for_every_number_of_threads), RUN(golden_values), RUN(bad_calls_say_what_is_wrong),
          RUN(no_memory_leaves_the_outputs))
