/* Checks that every function makes, and sizes that cannot wrap. */
#ifndef TSR_CORE_CHECK_H
#define TSR_CORE_CHECK_H

#include "core/fail.h"
#include <tessera/tensor.h>

/* ---- sizes ---- */

/* Bytes of one element by dtype, 0 past the list: tsr_dtype_size for numbers that are known to fit a byte. */
extern const uint8_t tsr__item_sizes[32], tsr__item_classes[32];
static inline ptrdiff_t tsr__item(const tsr_tensor *t) { return tsr__item_sizes[t->dtype & 31u]; }

/* Of data of a dtype that there is: the size of what one number is. */
static inline size_t tsr__dtype_align(int dtype) {
  return (size_t)tsr__item_sizes[dtype & 31] >> (tsr__item_classes[dtype & 31] == TSR_CLASS_COMPLEX);
}

/* *product = a·b; false when that does not fit. */
static inline bool tsr__mul_index(tsr_index a, tsr_index b, tsr_index *product) {
  return !__builtin_mul_overflow(a, b, product);
}
static inline bool tsr__add_index(tsr_index a, tsr_index b, tsr_index *sum) {
  return !__builtin_add_overflow(a, b, sum);
}
static inline bool tsr__mul_size(size_t a, size_t b, size_t *product) { return !__builtin_mul_overflow(a, b, product); }
static inline bool tsr__add_size(size_t a, size_t b, size_t *sum) { return !__builtin_add_overflow(a, b, sum); }

/* -stride, without overflow where a tensor has no elements and its strides may be anything. */
static inline tsr_index tsr__negated(tsr_index stride) { return (tsr_index)(0 - (uint64_t)stride); }

/* a·b and a + b of strides, in the same case. */
static inline tsr_index tsr__times(tsr_index a, tsr_index b) { return (tsr_index)((uint64_t)a * (uint64_t)b); }
static inline tsr_index tsr__plus(tsr_index a, tsr_index b) { return (tsr_index)((uint64_t)a + (uint64_t)b); }

/* One word for all that makes calls of a context special, which small calls look at. */
static inline void tsr__context_modes(tsr_ctx *ctx) {
  ctx->private_modes =
      ctx->device != NULL || ctx->trace != NULL || ctx->prepared != NULL || (TSR_HAVE_OPS && ctx->scope != NULL);
}

/* size rounded up to align, a power of two; the caller knows that it fits. */
static inline size_t tsr__align_up(size_t size, size_t align) { return (size + (align - 1)) & ~(align - 1); }

/* How many elements t has; 0 as well when a length is not positive, the product does not fit, or axes longer than 1 do not
 * lie row-major and contiguous. ndim is t's rank: a constant one makes no loop. */
static inline tsr_index tsr__packed_size(const tsr_tensor *t, int ndim) {
  tsr_index size = 1;
  for (int i = ndim - 1; i >= 0; i--) {
    const tsr_index length = t->shape[i];
    if (length <= 0 || (length != 1 && t->stride[i] != size) || !tsr__mul_index(size, length, &size)) return 0;
  }
  return size;
}

/* The bytes that a tensor spans, around its data pointer: [low, high). Both 0 when it has no element. */
typedef struct tsr__extent {
  ptrdiff_t low;
  ptrdiff_t high;
} tsr__extent;

/* ---- tensors ---- */

/* Rank, dimensions and their product: TSR_EARG, TSR_ESHAPE, TSR_EOVERFLOW. *size (may be NULL) is the product. */
tsr_status tsr__check_shape(tsr_ctx *ctx, const char *op, const char *arg, int ndim, const tsr_index *shape,
                            tsr_index *size);

/* Whether number is a dtype: TSR_EDTYPE. */
tsr_status tsr__check_dtype(tsr_ctx *ctx, const char *op, const char *arg, int dtype);

/* Whether t is well formed and full or zero-size: an argument that is read. Any device. */
tsr_status tsr__check_given(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

/* The same for one that is not tsr__is_given_packed. */
tsr_status tsr__check_strided(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

/* The same, and its memory is the host's: TSR_EDEVICE. */
tsr_status tsr__check_input(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

/* Whether t is what nearly every argument is, with data, row-major and contiguous: then nothing else is to be asked. */
bool tsr__is_given_packed(const tsr_tensor *t);

/* Whether t can be written with no more questions, as nearly every given output can: the host's memory, not read-only,
 * row-major and contiguous. */
bool tsr__writable_packed(const tsr_tensor *t);

/* Resolves a negative axis; false when it is out of range. limit is the rank (or rank + 1 where a new axis goes in). */
static inline bool tsr__resolve_axis(int *axis, int limit) {
  const int at = *axis < 0 ? *axis + limit : *axis;
  if ((unsigned)at >= (unsigned)limit) return false;
  *axis = at;
  return true;
}

/* The same as a status: TSR_EAXIS. */
TSR__COLD tsr_status tsr__refuse_axis(tsr_ctx *ctx, const char *op, const char *arg, int axis, int limit);
static inline tsr_status tsr__check_axis(tsr_ctx *ctx, const char *op, const char *arg, int axis, int limit,
                                         int *resolved) {
  if (!tsr__resolve_axis(&axis, limit)) return tsr__refuse_axis(ctx, op, arg, axis, limit);
  *resolved = axis;
  return TSR_OK;
}

/* Which axes are named, as bits; NULL: all. False: one is out of range, or there twice. The rank is legal. */
static inline bool tsr__resolve_axes(int ndim, int naxes, const int *axes, uint32_t *mask) {
  uint32_t seen = 0;
  *mask = ((uint32_t)1 << ndim) - 1;
  if (axes == NULL) return naxes == 0;
  for (int i = 0; i < naxes; i++) {
    int axis = axes[i];
    if (!tsr__resolve_axis(&axis, ndim) || (seen >> axis & 1) != 0) return false;
    seen |= (uint32_t)1 << axis;
  }
  *mask = seen;
  return naxes >= 0;
}

/* The same as a status, for the axes of t: TSR_EARG, TSR_EAXIS. */
TSR__COLD tsr_status tsr__refuse_axes(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int naxes, const int *axes);
static inline tsr_status tsr__check_axes(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int naxes, const int *axes,
                                         uint32_t *mask) {
  return tsr__resolve_axes(t->ndim, naxes, axes, mask) ? TSR_OK : tsr__refuse_axes(ctx, op, t, naxes, axes);
}

/* The bytes that shape and strides span; false when that does not fit a ptrdiff_t. */
bool tsr__extent_of(int dtype, int ndim, const tsr_index *shape, const tsr_index *stride, tsr__extent *extent);

/* Where the bytes of a checked tensor begin: before its data where a stride is negative. */
static inline char *tsr__first_byte(const tsr_tensor *t) {
  tsr__extent extent;
  (void)tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent);
  return (char *)t->data + extent.low;
}

/* The bytes that a well-formed tensor spans, as addresses; both data when it has none. */
void tsr__span(const tsr_tensor *t, uintptr_t *low, uintptr_t *high);

/* Whether two indices of t share an address. Exact for all but adversarial strides, which count as sharing. */
bool tsr__self_overlaps(const tsr_tensor *t);

/* Whether a and b may share a byte; and whether they are the same elements in the same places. */
bool tsr__overlap(const tsr_tensor *a, const tsr_tensor *b);
bool tsr__same_view(const tsr_tensor *a, const tsr_tensor *b);

/* Writes the strides of a contiguous tensor in order (not TSR_MEMORY). The shape is checked. */
void tsr__strides_for(int ndim, const tsr_index *shape, tsr_order order, tsr_index *stride);

/* The axes from the slowest to the fastest by |stride|, ties and axes of length 1 in place. */
void tsr__axes_by_stride(const tsr_tensor *t, int *axes);

/* ---- the checked build ---- */

/* Calls the hook (tsr_check_hook). */
void tsr__violation(const char *file, int line, const char *text);

/* ---- outputs ---- */

/* What an op will write. */
typedef struct tsr__result {
  int dtype;
  int layout;
  int ndim;
  const tsr_index *shape;
  const tsr_tensor *like; /* not NULL: a fresh output takes the order of its axes in memory */
} tsr__result;

/* Whether *out is what nearly every given output is: of the result's dtype and shape, writable memory of the host,
 * contiguous. */
bool tsr__is_usual_output(const tsr__result *result, const tsr_tensor *out);

/* Whether *out can take the result: empty, described as it, or given as it (host memory, writable, no two indices on one
 * address). Changes nothing. */
tsr_status tsr__output_check(tsr_ctx *ctx, const char *op, const tsr__result *result, const tsr_tensor *out);

/* The same for an output that is called arg, and where it is given is on device (NULL: the host). */
tsr_status tsr__output_check_on(tsr_ctx *ctx, const char *op, const char *arg, const tsr_device *device,
                                const tsr__result *result, const tsr_tensor *out);

/* What *out, which can take the result, will be when it has memory. */
void tsr__output_describe(const tsr__result *result, const tsr_tensor *out, tsr_tensor *described);

/* Memory on device (NULL: the host) for a checked output that has none. */
tsr_status tsr__output_on(tsr_ctx *ctx, const char *op, const tsr_device *device, const tsr__result *result,
                          tsr_tensor *out);

/* The same, then memory for an output that has none. The last step of an op that can fail: *out is ready after it. */
tsr_status tsr__output(tsr_ctx *ctx, const char *op, const tsr__result *result, tsr_tensor *out);

/* Memory of the host for an output that is empty: dtype TSR_NONE, no data. */
tsr_status tsr__output_fresh(tsr_ctx *ctx, const char *op, const tsr__result *result, tsr_tensor *out);

/* ---- temporary memory ---- */

typedef struct tsr__scratch {
  void *data;
  size_t bytes;
  const tsr_allocator *allocator; /* NULL: from the context's scratch */
  tsr_ctx *ctx;                   /* whose scratch it is; NULL: nothing to put back */
  size_t used;                    /* what was used of it before */
} tsr__scratch;

/* bytes aligned to TSR_DATA_ALIGN, from the context's scratch or its allocator: TSR_ESCRATCH, TSR_ENOMEM. Several may be
 * held at once; they are put back in the opposite order. */
tsr_status tsr__scratch_get(tsr_ctx *ctx, const char *op, size_t bytes, tsr__scratch *scratch);
void tsr__scratch_put(tsr__scratch *scratch);

/* Makes it larger ({0}: takes it) and keeps its first used bytes; data may move. It is the last of those held. */
tsr_status tsr__scratch_grow(tsr_ctx *ctx, const char *op, size_t bytes, size_t used, tsr__scratch *scratch);

#endif
