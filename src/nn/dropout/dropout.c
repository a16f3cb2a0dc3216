/* Dropout: ranges of elements, in row-major order, on the context's threads. */
#include "core/operand.h"
#include "core/dtypes.h"
#include "cpu/parallel.h"
#include "nn/check.h"
#include "nn/lines.h"
#include "ops/move/target.h"
#include "ops/random/random.h"

#include <tessera/dropout.h>

enum { GRAIN = 4096 }; /* elements that are worth a thread */

#define X(isa) tsr__random_words_##isa,
static tsr__random_words_fn *const words_fns[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

typedef struct dropping dropping;
typedef void drop_fn(const dropping *d, tsr_index n, const uint32_t *words, const char *x, char *out);

struct dropping {
  tsr__lines            lines; /* x, the output */
  tsr_rng               rng;
  tsr__random_words_fn *words;
  drop_fn              *drop;
  uint64_t              threshold; /* how many of the 2^32 words keep an element */
  tsr_real              scale;
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
  uint32_t              words[TSR__DRAW_WORDS];
  (void)worker;
  while (begin < end) {
    const uint64_t  position = d->rng.counter + (uint64_t)begin;
    const tsr_index skip = (tsr_index)(position % 4), room = TSR__DRAW_WORDS - skip;
    const tsr_index n = end - begin < room ? end - begin : room;
    d->words(d->rng.key, d->rng.stream, TSR__WORDS, position / 4, (int)((n + skip + 3) / 4), words);
    drop_lines(d, begin, n, words + skip);
    begin += n;
  }
}

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_rng *rng, const tsr_tensor *x, tsr_real rate) {
  tsr_status st = tsr__draw_check(ctx, op, rng);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK && !(rate >= 0 && rate <= 1))
    st = TSR__FAIL(ctx, TSR_EARG, op, "rate", "is %r, not a number from 0 to 1", &rate);
  return st;
}

tsr_status tsr_dropout(tsr_ctx *ctx, tsr_rng *rng, const tsr_tensor *x, tsr_real rate, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  static const char op[] = "dropout";
  tsr__target       target;
  tsr_status        st = check(ctx, op, rng, x, rate);
  if (st != TSR_OK) return st;
  const tsr__result result = {x->dtype, x->layout, x->ndim, x->shape, x};
  const bool        in_place = out != NULL && out->data != NULL && out->ndim == x->ndim && tsr__same_view(x, out);
  st = tsr__target_begin(ctx, op, &result, in_place ? 0 : 1, &x, out, &target);
  if (st != TSR_OK) return st;
  const tsr_real keep = 1 - rate;
  dropping       d = {.rng = *rng,
                      .words = words_fns[tsr__isa_of(ctx)],
                      .drop = drops[x->dtype],
                      .threshold = keep < 1 ? (uint32_t)(keep * (tsr_real)0x1p32f) : (uint64_t)1 << 32,
                      .scale = keep > 0 ? 1 / keep : 0};
  tsr__lines_init(&d.lines, x->ndim, x->shape);
  tsr__lines_add(&d.lines, x, 0);
  tsr__lines_add(&d.lines, &target.view, 0);
  tsr__lines_merge(&d.lines);
  rng->counter += (uint64_t)d.lines.count;
  tsr__parallel_for(ctx, d.lines.count, GRAIN, drop_range, &d);
  tsr__target_end(ctx, out, &target);
  return TSR_OK;
}
