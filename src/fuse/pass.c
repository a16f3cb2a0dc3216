#include "fuse/pass.h"

#include <string.h>

#if TSR_HAVE_OPS

typedef tsr__pass pass;

static const tsr__stages *stages_for(int isa, int lanes) {
  static const tsr__stages *const f32[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__stages_f32);
#if TSR_HAVE_F64
  static const tsr__stages *const f64[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__stages_f64);
  if (lanes == TSR_F64) return f64[isa];
#endif
  (void)lanes;
  return f32[isa];
}

bool tsr__pass_streams(int isa, int lanes) { return stages_for(isa, lanes)->stream[0] != NULL; }

static tsr__stage_format format_of(int dtype) {
  return dtype == TSR_BOOL   ? TSR__FORMAT_BOOL
         : dtype == TSR_F16  ? TSR__FORMAT_F16
         : dtype == TSR_BF16 ? TSR__FORMAT_BF16
                             : TSR__FORMAT_SAME;
}

/* ---- the program ---- */

static const tsr__group_value *value_of(const pass *p, int v) { return &p->tile->run->group->value[v]; }

static tsr__stage *add_stage(pass *p, tsr__stage_fn *run) {
  tsr__stage *const stage = &p->program[p->count++];
  stage->run = run;
  for (int k = 0; k < 2; k++) {
    stage->at[k] = (char *)stage; /* of operands that it does not have: any address that stays where it is */
    stage->step[k] = stage->row[k] = 0;
  }
  return stage;
}

static bool is_splat(const pass *p, int v) { return p->tile->step[v] == 0; }

/* Bytes from a row of a value to the next. */
static ptrdiff_t row_of(const pass *p, int v) {
  const tsr__group_value *const value = value_of(p, v);
  if (value->source == TSR__GROUP_INPUT) return p->tile->in_row[value->number];
  if (value->output >= 0) return p->tile->out_row[value->output];
  return p->tile->step[v] * (ptrdiff_t)p->row;
}

static void set_operand(const pass *p, tsr__stage *stage, int k, int v) {
  stage->at[k] = p->tile->at[v];
  stage->step[k] = p->tile->step[v];
  stage->row[k] = row_of(p, v);
}

static void add_load(pass *p, int v, bool pushes) {
  tsr__stage_fn *const load = p->stages->load[format_of(value_of(p, v)->dtype)][is_splat(p, v)][pushes];
  set_operand(p, add_stage(p, load), 0, v);
}

/* Whether a step takes nothing from the top. */
static bool begins(const tsr__group_step *s) {
  for (int k = 0; k < s->inputs; k++)
    if (s->from[k] == TSR__IN_TOP) return false;
  return true;
}

static void add_conversion(pass *p, const tsr__group_step *s) {
  const tsr__group_value *const to = value_of(p, s->out);
  if (begins(s)) add_load(p, s->in[0], s->pushes);
  if (to->in_register && p->stages->round[format_of(to->dtype)] != NULL)
    (void)add_stage(p, p->stages->round[format_of(to->dtype)]);
}

static void add_one(pass *p, const tsr__group_step *s) {
  tsr__stage_fn *const *const forms = p->stages->op[s->stage];
  if (begins(s) && !is_splat(p, s->in[0]) && forms[TSR__MEMORY] != NULL) {
    set_operand(p, add_stage(p, forms[s->pushes ? TSR__PUSH_MEMORY : TSR__MEMORY]), 0, s->in[0]);
    return;
  }
  if (begins(s)) add_load(p, s->in[0], s->pushes);
  (void)add_stage(p, forms[TSR__TOP]);
}

/* Both operands are in memory. */
static void add_two_loads(pass *p, const tsr__group_step *s) {
  tsr__stage_fn *const *const forms = p->stages->op[s->stage];
  const bool x = is_splat(p, s->in[0]), y = is_splat(p, s->in[1]);
  if ((x && y) || forms[TSR__MEMORY_MEMORY] == NULL) {
    add_load(p, s->in[0], s->pushes);
    set_operand(p, add_stage(p, forms[y ? TSR__TOP_SPLAT : TSR__TOP_MEMORY]), 0, s->in[1]);
    return;
  }
  const int form = x ? TSR__SPLAT_MEMORY : y ? TSR__MEMORY_SPLAT : TSR__MEMORY_MEMORY;
  tsr__stage *const stage = add_stage(p, forms[s->pushes ? form - TSR__MEMORY_MEMORY + TSR__PUSH_MEMORY_MEMORY : form]);
  set_operand(p, stage, 0, s->in[0]);
  set_operand(p, stage, 1, s->in[1]);
}

static void add_two(pass *p, const tsr__group_step *s) {
  const tsr__group_place x = s->from[0], y = s->from[1];
  if (begins(s)) {
    add_two_loads(p, s);
    return;
  }
  if (x == TSR__IN_TOP && y == TSR__IN_TOP) (void)add_stage(p, p->stages->copy);
  const int in = x == TSR__IN_MEMORY ? s->in[0] : s->in[1];
  const bool splat = is_splat(p, in);
  const tsr__stage_form form = y == TSR__IN_MEMORY   ? (splat ? TSR__TOP_SPLAT : TSR__TOP_MEMORY)
                               : x == TSR__IN_MEMORY ? (splat ? TSR__SPLAT_TOP : TSR__MEMORY_TOP)
                               : x == TSR__IN_BELOW  ? TSR__BELOW_TOP
                                                     : TSR__TOP_BELOW;
  tsr__stage *const stage = add_stage(p, p->stages->op[s->stage][form]);
  if (form <= TSR__SPLAT_TOP) set_operand(p, stage, 0, in);
}

static void add_three(pass *p, const tsr__group_step *s) {
  int form = 0;
  if (begins(s)) add_load(p, s->in[0], s->pushes);
  for (int k = 1; k < 3; k++) {
    const int place = s->from[k] == TSR__IN_BELOW ? 2 : is_splat(p, s->in[k]) ? 1 : 0;
    form += place * (k == 1 ? TSR__SECOND : TSR__THIRD);
  }
  tsr__stage *const stage = add_stage(p, p->stages->op[s->stage][form]);
  for (int k = 1; k < 3; k++)
    if (s->from[k] == TSR__IN_MEMORY) set_operand(p, stage, k - 1, s->in[k]);
}

static void add_store(pass *p, const tsr__group_step *s, bool is_last) {
  const tsr__group_value *const value = value_of(p, s->out);
  const bool stream = value->output >= 0 && p->tile->run->streams[value->output];
  p->tile->step[s->out] = (ptrdiff_t)tsr__item_sizes[value->dtype];
  if (value->output >= 0) {
    p->output[p->outputs] = s->out;
    p->store[p->outputs++] = p->count;
    p->streams = p->streams || stream;
  }
  tsr__stage_fn *const *const stores = stream ? p->stages->stream : p->stages->store[format_of(value->dtype)];
  set_operand(p, add_stage(p, stores[is_last]), 0, s->out);
}

static void add_step(pass *p, const tsr__group_step *s, bool is_last) {
  if (s->stage == TSR__STAGE_CONVERT)
    add_conversion(p, s);
  else if (s->inputs == 1)
    add_one(p, s);
  else if (s->inputs == 2)
    add_two(p, s);
  else
    add_three(p, s);
  if (!value_of(p, s->out)->in_register) add_store(p, s, is_last);
}

/* Whether an input is read once: one that repeats along an axis is in a cache. */
static bool is_read_once(const pass *p, int input) {
  const tsr__fused_run *const run = p->tile->run;
  for (int axis = 0; axis < run->loop.ndim; axis++)
    if (run->loop.step[run->outputs + input][axis] == 0) return false;
  return true;
}

/* Stages that ask for the inputs, two each. */
static void add_ahead(pass *p, tsr_index elements) {
  const tsr__group *const g = p->tile->run->group;
  tsr__stage *stage = NULL;
  for (int k = 0; k < g->inputs; k++) {
    const int v = g->input[k];
    if (is_splat(p, v) || !is_read_once(p, k)) continue;
    const int second = stage != NULL ? 1 : 0;
    if (stage == NULL) stage = add_stage(p, p->stages->ahead[0]);
    if (second) stage->run = p->stages->ahead[1];
    set_operand(p, stage, second, v);
    stage->at[second] = (char *)((uintptr_t)stage->at[second] + (uintptr_t)(stage->step[second] * (ptrdiff_t)elements));
    if (second) stage = NULL;
  }
}

static void make_program(pass *p, tsr_index ahead) {
  const tsr__group *const g = p->tile->run->group;
  p->count = p->outputs = 0;
  p->streams = false;
  if (ahead > 0) add_ahead(p, ahead);
  for (int i = p->first; i <= p->last; i++) add_step(p, &g->step[i], i == p->last);
}

/* ---- runs ---- */

/* Whether an output is written over an input. */
static bool is_in_place(const pass *p) {
  const tsr__group *const g = p->tile->run->group;
  for (int o = 0; o < p->outputs; o++)
    for (int k = 0; k < g->inputs; k++)
      if (p->tile->at[g->input[k]] == p->tile->at[p->output[o]]) return true;
  return false;
}

static char *pad_of(const pass *p, int number) { return p->tile->pads + (ptrdiff_t)number * TSR__STAGE_BLOCK_BYTES; }

static bool is_stream(const pass *p, const tsr__stage *stage) {
  return stage->run == p->stages->stream[0] || stage->run == p->stages->stream[1];
}

/* The last block, which begins inside of the one before and goes first: of an output in place only what is after the last
 * whole block counts, and waits until the others have read their elements. */
static void run_last_block(const pass *p, tsr_index from, tsr_index to) {
  tsr__stage kept[TSR__GROUP_OUTPUTS];
  for (int o = 0; o < p->outputs; o++) {
    tsr__stage *const stage = &p->program[p->store[o]];
    kept[o] = *stage;
    if (is_stream(p, stage)) stage->run = p->stages->store[TSR__FORMAT_SAME][stage->run == p->stages->stream[1]];
    if (p->in_place) stage->at[0] = pad_of(p, o) - stage->step[0] * (ptrdiff_t)from;
  }
  p->stages->run(p->program, from, to);
  /* cppcheck-suppress uninitvar ; each was kept above */
  for (int o = 0; o < p->outputs; o++) p->program[p->store[o]] = kept[o];
}

void tsr__pass_run_part(const pass *p, tsr_index from, tsr_index to) {
  const tsr_index block = p->stages->block, rest = (to - from) % block;
  if (rest == 0 || (!p->in_place && !p->streams)) {
    p->stages->run(p->program, from, to);
    return;
  }
  run_last_block(p, to - block, to);
  if (to - from > block) p->stages->run(p->program, from, to - rest);
  for (int o = 0; o < p->outputs && p->in_place; o++) {
    const tsr__stage *const stage = &p->program[p->store[o]];
    const ptrdiff_t item = stage->step[0];
    memcpy(stage->at[0] + item * (ptrdiff_t)(to - rest), pad_of(p, o) + item * (ptrdiff_t)(block - rest),
           (size_t)rest * (size_t)item);
  }
}

static void run_rows(const pass *p, const tsr_index *n) {
  for (tsr_index row = 0; row < n[1]; row++) {
    tsr__pass_run_part(p, 0, n[0]);
    for (int i = 0; i < p->count; i++)
      for (int k = 0; k < 2; k++) p->program[i].at[k] += p->program[i].row[k];
  }
}

/* Whether a step reads or writes a value. Others may have larger elements than a block has room for. */
static bool is_used(const pass *p, int v) {
  const tsr__group *const g = p->tile->run->group;
  for (int i = p->first; i <= p->last; i++) {
    if (g->step[i].out == v) return true;
    for (int k = 0; k < g->step[i].inputs; k++)
      if (g->step[i].in[k] == v) return true;
  }
  return false;
}

/* Less than a block: operands go to where there is room for one, and outputs back from there. */
static void run_short(pass *p, tsr_index n) {
  tsr__fused_tile *const tile = p->tile;
  const tsr__group *const g = tile->run->group;
  char *at[TSR__GROUP_OPERANDS];
  for (int k = 0; k < g->outputs + g->inputs; k++) {
    const int v = k < g->outputs ? g->output[k] : g->input[k - g->outputs];
    at[k] = tile->at[v];
    if (!is_used(p, v) || (k >= g->outputs && is_splat(p, v))) continue;
    tile->at[v] = pad_of(p, k);
    memcpy(tile->at[v], at[k], (size_t)n * tsr__item_sizes[g->value[v].dtype]);
  }
  make_program(p, 0);
  for (int o = 0; o < p->outputs; o++) {
    tsr__stage *const stage = &p->program[p->store[o]];
    if (is_stream(p, stage)) stage->run = p->stages->store[TSR__FORMAT_SAME][stage->run == p->stages->stream[1]];
  }
  p->stages->run(p->program, 0, p->stages->block);
  for (int o = 0; o < p->outputs; o++) {
    const tsr__group_value *const value = value_of(p, p->output[o]);
    memcpy(at[value->output], pad_of(p, value->output), (size_t)n * tsr__item_sizes[value->dtype]);
  }
  for (int k = 0; k < g->outputs + g->inputs; k++)
    tile->at[k < g->outputs ? g->output[k] : g->input[k - g->outputs]] = at[k];
}

/* Whether every operand goes on from one row to the next as within a row. */
static bool is_one_row(const pass *p) {
  bool one = true;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < 2; k++) one = one && p->program[i].row[k] == p->program[i].step[k] * (ptrdiff_t)p->row;
  return one;
}

static void begin(pass *p, tsr__fused_tile *tile, int first, int last, tsr_index row) {
  p->tile = tile;
  p->stages = stages_for(tile->run->isa, tile->run->group->step[first].lanes);
  p->program = tile->program;
  p->first = first;
  p->last = last;
  p->row = row;
}

void tsr__pass_init(pass *p, tsr__fused_tile *tile, int first, int last, tsr_index row, tsr_index ahead) {
  begin(p, tile, first, last, row);
  make_program(p, ahead);
  p->in_place = is_in_place(p);
}

void tsr__pass_run_tile(tsr__fused_tile *tile, int first, int last, const tsr_index *n) {
  pass p;
  begin(&p, tile, first, last, n[0]);
  if (n[0] * n[1] < p.stages->block) {
    run_short(&p, n[0] * n[1]);
    return;
  }
  tsr__pass_init(&p, tile, first, last, n[0], tile->run->ahead);
  if (n[1] == 1 || is_one_row(&p))
    tsr__pass_run_part(&p, 0, n[0] * n[1]);
  else
    run_rows(&p, n);
}

#endif
