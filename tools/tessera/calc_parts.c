#include "calc_parts.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "report.h"
#include "stream.h"

enum {
  SMALL = 1 << 20,     /* bytes of a result that is not worth it */
  PART = 8 << 20,      /* bytes of the tensors of one part, about */
  MOST_WHOLE = 4 << 20 /* bytes of the tensors that every part reads again */
};

/* ---- whether, and along which axis ---- */

/* Elements of out in one step along an axis. */
static tsr_index step_of(const tsr_tensor *out, int axis) {
  tsr_index size = 1;
  for (int i = axis + 1; i < out->ndim; i++) size *= out->shape[i];
  return size;
}

/* Bytes of all tensors in one step along the axis; and of those that every part reads. */
static size_t part_bytes(const calc_parts *p, size_t *whole) {
  size_t bytes = (size_t)step_of(&p->out, p->axis) * tsr_dtype_size(p->out.dtype);
  *whole = 0;
  for (int i = 0; i < p->names; i++) {
    const tsr_tensor *const t = p->named[i].tensor;
    if (p->cut[i] < 0)
      *whole += tsr_nbytes(t);
    else
      bytes += tsr_nbytes(t) / (size_t)t->shape[p->cut[i]];
  }
  return bytes;
}

/* How the names are cut along an axis: those of the expression have another order. */
static bool ask(calc_parts *p, int axis) {
  int cut[TSR_EXPR_NAMES];
  bool can = false;
  if (tsr_expr_parts(p->ctx, p->expr, p->names, p->named, axis, &p->out, cut, &can) != TSR_OK) return false;
  for (int i = 0; i < p->names; i++) {
    p->cut[i] = -1;
    for (int k = 0; tsr_expr_name_at(p->expr, k) != NULL; k++)
      if (strcmp(tsr_expr_name_at(p->expr, k), p->named[i].name) == 0) p->cut[i] = cut[k];
  }
  return can;
}

/* Along the first axis that has more than one step. A step that is larger than a part should be is a part of its own. */
static bool choose(calc_parts *p) {
  size_t whole = 0;
  bool can = ask(p, 0);
  while (p->axis + 1 < p->out.ndim && p->out.shape[p->axis] == 1) can = ask(p, ++p->axis);
  if (!can || tsr_nbytes(&p->out) < SMALL) return false;
  const size_t bytes = part_bytes(p, &whole);
  p->length = bytes < PART ? (tsr_index)(PART / bytes) : 1;
  if (p->length > p->out.shape[p->axis]) p->length = p->out.shape[p->axis];
  return whole <= MOST_WHOLE;
}

bool calc_parts_init(calc_parts *p, tsr_ctx *ctx, const char *text, int names, const tsr_named *named) {
  *p = (calc_parts){.ctx = ctx, .names = names, .named = named};
  p->part = calloc((size_t)names + 1, sizeof *p->part);
  p->views = calloc((size_t)names + 1, sizeof *p->views);
  p->cut = calloc((size_t)names + 1, sizeof *p->cut);
  bool ok = p->part != NULL && p->views != NULL && p->cut != NULL && names <= TSR_EXPR_NAMES;
  ok = ok && tsr_expr_new(ctx, text, &p->expr) == TSR_OK && choose(p);
  if (ok) p->block = malloc((size_t)(p->length * step_of(&p->out, p->axis)) * tsr_dtype_size(p->out.dtype));
  if (ok && p->block != NULL) return true;
  calc_parts_release(p);
  tsr_error_clear(ctx);
  return false;
}

void calc_parts_release(calc_parts *p) {
  tsr_expr_release(p->expr);
  free(p->part);
  free(p->views);
  free(p->cut);
  free(p->block);
  *p = (calc_parts){0};
}

/* ---- elements ---- */

/* The part of a tensor that goes with length steps from begin on. */
static tsr_status cut_out(calc_parts *p, int i, tsr_index begin, tsr_index length) {
  const tsr_tensor *const t = p->named[i].tensor;
  p->part[i] = p->named[i];
  if (p->cut[i] < 0) return TSR_OK;
  p->views[i] = (tsr_tensor){0};
  p->part[i].tensor = &p->views[i];
  return tsr_narrow(p->ctx, t, p->cut[i], begin, length, &p->views[i]);
}

/* Pages of maps that were read are the system's again. */
static void forget(const calc_parts *p) {
  for (int i = 0; i < p->names; i++) {
    if (p->cut[i] < 0) continue;
    progress_add(tsr_nbytes(&p->views[i]));
    if (tsr_is_contiguous(&p->views[i], TSR_ROW_MAJOR)) stream_forget(&p->views[i]);
  }
}

/* Makes the part that has element number first. Axes before the one that is cut have one step. */
static tsr_status make_part(calc_parts *p, tsr_index first) {
  const tsr_index step = step_of(&p->out, p->axis), begin = first / step / p->length * p->length;
  const tsr_index left = p->out.shape[p->axis] - begin, length = left < p->length ? left : p->length;
  tsr_tensor to = {0};
  tsr_index shape[TSR_MAX_DIMS];
  tsr_status st = TSR_OK;
  memcpy(shape, p->out.shape, sizeof shape);
  shape[p->axis] = length;
  p->count = 0;
  for (int i = 0; i < p->names && st == TSR_OK; i++) st = cut_out(p, i, begin, length);
  if (st == TSR_OK) st = tsr_from_memory(p->ctx, p->block, p->out.dtype, p->out.ndim, shape, &to);
  if (st == TSR_OK) st = tsr_expr_run(p->ctx, p->expr, p->names, p->part, &to);
  if (st != TSR_OK) return st;
  forget(p);
  p->first = begin * step;
  p->count = length * step;
  return TSR_OK;
}

static tsr_status check_maps(calc_parts *p) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < p->names && st == TSR_OK; i++)
    if ((p->named[i].tensor->flags & TSR_READONLY) != 0) st = tsr_mmap_check(p->ctx, p->named[i].tensor);
  return st;
}

static tsr_status produce(void *self, const tsr_tensor *t, tsr_index first, tsr_index count, void *elements) {
  calc_parts *const p = self;
  const size_t item = tsr_dtype_size(p->out.dtype);
  char *to = elements;
  tsr_status st = first == 0 ? check_maps(p) : TSR_OK;
  (void)t;
  while (count > 0 && st == TSR_OK) {
    if (first < p->first || first >= p->first + p->count) st = make_part(p, first);
    if (st != TSR_OK) break;
    const tsr_index left = p->first + p->count - first, n = left < count ? left : count;
    memcpy(to, (const char *)p->block + (size_t)(first - p->first) * item, (size_t)n * item);
    to += (size_t)n * item;
    first += n;
    count -= n;
  }
  if (st == TSR_OK) return TSR_OK;
  report_failure(p->ctx, NULL);
  p->reported = true;
  return st;
}

tsr_producer calc_parts_producer(calc_parts *p) {
  return (tsr_producer){.size = sizeof(tsr_producer), .produce = produce, .self = p};
}
