/* The end of a recording: where every operand is, how long values live, and one block for all of them. */
#include "core/storage.h"
#include "core/tensor.h"
#include "program/program.h"

#if TSR_HAVE_OPS

/* ---- operands ---- */

static tsr_status make_operands(tsr_ctx *ctx, tsr_program *p) {
  size_t all = 0;
  for (size_t i = 0; i < p->nodes.count; i++) {
    tsr__node *const node = tsr__program_node(p, i);
    node->operands = all;
    all += (size_t)node->work->inputs + (size_t)node->work->outputs;
  }
  const size_t bytes = all * (sizeof *p->tensors + sizeof *p->refs + sizeof *p->pointers);
  p->operands = all;
  if (all == 0) return TSR_OK;
  p->block = p->allocator->alloc(p->allocator->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (p->block == NULL) return tsr__no_memory(ctx, "program_end", bytes);
  p->block_bytes = bytes;
  p->tensors = p->block;
  p->refs = (tsr__operand_ref *)(void *)(p->tensors + all);
  p->pointers = (const tsr_tensor **)(void *)(p->refs + all);
  return TSR_OK;
}

/* One operand: a constant stays as it was recorded, without a count: the work holds it. */
static void place(const tsr_program *p, size_t at, const tsr_tensor *t) {
  p->pointers[at] = t != NULL ? &p->tensors[at] : NULL;
  p->refs[at] = (tsr__operand_ref){-1, 0};
  if (t == NULL) return;
  p->tensors[at] = *t;
  p->tensors[at].flags &= (uint8_t)~TSR_OWNS;
  p->refs[at] = tsr__program_find(p, t);
  if (p->refs[at].value >= 0 || (t->storage != NULL && t->storage->device == &p->device)) p->tensors[at].storage = NULL;
}

static void place_all(const tsr_program *p) {
  for (size_t i = 0; i < p->nodes.count; i++) {
    const tsr__node *const node = tsr__program_node(p, i);
    const tsr_work *const work = node->work;
    for (int k = 0; k < work->inputs; k++) place(p, node->operands + (size_t)k, work->in[k]);
    for (int k = 0; k < work->outputs; k++) place(p, node->operands + (size_t)(work->inputs + k), work->out[k]);
  }
}

/* ---- what is needed, and how long ---- */

static bool writes_what_is_needed(const tsr_program *p, const tsr__node *node) {
  const tsr_work *const work = node->work;
  if ((((const tsr__op_info *)work->info)->flags & TSR__OP_RANDOM) != 0) return true; /* it draws numbers */
  for (int k = 0; k < work->outputs; k++) {
    const size_t at = node->operands + (size_t)(work->inputs + k);
    if (p->pointers[at] == NULL || tsr_size(p->pointers[at]) == 0) continue;
    if (p->refs[at].value < 0 || tsr__program_value(p, (size_t)p->refs[at].value)->needed) return true;
  }
  return false;
}

static void use_operands(const tsr_program *p, const tsr__node *node, int32_t step) {
  const size_t count = (size_t)node->work->inputs + (size_t)node->work->outputs;
  for (size_t k = 0; k < count; k++) {
    const int32_t number = p->refs[node->operands + k].value;
    if (number < 0) continue;
    tsr__value *const value = tsr__program_value(p, (size_t)number);
    value->needed = true;
    value->first = step; /* from the last call to the first */
    if (value->last < 0) value->last = step;
  }
}

static void find_lives(const tsr_program *p) {
  for (size_t i = 0; i < p->outputs.count; i++) {
    const int32_t number = tsr__program_output(p, i)->value;
    if (number >= 0) tsr__program_value(p, (size_t)number)->needed = true;
  }
  for (size_t i = p->nodes.count; i-- > 0;) {
    tsr__node *const node = tsr__program_node(p, i);
    node->needed = writes_what_is_needed(p, node);
    if (node->needed) use_operands(p, node, (int32_t)i);
  }
}

/* Values of inputs and outputs are brought by runs. */
static void mark_planned(const tsr_program *p) {
  for (size_t i = 0; i < p->values.count; i++) {
    tsr__value *const value = tsr__program_value(p, i);
    value->is_planned = value->first >= 0 && value->bytes > 0;
  }
  for (size_t i = 0; i < p->inputs.count; i++)
    if (tsr__program_input(p, i)->value >= 0)
      tsr__program_value(p, (size_t)tsr__program_input(p, i)->value)->is_planned = false;
  for (size_t i = 0; i < p->outputs.count; i++)
    if (tsr__program_output(p, i)->value >= 0)
      tsr__program_value(p, (size_t)tsr__program_output(p, i)->value)->is_planned = false;
}

/* ---- memory ---- */

static tsr_status plan_items(tsr_ctx *ctx, tsr_program *p, int32_t count, tsr_plan_item *items) {
  int32_t at = 0;
  for (size_t i = 0; i < p->values.count; i++) {
    const tsr__value *const value = tsr__program_value(p, i);
    if (value->is_planned)
      items[at++] = (tsr_plan_item){.bytes = value->bytes, .first = value->first, .last = value->last};
  }
  const tsr_status st = tsr_plan(ctx, count, items, 0, &p->plan);
  if (st != TSR_OK) return tsr__fail_as(ctx, st, "program_end");
  at = 0;
  for (size_t i = 0; i < p->values.count; i++) {
    tsr__value *const value = tsr__program_value(p, i);
    if (value->is_planned) value->offset = items[at++].offset;
  }
  return TSR_OK;
}

static tsr_status take_memory(tsr_ctx *ctx, tsr_program *p) {
  if (p->plan.planned == 0) return TSR_OK;
  if (p->home != NULL) {
    const tsr_status st = tsr__storage_make(ctx, "program_end", p->home, p->plan.planned, TSR_HINT_DEFAULT, &p->store);
    if (st != TSR_OK) return st;
    p->memory = tsr_storage_data(p->store);
  } else {
    p->memory = p->allocator->alloc(p->allocator->self, p->plan.planned, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
    if (p->memory == NULL) return tsr__no_memory(ctx, "program_end", p->plan.planned);
  }
  for (size_t i = 0; i < p->values.count; i++) {
    tsr__value *const value = tsr__program_value(p, i);
    if (value->is_planned) value->base = p->memory + value->offset;
    if (value->is_planned) value->storage = p->store;
  }
  return TSR_OK;
}

static tsr_status plan_memory(tsr_ctx *ctx, tsr_program *p) {
  tsr__scratch scratch;
  int32_t count = 0;
  for (size_t i = 0; i < p->values.count; i++) count += tsr__program_value(p, i)->is_planned;
  tsr_status st = tsr__scratch_get(ctx, "program_end", (size_t)count * sizeof(tsr_plan_item), &scratch);
  if (st != TSR_OK) return st;
  st = plan_items(ctx, p, count, scratch.data);
  tsr__scratch_put(&scratch);
  return st == TSR_OK ? take_memory(ctx, p) : st;
}

/* How much temporary memory the calls take: by a dry run of each. */
static tsr_status measure_scratch(tsr_ctx *ctx, tsr_program *p) {
  tsr_ctx dry = tsr__dry_context(ctx);
  tsr_status st = TSR_OK;
  for (size_t i = 0; i < p->nodes.count && st == TSR_OK; i++) {
    const tsr__node *const node = tsr__program_node(p, i);
    if (node->needed) st = tsr__program_step(&dry, p, node);
  }
  if (st != TSR_OK) ctx->error = dry.error;
  p->scratch = dry.scratch_needed;
  return st;
}

tsr_status tsr__program_plan(tsr_ctx *ctx, tsr_program *p) {
  tsr_status st = make_operands(ctx, p);
  if (st != TSR_OK) return st;
  place_all(p);
  find_lives(p);
  mark_planned(p);
  st = plan_memory(ctx, p);
  if (st != TSR_OK) return st;
  return p->home != NULL ? tsr__program_make_works(ctx, p) : measure_scratch(ctx, p);
}

#endif
