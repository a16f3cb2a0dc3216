/* tsr_summarize: blocks of elements in order, several stretches of them at a time on the context's threads. */
#include <tessera/summary.h>
#include "core/normalise.h"
#include "core/check.h"
#include "cpu/parallel.h"
#include "ops/summary/part.h"
#include "ops/summary/summary.h"
#include "ops/summary/walk.h"

static tsr__summary_fn *const *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__summarize);

#define INFINITE ((tsr_real)__builtin_inff())
#define NOT_A_NUMBER ((tsr_real)__builtin_nanf(""))

typedef struct engine {
  tsr__walk walk;
  int dtype; /* that elements are looked at as */
  tsr__summary_fn *add;
  tsr_index first; /* stretch of this round */
  tsr__summary_part parts[TSR__PARTS];
} engine;

/* ---- joining ---- */

/* The union of two sets: their means and squares by Chan, Golub and LeVeque. */
static void join(tsr__summary_part *all, const tsr__summary_part *more) {
  const int64_t finite = all->finite + more->finite;
  all->zeros += more->zeros;
  all->nans += more->nans;
  all->infs += more->infs;
  if (more->finite == 0) return;
  const tsr_real share = (tsr_real)more->finite / (tsr_real)finite, d = more->mean - all->mean;
  const tsr_real step = d * share, apart = d * step * (tsr_real)all->finite;
  all->mean = all->finite > 0 ? all->mean + step : more->mean;
  all->square = all->finite > 0 ? all->square + more->square + apart : more->square;
  all->min = more->min < all->min ? more->min : all->min;
  all->max = more->max > all->max ? more->max : all->max;
  all->finite = finite;
}

static tsr__summary_part nothing(void) { return (tsr__summary_part){.min = INFINITE, .max = -INFINITE}; }

/* Lanes in pairs: the order is fixed, and rounding grows with its depth alone. */
static tsr_real total(const tsr_real *lanes) {
  tsr_real sum[TSR__SUMMARY_LANES];
  for (int l = 0; l < TSR__SUMMARY_LANES; l++) sum[l] = lanes[l];
  for (int half = TSR__SUMMARY_LANES / 2; half > 0; half /= 2)
    for (int l = 0; l < half; l++) sum[l] += sum[l + half];
  return sum[0];
}

static tsr__summary_part part_of(const tsr__summary_block *b) {
  tsr__summary_part part = nothing();
  part.finite = b->finite;
  part.zeros = b->zeros;
  part.nans = b->nans;
  part.infs = b->count - part.finite - part.nans;
  if (part.finite == 0) return part;
  part.min = b->min;
  part.max = b->max;
  const tsr_real sum = total(b->sum), mean = sum / (tsr_real)part.finite, around = sum * mean;
  const tsr_real square = total(b->square) - around;
  part.mean = b->shift + mean;
  part.square = square > 0 ? square : 0;
  return part;
}

/* ---- blocks, stretches, rounds ---- */

static tsr__summary_part block_at(const engine *e, tsr_index r, tsr_index n) {
  _Alignas(64) char room[TSR__SUMMARY_ROOM];
  tsr__summary_block block = {.min = INFINITE, .max = -INFINITE};
  const tsr_index most = (tsr_index)(sizeof room / tsr_dtype_size(e->dtype));
  const void *const direct = tsr__walk_direct(&e->walk, 0, e->dtype, r, n);
  if (direct != NULL) {
    e->add(&block, n, direct);
    return part_of(&block);
  }
  for (tsr_index done = 0; done < n; done += most) {
    const tsr_index piece = n - done < most ? n - done : most;
    e->add(&block, piece, tsr__walk_read(&e->walk, 0, e->dtype, r + done, piece, room));
  }
  return part_of(&block);
}

static void add_stretches(void *arg, tsr_index begin, tsr_index end, int worker) {
  engine *const e = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++) {
    tsr__summary_part all = nothing();
    const tsr_index first = (e->first + i) * TSR__STRETCH, left = e->walk.size - first;
    const tsr_index last = first + (left < TSR__STRETCH ? left : TSR__STRETCH);
    for (tsr_index r = first; r < last; r += TSR__SUMMARY_BLOCK) {
      const tsr__summary_part part = block_at(e, r, last - r < TSR__SUMMARY_BLOCK ? last - r : TSR__SUMMARY_BLOCK);
      join(&all, &part);
    }
    e->parts[i] = all;
  }
}

static tsr__summary_part add_all(const tsr_ctx *ctx, engine *e) {
  const tsr_index stretches = tsr__stretches(e->walk.size);
  tsr__summary_part all = nothing();
  for (e->first = 0; e->first < stretches; e->first += TSR__PARTS) {
    const tsr_index n = stretches - e->first < TSR__PARTS ? stretches - e->first : TSR__PARTS;
    tsr__parallel_for(ctx, n, 1, add_stretches, e);
    for (tsr_index i = 0; i < n; i++) join(&all, &e->parts[i]);
  }
  return all;
}

static tsr_real root(tsr_real x) {
#if TSR_REAL_BITS == 64
  return __builtin_sqrt(x);
#else
  return __builtin_sqrtf(x);
#endif
}

tsr_status tsr_summarize(tsr_ctx *ctx, const tsr_tensor *x, tsr_summary *summary) {
  TSR__NORMALISE_ALL(x);
  engine e;
  if (summary == NULL) return TSR__FAIL(ctx, TSR_EARG, "summarize", "summary", "is NULL");
  const tsr_status st = tsr__check_summary(ctx, "summarize", "x", x);
  if (st != TSR_OK) return st;
  tsr__walk_init(&e.walk, ctx, 1, &x);
  e.dtype = tsr__summary_dtype(x->dtype);
  e.add = tables[tsr__isa_of(ctx)][e.dtype];
  const tsr__summary_part all = add_all(ctx, &e);
  const bool some = all.finite > 0;
  *summary = (tsr_summary){.count = tsr_size(x),
                           .zeros = all.zeros,
                           .nans = all.nans,
                           .infs = all.infs,
                           .min = some ? all.min : NOT_A_NUMBER,
                           .max = some ? all.max : NOT_A_NUMBER,
                           .mean = some ? all.mean : NOT_A_NUMBER,
                           .std = some ? root(all.square / (tsr_real)all.finite) : NOT_A_NUMBER};
  return TSR_OK;
}
