/* Which calls of a program go together.
 *
 * Calls are looked at in their order. An elementwise call joins the groups that made its operands, where they have its shape; a
 * group that somebody outside reads is closed: nothing joins it any more, so that it can run, as a whole, where its last call
 * was. A reduction or a softmax ends the group of its operand when nobody else wants anything of it. Only values that are
 * written once, as a whole, take part: what is written in place stays a call. */
#include "fuse/fuse.h"

#include "core/storage.h"

#if TSR_HAVE_OPS

/* Calls of a group, and their operands: a group has room for this many. */
enum { MOST_MEMBERS = 32, MOST_OPERANDS = 40 };

/* Longer rows of a softmax stay calls: a worker holds one. */
enum { SOFTMAX_BYTES = 256 * 1024 };

/* ---- what calls tell ---- */

typedef struct kind_listener {
  tsr__listener base;
  const tsr_tensor *x; /* input 0 */
  tsr__fuse_node *node;
} kind_listener;

static bool is_short_softmax(const tsr__softmax_told *told, const tsr_tensor *x) {
  const bool last = told->axis == -1 || told->axis == x->ndim - 1;
  return last && x->shape[x->ndim - 1] <= SOFTMAX_BYTES / 8;
}

static void hear_kind(tsr__listener *self, tsr__telling telling, const void *what) {
  const kind_listener *const l = (const kind_listener *)(const void *)self;
  tsr__fuse_node *const node = l->node;
  if (telling == TSR__TELLS_ELEMENTWISE) {
    const tsr__elementwise *const e = what;
    node->heavy = e->grain == TSR__GRAIN_HEAVY;
    node->kind = e->tables != NULL && e->kernel != NULL ? TSR__FUSE_ELEMENT : TSR__FUSE_NO;
  } else if (telling == TSR__TELLS_COPY) {
    node->kind = TSR__FUSE_ELEMENT;
  } else if (telling == TSR__TELLS_REDUCTION) {
    const tsr__reduce *const r = what;
    node->twice = r->passes > 1;
    node->kind = r->of != NULL && r->initial == NULL ? TSR__FUSE_REDUCTION : TSR__FUSE_NO;
  } else if (telling == TSR__TELLS_SOFTMAX && is_short_softmax(what, l->x)) {
    node->kind = TSR__FUSE_SOFTMAX;
  }
}

static bool is_described(const tsr_tensor *t) { return t != NULL && t->dtype < TSR_DTYPE_COUNT && tsr_size(t) > 0; }

/* Whether the call's operands are such that it can be moved: values that are written once, constants that nobody writes. */
static bool has_movable_operands(const tsr__fusing *f, int32_t i) {
  const tsr_work *const work = tsr__fuse_work(f, i);
  if (work->outputs != 1 || !is_described(work->out[0])) return false;
  const tsr__operand_ref out = tsr__fuse_ref(f, i, work->inputs);
  if (out.value < 0 || f->values[out.value].writers != 1 || !tsr_is_contiguous(work->out[0], TSR_MEMORY) ||
      tsr_nbytes(work->out[0]) != tsr__program_value(f->p, (size_t)out.value)->bytes)
    return false;
  for (int k = 0; k < work->inputs; k++) {
    const int32_t value = tsr__fuse_ref(f, i, k).value;
    if (!is_described(work->in[k])) return false;
    if (value >= 0 ? f->values[value].writers > 1 : f->writes_host) return false;
  }
  return true;
}

/* What a device refuses, as it computes with real numbers alone, is refused as the call that it is. */
static bool is_of_host(const tsr__fusing *f, const tsr_work *work) {
  for (int k = 0; k < work->inputs && f->p->home != NULL; k++)
    if (tsr_dtype_describe(work->in[k]->dtype)->class_ == TSR_CLASS_COMPLEX) return true;
  return false;
}

static void ask_kind(const tsr__fusing *f, int32_t i) {
  const tsr_work *const work = tsr__fuse_work(f, i);
  const tsr__op_info *const info = work->info;
  kind_listener listener = {{hear_kind}, work->inputs > 0 ? work->in[0] : NULL, &f->nodes[i]};
  tsr_ctx quiet = {.isa = f->ctx->isa};
  if ((info->flags & TSR__OP_TELLS) == 0 || !has_movable_operands(f, i) || is_of_host(f, work)) return;
  if (tsr__work_ask(&quiet, work, &listener.base) != TSR_OK) f->nodes[i].kind = TSR__FUSE_NO;
}

/* ---- groups ---- */

int32_t tsr__fuse_group_of(const tsr__fusing *f, int32_t node) {
  int32_t group = node;
  while (group >= 0 && f->nodes[group].group != group) group = f->nodes[group].group;
  return group;
}

/* The group that makes operand k of call i, as all of a member's result; -1: none. */
static int32_t maker_of(const tsr__fusing *f, int32_t i, int k) {
  const int32_t value = tsr__fuse_ref(f, i, k).value;
  if (value < 0 || f->values[value].writers != 1 || f->values[value].writer >= i) return -1;
  const int32_t writer = f->values[value].writer;
  if (f->nodes[writer].kind != TSR__FUSE_ELEMENT) return -1;
  return tsr__fuse_group_of(f, writer);
}

/* Whether it is all of the result, in the same places. */
static bool is_whole_result(const tsr__fusing *f, int32_t i, int k) {
  const int32_t writer = f->values[tsr__fuse_ref(f, i, k).value].writer;
  return tsr__same_view(tsr__fuse_work(f, i)->in[k], tsr__fuse_work(f, writer)->out[0]);
}

/* Whether all that call i reads of group g are whole results: one that it reads otherwise must be in memory before. */
static bool reads_whole_results(const tsr__fusing *f, int32_t i, int32_t g) {
  for (int k = 0; k < tsr__fuse_work(f, i)->inputs; k++)
    if (maker_of(f, i, k) == g && !is_whole_result(f, i, k)) return false;
  return true;
}

/* Whether call i may join the group g that makes one of its operands. */
static bool can_join(const tsr__fusing *f, int32_t i, int32_t g) {
  const tsr__fuse_node *const mine = &f->nodes[i], *const other = &f->nodes[g];
  return !other->is_closed && reads_whole_results(f, i, g) &&
         tsr_same_shape(tsr__fuse_work(f, i)->out[0], tsr__fuse_work(f, g)->out[0]) &&
         mine->members + other->members <= MOST_MEMBERS && mine->operands + other->operands <= MOST_OPERANDS;
}

static void merge(const tsr__fusing *f, int32_t into, int32_t from) {
  tsr__fuse_node *const a = &f->nodes[into], *const b = &f->nodes[from];
  b->group = into;
  a->members += b->members;
  a->operands += b->operands;
  a->any_heavy = a->any_heavy || b->any_heavy;
  if (b->first < a->first) a->first = b->first;
  if (b->last > a->last) a->last = b->last;
}

/* Every group that call i reads and is not in runs before it. */
static void close_others(const tsr__fusing *f, int32_t i) {
  const int32_t own = tsr__fuse_group_of(f, f->nodes[i].kind == TSR__FUSE_ELEMENT ? i : -1);
  for (int k = 0; k < tsr__fuse_work(f, i)->inputs; k++) {
    const int32_t g = maker_of(f, i, k);
    if (g >= 0 && g == own && is_whole_result(f, i, k))
      f->values[tsr__fuse_ref(f, i, k).value].inside++;
    else if (g >= 0)
      f->nodes[g].is_closed = true;
  }
}

static void add_element(const tsr__fusing *f, int32_t i) {
  tsr__fuse_node *const node = &f->nodes[i];
  const tsr_work *const work = tsr__fuse_work(f, i);
  node->members = 1;
  node->operands = work->inputs;
  node->first = node->last = i;
  node->any_heavy = node->heavy;
  for (int k = 0; k < work->inputs; k++) {
    const int32_t g = maker_of(f, i, k);
    if (g >= 0 && g != i && can_join(f, i, g)) merge(f, i, g);
  }
}

/* ---- ends ---- */

/* Whether nobody but call i reads anything of group g that g does not read itself. */
static bool is_wanted_by_one(const tsr__fusing *f, int32_t g, int32_t i) {
  for (int32_t j = f->nodes[g].first; j <= f->nodes[g].last; j++) {
    if (f->nodes[j].kind != TSR__FUSE_ELEMENT || tsr__fuse_group_of(f, j) != g) continue;
    const int32_t made = tsr__fuse_ref(f, j, tsr__fuse_work(f, j)->inputs).value;
    const tsr__fuse_value *const value = &f->values[made];
    const int32_t outside = made == tsr__fuse_ref(f, i, 0).value ? 1 : 0;
    if (value->is_output || value->readers != value->inside + outside) return false;
  }
  return true;
}

static void add_end(const tsr__fusing *f, int32_t i) {
  const int32_t g = maker_of(f, i, 0);
  tsr__fuse_node *const node = g >= 0 ? &f->nodes[g] : NULL;
  const bool is_reduction = f->nodes[i].kind == TSR__FUSE_REDUCTION;
  if (is_reduction && !TSR__REDUCE_FAST) return; /* its kernels read memory alone */
  if (node == NULL || node->is_closed || !is_whole_result(f, i, 0) || !is_wanted_by_one(f, g, i)) return;
  if (f->nodes[i].twice && node->any_heavy) return; /* making elements twice is more than writing them */
  node->end = i;
  node->last = i;
  f->nodes[i].group = g;
}

/* ---- the way through the program ---- */

static void count_operands(tsr__fusing *f, int32_t i) {
  const tsr_work *const work = tsr__fuse_work(f, i);
  for (int k = 0; k < work->inputs + work->outputs; k++) {
    const int32_t value = tsr__fuse_ref(f, i, k).value;
    if (k < work->inputs && value >= 0) f->values[value].readers++;
    if (k < work->inputs) continue;
    if (value < 0 && work->out[k - work->inputs] != NULL) f->writes_host = true;
    if (value < 0) continue;
    f->values[value].writers++;
    f->values[value].writer = i;
  }
}

void tsr__fuse_gather(tsr__fusing *f) {
  const int32_t count = (int32_t)f->p->nodes.count;
  for (size_t k = 0; k < f->p->outputs.count; k++) {
    const int32_t value = tsr__program_output(f->p, k)->value;
    if (value >= 0) f->values[value].is_output = true;
  }
  for (size_t k = 0; k < f->p->inputs.count; k++) {
    const int32_t value = tsr__program_input(f->p, k)->value;
    if (value >= 0) f->values[value].writers = 0;
  }
  for (int32_t i = 0; i < count; i++)
    if (tsr__program_node(f->p, (size_t)i)->needed) count_operands(f, i);
  for (int32_t i = 0; i < count; i++) {
    f->nodes[i].group = i;
    f->nodes[i].end = -1;
    if (!tsr__program_node(f->p, (size_t)i)->needed) continue;
    ask_kind(f, i);
    if (f->nodes[i].kind == TSR__FUSE_ELEMENT) add_element(f, i);
    if (f->nodes[i].kind >= TSR__FUSE_REDUCTION) add_end(f, i);
    close_others(f, i);
  }
}

#endif
