/* Labels of one operand that are summed. */
#include "ops/copy/copy.h"
#include "ops/einsum/einsum.h"
#include "ops/reduce/reduce.h"

/* x with the labels of z first, in their order, then those that are summed, in its own. */
static tsr_tensor summed_last(const tsr__term *x, const tsr__term *z) {
  const tsr__labels kept = tsr__term_labels(z);
  tsr_tensor view = tsr__term_as(x, z);
  int n = z->t.ndim;
  for (int i = 0; i < x->t.ndim; i++) {
    if ((kept & tsr__label_bit(x->label[i])) != 0) continue;
    view.shape[n] = x->t.shape[i];
    view.stride[n++] = x->t.stride[i];
  }
  view.ndim = (uint8_t)n;
  return view;
}

static tsr_status sum_last(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr_tensor *z) {
  int axes[TSR_MAX_DIMS];
  const int n = x->ndim - z->ndim;
  for (int i = 0; i < n; i++) axes[i] = z->ndim + i;
  return tsr__sum_as(ctx, op, x, n, axes, false, z->dtype, z);
}

/* Both parts, in memory beside z: the second sum can fail. */
static tsr_status sum_complex(tsr_ctx *ctx, const tsr__einsum *e, const tsr_tensor *x, const tsr__term *z) {
  tsr__held *held = NULL;
  tsr__term sums;
  tsr_status st = tsr__term_new(ctx, e, z->t.dtype, z->t.ndim, z->label, &held, &sums);
  for (int part = 0; part < 2 && st == TSR_OK; part++) {
    const tsr_tensor from = tsr__part_of(x, part);
    tsr_tensor to = tsr__part_of(&sums.t, part);
    st = sum_last(ctx, e->op, &from, &to);
  }
  if (st == TSR_OK) tsr__copy_apart(ctx, &sums.t, &z->t);
  tsr__held_put(&held);
  return st;
}

tsr_status tsr__einsum_sum(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *z) {
  const tsr_tensor view = summed_last(x, z);
  tsr_tensor to = z->t;
  if (tsr__is_complex(view.dtype)) return sum_complex(ctx, e, &view, z);
  return sum_last(ctx, e->op, &view, &to);
}
