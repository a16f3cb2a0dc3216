/* Labels of one operand that are summed. */
#include "core/device.h"
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

#if TSR_HAVE_OPS
/* Addresses that are looked at and not read: apart, and with room on both sides for what strides reach, which may run
 * backwards. */
static void *stand_in(size_t nth) { return (void *)((SIZE_MAX / 4 & ~(uintptr_t)(TSR_DATA_ALIGN - 1)) * nth); }

/* What a sum takes for itself, by a dry run of it. */
static size_t scratch_of_sum(const tsr_ctx *ctx, const char *op, const tsr_tensor *x, int n, const int *axes,
                             const tsr_tensor *z) {
  tsr_ctx dry = tsr__dry_context(ctx);
  tsr_tensor from = *x, to = *z;
  from.storage = to.storage = NULL;
  from.data = stand_in(1);
  to.data = stand_in(2);
  const tsr_status st = tsr__sum_as(&dry, op, &from, n, axes, false, z->dtype, &to);
  return st == TSR_OK ? tsr__without_slack(dry.scratch_needed) : 0;
}
#endif

tsr_status tsr__einsum_sum_last(tsr_ctx *ctx, const char *op, tsr__einsum_room *room, const tsr_tensor *x, int n,
                                const tsr_tensor *z) {
  int axes[TSR_MAX_DIMS];
  tsr_tensor to = *z;
  for (int i = 0; i < n; i++) axes[i] = x->ndim - n + i;
  if (!room->measuring) return tsr__sum_as(ctx, op, x, n, axes, false, z->dtype, &to);
#if TSR_HAVE_OPS
  const size_t bytes = scratch_of_sum(ctx, op, x, n, axes, z);
  if (bytes > room->sums) room->sums = bytes;
#endif
  return TSR_OK;
}

/* Both parts, in memory beside z: the second sum can fail. */
static tsr_status sum_complex(tsr_ctx *ctx, const tsr__einsum *e, const tsr_tensor *x, const tsr__term *z) {
  const tsr__einsum_room before = *e->room;
  tsr__term sums;
  tsr_status st = tsr__term_new(ctx, e, z->t.dtype, z->t.ndim, z->label, &sums);
  for (int part = 0; part < 2 && st == TSR_OK; part++) {
    const tsr_tensor from = tsr__part_of(x, part), to = tsr__part_of(&sums.t, part);
    st = tsr__einsum_sum_last(ctx, e->op, e->room, &from, x->ndim - z->t.ndim, &to);
  }
  if (st == TSR_OK && !e->room->measuring) tsr__copy_no_alias(ctx, &sums.t, &z->t);
  tsr__einsum_put(e->room, before);
  return st;
}

tsr_status tsr__einsum_sum(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *z) {
  const tsr_tensor view = summed_last(x, z);
  if (tsr__is_complex(view.dtype)) return sum_complex(ctx, e, &view, z);
  return tsr__einsum_sum_last(ctx, e->op, e->room, &view, view.ndim - z->t.ndim, &z->t);
}
