#include "linalg/stack.h"

#include <string.h>

#include "core/view.h"
#include "cpu/parallel.h"
#include "linalg/gather.h"
#include "ops/copy/copy.h"
#include "ops/parts.h"
#include "ops/promote.h"

/* ---- what the inputs are ---- */

static tsr_status check_rank(const tsr__call *call, const tsr__stack *s, int k) {
  const tsr_tensor *const t = call->in[k];
  if (t->ndim >= s->in[k].core) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, tsr__call_input_name(call, k), "%S is no %s", (int)t->ndim,
                   t->shape,
                   s->in[k].core == 2 ? "matrix: two axes or more are wanted" : "vector: an axis or more is wanted");
}

/* The axes of the stack, counted from the last one, so that those of several inputs broadcast. */
static tsr_status broadcast(const tsr__call *call, tsr__stack *s, int k) {
  const tsr_tensor *const t = call->in[k];
  const int axes = t->ndim - s->in[k].core, more = s->axes - axes;
  for (int i = 0; i < axes; i++) {
    tsr_index *const length = &s->length[more + i];
    if (*length == 1) *length = t->shape[i];
    if (t->shape[i] != *length && t->shape[i] != 1)
      return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, tsr__call_input_name(call, k),
                       "%S: its stack of matrices does not broadcast with that of %s %S", (int)t->ndim, t->shape,
                       tsr__call_input_name(call, 0), (int)call->in[0]->ndim, call->in[0]->shape);
  }
  return TSR_OK;
}

static void see_sides(const tsr__call *call, tsr__stacked *in, int k) {
  const tsr_tensor *const t = call->in[k];
  in->rows = in->core > 0 ? t->shape[t->ndim - in->core] : 1;
  in->cols = in->core > 1 ? t->shape[t->ndim - 1] : 1;
  in->shares = -1;
}

static tsr_status see_dtypes(tsr__call *call, tsr__stack *s) {
  const char *names[TSR__STACK_INPUTS];
  const tsr_tensor *in[TSR__STACK_INPUTS];
  tsr__dtypes dtypes;
  int n = 0;
  for (int k = 0; k < s->ins; k++) {
    if (s->in[k].index) continue;
    names[n] = tsr__call_input_name(call, k);
    in[n++] = call->in[k];
  }
  const tsr__rule rule = TSR_HAVE_COMPLEX && TSR_HAVE_MALLOC ? TSR__RULE_FLOATING : TSR__RULE_FLOATS;
  const tsr_status st = tsr__promote(call->ctx, call->op, rule, n, in, names, &dtypes);
  s->dtype = dtypes.compute;
  s->dtype_out = dtypes.out;
  return st;
}

tsr_status tsr__stack_inputs(tsr__call *call, tsr__stack *s) {
  tsr_status st = see_dtypes(call, s);
  s->axes = 0;
  s->count = 1;
  for (int k = 0; k < s->ins && st == TSR_OK; k++) {
    st = check_rank(call, s, k);
    if (call->in[k]->ndim - s->in[k].core > s->axes) s->axes = call->in[k]->ndim - s->in[k].core;
  }
  for (int i = 0; i < s->axes; i++) s->length[i] = 1;
  for (int k = 0; k < s->ins && st == TSR_OK; k++) {
    see_sides(call, &s->in[k], k);
    st = broadcast(call, s, k);
  }
  return st != TSR_OK ? st : tsr__check_shape(call->ctx, call->op, "a", s->axes, s->length, &s->count);
}

tsr_status tsr__stack_square(const tsr__call *call, const tsr__stack *s, int k) {
  const tsr_tensor *const t = call->in[k];
  if (s->in[k].rows == s->in[k].cols) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, tsr__call_input_name(call, k), "%S: its matrices are not square",
                   (int)t->ndim, t->shape);
}

tsr_status tsr__stack_fits(const tsr__call *call, const tsr__stack *s, int k, int other) {
  const tsr_tensor *const t = call->in[k], *const a = call->in[other];
  if (s->in[k].rows == s->in[other].rows) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, tsr__call_input_name(call, k),
                   "%S does not have as many rows as %s %S", (int)t->ndim, t->shape, tsr__call_input_name(call, other),
                   (int)a->ndim, a->shape);
}

tsr_status tsr__stack_refuse_build(const tsr__call *call) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "this build does not have it");
}

/* ---- outputs ---- */

/* The dtype in which an operand is computed. */
static int computed_dtype(const tsr__stack *s, const tsr__stacked *x) {
  const int part = tsr__part_dtype(s->dtype);
  if (x->is_real || x->index) return part;
  if (!x->is_complex) return s->dtype;
  return part == TSR_F64 ? TSR_C128 : TSR_C64;
}

/* Whether kernels give its real and its imaginary parts as rows of their own. */
static bool is_apart(const tsr__stack *s, const tsr__stacked *x) { return x->is_complex && !tsr__is_complex(s->dtype); }

/* The dtype of an output that the op has not named. */
static int result_dtype(const tsr__stack *s, const tsr__stacked *x) {
  if (x->is_complex) return computed_dtype(s, x);
  return x->is_real ? tsr__part_dtype(s->dtype_out) : s->dtype_out;
}

static tsr_status describe_outputs(tsr__call *call, tsr__stack *s) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < s->outs && st == TSR_OK; k++) {
    tsr__stacked *const out = &s->out[k];
    tsr_index *const shape = s->shape[k];
    const int ndim = s->axes + out->core;
    if (ndim > TSR_MAX_DIMS)
      return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, tsr__call_output_name(call, k),
                       "would have %d axes: %d is the most", ndim, TSR_MAX_DIMS);
    for (int i = 0; i < s->axes; i++) shape[i] = s->length[i];
    if (out->core > 0) shape[s->axes] = out->rows;
    if (out->core > 1) shape[s->axes + 1] = out->cols;
    st = tsr__check_shape(call->ctx, call->op, tsr__call_output_name(call, k), ndim, shape, NULL);
    if (out->dtype == TSR_NONE) out->dtype = result_dtype(s, out);
    s->result[k] = (tsr__result){.dtype = out->dtype, .layout = TSR_PLAIN, .ndim = ndim, .shape = shape};
    out->none = call->out[k] == NULL;
    if (st == TSR_OK) st = tsr__call_output(call, k, &s->result[k]);
  }
  return st;
}

static bool overlaps_input(const tsr__call *call, const tsr_tensor *out) {
  for (int i = 0; i < call->inputs; i++)
    if (call->in[i] != NULL && call->in[i]->data != NULL && out->data != NULL && tsr__overlap(call->in[i], out))
      return true;
  return false;
}

/* Whether output k is written from a copy, at the end. */
static bool is_staged(const tsr__call *call, const tsr__stack *s, int k) {
  if (s->out[k].none) return false;
  if (s->out[k].dtype != computed_dtype(s, &s->out[k])) return true;
  return tsr__call_was_given(call, k) && (s->fault != TSR_OK || overlaps_input(call, call->out[k]));
}

static tsr_status take_copies(tsr__call *call, tsr__stack *s) {
  size_t at[TSR__STACK_OUTPUTS] = {0}, all = 0;
  void *memory = NULL;
  for (int k = 0; k < s->outs; k++) {
    if (s->out[k].none) continue;
    s->out[k].t = *call->out[k];
    s->out[k].copied = is_staged(call, s, k);
    if (!s->out[k].copied) continue;
    tsr__strides_for(s->result[k].ndim, s->shape[k], TSR_ROW_MAJOR, s->out[k].t.stride);
    s->out[k].t.dtype = (uint8_t)computed_dtype(s, &s->out[k]);
    at[k] = all;
    all += tsr__align_up((size_t)tsr_size(&s->out[k].t) * tsr_dtype_size(s->out[k].t.dtype), TSR_DATA_ALIGN);
  }
  const tsr_status st = all != 0 ? tsr__call_scratch(call, all, &memory) : TSR_OK;
  for (int k = 0; k < s->outs && st == TSR_OK && all != 0; k++)
    if (s->out[k].copied) s->out[k].t.data = (char *)memory + at[k];
  return st;
}

/* ---- inputs of another dtype ---- */

static tsr_status convert_inputs(tsr__call *call, tsr__stack *s) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < s->ins && st == TSR_OK; k++) {
    tsr__stacked *const in = &s->in[k];
    in->t = *call->in[k];
    const int dtype = computed_dtype(s, in);
    in->copied = in->t.dtype != dtype;
    if (in->copied) st = tsr__call_copy_as(call, call->in[k], dtype, &in->t);
  }
  return st;
}

/* ---- running ---- */

typedef struct slot {
  tsr_index matrix, pivot; /* the first without a result: its number, and 1 + its pivot; 0: none */
} slot;

typedef struct run {
  const tsr__stack *s;
  tsr_ctx *ctx; /* of products */
  const char *op;
  int isa, lanes;
  tsr__stack_fn *fn;
  const tsr__gather *gather;
  size_t bytes; /* of a worker: its slot and its memory */
  char *memory;
} run;

static size_t bytes_of(const run *r, const tsr__stacked *x) {
  return (size_t)(x->rows * x->cols) * tsr_dtype_size(computed_dtype(r->s, x)) * (size_t)r->lanes;
}

/* The element (0, 0) of matrix number i of an operand. */
static char *matrix_at(const tsr__stack *s, const tsr__stacked *x, tsr_index i) {
  const ptrdiff_t item = tsr__item(&x->t);
  const int axes = x->t.ndim - x->core;
  char *at = x->t.data;
  for (int axis = s->axes - 1, own = axes - 1; own >= 0; axis--, own--) {
    const tsr_index index = i % s->length[axis];
    i /= s->length[axis];
    if (x->t.shape[own] != 1) at += (ptrdiff_t)(index * x->t.stride[own]) * item;
  }
  return at;
}

static tsr__submatrix block_of(const tsr__stacked *x, char *at) {
  const ptrdiff_t item = tsr__item(&x->t);
  const int last = x->t.ndim - 1;
  tsr__submatrix b = {at, 0, item, false};
  if (x->core == 2) b.row = (ptrdiff_t)x->t.stride[last - 1] * item, b.col = (ptrdiff_t)x->t.stride[last] * item;
  if (x->core == 1) b.row = (ptrdiff_t)x->t.stride[last] * item;
  return b;
}

/* Whether a kernel can write output k where it is to be. */
static bool is_direct(const run *r, const tsr__stacked *x) {
  if (r->lanes != 1 || x->none || (is_apart(r->s, x) && x->cols != 1)) return false;
  const tsr__submatrix b = block_of(x, NULL);
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(computed_dtype(r->s, x));
  return (b.col == item || x->cols == 1) && (b.row == (ptrdiff_t)x->cols * item || x->rows == 1);
}

/* Memory of the operands of matrices from first on; the kernel's own is taken behind it. */
static void bind(const run *r, tsr__work *w, tsr_index first, void **in, void **out) {
  const tsr__stack *const s = r->s;
  for (int k = 0; k < s->outs; k++) {
    const bool direct = is_direct(r, &s->out[k]);
    out[k] = direct ? NULL : tsr__work_take(w, bytes_of(r, &s->out[k]));
    if (direct && w->base != NULL) out[k] = matrix_at(s, &s->out[k], first);
  }
  for (int k = 0; k < s->ins; k++) {
    const int shares = s->in[k].shares;
    in[k] = shares >= 0 ? out[shares] : tsr__work_take(w, bytes_of(r, &s->in[k]));
  }
}

static void list_lanes(const run *r, const tsr__stacked *x, tsr_index first, int used, char **at) {
  for (int l = 0; l < r->lanes; l++) at[l] = matrix_at(r->s, x, first + (l < used ? l : 0));
}

/* A matrix as it lies, to contiguous rows or from them. */
static void copy_plain(const tsr__stack *s, const tsr__work *w, const tsr__stacked *x, tsr__submatrix apart, void *rows,
                       bool back) {
  tsr__work own = *w;
  own.dtype = computed_dtype(s, x);
  const tsr__submatrix to = tsr__submatrix_of(&own, rows, x->cols);
  tsr__submatrix_copy(&own, x->rows, x->cols, back ? to : apart, back ? apart : to);
}

static void fetch(const run *r, const tsr__work *w, tsr_index first, int used, void *const *in) {
  char *at[TSR__LANES_MOST];
  for (int k = 0; k < r->s->ins; k++) {
    const tsr__stacked *const x = &r->s->in[k];
    if (x->rows == 0 || x->cols == 0) continue;
    list_lanes(r, x, first, used, at);
    const tsr__submatrix from = block_of(x, at[0]);
    if (r->lanes == 1)
      copy_plain(r->s, w, x, from, in[k], false);
    else
      r->gather->in[r->s->dtype == TSR_F64](x->rows, x->cols, used, at, from.row, from.col, in[k]);
  }
}

/* A complex matrix, whose real and imaginary parts lie in turn, as rows of the one and then the other; and back. */
static void copy_parts(const tsr__work *w, const tsr__stacked *x, tsr__submatrix apart, void *rows, bool back) {
  tsr__submatrix to = tsr__submatrix_of(w, rows, x->cols);
  to.row *= 2;
  for (int part = 0; part < 2; part++) {
    tsr__submatrix_copy(w, x->rows, x->cols, back ? to : apart, back ? apart : to);
    apart.at += tsr__work_item(w);
    to.at += (ptrdiff_t)x->cols * to.col;
  }
}

static void put_back(const run *r, const tsr__work *w, tsr_index first, int used, void *const *out) {
  char *at[TSR__LANES_MOST];
  for (int k = 0; k < r->s->outs; k++) {
    const tsr__stacked *const x = &r->s->out[k];
    if (x->none || x->rows == 0 || x->cols == 0) continue;
    list_lanes(r, x, first, used, at);
    const tsr__submatrix to = block_of(x, at[0]);
    if (is_apart(r->s, x))
      copy_parts(w, x, to, out[k], true);
    else if (r->lanes == 1)
      copy_plain(r->s, w, x, to, out[k], true);
    else
      r->gather->out[r->s->dtype == TSR_F64](x->rows, x->cols, used, at, to.row, to.col, out[k]);
  }
}

static tsr__work work_of(const run *r, char *base) {
  return (tsr__work){.ctx = r->ctx, .op = r->op, .isa = r->isa, .dtype = r->s->dtype, .base = base};
}

static void run_group(const run *r, tsr_index group, slot *first_fault, char *memory) {
  void *in[TSR__STACK_INPUTS], *out[TSR__STACK_OUTPUTS];
  tsr_index fault[TSR__LANES_MOST] = {0};
  const tsr_index first = group * r->lanes, left = r->s->count - first;
  const int used = left < r->lanes ? (int)left : r->lanes;
  tsr__work w = work_of(r, memory);
  bind(r, &w, first, in, out);
  fetch(r, &w, first, used, in);
  r->fn(r->s, in, out, &w, fault);
  put_back(r, &w, first, used, out);
  for (int l = used - 1; l >= 0; l--)
    if (fault[l] != 0 && (first_fault->pivot == 0 || first + l < first_fault->matrix))
      *first_fault = (slot){first + l, fault[l]};
}

static void run_groups(void *arg, tsr_index begin, tsr_index end, int worker) {
  const run *const r = arg;
  char *const memory = r->memory + (size_t)worker * r->bytes;
  for (tsr_index i = begin; i < end; i++) run_group(r, i, (slot *)(void *)memory, memory + TSR_DATA_ALIGN);
}

/* ---- how ---- */

static tsr_index longest_side(const tsr__stack *s) {
  tsr_index most = 0;
  for (int k = 0; k < s->ins + s->outs; k++) {
    const tsr__stacked *const x = k < s->ins ? &s->in[k] : &s->out[k - s->ins];
    most = x->rows > most ? x->rows : most;
    most = x->cols > most ? x->cols : most;
  }
  return most;
}

bool tsr__stack_takes_lanes(const tsr__stack *s) {
  return TSR__HAVE_LANES && s->lanes != NULL && longest_side(s) <= TSR__LANES_SIDE && !tsr__is_complex(s->dtype);
}

static void choose_kernel(const tsr_ctx *ctx, const tsr__stack *s, run *r) {
  r->isa = tsr__isa_of(ctx);
  r->lanes = 1;
  r->fn = s->rows;
#if TSR__HAVE_LANES
  r->gather = tsr__gather_of(r->isa);
  if (!tsr__stack_takes_lanes(s)) return;
  r->lanes = r->gather->bytes / (int)tsr_dtype_size(s->dtype);
  r->fn = s->lanes[r->isa][s->dtype == TSR_F64];
#endif
}

/* Multiplications that are worth a thread, and those that products inside of a matrix are better shared for. */
enum { GRAIN = 1 << 16, SHARED = 1 << 22 };

static tsr_real work_in(const run *r) {
  const tsr_real side = (tsr_real)longest_side(r->s) + 4;
  return side * side * side * (tsr_real)r->lanes;
}

/* How much one worker takes, and whether workers share the stack. */
static bool plan_run(tsr_ctx *ctx, run *r, tsr_ctx *serial) {
  const bool shared_out = TSR_HAVE_THREADS && r->s->count > r->lanes && work_in(r) < SHARED;
  void *in[TSR__STACK_INPUTS], *out[TSR__STACK_OUTPUTS];
  tsr_index fault[TSR__LANES_MOST];
  *serial = ctx != NULL ? *ctx : (tsr_ctx){0};
  serial->parallel = tsr_parallel_serial();
  r->ctx = shared_out ? serial : ctx;
  tsr__work w = work_of(r, NULL);
  bind(r, &w, 0, in, out);
  for (int k = 0; k < r->s->outs; k++) out[k] = NULL;
  r->fn(r->s, in, out, &w, fault);
  r->bytes = TSR_DATA_ALIGN + w.most;
  return shared_out;
}

static tsr_status refuse(const tsr__call *call, const tsr__stack *s, slot fault) {
  tsr_index index[TSR_MAX_DIMS], i = fault.matrix;
  for (int axis = s->axes - 1; axis >= 0; axis--) {
    index[axis] = i % s->length[axis];
    i /= s->length[axis];
  }
  return s->axes == 0 ? TSR__FAIL(call->ctx, s->fault, call->op, tsr__call_input_name(call, 0), "%s %l", s->what,
                                  (int64_t)(fault.pivot - 1))
                      : TSR__FAIL(call->ctx, s->fault, call->op, tsr__call_input_name(call, 0), "matrix %S %s %l",
                                  s->axes, index, s->what, (int64_t)(fault.pivot - 1));
}

static tsr_status run_all(const tsr__call *call, run *r, bool shared_out, int workers) {
  const tsr_index groups = (r->s->count + r->lanes - 1) / r->lanes, grain = 1 + (tsr_index)(GRAIN / work_in(r));
  slot first = {0};
  for (int i = 0; i < workers; i++) *(slot *)(void *)(r->memory + (size_t)i * r->bytes) = first;
  if (shared_out)
    tsr__parallel_for(call->ctx, groups, grain, run_groups, r);
  else
    run_groups(r, 0, groups, 0);
  for (int i = 0; i < workers; i++) {
    const slot found = *(slot *)(void *)(r->memory + (size_t)i * r->bytes);
    if (found.pivot != 0 && (first.pivot == 0 || found.matrix < first.matrix)) first = found;
  }
  return first.pivot != 0 && r->s->fault != TSR_OK ? refuse(call, r->s, first) : TSR_OK;
}

tsr_status tsr__stack_run(tsr__call *call, tsr__stack *s) {
  run r = {.s = s, .op = call->op};
  tsr_ctx serial;
  void *memory = NULL;
  size_t all = 0;
  choose_kernel(call->ctx, s, &r);
  tsr_status st = describe_outputs(call, s);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = take_copies(call, s);
  if (st == TSR_OK) st = convert_inputs(call, s);
  if (st != TSR_OK) return st;
  const bool shared_out = plan_run(call->ctx, &r, &serial);
  const int workers = shared_out ? tsr__parallel(call->ctx)->max_workers : 1;
  if (!tsr__mul_size(r.bytes, (size_t)workers, &all)) all = SIZE_MAX;
  st = tsr__call_scratch(call, all, &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  r.memory = memory;
  for (int k = 0; k < s->ins; k++)
    if (s->in[k].copied) tsr__copy_no_alias(call->ctx, call->in[k], &s->in[k].t);
  if (s->count > 0) st = run_all(call, &r, shared_out, workers);
  for (int k = 0; k < s->outs && st == TSR_OK; k++)
    if (s->out[k].copied) tsr__copy_no_alias(call->ctx, &s->out[k].t, call->out[k]);
  return st;
}
