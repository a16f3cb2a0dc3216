/* Quantised layers in plain loops: what microcontrollers run, and the reference of every other kernel. The numbers of x
 * that an output meets are gathered into a patch, which then meets the filters; where instructions allow, four patches
 * at once. */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain.h"
#include "cpu/parallel.h"
#include "nn/quant/patch.h"

enum { GRAIN = 1 << 16 }; /* products that are worth a thread */
enum { CHANNELS = 16 };   /* of the output, at a time */
enum { BLOCK = 4 };       /* outputs that are done together */

typedef struct plain {
  const tsr__q_run *q;
  tsr_index outputs; /* of all images, one channel */
  bool four;         /* four patches can go together */
  bool points;       /* filters have one tap, and x is i8 by sixteens */
#if defined(TSR__SMLAD)
  void (*run)(tsr__four *f);
  tsr__four with; /* of the first group, but for the outputs */
#elif defined(TSR__DOT_MVE)
  bool vectors;             /* from the dots to the results */
  tsr__mve_filters filters; /* of the first group */
#endif
} plain;

/* ---- what follows the sums ---- */

/* Results of n channels from first on, of one output. */
void tsr__q_end_any(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  out += (ptrdiff_t)first * q->os[1];
  for (int i = 0; i < n; i++, out += q->os[1])
    tsr__q_store(q->layer->out_dtype, out, tsr__q_result(q, first + i, sums[i]));
}

/* Bytes, every shift TSR__FIXED_HIGH or more. */
static void end_bytes(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  const int32_t *multiplier = q->table[TSR__Q_MULTIPLIER] + first, *shift = q->table[TSR__Q_SHIFT] + first;
  const int32_t zero = q->layer->out_zero, low = q->layer->low, high = q->layer->high;
  const ptrdiff_t step = q->os[1];
  for (int i = 0; i < n; i++, out += step) {
    const int32_t y = tsr__fixed_apply_high(sums[i], (tsr__fixed){multiplier[i], shift[i]}) + zero;
    const int32_t above = y < low ? low : y;
    *out = (char)(above > high ? high : above);
  }
}

void tsr__q_end(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  if (!q->high || q->layer->out_dtype == TSR_I16) {
    tsr__q_end_any(q, first, n, sums, out);
    return;
  }
#if defined(TSR__DOT_MVE)
  if (q->os[1] == 1 && n >= 4) {
    const int fours = n / 4 * 4;
    const tsr__mve_filters f = {.count = fours,
                                .multiplier = q->table[TSR__Q_MULTIPLIER] + first,
                                .shift = q->table[TSR__Q_SHIFT] + first,
                                .zero = q->layer->out_zero,
                                .low = q->layer->low,
                                .high = q->layer->high};
    tsr__mve_end(&f, sums, out + first);
    first += fours;
    sums += fours;
    n -= fours;
  }
#endif
  end_bytes(q, first, n, sums, out + (ptrdiff_t)first * q->os[1]);
}

/* ---- one patch ---- */

static inline void dots(const tsr__q_run *q, const char *patch, const int8_t *w, ptrdiff_t next, tsr_index k,
                        int32_t *sums) {
  const int16_t *const numbers = (const int16_t *)(const void *)patch;
  (void)q;
#if defined(TSR__DOT_MVE)
  if (tsr__patch_narrow(q))
    tsr__dots_bytes((const int8_t *)patch, w, next, k, sums);
  else
    tsr__dots_plain(numbers, w, next, k, sums);
#elif defined(TSR__SMLAD)
  tsr__dots_pairs(patch, (const char *)w, next, k, sums);
  (void)numbers;
#else
  tsr__dots_plain(numbers, w, next, k, sums);
#endif
}

/* n filters from w on; four at a time, some of them twice where that makes four. */
static void sum_filters(const tsr__q_run *q, const char *patch, const int8_t *w, const int32_t *bias, int n,
                        int32_t *sums) {
  const tsr_index k = tsr__patch_length(q);
  for (int i = 0; i < n; i += n < 4 ? 1 : 4) {
    int32_t four[4];
    if (i + 4 > n && n >= 4) i = n - 4;
    for (int j = 0; j < 4; j++) four[j] = bias[n < 4 ? i : i + j];
    dots(q, patch, w + i * k, n < 4 ? 0 : (ptrdiff_t)k, k, four);
    for (int j = 0; j < (n < 4 ? 1 : 4); j++) sums[i + j] = four[j];
  }
}

static int32_t sum_patch(const tsr__q_run *q, const char *patch) {
  uint32_t sum = 0;
  for (tsr_index i = 0; i < tsr__patch_length(q); i++) {
    const int32_t value = tsr__patch_narrow(q) ? ((const int8_t *)patch)[i] : ((const int16_t *)(const void *)patch)[i];
    sum += (uint32_t)value;
  }
  return (int32_t)sum;
}

/* Takes the zero points of the weights into account. */
static void correct(const tsr__q_run *q, const char *patch, tsr_index first, int n, int32_t *sums) {
  const uint32_t of_patch = (uint32_t)sum_patch(q, patch);
  for (int i = 0; i < n; i++)
    sums[i] = (int32_t)((uint32_t)sums[i] - (uint32_t)q->table[TSR__Q_W_ZERO][first + i] * of_patch);
}

#if defined(TSR__DOT_MVE)

static bool in_vectors(const tsr__q_run *q) {
  return tsr__patch_narrow(q) && q->high && !q->asymmetric && q->layer->out_dtype != TSR_I16 && q->os[1] == 1 &&
         q->c.o / q->c.groups >= 4;
}

static void set_filters(const tsr__q_run *q, tsr_index group, tsr__mve_filters *f) {
  const tsr_index filters = q->c.o / q->c.groups, first = group * filters;
  f->k = tsr__patch_length(q);
  f->w = q->w + first * f->k;
  f->count = filters;
  f->bias = q->table[TSR__Q_BIAS] + first;
  f->multiplier = q->table[TSR__Q_MULTIPLIER] + first;
  f->shift = q->table[TSR__Q_SHIFT] + first;
  f->zero = q->layer->out_zero;
  f->low = q->layer->low;
  f->high = q->layer->high;
}

__attribute__((noinline)) static void run_vectors(const plain *a, const tsr__q_place *p, tsr_index group, char *room) {
  const tsr__q_run *const q = a->q;
  const int8_t *const patch = (const int8_t *)tsr__patch_of(q, p, (ptrdiff_t)(group * q->c.i) * q->xs[1], room);
  tsr__mve_filters other;
  if (group > 0) set_filters(q, group, &other);
  tsr__mve_run(group > 0 ? &other : &a->filters, patch, p->out + group * a->filters.count);
}

#endif

/* One output, the filters of a group. */
__attribute__((noinline)) static void run_one(const plain *a, const tsr__q_place *p, tsr_index group, char *room) {
  const tsr__q_run *const q = a->q;
#if defined(TSR__DOT_MVE)
  if (a->vectors) {
    run_vectors(a, p, group, room);
    return;
  }
#endif
  const char *const patch = tsr__patch_of(q, p, (ptrdiff_t)(group * q->c.i) * q->xs[1], room);
  const tsr_index filters = q->c.o / q->c.groups, k = tsr__patch_length(q), first = group * filters;
  for (tsr_index o = 0; o < filters; o += CHANNELS) {
    int32_t sums[CHANNELS];
    if (filters - o < 4 && filters >= 4) o = filters - 4;
    const int n = (int)(filters - o < CHANNELS ? filters - o : CHANNELS);
    sum_filters(q, patch, q->w + (first + o) * k, q->table[TSR__Q_BIAS] + first + o, n, sums);
    if (q->asymmetric) correct(q, patch, first + o, n, sums);
    tsr__q_end(q, first + o, n, sums, p->out);
  }
}

/* ---- four patches ---- */

#if defined(TSR__SMLAD)

static bool can_four(const tsr__q_run *q) {
  if (!q->high || q->asymmetric || q->layer->out_dtype == TSR_I16) return false;
  for (tsr_index o = 0; o < q->c.o; o++)
    if (q->table[TSR__Q_SHIFT][o] > TSR__FOUR_SHIFT) return false;
  return true;
}

static void set_four(plain *a) {
  const tsr__q_run *const q = a->q;
  const tsr_index filters = q->c.o / q->c.groups, k = tsr__patch_length(q);
  const tsr_qlayer *const l = q->layer;
  const bool full = k % 16 == 0 && l->low == -128 && l->high == 127 && q->os[1] == 1;
  a->four = can_four(q);
  a->run = full ? tsr__four_signed : k % 16 == 0 ? tsr__four_clamped : tsr__four_any;
  a->with.bias = q->table[TSR__Q_BIAS] + filters;
  a->with.multiplier = q->table[TSR__Q_MULTIPLIER] + filters;
  a->with.shift = q->table[TSR__Q_SHIFT] + filters;
  a->with.zero = 2 * (full ? l->out_zero : l->out_zero - l->low) + 1;
  a->with.step = q->os[1];
  a->with.w = q->w;
  a->with.rest = (int32_t)(k % 4);
  a->with.above = 255 - (l->high - l->low);
  a->with.below = l->high - 255;
}

/* Every filter of a group with the patches in f, whose results go to channel 0 of the outputs in f and those after. */
static void run_group(const plain *a, tsr_index group, tsr__four *f) {
  const tsr__q_run *const q = a->q;
  const tsr_index filters = q->c.o / q->c.groups;
  for (int i = 0; i < BLOCK; i++) f->out[i] += (ptrdiff_t)filters * q->os[1];
  f->i = -(int32_t)filters;
  f->bias = a->with.bias + group * filters;
  f->multiplier = a->with.multiplier + group * filters;
  f->shift = a->with.shift + group * filters;
  f->w = a->with.w + group * filters * tsr__patch_length(q);
  a->run(f);
}

__attribute__((noinline)) static void run_fours(const plain *a, const tsr__q_place *p, tsr__four *f) {
  const tsr__q_run *const q = a->q;
  for (int i = 0; i < BLOCK; i++) f->out[i] = p[i].out;
  for (tsr_index g = 0; g < q->c.groups; g++) {
    for (int i = 0; i < BLOCK; i++) tsr__patch_of_four(q, &p[i], (ptrdiff_t)(g * q->c.i) * q->xs[1], i, f->patches);
    run_group(a, g, f);
  }
}

/* Blocks of points of a row, from p on, at most so many; how many they were. */
__attribute__((noinline)) static tsr_index run_points(const plain *a, const tsr__q_place *p, tsr_index most,
                                                      tsr__four *f) {
  const tsr__q_run *const q = a->q;
  const ptrdiff_t step = (ptrdiff_t)q->c.sw * q->xs[3], out_step = q->os[3];
  const tsr_index in_row = (q->c.ow - p->x) / BLOCK, blocks = in_row < most ? in_row : most;
  const tsr_index channels = q->c.i;
  const int32_t past = -(int32_t)q->c.o;
  void (*const run)(tsr__four *) = a->run;
  const char *x = p->at;
  char *const patches = f->patches, *out = p->out + (ptrdiff_t)q->c.o * q->os[1];
  for (tsr_index left = blocks; left > 0; left--, x += BLOCK * step, out += BLOCK * out_step) {
    tsr__smlad_pairs_of_points(channels, x, step, patches);
    f->out[0] = out;
    f->out[1] = out + out_step;
    f->out[2] = out + 2 * out_step;
    f->out[3] = out + 3 * out_step;
    f->i = past;
    run(f);
  }
  return blocks;
}

static void begin_four(const plain *a, char *room, tsr__four *f) {
  *f = a->with;
  f->patches = room;
  f->end = room + (size_t)tsr__patch_length(a->q) / 4 * 32;
}

#else

typedef struct tsr__four {
  int none;
} tsr__four;

static void set_four(plain *a) { a->four = false; }

static void begin_four(const plain *a, char *room, tsr__four *f) { (void)a, (void)room, (void)f; }

static void run_fours(const plain *a, const tsr__q_place *p, tsr__four *f) { (void)a, (void)p, (void)f; }

#if defined(TSR__DOT_MVE)

static tsr_index run_points(const plain *a, const tsr__q_place *p, tsr_index most, tsr__four *f) {
  const tsr__q_run *const q = a->q;
  const tsr_index in_row = (q->c.ow - p->x) / BLOCK, blocks = in_row < most ? in_row : most;
  const ptrdiff_t step = (ptrdiff_t)q->c.sw * q->xs[3], out_step = q->os[3];
  const char *x = p->at;
  char *out = p->out;
  (void)f;
  if (q->c.i == 16)
    tsr__mve_points(&a->filters, x, step, out, out_step, blocks * BLOCK);
  else
    for (tsr_index left = blocks * BLOCK; left > 0; left--, x += step, out += out_step)
      tsr__mve_run(&a->filters, (const int8_t *)x, out);
  return blocks;
}

#else

static tsr_index run_points(const plain *a, const tsr__q_place *p, tsr_index most, tsr__four *f) {
  (void)a, (void)p, (void)f;
  return most;
}

#endif

#endif

/* ---- the run ---- */

static void place_at(const tsr__q_run *q, tsr_index n, tsr_index y, tsr_index x, tsr__q_place *p) {
  const tsr__conv *const c = &q->c;
  p->n = n;
  p->y = y;
  p->x = x;
  p->at = q->x + (ptrdiff_t)n * q->xs[0] + (ptrdiff_t)(y * c->sh - c->top) * q->xs[2] +
          (ptrdiff_t)(x * c->sw - c->left) * q->xs[3];
  p->out = q->out + (ptrdiff_t)n * q->os[0] + (ptrdiff_t)y * q->os[2] + (ptrdiff_t)x * q->os[3];
}

/* The output steps after this one; steps do not leave the row, or are 1. */
static inline void go_on(const tsr__q_run *q, const tsr__q_place *p, tsr_index steps, tsr__q_place *next) {
  if (p->x + steps < q->c.ow) {
    next->n = p->n;
    next->y = p->y;
    next->x = p->x + steps;
    next->at = p->at + (ptrdiff_t)(steps * q->c.sw) * q->xs[3];
    next->out = p->out + (ptrdiff_t)steps * q->os[3];
  } else {
    const bool below = p->y + 1 < q->c.oh;
    place_at(q, below ? p->n : p->n + 1, below ? p->y + 1 : 0, 0, next);
  }
}

/* The block from p[0] on, of count outputs; p[0] becomes the one after them. */
static void run_block(const plain *a, int count, tsr__q_place *p, char *room, tsr__four *f) {
  const tsr__q_run *const q = a->q;
  for (int i = 1; i < count; i++) go_on(q, &p[i - 1], 1, &p[i]);
  if (a->four && count > 2) {
    if (count == 3) p[3] = p[2]; /* done twice */
    run_fours(a, p, f);
  } else {
    for (tsr_index g = 0; g < q->c.groups; g++)
      for (int i = 0; i < count; i++) run_one(a, &p[i], g, room);
  }
  go_on(q, &p[count - 1], 1, &p[0]);
}

static void run_blocks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plain *const a = arg;
  const tsr__q_run *const q = a->q;
  const tsr_index first = begin * BLOCK, size = q->c.oh * q->c.ow;
  char *const room = q->scratch + q->shared + (size_t)worker * q->each;
  tsr__q_place p[BLOCK];
  tsr__four f;
  begin_four(a, room, &f);
  place_at(q, first / size, first % size / q->c.ow, first % q->c.ow, &p[0]);
  for (tsr_index block = begin; block < end;) {
    const tsr_index left = a->outputs - block * BLOCK;
    if (a->points && p->x + BLOCK <= q->c.ow) {
      const tsr_index blocks = run_points(a, p, end - block, &f);
      go_on(q, p, blocks * BLOCK, p);
      block += blocks;
    } else {
      run_block(a, left < BLOCK ? (int)left : BLOCK, p, room, &f);
      block++;
    }
  }
}

size_t tsr__q_plain_scratch(const tsr_ctx *ctx, tsr__q_run *q) {
  size_t patch, all;
  q->shared = q->each = 0;
  if (q->depthwise) return tsr__q_plain_depthwise_scratch(q);
  if (!tsr__patch_bytes(q, &patch)) return SIZE_MAX;
#if defined(TSR__SMLAD)
  const bool four = q->c.n * q->c.oh * q->c.ow > 2;
  if (!tsr__mul_size(patch, four ? tsr__patch_in_pairs(q) ? 4 : 5 : 1, &patch)) return SIZE_MAX;
#endif
  q->each = patch;
  return tsr__mul_size(patch, (size_t)tsr__parallel(ctx)->max_workers, &all) ? all : SIZE_MAX;
}

void tsr__q_run_plain(const tsr_ctx *ctx, const tsr__q_run *q) {
  if (q->depthwise) {
    tsr__q_plain_depthwise(ctx, q);
    return;
  }
  plain a;
  a.q = q;
  a.outputs = q->c.n * q->c.oh * q->c.ow;
  a.points =
      q->c.groups == 1 && q->layer->x_dtype == TSR_I8 && q->xs[1] == 1 && q->c.i % 16 == 0 && tsr__patch_is_point(q);
  set_four(&a);
#if defined(TSR__DOT_MVE)
  a.vectors = in_vectors(q);
  a.points = a.points && a.vectors;
  set_filters(q, 0, &a.filters);
#else
  a.points = a.points && a.four;
#endif
  const tsr_index each = BLOCK * q->c.o * tsr__patch_length(q) + 1;
  tsr__parallel_for(ctx, a.outputs / BLOCK + (a.outputs % BLOCK != 0), GRAIN / each + 1, run_blocks, &a);
}
