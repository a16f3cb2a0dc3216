/* Replaying a program. */
#include "core/storage.h"
#include "core/tensor.h"
#include "core/text.h"
#include "program/program.h"

#include <tessera/ops.h>

#if TSR_HAVE_OPS

bool tsr__program_bind(const tsr_program *p, const tsr__node *node) {
  const size_t count = (size_t)node->work->inputs + (size_t)node->work->outputs;
  bool moved = false;
  for (size_t k = 0; k < count; k++) {
    const tsr__operand_ref ref = p->refs[node->operands + k];
    if (ref.value < 0) continue;
    const tsr__value *const value = tsr__program_value(p, (size_t)ref.value);
    tsr_tensor *const t = &p->tensors[node->operands + k];
    char *const at = value->base + ref.offset;
    moved = moved || t->data != at || t->storage != value->storage;
    t->data = at;
    t->storage = value->storage;
  }
  return moved;
}

tsr_status tsr__program_step(tsr_ctx *ctx, const tsr_program *p, const tsr__node *node) {
  const tsr_tensor **const in = p->pointers + node->operands;
  tsr_tensor *const *const out = (tsr_tensor *const *)(const void *)(in + node->work->inputs);
  return tsr_work_run(ctx, node->work, in, out);
}

/* ---- inputs and outputs ---- */

/* What a run holds until its end. */
typedef struct tsr__program_call {
  tsr_ctx *ctx;
  tsr_program *p;
  const tsr_tensor *const *in;
  tsr_tensor *const *out;
  tsr_tensor *staged; /* one for each input, then each output: memory of the recorded order, or empty */
} tsr__program_call;

static bool is_laid_out_as(const tsr_tensor *t, const tsr_tensor *description) {
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] > 1 && t->stride[i] != description->stride[i]) return false;
  return true;
}

static tsr_status refuse_port(tsr_ctx *ctx, const tsr__port *port, const tsr_tensor *t) {
  const tsr_status st = t->dtype != port->description.dtype ? TSR_EDTYPE : TSR_ESHAPE;
  return TSR__FAIL(ctx, st, "program_run", port->name, "is %t, the program has %t", t, &port->description);
}

static tsr_status allocate_as(tsr_ctx *ctx, const tsr_device *home, const tsr__port *port, tsr_tensor *t) {
  *t = port->description;
  const tsr_status st = tsr__allocate(ctx, "program_run", home, TSR_HINT_DEFAULT, t);
  if (st != TSR_OK) *t = (tsr_tensor)TSR_EMPTY;
  return st;
}

/* Whether t is where the program is replayed. */
static tsr_status check_home(const tsr__program_call *c, const tsr__port *port, const tsr_tensor *t) {
  const tsr_device *const home = c->p->home;
  if (home == NULL) return tsr__check_input(c->ctx, "program_run", port->name, t);
  const tsr_status st = tsr__check_given(c->ctx, "program_run", port->name, t);
  if (st != TSR_OK || t->data == NULL || tsr_device_of(t) == home) return st;
  return TSR__FAIL(c->ctx, TSR_EDEVICE, "program_run", port->name, "is on %s, the program was recorded for %s",
                   tsr_device_of(t)->name, home->name);
}

static void set_base(const tsr__program_call *c, const tsr__port *port, const tsr_tensor *t) {
  tsr__value *const value = tsr__program_value(c->p, (size_t)port->value);
  value->base = tsr__first_byte(t);
  value->storage = c->p->home != NULL ? t->storage : NULL;
}

static tsr_status bind_input(const tsr__program_call *c, size_t i) {
  const tsr__port *const port = tsr__program_input(c->p, i);
  const tsr_tensor *t = c->in[i];
  tsr_status st = check_home(c, port, t);
  if (st != TSR_OK) return st;
  if (t->dtype != port->description.dtype || !tsr_same_shape(t, &port->description))
    return refuse_port(c->ctx, port, t);
  if (port->value < 0) return TSR_OK;
  if (!is_laid_out_as(t, &port->description)) {
    st = allocate_as(c->ctx, c->p->home, port, &c->staged[i]);
    if (st == TSR_OK) st = tsr_copy(c->ctx, t, &c->staged[i]);
    if (st != TSR_OK) return st;
    t = &c->staged[i];
  }
  set_base(c, port, t);
  return TSR_OK;
}

static tsr_status check_apart(const tsr__program_call *c, const tsr__port *port, const tsr_tensor *out) {
  for (size_t i = 0; i < c->p->inputs.count; i++)
    if (tsr_size(c->in[i]) > 0 && tsr__overlap(c->in[i], out))
      return TSR__FAIL(c->ctx, TSR_EOVERLAP, "program_run", port->name, "shares memory with the input %s",
                       tsr__program_input(c->p, i)->name);
  return TSR_OK;
}

/* Given outputs are written where they lie as the value does; else, and where there is none, memory of that order is. */
static tsr_status bind_output(const tsr__program_call *c, size_t i) {
  const tsr__port *const port = tsr__program_output(c->p, i);
  const tsr_tensor *const d = &port->description;
  const tsr__result result = {d->dtype, d->layout, d->ndim, d->shape, NULL};
  const tsr_tensor *const out = c->out[i];
  tsr_tensor *const staged = &c->staged[c->p->inputs.count + i];
  tsr_status st = tsr__output_check_on(c->ctx, "program_run", port->name, c->p->home, &result, out);
  if (st == TSR_OK && out->data != NULL) st = check_home(c, port, out);
  if (st != TSR_OK || port->value < 0) return st;
  if (out->data != NULL) st = check_apart(c, port, out);
  if (st == TSR_OK && out->data != NULL && is_laid_out_as(out, d)) {
    set_base(c, port, out);
    return TSR_OK;
  }
  if (st == TSR_OK) st = allocate_as(c->ctx, c->p->home, port, staged);
  if (st == TSR_OK) set_base(c, port, staged);
  return st;
}

static tsr_status bind_all(const tsr__program_call *c) {
  tsr_status st = TSR_OK;
  for (size_t i = 0; i < c->p->inputs.count && st == TSR_OK; i++) st = bind_input(c, i);
  for (size_t i = 0; i < c->p->outputs.count && st == TSR_OK; i++) st = bind_output(c, i);
  return st;
}

static bool is_described_otherwise(const tsr_tensor *out, const tsr_tensor *staged) {
  tsr_tensor wanted = *out;
  tsr__default_strides(&wanted);
  return out->dtype != TSR_NONE && !is_laid_out_as(&wanted, staged);
}

/* An output that had no memory becomes the handle of what was written. */
static tsr_status finish_output(const tsr__program_call *c, size_t i) {
  const tsr__port *const port = tsr__program_output(c->p, i);
  tsr_tensor *const out = c->out[i], *const staged = &c->staged[c->p->inputs.count + i];
  if (port->value < 0) {
    if (tsr_is_none(out)) *out = port->description;
    return TSR_OK;
  }
  if (tsr_is_none(staged)) return TSR_OK;
  if (out->data != NULL || is_described_otherwise(out, staged)) return tsr_copy(c->ctx, staged, out);
  *out = tsr_move(staged);
  return TSR_OK;
}

/* ---- the run ---- */

static tsr_status run_calls(const tsr__program_call *c) {
  tsr_status st = TSR_OK;
  for (size_t i = 0; i < c->p->nodes.count && st == TSR_OK; i++) {
    const tsr__node *const node = tsr__program_node(c->p, i);
    if (!node->needed) continue;
    (void)tsr__program_bind(c->p, node);
    st = tsr__program_step(c->ctx, c->p, node);
  }
  return st;
}

static tsr_status run_program(const tsr__program_call *c) {
  tsr_status st = bind_all(c);
  if (st == TSR_OK) st = c->p->home != NULL ? tsr__program_run_home(c->ctx, c->p) : run_calls(c);
  for (size_t i = 0; i < c->p->outputs.count && st == TSR_OK; i++) st = finish_output(c, i);
  return st;
}

static tsr_status check_run(tsr_ctx *ctx, const tsr_program *p, int inputs, bool has_in, int outputs, bool has_out) {
  static const char op[] = "program_run";
  if (p == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "program", "is NULL");
  if (p->state != TSR__PROGRAM_ENDED) return TSR__FAIL(ctx, TSR_ESTATE, op, "program", "has not been ended");
  if (ctx != NULL && ctx->device != NULL && ctx->device != p->home)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "ctx", "has the device %s", ctx->device->name);
  if (inputs < 0 || (size_t)inputs != p->inputs.count || (inputs > 0 && !has_in))
    return TSR__FAIL(ctx, TSR_EARG, op, "in", "are %d, the program has %z", inputs, p->inputs.count);
  if (outputs < 0 || (size_t)outputs != p->outputs.count || (outputs > 0 && !has_out))
    return TSR__FAIL(ctx, TSR_EARG, op, "out", "are %d, the program has %z", outputs, p->outputs.count);
  return TSR_OK;
}

tsr_status tsr_program_run(tsr_ctx *ctx, tsr_program *p, int inputs, const tsr_tensor *const *in, int outputs,
                           tsr_tensor *const *out) {
  tsr_status st = check_run(ctx, p, inputs, in != NULL, outputs, out != NULL);
  if (st != TSR_OK) return st;
  tsr__scratch scratch;
  const size_t ports = p->inputs.count + p->outputs.count;
  st = tsr__scratch_get(ctx, "program_run", ports * sizeof(tsr_tensor), &scratch);
  if (st != TSR_OK) return st;
  const tsr__program_call call = {ctx, p, in, out, scratch.data};
  for (size_t i = 0; i < ports; i++) call.staged[i] = (tsr_tensor)TSR_EMPTY;
  st = run_program(&call);
  for (size_t i = 0; i < ports; i++) tsr_release(&call.staged[i]);
  tsr__scratch_put(&scratch);
  return st;
}

/* ---- as text ---- */

static void write_operand(tsr__text *text, const tsr_program *p, const tsr_tensor *t) {
  if (t == NULL) {
    tsr__text_string(text, "none");
    return;
  }
  const tsr__operand_ref ref = tsr__program_find(p, t);
  if (ref.value < 0)
    tsr__text_format(text, "constant %t", t);
  else
    tsr__text_format(text, "v%d", (int)ref.value);
}

static void write_call(tsr__text *text, const tsr_program *p, const tsr_work *work) {
  for (int k = 0; k < work->outputs; k++) {
    if (k > 0) tsr__text_string(text, ", ");
    write_operand(text, p, work->out[k]);
  }
  tsr__text_format(text, " = %s(", work->op);
  for (int k = 0; k < work->inputs; k++) {
    if (k > 0) tsr__text_string(text, ", ");
    write_operand(text, p, work->in[k]);
  }
  tsr__text_string(text, ")");
  for (int k = 0; k < work->outputs; k++)
    if (work->out[k] != NULL) tsr__text_format(text, "  %t", work->out[k]);
  tsr__text_char(text, '\n');
}

size_t tsr_program_format(const tsr_program *p, char *to, size_t capacity) {
  tsr__text text;
  tsr__text_init(&text, to, capacity);
  for (size_t i = 0; i < p->nodes.count; i++) {
    const tsr__node *const node = tsr__program_node(p, i);
    if (node->needed || p->state != TSR__PROGRAM_ENDED) write_call(&text, p, node->work);
  }
  return text.length;
}

#endif
