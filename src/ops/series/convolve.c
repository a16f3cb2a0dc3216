/* tsr_convolve, tsr_correlate: the longer vector between zeros is a line that the shorter one, the weights, is moved
 * along. Both are copied to the type that is summed in, complex ones as two parts. */
#include "ops/series/convolve.h"
#include "cpu/parallel.h"
#include "ops/copy/copy.h"
#include "ops/parts.h"
#include "ops/promote.h"
#include "ops/series/ops.h"

#include <string.h>

/* out[k] = Σ over j < taps of line[k + j] · weights[j]. */
typedef struct convolution {
  tsr_tensor a, v;  /* the longer and the shorter vector */
  bool reversed;    /* the result comes from its end */
  bool flipped;     /* the shorter one is read from its end */
  int conjugate;    /* 0: neither, 1: a, 2: v */
  tsr_index length; /* of the result */
  tsr_index lead;   /* zeros before a */
  int dtype, sum;   /* of the result; what is summed in */
} convolution;

/* The parts of one operand, in the type that is summed in. */
typedef struct buffers {
  char *line[2], *weights[3], *sums[2]; /* weights[2]: the imaginary ones with the other sign */
} buffers;

static tsr_index taps_of(const convolution *c) { return c->v.shape[0]; }
static tsr_index line_of(const convolution *c) { return c->length + taps_of(c) - 1; }
static size_t whole_lines(size_t bytes) { return tsr__align_up(bytes, TSR_DATA_ALIGN); }
static size_t item_of(const convolution *c) { return tsr_dtype_size(c->sum); }

/* ---- checks ---- */

static tsr_status check_vectors(const tsr__call *call) {
  for (int k = 0; k < 2; k++) {
    const tsr_tensor *const t = call->in[k];
    const char *const arg = tsr__call_input_name(call, k);
    if (t->ndim != 1) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, arg, "%S is no vector", (int)t->ndim, t->shape);
    if (t->shape[0] == 0) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, arg, "is empty");
  }
  return TSR_OK;
}

/* The two vectors by their length. */
static void order_vectors(const tsr__call *call, convolution *c) {
  const tsr_tensor *const a = call->in[0], *const v = call->in[1];
  const bool swap = a->shape[0] < v->shape[0];
  c->a = swap ? *v : *a;
  c->v = swap ? *a : *v;
  c->a.flags = c->v.flags = 0;
  c->reversed = swap && !c->flipped;
  if (swap && c->conjugate == 2) c->conjugate = 1;
}

static tsr_status check_convolution(const tsr__call *call, int mode, convolution *c) {
  static const char *const names[] = {"a", "v"};
  tsr_status st = check_vectors(call);
  if (st == TSR_OK) st = tsr__promote_numbers(call->ctx, call->op, false, 2, call->in, names, &c->dtype);
  if (st != TSR_OK) return st;
  if (mode < TSR_CONVOLVE_FULL || mode > TSR_CONVOLVE_VALID)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "mode", "is %d, and not full, same or valid", mode);
  order_vectors(call, c);
  const tsr_index n = c->a.shape[0], m = c->v.shape[0];
  c->lead = mode == TSR_CONVOLVE_FULL ? m - 1 : mode == TSR_CONVOLVE_SAME ? m / 2 : 0;
  c->length = mode == TSR_CONVOLVE_VALID ? n - m + 1 : n;
  if (mode == TSR_CONVOLVE_FULL && !tsr__add_index(n, m - 1, &c->length)) c->length = TSR_INDEX_MAX;
  if (c->length > TSR_INDEX_MAX / 64 || (uint64_t)c->length > PTRDIFF_MAX / 64)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "vectors of %l and %l are too long", (int64_t)n,
                     (int64_t)m);
  const int part = tsr__part_dtype(tsr__compute_of(c->dtype));
  c->sum = part == TSR_F32 || part == TSR_F64 ? part : tsr_dtype_size(part) == 8 ? TSR_I64 : TSR_I32;
  return TSR_OK;
}

/* ---- operands ---- */

static tsr_tensor vector_at(const convolution *c, char *data, tsr_index length) {
  return (tsr_tensor){.dtype = (uint8_t)c->sum, .ndim = 1, .shape = {length}, .stride = {1}, .data = data};
}

static void negate(const convolution *c, char *numbers, tsr_index n) {
#if TSR_HAVE_F64
  if (c->sum == TSR_F64) {
    for (tsr_index i = 0; i < n; i++) ((double *)(void *)numbers)[i] = -((double *)(void *)numbers)[i];
    return;
  }
#endif
  for (tsr_index i = 0; i < n; i++) ((float *)(void *)numbers)[i] = -((float *)(void *)numbers)[i];
  (void)c;
}

static void fill_line(const tsr_ctx *ctx, const convolution *c, int part, char *line) {
  const size_t item = item_of(c);
  const tsr_tensor from = tsr__part_of(&c->a, part), to = vector_at(c, line + (size_t)c->lead * item, c->a.shape[0]);
  const tsr_index after = line_of(c) - c->lead - c->a.shape[0];
  memset(line, 0, (size_t)c->lead * item);
  tsr__copy_no_alias(ctx, &from, &to);
  memset(line + (size_t)(c->lead + c->a.shape[0]) * item, 0, (size_t)after * item);
  if (part == 1 && c->conjugate == 1) negate(c, line, line_of(c));
}

static void fill_weights(const tsr_ctx *ctx, const convolution *c, int part, bool minus, char *weights) {
  const tsr_tensor to = vector_at(c, weights, taps_of(c));
  tsr_tensor from = tsr__part_of(&c->v, part);
  if (c->flipped && taps_of(c) > 1) {
    tsr__view_move(&from, taps_of(c) - 1, from.stride[0]);
    from.stride[0] = -from.stride[0];
  }
  tsr__copy_no_alias(ctx, &from, &to);
  if (minus != (part == 1 && c->conjugate == 2)) negate(c, weights, taps_of(c));
}

/* ---- sums ---- */

/* Rows of one block: their sums and what they read of the line stay in the first cache. What is worth a thread. */
enum { ROWS = 1024, GRAIN = 65536 };

static tsr__convolve_fn *const *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__convolve);

typedef struct work {
  tsr__convolve_fn *fn;
  tsr_index taps;
  const char *line, *weights;
  char *sums;
  size_t item;
  bool add;
} work;

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const work *const w = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i += ROWS)
    w->fn(end - i < ROWS ? end - i : ROWS, w->taps, w->line + (size_t)i * w->item, w->weights,
          w->sums + (size_t)i * w->item, w->add);
}

static tsr__convolve_fn *kernel_of(const tsr_ctx *ctx, int sum) {
  tsr__convolve_fn *const *const table = tables[tsr__isa_of(ctx)];
  switch (sum) {
    case TSR_I32: return table[TSR__CONVOLVE_I32];
    case TSR_I64: return table[TSR__CONVOLVE_I64];
    case TSR_F64: return table[TSR__CONVOLVE_F64];
    default: return table[TSR__CONVOLVE_F32];
  }
}

static void add_up(const tsr_ctx *ctx, const convolution *c, const char *line, const char *weights, char *sums,
                   bool add) {
  work w = {kernel_of(ctx, c->sum), taps_of(c), line, weights, sums, item_of(c), add};
  const tsr_index enough = 1 + GRAIN / taps_of(c);
  tsr__parallel_for(ctx, c->length, (enough + ROWS - 1) / ROWS * ROWS, run_rows, &w);
}

/* ---- the call ---- */

/* One block: a line, weights and sums for each part. */
static tsr_status make_buffers(tsr__call *call, const convolution *c, buffers *b) {
  const size_t item = item_of(c);
  const size_t line = whole_lines((size_t)line_of(c) * item), taps = whole_lines((size_t)taps_of(c) * item),
               sums = whole_lines((size_t)c->length * item);
  const int a_parts = tsr__is_complex(c->a.dtype) ? 2 : 1, v_parts = tsr__is_complex(c->v.dtype) ? 3 : 1;
  const int parts = a_parts > 1 || v_parts > 1 ? 2 : 1;
  void *memory;
  *b = (buffers){0};
  const tsr_status st =
      tsr__call_scratch(call, (size_t)a_parts * line + (size_t)v_parts * taps + (size_t)parts * sums, &memory);
  if (st != TSR_OK) return st;
  char *at = memory;
  for (int i = 0; i < a_parts; i++, at += line) b->line[i] = at;
  for (int i = 0; i < v_parts; i++, at += taps) b->weights[i] = at;
  for (int i = 0; i < parts; i++, at += sums) b->sums[i] = at;
  return TSR_OK;
}

static void convolve_parts(const tsr_ctx *ctx, const convolution *c, const buffers *b) {
  for (int i = 0; i < 2; i++)
    if (b->line[i] != NULL) fill_line(ctx, c, i, b->line[i]);
  for (int i = 0; i < 3; i++)
    if (b->weights[i] != NULL) fill_weights(ctx, c, i > 0, i == 2, b->weights[i]);
  const bool both = b->line[1] != NULL && b->weights[1] != NULL;
  add_up(ctx, c, b->line[0], b->weights[0], b->sums[0], false);
  if (b->weights[1] != NULL) add_up(ctx, c, b->line[0], b->weights[1], b->sums[1], false);
  if (both) add_up(ctx, c, b->line[1], b->weights[2], b->sums[0], true);
  if (b->line[1] != NULL) add_up(ctx, c, b->line[1], b->weights[0], b->sums[1], both);
}

static void store_sums(const tsr_ctx *ctx, const convolution *c, const buffers *b, const tsr_tensor *out) {
  tsr_tensor to = *out;
  to.flags = 0;
  if (c->reversed && c->length > 1) {
    tsr__view_move(&to, c->length - 1, to.stride[0]);
    to.stride[0] = -to.stride[0];
  }
  for (int part = 0; part < (tsr__is_complex(c->dtype) ? 2 : 1); part++) {
    const tsr_tensor sums = vector_at(c, b->sums[part], c->length), y = tsr__part_of(&to, part);
    tsr__copy_no_alias(ctx, &sums, &y);
  }
}

static tsr_status convolve_vectors(tsr__call *call, convolution c) {
  const tsr__convolve_attrs *const attrs = call->attrs;
  buffers b;
  tsr_status st = check_convolution(call, (int)attrs->mode, &c);
  if (st != TSR_OK) return st;
  const tsr__result result = {c.dtype, TSR_PLAIN, 1, &c.length, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = make_buffers(call, &c, &b);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  convolve_parts(call->ctx, &c, &b);
  store_sums(call->ctx, &c, &b, call->out[0]);
  return TSR_OK;
}

static tsr_status convolve(tsr__call *call) { return convolve_vectors(call, (convolution){.flipped = true}); }

TSR__OP(convolve, convolve, 0)
tsr_status tsr_convolve(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *v, tsr_convolve_mode mode,
                        tsr_tensor *out) {
  return TSR__CALL(convolve, ctx, TSR__INPUTS(a, v), TSR__OUTPUTS(out), .mode = mode);
}

static tsr_status correlate(tsr__call *call) { return convolve_vectors(call, (convolution){.conjugate = 2}); }

TSR__OP_LIKE(correlate, convolve, correlate, 0)
tsr_status tsr_correlate(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *v, tsr_convolve_mode mode,
                         tsr_tensor *out) {
  return TSR__CALL(correlate, ctx, TSR__INPUTS(a, v), TSR__OUTPUTS(out), .mode = mode);
}
