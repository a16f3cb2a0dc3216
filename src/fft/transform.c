/* A tensor's lines in groups, one after another or on threads. A group is transformed where it lies if it lies as kernels want it, and
 * in temporary memory otherwise; the bits are the same. */
#include "fft/transform.h"

#include <math.h>
#include <stdlib.h>

#include "cpu/parallel.h"
#include "ops/copy/copy.h"
#include "ops/parts.h"
#include "ops/promote.h"

tsr_status tsr__fft_check_norm(const tsr__call *call, int norm) {
  if (norm >= TSR_FFT_BACKWARD && norm <= TSR_FFT_FORWARD) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_EARG, call->op, "norm", "is %d, and not backward, ortho or forward", norm);
}

tsr_status tsr__fft_dtype(const tsr__call *call, bool real, int *dtype) {
  const tsr_tensor *const x = call->in[0];
  if (!tsr_dtype_supported(x->dtype) || (real && tsr__is_complex(x->dtype)))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %t; %s numbers are taken", x,
                     real ? "real" : "real and complex");
  const bool is_float = tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_FLOAT;
  const bool single = x->dtype == TSR_C64 || (is_float && x->dtype != TSR_F64);
  *dtype = single ? TSR_F32 : TSR_F64;
  return TSR_OK;
}

tsr_status tsr__fft_input(tsr__call *call, int part, tsr_tensor *x) {
  *x = *call->in[0];
  x->flags = 0;
  x->layout = TSR_PLAIN;
  return tsr__part_dtype(x->dtype) == part ? TSR_OK : tsr__call_copy_as(call, call->in[0], part, x);
}

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

double tsr__fft_scale(tsr__fft_form form, tsr_fft_norm norm, tsr_index n) {
  const bool divides_back = form.inverse != form.conjugated;
  if (norm == TSR_FFT_ORTHO) return 1 / sqrt((double)n);
  return (norm == TSR_FFT_BACKWARD) == divides_back ? 1 / (double)n : 1;
}

enum { GROUP_BYTES = 1 << 17, GRAIN = 1 << 14 };

/* The lines of a call, by the axes that they are counted along: the last one is that of a group. */
typedef struct job {
  const tsr__fft_axis *a;
  tsr__fft_side from, to;
  tsr_index length; /* of a line of from that counts */
  int ndim;
  tsr_index shape[TSR_MAX_DIMS];
  ptrdiff_t from_step[TSR_MAX_DIMS], to_step[TSR_MAX_DIMS];
  tsr_index group, groups; /* lines of a group; groups of one row of lines */
  tsr_index pitch;         /* of a line in temporary memory, in numbers */
  bool reads, writes;      /* kernels do, without a copy */
  char *scratch;
  size_t worker_bytes;
} job;

/* ---- sizes ---- */

static bool is_half(const tsr__fft_axis *a) { return a->form.kind != TSR__FFT_COMPLEX && a->n % 2 == 0; }

static tsr_index pitch_of(const tsr__fft_axis *a) {
  const tsr_index numbers = is_half(a) ? a->n + 2 : 2 * a->n;
  return (numbers + 15) / 16 * 16 + 16; /* lines that are a power of two apart would share a few places of the cache */
}

/* As many lines as the second cache holds, so that a row of them is worth its way from memory. */
static tsr_index group_of(const tsr__fft_axis *a) {
  const tsr_index bytes = pitch_of(a) * (a->dtype == TSR_F32 ? 4 : 8), most = GROUP_BYTES / bytes;
  return most < 1 ? 1 : most > 64 ? 64 : most;
}

tsr_status tsr__fft_axis_scratch(const tsr__call *call, const tsr__fft_axis *a, size_t *bytes) {
  const int workers = TSR_HAVE_THREADS ? tsr__parallel(call->ctx)->max_workers : 1;
  const bool half = is_half(a);
  const size_t line = tsr__fft_scratch_of(a->n, a->dtype, half, tsr__isa_of(call->ctx));
  const size_t item = a->dtype == TSR_F32 ? 4 : 8;
  size_t one, all;
  if (line != SIZE_MAX && tsr__add_size(line, (size_t)(group_of(a) * pitch_of(a)) * item, &one) &&
      tsr__mul_size(tsr__align_up(one, TSR_DATA_ALIGN), (size_t)workers, &all) && all <= PTRDIFF_MAX) {
    if (all > *bytes) *bytes = all;
    return TSR_OK;
  }
  return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "n", "transforms of %l elements are too long", (int64_t)a->n);
}

tsr_status tsr__fft_axis_plan(const tsr__call *call, tsr__fft_axis *a) {
  a->plan = tsr__fft_plan_get(a->n, a->dtype, is_half(a), tsr__isa_of(call->ctx));
  if (a->plan != NULL) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ENOMEM, call->op, NULL, "no memory for the plan of %l elements", (int64_t)a->n);
}

void tsr__fft_axis_done(tsr__fft_axis *a) {
  if (a->plan != NULL) tsr__fft_plan_put(a->plan);
}

/* ---- one group ---- */

/* The rest of a spectrum of an odd length: conjugates. */
static void mirror(const tsr__fft_axis *a, char *line) {
  const tsr_index n = a->n;
  if (a->dtype == TSR_F32) {
    float *const x = (float *)(void *)line;
    x[1] = 0;
    for (tsr_index k = 1; 2 * k < n; k++) x[2 * (n - k)] = x[2 * k], x[2 * (n - k) + 1] = -x[2 * k + 1];
  } else {
    double *const x = (double *)(void *)line;
    x[1] = 0;
    for (tsr_index k = 1; 2 * k < n; k++) x[2 * (n - k)] = x[2 * k], x[2 * (n - k) + 1] = -x[2 * k + 1];
  }
}

/* Lines at from, n elements or half of them each, to lines at to; steps in bytes. */
static void run_lines(const job *j, tsr_index count, const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step,
                      void *scratch) {
  const tsr__fft_axis *const a = j->a;
  const ptrdiff_t item = a->dtype == TSR_F32 ? 8 : 16;
  if (!is_half(a)) {
    const bool inverse = a->form.kind == TSR__FFT_TO_REAL || (a->form.kind == TSR__FFT_COMPLEX && a->form.inverse);
    const tsr__fft_lines lines = {
        a->plan, inverse, a->scale, count, from, to, (tsr_index)(from_step / item), (tsr_index)(to_step / item)};
    tsr__fft_run(&lines, scratch);
    return;
  }
  for (tsr_index i = 0; i < count; i++, from += from_step, to += to_step) {
    if (a->form.kind == TSR__FFT_TO_HALF)
      tsr__fft_run_real(a->plan, a->scale, from, to, scratch);
    else
      tsr__fft_run_back(a->plan, a->scale, from, to, scratch);
  }
}

static void run_group(const job *j, tsr__fft_side from, tsr__fft_side to, tsr_index count, char *scratch) {
  const tsr__fft_axis *const a = j->a;
  const ptrdiff_t part = a->dtype == TSR_F32 ? 4 : 8, pitch = (ptrdiff_t)j->pitch * part;
  char *const lines = scratch, *const work = scratch + (size_t)j->group * (size_t)pitch;
  const bool half = is_half(a), to_real = a->form.kind == TSR__FFT_TO_REAL;
  const tsr__fft_copy in = {.side = from,
                            .lines = lines,
                            .pitch = j->pitch,
                            .count = count,
                            .length = j->length,
                            .n = to_real ? tsr__fft_half(a->n) : a->n,
                            .is_complex = !half || to_real,
                            .conjugate = a->form.conjugated && to_real};
  const tsr__fft_copy out = {.side = to,
                             .lines = lines,
                             .pitch = j->pitch,
                             .count = count,
                             .length = tsr__fft_length(a),
                             .is_complex = !half || !to_real,
                             .conjugate = a->form.conjugated && !to_real};
  if (!j->reads) tsr__fft_copy_in(a->dtype, &in);
  if (a->window != NULL) tsr__fft_apply_window(a->dtype, &in, a->window);
  for (tsr_index i = 0; i < count && to_real && !half; i++) mirror(a, lines + i * pitch);
  run_lines(j, count, j->reads ? from.at : lines, j->reads ? from.line_step : pitch, j->writes ? to.at : lines,
            j->writes ? to.line_step : pitch, work);
  if (!j->writes) tsr__fft_copy_out(a->dtype, &out);
}

static void run_groups(void *arg, tsr_index begin, tsr_index end, int worker) {
  const job *const j = arg;
  const int last = j->ndim - 1;
  for (tsr_index g = begin; g < end; g++) {
    tsr__fft_side from = j->from, to = j->to;
    const tsr_index first = g % j->groups * j->group, left = j->shape[last] - first;
    tsr_index rest = g / j->groups;
    for (int i = last - 1; i >= 0; rest /= j->shape[i], i--) {
      from.at += rest % j->shape[i] * j->from_step[i];
      to.at += rest % j->shape[i] * j->to_step[i];
    }
    from.at += first * j->from_step[last];
    to.at += first * j->to_step[last];
    run_group(j, from, to, left < j->group ? left : j->group, j->scratch + (size_t)worker * j->worker_bytes);
  }
}

/* ---- all of them ---- */

/* Axes that are one behind another for both become one; at the end there is one, of length 1 if need be. */
static void add_axis(job *j, tsr_index length, ptrdiff_t from_step, ptrdiff_t to_step) {
  if (length == 1) return;
  const int last = j->ndim - 1;
  if (last >= 0 && j->from_step[last] == from_step * length && j->to_step[last] == to_step * length) {
    j->shape[last] *= length;
    j->from_step[last] = from_step, j->to_step[last] = to_step;
    return;
  }
  j->shape[j->ndim] = length;
  j->from_step[j->ndim] = from_step, j->to_step[j->ndim] = to_step;
  j->ndim++;
}

/* The axis along which lines of from lie closest together is that of groups. */
static void choose_group_axis(job *j) {
  int best = j->ndim - 1;
  for (int i = 0; i < j->ndim - 1; i++)
    if (llabs((long long)j->from_step[i]) < llabs((long long)j->from_step[best])) best = i;
  const int last = j->ndim - 1;
  const tsr_index length = j->shape[best];
  const ptrdiff_t from = j->from_step[best], to = j->to_step[best];
  j->shape[best] = j->shape[last], j->from_step[best] = j->from_step[last], j->to_step[best] = j->to_step[last];
  j->shape[last] = length, j->from_step[last] = from, j->to_step[last] = to;
  j->from.line_step = from, j->to.line_step = to;
}

static void see_lines(job *j, const tsr_tensor *from, const tsr_tensor *to) {
  for (int i = 0; i < from->ndim; i++)
    if (i != j->a->axis)
      add_axis(j, from->shape[i], (ptrdiff_t)from->stride[i] * tsr__item(from),
               (ptrdiff_t)to->stride[i] * tsr__item(to));
  if (j->ndim == 0) {
    j->shape[0] = 1;
    j->ndim = 1;
  }
  choose_group_axis(j);
}

/* Whether kernels take the lines as they lie. */
static void see_copies(job *j, const tsr_tensor *from, const tsr_tensor *to) {
  const tsr__fft_form form = j->a->form;
  const bool half = is_half(j->a), to_real = form.kind == TSR__FFT_TO_REAL, to_half = form.kind == TSR__FFT_TO_HALF;
  const tsr_index wanted = to_real ? tsr__fft_half(j->a->n) : j->a->n;
  j->reads = j->from.step == tsr__item(from) && j->length == wanted && j->from.is_complex == !(half && to_half) &&
             !(to_real && (form.conjugated || !half)) && j->a->window == NULL;
  j->writes = j->to.step == tsr__item(to) && j->to.is_complex == !(half && to_real) &&
              !(to_half && (form.conjugated || !half)) && !(to_real && !half);
}

void tsr__fft_transform(const tsr_ctx *ctx, const tsr__fft_axis *a, const tsr_tensor *from, const tsr_tensor *to,
                        void *scratch) {
  const tsr_index wanted = a->form.kind == TSR__FFT_TO_REAL ? tsr__fft_half(a->n) : a->n;
  job j = {.a = a, .pitch = pitch_of(a), .group = group_of(a), .scratch = scratch};
  j.length = from->shape[a->axis] < wanted ? from->shape[a->axis] : wanted;
  j.from =
      (tsr__fft_side){from->data, (ptrdiff_t)from->stride[a->axis] * tsr__item(from), 0, tsr__is_complex(from->dtype)};
  j.to = (tsr__fft_side){to->data, (ptrdiff_t)to->stride[a->axis] * tsr__item(to), 0, tsr__is_complex(to->dtype)};
  if (from->shape[a->axis] == 1) j.from.step = tsr__item(from);
  if (to->shape[a->axis] == 1) j.to.step = tsr__item(to);
  see_lines(&j, from, to);
  see_copies(&j, from, to);
  const size_t item = a->dtype == TSR_F32 ? 4 : 8;
  j.worker_bytes = tsr__align_up(tsr__fft_scratch(a->plan) + (size_t)(j.group * j.pitch) * item, TSR_DATA_ALIGN);
  j.groups = (j.shape[j.ndim - 1] + j.group - 1) / j.group;
  tsr_index all = j.groups;
  for (int i = 0; i < j.ndim - 1; i++) all *= j.shape[i];
  tsr__parallel_for(ctx, all, 1 + GRAIN / (a->n * j.group), run_groups, &j);
}

#else

double tsr__fft_scale(tsr__fft_form form, tsr_fft_norm norm, tsr_index n) {
  (void)form, (void)norm, (void)n;
  return 1;
}
tsr_status tsr__fft_axis_scratch(const tsr__call *call, const tsr__fft_axis *a, size_t *bytes) {
  (void)a, (void)bytes;
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "needs f64 and malloc");
}
tsr_status tsr__fft_axis_plan(const tsr__call *call, tsr__fft_axis *a) {
  (void)a;
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "needs f64 and malloc");
}
void tsr__fft_axis_done(tsr__fft_axis *a) { (void)a; }
void tsr__fft_transform(const tsr_ctx *ctx, const tsr__fft_axis *a, const tsr_tensor *from, const tsr_tensor *to,
                        void *scratch) {
  (void)ctx, (void)a, (void)from, (void)to, (void)scratch;
}

#endif
