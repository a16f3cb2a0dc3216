/* Quicksort by vectors: keys are split around a pivot until a few hundred are left, which a network sorts in
 * registers. A split leaves one part where it is and takes the other to the room beside it, so that nothing is copied
 * twice. Splits that do not get on end in the sort by digits, which does not care what the keys are. */
#include "cpu/parallel.h"
#include "ops/sort/radix.h"
#include "ops/sort/vector.h"

#if TSR_HAVE_MALLOC
#include <string.h>

enum { SAMPLE_MOST = 64 };

/* Keys that are to be sorted: home: where they are; else to room. Both have place for all of them. */
typedef struct segment {
  char *keys, *room;
  tsr_index n;
  bool home;
} segment;

typedef struct splitting {
  const tsr__sorter *sorter;
  int bytes;
} splitting;

/* Those up to the pivot, which are home then, and those above it, which are not. */
static void split(const splitting *q, segment s, uint64_t pivot, segment *low, segment *high) {
  const tsr_index stay = q->sorter->split(s.n, s.keys, s.room, pivot, s.home), lows = s.home ? stay : s.n - stay;
  const ptrdiff_t low_bytes = (ptrdiff_t)lows * q->bytes, high_bytes = (ptrdiff_t)(s.n - lows) * q->bytes;
  char *const dest = s.home ? s.keys : s.room, *const other = s.home ? s.room : s.keys;
  *low = (segment){dest, other + high_bytes, lows, true};
  *high = (segment){other, dest + low_bytes, s.n - lows, false};
}

/* The middle of a few keys from places without a pattern. *equal: another one of them is the same. */
static uint64_t choose_pivot(const splitting *q, segment s, bool *equal) {
  uint64_t sample[SAMPLE_MOST], place = (uint64_t)s.n;
  int count = s.n < 1024 ? 16 : s.n < 16384 ? 32 : SAMPLE_MOST;
  if (count > q->sorter->most) count = q->sorter->most;
  for (int i = 0; i < count; i++) {
    place = place * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint64_t at =
        (uint64_t)s.n <= UINT32_MAX ? (place >> 32) * (uint64_t)s.n >> 32 : (place >> 1) % (uint64_t)s.n;
    memcpy((char *)sample + i * q->bytes, s.keys + (ptrdiff_t)at * q->bytes, (size_t)q->bytes);
  }
  q->sorter->small(count, sample, sample);
  const uint64_t pivot = tsr__key_at(q->bytes, sample, count / 2 - 1);
  *equal = pivot == tsr__key_at(q->bytes, sample, count / 2) || pivot == tsr__key_at(q->bytes, sample, count / 2 - 2);
  return pivot;
}

/* A byte at a time: its table is on the stack. */
static void sort_by_digits(const splitting *q, segment s) {
  char *const dest = s.home ? s.keys : s.room;
  void *from = s.keys, *to = s.room;
  for (int digit = 0; digit < q->bytes; digit++) {
    void *const sorted = tsr__radix_digit(q->bytes, s.n, from, to, digit);
    if (sorted == from) continue;
    to = from;
    from = sorted;
  }
  if (from != dest) memcpy(dest, from, (size_t)s.n * (size_t)q->bytes);
}

/* Splits the segment and sorts the smaller part: what is left to sort. */
static segment sort_segment(const splitting *q, segment s, int splits);
static segment sort_lesser(const splitting *q, segment low, segment high, int splits) {
  const bool low_first = low.n < high.n;
  segment first = low_first ? low : high;
  while (first.n > 0) first = sort_segment(q, first, splits--);
  return low_first ? high : low;
}

/* Keys that are equal to the pivot are a part of their own, which is sorted. */
static segment split_in_three(const splitting *q, segment s, uint64_t pivot, int splits) {
  segment low = {NULL, NULL, 0, true}, rest = s, equal, high;
  if (pivot > 0) split(q, s, pivot - 1, &low, &rest);
  split(q, rest, pivot, &equal, &high);
  return sort_lesser(q, low, high, splits);
}

static segment sort_segment(const splitting *q, segment s, int splits) {
  const segment done = {NULL, NULL, 0, true};
  segment low, high;
  bool equal;
  if (s.n <= q->sorter->most) {
    q->sorter->small((int)s.n, s.keys, s.home ? s.keys : s.room);
    return done;
  }
  if (splits <= 0) {
    sort_by_digits(q, s);
    return done;
  }
  const uint64_t pivot = choose_pivot(q, s, &equal);
  if (equal) return split_in_three(q, s, pivot, splits - 1);
  split(q, s, pivot, &low, &high);
  return sort_lesser(q, low, high, splits - 1);
}

/* Twice what halves take. */
static int splits_for(tsr_index n) {
  int splits = 8;
  for (; n > 1; n /= 2) splits += 2;
  return splits;
}

void tsr__split_sort(const tsr__sorter *s, int bytes, tsr_index n, void *a, void *b) {
  const splitting q = {s, bytes};
  segment left = {a, b, n, true};
  if (n < 2 || s->rises(n, a)) return;
  for (int splits = splits_for(n); left.n > 0; splits--) left = sort_segment(&q, left, splits);
}

/* ---- several threads: pieces of the row are split by keys that share the row out evenly; the parts of all pieces that lie
 * between the same two of them are put together, and sorted ---- */

enum { PIECES_MOST = 64, PARTS_MOST = 256, SAMPLE_EACH = 16 };

typedef struct sharing {
  splitting q;
  tsr_index n;
  char *a, *b;
  int pieces, parts;
  tsr_index *before; /* [pieces][parts + 1]: of a piece, keys in front of the part */
  char *limits;      /* [parts - 1]: keys up to it are in this part or before */
} sharing;

static int count_pieces(const tsr__keys *k) {
  const int workers = tsr__parallel(k->ctx)->max_workers;
  return workers < PIECES_MOST ? workers : PIECES_MOST;
}
static int count_parts(int pieces) {
  int parts = 16;
  while (parts < 8 * pieces && parts < PARTS_MOST) parts *= 2;
  return parts;
}

size_t tsr__shared_bytes(const tsr__keys *k) {
  const size_t pieces = (size_t)count_pieces(k), parts = (size_t)count_parts((int)pieces);
  return pieces * (parts + 1) * sizeof(tsr_index) + 2 * SAMPLE_EACH * parts * sizeof(uint64_t);
}

/* Keys that every part has about as many of: from a sample, sorted. */
static void choose_limits(sharing *h, char *sample) {
  const int count = SAMPLE_EACH * h->parts, bytes = h->q.bytes;
  const tsr_index step = h->n / count;
  uint64_t jitter = (uint64_t)h->n;
  for (int i = 0; i < count; i++) {
    jitter = jitter * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const tsr_index at = i * step + (tsr_index)((jitter >> 33) % (uint64_t)step);
    memcpy(sample + i * bytes, h->a + (ptrdiff_t)at * bytes, (size_t)bytes);
  }
  tsr__split_sort(h->q.sorter, bytes, count, sample, sample + count * bytes);
  for (int i = 1; i < h->parts; i++)
    memmove(sample + (i - 1) * bytes, sample + (i * SAMPLE_EACH - 1) * bytes, (size_t)bytes);
  h->limits = sample;
}

/* Splits s into parts first … end - 1, and says how long each is. */
static void split_parts(const sharing *h, segment s, int first, int end, tsr_index *lengths) {
  if (end - first == 1) {
    lengths[first] = s.n;
    if (!s.home) memcpy(s.room, s.keys, (size_t)s.n * (size_t)h->q.bytes);
    return;
  }
  const int middle = (first + end) / 2;
  segment low, high;
  split(&h->q, s, tsr__key_at(h->q.bytes, h->limits, middle - 1), &low, &high);
  split_parts(h, low, first, middle, lengths);
  split_parts(h, high, middle, end, lengths);
}

static tsr_index piece_begin(const sharing *h, int piece) {
  return h->n / h->pieces * piece + h->n % h->pieces * piece / h->pieces;
}

/* From a to b. */
static void split_pieces(void *arg, tsr_index begin, tsr_index end, int worker) {
  const sharing *const h = arg;
  (void)worker;
  for (int i = (int)begin; i < (int)end; i++) {
    const tsr_index first = piece_begin(h, i);
    const ptrdiff_t at = (ptrdiff_t)first * h->q.bytes;
    tsr_index *const before = h->before + (ptrdiff_t)i * (h->parts + 1);
    split_parts(h, (segment){h->a + at, h->b + at, piece_begin(h, i + 1) - first, false}, 0, h->parts, before + 1);
    before[0] = 0;
    for (int part = 0; part < h->parts; part++) before[part + 1] += before[part];
  }
}

static tsr_index part_begin(const sharing *h, int part) {
  tsr_index begin = 0;
  for (int i = 0; i < h->pieces; i++) begin += h->before[(ptrdiff_t)i * (h->parts + 1) + part];
  return begin;
}

/* From b to a. */
static void gather_parts(void *arg, tsr_index begin, tsr_index end, int worker) {
  const sharing *const h = arg;
  const ptrdiff_t bytes = h->q.bytes;
  (void)worker;
  for (int part = (int)begin; part < (int)end; part++) {
    char *to = h->a + (ptrdiff_t)part_begin(h, part) * bytes;
    for (int i = 0; i < h->pieces; i++) {
      const tsr_index *const before = h->before + (ptrdiff_t)i * (h->parts + 1);
      const size_t length = (size_t)(before[part + 1] - before[part]) * (size_t)bytes;
      memcpy(to, h->b + (ptrdiff_t)(piece_begin(h, i) + before[part]) * bytes, length);
      to += length;
    }
  }
}

static void sort_parts(void *arg, tsr_index begin, tsr_index end, int worker) {
  const sharing *const h = arg;
  (void)worker;
  for (int part = (int)begin; part < (int)end; part++) {
    const tsr_index first = part_begin(h, part);
    const ptrdiff_t at = (ptrdiff_t)first * h->q.bytes;
    tsr__split_sort(h->q.sorter, h->q.bytes, part_begin(h, part + 1) - first, h->a + at, h->b + at);
  }
}

void tsr__shared_sort(const tsr__sorter *s, const tsr__keys *k, int bytes, tsr_index n, void *a, void *b,
                      void *memory) {
  sharing h = {.q = {s, bytes}, .n = n, .a = a, .b = b, .before = memory};
  h.pieces = count_pieces(k);
  h.parts = count_parts(h.pieces);
  if (s->rises(n, a)) return;
  choose_limits(&h, (char *)memory + (size_t)h.pieces * (size_t)(h.parts + 1) * sizeof(tsr_index));
  tsr__parallel_for(k->ctx, h.pieces, 1, split_pieces, &h);
  tsr__parallel_for(k->ctx, h.parts, 1, gather_parts, &h);
  tsr__parallel_for(k->ctx, h.parts, 1, sort_parts, &h);
}

#endif
