/* Rows, fills and strided copies: compiled once per instruction set. */
#include "cpu/move.h"
#include "cpu/vec/vec.h"

#include <string.h>

/* ---- by non-temporal stores ---- */

#if TSR__VEC_STREAMS

static size_t bytes_to_line(const char *dst, size_t bytes) {
  const size_t head = (size_t)(-(uintptr_t)dst & (TSR__LINE - 1));
  return head < bytes ? head : bytes;
}

static void stream(char *dst, const char *src, size_t bytes) {
  const size_t head = bytes_to_line(dst, bytes);
  if (head > 0) memcpy(dst, src, head);
  size_t i = head;
  for (; i + TSR__LINE <= bytes; i += TSR__LINE)
    for (size_t k = 0; k < TSR__LINE; k += TSR__VEC_BYTES) tsr__vu8_stream(dst + i + k, tsr__vu8_load(src + i + k));
  if (i < bytes) memcpy(dst + i, src + i, bytes - i);
}

static void fence(void) { tsr__vec_fence(); }

#else

static void stream(char *dst, const char *src, size_t bytes) { memcpy(dst, src, bytes); }
static void fence(void) {}

#endif

/* ---- contiguous rows ---- */

/* Rows shorter than this are copied here: a call costs as much as they do. */
enum { SHORT_ROW = 512, LONG_ROW = 32768, STEP = 16 };

/* bytes ≥ STEP; the last step may lie over the one before. */
static inline void copy_short(char *dst, const char *src, size_t bytes) {
#if TSR__VEC_STREAMS
  if (bytes >= TSR__VEC_BYTES) {
    for (size_t i = 0; i + TSR__VEC_BYTES < bytes; i += TSR__VEC_BYTES) memcpy(dst + i, src + i, TSR__VEC_BYTES);
    memcpy(dst + bytes - TSR__VEC_BYTES, src + bytes - TSR__VEC_BYTES, TSR__VEC_BYTES);
    return;
  }
#endif
  for (size_t i = 0; i + STEP < bytes; i += STEP) memcpy(dst + i, src + i, STEP);
  memcpy(dst + bytes - STEP, src + bytes - STEP, STEP);
}

/* Fewer bytes than that: two halves, which may lie over each other. */
static inline void copy_tiny(char *dst, const char *src, size_t bytes) {
  if (bytes >= 8) {
    memcpy(dst, src, 8);
    memcpy(dst + bytes - 8, src + bytes - 8, 8);
  } else if (bytes >= 4) {
    memcpy(dst, src, 4);
    memcpy(dst + bytes - 4, src + bytes - 4, 4);
  } else {
    for (size_t i = 0; i < bytes; i++) dst[i] = src[i];
  }
}

/* One row: short ones here; and where there are vectors all but very long ones, since the C library's way for a few
 * thousand bytes is slow where they do not begin at a line (2000 rows of 8000 bytes: 1.28 ms, here 0.84). */
static inline void copy_row(char *dst, const char *src, size_t bytes) {
  if (TSR_HAVE_MALLOC && bytes < STEP)
    copy_tiny(dst, src, bytes);
  else if (TSR_HAVE_MALLOC && bytes < (TSR__VEC_STREAMS ? LONG_ROW : SHORT_ROW))
    copy_short(dst, src, bytes);
  else
    memcpy(dst, src, bytes);
}

/* By non-temporal stores go long rows, and short ones that are whole lines. */
static bool are_nontemporal(const tsr__block *b, size_t bytes) {
  return b->stream && (bytes >= SHORT_ROW || ((uintptr_t)b->dst | (size_t)b->dst_step[1] | bytes) % 64 == 0);
}

static void rows(const tsr__block *b) {
  const size_t bytes = (size_t)b->n[0] * b->item;
  const bool nontemporal = are_nontemporal(b, bytes);
  const char *src = b->src;
  char *dst = b->dst;
  for (tsr_index i = 0; i < b->n[1]; i++, src += b->src_step[1], dst += b->dst_step[1]) {
    if (nontemporal)
      stream(dst, src, bytes);
    else
      copy_row(dst, src, bytes);
  }
  if (nontemporal) fence();
}

/* ---- rows with gaps ---- */

/* memcpy of a constant size is a load and a store, at any address. Constant steps are what compilers turn into
 * shuffles. */
#define EACH(bytes, from, to) \
  for (tsr_index i = 0; i < n; i++) memcpy(dst + (ptrdiff_t)i * (to), src + (ptrdiff_t)i * (from), bytes)

/* Where they are none, a few elements at a time: a loop of five instructions took one or two cycles a turn, as its
 * place in the program would have it. */
#define EACH_UNROLLED(bytes, from, to) _Pragma("GCC unroll 4") EACH(bytes, from, to)

#define STRIDED_ROW(bytes)                                                                                           \
  static void row_##bytes(tsr_index n, const char *restrict src, ptrdiff_t from, char *restrict dst, ptrdiff_t to) { \
    if (TSR_HAVE_MALLOC && to == bytes && from == 2 * bytes)                                                         \
      EACH(bytes, 2 * bytes, bytes);                                                                                 \
    else if (TSR_HAVE_MALLOC && to == bytes && from == 3 * bytes)                                                    \
      EACH(bytes, 3 * bytes, bytes);                                                                                 \
    else if (TSR_HAVE_MALLOC && to == bytes && from == -bytes)                                                       \
      EACH(bytes, -bytes, bytes);                                                                                    \
    else if (TSR_HAVE_MALLOC && to == bytes)                                                                         \
      EACH_UNROLLED(bytes, from, bytes);                                                                             \
    else                                                                                                             \
      EACH_UNROLLED(bytes, from, to);                                                                                \
  }

STRIDED_ROW(1)
STRIDED_ROW(2)
STRIDED_ROW(4)
STRIDED_ROW(8)
STRIDED_ROW(16)

typedef void row_fn(tsr_index n, const char *restrict src, ptrdiff_t from, char *restrict dst, ptrdiff_t to);

static row_fn *row_of(size_t item) {
  switch (item) {
    case 1: return row_1;
    case 2: return row_2;
    case 4: return row_4;
    case 8: return row_8;
    default: return row_16;
  }
}

#if TSR__VEC_STREAMS

/* A vector of the pattern, from its byte number first on: an item divides a vector, so that all others are like it. */
static tsr__vu8 repeat_pattern(const unsigned char *pattern, size_t item, size_t first) {
  char bytes[TSR__VEC_BYTES];
  for (size_t i = 0; i < item; i++) bytes[i] = (char)pattern[(first + i) & (item - 1)];
  for (size_t n = item; n < sizeof bytes; n *= 2) memcpy(bytes + n, bytes, n);
  return tsr__vu8_load(bytes);
}

static void fill_vectors(char *dst, size_t bytes, tsr__vu8 value) {
  size_t i = 0;
  for (; i + TSR__VEC_BYTES <= bytes; i += TSR__VEC_BYTES) tsr__vu8_store(dst + i, value);
  memcpy(dst + i, &value, bytes - i);
}

static void fill(char *dst, size_t bytes, const unsigned char *pattern, size_t item, bool nontemporal) {
  if (bytes < SHORT_ROW) {
    tsr__fill_row(item, (tsr_index)(bytes / item), pattern, dst);
    return;
  }
  const size_t head = nontemporal ? bytes_to_line(dst, bytes) : 0;
  const tsr__vu8 value = repeat_pattern(pattern, item, head);
  size_t i = head;
  if (nontemporal) {
    fill_vectors(dst, head, repeat_pattern(pattern, item, 0));
    for (; i + TSR__VEC_BYTES <= bytes; i += TSR__VEC_BYTES) tsr__vu8_stream(dst + i, value);
    fence();
  }
  fill_vectors(dst + i, bytes - i, value);
}

#else

static void fill(char *dst, size_t bytes, const unsigned char *pattern, size_t item, bool nontemporal) {
  (void)nontemporal;
  tsr__fill_row(item, (tsr_index)(bytes / item), pattern, dst);
}

#endif

/* ---- rows with margins ---- */

#if TSR__VEC_STREAMS

/* A row of vectors - 1 whole vectors and a part of one: the last lies over the one before. */
static inline void copy_vectors(char *dst, const char *src, size_t bytes, size_t vectors) {
  for (size_t k = 0; k + 1 < vectors; k++)
    tsr__vu8_store(dst + k * TSR__VEC_BYTES, tsr__vu8_load(src + k * TSR__VEC_BYTES));
  tsr__vu8_store(dst + bytes - TSR__VEC_BYTES, tsr__vu8_load(src + bytes - TSR__VEC_BYTES));
}

/* How many they are as a constant, so that a row is that many loads and stores. */
static inline void copy_framed(char *dst, const char *src, size_t bytes) {
  switch (bytes < TSR__VEC_BYTES ? 0 : (bytes - 1) / TSR__VEC_BYTES + 1) {
    case 1: copy_vectors(dst, src, bytes, 1); break;
    case 2: copy_vectors(dst, src, bytes, 2); break;
    case 3: copy_vectors(dst, src, bytes, 3); break;
    case 4: copy_vectors(dst, src, bytes, 4); break;
    case 5: copy_vectors(dst, src, bytes, 5); break;
    case 6: copy_vectors(dst, src, bytes, 6); break;
    case 7: copy_vectors(dst, src, bytes, 7); break;
    case 8: copy_vectors(dst, src, bytes, 8); break;
    default: copy_row(dst, src, bytes); break;
  }
}

/* The pattern over and over; the last vector may lie over the one before. */
static inline void fill_margin(char *dst, size_t bytes, const unsigned char *pattern, size_t item) {
  const tsr__vu8 value = repeat_pattern(pattern, item, 0);
  if (bytes < TSR__VEC_BYTES) {
    memcpy(dst, &value, bytes);
    return;
  }
  for (size_t i = 0; i + TSR__VEC_BYTES < bytes; i += TSR__VEC_BYTES) tsr__vu8_store(dst + i, value);
  tsr__vu8_store(dst + bytes - TSR__VEC_BYTES, value);
}

#else

static inline void copy_framed(char *dst, const char *src, size_t bytes) { copy_row(dst, src, bytes); }

static inline void fill_margin(char *dst, size_t bytes, const unsigned char *pattern, size_t item) {
  tsr__fill_row(item, (tsr_index)(bytes / item), pattern, dst);
}

#endif

/* Margins are written while the line that they share with the row is at hand. item is a constant at every call. */
static inline void frame(const tsr__block *b, const size_t *margin, const unsigned char *pattern, size_t item) {
  const size_t bytes = (size_t)b->n[0] * b->item, before = margin[0], after = margin[1];
  const char *src = b->src;
  char *dst = b->dst, element[16];
  memcpy(element, pattern, item); /* the compiler knows that no store changes it */
  if (margin[2] > 0) fill_margin(dst - before - margin[2], margin[2], pattern, item);
  for (tsr_index i = 0; i < b->n[1]; i++, src += b->src_step[1], dst += b->dst_step[1]) {
    for (size_t k = 0; k < before; k += item) memcpy(dst - before + k, element, item);
    copy_framed(dst, src, bytes);
    for (size_t k = 0; k < after; k += item) memcpy(dst + bytes + k, element, item);
  }
  if (margin[3] > 0) fill_margin(dst - before, margin[3], pattern, item); /* where the next row would begin */
}

static void framed(const tsr__block *b, const size_t *margin, const unsigned char *pattern) {
  switch (b->item) {
    case 1: frame(b, margin, pattern, 1); break;
    case 2: frame(b, margin, pattern, 2); break;
    case 4: frame(b, margin, pattern, 4); break;
    case 8: frame(b, margin, pattern, 8); break;
    default: frame(b, margin, pattern, 16); break;
  }
}

/* ---- rows with gaps, by non-temporal stores or not ---- */

/* By way of a few lines that stay in the first cache: 2.2 ms for every other column of [4096,4096], 4 ms with 2 KB. */
static void stream_strided(const tsr__block *b, row_fn *row) {
  _Alignas(TSR__LINE) char block[8 * TSR__LINE]; /* vectors that cross lines wait for each other */
  const tsr_index most = (tsr_index)(sizeof block / b->item);
  const ptrdiff_t item = (ptrdiff_t)b->item;
  for (tsr_index j = 0; j < b->n[1]; j++) {
    const char *const src = b->src + (ptrdiff_t)j * b->src_step[1];
    char *const dst = b->dst + (ptrdiff_t)j * b->dst_step[1];
    const tsr_index before = tsr__before_line(dst, b->item);
    for (tsr_index i = 0, n = before > 0 ? before : most; i < b->n[0]; i += n, n = most) {
      if (n > b->n[0] - i) n = b->n[0] - i;
      row(n, src + (ptrdiff_t)i * b->src_step[0], b->src_step[0], block, item);
      stream(dst + (ptrdiff_t)i * item, block, (size_t)n * b->item);
    }
  }
  fence();
}

/* The block with its axes exchanged. */
static tsr__block transposed(const tsr__block *b) {
  tsr__block t = *b;
  for (int axis = 0; axis < 2; axis++) {
    t.n[axis] = b->n[1 - axis];
    t.src_step[axis] = b->src_step[1 - axis];
    t.dst_step[axis] = b->dst_step[1 - axis];
  }
  return t;
}

static void run_strided(const tsr__block *b) {
  row_fn *const row = row_of(b->item);
  const bool contiguous = b->dst_step[0] == (ptrdiff_t)b->item;
  if (TSR__VEC_STREAMS && b->stream && contiguous && (size_t)b->n[0] * b->item >= SHORT_ROW) {
    stream_strided(b, row);
    return;
  }
  for (tsr_index j = 0; j < b->n[1]; j++) {
    const char *const src = b->src + (ptrdiff_t)j * b->src_step[1];
    char *const dst = b->dst + (ptrdiff_t)j * b->dst_step[1];
    if (contiguous && b->src_step[0] == 0)
      fill(dst, (size_t)b->n[0] * b->item, (const unsigned char *)src, b->item, false);
    else
      row(b->n[0], src, b->src_step[0], dst, b->dst_step[0]);
  }
}

/* Rows of a few elements cost more to begin than to copy: then columns are the rows. */
static void strided(const tsr__block *b) {
  if (b->n[0] >= 16 || b->n[1] <= b->n[0]) {
    run_strided(b);
    return;
  }
  const tsr__block columns = transposed(b);
  run_strided(&columns);
}

#if TSR_HAVE_MALLOC
tsr__block_fn TSR__ISA_NAME(tsr__transpose); /* in transpose.kernel.c */
#define TRANSPOSE TSR__ISA_NAME(tsr__transpose)
#else
#define TRANSPOSE strided /* a processor without caches reads columns as fast as rows */
#endif

const tsr__move_kernels TSR__ISA_NAME(tsr__move) = {rows, TRANSPOSE, strided, framed, stream, fence, fill};
