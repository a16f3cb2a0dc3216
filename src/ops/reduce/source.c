#include "ops/reduce/source.h"

#include "cpu/touch.h"
#include "ops/cast/convert.h"

/* Elements that are worth reading where they lie, although the block goes on elsewhere. */
enum { DIRECT = 512, UNORDERED_DIRECT = 128 };

/* Elements with gaps between them that are worth a kernel. */
enum { STRIDED = 32 };

enum { LINE = 64 }; /* bytes of a cache line */

void tsr__source_copy(const tsr__source *s, tsr_index n, const char *x, ptrdiff_t step, void *at) {
  if (TSR__REDUCE_FAST && s->same && step != s->item && n >= STRIDED)
    s->move->strided(&(tsr__block){x, at, {n, 1}, {step, 0}, {s->item, 0}, (size_t)s->item, false, NULL});
  else if (s->same)
    tsr__move_row((size_t)s->item, n, x, step, at, s->item);
  else
    tsr__convert_row(s->isa, s->dtype, s->compute, n, x, step, at, s->item);
}

const char *tsr__source_at(const tsr__source *s, const char *x, tsr_index r) {
  const tsr__reduced *const reduced = s->reduced;
  for (int axis = reduced->ndim - 1; axis > 0; axis--) {
    x += reduced->step[axis] * (ptrdiff_t)(r % reduced->length[axis]);
    r /= reduced->length[axis];
  }
  return x + reduced->step[0] * (ptrdiff_t)r;
}

/* ---- outputs of few elements ---- */

/* From one row of elements to the next: no power of two, whose rows would fall into the same places of a cache. */
static ptrdiff_t beside_step(const tsr__source *s, tsr_index width) {
  return (ptrdiff_t)width * s->item + TSR_DATA_ALIGN;
}

/* What is transposed at a time, in bytes: measured for [1M,8] of f32, 0.12 ns an element with 4 KB, 0.32 with 16 KB. */
enum { BESIDE_BYTES = 4096 };

tsr_index tsr__source_beside_width(const tsr__source *s, ptrdiff_t kept, tsr_index width) {
  const tsr_index rows = (tsr_index)(TSR__REDUCE_LANE_BYTES / s->item), bytes = s->reduced->size * (tsr_index)s->item;
  const tsr_index most = BESIDE_BYTES / bytes / rows * rows;
  return s->same && kept == s->item ? width : most > rows ? most : rows;
}

size_t tsr__source_beside_bytes(const tsr__source *s, tsr_index width) {
  const size_t bytes = tsr__align_up((size_t)beside_step(s, width) * (size_t)s->reduced->size, TSR_DATA_ALIGN);
  return s->same ? bytes : 2 * bytes;
}

/* width outputs whose elements are contiguous, kept bytes apart, converted; one after another. */
static void convert_outputs(const tsr__source *s, tsr_index width, const char *x, ptrdiff_t kept, char *to) {
  const tsr_index n = s->reduced->size;
  const bool dense = kept == (ptrdiff_t)n * s->size;
  const tsr_index runs = dense ? 1 : width, each = dense ? width * n : n;
  for (tsr_index j = 0; j < runs; j++)
    tsr__convert_row(s->isa, s->dtype, s->compute, each, x + (ptrdiff_t)j * kept, s->size,
                     to + (ptrdiff_t)(j * n) * s->item, s->item);
}

const char *tsr__source_beside(const tsr__source *s, tsr_index width, const char *x, ptrdiff_t kept, char *room,
                               ptrdiff_t *step) {
  const tsr_index n = s->reduced->size;
  const ptrdiff_t apart = s->reduced->step[0];
  if (s->same && kept == s->item) {
    *step = apart;
    return x;
  }
  *step = beside_step(s, width);
  if (kept == s->size || apart != s->size) {
    for (tsr_index r = 0; r < n; r++)
      tsr__source_copy(s, width, x + (ptrdiff_t)r * apart, kept, room + (ptrdiff_t)r * *step);
    return room;
  }
  if (kept == (ptrdiff_t)n * s->size) tsr__touch_rows(x, (size_t)width, (size_t)kept);
  if (!s->same) {
    char *const converted = room + tsr__source_beside_bytes(s, width) / 2;
    convert_outputs(s, width, x, kept, converted);
    x = converted;
    kept = (ptrdiff_t)n * s->item;
  }
  s->move->transpose(
      &(tsr__block){x, room, {width, n}, {kept, s->item}, {s->item, *step}, (size_t)s->item, false, NULL});
  return room;
}

/* ---- slabs ---- */

enum { SLAB_BYTES = 256 * 1024, SLAB_MOST_BYTES = 8 * 1024 * 1024 };

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

size_t tsr__source_use_slabs(tsr__source *s) {
  const tsr__reduced *const reduced = s->reduced;
  if (TSR__REDUCE_FAST && s->produced != NULL) return (size_t)TSR__REDUCE_PRODUCED * (size_t)s->item;
  const int last = reduced->ndim - 1;
  if (!TSR__REDUCE_FAST || last == 0 || reduced->size < 4096 || magnitude(reduced->step[last]) < LINE) return 0;
  s->axis = last;
  for (int axis = last - 1; axis >= 0; axis--)
    if (magnitude(reduced->step[axis]) < magnitude(reduced->step[s->axis])) s->axis = axis;
  if (4 * magnitude(reduced->step[s->axis]) > magnitude(reduced->step[last])) return 0;
  s->inner = 1;
  for (int axis = s->axis + 1; axis <= last; axis++) s->inner *= reduced->length[axis];
  const tsr_index length = reduced->length[s->axis];
  tsr_index rows = 1; /* a power of two: enough for whole lines, and for a slab that is worth it */
  while (rows < length && (rows * s->size < LINE || rows * s->inner * s->size < SLAB_BYTES)) rows *= 2;
  while (rows > 1 && rows * s->inner * s->size > SLAB_MOST_BYTES) rows /= 2;
  if (rows < 4) return 0;
  s->rows = rows < length ? rows : length;
  return (size_t)s->rows * (size_t)s->inner * (size_t)s->size;
}

/* Copies the slab that element r is in: for each index of the axes between, a matrix of rows and the last axis. */
static void load_slab(tsr__reader *reader, tsr_index r) {
  const tsr__source *const s = reader->source;
  const tsr__reduced *const reduced = s->reduced;
  const int last = reduced->ndim - 1;
  const tsr_index length = reduced->length[s->axis], number = r / s->inner, row = number % length / s->rows * s->rows;
  const tsr_index rows = length - row < s->rows ? length - row : s->rows, columns = reduced->length[last];
  reader->first = (number / length * length + row) * s->inner;
  reader->end = reader->first + rows * s->inner;
  tsr__block block = {.n = {columns, rows},
                      .src_step = {reduced->step[last], reduced->step[s->axis]},
                      .dst_step = {s->size, (ptrdiff_t)s->inner * s->size},
                      .item = (size_t)s->size};
  tsr__block_fn *const copy = reduced->step[s->axis] == s->size ? s->move->transpose : s->move->strided;
  for (tsr_index at = 0; at < s->inner; at += columns) {
    block.src = tsr__source_at(s, reader->x, reader->first + at);
    block.dst = reader->slab + (ptrdiff_t)at * s->size;
    copy(&block);
  }
}

/* Has elements produced, from r on to the end of their run or of the slab. */
static void produce_slab(tsr__reader *reader, tsr_index r) {
  const tsr__source *const s = reader->source;
  const tsr_index length = s->reduced->length[s->reduced->ndim - 1], run = length - r % length;
  const tsr_index n = run < TSR__REDUCE_PRODUCED ? run : TSR__REDUCE_PRODUCED;
  tsr__source_make(s, reader->worker, n, tsr__source_at(s, reader->x, r), reader->slab);
  reader->first = r;
  reader->end = r + n;
}

/* ---- reading ---- */

/* Where element r is, the step to the next, and how many follow at that step. */
static const char *reach(tsr__reader *reader, tsr_index r, ptrdiff_t *step, tsr_index *run) {
  const tsr__source *const s = reader->source;
  if (TSR__REDUCE_FAST && (s->rows > 0 || s->produced != NULL)) {
    const bool there = r >= reader->first && r < reader->end;
    if (!there && s->produced != NULL) produce_slab(reader, r);
    if (!there && s->produced == NULL) load_slab(reader, r);
    *step = s->size;
    *run = reader->end - r;
    return reader->slab + (ptrdiff_t)(r - reader->first) * s->size;
  }
  const int inner = s->reduced->ndim - 1;
  const tsr_index length = s->reduced->length[inner];
  *step = s->reduced->step[inner];
  *run = length - r % length;
  return tsr__source_at(s, reader->x, r);
}

const void *tsr__reader_direct(tsr__reader *reader, tsr_index r, tsr_index n) {
  ptrdiff_t step;
  tsr_index run;
  const char *const at = reach(reader, r, &step, &run);
  return reader->source->same && step == reader->source->item && run >= n ? at : NULL;
}

const void *tsr__reader_next(tsr__reader *reader, tsr_index r, tsr_index most, tsr_index *count) {
  const tsr__source *const s = reader->source;
  ptrdiff_t step;
  tsr_index run;
  const char *at = reach(reader, r, &step, &run);
  if (s->same && step == s->item && (run >= most || run >= (s->unordered ? UNORDERED_DIRECT : DIRECT))) {
    const tsr_index lanes = run / TSR__REDUCE_LANE_BYTES * TSR__REDUCE_LANE_BYTES;
    *count = run >= most ? most : s->unordered ? run : lanes;
    return at;
  }
  const tsr_index room = (tsr_index)(TSR__REDUCE_CHUNK_BYTES / s->item), n = most < room ? most : room;
  for (tsr_index done = 0; done < n; done += run) {
    if (done > 0) at = reach(reader, r + done, &step, &run);
    if (run > n - done) run = n - done;
    tsr__source_copy(s, run, at, step, reader->chunk + (ptrdiff_t)done * s->item);
  }
  *count = n;
  return reader->chunk;
}
