/* Moving: tensors joined, repeated, turned around; triangles; elements picked by index. */
#include "cuda/engines/engines.h"
#include "cuda/engines/loss.h"

#include "nn/embedding/ops.h"
#include "ops/cast/convert.h"
#include "ops/create/ops.h"
#include "ops/move/ops.h"

#include <string.h>

static int axis_of(int axis, int ndim) { return axis < 0 ? axis + ndim : axis; }

/* Some indices of one axis. */
static tsr__cuda_view part(const tsr__cuda_view *v, int axis, tsr_index start, tsr_index length) {
  tsr__cuda_view p = *v;
  const ptrdiff_t bytes = (ptrdiff_t)(start * v->tensor.stride[axis]) * (ptrdiff_t)tsr_dtype_size(v->tensor.dtype);
  p.ref.offset += bytes;
  if (p.tensor.data != NULL) p.tensor.data = (char *)p.tensor.data + bytes;
  p.tensor.shape[axis] = length;
  return p;
}

/* The inputs of a work, those that its output lies over copied. */
static tsr_status take_input(tsr__cuda *gpu, const tsr_work *work, int k, tsr__cuda_view *in, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  *in = tsr__cuda_input(work, k);
  return tsr__cuda_unaliased(gpu, work->ctx, &out, in, plan);
}

/* Copies of parts of one output: overlap is seen before. */
static tsr_status move(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_view from, tsr__cuda_view to,
                       tsr__cuda_plan *plan) {
  return tsr__cuda_plan_cast(gpu, work->ctx, &from, &to, plan);
}

/* ---- joining ---- */

static tsr_status plan_joined(tsr__cuda *gpu, const tsr_work *work, int axis, bool stacked, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr_index start = 0;
  bool overlaps = false;
  tsr_status st = TSR_OK;
  for (int k = 0; k < work->inputs; k++) {
    const tsr__cuda_view in = tsr__cuda_input(work, k);
    overlaps = overlaps || (out.tensor.data != NULL && in.tensor.data != NULL && tsr__overlap(&in.tensor, &out.tensor));
  }
  const tsr__cuda_view whole =
      overlaps ? tsr__cuda_temporary(plan, out.tensor.dtype, out.tensor.ndim, out.tensor.shape) : out;
  for (int k = 0; k < work->inputs && st == TSR_OK; k++) {
    const tsr__cuda_view in = tsr__cuda_input(work, k);
    const tsr_index length = stacked ? 1 : in.tensor.shape[axis];
    tsr__cuda_view to = part(&whole, axis, start, length);
    if (stacked) { /* the output without the axis */
      for (int d = axis; d + 1 < to.tensor.ndim; d++) {
        to.tensor.shape[d] = to.tensor.shape[d + 1];
        to.tensor.stride[d] = to.tensor.stride[d + 1];
      }
      to.tensor.ndim--;
    }
    st = move(gpu, work, in, to, plan);
    start += length;
  }
  return st == TSR_OK && overlaps ? move(gpu, work, whole, out, plan) : st;
}

tsr_status tsr__cuda_concat(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__concat_attrs *const attrs = work->attrs;
  (void)op;
  return plan_joined(gpu, work, axis_of(attrs->axis, work->in[0]->ndim), false, plan);
}
tsr_status tsr__cuda_stack(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__concat_attrs *const attrs = work->attrs;
  (void)op;
  return plan_joined(gpu, work, axis_of(attrs->axis, work->in[0]->ndim + 1), true, plan);
}

/* ---- repeating ---- */

/* Axis of both as (times, length) or (length, times), where they have an axis left for that; along times the source repeats. Else a
 * copy for each time. */
static tsr_status repeat_axis(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_view from, tsr__cuda_view to, int axis,
                              tsr_index times, bool each, tsr__cuda_plan *plan) {
  const tsr_index length = from.tensor.shape[axis];
  tsr_status st = TSR_OK;
  if (to.tensor.ndim < TSR_MAX_DIMS) {
    const int at = each ? axis + 1 : axis;
    tsr_tensor *const both[2] = {&from.tensor, &to.tensor};
    const tsr_index step = to.tensor.stride[axis];
    for (int i = 0; i < 2; i++) {
      for (int d = both[i]->ndim; d > at; d--) {
        both[i]->shape[d] = both[i]->shape[d - 1];
        both[i]->stride[d] = both[i]->stride[d - 1];
      }
      both[i]->ndim++;
      both[i]->shape[at] = times;
      both[i]->shape[each ? axis : axis + 1] = length;
    }
    from.tensor.stride[at] = 0;
    to.tensor.stride[at] = each ? step : step * length;
    to.tensor.stride[each ? axis : axis + 1] = each ? step * times : step;
    return move(gpu, work, from, to, plan);
  }
  for (tsr_index i = 0; i < times && st == TSR_OK; i++) {
    tsr__cuda_view one = part(&to, axis, each ? i : i * length, length);
    if (each) one.tensor.stride[axis] *= times;
    st = move(gpu, work, from, one, plan);
  }
  return st;
}

tsr_status tsr__cuda_repeat(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__repeat_attrs *const attrs = work->attrs;
  tsr__cuda_view in;
  (void)op;
  const tsr_status st = take_input(gpu, work, 0, &in, plan);
  if (st != TSR_OK || tsr_size(work->out[0]) == 0) return st;
  return repeat_axis(gpu, work, in, tsr__cuda_output(work, 0), axis_of(attrs->axis, in.tensor.ndim), attrs->count, true,
                     plan);
}

/* One axis after the other, the last first, each from what stands. */
tsr_status tsr__cuda_tile(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view from;
  (void)op;
  tsr_status st = take_input(gpu, work, 0, &from, plan);
  if (st != TSR_OK || tsr_size(&out.tensor) == 0) return st;
  tsr_tensor *const t = &from.tensor;
  while (t->ndim < out.tensor.ndim) { /* leading axes of length 1 */
    for (int d = t->ndim; d > 0; d--) t->shape[d] = t->shape[d - 1], t->stride[d] = t->stride[d - 1];
    t->shape[0] = 1;
    t->stride[0] = 0;
    t->ndim++;
  }
  int last = -1;
  for (int d = 0; d < t->ndim; d++)
    if (t->shape[d] != out.tensor.shape[d]) last = last < 0 ? d : last;
  if (last < 0) return move(gpu, work, from, out, plan);
  for (int d = t->ndim - 1; d >= 0 && st == TSR_OK; d--) {
    if (t->shape[d] == out.tensor.shape[d]) continue;
    const tsr_index times = out.tensor.shape[d] / t->shape[d];
    tsr_index shape[TSR_MAX_DIMS];
    for (int k = 0; k < t->ndim; k++) shape[k] = k == d ? out.tensor.shape[k] : t->shape[k];
    const tsr__cuda_view to = d == last ? out : tsr__cuda_temporary(plan, t->dtype, t->ndim, shape);
    st = repeat_axis(gpu, work, from, to, d, times, false, plan);
    from = to;
  }
  return st;
}

/* ---- turning around ---- */

tsr_status tsr__cuda_roll(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__roll_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view in;
  (void)op;
  tsr_status st = take_input(gpu, work, 0, &in, plan);
  if (st != TSR_OK || tsr_size(&out.tensor) == 0) return st;
  const int axis = axis_of(attrs->axis, in.tensor.ndim);
  const tsr_index n = in.tensor.shape[axis], by = (attrs->shift % n + n) % n;
  if (by > 0) st = move(gpu, work, part(&in, axis, n - by, by), part(&out, axis, 0, by), plan);
  if (st != TSR_OK) return st;
  return move(gpu, work, part(&in, axis, 0, n - by), part(&out, axis, by, n - by), plan);
}

/* ---- triangles ---- */

/* Elements whose column less row is at most the offset, or at least; the others are 0. */
static tsr_status plan_triangle(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, bool lower,
                                tsr__cuda_plan *plan) {
  const tsr__tril_attrs *const attrs = work->attrs;
  const tsr_tensor *const in = work->in[0];
  const uint8_t dtype = in->dtype;
  tsr__cuda_elements e = {.maker = op, .out = tsr__cuda_output(work, 0)};
  int64_t factor[TSR_MAX_DIMS] = {0};
  const int64_t offset = attrs->offset;
  const unsigned char zero[16] = {0};
  factor[in->ndim - 1] = 1;
  factor[in->ndim - 2] = -1;
  tsr__cuda_add_input(&e, work, 0);
  tsr__cuda_add_position(&e, 0, factor);
  tsr__cuda_add_number(&e, TSR_I64, &offset);
  tsr__cuda_add_number(&e, dtype, zero);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = lower ? "b <= c ? a : p" : "b >= c ? a : p",
                                          .inputs = 4,
                                          .in = {0, 1, 2, 3},
                                          .dtype = {dtype, TSR_I64, TSR_I64, dtype},
                                          .compute = dtype,
                                          .result = dtype,
                                          .out = dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}
tsr_status tsr__cuda_tril(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_triangle(gpu, op, work, true, plan);
}
tsr_status tsr__cuda_triu(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_triangle(gpu, op, work, false, plan);
}

/* ---- one-hot vectors ---- */

/* on where the class is the index; an index that is none of the classes is noted. */
tsr_status tsr__cuda_one_hot(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const char line[] =
      "((uint64_t)a < (uint64_t)table.length || (tsr_fault_at(table.fault, (unsigned long long)c), false)) && a == b";
  const tsr__one_hot_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const int last = out.tensor.ndim - 1;
  const uint8_t dtype = out.tensor.dtype;
  tsr__cuda_elements e = {.maker = op, .out = out};
  unsigned char on[16], off[16];
  int64_t classes[TSR_MAX_DIMS] = {0}, number[TSR_MAX_DIMS] = {0}, size = 1;
  tsr__cuda_view index;
  tsr_status st = tsr__scalar_from_real(work->ctx, work->op, "on", dtype, attrs->on, on);
  if (st == TSR_OK) st = tsr__scalar_from_real(work->ctx, work->op, "off", dtype, attrs->off, off);
  if (st == TSR_OK) st = take_input(gpu, work, 0, &index, plan);
  if (st != TSR_OK || tsr_size(&out.tensor) == 0) return st;
  for (int d = last - 1; d >= 0; size *= out.tensor.shape[d--]) number[d] = size;
  classes[last] = 1;
  index.tensor.shape[last] = 1;
  index.tensor.stride[last] = 0;
  index.tensor.ndim++;
  tsr__cuda_add_view(&e, &index);
  tsr__cuda_add_position(&e, 0, classes);
  tsr__cuda_add_position(&e, 0, number);
  tsr__cuda_add_number(&e, dtype, on);
  tsr__cuda_add_number(&e, dtype, off);
  e.table.there = true;
  e.table.ref = index.ref;
  e.table.length = attrs->classes;
  e.table.argument = "index";
  e.lines.steps = 2;
  e.lines.step[0] = (tsr__cuda_line_step){.line = line,
                                          .inputs = 3,
                                          .in = {0, 1, 2},
                                          .dtype = {TSR_I64, TSR_I64, TSR_I64},
                                          .compute = TSR_I64,
                                          .result = TSR_BOOL,
                                          .out = TSR_BOOL};
  e.lines.step[1] = (tsr__cuda_line_step){.line = "a != 0 ? b : c",
                                          .inputs = 3,
                                          .in = {5, 3, 4},
                                          .dtype = {TSR_BOOL, dtype, dtype},
                                          .compute = dtype,
                                          .result = dtype,
                                          .out = dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

/* ---- by index ---- */

/* out[…] = from[… + index · step]: from over the output's shape, with the index repeated where it does not move. */
typedef struct picking {
  tsr__cuda_view out, from, index;
  int64_t step, length, padding;
  bool wraps;
  const char *argument;
} picking;

static int dtype_of_bytes(uint64_t bytes) {
  return bytes == 16 ? TSR_C128 : bytes == 8 ? TSR_U64 : bytes == 4 ? TSR_U32 : bytes == 2 ? TSR_U16 : TSR_U8;
}

/* Elements beside each other go as one where they are so in both tensors and everything is aligned to it: 16 bytes are one load. */
static void widen(picking *p) {
  const uint64_t item = tsr_dtype_size(p->out.tensor.dtype);
  tsr_tensor *const out = &p->out.tensor, *const from = &p->from.tensor, *const index = &p->index.tensor;
  const int last = out->ndim - 1;
  uint64_t unit = 16;
  p->out.tensor.dtype = p->from.tensor.dtype = (uint8_t)dtype_of_bytes(item);
  if (last < 0 || out->stride[last] != 1 || from->stride[last] != 1 || index->stride[last] != 0) return;
  uint64_t bits = (uint64_t)tsr__cuda_place_of(&p->out) | (uint64_t)tsr__cuda_place_of(&p->from) |
                  (uint64_t)out->shape[last] * item | (uint64_t)p->step * item;
  for (int d = 0; d < last; d++) bits |= (uint64_t)out->stride[d] * item | (uint64_t)from->stride[d] * item;
  while (unit > item && bits % unit != 0) unit /= 2;
  const tsr_index times = (tsr_index)(unit / item);
  if (times <= 1) return;
  out->dtype = from->dtype = (uint8_t)dtype_of_bytes(unit);
  out->shape[last] /= times;
  p->step /= times;
  for (int d = 0; d < last; d++) out->stride[d] /= times, from->stride[d] /= times;
}

static tsr_status plan_picking(tsr__cuda *gpu, tsr_ctx *ctx, picking *p, const int64_t *number, tsr__cuda_plan *plan) {
  static const char maker;
  widen(p);
  const uint8_t dtype = p->out.tensor.dtype;
  tsr__cuda_elements e = {.maker = &maker, .out = p->out};
  int64_t factor[TSR_MAX_DIMS] = {0};
  for (int d = 0; d < p->out.tensor.ndim; d++) factor[d] = p->from.tensor.stride[d];
  for (int d = 0; d < p->out.tensor.ndim; d++) p->index.tensor.shape[d] = p->out.tensor.shape[d];
  p->index.tensor.ndim = p->out.tensor.ndim;
  tsr__cuda_add_position(&e, 0, factor);
  tsr__cuda_add_view(&e, &p->index);
  tsr__cuda_add_position(&e, 0, number);
  e.table.there = true;
  e.table.wraps = p->wraps;
  e.table.ref = p->from.ref;
  e.table.step = p->step;
  e.table.length = p->length;
  e.table.padding = p->padding;
  e.table.argument = p->argument != NULL ? p->argument : "index";
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = "picked<C>(table, a, b, c)",
                                          .inputs = 3,
                                          .in = {0, 1, 2},
                                          .dtype = {TSR_I64, TSR_I64, TSR_I64},
                                          .compute = dtype,
                                          .result = dtype,
                                          .out = dtype};
  return tsr__cuda_plan_elements(gpu, ctx, &e, plan);
}

tsr_status tsr__cuda_plan_picked(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *from, const tsr__cuda_view *index,
                                 int64_t step, int64_t length, const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  picking p = {.out = *out, .from = *from, .index = *index, .step = step, .length = length, .padding = INT64_MIN};
  const int64_t number[TSR_MAX_DIMS] = {0};
  return plan_picking(gpu, ctx, &p, number, plan);
}

/* The index over the output, whose axes begin at first; and which number each of its elements has. */
static void spread_index(const tsr_tensor *index, int first, const tsr_tensor *out, tsr_tensor *wide, int64_t *number) {
  int64_t size = 1;
  *wide = *index;
  for (int d = out->ndim - 1; d >= 0; d--) {
    const int own = d - first;
    const bool has = own >= 0 && own < index->ndim, moves = has && index->shape[own] == out->shape[d];
    wide->stride[d] = moves ? index->stride[own] : 0;
    number[d] = moves ? size : 0;
    if (has) size *= index->shape[own];
  }
}

tsr_status tsr__cuda_plan_rows(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *table, const tsr__cuda_view *index,
                               const char *argument, const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  picking p = {.out = *out,
               .from = *table,
               .index = *index,
               .step = table->tensor.stride[0],
               .length = table->tensor.shape[0],
               .padding = INT64_MIN,
               .argument = argument};
  const int last = out->tensor.ndim - 1;
  int64_t number[TSR_MAX_DIMS] = {0};
  const tsr_tensor rows = table->tensor;
  for (int d = 0; d <= last; d++) p.from.tensor.stride[d] = d == last ? rows.stride[1] : 0;
  p.from.tensor.ndim = out->tensor.ndim;
  spread_index(&index->tensor, last - index->tensor.ndim, &out->tensor, &p.index.tensor, number);
  return plan_picking(gpu, ctx, &p, number, plan);
}

tsr_status tsr__cuda_plan_classes(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *x, const tsr__cuda_view *classes,
                                  int64_t ignored, const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  picking p = {.out = *out,
               .from = *x,
               .index = *classes,
               .step = x->tensor.stride[1],
               .length = x->tensor.shape[1],
               .padding = ignored,
               .argument = "classes"};
  int64_t number[TSR_MAX_DIMS] = {0};
  const tsr_tensor from = x->tensor;
  for (int d = 0; d < out->tensor.ndim; d++) p.from.tensor.stride[d] = from.stride[d == 0 ? 0 : d + 1];
  p.from.tensor.ndim = out->tensor.ndim;
  spread_index(&classes->tensor, 0, &out->tensor, &p.index.tensor, number);
  return plan_picking(gpu, ctx, &p, number, plan);
}

static tsr_status plan_take(tsr__cuda *gpu, const tsr_work *work, int axis, bool gathers, int64_t padding, bool wraps,
                            tsr__cuda_plan *plan) {
  picking p = {.out = tsr__cuda_output(work, 0), .padding = padding};
  const tsr_tensor *const in = work->in[0], *const index = work->in[1], *const out = &p.out.tensor;
  int64_t number[TSR_MAX_DIMS] = {0};
  tsr_status st = take_input(gpu, work, 0, &p.from, plan);
  if (st == TSR_OK) st = take_input(gpu, work, 1, &p.index, plan);
  if (st != TSR_OK || tsr_size(out) == 0) return st;
  const tsr_tensor from = p.from.tensor, indices = p.index.tensor;
  p.step = from.stride[axis];
  p.length = in->shape[axis];
  p.wraps = wraps && index->dtype != TSR_U64;
  for (int d = 0; d < out->ndim; d++) {
    const int own = gathers ? d : d < axis ? d : d < axis + index->ndim ? -1 : d - index->ndim + 1;
    const bool moves = own >= 0 && !(gathers && d == axis) && from.shape[own] == out->shape[d];
    p.from.tensor.stride[d] = moves ? from.stride[own] : 0;
    p.from.tensor.shape[d] = out->shape[d];
  }
  p.from.tensor.ndim = out->ndim;
  spread_index(&indices, gathers ? 0 : axis, out, &p.index.tensor, number);
  return plan_picking(gpu, work->ctx, &p, number, plan);
}

tsr_status tsr__cuda_take(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__take_attrs *const attrs = work->attrs;
  (void)op;
  return plan_take(gpu, work, axis_of(attrs->axis, work->in[0]->ndim), false, INT64_MIN, true, plan);
}
tsr_status tsr__cuda_gather(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__take_attrs *const attrs = work->attrs;
  (void)op;
  return plan_take(gpu, work, axis_of(attrs->axis, work->in[0]->ndim), true, INT64_MIN, true, plan);
}
tsr_status tsr__cuda_embedding(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__embedding_attrs *const attrs = work->attrs;
  (void)op;
  return plan_take(gpu, work, 0, false, attrs->padding < 0 ? INT64_MIN : attrs->padding, false, plan);
}

/* ---- padding ---- */

typedef struct pad_axis {
  int64_t length, step, out_step, before; /* of x, but for out_step */
  uint64_t wide;                          /* of the output */
} pad_axis;

typedef struct pad_call {
  int rank, mode;
  bool wide, dense;
  uint64_t total;
  pad_axis axis[TSR_MAX_DIMS]; /* the fastest first */
} pad_call;

typedef struct pad_narrow { /* of kernels/pad.cuh */
  uint64_t x, out, total;
  int32_t length[8], step[8], out_step[8], start[8];
  uint32_t wide[8], period[8], magic[8], shift[8], period_magic[8], period_shift[8];
  tsr__cuda_number fill;
} pad_narrow;

typedef struct pad_wide {
  uint64_t x, out, total;
  int64_t length[8], step[8], out_step[8], start[8];
  uint64_t wide[8], period[8];
  uint32_t magic[8], shift[8], period_magic[8], period_shift[8];
  tsr__cuda_number fill;
} pad_wide;

static tsr_status pad_kernel(tsr__cuda *gpu, tsr_ctx *ctx, int dtype, const pad_call *call,
                             const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)dtype;
  key.part[1] = (uint8_t)call->mode;
  key.part[2] = call->wide;
  key.part[3] = call->dense;
  key.part[4] = (uint8_t)call->rank;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(&text,
                        "#define WIDE %d\n#define MODE %d\n#define AXES %d\n#define DENSE %d\ntypedef %s_mem T;\n"
                        "typedef %s INDEX;\ntypedef %s COUNT;\ntypedef INDEX STEP;\n",
                        (int)call->wide, call->mode, call->rank, (int)call->dense, tsr__cuda_dtype(dtype),
                        call->wide ? "int64_t" : "int32_t", call->wide ? "uint64_t" : "uint32_t");
  tsr__cuda_text_expand(&text,
                        "#define LOAD TSR__LOAD_CONST\n#define STORE(p, v) (*(p) = (v))\n#include "
                        "\"cuda/kernels/pack.cuh\"\n#include \"cuda/kernels/pad.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_pad"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* Axes that grow by nothing join their neighbours. */
static void pad_axes(const tsr_tensor *in, const tsr_tensor *out, const tsr_index *before, pad_call *call) {
  for (int d = out->ndim - 1; d >= 0; d--) {
    const bool plain = in->shape[d] == out->shape[d];
    pad_axis *const last = call->rank > 0 ? &call->axis[call->rank - 1] : NULL;
    if (plain && out->shape[d] == 1) continue;
    if (last != NULL && plain && last->wide == (uint64_t)last->length && in->stride[d] == last->step * last->length &&
        out->stride[d] == last->out_step * last->length) {
      last->length *= in->shape[d];
      last->wide *= (uint64_t)in->shape[d];
      continue;
    }
    call->axis[call->rank++] =
        (pad_axis){in->shape[d], in->stride[d], out->stride[d], before[d], (uint64_t)out->shape[d]};
  }
}

/* The furthest element from the first of a tensor, in elements. */
static uint64_t reach_of(const tsr_tensor *t) {
  uint64_t reach = 0;
  for (int d = 0; d < t->ndim; d++)
    if (t->shape[d] > 1)
      reach += (uint64_t)(t->shape[d] - 1) * (uint64_t)(t->stride[d] < 0 ? -t->stride[d] : t->stride[d]);
  return reach;
}

static uint64_t period_of(const pad_axis *axis, int mode) {
  if (axis->length <= 1 || (mode != TSR_PAD_REFLECT && mode != TSR_PAD_WRAP)) return 1;
  return mode == TSR_PAD_WRAP ? (uint64_t)axis->length : 2 * (uint64_t)(axis->length - 1);
}

/* What is added to a place in the output: in modes that repeat, whole periods more, so that it is not below 0. */
static int64_t start_of(const pad_axis *axis, int mode) {
  const int64_t period = (int64_t)period_of(axis, mode);
  if (mode != TSR_PAD_REFLECT && mode != TSR_PAD_WRAP) return -axis->before;
  return axis->before <= 0 ? -axis->before : (axis->before + period - 1) / period * period - axis->before;
}

/* n / length is n·magic >> shift for every n below 2^31. */
static uint32_t magic_of(uint64_t length, uint32_t *shift) {
  unsigned log = 0;
  while (log < 32 && (uint64_t)1 << log < length) log++;
  *shift = 31 + log;
  return (uint32_t)(((uint64_t)1 << (31 + log)) / length + 1);
}

static void set_wide(const pad_call *call, pad_wide *args) {
  args->total = call->total;
  for (int d = 0; d < call->rank; d++) {
    const pad_axis *const axis = &call->axis[d];
    args->length[d] = axis->length;
    args->step[d] = axis->step;
    args->out_step[d] = axis->out_step;
    args->wide[d] = axis->wide;
    args->start[d] = start_of(axis, call->mode);
    args->period[d] = period_of(axis, call->mode);
    args->magic[d] = magic_of(axis->wide, &args->shift[d]);
    args->period_magic[d] = magic_of(args->period[d], &args->period_shift[d]);
  }
}

static void narrow_pad(const pad_wide *wide, pad_narrow *args) {
  *args = (pad_narrow){.total = wide->total, .fill = wide->fill};
  for (int d = 0; d < TSR_MAX_DIMS; d++) {
    args->length[d] = (int32_t)wide->length[d];
    args->step[d] = (int32_t)wide->step[d];
    args->out_step[d] = (int32_t)wide->out_step[d];
    args->start[d] = (int32_t)wide->start[d];
    args->wide[d] = (uint32_t)wide->wide[d];
    args->period[d] = (uint32_t)wide->period[d];
  }
  memcpy(args->magic, wide->magic, sizeof args->magic);
  memcpy(args->shift, wide->shift, sizeof args->shift);
  memcpy(args->period_magic, wide->period_magic, sizeof args->period_magic);
  memcpy(args->period_shift, wide->period_shift, sizeof args->period_shift);
}

/* Places in both tensors, and what is added to them, have 31 bits. */
static bool is_wide(const tsr_tensor *in, const tsr_tensor *out, const pad_call *call) {
  const uint64_t most = INT32_MAX / 4;
  uint64_t widest = call->total / 4;
  for (int d = 0; d < call->rank; d++) {
    const uint64_t axis = call->axis[d].wide + (uint64_t)call->axis[d].length;
    if (axis > widest) widest = axis;
  }
  return widest > most || reach_of(in) > INT32_MAX || reach_of(out) > INT32_MAX;
}

static tsr_status plan_pad(tsr__cuda *gpu, const tsr_work *work, const tsr_index *before, int mode, tsr_real value,
                           tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const tsr__cuda_kernel *kernel;
  tsr__cuda_view in;
  pad_call call = {.mode = mode, .total = (uint64_t)tsr_size(&out.tensor)};
  pad_wide wide = {.total = 0};
  pad_narrow narrow;
  tsr_status st = take_input(gpu, work, 0, &in, plan);
  if (st == TSR_OK && mode == TSR_PAD_CONSTANT)
    st = tsr__scalar_from_real(work->ctx, work->op, "value", in.tensor.dtype, value, wide.fill.bytes);
  if (st != TSR_OK || call.total == 0) return st;
  pad_axes(&in.tensor, &out.tensor, before, &call);
  call.dense = tsr_is_contiguous(&out.tensor, TSR_ROW_MAJOR);
  call.wide = is_wide(&in.tensor, &out.tensor, &call);
  st = pad_kernel(gpu, work->ctx, dtype_of_bytes(tsr_dtype_size(in.tensor.dtype)), &call, &kernel);
  if (st != TSR_OK) return st;
  set_wide(&call, &wide);
  narrow_pad(&wide, &narrow);
  const tsr__cuda_grid grid = {(unsigned)((call.total + 2047) / 2048), 1, 1};
  tsr__cuda_plan_launch(plan, kernel, grid, 256, 0, call.wide ? (const void *)&wide : &narrow,
                        call.wide ? sizeof wide : sizeof narrow);
  const bool none = tsr_size(&in.tensor) == 0; /* then nothing of x counts, and something is read all the same */
  tsr__cuda_plan_address(plan, offsetof(pad_wide, x), none ? out.ref : in.ref);
  tsr__cuda_plan_address(plan, offsetof(pad_wide, out), out.ref);
  return TSR_OK;
}

tsr_status tsr__cuda_pad(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__pad_attrs *const attrs = work->attrs;
  (void)op;
  return plan_pad(gpu, work, attrs->before, (int)attrs->mode, attrs->value, plan);
}
tsr_status tsr__cuda_pad_2d(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__pad_2d_attrs *const attrs = work->attrs;
  const int last = work->in[0]->ndim - 1;
  tsr_index before[TSR_MAX_DIMS] = {0};
  (void)op;
  before[last - 1] = attrs->up;
  before[last] = attrs->left;
  return plan_pad(gpu, work, before, 0, attrs->value, plan);
}
