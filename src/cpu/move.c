/* Copies of whole tensors: which two axes a kernel gets, how the others are walked, and by how many threads. */
#include "cpu/move.h"

#include "cpu/parallel.h"

/* Not what the system says of the last cache: virtual machines and servers of several chips report the sum of many, and
 * a core reaches 32 MB of it. */
size_t tsr__stream_bytes = (size_t)32 << 20;

/* One thread nearly reaches what memory takes of non-temporal stores, while caches are quicker with every thread. So
 * streaming pays from so many eighths of the last-level cache on, read and written together, by one thread and by
 * several, as measured (docs/performance.md): where no more is written than read; at most twice as much; more; and
 * where elements are made slowly. */
bool tsr__is_nontemporal(const tsr_ctx *ctx, size_t written, size_t read, bool slow) {
  static const size_t eighths[2][4] = {{7, 22, 40, 1024}, {11, 22, 56, 48}};
  const int several = TSR_HAVE_THREADS && tsr__parallel(ctx)->max_workers > 1;
  const int kind = slow ? 3 : written / 2 > read ? 2 : written > read;
  return (written / 8 + read / 8) / eighths[several][kind] >= tsr__stream_bytes / 64;
}

const tsr__move_kernels *tsr__move_kernels_of(const tsr_ctx *ctx) {
  static const tsr__move_kernels *const all[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__move);
  return all[tsr__isa_of(ctx)];
}

enum { SMALL_BYTES = 512 };

/* ---- axes ---- */

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

static void swap_axes(tsr__loop *loop, int a, int b) {
  const tsr_index length = loop->length[a];
  loop->length[a] = loop->length[b];
  loop->length[b] = length;
  for (int k = 0; k < 2; k++) {
    const ptrdiff_t step = loop->step[k][a];
    loop->step[k][a] = loop->step[k][b];
    loop->step[k][b] = step;
  }
}

/* Runs through an axis from its other end. */
static void flip_axis(tsr__loop *loop, int axis) {
  for (int k = 0; k < 2; k++) {
    loop->base[k] += loop->step[k][axis] * (ptrdiff_t)(loop->length[axis] - 1);
    loop->step[k][axis] = -loop->step[k][axis];
  }
}

static void drop_first_axis(tsr__loop *loop) {
  for (int axis = 1; axis < loop->ndim; axis++) swap_axes(loop, axis - 1, axis);
  loop->ndim--;
}

/* Short contiguous rows in both, 2, 4, 8 or 16 bytes, are single elements of that size. */
static size_t join_elements(tsr__loop *loop, size_t item) {
  while (loop->ndim > 1 && loop->step[0][0] == (ptrdiff_t)item && loop->step[1][0] == (ptrdiff_t)item &&
         loop->length[0] <= 16 && (loop->length[0] & (loop->length[0] - 1)) == 0 &&
         item * (size_t)loop->length[0] <= 16) {
    item *= (size_t)loop->length[0];
    loop->size /= loop->length[0];
    drop_first_axis(loop);
  }
  return item;
}

/* The axis along which the source takes its smallest steps; 0 when it takes none. */
static int fastest_of_source(const tsr__loop *loop) {
  int best = 0;
  for (int axis = 1; axis < loop->ndim; axis++) {
    const ptrdiff_t step = magnitude(loop->step[1][axis]), least = magnitude(loop->step[1][best]);
    if (step != 0 && (least == 0 || step < least)) best = axis;
  }
  return loop->step[1][0] == 0 ? 0 : best;
}

/* A source that repeats along axis 0 is read once a row: there is nothing to gain. */
tsr__crossing tsr__loop_cross(tsr__loop *loop, size_t dst_item, size_t src_item) {
  const int fast = fastest_of_source(loop);
  if (loop->step[0][0] < 0) flip_axis(loop, 0);
  if (fast == 0) return TSR__ALONG;
  swap_axes(loop, 1, fast);
  if (loop->step[1][1] < 0) flip_axis(loop, 1);
  return loop->step[0][0] == (ptrdiff_t)dst_item && loop->step[1][1] == (ptrdiff_t)src_item ? TSR__ACROSS
                                                                                            : TSR__ACROSS_STRIDED;
}

/* ---- the plan ---- */

typedef struct plan {
  const tsr__loop *loop; /* axes 0 and 1 are the kernel's */
  tsr__block_fn *run;
  tsr__block block;   /* without addresses and lengths */
  tsr_index most[2];  /* elements of each axis that the kernel gets at a time */
  tsr_index parts[2]; /* how many times */
} plan;

/* What a kernel takes at a time where two axes run against each other. In the caches so many elements of the longer and
 * of the shorter axis; past them a page of the source's rows, and of the output's rows a few lines, which are written
 * one after the other. Measured for [4096,4096] of f32: a page of output takes 1.3 times as long, and 256 bytes of
 * source 1.7 times. */
enum { CROSS_LONGER = 1024, CROSS_SHORTER = 256, CROSS_STREAM_SOURCE = 4096, CROSS_STREAM_ROWS = 64 };

/* Elements each way where one of the two has gaps. */
enum { CROSS_PLAIN = 64 };

static tsr_index at_most(tsr_index length, tsr_index most) { return length < most ? length : most; }

/* Pieces of whole rows, or of one long row. */
static void cut_rows(const tsr__loop *loop, tsr_index item, tsr_index *most) {
  most[0] = at_most(loop->length[0], TSR__COPY_GRAIN_BYTES / item);
  most[1] = 1 + TSR__COPY_GRAIN_BYTES / (most[0] * item);
}

static void cut_cross(const tsr__loop *loop, tsr_index item, bool stream, tsr_index *most) {
  const bool wide = loop->length[0] <= loop->length[1];
  most[0] = stream ? CROSS_STREAM_ROWS : wide ? CROSS_SHORTER : CROSS_LONGER;
  most[1] = stream ? CROSS_STREAM_SOURCE / item : wide ? CROSS_LONGER : CROSS_SHORTER;
}

static tsr__block_fn *choose_kernel(tsr__loop *loop, const tsr__block *b, const tsr__move_kernels *kernels,
                                    tsr_index *most) {
  const tsr__crossing crossing = tsr__loop_cross(loop, b->item, b->item);
  const ptrdiff_t item = (ptrdiff_t)b->item;
  most[0] = most[1] = CROSS_PLAIN;
  if (crossing == TSR__ACROSS_STRIDED) return kernels->strided;
  if (crossing == TSR__ACROSS) {
    cut_cross(loop, (tsr_index)b->item, b->stream, most);
    return kernels->transpose;
  }
  cut_rows(loop, (tsr_index)b->item, most);
  return loop->step[0][0] == item && loop->step[1][0] == item ? kernels->rows : kernels->strided;
}

/* ---- the walk ---- */

typedef struct place {
  tsr_index index[TSR_MAX_DIMS + 1]; /* of axes 0 and 1: the number of the part */
  char *at[2];                       /* where axes 0 and 1 begin */
} place;

static void run_part(const plan *p, const place *now) {
  tsr__block block = p->block;
  block.dst = now->at[0];
  block.src = now->at[1];
  for (int axis = 0; axis < 2; axis++) {
    const tsr_index first = now->index[axis] * p->most[axis];
    block.n[axis] = at_most(p->loop->length[axis] - first, p->most[axis]);
    block.dst += block.dst_step[axis] * (ptrdiff_t)first;
    block.src += block.src_step[axis] * (ptrdiff_t)first;
  }
  p->run(&block);
}

static void find_part(const plan *p, tsr_index number, place *now) {
  for (int axis = 0; axis < p->loop->ndim; axis++) {
    const tsr_index count = axis < 2 ? p->parts[axis] : p->loop->length[axis];
    now->index[axis] = number % count;
    number /= count;
  }
  for (int k = 0; k < 2; k++) {
    now->at[k] = p->loop->base[k];
    for (int axis = 2; axis < p->loop->ndim; axis++) now->at[k] += p->loop->step[k][axis] * (ptrdiff_t)now->index[axis];
  }
}

static void next_part(const plan *p, place *now) {
  for (int axis = 0; axis < p->loop->ndim; axis++) {
    const tsr_index count = axis < 2 ? p->parts[axis] : p->loop->length[axis];
    const bool more = ++now->index[axis] < count;
    if (axis >= 2)
      for (int k = 0; k < 2; k++) now->at[k] += p->loop->step[k][axis] * (ptrdiff_t)(more ? 1 : 1 - count);
    if (more) return;
    now->index[axis] = 0;
  }
}

static void run_parts(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  place now;
  (void)worker;
  find_part(p, begin, &now);
  for (tsr_index i = begin; i < end; i++) {
    run_part(p, &now);
    next_part(p, &now);
  }
}

void tsr__move_blocks(const tsr_ctx *ctx, const tsr__loop *loop, tsr__block_fn *run, const tsr__block *like,
                      const tsr_index *most) {
  plan p = {.loop = loop, .run = run, .block = *like};
  tsr_index parts = 1;
  for (int axis = 0; axis < 2; axis++) {
    const tsr_index length = loop->length[axis];
    p.block.dst_step[axis] = loop->step[0][axis];
    p.block.src_step[axis] = loop->step[1][axis];
    p.most[axis] = at_most(length, most[axis]);
    p.parts[axis] = (length - 1) / p.most[axis] + 1;
    parts *= p.parts[axis];
  }
  for (int axis = 2; axis < loop->ndim; axis++) parts *= loop->length[axis];
  const size_t part = (size_t)p.most[0] * (size_t)p.most[1] * like->item;
  if (!TSR_HAVE_THREADS || (size_t)loop->size * like->item <= TSR__COPY_GRAIN_BYTES)
    run_parts(&p, 0, parts, 0);
  else
    tsr__parallel_for(ctx, parts, 1 + (tsr_index)(TSR__COPY_GRAIN_BYTES / part), run_parts, &p);
}

/* How often the loop reads an element of its source, by axes along which that repeats. */
static size_t repeats(const tsr__loop *loop) {
  size_t times = 1;
  for (int axis = 0; axis < loop->ndim; axis++)
    if (loop->step[1][axis] == 0) times *= (size_t)loop->length[axis];
  return times;
}

void tsr__move(const tsr_ctx *ctx, tsr__loop *loop, size_t item, size_t whole) {
  if (loop->size == 0) return;
  if (loop->ndim == 1 && (size_t)loop->size * item <= SMALL_BYTES) { /* a plan would take longer than the copy */
    tsr__move_row(item, loop->size, loop->base[1], loop->step[1][0], loop->base[0], loop->step[0][0]);
    return;
  }
  const bool stream = tsr__is_nontemporal(ctx, whole, whole / repeats(loop), false);
  const tsr__block like = {.item = join_elements(loop, item), .stream = stream};
  tsr_index most[2];
  if (loop->ndim == 1) { /* a second axis of length 1 */
    loop->ndim = 2;
    loop->length[1] = 1;
    loop->step[0][1] = loop->step[1][1] = 0;
  }
  tsr__block_fn *const run = choose_kernel(loop, &like, tsr__move_kernels_of(ctx), most);
  tsr__move_blocks(ctx, loop, run, &like, most);
}
