#include "ops/sort/lines.h"

#include "cpu/parallel.h"
#include "ops/copy/copy.h"

/* What a thread should at least do, in elements. */
enum { GRAIN = 8192 };

tsr_status tsr__lines_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *x) {
  const tsr_status st = tsr__check_input(ctx, op, arg, x);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %y; %s takes real numbers", (int)x->dtype, op);
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %y, which this build does not compute with", (int)x->dtype);
  return TSR_OK;
}

void tsr__lines_undo(const tsr_tensor *before, tsr_tensor *out) {
  if (before->data != NULL) return;
  tsr_release(out);
  *out = *before;
}

/* ---- outputs ---- */

static bool has_elements(const tsr_tensor *t) { return t != NULL && t->data != NULL && tsr_size(t) > 0; }

static bool share_bytes(const tsr_tensor *a, const tsr_tensor *b) {
  return has_elements(a) && has_elements(b) && tsr__overlap(a, b);
}

static tsr_status check_outputs(tsr_ctx *ctx, const tsr__lines *l) {
  for (int i = 0; i < l->count; i++) {
    const tsr__lines_out *const o = &l->outputs[i];
    if (o->out == NULL) continue;
    const tsr_status st = tsr__output_check_as(ctx, l->op, o->name != NULL ? o->name : "out", &o->result, o->out);
    if (st != TSR_OK) return st;
  }
  if (l->count > 1 && share_bytes(l->outputs[0].out, l->outputs[1].out))
    return TSR__FAIL(ctx, TSR_EOVERLAP, l->op, l->outputs[1].name, "%t and %s share memory", l->outputs[1].out,
                     l->outputs[0].name);
  return TSR_OK;
}

/* Whether x must be copied, because an output would be written over lines that are not read yet. */
static bool needs_copy(const tsr__lines *l, const tsr_tensor *x) {
  for (int i = 0; i < l->count; i++) {
    const tsr__lines_out *const o = &l->outputs[i];
    if (share_bytes(x, o->out) && !(o->in_place && tsr__same_view(x, o->out))) return true;
  }
  return false;
}

static void undo_outputs(const tsr__lines *l, int count, const tsr_tensor *before) {
  while (count-- > 0)
    if (l->outputs[count].out != NULL) tsr__lines_undo(&before[count], l->outputs[count].out);
}

/* Memory for outputs that have none: all of them or nothing. before: what they were. */
static tsr_status make_outputs(tsr_ctx *ctx, const tsr__lines *l, tsr_tensor *before) {
  for (int i = 0; i < l->count; i++) {
    const tsr__lines_out *const o = &l->outputs[i];
    if (o->out == NULL) continue;
    before[i] = *o->out;
    const tsr_status st = tsr__output(ctx, l->op, &o->result, o->out);
    if (st == TSR_OK) continue;
    undo_outputs(l, i, before);
    return st;
  }
  return TSR_OK;
}

/* ---- lines ---- */

static tsr_tensor without_axes(const tsr_tensor *t, unsigned dropped) {
  tsr_tensor view = *t;
  view.ndim = 0;
  for (int i = 0; i < t->ndim; i++) {
    if ((dropped >> i & 1u) != 0) continue;
    view.shape[view.ndim] = t->shape[i];
    view.stride[view.ndim++] = t->stride[i];
  }
  return view;
}

static void lay_lines(tsr__lines *l, const tsr_tensor *x, int axis) {
  tsr_tensor        views[1 + TSR__LINES_OUTPUTS];
  const tsr_tensor *operands[1 + TSR__LINES_OUTPUTS];
  views[0] = without_axes(x, 1u << axis);
  l->length = x->shape[axis];
  l->step[0] = (ptrdiff_t)x->stride[axis] * tsr__item(x);
  for (int i = 0; i < l->count; i++) {
    const tsr__lines_out *const o = &l->outputs[i];
    views[i + 1] = o->out != NULL ? without_axes(o->out, o->dropped) : views[0];
    l->step[i + 1] = o->out != NULL && o->along >= 0 ? (ptrdiff_t)o->out->stride[o->along] * tsr__item(o->out) : 0;
  }
  for (int i = 0; i <= l->count; i++) operands[i] = &views[i];
  tsr__loop_init(&l->kept, l->count + 1, operands);
  for (int i = 0; i < l->count; i++)
    if (l->outputs[i].out == NULL) l->kept.base[i + 1] = NULL;
}

static void run_lines(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__lines *const l = arg;
  for (tsr_index line = begin; line < end; line++) {
    char     *at[1 + TSR__LINES_OUTPUTS];
    tsr_index number = line;
    for (int k = 0; k <= l->count; k++) at[k] = l->kept.base[k];
    for (int axis = 0; axis < l->kept.ndim; axis++) {
      const ptrdiff_t index = (ptrdiff_t)(number % l->kept.length[axis]);
      number /= l->kept.length[axis];
      for (int k = 0; k <= l->count; k++)
        if (at[k] != NULL) at[k] += l->kept.step[k][axis] * index;
    }
    l->run(l, at, l->memory + l->bytes * (size_t)(l->by_worker ? worker : (int)line));
  }
}

static tsr_status get_memory(tsr_ctx *ctx, tsr__lines *l, const tsr_tensor *x, tsr_index lines, tsr__scratch *scratch) {
  const int workers = TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1;
  size_t    bytes, all;
  l->by_worker = lines > workers;
  if (!tsr__mul_size(l->each, (size_t)l->elements, &bytes) || !tsr__add_size(bytes, l->more + TSR_DATA_ALIGN, &bytes) ||
      !tsr__mul_size(bytes, (size_t)(l->by_worker ? workers : (int)lines), &all) || all > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, l->op, NULL, "temporary memory for %t does not fit the address space", x);
  l->bytes = bytes & ~(size_t)(TSR_DATA_ALIGN - 1);
  const tsr_status st = tsr__scratch_get(ctx, l->op, all, scratch);
  l->memory = scratch->data;
  return st;
}

static tsr_status run_on(tsr_ctx *ctx, tsr__lines *l, const tsr_tensor *x, int axis) {
  const tsr_tensor kept = without_axes(x, 1u << axis);
  const tsr_index  lines = x->shape[axis] == 0 ? 0 : tsr_size(&kept);
  tsr__scratch     scratch;
  tsr_tensor       before[TSR__LINES_OUTPUTS];
  tsr_status       st = make_outputs(ctx, l, before); /* first: an arena gets back what was taken last */
  if (st != TSR_OK || lines == 0) return st;
  st = get_memory(ctx, l, x, lines, &scratch);
  if (st != TSR_OK) {
    undo_outputs(l, l->count, before);
    return st;
  }
  lay_lines(l, x, axis);
  tsr__parallel_for(ctx, lines, 1 + GRAIN / l->length, run_lines, l);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

tsr_status tsr__lines_run(tsr_ctx *ctx, tsr__lines *l, const tsr_tensor *x, int axis) {
  tsr__scratch scratch = {0};
  tsr_tensor   copy;
  tsr_status   st = check_outputs(ctx, l);
  if (st == TSR_OK && needs_copy(l, x)) {
    st = tsr__copy_to_scratch(ctx, l->op, x, &scratch, &copy);
    x = &copy;
  }
  if (st == TSR_OK) st = run_on(ctx, l, x, axis);
  tsr__scratch_put(&scratch);
  return st;
}
