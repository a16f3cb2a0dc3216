/* Attention in tiles. A task is some panels of queries of one head of k and v; it goes through the keys in blocks,
 * packs a block of keys and values once, and takes every panel past it: scores of a few keys at a time, which stay in
 * the first cache, become weights, and are multiplied by the values. What was summed before is scaled when a greater
 * score turns up.
 *
 * Everything is transposed, keys and values are the products' A, queries and weights its B: scores come out as (keys,
 * queries), which is the order that the second product packs its B in, and sums over keys run down the lanes. */
#include <string.h>
#include "cpu/parallel.h"
#include "nn/attention/attention.h"
#include "ops/cast/convert.h"
#include "ops/matmul/product.h"

#if TSR_HAVE_MALLOC

enum { BLOCK = 65536, STEP = 128, GRAIN = 1 << 17 }; /* numbers in a block of keys and values; keys in a step, about */

static tsr__attention_table *const tables[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__attention);

/* How the work is cut, and where a worker keeps what; all in bytes but keys and panels. */
typedef struct plan {
  const tsr__attention *a;
  const tsr__gemm_kernel *kernel;
  const tsr__attention_kernels *fn;
  tsr_index keys, step;     /* in a block, and in a step */
  tsr_index across, all;    /* panels of one head of q; of all that share a head of k and v */
  tsr_index panels, chunks; /* in a task; tasks of a head of k and v */
  tsr_index tasks, grain;
  size_t query_panel, sum_panel;                          /* of one panel */
  size_t k, v, q, sums, tops, scores, mask, factor, rows; /* where they begin */
  size_t each;
  int workers;
  char *scratch;
} plan;

static tsr_index min_index(tsr_index x, tsr_index y) { return x < y ? x : y; }
static tsr_index max_index(tsr_index x, tsr_index y) { return x > y ? x : y; }
static tsr_index up(tsr_index x, tsr_index unit) { return (x + unit - 1) / unit; }

/* ---- the plan ---- */

/* Blocks and steps of whole panels of keys. The bits depend on steps, and so they depend on nothing but the kernel. */
static void cut_keys(plan *p) {
  const tsr__attention *const a = p->a;
  const tsr_index mr = p->kernel->mr;
  p->step = (STEP + mr / 2) / mr * mr;
  p->keys = min_index(up(BLOCK / max_index(a->d + a->dv, 1) + 1, p->step) * p->step, up(max_index(a->s, 1), mr) * mr);
}

static void cut_queries(plan *p) {
  const tsr__attention *const a = p->a;
  const tsr_index nr = p->kernel->nr, heads = a->b * a->hkv, workers = tsr__parallel(a->ctx)->max_workers;
  p->across = up(a->t, nr);
  p->all = p->across * a->group;
  p->panels = max_index(1, min_index(p->all, BLOCK / max_index(a->d + a->dv, 1) / nr));
  while (p->panels > 1 && workers > 1 && heads * up(p->all, p->panels) < 4 * workers) p->panels = (p->panels + 1) / 2;
  p->chunks = up(p->all, p->panels);
  p->tasks = heads * p->chunks;
  const double work = (double)(p->panels * nr) * (double)a->s * (double)(a->d + a->dv);
  p->grain = 1 + (tsr_index)(GRAIN / (work + 1));
  p->workers = TSR_HAVE_THREADS && p->tasks > p->grain ? (int)workers : 1;
}

/* Room for rows of columns numbers at the end of what a worker has; false when that is more than there can be. */
static bool add_room(plan *p, tsr_index rows, tsr_index columns, size_t *at) {
  size_t bytes;
  *at = p->each;
  if (!tsr__mul_size((size_t)rows, (size_t)columns, &bytes) || !tsr__mul_size(bytes, p->kernel->item, &bytes))
    return false;
  return tsr__add_size(bytes, TSR_DATA_ALIGN - 1, &bytes) &&
         tsr__add_size(p->each, bytes & ~(size_t)(TSR_DATA_ALIGN - 1), &p->each);
}

static bool place(plan *p) {
  const tsr__attention *const a = p->a;
  const tsr_index mr = p->kernel->mr, nr = p->kernel->nr, step = min_index(p->keys, p->step);
  size_t total;
  if (a->d > TSR_INDEX_MAX / 1024 || a->dv > TSR_INDEX_MAX / 1024) return false;
  const bool fits = add_room(p, p->keys, a->d, &p->k) && add_room(p, up(a->dv, mr) * mr, p->keys, &p->v) &&
                    add_room(p, p->panels * nr, a->d, &p->q) && add_room(p, p->panels * nr, a->dv, &p->sums) &&
                    add_room(p, p->panels * 2, nr, &p->tops) && add_room(p, step, nr, &p->scores) &&
                    add_room(p, a->mask.data != NULL ? step : 0, nr, &p->mask) && add_room(p, 1, nr, &p->factor) &&
                    add_room(p, nr, a->dv, &p->rows);
  p->query_panel = (size_t)(nr * a->d) * p->kernel->item;
  p->sum_panel = (size_t)(nr * a->dv) * p->kernel->item;
  return fits && tsr__mul_size(p->each, (size_t)p->workers, &total) && total < PTRDIFF_MAX;
}

static bool plan_init(plan *p, const tsr__attention *a) {
  *p = (plan){
      .a = a, .kernel = tsr__gemm_kernel_of(a->isa, a->compute), .fn = &(*tables[a->isa])[a->compute == TSR_F64]};
  if (a->d > TSR_INDEX_MAX - a->dv) return false;
  cut_keys(p);
  cut_queries(p);
  return place(p);
}

size_t tsr__attention_scratch(const tsr__attention *a) {
  plan p;
  if (tsr__attention_decode_fits(a)) return tsr__attention_decode_scratch(a);
  if (!plan_init(&p, a)) return SIZE_MAX;
  return p.each * (size_t)p.workers;
}

/* ---- one task ---- */

/* A panel of queries: t0 … t0 + rows of head h. */
typedef struct panel {
  tsr_index b, h, t0, rows;
  tsr_index keys; /* that take part for its last query */
  char *q, *sums, *top, *sum;
} panel;

static panel panel_at(const plan *p, tsr_index head, tsr_index number, tsr_index slot, char *room) {
  const tsr__attention *const a = p->a;
  const tsr_index nr = p->kernel->nr, line = nr * p->kernel->item;
  panel w = {.b = head / a->hkv, .h = head % a->hkv * a->group + number / p->across, .t0 = number % p->across * nr};
  w.rows = min_index(nr, a->t - w.t0);
  w.keys = tsr__attention_keys(a, w.t0 + w.rows - 1);
  w.q = room + p->q + (size_t)slot * p->query_panel;
  w.sums = room + p->sums + (size_t)slot * p->sum_panel;
  w.top = room + p->tops + (size_t)(2 * slot * line);
  w.sum = w.top + line;
  return w;
}

/* Packs rows of one operand, or its columns, as panels of A or of B. */
static void pack(const plan *p, const tsr__attention_part *part, bool as_b, tsr_index count, tsr_index k,
                 const char *src, ptrdiff_t count_step, ptrdiff_t k_step, char *dst) {
  if (count > 0 && k > 0)
    tsr__pack_from(p->kernel, p->a->isa, part->dtype, as_b, count, k, src, count_step, k_step, dst);
}

static void pack_keys(const plan *p, tsr_index head, tsr_index first, tsr_index keys, char *room) {
  const tsr__attention *const a = p->a;
  const tsr_index b = head / a->hkv, h = head % a->hkv;
  pack(p, &a->k, false, keys, a->d, tsr__attention_at(&a->k, b, h, first, 0), a->k.step[2], a->k.step[3], room + p->k);
  pack(p, &a->v, false, a->dv, keys, tsr__attention_at(&a->v, b, h, first, 0), a->v.step[3], a->v.step[2], room + p->v);
}

/* c (rows, lanes) (+)= a · b in tiles; a_step: bytes from one panel of a to the next. */
static void multiply(const plan *p, tsr_index rows, tsr_index k, const char *a, size_t a_step, const char *b, char *c,
                     bool add) {
  const tsr__gemm_kernel *const kernel = p->kernel;
  const tsr_index mr = kernel->mr, nr = kernel->nr;
  for (tsr_index i = 0; i < rows; i += mr, a += a_step, c += (size_t)(mr * nr) * kernel->item)
    kernel->micro[min_index(mr, rows - i) - 1](k, a, b, c, nr, (int)nr, add);
}

/* keys keys from first on, which stand at number at of the block in room of length keys. */
static void run_step(const plan *p, const panel *w, tsr_index first, tsr_index keys, tsr_index at, tsr_index length,
                     char *room) {
  const tsr__attention *const a = p->a;
  const tsr_index mr = p->kernel->mr, item = p->kernel->item;
  char *const scores = room + p->scores;
  tsr__attention_block block = {.keys = keys,
                                .x = scores,
                                .scale = a->scale,
                                .top = w->top,
                                .sum = w->sum,
                                .factor = room + p->factor,
                                .fresh = first == 0};
  multiply(p, keys, a->d, room + p->k + (size_t)(at * a->d * item), (size_t)(mr * a->d * item), w->q, scores, false);
  if (a->mask.data != NULL) {
    pack(p, &a->mask, true, w->rows, keys, tsr__attention_at(&a->mask, w->b, w->h, w->t0, first), a->mask.step[2],
         a->mask.step[3], room + p->mask);
    block.mask = room + p->mask;
    block.mask_bool = a->mask.dtype == TSR_BOOL;
  }
  block.first = a->causal ? w->t0 + a->offset - first : 0;
  block.causal = a->causal && block.first < keys - 1;
  if (p->fn->softmax_block(&block)) p->fn->multiply(a->dv, block.factor, w->sums);
  multiply(p, a->dv, keys, room + p->v + (size_t)(at * mr * item), (size_t)(mr * length * item), scores, w->sums,
           first > 0);
}

/* The sums become the output's rows. */
static void finish(const plan *p, const panel *w, char *room) {
  const tsr__attention *const a = p->a;
  const ptrdiff_t item = p->kernel->item, nr = p->kernel->nr;
  char *const to = tsr__attention_at(&a->out, w->b, w->h, w->t0, 0);
  const bool straight =
      a->out.dtype == a->compute && a->out.step[3] == item && a->out.step[2] == (ptrdiff_t)a->dv * item;
  char *const rows = straight ? to : room + p->rows;
  if (w->keys == 0) {
    memset(w->sums, 0, p->sum_panel);
  } else {
    p->fn->invert(w->sum, room + p->factor);
    p->fn->multiply(a->dv, room + p->factor, w->sums);
  }
  p->kernel->pack((int)a->dv, a->dv, w->rows, w->sums, nr * item, item, rows);
  for (tsr_index i = 0; i < w->rows && !straight; i++)
    tsr__convert_row(a->isa, a->compute, a->out.dtype, a->dv, rows + (ptrdiff_t)(i * a->dv) * item, item,
                     to + (ptrdiff_t)i * a->out.step[2], a->out.step[3]);
}

static void run_block(const plan *p, const panel *w, tsr_index first, tsr_index length, char *room) {
  const tsr_index end = min_index(w->keys - first, length);
  for (tsr_index at = 0; at < end; at += p->step)
    run_step(p, w, first + at, min_index(p->step, end - at), at, length, room);
}

static void run_task(const plan *p, tsr_index task, char *room) {
  const tsr__attention *const a = p->a;
  const tsr_index head = task / p->chunks, begin = task % p->chunks * p->panels;
  const tsr_index count = min_index(p->panels, p->all - begin);
  tsr_index keys = 0;
  for (tsr_index i = 0; i < count; i++) {
    const panel w = panel_at(p, head, begin + i, i, room);
    keys = max_index(keys, w.keys);
    pack(p, &a->q, true, w.rows, a->d, tsr__attention_at(&a->q, w.b, w.h, w.t0, 0), a->q.step[2], a->q.step[3], w.q);
  }
  for (tsr_index first = 0; first < keys; first += p->keys) {
    const tsr_index length = min_index(p->keys, keys - first);
    pack_keys(p, head, first, length, room);
    for (tsr_index i = 0; i < count; i++) {
      const panel w = panel_at(p, head, begin + i, i, room);
      run_block(p, &w, first, length, room);
    }
  }
  for (tsr_index i = 0; i < count; i++) {
    const panel w = panel_at(p, head, begin + i, i, room);
    finish(p, &w, room);
  }
}

static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  for (tsr_index i = begin; i < end; i++) run_task(p, i, p->scratch + p->each * (size_t)worker);
}

void tsr__attention_run(const tsr__attention *a, char *scratch) {
  plan p;
  if (tsr__attention_decode_fits(a)) {
    tsr__attention_decode_run(a, scratch);
    return;
  }
  if (!plan_init(&p, a)) return; /* it was asked for its scratch before */
  p.scratch = scratch;
  tsr__parallel_for(a->ctx, p.tasks, p.grain, run_tasks, &p);
}

#else
typedef int tsr__attention_no_tiles; /* a file has to declare something */
#endif
