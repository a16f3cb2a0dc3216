/* What a tensor says of itself. */
#include "core/check.h"
#include "core/storage.h"
#include "core/text.h"

tsr_index tsr_size(const tsr_tensor *t) {
  const int ndim = t->ndim <= TSR_MAX_DIMS ? t->ndim : 0;
  tsr_index size = t->dtype != TSR_NONE;
  for (int i = 0; i < ndim; i++)
    if (!tsr__mul_index(size, t->shape[i], &size))
      return TSR_INDEX_MAX; /* made by hand: no checked tensor is so large */
  return size;
}

size_t tsr_nbytes(const tsr_tensor *t) {
  size_t bytes;
  return __builtin_mul_overflow(tsr_size(t), tsr_dtype_size(t->dtype), &bytes) ? SIZE_MAX : bytes;
}

bool tsr_is_none(const tsr_tensor *t) { return t->dtype == TSR_NONE && t->data == NULL; }

/* Whether the axes, slowest first, have the strides of contiguous memory, in either direction. */
static bool has_contiguous_order(const tsr_tensor *t, const int *axes, bool backwards_too) {
  tsr_index next = 1;
  for (int k = t->ndim - 1; k >= 0; k--) {
    const tsr_index length = t->shape[axes[k]], stride = t->stride[axes[k]];
    if (length == 0) return true;
    if (length > 1 && stride != next && !(backwards_too && stride == -next)) return false;
    if (length < 0 || !tsr__mul_index(next, length, &next)) return false; /* made by hand */
  }
  return true;
}

bool tsr_is_contiguous(const tsr_tensor *t, tsr_order order) {
  int axes[TSR_MAX_DIMS];
  const int n = t->ndim;
  if (n > TSR_MAX_DIMS) return false;
  if (tsr_size(t) == 0) return true;
  for (int i = 0; i < n; i++) axes[i] = order == TSR_FORTRAN ? n - 1 - i : i;
  if (order == TSR_COL_MAJOR && n >= 2) {
    axes[n - 2] = n - 1;
    axes[n - 1] = n - 2;
  }
  if (order == TSR_MEMORY) tsr__axes_by_stride(t, axes);
  return has_contiguous_order(t, axes, order == TSR_MEMORY);
}

bool tsr_same_shape(const tsr_tensor *a, const tsr_tensor *b) {
  if (a->ndim != b->ndim || a->ndim > TSR_MAX_DIMS) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] != b->shape[i]) return false;
  return true;
}

bool tsr_desc_equal(const tsr_tensor *a, const tsr_tensor *b) {
  if (a->dtype != b->dtype || a->layout != b->layout || !tsr_same_shape(a, b)) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] > 1 && a->stride[i] != b->stride[i]) return false;
  return true;
}

size_t tsr_desc_format(const tsr_tensor *t, char *text, size_t capacity) {
  tsr__text to;
  tsr__text_init(&to, text, capacity);
  if (tsr_is_none(t)) {
    tsr__text_string(&to, "empty");
    return to.length;
  }
  tsr__text_format(&to, "%t", t);
  if (t->layout != TSR_PLAIN) tsr__text_format(&to, " %s", tsr_layout_name(t->layout));
  if (!tsr_is_contiguous(t, TSR_ROW_MAJOR)) tsr__text_format(&to, " strides %S", (int)t->ndim, t->stride);
  return to.length;
}

int tsr_axis(const tsr_tensor *t, int axis) {
  if (axis < -t->ndim || axis >= t->ndim) return -1;
  return axis < 0 ? axis + t->ndim : axis;
}

/* The length of the axis that a layout calls letter, or otherwise. */
static tsr_index tagged(const tsr_tensor *t, char letter, tsr_index otherwise) {
  const int axis = tsr_layout_axis(t->layout, letter);
  return axis >= 0 && axis < t->ndim ? t->shape[axis] : otherwise;
}

tsr_index tsr_batch(const tsr_tensor *t) {
  if (t->layout != TSR_PLAIN) return tagged(t, 'N', 1);
  return t->ndim >= 3 ? t->shape[0] : 1;
}

tsr_index tsr_rows(const tsr_tensor *t) {
  if (t->layout != TSR_PLAIN) return tagged(t, 'H', 1);
  if (t->ndim == 0) return 1;
  return t->ndim >= 2 ? t->shape[t->ndim - 2] : t->shape[0];
}

tsr_index tsr_cols(const tsr_tensor *t) {
  if (t->layout != TSR_PLAIN) return tagged(t, 'W', tagged(t, 'L', 1));
  return t->ndim >= 1 ? t->shape[t->ndim - 1] : 1;
}

tsr_index tsr_channels(const tsr_tensor *t) {
  if (t->layout != TSR_PLAIN) return tagged(t, 'C', 1) * tagged(t, 'c', 1);
  return t->ndim == 4 ? t->shape[1] : 1;
}

const tsr_device *tsr_device_of(const tsr_tensor *t) { return t->storage != NULL ? t->storage->device : &tsr__cpu; }

int tsr_refcount(const tsr_tensor *t) { return t->storage != NULL ? tsr_storage_count(t->storage) : 0; }
