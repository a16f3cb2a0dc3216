/* Fourier transforms: lines of complex numbers in temporary memory, which cuFFT transforms where it is; what comes before and after them is
 * lines of text. */
#include "cuda/engines/engines.h"

#include "cuda/fourier.h"
#include "cuda/lines.h"
#include "fft/ops.h"
#include "fft/transform.h"
#include "ops/parts.h"

#include <string.h>

/* ---- without a library ---- */

/* The kernel's struct fourier_args. */
typedef struct fourier_args {
  uint64_t from, to;
  int64_t n, lines, blocks;
  double step;
} fourier_args;

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, int dtype, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)dtype;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(&text, "typedef %s_mem C;\n", tsr__cuda_dtype(dtype));
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/fourier.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_fourier"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static tsr_status plan_own(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_lines_of *f, size_t bytes,
                           tsr__cuda_plan *plan) {
  enum { MANY = 128 };
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(gpu, work->ctx, f->dtype, &kernel);
  const int64_t blocks = (f->n + MANY - 1) / MANY;
  const fourier_args args = {
      .n = f->n, .lines = f->lines, .blocks = blocks, .step = (f->inverse ? 2.0 : -2.0) / (double)f->n};
  if (st != TSR_OK) return st;
  if (f->lines > INT32_MAX / blocks)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "x", "%t: more than a grid has blocks", work->in[0]);
  const tsr__cuda_ref to = tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, bytes));
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)(f->lines * blocks), 1, 1}, MANY, 0, &args,
                        sizeof args);
  tsr__cuda_plan_address(plan, offsetof(fourier_args, from), f->from);
  tsr__cuda_plan_address(plan, offsetof(fourier_args, to), to);
  f->to = to;
  return TSR_OK;
}

/* ---- one axis ---- */

/* One axis of a transform, as the host has it. */
typedef struct axis {
  tsr__fft_form form;
  int number, part; /* of the axis; the dtype of a part */
  tsr_index n;
  double scale;
} axis;

/* The axis last. */
static tsr__cuda_view axis_last(const tsr__cuda_view *v, int number) {
  tsr__cuda_view view = *v;
  int n = 0;
  for (int d = 0; d <= v->tensor.ndim; d++) {
    const int from = d == v->tensor.ndim ? number : d;
    if (d == number) continue;
    view.tensor.shape[n] = v->tensor.shape[from];
    view.tensor.stride[n++] = v->tensor.stride[from];
  }
  return view;
}

/* Elements of the last axis from first on, so many, in steps of 1 or -1. */
static tsr__cuda_view some_of(const tsr__cuda_view *v, tsr_index first, tsr_index count, int step) {
  tsr__cuda_view some = *v;
  const int last = v->tensor.ndim - 1;
  const ptrdiff_t bytes = (ptrdiff_t)(first * v->tensor.stride[last]) * (ptrdiff_t)tsr_dtype_size(v->tensor.dtype);
  some.ref.offset += bytes;
  if (some.tensor.data != NULL) some.tensor.data = (char *)some.tensor.data + bytes;
  some.tensor.shape[last] = count;
  some.tensor.stride[last] *= step;
  return some;
}

/* A line of complex a and the number b, of c64 or c128, which gives result. */
static tsr_status plan_line(tsr__cuda *gpu, const tsr_work *work, const char *line, int compute, int result,
                            const tsr__cuda_view *a, double b, const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  const uint8_t of = (uint8_t)compute, real = (uint8_t)tsr__part_dtype(compute);
  tsr__cuda_elements e = {.maker = line, .out = *out};
  e.lines.in_place = a == out;
  tsr__cuda_add_view(&e, a);
  tsr__cuda_add_number(&e, TSR_F64, &b);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = line,
                                          .functions = tsr__cuda_complex,
                                          .inputs = 2,
                                          .in = {0, 1},
                                          .dtype = {of, real},
                                          .compute = of,
                                          .result = (uint8_t)result,
                                          .out = out->tensor.dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

static const char as_it_is[] = "a", conjugate[] = "FN(tsr__conj)(a)", scaled[] = "scaled_pair(a, b)",
                  scaled_conjugate[] = "scaled_pair(FN(tsr__conj)(a), b)", scaled_real[] = "a.re * b";

/* The lines to be transformed, with zeros behind what there is; of those that become real numbers the second half is the first, conjugated. */
static tsr_status plan_before(tsr__cuda *gpu, const tsr_work *work, const axis *a, const tsr__cuda_view *x,
                              const tsr__cuda_view *room, tsr__cuda_plan *plan) {
  const int last = x->tensor.ndim - 1, dtype = room->tensor.dtype;
  const bool to_real = a->form.kind == TSR__FFT_TO_REAL;
  const tsr_index wanted = to_real ? tsr__fft_half(a->n) : a->n, own = x->tensor.shape[last];
  const tsr_index count = own < wanted ? own : wanted;
  const tsr__cuda_view from = some_of(x, 0, count, 1), to = some_of(room, 0, count, 1);
  if (count < wanted) tsr__cuda_plan_set(plan, room->ref, 0, tsr_nbytes(&room->tensor));
  if (!to_real) return tsr__cuda_plan_cast(gpu, work->ctx, &from, &to, plan);
  const bool conjugates = a->form.conjugated;
  const tsr_index most = (a->n - 1) / 2, mirrored = most < count - 1 ? most : count - 1;
  tsr_status st = plan_line(gpu, work, conjugates ? conjugate : as_it_is, dtype, dtype, &from, 1, &to, plan);
  if (st != TSR_OK || mirrored <= 0) return st;
  const tsr__cuda_view again = some_of(x, 1, mirrored, 1), back = some_of(room, a->n - 1, mirrored, -1);
  return plan_line(gpu, work, conjugates ? as_it_is : conjugate, dtype, dtype, &again, 1, &back, plan);
}

static tsr_status plan_after(tsr__cuda *gpu, const tsr_work *work, const axis *a, const tsr__cuda_view *room,
                             const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  const int dtype = room->tensor.dtype;
  const tsr__cuda_view from = some_of(room, 0, out->tensor.shape[out->tensor.ndim - 1], 1);
  if (a->form.kind == TSR__FFT_TO_REAL)
    return plan_line(gpu, work, scaled_real, dtype, a->part, &from, a->scale, out, plan);
  const bool conjugates = a->form.kind == TSR__FFT_TO_HALF && a->form.conjugated;
  return plan_line(gpu, work, conjugates ? scaled_conjugate : scaled, dtype, dtype, &from, a->scale, out, plan);
}

/* The lines that are in the room, by whatever there is; the room may be another one then. */
static tsr_status plan_lines(tsr__cuda *gpu, const tsr_work *work, const axis *a, tsr_index lines, tsr__cuda_view *room,
                             tsr__cuda_plan *plan) {
  tsr__cuda_lines_of f = {room->tensor.dtype, false, a->form.inverse, a->n, lines, room->ref, room->ref};
  bool done;
  tsr_status st = tsr__cuda_plan_fourier(gpu, work->ctx, work->op, &f, &done, plan);
  if (st == TSR_OK && !done) st = plan_own(gpu, work, &f, tsr_nbytes(&room->tensor), plan);
  room->ref = f.to;
  return st;
}

static bool lies_in_lines(const tsr__cuda_view *v) {
  return tsr_is_contiguous(&v->tensor, TSR_ROW_MAJOR) && tsr__cuda_place_of(v) % 16 == 0;
}

/* From the input to the output by the library alone, where both lie as it wants them. */
static tsr_status plan_direct(tsr__cuda *gpu, const tsr_work *work, const axis *a, const tsr__cuda_view *x,
                              const tsr__cuda_view *out, tsr_index lines, bool *done, tsr__cuda_plan *plan) {
  const bool real = a->form.kind == TSR__FFT_TO_HALF;
  const int dtype = tsr__fft_complex(a->part);
  const tsr__cuda_lines_of f = {dtype, real, a->form.inverse, a->n, lines, x->ref, out->ref};
  *done = false;
  if (a->form.kind == TSR__FFT_TO_REAL || a->form.conjugated || x->tensor.shape[x->tensor.ndim - 1] != a->n ||
      x->tensor.dtype != (real ? a->part : dtype) || !lies_in_lines(x) || !lies_in_lines(out))
    return TSR_OK;
  const tsr_status st = tsr__cuda_plan_fourier(gpu, work->ctx, work->op, &f, done, plan);
  if (st != TSR_OK || !*done || a->scale == 1) return st;
  return plan_line(gpu, work, scaled, dtype, dtype, out, a->scale, out, plan);
}

static tsr_status plan_axis(tsr__cuda *gpu, const tsr_work *work, const axis *a, const tsr__cuda_view *x,
                            const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  const tsr__cuda_view from = axis_last(x, a->number), to = axis_last(out, a->number);
  const int last = from.tensor.ndim - 1;
  tsr_index shape[TSR_MAX_DIMS], lines = 1;
  bool done;
  for (int d = 0; d < last; d++) lines *= shape[d] = from.tensor.shape[d];
  shape[last] = a->n;
  if (lines == 0) return TSR_OK;
  tsr_status st = plan_direct(gpu, work, a, &from, &to, lines, &done, plan);
  if (st != TSR_OK || done) return st;
  tsr__cuda_view room = tsr__cuda_temporary(plan, tsr__fft_complex(a->part), last + 1, shape);
  st = plan_before(gpu, work, a, &from, &room, plan);
  if (st == TSR_OK) st = plan_lines(gpu, work, a, lines, &room, plan);
  return st == TSR_OK ? plan_after(gpu, work, a, &room, &to, plan) : st;
}

/* ---- the ops ---- */

static const tsr__fft_form *form_of(const tsr_work *work) { return ((const tsr__op_info *)work->info)->kernels; }
static int part_of(const tsr_work *work) { return tsr__part_dtype(work->out[0]->dtype); }

static tsr_index length_of(const axis *a, tsr_index given, tsr_index own) {
  return given != 0 ? given : a->form.kind != TSR__FFT_TO_REAL ? own : 2 * (own - 1);
}

tsr_status tsr__cuda_fft_line(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__fft_line_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  axis a = {.form = *form_of(work), .part = part_of(work)};
  (void)op;
  a.number = attrs->axis < 0 ? attrs->axis + x.tensor.ndim : attrs->axis;
  a.n = length_of(&a, attrs->n, x.tensor.shape[a.number]);
  a.scale = tsr__fft_scale(a.form, attrs->norm, a.n);
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  const tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  return st == TSR_OK ? plan_axis(gpu, work, &a, &x, &out, plan) : st;
}

/* The axes in the order that they are transformed in: the last one first, or at the end where it becomes real. */
static int set_axes(const tsr_work *work, axis *all) {
  const tsr__fft_axes_attrs *const attrs = work->attrs;
  const tsr__fft_form *const form = form_of(work);
  const tsr_tensor *const x = work->in[0];
  const int count = attrs->axes == NULL ? x->ndim : attrs->axes_count;
  for (int k = 0; k < count; k++) {
    const int which = count - 1 - k, place = form->kind == TSR__FFT_TO_REAL ? (k == 0 ? count - 1 : k - 1) : k;
    const int i = attrs->axes == NULL ? which : attrs->axes[which];
    axis *const a = &all[place];
    *a = (axis){.form = *form, .number = i < 0 ? i + x->ndim : i, .part = part_of(work)};
    if (k > 0) a->form.kind = TSR__FFT_COMPLEX;
    a->n = length_of(a, attrs->n != NULL ? attrs->n[a->number] : 0, x->shape[a->number]);
    a->scale = tsr__fft_scale(a->form, attrs->norm, a->n);
  }
  return count;
}

tsr_status tsr__cuda_fft_axes(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  axis all[TSR_MAX_DIMS];
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  const int count = set_axes(work, all);
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  for (int k = 0; k < count && st == TSR_OK; k++) {
    const axis *const a = &all[k];
    tsr_index shape[TSR_MAX_DIMS];
    for (int d = 0; d < x.tensor.ndim; d++) shape[d] = x.tensor.shape[d];
    shape[a->number] = a->form.kind == TSR__FFT_TO_HALF ? tsr__fft_half(a->n) : a->n;
    const tsr__cuda_view to =
        k == count - 1 ? out : tsr__cuda_temporary(plan, tsr__fft_complex(a->part), x.tensor.ndim, shape);
    st = plan_axis(gpu, work, a, &x, &to, plan);
    x = to;
  }
  return st;
}

/* ---- of frames ---- */

/* The signal with edge more elements at each end, in temporary memory; the signal itself where there are none. */
static tsr_status add_edges(tsr__cuda *gpu, const tsr_work *work, tsr_pad_mode mode, tsr_index edge, int dtype,
                            tsr__cuda_view *x, tsr__cuda_plan *plan) {
  const int last = x->tensor.ndim - 1;
  const tsr_index length = x->tensor.shape[last];
  tsr_index shape[TSR_MAX_DIMS];
  if (edge == 0) return TSR_OK;
  for (int d = 0; d < last; d++) shape[d] = x->tensor.shape[d];
  shape[last] = length + 2 * edge;
  const tsr__cuda_view all = tsr__cuda_temporary(plan, dtype, last + 1, shape), inside = some_of(&all, edge, length, 1);
  if (mode == TSR_PAD_CONSTANT) tsr__cuda_plan_set(plan, all.ref, 0, tsr_nbytes(&all.tensor));
  tsr_status st = tsr__cuda_plan_cast(gpu, work->ctx, x, &inside, plan);
  for (int behind = 0; behind < 2 && st == TSR_OK && mode != TSR_PAD_CONSTANT; behind++) {
    const tsr_index first = mode == TSR_PAD_WRAP   ? (behind ? edge : length)
                            : mode == TSR_PAD_EDGE ? (behind ? edge + length - 1 : edge)
                                                   : (behind ? edge + length - 2 : 2 * edge);
    const tsr__cuda_view to = some_of(&all, behind ? edge + length : 0, edge, 1);
    const tsr__cuda_view from = some_of(&all, first, edge, mode == TSR_PAD_EDGE ? 0 : mode == TSR_PAD_REFLECT ? -1 : 1);
    st = tsr__cuda_plan_cast(gpu, work->ctx, &from, &to, plan);
  }
  *x = all;
  return st;
}

/* Frames times the weights, which are in the middle of them, to the room, which is 0 around those. */
static tsr_status plan_weighed(tsr__cuda *gpu, const tsr_work *work, const axis *a, const tsr__cuda_view *frames,
                               const tsr__cuda_view *window, const tsr__cuda_view *room, tsr__cuda_plan *plan) {
  static const char by_parts[] = "scaled_pair(a, b)", real[] = "a * b";
  const bool is_complex = tsr__is_complex(frames->tensor.dtype);
  const uint8_t part = (uint8_t)a->part, of = is_complex ? room->tensor.dtype : part;
  const tsr_index taps = window->tensor.shape[0], before = (a->n - taps) / 2;
  const tsr__cuda_view from = some_of(frames, before, taps, 1);
  tsr__cuda_elements e = {.maker = is_complex ? by_parts : real, .out = some_of(room, before, taps, 1)};
  if (taps < a->n) tsr__cuda_plan_set(plan, room->ref, 0, tsr_nbytes(&room->tensor));
  tsr__cuda_add_view(&e, &from);
  tsr__cuda_add_view(&e, window);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = e.maker,
                                          .functions = is_complex ? tsr__cuda_complex : NULL,
                                          .inputs = 2,
                                          .in = {0, 1},
                                          .dtype = {of, part},
                                          .compute = of,
                                          .result = of,
                                          .out = room->tensor.dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

/* Frames of a signal (…, length), hop apart, are lines (…, frames, n). */
tsr_status tsr__cuda_stft(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__stft_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const bool weighed = work->in[1] != NULL && work->in[1]->dtype != TSR_NONE;
  tsr__cuda_view x = tsr__cuda_input(work, 0), window;
  const int last = x.tensor.ndim;
  const bool is_real = !tsr__is_complex(x.tensor.dtype);
  axis a = {
      .form = {is_real ? TSR__FFT_TO_HALF : TSR__FFT_COMPLEX, false, false}, .number = last, .part = part_of(work)};
  tsr_index shape[TSR_MAX_DIMS], lines = 1;
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  if (weighed) window = tsr__cuda_input(work, 1);
  a.n = attrs->n != 0 ? attrs->n : window.tensor.shape[0];
  a.scale = tsr__fft_scale(a.form, attrs->norm, a.n);
  const tsr_index hop = attrs->hop != 0 ? attrs->hop : a.n < 8 ? 1 : a.n / 4;
  const int dtype = is_real ? a.part : tsr__fft_complex(a.part);
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  if (st == TSR_OK && weighed) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &window, plan);
  if (st == TSR_OK) st = add_edges(gpu, work, attrs->mode, attrs->center ? a.n / 2 : 0, dtype, &x, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_view frames = x, to = out;
  frames.tensor.ndim = (uint8_t)(last + 1);
  frames.tensor.shape[last] = a.n, frames.tensor.stride[last] = x.tensor.stride[last - 1];
  frames.tensor.shape[last - 1] = out.tensor.shape[last],
                             frames.tensor.stride[last - 1] = hop * x.tensor.stride[last - 1];
  for (int d = 0; d <= last; d++) shape[d] = frames.tensor.shape[d];
  for (int d = 0; d < last; d++) lines *= shape[d];
  for (int k = 0; k < 2; k++) { /* (…, frequencies, frames) as (…, frames, frequencies) */
    to.tensor.shape[last - k] = out.tensor.shape[last - 1 + k];
    to.tensor.stride[last - k] = out.tensor.stride[last - 1 + k];
  }
  tsr__cuda_view room = tsr__cuda_temporary(plan, tsr__fft_complex(a.part), last + 1, shape);
  st = weighed ? plan_weighed(gpu, work, &a, &frames, &window, &room, plan)
               : tsr__cuda_plan_cast(gpu, work->ctx, &frames, &room, plan);
  if (st == TSR_OK) st = plan_lines(gpu, work, &a, lines, &room, plan);
  return st == TSR_OK ? plan_after(gpu, work, &a, &room, &to, plan) : st;
}
