/* tsr_histogram: bins of equal width. The bin is computed, and then compared with its edges, so that the edges that the
 * caller sees decide. */
#include "ops/cast/convert.h"
#include "ops/promote.h"
#include "ops/search/blocks.h"
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"

#include "cpu/isa.h"

#include <math.h>

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)

typedef struct span {
  tsr_real low, high;
  bool nan;
} span;

typedef struct binning {
  tsr__tables tables; /* the last bin is for what is outside */
  uint32_t bins;
  span range;
  tsr_real scale;       /* bins over the width */
  const tsr_real *edge; /* bins + 1 */
} binning;

/* ---- the range ---- */

static void widen_span(void *arg, tsr_index n, const void *values, int worker) {
  span *const s = (span *)arg + worker;
  const tsr_real *const v = values;
  tsr_real low = s->low, high = s->high;
  bool nan = s->nan;
  for (tsr_index i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
    nan |= v[i] != v[i];
  }
  *s = (span){low, high, nan};
}

static span find_span(const tsr_ctx *ctx, const tsr_tensor *x, int workers, span *spans) {
  if (tsr_size(x) == 0) return (span){0, 1, false};
  for (int i = 0; i < workers; i++) spans[i] = (span){(tsr_real)INFINITY, -(tsr_real)INFINITY, false};
  tsr__values_run(ctx, x, REAL_DTYPE, workers, widen_span, spans);
  span found = spans[0];
  for (int i = 1; i < workers; i++) {
    found.nan |= spans[i].nan;
    if (spans[i].low < found.low) found.low = spans[i].low;
    if (spans[i].high > found.high) found.high = spans[i].high;
  }
  return found;
}

/* range, or that of x; one without width is widened by a half on both sides. */
static tsr_status choose_range(const tsr__call *call, const tsr_real *range, int workers, span *spans, span *chosen) {
  const tsr_tensor *const x = call->in[0];
  *chosen = range != NULL ? (span){range[0], range[1], false} : find_span(call->ctx, x, workers, spans);
  if (range == NULL && (chosen->nan || !isfinite(chosen->high - chosen->low)))
    return TSR__FAIL(call->ctx, TSR_ERANGE, call->op, "x", "%t holds numbers that are not finite; give a range", x);
  if (chosen->low == chosen->high) {
    chosen->low -= (tsr_real)0.5;
    chosen->high += (tsr_real)0.5;
  }
  return TSR_OK;
}

/* ---- bins ---- */

/* The bin of x: at is near it. bins: x is outside, or NaN. */
static uint32_t find_bin(const binning *h, tsr_real x, uint32_t at) {
  if (!(x >= h->range.low && x <= h->range.high)) return h->bins;
  while (at > 0 && x < h->edge[at]) at--;
  while (at + 1 < h->bins && x >= h->edge[at + 1]) at++;
  return at;
}

static void guess_bins(const binning *h, tsr_index n, const tsr_real *x, int32_t *bins) {
  const tsr_real low = h->range.low, scale = h->scale, last = (tsr_real)(h->bins - 1);
  for (tsr_index i = 0; i < n; i++) {
    tsr_real at = (x[i] - low) * scale;
    at = at > 0 ? at : 0;
    bins[i] = (int32_t)(at < last ? at : last);
  }
}

static void count_block(void *arg, tsr_index n, const void *values, int worker) {
  const binning *const h = arg;
  const tsr_real *const x = values;
  int32_t guess[TSR__BLOCK_VALUES];
  uint32_t bins[TSR__BLOCK_VALUES];
  guess_bins(h, n, x, guess);
  for (tsr_index i = 0; i < n; i++) {
    const uint32_t at = (uint32_t)guess[i];
    const bool fits = (x[i] >= h->edge[at]) & (x[i] < h->edge[at + 1]);
    bins[i] = fits ? at : find_bin(h, x[i], at); /* the last edge, too, is its bin's */
  }
  tsr__tables_count(&h->tables, n, bins, worker);
}

/* The edges, rounded to their dtype, as the caller sees them. */
static void make_edges(const tsr_ctx *ctx, binning *h, int dtype, tsr_real *edge) {
  const int isa = tsr__isa_of(ctx);
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

static void store_edges(const tsr_ctx *ctx, const binning *h, const tsr_real *edge, const tsr_tensor *out) {
  const ptrdiff_t size = (ptrdiff_t)sizeof(tsr_real), step = (ptrdiff_t)out->stride[0] * tsr__item(out);
  const tsr_index count = (tsr_index)h->bins + 1;
  tsr__convert_row(tsr__isa_of(ctx), REAL_DTYPE, out->dtype, count, (const char *)edge, size, out->data, step);
}

/* ---- the call ---- */

static tsr_status check_histogram(const tsr__call *call) {
  const tsr__histogram_attrs *const attrs = call->attrs;
  const tsr_real *const range = attrs->range;
  const tsr_status st = tsr__check_real(call, 0);
  if (st != TSR_OK) return st;
  if (attrs->bins < 1 || attrs->bins >= INT32_MAX)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "bins", "is %l", (int64_t)attrs->bins);
  if (call->out[0] == NULL && call->out[1] == NULL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "counts", "and edges are NULL");
  if (range != NULL && !(range[1] - range[0] >= 0 && isfinite(range[1] - range[0])))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "range", "is not two finite numbers in order");
  return TSR_OK;
}

/* What a call needs beside its outputs. */
typedef struct binning_memory {
  void *spans, *edges;
  int workers;
} binning_memory;

static tsr_status plan_histogram(tsr__call *call, binning *h, binning_memory *m) {
  const tsr_tensor *const x = call->in[0];
  size_t bytes;
  if (!tsr__mul_size((size_t)h->bins + 1, sizeof(tsr_real), &bytes))
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "bins", "%l do not fit the address space", (int64_t)h->bins);
  m->workers = tsr__values_workers(call->ctx, x);
  tsr_status st = tsr__call_scratch(call, sizeof(span) * (size_t)m->workers, &m->spans);
  if (st == TSR_OK) st = tsr__tables_new(call, x, (size_t)h->bins + 1, &h->tables);
  return st == TSR_OK ? tsr__call_scratch(call, bytes, &m->edges) : st;
}

static void fill_histogram(const tsr__call *call, binning *h, int dtype, tsr_real *edge) {
  make_edges(call->ctx, h, dtype, edge);
  if (call->out[0] != NULL) {
    tsr__tables_clear(&h->tables);
    tsr__values_run(call->ctx, call->in[0], REAL_DTYPE, h->tables.workers, count_block, h);
    tsr__tables_store(&h->tables, call->out[0]);
  }
  if (call->out[1] != NULL) store_edges(call->ctx, h, edge, call->out[1]);
}

static tsr_status histogram(tsr__call *call) {
  const tsr__histogram_attrs *const attrs = call->attrs;
  const int dtype = tsr__float_of(call->in[0]->dtype);
  const tsr_index last = attrs->bins < TSR_INDEX_MAX ? attrs->bins + 1 : 0; /* one edge more than bins */
  const tsr__result counts = {TSR__INDEX_DTYPE, TSR_PLAIN, 1, &attrs->bins, NULL};
  const tsr__result edges = {dtype, TSR_PLAIN, 1, &last, NULL};
  binning h = {.bins = (uint32_t)attrs->bins};
  binning_memory m;
  tsr_status st = check_histogram(call);
  if (st == TSR_OK) st = tsr__call_output(call, 0, &counts);
  if (st == TSR_OK) st = tsr__call_output(call, 1, &edges);
  if (st == TSR_OK) st = tsr__check_outputs_no_alias(call);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = plan_histogram(call, &h, &m);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK) st = choose_range(call, attrs->range, m.workers, m.spans, &h.range);
  if (st == TSR_OK) fill_histogram(call, &h, dtype, m.edges);
  return st;
}

TSR__OP(histogram, histogram, 0)
tsr_status tsr_histogram(tsr_ctx *ctx, const tsr_tensor *x, tsr_index bins, const tsr_real *range, tsr_tensor *counts,
                         tsr_tensor *edges) {
  return TSR__CALL(histogram, ctx, TSR__INPUTS(x), TSR__OUTPUTS(counts, edges), .bins = bins, .range = range,
                   .range_count = 2);
}
