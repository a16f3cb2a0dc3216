/* Whether a struct is a layer. */
#include "nn/quant/layer/layer.h"

#include "core/tensor.h"
#include "nn/quant/fast/panels.h"
#include "nn/quant/ops.h"

/* Plain kernels have no panels, and no width of them. */
static bool is_kernel(uint8_t number) {
  const int kernel = tsr__layout_kernel(number);
  return number == TSR__Q_KERNEL_PLAIN || (kernel != TSR__Q_KERNEL_PLAIN && kernel < TSR__Q_KERNELS);
}

static tsr_status check_numbers(tsr_ctx *ctx, const char *op, const tsr_qlayer *l) {
  if (l->w.dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, "layer", "is empty");
  if (!tsr__quant_is_small(l->x_dtype) || !tsr__quant_is_small(l->out_dtype) || !is_kernel(l->kernel))
    return TSR__FAIL(ctx, TSR_ESTATE, op, "layer", "is for x of %y, results of %y, kernel %d: that is none",
                     (int)l->x_dtype, (int)l->out_dtype, (int)l->kernel);
  if (l->low > l->high || !tsr__quant_has(l->out_dtype, l->low) || !tsr__quant_has(l->out_dtype, l->high) ||
      !tsr__quant_has(l->x_dtype, l->x_zero) || !tsr__quant_has(l->out_dtype, l->out_zero))
    return TSR__FAIL(ctx, TSR_ESTATE, op, "layer", "has bounds or zero points that its dtypes do not have");
  return TSR_OK;
}

/* Its tensors among the inputs: as in ops.def. */
enum { X, W, TABLE, PANELS };

tsr_status tsr__q_run_table(const tsr__call *call, tsr_index outputs, const int32_t *table, tsr__q_run *run) {
  const int32_t *const multiplier = table + TSR__Q_MULTIPLIER * outputs, *const shift = table + TSR__Q_SHIFT * outputs;
  const int32_t *const zero = table + TSR__Q_W_ZERO * outputs;
  uint32_t least = TSR__FIXED_HIGH, most = 0;
  int32_t any = 0;
  for (int k = 0; k < TSR__Q_TABLE_ROWS; k++) run->table[k] = table + k * outputs;
  for (tsr_index o = 0; o < outputs; o++) {
    const uint32_t down = (uint32_t)shift[o];
    if (down > 62 || multiplier[o] < 0 || (uint32_t)zero[o] + 128 > 255)
      return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "table",
                       "has a shift, multiplier or zero point that is none, output %l", (int64_t)o);
    if (down < least) least = down;
    if (down > most) most = down;
    any |= zero[o];
  }
  run->high = least == TSR__FIXED_HIGH;
  run->short_ends = run->high && most <= TSR__Q_SHORT_SHIFT && run->layer->out_dtype != TSR_I16;
  run->asymmetric = any != 0;
  return TSR_OK;
}

/* It is read here where the host computes: no temporary memory of hosts depends on what it says. */
static tsr_status check_table(const tsr__call *call, tsr_index outputs, tsr__q_run *run) {
  const tsr_tensor *const t = call->in[TABLE];
  if (t == NULL) return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "table", "is empty");
  if (t->dtype != TSR_I32 || t->ndim != 2 || t->shape[0] != TSR__Q_TABLE_ROWS || t->shape[1] != outputs ||
      (outputs > 1 && t->stride[1] != 1) || (outputs > 0 && t->stride[0] != outputs))
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "table", "is %t, not contiguous i32 [4,%l]", t, (int64_t)outputs);
  return TSR_HAVE_OPS && call->device != NULL ? TSR_OK : tsr__q_run_table(call, outputs, t->data, run);
}

/* Which kernel reads the weights. */
static tsr_status find_kernel(const tsr__call *call, tsr__q_run *run) {
  const tsr_qlayer *const l = run->layer;
  run->kernel = (tsr__q_kernel)tsr__layout_kernel(l->kernel);
  if (run->kernel == TSR__Q_KERNEL_PLAIN) return TSR_OK;
#if TSR__Q_FAST
  const tsr_status st = tsr__isa_find(call->ctx, call->op, "layer", l->isa, &run->isa);
  if (st != TSR_OK) return st;
  if (run->kernel == TSR__Q_KERNEL_BYTES && !tsr__q_panels_have_bytes(run->isa))
    return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, "layer",
                     "was packed for byte dots, which %s does not have on this machine; pack it again",
                     tsr__isa_rows[run->isa].name);
  if (l->kernel != tsr__q_panels_number(run->kernel, run->isa))
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "panels", "are not as wide as those of %s",
                     tsr__isa_rows[run->isa].name);
  return TSR_OK;
#else
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, "layer",
                   "has panels, which this build does not read; it takes kernel 0");
#endif
}

/* Where the kernel finds its weights. */
static tsr_status check_weights(const tsr__call *call, const tsr__q_filters *f, tsr__q_run *run) {
  const tsr_tensor *const p = call->in[PANELS];
  const tsr__q_kernel kernel = run->kernel;
  if (p == NULL) {
    run->w = call->in[W]->data;
    if (kernel == TSR__Q_KERNEL_PLAIN && tsr__q_filters_are_plain(f, run->layer->w.dtype)) return TSR_OK;
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "panels", "is empty");
  }
  const size_t bytes = tsr__q_weight_bytes(kernel, run->isa, f);
  if (p->dtype != TSR_U8 || p->ndim != 1 || (size_t)p->shape[0] != bytes || (bytes > 1 && p->stride[0] != 1) ||
      (kernel != TSR__Q_KERNEL_PLAIN && ((uintptr_t)p->data % TSR_DATA_ALIGN != 0 || f->depthwise)))
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "panels", "are not what this library makes of %t on this machine",
                     &run->layer->w);
  run->w = p->data;
  return TSR_OK;
}

/* That it is for x. */
static tsr_status check_x(const tsr__call *call, int ndim, const tsr_qlayer *layer) {
  if (layer->w.ndim != ndim)
    return TSR__FAIL(call->ctx, TSR_ESTATE, call->op, "layer", "is %s: its weights are %t",
                     ndim == 2 ? "a convolution" : "dense", &layer->w);
  if (call->in[X]->dtype != layer->x_dtype)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %t, the layer is for %y", call->in[X],
                     (int)layer->x_dtype);
  return TSR_OK;
}

tsr_status tsr__q_run_init(const tsr__call *call, int ndim, tsr__q_filters *f, tsr__q_run *run) {
  const tsr_qlayer *const layer = ((const tsr__qconv2d_attrs *)call->attrs)->layer;
  run->layer = layer; /* not the whole struct: small machines clear memory byte by byte */
  run->isa = 0;
  run->high = run->short_ends = run->asymmetric = false;
  tsr_status st = check_numbers(call->ctx, call->op, layer);
  if (st == TSR_OK) st = tsr__check_desc(call->ctx, call->op, layer->w.dtype, layer->w.ndim, layer->w.shape);
  if (st == TSR_OK) st = tsr__q_filters_init(call->ctx, call->op, &layer->w, &layer->options, f);
  if (st == TSR_OK) st = check_table(call, f->o, run);
  if (st == TSR_OK) st = find_kernel(call, run);
  if (st == TSR_OK) st = check_weights(call, f, run);
  if (st != TSR_OK) return st;
  run->depthwise = f->depthwise;
  return check_x(call, ndim, layer);
}

static const tsr_tensor *part_of(const tsr_tensor *t) { return t->dtype != TSR_NONE ? t : NULL; }

/* Weights are an operand where they are read. */
tsr_status tsr__q_layer_call(tsr_ctx *ctx, const tsr__op_info *info, const tsr_tensor *x, const tsr_qlayer *layer,
                             tsr_tensor *out) {
  if (layer == NULL) return TSR__FAIL(ctx, TSR_EARG, info->name, "layer", "is NULL");
  const tsr_tensor *const panels = part_of(&layer->panels);
  return tsr__call_op(ctx, info, &(tsr__qconv2d_attrs){.layer = layer},
                      TSR__INPUTS(x, panels == NULL ? part_of(&layer->w) : NULL, part_of(&layer->table), panels),
                      TSR__OUTPUTS(out));
}
