/* Expressions over parts: what can be computed part by part along the divided axes is, and every operand is brought to where it is needed. */
#include "mpi/dist.h"

#include <stdlib.h>
#include <string.h>
#include <tessera/expr.h>

typedef struct evaluation {
  tsr_expr *expr;
  int names;
  const tsr_dist_named *named;
  tsr_tensor *whole; /* of each name: a description */
  tsr_dist *brought; /* of each name: its part */
  tsr_named *bound;  /* of each name */
  int *cut;          /* of each axis and name of the text: along which axis it goes with it */
  tsr_tensor result; /* described: the whole */
  char zero[16];
} evaluation;

/* Number of a name of the text among those that are bound; -1. */
static int number_of(const evaluation *e, const char *name) {
  for (int i = 0; i < e->names; i++)
    if (strcmp(e->named[i].name, name) == 0) return i;
  return -1;
}

static tsr_status bind(tsr__comm_call *call, evaluation *e) {
  for (int i = 0; i < e->names; i++) {
    const tsr_dist_named *const n = &e->named[i];
    if (n->name == NULL || (n->dist == NULL) == (n->tensor == NULL))
      return tsr__comm_fail(call->ctx, TSR_EARG, call->op, "named", "%d has no name, or not one of dist and tensor", i);
    e->bound[i] = (tsr_named){n->name, n->tensor};
    if (n->dist == NULL) continue;
    const tsr_status st = tsr__dist_check(call, n->name, n->dist);
    if (st != TSR_OK) return st;
    tsr_ctx inner;
    tsr__comm_inner(call->ctx, &inner);
    if (tsr_desc_init(&inner, n->dist->local.dtype, n->dist->local.ndim, n->dist->shape, &e->whole[i]) != TSR_OK)
      return TSR_EARG;
    e->whole[i].data = e->zero; /* which nobody reads: it is there to be described */
    e->bound[i].tensor = &e->whole[i];
  }
  return TSR_OK;
}

/* The layout of the first distributed name of the result's rank; else the default one. */
static const tsr_dist_layout *layout_of(const evaluation *e) {
  for (int i = 0; i < e->names; i++)
    if (e->named[i].dist != NULL && e->named[i].dist->local.ndim == e->result.ndim) return &e->named[i].dist->layout;
  return NULL;
}

/* Whether each axis that is divided can be, and what goes along with it. */
static tsr_status cut_axes(tsr__comm_call *call, evaluation *e, tsr_ctx *inner, const tsr__division *d, int texts) {
  for (int axis = 0; axis < d->ndim; axis++) {
    bool can = true;
    int *const cut = &e->cut[axis * texts];
    for (int i = 0; i < texts; i++) cut[i] = -1;
    if (d->layout.grid[axis] <= 1) continue;
    const tsr_status st = tsr_expr_parts(inner, e->expr, e->names, e->bound, axis, &e->result, cut, &can);
    if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, inner);
    if (!can)
      return tsr__comm_fail(call->ctx, TSR_EUNSUPPORTED, call->op, "text",
                            "cannot be computed part by part along axis %d of its result", axis);
  }
  return TSR_OK;
}

/* How a name has to be divided for the result's parts. */
static tsr__division division_of(const evaluation *e, const tsr__division *d, int name, int text, int texts) {
  const tsr_tensor *const t = e->bound[name].tensor;
  tsr__division own = {.ndim = t->ndim, .size = d->size};
  for (int i = 0; i < TSR_MAX_DIMS; i++) own.layout.grid[i] = 1;
  for (int i = 0; i < t->ndim; i++) own.shape[i] = t->shape[i];
  for (int axis = 0; axis < d->ndim; axis++)
    if (text >= 0 && e->cut[axis * texts + text] >= 0)
      own.layout.grid[e->cut[axis * texts + text]] = d->layout.grid[axis];
  return own;
}

/* What a rank wants of a name: the part along the axes that are cut, by the place of the rank in the result's grid. */
typedef struct wanted {
  const evaluation *e;
  const tsr__division *d;
  const int *cut; /* of this name for axis i: cut[i * texts] */
  int texts, ndim;
  const tsr_index *shape;
} wanted;

static tsr__box box_wanted(const void *arg, int rank) {
  const wanted *const w = arg;
  tsr__box box = {{0}, {0}};
  int at[TSR_MAX_DIMS];
  tsr__dist_place(&w->d->layout, w->d->ndim, rank, at);
  for (int i = 0; i < w->ndim; i++) box.length[i] = w->shape[i];
  for (int axis = 0; axis < w->d->ndim; axis++) {
    const int cut = w->cut != NULL ? w->cut[axis * w->texts] : -1;
    if (cut >= 0) box.length[cut] = tsr_comm_part(w->shape[cut], w->d->layout.grid[axis], at[axis], &box.first[cut]);
  }
  return box;
}

/* Brings name to where it is needed: e->brought[name].local, or a view of what is there. */
static tsr_status bring(tsr__comm_call *call, evaluation *e, const tsr__division *d, int name, int texts,
                        tsr_tensor *part) {
  const tsr_dist *const x = e->named[name].dist;
  const tsr_tensor *const t = e->bound[name].tensor;
  int text = -1;
  for (int i = 0; i < texts; i++)
    if (strcmp(tsr_expr_name_at(e->expr, i), e->named[name].name) == 0) text = i;
  const wanted w = {e, d, text >= 0 ? e->cut + text : NULL, texts, t->ndim, t->shape};
  const tsr__box box = box_wanted(&w, call->comm->rank);
  const tsr_index origin[TSR_MAX_DIMS] = {0};
  if (x == NULL)
    return (t->flags & TSR_IS_NUMBER) != 0 ? (*part = *t, TSR_OK) : tsr__box_view(call->ctx, t, origin, &box, part);
  const tsr__division has = tsr__dist_division(x);
  tsr_tensor own = {0};
  tsr_status st = tsr_dist_own(call->ctx, x, &own);
  const tsr__division need = division_of(e, d, name, text, texts);
  if (st == TSR_OK && memcmp(need.layout.grid, has.layout.grid, sizeof need.layout.grid) == 0)
    return tsr_view(call->ctx, &own, part);
  tsr_dist *const brought = &e->brought[name];
  if (st == TSR_OK) st = tsr_empty(call->ctx, t->dtype, t->ndim, box.length, &brought->local);
  const tsr__move m = {.ndim = t->ndim,
                       .dtype = t->dtype,
                       .copies = tsr__dist_is_copies(&has.layout, has.ndim),
                       .have = tsr__box_own,
                       .have_arg = &has,
                       .want = box_wanted,
                       .want_arg = &w};
  st = tsr__dist_move(call, st, &m, &own, &brought->local);
  return st == TSR_OK ? tsr_view(call->ctx, &brought->local, part) : st;
}

static tsr_status evaluate(tsr__comm_call *call, evaluation *e, const tsr__division *d, int texts, tsr_dist *out) {
  tsr_tensor *const parts = calloc((size_t)e->names + 1, sizeof *parts);
  tsr_named *const bound = calloc((size_t)e->names + 1, sizeof *bound);
  tsr_tensor own = {0};
  tsr_ctx inner;
  tsr_status st = TSR_OK;
  tsr__comm_inner(call->ctx, &inner);
  if (parts == NULL || bound == NULL) st = tsr__comm_fail(call->ctx, TSR_ENOMEM, call->op, NULL, "no memory for names");
  st = tsr__comm_agree_status(call, st);
  for (int i = 0; i < e->names && st == TSR_OK; i++) {
    st = bring(call, e, d, i, texts, &parts[i]);
    bound[i] = (tsr_named){e->named[i].name, &parts[i]};
  }
  if (st == TSR_OK) st = tsr_dist_own(call->ctx, out, &own);
  if (st == TSR_OK && tsr_size(&own) > 0) {
    st = tsr_expr_run(&inner, e->expr, e->names, bound, &own);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  }
  free(parts);
  free(bound);
  return tsr__comm_agree_status(call, st);
}

static tsr_status prepare(tsr__comm_call *call, evaluation *e, const char *text, const tsr_dist_layout *layout,
                          int *texts, tsr__division *d) {
  tsr_ctx inner;
  bool can;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = bind(call, e);
  if (st != TSR_OK) return st;
  st = tsr_expr_new(&inner, text, &e->expr);
  while (st == TSR_OK && tsr_expr_name_at(e->expr, *texts) != NULL)
    if (number_of(e, tsr_expr_name_at(e->expr, (*texts)++)) < 0) st = TSR_ENAME;
  if (st == TSR_ENAME)
    return tsr__comm_fail(call->ctx, st, call->op, "text", "has the name %s, which is not bound",
                          tsr_expr_name_at(e->expr, *texts - 1));
  if (st == TSR_OK && (e->cut = calloc((size_t)*texts * TSR_MAX_DIMS + 1, sizeof *e->cut)) == NULL) return TSR_ENOMEM;
  if (st == TSR_OK) st = tsr_expr_parts(&inner, e->expr, e->names, e->bound, 0, &e->result, e->cut, &can);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  st = tsr__dist_divide(call, e->result.ndim, e->result.shape, layout != NULL ? layout : layout_of(e), d);
  return st == TSR_OK ? cut_axes(call, e, &inner, d, *texts) : st;
}

tsr_status tsr_dist_eval(tsr_ctx *ctx, const char *text, int names, const tsr_dist_named *named,
                         const tsr_dist_layout *layout, tsr_dist *out) {
  static const char op[] = "dist_eval";
  tsr__comm_call call;
  tsr__division d = {0};
  tsr_comm *comm = NULL;
  int texts = 0;
  for (int i = 0; i < names && named != NULL && comm == NULL; i++)
    if (named[i].dist != NULL) comm = named[i].dist->comm;
  if (text == NULL || comm == NULL) return tsr__comm_fail(ctx, TSR_EARG, op, "named", "has no distributed tensor");
  tsr_status st = tsr__dist_begin(ctx, comm, op, &call);
  if (st != TSR_OK) return st;
  tsr__dist_note(&call, text, strlen(text));
  evaluation e = {.names = names, .named = named};
  e.whole = calloc((size_t)names, sizeof *e.whole);
  e.brought = calloc((size_t)names, sizeof *e.brought);
  e.bound = calloc((size_t)names, sizeof *e.bound);
  if (e.whole == NULL || e.brought == NULL || e.bound == NULL)
    st = tsr__comm_fail(ctx, TSR_ENOMEM, op, NULL, "no memory for names");
  if (st == TSR_OK) st = prepare(&call, &e, text, layout, &texts, &d);
  tsr__dist_note(&call, &d.layout, sizeof d.layout);
  bool made = false;
  if (st == TSR_OK) st = tsr__dist_make(&call, e.result.dtype, &d, out), made = st == TSR_OK;
  st = tsr__comm_agree(&call, st);
  if (st == TSR_OK) st = evaluate(&call, &e, &d, texts, out);
  if (st != TSR_OK && made) tsr_dist_release(out);
  for (int i = 0; i < names && e.brought != NULL; i++) tsr_release(&e.brought[i].local);
  tsr_expr_release(e.expr);
  free(e.whole), free(e.brought), free(e.bound), free(e.cut);
  return st;
}
