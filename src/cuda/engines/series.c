/* Series: differences and derivatives as lines over neighbours; convolutions. */
#include "cuda/engines/engines.h"
#include "cuda/lines.h"

#include "ops/parts.h"
#include "ops/promote.h"
#include "ops/series/ops.h"

#include <string.h>

/* ---- views ---- */

static void move_view(tsr__cuda_view *v, tsr_index elements) {
  const ptrdiff_t bytes = (ptrdiff_t)elements * (ptrdiff_t)tsr_dtype_size(v->tensor.dtype);
  v->ref.offset += bytes;
  if (v->tensor.data != NULL) v->tensor.data = (char *)v->tensor.data + bytes;
}

static tsr__cuda_view part(const tsr__cuda_view *v, int axis, tsr_index first, tsr_index length) {
  tsr__cuda_view p = *v;
  move_view(&p, first * v->tensor.stride[axis]);
  p.tensor.shape[axis] = length;
  return p;
}

/* The real or the imaginary part of complex numbers; of others, themselves. */
static tsr__cuda_view component(const tsr__cuda_view *v, int number) {
  tsr__cuda_view p = *v;
  if (!tsr__is_complex(v->tensor.dtype)) return p;
  p.tensor.dtype = (uint8_t)tsr__part_dtype(v->tensor.dtype);
  for (int d = 0; d < p.tensor.ndim; d++) p.tensor.stride[d] *= 2;
  move_view(&p, number);
  return p;
}

static int components(int dtype) { return tsr__is_complex(dtype) ? 2 : 1; }

/* One element, or a vector along axis, over the shape of v. */
static tsr__cuda_view over(const tsr__cuda_view *one, const tsr_tensor *v, int axis) {
  tsr__cuda_view wide = *one;
  const tsr_index step = axis >= 0 ? one->tensor.stride[0] : 0;
  wide.tensor.ndim = v->ndim;
  for (int d = 0; d < v->ndim; d++) {
    wide.tensor.shape[d] = v->shape[d];
    wide.tensor.stride[d] = d == axis ? step : 0;
  }
  return wide;
}

static int axis_of(int axis, const tsr_tensor *x) { return axis < 0 ? axis + x->ndim : axis; }

/* ---- differences ---- */

/* out[i] = x[i + 1] - x[i] */
static tsr_status subtract(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *x, int axis, const tsr__cuda_view *out,
                           tsr__cuda_plan *plan) {
  static const char maker;
  static const int values[] = {0, 1};
  tsr_status st = TSR_OK;
  for (int k = 0; k < components(x->tensor.dtype) && st == TSR_OK; k++) {
    const tsr__cuda_view from = component(x, k), to = component(out, k);
    const tsr_index n = to.tensor.shape[axis];
    const tsr__cuda_view later = part(&from, axis, 1, n), earlier = part(&from, axis, 0, n);
    const int compute = tsr__compute_of(to.tensor.dtype);
    const tsr__dtypes dtypes = {(uint8_t)compute, (uint8_t)compute, to.tensor.dtype};
    tsr__cuda_elements e = {.maker = &maker, .out = to};
    tsr__cuda_add_view(&e, &later);
    tsr__cuda_add_view(&e, &earlier);
    tsr__cuda_add_step(&e.lines, &tsr__cuda_line_of[TSR__LINE_sub], &dtypes, 2, values);
    st = tsr__cuda_plan_elements(gpu, ctx, &e, plan);
  }
  return st;
}

/* x between what comes before and after it, where there is something. */
static tsr_status join(tsr__cuda *gpu, const tsr_work *work, int axis, int dtype, tsr__cuda_view *x,
                       tsr__cuda_plan *plan) {
  static const int order[] = {1, 0, 2};
  tsr_index shape[TSR_MAX_DIMS], at = 0, all = 0;
  tsr_status st = TSR_OK;
  if (work->in[1] == NULL && work->in[2] == NULL) return TSR_OK;
  for (int d = 0; d < x->tensor.ndim; d++) shape[d] = x->tensor.shape[d];
  for (int i = 0; i < 3; i++)
    if (work->in[i] != NULL) all += work->in[i]->ndim == 0 && i > 0 ? 1 : work->in[i]->shape[axis];
  shape[axis] = all;
  const tsr__cuda_view joined = tsr__cuda_temporary(plan, dtype, x->tensor.ndim, shape);
  for (int i = 0; i < 3 && st == TSR_OK; i++) {
    const tsr_tensor *const t = work->in[order[i]];
    if (t == NULL) continue;
    const bool is_one = t->ndim == 0 && order[i] > 0;
    const tsr__cuda_view to = part(&joined, axis, at, is_one ? 1 : t->shape[axis]);
    tsr__cuda_view from = tsr__cuda_input(work, order[i]);
    if (is_one) from = over(&from, &to.tensor, -1);
    if (tsr_size(&to.tensor) > 0) st = tsr__cuda_plan_cast(gpu, work->ctx, &from, &to, plan);
    at += to.tensor.shape[axis];
  }
  *x = joined;
  return st;
}

tsr_status tsr__cuda_diff(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__diff_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const int dtype = out.tensor.dtype, axis = axis_of(attrs->axis, work->in[0]);
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  tsr_status st = join(gpu, work, axis, dtype, &x, plan);
  if (st == TSR_OK && x.tensor.dtype == dtype && attrs->n > 0 && components(dtype) > 1)
    st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan); /* both parts are written one after the other */
  if (st == TSR_OK && attrs->n == 0) st = tsr__cuda_plan_cast(gpu, work->ctx, &x, &out, plan);
  for (int i = 1; i <= attrs->n && st == TSR_OK; i++) {
    tsr__cuda_view to = out;
    if (i < attrs->n) {
      tsr_index shape[TSR_MAX_DIMS];
      for (int d = 0; d < x.tensor.ndim; d++) shape[d] = x.tensor.shape[d] - (d == axis);
      to = tsr__cuda_temporary(plan, dtype, x.tensor.ndim, shape);
    }
    st = subtract(gpu, work->ctx, &x, axis, &to, plan);
    x = to;
  }
  return st;
}

/* ---- derivatives ---- */

typedef struct slopes {
  tsr__cuda *gpu;
  tsr_ctx *ctx;
  tsr__cuda_plan *plan;
  tsr__cuda_view x, out, at; /* a component; coordinates, where there are some */
  bool placed;
  int axis, compute;
  double spacing;
} slopes;

static void add_line(tsr__cuda_lines *lines, const char *line, int inputs, const uint8_t *in, int compute, int result) {
  tsr__cuda_line_step *const step = &lines->step[lines->steps++];
  *step = (tsr__cuda_line_step){.line = line,
                                .inputs = (uint8_t)inputs,
                                .compute = (uint8_t)compute,
                                .result = (uint8_t)compute,
                                .out = (uint8_t)result};
  for (int i = 0; i < inputs; i++) {
    step->in[i] = in[i];
    step->dtype[i] = (uint8_t)compute;
  }
}

/* A number in the type that is computed in. */
static void add_number(tsr__cuda_elements *e, int compute, double value) {
  const float narrow = (float)value;
  tsr__cuda_add_number(e, compute, compute == TSR_F64 ? (const void *)&value : &narrow);
}

/* Places first to first + count - 1 of the output: x[from + apart] - x[from] over a distance. The distance between coordinates from and from +
 * apart is that of one place. */
static tsr_status plan_quotients(const slopes *s, tsr_index first, tsr_index count, tsr_index from, tsr_index apart,
                                 double distance) {
  static const char makers[2];
  tsr__cuda_elements e = {.maker = &makers[s->placed], .out = part(&s->out, s->axis, first, count)};
  const tsr__cuda_view later = part(&s->x, s->axis, from + apart, count), earlier = part(&s->x, s->axis, from, count);
  tsr__cuda_add_view(&e, &later);
  tsr__cuda_add_view(&e, &earlier);
  if (!s->placed) {
    add_number(&e, s->compute, distance);
    add_line(&e.lines, "(a - b) / c", 3, (const uint8_t[]){0, 1, 2}, s->compute, e.out.tensor.dtype);
    return tsr__cuda_plan_elements(s->gpu, s->ctx, &e, s->plan);
  }
  for (int k = 0; k < 2; k++) {
    tsr__cuda_view one = part(&s->at, 0, from + (k == 0 ? apart : 0), 1);
    one = over(&one, &e.out.tensor, -1);
    tsr__cuda_add_view(&e, &one);
  }
  add_line(&e.lines, "a - b", 2, (const uint8_t[]){2, 3}, TSR_F64, s->compute);
  add_line(&e.lines, "(a - b) / c", 3, (const uint8_t[]){0, 1, 4}, s->compute, e.out.tensor.dtype);
  return tsr__cuda_plan_elements(s->gpu, s->ctx, &e, s->plan);
}

/* Sums of three elements from number from on, with weights: vectors along the axis, or numbers. */
static tsr_status plan_sums(const slopes *s, tsr_index first, tsr_index count, tsr_index from,
                            const tsr__cuda_view *weights, const double *numbers) {
  static const char makers[2];
  tsr__cuda_elements e = {.maker = &makers[numbers != NULL], .out = part(&s->out, s->axis, first, count)};
  for (int k = 0; k < 3; k++) {
    const tsr__cuda_view x = part(&s->x, s->axis, from + k, count);
    tsr__cuda_add_view(&e, &x);
  }
  for (int k = 0; k < 3; k++) {
    if (numbers != NULL) {
      add_number(&e, s->compute, numbers[k]);
      continue;
    }
    const tsr__cuda_view w = over(&weights[k], &e.out.tensor, s->axis);
    tsr__cuda_add_view(&e, &w);
  }
  add_line(&e.lines, "a * b", 2, (const uint8_t[]){3, 0}, s->compute, s->compute);
  add_line(&e.lines, "a + b * c", 3, (const uint8_t[]){6, 4, 1}, s->compute, s->compute);
  add_line(&e.lines, "a + b * c", 3, (const uint8_t[]){7, 5, 2}, s->compute, e.out.tensor.dtype);
  return tsr__cuda_plan_elements(s->gpu, s->ctx, &e, s->plan);
}

/* Weights of the parabola through three points: in the middle, at the first, at the last of them. d1 and d2 are the distances. */
enum { MIDDLE, FIRST, LAST };
static tsr_status plan_weights(const slopes *s, int where, tsr_index from, tsr_index count, tsr__cuda_view *weights) {
  static const char *const lines[3][3] = {{"-b / (a * (a + b))", "(b - a) / (a * b)", "a / (b * (a + b))"},
                                          {"-(2 * a + b) / (a * (a + b))", "(a + b) / (a * b)", "-a / (b * (a + b))"},
                                          {"b / (a * (a + b))", "-(b + a) / (a * b)", "(2 * b + a) / (b * (a + b))"}};
  static const char makers[3][3];
  tsr_status st = TSR_OK;
  for (int k = 0; k < 3 && st == TSR_OK; k++) {
    weights[k] = tsr__cuda_temporary(s->plan, s->compute, 1, &count);
    tsr__cuda_elements e = {.maker = &makers[where][k], .out = weights[k]};
    for (int i = 0; i < 3; i++) {
      const tsr__cuda_view at = part(&s->at, 0, from + i, count);
      tsr__cuda_add_view(&e, &at);
    }
    add_line(&e.lines, "a - b", 2, (const uint8_t[]){1, 0}, TSR_F64, TSR_F64);
    add_line(&e.lines, "a - b", 2, (const uint8_t[]){2, 1}, TSR_F64, TSR_F64);
    add_line(&e.lines, lines[where][k], 2, (const uint8_t[]){3, 4}, TSR_F64, s->compute);
    st = tsr__cuda_plan_elements(s->gpu, s->ctx, &e, s->plan);
  }
  return st;
}

static tsr_status plan_weighed(const slopes *s, int where, tsr_index first, tsr_index count, tsr_index from) {
  tsr__cuda_view weights[3];
  const tsr_status st = plan_weights(s, where, from, count, weights);
  return st == TSR_OK ? plan_sums(s, first, count, from, weights, NULL) : st;
}

static tsr_status plan_ends(const slopes *s, int edge_order, tsr_index n) {
  const double h = s->spacing, first[3] = {-1.5 / h, 2 / h, -0.5 / h}, last[3] = {0.5 / h, -2 / h, 1.5 / h};
  tsr_status st;
  if (edge_order == 1) {
    st = plan_quotients(s, 0, 1, 0, 1, h);
    return st == TSR_OK ? plan_quotients(s, n - 1, 1, n - 2, 1, h) : st;
  }
  if (s->placed) {
    st = plan_weighed(s, FIRST, 0, 1, 0);
    return st == TSR_OK ? plan_weighed(s, LAST, n - 1, 1, n - 3) : st;
  }
  st = plan_sums(s, 0, 1, 0, NULL, first);
  return st == TSR_OK ? plan_sums(s, n - 1, 1, n - 3, NULL, last) : st;
}

static tsr_status plan_slopes(const slopes *s, int edge_order) {
  const tsr_index n = s->x.tensor.shape[s->axis];
  tsr_status st = TSR_OK;
  if (n > 2) st = s->placed ? plan_weighed(s, MIDDLE, 1, n - 2, 0) : plan_quotients(s, 1, n - 2, 0, 2, 2 * s->spacing);
  return st == TSR_OK ? plan_ends(s, edge_order, n) : st;
}

tsr_status tsr__cuda_central_diff(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__central_diff_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const int compute = tsr__part_dtype(tsr__compute_of(out.tensor.dtype));
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  slopes s = {.gpu = gpu,
              .ctx = work->ctx,
              .plan = plan,
              .placed = work->in[1] != NULL,
              .axis = axis_of(attrs->axis, work->in[0]),
              .compute = compute,
              .spacing = (double)attrs->spacing};
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  if (st == TSR_OK && s.placed) { /* f64 once, which every place reads */
    const tsr__cuda_view at = tsr__cuda_input(work, 1);
    s.at = tsr__cuda_temporary(plan, TSR_F64, 1, at.tensor.shape);
    st = tsr__cuda_plan_cast(gpu, work->ctx, &at, &s.at, plan);
  }
  for (int k = 0; k < components(out.tensor.dtype) && st == TSR_OK; k++) {
    s.x = component(&x, k);
    s.out = component(&out, k);
    st = plan_slopes(&s, attrs->edge_order);
  }
  return st;
}

/* ---- convolution ---- */

/* The host's struct convolve_args of kernels/convolve.cuh. */
typedef struct convolve_args {
  uint64_t line, weights, sums;
  int64_t length, taps;
} convolve_args;

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, int sum, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  tsr__cuda_text text = {0};
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)sum;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(&text, "typedef %s_mem C;\n", tsr__cuda_dtype(sum));
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/convolve.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_convolve"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static tsr__cuda_view backwards(const tsr__cuda_view *v) {
  tsr__cuda_view flipped = *v;
  move_view(&flipped, (v->tensor.shape[0] - 1) * v->tensor.stride[0]);
  flipped.tensor.stride[0] = -v->tensor.stride[0];
  return flipped;
}

/* What is summed in: integers wrap, so that they are added without a sign. */
static int sum_of(int dtype) {
  const int compute = tsr__compute_of(dtype);
  return compute == TSR_F32 || compute == TSR_F64 ? compute : tsr_dtype_size(dtype) == 8 ? TSR_I64 : TSR_I32;
}
static int unsigned_of(int sum) { return sum == TSR_I64 ? TSR_U64 : sum == TSR_I32 ? TSR_U32 : sum; }

/* out[k] = Σ over j of line[k + j]·weights[j]: the longer vector between zeros, and the shorter one, flipped for a convolution. */
static tsr_status convolve(tsr__cuda *gpu, const tsr_work *work, bool flipped, tsr__cuda_plan *plan) {
  const tsr__convolve_attrs *const attrs = work->attrs;
  const bool swap = work->in[0]->shape[0] < work->in[1]->shape[0];
  const tsr__cuda_view a = tsr__cuda_input(work, swap), v = tsr__cuda_input(work, !swap);
  tsr__cuda_view out = tsr__cuda_output(work, 0);
  if (tsr__is_complex(out.tensor.dtype))
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, NULL, "complex numbers are multiplied on the host only");
  const int sum = sum_of(out.tensor.dtype);
  const tsr_index n = a.tensor.shape[0], m = v.tensor.shape[0], length = out.tensor.shape[0], all = length + m - 1;
  const tsr_index lead = attrs->mode == TSR_CONVOLVE_FULL ? m - 1 : attrs->mode == TSR_CONVOLVE_SAME ? m / 2 : 0;
  const tsr__cuda_view line = tsr__cuda_temporary(plan, sum, 1, &all), to = part(&line, 0, lead, n);
  const tsr__cuda_view weights = tsr__cuda_temporary(plan, sum, 1, &m), from = flipped ? backwards(&v) : v;
  const tsr__cuda_view sums = tsr__cuda_temporary(plan, sum, 1, &length);
  const convolve_args args = {.length = length, .taps = m};
  const tsr__cuda_kernel *kernel;
  if (all > n) tsr__cuda_plan_set(plan, line.ref, 0, (size_t)all * tsr_dtype_size(sum));
  tsr_status st = tsr__cuda_plan_cast(gpu, work->ctx, &a, &to, plan);
  if (st == TSR_OK) st = tsr__cuda_plan_cast(gpu, work->ctx, &from, &weights, plan);
  if (st == TSR_OK) st = get_kernel(gpu, work->ctx, unsigned_of(sum), &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)((length + 1023) / 1024), 1, 1}, 256, 0, &args,
                        sizeof args);
  tsr__cuda_plan_address(plan, offsetof(convolve_args, line), line.ref);
  tsr__cuda_plan_address(plan, offsetof(convolve_args, weights), weights.ref);
  tsr__cuda_plan_address(plan, offsetof(convolve_args, sums), sums.ref);
  if (swap && !flipped) out = backwards(&out);
  return tsr__cuda_plan_cast(gpu, work->ctx, &sums, &out, plan);
}

tsr_status tsr__cuda_convolve(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return convolve(gpu, work, true, plan);
}

tsr_status tsr__cuda_correlate(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return convolve(gpu, work, false, plan);
}
