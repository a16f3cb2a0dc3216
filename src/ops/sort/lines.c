#include "ops/sort/lines.h"

#include "cpu/parallel.h"
#include "ops/copy/copy.h"

/* What a thread should at least do, in elements. */
enum { GRAIN = 8192 };

/* ---- checks ---- */

tsr_status tsr__check_real(const tsr__call *call, int k) {
  const int dtype = call->in[k]->dtype;
  const char *const arg = tsr__call_input_name(call, k);
  if (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, arg, "is %y; %s takes real numbers", dtype, call->op);
  if (!tsr_dtype_supported(dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, arg, "is %y, which this build does not compute with", dtype);
  return TSR_OK;
}

tsr_status tsr__lines_check(const tsr__call *call, int *axis) {
  const tsr_status st = tsr__check_real(call, 0);
  return st == TSR_OK ? tsr__call_axis(call, "axis", call->in[0]->ndim, axis) : st;
}

static bool has_elements(const tsr_tensor *t) { return t != NULL && t->data != NULL && tsr_size(t) > 0; }

static bool share_bytes(const tsr_tensor *a, const tsr_tensor *b) {
  return has_elements(a) && has_elements(b) && tsr__overlap(a, b);
}

tsr_status tsr__check_outputs_no_alias(const tsr__call *call) {
  for (int i = 1; i < call->outputs; i++)
    for (int k = 0; k < i; k++)
      if (share_bytes(call->out[k], call->out[i]))
        return TSR__FAIL(call->ctx, TSR_EOVERLAP, call->op, tsr__call_output_name(call, i), "%t and %s share memory",
                         call->out[i], tsr__call_output_name(call, k));
  return TSR_OK;
}

/* ---- outputs ---- */

static tsr_status make_line_outputs(tsr__call *call, const tsr__sort_lines *l) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < call->outputs && st == TSR_OK; i++) st = tsr__call_output(call, i, &l->outputs[i].result);
  if (st == TSR_OK) st = tsr__check_outputs_no_alias(call);
  return st == TSR_OK ? tsr__call_outputs(call) : st;
}

/* Whether an output would be written over lines that are not read yet. */
static bool is_overwritten(const tsr__call *call, const tsr__sort_lines *l, const tsr_tensor *x) {
  for (int i = 0; i < call->outputs; i++)
    if (share_bytes(x, call->out[i]) && !(l->outputs[i].in_place && tsr__same_view(x, call->out[i]))) return true;
  return false;
}

/* ---- lines ---- */

static tsr_tensor without_axes(const tsr_tensor *t, uint32_t dropped) {
  tsr_tensor view = *t;
  view.ndim = 0;
  for (int i = 0; i < t->ndim; i++) {
    if ((dropped >> i & 1u) != 0) continue;
    view.shape[view.ndim] = t->shape[i];
    view.stride[view.ndim++] = t->stride[i];
  }
  return view;
}

/* x with the axes that lines do not go along first, and those that they do last. */
static tsr_tensor with_lines_last(const tsr_tensor *x, uint32_t axes) {
  tsr_tensor view = without_axes(x, axes);
  for (int i = 0; i < x->ndim; i++) {
    if ((axes >> i & 1u) == 0) continue;
    view.shape[view.ndim] = x->shape[i];
    view.stride[view.ndim++] = x->stride[i];
  }
  return view;
}

/* The length of the axes from number first on together, and the step between their elements: false where no single step
 * leads along all of them. */
static bool merge_line(const tsr_tensor *x, int first, tsr_index *length, tsr_index *step) {
  bool mergeable = true;
  *length = 1;
  *step = 0;
  for (int i = x->ndim - 1; i >= first; i--) {
    if (x->shape[i] == 1) continue;
    if (*length == 1) *step = x->stride[i];
    mergeable = mergeable && x->stride[i] == tsr__times(*step, *length);
    *length *= x->shape[i];
  }
  return mergeable;
}

/* x has kept axes, and behind them those of a line, which are mergeable. */
static void lay_lines(tsr__sort_lines *l, const tsr_tensor *x, int kept, tsr_tensor *const *out) {
  tsr_tensor views[1 + TSR__LINES_OUTPUTS];
  const tsr_tensor *operands[1 + TSR__LINES_OUTPUTS];
  tsr_index step;
  (void)merge_line(x, kept, &l->length, &step);
  views[0] = *x;
  views[0].ndim = (uint8_t)kept;
  l->step[0] = (ptrdiff_t)step * tsr__item(x);
  for (int i = 0; i < l->count; i++) {
    const tsr__lines_out *const o = &l->outputs[i];
    views[i + 1] = out[i] != NULL ? without_axes(out[i], o->dropped) : views[0];
    l->step[i + 1] = out[i] != NULL && o->along >= 0 ? (ptrdiff_t)out[i]->stride[o->along] * tsr__item(out[i]) : 0;
  }
  for (int i = 0; i <= l->count; i++) operands[i] = &views[i];
  tsr__loop_init(&l->kept, l->count + 1, operands);
  for (int i = 0; i < l->count; i++)
    if (out[i] == NULL) l->kept.base[i + 1] = NULL;
}

/* Where a line begins. */
static void find_line(const tsr__sort_lines *l, tsr_index line, char **at) {
  for (int k = 0; k <= l->count; k++) at[k] = l->kept.base[k];
  for (int axis = 0; axis < l->kept.ndim; axis++) {
    const ptrdiff_t index = (ptrdiff_t)(line % l->kept.length[axis]);
    line /= l->kept.length[axis];
    for (int k = 0; k <= l->count; k++)
      if (at[k] != NULL) at[k] += l->kept.step[k][axis] * index;
  }
}

static void run_lines(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__sort_lines *const l = arg;
  char *at[1 + TSR__LINES_OUTPUTS];
  for (tsr_index line = begin; line < end; line++) {
    find_line(l, line, at);
#if TSR_HAVE_MALLOC
    if (l->batch != NULL && l->kept.ndim == 1) {
      const tsr_index done = l->batch(l, end - line, at);
      line += done;
      if (line >= end) return;
      if (done > 0) find_line(l, line, at);
    }
#endif
    l->run(l, at, l->memory + l->bytes * (size_t)(l->by_worker ? worker : (int)line));
  }
}

static tsr_status get_line_memory(tsr__call *call, tsr__sort_lines *l, tsr_index lines) {
  const int workers = TSR_HAVE_THREADS ? tsr__parallel(call->ctx)->max_workers : 1;
  size_t bytes, all;
  void *memory;
  l->by_worker = lines > workers;
  if (!tsr__mul_size(l->each, (size_t)l->elements, &bytes) || !tsr__add_size(bytes, l->more + TSR_DATA_ALIGN, &bytes) ||
      !tsr__mul_size(bytes, (size_t)(l->by_worker ? workers : (int)lines), &all) || all > PTRDIFF_MAX)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "temporary memory for %t does not fit the address space",
                     call->in[0]);
  l->bytes = bytes & ~(size_t)(TSR_DATA_ALIGN - 1);
  const tsr_status st = tsr__call_scratch(call, all, &memory);
  if (st == TSR_OK) l->memory = memory;
  return st;
}

tsr_status tsr__lines_call(tsr__call *call, tsr__sort_lines *l, uint32_t axes) {
  tsr_tensor x = with_lines_last(call->in[0], axes), copy;
  const int kept = without_axes(call->in[0], axes).ndim;
  tsr_index step;
  l->count = call->outputs;
  tsr_status st = make_line_outputs(call, l);
  if (st != TSR_OK) return st;
  const bool mergeable = merge_line(&x, kept, &l->length, &step);
  const bool copied = !mergeable || is_overwritten(call, l, call->in[0]);
  const tsr_index size = tsr_size(&x), lines = size == 0 ? 0 : size / l->length;
  if (copied) st = tsr__call_copy_of(call, &x, &copy);
  if (st == TSR_OK && lines > 0) st = get_line_memory(call, l, lines);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || lines == 0) return st;
  if (copied) tsr__move_no_alias(call->ctx, &x, &copy);
  lay_lines(l, copied ? &copy : &x, kept, call->out);
#if TSR_HAVE_MALLOC
  if (l->one_by_one) {
    run_lines(l, 0, lines, 0);
    return TSR_OK;
  }
#endif
  tsr__parallel_for(call->ctx, lines, 1 + GRAIN / l->length, run_lines, l);
  return TSR_OK;
}
