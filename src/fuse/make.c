/* A group made of its calls: every call tells what it would do, and becomes steps. */
#include "fuse/fuse.h"

#include "core/storage.h"
#include "ops/cast/convert.h"

#include <string.h>

#if TSR_HAVE_OPS

/* A group that is being made. */
typedef struct maker {
  tsr__listener base;
  tsr__fusing *f;
  tsr__group *g;
  int32_t at;   /* the group's call */
  int32_t node; /* the call that tells */
  bool is_full; /* there was no room for something */
  tsr_tensor in[TSR__GROUP_INPUTS], out[TSR__GROUP_OUTPUTS];
} maker;

/* ---- values ---- */

static int add_value(maker *m, int dtype, tsr__group_source source, int number) {
  tsr__group *const g = m->g;
  if (g->values == TSR__GROUP_VALUES) {
    m->is_full = true;
    return 0;
  }
  g->value[g->values] = (tsr__group_value){
      .dtype = (uint8_t)dtype, .source = (uint8_t)source, .number = (int16_t)number, .output = -1, .slot = -1};
  if (g->widest < tsr__item_sizes[dtype]) g->widest = tsr__item_sizes[dtype];
  return g->values++;
}

static int add_number(maker *m, int dtype, const void *element) {
  tsr__group *const g = m->g;
  if (g->numbers == TSR__GROUP_NUMBERS) {
    m->is_full = true;
    return 0;
  }
  memset(g->constant[g->numbers].bytes, 0, sizeof g->constant->bytes);
  memcpy(g->constant[g->numbers].bytes, element, tsr__item_sizes[dtype]);
  return add_value(m, dtype, TSR__GROUP_NUMBER, g->numbers++);
}

/* A tensor from outside, over the group's shape. */
static int add_input(maker *m, const tsr_tensor *t) {
  tsr__group *const g = m->g;
  tsr_tensor view;
  tsr__broadcast_view(t, g->ndim, g->shape, &view);
  view.layout = TSR_PLAIN;
  for (int i = 0; i < g->inputs; i++)
    if (m->in[i].dtype == t->dtype && m->in[i].storage == t->storage && tsr__same_view(&m->in[i], &view))
      return g->input[i];
  if (g->inputs == TSR__GROUP_INPUTS) {
    m->is_full = true;
    return 0;
  }
  m->in[g->inputs] = view;
  const int value = add_value(m, t->dtype, TSR__GROUP_INPUT, g->inputs);
  g->input[g->inputs++] = (int16_t)value;
  return value;
}

/* Of a program for a device: a number that stands beside its tensors. */
static bool is_number_of_host(const tsr__fusing *f, const tsr_tensor *t) {
  return f->p->home != NULL && t->storage->device->is_host;
}

/* What a tensor is that the call computes with: one of its operands, or a number among its attributes. */
static int value_of(maker *m, const tsr_tensor *t) {
  const tsr_work *const work = tsr__fuse_work(m->f, m->node);
  for (int k = 0; k < work->inputs; k++) {
    if (work->in[k] != t) continue;
    const int32_t value = tsr__fuse_ref(m->f, m->node, k).value;
    if (value >= 0 && m->f->values[value].number >= 0) return m->f->values[value].number;
    if (t->ndim > 0 || (t->storage != NULL && !is_number_of_host(m->f, t))) return add_input(m, t);
  }
  return add_number(m, t->dtype, t->data);
}

/* ---- steps ---- */

static tsr__group_step *add_step(maker *m, int dtype) {
  tsr__group *const g = m->g;
  if (g->steps == TSR__GROUP_STEPS) {
    m->is_full = true;
    g->steps--;
  }
  tsr__group_step *const step = &g->step[g->steps];
  *step = (tsr__group_step){.op = tsr__fuse_work(m->f, m->node)->info};
  step->out = (int16_t)add_value(m, dtype, TSR__GROUP_STEP, g->steps);
  g->steps++;
  return step;
}

static int add_conversion(maker *m, int value, int dtype) {
  tsr__group_step *const step = add_step(m, dtype);
  step->inputs = 1;
  step->in[0] = (int16_t)value;
  return step->out;
}

/* Whether a value is a result that was rounded to a small float after its op. */
static bool is_rounded(const maker *m, int value) {
  const tsr__group_value *const v = &m->g->value[value];
  if (v->source != TSR__GROUP_STEP || tsr_dtype_describe(v->dtype)->class_ != TSR_CLASS_FLOAT) return false;
  const tsr__group_step *const step = &m->g->step[v->number];
  return step->tables == NULL && step->has_param; /* has_param of a conversion: it is a part of another op */
}

/* The value as dtype: a number at once, else by a step that all who want it share. */
static int converted(maker *m, int value, int dtype) {
  const tsr__group *const g = m->g;
  if (g->value[value].dtype == dtype) return value;
  if (g->value[value].source == TSR__GROUP_NUMBER) {
    tsr__group_number number;
    tsr__convert_row(tsr__isa_of(m->f->ctx), g->value[value].dtype, dtype, 1, g->constant[g->value[value].number].bytes,
                     (ptrdiff_t)tsr__item_sizes[g->value[value].dtype], number.bytes,
                     (ptrdiff_t)tsr__item_sizes[dtype]);
    return add_number(m, dtype, number.bytes);
  }
  if (m->f->options.keep_wide && is_rounded(m, value)) {
    const int wide = g->step[g->value[value].number].in[0];
    if (g->value[wide].dtype == dtype) return wide;
  }
  for (int i = 0; i < g->steps; i++)
    if (g->step[i].tables == NULL && g->step[i].in[0] == value && g->value[g->step[i].out].dtype == dtype)
      return g->step[i].out;
  return add_conversion(m, value, dtype);
}

static int add_kernel(maker *m, const tsr__elementwise *e) {
  int in[TSR__MAX_OPERANDS - 1] = {0};
  for (int k = 0; k < e->inputs; k++) in[k] = converted(m, value_of(m, e->in[k]), tsr__kernel_dtype(e, k));
  tsr__group_step *const step = add_step(m, e->result);
  step->tables = e->tables;
  step->compute = (uint8_t)e->compute;
  step->inputs = (uint8_t)e->inputs;
  for (int k = 0; k < e->inputs; k++) step->in[k] = (int16_t)in[k];
  step->has_param = e->param != NULL;
  if (step->has_param) memcpy(step->param.bytes, e->param, e->param_bytes);
  m->g->heavy = m->g->heavy || e->grain == TSR__GRAIN_HEAVY;
  if (e->out_dtype == e->result) return step->out;
  const int rounded = add_conversion(m, step->out, e->out_dtype);
  m->g->step[m->g->steps - 1].has_param = true;
  return rounded;
}

/* ---- outputs ---- */

/* A value that a step makes and that is no output yet: itself, or a copy. */
static int own_value(maker *m, int value) {
  const tsr__group_value *const v = &m->g->value[value];
  if (v->source == TSR__GROUP_STEP && v->output < 0) return value;
  return add_conversion(m, value, v->dtype);
}

static void add_output(maker *m, int value, const tsr_tensor *t) {
  tsr__group *const g = m->g;
  if (g->outputs == TSR__GROUP_OUTPUTS) {
    m->is_full = true;
    return;
  }
  const int own = own_value(m, value);
  m->out[g->outputs] = *t;
  g->value[own].output = (int16_t)g->outputs;
  g->output[g->outputs++] = (int16_t)own;
}

static void add_end(maker *m, tsr__group_end end, int value) {
  tsr__group *const g = m->g;
  const tsr_tensor *const out = tsr__fuse_work(m->f, m->node)->out[0];
  g->end = end;
  g->ends = tsr__fuse_work(m->f, m->node)->info;
  add_output(m, value, out);
  g->ended = g->output[0];
  g->out_dtype = out->dtype;
  g->out_ndim = out->ndim;
  memcpy(g->out_shape, out->shape, sizeof g->out_shape);
}

/* ---- calls ---- */

static void hear_call(tsr__listener *self, tsr__telling telling, const void *what) {
  maker *const m = (maker *)(void *)self;
  const tsr_tensor *const x = tsr__fuse_work(m->f, m->node)->in[0];
  const int32_t made = tsr__fuse_ref(m->f, m->node, tsr__fuse_work(m->f, m->node)->inputs).value;
  int value = 0;
  if (telling == TSR__TELLS_REDUCTION) {
    m->g->reduce = *(const tsr__reduce *)what;
    add_end(m, TSR__ENDS_REDUCTION, converted(m, value_of(m, x), m->g->reduce.compute));
    return;
  }
  if (telling == TSR__TELLS_SOFTMAX) {
    m->g->softmax = ((const tsr__softmax_told *)what)->tables;
    m->g->heavy = true;
    const bool small = tsr__item_sizes[x->dtype] < 4;
    add_end(m, TSR__ENDS_SOFTMAX, converted(m, value_of(m, x), small ? TSR_F32 : x->dtype));
    return;
  }
  if (telling == TSR__TELLS_COPY) {
    const int dtype = *(const int *)what;
    value = value_of(m, x);
    if (m->g->value[value].dtype != dtype) value = add_conversion(m, value, dtype);
  } else {
    value = add_kernel(m, what);
  }
  m->f->values[made].number = (int16_t)value;
}

static bool is_outside(const tsr__fuse_value *value) { return value->is_output || value->readers != value->inside; }

static bool is_member(const tsr__fusing *f, int32_t node, int32_t group) {
  return f->nodes[node].kind == TSR__FUSE_ELEMENT && tsr__fuse_group_of(f, node) == group;
}

/* All calls in their order; then what is wanted outside. */
static tsr_status add_calls(maker *m) {
  tsr__fusing *const f = m->f;
  const tsr__fuse_node *const group = &f->nodes[m->at];
  tsr_ctx quiet = {.isa = f->ctx->isa};
  tsr_status st = TSR_OK;
  for (int32_t i = group->first; i <= group->last && st == TSR_OK; i++) {
    m->node = i;
    if (is_member(f, i, m->at) || i == group->end) st = tsr__work_ask(&quiet, tsr__fuse_work(f, i), &m->base);
  }
  for (int32_t i = group->first; i <= group->last && group->end < 0 && st == TSR_OK; i++) {
    if (!is_member(f, i, m->at)) continue;
    m->node = i;
    const tsr__fuse_value *const value = &f->values[tsr__fuse_ref(f, i, tsr__fuse_work(f, i)->inputs).value];
    if (is_outside(value)) add_output(m, value->number, tsr__fuse_work(f, i)->out[0]);
  }
  return st;
}

/* Values of calls are known by their numbers within this group alone. */
static void forget_numbers(const maker *m) {
  for (int32_t i = m->f->nodes[m->at].first; i <= m->f->nodes[m->at].last; i++)
    if (is_member(m->f, i, m->at))
      m->f->values[tsr__fuse_ref(m->f, i, tsr__fuse_work(m->f, i)->inputs).value].number = -1;
}

/* ---- steps that count, and their blocks ---- */

static void drop_dead_steps(tsr__group *g) {
  bool wanted[TSR__GROUP_VALUES] = {false};
  int kept = 0;
  for (int k = 0; k < g->outputs; k++) wanted[g->output[k]] = true;
  for (int i = g->steps - 1; i >= 0; i--)
    for (int k = 0; k < g->step[i].inputs; k++)
      if (wanted[g->step[i].out]) wanted[g->step[i].in[k]] = true;
  for (int i = 0; i < g->steps; i++) {
    if (!wanted[g->step[i].out]) continue;
    g->value[g->step[i].out].number = (int16_t)kept;
    if (kept != i) g->step[kept] = g->step[i];
    kept++;
  }
  g->steps = kept;
}

/* Gives back the blocks of what steps first … end - 1 read last. */
static void free_slots(const tsr__group *g, int first, int end, int16_t *last, int16_t *spare, int *spares) {
  for (int i = first; i < end; i++)
    for (int k = 0; k < g->step[i].inputs; k++) {
      const int16_t slot = g->value[g->step[i].in[k]].slot;
      if (slot < 0 || last[g->step[i].in[k]] < first || last[g->step[i].in[k]] >= end) continue;
      spare[(*spares)++] = slot;
      last[g->step[i].in[k]] = -1; /* once */
    }
}

/* Steps that run together in registers write to no block that one of them reads. */
static void choose_slots(tsr__group *g) {
  int16_t last[TSR__GROUP_VALUES] = {0}, spare[TSR__GROUP_VALUES];
  int spares = 0, first = 0;
  for (int i = 0; i < g->steps; i++)
    for (int k = 0; k < g->step[i].inputs; k++) last[g->step[i].in[k]] = (int16_t)i;
  for (int i = 0; i < g->steps; i++) {
    tsr__group_value *const made = &g->value[g->step[i].out];
    if (made->output < 0 && !made->in_register) made->slot = spares > 0 ? spare[--spares] : (int16_t)g->slots++;
    if (tsr__group_goes_on(g, i)) continue;
    free_slots(g, first, i + 1, last, spare, &spares);
    first = i + 1;
  }
}

static tsr_status make_work(maker *m, tsr_work **work) {
  tsr__group *const g = m->g;
  const tsr_tensor *in[TSR__GROUP_INPUTS];
  tsr_tensor *out[TSR__GROUP_OUTPUTS];
  for (int k = 0; k < g->inputs; k++) in[k] = &m->in[k];
  for (int k = 0; k < g->outputs; k++) out[k] = &m->out[k];
  g->bytes = offsetof(tsr__group, step) + (size_t)g->steps * sizeof *g->step;
  const tsr__fused_attrs attrs = {g, (int)g->bytes};
  const tsr_work fused = {.size = sizeof fused,
                          .op = tsr__op_fused.name,
                          .inputs = g->inputs,
                          .outputs = g->outputs,
                          .in = in,
                          .out = out,
                          .attrs = &attrs,
                          .info = &tsr__op_fused};
  tsr_ctx plain = {.allocator = m->f->p->allocator};
  const tsr_status st = tsr_work_copy(&plain, &fused, work);
  return st == TSR_OK ? TSR_OK : tsr__no_memory(m->f->ctx, "program_end_fused", g->bytes);
}

tsr_status tsr__fuse_make(tsr__fusing *f, int32_t node, tsr__group *room, tsr_work **work) {
  const tsr__fuse_node *const group = &f->nodes[node];
  maker m = {.base = {hear_call}, .f = f, .g = room, .at = node};
  const tsr_tensor *const like = tsr__fuse_work(f, node)->out[0];
  *work = NULL;
  if (group->members + (group->end >= 0) < 2) return TSR_OK;
  memset(room, 0, offsetof(tsr__group, value));
  room->ndim = like->ndim;
  room->size = tsr_size(like);
  memcpy(room->shape, like->shape, sizeof room->shape);
  const tsr_status st = add_calls(&m);
  forget_numbers(&m);
  if (st != TSR_OK || m.is_full) return TSR_OK; /* it stays what it was */
  const bool is_host =
      f->p->home == NULL; /* a device has no blocks to write and read again, and registers of its own */
  const bool chains = is_host && room->size >= TSR__CHAIN_ELEMENTS;
  if (is_host && !chains) tsr__group_join_products(room);
  drop_dead_steps(room);
  if (chains) tsr__group_plan_chains(room);
  choose_slots(room);
  return make_work(&m, work);
}

#endif
