/* tsr_topk: the line is scanned for keys below a limit, which are kept. When the room for them is full, all but the
 * best k are dropped and the limit is the worst of these: most of a line is then only compared. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"
#include "ops/sort/select.h"

#include <string.h>

#define TEMPLATE "ops/sort/topk.tmpl.h"
#include "ops/sort/each_key.h"

enum { BLOCK = TSR_HAVE_MALLOC ? 128 : 64, ROOM = TSR_HAVE_MALLOC ? 1024 : 64 };

typedef struct best {
  tsr__keys keys;
  int dtype;
  bool largest;
  tsr_index length, k, room; /* room: keys that are kept before some are dropped */
  bool sorted;
} best;

/* What a line needs: counts, then pairs to sort, then keys, then indices; each for room and a block. */
typedef struct search {
  const best *t;
  size_t *counts;
  char *a, *b; /* pairs; before, the block of keys, and room to select in */
  char *kept;
  tsr_index *index;
  tsr_index count;
  bool full; /* there is a limit */
  uint64_t limit;
} search;

static void scan(search *s, tsr_index n, tsr_index first) {
  switch (s->t->keys.bytes) {
    case 1:
      s->count = scan_u8(n, (void *)s->a, first, !s->full, (tsr__key8)s->limit, (void *)s->kept, s->index, s->count);
      return;
    case 2:
      s->count = scan_u16(n, (void *)s->a, first, !s->full, (tsr__key16)s->limit, (void *)s->kept, s->index, s->count);
      return;
    case 4:
      s->count = scan_u32(n, (void *)s->a, first, !s->full, (tsr__key32)s->limit, (void *)s->kept, s->index, s->count);
      return;
    default: s->count = scan_u64(n, (void *)s->a, first, !s->full, s->limit, (void *)s->kept, s->index, s->count);
  }
}

/* ---- blocks without a better element are most of a long line: no keys are made of them ---- */

#define ANY_BETTER(name, type)                                                          \
  static bool any_better_##name(tsr_index n, const type *x, type limit, bool largest) { \
    int any = 0;                                                                        \
    if (largest)                                                                        \
      for (tsr_index i = 0; i < n; i++) any |= x[i] > limit;                            \
    else                                                                                \
      for (tsr_index i = 0; i < n; i++) any |= x[i] < limit;                            \
    return any != 0;                                                                    \
  }
ANY_BETTER(f32, float)
ANY_BETTER(i32, int32_t)

/* Whether an element may be better than the limit; true where that is not known. NaN never is, and as a limit it is
 * worse than all others. */
static bool may_be_better(const search *s, tsr_index n, const char *x, ptrdiff_t step) {
  const best *const t = s->t;
  union {
    uint32_t key;
    float f;
    int32_t i;
  } limit = {(uint32_t)s->limit};
  const bool nan = t->keys.floats && limit.key == UINT32_MAX;
  if (!s->full || step != 4 || nan || (t->dtype != TSR_F32 && t->dtype != TSR_I32)) return true;
  tsr__keys_values(&t->keys, 1, &limit.key, &limit.key);
  return t->dtype == TSR_F32 ? any_better_f32(n, (const void *)x, limit.f, t->largest)
                             : any_better_i32(n, (const void *)x, limit.i, t->largest);
}

/* All but the best k go. */
static void drop(search *s) {
  const int bytes = s->t->keys.bytes;
  tsr_index less;
  if (s->count <= s->t->k) return;
  s->limit = tsr__select(bytes, s->count, s->kept, s->t->k - 1, s->b, s->counts, &less);
  const tsr_index equal = s->t->k - less;
  s->full = true;
  switch (bytes) {
    case 1: s->count = keep_u8(s->count, (void *)s->kept, s->index, (tsr__key8)s->limit, equal); return;
    case 2: s->count = keep_u16(s->count, (void *)s->kept, s->index, (tsr__key16)s->limit, equal); return;
    case 4: s->count = keep_u32(s->count, (void *)s->kept, s->index, (tsr__key32)s->limit, equal); return;
    default: s->count = keep_u64(s->count, (void *)s->kept, s->index, s->limit, equal);
  }
}

static void sort_kept(search *s) {
  const int bytes = s->t->keys.bytes;
  const bool wide = tsr__pairs_wide(bytes, s->t->length);
  tsr__pairs_make(bytes, wide, s->count, s->kept, s->index, s->a);
  const void *const sorted = tsr__sort_pairs(&s->t->keys, wide, s->count, s->a, s->b, s->counts);
  for (tsr_index i = 0; i < s->count; i++) s->index[i] = tsr__pair_index(wide, sorted, i);
}

#if TSR_HAVE_MALLOC
/* Short lines are sorted, which is quicker than to count in them; the indices that were asked for in their own order are few. */
static bool sort_short(search *s, const tsr__sort_lines *l, const char *x) {
  enum { SHORT = 128, FEW = 32 };
  const best *const t = s->t;
  const tsr_index n = l->length;
  if (n > (t->sorted ? SHORT : FEW)) return false;
  (void)tsr__keys_fetch(&t->keys, n, x, l->step[0], s->kept);
  for (tsr_index i = 0; i < n; i++) s->index[i] = i;
  s->count = n;
  sort_kept(s);
  for (tsr_index i = 1; i < t->k && !t->sorted; i++)
    for (tsr_index at = i; at > 0 && s->index[at] < s->index[at - 1]; at--) {
      const tsr_index other = s->index[at];
      s->index[at] = s->index[at - 1];
      s->index[at - 1] = other;
    }
  return true;
}
#endif

/* Bytes for counting. */
static size_t counting(const best *t) {
  const size_t tables = tsr__sort_tables(&t->keys, t->k);
  return !t->sorted || tables < TSR__SELECT_BYTES ? TSR__SELECT_BYTES : tables;
}

/* The best of a line, as their indices. */
static void find_best(search *s, const tsr__sort_lines *l, const char *line) {
  const best *const t = s->t;
#if TSR_HAVE_MALLOC
  if (sort_short(s, l, line)) return;
#endif
  for (tsr_index i = 0; i < l->length; i += BLOCK) {
    const tsr_index n = l->length - i < BLOCK ? l->length - i : BLOCK;
    const char *const x = line + (ptrdiff_t)i * l->step[0];
    if (s->count > t->room) drop(s);
    if (!may_be_better(s, n, x, l->step[0])) continue;
    (void)tsr__keys_fetch(&t->keys, n, x, l->step[0], s->a);
    scan(s, n, i);
  }
  drop(s);
  if (t->sorted) sort_kept(s);
}

static void topk_line(const tsr__sort_lines *l, char *const *at, char *memory) {
  const best *const t = l->arg;
  const size_t elements = (size_t)l->elements, item = (size_t)t->keys.bytes;
  search s = {.t = t, .counts = (size_t *)(void *)memory, .a = memory + counting(t)};
  s.b = s.a + elements * sizeof(tsr__pair);
  s.kept = s.b + elements * sizeof(tsr__pair);
  s.index = (tsr_index *)(void *)(s.kept + tsr__align_up(elements * item, sizeof(tsr_index)));
  if (t->k == 0) return;
  find_best(&s, l, at[0]);
  for (tsr_index i = 0; i < t->k; i++) {
    if (at[1] != NULL) memcpy(at[1] + (ptrdiff_t)i * l->step[1], at[0] + (ptrdiff_t)s.index[i] * l->step[0], item);
    if (at[2] != NULL) *(tsr_index *)(void *)(at[2] + (ptrdiff_t)i * l->step[2]) = s.index[i];
  }
}

static tsr_status check_topk(const tsr__call *call, tsr_index k, int *axis) {
  const tsr_tensor *const x = call->in[0];
  const tsr_status st = tsr__lines_check(call, axis);
  if (st != TSR_OK) return st;
  if (k < 0 || k > x->shape[*axis])
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "k", "is %l; axis %d of x %t has %l elements", (int64_t)k, *axis, x,
                     (int64_t)x->shape[*axis]);
  if (call->out[0] == NULL && call->out[1] == NULL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "values", "and index are NULL");
  return TSR_OK;
}

static tsr_status topk(tsr__call *call) {
  const tsr__topk_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  const tsr_index k = attrs->k;
  int axis = attrs->axis;
  tsr_index shape[TSR_MAX_DIMS];
  const tsr_status st = check_topk(call, k, &axis);
  if (st != TSR_OK) return st;
  for (int i = 0; i < x->ndim; i++) shape[i] = i == axis ? k : x->shape[i];
  const tsr_index length = x->shape[axis];
  const best t = {.keys = tsr__keys_of(call->ctx, x->dtype, attrs->largest),
                  .dtype = x->dtype,
                  .largest = attrs->largest,
                  .length = length,
                  .k = k,
                  .room = k > length / 4 ? length
                          : 4 * k > ROOM ? 4 * k
                                         : ROOM,
                  .sorted = attrs->sorted};
  tsr__sort_lines l = {.run = topk_line, .arg = &t, .elements = (t.room < length ? t.room : length) + BLOCK + 1};
  l.outputs[0] = (tsr__lines_out){{x->dtype, x->layout, x->ndim, shape, x}, 1u << axis, axis, false};
  l.outputs[1] = (tsr__lines_out){{TSR__INDEX_DTYPE, x->layout, x->ndim, shape, x}, 1u << axis, axis, false};
  l.each = 2 * sizeof(tsr__pair) + (size_t)t.keys.bytes + sizeof(tsr_index);
  l.more = counting(&t) + sizeof(tsr_index);
  return tsr__lines_call(call, &l, (uint32_t)1 << axis);
}

TSR__OP(topk, topk, 0)
tsr_status tsr_topk(tsr_ctx *ctx, const tsr_tensor *x, tsr_index k, int axis, bool largest, bool sorted,
                    tsr_tensor *values, tsr_tensor *index) {
  return TSR__CALL(topk, ctx, TSR__INPUTS(x), TSR__OUTPUTS(values, index), .k = k, .axis = axis, .largest = largest,
                   .sorted = sorted);
}
