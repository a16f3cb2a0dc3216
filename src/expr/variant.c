/* Typing a text for its inputs: once as a program, which is kept; or as calls that compute at once. */
#include "expr/variant.h"
#include "core/scope.h"
#include "core/storage.h"
#include "expr/lower.h"
#include "program/program.h"

#include <string.h>
#include <tessera/ops.h>

#if TSR_HAVE_OPS

/* ---- keys ---- */

const tsr_device *tsr__expr_home_of(const tsr_tensor *t) {
  return t->storage == NULL || t->storage->device->is_host ? NULL : t->storage->device;
}

static void make_key(const tsr_tensor *t, tsr__expr_key *key) {
  key->dtype = t->dtype;
  key->ndim = t->ndim;
  key->is_number = (t->flags & TSR_IS_NUMBER) != 0;
  for (int i = 0; i < t->ndim; i++) {
    key->shape[i] = t->shape[i];
    key->stride[i] = t->stride[i];
  }
  if (key->is_number) memcpy(key->shape, t->data, 8);
}

static bool has_key(const tsr_tensor *t, const tsr__expr_key *key, const tsr_device *home) {
  if (t->dtype != key->dtype || t->ndim != key->ndim || ((t->flags & TSR_IS_NUMBER) != 0) != key->is_number)
    return false;
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] != key->shape[i] || t->stride[i] != key->stride[i]) return false;
  return key->is_number ? memcmp(t->data, key->shape, 8) == 0 : tsr__expr_home_of(t) == home;
}

static bool fits(const tsr__expr_variant *variant, const tsr__expr_binding *binding, uint32_t names) {
  for (uint32_t i = 0; i < names; i++)
    if (!has_key(binding->tensors[i], &variant->keys[i], variant->home)) return false;
  return true;
}

/* ---- making calls ---- */

/* Memory for a lowering: the call that is put together, first because it has the larger alignment, and the values of all
 * nodes. */
static tsr_status begin_lowering(tsr__expr_lowering *l, const tsr_expr *expr, size_t *bytes) {
  const size_t values = expr->tree.count * sizeof *l->values;
  *bytes = sizeof *l->call + values;
  l->call = expr->allocator->alloc(expr->allocator->self, *bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (l->call == NULL) return tsr__no_memory(l->source.ctx, l->source.op, *bytes);
  l->values = (tsr__expr_value *)(void *)(l->call + 1);
  memset(l->values, 0, values);
  return TSR_OK;
}

static void end_lowering(tsr__expr_lowering *l, const tsr_expr *expr, size_t bytes) {
  for (uint32_t i = 0; i < expr->tree.count; i++) tsr_release(&l->values[i].tensor);
  expr->allocator->free(expr->allocator->self, l->call, bytes);
}

/* A context as the user's, without its device and scratch memory. */
static tsr_ctx plain_context(const tsr_ctx *ctx) {
  tsr_ctx plain = {0};
  if (ctx != NULL) {
    plain.allocator = ctx->allocator;
    plain.parallel = ctx->parallel;
    plain.isa = ctx->isa;
  }
  return plain;
}

static tsr__expr_source source_of(tsr_ctx *ctx, const tsr_expr *expr, const char *op) {
  return (tsr__expr_source){ctx, op, expr->tree.text, expr->tree.length};
}

/* ---- a program ---- */

static tsr_status record_inputs(tsr_ctx *rec, const tsr_expr *expr, const tsr__expr_binding *binding,
                                tsr__expr_variant *variant, tsr_tensor *inputs) {
  tsr_status st = TSR_OK;
  for (uint32_t i = 0; i < expr->tree.name_count && st == TSR_OK; i++) {
    if ((binding->tensors[i]->flags & TSR_IS_NUMBER) != 0) {
      inputs[i] = *binding->tensors[i];
      variant->has_numbers = true;
      continue;
    }
    const char *const name = expr->tree.names + expr->tree.name_at[i];
    st = tsr__program_input_as(rec, variant->program, name, binding->tensors[i], &inputs[i]);
    variant->input_of[variant->inputs++] = (uint8_t)i;
  }
  return st;
}

/* *number: the text gives one, and there is nothing to record. */
static tsr_status record_calls(tsr__expr_lowering *l, tsr_ctx *rec, const tsr_expr *expr, tsr__expr_variant *variant,
                               bool *number) {
  size_t bytes;
  tsr_status st = begin_lowering(l, expr, &bytes);
  if (st != TSR_OK) return st;
  st = tsr__expr_lower(l);
  const tsr__expr_value *const result = &l->values[expr->tree.result];
  *number = st == TSR_OK && tsr__value_is_number(result);
  if (st == TSR_OK && !*number) {
    st = tsr_program_output(rec, variant->program, "out", &result->tensor);
    if (st != TSR_OK) st = tsr__lower_failed(l, &expr->tree.nodes[expr->tree.result], rec, st);
  }
  end_lowering(l, expr, bytes);
  return st;
}

/* Records the calls with rec, which has that open afterwards. */
static tsr_status record(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, tsr__expr_variant *variant,
                         tsr_ctx *rec, bool *number) {
  tsr_ctx plain = plain_context(ctx);
  tsr_tensor inputs[TSR_EXPR_NAMES] = {TSR_EMPTY};
  *rec = plain;
  rec->allocator = expr->allocator; /* what the program keeps outlives the context of this run, and its allocator */
  rec->device = variant->home;
  tsr__expr_lowering l = {
      .source = source_of(ctx, expr, binding->op), .tree = &expr->tree, .ctx = rec, .plain = &plain, .inputs = inputs};
  tsr_status st = tsr_program_begin(rec, variant->program);
  if (st == TSR_OK) st = record_inputs(rec, expr, binding, variant, inputs);
  if (st == TSR_OK)
    st = record_calls(&l, rec, expr, variant, number);
  else
    st = TSR__FAIL(ctx, st, binding->op, NULL, "%s", tsr_error(rec));
  for (uint32_t i = 0; i < expr->tree.name_count; i++)
    if ((inputs[i].flags & TSR_IS_NUMBER) == 0) tsr_release(&inputs[i]);
  return st;
}

static tsr_status record_and_end(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding,
                                 tsr__expr_variant *variant, bool *number) {
  tsr_ctx rec;
  tsr_status st = record(ctx, expr, binding, variant, &rec, number);
  if (st != TSR_OK || *number) return st;
  const tsr_fuse_options options = {.keep_wide = expr->keeps_wide};
  st = tsr_program_end_fused(&rec, variant->program, &options);
  variant->program->is_new = true;
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, binding->op, NULL, "%s", tsr_error(&rec));
}

/* ---- variants ---- */

void tsr__expr_variant_free(tsr__expr_variant *variant) {
  if (variant == NULL) return;
  tsr_program_free(variant->program);
  variant->allocator->free(variant->allocator->self, variant, variant->bytes);
}

static tsr_status new_variant(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, tsr__expr_variant **out) {
  const uint32_t names = expr->tree.name_count;
  const size_t bytes = sizeof(tsr__expr_variant) + names * sizeof(tsr__expr_key);
  tsr__expr_variant *const v = expr->allocator->alloc(expr->allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (v == NULL) return tsr__no_memory(ctx, binding->op, bytes);
  memset(v, 0, bytes);
  v->allocator = expr->allocator;
  v->bytes = bytes;
  for (uint32_t i = 0; i < names; i++) make_key(binding->tensors[i], &v->keys[i]);
  *out = v;
  return TSR_OK;
}

static void drop_program(tsr__expr_variant *v) {
  tsr_program_free(v->program);
  v->program = NULL;
  v->inputs = 0;
}

/* A variant with a program that nothing is recorded in. */
static tsr_status begin_variant(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, const tsr_device *home,
                                tsr__expr_variant **out) {
  tsr_status st = new_variant(ctx, expr, binding, out);
  if (st != TSR_OK) return st;
  tsr_ctx plain = {.allocator = expr->allocator};
  (*out)->home = home;
  st = tsr_program_new(&plain, &(*out)->program);
  if (st == TSR_OK) return TSR_OK;
  tsr__expr_variant_free(*out);
  return tsr__no_memory(ctx, binding->op, sizeof(tsr_program));
}

static tsr_status make_variant(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, const tsr_device *home,
                               tsr__expr_variant **out) {
  tsr__expr_variant *v = NULL;
  bool number = false;
  tsr_status st = begin_variant(ctx, expr, binding, home, &v);
  if (st != TSR_OK) return st;
  st = record_and_end(ctx, expr, binding, v, &number);
  if (number || st == TSR_EUNSUPPORTED) { /* a size that depends on data: the calls will say whether that was it */
    drop_program(v);
    st = TSR_OK;
  }
  if (st == TSR_OK)
    *out = v;
  else
    tsr__expr_variant_free(v);
  return st;
}

/* Puts a variant first; the last one makes room. */
static void put_first(tsr_expr *expr, int from, tsr__expr_variant *variant) {
  memmove(expr->variants + 1, expr->variants, (size_t)from * sizeof expr->variants[0]);
  expr->variants[0] = variant;
}

tsr__expr_variant *tsr__expr_variant_find(tsr_expr *expr, const tsr__expr_binding *binding) {
  for (int i = 0; i < TSR__EXPR_VARIANTS && expr->variants[i] != NULL; i++) {
    tsr__expr_variant *const found = expr->variants[i];
    if (!fits(found, binding, expr->tree.name_count)) continue;
    if (i > 0) put_first(expr, i, found);
    return found;
  }
  return NULL;
}

tsr_status tsr__expr_variant_make(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding,
                                  const tsr_device *home, tsr__expr_variant **variant) {
  const tsr_status st = make_variant(ctx, expr, binding, home, variant);
  if (st != TSR_OK) return st;
  tsr__expr_variant_free(expr->variants[TSR__EXPR_VARIANTS - 1]);
  put_first(expr, TSR__EXPR_VARIANTS - 1, *variant);
  return TSR_OK;
}

/* ---- parts ---- */

/* Of what is recorded: the result, and the names that its parts are made of parts of. */
static tsr_status find_parts(tsr_ctx *ctx, tsr_ctx *rec, const tsr__expr_variant *v, int axis, tsr_tensor *out,
                             int *cut, bool *can) {
  int8_t cuts[TSR_EXPR_NAMES];
  tsr_status st = tsr__program_stop(rec, "expr_parts", v->program);
  if (st == TSR_OK) st = tsr__program_analyse(rec, v->program);
  (void)tsr_program_output_at(v->program, 0, out);
  if (axis < 0) axis += out->ndim;
  if (st == TSR_OK) st = tsr__program_parts(rec, v->program, axis, cuts, can);
  for (uint32_t i = 0; i < v->inputs && st == TSR_OK; i++) cut[v->input_of[i]] = *can ? cuts[i] : -1;
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, "expr_parts", NULL, "%s", tsr_error(rec));
}

tsr_status tsr__expr_parts(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, int axis, tsr_tensor *out,
                           int *cut, bool *can) {
  tsr__expr_variant *v = NULL;
  tsr_ctx rec;
  bool number = false;
  tsr_tensor described = TSR_EMPTY;
  for (uint32_t i = 0; i < expr->tree.name_count; i++) cut[i] = -1;
  *can = false;
  tsr_status st = begin_variant(ctx, expr, binding, NULL, &v);
  if (st != TSR_OK) return st;
  st = record(ctx, expr, binding, v, &rec, &number);
  if (st == TSR_OK && number)
    st = TSR__FAIL(ctx, TSR_EUNSUPPORTED, binding->op, "text", "gives a number, not a tensor");
  if (st == TSR_OK) st = find_parts(ctx, &rec, v, axis, &described, cut, can);
  if (st == TSR_OK) st = tsr_desc_init(ctx, described.dtype, described.ndim, described.shape, out);
  tsr__expr_variant_free(v);
  return st;
}

/* ---- at once ---- */

/* A number as a tensor. */
static tsr_status number_tensor(tsr__expr_lowering *l, const tsr__expr_value *number, tsr__expr_element *element) {
  const int dtype = number->kind == TSR__VALUE_REAL ? TSR_F64 : number->kind == TSR__VALUE_BOOL ? TSR_BOOL : TSR_I64;
  return tsr__lower_element(l, &l->tree->nodes[l->tree->result], number, dtype, element);
}

static tsr_status write_result(tsr_ctx *ctx, const char *op, const tsr_tensor *t, tsr_tensor *out) {
  const tsr_device *const device = tsr_device_of(t), *const home = device != NULL && !device->is_host ? device : NULL;
  const tsr__result result = {t->dtype, t->layout, t->ndim, t->shape, NULL};
  const tsr_status st = tsr__output_check_on(ctx, op, "out", home, &result, out);
  if (st != TSR_OK) return st;
  return tsr__fail_as(ctx, tsr_is_none(out) ? tsr_clone(ctx, t, out) : tsr_copy(ctx, t, out), op);
}

tsr_status tsr__expr_run_calls(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *binding, tsr_tensor *out) {
  tsr_ctx plain = plain_context(ctx);
  tsr_tensor inputs[TSR_EXPR_NAMES];
  size_t bytes;
  for (uint32_t i = 0; i < expr->tree.name_count; i++) inputs[i] = *binding->tensors[i];
  tsr__expr_lowering l = {.source = source_of(ctx, expr, binding->op),
                          .tree = &expr->tree,
                          .ctx = tsr__ctx(ctx),
                          .plain = &plain,
                          .inputs = inputs};
  tsr_status st = begin_lowering(&l, expr, &bytes);
  if (st != TSR_OK) return st;
  struct tsr_scope *const scope = tsr__scope_pause(ctx);
  st = tsr__expr_lower(&l);
  tsr__scope_resume(ctx, scope);
  tsr__expr_element element;
  const tsr__expr_value *const result = &l.values[expr->tree.result];
  const tsr_tensor *t = &result->tensor;
  if (st == TSR_OK && result->kind != TSR__VALUE_TENSOR) {
    st = number_tensor(&l, result, &element);
    t = &element.tensor;
  }
  if (st == TSR_OK) st = write_result(ctx, binding->op, t, out);
  end_lowering(&l, expr, bytes);
  return st;
}

#endif
