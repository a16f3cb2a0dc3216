/* The public functions: a text is bound to tensors and run. */
#include "core/device.h"
#include "core/storage.h"
#include "core/suggest.h"
#include "expr/variant.h"
#include "program/program.h"

#include <string.h>
#include <tessera/ops.h>

#if TSR_HAVE_OPS

/* ---- making and ending ---- */

static tsr_status parse(tsr_ctx *ctx, const char *op, const char *text, tsr_expr *expr) {
  if (text == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "text", "is NULL");
  const tsr__expr_source source = {ctx, op, text, strlen(text)};
  *expr = (tsr_expr){.allocator = tsr__allocator(ctx)};
  return tsr__expr_parse(&source, &expr->tree);
}

static void free_variants(tsr_expr *expr) {
  for (int i = 0; i < TSR__EXPR_VARIANTS; i++) {
    tsr__expr_variant_free(expr->variants[i]);
    expr->variants[i] = NULL;
  }
}

static void end(tsr_expr *expr) {
  free_variants(expr);
  tsr__expr_tree_free(&expr->tree);
}

tsr_status tsr_expr_new(tsr_ctx *ctx, const char *text, tsr_expr **out) {
  static const char op[] = "expr_new";
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "expr", "is NULL");
  const tsr_allocator *const allocator = tsr__allocator(ctx);
  tsr_expr *const expr = allocator->alloc(allocator->self, sizeof *expr, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (expr == NULL) return tsr__no_memory(ctx, op, sizeof *expr);
  const tsr_status st = parse(ctx, op, text, expr);
  if (st == TSR_OK)
    *out = expr;
  else
    allocator->free(allocator->self, expr, sizeof *expr);
  return st;
}

void tsr_expr_release(tsr_expr *expr) {
  if (expr == NULL) return;
  end(expr);
  expr->allocator->free(expr->allocator->self, expr, sizeof *expr);
}

void tsr_expr_keep_wide(tsr_expr *expr, bool on) {
  if (expr->keeps_wide != on) free_variants(expr);
  expr->keeps_wide = on;
}

const char *tsr_expr_name_at(const tsr_expr *expr, int i) {
  if (i < 0 || (uint32_t)i >= expr->tree.name_count) return NULL;
  return expr->tree.names + expr->tree.name_at[i];
}

const tsr_program *tsr_expr_program(const tsr_expr *expr) {
  return expr->variants[0] != NULL ? expr->variants[0]->program : NULL;
}

/* ---- names ---- */

/* The column of name number i. */
static uint32_t column_of(const tsr__expr_tree *tree, uint32_t i) {
  for (uint32_t k = 0; k < tree->count; k++)
    if (tree->nodes[k].kind == TSR__NODE_NAME && tree->nodes[k].which == i) return tree->nodes[k].column;
  return 0;
}

static TSR__COLD tsr_status refuse_missing(tsr_ctx *ctx, const tsr_expr *expr, const char *op, uint32_t i, int names,
                                           const tsr_named *named) {
  const tsr__expr_source source = {ctx, op, expr->tree.text, expr->tree.length};
  const char *const wanted = tsr_expr_name_at(expr, (int)i);
  const uint32_t column = column_of(&expr->tree, i);
  tsr__suggestion suggestion;
  if (tsr__expr_op(wanted) != NULL)
    return TSR__EXPR_FAIL(&source, TSR_ENAME, column,
                          "'%s' is not bound; it is an op, which is called: x.sum(), sum(x)", wanted);
  if (strcmp(wanted, "np") == 0 || strcmp(wanted, "numpy") == 0 || strcmp(wanted, "torch") == 0)
    return TSR__EXPR_FAIL(&source, TSR_ENAME, column, "'%s' is not bound; ops and dtypes stand alone: sin(x), f32(x)",
                          wanted);
  tsr__suggest_init(&suggestion, wanted);
  for (int k = 0; k < names; k++) tsr__suggest_offer(&suggestion, named[k].name);
  if (suggestion.found != NULL)
    return TSR__EXPR_FAIL(&source, TSR_ENAME, column, "'%s' is not bound; did you mean '%s'?", wanted,
                          suggestion.found);
  return TSR__EXPR_FAIL(&source, TSR_ENAME, column, "'%s' is not bound", wanted);
}

static tsr_status check_named(tsr_ctx *ctx, const char *op, int names, const tsr_named *named) {
  tsr__expr_node constant;
  if (names < 0 || (names > 0 && named == NULL))
    return TSR__FAIL(ctx, TSR_EARG, op, "named", "has %d names and is NULL", names);
  for (int i = 0; i < names; i++) {
    if (named[i].name == NULL || named[i].tensor == NULL)
      return TSR__FAIL(ctx, TSR_EARG, op, "named", "number %d has no %s", i, named[i].name == NULL ? "name" : "tensor");
    if (tsr__expr_constant(named[i].name, &constant))
      return TSR__FAIL(ctx, TSR_ENAME, op, "named", "'%s' has a meaning already", named[i].name);
    for (int k = 0; k < i; k++)
      if (strcmp(named[i].name, named[k].name) == 0)
        return TSR__FAIL(ctx, TSR_EARG, op, "named", "'%s' is there twice", named[i].name);
  }
  return TSR_OK;
}

static bool same_name(const char *a, const char *b) {
  return a[0] == b[0] && (a[0] == '\0' || strcmp(a + 1, b + 1) == 0);
}

/* Names in the order of the text, and all of them: nearly every run. */
static bool bind_in_order(const tsr_expr *expr, int names, const tsr_named *named, tsr__expr_binding *binding) {
  if (names < 0 || (uint32_t)names != expr->tree.name_count || named == NULL) return false;
  for (int i = 0; i < names; i++) {
    if (named[i].name == NULL || named[i].tensor == NULL) return false;
    if (!same_name(named[i].name, expr->tree.names + expr->tree.name_at[i])) return false;
    binding->tensors[i] = named[i].tensor;
    binding->flags |= named[i].tensor->flags;
  }
  return true;
}

static tsr_status bind_names(tsr_ctx *ctx, const tsr_expr *expr, int names, const tsr_named *named,
                             tsr__expr_binding *binding) {
  if (bind_in_order(expr, names, named, binding)) return TSR_OK;
  const tsr_status st = check_named(ctx, binding->op, names, named);
  if (st != TSR_OK) return st;
  for (uint32_t i = 0; i < expr->tree.name_count; i++) {
    binding->tensors[i] = NULL;
    for (int k = 0; k < names && binding->tensors[i] == NULL; k++)
      if (strcmp(named[k].name, tsr_expr_name_at(expr, (int)i)) == 0) binding->tensors[i] = named[k].tensor;
    if (binding->tensors[i] == NULL) return refuse_missing(ctx, expr, binding->op, i, names, named);
    binding->flags |= binding->tensors[i]->flags;
  }
  return TSR_OK;
}

/* Where an expression is computed. */
typedef struct home {
  const tsr_device *device; /* NULL: on the host */
  bool several;             /* tensors are not all there, or it replays nothing: the calls are made at once */
} home;

/* Tensors that no run has seen yet, and where they are. */
static tsr_status check_tensors(tsr_ctx *ctx, const tsr_expr *expr, const tsr__expr_binding *binding, home *all) {
  bool first = true;
  *all = (home){.device = ctx != NULL ? ctx->device : NULL};
  for (uint32_t i = 0; i < expr->tree.name_count; i++) {
    const tsr_tensor *const t = binding->tensors[i];
    const tsr_status st = tsr__check_given(ctx, binding->op, tsr_expr_name_at(expr, (int)i), t);
    if (st != TSR_OK) return st;
    if ((t->flags & TSR_IS_NUMBER) != 0) continue;
    if (first && all->device == NULL) all->device = tsr__expr_home_of(t);
    all->several = all->several || tsr__expr_home_of(t) != all->device;
    first = false;
  }
  all->several = all->several ||
                 (all->device != NULL && (first || !tsr__device_runs(all->device) || tsr__device_defers(all->device)));
  return TSR_OK;
}

/* ---- running ---- */

static tsr_status run_variant(tsr_ctx *ctx, const tsr__expr_binding *b, tsr__expr_variant *v, tsr_tensor *out) {
  const tsr_tensor *tensors[TSR_EXPR_NAMES], *const *in = b->tensors;
  if (v->has_numbers) {
    for (uint32_t i = 0; i < v->inputs; i++) tensors[i] = b->tensors[v->input_of[i]];
    in = tensors;
  }
  const tsr_status st = tsr_program_run(ctx, v->program, (int)v->inputs, in, 1, &out);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, b->op);
}

/* The first run with such tensors. */
static TSR__COLD tsr_status run_first(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *b, tsr_tensor *out) {
  tsr__expr_variant *variant = NULL;
  home all;
  tsr_status st = check_tensors(ctx, expr, b, &all);
  if (st == TSR_OK && !all.several) st = tsr__expr_variant_make(ctx, expr, b, all.device, &variant);
  if (st != TSR_OK) return st;
  return all.several || variant->program == NULL ? tsr__expr_run_calls(ctx, expr, b, out)
                                                 : run_variant(ctx, b, variant, out);
}

/* Whether the context computes where a variant does. */
static bool is_for(const tsr__expr_variant *v, const tsr_ctx *ctx) {
  return ctx == NULL || ctx->device == NULL || ctx->device == v->home;
}

/* As the last time: the program looks whether it is. */
static inline bool run_again(tsr_ctx *ctx, const tsr_expr *expr, const tsr__expr_binding *b, tsr_tensor *out,
                             tsr_status *status) {
  const tsr__expr_variant *const v = expr->variants[0];
  if (v == NULL || v->program == NULL || v->has_numbers || (b->flags & TSR_IS_NUMBER) != 0 ||
      (ctx != NULL && ctx->device != NULL))
    return false;
  if (!tsr__program_run_usual(ctx, v->program, b->tensors, &out, status)) return false;
  if (*status != TSR_OK) *status = tsr__fail_as(ctx, *status, b->op);
  return true;
}

static tsr_status run(tsr_ctx *ctx, const char *op, tsr_expr *expr, int names, const tsr_named *named,
                      tsr_tensor *out) {
  tsr__expr_binding binding;
  binding.op = op;
  binding.flags = 0;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  tsr_status st = bind_names(ctx, expr, names, named, &binding);
  if (st != TSR_OK || run_again(ctx, expr, &binding, out, &st)) return st;
  tsr__expr_variant *const variant = tsr__expr_variant_find(expr, &binding);
  if (variant == NULL || !is_for(variant, ctx)) return run_first(ctx, expr, &binding, out);
  return variant->program == NULL ? tsr__expr_run_calls(ctx, expr, &binding, out)
                                  : run_variant(ctx, &binding, variant, out);
}

tsr_status tsr_expr_run(tsr_ctx *ctx, tsr_expr *expr, int names, const tsr_named *named, tsr_tensor *out) {
  static const char op[] = "expr_run";
  if (expr == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "expr", "is NULL");
  return run(ctx, op, expr, names, named, out);
}

/* ---- parts ---- */

/* Whether a text asks how long its tensors are: a part has another answer. */
static bool asks_for_lengths(const tsr__expr_tree *tree) {
  for (uint32_t i = 0; i < tree->count; i++) {
    const tsr__expr_node *const node = &tree->nodes[i];
    if (node->kind == TSR__NODE_MEMBER && (node->which == TSR__MEMBER_SHAPE || node->which == TSR__MEMBER_SIZE))
      return true;
  }
  return false;
}

/* Whether a part of one step is typed as a part of the whole: lengths that stand in the text say otherwise. */
static bool has_part(tsr_ctx *ctx, tsr_expr *expr, const tsr__expr_binding *whole, int axis, const tsr_tensor *out,
                     const int *cut) {
  tsr__expr_binding part = *whole;
  tsr_tensor tensor[TSR_EXPR_NAMES], made = TSR_EMPTY;
  tsr_ctx quiet = {.allocator = ctx != NULL ? ctx->allocator : NULL, .isa = ctx != NULL ? ctx->isa : 0};
  int unused[TSR_EXPR_NAMES];
  bool can;
  for (uint32_t i = 0; i < expr->tree.name_count; i++) {
    if (cut[i] < 0) continue;
    tensor[i] = *whole->tensors[i];
    tensor[i].shape[cut[i]] = 1;
    part.tensors[i] = &tensor[i];
  }
  if (tsr__expr_parts(&quiet, expr, &part, axis, &made, unused, &can) != TSR_OK || made.dtype != out->dtype ||
      made.ndim != out->ndim)
    return false;
  for (int i = 0; i < out->ndim; i++)
    if (made.shape[i] != (i == (axis < 0 ? axis + out->ndim : axis) ? 1 : out->shape[i])) return false;
  return true;
}

tsr_status tsr_expr_parts(tsr_ctx *ctx, tsr_expr *expr, int names, const tsr_named *named, int axis, tsr_tensor *out,
                          int *cut, bool *can) {
  tsr__expr_binding binding = {.op = "expr_parts"};
  home all;
  if (expr == NULL || out == NULL || cut == NULL || can == NULL)
    return TSR__FAIL(ctx, TSR_EARG, binding.op, expr == NULL ? "expr" : out == NULL ? "out" : "cut", "is NULL");
  tsr_status st = bind_names(ctx, expr, names, named, &binding);
  if (st == TSR_OK) st = check_tensors(ctx, expr, &binding, &all);
  if (st != TSR_OK) return st;
  if (all.several || all.device != NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, binding.op, NULL, "is for tensors of the host");
  st = tsr__expr_parts(ctx, expr, &binding, axis, out, cut, can);
  if (st != TSR_OK || !*can) return st;
  *can = !asks_for_lengths(&expr->tree) && has_part(ctx, expr, &binding, axis, out, cut);
  for (uint32_t i = 0; i < expr->tree.name_count && !*can; i++) cut[i] = -1;
  return TSR_OK;
}

tsr_status tsr_eval(tsr_ctx *ctx, const char *text, int names, const tsr_named *named, tsr_tensor *out) {
  tsr_expr expr;
  tsr_status st = parse(ctx, "eval", text, &expr);
  if (st != TSR_OK) return st;
  st = run(ctx, "eval", &expr, names, named, out);
  end(&expr);
  return st;
}

#endif
