/* tensordot, inner, vdot, kron, trace, cross, diff, central_diff, interp, convolve, correlate: against loops over whole
 * numbers, for every dtype and many memory layouts, into fresh and given outputs, with every allocation refused in turn.
 */
#include "ops/einsum_reference.h"

static operand in[3], wanted, given;
static test_rng rng;

typedef tsr_status call_fn(tsr_ctx *ctx, tsr_tensor *out);

/* ---- operands ---- */

static tsr_index at2(const operand *x, tsr_index i, tsr_index j) { return i * x->shape[1] + j; }

static void make(tsr_ctx *ctx, operand *x, int dtype, int ndim, const tsr_index *shape) {
  x->dtype = dtype;
  x->ndim = ndim;
  for (int i = 0; i < ndim; i++) x->shape[i] = shape[i];
  fill_numbers(x, &rng);
  lay_out(ctx, x, &rng);
}

static void want(int dtype, int ndim, const tsr_index *shape) {
  wanted.dtype = dtype;
  wanted.ndim = ndim;
  for (int i = 0; i < ndim; i++) wanted.shape[i] = shape[i];
  memset(wanted.re, 0, sizeof wanted.re);
  memset(wanted.im, 0, sizeof wanted.im);
}

/* wanted[k] += sign · x[i] · y[j], x conjugated or not. */
static void add_product(tsr_index k, int sign, const operand *x, tsr_index i, bool conjugate, const operand *y,
                        tsr_index j) {
  const int32_t xi = conjugate ? -x->im[i] : x->im[i];
  wanted.re[k] += sign * (x->re[i] * y->re[j] - xi * y->im[j]);
  wanted.im[k] += sign * (x->re[i] * y->im[j] + xi * y->re[j]);
}

static int number_dtype(void) {
  for (;;) {
    const int dtype = any_dtype(&rng);
    if (dtype != TSR_BOOL) return dtype;
  }
}

static int float_of(int dtype) {
  const int class = tsr_dtype_describe(dtype)->class_;
  if (class == TSR_CLASS_FLOAT || class == TSR_CLASS_COMPLEX) return dtype;
  return tsr_dtype_size(dtype) <= 2 || !TSR_HAVE_F64 ? TSR_F32 : TSR_F64;
}

/* ---- one call ---- */

static void refuse_memory(tsr_ctx *ctx, call_fn *call, const char *name) {
#if TSR_HAVE_MALLOC
  static operand before;
  before = wanted;
  lay_out(ctx, &before, &rng);
  OK(ctx, tsr_fill(ctx, 1, &before.t));
  OK(ctx, tsr_fill(ctx, 1, &given.t));
  const size_t live = test_live();
  for (size_t refused = 0; refused < 30; refused++) {
    tsr_failing *const failing = test_failing();
    tsr_tensor out = {0};
    failing->fail_at = failing->calls + refused;
    const tsr_status st = call(ctx, &out);
    failing->fail_at = failing->calls + refused;
    const tsr_status into = call(ctx, &given.t);
    failing->fail_at = SIZE_MAX;
    const bool kept = into == TSR_OK || test_same_elements(&given.t, &before.t);
    CHECK((st == TSR_OK || (st == TSR_ENOMEM && tsr_is_none(&out))) && (into == TSR_OK || into == TSR_ENOMEM) && kept);
    if (!kept) printf("  %s wrote and failed\n", name);
    tsr_release(&out);
    CHECK(test_live() == live);
    if (st == TSR_OK && into == TSR_OK) break;
  }
  tsr_release(&before.t);
#else
  (void)ctx, (void)call, (void)name;
#endif
}

static void check_call(tsr_ctx *ctx, call_fn *call, int inputs, const char *name) {
  tsr_tensor out = {0};
  const tsr_status st = call(ctx, &out);
  OK(ctx, st);
  bool right = st == TSR_OK && is_right(ctx, &out, &wanted);
  CHECK(right);
  if (!right && test_now.failures < 20)
    printf("  fresh %s of %s and %s\n", name, tsr_dtype_name(in[0].dtype), tsr_dtype_name(in[inputs > 1].dtype));
  tsr_release(&out);
  given = wanted;
  lay_out(ctx, &given, &rng);
  OK(ctx, call(ctx, &given.t));
  right = is_right(ctx, &given.t, &wanted);
  CHECK(right);
  if (!right && test_now.failures < 20) printf("  given %s\n", name);
  refuse_memory(ctx, call, name);
  tsr_release(&given.t);
  for (int k = inputs - 1; k >= 0; k--) tsr_release(&in[k].t);
  CHECK(test_live() == 0);
}

static tsr_ctx *next_context(void) {
  tsr_ctx *const ctx = test_context();
  choose_isa(ctx, &rng);
  return ctx;
}

enum { ROUNDS = TSR_HAVE_MALLOC ? 150 : 12 };

/* ---- products ---- */

static tsr_index m, n, k;

static tsr_status call_tensordot(tsr_ctx *ctx, tsr_tensor *out) {
  return tsr_tensordot(ctx, &in[0].t, &in[1].t, 1, (const int[]){-1}, (const int[]){0}, out);
}
static tsr_status call_tensordot_count(tsr_ctx *ctx, tsr_tensor *out) {
  return tsr_tensordot(ctx, &in[0].t, &in[1].t, 1, NULL, NULL, out);
}
static tsr_status call_inner(tsr_ctx *ctx, tsr_tensor *out) { return tsr_inner(ctx, &in[0].t, &in[1].t, out); }
static tsr_status call_vdot(tsr_ctx *ctx, tsr_tensor *out) { return tsr_vdot(ctx, &in[0].t, &in[1].t, out); }
static tsr_status call_kron(tsr_ctx *ctx, tsr_tensor *out) { return tsr_kron(ctx, &in[0].t, &in[1].t, out); }

static void settle_bool(void) {
  for (tsr_index i = 0; wanted.dtype == TSR_BOOL && i < MOST; i++) wanted.re[i] = wanted.re[i] != 0;
}

TEST(products_of_two) {
  rng.state = 21;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = any_dtype(&rng), b = round % 2 == 0 ? a : any_dtype(&rng), dtype = tsr_dtype_promote(a, b);
    const bool turned = round % 3 == 2; /* inner: the last axis of both */
    m = test_between(&rng, 0, 4), n = test_between(&rng, 1, 4), k = test_between(&rng, 0, 4);
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, TSR_SHAPE(m, k));
    make(ctx, &in[1], b, 2, turned ? (tsr_index[]){n, k} : (tsr_index[]){k, n});
    want(dtype, TSR_SHAPE(m, n));
    for (tsr_index i = 0; i < m; i++)
      for (tsr_index j = 0; j < n; j++)
        for (tsr_index l = 0; l < k; l++)
          add_product(i * n + j, 1, &in[0], at2(&in[0], i, l), false, &in[1],
                      turned ? at2(&in[1], j, l) : at2(&in[1], l, j));
    settle_bool();
    check_call(ctx, turned ? call_inner : round % 3 == 1 ? call_tensordot_count : call_tensordot, 2, "tensordot");
  }
}

TEST(products_of_all_elements) {
  rng.state = 22;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = any_dtype(&rng), b = round % 2 == 0 ? a : any_dtype(&rng), dtype = tsr_dtype_promote(a, b);
    m = test_between(&rng, 1, 4), n = test_between(&rng, 0, 4);
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, TSR_SHAPE(m, n));
    make(ctx, &in[1], b, 2, round % 3 == 0 ? (tsr_index[]){n, m} : (tsr_index[]){m, n});
    want(dtype, TEST_SCALAR);
    for (tsr_index i = 0; i < m * n; i++) add_product(0, 1, &in[0], i, true, &in[1], i);
    settle_bool();
    check_call(ctx, call_vdot, 2, "vdot");
  }
}

TEST(products_in_every_place) {
  rng.state = 23;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = any_dtype(&rng), b = round % 2 == 0 ? a : any_dtype(&rng), dtype = tsr_dtype_promote(a, b);
    const tsr_index p = test_between(&rng, 1, 3), r = test_between(&rng, 1, 3);
    m = test_between(&rng, 0, 3), n = test_between(&rng, 1, 3);
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, TSR_SHAPE(m, n));
    make(ctx, &in[1], b, TSR_SHAPE(p, r));
    want(dtype, TSR_SHAPE(m * p, n * r));
    for (tsr_index i = 0; i < m * p; i++)
      for (tsr_index j = 0; j < n * r; j++)
        add_product(at2(&wanted, i, j), 1, &in[0], at2(&in[0], i / p, j / r), false, &in[1], at2(&in[1], i % p, j % r));
    check_call(ctx, call_kron, 2, "kron");
  }
}

/* ---- trace, cross ---- */

static tsr_index offset;
static int axis;

static tsr_status call_trace(tsr_ctx *ctx, tsr_tensor *out) { return tsr_trace(ctx, &in[0].t, offset, 0, 2, out); }
static tsr_status call_cross(tsr_ctx *ctx, tsr_tensor *out) { return tsr_cross(ctx, &in[0].t, &in[1].t, axis, out); }

TEST(sums_of_diagonals) {
  rng.state = 24;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = any_dtype(&rng), class = tsr_dtype_describe(a)->class_;
    const bool keeps = class == TSR_CLASS_FLOAT || class == TSR_CLASS_COMPLEX;
    m = test_between(&rng, 1, 4), n = test_between(&rng, 0, 3), k = test_between(&rng, 1, 4);
    offset = test_between(&rng, -4, 4);
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, TSR_SHAPE(m, n, k));
    want(keeps ? a : class == TSR_CLASS_UINT ? TSR_U64 : TSR_I64, TSR_SHAPE(n));
    for (tsr_index i = 0; i < m; i++)
      for (tsr_index j = 0; j < n; j++)
        for (tsr_index l = 0; l < k; l++) {
          if (l - i != offset) continue;
          wanted.re[j] += in[0].re[(i * n + j) * k + l];
          wanted.im[j] += in[0].im[(i * n + j) * k + l];
        }
    check_call(ctx, call_trace, 1, "trace");
  }
}

TEST(products_of_vectors) {
  rng.state = 25;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = number_dtype(), b = round % 2 == 0 ? a : number_dtype(), dtype = tsr_dtype_promote(a, b);
    const int length = round % 5 == 0 ? 2 : 3, own = (int)test_between(&rng, 0, 1);
    m = test_between(&rng, 1, 4);
    axis = own - (round % 2 == 0 ? 2 : 0);
    tsr_index shape[2] = {m, m}, narrow[2] = {1, 1};
    shape[own] = narrow[own] = length;
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, 2, shape);
    make(ctx, &in[1], b, 2, round % 3 == 0 ? narrow : shape);
    want(dtype, length == 3 ? 2 : 1, length == 3 ? shape : &m);
    for (tsr_index i = 0; i < m; i++)
      for (int c = length == 3 ? 0 : 2; c < 3; c++) {
        const tsr_index j = round % 3 == 0 ? 0 : i;
        const int p = (c + 1) % 3, q = (c + 2) % 3; /* components 1, 2; 2, 0; 0, 1 */
        const tsr_index ap = own == 1 ? at2(&in[0], i, p) : at2(&in[0], p, i);
        const tsr_index aq = own == 1 ? at2(&in[0], i, q) : at2(&in[0], q, i);
        const tsr_index bp = own == 1 ? at2(&in[1], j, p) : at2(&in[1], p, j);
        const tsr_index bq = own == 1 ? at2(&in[1], j, q) : at2(&in[1], q, j);
        const tsr_index to = length == 2 ? i : own == 1 ? at2(&wanted, i, c) : at2(&wanted, c, i);
        add_product(to, 1, &in[0], ap, false, &in[1], bq);
        add_product(to, -1, &in[0], aq, false, &in[1], bp);
      }
    check_call(ctx, call_cross, 2, "cross");
  }
}

/* ---- along an axis ---- */

static int times, edge_order, ends;

static tsr_status call_diff(tsr_ctx *ctx, tsr_tensor *out) {
  return tsr_diff(ctx, &in[0].t, times, axis, ends > 0 ? &in[1].t : NULL, ends > 1 ? &in[1].t : NULL, out);
}

/* Rows of wanted, one after another, from numbers along the axis. */
static void difference(int32_t *row, tsr_index length, bool differ) {
  for (int t = 0; t < times; t++)
    for (tsr_index i = 0; i + 1 + t < length; i++) row[i] = differ ? row[i + 1] != row[i] : row[i + 1] - row[i];
}

TEST(differences) {
  rng.state = 26;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = any_dtype(&rng), b = round % 2 == 0 ? a : any_dtype(&rng);
    m = test_between(&rng, 0, 3), n = test_between(&rng, 1, 6);
    times = (int)test_between(&rng, 0, is_small_float(a) || is_small_float(b) ? 2 : 4);
    ends = (int)test_between(&rng, 0, 2);
    axis = (int)test_between(&rng, 0, 1) - 2;
    const tsr_index length = n + 2 * ends, left = length > times ? length - times : 0;
    const int dtype = ends > 0 ? tsr_dtype_promote(a, b) : a;
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, 2, axis == -1 ? (tsr_index[]){m, n} : (tsr_index[]){n, m});
    make(ctx, &in[1], b, 2, axis == -1 ? (tsr_index[]){m, 2} : (tsr_index[]){2, m});
    want(dtype, 2, axis == -1 ? (tsr_index[]){m, left} : (tsr_index[]){left, m});
    for (tsr_index i = 0; i < m; i++)
      for (int part = 0; part < 2; part++) {
        int32_t row[16] = {0};
        for (tsr_index j = 0; j < length; j++) {
          const bool end = ends > 0 && (j < 2 || j >= n + 2);
          const operand *const x = end ? &in[1] : &in[0];
          const tsr_index from = !end ? j - (ends > 0 ? 2 : 0) : j < 2 ? j : j - n - 2;
          const tsr_index at = axis == -1 ? at2(x, i, from) : at2(x, from, i);
          row[j] = part == 0 ? x->re[at] : x->im[at];
        }
        difference(row, length, dtype == TSR_BOOL);
        for (tsr_index j = 0; j < left; j++)
          (part == 0 ? wanted.re : wanted.im)[axis == -1 ? at2(&wanted, i, j) : at2(&wanted, j, i)] = row[j];
      }
    check_call(ctx, call_diff, 2, "diff");
  }
}

static bool uneven;

static tsr_status call_central_diff(tsr_ctx *ctx, tsr_tensor *out) {
  tsr_tensor places = {0};
  if (!uneven) return tsr_central_diff(ctx, &in[0].t, NULL, (tsr_real)0.5, axis, edge_order, out);
  static tsr_real at[8] = {-1, (tsr_real)-0.5, 0, (tsr_real)0.5, 1, (tsr_real)1.5, 2, (tsr_real)2.5};
  OK(ctx, tsr_from_memory(ctx, at, sizeof(tsr_real) == 8 ? TSR_F64 : TSR_F32, TSR_SHAPE(n), &places));
  return tsr_central_diff(ctx, &in[0].t, &places, 1, axis, edge_order, out);
}

/* Steps of a half: (b - a) / (2 · 0.5), (b - a) / 0.5, and -3 a + 4 b - c at ends of order 2. */
static int32_t slope(const int32_t *row, tsr_index i) {
  const tsr_index last = n - 1;
  if (i > 0 && i < last) return row[i + 1] - row[i - 1];
  if (edge_order == 1) return i == 0 ? 2 * (row[1] - row[0]) : 2 * (row[last] - row[last - 1]);
  return i == 0 ? -3 * row[0] + 4 * row[1] - row[2] : 3 * row[last] - 4 * row[last - 1] + row[last - 2];
}

TEST(gradients) {
  rng.state = 27;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = any_dtype(&rng);
    edge_order = (int)test_between(&rng, 1, 2);
    m = test_between(&rng, 0, 3), n = test_between(&rng, edge_order + 1, 7);
    axis = (int)test_between(&rng, 0, 1) - 2;
    uneven = round % 3 == 0;
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, 2, axis == -1 ? (tsr_index[]){m, n} : (tsr_index[]){n, m});
    want(float_of(a), 2, in[0].shape);
    for (tsr_index i = 0; i < m; i++)
      for (int part = 0; part < 2; part++) {
        int32_t row[8] = {0};
        for (tsr_index j = 0; j < n; j++)
          row[j] = (part == 0 ? in[0].re : in[0].im)[axis == -1 ? at2(&in[0], i, j) : at2(&in[0], j, i)];
        for (tsr_index j = 0; j < n; j++)
          (part == 0 ? wanted.re : wanted.im)[axis == -1 ? at2(&wanted, i, j) : at2(&wanted, j, i)] = slope(row, j);
      }
    check_call(ctx, call_central_diff, 1, "central_diff");
  }
}

static bool with_ends;

static tsr_status call_interp(tsr_ctx *ctx, tsr_tensor *out) {
  static const tsr_real left = -3, right = 5;
  return tsr_interp(ctx, &in[0].t, &in[1].t, &in[2].t, with_ends ? &left : NULL, with_ends ? &right : NULL, out);
}

/* Points at 0 … n - 1: every place is one of them, or outside. */
TEST(interpolations) {
  rng.state = 28;
  for (int round = 0; round < ROUNDS; round++) {
    const int a = any_dtype(&rng), f = any_dtype(&rng);
    if (is_complex(a)) continue;
    n = test_between(&rng, 1, 4), m = test_between(&rng, 0, 3);
    with_ends = round % 2 == 0;
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, TSR_SHAPE(m, 3));
    make(ctx, &in[1], TSR_I16, TSR_SHAPE(n));
    for (tsr_index i = 0; i < n; i++) in[1].re[i] = (int32_t)(2 * i - 2);
    store_numbers(ctx, &in[1], &in[1].t);
    make(ctx, &in[2], f, TSR_SHAPE(n));
    for (tsr_index i = 0; i < n; i++) in[2].re[i] = in[2].re[i] * (f == TSR_BOOL ? 0 : 2), in[2].im[i] *= 2;
    store_numbers(ctx, &in[2], &in[2].t);
    want(float_of(tsr_dtype_promote(tsr_dtype_promote(a, TSR_I16), f)), 2, in[0].shape);
    for (tsr_index i = 0; i < 3 * m; i++) {
      const int32_t x = in[0].re[i], last = (int32_t)(2 * n - 4);
      const tsr_index j = x < -2 ? 0 : x >= last ? n - 1 : (x + 2) / 2;
      const bool inside = x >= -2 && x < last, odd = inside && (x & 1) != 0;
      wanted.re[i] = odd ? (in[2].re[j] + in[2].re[j + 1]) / 2 : in[2].re[j];
      wanted.im[i] = odd ? (in[2].im[j] + in[2].im[j + 1]) / 2 : in[2].im[j];
      if (with_ends && (x < -2 || x > last)) wanted.re[i] = x < -2 ? -3 : 5, wanted.im[i] = 0;
    }
    check_call(ctx, call_interp, 3, "interp");
  }
}

/* ---- convolutions ---- */

static tsr_convolve_mode mode;

static tsr_status call_convolve(tsr_ctx *ctx, tsr_tensor *out) {
  return tsr_convolve(ctx, &in[0].t, &in[1].t, mode, out);
}
static tsr_status call_correlate(tsr_ctx *ctx, tsr_tensor *out) {
  return tsr_correlate(ctx, &in[0].t, &in[1].t, mode, out);
}

/* All places where they meet; then the middle or the inside of those. */
static void convolve_by_loops(int dtype, bool correlate) {
  const tsr_index all = m + n - 1, shorter = m < n ? m : n, longer = m + n - shorter;
  tsr_index length = mode == TSR_CONVOLVE_FULL ? all : mode == TSR_CONVOLVE_SAME ? longer : longer - shorter + 1;
  tsr_index first = mode == TSR_CONVOLVE_FULL   ? 0
                    : mode == TSR_CONVOLVE_SAME ? (shorter - 1) - shorter / 2
                                                : shorter - 1;
  if (correlate && m < n && mode == TSR_CONVOLVE_SAME) first = shorter / 2; /* counted from the other end */
  want(dtype, 1, &length);
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) {
      const tsr_index at = (correlate ? i + (n - 1 - j) : i + j) - first;
      if (at < 0 || at >= length) continue;
      if (correlate)
        add_product(at, 1, &in[1], j, true, &in[0], i);
      else
        add_product(at, 1, &in[1], j, false, &in[0], i);
    }
}

TEST(convolutions) {
  rng.state = 29;
  for (int round = 0; round < 2 * ROUNDS; round++) {
    const int a = number_dtype(), b = round % 4 < 2 ? a : number_dtype(), dtype = tsr_dtype_promote(a, b);
    const bool correlate = round % 2 == 0;
    m = test_between(&rng, 1, 20), n = test_between(&rng, 1, 20);
    mode = (tsr_convolve_mode)test_between(&rng, 0, 2);
    tsr_ctx *const ctx = next_context();
    make(ctx, &in[0], a, TSR_SHAPE(m));
    make(ctx, &in[1], b, TSR_SHAPE(n));
    convolve_by_loops(dtype, correlate);
    check_call(ctx, correlate ? call_correlate : call_convolve, 2, correlate ? "correlate" : "convolve");
  }
}

TEST(long_convolutions_on_threads) {
  if (!TSR_HAVE_THREADS) SKIP("no threads");
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_I32, TSR_C64};
  tsr_threads *threads = NULL;
  REQUIRE(tsr_threads_new(3, &threads) == TSR_OK);
  for (int d = 0; d < COUNT_OF(dtypes); d++) {
    tsr_ctx ctx = *test_context();
    tsr_rng random = tsr_rng_seed(5);
    tsr_tensor whole = {0}, a = {0}, v = {0}, one = {0}, many = {0}, window = {0}, exact = {0};
    bool same = false;
    OK(&ctx, tsr_rand_integers(&ctx, &random, TSR_I64, TSR_SHAPE(5000), -3, 4, &whole));
    OK(&ctx, tsr_cast(&ctx, &whole, dtypes[d], &a));
    OK(&ctx, tsr_slice(&ctx, &a, 0, 100, 233, 1, &v));
    OK(&ctx, tsr_correlate(&ctx, &a, &v, TSR_CONVOLVE_VALID, &one));
    ctx.parallel = tsr_threads_parallel(threads);
    OK(&ctx, tsr_correlate(&ctx, &a, &v, TSR_CONVOLVE_VALID, &many));
    CHECK(test_same_elements(&one, &many));
    OK(&ctx, tsr_sliding_window(&ctx, &whole, 0, 133, 1, &window));
    OK(&ctx, tsr_slice(&ctx, &whole, 0, 100, 233, 1, &v));
    OK(&ctx, tsr_matmul(&ctx, &window, &v, &exact));
    OK(&ctx, tsr_equal(&ctx, &many, &exact, &same));
    CHECK(same);
    tsr_release(&exact);
    tsr_release(&many);
    tsr_release(&one);
    tsr_release(&a);
    tsr_release(&whole);
    CHECK(test_live() == 0);
  }
  tsr_threads_release(threads);
}

TEST(the_same_bits_on_every_instruction_set) {
#if TSR_HAVE_MALLOC
  tsr_ctx *const ctx = test_context();
  tsr_rng random = tsr_rng_seed(6);
  tsr_tensor x = {0}, v = {0}, first[2] = {{0}};
  OK(ctx, tsr_rand_normal(ctx, &random, TSR_F32, TSR_SHAPE(3000), &x));
  OK(ctx, tsr_slice(ctx, &x, 0, 7, 60, 1, &v));
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    tsr_tensor out[2] = {{0}};
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    OK(ctx, tsr_convolve(ctx, &x, &v, TSR_CONVOLVE_FULL, isa == 0 ? &first[0] : &out[0]));
    OK(ctx, tsr_central_diff(ctx, &x, NULL, (tsr_real)0.3, 0, 2, isa == 0 ? &first[1] : &out[1]));
    for (int i = 0; isa > 0 && i < 2; i++) CHECK(test_same_elements(&first[i], &out[i]));
    for (int i = 1; i >= 0; i--) tsr_release(&out[i]);
  }
  for (int i = 1; i >= 0; i--) tsr_release(&first[i]);
  tsr_release(&x);
  CHECK(test_live() == 0);
#else
  SKIP("one instruction set");
#endif
}

/* ---- outputs that overlap, bad calls ---- */

TEST(outputs_in_place_and_overlapping) {
  tsr_ctx *const ctx = test_context();
  float x[8] = {1, 4, 9, 16, 25, 36, 49, 64}, y[3] = {0, 1, 0}, z[3] = {1, 0, 0};
  tsr_tensor all = {0}, part = {0}, a = {0}, b = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(8), &all));
  OK(ctx, tsr_slice(ctx, &all, 0, 1, 8, 1, &part));
  OK(ctx, tsr_diff(ctx, &all, 1, 0, NULL, NULL, &part));
  CHECK(x[0] == 1 && x[1] == 3 && x[4] == 9 && x[7] == 15);
  OK(ctx, tsr_central_diff(ctx, &all, NULL, 1, 0, 1, &all));
  CHECK(x[0] == 2 && x[1] == 2 && x[7] == 2);
  OK(ctx, tsr_slice(ctx, &all, 0, 0, 3, 1, &part));
  OK(ctx, tsr_convolve(ctx, &all, &part, TSR_CONVOLVE_SAME, &all));
  CHECK(x[0] == 8 && x[1] == 12 && x[7] == 8);
  OK(ctx, tsr_from_memory(ctx, y, TSR_F32, TSR_SHAPE(3), &a));
  OK(ctx, tsr_from_memory(ctx, z, TSR_F32, TSR_SHAPE(3), &b));
  OK(ctx, tsr_cross(ctx, &a, &b, 0, &a));
  CHECK(y[0] == 0 && y[1] == 0 && y[2] == -1);
  FAILS(ctx, TSR_EARG, tsr_interp(ctx, &all, &b, &a, NULL, NULL, &all)); /* xp falls */
  CHECK(x[0] == 8);
}

#define BAD(status, call, text) \
  do {                          \
    FAILS(ctx, status, call);   \
    MESSAGE_HAS(ctx, text);     \
    CHECK(tsr_is_none(&out));   \
  } while (0)

/* The output may be the coordinates, whose numbers are read as they are where they have the real dtype. */
TEST(gradient_over_its_coordinates) {
  tsr_ctx *const ctx = test_context();
  const tsr_real values[5] = {0, 1, 4, 9, 16}, right[2][5] = {{1, 2, 4, 6, 7}, {0, 2, 4, 6, 8}};
  tsr_tensor xs = {0}, places = {0};
  for (int order = 1; order <= 2; order++) {
    tsr_real at[5] = {0, 1, 2, 3, 4};
    bool same = true;
    OK(ctx, tsr_from_const_memory(ctx, values, TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32, TSR_SHAPE(5), &xs));
    OK(ctx, tsr_from_memory(ctx, at, xs.dtype, TSR_SHAPE(5), &places));
    OK(ctx, tsr_central_diff(ctx, &xs, &places, 1, 0, order, &places));
    for (int i = 0; i < 5; i++) same = same && at[i] == right[order - 1][i];
    CHECK(same);
  }
}

TEST(bad_calls_say_what_is_wrong) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = {0}, b = {0}, v = {0}, w = {0}, flag = {0}, out = {0}, none = {0}, number = {0};
  const int twice[] = {0, 0}, both[] = {0, 1}, far[] = {2};
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(3, 4), &a));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(5, 4), &b));
  OK(ctx, tsr_arange(ctx, TSR_F32, 0, 4, 1, &v));
  OK(ctx, tsr_arange(ctx, TSR_F32, 3, 0, -1, &w));
  OK(ctx, tsr_ones(ctx, TSR_BOOL, TSR_SHAPE(3), &flag));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0), &none));
  OK(ctx, tsr_ones(ctx, TSR_F32, TEST_SCALAR, &number));
  BAD(TSR_ESHAPE, tsr_tensordot(ctx, &a, &b, 1, NULL, NULL, &out),
      "tensordot: a [3,4] and b [5,4] do not fit: axis 1 is 4 and axis 0 is 5");
  BAD(TSR_EARG, tsr_tensordot(ctx, &a, &b, 3, NULL, NULL, &out), "tensordot: naxes is 3");
  BAD(TSR_EARG, tsr_tensordot(ctx, &a, &b, 1, both, NULL, &out), "tensordot: axes_b is NULL");
  BAD(TSR_EAXIS, tsr_tensordot(ctx, &a, &a, 2, twice, both, &out), "tensordot: axes_a name axis 0 twice");
  BAD(TSR_EAXIS, tsr_tensordot(ctx, &a, &a, 2, both, twice, &out), "tensordot: axes_b name axis 0 twice");
  BAD(TSR_EAXIS, tsr_tensordot(ctx, &a, &a, 1, far, twice, &out), "tensordot: axes_a");
  BAD(TSR_EARG, tsr_tensordot(ctx, NULL, &a, 1, NULL, NULL, &out), "tensordot: a is NULL");
  BAD(TSR_ESHAPE, tsr_inner(ctx, &a, &flag, &out), "inner: a [3,4] and b [3] do not fit");
  BAD(TSR_EARG, tsr_inner(ctx, &a, NULL, &out), "inner: b is NULL");
  BAD(TSR_ESHAPE, tsr_vdot(ctx, &a, &v, &out), "vdot: a [3,4] has 12 elements and b [4] has 4");
  BAD(TSR_EARG, tsr_kron(ctx, &a, NULL, &out), "kron: b is NULL");
  BAD(TSR_EAXIS, tsr_trace(ctx, &a, 0, 0, 2, &out), "trace: axis1");
  BAD(TSR_EAXIS, tsr_trace(ctx, &a, 0, 1, -1, &out), "trace: axis1 is axis0: 1");
  BAD(TSR_ESHAPE, tsr_cross(ctx, &a, &a, 1, &out), "cross: a [3,4] has 4 along axis 1: vectors of 3 or of 2 are taken");
  BAD(TSR_ESHAPE, tsr_cross(ctx, &a, &b, 0, &out), "cross: b [5,4] has 5 along axis 0");
  BAD(TSR_EDTYPE, tsr_cross(ctx, &flag, &flag, 0, &out), "cross: a is bool");
  BAD(TSR_EARG, tsr_diff(ctx, &a, -1, 0, NULL, NULL, &out), "diff: n is -1");
  BAD(TSR_EAXIS, tsr_diff(ctx, &a, 1, 2, NULL, NULL, &out), "diff: axis");
  BAD(TSR_ESHAPE, tsr_diff(ctx, &a, 1, 1, &b, NULL, &out),
      "diff: prepend [5,4] does not fit x [3,4]: only axis 1 may differ");
  BAD(TSR_ESHAPE, tsr_diff(ctx, &a, 1, 1, NULL, &v, &out), "diff: append [4] does not fit");
  BAD(TSR_EAXIS, tsr_diff(ctx, &number, 1, 0, NULL, NULL, &out), "diff: axis");
  BAD(TSR_EARG, tsr_central_diff(ctx, &a, NULL, 1, 0, 3, &out), "central_diff: edge_order is 3: 1 and 2 are taken");
  BAD(TSR_ESHAPE, tsr_central_diff(ctx, &none, NULL, 1, 0, 1, &out), "central_diff: x [0] has 0 elements along axis 0");
  BAD(TSR_ESHAPE, tsr_central_diff(ctx, &a, &v, 1, 0, 1, &out),
      "central_diff: coordinates is f32 [4]: one for each of the 3");
  BAD(TSR_ESHAPE, tsr_interp(ctx, &a, &v, &flag, NULL, NULL, &out), "interp: xp [4] and fp [3] are not two vectors");
  BAD(TSR_ESHAPE, tsr_interp(ctx, &a, &none, &none, NULL, NULL, &out), "interp: xp [0] has no points");
  BAD(TSR_EARG, tsr_interp(ctx, &a, &w, &flag, NULL, NULL, &out), "interp: xp is 2 at 1 after 3: it must not fall");
  BAD(TSR_EARG, tsr_interp(ctx, &a, &v, NULL, NULL, NULL, &out), "interp: fp is NULL");
  BAD(TSR_ESHAPE, tsr_convolve(ctx, &a, &v, TSR_CONVOLVE_FULL, &out), "convolve: a [3,4] is no vector");
  BAD(TSR_ESHAPE, tsr_correlate(ctx, &v, &none, TSR_CONVOLVE_FULL, &out), "correlate: v is empty");
  BAD(TSR_EARG, tsr_convolve(ctx, &v, &v, (tsr_convolve_mode)3, &out), "convolve: mode is 3");
  BAD(TSR_EDTYPE, tsr_convolve(ctx, &flag, &flag, TSR_CONVOLVE_FULL, &out), "convolve: a is bool");
  FAILS(ctx, TSR_ESHAPE, tsr_convolve(ctx, &v, &v, TSR_CONVOLVE_FULL, &w));
  MESSAGE_HAS(ctx, "convolve: out is f32 [3], the result is f32 [7]");
  tsr_release(&number);
  tsr_release(&none);
  tsr_release(&flag);
  tsr_release(&w);
  tsr_release(&v);
  tsr_release(&b);
  tsr_release(&a);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(products_of_two), RUN(products_of_all_elements), RUN(products_in_every_place), RUN(sums_of_diagonals),
          RUN(products_of_vectors), RUN(differences), RUN(gradients), RUN(interpolations), RUN(convolutions),
          RUN(long_convolutions_on_threads), RUN(the_same_bits_on_every_instruction_set),
          RUN(outputs_in_place_and_overlapping), RUN(gradient_over_its_coordinates), RUN(bad_calls_say_what_is_wrong))
