/* Padding: the input into the middle of the output, then one axis after the other grows to both sides, the last axis
 * first, out of what stands there already. Leading axes that do not grow are cut into pieces that stay in the cache
 * while this happens. */
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/move/ops.h"
#include "ops/move/target.h"

/* Bytes of output that are finished before the next ones are begun. */
enum { PIECE_BYTES = 131072 };

/* Elements on either side of a row that are written with it. */
enum { MOST_MARGIN = 16 };

typedef struct padding {
  const tsr_ctx *ctx;
  tsr_pad_mode mode;
  unsigned char element[16]; /* of constant mode */
  tsr_index before[TSR_MAX_DIMS], after[TSR_MAX_DIMS];
  tsr_tensor in, out;
  size_t bytes;    /* of the whole output */
  tsr_index piece; /* indices of axis 0 at a time */
} padding;

/* ---- one axis: indices first ≤ i < last of t stand, the others follow from them ---- */

static void pad_constant(const padding *p, const tsr_tensor *t, int axis, tsr_index first, tsr_index last) {
  const tsr_tensor front = tsr__part(t, axis, 0, first), back = tsr__part(t, axis, last, t->shape[axis] - last);
  tsr__fill_host(p->ctx, &front, p->element);
  tsr__fill_host(p->ctx, &back, p->element);
}

static void pad_edge(const padding *p, const tsr_tensor *t, int axis, tsr_index first, tsr_index last) {
  const tsr_tensor front = tsr__part(t, axis, 0, first), back = tsr__part(t, axis, last, t->shape[axis] - last);
  tsr_tensor low = tsr__part(t, axis, first, first), high = tsr__part(t, axis, last - 1, back.shape[axis]);
  low.stride[axis] = high.stride[axis] = 0;
  tsr__copy_part(p->ctx, &low, &front, p->bytes);
  tsr__copy_part(p->ctx, &high, &back, p->bytes);
}

/* Copies count indices from the one at from on, upwards (step 1) or downwards (-1), to those at to and on. */
static void copy_indices(const padding *p, const tsr_tensor *t, int axis, tsr_index from, int step, tsr_index to,
                         tsr_index count) {
  tsr_tensor source = tsr__part(t, axis, from, count);
  const tsr_tensor target = tsr__part(t, axis, to, count);
  source.stride[axis] *= step;
  tsr__copy_part(p->ctx, &source, &target, p->bytes);
}

static tsr_index smaller(tsr_index a, tsr_index b) { return a < b ? a : b; }

/* What stands is repeated, whole periods at a time. */
static void repeat(const padding *p, const tsr_tensor *t, int axis, tsr_index first, tsr_index last, tsr_index period) {
  while (first > 0) {
    const tsr_index whole = (last - first) / period * period, count = smaller(first, whole);
    copy_indices(p, t, axis, first + whole - count, 1, first - count, count);
    first -= count;
  }
  while (last < t->shape[axis]) {
    const tsr_index whole = (last - first) / period * period, count = smaller(t->shape[axis] - last, whole);
    copy_indices(p, t, axis, last - whole, 1, last, count);
    last += count;
  }
}

static void pad_wrap(const padding *p, const tsr_tensor *t, int axis, tsr_index first, tsr_index last) {
  repeat(p, t, axis, first, last, last - first);
}

/* What stands is mirrored at its ends, once on each side; that is a whole period of the wave that the result is, or all of
 * the side that is shorter. One period in hand, the rest repeats it. */
static void pad_reflect(const padding *p, const tsr_tensor *t, int axis, tsr_index first, tsr_index last) {
  const tsr_index mirror = last - first - 1, before = smaller(first, mirror);
  if (mirror == 0) {
    pad_edge(p, t, axis, first, last);
    return;
  }
  copy_indices(p, t, axis, first + before, -1, first - before, before);
  const tsr_index after = smaller(t->shape[axis] - last, mirror);
  copy_indices(p, t, axis, last - 2, -1, last, after);
  first -= before;
  last += after;
  if (first > 0 || last < t->shape[axis]) repeat(p, t, axis, first, last, 2 * mirror);
}

/* ---- all axes ---- */

static void pad_axis(const padding *p, const tsr_tensor *t, int axis, tsr_index first, tsr_index last) {
  if (first == 0 && last == t->shape[axis]) return;
  switch (p->mode) {
    case TSR_PAD_CONSTANT: pad_constant(p, t, axis, first, last); break;
    case TSR_PAD_EDGE: pad_edge(p, t, axis, first, last); break;
    case TSR_PAD_REFLECT: pad_reflect(p, t, axis, first, last); break;
    case TSR_PAD_WRAP: pad_wrap(p, t, axis, first, last); break;
  }
}

/* ---- contiguous rows that grow by a few constants: each is copied and framed at once ---- */

typedef struct framing {
  const tsr__move_kernels *kernels;
  tsr__block block;
  const unsigned char *pattern;
  size_t margin[4];
} framing;

/* n rows; at[0] is the target, at[1] the source. */
static void frame_rows(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const framing *const f = args->param;
  tsr__block block = f->block;
  block.dst = at[0];
  block.src = at[1];
  block.dst_step[1] = step[0];
  block.src_step[1] = step[1];
  block.n[1] = n;
  f->kernels->framed(&block, f->margin, f->pattern);
}

/* n planes of rows. */
static void frame_planes(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const framing *const f = args->param;
  tsr__block block = f->block;
  for (tsr_index i = 0; i < n; i++) {
    block.dst = at[0] + (ptrdiff_t)i * step[0];
    block.src = at[1] + (ptrdiff_t)i * step[1];
    f->kernels->framed(&block, f->margin, f->pattern);
  }
}

/* Small planes, whose rows run on from one another in the output: with what stands above and below them. */
static bool add_planes(const padding *p, const tsr_tensor *in, const tsr_tensor *out, framing *f) {
  const int last = in->ndim - 1, row = last - 1;
  const size_t wide = (size_t)out->shape[last] * f->block.item, rows = (size_t)out->shape[row];
  if (out->stride[row] != out->shape[last] || wide * rows > TSR__COPY_GRAIN_BYTES) return false;
  f->block.n[1] = in->shape[row];
  f->block.src_step[1] = (ptrdiff_t)in->stride[row] * (ptrdiff_t)f->block.item;
  f->block.dst_step[1] = (ptrdiff_t)wide;
  f->margin[2] = (size_t)p->before[row] * wide;
  f->margin[3] = (size_t)p->after[row] * wide;
  return true;
}

/* How many of the last axes it padded. part is the place of the input in the output. */
static int copy_framed(const padding *p, const tsr_tensor *in, const tsr_tensor *part, const tsr_tensor *out) {
  const int last = in->ndim - 1;
  const size_t item = tsr_dtype_size(in->dtype);
  if (p->mode != TSR_PAD_CONSTANT || last < 1 || in->stride[last] != 1 || part->stride[last] != 1) return 0;
  if (p->before[last] > MOST_MARGIN || p->after[last] > MOST_MARGIN || p->bytes >= tsr__stream_bytes) return 0;
  if (tsr_size(in) == 0) return 0;
  framing f = {.kernels = tsr__move_kernels_of(p->ctx),
               .block.item = item,
               .block.n = {in->shape[last], 1},
               .pattern = p->element,
               .margin = {(size_t)p->before[last] * item, (size_t)p->after[last] * item, 0, 0}};
  const bool planes = add_planes(p, in, out, &f);
  tsr_tensor from = *in, to = *part;
  from.ndim = to.ndim = (uint8_t)(last - planes);
  tsr__loop loop;
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){&to, &from});
  const tsr_index bytes = (tsr_index)((size_t)f.block.n[0] * (size_t)f.block.n[1] * item); /* of a row, or a plane */
  const tsr_index grain = 1 + TSR__COPY_GRAIN_BYTES / (bytes + 1);
  tsr__loop_run_parallel(p->ctx, &loop, grain, planes ? frame_planes : frame_rows, &f);
  return 1 + planes;
}

static void pad_all(const padding *p, const tsr_tensor *in, const tsr_tensor *out) {
  tsr_tensor part = *out;
  for (int k = 0; k < out->ndim; k++) part = tsr__part(&part, k, p->before[k], in->shape[k]);
  const int framed = copy_framed(p, in, &part, out), axes = out->ndim - framed;
  if (framed == 0) tsr__copy_part(p->ctx, in, &part, p->bytes);
  for (int k = out->ndim - 1; k >= 0; k--) {
    part = tsr__part(&part, k, -p->before[k], out->shape[k]);
    if (k < axes) pad_axis(p, &part, k, p->before[k], p->before[k] + in->shape[k]);
  }
}

static void pad_pieces(void *arg, tsr_index begin, tsr_index end, int worker) {
  const padding *const p = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i += p->piece) {
    const tsr_index count = smaller(end - i, p->piece);
    const tsr_tensor in = tsr__part(&p->in, 0, i, count), out = tsr__part(&p->out, 0, i, count);
    pad_all(p, &in, &out);
  }
}

/* Makes one axis of the first two where neither grows and both run on in both tensors. */
static bool merge_leading(padding *p) {
  tsr_tensor *const both[2] = {&p->in, &p->out};
  if (p->in.ndim < 2 || p->out.shape[0] != p->in.shape[0] || p->out.shape[1] != p->in.shape[1]) return false;
  for (int i = 0; i < 2; i++) {
    if (both[i]->shape[1] == 1) both[i]->stride[1] = both[i]->stride[0];
    if (both[i]->shape[0] > 1 && both[i]->stride[0] != both[i]->stride[1] * both[i]->shape[1]) return false;
  }
  for (int i = 0; i < 2; i++) {
    both[i]->shape[1] *= both[i]->shape[0];
    both[i]->ndim--;
    for (int k = 0; k < both[i]->ndim; k++) {
      both[i]->shape[k] = both[i]->shape[k + 1];
      both[i]->stride[k] = both[i]->stride[k + 1];
    }
  }
  for (int k = 0; k < p->in.ndim; k++) {
    p->before[k] = p->before[k + 1];
    p->after[k] = p->after[k + 1];
  }
  return true;
}

static void run_padding(padding *p) {
  while (merge_leading(p)) {
  }
  const tsr_index length = p->out.shape[0];
  if (p->out.ndim == 0 || p->in.shape[0] != length) {
    pad_all(p, &p->in, &p->out);
    return;
  }
  p->piece = 1 + (tsr_index)(PIECE_BYTES / (p->bytes / (size_t)length));
  tsr__parallel_for(p->ctx, length, p->piece, pad_pieces, p);
}

/* ---- checks ---- */

static tsr_status check_amount(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *in,
                               const tsr_index *amount, tsr_index *copy) {
  for (int k = 0; k < in->ndim; k++) {
    copy[k] = amount != NULL ? amount[k] : 0;
    if (copy[k] < 0) return TSR__FAIL(ctx, TSR_EARG, op, arg, "%S: axis %d is negative", (int)in->ndim, amount, k);
  }
  return TSR_OK;
}

static tsr_status result_shape(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const padding *p, tsr_index *shape) {
  for (int k = 0; k < in->ndim; k++) {
    if (!tsr__add_index(in->shape[k], p->before[k], &shape[k]) || !tsr__add_index(shape[k], p->after[k], &shape[k]))
      return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "in", "%t: axis %d would have more than %l indices", in, k,
                       (int64_t)TSR_INDEX_MAX);
    if (in->shape[k] == 0 && shape[k] > 0 && p->mode != TSR_PAD_CONSTANT)
      return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "%t: axis %d has no element to pad with", in, k);
  }
  return TSR_OK;
}

static tsr_status pad_by(tsr__call *call, const tsr_index *before, const tsr_index *after, tsr_pad_mode mode,
                         tsr_real value) {
  tsr_ctx *const ctx = call->ctx;
  const char *const op = call->op;
  const tsr_tensor *const in = call->in[0];
  padding p = {.ctx = ctx, .mode = mode};
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  if ((unsigned)mode > TSR_PAD_WRAP) return TSR__FAIL(ctx, TSR_EARG, op, "mode", "%d is no mode of padding", (int)mode);
  tsr_status st = check_amount(ctx, op, "before", in, before, p.before);
  if (st == TSR_OK) st = check_amount(ctx, op, "after", in, after, p.after);
  if (st == TSR_OK) st = result_shape(ctx, op, in, &p, shape);
  if (st == TSR_OK && mode == TSR_PAD_CONSTANT)
    st = tsr__scalar_from_real(ctx, op, "value", in->dtype, value, p.element);
  if (st != TSR_OK) return st;
  const tsr__result result = {in->dtype, in->layout, in->ndim, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  p.in = *in;
  p.out = target.view;
  p.bytes = target.bytes;
  if (p.bytes > 0) run_padding(&p);
  tsr__target_end(ctx, call->out[0], &target);
  return TSR_OK;
}

static tsr_status pad(tsr__call *call) {
  const tsr__pad_attrs *const attrs = call->attrs;
  return pad_by(call, attrs->before, attrs->after, attrs->mode, attrs->value);
}

TSR__OP(pad, pad, 0)
tsr_status tsr_pad(tsr_ctx *ctx, const tsr_tensor *in, const tsr_index *before, const tsr_index *after,
                   tsr_pad_mode mode, tsr_real value, tsr_tensor *out) {
  const int each = in != NULL ? in->ndim : 0;
  return TSR__CALL(pad, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .before = before, .before_count = each, .after = after,
                   .after_count = each, .mode = mode, .value = value);
}

static tsr_status pad_2d(tsr__call *call) {
  static const char *const names[4] = {"up", "bottom", "left", "right"};
  const tsr__pad_2d_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const tsr_index amount[4] = {attrs->up, attrs->bottom, attrs->left, attrs->right};
  tsr_index before[TSR_MAX_DIMS] = {0}, after[TSR_MAX_DIMS] = {0};
  if (in->ndim < 2) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "in", "%t has no rows and columns", in);
  for (int i = 0; i < 4; i++)
    if (amount[i] < 0)
      return TSR__FAIL(call->ctx, TSR_EARG, call->op, names[i], "is %l, which is negative", (int64_t)amount[i]);
  before[in->ndim - 2] = attrs->up;
  before[in->ndim - 1] = attrs->left;
  after[in->ndim - 2] = attrs->bottom;
  after[in->ndim - 1] = attrs->right;
  return pad_by(call, before, after, TSR_PAD_CONSTANT, attrs->value);
}

TSR__OP(pad_2d, pad_2d, 0)
tsr_status tsr_pad_2d(tsr_ctx *ctx, const tsr_tensor *in, tsr_index up, tsr_index bottom, tsr_index left,
                      tsr_index right, tsr_real value, tsr_tensor *out) {
  return TSR__CALL(pad_2d, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .up = up, .bottom = bottom, .left = left,
                   .right = right, .value = value);
}
