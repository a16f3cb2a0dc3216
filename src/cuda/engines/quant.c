/* Quantised numbers, element by element: lines of kernels/quant.cuh. */
#include "cuda/engines/engines.h"

#include "nn/quant/ops.h"
#include "nn/quant/quant.h"

#include <stdlib.h>
#include <string.h>

#if TSR__ROUND_TWICE
#define TWICE "#define ROUND_TWICE 1\n"
#else
#define TWICE "#define ROUND_TWICE 0\n"
#endif

/* What a line needs before it, by the dtype of its result. */
static const char *needs_of(int dtype) {
#define RANGE(low, high) TWICE "#define LOW " #low "\n#define HIGH " #high "\n#include \"cuda/kernels/quant.cuh\"\n"
  return dtype == TSR_U8 ? RANGE(0, 255) : dtype == TSR_I16 ? RANGE((-32768), 32767) : RANGE((-128), 127);
}

static tsr_status plan_line(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_elements *e, const char *line,
                            const uint8_t *dtypes, int compute, int result, tsr__cuda_plan *plan) {
  tsr__cuda_line_step *const step = &e->lines.step[0];
  *step = (tsr__cuda_line_step){.line = line,
                                .needs = needs_of(e->out.tensor.dtype),
                                .inputs = (uint8_t)e->lines.inputs,
                                .in = {0, 1, 2, 3},
                                .compute = (uint8_t)compute,
                                .result = (uint8_t)result,
                                .out = e->out.tensor.dtype};
  memcpy(step->dtype, dtypes, sizeof step->dtype);
  e->lines.steps = 1;
  return tsr__cuda_plan_elements(gpu, work->ctx, e, plan);
}

/* ---- what belongs to channels ---- */

/* A number of dtype for each of count channels: by value where there is one, else as memory along an axis of x. */
static void add_channels(tsr__cuda_elements *e, int dtype, int axis, const tsr_tensor *x, tsr_index count,
                         const void *numbers, tsr__cuda_plan *plan) {
  const size_t item = tsr_dtype_size(dtype);
  if (axis < 0) {
    tsr__cuda_add_number(e, dtype, numbers);
    return;
  }
  tsr__cuda_view v = {.tensor = {.dtype = (uint8_t)dtype, .ndim = x->ndim}};
  for (int d = 0; d < x->ndim; d++) v.tensor.shape[d] = d == axis ? count : 1;
  v.tensor.stride[axis] = count > 1;
  v.ref = tsr__cuda_scratch(tsr__cuda_plan_constant(plan, numbers, (size_t)count * item));
  tsr__cuda_add_view(e, &v);
}

static int64_t both(int64_t high, int64_t low) {
  return (int64_t)((uint64_t)high << 32 | ((uint64_t)low & 0xffffffffu));
}

/* Numbers of channels for a call; NULL: no memory. */
static void *room_for(tsr_ctx *ctx, const char *op, tsr_index count, size_t item) {
  void *const room = calloc((size_t)count, item);
  if (room == NULL)
    (void)TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for the numbers of %l channels", (int64_t)count);
  return room;
}

/* Scales and zero points of quant along its axis. */
static tsr_status plan_scaled(tsr__cuda *gpu, const tsr_work *work, const tsr_quant *quant, bool back,
                              tsr__cuda_plan *plan) {
  static const char makers[2];
  const tsr_tensor *const x = work->in[0];
  const tsr__cuda_view in = tsr__cuda_input(work, 0);
  tsr__cuda_elements e = {.maker = &makers[back], .out = tsr__cuda_output(work, 0)};
  int axis;
  tsr_status st = tsr__quant_axis(work->ctx, work->op, "quant", quant, x, &axis);
  if (st != TSR_OK || tsr_size(x) == 0) return st;
  const tsr_index count = axis >= 0 ? x->shape[axis] : 1;
  char *const room = room_for(work->ctx, work->op, count, 8);
  if (room == NULL) return TSR_ENOMEM;
  float *const scales = (float *)(void *)room;
  int32_t *const zeros = (int32_t *)(void *)(room + (size_t)count * 4);
  for (tsr_index c = 0; c < count; c++) scales[c] = tsr__quant_scale(quant, c), zeros[c] = tsr__quant_zero(quant, c);
  tsr__cuda_add_view(&e, &in);
  add_channels(&e, TSR_F32, axis, x, count, scales, plan);
  add_channels(&e, TSR_I32, axis, x, count, zeros, plan);
  free(room);
  const uint8_t dtypes[] = {back ? TSR_I32 : TSR_F32, TSR_F32, TSR_I32, 0};
  return plan_line(gpu, work, &e, back ? "(float)(a - c) * b" : "quantized(a, b, c)", dtypes, TSR_F32,
                   back ? TSR_F32 : TSR_I32, plan);
}

tsr_status tsr__cuda_quantize(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__quantize_attrs *const attrs = work->attrs;
  (void)op;
  return plan_scaled(gpu, work, attrs->quant, false, plan);
}
tsr_status tsr__cuda_dequantize(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__dequantize_attrs *const attrs = work->attrs;
  (void)op;
  return plan_scaled(gpu, work, attrs->quant, true, plan);
}

static int64_t ratio_of(float a, float b, float c) {
  tsr__fixed f = {0, 0};
  (void)tsr__fixed_ratio(a, b, c, &f); /* it has been checked */
  return both(f.multiplier, f.shift);
}

tsr_status tsr__cuda_requantize(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__requantize_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  const tsr__cuda_view in = tsr__cuda_input(work, 0);
  tsr__cuda_elements e = {.maker = op, .out = tsr__cuda_output(work, 0)};
  int axis, to_axis;
  tsr_status st = tsr__quant_axis(work->ctx, work->op, "from", attrs->from, x, &axis);
  if (st == TSR_OK) st = tsr__quant_axis(work->ctx, work->op, "to", attrs->to, x, &to_axis);
  if (st != TSR_OK || tsr_size(x) == 0) return st;
  if (axis < 0) axis = to_axis;
  const tsr_index count = axis >= 0 ? x->shape[axis] : 1;
  int64_t *const ratios = room_for(work->ctx, work->op, count, 16);
  if (ratios == NULL) return TSR_ENOMEM;
  int64_t *const zeros = ratios + count;
  for (tsr_index c = 0; c < count; c++) {
    ratios[c] = ratio_of(tsr__quant_scale(attrs->from, c), 1, tsr__quant_scale(attrs->to, c));
    zeros[c] = both(tsr__quant_zero(attrs->to, c), tsr__quant_zero(attrs->from, c));
  }
  tsr__cuda_add_view(&e, &in);
  add_channels(&e, TSR_I64, axis, x, count, ratios, plan);
  add_channels(&e, TSR_I64, axis, x, count, zeros, plan);
  free(ratios);
  const uint8_t dtypes[] = {TSR_I32, TSR_I64, TSR_I64, 0};
  return plan_line(gpu, work, &e, "requantized(a, b, c)", dtypes, TSR_I32, TSR_I32, plan);
}

tsr_status tsr__cuda_qbias(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr_qscheme *const scheme = ((const tsr__qbias_attrs *)work->attrs)->scheme;
  const tsr_tensor *const bias = work->in[0];
  const tsr_index count = scheme->w.scales != NULL ? bias->shape[0] : 1;
  const tsr__cuda_view in = tsr__cuda_input(work, 0);
  tsr__cuda_elements e = {.maker = op, .out = tsr__cuda_output(work, 0)};
  if (tsr_size(bias) == 0) return TSR_OK;
  float *const units = room_for(work->ctx, work->op, count, sizeof *units);
  if (units == NULL) return TSR_ENOMEM;
  for (tsr_index o = 0; o < count; o++) units[o] = scheme->x.scale * tsr__quant_scale(&scheme->w, o);
  tsr__cuda_add_view(&e, &in);
  add_channels(&e, TSR_F32, scheme->w.scales != NULL ? 0 : -1, bias, count, units, plan);
  free(units);
  const uint8_t dtypes[] = {TSR_F32, TSR_F32, 0, 0};
  return plan_line(gpu, work, &e, "in_units(a, b)", dtypes, TSR_F32, TSR_I32, plan);
}

/* ---- two tensors ---- */

/* Two ratios over one power of two, as nn/quant/element/add.c has them: the greater one keeps its 31 bits. */
static int64_t multipliers_of(const tsr__qadd_attrs *a, int *shift) {
  tsr__fixed x = {0, 0}, y = {0, 0};
  (void)tsr__fixed_ratio(a->a_quant->scale, 1, a->out_quant->scale, &x);
  (void)tsr__fixed_ratio(a->b_quant->scale, 1, a->out_quant->scale, &y);
  *shift = x.shift < y.shift ? x.shift : y.shift;
  const int dx = x.shift - *shift, dy = y.shift - *shift;
  const int64_t low = ((int64_t)x.multiplier + (((int64_t)1 << dx) >> 1)) >> dx,
                high = ((int64_t)y.multiplier + (((int64_t)1 << dy) >> 1)) >> dy;
  return both(high, low);
}

static tsr_status plan_two(tsr__cuda *gpu, const tsr_work *work, bool product, tsr__cuda_plan *plan) {
  static const char makers[2];
  const tsr__qadd_attrs *const attrs = work->attrs;
  tsr__cuda_elements e = {.maker = &makers[product], .out = tsr__cuda_output(work, 0)};
  int shift = 0;
  if (TSR__ROUND_TWICE && !product)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, NULL, "sums that are rounded twice are the host's");
  const int64_t ratio = product ? ratio_of(attrs->a_quant->scale, attrs->b_quant->scale, attrs->out_quant->scale)
                                : multipliers_of(attrs, &shift);
  const uint64_t a = (uint16_t)attrs->a_quant->zero, b = (uint16_t)attrs->b_quant->zero,
                 zero = (uint16_t)attrs->out_quant->zero;
  const uint64_t zeros = a | b << 16 | zero << 32 | (uint64_t)shift << 48;
  if (tsr_size(&e.out.tensor) == 0) return TSR_OK;
  for (int i = 0; i < 2; i++) tsr__cuda_add_input(&e, work, i);
  tsr__cuda_add_number(&e, TSR_I64, &ratio);
  tsr__cuda_add_number(&e, TSR_I64, &zeros);
  const uint8_t dtypes[] = {TSR_I32, TSR_I32, TSR_I64, TSR_I64};
  return plan_line(gpu, work, &e, product ? "product_of(a, b, c, p)" : "sum_of(a, b, c, p)", dtypes, TSR_I32, TSR_I32,
                   plan);
}

tsr_status tsr__cuda_qadd(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_two(gpu, work, false, plan);
}
tsr_status tsr__cuda_qmul(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_two(gpu, work, true, plan);
}
