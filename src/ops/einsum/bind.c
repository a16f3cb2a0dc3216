/* Operands with labels become terms: diagonals are taken, axes of length 1 are dropped, sizes are compared. */
#include "ops/einsum/einsum.h"

#include "core/tensor.h"
#include "core/view.h"
#include "ops/copy/copy.h"

#include <string.h>

/* ---- what is wrong with a size ---- */

/* The operand, before k, that gave a label its size. */
static int first_with(const tsr__einsum *e, int label, int k) {
  for (int i = 0; i < k; i++)
    if ((tsr__term_labels(&e->term[i]) & tsr__label_bit(label)) != 0) return i;
  return k;
}

static tsr_status refuse_size(tsr_ctx *ctx, const tsr__einsum *e, int label, int k, tsr_index length) {
  const int64_t known = (int64_t)e->size[label];
  const int other = first_with(e, label, k);
  const int letter = label < 26 ? 'A' + label : 'a' + (label - 26);
  if (label >= TSR__LETTERS)
    return TSR__FAIL(ctx, TSR_ESHAPE, e->op, NULL, "axis %d of '...' is %l in operand %d and %l in operand %d",
                     label - TSR__LABELS, known, other, (int64_t)length, k);
  return TSR__FAIL(ctx, TSR_ESHAPE, e->op, NULL, "label '%c' is %l in operand %d and %l in operand %d", letter, known,
                   other, (int64_t)length, k);
}

static tsr_status refuse_diagonal(tsr_ctx *ctx, const tsr__einsum *e, int label, int k, const tsr_tensor *in) {
  const int letter = label < 26 ? 'A' + label : 'a' + (label - 26);
  return TSR__FAIL(ctx, TSR_ESHAPE, e->op, NULL, "label '%c' has axes of two lengths in operand %d %S", letter, k,
                   (int)in->ndim, in->shape);
}

/* ---- one operand ---- */

static int axis_of(const uint8_t *label, int n, int wanted) {
  for (int i = 0; i < n; i++)
    if (label[i] == wanted) return i;
  return -1;
}

tsr_status tsr__einsum_bind(tsr_ctx *ctx, tsr__einsum *e, int k, const tsr_tensor *in, const uint8_t *label) {
  tsr__term *const x = &e->term[k];
  int n = 0;
  *x = (tsr__term){.t = *in};
  for (int i = 0; i < in->ndim; i++) {
    const tsr_index length = in->shape[i];
    const int same = axis_of(label, i, label[i]), at = axis_of(x->label, n, label[i]);
    if (same >= 0 && in->shape[same] != length) return refuse_diagonal(ctx, e, label[i], k, in);
    if (length == 1) continue;
    if (at >= 0) {
      if (length > 0) x->t.stride[at] += in->stride[i];
      continue;
    }
    if (e->size[label[i]] != 1 && e->size[label[i]] != length) return refuse_size(ctx, e, label[i], k, length);
    e->size[label[i]] = length;
    e->empty = e->empty || length == 0;
    x->t.shape[n] = length;
    x->t.stride[n] = in->stride[i];
    x->label[n++] = label[i];
  }
  x->t.ndim = (uint8_t)n;
  x->t.flags = 0;
  x->t.layout = TSR_PLAIN;
  x->t.name = NULL;
  return TSR_OK;
}

/* ---- terms ---- */

tsr__labels tsr__term_labels(const tsr__term *x) {
  tsr__labels labels = 0;
  for (int i = 0; i < x->t.ndim; i++) labels |= tsr__label_bit(x->label[i]);
  return labels;
}

tsr_real tsr__labels_size(const tsr__einsum *e, tsr__labels labels) {
  tsr_real size = 1;
  for (int l = 0; l < TSR__LABELS; l++)
    if ((labels & tsr__label_bit(l)) != 0) size *= (tsr_real)e->size[l];
  return size;
}

tsr_index tsr__term_step(const tsr__term *x, int label) {
  const int at = axis_of(x->label, x->t.ndim, label);
  return at >= 0 ? x->t.stride[at] : 0;
}

tsr_tensor tsr__term_as(const tsr__term *x, const tsr__term *like) {
  tsr_tensor view = x->t;
  for (int i = 0; i < like->t.ndim; i++) {
    view.shape[i] = like->t.shape[i];
    view.stride[i] = tsr__term_step(x, like->label[i]);
  }
  view.ndim = like->t.ndim;
  return view;
}

tsr_status tsr__term_describe(tsr_ctx *ctx, const tsr__einsum *e, int dtype, int ndim, const uint8_t *label,
                              tsr__term *x) {
  tsr_index shape[TSR_MAX_DIMS];
  *x = (tsr__term){0};
  for (int i = 0; i < ndim; i++) {
    x->label[i] = label[i];
    shape[i] = e->size[label[i]];
  }
  const tsr_status st = tsr__check_desc(ctx, e->op, dtype, ndim, shape);
  if (st != TSR_OK) return st;
  tsr__describe(dtype, ndim, shape, &x->t);
  tsr__strides_for(ndim, shape, TSR_ROW_MAJOR, x->t.stride);
  return TSR_OK;
}

void tsr__einsum_measure(tsr__einsum_room *room, size_t bytes) {
  const size_t most = (SIZE_MAX >> 1) - TSR_DATA_ALIGN; /* no memory has more */
  const size_t before = tsr__align_up(room->used, TSR_DATA_ALIGN);
  if (bytes == 0) return;
  room->used = before < most && bytes < most - before ? before + bytes : most;
  if (room->used > room->most) room->most = room->used;
}

static tsr_status hold(tsr_ctx *ctx, const char *op, tsr__einsum_room *room, size_t bytes, void **data) {
  const size_t head = tsr__align_up(sizeof(tsr__held), TSR_DATA_ALIGN);
  tsr__scratch scratch;
  if (room->measuring) {
    tsr__einsum_measure(room, head + bytes);
    *data = (void *)(uintptr_t)TSR_DATA_ALIGN; /* an address that is looked at and not read */
    return TSR_OK;
  }
  const tsr_status st = tsr__scratch_get(ctx, op, head + bytes, &scratch);
  if (st != TSR_OK) return st;
  tsr__held *const block = scratch.data;
  *block = (tsr__held){scratch, room->held};
  room->held = block;
  *data = (char *)scratch.data + head;
  return TSR_OK;
}

void tsr__einsum_put(tsr__einsum_room *room, tsr__einsum_room before) {
  room->used = before.used;
  while (room->held != before.held) {
    tsr__scratch scratch = room->held->scratch;
    room->held = room->held->before;
    tsr__scratch_put(&scratch);
  }
}

tsr_status tsr__term_new(tsr_ctx *ctx, const tsr__einsum *e, int dtype, int ndim, const uint8_t *label, tsr__term *x) {
  const tsr_status st = tsr__term_describe(ctx, e, dtype, ndim, label, x);
  return st == TSR_OK ? hold(ctx, e->op, e->room, tsr_nbytes(&x->t), &x->t.data) : st;
}

tsr_status tsr__term_copy(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, int dtype, const uint8_t *label,
                          tsr__term *copy) {
  tsr__term made;
  const tsr_status st = tsr__term_new(ctx, e, dtype, x->t.ndim, label, &made);
  if (st != TSR_OK) return st;
  made.conjugate = x->conjugate;
  const tsr_tensor view = tsr__term_as(x, &made);
  if (!e->room->measuring) tsr__copy_no_alias(ctx, &view, &made.t);
  *copy = made;
  return TSR_OK;
}
