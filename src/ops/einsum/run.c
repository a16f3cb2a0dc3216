/* The order of a call: the result, copies of operands that need one, sums, products of two until one is left. */
#include <tessera/binary.h>
#include "ops/copy/copy.h"
#include "ops/einsum/einsum.h"

void tsr__einsum_init(const tsr__call *call, int terms, tsr__einsum *e) {
  e->op = call->op;
  e->terms = terms;
  e->empty = false;
  for (int l = 0; l < TSR__LABELS; l++) e->size[l] = 1;
}

/* ---- dtypes ---- */

static int class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }

tsr_status tsr__einsum_settle(tsr_ctx *ctx, tsr__einsum *e) {
  int dtype = e->term[0].t.dtype;
  for (int k = 0; k < e->terms; k++) {
    const int own = e->term[k].t.dtype;
    if (!tsr_dtype_supported(own))
      return TSR__FAIL(ctx, TSR_EDTYPE, e->op, NULL, "operand %d is %y, which this build does not compute with", k,
                       own);
    dtype = tsr_dtype_promote(dtype, own);
  }
  e->dtype = dtype;
  e->work = class_of(dtype) == TSR_CLASS_FLOAT && tsr_dtype_size(dtype) < 4 ? TSR_F32 : dtype;
  e->wanted = 0;
  for (int i = 0; i < e->ndim; i++) {
    e->shape[i] = e->size[e->label[i]];
    if (e->shape[i] != 1) e->wanted |= tsr__label_bit(e->label[i]);
  }
  return TSR_OK;
}

/* What a term is converted to before anything else: integers beside floats become floats. Products read narrower floats
 * and integers as they are; sums of narrower floats would be narrower too. */
static int term_dtype(const tsr__einsum *e, const tsr__term *x, bool summed) {
  const int own = x->t.dtype, part = tsr__part_dtype(own), wide = tsr__part_dtype(e->work);
  if (class_of(wide) != TSR_CLASS_FLOAT) return own;
  const bool narrow = summed && wide == TSR_F64 && part != wide;
  return narrow || class_of(part) != TSR_CLASS_FLOAT ? tsr__work_of(e, tsr__is_complex(own)) : own;
}

/* ---- terms ---- */

/* The labels that only term k has, and that the result does not want. */
static tsr__labels alone(const tsr__einsum *e, const tsr__labels *have, int k) {
  tsr__labels wanted = e->wanted;
  for (int i = 0; i < e->terms; i++)
    if (i != k) wanted |= have[i];
  return have[k] & ~wanted;
}

static tsr_status sum_alone(tsr_ctx *ctx, const tsr__einsum *e, tsr__labels labels, tsr__term *x) {
  uint8_t label[TSR_MAX_DIMS];
  tsr__term sums;
  int n = 0;
  for (int i = 0; i < x->t.ndim; i++)
    if ((labels & tsr__label_bit(x->label[i])) == 0) label[n++] = x->label[i];
  tsr_status st = tsr__term_new(ctx, e, tsr__work_of(e, tsr__is_complex(x->t.dtype)), n, label, &sums);
  if (st == TSR_OK) st = tsr__einsum_sum(ctx, e, x, &sums);
  sums.conjugate = x->conjugate;
  if (st == TSR_OK) *x = sums;
  return st;
}

/* Terms that the output overlaps, or that need another dtype, are copied; what is in one of several only is summed. */
static tsr_status prepare_terms(tsr_ctx *ctx, tsr__einsum *e, const tsr_tensor *out, tsr__labels *have) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < e->terms; k++) have[k] = tsr__term_labels(&e->term[k]);
  for (int k = 0; k < e->terms && st == TSR_OK; k++) {
    tsr__term *const x = &e->term[k];
    const tsr__labels own = e->terms > 1 ? alone(e, have, k) : 0;
    const int dtype = term_dtype(e, x, own != 0);
    if (dtype != x->t.dtype || (own == 0 && tsr__overlap(&x->t, out)))
      st = tsr__term_copy(ctx, e, x, dtype, x->label, x);
    if (st == TSR_OK && own != 0) st = sum_alone(ctx, e, own, x);
    have[k] &= ~own;
  }
  return st;
}

/* ---- products ---- */

/* The labels of an intermediate: those of both first, so that they are batches; then those of x, then those of y. */
static int order_labels(const tsr__term *x, const tsr__term *y, tsr__labels made, uint8_t *label) {
  const tsr__labels in_x = tsr__term_labels(x), in_y = tsr__term_labels(y);
  int n = 0;
  for (int i = 0; i < x->t.ndim; i++)
    if ((made & in_y & tsr__label_bit(x->label[i])) != 0) label[n++] = x->label[i];
  for (int i = 0; i < x->t.ndim; i++)
    if ((made & ~in_y & tsr__label_bit(x->label[i])) != 0) label[n++] = x->label[i];
  for (int i = 0; i < y->t.ndim; i++)
    if ((made & ~in_x & tsr__label_bit(y->label[i])) != 0) label[n++] = y->label[i];
  return n;
}

static tsr_status multiply_two(tsr_ctx *ctx, tsr__einsum *e, tsr__labels *have) {
  int first = 0, second = 1;
  uint8_t label[TSR_MAX_DIMS];
  tsr__labels wanted = e->wanted;
  tsr__term z;
  if (!tsr__einsum_order(e, e->terms, have, wanted, &first, &second))
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, e->op, NULL, "every product of two of %d operands has more than %d labels",
                     e->terms, TSR_MAX_DIMS);
  const tsr__term *const x = &e->term[first], *const y = &e->term[second];
  for (int i = 0; i < e->terms; i++)
    if (i != first && i != second) wanted |= have[i];
  const tsr__labels made = (have[first] | have[second]) & wanted;
  const int dtype = tsr__work_of(e, tsr__is_complex(x->t.dtype) || tsr__is_complex(y->t.dtype));
  tsr_status st = tsr__term_new(ctx, e, dtype, order_labels(x, y, made, label), label, &z);
  if (st == TSR_OK) st = tsr__einsum_pair(ctx, e, x, y, &z);
  if (st != TSR_OK) return st;
  e->term[first] = z;
  have[first] = made;
  e->terms--;
  for (int i = second; i < e->terms; i++) {
    e->term[i] = e->term[i + 1];
    have[i] = have[i + 1];
  }
  return TSR_OK;
}

/* ---- the result ---- */

/* The output with its labels, without axes of length 1. */
static tsr__term term_of(const tsr__einsum *e, const tsr_tensor *out) {
  tsr__term z = {.t = *out};
  int n = 0;
  for (int i = 0; i < e->ndim; i++) {
    if (out->shape[i] == 1) continue;
    z.t.shape[n] = out->shape[i];
    z.t.stride[n] = out->stride[i];
    z.label[n++] = e->label[i];
  }
  z.t.ndim = (uint8_t)n;
  z.t.flags = 0;
  z.t.layout = TSR_PLAIN;
  return z;
}

static tsr_status finish_one(tsr_ctx *ctx, const tsr__einsum *e, const tsr__term *x, const tsr__term *z) {
  if (x->t.ndim > z->t.ndim) return tsr__einsum_sum(ctx, e, x, z);
  const tsr_tensor view = tsr__term_as(x, z);
  if (!e->room->measuring) tsr__copy_no_alias(ctx, &view, &z->t);
  return TSR_OK;
}

/* All steps; the last one is into the output. */
static tsr_status take_steps(tsr_ctx *ctx, tsr__einsum *e, const tsr_tensor *out) {
  tsr__labels have[TSR_EINSUM_OPERANDS];
  tsr_status st = prepare_terms(ctx, e, out, have);
  while (st == TSR_OK && e->terms > 2) st = multiply_two(ctx, e, have);
  if (st != TSR_OK) return st;
  const tsr__term z = term_of(e, out);
  return e->terms == 1 ? finish_one(ctx, e, &e->term[0], &z) : tsr__einsum_pair(ctx, e, &e->term[0], &e->term[1], &z);
}

tsr_status tsr__einsum_plan(tsr__call *call, tsr__einsum *e, const tsr_tensor *out) {
  tsr__einsum_room room = {.measuring = true};
  if (e->empty || call->device == NULL) return TSR_OK;
  e->room = &room; /* cppcheck-suppress autoVariables */
  const tsr_status st = take_steps(call->ctx, e, out);
  e->room = NULL;
  tsr__call_may_take(call, room.most);
  tsr__call_may_take(call, room.sums);
  return st;
}

tsr_status tsr__einsum_run(tsr_ctx *ctx, tsr__einsum *e, const tsr_tensor *out) {
  static const char zero[16];
  tsr__einsum_room room = {0};
  if (e->empty) {
    if (tsr_size(out) > 0) tsr__fill_host(ctx, out, zero);
    return TSR_OK;
  }
  e->room = &room; /* cppcheck-suppress autoVariables */
  const tsr_status st = take_steps(ctx, e, out);
  e->room = NULL;
  tsr__einsum_put(&room, (tsr__einsum_room){0});
  return st;
}

tsr_status tsr__einsum_call(tsr__call *call, tsr__einsum *e) {
  tsr_status st = tsr__einsum_settle(call->ctx, e);
  if (st != TSR_OK) return st;
  const tsr__result result = {e->dtype, TSR_PLAIN, e->ndim, e->shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__einsum_plan(call, e, call->out[0]);
  if (st == TSR_OK) st = tsr__call_start(call);
  return st == TSR_OK ? tsr__einsum_run(call->ctx, e, call->out[0]) : st;
}
