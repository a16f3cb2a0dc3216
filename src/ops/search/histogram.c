/* tsr_histogram: bins of equal width. The bin is computed, and then compared with its edges, so that the edges that the
 * caller sees decide. */
#include "core/operand.h"
#include "ops/cast/convert.h"
#include "ops/promote.h"
#include "ops/search/blocks.h"
#include "ops/sort/lines.h"

#include "cpu/isa.h"

#include <math.h>
#include <string.h>
#include <tessera/sort.h>

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)

typedef struct span {
  tsr_real low, high;
  bool     nan;
} span;

typedef struct histogram {
  tsr__tables     tables; /* the last bin is for what is outside */
  uint32_t        bins;
  span            range;
  tsr_real        scale; /* bins over the width */
  const tsr_real *edge;  /* bins + 1 */
} histogram;

/* ---- the range ---- */

static void widen_span(void *arg, tsr_index n, const void *values, int worker) {
  span *const           s = (span *)arg + worker;
  const tsr_real *const v = values;
  tsr_real              low = s->low, high = s->high;
  bool                  nan = s->nan;
  for (tsr_index i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
    nan |= v[i] != v[i];
  }
  *s = (span){low, high, nan};
}

static tsr_status find_span(tsr_ctx *ctx, const char *op, const tsr_tensor *x, span *found) {
  const int        workers = tsr__values_workers(ctx, x);
  tsr__scratch     scratch;
  const tsr_status st = tsr__scratch_get(ctx, op, sizeof(span) * (size_t)workers, &scratch);
  if (st != TSR_OK) return st;
  span *const spans = scratch.data;
  for (int i = 0; i < workers; i++) spans[i] = (span){(tsr_real)INFINITY, -(tsr_real)INFINITY, false};
  tsr__values_run(ctx, x, REAL_DTYPE, workers, widen_span, spans);
  *found = spans[0];
  for (int i = 1; i < workers; i++) {
    found->nan |= spans[i].nan;
    if (spans[i].low < found->low) found->low = spans[i].low;
    if (spans[i].high > found->high) found->high = spans[i].high;
  }
  if (tsr_size(x) == 0) *found = (span){0, 1, false};
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

/* range, or that of x; one without width is widened by a half on both sides. */
static tsr_status choose_range(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_real *range, span *chosen) {
  if (range != NULL) {
    *chosen = (span){range[0], range[1], false};
    if (!(range[1] - range[0] >= 0 && isfinite(range[1] - range[0])))
      return TSR__FAIL(ctx, TSR_EARG, op, "range", "is not two finite numbers in order");
  } else {
    const tsr_status st = find_span(ctx, op, x, chosen);
    if (st != TSR_OK) return st;
    if (chosen->nan || !isfinite(chosen->high - chosen->low))
      return TSR__FAIL(ctx, TSR_ERANGE, op, "x", "%t holds numbers that are not finite; give a range", x);
  }
  if (chosen->low == chosen->high) {
    chosen->low -= (tsr_real)0.5;
    chosen->high += (tsr_real)0.5;
  }
  return TSR_OK;
}

/* ---- bins ---- */

/* The bin of x: at is near it. bins: x is outside, or NaN. */
static uint32_t find_bin(const histogram *h, tsr_real x, uint32_t at) {
  if (!(x >= h->range.low && x <= h->range.high)) return h->bins;
  while (at > 0 && x < h->edge[at]) at--;
  while (at + 1 < h->bins && x >= h->edge[at + 1]) at++;
  return at;
}

static void guess_bins(const histogram *h, tsr_index n, const tsr_real *x, int32_t *bins) {
  const tsr_real low = h->range.low, scale = h->scale, last = (tsr_real)(h->bins - 1);
  for (tsr_index i = 0; i < n; i++) {
    tsr_real at = (x[i] - low) * scale;
    at = at > 0 ? at : 0;
    bins[i] = (int32_t)(at < last ? at : last);
  }
}

static void count_block(void *arg, tsr_index n, const void *values, int worker) {
  const histogram *const h = arg;
  const tsr_real *const  x = values;
  int32_t                guess[TSR__BLOCK_VALUES];
  uint32_t               bins[TSR__BLOCK_VALUES];
  guess_bins(h, n, x, guess);
  for (tsr_index i = 0; i < n; i++) {
    const uint32_t at = (uint32_t)guess[i];
    const bool     fits = (x[i] >= h->edge[at]) & (x[i] < h->edge[at + 1]);
    bins[i] = fits ? at : find_bin(h, x[i], at); /* the last edge, too, is its bin's */
  }
  tsr__tables_count(&h->tables, n, bins, worker);
}

/* The edges, rounded to their dtype, as the caller sees them. */
static void make_edges(const tsr_ctx *ctx, histogram *h, int dtype, tsr_real *edge) {
  const int      isa = tsr__isa_of(ctx);
  const tsr_real step = (h->range.high - h->range.low) / (tsr_real)h->bins;
  for (uint32_t i = 0; i <= h->bins; i++) {
    uint64_t rounded;
    edge[i] = i == h->bins ? h->range.high : h->range.low + (tsr_real)i * step;
    tsr__convert_row(isa, REAL_DTYPE, dtype, 1, (const char *)&edge[i], 0, (char *)&rounded, 0);
    tsr__convert_row(isa, dtype, REAL_DTYPE, 1, (const char *)&rounded, 0, (char *)&edge[i], 0);
  }
  h->range.low = edge[0];
  h->range.high = edge[h->bins];
  h->scale = (tsr_real)h->bins / (h->range.high - h->range.low);
  if (!isfinite(h->scale)) h->scale = 0; /* the edges decide */
  h->edge = edge;
}

static void store_edges(const tsr_ctx *ctx, const histogram *h, const tsr_real *edge, const tsr_tensor *out) {
  const ptrdiff_t size = (ptrdiff_t)sizeof(tsr_real), step = (ptrdiff_t)out->stride[0] * tsr__item(out);
  const tsr_index count = (tsr_index)h->bins + 1;
  tsr__convert_row(tsr__isa_of(ctx), REAL_DTYPE, out->dtype, count, (const char *)edge, size, out->data, step);
}

/* ---- the call ---- */

typedef struct outputs {
  tsr_index   lengths[2];
  tsr__result results[2]; /* counts, edges */
  tsr_tensor *out[2];     /* NULL: not wanted */
} outputs;

static tsr_status check_outputs(tsr_ctx *ctx, const char *op, const outputs *o) {
  static const char *const names[2] = {"counts", "edges"};
  for (int i = 0; i < 2; i++) {
    if (o->out[i] == NULL) continue;
    const tsr_status st = tsr__output_check_as(ctx, op, names[i], &o->results[i], o->out[i]);
    if (st != TSR_OK) return st;
  }
  if (o->out[0] != NULL && o->out[1] != NULL && o->out[0]->data != NULL && o->out[1]->data != NULL &&
      tsr__overlap(o->out[0], o->out[1]))
    return TSR__FAIL(ctx, TSR_EOVERLAP, op, "edges", "%t and counts share memory", o->out[1]);
  return TSR_OK;
}

static tsr_status make_outputs(tsr_ctx *ctx, const char *op, const outputs *o) {
  tsr_status st = o->out[0] != NULL ? tsr__output(ctx, op, &o->results[0], o->out[0]) : TSR_OK;
  if (st == TSR_OK && o->out[1] != NULL) st = tsr__output(ctx, op, &o->results[1], o->out[1]);
  return st;
}

static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, histogram *h, const outputs *o) {
  tsr__scratch tables = {0}, edges = {0};
  size_t       bytes;
  if (!tsr__mul_size((size_t)h->bins + 1, sizeof(tsr_real), &bytes))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "bins", "%l do not fit the address space", (int64_t)h->bins);
  tsr_status st = make_outputs(ctx, op, o);
  if (st == TSR_OK) st = tsr__tables_new(ctx, op, x, (size_t)h->bins + 1, &h->tables, &tables);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, bytes, &edges);
  if (st == TSR_OK) {
    tsr_real *const edge = edges.data;
    make_edges(ctx, h, o->results[1].dtype, edge);
    if (o->out[0] != NULL) {
      tsr__values_run(ctx, x, REAL_DTYPE, h->tables.workers, count_block, h);
      tsr__tables_store(&h->tables, o->out[0]);
    }
    if (o->out[1] != NULL) store_edges(ctx, h, edge, o->out[1]);
  }
  tsr__scratch_put(&edges);
  tsr__scratch_put(&tables);
  return st;
}

tsr_status tsr_histogram(tsr_ctx *ctx, const tsr_tensor *x, tsr_index bins, const tsr_real *range, tsr_tensor *counts,
                         tsr_tensor *edges) {
  TSR__OPERANDS(x, counts, edges);
  static const char op[] = "histogram";
  histogram         h = {0};
  tsr_status        st = tsr__lines_check(ctx, op, "x", x);
  if (st != TSR_OK) return st;
  if (bins < 1 || bins >= INT32_MAX) return TSR__FAIL(ctx, TSR_EARG, op, "bins", "is %l", (int64_t)bins);
  if (counts == NULL && edges == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "counts", "and edges are NULL");
  outputs o = {.lengths = {bins, bins + 1}, .out = {counts, edges}};
  o.results[0] = (tsr__result){TSR__INDEX_DTYPE, TSR_PLAIN, 1, &o.lengths[0], NULL};
  o.results[1] = (tsr__result){tsr__float_of(x->dtype), TSR_PLAIN, 1, &o.lengths[1], NULL};
  st = check_outputs(ctx, op, &o);
  if (st == TSR_OK) st = choose_range(ctx, op, x, range, &h.range);
  if (st != TSR_OK) return st;
  h.bins = (uint32_t)bins;
  const tsr_tensor none = {0}, before[2] = {counts != NULL ? *counts : none, edges != NULL ? *edges : none};
  st = run(ctx, op, x, &h, &o);
  for (int i = 0; i < 2 && st != TSR_OK; i++)
    if (o.out[i] != NULL) tsr__lines_undo(&before[i], o.out[i]);
  return st;
}
