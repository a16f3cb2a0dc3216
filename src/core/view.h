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

/* Makes *out a borrow of *in, or leaves it the handle that it is. The caller changes it from there; no failure after this. */
static inline void tsr__view_bind(const tsr_tensor *in, tsr_tensor *out) {
  if (out != in) {
    *out = *in;
    out->flags &= (uint8_t)~TSR_OWNS;
  }
  out->name = NULL;
}

/* Moves the data pointer by elements; a zero-size tensor may have none to move. */
static inline void tsr__view_move(tsr_tensor *t, tsr_index elements) {
  if (elements != 0 && t->data != NULL)
    t->data = (char *)t->data + (ptrdiff_t)elements * tsr__item(t);
}

/* Takes an axis out, and puts one in before axis. */
void tsr__view_drop_axis(tsr_tensor *t, int axis);
void tsr__view_add_axis(tsr_tensor *t, int axis, tsr_index length, tsr_index stride);

#endif
