/* Which steps of a group run in registers (fuse/stage.h), and in what order.
 *
 * A result that one step alone reads, and nobody outside, stays in a register until that step: its step comes directly before
 * the reader, whatever was between them. There are two registers, the top and the one below: of two operands that are such results
 * one waits below while the other is computed, which must not need both registers itself. What does not fit is stored in a
 * block of the tile, as it is for kernels. */
#include "fuse/fuse.h"

#include "fuse/stage.h"
#include "ops/binary/binary.h"
#include "ops/ternary/ternary.h"
#include "ops/unary/unary.h"

#include <string.h>

#if TSR_HAVE_OPS

typedef struct planner {
  tsr__group *g;
  int16_t reader[TSR__GROUP_VALUES];   /* the step that alone reads a value; NOBODY or SEVERAL */
  bool kept[TSR__GROUP_VALUES];        /* in a register, until it is read */
  uint8_t registers[TSR__GROUP_STEPS]; /* that a step and those before it need */
} planner;

enum { NOBODY = -1, SEVERAL = -2 };

/* ---- stages of steps ---- */

static int find_stage(tsr__row_fn *const *kernels) {
  static tsr__row_fn *const *const all[TSR__STAGE_OPS] = {
#define TSR__STAGE_ROW(op, ...) tsr__##op##_base,
#include "fuse/stages.def"
  };
  for (int i = 0; i < TSR__STAGE_OPS; i++)
    if (all[i] == kernels) return i;
  return TSR__STAGE_NONE;
}

static bool is_lane_dtype(int dtype) { return dtype == TSR_F32 || (TSR_HAVE_F64 && dtype == TSR_F64); }

static bool is_narrow(int dtype) { return TSR_HAVE_SMALL_FLOATS && (dtype == TSR_F16 || dtype == TSR_BF16); }

static void choose_stage(const tsr__group *g, tsr__group_step *s) {
  const int from = g->value[s->in[0]].dtype, to = g->value[s->out].dtype;
  s->stage = TSR__STAGE_NONE;
  s->lanes = TSR_NONE;
  if (s->tables != NULL) {
    if (!is_lane_dtype(s->compute) || s->has_param) return;
    s->stage = (int8_t)find_stage(s->tables[0]);
    if (s->stage != TSR__STAGE_NONE) s->lanes = s->compute;
  } else if ((is_lane_dtype(from) && to == from) || (from == TSR_F32 && is_narrow(to)) ||
             (to == TSR_F32 && is_narrow(from))) {
    s->stage = TSR__STAGE_CONVERT;
    s->lanes = from == TSR_F64 ? TSR_F64 : TSR_F32;
  }
}

/* ---- what is kept in registers ---- */

static void find_readers(planner *p) {
  const tsr__group *const g = p->g;
  for (int v = 0; v < g->values; v++) p->reader[v] = NOBODY;
  for (int i = 0; i < g->steps; i++)
    for (int k = 0; k < g->step[i].inputs; k++) {
      int16_t *const reader = &p->reader[g->step[i].in[k]];
      *reader = *reader == NOBODY || *reader == i ? (int16_t)i : SEVERAL;
    }
}

/* Whether a value can stay in a register until step s reads it. */
static bool can_be_kept(const planner *p, const tsr__group_step *s, int v) {
  const tsr__group_value *const value = &p->g->value[v];
  return value->source == TSR__GROUP_STEP && value->output < 0 && p->reader[v] >= 0 &&
         p->g->step[value->number].lanes == s->lanes;
}

static int registers_for(const planner *p, int v) { return p->kept[v] ? p->registers[p->g->value[v].number] : 0; }

/* Of two: one waits below while the other is computed. */
static void keep_two(planner *p, int i) {
  const tsr__group_step *const s = &p->g->step[i];
  const int x = s->in[0], y = s->in[1];
  if (x != y && registers_for(p, x) == 2 && registers_for(p, y) == 2) p->kept[y] = false;
  const int a = registers_for(p, x), b = registers_for(p, y);
  p->registers[i] = (uint8_t)(a > 0 && b > 0 ? 2 : a + b > 1 ? 2 : 1);
}

/* Of three: the first is the top, and one of the others may wait below. */
static void keep_three(planner *p, int i) {
  const tsr__group_step *const s = &p->g->step[i];
  const int x = s->in[0], y = s->in[1], w = s->in[2];
  if (x == y || x == w) p->kept[x] = false;
  if (y == w || p->kept[y]) p->kept[w] = false;
  if (y == w || registers_for(p, x) == 2) p->kept[y] = false;
  if (registers_for(p, x) == 2) p->kept[w] = false;
  p->registers[i] = p->kept[y] || p->kept[w] || registers_for(p, x) == 2 ? 2 : 1;
}

static void keep_inputs(planner *p, int i) {
  const tsr__group_step *const s = &p->g->step[i];
  if (s->lanes == TSR_NONE) return;
  for (int k = 0; k < s->inputs; k++) p->kept[s->in[k]] = can_be_kept(p, s, s->in[k]);
  if (s->inputs == 3)
    keep_three(p, i);
  else if (s->inputs == 2)
    keep_two(p, i);
  else
    p->registers[i] = registers_for(p, s->in[0]) == 2 ? 2 : 1;
}

/* The inputs of a step that are kept, the one that is computed first at the front. */
static int kept_inputs(const planner *p, const tsr__group_step *s, int *which) {
  int count = 0;
  for (int k = 0; k < s->inputs && s->lanes != TSR_NONE; k++)
    if (p->kept[s->in[k]] && (k == 0 || s->in[k] != s->in[0])) which[count++] = k;
  if (count == 2 && (s->inputs == 3 || registers_for(p, s->in[which[1]]) == 2)) {
    const int first = which[0];
    which[0] = which[1];
    which[1] = first;
  }
  return count;
}

/* ---- the order ---- */

/* From the last to the first: a step, then what it reads from registers, the last computed of it first. */
static void order_steps(const planner *p, int16_t *order) {
  const tsr__group *const g = p->g;
  int16_t stack[TSR__GROUP_STEPS];
  int at = g->steps;
  for (int i = g->steps - 1; i >= 0; i--) {
    int depth = 0, which[TSR__MAX_OPERANDS];
    if (p->kept[g->step[i].out]) continue; /* it comes with its reader */
    stack[depth++] = (int16_t)i;
    while (depth > 0) {
      const tsr__group_step *const s = &g->step[stack[--depth]];
      order[--at] = stack[depth];
      const int count = kept_inputs(p, s, which);
      for (int k = 0; k < count; k++) stack[depth++] = g->value[s->in[which[k]]].number;
    }
  }
}

/* Where the inputs of a step are when it runs. live: registers that hold something before; returns those after. */
static int place_inputs(const planner *p, tsr__group_step *s, int live) {
  int which[TSR__MAX_OPERANDS];
  const int count = kept_inputs(p, s, which);
  const bool loads = count == 0 || (s->inputs == 3 && !p->kept[s->in[0]]);
  for (int k = 0; k < s->inputs; k++) s->from[k] = TSR__IN_MEMORY;
  if (count > 0) s->from[which[count - 1]] = loads ? TSR__IN_BELOW : TSR__IN_TOP;
  if (count == 2) s->from[which[0]] = TSR__IN_BELOW;
  if (s->inputs == 2 && s->in[0] == s->in[1]) s->from[1] = s->from[0];
  s->pushes = loads && live > 0;
  return live - count + (p->kept[s->out] ? 1 : 0);
}

/* Stages of a step at most: a load, a copy of the top, the op and a store. Before them, one for two inputs that are asked for ahead. */
static int stages_of(const tsr__group *g) {
  int most = 0, stages = 1;
  for (int i = 0; i < g->steps; i++) {
    if (i > 0 && g->step[i].lanes != g->step[i - 1].lanes) stages = 1;
    stages += 4;
    if (g->step[i].lanes != TSR_NONE && stages > most) most = stages;
  }
  return most > 0 ? most + (g->inputs + 1) / 2 : 0;
}

/* Puts the steps into their order, in place. */
static void move_steps(tsr__group *g, int16_t *order) {
  for (int first = 0; first < g->steps; first++) {
    const tsr__group_step moved = g->step[first];
    int16_t to = (int16_t)first;
    for (int16_t from = order[to]; from != first; to = from, from = order[to]) {
      g->step[to] = g->step[from];
      order[to] = to;
    }
    g->step[to] = moved;
    order[to] = to;
  }
}

static void apply_order(const planner *p, int16_t *order) {
  tsr__group *const g = p->g;
  int live = 0;
  for (int i = 0; i < g->steps; i++)
    if (g->step[order[i]].lanes != TSR_NONE) live = place_inputs(p, &g->step[order[i]], live);
  move_steps(g, order);
  for (int i = 0; i < g->steps; i++) g->value[g->step[i].out].number = (int16_t)i;
}

void tsr__group_plan_chains(tsr__group *g) {
  planner p = {.g = g};
  int16_t order[TSR__GROUP_STEPS];
  for (int i = 0; i < g->steps; i++) choose_stage(g, &g->step[i]);
  find_readers(&p);
  for (int i = 0; i < g->steps; i++) keep_inputs(&p, i);
  order_steps(&p, order);
  apply_order(&p, order);
  for (int v = 0; v < g->values; v++) g->value[v].in_register = p.kept[v];
  for (int i = 0; i < g->steps; i++)
    for (int k = 0; k < g->step[i].inputs && g->step[i].lanes == TSR_NONE; k++) g->value[g->step[i].in[k]].flat = true;
  g->stages = stages_of(g);
}

#endif
