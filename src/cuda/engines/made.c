#include "cuda/engines/made.h"

#include "core/storage.h"
#include "core/tensor.h"
#include "cuda/lines.h"

#include <string.h>

/* ---- operands and numbers ---- */

static void add_number(tsr__cuda_made *m, const tsr__group_number *number) {
  memcpy(m->number[m->numbers++].bytes, number->bytes, sizeof number->bytes);
}

static bool has_number(const tsr__group_step *step) { return step->tables != NULL && step->has_param; }

static void add_numbers(tsr__cuda_made *m) {
  const tsr__group *const g = m->group;
  for (int i = 0; i < g->numbers; i++) add_number(m, &g->constant[i]);
  for (int i = 0; i < g->steps && m->numbers < TSR__CUDA_MADE_NUMBERS; i++)
    if (has_number(&g->step[i])) add_number(m, &g->step[i].param);
}

/* Where an element is made of what, and nothing of numbers or strides: kernels are few. */
static tsr__cuda_hash hash_of(const tsr__group *g) {
  tsr__cuda_hash hash = {0xcbf29ce484222325u, 3};
  const int counts[] = {g->inputs, g->outputs, g->numbers, g->values, g->steps, (int)g->end, g->ended};
  hash = tsr__cuda_hash_add(hash, counts, sizeof counts);
  for (int v = 0; v < g->values; v++) {
    const int16_t value[] = {g->value[v].dtype, g->value[v].source, g->value[v].number, g->value[v].output};
    hash = tsr__cuda_hash_add(hash, value, sizeof value);
  }
  for (int i = 0; i < g->steps; i++) {
    const tsr__group_step *const step = &g->step[i];
    const int16_t of[] = {step->compute, step->inputs, step->tables != NULL, step->has_param,
                          step->in[0],   step->in[1],  step->in[2],          step->out};
    hash = tsr__cuda_hash_add(hash, &step->op, sizeof step->op);
    hash = tsr__cuda_hash_add(hash, of, (size_t)(4 + step->inputs) * sizeof of[0]);
    hash = tsr__cuda_hash_add(hash, &step->out, sizeof step->out);
  }
  return hash;
}

/* ---- how operands lie ---- */

/* A view without its repeated axes, and a view of another tensor as that is repeated. */
static tsr__cuda_view without_repeats(const tsr__cuda_view *v) {
  tsr__cuda_view own = *v;
  for (int d = 0; d < own.tensor.ndim; d++)
    if (own.tensor.stride[d] == 0) own.tensor.shape[d] = 1;
  return own;
}

static tsr_status copy_input(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_view *view, tsr__cuda_plan *plan) {
  const tsr__cuda_view own = without_repeats(view);
  tsr__cuda_view copy = tsr__cuda_temporary(plan, own.tensor.dtype, own.tensor.ndim, own.tensor.shape);
  const tsr_status st = tsr__cuda_plan_cast(gpu, ctx, &own, &copy, plan);
  for (int d = 0; d < own.tensor.ndim; d++)
    if (view->tensor.stride[d] == 0) copy.tensor.stride[d] = 0;
  memcpy(copy.tensor.shape, view->tensor.shape, sizeof copy.tensor.shape);
  *view = copy;
  return st;
}

/* The axis that a tensor runs along fastest; -1: it has one element. */
static int fastest_axis(const tsr_tensor *t) {
  int fastest = -1;
  for (int d = t->ndim - 1; d >= 0; d--) {
    const tsr_index step = t->stride[d] < 0 ? -t->stride[d] : t->stride[d];
    if (t->shape[d] < 2 || step == 0) continue;
    if (fastest < 0 || step < (t->stride[fastest] < 0 ? -t->stride[fastest] : t->stride[fastest])) fastest = d;
  }
  return fastest;
}

/* Whether reading it in the order of another tensor reads across its memory: a copy by tiles is faster. */
static bool lies_across(const tsr_tensor *t, int along) {
  enum { LEAST = 32 };
  const int own = fastest_axis(t);
  if (own < 0 || along < 0 || own == along) return false;
  return t->stride[along] != 0 && t->shape[along] >= LEAST && t->shape[own] >= LEAST;
}

static tsr_status place_input(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_made *m, int k, int along,
                              tsr__cuda_plan *plan) {
  tsr__cuda_view *const view = &m->in[k];
  bool moves = lies_across(&view->tensor, along);
  for (int i = 0; i < work->outputs; i++) {
    const tsr_tensor *const out = work->out[i];
    if (out->data == NULL || view->tensor.data == NULL || !tsr__overlap(&view->tensor, out)) continue;
    if (work->outputs == 1 && tsr__same_view(&view->tensor, out) && tsr__item(&view->tensor) == tsr__item(out))
      m->in_place = true;
    else
      moves = true;
  }
  return moves ? copy_input(gpu, work->ctx, view, plan) : TSR_OK;
}

tsr_status tsr__cuda_made_begin(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_made *m, tsr__cuda_plan *plan) {
  const tsr__group *const g = ((const tsr__fused_attrs *)work->attrs)->group;
  tsr_status st = TSR_OK;
  m->group = g;
  m->operands = g->inputs;
  m->numbers = 0;
  m->in_place = false;
  m->hash = hash_of(g);
  add_numbers(m);
  const int along = g->end == TSR__ENDS_ELEMENTWISE ? fastest_axis(work->out[0]) : g->ndim - 1;
  for (int k = 0; k < g->inputs && st == TSR_OK; k++) {
    m->in[k] = tsr__cuda_input(work, k);
    st = place_input(gpu, work, m, k, along, plan);
  }
  return st;
}

tsr__cuda_key tsr__cuda_made_key(const tsr__cuda_made *m, const void *bytes, size_t count) {
  static const char maker;
  tsr__cuda_key key;
  const uint8_t more = m->in_place;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  const tsr__cuda_hash hash = tsr__cuda_hash_add(tsr__cuda_hash_add(m->hash, bytes, count), &more, sizeof more);
  memcpy(key.part, &hash, sizeof hash);
  return key;
}

/* ---- the line ---- */

/* A chain that is being made of a group. */
typedef struct chain_maker {
  const tsr__cuda_made *m;
  int number; /* of the next param */
  uint8_t value[TSR__GROUP_VALUES], dtype[TSR__CUDA_MADE_INPUTS];
  tsr__cuda_line_step step[TSR__GROUP_STEPS];
} chain_maker;

static void set_conversion(tsr__cuda_line_step *step, int from, int to) {
  *step = (tsr__cuda_line_step){.line = "a",
                                .inputs = 1,
                                .in = {(uint8_t)from},
                                .dtype = {(uint8_t)to},
                                .compute = (uint8_t)to,
                                .result = (uint8_t)to,
                                .out = (uint8_t)to};
}

/* A param comes after the inputs: of an op with three it has the compute type, else it is a real number. */
static tsr_status set_kernel(chain_maker *c, tsr_ctx *ctx, const tsr__group_step *s, tsr__cuda_line_step *step) {
  const tsr__group *const g = c->m->group;
  const tsr__cuda_op *const op = tsr__cuda_op_find(s->op->name);
  const int out = g->value[s->out].dtype;
  const tsr__dtypes dtypes = {s->compute, out, out};
  int values[TSR__CUDA_STEP_INPUTS];
  if (op == NULL || op->line == NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, s->op->name, NULL, "is not a line that a kernel can be made of");
  for (int k = 0; k < s->inputs; k++) values[k] = c->value[s->in[k]];
  if (has_number(s)) values[s->inputs] = c->m->operands + c->number;
  tsr__cuda_set_step(step, op->line, &dtypes, s->inputs + has_number(s), values);
  for (int k = 0; k < s->inputs; k++) step->dtype[k] = g->value[s->in[k]].dtype;
  if (!has_number(s)) return TSR_OK;
  c->dtype[c->m->operands + c->number++] = s->inputs == 3 ? s->compute : TSR_F64;
  return TSR_OK;
}

static tsr_status make_chain(chain_maker *c, tsr_ctx *ctx) {
  const tsr__group *const g = c->m->group;
  const int inputs = c->m->operands + c->m->numbers;
  tsr_status st = TSR_OK;
  c->number = g->numbers;
  for (int v = 0; v < g->values; v++) {
    const tsr__group_value *const value = &g->value[v];
    const int at = value->source == TSR__GROUP_INPUT    ? value->number
                   : value->source == TSR__GROUP_NUMBER ? c->m->operands + value->number
                                                        : inputs + value->number;
    c->value[v] = (uint8_t)at;
    if (at < inputs) c->dtype[at] = value->dtype;
  }
  for (int i = 0; i < g->steps && st == TSR_OK; i++) {
    const tsr__group_step *const s = &g->step[i];
    if (s->tables != NULL)
      st = set_kernel(c, ctx, s, &c->step[i]);
    else
      set_conversion(&c->step[i], c->value[s->in[0]], g->value[s->out].dtype);
  }
  return st;
}

static void add_function(tsr__cuda_text *text, const chain_maker *c, const tsr__cuda_chain *chain) {
  const tsr__group *const g = c->m->group;
  tsr__cuda_text_add(text, "static __device__ inline void line(");
  for (int k = 0; k < g->outputs; k++)
    tsr__cuda_text_format(text, "%s%s_mem &to%d", k > 0 ? ", " : "", tsr__cuda_dtype(g->value[g->output[k]].dtype), k);
  for (int i = 0; i < chain->inputs; i++)
    tsr__cuda_text_format(text, ", const %s_mem %s", tsr__cuda_dtype(chain->dtype[i]), tsr__cuda_value(i).text);
  tsr__cuda_text_add(text, ") {\n  const table_args table = table_args();\n");
  tsr__cuda_add_values(text, chain, false);
  for (int k = 0; k < g->outputs; k++)
    tsr__cuda_text_format(text, "  to%d = %s;\n", k, tsr__cuda_value(c->value[g->output[k]]).text);
  tsr__cuda_text_add(text, "}\n}\n");
}

/* In a namespace: functions of the same names may be there already, of a reduction's own. */
tsr_status tsr__cuda_made_line(const tsr__cuda_made *m, tsr_ctx *ctx, tsr__cuda_text *text) {
  chain_maker c = {.m = m};
  const tsr_status st = make_chain(&c, ctx);
  if (st != TSR_OK) return st;
  const tsr__cuda_chain chain = {m->operands + m->numbers, m->group->steps, c.dtype, c.step};
  tsr__cuda_text_add(text, "namespace made_line {\nstruct table_args {};\n");
  tsr__cuda_add_steps(text, &chain);
  add_function(text, &c, &chain);
  return TSR_OK;
}

/* ---- elements of a T ---- */

/* What number a value of the group is among the numbers of the line; dtypes of params are known by their steps. */
static int number_dtype(const tsr__group *g, int number) {
  int param = g->numbers;
  for (int v = 0; v < g->values; v++)
    if (g->value[v].source == TSR__GROUP_NUMBER && g->value[v].number == number) return g->value[v].dtype;
  for (int i = 0; i < g->steps; i++)
    if (has_number(&g->step[i]) && param++ == number) return g->step[i].inputs == 3 ? g->step[i].compute : TSR_F64;
  return TSR_F64;
}

void tsr__cuda_made_numbers(const tsr__cuda_made *m, const char *args, tsr__cuda_text *text) {
  for (int i = 0; i < m->numbers; i++)
    tsr__cuda_text_format(text, ", *(const %s_mem *)%s.numbers[%d].bytes", tsr__cuda_dtype(number_dtype(m->group, i)),
                          args, i);
}

/* How an operand lies along a pack. */
static const char *width_of(const uint8_t *modes, int k) {
  return modes != NULL && modes[k] == TSR__CUDA_RUNS ? "W" : "1";
}

static void add_operand(const tsr__cuda_made *m, const uint8_t *modes, int k, tsr__cuda_text *text) {
  tsr__cuda_text_format(text, "  pack<%s_mem, %s> p%d;\n", tsr__cuda_dtype(m->in[k].tensor.dtype), width_of(modes, k),
                        k);
}

static void add_load(const tsr__cuda_made *m, int k, tsr__cuda_text *text) {
  tsr__cuda_text_format(text, "  p%d.load((const %s_mem *)m.x[%d] + a.at[%d]);\n", k,
                        tsr__cuda_dtype(m->in[k].tensor.dtype), k, k);
}

static void add_call(const tsr__cuda_made *m, const uint8_t *modes, const char *to, tsr__cuda_text *text) {
  tsr__cuda_text_format(text, "made_line::line(%s", to);
  for (int k = 0; k < m->operands; k++)
    tsr__cuda_text_format(text, *width_of(modes, k) == 'W' ? ", p%d.v[l]" : ", p%d.v[0]", k);
  tsr__cuda_made_numbers(m, "m", text);
  tsr__cuda_text_add(text, ");\n");
}

/* Packs: what they are made of is loaded at once, for as many packs as wanted, before the first of them is made. */
static void add_packs(const tsr__cuda_made *m, const uint8_t *modes, tsr__cuda_text *text) {
  tsr__cuda_text_add(text, "static __device__ inline made_at made_run(made_at a, int64_t i) {\n");
  for (int k = 0; k < m->operands; k++)
    if (modes[k] == TSR__CUDA_RUNS) tsr__cuda_text_format(text, "  a.at[%d] += i;\n", k);
  tsr__cuda_text_add(text, "  return a;\n}\ntemplate <int W> struct made_pack {\n");
  for (int k = 0; k < m->operands; k++) add_operand(m, modes, k, text);
  tsr__cuda_text_add(text, "  __device__ void load(const made_args &m, const made_at &a) {\n");
  for (int k = 0; k < m->operands; k++) add_load(m, k, text);
  tsr__cuda_text_add(
      text,
      "  }\n  __device__ void make(const made_args &m, T *to) const {\n  TSR__UNROLL(4) for (int l = 0; l < W; l++) ");
  add_call(m, modes, "to[l]", text);
  tsr__cuda_text_add(text, "  }\n};\n");
}

void tsr__cuda_made_source(const tsr__cuda_made *m, const uint8_t *modes, tsr__cuda_text *text) {
  tsr__cuda_text_format(text, "#define MADE_OPERANDS %d\n#define MADE_NUMBERS %d\n", m->operands,
                        m->numbers > 0 ? m->numbers : 1);
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/made.cuh\"\n");
  tsr__cuda_text_add(text, "static __device__ inline T made_one(const made_args &m, const made_at &a) {\n  T to;\n");
  for (int k = 0; k < m->operands; k++) {
    add_operand(m, NULL, k, text);
    add_load(m, k, text);
  }
  tsr__cuda_text_add(text, "  ");
  add_call(m, NULL, "to", text);
  tsr__cuda_text_add(text, "  return to;\n}\n");
  if (modes != NULL) add_packs(m, modes, text);
}

/* ---- arguments ---- */

static size_t addresses_at(const tsr__cuda_made *m) { return (size_t)m->operands * 16 * sizeof(int64_t); }

size_t tsr__cuda_made_args(const tsr__cuda_made *m, const tsr__cuda_made_steps *steps, void *to) {
  const size_t n = (size_t)m->operands, each = sizeof steps->kept;
  const size_t numbers = tsr__align_up(addresses_at(m) + n * sizeof(uint64_t), 16);
  const size_t bytes = numbers + (size_t)(m->numbers > 0 ? m->numbers : 1) * sizeof m->number[0];
  memset(to, 0, bytes);
  for (size_t k = 0; k < n; k++) {
    memcpy((char *)to + k * each, steps[k].kept, each);
    memcpy((char *)to + (n + k) * each, steps[k].inner, each);
  }
  memcpy((char *)to + numbers, m->number, (size_t)m->numbers * sizeof m->number[0]);
  return bytes;
}

void tsr__cuda_made_addresses(const tsr__cuda_made *m, size_t at, tsr__cuda_plan *plan) {
  for (int k = 0; k < m->operands; k++)
    tsr__cuda_plan_address(plan, at + addresses_at(m) + (size_t)k * sizeof(uint64_t), m->in[k].ref);
}

bool tsr__cuda_made_aligned(const tsr__cuda_made *m, int k, int width, int steps, const int64_t *step) {
  const tsr__cuda_view *const v = &m->in[k];
  const uint64_t item = tsr_dtype_size(v->tensor.dtype), bytes = item * (uint64_t)width;
  uint64_t bits = tsr__cuda_place_of(v);
  for (int d = 0; d < steps; d++) bits |= (uint64_t)step[d] * item;
  return bits % (bytes < 16 ? bytes : 16) == 0;
}
