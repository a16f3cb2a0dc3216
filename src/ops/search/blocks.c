#include "ops/search/blocks.h"

#include "cpu/isa.h"
#include "cpu/iterate.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"

#include <string.h>

enum { PIECE = 16384, FEW_BINS = TSR_HAVE_MALLOC ? 4096 : 0, MANY_BINS = 65536 };

typedef struct walk {
  tsr__loop loop;
  tsr_index pieces; /* of a row */
  int isa, from, to;
  ptrdiff_t item; /* of a value */
  tsr__values_fn *fn;
  void *arg;
} walk;

static void walk_piece(const walk *w, const char *at, tsr_index n, int worker) {
  const ptrdiff_t step = w->loop.step[0][0];
  uint64_t values[TSR__BLOCK_VALUES];
  for (tsr_index i = 0; i < n; i += TSR__BLOCK_VALUES) {
    const tsr_index count = n - i < TSR__BLOCK_VALUES ? n - i : TSR__BLOCK_VALUES;
    const char *const from = at + (ptrdiff_t)i * step;
    const bool as_it_is = w->from == w->to && step == w->item;
    if (!as_it_is) tsr__convert_row(w->isa, w->from, w->to, count, from, step, (char *)values, w->item);
    w->fn(w->arg, count, as_it_is ? (const void *)from : values, worker);
  }
}

static void walk_pieces(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walk *const w = arg;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task % w->pieces * PIECE, left = w->loop.length[0] - first;
    const char *at = w->loop.base[0] + w->loop.step[0][0] * (ptrdiff_t)first;
    tsr_index number = task / w->pieces;
    for (int axis = 1; axis < w->loop.ndim; axis++) {
      at += w->loop.step[0][axis] * (ptrdiff_t)(number % w->loop.length[axis]);
      number /= w->loop.length[axis];
    }
    walk_piece(w, at, left < PIECE ? left : PIECE, worker);
  }
}

int tsr__values_workers(const tsr_ctx *ctx, const tsr_tensor *x) {
  return TSR_HAVE_THREADS && tsr_size(x) >= 2 * PIECE ? tsr__parallel(ctx)->max_workers : 1;
}

void tsr__values_run(const tsr_ctx *ctx, const tsr_tensor *x, int dtype, int workers, tsr__values_fn *fn, void *arg) {
  walk w = {.isa = tsr__isa_of(ctx), .from = x->dtype, .to = dtype, .fn = fn, .arg = arg};
  w.item = tsr__item_sizes[dtype];
  if (tsr_size(x) == 0) return;
  tsr__loop_init(&w.loop, 1, &x);
  w.pieces = (w.loop.length[0] - 1) / PIECE + 1;
  const tsr_index tasks = w.loop.size / w.loop.length[0] * w.pieces;
  const tsr_index each = w.loop.length[0] < PIECE ? w.loop.length[0] : PIECE;
  if (workers <= 1)
    walk_pieces(&w, 0, tasks, 0);
  else
    tsr__parallel_for(ctx, tasks, 1 + PIECE / each, walk_pieces, &w);
}

/* ---- tables ---- */

tsr_status tsr__tables_new(tsr__call *call, const tsr_tensor *x, size_t bins, tsr__tables *tables) {
  void *memory;
  size_t bytes;
  *tables = (tsr__tables){.bins = bins, .copies = bins <= FEW_BINS ? 4 : 1};
  tables->workers = bins <= MANY_BINS ? tsr__values_workers(call->ctx, x) : 1;
  if (!tsr__mul_size(bins, tables->copies * (size_t)tables->workers * sizeof(tsr_index), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "%z bins do not fit the address space", bins);
  const tsr_status st = tsr__call_scratch(call, bytes, &memory);
  if (st == TSR_OK) tables->counts = memory;
  return st;
}

void tsr__tables_clear(const tsr__tables *tables) {
  memset(tables->counts, 0, tables->bins * tables->copies * (size_t)tables->workers * sizeof(tsr_index));
}

void tsr__tables_count(const tsr__tables *tables, tsr_index n, const uint32_t *bins, int worker) {
  tsr_index *const counts = tables->counts + tables->bins * tables->copies * (size_t)worker;
  tsr_index i = 0;
  if (tables->copies == 4) {
    tsr_index *const one = counts + tables->bins, *const two = one + tables->bins, *const three = two + tables->bins;
    for (; i + 4 <= n; i += 4) {
      counts[bins[i]]++;
      one[bins[i + 1]]++;
      two[bins[i + 2]]++;
      three[bins[i + 3]]++;
    }
  }
  for (; i < n; i++) counts[bins[i]]++;
}

void tsr__tables_store(const tsr__tables *tables, const tsr_tensor *out) {
  const size_t all = tables->copies * (size_t)tables->workers;
  for (tsr_index i = 0; i < out->shape[0]; i++) {
    tsr_index sum = 0;
    for (size_t k = 0; k < all && (size_t)i < tables->bins; k++) sum += tables->counts[tables->bins * k + (size_t)i];
    ((tsr_index *)out->data)[i * out->stride[0]] = sum;
  }
}
