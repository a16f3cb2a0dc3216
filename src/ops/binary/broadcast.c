#include "ops/binary/broadcast.h"

#include "ops/elementwise/contiguous.h"

enum { GROUPS = 3, OUT = 0, A = 1, B = 2 };

/* Axes that are mergeable in both inputs: length of them, and the inputs' steps in bytes. */
typedef struct group {
  tsr_index length;
  ptrdiff_t step[3];
} group;

/* A result, its axes in groups, the innermost first. */
typedef struct broadcast {
  int ndim, groups;
  tsr_index size;
  tsr_index shape[TSR_MAX_DIMS];
  group group[GROUPS];
} broadcast;

/* Length of the axis number from_last, which begins with 1. */
static inline tsr_index length_of(const tsr_tensor *t, int from_last) {
  return from_last <= t->ndim ? t->shape[t->ndim - from_last] : 1;
}

/* One more axis: with the last group where the same inputs move along both. */
static inline bool add_axis(broadcast *s, tsr_index length, ptrdiff_t a, ptrdiff_t b) {
  s->size *= length;
  if (s->groups > 0) {
    group *const last = &s->group[s->groups - 1];
    if ((last->step[A] != 0) == (a != 0) && (last->step[B] != 0) == (b != 0)) {
      last->length *= length;
      return true;
    }
  }
  if (s->groups == GROUPS) return false;
  s->group[s->groups++] = (group){length, {0, a, b}};
  return true;
}

static bool gather(const tsr_tensor *a, const tsr_tensor *b, ptrdiff_t item, tsr_index most, broadcast *s) {
  ptrdiff_t next_a = item, next_b = item;
  s->ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
  s->groups = 0;
  s->size = 1;
  TSR__KEEP_LOOP
  for (int i = 1; i <= s->ndim; i++) {
    const tsr_index of_a = length_of(a, i), of_b = length_of(b, i), length = of_a == 1 ? of_b : of_a;
    s->shape[s->ndim - i] = length;
    if (of_b != length && of_b != 1) return false;
    if (length == 1) continue;
    if (!add_axis(s, length, of_a == 1 ? 0 : next_a, of_b == 1 ? 0 : next_b) || s->size > most) return false;
    next_a *= (ptrdiff_t)of_a;
    next_b *= (ptrdiff_t)of_b;
  }
  if (s->groups == 0) (void)add_axis(s, 1, item, item);
  return true;
}

static bool has_shape(const tsr_tensor *t, const broadcast *s) {
  if (t->ndim != s->ndim) return false;
  TSR__KEEP_LOOP
  for (int i = 0; i < s->ndim; i++)
    if (t->shape[i] != s->shape[i]) return false;
  return true;
}

static bool fits(const tsr_tensor *out, int dtype, size_t item, const broadcast *s) {
  return tsr__contiguous_usable(out, dtype, item) && (out->flags & TSR_READONLY) == 0 && has_shape(out, s) &&
         tsr__contiguous_size(out) == s->size;
}

/* Whether the input is apart from the output, or is it element by element. */
static bool is_safe(const tsr_tensor *in, size_t in_bytes, tsr_index size, const tsr_tensor *out, size_t out_bytes,
                    const broadcast *s) {
  return tsr__contiguous_safe(in->data, in_bytes, out->data, out_bytes) && (in->data != out->data || size == s->size);
}

/* So many rows of n elements. */
static void run_along(const tsr__elementwise *e, tsr_index n, tsr_index rows, char *const *at, const ptrdiff_t *step,
                      const ptrdiff_t *next) {
  if (e->row_batches) {
    e->kernel(&(const tsr__row_args){.count = rows, .next = next}, n, at, step);
    return;
  }
  char *now[] = {at[OUT], at[A], at[B]};
  const tsr__row_args one = tsr__one_row(e->param);
  for (tsr_index i = 0; i < rows; i++) {
    e->kernel(&one, n, now, step);
    for (int k = 0; k < 3; k++) now[k] += next[k];
  }
}

static void run_groups(const tsr__elementwise *e, const broadcast *s, char *out, ptrdiff_t out_item) {
  const group *const g = s->group;
  const tsr_index middle = s->groups > 1 ? g[1].length : 1, outer = s->groups > 2 ? g[2].length : 1;
  const ptrdiff_t step[] = {out_item, g[0].step[A], g[0].step[B]}, row = (ptrdiff_t)g[0].length * out_item;
  const ptrdiff_t next[] = {row, s->groups > 1 ? g[1].step[A] : 0, s->groups > 1 ? g[1].step[B] : 0};
  char *at[] = {out, e->in[0]->data, e->in[1]->data};
  for (tsr_index i = 0; i < outer; i++) {
    run_along(e, g[0].length, middle, at, step, next);
    at[OUT] += row * (ptrdiff_t)middle;
    at[A] += s->groups > 2 ? g[2].step[A] : 0;
    at[B] += s->groups > 2 ? g[2].step[B] : 0;
  }
}

bool tsr__binary_broadcast(tsr_ctx *ctx, const tsr__elementwise *e, tsr_tensor *out, tsr_status *status) {
  const tsr_tensor *const a = e->in[0], *const b = e->in[1];
  if (a == NULL || b == NULL || out == NULL || e->kernel == NULL) return false;
  const tsr_index size_a = tsr__contiguous_size(a), size_b = tsr__contiguous_size(b);
  if (size_a == 0 || size_b == 0) return false;
  const size_t item = tsr__item_sizes[e->compute], out_item = tsr__item_sizes[e->result];
  if (!tsr__contiguous_usable(a, e->compute, item) || !tsr__contiguous_usable(b, e->compute, item)) return false;
  broadcast s;
  if (!gather(a, b, (ptrdiff_t)item, e->grain, &s)) return false;
  if (out->dtype == TSR_NONE && out->data == NULL) {
    const tsr__result result = {e->result, tsr__common_layout(e, s.ndim), s.ndim, s.shape, NULL};
    *status = tsr__output(ctx, e->op, &result, out);
    if (*status != TSR_OK) return true;
  } else {
    const size_t bytes = (size_t)s.size * out_item;
    if (!fits(out, e->result, out_item, &s) || !is_safe(a, (size_t)size_a * item, size_a, out, bytes, &s) ||
        !is_safe(b, (size_t)size_b * item, size_b, out, bytes, &s))
      return false;
  }
  run_groups(e, &s, out->data, (ptrdiff_t)out_item);
  *status = TSR_OK;
  return true;
}
