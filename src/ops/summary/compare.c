/* tsr_compare: pairs of elements in order, several stretches of them at a time on the context's threads. */
#include "core/normalise.h"
#include "core/check.h"
#include "cpu/parallel.h"
#include "ops/summary/difference.h"
#include "ops/summary/part.h"
#include "ops/summary/walk.h"

#include <string.h>
#include <tessera/summary.h>

typedef struct isa_kernels {
  const tsr__difference_kernel *const *table;
  tsr__distance_fn *distance8, *distance16;
} isa_kernels;

#define X(isa) {tsr__compare_##isa, tsr__distance8_##isa, tsr__distance16_##isa},
static const isa_kernels tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

/* Pairs at a time where both lie as they are wanted, and where they must be copied: on the stack. */
enum { DIRECT = 4096, ROOM = TSR_HAVE_MALLOC ? 2048 : 128 };

typedef struct stretch {
  tsr__difference_part part;
  tsr_index first; /* -1: none */
} stretch;

typedef struct engine {
  tsr__walk walk;
  int dtype; /* that pairs are compared in */
  const tsr__difference_kernel *kernel;
  tsr__distance_fn *distance; /* of small floats by their bits; NULL: the kernel knows, or there is none */
  uint32_t infinity;          /* of a small float, as bits */
  bool ulps;                  /* floats both */
  bool same;                  /* dtypes: equal bytes are equal elements */
  tsr__tolerance within;
  tsr_index round; /* its first stretch */
  stretch parts[TSR__PARTS];
} engine;

/* ---- pairs ---- */

static void add_pairs(const engine *e, stretch *s, tsr_index r, tsr_index n, const void *a, const void *b) {
  const int64_t before = s->part.unequal;
  e->kernel->add(&s->part, &e->within, n, a, b);
  if (s->first < 0 && s->part.unequal > before) s->first = r + e->kernel->first(&e->within, n, a, b);
}

/* The distance of small floats: by the elements as they are. */
static void add_distance(const engine *e, stretch *s, tsr_index r, tsr_index n) {
  char a_room[ROOM], b_room[ROOM];
  const int dtype = e->walk.of[0].dtype;
  const void *const a = tsr__walk_read(&e->walk, 0, dtype, r, n, a_room);
  const void *const b = tsr__walk_read(&e->walk, 1, dtype, r, n, b_room);
  const uint64_t most = e->distance(n, a, b, e->infinity);
  s->part.max_ulp = most > s->part.max_ulp ? most : s->part.max_ulp;
}

static void add_converted(const engine *e, stretch *s, tsr_index r, tsr_index n) {
  _Alignas(64) char a_room[ROOM], b_room[ROOM];
  const void *const a = tsr__walk_read(&e->walk, 0, e->dtype, r, n, a_room);
  const void *const b = tsr__walk_read(&e->walk, 1, e->dtype, r, n, b_room);
  const uint64_t before = s->part.max_ulp;
  add_pairs(e, s, r, n, a, b);
  if (e->distance == NULL) return;
  s->part.max_ulp = before; /* the kernel counted numbers of the wider dtype */
  add_distance(e, s, r, n);
}

/* Whether n pairs are the same bytes: then they are equal, NaN or not. */
static bool same_bytes(const engine *e, tsr_index r, tsr_index n) {
  if (!e->same) return false;
  const void *const a = tsr__walk_direct(&e->walk, 0, e->walk.of[0].dtype, r, n);
  const void *const b = tsr__walk_direct(&e->walk, 1, e->walk.of[0].dtype, r, n);
  return a != NULL && b != NULL && memcmp(a, b, (size_t)n * (size_t)e->walk.of[0].item) == 0;
}

static void add_block(const engine *e, stretch *s, tsr_index r, tsr_index n) {
  if (same_bytes(e, r, n)) return;
  const void *const a = tsr__walk_direct(&e->walk, 0, e->dtype, r, n);
  const void *const b = tsr__walk_direct(&e->walk, 1, e->dtype, r, n);
  if (a != NULL && b != NULL) {
    add_pairs(e, s, r, n, a, b);
    return;
  }
  const tsr_index most = (tsr_index)(ROOM / tsr_dtype_size(e->dtype));
  for (tsr_index done = 0; done < n; done += most) add_converted(e, s, r + done, n - done < most ? n - done : most);
}

/* ---- stretches, rounds ---- */

static void add_stretches(void *arg, tsr_index begin, tsr_index end, int worker) {
  engine *const e = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++) {
    stretch s = {.first = -1};
    const tsr_index first = (e->round + i) * TSR__STRETCH, left = e->walk.size - first;
    const tsr_index last = first + (left < TSR__STRETCH ? left : TSR__STRETCH);
    for (tsr_index r = first; r < last; r += DIRECT) add_block(e, &s, r, last - r < DIRECT ? last - r : DIRECT);
    e->parts[i] = s;
  }
}

static void join(tsr_difference *all, const stretch *s) {
  all->unequal += s->part.unequal;
  all->nans += s->part.nans;
  if (all->first < 0) all->first = s->first;
  all->max_abs = s->part.max_abs > all->max_abs ? s->part.max_abs : all->max_abs;
  all->max_rel = s->part.max_rel > all->max_rel ? s->part.max_rel : all->max_rel;
  all->max_ulp = s->part.max_ulp > all->max_ulp ? s->part.max_ulp : all->max_ulp;
}

static void compare_all(const tsr_ctx *ctx, engine *e, tsr_difference *all) {
  const tsr_index stretches = tsr__stretches(e->walk.size);
  for (e->round = 0; e->round < stretches; e->round += TSR__PARTS) {
    const tsr_index n = stretches - e->round < TSR__PARTS ? stretches - e->round : TSR__PARTS;
    tsr__parallel_for(ctx, n, 1, add_stretches, e);
    for (tsr_index i = 0; i < n; i++) join(all, &e->parts[i]);
  }
  if (!e->ulps) all->max_ulp = 0;
}

/* ---- the public function ---- */

/* The bits of infinity; f8_e4m3 has none, and its NaN is all ones: what is above the greatest number. */
static uint32_t infinity_of(int dtype) {
  switch (dtype) {
    case TSR_F16: return 0x7c00;
    case TSR_BF16: return 0x7f80;
    case TSR_F8_E5M2: return 0x7c;
    default: return 0x7e;
  }
}

static int common_dtype(int a, int b) {
  if (a == b && (a == TSR_I64 || a == TSR_U64)) return a;
  return tsr__summary_dtype(a) == TSR_F32 && tsr__summary_dtype(b) == TSR_F32 ? TSR_F32 : tsr__summary_dtype(TSR_F64);
}

static bool is_float(const tsr_tensor *t) { return tsr_dtype_describe(t->dtype)->class_ == TSR_CLASS_FLOAT; }

/* Floats of two dtypes are as far apart as there are numbers of the dtype that they are compared in. */
static void choose(const tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, engine *e) {
  const isa_kernels *const kernels = &tables[tsr__isa_of(ctx)];
  const int bytes = (int)tsr_dtype_size(a->dtype);
  e->same = a->dtype == b->dtype;
  e->ulps = is_float(a) && is_float(b);
  e->dtype = common_dtype(a->dtype, b->dtype);
  e->kernel = kernels->table[e->dtype];
  e->infinity = infinity_of(a->dtype);
  e->distance = !e->ulps || !e->same || bytes > 2 ? NULL : bytes == 2 ? kernels->distance16 : kernels->distance8;
}

static tsr_status check_compare(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol, tsr_real atol) {
  tsr_status st = tsr__check_summary(ctx, "compare", "a", a);
  if (st == TSR_OK) st = tsr__check_summary(ctx, "compare", "b", b);
  if (st != TSR_OK) return st;
  if (!(rtol >= 0)) return TSR__FAIL(ctx, TSR_EARG, "compare", "rtol", "is %r, which is not 0 or more", &rtol);
  if (!(atol >= 0)) return TSR__FAIL(ctx, TSR_EARG, "compare", "atol", "is %r, which is not 0 or more", &atol);
  if (!tsr_same_shape(a, b)) return TSR__FAIL(ctx, TSR_ESHAPE, "compare", "b", "%t has not the shape of a, %t", b, a);
  return TSR_OK;
}

tsr_status tsr_compare(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol, tsr_real atol,
                       tsr_difference *difference) {
  TSR__NORMALISE_ALL(a, b);
  engine e;
  if (difference == NULL) return TSR__FAIL(ctx, TSR_EARG, "compare", "difference", "is NULL");
  const tsr_status st = check_compare(ctx, a, b, rtol, atol);
  if (st != TSR_OK) return st;
  tsr__walk_init(&e.walk, ctx, 2, (const tsr_tensor *const[]){a, b});
  e.within = (tsr__tolerance){.relative = rtol, .absolute = atol};
  choose(ctx, a, b, &e);
  tsr_difference all = {.count = tsr_size(a), .first = -1};
  compare_all(ctx, &e, &all);
  *difference = all;
  return TSR_OK;
}
