/* Dropout: ranges of elements, in row-major order, on the context's threads. */
#include "core/dtypes.h"
#include "cpu/parallel.h"
#include "nn/check.h"
#include "nn/dropout/ops.h"
#include "nn/lines.h"
#include "ops/move/target.h"
#include "ops/random/random.h"

enum { GRAIN = 4096 }; /* elements that are worth a thread */

static tsr__random_words_fn *const words_fns[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__random_words);

typedef struct dropping dropping;
typedef void drop_fn(const dropping *d, tsr_index n, const uint32_t *words, const char *x, char *out);

struct dropping {
  tsr__lines lines; /* x, the output */
  tsr_rng rng;
  tsr__random_words_fn *words;
  drop_fn *drop;
  uint64_t threshold; /* how many of the 2^32 words keep an element */
  tsr_real scale;
};

#define TEMPLATE "nn/dropout/dropout.tmpl.h"
#include "nn/each_float.h"

static drop_fn *const drops[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(drop)};

/* Elements first … first + n - 1: the parts of rows that they are. */
static void drop_lines(const dropping *d, tsr_index first, tsr_index n, const uint32_t *words) {
  const tsr_index length = d->lines.length[d->lines.ndim - 1];
  while (n > 0) {
    const tsr_index left = length - first % length, run = left < n ? left : n;
    d->drop(d, run, words, tsr__lines_at(&d->lines, 0, first), tsr__lines_at(&d->lines, 1, first));
    words += run;
    first += run;
    n -= run;
  }
}

/* Whole blocks of four words are made, and of the first and the last perhaps only a part is used. */
static void drop_range(void *arg, tsr_index begin, tsr_index end, int worker) {
  const dropping *const d = arg;
  uint32_t words[TSR__DRAW_WORDS];
  (void)worker;
  while (begin < end) {
    const uint64_t position = d->rng.counter + (uint64_t)begin;
    const tsr_index skip = (tsr_index)(position % 4), room = TSR__DRAW_WORDS - skip;
    const tsr_index n = end - begin < room ? end - begin : room;
    d->words(d->rng.key, d->rng.stream, TSR__WORDS, position / 4, (int)((n + skip + 3) / 4), words);
    drop_lines(d, begin, n, words + skip);
    begin += n;
  }
}

static tsr_status check_dropout(const tsr__call *call) {
  const tsr__dropout_attrs *const attrs = call->attrs;
  tsr_status st = tsr__draw_check(call, attrs->rng);
  if (st == TSR_OK) st = tsr__nn_check_float(call->ctx, call->op, "x", call->in[0]);
  if (st == TSR_OK && !(attrs->rate >= 0 && attrs->rate <= 1))
    st = TSR__FAIL(call->ctx, TSR_EARG, call->op, "rate", "is %r, not a number from 0 to 1", &attrs->rate);
  return st;
}

static tsr_status dropout(tsr__call *call) {
  const tsr__dropout_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0], *const out = call->out[0];
  tsr__target target;
  tsr_status st = check_dropout(call);
  if (st != TSR_OK) return st;
  const tsr__result result = {x->dtype, x->layout, x->ndim, x->shape, x};
  const bool in_place = out != NULL && out->data != NULL && out->ndim == x->ndim && tsr__same_view(x, out);
  st = tsr__call_target_as(call, &result, x->dtype, in_place, &target);
  if (st != TSR_OK) return st;
  const tsr_real keep = 1 - attrs->rate;
  dropping d = {.rng = *attrs->rng,
                .words = words_fns[tsr__isa_of(call->ctx)],
                .drop = drops[x->dtype],
                .threshold = keep < 1 ? (uint32_t)(keep * (tsr_real)0x1p32f) : (uint64_t)1 << 32,
                .scale = keep > 0 ? 1 / keep : 0};
  tsr__lines_init(&d.lines, x->ndim, x->shape);
  tsr__lines_add(&d.lines, x, 0);
  tsr__lines_add(&d.lines, &target.view, 0);
  tsr__lines_merge(&d.lines);
  attrs->rng->counter += (uint64_t)d.lines.count;
  tsr__parallel_for(call->ctx, d.lines.count, GRAIN, drop_range, &d);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(dropout, dropout, TSR__OP_RANDOM)
tsr_status tsr_dropout(tsr_ctx *ctx, tsr_rng *rng, const tsr_tensor *x, tsr_real rate, tsr_tensor *out) {
  return TSR__CALL(dropout, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .rng = rng, .rate = rate);
}
