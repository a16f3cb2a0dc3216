/* Any bytes as a slice: what is read is written and read again to the same, and the view that it makes of a tensor has
 * the elements that Python's rules say. */
#include <string.h>

#include "../tools/tessera/slice.c"
#include "promise.h"

#include <tessera/tessera.h>

enum { RANK = 3, ELEMENTS = 3 * 4 * 5, MOST = 16 * ELEMENTS };
static const tsr_index shape[RANK] = {3, 4, 5};

static void read_again(const slice *s) {
  static char text[1 << 15];
  static slice again;
  const size_t n = slice_format(s, text, sizeof text);
  must(n < sizeof text);
  must(slice_parse(text, n, &again, NULL));
  must(again.count == s->count && again.listed == s->listed);
  for (tsr_index i = 0; i < s->listed; i++) must(again.list[i] == s->list[i]);
  for (int i = 0; i < s->count; i++) {
    const slice_part *a = &s->parts[i], *b = &again.parts[i];
    must(a->kind == b->kind && a->start == b->start && a->stop == b->stop && a->step == b->step);
  }
}

/* How Python resolves start:stop:step for an axis of n: the first index, and how many there are. */
static tsr_index python_bound(tsr_index bound, tsr_index n, tsr_index low, tsr_index high) {
  if (bound < 0) bound = bound < -n ? low : bound + n;
  return bound < low ? low : bound > high ? high : bound;
}

static tsr_index python_count(const slice_part *p, tsr_index n, tsr_index *start) {
  const bool down = p->step < 0;
  const tsr_index low = down ? -1 : 0, high = down ? n - 1 : n;
  *start = p->start == TSR_OMIT ? (down ? high : low) : python_bound(p->start, n, low, high);
  const tsr_index stop = p->stop == TSR_OMIT ? (down ? low : high) : python_bound(p->stop, n, low, high);
  if (down ? stop >= *start : stop <= *start) return 0;
  /* step may be the least integer: its size is taken without a sign. */
  const uint64_t span = (uint64_t)(down ? *start - stop : stop - *start) - 1;
  const uint64_t step = down ? 0 - (uint64_t)p->step : (uint64_t)p->step;
  return (tsr_index)(span / step) + 1;
}

/* Whether a list is within an axis, and its numbers without a sign. */
static bool python_list(const slice *s, tsr_index n, tsr_index *list) {
  for (tsr_index i = 0; i < s->listed; i++) {
    if (s->list[i] < -n || s->list[i] >= n) return false;
    list[i] = s->list[i] < 0 ? s->list[i] + n : s->list[i];
  }
  return true;
}

/* The flat numbers of all elements of the view, by the rules, or false where an index is out of range. */
static bool python_view(const slice *s, int *numbers, int *count) {
  static tsr_index listed[SLICE_LISTED];
  int axes = 0, axis = 0, list[MOST] = {0}, n = 1;
  for (int i = 0; i < s->count; i++) axes += s->parts[i].kind != SLICE_REST && s->parts[i].kind != SLICE_NEW;
  if (axes > RANK) return false;
  slice_part full[2 * SLICE_PARTS];
  int parts = 0, rest = RANK - axes;
  const slice_part all = {.kind = SLICE_RANGE, .start = TSR_OMIT, .stop = TSR_OMIT, .step = 1};
  for (int i = 0; i < s->count; i++) {
    if (s->parts[i].kind == SLICE_REST)
      for (; rest > 0; rest--) full[parts++] = all;
    if (s->parts[i].kind != SLICE_REST && s->parts[i].kind != SLICE_NEW) full[parts++] = s->parts[i];
  }
  for (; rest > 0; rest--) full[parts++] = all;
  for (; axis < RANK; axis++) {
    int next[MOST], m = 0;
    tsr_index start = full[axis].start, step = 0, length = 1;
    const bool is_list = full[axis].kind == SLICE_LIST;
    if (is_list) {
      if (s->listed > 16 || !python_list(s, shape[axis], listed)) return false;
      length = s->listed;
    } else if (full[axis].kind == SLICE_INDEX) {
      if (start < -shape[axis] || start >= shape[axis]) return false;
      if (start < 0) start += shape[axis];
    } else {
      length = python_count(&full[axis], shape[axis], &start);
      step = length > 1 ? full[axis].step : 0;
    }
    for (int i = 0; i < n; i++)
      for (tsr_index k = 0; k < length; k++)
        next[m++] = list[i] * (int)shape[axis] + (int)(is_list ? listed[k] : start + k * step);
    memcpy(list, next, (size_t)m * sizeof *list);
    n = m;
  }
  memcpy(numbers, list, (size_t)n * sizeof *list);
  *count = n;
  return true;
}

static void look_through(const slice *s) {
  static float data[ELEMENTS];
  tsr_tensor t = {0}, v = {0};
  static int numbers[MOST];
  int count = 0, fresh = 0;
  for (int i = 0; i < ELEMENTS; i++) data[i] = (float)i;
  must(tsr_from_memory(NULL, data, TSR_F32, RANK, shape, &t) == TSR_OK);
  for (int i = 0; i < s->count; i++) fresh += s->parts[i].kind == SLICE_NEW;
  const bool expected = python_view(s, numbers, &count);
  const tsr_status st = slice_apply(NULL, &t, s, &v);
  if (!expected && s->listed <= 16) must(st != TSR_OK);
  if (expected && fresh <= TSR_MAX_DIMS - RANK) must(st == TSR_OK);
  if (st != TSR_OK) return;
  if (!expected) {
    tsr_release(&v);
    return;
  }
  must(tsr_size(&v) == count);
  for (int i = 0; i < count; i++) {
    tsr_real value = -1;
    must(tsr_get_flat(NULL, &v, i, TSR_ROW_MAJOR, &value) == TSR_OK);
    must(value == numbers[i]);
  }
  tsr_release(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static slice s;
  slice_error error = {0};
  if (slice_parse((const char *)data, size, &s, &error)) {
    read_again(&s);
    look_through(&s);
  } else {
    must(error.what != NULL && error.at <= size);
  }
  return 0;
}
