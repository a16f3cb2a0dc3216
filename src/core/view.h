/* What every view function does first and last. */
#ifndef TSR_CORE_VIEW_H
#define TSR_CORE_VIEW_H

#include "core/check.h"
#include <tessera/view.h>

/* The slow part of tsr__view_check: says what is wrong. */
tsr_status tsr__view_refuse(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out);

/* Whether in can be viewed and out rebound. Only what a view needs: operations check the rest when they read it. */
static inline tsr_status tsr__view_check(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out) {
  if (in != NULL && out != NULL && in->dtype != TSR_NONE && in->dtype < TSR_DTYPE_COUNT && in->ndim <= TSR_MAX_DIMS &&
      in->data != NULL && (out == in || (out->flags & TSR_OWNS) == 0))
    return TSR_OK;
  return tsr__view_refuse(ctx, op, in, out);
}

/* Writes the entries past the rank, which a tensor that a program made by hand may have left 0. */
void tsr__view_pad(tsr_tensor *t);

/* Makes *out a borrow of *in, or leaves it the handle that it is. The caller changes it from there; no failure after this. */
static inline void tsr__view_bind(const tsr_tensor *in, tsr_tensor *out) {
  if (out != in) {
    *out = *in;
    out->flags &= (uint8_t)~TSR_OWNS;
  }
  out->name = NULL;
  if (out->ndim < TSR_MAX_DIMS && out->shape[out->ndim] != 1) tsr__view_pad(out);
}

/* The address count strides away. Unsigned, because the sum may be anything where no element is: a tensor with a 0 in its
 * shape has steps that lead nowhere, and may have no data. */
static inline void *tsr__view_address(const tsr_tensor *t, tsr_index count, tsr_index stride) {
  const uintptr_t bytes = (uintptr_t)count * (uintptr_t)stride * (uintptr_t)tsr__item(t);
  return t->data != NULL ? (void *)((uintptr_t)t->data + bytes) : NULL;
}

static inline void tsr__view_move(tsr_tensor *t, tsr_index count, tsr_index stride) {
  t->data = tsr__view_address(t, count, stride);
}

/* Takes an axis out, and puts one in before axis. */
void tsr__view_drop_axis(tsr_tensor *t, int axis);
void tsr__view_add_axis(tsr_tensor *t, int axis, tsr_index length, tsr_index stride);

#endif
