/* Back from frames: each is transformed and weighed once more, and what overlaps is added and divided by the squares of the weights that
 * met there. Where these are 0 nothing is known of the signal, and the call says so. */
#include <string.h>

#include "cpu/parallel.h"
#include "fft/frames.h"
#include "fft/ops.h"
#include "ops/copy/copy.h"
#include "ops/move/target.h"
#include "ops/parts.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

enum { BLOCK = 4096 }; /* elements of a signal that are summed at a time */

typedef struct overlap {
  const tsr__frames *frames;
  const void *elements; /* (signals, frames, n) */
  void *sums;           /* (signals, length) */
  double *squares;      /* of the weights, (covered) */
  tsr_index length;     /* of a signal */
  tsr_index covered;    /* by frames, from its first element on; the rest is 0 */
  tsr_index blocks;     /* of a signal */
} overlap;

#define T float
#define FT(name) name##_f32
#include "fft/overlap.tmpl.h"
#undef T
#undef FT
#define T double
#define FT(name) name##_f64
#include "fft/overlap.tmpl.h"
#undef T
#undef FT

/* ---- checks ---- */

static tsr_status check_spectrum(const tsr__call *call, tsr__frames *f) {
  const tsr__istft_attrs *const attrs = call->attrs;
  const tsr_tensor *const z = call->in[0];
  tsr_status st = tsr__fft_dtype(call, false, &f->dtype);
  if (st != TSR_OK) return st;
  if (z->ndim < 2 || z->shape[z->ndim - 1] < 1 || z->shape[z->ndim - 2] < 1)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "%S has no frequencies and frames", (int)z->ndim, z->shape);
  const tsr_index frequencies = z->shape[z->ndim - 2];
  f->n = attrs->n, f->hop = attrs->hop, f->window = call->in[1], f->is_real = attrs->onesided;
  f->count = z->shape[z->ndim - 1];
  st = tsr__check_frames(call,
                         !f->is_real       ? frequencies
                         : frequencies < 2 ? 1
                                           : 2 * (frequencies - 1),
                         attrs->center, f);
  if (st != TSR_OK) return st;
  const tsr_index wanted = f->is_real ? tsr__fft_half(f->n) : f->n;
  if (wanted != frequencies)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "has %l frequencies, frames of %l elements have %l",
                     (int64_t)frequencies, (int64_t)f->n, (int64_t)wanted);
  return tsr__fft_check_norm(call, (int)attrs->norm);
}

/* How long the signal is, and how much of it frames cover. */
static tsr_status check_length(const tsr__call *call, const tsr__frames *f, overlap *o) {
  const tsr__istft_attrs *const attrs = call->attrs;
  tsr_index reach;
  if (!tsr__mul_index(f->hop, f->count - 1, &reach) || !tsr__add_index(reach, f->n, &reach))
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "hop", "is %l: %l frames are too long", (int64_t)f->hop,
                     (int64_t)f->count);
  const tsr_index natural = reach - 2 * f->edge;
  if (attrs->length < 0 || (attrs->length == 0 && natural < 1))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "length",
                     attrs->length < 0 ? "is %l" : "is %l, and nothing is between the edges", (int64_t)attrs->length);
  o->length = attrs->length > 0 ? attrs->length : natural;
  o->covered = o->length < reach - f->edge ? o->length : reach - f->edge;
  o->blocks = (o->length - 1) / BLOCK + 1;
  return TSR_OK;
}

/* ---- weights ---- */

static double weight_at(const tsr__frames *f, tsr_index i) {
  if (f->weights == NULL) return 1;
  return f->dtype == TSR_F32 ? (double)((const float *)f->weights)[i] : ((const double *)f->weights)[i];
}

/* The squares of the weights that meet at each element, and the place of one where next to none do: -1, or that element. */
static tsr_index sum_squares(const overlap *o) {
  const tsr__frames *const f = o->frames;
  double most = 0;
  memset(o->squares, 0, (size_t)o->covered * sizeof(double));
  for (tsr_index i = 0; i < f->n; i++) {
    const double square = weight_at(f, i) * weight_at(f, i);
    if (!(square <= most)) most = square;
    for (tsr_index k = 0; k < f->count; k++) {
      const tsr_index at = k * f->hop + i - f->edge;
      if (at >= 0 && at < o->covered) o->squares[at] += square;
    }
  }
  for (tsr_index i = 0; i < o->covered; i++)
    if (!(o->squares[i] > 1e-11 * most)) return i;
  return -1;
}

/* ---- the call ---- */

static tsr__fft_axis axis_of(const tsr__call *call, const tsr__frames *f) {
  const tsr__istft_attrs *const attrs = call->attrs;
  const tsr__fft_form form = {f->is_real ? TSR__FFT_TO_REAL : TSR__FFT_COMPLEX, true, false};
  return (tsr__fft_axis){.form = form,
                         .axis = call->in[0]->ndim - 1,
                         .n = f->n,
                         .scale = tsr__fft_scale(form, attrs->norm, f->n),
                         .dtype = f->dtype};
}

/* (..., frames, n), all of them: temporary memory. */
static tsr_status plan_frames(tsr__call *call, const tsr__frames *f, tsr_tensor *frames) {
  const tsr_tensor *const z = call->in[0];
  *frames = (tsr_tensor){.dtype = (uint8_t)(f->is_real ? f->dtype : tsr__fft_complex(f->dtype)), .ndim = z->ndim};
  for (int i = 0; i < z->ndim - 2; i++) frames->shape[i] = z->shape[i];
  frames->shape[z->ndim - 2] = f->count;
  frames->shape[z->ndim - 1] = f->n;
  return tsr__plan_tensor(call, "x", frames);
}

static void transform_frames(const tsr__call *call, const tsr__fft_axis *a, const tsr_tensor *z,
                             const tsr_tensor *frames, void *scratch) {
  tsr_tensor from = *z;
  const int last = z->ndim - 1;
  from.shape[last] = z->shape[last - 1], from.shape[last - 1] = z->shape[last];
  from.stride[last] = z->stride[last - 1], from.stride[last - 1] = z->stride[last];
  tsr__fft_transform(call->ctx, a, &from, frames, scratch);
}

static void run_blocks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const overlap *const o = arg;
  const size_t item = tsr_dtype_size(o->frames->dtype) * (o->frames->is_real ? 1 : 2);
  (void)worker;
  for (tsr_index b = begin; b < end; b++) {
    const tsr_index signal = b / o->blocks, first = b % o->blocks * BLOCK;
    const tsr_index last = first + BLOCK < o->length ? first + BLOCK : o->length;
    const tsr_index known = last < o->covered ? last : o->covered > first ? o->covered : first;
    if (known > first) (o->frames->dtype == TSR_F32 ? add_frames_f32 : add_frames_f64)(o, signal, first, known);
    memset((char *)o->sums + (size_t)(signal * o->length + known) * item, 0, (size_t)(last - known) * item);
  }
}

/* Everything that needs no element. */
static tsr_status plan_memory(tsr__call *call, tsr__frames *f, const tsr__fft_axis *a, tsr_tensor *z,
                              tsr_tensor *frames, overlap *o, void **scratch) {
  size_t bytes = 0;
  void *squares;
  tsr_status st = tsr__fft_input(call, f->dtype, z);
  if (st == TSR_OK) st = plan_frames(call, f, frames);
  if (st == TSR_OK) st = tsr__plan_weights(call, f);
  if (st == TSR_OK) st = tsr__call_scratch(call, (size_t)o->covered * sizeof(double), &squares);
  if (st == TSR_OK) st = tsr__fft_axis_scratch(call, a, &bytes);
  if (st == TSR_OK) st = tsr__call_scratch(call, bytes, scratch);
  if (st == TSR_OK) o->squares = squares;
  return st;
}

static tsr_status istft(tsr__call *call) {
  const tsr_tensor *const in = call->in[0];
  tsr__frames f = {.weights = NULL};
  overlap o = {.frames = &f};
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor z, frames;
  tsr__target target;
  void *scratch;
  tsr_status st = check_spectrum(call, &f);
  if (st == TSR_OK) st = check_length(call, &f, &o);
  if (st != TSR_OK) return st;
  tsr__fft_axis a = axis_of(call, &f);
  for (int i = 0; i < in->ndim - 2; i++) shape[i] = in->shape[i];
  shape[in->ndim - 2] = o.length;
  const int dtype = f.is_real ? f.dtype : tsr__fft_complex(f.dtype);
  const tsr__result result = {dtype, TSR_PLAIN, in->ndim - 1, shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = plan_memory(call, &f, &a, &z, &frames, &o, &scratch);
  const bool staged = st == TSR_OK && (!tsr_is_contiguous(call->out[0], TSR_ROW_MAJOR) || tsr__call_overlaps(call));
  if (st == TSR_OK) st = tsr__call_target_of(call, dtype, staged, &target);
  if (st != TSR_OK || target.bytes == 0) return st;
  tsr__fill_weights(call->ctx, &f);
  const tsr_index unknown = sum_squares(&o);
  if (unknown >= 0)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "window",
                     "of frames %l apart is 0 wherever they meet element %l: nothing says what it was", (int64_t)f.hop,
                     (int64_t)unknown);
  st = tsr__fft_axis_plan(call, &a);
  if (st != TSR_OK) return st;
  if (z.data != in->data) tsr__copy_no_alias(call->ctx, in, &z);
  transform_frames(call, &a, &z, &frames, scratch);
  tsr__fft_axis_done(&a);
  o.elements = frames.data, o.sums = target.view.data;
  tsr__parallel_for(call->ctx, tsr_size(&target.view) / o.length * o.blocks, 4, run_blocks, &o);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

#else

static tsr_status istft(tsr__call *call) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "needs f64 and malloc");
}

#endif

TSR__OP(istft, istft, 0)
tsr_status tsr_istft(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *window, tsr_index n, tsr_index hop,
                     bool center, bool onesided, tsr_fft_norm norm, tsr_index length, tsr_tensor *out) {
  return TSR__CALL(istft, ctx, TSR__INPUTS(x, window), TSR__OUTPUTS(out), .n = n, .hop = hop, .center = center,
                   .onesided = onesided, .norm = norm, .length = length);
}
