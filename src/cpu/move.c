/* Copies of whole tensors: which two axes a kernel gets, how the others are walked, and by how many threads. */
#include "cpu/move.h"

#include "cpu/parallel.h"

/* Not what the system says of the last cache: virtual machines and servers of several chips report the sum of many, and
 * a core reaches 32 MB of it. */
size_t tsr__stream_bytes = (size_t)32 << 20;

const tsr__move_kernels *tsr__move_kernels_of(const tsr_ctx *ctx) {
#define X(isa) &tsr__move_##isa,
  static const tsr__move_kernels *const all[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X
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
static void turn_axis(tsr__loop *loop, int axis) {
  for (int k = 0; k < 2; k++) {
    loop->base[k] += loop->step[k][axis] * (ptrdiff_t)(loop->length[axis] - 1);
    loop->step[k][axis] = -loop->step[k][axis];
  }
}

static void drop_first_axis(tsr__loop *loop) {
  for (int axis = 1; axis < loop->ndim; axis++) swap_axes(loop, axis - 1, axis);
  loop->ndim--;
}

/* Short rows without gaps in both, 2, 4, 8 or 16 bytes, are single elements of that size. */
static size_t join_elements(tsr__loop *loop, size_t item) {
  while (loop->ndim > 1 && loop->step[0][0] == (ptrdiff_t)item && loop->step[1][0] == (ptrdiff_t)item &&
         loop->length[0] <= 16 && (loop->length[0] & (loop->length[0] - 1)) == 0 &&
         item * (size_t)loop->length[0] <= 16) {
    item *= (size_t)loop->length[0];
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
  return loop->step[1][0] == 0 ? 0 : best; /* a source that repeats along axis 0 is read once a row: nothing to gain */
}

/* ---- the plan ---- */

typedef struct plan {
  const tsr__loop *loop; /* axes 0 and 1 are the kernel's */
  tsr__block_fn   *run;
  tsr__block       block;    /* without addresses and lengths */
  tsr_index        most[2];  /* elements of each axis that the kernel gets at a time */
  tsr_index        parts[2]; /* how many times */
} plan;

/* What a kernel takes at a time where two axes run against each other. In the caches a square of elements; past them a
 * page of the source's rows, and of the output's rows a few lines, which are written one after the other. Measured for
 * [4096,4096] of f32: 4.5 ms, against 5.8 with a page of output, and 7.5 with 256 bytes of source. */
enum { CROSS_ELEMENTS = 1024, CROSS_STREAM_SOURCE = 4096, CROSS_STREAM_OUTPUT = 256 };

/* Elements each way where one of the two has gaps. */
enum { CROSS_PLAIN = 64 };

static tsr_index at_most(tsr_index length, tsr_index most) { return length < most ? length : most; }

/* Pieces of whole rows, or of one long row. */
static void cut_rows(plan *p) {
  const tsr_index item = (tsr_index)p->block.item;
  p->most[0] = at_most(p->loop->length[0], TSR__COPY_GRAIN_BYTES / item);
  p->most[1] = 1 + TSR__COPY_GRAIN_BYTES / (p->most[0] * item);
}

static void choose_kernel(plan *p, tsr__loop *loop, const tsr__move_kernels *kernels) {
  const tsr_index item = (tsr_index)p->block.item;
  const int fast = fastest_of_source(loop);
  if (loop->step[0][0] < 0) turn_axis(loop, 0);
  if (fast == 0) {
    p->run = loop->step[0][0] == item && loop->step[1][0] == item ? kernels->rows : kernels->strided;
    cut_rows(p);
    return;
  }
  swap_axes(loop, 1, fast);
  if (loop->step[1][1] < 0) turn_axis(loop, 1);
  const bool dense = loop->step[0][0] == item && loop->step[1][1] == item;
  p->run = dense ? kernels->transpose : kernels->strided;
  p->most[0] = !dense ? CROSS_PLAIN : p->block.stream ? CROSS_STREAM_OUTPUT / item : CROSS_ELEMENTS;
  p->most[1] = !dense ? CROSS_PLAIN : p->block.stream ? CROSS_STREAM_SOURCE / item : CROSS_ELEMENTS;
}

static void finish_plan(plan *p) {
  for (int axis = 0; axis < 2; axis++) {
    const tsr_index length = p->loop->length[axis];
    p->block.dst_step[axis] = p->loop->step[0][axis];
    p->block.src_step[axis] = p->loop->step[1][axis];
    p->most[axis] = at_most(length, p->most[axis]);
    p->parts[axis] = (length - 1) / p->most[axis] + 1;
  }
}

/* ---- the walk ---- */

typedef struct place {
  tsr_index index[TSR_MAX_DIMS + 1]; /* of axes 0 and 1: the number of the part */
  char     *at[2];               /* where axes 0 and 1 begin */
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
    for (int axis = 2; axis < p->loop->ndim; axis++)
      now->at[k] += p->loop->step[k][axis] * (ptrdiff_t)now->index[axis];
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

void tsr__move(const tsr_ctx *ctx, tsr__loop *loop, size_t item, size_t whole) {
  if (loop->size == 0) return;
  const size_t bytes = (size_t)loop->size * item;
  if (loop->ndim == 1 && bytes <= SMALL_BYTES) { /* a plan would take longer than the copy */
    tsr__move_row(item, loop->size, loop->base[1], loop->step[1][0], loop->base[0], loop->step[0][0]);
    return;
  }
  plan p = {.loop = loop, .block.item = join_elements(loop, item), .block.stream = whole >= tsr__stream_bytes};
  if (loop->ndim == 1) { /* a second axis of length 1 */
    loop->ndim = 2;
    loop->length[1] = 1;
    loop->step[0][1] = loop->step[1][1] = 0;
  }
  choose_kernel(&p, loop, tsr__move_kernels_of(ctx));
  finish_plan(&p);
  const size_t part = (size_t)p.most[0] * (size_t)p.most[1] * p.block.item;
  tsr_index parts = p.parts[0] * p.parts[1];
  for (int axis = 2; axis < loop->ndim; axis++) parts *= loop->length[axis];
  if (!TSR_HAVE_THREADS || bytes <= TSR__COPY_GRAIN_BYTES)
    run_parts(&p, 0, parts, 0);
  else
    tsr__parallel_for(ctx, parts, 1 + (tsr_index)(TSR__COPY_GRAIN_BYTES / part), run_parts, &p);
}
