/* Embedding lookup: a row of the table to each index of the output. */
#include "cpu/move.h"
#include "cpu/parallel.h"
#include "nn/embedding/ops.h"
#include "nn/lines.h"
#include "nn/number.h"
#include "ops/move/target.h"

static tsr_status check_lookup(tsr_ctx *ctx, const char *op, const tsr_tensor *table, const tsr_tensor *index,
                               int64_t padding) {
  const tsr_status st = tsr__number_check_dtype(ctx, op, "index", index);
  if (st != TSR_OK) return st;
  if (table->ndim != 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "table", "is %t; it takes [V,D]", table);
  if (index->ndim + 1 > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t: the result would have rank %d", index, index->ndim + 1);
  if (padding >= table->shape[0])
    return TSR__FAIL(ctx, TSR_EARG, op, "padding", "is %l, the table %t has %l rows", padding, table,
                     (int64_t)table->shape[0]);
  return TSR_OK;
}

typedef struct picking {
  tsr__lines lines; /* the index, the output */
  int dtype;        /* of the index */
  const char *table;
  ptrdiff_t row, step, out_step; /* bytes */
  tsr_index width;
  size_t item;
  int64_t padding;
} picking;

static void pick_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  static const unsigned char zero[16] = {0};
  const picking *const p = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++) {
    const int64_t number = tsr__number_at(p->dtype, tsr__lines_at(&p->lines, 0, i));
    const bool padding = number == p->padding;
    const char *from = padding ? (const char *)zero : p->table + p->row * (ptrdiff_t)number;
    tsr__move_row(p->item, p->width, from, padding ? 0 : p->step, tsr__lines_at(&p->lines, 1, i), p->out_step);
  }
}

static void look_up(const tsr_ctx *ctx, const tsr_tensor *table, const tsr_tensor *index, int64_t padding,
                    const tsr_tensor *out) {
  const ptrdiff_t item = tsr__item(table);
  const int last = out->ndim - 1;
  picking p = {.dtype = index->dtype,
               .table = table->data,
               .row = (ptrdiff_t)table->stride[0] * item,
               .step = (ptrdiff_t)table->stride[1] * item,
               .out_step = (ptrdiff_t)out->stride[last] * item,
               .width = table->shape[1],
               .item = (size_t)item,
               .padding = padding < 0 ? -1 : padding};
  tsr__lines_init(&p.lines, index->ndim, index->shape);
  tsr__lines_add(&p.lines, index, 0);
  tsr__lines_add(&p.lines, out, 0);
  tsr__lines_merge(&p.lines);
  tsr__parallel_for(ctx, p.lines.count, TSR__COPY_GRAIN_BYTES / (p.width * (tsr_index)item) + 1, pick_rows, &p);
}

static tsr_status embedding(tsr__call *call) {
  const tsr__embedding_attrs *const attrs = call->attrs;
  const tsr_tensor *const table = call->in[0], *const index = call->in[1];
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  tsr_status st = check_lookup(call->ctx, call->op, table, index, attrs->padding);
  if (st != TSR_OK) return st;
  for (int i = 0; i < index->ndim; i++) shape[i] = index->shape[i];
  shape[index->ndim] = table->shape[1];
  const tsr__result result = {table->dtype, TSR_PLAIN, index->ndim + 1, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st == TSR_OK) st = tsr__number_check(call->ctx, call->op, "index", index, table->shape[0], "rows of the table");
  if (st != TSR_OK) return st;
  if (target.bytes > 0) look_up(call->ctx, table, index, attrs->padding, &target.view);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(embedding, embedding, 0)
tsr_status tsr_embedding(tsr_ctx *ctx, const tsr_tensor *table, const tsr_tensor *index, int64_t padding,
                         tsr_tensor *out) {
  return TSR__CALL(embedding, ctx, TSR__INPUTS(table, index), TSR__OUTPUTS(out), .padding = padding);
}
