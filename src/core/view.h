/* What every view function does first and last. */
#ifndef TSR_CORE_VIEW_H
#define TSR_CORE_VIEW_H

#include "core/check.h"
#include <tessera/view.h>

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(tsr_tensor, dtype) == 0 && offsetof(tsr_tensor, layout) == 1 &&
                   offsetof(tsr_tensor, ndim) == 2 && offsetof(tsr_tensor, flags) == 3,
               "tsr__head knows the order of the first four bytes");

/* Whether in can be viewed and out rebound. Only what a view needs: operations check the rest when they read it. A view of
 * a tensor without data has none either. */
static inline bool tsr__viewable(const tsr_tensor *in, const tsr_tensor *out) {
  return in != NULL && out != NULL && in->dtype != TSR_NONE && in->dtype < TSR_DTYPE_COUNT &&
         in->ndim <= TSR_MAX_DIMS && (out == in || (out->flags & TSR_OWNS) == 0);
}

/* Says what is wrong when they are not. */
TSR__COLD tsr_status tsr__view_refuse(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out);

/* Whether no length is negative. A view must not make a tensor that operations take of one that they refuse: where lengths
 * become others, this is asked, or at least that the axis in question has a length. */
static inline bool tsr__has_lengths(const tsr_tensor *in) {
  for (int i = 0; i < in->ndim; i++)
    if (in->shape[i] < 0) return false;
  return true;
}

static inline tsr_status tsr__view_check(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out) {
  return tsr__viewable(in, out) && tsr__has_lengths(in) ? TSR_OK : tsr__view_refuse(ctx, op, in, out);
}

/* Whether the entries past the rank are 1 and 0, as they are in every tensor that the library made. The last one tells: a
 * tensor made by hand leaves it 0, or as it was; entries past the rank are never read, so that no more hangs on it. */
static inline bool tsr__view_padded(const tsr_tensor *in) {
  return in->ndim == TSR_MAX_DIMS || in->shape[TSR_MAX_DIMS - 1] == 1;
}

/* The four bytes before the shape as one number: a view is bound by its stores, and this is one instead of four. */
static inline uint32_t tsr__head(uint8_t dtype, uint8_t layout, uint8_t ndim, uint8_t flags) {
  const uint8_t bytes[4] = {dtype, layout, ndim, flags};
  uint32_t head;
  memcpy(&head, bytes, sizeof head);
  return head;
}

/* What a borrow of *in begins with: the bytes of keep, and no owner's flag. */
static inline uint32_t tsr__borrowed_head(const tsr_tensor *in, uint32_t keep) {
  uint32_t head;
  memcpy(&head, in, sizeof head);
  return head & keep & tsr__head(0xff, 0xff, 0xff, (uint8_t)~TSR_OWNS);
}

static inline void tsr__set_head(tsr_tensor *out, uint32_t head) { memcpy(out, &head, sizeof head); }

/* Makes *out a borrow of *in, or leaves it the handle that it is. The caller changes it from there; no failure after this.
 * Returns whether it is padded. */
static inline bool tsr__view_bind(const tsr_tensor *in, tsr_tensor *out) {
  const bool padded = tsr__view_padded(in);
  if (out != in) {
    *out = *in;
    out->flags &= (uint8_t)~TSR_OWNS;
  }
  out->name = NULL;
  return padded;
}

/* The same with another address and layout. Nothing is read from *out: reading what was written a moment ago waits for it. */
static inline bool tsr__view_bind_at(const tsr_tensor *in, void *data, uint8_t layout, tsr_tensor *out) {
  const bool padded = tsr__view_padded(in);
  const uint8_t flags = out == in ? in->flags : in->flags & (uint8_t)~TSR_OWNS;
  if (out != in) *out = *in;
  out->flags = flags;
  out->layout = layout;
  out->data = data;
  out->name = NULL;
  return padded;
}

/* Writes the entries past the rank, which a program may have left 0 in a tensor that it made by hand. TSR_OK. */
TSR__COLD tsr_status tsr__view_pad(tsr_tensor *t);

/* The end of every view: a jump to the rare case, so that nothing is saved for it. */
static inline tsr_status tsr__view_end(tsr_tensor *out, bool padded) { return padded ? TSR_OK : tsr__view_pad(out); }

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
