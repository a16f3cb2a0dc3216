/* Attention of few queries, as in writing a text word by word: it takes as long as keys and values are read, once and
 * where they lie. All queries of one head of k and v go past some keys at a time: scores, weights, sums of values. Many
 * keys of few heads are cut into parts, by their number alone, and the parts' sums joined in their order: the same bits
 * for any number of threads. */
#include <string.h>
#include "cpu/parallel.h"
#include "nn/attention/attention.h"
#include "ops/cast/convert.h"
#include "ops/matmul/product.h"

#if TSR_HAVE_MALLOC

/* Bytes of keys, or values, that stay in the first cache, and in the second; parts that are enough for the threads; the
 * fewest keys of a part; numbers that are worth a thread. */
enum { NEAR = 1 << 14, BLOCK = 1 << 17, PARTS = 32, FEWEST = 256, GRAIN = 1 << 16, KEYS_AHEAD = 48, VALUES_AHEAD = 16 };

static tsr__attention_table *const tables[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__attention);

typedef struct plan {
  const tsr__attention *a;
  const tsr__attention_kernels *fn;
  tsr_index item, lanes;    /* bytes of a number, numbers of a line */
  tsr_index rows, keys;     /* queries of a head of k and v, and keys that take part for one of them */
  tsr_index parts, part;    /* of the keys of a head; keys in one */
  tsr_index step, near;     /* keys that are weighed, and multiplied, at once */
  tsr_index columns, state; /* dv in whole lines; numbers of a query's state: a line, and its sums */
  tsr_index tasks, grain;
  int workers;
  size_t q, x, mask, k, v;    /* where they begin in a worker's room */
  size_t each, states, total; /* bytes of a room, of all states, of everything */
  char *scratch;
} plan;

static tsr_index min_index(tsr_index x, tsr_index y) { return x < y ? x : y; }
static tsr_index max_index(tsr_index x, tsr_index y) { return x > y ? x : y; }
static tsr_index up(tsr_index x, tsr_index unit) { return (x + unit - 1) / unit * unit; }

/* Tiles take a panel of queries for each head, full or not: as long as all these here, when it is full. */
bool tsr__attention_decode_fits(const tsr__attention *a) {
  return a->t <= tsr__gemm_kernel_of(a->isa, a->compute)->nr * 3 / 4;
}

/* ---- the plan ---- */

static bool is_plain(const plan *p, const tsr__attention_part *part, tsr_index columns) {
  return part->dtype == p->a->compute && (part->step[3] == p->item || columns <= 1);
}

/* The bits depend on parts and steps, and these on shapes alone. */
static void cut_keys(plan *p) {
  const tsr__attention *const a = p->a;
  const tsr_index heads = a->b * a->hkv, wide = max_index(1, max_index(a->d, a->dv) * p->item);
  const tsr_index wanted = heads < PARTS ? (PARTS + heads - 1) / heads : 1;
  p->keys = tsr__attention_keys(a, a->t - 1);
  p->near = max_index(p->lanes, NEAR / wide / p->lanes * p->lanes);
  p->step = max_index(p->near, min_index(BLOCK / wide, 1024) / p->near * p->near);
  p->parts = max_index(1, min_index(wanted, p->keys / FEWEST));
  p->part = up((p->keys + p->parts - 1) / p->parts, p->lanes);
  p->step = min_index(p->step, max_index(p->part, p->lanes));
}

/* Room for so many numbers at the end of a worker's; false: more than there can be. */
static bool add_room(plan *p, tsr_index rows, tsr_index columns, size_t *at) {
  size_t bytes;
  *at = p->each;
  return tsr__mul_size((size_t)rows, (size_t)up(columns, p->lanes), &bytes) &&
         tsr__mul_size(bytes, (size_t)p->item, &bytes) && tsr__add_size(p->each, bytes, &p->each);
}

static bool plan_init(plan *p, const tsr__attention *a) {
  const tsr_index longest = TSR_INDEX_MAX / 1024;
  const bool wide = a->compute == TSR_F64;
  if (a->d > longest || a->dv > longest || a->b > longest / a->h || a->t > longest / a->group) return false;
  *p = (plan){.a = a, .fn = &(*tables[a->isa])[wide]};
  p->item = wide ? 8 : 4;
  p->lanes = TSR_DATA_ALIGN / p->item;
  p->rows = a->group * a->t;
  cut_keys(p);
  p->columns = up(a->dv, p->lanes);
  p->state = p->lanes + p->columns;
  p->tasks = a->b * a->hkv * p->parts;
  p->grain = 1 + (tsr_index)(GRAIN / ((double)p->rows * (double)p->part * (double)(a->d + a->dv) + 1));
  p->workers = TSR_HAVE_THREADS && p->tasks > p->grain ? tsr__parallel(a->ctx)->max_workers : 1;
  const bool fits = add_room(p, p->rows, a->d, &p->q) && add_room(p, p->rows, p->step, &p->x) &&
                    add_room(p, a->mask.data != NULL, p->step, &p->mask) &&
                    add_room(p, is_plain(p, &a->k, a->d) ? 0 : p->step, a->d, &p->k) &&
                    add_room(p, is_plain(p, &a->v, a->dv) ? 0 : p->step, a->dv, &p->v);
  size_t rooms, states;
  return fits && tsr__mul_size(p->each, (size_t)p->workers, &rooms) &&
         tsr__mul_size((size_t)p->tasks, (size_t)p->rows, &states) &&
         tsr__mul_size(states, (size_t)p->state * (size_t)p->item, &p->states) &&
         tsr__add_size(p->states, rooms, &p->total) && p->total < PTRDIFF_MAX;
}

size_t tsr__attention_decode_scratch(const tsr__attention *a) {
  plan p;
  return plan_init(&p, a) ? p.total : SIZE_MAX;
}

/* ---- one part of one head's keys ---- */

typedef struct task {
  const plan *p;
  tsr_index b, h; /* of k and v */
  char *room, *states;
} task;

static tsr_index head_of(const task *w, tsr_index row) { return w->h * w->p->a->group + row / w->p->a->t; }
static char *state_of(const task *w, tsr_index row) {
  return w->states + (size_t)(row * w->p->state) * (size_t)w->p->item;
}
static char *x_of(const task *w, tsr_index row) {
  return w->room + w->p->x + (size_t)(row * up(w->p->step, w->p->lanes)) * (size_t)w->p->item;
}

static void load(const plan *p, const tsr__attention_part *part, tsr_index n, const char *from, char *to) {
  if (n > 0) tsr__convert_row(p->a->isa, part->dtype, p->a->compute, n, from, part->step[3], to, (ptrdiff_t)p->item);
}

static void begin_task(const task *w) {
  const plan *const p = w->p;
  const tsr__attention *const a = p->a;
  const float none = -__builtin_inff();
  memset(w->states, 0, (size_t)(p->rows * p->state) * (size_t)p->item);
  for (tsr_index r = 0; r < p->rows; r++) {
    load(p, &a->q, a->d, tsr__attention_at(&a->q, w->b, head_of(w, r), r % a->t, 0),
         w->room + p->q + (size_t)(r * up(a->d, p->lanes)) * (size_t)p->item);
    tsr__convert_row(a->isa, TSR_F32, a->compute, 1, (const char *)&none, 0, state_of(w, r), 0);
  }
}

/* Rows of k or v, each contiguous, where they lie or converted. step: numbers from one to the next. */
static const char *rows_of(const task *w, const tsr__attention_part *part, tsr_index columns, tsr_index first,
                           tsr_index keys, char *room, tsr_index *step) {
  const plan *const p = w->p;
  const char *const from = tsr__attention_at(part, w->b, w->h, first, 0);
  *step = (tsr_index)(part->step[2] / p->item);
  if (is_plain(p, part, columns)) return from;
  *step = up(columns, p->lanes);
  for (tsr_index i = 0; i < keys; i++)
    load(p, part, columns, from != NULL ? from + (ptrdiff_t)i * part->step[2] : NULL,
         room + (size_t)(i * *step) * (size_t)p->item);
  return room;
}

/* So many rows ahead, in bytes; steps of fewer rows may be of any size. */
static ptrdiff_t ahead_of(const plan *p, tsr_index rows, tsr_index step) {
  return p->keys > rows ? (ptrdiff_t)(rows * step) * (ptrdiff_t)p->item : 0;
}

/* Keys first … first + n times every query, those in the first cache before the next. */
static void score(const task *w, tsr_index first, tsr_index n) {
  const plan *const p = w->p;
  const tsr__attention *const a = p->a;
  tsr__attention_scores s = {.queries = p->rows, .d = a->d, .q = w->room + p->q};
  const char *const k = rows_of(w, &a->k, a->d, first, n, w->room + p->k, &s.k_step);
  if (k == NULL) s.k_step = 0;
  s.q_step = up(a->d, p->lanes);
  s.x_step = up(p->step, p->lanes);
  s.ahead = ahead_of(p, KEYS_AHEAD, s.k_step);
  for (tsr_index at = 0; at < n; at += p->near) {
    s.keys = min_index(p->near, n - at);
    s.k = k != NULL ? k + (ptrdiff_t)(at * s.k_step) * (ptrdiff_t)p->item : NULL;
    s.x = x_of(w, 0) + (size_t)(at * p->item);
    p->fn->score(&s);
  }
}

static void softmax_part(const task *w, tsr_index first, tsr_index n) {
  const plan *const p = w->p;
  const tsr__attention *const a = p->a;
  tsr__attention_row row = {.keys = n, .scale = a->scale, .columns = p->columns};
  for (tsr_index r = 0; r < p->rows; r++) {
    row.end = max_index(0, min_index(n, tsr__attention_keys(a, r % a->t) - first));
    row.x = x_of(w, r);
    row.state = state_of(w, r);
    if (a->mask.data != NULL) {
      row.mask = w->room + p->mask;
      row.mask_bool = a->mask.dtype == TSR_BOOL;
      load(p, &a->mask, row.end, tsr__attention_at(&a->mask, w->b, head_of(w, r), r % a->t, first), w->room + p->mask);
    }
    p->fn->softmax_row_part(&row);
  }
}

static void add_up(const task *w, tsr_index first, tsr_index n) {
  const plan *const p = w->p;
  tsr__attention_sums s = {.queries = p->rows, .keys = n, .columns = p->a->dv, .x = x_of(w, 0)};
  s.v = rows_of(w, &p->a->v, p->a->dv, first, n, w->room + p->v, &s.v_step);
  s.x_step = up(p->step, p->lanes);
  s.sums = w->states + (size_t)(p->lanes * p->item);
  s.sums_step = p->state;
  s.ahead = ahead_of(p, VALUES_AHEAD, s.v_step);
  p->fn->add(&s);
}

static void run_parts(void *arg, tsr_index first, tsr_index last, int worker) {
  const plan *const p = arg;
  const tsr__attention *const a = p->a;
  const size_t states = (size_t)(p->rows * p->state) * (size_t)p->item;
  for (tsr_index i = first; i < last; i++) {
    const tsr_index head = i / p->parts, from = i % p->parts * p->part, to = min_index(p->keys, from + p->part);
    const task w = {.p = p,
                    .b = head / a->hkv,
                    .h = head % a->hkv,
                    .room = p->scratch + p->states + (size_t)worker * p->each,
                    .states = p->scratch + (size_t)i * states};
    begin_task(&w);
    for (tsr_index key = from; key < to; key += p->step) {
      const tsr_index n = min_index(p->step, to - key);
      score(&w, key, n);
      softmax_part(&w, key, n);
      add_up(&w, key, n);
    }
  }
}

/* ---- all of it ---- */

static void finish(const plan *p) {
  const tsr__attention *const a = p->a;
  for (tsr_index head = 0; head < a->b * a->hkv; head++) {
    const task w = {.p = p,
                    .b = head / a->hkv,
                    .h = head % a->hkv,
                    .states = p->scratch + (size_t)(head * p->parts * p->rows * p->state) * (size_t)p->item};
    for (tsr_index r = 0; r < p->rows; r++) {
      p->fn->join(p->parts, p->rows * p->state, p->columns, state_of(&w, r));
      tsr__convert_row(a->isa, a->compute, a->out.dtype, a->dv, state_of(&w, r) + (size_t)(p->lanes * p->item),
                       (ptrdiff_t)p->item, tsr__attention_at(&a->out, w.b, head_of(&w, r), r % a->t, 0),
                       a->out.step[3]);
    }
  }
}

void tsr__attention_decode_run(const tsr__attention *a, char *scratch) {
  plan p;
  if (!plan_init(&p, a)) return; /* it was asked for its scratch before */
  p.scratch = scratch;
  tsr__parallel_for(a->ctx, p.tasks, p.grain, run_parts, &p);
  finish(&p);
}

#else
typedef int tsr__attention_no_decode; /* a file has to declare something */
#endif
