/* Products of quantised matrices: b becomes the weights of a dense layer, in temporary memory. */
#include "core/tensor.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"
#include "ops/elementwise/elementwise.h"
#include "ops/move/target.h"

#include "nn/lines.h"

/* One call: batches of [M,K] by [K,N]. */
typedef struct product {
  const char *op;
  const tsr_tensor *a, *b;
  tsr_qscheme scheme;
  tsr_index shape[TSR_MAX_DIMS]; /* of the result */
  int ndim;
  tsr_tensor transposed; /* b's first matrix as [N,K] */
  tsr__q_packing packing;
} product;

static tsr_status check_shapes(tsr_ctx *ctx, product *p) {
  const tsr_tensor *const a = p->a, *const b = p->b;
  static const char *const names[] = {"a", "b"};
  if (a->ndim < 2 || b->ndim < 2)
    return TSR__FAIL(ctx, TSR_ESHAPE, p->op, a->ndim < 2 ? "a" : "b", "is %t: it takes matrices", a->ndim < 2 ? a : b);
  const tsr_index k = a->shape[a->ndim - 1];
  if (k != b->shape[b->ndim - 2])
    return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "b", "is %t, a is %t: %l columns by %l rows", b, a, (int64_t)k,
                     (int64_t)b->shape[b->ndim - 2]);
  tsr_tensor batch_a = *a, batch_b = *b;
  batch_a.ndim = (uint8_t)(a->ndim - 2);
  batch_b.ndim = (uint8_t)(b->ndim - 2);
  const tsr_tensor *const in[] = {&batch_a, &batch_b};
  const tsr_status st = tsr__broadcast_shape(ctx, p->op, 2, in, names, &p->ndim, p->shape);
  if (st != TSR_OK) return st;
  p->shape[p->ndim++] = a->shape[a->ndim - 2];
  p->shape[p->ndim++] = b->shape[b->ndim - 1];
  return TSR_OK;
}

/* Sums of any such numbers stay in i32: TSR_EOVERFLOW. */
static tsr_status check_sums(tsr_ctx *ctx, const product *p) {
  const tsr_index k = p->a->shape[p->a->ndim - 1];
  if (k <= TSR__QUANT_SUM_MAX / (255 * 255)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EOVERFLOW, p->op, "a", "is %t: sums of %l products can leave 32 bits", p->a, (int64_t)k);
}

static tsr_status check_b(tsr_ctx *ctx, product *p, const tsr_quant *b_quant) {
  int axis;
  tsr_status st = tsr__quant_check(ctx, p->op, "b_quant", b_quant, TSR__Q_BYTES);
  if (st == TSR_OK) st = tsr__quant_axis(ctx, p->op, "b_quant", b_quant, p->b, &axis);
  if (st != TSR_OK) return st;
  if (axis >= 0 && axis != p->b->ndim - 1)
    return TSR__FAIL(ctx, TSR_EAXIS, p->op, "b_quant", "has scales along axis %d of %t, not the last", axis, p->b);
  p->scheme.w = *b_quant;
  p->scheme.w.axis = 0;
  return TSR_OK;
}

static tsr_status check_qmatmul(tsr_ctx *ctx, product *p, const tsr_quant *a_quant, const tsr_quant *b_quant,
                                const tsr_quant *out_quant) {
  tsr_status st = check_shapes(ctx, p);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, p->op, "a_quant", a_quant, TSR__Q_BYTES);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, p->op, "out_quant", out_quant, TSR__Q_SMALL);
  if (st == TSR_OK) st = check_b(ctx, p, b_quant);
  if (st == TSR_OK) st = check_sums(ctx, p);
  if (st == TSR_OK) st = tsr__quant_check_dtype(ctx, p->op, "a", p->a, "a_quant", a_quant);
  if (st == TSR_OK) st = tsr__quant_check_dtype(ctx, p->op, "b", p->b, "b_quant", b_quant);
  if (st != TSR_OK) return st;
  p->scheme.x = *a_quant;
  p->scheme.out = *out_quant;
  return TSR_OK;
}

/* b's first matrix as weights, and how they will be packed. */
static tsr_status plan_product(tsr_ctx *ctx, product *p) {
  const tsr_tensor *const b = p->b;
  p->transposed = (tsr_tensor){.dtype = b->dtype, .ndim = 2, .data = b->data};
  for (int i = 0; i < 2; i++) {
    p->transposed.shape[i] = b->shape[b->ndim - 1 - i];
    p->transposed.stride[i] = b->stride[b->ndim - 1 - i];
  }
  p->packing = (tsr__q_packing){.op = p->op, .w = &p->transposed, .scheme = &p->scheme};
  return tsr__q_packing_plan(ctx, &p->packing);
}

/* Whether every column has its ratio of scales; that sums fit is known. */
static tsr_status check_ratios(tsr_ctx *ctx, const product *p) {
  const tsr_qscheme *const s = &p->scheme;
  const tsr_index count = s->w.scales != NULL ? s->w.count : p->transposed.shape[0] > 0;
  tsr__fixed f;
  tsr_status st = TSR_OK;
  for (tsr_index o = 0; o < count && st == TSR_OK; o++)
    st = tsr__fixed_check(ctx, p->op, "scheme", s->x.scale, tsr__quant_scale(&s->w, o), s->out.scale, &f);
  return st;
}

/* Temporary memory of a call. */
typedef struct memory {
  void *table, *panels;
} memory;

static void bind(const tsr__call *call, const product *p, tsr_qlayer *layer, tsr__q_run *run) {
  const tsr_tensor *const a = p->a;
  tsr__q_packing_layer(&p->packing, layer);
  *run = (tsr__q_run){.layer = layer, .kernel = p->packing.kernel, .isa = p->packing.isa};
  tsr__q_run_rows(call, p->shape[p->ndim - 2], p->transposed.shape[1], p->transposed.shape[0], run);
  run->xs[0] = (ptrdiff_t)a->stride[a->ndim - 2];
  run->xs[1] = (ptrdiff_t)a->stride[a->ndim - 1];
}

/* Memory for a packed matrix, its table, and the run. */
static tsr_status get_memory(tsr__call *call, const product *p, tsr__q_run *run, memory *m) {
  const size_t n = (size_t)p->transposed.shape[0];
  const bool plain = p->packing.kernel == TSR__Q_KERNEL_PLAIN;
  void *scratch;
  tsr_status st = tsr__call_scratch(call, n * TSR__Q_TABLE_ROWS * sizeof(int32_t), &m->table);
  if (st == TSR_OK)
    st = tsr__call_scratch(call, plain ? n * (size_t)p->transposed.shape[1] : p->packing.bytes, &m->panels);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr__q_run_scratch(call->ctx, run), &scratch);
  if (st != TSR_OK) return st;
  run->scratch = scratch;
  run->w = m->panels;
  return TSR_OK;
}

/* Packs the matrix at data. Cannot fail: the sums fit, and so did the scales. */
static void take_matrix(const tsr__call *call, product *p, char *data, const memory *m, tsr__q_run *run) {
  p->transposed.data = data;
  (void)tsr__q_table(call->ctx, &p->packing, m->table);
  tsr__q_packing_weights(&p->packing, m->table, m->panels);
  (void)tsr__q_run_table(call, p->transposed.shape[0], m->table, run);
}

/* A tensor without its last two axes, in the shape of the batch. */
static tsr_tensor batches_of(const product *p, const tsr_tensor *t) {
  tsr_tensor view = *t;
  const int axes = p->ndim - 2, own = t->ndim - 2;
  for (int i = 0; i < axes; i++) {
    const int at = i - (axes - own);
    view.shape[i] = p->shape[i];
    view.stride[i] = at >= 0 && t->shape[at] == p->shape[i] ? t->stride[at] : 0;
  }
  view.ndim = (uint8_t)axes;
  return view;
}

static void run_batches(const tsr__call *call, product *p, const tsr_tensor *out, const memory *m, tsr__q_run *run) {
  const tsr_tensor a = batches_of(p, p->a), b = batches_of(p, p->b), to = batches_of(p, out);
  const tsr_tensor *const operands[] = {&a, &b, &to};
  tsr__lines batches;
  const char *packed = NULL;
  tsr__lines_init(&batches, p->ndim - 2, p->shape);
  for (int i = 0; i < 3; i++) tsr__lines_add(&batches, operands[i], 0);
  run->os[0] = (ptrdiff_t)out->stride[p->ndim - 2] * tsr__item(out);
  run->os[1] = (ptrdiff_t)out->stride[p->ndim - 1] * tsr__item(out);
  for (tsr_index i = 0; i < batches.count; i++) {
    char *const matrix = tsr__lines_at(&batches, 1, i);
    run->x = tsr__lines_at(&batches, 0, i);
    run->out = tsr__lines_at(&batches, 2, i);
    if (matrix != packed || i == 0) take_matrix(call, p, matrix, m, run);
    packed = matrix;
    tsr__q_run_all(call->ctx, run);
  }
}

static tsr_status qmatmul(tsr__call *call) {
  const tsr__qmatmul_attrs *const attrs = call->attrs;
  product p = {.op = call->op, .a = call->in[0], .b = call->in[1]};
  memory m;
  tsr_qlayer layer = {0};
  tsr__q_run run;
  tsr__target target;
  tsr_status st = check_qmatmul(call->ctx, &p, attrs->a_quant, attrs->b_quant, attrs->out_quant);
  if (st == TSR_OK) st = plan_product(call->ctx, &p);
  if (st == TSR_OK) st = check_ratios(call->ctx, &p);
  if (st != TSR_OK) return st;
  const tsr__result result = {attrs->out_quant->dtype, TSR_PLAIN, p.ndim, p.shape, NULL};
  bind(call, &p, &layer, &run);
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = get_memory(call, &p, &run, &m);
  if (st == TSR_OK) st = tsr__call_target_of(call, result.dtype, tsr__call_overlaps(call), &target);
  if (st != TSR_OK) return st;
  if (target.bytes > 0) run_batches(call, &p, &target.view, &m, &run);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(qmatmul, qmatmul, 0)
tsr_status tsr_qmatmul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant, const tsr_tensor *b,
                       const tsr_quant *b_quant, const tsr_quant *out_quant, tsr_tensor *out) {
  return TSR__CALL(qmatmul, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .a_quant = a_quant, .b_quant = b_quant,
                   .out_quant = out_quant);
}
