/* Replaying a program. */
#include "core/scope.h"
#include "core/storage.h"
#include "core/tensor.h"
#include "core/text.h"
#include "program/program.h"

#include <tessera/ops.h>

#if TSR_HAVE_OPS

/* An operand whose value lies otherwise in this run, or did in the last one. */
static TSR__COLD void bind_relaid(const tsr_program *p, const tsr__node *node, int k, tsr__operand_ref ref) {
  const tsr__value *const value = tsr__program_value(p, (size_t)ref.value);
  const tsr_work *const work = node->work;
  const tsr_tensor *const recorded = k < work->inputs ? work->in[k] : work->out[k - work->inputs];
  tsr_tensor *const operand = &p->tensors[node->operands + (size_t)k];
  if (value->relaid != NULL) {
    (void)tsr__program_relay(value->port, value->relaid, recorded, ref, operand);
    return;
  }
  for (int i = 0; i < recorded->ndim; i++) operand->stride[i] = recorded->stride[i];
  operand->data = value->base + ref.offset;
}

/* Sets the operands of a call from the base of their values. */
static void bind_operands(const tsr_program *p, const tsr__node *node) {
  const int count = node->work->inputs + node->work->outputs;
  for (int k = 0; k < count; k++) {
    const tsr__operand_ref ref = p->refs[node->operands + (size_t)k];
    if (ref.value < 0) continue;
    const tsr__value *const value = tsr__program_value(p, (size_t)ref.value);
    if (value->was_relaid)
      bind_relaid(p, node, k, ref);
    else
      p->tensors[node->operands + (size_t)k].data = value->base + ref.offset;
  }
}

tsr_status tsr__program_step(tsr_ctx *ctx, const tsr_program *p, const tsr__node *node) {
  const tsr_work *const work = node->work;
  const tsr_tensor **const in = p->pointers + node->operands;
  return tsr__call_run_seen(&(tsr__call){.ctx = ctx,
                                         .info = work->info,
                                         .op = work->op,
                                         .attrs = work->attrs,
                                         .in = in,
                                         .inputs = work->inputs,
                                         .out = (tsr_tensor *const *)(const void *)(in + work->inputs),
                                         .outputs = work->outputs});
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

/* The value of a port is t, as it was recorded. */
static void set_base(const tsr_program *p, const tsr__port *port, const tsr_tensor *t) {
  tsr__value *const value = tsr__program_value(p, (size_t)port->value);
  value->base = tsr__first_byte(t);
  value->storage = p->home != NULL ? t->storage : NULL;
  value->relaid = NULL;
}

/* The value of a port is t, which lies otherwise; false: a call minds, or it is not the host's. */
static bool bind_relaid_port(const tsr_program *p, const tsr__port *port, const tsr_tensor *t) {
  tsr__value *const value = tsr__program_value(p, (size_t)port->value);
  if (p->home != NULL || !tsr__program_takes_layout(p, port, t)) return false;
  value->relaid = t;
  value->port = port;
  value->was_relaid = true;
  return true;
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
    if (bind_relaid_port(c->p, port, t)) return TSR_OK;
    st = allocate_as(c->ctx, c->p->home, port, &c->staged[i]);
    if (st == TSR_OK) st = tsr_copy(c->ctx, t, &c->staged[i]);
    if (st != TSR_OK) return st;
    t = &c->staged[i];
  }
  set_base(c->p, port, t);
  return TSR_OK;
}

/* Whether an output can be written while inputs are read: it is apart from them, or in place. */
static bool is_apart(const tsr__program_call *c, const tsr__port *port, const tsr_tensor *out) {
  for (size_t i = 0; i < c->p->inputs.count; i++) {
    if (tsr_size(c->in[i]) == 0 || !tsr__overlap(c->in[i], out)) continue;
    if (!tsr__same_view(c->in[i], out) || !tsr__program_is_in_place(c->p, tsr__program_input(c->p, i), port))
      return false;
  }
  for (size_t i = 0; i < c->p->outputs.count; i++) /* two that share memory: the later one is copied last */
    if (c->out[i] != out && c->out[i]->data != NULL && tsr_size(c->out[i]) > 0 && tsr__overlap(c->out[i], out))
      return false;
  return true;
}

/* Given outputs are written where they lie, as the value does or where calls do not mind, unless inputs lie there; else, and
 * where there is none, memory of the recorded order is. */
static tsr_status bind_output(const tsr__program_call *c, size_t i) {
  const tsr__port *const port = tsr__program_output(c->p, i);
  const tsr_tensor *const d = &port->description;
  const tsr__result result = {d->dtype, d->layout, d->ndim, d->shape, NULL};
  const tsr_tensor *const out = c->out[i];
  tsr_tensor *const staged = &c->staged[c->p->inputs.count + i];
  tsr_status st = tsr__output_check_on(c->ctx, "program_run", port->name, c->p->home, &result, out);
  if (st == TSR_OK && out->data != NULL) st = check_home(c, port, out);
  if (st != TSR_OK || port->value < 0) return st;
  if (out->data != NULL && is_apart(c, port, out)) {
    if (is_laid_out_as(out, d)) set_base(c->p, port, out);
    if (is_laid_out_as(out, d) || bind_relaid_port(c->p, port, out)) return TSR_OK;
  }
  st = allocate_as(c->ctx, c->p->home, port, staged);
  if (st == TSR_OK) set_base(c->p, port, staged);
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
  tsr__scope_take(c->ctx, out);
  return TSR_OK;
}

/* ---- what usually is given ---- */

/* Whether t is memory of the host with the dtype, shape and strides of a port, all as they were recorded. */
static bool is_usual(const tsr_tensor *t, const tsr__port *port) {
  const tsr_tensor *const d = &port->description;
  const uintptr_t at = t != NULL ? (uintptr_t)t->data : 0;
  if (at == 0 || port->value < 0 || t->dtype != d->dtype || t->ndim != d->ndim ||
      (at & ((uintptr_t)tsr__item_sizes[d->dtype] - 1)) != 0 || !(t->storage == NULL || t->storage->device->is_host))
    return false;
  for (int i = 0; i < d->ndim; i++)
    if (t->shape[i] != d->shape[i] || t->stride[i] != d->stride[i] || d->stride[i] < 0) return false;
  return true;
}

static bool bind_usual(const tsr_program *p, const tsr__port *port, const tsr_tensor *t) {
  if (!is_usual(t, port)) return false;
  tsr__value *const value = tsr__program_value(p, (size_t)port->value);
  value->base = t->data;
  value->relaid = NULL;
  return true;
}

/* Whether an output's bytes are apart from those of all inputs and of the outputs before it. */
static bool is_usual_output(const tsr_program *p, size_t i, const tsr_tensor *out) {
  const tsr__value *const value = tsr__program_value(p, (size_t)tsr__program_output(p, i)->value);
  const uintptr_t begin = (uintptr_t)value->base, end = begin + value->bytes;
  for (size_t k = 0; k < p->inputs.count + i; k++) {
    const tsr__port *const port =
        k < p->inputs.count ? tsr__program_input(p, k) : tsr__program_output(p, k - p->inputs.count);
    const tsr__value *const other = tsr__program_value(p, (size_t)port->value);
    if ((uintptr_t)other->base < end && (uintptr_t)other->base + other->bytes > begin) return false;
  }
  return (out->flags & TSR_READONLY) == 0;
}

/* All inputs and outputs as they usually are: given, as recorded, apart. Small runs feel every other question. */
static bool bind_all_usual(const tsr_program *p, const tsr_tensor *const *in, tsr_tensor *const *out) {
  for (size_t i = 0; i < p->inputs.count; i++)
    if (!bind_usual(p, tsr__program_input(p, i), in[i])) return false;
  for (size_t i = 0; i < p->outputs.count; i++)
    if (!bind_usual(p, tsr__program_output(p, i), out[i]) || !is_usual_output(p, i, out[i])) return false;
  return true;
}

/* ---- the run ---- */

static tsr_status run_calls(tsr_ctx *ctx, const tsr_program *p) {
  tsr_status st = TSR_OK;
  for (size_t i = 0; i < p->nodes.count && st == TSR_OK; i++) {
    const tsr__node *const node = tsr__program_node(p, i);
    if (!node->needed) continue;
    bind_operands(p, node);
    st = tsr__program_step(ctx, p, node);
  }
  return st;
}

bool tsr__program_run_usual(tsr_ctx *ctx, const tsr_program *p, const tsr_tensor *const *in, tsr_tensor *const *out,
                            tsr_status *status) {
  if (p->home != NULL || !bind_all_usual(p, in, out)) return false;
  *status = run_calls(ctx, p);
  return true;
}

static tsr_status run_program(const tsr__program_call *c) {
  tsr_status st = bind_all(c);
  if (st == TSR_OK) st = c->p->home != NULL ? tsr__program_run_home(c->ctx, c->p) : run_calls(c->ctx, c->p);
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
  if (tsr__program_run_usual(ctx, p, in, out, &st)) return st;
  tsr__scratch scratch;
  const size_t ports = p->inputs.count + p->outputs.count;
  st = tsr__scratch_get(ctx, "program_run", ports * sizeof(tsr_tensor), &scratch);
  if (st != TSR_OK) return st;
  const tsr__program_call call = {ctx, p, in, out, scratch.data};
  st = tsr__scope_reserve(ctx, "program_run", outputs);
  for (size_t i = 0; i < ports; i++) call.staged[i] = (tsr_tensor)TSR_EMPTY;
  if (st == TSR_OK) st = run_program(&call);
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
