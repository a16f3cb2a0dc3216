/* Two terms become one. */
#include "ops/einsum/einsum.h"

/* Elements from which a sum along the innermost axes of both is a product of vectors. */
enum { LONG = 128 };

/* Whether labels are the innermost of x, the last of them with stride 1. */
static bool are_innermost(const tsr__term *x, tsr__labels labels) {
  for (int i = 0; i < x->t.ndim; i++)
    if (x->t.stride[i] == 1) return (labels & tsr__label_bit(x->label[i])) != 0;
  return false;
}

/* Every label that x and y have and z has not is summed, element by element: vectors, and not matrices. */
static tsr_status multiply_and_sum(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *y,
                                   const tsr__term *z) {
  const tsr__einsum_room before = *e->room;
  tsr__term products;
  tsr_status st = tsr__term_new(ctx, e, z->t.dtype == e->dtype ? e->work : z->t.dtype, x->t.ndim, x->label, &products);
  if (st == TSR_OK) tsr__einsum_multiply(ctx, e, x, y, &products);
  if (st == TSR_OK) st = tsr__einsum_sum(ctx, e, &products, z);
  tsr__einsum_put(e->room, before);
  return st;
}

tsr_status tsr__einsum_pair(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *y,
                            const tsr__term *z) {
  const tsr__labels in_x = tsr__term_labels(x), in_y = tsr__term_labels(y), in_z = tsr__term_labels(z);
  const tsr__labels summed = in_x & in_y & ~in_z;
  if (summed == 0) {
    tsr__einsum_multiply(ctx, e, x, y, z);
    return TSR_OK;
  }
  const bool vectors = in_x == in_y && in_z != 0;
  if (!vectors || (are_innermost(x, summed) && are_innermost(y, summed) && tsr__labels_size(e, summed) >= LONG))
    return tsr__einsum_product(ctx, e, x, y, z);
  return multiply_and_sum(ctx, e, x, y, z);
}
